"""The Python package against the library that was just built. Run by tests/test_python.sh."""

import asyncio
import ctypes
import gc
import importlib.util
import json
import math
import os
import pathlib
import pickle
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import warnings

import levy

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None
try:
    import matplotlib
except ImportError:
    matplotlib = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICKSTART = ROOT / "configs" / "quickstart.yaml"
SMALL = {"simulation.paths": "2^12"}
TEXT = """
schema_version: 1
market:
  curves: {USD: 0.05}
  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}
models: {m: {kind: black_scholes, assets: [A]}}
trades:
  - {id: call, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, exercise: {style: european, expiry: 1}}
  - {id: asian, underlying: A, payoff: {kind: asian, option_type: call, strike: 100, averaging: {method: arithmetic,
     observations: {count: 4}}}, exercise: {style: european, expiry: 1}}
measures: [price, delta]
simulation: {paths: 2^12}
"""


class Stopped(Exception):
    pass


BAD_TRADE = TEXT.replace("strike: 100}, exercise", "strik: 100}, exercise", 1)


class Loading(unittest.TestCase):
    def test_version_and_documentation(self):
        self.assertRegex(levy.version(), r"^\d+\.\d+\.\d+ \(contract \d+\)$")
        self.assertIn("payoff", levy.describe())
        self.assertIn("asian", levy.describe("payoff.asian"))
        self.assertEqual(json.loads(levy.schema())["$schema"], "http://json-schema.org/draft-07/schema#")
        with self.assertRaises(ValueError):
            levy.describe("nothing of this name")
        with self.assertRaisesRegex(ValueError, "no topic 'payoff.asia'; did you mean 'payoff.asian'"):
            levy.describe("payoff.asia")
        with self.assertRaisesRegex(ValueError, "did you mean 'payoff.asian'"):
            levy.Context().describe("payoff.asia")

    def test_kinds_of_files(self):
        kinds = ROOT / "configs" / "kinds"
        text = (kinds / "book.yaml").read_text().replace("kinds: [step_note.yaml]\n", "")
        for given in (kinds / "step_note.yaml", [str(kinds / "step_note.yaml")]):
            book = levy.loads(text, kinds=given, paths=2**10)
            note, by_hand = book.price("cpu")
            self.assertEqual((note.payoff, by_hand.payoff), ("step_note", "script"))
            self.assertEqual(note.price, by_hand.price)
        again = pickle.loads(pickle.dumps(book)) # the kinds are among its texts
        self.assertEqual(again.price("cpu").trade(0).price, note.price)
        context = levy.Context(kinds=kinds / "step_note.yaml")
        self.assertIn("protection", context.describe("step_note"))
        with self.assertRaises(ValueError):
            context.describe("step_notes")
        with self.assertRaises(levy.InputError):
            levy.Context(kinds=kinds / "book.yaml").describe()
        self.assertIn("unknown kind 'step_note'", levy.loads(text).diagnostics[0].message)
        with self.assertRaises(ValueError):
            levy.Context(kinds="a:b")

    def test_files_and_settings(self):
        book = levy.load(QUICKSTART, settings=SMALL)
        self.assertEqual(book.trades, 4)
        self.assertEqual(book.diagnostics, [])
        self.assertEqual(book.price().trade(0).paths, 4096)

    def test_the_same_text_and_file_are_the_same_book(self):
        text = QUICKSTART.read_text()
        one, two = levy.load(QUICKSTART, settings=SMALL).price(), levy.load_text(text, settings=SMALL).price()
        self.assertEqual([trade.price for trade in one], [trade.price for trade in two])

    def test_rejected_input_carries_diagnostics(self):
        with self.assertRaises(levy.InputError) as caught:
            levy.load_text("schema_version: 1\ntrades: 5\n", name="here.yaml")
        error = caught.exception
        self.assertEqual(error.status, -2)
        self.assertTrue(error.diagnostics)
        first = next(one for one in error.diagnostics if one.path == "trades")
        self.assertEqual((first.file, first.line, first.severity), ("here.yaml", 2, "error"))
        self.assertIn("here.yaml:2:", str(error))

    def test_settings_of_any_type(self):
        for first in ([0.5, 1.0], (0.5, 1.0)):
            for key, value in (("simulation.construction.first", first),
                               ("simulation.construction", {"kind": "bridge", "first": first})):
                self.assertEqual(levy.load_text(TEXT, settings={key: value}).price().trade(1).first, "dates")
        book = levy.load_text(TEXT, settings={"simulation.paths": 2**13, "measures": ["price", "delta", "vega"]})
        trade = book.price(device="cpu").trade(0)
        self.assertEqual((trade.paths, [one.measure for one in trade.measures]), (8192, ["price", "delta", "vega"]))
        with self.assertRaisesRegex(levy.InputError, "did you mean 'simulation.paths'"):
            levy.load_text(TEXT, settings={"simulation.path": 4096})

    def test_text_with_a_nul_is_refused(self):
        """C would read it up to the NUL, and take "cpu\\0x" for "cpu"."""
        book = levy.load_text(TEXT, settings=SMALL)
        calls = [lambda: book.price("cpu\0x"), lambda: book.price("cpu", isa="avx2\0"),
                 lambda: book.price("cpu", journal="a\0b"), lambda: book.explain("cpu\0"),
                 lambda: book.converge("sobol\0", "2^6..2^8", device="cpu"), lambda: book.converge(None, "2^6..2^8\0", device="cpu"),
                 lambda: book.converge(None, "2^6..2^8", device="cpu\0"), lambda: book.update({"A.spot\0": 1.0}),
                 lambda: levy.load("book\0.yaml"), lambda: levy.load(pathlib.Path(f"{QUICKSTART}\0.yaml")),
                 lambda: levy.load_text(TEXT, name="a\0b"), lambda: levy.load_text(TEXT, folder="a\0b"),
                 lambda: levy.load_text(TEXT, settings={"simulation.seed\0": 1}),
                 lambda: levy.load_text(TEXT, settings={"simulation.seed": "1\0"}), lambda: levy.describe("payoff\0")]
        if numpy is not None:
            calls += [lambda: levy.Normals(n_dimensions=1, device="cpu\0x"), lambda: levy.Sampler([1.0], isa="avx2\0"),
                      lambda: levy.Normals("net", n_dimensions=1, net="a\0b"), lambda: levy.Bridge([0, 1], device="cpu\0"),
                      lambda: levy.Paths([0, 1], isa="avx2\0"), lambda: levy.Distribution("normal", device="cpu\0")]
        for number, call in enumerate(calls):
            with self.subTest(number), self.assertRaisesRegex(ValueError, "NUL"):
                call()
        self.assertNotIn("A.spot\0", book)

    def test_missing_files(self):
        with self.assertRaisesRegex(levy.InputError, "No such file"):
            levy.load("/nonexistent/book.yaml")

    def test_a_bad_trade_does_not_keep_the_others(self):
        book = levy.load_text(BAD_TRADE)
        self.assertTrue(any("did you mean 'strike'" in str(one) for one in book.diagnostics))
        results = book.price()
        self.assertEqual([trade.status for trade in results], ["failed", "ok"])
        self.assertTrue(math.isnan(results.trade(0).price))
        self.assertEqual(results.trade(0).reason, "unknown_key")
        self.assertEqual((results.run.priced, results.run.failed), (1, 1))

    def test_explain_and_devices(self):
        self.assertIn("dimensions: 4", levy.load_text(TEXT).explain(device="cpu"))
        self.assertIn("cpu", [one["device"] for one in levy.Context().devices()])


