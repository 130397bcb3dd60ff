#!/usr/bin/env python3
"""Writes the books of tests/coverage/ that remember: python3 tests/coverage_dates.py

A Parisian option, a target redemption forward, a Himalaya and an Altiplano option under Black-Scholes, and puts knocked in and out
by the worst of two, with their prices and Greeks in their heads. The routes are none of levy's: induction over dates and Gauss-Legendre panels that end at each kink, the
last date in closed form. Greeks are those of the first date's density, or differences of sixth order of a smooth integral.
"""

import functools
import pathlib

import numpy as np
from scipy.stats import norm

from coverage_exact import number, panels, slopes

HERE = pathlib.Path(__file__).parent / "coverage"
RATE, YIELD, SPOT, VOLATILITY, CORRELATION = 0.03, 0.01, 100.0, 0.2, 0.4


def above(low, high, mean, deviation):
    """E[e^Y; low < Y < high] and P(low < Y < high) of a normal Y."""
    a, b = (low - mean) / deviation, (high - mean) / deviation
    grown = np.exp(mean + 0.5 * deviation**2)
    return grown * (norm.cdf(b - deviation) - norm.cdf(a - deviation)), norm.cdf(b) - norm.cdf(a)


def call(level, strike, dt, rate, volatility):
    """The discounted call on a level that is `level` now; a strike of 0 or less is a forward."""
    s = volatility * np.sqrt(dt)
    forward = level * np.exp((rate - YIELD) * dt)
    positive = np.maximum(strike, 1e-300)
    d = np.log(forward / positive) / s + 0.5 * s
    worth = np.where(strike > 0, forward * norm.cdf(d) - strike * norm.cdf(d - s), forward - strike)
    return np.exp(-rate * dt) * worth


def put(level, strike, dt, rate, volatility):
    return call(level, strike, dt, rate, volatility) - np.exp(-YIELD * dt) * level + strike * np.exp(-rate * dt)


def cut(low, high, kinks, n):
    """Panels of [low, high] that end at the kinks, about n in all."""
    inside = [one for one in kinks if low < one < high]
    return panels(sorted({*np.linspace(low, high, n + 1), *inside}))


def step_of(dt, rate, volatility):
    return (rate - YIELD - 0.5 * volatility**2) * dt, volatility * np.sqrt(dt)


def one_asset(value):
    """All measures of value(spot, rate, volatility), an analytic function."""
    price, delta, gamma = slopes(lambda s: value(s, RATE, VOLATILITY), SPOT, 0.5)
    rho = slopes(lambda r: value(SPOT, r, VOLATILITY), RATE, 1e-3)[1]
    vega = slopes(lambda v: value(SPOT, RATE, v), VOLATILITY, 1e-3)[1]
    return {"price": price, "delta": delta, "gamma": gamma, "vega": vega, "rho": rho}


# ---- A down-and-out call, lost after `window` successive dates below the barrier ----


def parisian(spot, rate, volatility, dt, n, strike, barrier, window):
    drift, s = step_of(dt, rate, volatility)
    k, b, x = np.log(strike), np.log(barrier), np.log(spot)
    y, w = cut(np.log(SPOT) - 1.4, np.log(SPOT) + 1.4, [k, b], 24)
    density = np.exp(-rate * dt) * w * norm.pdf((y[None, :] - y[:, None] - drift) / s) / s
    below = y < b
    worth = [np.maximum(np.exp(y) - strike, 0.0) for _ in range(window)]
    for date in range(n, 0, -1):
        # At this date the path joins those that have been below so many times, or is lost.
        counted = [np.where(below, worth[m + 1] if m + 1 < window else 0.0, worth[0]) for m in range(window)]
        if date > 1:
            worth = [density @ one for one in counted]
    first = np.exp(-rate * dt) * w * norm.pdf((y - x - drift) / s) / s
    return float(first @ counted[0])


# ---- A target redemption forward of three dates ----


