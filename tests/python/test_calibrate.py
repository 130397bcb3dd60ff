"""levy.calibrate: files, maps, frames; what it gives; faults."""

import copy
import math
import os
import pickle
import signal
import tempfile
import threading
import time
import unittest
from statistics import NormalDist

import levy

CONFIGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs")
BOOK = os.path.join(CONFIGS, "calibrate.yaml")
MARKET = {"curves": {"USD": 0.03}, "assets": {"ACME": {"currency": "USD", "spot": 100}}}
COLUMNS = {"expiry": [1, 1, 1, 2.0, 2], "strike": [90, 100, 110, 100, 110], "volatility": [0.22, 0.2, 0.19, 0.2, 0.195],
           "weight": [None, 1, 2, None, 1]}
ROWS = [dict(zip(COLUMNS, cells)) for cells in zip(*COLUMNS.values())]


class Calibrate(unittest.TestCase):
    def test_a_file(self):
        fit = levy.calibrate(BOOK)
        self.assertEqual((fit["model"], fit["asset"], fit["agreeing"]), ("heston", "SPX", 8))
        self.assertEqual(list(fit.fitted), ["v0", "theta", "kappa", "xi", "rho"])
        self.assertLess(fit["rms"], 0.001)
        self.assertEqual(len(fit["quotes"]), 15)
        self.assertIn("levy.Calibration: heston of SPX", repr(fit))
        self.assertEqual(len(fit.text("csv").splitlines()), 16)
        self.assertTrue(any("kappa theta" in one.message for one in fit.diagnostics))
        for other in (copy.copy(fit), copy.deepcopy(fit), pickle.loads(pickle.dumps(fit))):
            self.assertEqual(dict(other), dict(fit))
            self.assertEqual(str(other), str(fit))
        with self.assertRaisesRegex(ValueError, "did you mean 'yaml'"):
            fit.text("yml")

    def test_a_fitted_book_prices(self):
        fit = levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=ROWS)
        call = {"id": "call", "underlying": "ACME", "payoff": {"kind": "european", "option_type": "call", "strike": 110},
                "exercise": {"expiry": 1.0}}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fitted.yaml")
            fit.save(path)
            trade = levy.price(call, market=path, paths=2**16).trade(0)
        self.assertEqual(levy.price(call, market=fit, paths=2**16).trade(0).price, trade.price)
        self.assertIn("<svg", str(fit.plot()))
        quote = fit["quotes"][2]
        self.assertEqual((quote["strike"], quote["option_type"]), (110, "call"))
        self.assertLess(abs(trade.price - quote["model_price"]), 5 * trade.std_error)

    def test_vegas_to_quotes(self):
        """As many quotes as parameters: a quoted option has Black's vega to its own volatility, and none to others."""
        put = {"id": "put", "underlying": "ACME", "payoff": {"kind": "european", "option_type": "put", "strike": 90},
               "exercise": {"expiry": 0.5}}
        heston = {"v0": 0.04, "theta": 0.05, "kappa": 2, "xi": 0.5, "rho": -0.7}
        merton = {"volatility": 0.15, "intensity": 0.8, "jump_mean": -0.12, "jump_volatility": 0.1}
        for kind, known, at in (("heston", heston, ((0.5, 90), (0.5, 100), (0.5, 110), (2.0, 80), (2.0, 110))),
                                ("merton", merton, ((0.5, 90), (0.5, 75), (0.5, 110), (2.0, 90)))):
            quotes = [{"expiry": t, "strike": k, "volatility": 0.2} for t, k in at]
            sure = levy.calibrate(market=MARKET, asset="ACME", model=kind, quotes=quotes,
                                  parameters={name: {"value": value, "fixed": True} for name, value in known.items()})
            quotes = [dict(quote, volatility=met["model_volatility"]) for quote, met in zip(quotes, sure["quotes"])]
            fit = levy.calibrate(market=MARKET, asset="ACME", model=kind, quotes=quotes)
            self.assertLess(fit["worst"], 1e-9)
            trade = levy.price(put, market=fit, measures=["price", "vega", "parameters"], paths=2**17, max_step=0.01).trade(0)
            forward, volatility = 100 * math.exp(0.015), quotes[0]["volatility"]
            black = math.exp(-0.015) * forward * math.sqrt(0.5) * NormalDist().pdf(
                math.log(forward / 90) / (volatility * math.sqrt(0.5)) + 0.5 * volatility * math.sqrt(0.5))
            errors = {m.factor.split(".")[1]: m.std_error for m in trade.measures[1:]}
            for vega, quote, expected in zip(fit.vegas(trade), fit["quotes"], [black] + [0] * (len(quotes) - 1)):
                error = math.hypot(*(errors[name] * moved for name, moved in zip(fit.fitted, quote["response"])))
                self.assertLess(error, 0.1 * black)
                self.assertAlmostEqual(vega, expected, delta=4 * error)
        with self.assertRaisesRegex(ValueError, "no slope in volatility"):
            fit.vegas(levy.price(put, market=fit, paths=2**8).trade(0))

    def test_frames(self):
        fit = levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=ROWS)
        for module, make in (("pandas", "DataFrame"), ("polars", "DataFrame")):
            try:
                frame = getattr(__import__(module), make)(COLUMNS)
            except ImportError:
                continue
            self.assertEqual(dict(levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=frame)), dict(fit))
            if module == "pandas":
                self.assertEqual(list(fit.frame()["model_price"]), [one["model_price"] for one in fit["quotes"]])

    def test_spreads_are_weights(self):
        """Half of ask - bid is an error: of a price over its vega, of a volatility as it is."""
        rows = [(0.5, 90, 0.225), (0.5, 100, 0.2), (0.5, 110, 0.19), (2, 80, 0.24), (2, 100, 0.2), (2, 120, 0.195)]
        spreads = (0.001, 0.002, 0.004, 0.003, 0.001, 0.006)
        quotes: list = [[], [], []]
        for (years, strike, volatility), half in zip(rows, spreads):
            forward, discount, deviation = 100 * math.exp(0.03 * years), math.exp(-0.03 * years), volatility * math.sqrt(years)
            d = math.log(forward / strike) / deviation + deviation / 2
            price = discount * (forward * NormalDist().cdf(d) - strike * NormalDist().cdf(d - deviation))
            error = half * discount * forward * math.sqrt(years) * NormalDist().pdf(d)
            one = {"expiry": years, "strike": strike}
            quotes[0].append({**one, "volatility": volatility, "bid": volatility - half, "ask": volatility + half})
            quotes[1].append({**one, "option_type": "call", "price": price, "bid": price - error, "ask": price + error})
            quotes[2].append({**one, "volatility": volatility, "weight": 1 / half})
        fits = [levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=one) for one in quotes]
        for fit in fits[1:]:
            for name, value in fits[0].fitted.items():
                self.assertAlmostEqual(fit.fitted[name], value, delta=1e-5)
        for quote, half in zip(fits[1]["quotes"], spreads):
            self.assertAlmostEqual(quote["weight"] * half, 1, delta=1e-9)

    def skewed(self, model="heston", more=lambda i: {}, **how):
        """A fit to four expiries of a smile that no model meets."""
        quotes = [{"expiry": t, "strike": 100 * math.exp(0.03 * t + 0.12 * x * math.sqrt(t)), "volatility": 0.2 - 0.012 * x + 0.0007 * x * x}
                  for t in (0.1, 0.5, 1, 2) for x in (-2, -1, 0, 1, 2)]
        quotes = [{**quote, **more(i)} for i, quote in enumerate(quotes)]
        return levy.calibrate(market=MARKET, asset="ACME", model=model, quotes=quotes, **how)

    def test_small_weights_are_weights(self):
        """Starts agree in what they miss, whatever its unit."""
        for model in ("bates", "kou"):
            fit, small = self.skewed(model), self.skewed(model, lambda i: {"weight": 1e-6})
            self.assertLess(fit["agreeing"], 8)
            self.assertEqual(small["agreeing"], fit["agreeing"])

    def test_pulls_are_weighed_against_quotes(self):
        """Without errors of the quotes against one of 1 % of volatility."""
        pull = {"kappa": {"toward": 2, "within": 0.5}}
        plain, one = (self.skewed(more=more, parameters=pull) for more in (lambda i: {}, lambda i: {"weight": 100}))
        for name, value in plain.fitted.items():
            self.assertAlmostEqual(value, one.fitted[name], delta=1e-6)
        self.assertGreater(plain.fitted["kappa"], 2.02)
        self.assertLess(plain.fitted["kappa"], self.skewed().fitted["kappa"] - 1)

    def test_errors_need_more_quotes_than_parameters(self):
        rows = [{"expiry": t, "strike": strike, "volatility": volatility} for t, strike, volatility in (
            (0.25, 91, 0.222), (0.25, 101, 0.2), (0.25, 111, 0.182), (1, 84, 0.222), (1, 103, 0.2))]
        fit = levy.calibrate(market=MARKET, asset="ACME", model="heston", quotes=rows)
        for one in fit["parameters"]:
            self.assertEqual((one["std_error"], one["ci_low"]), (None, None))
        self.assertIn("not known", fit.text())
        self.assertTrue(any("errors are not known" in one.message for one in fit.diagnostics))
        self.assertFalse(any("hardly determine" in one.message for one in fit.diagnostics))

    def test_one_quote_at_fault_is_one_fault(self):
        with self.assertRaises(levy.InputError) as caught:
            self.skewed(more=lambda i: {"bid": 0.1, "ask": 0.05 if i == 1 else 0.3})
        self.assertEqual(str(caught.exception).count("error:"), 1)

    def test_one_strike_computed_in_two_ways_is_one(self):
        rows = ROWS + [{"expiry": 1, "strike": 100 * (1 + 2**-50), "volatility": 0.2}]
        fit = levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=rows)
        self.assertTrue(any("is of the same option as another quote" in one.message for one in fit.diagnostics))

    def test_a_price_that_shows_no_volatility(self):
        rows = [{"expiry": 0.1, "strike": strike, "volatility": 0.9} for strike in (53, 60, 70, 100, 130, 190)]
        known = {"volatility": 0.2, "intensity": 1e-4, "jump_mean": 0, "jump_volatility": 1e-4}
        fit = levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=rows,
                             parameters={name: {"value": value, "fixed": True} for name, value in known.items()})
        seen = [one["model_volatility"] for one in fit["quotes"]]
        self.assertEqual([one is None for one in seen], [True, True, False, False, False, True])
        for one in seen[2:5]:
            self.assertAlmostEqual(one, 0.2, delta=1e-5)
        self.assertTrue(all(one["model_price"] >= 0 for one in fit["quotes"]))
        self.assertAlmostEqual(fit["rms"], 0.7, delta=1e-5)
        self.assertTrue(any("3 of the quotes are so far out" in one.message for one in fit.diagnostics))
        none = levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=rows[:2],
                              parameters={name: {"value": value, "fixed": True} for name, value in known.items()})
        self.assertEqual((none["rms"], none["worst"]), (None, None))
        self.assertNotIn("rms", repr(none))

    def test_a_name_that_reads_as_nothing(self):
        market = {"curves": {"USD": 0.03}, "assets": {"null": {"currency": "USD", "spot": 100}}}
        fit = levy.calibrate(market=market, asset="null", model="merton", quotes=ROWS)
        call = {"id": "call", "underlying": "null", "payoff": {"kind": "european", "option_type": "call", "strike": 110},
                "exercise": {"expiry": 1.0}}
        self.assertGreater(levy.price(call, market=fit, paths=2**10).trade(0).price, 0)

    def test_it_can_be_stopped(self):
        told = []
        levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=ROWS, progress=lambda *all: told.append(all))
        self.assertEqual(told[0][:2], (0, 9))
        many = dict(market=MARKET, asset="ACME", model="bates", quotes=ROWS * 40, starts=1000)
        with self.assertRaisesRegex(levy.Error, "cancelled"):
            levy.calibrate(**many, progress=lambda *all: True)
        spread = [{**quote, "expiry": 0.02 * i} for i in range(1, 250) for quote in ROWS[:3]]  # a series for each expiry
        began = time.process_time()
        with self.assertRaisesRegex(levy.Error, "cancelled"):
            levy.calibrate(market=MARKET, asset="ACME", model="bates", quotes=spread, terms=[0.1, 0.5, 1, 2, 5], starts=200,
                           progress=lambda *all: True)
        self.assertLess(time.process_time() - began, 5)
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
        began = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            levy.calibrate(**many)
        timer.join()
        self.assertLess(time.monotonic() - began, 5)

    def test_faults(self):
        with self.assertRaises(levy.InputError) as caught:
            levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=ROWS[:2])
        self.assertIn("2 quotes cannot determine 4 parameters", str(caught.exception))
        with self.assertRaises(levy.InputError):
            levy.calibrate(market=MARKET)
        with self.assertRaisesRegex(TypeError, "got str: with `folder`, file= names one"):
            levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes="quotes.csv")
        with self.assertRaisesRegex(TypeError, "quotes are maps in a row or a frame"):
            levy.calibrate(market=MARKET, asset="ACME", model="merton", quotes=3)
        with self.assertRaises(FileNotFoundError):
            levy.calibrate("no such file.yaml")


if __name__ == "__main__":
    unittest.main()
