#!/usr/bin/env python3
"""The matrix of shapes, precisions and sizes that bench/matrix.sh measures, in one process that lives on.

    bench/matrix.py list [PATTERN]                the names of the points
    bench/matrix.py problems FOLDER [PATTERN]     a file for each kernel that the points need, to compile ahead
    bench/matrix.py measure CSV [PATTERN]         measures; DEVICE, MOST, LIMIT and REPEATS as in bench/matrix.sh
    bench/matrix.py compare CSV BASELINE          points that fell: exit code 3

PATTERN is a regular expression, found anywhere in a name. Needs Python alone, and PYTHONPATH=engine/python to measure.
"""
import csv
import itertools
import os
import re
import statistics
import sys
import time
from pathlib import Path
from typing import Iterator, List, NamedTuple

FELL = 0.95  # of the baseline's speed
SHORT = 0.02  # seconds of a call that is repeated more often
MEASURES = {"price": "price", "greeks5": "price, delta, gamma, vega, theta, rho", "vegas": "price, vega"}
PRECISIONS, SIZES = ("single", "mixed", "double"), (16, 20, 24)
MODELS = {
    "merton": "intensity: 1, jump_mean: -0.1, jump_volatility: 0.15",
    "kou": "intensity: 3, probability_up: 0.3, rate_up: 25, rate_down: 15",
    "variance_gamma": "sigma: [0.18], nu: [0.3], theta: [-0.16]",
    "normal_inverse_gaussian": "alpha: [15], beta: [-5], delta: [0.5]",
    "regime_switching": "regimes: {calm: {volatilities: [0.15]}, busy: {volatilities: [0.3]}}, "
                        "generator: [[-1, 1], [3, -3]], initial_regime: calm, switching: stepped",
}
PAYOFFS = {
    "european": "{{kind: european, option_type: call, strike: 105}}",
    "digital": "{{kind: digital, option_type: call, strike: 105, payout: cash, cash: 10}}",
    "asian": "{{kind: asian, option_type: call, strike: 100, {aggregate}averaging: {{method: arithmetic, observations: {{count: {dates}}}}}}}",
    "barrier": "{{kind: barrier, option_type: call, strike: 100, "
               "barrier: {{direction: up, knock: out, level: 130, monitoring: discrete, observations: {{count: {dates}}}}}}}",
    "barrier_continuous": "{{kind: barrier, option_type: call, strike: 95, barrier: {{direction: down, knock: out, level: 90, monitoring: continuous}}}}",
    "lookback": "{{kind: lookback, option_type: call, strike: 95, lookback: {{strike: fixed, observations: {{count: {dates}}}}}}}",
    "cliquet": "{{kind: cliquet, observations: {{count: {dates}, include_start: true}}, local_floor: 0, local_cap: 0.03, global_floor: 0.05}}",
}