def tarf(spot, rate, volatility, dt, strike, target, gearing):
    drift, s = step_of(dt, rate, volatility)
    df, k = np.exp(-rate * dt), np.log(strike)

    def settled(level, missing):
        """What a date pays: the loss times gearing, or the gain as far as it is missing."""
        gain = level - strike
        return np.where(gain > 0, np.minimum(gain, missing), gearing * gain)

    def last(level, missing):
        calls = call(level, strike, dt, rate, volatility) - call(level, strike + missing, dt, rate, volatility)
        return calls - gearing * put(level, strike, dt, rate, volatility)

    def second(x, missing):
        """The worth just after the first date, of the second and the third."""
        y, w = cut(x + drift - 10 * s, x + drift + 10 * s, [k, np.log(strike + missing)], 20)
        level = np.exp(y)
        left = missing - np.maximum(level - strike, 0.0)
        later = np.where(left > 0, last(level, np.maximum(left, 1e-300)), 0.0)
        return df * np.sum(w * norm.pdf((y - x - drift) / s) / s * (settled(level, missing) + later))

    x = np.log(spot)
    y, w = cut(x + drift - 10 * s, x + drift + 10 * s, [k, np.log(strike + target)], 20)
    level = np.exp(y)
    left = target - np.maximum(level - strike, 0.0)
    later = np.array([second(one, rest) if rest > 0 else 0.0 for one, rest in zip(y, left)])
    return df * float(np.sum(w * norm.pdf((y - x - drift) / s) / s * (settled(level, target) + later)))


# ---- Two assets, of which the first one's spot and volatility move ----


def joint(x, y, dt, rate, volatilities, spots):
    """The density of the two logarithms after dt."""
    (a, s), (b, t) = (step_of(dt, rate, v) for v in volatilities)
    u = (x - np.log(spots[0] / SPOT) - a) / s
    v = (y - np.log(spots[1] / SPOT) - b) / t
    rest = 1 - CORRELATION**2
    return np.exp(-0.5 * (u * u - 2 * CORRELATION * u * v + v * v) / rest) / (2 * np.pi * s * t * np.sqrt(rest))


def two_assets(value):
    """Measures by the first asset of value(spots, rate, volatilities), which the assets share alike."""
    price, delta, gamma = slopes(lambda s: value((s, SPOT), RATE, (VOLATILITY, VOLATILITY)), SPOT, 0.5)
    rho = slopes(lambda r: value((SPOT, SPOT), r, (VOLATILITY, VOLATILITY)), RATE, 1e-3)[1]
    vega = slopes(lambda v: value((SPOT, SPOT), RATE, (v, VOLATILITY)), VOLATILITY, 1e-3)[1]
    return {"price": price, "delta": delta, "gamma": gamma, "vega": vega, "rho": rho}


def himalaya(spots, rate, volatilities, dt, strike):
    """Two dates: the better of the first, then what is left on the second."""
    width = 9 * max(volatilities) * np.sqrt(dt)
    total = 0.0
    for first in (0, 1):
        z, w = panels(np.linspace(0.0, 2 * width, 25)) # how far the better one is ahead
        low, own = panels(np.linspace(-width, width, 25))
        behind, ahead = low[:, None], low[:, None] + z[None, :]
        mass = own[:, None] * w[None, :] * joint(*((ahead, behind) if first == 0 else (behind, ahead)), dt, rate, volatilities, spots)
        rest = call(np.exp(behind), 2 * strike - np.exp(ahead), dt, rate, volatilities[1 - first])
        total += 0.5 * float(np.sum(mass * rest))
    return np.exp(-rate * dt) * total


def altiplano_last(x, y, dt, rate, volatilities, barrier, coupon, strike):
    """Just after the first date at (x, y): the option on the mean, and what an untouched path adds."""
    (a, s), (b, t) = (step_of(dt, rate, v) for v in volatilities)
    level = np.log(barrier)
    nodes, w = cut(x + a - 9 * s, x + a + 9 * s, [level, np.log(2 * strike)], 2)
    mass = w * norm.pdf((nodes - x - a) / s) / s
    mean = y[:, None] + b + CORRELATION * t * ((nodes - x - a) / s)[None, :]
    deviation = t * np.sqrt(1 - CORRELATION**2)
    needed = 2 * strike - np.exp(nodes)[None, :] # of the second asset, for the mean to be at the strike
    start = np.where(needed > 0, np.log(np.maximum(needed, 1e-300)), -50.0)
    grown, chance = above(start, 50.0, mean, deviation)
    option = 0.5 * (grown - needed * chance)
    clear = nodes[None, :] > level
    grown, chance = above(np.maximum(start, level), 50.0, mean, deviation)
    both = np.where(clear, 0.5 * (grown - needed * chance), 0.0) # the option that a clear path gives up
    kept = np.where(clear, above(level, 50.0, mean, deviation)[1], 0.0)
    df = np.exp(-rate * dt)
    return df * (option @ mass), df * ((coupon * kept - both) @ mass)