class Quotes(unittest.TestCase):
    def test_a_book_is_a_mapping_of_quotes(self):
        book = levy.load_text(TEXT)
        self.assertEqual(dict(book), {"A.spot": 100.0, "A.dividend_yield": 0.0, "A.volatility": 0.2, "A.borrow": 0.0, "USD.rate": 0.05})
        self.assertEqual(len(book), 5)
        self.assertIn("A.spot", book)
        self.assertNotIn("B.spot", book)
        with self.assertRaises(KeyError):
            book["B.spot"]
        with self.assertRaises(TypeError):
            del book["A.spot"]

    def test_new_quotes_are_a_new_file(self):
        book = levy.load_text(TEXT)
        before = book.price()
        book.update({"A.spot": 103.25, "A.volatility": 0.25, "USD.rate": 0.04})
        fresh = levy.load_text(TEXT.replace("spot: 100", "spot: 103.25").replace("volatility: 0.2", "volatility: 0.25")
                               .replace("USD: 0.05", "USD: 0.04")).price()
        after = book.price()
        for old, new, other in zip(before, after, fresh):
            self.assertNotEqual(old.price, new.price)
            self.assertEqual((new.price, new.std_error, new.plan_hash), (other.price, other.std_error, other.plan_hash))
            self.assertEqual(new.measures, other.measures)

    def test_bad_quotes(self):
        book = levy.load_text(TEXT)
        with self.assertRaisesRegex(levy.ArgumentError, "did you mean 'A.spot'"):
            book["A.spto"] = 1.0
        with self.assertRaisesRegex(ValueError, "must lie in"):
            book["A.spot"] = -1.0
        self.assertEqual(book["A.spot"], 100.0)


