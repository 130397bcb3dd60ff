"""The Python package against the library that was just built. Run by tests/test_python.sh."""

import gc
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import levy

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

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
BAD_TRADE = TEXT.replace("strike: 100}, exercise", "strik: 100}, exercise", 1)


class Loading(unittest.TestCase):
    def test_version_and_documentation(self):
        self.assertRegex(levy.version(), r"^\d+\.\d+\.\d+ \(contract \d+\)$")
        self.assertIn("payoff", levy.describe())
        self.assertIn("asian", levy.describe("payoff.asian"))
        self.assertEqual(json.loads(levy.schema())["$schema"], "http://json-schema.org/draft-07/schema#")
        with self.assertRaises(ValueError):
            levy.describe("nothing of this name")

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
        self.assertEqual(dict(book), {"A.spot": 100.0, "A.dividend_yield": 0.0, "A.volatility": 0.2, "USD.rate": 0.05})
        self.assertEqual(len(book), 4)
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

    def test_reports(self):
        results = levy.load_text(TEXT).price()
        self.assertEqual(json.loads(results.text("json"))["results"][0]["price"], results.trade(0).price)
        self.assertIn("european", str(results))
        self.assertEqual(results.text("csv").count("\n"), 5)

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

    def test_exceptions_of_progress_come_through(self):
        def fail(done, total, seconds):
            raise RuntimeError("stop here")
        book = levy.load_text(TEXT)
        with self.assertRaisesRegex(RuntimeError, "stop here"):
            book.price(progress=fail)
        self.assertEqual(book.price().run.priced, 2)

    def test_bad_devices(self):
        with self.assertRaisesRegex(levy.ArgumentError, "'gpu' is no device"):
            levy.load_text(TEXT).price(device="gpu")

    def test_journals(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = pathlib.Path(folder) / "run.journal"
            first = levy.load_text(TEXT).price(journal=journal).text("json")
            with self.assertRaisesRegex(levy.JournalError, "exists already"):
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

    def test_results_outlive_their_book(self):
        results = levy.load_text(TEXT).price()
        gc.collect()
        self.assertEqual(results.trade(1).id, "asian")

    def test_convergence(self):
        study = levy.load_text(TEXT, settings={"simulation.seed": "7"}).converge(
            ["sobol_scrambled+bridge"], "2^6..2^9", trade="call", replicates=8, device="cpu")
        method, = study["methods"]
        self.assertEqual(method["method"], "sobol_scrambled+bridge")
        self.assertLess(method["slope"], -0.5)


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
        with self.assertRaises(KeyError):
            self.results["prize"]

    def test_every_column_says_what_the_tuples_say(self):
        arrays = self.results.arrays()
        self.assertEqual(set(arrays), set(levy.Trade._fields) - {"measures"})
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

    def test_another_library_is_refused(self):
        run = self.run_python("import levy", LEVY_LIBRARY="libc.so.6")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("is no liblevy that fits this package", run.stderr)

    def test_numpy_is_not_needed(self):
        code = ("import sys; sys.modules['numpy'] = None\n"
                f"import levy; results = levy.load({str(QUICKSTART)!r}, settings={SMALL!r}).price()\n"
                "print(len(list(results)), results.netted[0].trades)")
        run = self.run_python(code)
        self.assertEqual((run.stdout.strip(), run.stderr), ("4 4", ""))

    def test_the_example_runs(self):
        run = subprocess.run([sys.executable, ROOT / "configs" / "python" / "convergence.py", QUICKSTART, "--largest", "12"],
                             env={**os.environ, "MPLBACKEND": "Agg"}, capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 0)
        self.assertIn("aapl-call", run.stdout)


if __name__ == "__main__":
    unittest.main()