@functools.lru_cache(1)
def altiplano_first(rate, volatilities, dt, barrier, coupon, strike):
    """The nodes of the first date, and what each pair of them is worth; it knows no spot."""
    width = 9 * max(volatilities) * np.sqrt(dt)
    x, w = cut(-width, width, [np.log(barrier)], 3)
    found = [altiplano_last(one, x, dt, rate, volatilities, barrier, coupon, strike) for one in x]
    return x, w, np.array([one[0] for one in found]), np.array([one[1] for one in found])


def altiplano(spots, rate, volatilities, dt, barrier, coupon, strike):
    x, w, option, untouched = altiplano_first(rate, volatilities, dt, barrier, coupon, strike)
    mass = w[:, None] * w[None, :] * joint(x[:, None], x[None, :], dt, rate, volatilities, spots)
    clear = (x > np.log(barrier))[:, None] & (x > np.log(barrier))[None, :]
    return np.exp(-rate * dt) * float(np.sum(mass * (option + np.where(clear, untouched, 0.0))))


# ---- A put on the worst of two assets, knocked in or out by it on a near date and at expiry ----

HALF, UNEQUAL = 0.5, (0.25, 0.3)


def below(a, b):
    """P(X < a, Y < b) of normals of correlation HALF: D. B. Owen's integral over its angle."""
    top, out = 0.5 * np.arcsin(HALF), norm.cdf(a) * norm.cdf(b)
    for z, w in zip(*np.polynomial.legendre.leggauss(24)):
        s = np.sin(top * (z + 1))
        out = out + w * top / (2 * np.pi) * np.exp(-0.5 * (a * a + b * b - 2 * s * a * b) / (1 - s * s))
    return out


def worst_above(level, x, y, dt, rate, volatilities):
    ends = [step_of(dt, rate, one) for one in volatilities]
    return below(*((one + drift - np.log(level)) / s for one, (drift, s) in zip((x, y), ends)))


def worst_between(low, strike, x, y, dt, rate, volatilities):
    """E[strike - worst; low < worst < strike] after dt: an integral of distribution functions."""
    levels, w = panels([low, strike])
    clear = worst_above(low, x, y, dt, rate, volatilities)
    return sum(one * (clear - worst_above(level, x, y, dt, rate, volatilities)) for level, one in zip(levels, w))


def worst_touched(spots, rate, volatilities, near, expiry, strike, barrier):
    """What a touch on the near date alone is worth."""
    (a, s), (b, t) = (step_of(near, rate, one) for one in volatilities)
    x, y = np.log(spots)
    ends, rest = [(np.log(barrier) - x - a) / s, (np.log(barrier) - y - b) / t], 1 - HALF**2
    total = 0.0
    for first, second in (([ends[0] - 6, ends[0]], [-9, 0, 9]), ([ends[0], 3, 9], [ends[1] - 6, ends[1]])):
        (u, wu), (v, wv) = panels(first), panels(second)
        u, v = u[:, None], v[None, :]
        mass = wu[:, None] * wv[None, :] * np.exp(-0.5 * (u * u - 2 * HALF * u * v + v * v) / rest) / (2 * np.pi * np.sqrt(rest))
        later = worst_between(barrier, strike, x + a + s * u + 0 * v, y + b + t * v + 0 * u, expiry - near, rate, volatilities)
        total += float(np.sum(mass * later))
    return np.exp(-rate * expiry) * total


def worst_puts(spots, rate, volatilities, near, expiry, strike, barrier):
    """Knocked in and knocked out."""
    touched, (x, y) = worst_touched(spots, rate, volatilities, near, expiry, strike, barrier), np.log(spots)
    never = np.exp(-rate * expiry) * worst_between(barrier, strike, x, y, expiry, rate, volatilities)
    levels, w = panels(np.linspace(1.0, strike, 4))
    whole = np.exp(-rate * expiry) * sum(one * (1 - worst_above(level, x, y, expiry, rate, volatilities)) for level, one in zip(levels, w))
    return np.array([whole - never + touched, never - touched])