class Pricing(unittest.TestCase):
    def test_trades_are_tuples(self):
        results = levy.load_text(TEXT).price(device="cpu", threads=1)
        trade = results.trade(0)
        self.assertEqual((trade.id, trade.status, trade.currency, trade.payoff), ("call", "ok", "USD", "european"))
        self.assertLess(abs(trade.price - 10.4506), 4 * trade.std_error + 0.05)
        self.assertLess(trade.ci_low, trade.price)
        self.assertEqual([(one.measure, one.factor) for one in trade.measures], [("price", ""), ("delta", "A.spot")])
        self.assertEqual(trade.measures[0].value, trade.price)
        self.assertEqual(results.trade(-1).id, "asian")
        with self.assertRaises(IndexError):
            results.trade(2)
        netted, = results.netted
        self.assertAlmostEqual(netted.value, sum(trade.price for trade in results), places=12)

    def test_netted_values_are_sums_by_replicate(self):
        """Against the journal, whose lines hold (n, mean, M2) of every replicate of every group."""
        text = TEXT.replace("[price, delta]", "[price]").replace("expiry: 1}}\n  - {id: asian", "expiry: 2}, quantity: 7, position: short}"
                                                                 "\n  - {id: asian").replace("spot: 100", "spot: 104")
        with tempfile.TemporaryDirectory() as folder:
            journal = pathlib.Path(folder) / "run.journal"
            results = levy.load_text(text).price(journal=journal)
            groups = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
        self.assertEqual([trade.group for trade in results], [0, 1])  # a group of its own each, one output each
        sums = [0.0] * 16
        for trade, group in zip(results, groups):
            numbers = struct.unpack(">48d", bytes.fromhex(group["sums"]))
            self.assertEqual(numbers[0::3], (256.0,) * 16)
            for replicate, mean in enumerate(numbers[1::3]):
                sums[replicate] += mean * trade.price / trade.unit_price
        value = math.fsum(sums) / 16
        error = math.sqrt(math.fsum((one - value) ** 2 for one in sums) / 15 / 16)
        netted, = results.netted
        self.assertAlmostEqual(netted.value / value, 1.0, places=12)
        self.assertAlmostEqual(netted.std_error / error, 1.0, places=10)
        self.assertLess(netted.std_error, sum(trade.std_error for trade in results))  # short and long move against each other

    def test_legs_follow_their_trade(self):
        results = levy.load(ROOT / "configs" / "legs.yaml").price()
        whole, *legs = list(results)[:5]
        self.assertEqual([leg.id for leg in legs], ["note/repayment", "note/coupons", "note/put", "note/premium"])
        self.assertEqual((whole.leg_of, {leg.leg_of for leg in legs}), (None, {"note"}))
        self.assertAlmostEqual(whole.price, sum(leg.price for leg in legs), places=6)
        self.assertEqual((results.run.priced, results.netted[0].trades), (2, 2))
        self.assertIn("2 trades;", repr(results))

    def test_netted_measures_by_key(self):
        text = TEXT.replace("{id: call", "{id: call, book: one, tags: {desk: flow}")
        results = levy.load_text(text).price(device="cpu", by=["book", "tags.desk"])
        self.assertEqual([(one.key, one.label, one.trades) for one in results.netted],
                         [(None, None, 2), ("book", "one", 1), ("book", None, 1), ("tags.desk", "flow", 1), ("tags.desk", None, 1)])
        self.assertEqual((results.trade(0).book, results.trade(0).tags, results.trade(0).underlying), ("one", {"desk": "flow"}, "A"))
        self.assertEqual((results.trade(1).book, results.trade(1).tags), (None, {}))
        all_trades, one = results.netted[0], results.netted[1]
        self.assertEqual([(m.measure, m.factor) for m in all_trades.measures], [("price", ""), ("delta", "A.spot")])
        self.assertAlmostEqual(all_trades.measures[1].value, sum(trade.measures[1].value for trade in results), places=12)
        self.assertAlmostEqual(one.measures[1].std_error, results.trade(0).measures[1].std_error, places=12)
        self.assertEqual(pickle.loads(pickle.dumps(results)).netted, results.netted)
        with self.assertRaises(levy.ArgumentError):
            levy.load_text(TEXT).price(by="bok")

    def test_grids_and_columns(self):
        text = TEXT + "scenarios: [{id: g, grid: [{factor: A.spot, sizes: [-0.1, 0.1]}]}]\n"
        results = levy.load_text(text).price(device="cpu")
        self.assertEqual([(one.id, one.scenario, tuple(one.axes[0])) for one in results.grid],
                         [("g[-0.1]", "g", ("A.spot", True, -0.1)), ("g[0.1]", "g", ("A.spot", True, 0.1))])
        rows = results.text("csv", columns=["id", "price", "delta"]).splitlines()
        self.assertEqual(rows[0], "id,price,delta:A.spot,delta:A.spot:std_error")
        self.assertEqual(len(rows), 3)
        with self.assertRaises(ValueError):
            results.text("csv", columns="id,prise")
        kept = pickle.loads(pickle.dumps(results))
        self.assertEqual((kept.grid, repr(kept.trade(0))), (results.grid, repr(results.trade(0))))  # NaN is not NaN

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_structured_arrays(self):
        results = levy.load_text(TEXT).price(device="cpu")
        rows = results.array(columns="id,measure,value,paths,flagged,note")
        self.assertEqual(rows.dtype.names, ("id", "measure", "value", "paths", "flagged", "note"))
        self.assertEqual(list(rows["id"]), ["call"] * 2 + ["asian"] * 2)
        self.assertEqual(list(results.array()["price"]), [trade.price for trade in results])
        self.assertEqual(list(results.array(sums=True)["price"]), [net.value for net in results.netted])
        self.assertEqual(rows["value"][1], results.trade(0).measures[1].value)
        self.assertEqual(rows["paths"][0], results.trade(0).paths)
        wide = results.array(wide=True)
        self.assertEqual(wide["delta:A.spot"][1], results.trade(1).measures[1].value)
        self.assertTrue(numpy.isnan(wide["floor_probability"]).all())

    def test_reports(self):
        results = levy.load_text(TEXT).price()
        self.assertEqual(json.loads(results.text("json"))["results"][0]["price"], results.trade(0).price)
        self.assertIn("european", str(results))
        self.assertEqual(results.text("csv").count("\n"), 3)  # a header and two trades
        self.assertEqual(results.text("csv", columns="all").count("\n"), 5)  # of two measures each
        self.assertEqual(results.text("csv", sums=True).count("\n"), 2)

    def test_no_schedule_changes_a_bit(self):
        prices = [[trade.price for trade in levy.load_text(TEXT).price(device="cpu", threads=n)] for n in (1, 2, 3)]
        self.assertEqual(prices[0], prices[1])
        self.assertEqual(prices[0], prices[2])

    def test_progress_and_stopping(self):
        book = levy.load(QUICKSTART, settings={"simulation.paths": "2^16"})
        told = []
        results = book.price(progress=lambda done, total, seconds: told.append((done, total)))
        self.assertFalse(results.run.interrupted)
        self.assertEqual(told[0][0], 0)
        self.assertEqual(told[-1][0], told[-1][1])
        results = book.price(progress=lambda done, total, seconds: done > 0)
        self.assertTrue(results.run.interrupted)
        self.assertLess(results.run.priced, 4)
        self.assertEqual(results.trade(3).reason, "cancelled")

    def test_a_book_serves_one_thread_at_a_time(self):
        book, refused = levy.load_text(TEXT), []

        def elsewhere():
            for use in (book.price, book.explain, lambda: book.converge(trade="call"), lambda: book.update({"A.spot": 90.0})):
                try:
                    use()
                except RuntimeError as error:
                    refused.append(str(error))

        def progress(done, total, seconds):
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
            elsewhere()  # which freed what is being priced
            return True

        book.price(progress=progress)
        self.assertEqual(len(refused), 8)
        for message in refused:
            self.assertIn("another call is at work in this context", message)
        self.assertEqual(book["A.spot"], 100)
        thread = threading.Thread(target=elsewhere)  # by turns they may
        thread.start()
        thread.join()
        self.assertEqual((len(refused), book["A.spot"]), (8, 90))

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_a_forked_child_has_threads_of_its_own(self):
        code = (f"import os, levy; book = levy.loads({TEXT!r}); price = book.price(threads=1).trade(0).price\n"
                "child = os.fork()\n"
                "if child == 0: os._exit(book.price(threads=1).trade(0).price != price)\n"
                "print(os.waitpid(child, 0)[1], book.price(threads=1).trade(0).price == price)\n")
        run = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=os.environ, capture_output=True, text=True, timeout=60)
        self.assertEqual((run.stdout, run.stderr), ("0 True\n", ""))

    def test_threads_of_calls_are_used_again(self):
        idle = importlib.import_module("levy._call")._idle
        book = levy.loads(TEXT)
        for _ in range(20):
            book.price(threads=1)
        self.assertLess(len(idle), 10)
        with self.assertRaisesRegex(RuntimeError, "stop"):
            book.price(progress=lambda *_: (_ for _ in ()).throw(RuntimeError("stop")))
        self.assertEqual(book.price().run.priced, 2)

    def test_a_call_that_took_no_time_is_made_again_without_a_thread(self):
        book, where = levy.loads(TEXT, paths=64), []
        internal = importlib.import_module("levy._book")
        made = internal._Call.made

        def watched(call, *arguments):
            where.append(call.progress is None)
            return made(call, *arguments)

        with unittest.mock.patch.object(internal._Call, "made", watched), unittest.mock.patch.object(internal, "_BRIEF", 60.0):
            prices = [book.price(threads=1, **given).trade(0).price
                      for given in ({}, {}, {"seed": 5}, {"progress": lambda *_: False, "seed": 5}, {"seed": 5}, {"paths": 128}, {"paths": 128})]
            book["A.spot"] += 1
            book.price(threads=1, paths=128)
        self.assertEqual(where, [False, True, True, False, False, False, True, False])
        self.assertEqual(prices, [prices[0]] * 2 + [prices[2]] * 3 + [prices[5]] * 2)

    def test_what_a_signal_handler_raises_comes_out_of_a_call_without_a_thread(self):
        book = levy.loads(TEXT, paths=64)
        for delay in range(200, 500):
            kept = []  # what a finalizer raises is lost
            with self.assertRaises(Stopped):
                self.alarm(delay * 1e-6)
                while len(kept) < 10_000:
                    kept.append(book.price(threads=1))
        self.assertEqual(book.price().run.priced, 2)

    def test_exceptions_of_progress_come_through(self):
        def fail(done, total, seconds):
            raise RuntimeError("stop here")
        book = levy.load_text(TEXT)
        with self.assertRaisesRegex(RuntimeError, "stop here"):
            book.price(progress=fail)
        self.assertEqual(book.price().run.priced, 2)

    def test_ctrl_c_stops_the_work(self):
        # a shell has its background jobs ignore the signal, and then the work would take hours
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        book = levy.load_text(TEXT, settings={"simulation.paths": "2^34"})
        for work in (lambda: book.price(threads=1), lambda: book.converge(points="2^8..2^26", trade="asian")):
            timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                work()
            timer.join()

    def alarm(self, seconds):
        """An alarm whose handler raises, as a request's timeout does."""
        def handler(*_):
            raise Stopped
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, handler))
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def test_what_a_signal_handler_raises_comes_out_of_the_call(self):
        book = levy.load_text(TEXT, settings={"simulation.paths": "2^34"})
        calls = (lambda: book.price(), lambda: book.price(progress=lambda *_: False), lambda: book.price(paths="2^33"),
                 lambda: book.converge(points="2^8..2^26", trade="asian"))
        for call in calls * 3:
            self.alarm(0.1)
            with self.assertRaises(Stopped):
                call()
        self.assertEqual(book.price(paths="2^12").run.priced, 2)  # the book is free again

    def test_a_report_is_whole_or_interrupted(self):
        results = levy.load_text(TEXT).price(times=False)
        text, ended = results.text("json"), 0
        for delay in range(1, 200):
            found = text
            try:
                self.alarm(delay * 1e-5)
                found = results.text("json")
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Stopped:
                ended += 1
            self.assertEqual(found, text)
        self.assertGreater(ended, 0)

    def test_what_another_thread_raises_comes_out_of_the_call(self):
        book = levy.load_text(TEXT, settings={"simulation.paths": "2^34"})
        me = threading.get_ident()
        timer = threading.Timer(0.2, lambda: ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(me), ctypes.py_object(Stopped)))
        timer.start()
        with self.assertRaises(Stopped):
            book.price()
        timer.join()

    @unittest.skipIf(sys.version_info < (3, 11), "its Ctrl-C raises by itself")
    def test_ctrl_c_ends_a_call_in_a_coroutine(self):
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        book, after = levy.load_text(TEXT, settings={"simulation.paths": "2^34"}), []

        async def main():
            after.append(book.price())

        timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            asyncio.run(main())
        timer.join()
        self.assertEqual(after, [])

    # ---- Failed trades ----

    def failing(self, **keywords):
        trades = [{"id": f"k{strike}", "underlying": "A", "payoff": {"kind": "european", "option_type": "call", "strike": strike},
                   "exercise": 1.0} for strike in (90, -95, 110)]
        return levy.load(trades, market={"curves": {"USD": 0.04}, "assets": {"A": {"currency": "USD", "spot": 100, "volatility": 0.2}}},
                         models={"m": {"kind": "black_scholes", "assets": ["A"]}}, paths="2^10", **keywords)

    def test_failed_trades_are_a_warning_and_sums_name_them(self):
        with self.assertWarnsRegex(levy.FailedTrades, "^1 trade has no price: k-95: .*must be >= 0; got -95") as caught:
            results = self.failing().price()
        self.assertEqual(os.path.basename(caught.filename), "test_levy.py")
        self.assertEqual((results.netted[0].trades, results.netted[0].failed, results.netted[0].failed_ids), (2, 1, "k-95"))
        self.assertIn("must be >= 0", results.diagnostics[0].message)
        self.assertIn("without k-95", repr(results))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(levy.FailedTrades) as raised:
                self.failing().price()
            again = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual((str(again), len(again.failed)), (str(raised.exception), 1))

    def test_strict_refuses_failed_trades_and_warnings(self):
        with self.assertRaisesRegex(levy.FailedTrades, "must be >= 0; got -95"):
            self.failing().price(strict=True)
        twice = BAD_TRADE.replace("strik: 100}", "strik: 100, cap: -1}", 1)  # two faults
        with self.assertRaisesRegex(levy.FailedTrades, "^1 trade has no price"):
            levy.load_text(twice).price(strict=True)
        self.assertEqual(levy.load_text(TEXT).price(strict=True).run.priced, 2)
        unused = TEXT.replace("{USD: 0.05}", "{USD: 0.05, EUR: 0.02}")
        with self.assertRaisesRegex(levy.InputError, "EUR"):
            levy.load_text(unused).price(strict=True, paths="2^10")
        self.assertEqual(levy.load_text(unused).price().run.priced, 2)

    def test_strict_refuses_warnings_after_a_quote_was_set(self):
        book = levy.load_text(TEXT.replace("{USD: 0.05}", "{USD: 0.05, EUR: 0.02}"), settings={"simulation.paths": "2^8"})
        for _ in range(2):
            book["A.spot"] = 101.0
            with self.assertRaisesRegex(levy.InputError, "EUR"):
                book.price(strict=True)
        with self.assertRaisesRegex(levy.InputError, "EUR"):
            book.converge("sobol+bridge", "2^4..2^5", device="cpu", strict=True)

    def test_studies_name_failed_trades(self):
        for study in (lambda book, **how: book.converge("sobol_scrambled+bridge", "2^4..2^5", replicates=2, device="cpu", **how),
                      lambda book, **how: book.coverage(2, "2^4", device="cpu", **how)):
            with self.assertWarnsRegex(levy.FailedTrades, "^1 trade has no price: .*must be >= 0; got -95") as caught:
                study(self.failing())
            self.assertEqual(os.path.basename(caught.filename), "test_levy.py")
            with self.assertRaises(levy.FailedTrades):
                study(self.failing(), strict=True)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                study(self.failing(), trade="k90")

    def test_failed_trades_without_an_id_are_named_by_their_place(self):
        trade = {"underlying": "A", "payoff": {"kind": "european", "option_type": "call", "strike": 90}, "exercise": 1.0}
        book = levy.load([{**trade, "id": "a"}, trade], market={"curves": {"USD": 0.04}, "assets": {"A": {"currency": "USD", "spot": 100, "volatility": 0.2}}},
                         models={"m": {"kind": "black_scholes", "assets": ["A"]}}, paths="2^8")
        with self.assertWarnsRegex(levy.FailedTrades, r"price: [^N].*trades\[1\]: missing key 'id'"):
            results = book.price()
        self.assertEqual(results.netted[0].failed_ids, "trades[1]")

    def test_diagnostics_of_results_are_those_of_the_book_as_it_is(self):
        book = self.failing()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", levy.FailedTrades)
            self.assertEqual(book.price().diagnostics, book.diagnostics)
            book["A.spot"] = 101.0
            self.assertEqual(len(book.price().diagnostics), 1)
            self.assertEqual(len(book.price().diagnostics), 1)

    def test_bad_devices(self):
        with self.assertRaisesRegex(levy.ArgumentError, "'gpu' is not a device"):
            levy.load_text(TEXT).price(device="gpu")

    def test_journals(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = pathlib.Path(folder) / "run.journal"
            first = levy.load_text(TEXT).price(journal=journal).text("json")
            with self.assertRaisesRegex(levy.JournalError, "exists already\nhint: .*resume=True"):
                levy.load_text(TEXT).price(journal=journal)
            self.assertEqual(levy.load_text(TEXT).price(journal=journal, resume=True).text("json"), first)
            with self.assertRaisesRegex(levy.JournalError, "the input files have changed"):
                levy.load_text(TEXT.replace("strike: 100", "strike: 101")).price(journal=journal, resume=True)
        self.assertIsNone(json.loads(first)["run"]["seconds"])

    def test_threads_price_at_once(self):
        prices = {}

        def work(name):
            book = levy.load_text(TEXT)
            for spot in (99.0, 100.0, 101.0):
                book["A.spot"] = spot
                prices[name, spot] = book.price(device="cpu", threads=1).trade(0).price
        threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(prices), 12)
        for (_, spot), price in prices.items():
            self.assertEqual(price, prices[0, spot])

    def test_any_order_of_destruction(self):
        code = (f"import gc, levy; context = levy.Context(); text = {TEXT!r}\n"
                "def work():\n"
                "    context, loop = levy.Context(), []\n"
                "    book = context.load_text(text)\n"
                "    loop.extend((context, book, book.price(), loop))\n"
                "for _ in range(20): work()\n"
                "gc.collect()\n"
                "book = context.load_text(text); results = book.price()\n"
                "own = lambda: (context, book, results)  # a cycle through the module, which ends with the program\n"
                "print('done')")
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((run.stdout, run.stderr, run.returncode), ("done\n", "", 0))

    def test_results_outlive_their_book(self):
        results = levy.load_text(TEXT).price()
        gc.collect()
        self.assertEqual(results.trade(1).id, "asian")

