"""levy.distributed: parts priced by pools of processes and by Dask come back as the results of one run, bit for bit.

Run by tests/test_python.sh. The tests of Dask are skipped where `distributed` is not there.
"""

import concurrent.futures
import multiprocessing
import os
import pathlib
import signal
import sys
import tempfile
import unittest

import levy
import levy.distributed

try:
    import distributed
except ImportError:
    distributed = None

CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs"
SPAWN = multiprocessing.get_context("spawn")
KILLED = "LEVY_TEST_KILLED"


def processes():
    return concurrent.futures.ProcessPoolExecutor(2, mp_context=SPAWN)


def _kill_one(pickled, part, parts, options):
    """As a worker that is lost once."""
    mark = pathlib.Path(os.environ[KILLED])
    if part == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return levy.distributed._price_part(pickled, part, parts, options)


def _fail(_pickled, _part, _parts, _options):
    raise ValueError("of no use")


def report(results):
    return results.text("json")


class Distributed(unittest.TestCase):
    def setUp(self):
        self.book = levy.load(CONFIGS / "book.yaml", paths=2**14)
        self.one = report(self.book.price("cpu", threads=1, times=False, by="book"))
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def price(self, **options):
        return levy.distributed.price(self.book, device="cpu", by="book", **options)

    def test_parts_by_hand(self):
        journals = [pathlib.Path(self.folder.name) / f"p{k}" for k in range(1, 4)]
        for k, journal in enumerate(journals):
            self.assertFalse(self.book.has_part(journal))
            self.assertTrue(self.book.price_part(k + 1, 3, journal, "cpu", threads=1))
            self.assertTrue(self.book.has_part(journal))
        self.assertEqual(report(self.book.merge(journals, by="book")), self.one)
        with self.assertRaisesRegex(levy.JournalError, "part 2/3 is missing"):
            self.book.merge([journals[0], journals[2]])
        with self.assertRaisesRegex(levy.ArgumentError, "1 <= k <= n"):
            self.book.price_part(4, 3, journals[0])

    def test_threads_and_quotes_that_were_set(self):
        self.book["NORTH.spot"] *= 1.02
        one = report(self.book.price("cpu", threads=1, times=False, by="book"))
        told = []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = self.price(executor=pool, parts=5, progress=lambda *done: told.append(done))
        self.assertEqual(report(results), one)
        self.assertEqual(told, [(k, 5) for k in range(1, 6)])

    def test_failed_trades_are_told(self):
        text = (CONFIGS / "book.yaml").read_text().replace("strike: 420", "strike: -420")
        book = levy.loads(text, folder=CONFIGS, paths="2^10")
        with self.assertWarns(levy.FailedTrades):
            results = levy.distributed.price(book, executor=concurrent.futures.ThreadPoolExecutor, parts=2, device="cpu")
        self.assertEqual(results.netted[0].failed, 1)
        with self.assertRaises(levy.FailedTrades):
            levy.distributed.price(book, executor=concurrent.futures.ThreadPoolExecutor, parts=2, device="cpu", strict=True)

    def test_processes(self):
        self.assertEqual(report(self.price(executor=processes, parts=6)), self.one)

    def test_a_lost_worker(self):
        os.environ[KILLED] = str(pathlib.Path(self.folder.name) / "killed")
        self.addCleanup(os.environ.pop, KILLED)
        kept, levy.distributed._Run.call = levy.distributed._Run.call, lambda run, part: (
            _kill_one, run._pickled, part, run.parts, run._options)
        self.addCleanup(setattr, levy.distributed._Run, "call", kept)
        self.assertEqual(report(self.price(executor=processes, parts=6)), self.one)
        self.assertTrue(os.path.exists(os.environ[KILLED]))

    def test_a_worker_that_is_lost_while_parts_are_handed_out(self):
        """The pool takes no more parts, once in the middle; a pool that always breaks ends the run."""
        made, told = [], []

        class Breaks(concurrent.futures.ThreadPoolExecutor):
            def __init__(self, left):
                super().__init__(2)
                self.left = left

            def submit(self, *call):
                self.left -= 1
                if self.left < 0:
                    raise concurrent.futures.BrokenExecutor("a worker died")
                return super().submit(*call)

        def make():
            made.append(Breaks(3 if not made else 1000))
            return made[-1]
        self.assertEqual(report(self.price(executor=make, parts=6, progress=lambda *done: told.append(done))), self.one)
        self.assertEqual((len(made), told), (2, [(k, 6) for k in range(1, 7)]))
        with self.assertRaisesRegex(concurrent.futures.BrokenExecutor, "a worker died"):
            self.price(executor=lambda: Breaks(0), parts=2)

    def test_a_part_that_always_fails(self):
        kept, levy.distributed._Run.call = levy.distributed._Run.call, lambda run, part: (
            _fail, run._pickled, part, run.parts, run._options)
        self.addCleanup(setattr, levy.distributed._Run, "call", kept)
        with self.assertRaisesRegex(ValueError, "of no use"):
            self.price(executor=concurrent.futures.ThreadPoolExecutor, parts=2)

    def test_arguments_of_other_types_are_named(self):
        pool = concurrent.futures.ThreadPoolExecutor
        for arguments, keywords, words in (
                (("book.yaml",), {"executor": pool}, "book: a levy.Book, as levy.load makes one; got str"),
                ((self.book, pool(1)), {}, "client: a client of Dask; got ThreadPoolExecutor"),
                ((self.book,), {"executor": 5}, "executor: one of concurrent.futures, .* got int")):
            with self.assertRaisesRegex(TypeError, words):
                levy.distributed.price(*arguments, **keywords)

    def test_a_second_call_does_the_rest(self):
        self.price(executor=concurrent.futures.ThreadPoolExecutor, parts=4, directory=self.folder.name)
        os.remove(os.path.join(self.folder.name, "part.3-of-4"))
        told = []
        results = self.price(executor=concurrent.futures.ThreadPoolExecutor, parts=4, directory=self.folder.name,
                             progress=lambda *done: told.append(done))
        self.assertEqual((report(results), told), (self.one, [(4, 4)]))

    def test_calls_that_share_a_directory(self):
        """Side by side in one process, and both find and leave whole parts of their own names."""
        def call(_number):
            book = levy.load(CONFIGS / "book.yaml", paths=2**14)
            return report(levy.distributed.price(book, executor=concurrent.futures.ThreadPoolExecutor, parts=12, device="cpu",
                                                 by="book", directory=self.folder.name))
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            self.assertEqual(list(pool.map(call, range(3))), [self.one] * 3)
        self.assertEqual(sorted(os.listdir(self.folder.name)), sorted(f"part.{k}-of-12" for k in range(1, 13)))

    def test_temporary_files(self):
        """Each part of each call has a file of its own, and none stays when it cannot be kept."""
        os.mkdir(os.path.join(self.folder.name, "part.2-of-3"))
        runs = [levy.distributed._Run(self.book, 3, pathlib.Path(self.folder.name), 0, {}) for _ in range(2)]
        names = []
        kept, os.replace = os.replace, lambda old, new: names.append(old) or kept(old, new)
        self.addCleanup(setattr, os, "replace", kept)
        for run in runs:
            run.keep(1, b"one")
            run.keep(3, b"three")
            with self.assertRaises(OSError):
                run.keep(2, b"two")
        self.assertEqual(len(set(names)), 6)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["part.1-of-3", "part.2-of-3", "part.3-of-3"])

    def test_a_wrong_part_is_priced_again(self):
        self.price(executor=concurrent.futures.ThreadPoolExecutor, parts=4, directory=self.folder.name)
        names = [pathlib.Path(self.folder.name) / f"part.{k}-of-4" for k in range(1, 5)]
        whole = [name.read_bytes() for name in names]
        other = pathlib.Path(self.folder.name) / "other"
        self.book.price_part(3, 5, other, "cpu", threads=1)
        names[0].write_bytes(whole[1])  # another part
        names[1].write_bytes(whole[1].replace(b'"sums": "4', b'"sums": "5', 1))
        names[2].write_bytes(other.read_bytes())  # of another number of parts
        names[3].write_bytes(whole[3][:-100])
        told = []
        results = self.price(executor=concurrent.futures.ThreadPoolExecutor, parts=4, directory=self.folder.name,
                             progress=lambda *done: told.append(done))
        self.assertEqual((report(results), told), (self.one, [(k, 4) for k in range(1, 5)]))

    def test_arguments(self):
        for wrong, error, words in ((-1, ValueError, "parts is a number from 1 to 65536; got -1"), (0, ValueError, "got 0"),
                                    (65537, ValueError, "got 65537"), ("4", TypeError, "parts is a whole number; got '4'")):
            made = []
            with self.assertRaisesRegex(error, words):
                self.price(executor=lambda: made.append(1), parts=wrong)
            self.assertEqual(made, [])
            with self.assertRaisesRegex(error, words):
                self.book.price_part(1, wrong, os.path.join(self.folder.name, "part"))
        with self.assertRaisesRegex(TypeError, "part is a whole number; got 1.5"):
            self.book.price_part(1.5, 2, os.path.join(self.folder.name, "part"))
        for one in ("part", b"part", pathlib.Path("part")):
            with self.assertRaisesRegex(TypeError, "journals is a list of paths; got one path"):
                self.book.merge(one)
        with self.assertRaisesRegex(TypeError, "needs a client of Dask, or an executor"):
            levy.distributed.price(self.book)

    @unittest.skipIf(distributed is None, "no dask.distributed")
    def test_dask(self):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                      processes=False) as cluster, distributed.Client(cluster) as client:
            self.assertEqual(report(levy.distributed.price(self.book, client, device="cpu", by="book")), self.one)

    @unittest.skipIf(distributed is None, "no dask.distributed")
    def test_a_lost_worker_of_dask(self):
        """One of two workers is killed while it prices, and the only one, with whom the book is lost."""
        kept, levy.distributed._Run.call = levy.distributed._Run.call, lambda run, part: (
            _kill_one, run._pickled, part, run.parts, run._options)
        self.addCleanup(setattr, levy.distributed._Run, "call", kept)
        self.addCleanup(os.environ.pop, KILLED)
        for workers in (2, 1):
            os.environ[KILLED] = str(pathlib.Path(self.folder.name) / f"killed.{workers}")
            with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, \
                    distributed.Client(cluster) as client:
                results = levy.distributed.price(self.book, client, device="cpu", by="book", parts=6)
            self.assertEqual(report(results), self.one)
            self.assertTrue(os.path.exists(os.environ[KILLED]))


if __name__ == "__main__":
    sys.exit(unittest.main())