def worst_book(name, about, near, expiry, strike, barrier):
    value = lambda spots, rate, volatilities: worst_puts(spots, rate, volatilities, near, expiry, strike, barrier)
    moves = {"A": lambda v: (v, UNEQUAL[1]), "B": lambda v: (UNEQUAL[0], v)}
    found = {"price": value((SPOT, SPOT), RATE, UNEQUAL)}
    for (asset, moved), own in zip(moves.items(), UNEQUAL):
        found[f"vega:{asset}.volatility"] = slopes(lambda v: value((SPOT, SPOT), RATE, moved(v)), own, 1e-3)[1]
    found["rho"] = slopes(lambda rate: value((SPOT, SPOT), rate, UNEQUAL), RATE, 1e-3)[1]
    quotes = ", ".join(f"{one}: {{currency: USD, spot: {SPOT}, dividend_yield: {YIELD}, volatility: {volatility}}}" for one, volatility in zip("AB", UNEQUAL))
    text = [f"# {about}", "# Origin: tests/coverage_dates.py.",
            *[f"# exact: {knock} {key} {pair[i]:.12g}" for i, knock in enumerate(("in", "out")) for key, pair in found.items()],
            "schema_version: 1", f"market: {{curves: {{USD: {RATE}}}, assets: {{{quotes}}}, correlations: {{pairs: [[A.spot, B.spot, {HALF}]]}}}}",
            "models: {m: {kind: black_scholes, assets: [A, B]}}", "measures: [price, vega, rho]", "trades:"]
    for knock in ("in", "out"):
        text.append(f"  - {{id: {knock}, underlyings: [A, B], payoff: {{kind: barrier, aggregate: worst_of, option_type: put, strike: {strike}, "
                    f"barrier: {{direction: down, knock: {knock}, level: {barrier}, observations: {{times: [{number(near)}, {number(expiry)}]}}}}}}, "
                    f"exercise: {{expiry: {number(expiry)}}}}}")
    (HERE / f"{name}.yaml").write_text("\n".join(text) + "\n")
    print(name, flush=True)


# ---- Books ----


def book(name, about, assets, payoff, expiry, found):
    quotes = ", ".join(f"{one}: {{currency: USD, spot: {SPOT}, dividend_yield: {YIELD}, volatility: {VOLATILITY}}}" for one in assets)
    pairs = f", correlations: {{pairs: [[{assets[0]}.spot, {assets[1]}.spot, {CORRELATION}]]}}" if len(assets) > 1 else ""
    (HERE / f"{name}.yaml").write_text("\n".join([
        f"# {about}", "# Origin: tests/coverage_dates.py.", *[f"# exact: path {key} {value:.12g}" for key, value in found.items()],
        "schema_version: 1", f"market: {{curves: {{USD: {RATE}}}, assets: {{{quotes}}}{pairs}}}",
        f"models: {{m: {{kind: black_scholes, assets: [{', '.join(assets)}]}}}}", f"measures: [{', '.join(found)}]",
        "trades:", f"  - {{id: path, underlyings: [{', '.join(assets)}], payoff: {{{payoff}}}, exercise: {{expiry: {number(expiry)}}}}}"])
        + "\n")
    print(name, flush=True)


def main():
    step = 1 / 12
    book("parisian", "A Parisian down-and-out call of six dates.", ["S"],
         "kind: parisian, option_type: call, strike: 98, barrier: 95, direction: down, knock: out, window: 2, observations: {count: 6}",
         6 * step, one_asset(lambda s, r, v: parisian(s, r, v, step, 6, 98.0, 95.0, 2)))
    book("tarf", "A target redemption forward of three dates.", ["S"],
         "kind: tarf, strike: 98, target: 8, gearing: 2, observations: {count: 3}",
         0.5, one_asset(lambda s, r, v: tarf(s, r, v, 0.5 / 3, 98.0, 8.0, 2.0)))
    book("himalaya", "A Himalaya option on two assets.", ["A", "B"],
         "kind: himalaya, strike: 1, observations: {count: 2}",
         1.0, two_assets(lambda s, r, v: himalaya(s, r, v, 0.5, 1.0)))
    book("altiplano", "An Altiplano option on two assets, watched on two dates.", ["A", "B"],
         "kind: altiplano, barrier: 0.9, coupon: 0.15, strike: 1, observations: {count: 2}",
         1.0, two_assets(lambda s, r, v: altiplano(s, r, v, 0.5, 0.9, 0.15, 1.0)))
    worst_book("worst-tomorrow", "Puts on the worst of two, a date tomorrow 3.1 and 2.6 daily deviations away.", 1 / 365, 0.5, 100.0, 96.0)


if __name__ == "__main__":
    main()