class Messages(unittest.TestCase):
    """What callers get wrong is said in words of the package, with the nearest that is known."""

    @classmethod
    def setUpClass(cls):
        cls.book = levy.loads(TEXT)
        cls.results = cls.book.price("cpu")

    def refused(self, kind, pattern, call, *arguments, **keywords):
        with self.assertRaisesRegex(kind, pattern):
            call(*arguments, **keywords)

    def test_columns(self):
        results = self.results
        self.refused(levy.ArgumentError, "columns: there is no column 'prise'; did you mean 'price'", results.text, "csv", columns="id,prise")
        self.refused(levy.ArgumentError, "'measure' is a column of the long form", results.text, "csv", columns=["id", "delta", "measure"])
        if numpy is not None:
            self.refused(ValueError, "did you mean 'price'", results.array, columns=["prise"])
        self.refused(TypeError, r"got 0: results.trade\(i\) is a trade", results.__getitem__, 0)
        self.refused(TypeError, "is a column", results.__getitem__, slice(1))

    def test_formats(self):
        self.refused(ValueError, "in the format 'cvs'; did you mean 'csv'", self.results.text, "cvs")
        self.refused(ValueError, "'zzz'; use one of table, csv, json, jsonl, html", self.results.text, "zzz")
        self.refused(ValueError, r"results.array\(\)", self.results.text, "npy")
        self.assertIn("<html", self.results.text("html"))
        study = self.book.converge("sobol+bridge", "2^6..2^7", trade="call", device="cpu")
        self.refused(ValueError, "'svgs'; did you mean 'svg'", study.text, "svgs")

    def test_trades_by_id(self):
        self.assertEqual(repr(self.results.trade("asian")), repr(self.results.trade(1)))
        self.refused(KeyError, "there is no trade 'cal'; did you mean 'call'", self.results.trade, "cal")
        self.refused(IndexError, "there is no trade 7: the results have 2", self.results.trade, 7)
        self.refused(TypeError, "integer", self.results.trade, 1.0)
        kept = pickle.loads(pickle.dumps(self.results))
        self.assertEqual(kept.trade("asian").price, self.results.trade(1).price)

    def test_quotes(self):
        book = levy.loads(TEXT)
        for value in (None, "101", [1.0]):
            self.refused(TypeError, "A.spot is a number; got ", book.__setitem__, "A.spot", value)
        self.refused(TypeError, "the name of a quote is a text; got 3", book.__setitem__, 3, 1.0)
        self.refused(KeyError, "A.spto; did you mean 'A.spot'", book.__getitem__, "A.spto")
        self.refused(KeyError, r"zzz; list\(book\) has the quotes", book.__getitem__, "zzz")
        self.assertEqual((book["A.spot"], book.get("A.spto"), 3 in book), (100.0, None, False))

    def test_texts_and_keywords(self):
        self.refused(TypeError, r"levy.loads reads a text \(str\); got dict: levy.load takes maps", levy.loads, {"schema_version": 1})
        self.refused(TypeError, "'devise'; did you mean 'device'", self.book.price, devise="cpu")
        self.refused(TypeError, r"converge\(\) has no keyword 'point'; did you mean 'points'", self.book.converge, point="2^4")
        self.refused(TypeError, r"coverage\(\) has no keyword 'seed'; did you mean 'seeds'", self.book.coverage, seed=3)
        self.refused(levy.InputError, "Write simulation.tolerance.relative=0.1", levy.loads, TEXT, tolerance=0.1)