class Point(NamedTuple):
    payoff: str = "asian"
    assets: int = 1
    dates: int = 64
    model: str = "black_scholes"
    generator: str = "sobol_scrambled"
    construction: str = "bridge"
    measures: str = "price"
    scenarios: int = 0
    factor: str = ""  # of the scenarios: spot, volatility
    precision: str = "single"
    log2_paths: int = 20

    @property
    def kernel(self) -> str:
        """The name without the paths, on which no kernel depends."""
        usual = Point()
        words = [self.payoff, f"a{self.assets}", f"d{self.dates}"]
        words += [mine for mine, other in zip(self[3:6], usual[3:6]) if mine != other]
        words += [self.measures if self.measures != usual.measures else "", f"{self.scenarios}_{self.factor}" if self.scenarios else "", self.precision]
        return "-".join(filter(None, words))

    @property
    def name(self) -> str:
        return f"{self.kernel}-p{self.log2_paths}"

    @property
    def steps(self) -> int:
        """Asset-steps of one price."""
        return self.assets * self.dates << self.log2_paths

    @property
    def work(self) -> int:
        """Asset-steps in all markets, about: what limits the paths."""
        markets = {"price": 1, "greeks5": 6 * self.assets, "vegas": 1 + 2 * self.assets}[self.measures]
        return self.steps * (markets + self.scenarios)

    def text(self) -> str:
        """The problem as `levy price` reads it."""
        names = [f"A{i}" for i in range(self.assets)]
        known = self.model in ("variance_gamma", "normal_inverse_gaussian")  # the model's own numbers, no volatility
        assets = "\n".join(f"    {a}: {{currency: USD, spot: 100{'' if known else f', volatility: {0.2 + 0.002 * i:.3f}'}}}" for i, a in enumerate(names))
        lines = ["schema_version: 1", "market:", "  curves: {USD: 0.05}", "  assets:", assets]
        if self.assets > 1:  # a constant, a completely monotone function of the distance, and the rest on the diagonal
            rows = (", ".join("1" if i == j else f"{0.3 + 0.4 / (1 + 0.25 * abs(i - j)):.9g}" for j in range(self.assets)) for i in range(self.assets))
            lines += ["  correlations:", f"    names: [{', '.join(a + '.spot' for a in names)}]", "    matrix:"] + [f"      - [{row}]" for row in rows]
        terms = f", {MODELS[self.model]}" if self.model in MODELS else ""
        lines += [f"models: {{equity: {{kind: {self.model}, assets: [{', '.join(names)}]{terms}}}}}", "trades:", f"  - id: {self.kernel}"]
        weights = ", ".join(f"{{name: {a}, weight: {1 / self.assets:.9g}}}" for a in names)
        lines += [f"    underlyings: [{weights}]" if self.assets > 1 else "    underlying: A0"]
        payoff = PAYOFFS[self.payoff].format(dates=self.dates, aggregate="aggregate: basket, " if self.assets > 1 else "")
        lines += [f"    payoff: {payoff}", "    exercise: {style: european, expiry: 1.0}", f"measures: [{MEASURES[self.measures]}]"]
        if self.scenarios:
            way, most = ("relative", 0.25) if self.factor == "spot" else ("absolute", 0.12)
            sizes = ", ".join(f"{most * (2 * i + 1 - self.scenarios) / self.scenarios:.6f}" for i in range(self.scenarios))
            lines += [f"scenarios: [{{id: ladder, grid: [{{factor: A0.{self.factor}, type: {way}, sizes: [{sizes}]}}]}}]"]
        return "\n".join(lines + [f"simulation: {{paths: 2^{self.log2_paths}, seed: 42, generator: {self.generator}, "
                                  f"construction: {self.construction}, precision: {self.precision}}}", ""])


def every() -> Iterator[Point]:
    """The Asian option of 64 dates, and one or two things else at a time."""
    for precision, dates, size in itertools.product(PRECISIONS, (1, 4, 16, 64, 252, 1260, 2520), SIZES):
        yield Point(dates=dates, precision=precision, log2_paths=size)
    for precision, assets, dates in itertools.product(("single", "double"), (2, 4, 8, 16, 32, 64, 100), (4, 16, 64, 252)):
        yield Point(assets=assets, dates=dates, precision=precision)
    for precision, assets, size in itertools.product(PRECISIONS, (8, 32, 100), SIZES):
        yield Point(assets=assets, precision=precision, log2_paths=size)
    generators, constructions = ("sobol_scrambled", "philox", "mrg32k3a"), ("bridge", "incremental", "pca")
    for precision, assets, generator, construction in itertools.product(("single", "double"), (1, 8), generators, constructions):
        yield Point(assets=assets, generator=generator, construction=construction, precision=precision)
    for precision, model, dates in itertools.product(PRECISIONS, MODELS, (16, 64, 252)):
        yield Point(model=model, dates=dates, precision=precision)
    for precision, size, payoff in itertools.product(PRECISIONS, SIZES, PAYOFFS):
        if payoff != "asian":
            yield Point(payoff=payoff, dates=64 if "dates" in PAYOFFS[payoff] else 1, precision=precision, log2_paths=size)
    for precision, dates in itertools.product(PRECISIONS, (16, 64, 252)):
        yield Point(dates=dates, measures="greeks5", precision=precision)
    for precision, payoff in itertools.product(("single", "double"), ("european", "barrier", "lookback", "digital")):
        yield Point(payoff=payoff, dates=64 if "dates" in PAYOFFS[payoff] else 1, measures="greeks5", precision=precision)
    for precision, assets in itertools.product(("single", "double"), (4, 8, 32)):
        yield Point(assets=assets, measures="vegas", precision=precision, log2_paths=18)
    for precision, scenarios, factor in itertools.product(PRECISIONS, (10, 100), ("spot", "volatility")):
        yield Point(scenarios=scenarios, factor=factor, precision=precision)


