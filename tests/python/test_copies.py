"""Copies and pickles of everything the package has: each works, or is a TypeError, and none takes the process with it.

Run by tests/test_python.sh with Python's fault handler, and against a library under AddressSanitizer too.
"""

import copy
import gc
import importlib
import importlib.util
import inspect
import json
import math
import multiprocessing
import os
import pathlib
import pickle
import pkgutil
import struct
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

import levy

try:
    import joblib
except ImportError:
    joblib = None
try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

TEXT = """
schema_version: 1
market:
  curves: {USD: 0.05}
  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}
models: {m: {kind: black_scholes, assets: [A]}}
trades:
  - {id: call, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, exercise: {style: european, expiry: 1}}
  - {id: bad, underlying: A, payoff: {kind: european, option_type: call, strik: 100}, exercise: {style: european, expiry: 1}}
measures: [price, delta]
simulation: {paths: 2^12}
"""
MARKET = "curves: {USD: 0.05}\nassets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
SHOCKS = "size,weight\n-0.05,2\n0.03,1\n"
FILED = """
schema_version: 1
market: sub/market.yaml
models: {m: {kind: black_scholes, assets: [A], jumps: [{intensity: 1, mark: {kind: empirical, file: shocks.csv}}]}}
trades:
  - {id: call, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, exercise: {style: european, expiry: 1}}
simulation: {paths: 2^12}
"""
WAYS = {"copy": copy.copy, "deepcopy": copy.deepcopy,
        **{f"pickle {n}": lambda one, n=n: pickle.loads(pickle.dumps(one, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)}}


def bits(number):
    return struct.pack(">d", number)


def prices(book):
    return [bits(trade.price) for trade in book.price(device="cpu", threads=1)]


def failure():
    try:
        levy.load_text("trades: 5\n", name="here.yaml")
    except levy.InputError as error:
        return error


def written(folder):
    """A book of files that refers to others."""
    (folder / "sub").mkdir()
    (folder / "sub" / "market.yaml").write_text(MARKET)
    (folder / "shocks.csv").write_text(SHOCKS)
    (folder / "book.yaml").write_text(FILED)
    return folder / "book.yaml"


def work(book, spot):
    """What a worker does with a book: Results go back."""
    book["A.spot"] = spot
    return book.price(device="cpu", threads=1)


def refuse(_number):
    levy.load_text("trades: 5\n", name="here.yaml")


class Copies(unittest.TestCase):
    def test_every_class(self):
        """A class that is not in this list fails the test: whoever adds it says how it copies."""
        book = levy.load_text(TEXT)
        results = book.price(device="cpu", threads=1)
        study = book.converge("sobol_scrambled+bridge", "2^4..2^6", trade="call", replicates=4, resamples=10, device="cpu")
        context = levy.Context()
        error = failure()
        fit = levy.calibrate(pathlib.Path(__file__).parents[2] / "configs" / "calibrate.yaml")
        kinds = {type(one): one for one in (book, results, study, fit, context, context._owner, results._source, study._source,
                                            results._source.kept(), study._source.kept(), results.run, results.netted[0],
                                            results.trade(0), results.trade(0).measures[0], book.diagnostics[0], error)}
        internal, given = importlib.import_module("levy._book"), importlib.import_module("levy._input")
        reduced = book.__reduce_ex__(4)[1][0]
        structures = importlib.import_module("levy._library").STRUCTURES
        normals, memory = levy.Normals(n_dimensions=2, threads=1), importlib.import_module("levy._memory")
        bridge = levy.Bridge([0, 1, 2], threads=1)
        sampler = levy.Sampler([1, 2], threads=1)
        paths = levy.Paths([0, 1, 2], threads=1)
        arrays = importlib.import_module("levy._draws")._Arrays(None, 0)
        deviates = levy.Distribution("poisson", mean=1, threads=1)
        place = memory.Memory("out", "float64", 0, (2, 3), (24, 8), None)
        for one in (normals, bridge, paths, sampler, deviates, normals.info, bridge.info, sampler.info, deviates.info, place, arrays,
                    memory._Tensor(), memory._Versioned(), levy.GridAxis("A.spot", True, 0.1), levy.GridPoint("g[0.1]", "g", ()), levy.Plot("<svg/>")):
            kinds[type(one)] = one
        for one in (*(structures[name]() for name in ("levy_source", "levy_trade_result", "levy_measure")),
                    internal._Call(None), importlib.import_module("levy._call").Call(), reduced, reduced.sources[0], levy.Error(-4, []), levy.ArgumentError(-1, []),
                    levy.JournalError(-11, []), levy.FailedTrades(["a: b"], []), levy.MissingFileError(-2, []), given.Keywords({}, None), given._Unwritable("a")):
            kinds[type(one)] = one
        spread = importlib.import_module("levy.distributed")
        for one in (spread._Dask(None), spread._Pool(ThreadPoolExecutor), spread._Run(book, 1, pathlib.Path("."), 0, {})):
            kinds[type(one)] = one
        abstract = {"levy._owner.Owned", "levy._owner.Handle", "levy._arrays._Maker", "levy._arrays._MadeInfo", "levy._report.Report",
                    # of annotations alone
                    "levy._keywords.Settings", "levy._keywords.BookKeywords", "levy._keywords.PriceKeywords", "levy._keywords.LoadKeywords",
                    "levy._keywords._Shown"}
        found = set()
        for module in pkgutil.iter_modules(levy.__path__):
            for _, kind in inspect.getmembers(importlib.import_module("levy." + module.name), inspect.isclass):
                if kind.__module__.startswith("levy") and f"{kind.__module__}.{kind.__name__}" not in abstract:
                    found.add(kind)
        self.assertGreaterEqual(found, {levy.Book, levy.Results, levy.Study, levy.Context})
        self.assertEqual(sorted(map(str, found - set(kinds))), [], "no sample of these classes")
        refused = set()
        for kind in found:
            for name, way in WAYS.items():
                with self.subTest(kind=kind.__name__, way=name):
                    try:
                        made = way(kinds[kind])
                    except TypeError as error:
                        refused.add(kind.__name__)
                        self.assertIn("cannot be copied or pickled", str(error))
                    else:
                        self.assertIs(type(made), kind)
                    made = None
                    gc.collect()
        self.assertEqual(refused, {"Context", "Owner", "_Live", "_Call", "Call", "_Pool", "_Run", "_Dask", "levy_source",
                                   "levy_trade_result", "levy_measure",
                                   "Normals", "Bridge", "Paths", "Sampler", "Distribution", "Memory", "_Arrays", "_Tensor",
                                   "_Versioned"})
        self.assertEqual((normals.info.count, bridge.info.n_steps), (2, 2))
        self.assertEqual(prices(book), prices(copy.copy(book)))  # all handles are still whole
        self.assertEqual(results.trade(0).price, results.trade(0).price)
        self.assertTrue(study.text("table"))

    def test_a_copied_book_is_another_book(self):
        for name, way in WAYS.items():
            with self.subTest(way=name):
                book = levy.load_text(TEXT, settings={"simulation.seed": 7, "measures": ["price", "vega"]})
                book["A.spot"] = 101.0
                made = way(book)
                self.assertEqual(dict(made), dict(book))
                self.assertEqual(made.diagnostics, book.diagnostics)
                self.assertIsNot(made._owner, book._owner)  # a context of its own: another thread may use it
                self.assertEqual(prices(made)[0], prices(book)[0])
                one, two = book.price(times=False, device="cpu"), made.price(times=False, device="cpu")
                self.assertEqual(one.text("json"), two.text("json"))
                made["A.spot"] = 90.0
                self.assertEqual(book["A.spot"], 101.0)
                self.assertNotEqual(prices(made)[0], prices(book)[0])
                del book
                gc.collect()
                self.assertEqual(prices(made)[0], prices(way(made))[0])

    def test_files_come_along(self):
        with tempfile.TemporaryDirectory() as folder:
            book = levy.load(written(pathlib.Path(folder)), settings={"simulation.paths": 2**10})
            expected = prices(book)
            data = pickle.dumps(book)
        made = pickle.loads(data)  # the files are gone
        self.assertEqual(prices(made), expected)
        self.assertEqual(prices(copy.deepcopy(made)), expected)
        self.assertEqual(made.price(times=False, device="cpu").text("json"), book.price(times=False, device="cpu").text("json"))

    def test_what_was_read_is_what_is_pickled(self):
        with tempfile.TemporaryDirectory() as folder:
            path = written(pathlib.Path(folder))
            book = levy.load(path)
            expected = prices(book)
            path.write_text(FILED.replace("strike: 100", "strike: 50"))
            (path.parent / "sub" / "market.yaml").write_text(MARKET.replace("100", "200"))
            self.assertEqual(prices(copy.copy(book)), expected)

    def test_folders_and_texts_with_zeros(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a", "b"):
                text = TEXT if name == "a" else TEXT[:TEXT.index("market:")] + TEXT[TEXT.index("trades:"):TEXT.index("measures:")]
                (pathlib.Path(folder) / f"{name}.yaml").write_text(text.replace("id: call", f"id: {name}").replace("id: bad", f"id: bad-{name}"))
            book = levy.load(folder)
            made = copy.copy(book)
            self.assertEqual(prices(made), prices(book))
        self.assertEqual([trade.id for trade in made.price()], ["a", "bad-a", "b", "bad-b"])
        with self.assertRaises(levy.InputError):
            levy.load_text(TEXT + "\0")

    def test_results_are_data(self):
        results = levy.load_text(TEXT).price(device="cpu", threads=1)
        for name, way in WAYS.items():
            with self.subTest(way=name):
                made = way(results)
                self.assertEqual(repr(list(made)), repr(list(results)))  # as text: NaN is not itself
                self.assertEqual((made.run, made.netted, made.columns), (results.run, results.netted, results.columns))
                self.assertEqual((len(made), made.diagnostics), (2, results.diagnostics))
                for format in ("table", "csv", "json", "jsonl"):
                    self.assertEqual(made.text(format), results.text(format))
                self.assertEqual(str(made), str(results))
                self.assertEqual(repr(made.trade(-1)), repr(results.trade(-1)))
                for bad in (lambda: made.trade(2), lambda: made.trade("none"), lambda: made["prize"]):
                    with self.assertRaises(LookupError):
                        bad()
                with self.assertRaises(ValueError):
                    made.text("xml")
                again = copy.deepcopy(pickle.loads(pickle.dumps(made)))
                self.assertEqual(repr(list(again)), repr(list(results)))
        data = pickle.dumps(results)
        expected = results.trade(0).price
        del results, made, again
        gc.collect()
        self.assertEqual(pickle.loads(data).trade(0).price, expected)

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_columns_of_unpickled_results(self):
        results = levy.load_text(TEXT).price(device="cpu", threads=1)
        made = pickle.loads(pickle.dumps(results))
        for name, column in results.arrays().items():
            self.assertEqual(made[name].dtype, column.dtype, name)
            self.assertEqual(repr(made.arrays()[name].tolist()), repr(column.tolist()), name)
        for name, column in results.measures().items():
            self.assertEqual(repr(made.measures()[name].tolist()), repr(column.tolist()), name)
        if pandas is not None:
            pandas.testing.assert_frame_equal(made.frame(), results.frame())
            pandas.testing.assert_frame_equal(made.measures_frame(), results.measures_frame())

    def test_studies_are_data(self):
        book = levy.load_text(TEXT)
        for study, formats in ((book.converge("sobol_scrambled+bridge", "2^4..2^6", trade="call", replicates=4, resamples=10,
                                              device="cpu"), ("table", "json", "csv", "svg")),
                               (book.coverage(20, "2^6", trade="call", device="cpu"), ("table", "json", "csv", "svg"))):
            for name, way in WAYS.items():
                with self.subTest(way=name):
                    made = way(study)
                    self.assertEqual(dict(made), dict(study))
                    for format in formats:
                        self.assertEqual(made.text(format), study.text(format))
                    for one in (made, study):
                        with self.assertRaises(ValueError):
                            one.text("jsonl")

    def test_exceptions_keep_their_diagnostics(self):
        error = failure()
        made = pickle.loads(pickle.dumps(error))
        self.assertEqual((made.status, made.diagnostics, str(made)), (error.status, error.diagnostics, str(error)))

    def test_threads_take_a_copy_each(self):
        import threading
        book, found = levy.load_text(TEXT), {}
        copies = [copy.copy(book) for _ in range(4)]
        threads = [threading.Thread(target=lambda n=n: found.update({n: prices(copies[n])})) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([found[n][0] for n in range(4)], [prices(book)[0]] * 4)


class Processes(unittest.TestCase):
    def test_spawned_workers(self):
        with tempfile.TemporaryDirectory() as folder:
            book = levy.load(written(pathlib.Path(folder)))
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                spots = (99.0, 100.0, 101.0)
                done = pool.starmap(work, [(book, spot) for spot in spots])
                with self.assertRaisesRegex(levy.InputError, "here.yaml:1") as caught:
                    pool.map(refuse, [1])
        self.assertTrue(caught.exception.diagnostics)
        for spot, results in zip(spots, done):
            book["A.spot"] = spot
            self.assertEqual(results.trade(0).price, book.price(device="cpu", threads=1).trade(0).price)
            self.assertEqual(results.run.priced, 1)

    @unittest.skipIf(joblib is None, "joblib is not installed")
    def test_joblib(self):
        book = levy.load_text(TEXT)
        done = joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(work)(book, spot) for spot in (99.0, 101.0))
        book["A.spot"] = 99.0
        self.assertEqual(done[0].trade(0).price, book.price(device="cpu", threads=1).trade(0).price)

    def test_a_process_of_its_own(self):
        """Data alone, read by a process that has nothing else."""
        book = levy.load_text(TEXT)
        with tempfile.TemporaryDirectory() as folder:
            for name, one in (("book", book), ("results", book.price(device="cpu", threads=1))):
                (pathlib.Path(folder) / name).write_bytes(pickle.dumps(one))
            code = ("import pickle, sys\n"
                    "book, results = (pickle.load(open(name, 'rb')) for name in sys.argv[1:])\n"
                    "print(book.price(device='cpu', threads=1).trade(0).price == results.trade(0).price, results.run.priced)\n")
            run = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code, f"{folder}/book", f"{folder}/results"],
                                 capture_output=True, text=True)
        self.assertEqual((run.stdout, run.returncode), ("True 1\n", 0), run.stderr)


if __name__ == "__main__":
    unittest.main()