class Studies(unittest.TestCase):
    def setUp(self):
        book = levy.load_text(TEXT, settings={"simulation.seed": 7})
        self.study = book.converge(["sobol_scrambled+bridge", "mrg32k3a+incremental"], "2^6..2^9", trade="call", replicates=8,
                                   resamples=50, device="cpu")

    def test_convergence(self):
        sobol, pseudo = self.study["methods"]
        self.assertEqual(sobol["method"], "sobol_scrambled+bridge")
        self.assertLess(sobol["rmse"][-1][1], 0.5 * pseudo["rmse"][-1][1])
        self.assertEqual([n for n, _ in sobol["rmse"]], [64, 128, 256, 512])
        self.assertEqual(set(self.study), {"run", "methods"})
        self.assertEqual(self.study["run"]["seed"], 7)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, start in (("plot.svg", "<?xml"), ("study.csv", "trade,method"), ("study.json", '{"run"'), ("study.txt", "call:")):
                path = pathlib.Path(folder) / name
                self.study.save(path)
                self.assertEqual(path.read_text()[:len(start)], start, name)
        self.assertEqual(str(self.study), self.study.text("table"))

    def test_convergence_by_steps(self):
        book = levy.load_text(TEXT)
        with self.assertRaisesRegex(levy.Error, "without an error of steps"):
            book.converge(steps="4..8", trade="call", device="cpu")
        heston = levy.load(pathlib.Path(__file__).parents[2] / "configs" / "heston.yaml")
        study = heston.converge(steps=[4, 8], points=256, measures=["price", "vega"], replicates=4, trade="call", device="cpu")
        price, vega = study["studies"]
        self.assertEqual((price["run"]["points"], vega["run"]["measure"]), (256, "vega"))
        self.assertEqual([n for n, _ in price["methods"][0]["mean"]], [4, 8])
        self.assertIsNone(price["methods"][0]["rmse"][1][1])

    def test_coverage(self):
        study = levy.load_text(TEXT).coverage(20, "2^6", trade="call", device="cpu")
        row, = study["coverage"]
        self.assertEqual((row["seeds"], row["points"]), (20, 64))

    def test_faults(self):
        with self.assertRaisesRegex(levy.ArgumentError, "methods"):
            levy.load_text(TEXT).converge("sobol+brigde", trade="call")
        with self.assertRaisesRegex(levy.Error, "cancelled"):
            levy.load_text(TEXT).converge(trade="call", progress=lambda *_: True)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frame(self):
        frame = self.study.frame()
        self.assertEqual(len(frame), 2 * 8 * 4)
        rmse = (frame[frame["method"] == "sobol_scrambled+bridge"].groupby("n")["error"].apply(lambda e: (e**2).mean() ** 0.5))
        for (n, expected) in self.study["methods"][0]["rmse"]:
            self.assertAlmostEqual(rmse[n] / expected, 1.0, places=12)


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Arrays(unittest.TestCase):
    def setUp(self):
        self.results = levy.load(QUICKSTART, settings={**SMALL, "measures": "price,delta"}).price()

    def test_columns_are_arrays(self):
        price = self.results["price"]
        self.assertEqual((price.dtype, price.shape), (numpy.dtype("float64"), (4,)))
        self.assertEqual(price.tolist(), [trade.price for trade in self.results])
        self.assertEqual(self.results["id"].tolist(), [trade.id for trade in self.results])
        self.assertEqual(self.results["message"].tolist(), [None] * 4)
        self.assertEqual(self.results["plan_hash"].dtype, numpy.dtype("uint64"))
        with self.assertRaisesRegex(KeyError, "did you mean 'price'"):
            self.results["prize"]
        measured = levy.load_text(TEXT).price(device="cpu")
        self.assertEqual(measured["delta A.spot"].tolist(), [one.measures[1].value for one in measured])
        with self.assertRaisesRegex(ValueError, "got -1"):
            levy.load_text(TEXT).price(device="cpu", threads=-1)

    def test_every_column_says_what_the_tuples_say(self):
        arrays = self.results.arrays()
        self.assertEqual(set(arrays), set(levy.Trade._fields) - {"measures", "tags"})
        for name, column in arrays.items():
            for value, trade in zip(column.tolist(), self.results):
                expected = getattr(trade, name)
                self.assertTrue(value == expected or (value != value and expected != expected), name)

    def test_arrays_own_their_memory(self):
        price = self.results["price"]
        expected = price.tolist()
        self.results = None
        gc.collect()
        price += 0.0
        self.assertEqual(price.tolist(), expected)

    def test_measures_in_long_form(self):
        measures = self.results.measures()
        self.assertEqual(len(measures["value"]), 4 + 6)
        delta = (measures["id"] == "worst-of-put") & (measures["measure"] == "delta")
        self.assertEqual(measures["factor"][delta].tolist(), ["AAPL.spot", "MSFT.spot", "NVDA.spot"])
        self.assertTrue(numpy.isfinite(measures["std_error"]).all())

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frames(self):
        frame = self.results.frame()
        self.assertEqual(frame.loc["aapl-call", "price"], self.results.trade(0).price)
        wide = self.results.measures_frame().pivot(index="id", columns=["measure", "factor"], values="value")
        self.assertEqual(wide.shape, (4, 4))