def points(pattern: str) -> List[Point]:
    """Those whose names have the pattern, each once, with at most MOST asset-steps in all markets."""
    most = 1 << int(os.environ.get("MOST", "35"))
    return [p for p in dict.fromkeys(every()) if re.search(pattern, p.name) and p.work <= most]


FIELDS = ["name", *Point._fields, "kernel_ms", "wall_ms", "asset_steps_g", "device"]


def measured(context, point: Point, device: str, repeats: int) -> List[object]:
    book = context.load_text(point.text(), name=point.name)
    options = {"device": device, "threads": int(os.environ.get("THREADS", "0"))}
    kernels, walls, left, first = [], [], repeats, True
    while left or first:
        start = time.perf_counter()
        results = book.price(**options)
        wall = time.perf_counter() - start
        trade = results.trade(0)
        if trade.status != "ok":
            raise RuntimeError("; ".join(map(str, results.diagnostics)) or trade.status)
        if first:  # loads kernels and makes tables, so it does not count
            first, left = False, repeats if wall > SHORT else 3 * repeats
            continue
        kernels, walls, left = kernels + [trade.seconds], walls + [wall], left - 1
    kernel, wall = statistics.median(kernels), statistics.median(walls)
    place = trade.device if trade.backend != "cpu" else f"{trade.device} {results.run.threads} threads {results.run.isa}"
    return [point.name, *point, f"{1e3 * kernel:.6g}", f"{1e3 * wall:.6g}", f"{1e-9 * point.steps / max(kernel, 1e-9):.6g}", place]


def measure(path: str, pattern: str) -> int:
    import levy

    device, limit, repeats = os.environ.get("DEVICE", "cuda"), float(os.environ.get("LIMIT", "540")), int(os.environ.get("REPEATS", "3"))
    context, chosen, code, end = levy.Context(), points(pattern), 0, time.monotonic() + limit
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(FIELDS)
        for done, point in enumerate(chosen):
            if time.monotonic() > end:
                print(f"matrix: {len(chosen) - done} of {len(chosen)} points are left out after {limit:.0f} s", file=sys.stderr)
                return 1
            try:
                out.writerow(measured(context, point, device, repeats))
                file.flush()
            except (levy.Error, RuntimeError) as error:
                print(f"matrix: {point.name}: {error}", file=sys.stderr)
                code = 1
    return code


def read(path: str) -> dict:
    with open(path, newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def compare(path: str, baseline: str) -> int:
    new, old = read(path), read(baseline)
    common = [name for name in new if name in old]
    others = [name for name in common if new[name]["device"] != old[name]["device"]]
    if not common or others:
        print(f"matrix: {path} and {baseline} have " + (f"other devices at {others[0]}" if others else "no point in common"), file=sys.stderr)
        return 2
    ratios = {name: float(new[name]["asset_steps_g"]) / float(old[name]["asset_steps_g"]) for name in common}
    fell = sorted((name for name in common if ratios[name] < FELL), key=ratios.__getitem__)
    for name in fell:
        print(f"{name}: {old[name]['asset_steps_g']} -> {new[name]['asset_steps_g']} G asset-steps/s, {ratios[name]:.3f}")
    print(f"{len(common)} points compared, {len(fell)} fell by more than {100 * (1 - FELL):.0f} %, the median is at {statistics.median(ratios.values()):.3f}")
    return 3 if fell else 0


def main(words: List[str]) -> int:
    command, rest = words[0] if words else "", words[1:]
    if command == "list" and len(rest) < 2:
        print("\n".join(p.name for p in points(*rest or [""])))
    elif command == "problems" and 1 <= len(rest) < 3:
        for point in points(*rest[1:] or [""]):
            Path(rest[0], f"{point.kernel}.yaml").write_text(point.text())
    elif command == "measure" and 1 <= len(rest) < 3:
        return measure(rest[0], *rest[1:] or [""])
    elif command == "compare" and len(rest) == 2:
        return compare(*rest)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
