"""Rows of the Python package, a JSON object a line: what a call costs beside its paths.

Seconds are those of the processor: least of several rounds, in which a row and what it is held against take turns.
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import levy

ROUNDS = 7
TRADES = 20_000
MARKET = {"curves": {"USD": 0.04}, "assets": {"S": {"currency": "USD", "spot": 100, "volatility": 0.2}}}
MODELS = {"m": {"kind": "black_scholes", "assets": ["S"]}}
TRADE = {"id": "a", "underlying": "S", "payoff": {"kind": "european", "option_type": "call", "strike": 100}, "exercise": {"expiry": 1.0}}


def least(*works, calls):
    """Seconds of one call of each work."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            start = time.process_time()
            for _ in range(calls):
                work()
            best[place] = min(best[place], (time.process_time() - start) / calls)
    return best


def row(name, value, unit, peer=None, peer_value=None):
    print(json.dumps({"name": name, "value": value, "unit": unit, "peer": peer, "peer_value": peer_value,
                      "ratio": value / peer_value if peer_value else None, "threads": 1}), flush=True)


def reprice():
    """One small trade under another setting, against the book loaded with it."""
    book = levy.load(TRADE, market=MARKET, models=MODELS)
    seeds = iter(range(1, 10**9))
    load = lambda: levy.load(TRADE, market=MARKET, models=MODELS, paths=256, seed=next(seeds)).price("cpu", threads=1)
    value, loaded, plain = least(lambda: book.price("cpu", threads=1, paths=256, seed=next(seeds)), load,
                                 lambda: book.price("cpu", threads=1, paths=256, seed=7), calls=200)
    row("python_reprice", value, "s", "load", loaded)
    row("python_reprice_same", plain, "s", "load", loaded)


def column():
    results = levy.load(TRADE, market=MARKET, models=MODELS, paths=256).price("cpu", threads=1)
    results["price"]
    value, trade = least(lambda: results["price"], lambda: results.trade(0).price, calls=2000)
    row("python_column", value, "s", "trade", trade)


def imports():
    """Of a process of its own, without what Python takes to start; the first one compiles."""
    code = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        seconds = {name: min(float(subprocess.run([sys.executable, "-c", code.format(name)], env=environment, capture_output=True,
                                                  check=True).stdout) for _ in range(ROUNDS)) for name in ("levy", "json, ctypes, typing")}
    row("python_import", seconds["levy"], "s", "standard-library", seconds["json, ctypes, typing"])


def frames():
    try:
        import pandas
    except ImportError:
        print("python: no frame_load, no pandas", file=sys.stderr)
        return
    n = range(TRADES)
    frame = pandas.DataFrame({"id": [f"t{i}" for i in n], "underlying": "S", "quantity": [1.0 + i % 7 for i in n],
                              "payoff.kind": "european", "payoff.option_type": [("call", "put")[i % 2] for i in n],
                              "payoff.strike": [80.0 + i % 40 for i in n], "exercise.expiry": [0.25 * (1 + i % 8) for i in n]})
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        frame.to_csv(file.name, index=False)
        load, csv = least(lambda: levy.load(frame, market=MARKET, models=MODELS),
                          lambda: levy.load(file.name, market=MARKET, models=MODELS), calls=1)
    row("frame_load", TRADES / load, "trades/s", "csv", TRADES / csv)


def calibrate():
    """Heston from 8 starts to 150 of its own quotes, 10 expiries of 15 strikes, with all reports of the fit."""
    years = [1 / 52, 2 / 52, 1 / 12, 2 / 12, 0.25, 0.5, 1, 2, 3, 5]
    quotes = [{"expiry": t, "strike": 100 * math.exp(0.04 * t + 0.36 * math.sqrt(t + 0.02) * (i / 7 - 1)), "volatility": 0.2}
              for t in years for i in range(15)]
    made = {"v0": 0.03, "theta": 0.05, "kappa": 1.5, "xi": 0.6, "rho": -0.7}
    fit = lambda **how: levy.calibrate(market=MARKET, asset="S", model="heston", **how)
    known = fit(quotes=quotes, starts=1, parameters={name: {"value": value, "fixed": True} for name, value in made.items()})
    exact = [{"expiry": one["years"], "strike": one["strike"], "volatility": one["model_volatility"]} for one in known["quotes"]]
    row("calibrate150", least(lambda: fit(quotes=exact), calls=1)[0], "s")


try:
    import numpy  # noqa: F401
except ImportError:
    print("python: no python_column, no NumPy", file=sys.stderr)
else:
    column()
reprice()
imports()
calibrate()
frames()