class Package(unittest.TestCase):
    def run_python(self, code, **environment):
        own = {**os.environ, **environment}
        return subprocess.run([sys.executable, "-c", code], env=own, capture_output=True, text=True)

    def test_a_missing_library_is_named(self):
        run = self.run_python("import levy", LEVY_LIBRARY="/nonexistent/liblevy.so")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("set LEVY_LIBRARY", run.stderr)
        self.assertIn("/nonexistent/liblevy.so", run.stderr)

    def test_a_clone_looks_into_its_own_build(self):
        code = ("import os, levy; from levy._library import candidates; os.environ.pop('LEVY_LIBRARY', None)\n"
                "print('\\n'.join(candidates()))")
        places = self.run_python(code).stdout.splitlines()
        self.assertIn(str(ROOT / "build" / "lib" / "liblevy.so.0.2"), places)
        self.assertTrue(all(os.path.isabs(place) or "/" not in place for place in places))

    def test_another_library_is_refused(self):
        run = self.run_python("import levy", LEVY_LIBRARY="libc.so.6")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("is no liblevy that fits this package", run.stderr)

    def test_numpy_is_not_needed(self):
        code = ("import sys; sys.modules['numpy'] = None; sys.modules['pandas'] = None\n"
                f"import levy; results = levy.load({str(QUICKSTART)!r}, settings={SMALL!r}).price()\n"
                "print(len(list(results)), results.netted[0].trades)\n"
                "for work in (lambda: results['price'], results.arrays, results.measures, results.frame, results.measures_frame):\n"
                "    try: work()\n"
                "    except ImportError as error: print(error)\n")
        run = self.run_python(code)
        lines = run.stdout.splitlines()
        self.assertEqual((lines[0], run.stderr), ("4 4", ""))
        self.assertEqual(len(lines), 6)
        self.assertIn("needs NumPy, which is not installed (pip install numpy); results.trade(i)", lines[1])
        self.assertIn("Results.frame() needs pandas, which is not installed", lines[4])

    def example(self, *arguments, **environment):
        run = subprocess.run([sys.executable, ROOT / "configs" / "python" / "convergence.py", ROOT / "configs" / "geometric_asian.yaml",
                              "--points", "2^6..2^9", "--replicates", "8", *arguments],
                             env={**os.environ, "MPLBACKEND": "Agg", **environment}, capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 0)
        self.assertIn("sobol_scrambled+bridge       slope -", run.stdout)
        return run.stdout

    def test_the_example_runs(self):
        self.example()

    def test_the_example_draws_without_matplotlib(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "matplotlib.py").write_text("raise ImportError")
            path = folder + os.pathsep + os.environ["PYTHONPATH"]
            self.assertIn("drawn by levy", self.example("--plot", folder + "/plot.png", PYTHONPATH=path))
            self.assertTrue((pathlib.Path(folder) / "plot.svg").read_text().startswith("<?xml"))

    def chain(self, *words):
        script = ROOT / "configs" / "python" / "asian_chain.py"
        return subprocess.run([sys.executable, script, *words], capture_output=True, text=True)

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_normals_bridge_and_payoff_give_the_price_of_levy_price(self):
        run = self.chain()
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        own, price, verdict = run.stdout.splitlines()
        self.assertEqual(own.split()[3:6], price.split()[2:5])  # value +- error, to the last digit printed
        self.assertEqual(verdict, "they agree")

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    @unittest.skipIf(any(importlib.util.find_spec(name) for name in ("cupy", "torch")), "there are arrays for a GPU")
    def test_the_chain_says_what_a_gpu_needs(self):
        run = self.chain("--device", "cuda")
        self.assertEqual(run.returncode, 1)
        self.assertIn("need CuPy or PyTorch", run.stderr)

    @unittest.skipIf(matplotlib is None, "matplotlib is not installed")
    def test_the_example_draws_with_matplotlib(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("drawn by matplotlib", self.example("--plot", folder + "/plot.png"))
            self.assertEqual((pathlib.Path(folder) / "plot.png").read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    unittest.main()
