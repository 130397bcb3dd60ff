#!/usr/bin/env python3
"""How often intervals hold the exact value: ten payoffs (one date and twelve) on three models, price and delta.

    PYTHONPATH=engine/python bench/coverage.py [--seeds 2000] [--paths 2^12,2^16,2^20] [--device cpu]

Every seed is a run of its own, 16 replicates, as a user prices it. A price's interval is the one that is given; a delta
has none, so it is held against 2.1314 of its standard errors. Exact is the mean of all seeds at the largest number of
paths, whose own error is a 45th of one run's for 2,000 seeds. Prints a line a cell: the share of the intervals given that
hold the exact value, the share of the runs that give one or do not flag the delta, and the error of both; then a summary.
"""
import argparse
import math
import sys
from typing import Dict, List, Tuple

import levy

STUDENT = 2.131449545559323
MODELS = {
    "black_scholes": "{kind: black_scholes, assets: [S]}",
    "merton": "{kind: merton, assets: [S], intensity: 1.0, jump_mean: -0.1, jump_volatility: 0.15}",
    "variance_gamma": "{kind: variance_gamma, assets: [V], sigma: [0.18], nu: [0.2], theta: [-0.14]}",
}
TWELVE = "observations: {count: 12}"
PAYOFFS = {
    "call": "kind: european, option_type: call, strike: 100",
    "put": "kind: european, option_type: put, strike: 100",
    "call_130": "kind: european, option_type: call, strike: 130",
    "cash_or_nothing": "kind: digital, option_type: call, strike: 105, payout: cash, cash: 10",
    "asset_or_nothing": "kind: digital, option_type: call, strike: 95, payout: asset",
    "asian_12": "kind: asian, option_type: call, strike: 100, averaging: {method: arithmetic, %s}" % TWELVE,
    "geometric_12": "kind: asian, option_type: put, strike: 105, averaging: {method: geometric, %s}" % TWELVE,
    "barrier_12": "kind: barrier, option_type: call, strike: 100, "
                  "barrier: {direction: down, knock: out, level: 90, monitoring: discrete, %s}" % TWELVE,
    "lookback_12": "kind: lookback, option_type: call, strike: 110, lookback: {strike: fixed, monitoring: discrete, %s}" % TWELVE,
    "digital_12": "kind: asian, option_type: call, strike: 100, payout: cash, cash: 1, averaging: {method: arithmetic, %s}" % TWELVE,
}
ROUGH = ("nothing", "digital", "barrier")  # over-coverage is allowed where the payoff jumps


def book() -> str:
    lines = ["schema_version: 1",
             "market: {curves: {USD: 0.03}, assets: {S: {currency: USD, spot: 100, volatility: 0.2}, V: {currency: USD, spot: 100}}}",
             "models:"]
    lines += ["  %s: %s" % row for row in MODELS.items()]
    lines += ["measures: [price, delta]", "trades:"]
    for model in MODELS:
        asset = "V" if model == "variance_gamma" else "S"
        lines += ["  - {id: %s-%s, model: %s, underlying: %s, payoff: {%s}, exercise: {expiry: 1.0}}" % (model, name, model, asset, payoff)
                  for name, payoff in PAYOFFS.items()]
    return "\n".join(lines) + "\nsimulation: {replicates: 16}\n"


Row = Tuple[float, float, float, bool]  # value, low, high, given


def run(context: levy.Context, text: str, paths: str, seed: int, device: str) -> Dict[str, Row]:
    rows: Dict[str, Row] = {}
    results = context.load_text(text, settings={"simulation.paths": paths, "simulation.seed": seed}).price(device=device)
    for trade in results:
        delta = [m for m in trade.measures if m.measure == "delta"][0]
        half = STUDENT * delta.std_error
        rows[trade.id + " price"] = (trade.price, trade.ci_low, trade.ci_high, trade.interval == "student_t")
        rows[trade.id + " delta"] = (delta.value, delta.value - half, delta.value + half, not math.isnan(half))
    return rows


def cell(name: str, paths: str, runs: List[Row], exact: float) -> Tuple[float, float]:
    given = [r for r in runs if r[3]]
    held = sum(low <= exact <= high for _, low, high, _ in given) / len(given) if given else math.nan
    error = math.sqrt(held * (1 - held) / len(given)) if given else math.nan
    print("%-40s %6s  covered %6.2f +- %.2f %%  given %6.2f %%" % (name, paths, 100 * held, 100 * error, 100 * len(given) / len(runs)), flush=True)
    return held, len(given) / len(runs)


def main() -> None:
    parse = argparse.ArgumentParser()
    parse.add_argument("--seeds", type=int, default=2000)
    parse.add_argument("--paths", default="2^12,2^16,2^20")
    parse.add_argument("--device", default="cpu")
    options = parse.parse_args()
    context, text, sizes = levy.Context(), book(), options.paths.split(",")
    runs: Dict[str, List[Dict[str, Row]]] = {}
    for paths in sizes:
        runs[paths] = [run(context, text, paths, seed, options.device) for seed in range(1, options.seeds + 1)]
        print("# %s paths done" % paths, file=sys.stderr, flush=True)
    exact = {name: math.fsum(r[name][0] for r in runs[sizes[-1]]) / options.seeds for name in runs[sizes[-1]][0]}
    cells = [(name, cell(name, paths, [r[name] for r in runs[paths]], exact[name])) for name in exact for paths in sizes]
    low = [n for n, (held, _) in cells if held < 0.935]
    high = [n for n, (held, _) in cells if held > 0.97 and not any(word in n for word in ROUGH)]
    worst = min(held for _, (held, _) in cells if not math.isnan(held))
    print("%d cells: %d below 93.5 %%, %d above 97 %% whose payoff does not jump, the least %.2f %%" % (len(cells), len(low), len(high), 100 * worst))


if __name__ == "__main__":
    main()
