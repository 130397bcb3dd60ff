#!/usr/bin/env python3
"""oracle.py: prices of configs/payoffs/ by another route than levy's: closed forms and quadrature where
there are any, else plain Monte Carlo of its own (NumPy's SFC64, exact steps of geometric Brownian motion,
independent paths, no variance reduction). It is written from the definitions that `levy describe
payoff.KIND` prints, and reads neither levy nor a script. Run by hand; it writes products.yaml:

    python3 tests/products/oracle.py > tests/products/products.yaml        # some minutes
    python3 tests/products/oracle.py phoenix                               # one product
"""
import math
import sys
from datetime import date
import numpy as np
from numpy.polynomial.legendre import leggauss

SEED, PATHS_ONE, PATHS_MANY, BATCH = 20261125, 2**22, 2**21, 2**15


def cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


# ---- Paths ----------------------------------------------------------------------------------------


class Market:
    def __init__(self, rate, spots, yields, vols, correlation=None):
        self.rate, self.spots, self.vols = rate, np.array(spots, float), np.array(vols, float)
        self.yields = np.array(yields, float)
        self.root = np.linalg.cholesky(np.array(correlation if correlation else [[1.0]]))

    def levels(self, generator, times, n):
        """[date][asset][path], as quoted."""
        x = np.zeros((len(self.spots), n))
        out, before = [], 0.0
        for t in times:
            dt = t - before
            z = self.root @ generator.standard_normal((len(self.spots), n))
            x += ((self.rate - self.yields - 0.5 * self.vols**2) * dt)[:, None] + (
                self.vols * math.sqrt(dt))[:, None] * z
            out.append(self.spots[:, None] * np.exp(x))
            before = t
        return out

    def discount(self, t):
        return math.exp(-self.rate * t)


