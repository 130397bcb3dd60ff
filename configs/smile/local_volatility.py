"""local_volatility.py: the quotes of quotes.csv, and what the autocall of autocall.yaml is worth, where the index follows
the local volatility 0.2 (S / 100)^-0.9 within [0.05, 1]: spot 100, r 3 %, q 1.5 %.

    python3 local_volatility.py quotes > quotes.csv     Dupire's forward equation for calls of all strikes (Risk 7(1), 1994)
    python3 local_volatility.py price                   the backward equation on three grids, and a Monte Carlo beside

Crank-Nicolson steps behind implicit ones (R. Rannacher, Numerische Mathematik 43, 1984) on a grid of log levels. Needs NumPy
and SciPy. Must not know: levy."""

import csv
import math
import sys

import numpy as np
from scipy.linalg import solve_banded
from scipy.optimize import brentq
from scipy.special import ndtr

SPOT, RATE, YIELD, YEARS, DAYS = 100.0, 0.03, 0.015, 2.0, 504
CALLS, CALL, COUPON, KNOCK_IN = (126, 252, 378, 504), 100.0, 4.0, 65.0


def volatility(level):
    return np.clip(0.2 * (level / SPOT) ** -0.9, 0.05, 1.0)


def generator(x, drift, killed, curvature):
    """Rows (below, middle, above) of curvature V_xx + drift V_x - killed V; at the ends without curvature."""
    h = x[1] - x[0]
    below, above = curvature / h**2 - drift / (2 * h), curvature / h**2 + drift / (2 * h)
    middle = -2 * curvature / h**2 - killed
    for i, other, slope in ((0, above, drift[0] / h), (-1, below, -drift[-1] / h)):
        middle[i], other[i] = -killed - slope, slope
    below[0] = above[-1] = 0.0
    return below, middle, above


def step(rows, dt, weight, values):
    """One step, implicit by `weight`."""
    below, middle, above = rows
    old = 1 - weight
    right = values + old * dt * middle[:, None] * values
    right[1:] += old * dt * below[1:, None] * values[:-1]
    right[:-1] += old * dt * above[:-1, None] * values[1:]
    bands = np.zeros((3, len(middle)))
    bands[0, 1:], bands[1], bands[2, :-1] = -weight * dt * above[:-1], 1 - weight * dt * middle, -weight * dt * below[1:]
    return solve_banded((1, 1), bands, right)


def march(rows, dt, n, values):
    """n steps, the first as four implicit ones, which damp what a jump leaves."""
    for _ in range(4):
        values = step(rows, dt / 4, 1.0, values)
    for _ in range(n - 1):
        values = step(rows, dt, 0.5, values)
    return values


def grid(n):
    return np.linspace(math.log(1.0), math.log(800.0), n + 1)


def smile(n=6000, per_year=1000):
    """Calls of all strikes on the grid, by expiry: C_T = s^2 K^2 C_KK / 2 - (r - q) K C_K - q C."""
    x = grid(n)
    half = 0.5 * volatility(np.exp(x)) ** 2
    rows = generator(x, -half - (RATE - YIELD), YIELD, half)
    values = np.maximum(SPOT - np.exp(x), 0.0)[:, None]
    told = 0.0
    for expiry in (0.1, 0.25, 0.5, 1.0, 1.5, 2.0):
        steps = round((expiry - told) * per_year)
        values = march(rows, (expiry - told) / steps, steps, values)
        told = expiry
        yield expiry, x, values[:, 0]


def black(forward, strike, deviation):
    d = math.log(forward / strike) / deviation + deviation / 2
    return forward * ndtr(d) - strike * ndtr(d - deviation)


def quotes():
    for expiry, x, calls in smile():
        forward, root = SPOT * math.exp((RATE - YIELD) * expiry), math.sqrt(expiry)
        for deviations in (-2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5):
            strike = round(SPOT * math.exp(0.2 * deviations * root), 1)
            i = np.searchsorted(x, math.log(strike)) - 2
            k = np.exp(x[i : i + 4])
            price = np.polyval(np.polyfit(k - strike, calls[i : i + 4], 3), 0.0) * math.exp(RATE * expiry)
            yield expiry, strike, brentq(lambda v: black(forward, strike, v * root) - price, 0.01, 2.0)


def autocall(n, per_day):
    """By two values: of a note that was knocked in, and of one that was not."""
    x = grid(n)
    level, h = np.exp(x), x[1] - x[0]
    half = 0.5 * volatility(level) ** 2
    rows = generator(x, RATE - YIELD - half, RATE, half)

    def above(barrier):  # the part of each cell that is there
        return np.clip((x - math.log(barrier)) / h + 0.5, 0.0, 1.0)

    called, safe = above(CALL)[:, None], above(KNOCK_IN)
    values = np.stack([level, np.full_like(x, 100.0)], axis=1)  # at the end: level if hit, else 100
    for day in range(DAYS, 0, -1):
        values[:, 1] = safe * values[:, 1] + (1 - safe) * values[:, 0]
        if day in CALLS:
            values = called * (100.0 + COUPON * (CALLS.index(day) + 1)) + (1 - called) * values
        values = march(rows, YEARS / DAYS / per_day, per_day, values)
    i = np.searchsorted(x, math.log(SPOT)) - 2
    cubic = np.polyfit(level[i : i + 4] - SPOT, values[i : i + 4, 1], 3)
    return cubic[3], cubic[2], 2 * cubic[1]


def simulated(n, per_day, seed=1):
    draws, dt = np.random.default_rng(seed), YEARS / DAYS / per_day
    x, hit, paid = np.full(2 * n, math.log(SPOT)), np.zeros(2 * n, bool), np.zeros(2 * n)
    alive = np.ones(2 * n, bool)
    for day in range(1, DAYS + 1):
        for _ in range(per_day):
            z = draws.standard_normal(n)
            v = volatility(np.exp(x))
            x = x + (RATE - YIELD - 0.5 * v * v) * dt + v * math.sqrt(dt) * np.concatenate([z, -z])
        level = np.exp(x)
        hit |= level < KNOCK_IN
        if day in CALLS:
            now = alive & (level >= CALL)
            paid[now] = (100.0 + COUPON * (CALLS.index(day) + 1)) * math.exp(-RATE * day * YEARS / DAYS)
            alive &= ~now
    paid[alive] = np.where(hit, level, 100.0)[alive] * math.exp(-RATE * YEARS)
    pairs = 0.5 * (paid[:n] + paid[n:])
    return pairs.mean(), pairs.std() / math.sqrt(n)


if __name__ == "__main__":
    if sys.argv[1:] == ["quotes"]:
        write = csv.writer(sys.stdout, lineterminator="\n")
        write.writerow(["expiry", "strike", "volatility"])
        for expiry, strike, implied in quotes():
            write.writerow([f"{expiry:.10g}", f"{strike:.1f}", f"{implied:.5f}"])
    else:
        for n in (1000, 2000, 4000):
            print("grid %d: price %.5f, delta %.5f, gamma %.6f" % (n, *autocall(n, 4)))
        print("simulated: %.4f +- %.4f" % simulated(2**17, 4))