def monte_carlo(market, times, value, number):
    """value(levels): discounted payments of each path."""
    many = len(market.spots) > 1
    paths = PATHS_MANY if many else PATHS_ONE
    generator = np.random.Generator(np.random.SFC64([SEED, number]))
    total = squares = 0.0
    for _ in range(paths // BATCH):
        v = value(market.levels(generator, times, BATCH))
        total += v.sum()
        squares += (v * v).sum()
    mean = total / paths
    return mean, math.sqrt((squares / paths - mean * mean) / (paths - 1))


def even(count, end, start=0.0):
    return [start + (end - start) * k / count for k in range(1, count + 1)]


def worst(level):
    return level.min(axis=0)


# ---- The products: each a price per file, and its standard error ------------------------------------

A3 = dict(rate=0.03, spots=[100, 90, 55], yields=[0.01, 0.02, 0.0], vols=[0.25, 0.3, 0.35],
          correlation=[[1, 0.6, 0.4], [0.6, 1, 0.5], [0.4, 0.5, 1]])
PRODUCTS = {}


def product(how):
    def add(f):
        PRODUCTS[f.__name__] = (how, f)
        return f
    return add


def relative(market, levels):
    return [level / market.spots[:, None] for level in levels]


def by_paths(f):
    """f(number) -> market, times, value of levels as quoted."""
    def run(number):
        market, times, value = f()
        return monte_carlo(market, times, value, number)
    run.__name__ = f.__name__
    PRODUCTS[f.__name__] = ("Monte Carlo", run)
    return run


@by_paths
def autocallable():
    m, times = Market(0.02, [100], [0], [0.3]), even(10, 5.0)

    def value(levels):
        s = [level[0] / 100 for level in levels]
        v, open_ = np.zeros_like(s[0]), np.ones(len(s[0]), bool)
        for k, t in enumerate(times):
            called = open_ & (s[k] >= 1.0)
            v[called] = m.discount(t) * (1 + 0.045 * (k + 1))
            open_ &= ~called
        v[open_] = m.discount(5.0) * np.where(s[-1] < 0.65, s[-1], 1.0)[open_]
        return 100 * v
    return m, times, value


@by_paths
def phoenix():
    m, weeks = Market(**A3), even(156, 3.0)
    call = [1] * 4 + [0.95] * 4 + [0.9] * 4

    def value(levels):
        w = [worst(x) for x in relative(m, levels)]
        v, open_ = np.zeros_like(w[0]), np.ones(len(w[0]), bool)
        missed = np.zeros_like(v)
        risk = np.minimum.reduce(w) < 0.6
        for k in range(12):
            now, df = w[13 * (k + 1) - 1], m.discount(weeks[13 * (k + 1) - 1])
            paid = open_ & (now >= 0.7)
            missed += 0.025
            v[paid] += df * missed[paid]
            missed[paid] = 0.0
            if k + 1 >= 2:
                called = open_ & (now >= call[k])
                v[called] += df
                open_ &= ~called
        v[open_] += m.discount(3.0) * np.where(risk, np.minimum(1, w[-1]), 1.0)[open_]
        return 1e6 * v
    return m, weeks, value


@by_paths
def snowball():
    m = Market(0.02, [5000], [0.01], [0.22])
    times = sorted(set(even(12, 1.0)) | set(even(52, 1.0)))
    months, weeks = set(even(12, 1.0)), set(even(52, 1.0))

    def value(levels):
        s = [level[0] / 5000 for level in levels]
        v, open_, hit, k = np.zeros_like(s[0]), np.ones(len(s[0]), bool), np.zeros(len(s[0]), bool), 0
        for t, x in zip(times, s):
            if t in weeks:
                hit |= x < 0.75
            if t in months:
                k += 1
                out = open_ & (x >= 1.03)
                v[out] = m.discount(t) * (1 + 0.012 * k)
                open_ &= ~out
        last = np.where(hit, np.minimum(1, s[-1]), 1 + 0.012 * 12)
        v[open_] = m.discount(1.0) * last[open_]
        return 1e6 * v
    return m, times, value


@product("closed form")
def reverse_convertible(_):
    r, q, vol, b = 0.03, 0.02, 0.28, 0.8
    d2 = (math.log(1 / b) + (r - q - vol * vol / 2)) / vol
    coupons = sum(0.0225 * math.exp(-r * t) for t in even(4, 1.0))
    whole = math.exp(-r) * cdf(d2)
    share = math.exp(-q) * cdf(-(d2 + vol))  # of the level where it ends below the barrier
    return 1e6 * (coupons + whole + share), 0.0


@product("closed form")
def digital_coupon_note(_):
    r, q, vol, b = 0.03, 0.01, 0.25, 0.95
    v = math.exp(-r * 5)
    for t in range(1, 6):
        p = cdf((math.log(1 / b) + (r - q - vol * vol / 2) * t) / (vol * math.sqrt(t)))
        v += math.exp(-r * t) * (0.005 + 0.035 * p)
    return 1e6 * v, 0.0


@by_paths
def sharkfin():
    m = Market(0.03, [5000], [0.015], [0.18])

    def value(levels):
        s = [level[0] / 5000 for level in levels]
        out = np.maximum.reduce(s) >= 1.25
        return 1e6 * m.discount(1.0) * (1 + np.where(out, 0.03, np.maximum(s[-1] - 1, 0)))
    return m, even(12, 1.0), value


@by_paths
def accumulator():
    m, times = Market(0.02, [100], [0], [0.25]), even(26, 0.5)

    def value(levels):
        v, open_ = 0.0, True
        for t, (x,) in zip(times, levels):
            open_ = open_ & (x < 108)
            v = v + m.discount(t) * open_ * np.where(x >= 92, x - 92, 2 * (x - 92))
        return v
    return m, times, value


@by_paths
def tarf():
    m, times = Market(0.04, [1.1], [0.025], [0.09]), even(12, 1.0)

    def value(levels):
        v, gained, open_ = 0.0, 0.0, True
        for t, (x,) in zip(times, levels):
            room = 0.06 - gained
            gain = np.minimum(np.maximum(x - 1.06, 0), room)
            v = v + m.discount(t) * open_ * (gain - 2 * np.maximum(1.06 - x, 0))
            gained = gained + open_ * gain
            open_ = open_ & (np.maximum(x - 1.06, 0) < room)
        return 1e6 * v
    return m, times, value


@product("closed form")
def variance_swap(_):
    r, q, vol, n = 0.03, 0.01, 0.2, 252
    mean = (r - q - vol * vol / 2) / n
    return 250000 * math.exp(-r) * (n * (vol * vol / n + mean * mean) - 0.19**2), 0.0


@product("series")
def volatility_swap(_):
    """The sum of squares is s^2 times a noncentral chi-square: a Poisson mixture of central ones."""
    r, q, vol, n = 0.03, 0.01, 0.2, 52
    s, mean = vol / math.sqrt(n), (r - q - vol * vol / 2) / n
    half = n * (mean / s) ** 2 / 2
    root = sum(math.exp(-half + (j * math.log(half) if j else 0.0) - math.lgamma(j + 1)
                        + math.lgamma(n / 2 + j + 0.5) - math.lgamma(n / 2 + j)) for j in range(60)
               if j == 0 or half > 0)
    return 100000 * math.exp(-r) * (s * math.sqrt(2) * root - 0.2), 0.0


@product("closed form")
def corridor_variance_swap(_):
    """A return does not depend on the level at which it begins."""
    r, q, vol, n = 0.03, 0.01, 0.2, 52
    drift = r - q - vol * vol / 2
    one = vol * vol / n + (drift / n) ** 2
    share = 1.0  # the first return begins at 1
    for k in range(1, n):
        t = k / n
        share += cdf((math.log(1.1) - drift * t) / (vol * math.sqrt(t))) - cdf(
            (math.log(0.8) - drift * t) / (vol * math.sqrt(t)))
    return 250000 * math.exp(-r) * share * (one - 0.18**2 / n), 0.0


@product("closed form")
def gamma_swap(_):
    """Under the measure of the share returns have their mean raised by the variance."""
    r, q, vol, n = 0.03, 0.01, 0.25, 52
    raised = (r - q + vol * vol / 2) / n
    v = sum(math.exp((r - q) * k / n) * (vol * vol / n + raised * raised) for k in range(1, n + 1))
    return 250000 * math.exp(-r) * (v - 0.24**2), 0.0


@product("closed form")
def range_accrual(_):
    r, q, vol = 0.04, 0.01, 0.2
    v = 0.0
    for t in even(52, 1.0):
        a, s = (r - q - vol * vol / 2) * t, vol * math.sqrt(t)
        v += (cdf((math.log(1.1) - a) / s) - cdf((math.log(0.9) - a) / s)) / 52
    return 1e6 * math.exp(-r) * (1 + 0.06 * v), 0.0


@by_paths
def himalaya():
    m = Market(**A3)

    def value(levels):
        x = np.array(relative(m, levels))  # [date][asset][path]
        gone, total = np.zeros(x[0].shape, bool), 0.0
        for date in x:
            left = np.where(gone, -np.inf, date)
            best = left.argmax(axis=0)
            total = total + left.max(axis=0)
            gone[best, np.arange(len(best))] = True
        return 1e6 * m.discount(3.0) * np.maximum(total / 3 - 1.05, 0)
    return m, [1.0, 2.0, 3.0], value


@by_paths
def everest():
    m = Market(**A3)
    return m, [5.0], lambda levels: 1e6 * m.discount(5.0) * np.maximum(
        worst(relative(m, levels)[0]) + 0.3, 0.6)


@by_paths
def altiplano():
    m = Market(**A3)

    def value(levels):
        x = relative(m, levels)
        low = np.minimum.reduce([worst(date) for date in x])
        option = 0.8 * np.maximum(x[-1].mean(axis=0) - 1, 0)
        return 1e6 * m.discount(3.0) * np.where(low <= 0.6, option, 0.25)
    return m, even(12, 3.0), value


@product("quadrature")
def napoleon(_):
    """E max(c + worst, f) = f + integral over x > f - c of P(worst > x), and returns are independent."""
    r, q, vol = 0.03, 0.02, 0.18
    a, s = (r - q - vol * vol / 2) / 12, vol / math.sqrt(12)
    nodes, weights = leggauss(200)
    coupon, low, high = 0.01, 0.01 - 0.1, 0.5
    for node, weight in zip(nodes, weights):
        x = low + (high - low) * (node + 1) / 2
        coupon += weight * (high - low) / 2 * cdf(-(math.log(1 + x) - a) / s) ** 12
    return 1e6 * (math.exp(-3 * r) + sum(math.exp(-r * t) for t in (1, 2, 3)) * coupon), 0.0


@by_paths
def reverse_cliquet():
    m = Market(0.03, [5000], [0.02], [0.15])

    def value(levels):
        s = np.array([np.full(levels[0].shape[1], 5000.0)] + [level[0] for level in levels])
        falls = np.minimum(s[1:] / s[:-1] - 1, 0).sum(axis=0)
        return 1e6 * m.discount(1.0) * np.maximum(0.3 + falls, 0)
    return m, even(12, 1.0), value


@by_paths
def ladder():
    m = Market(0.05, [100], [0.01], [0.2])

    def value(levels):
        s = [level[0] for level in levels]
        top = np.maximum.reduce(s)
        rung = np.select([top >= 130, top >= 120, top >= 110], [130, 120, 110], 100)
        return m.discount(1.0) * np.maximum(np.maximum(s[-1], rung) - 100, 0)
    return m, even(12, 1.0), value


@product("closed form")
def gap(_):
    r, vol, t = 0.09, 0.2, 0.5
    d1 = (math.log(50 / 57) + (r + vol * vol / 2) * t) / (vol * math.sqrt(t))
    return 50 * cdf(d1) - 50 * math.exp(-r * t) * cdf(d1 - vol * math.sqrt(t)), 0.0


@product("closed form")
def power(_):
    """The square is lognormal."""
    r, q, vol, t = 0.08, 0.06, 0.3, 0.5
    forward, s = 100 * math.exp((2 * (r - q) + vol * vol) * t), 2 * vol * math.sqrt(t)
    d1 = math.log(forward / 100) / s + s / 2
    return math.exp(-r * t) * (forward * cdf(d1) - 100 * cdf(d1 - s)), 0.0


@by_paths
def partial_barrier():
    m = Market(0.05, [100], [0.02], [0.25])

    def value(levels):
        above = np.array([level[0] >= 95 for level in levels])
        alive = (above == above[0]).all(axis=0)
        return m.discount(1.0) * np.where(alive, np.maximum(levels[-1][0] - 100, 0), 0)
    return m, [0.5] + even(26, 1.0, 0.5), value


@by_paths
def outside_barrier():
    m = Market(0.08, [100, 100], [0, 0], [0.2, 0.2], [[1, -0.5], [-0.5, 1]])

    def value(levels):
        top = np.maximum.reduce([level[1] for level in levels])
        return m.discount(0.5) * np.where(top < 105, np.maximum(levels[-1][0] - 90, 0), 0)
    return m, even(26, 0.5), value


@by_paths
def parisian():
    m = Market(0.05, [100], [0], [0.2])

    def value(levels):
        b = np.array([level[0] < 95 for level in levels])
        lost = (b[:-2] & b[1:-1] & b[2:]).any(axis=0)
        return m.discount(1.0) * np.where(lost, 0, np.maximum(levels[-1][0] - 100, 0))
    return m, even(50, 1.0), value


@by_paths
def soft_barrier():
    m = Market(0.1, [100], [0.05], [0.2])

    def value(levels):
        least = np.minimum.reduce([level[0] for level in levels])
        part = np.clip((least - 85) / 10, 0, 1)
        return m.discount(0.5) * part * np.maximum(levels[-1][0] - 100, 0)
    return m, even(26, 0.5), value


@by_paths
def rainbow():
    m = Market(**A3)

    def value(levels):
        x = np.sort(relative(m, levels)[0], axis=0)
        return 1e6 * m.discount(2.0) * np.maximum(0.5 * x[2] + 0.3 * x[1] + 0.2 * x[0] - 1.05, 0)
    return m, [2.0], value


@by_paths
def dispersion_swap():
    m, n = Market(**A3), 52
    weights = np.array([0.4, 0.3, 0.3])

    def value(levels):
        x = np.array([np.ones(levels[0].shape)] + relative(m, levels))
        members = (np.diff(np.log(x), axis=0) ** 2).sum(axis=0) * (52 / n)
        basket = np.tensordot(x, weights, axes=(1, 0))  # [date][path]
        whole = (np.diff(np.log(basket), axis=0) ** 2).sum(axis=0) * (52 / n)
        return 250000 * m.discount(1.0) * (weights @ members - whole - 0.03)
    return m, even(n, 1.0), value


@product("closed form")
def forward(_):
    return 100 * (100 * math.exp(-0.02) - 95 * math.exp(-0.03)), 0.0


@product("closed form")
def cash(_):
    return 1000 * math.exp(-0.03 * 2.0), 0.0


@product("closed form")
def coupon(_):
    start = date(2026, 11, 20)
    paid = [date(2027, 3, 15), date(2027, 9, 15), date(2028, 3, 15), date(2028, 9, 15)]
    return sum(1e6 * 0.045 * 0.5 * math.exp(-0.03 * (on - start).days / 365) for on in paid), 0.0



@product("closed form")
def floating(_):
    start = date(2026, 11, 20)
    ends = [date(2026, 9, 15), date(2027, 3, 15), date(2027, 9, 15), date(2028, 3, 15), date(2028, 9, 15)]
    total = 0.0
    for a, b in zip(ends, ends[1:]):
        years = (b - a).days / 360
        growth = 0.034 * years if a < start else math.exp(0.033 * (b - a).days / 365) - 1
        total += 1e6 * (growth + 0.002 * years) * math.exp(-0.03 * (b - start).days / 365)
    return total, 0.0


def main():
    wanted = sys.argv[1:] or list(PRODUCTS)
    if not sys.argv[1:]:
        print("# Prices of configs/payoffs/ by oracle.py, beside this file. standard_error 0: no draws.")
        print("products:")
    for name in wanted:
        how, f = PRODUCTS[name]
        price, error = f(list(PRODUCTS).index(name))
        paths = ""
        if error:
            many = name in ("phoenix himalaya everest altiplano outside_barrier rainbow "
                            "dispersion_swap").split()
            paths = f", 2^{21 if many else 22} paths"
        print(f"- {{kind: {name}, price: {price:.10g}, standard_error: {error:.3g}, by: {how}{paths}}}".replace(
            f"by: {how}{paths}", f'by: "{how}{paths}"'), flush=True)


if __name__ == "__main__":
    main()
