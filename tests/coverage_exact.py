#!/usr/bin/env python3
"""Writes the books of tests/coverage/ with what is exact in their heads: python3 tests/coverage_exact.py

Routes of its own, none of which is levy's: closed densities (variance gamma and normal inverse Gaussian by Bessel functions, Kou
by its characteristic function) and Gauss-Legendre panels that end at the peak, at strikes and at barriers; characteristic
functions (Merton, Kou, regimes) by J. Gil-Pelaez's integrals; backward induction over dates, whose Greeks are derivatives of the
first interval's density; a cliquet by induction over its returns; a dispersion swap by product rules over its two assets.
"""

import pathlib

import numpy as np
from scipy import special

HERE = pathlib.Path(__file__).parent / "coverage"
NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)
RATE, YIELD = 0.03, 0.01


# ---- Laws: the density of the log return above the drift (r - q) t and `middle`, at y ----


class VarianceGamma:
    kind = "variance_gamma"

    def __init__(self, sigma, nu, theta):
        self.terms = {"sigma": sigma, "nu": nu, "theta": theta}
        self.omega = np.log(1 - nu * (theta + 0.5 * sigma**2)) / nu

    def middle(self, t):
        return self.omega * t

    def density(self, y, t):
        s, nu, th = self.terms["sigma"], self.terms["nu"], self.terms["theta"]
        a = t / nu
        c = np.sqrt(2 * s * s / nu + th * th)
        z = np.abs(y) * c / s**2
        log = (np.log(2) + th * y / s**2 - a * np.log(nu) - 0.5 * np.log(2 * np.pi) - np.log(s) - special.gammaln(a)
               + (a - 0.5) * np.log(np.maximum(np.abs(y), 1e-300) / c) + np.log(special.kve(a - 0.5, z)) - z)
        return np.exp(log)


class InverseGaussian:
    kind = "normal_inverse_gaussian"

    def __init__(self, alpha, beta, delta):
        self.terms = {"alpha": alpha, "beta": beta, "delta": delta}
        self.gamma = np.sqrt(alpha**2 - beta**2)
        self.omega = delta * (np.sqrt(alpha**2 - (beta + 1) ** 2) - self.gamma)

    def middle(self, t):
        return self.omega * t

    def density(self, y, t):
        al, be, de = self.terms["alpha"], self.terms["beta"], self.terms["delta"] * t
        q = np.sqrt(de * de + y * y)
        return al * de / np.pi / q * special.k1e(al * q) * np.exp(de * self.gamma + be * y - al * q)


class Normal:
    kind = "black_scholes"

    def __init__(self, volatility):
        self.volatility, self.terms = volatility, {}

    def middle(self, t):
        return -0.5 * self.volatility**2 * t

    def density(self, y, t):
        s = self.volatility * np.sqrt(t)
        return np.exp(-0.5 * (y / s) ** 2) / s / np.sqrt(2 * np.pi)


class Kou:
    kind = "kou"

    def __init__(self, volatility, intensity, up, rate_up, rate_down):
        self.volatility = volatility
        self.terms = {"intensity": intensity, "probability_up": up, "rate_up": rate_up, "rate_down": rate_down}

    def middle(self, t):
        return 0.0

    def density(self, y, t):
        x = y
        s, (lam, p, a, b) = self.volatility, self.terms.values()
        mean = p * a / (a - 1) + (1 - p) * b / (b + 1) - 1
        top = 9 / (s * np.sqrt(t))
        edges = np.linspace(0, top, 400)
        u, w = panels(edges)
        psi = -0.5 * s * s * u * (u + 1j) + lam * (p * a / (a - 1j * u) + (1 - p) * b / (b + 1j * u) - 1 - 1j * u * mean)
        phi = np.exp(t * psi) * w
        flat = np.atleast_1d(np.asarray(x, float)).ravel()
        out = np.concatenate([np.real(np.exp(-1j * np.outer(part, u)) @ phi) for part in np.array_split(flat, 1 + flat.size // 500)])
        return (out / np.pi).reshape(np.shape(x))


# ---- Laws by their characteristic function of the log return less (r - q) t ----


class Merton:
    kind = "merton"

    def __init__(self, volatility, intensity, mean, deviation):
        self.volatility = volatility
        self.terms = {"intensity": intensity, "jump_mean": mean, "jump_volatility": deviation}

    def transform(self, u, t):
        s, (lam, m, d) = self.volatility, self.terms.values()
        jump = lambda v: np.exp(1j * v * m - 0.5 * d * d * v * v)
        return np.exp(t * (-0.5 * s * s * u * (u + 1j) + lam * (jump(u) - 1 - 1j * u * (jump(-1j).real - 1))))


class DoubleExponential(Kou):
    def transform(self, u, t):
        s, (lam, p, a, b) = self.volatility, self.terms.values()
        jump = lambda v: p * a / (a - 1j * v) + (1 - p) * b / (b + 1j * v)
        return np.exp(t * (-0.5 * s * s * u * (u + 1j) + lam * (jump(u) - 1 - 1j * u * (jump(-1j).real - 1))))


class Regimes:
    """Two volatilities; a and b: the rates of the changes from the first and from the second, in which none starts."""

    kind = "regime_switching"

    def __init__(self, calm, wild, a, b):
        self.volatilities, self.rates, self.terms = (calm, wild), (a, b), {}
        self.written = (f", regimes: {{calm: {{volatilities: {calm}}}, wild: {{volatilities: {wild}}}}}, "
                        f"generator: [[{-a}, {a}], [{b}, {-b}]], initial_regime: calm")

    def transform(self, u, t):
        """The first row's sum of exp(t M), M = generator + diag(exponents), by the two eigenvalues."""
        (a, b), (x, y) = self.rates, [-0.5 * s * s * u * (u + 1j) for s in self.volatilities]
        half, root = 0.5 * (x - a + y - b), np.sqrt((0.5 * (x - a - y + b)) ** 2 + a * b + 0j)
        rise, fall = np.exp(t * (half + root)), np.exp(t * (half - root))
        return 0.5 * (rise + fall + (rise - fall) / root * (x - half))


def of_transform(law, t, spot, strike):
    """P(S > K), its share E[S; S > K] / forward, and the density of the logarithm at K."""
    u, w = panels(np.linspace(0, 400, 3000))
    turn = np.exp(-1j * u * (np.log(strike / spot) - (RATE - YIELD) * t)) * w / np.pi
    chance = 0.5 + np.sum((turn * law.transform(u, t) / (1j * u)).real)
    share = 0.5 + np.sum((turn * law.transform(u - 1j, t) / (1j * u)).real)
    return chance, share, np.sum((turn * law.transform(u, t)).real)


def european_transform(law, t, spot, strike, call=True):
    (chance, share, density), df = of_transform(law, t, spot, strike), np.exp(-RATE * t)
    sign = 1 if call else -1
    chance, share = (chance, share) if call else (1 - chance, 1 - share)
    delta = sign * np.exp(-YIELD * t) * share
    price = spot * delta - sign * strike * df * chance
    return {"price": price, "delta": delta, "gamma": df * strike / spot**2 * density, "rho": t * (spot * delta - price)}


def digital_transform(law, t, spot, strike, cash):
    (chance, _, density), df = of_transform(law, t, spot, strike), np.exp(-RATE * t)
    price, delta = cash * df * chance, cash * df / spot * density
    return {"price": price, "delta": delta, "rho": t * (spot * delta - price)}


# ---- Integrals ----


def panels(edges):
    lo, hi = np.asarray(edges[:-1])[:, None], np.asarray(edges[1:])[:, None]
    x = 0.5 * (hi - lo) * NODES + 0.5 * (hi + lo)
    return x.ravel(), (0.5 * (hi - lo) * WEIGHTS).ravel()


def edges_of(lo, hi):
    """From lo to hi, ever finer towards the middle, 0."""
    steps = np.geomspace(1e-200, 14.0, 720)
    return sorted(point for point in {lo, hi, 0.0, *steps, *-steps} if lo <= point <= hi)


def integral(law, t, f, lo, hi):
    y, w = panels(edges_of(lo, hi))
    return float(np.sum(f(y + law.middle(t)) * law.density(y, t) * w))


def european(law, t, spot, strike, call=True):
    df, k = np.exp(-RATE * t), np.log(strike / spot) - (RATE - YIELD) * t - law.middle(t)
    sign = 1 if call else -1
    lo, hi = (k, 14.0) if call else (-14.0, k)
    share, chance = integral(law, t, np.exp, lo, hi), integral(law, t, np.ones_like, lo, hi)
    price = sign * (spot * np.exp(-YIELD * t) * share - strike * df * chance)
    delta = sign * np.exp(-YIELD * t) * share
    gamma = df * strike / spot**2 * float(law.density(np.array([k]), t)[0])
    return {"price": price, "delta": delta, "gamma": gamma, "rho": t * (spot * delta - price)}


def digital(law, t, spot, strike, cash):
    df, k = np.exp(-RATE * t), np.log(strike / spot) - (RATE - YIELD) * t - law.middle(t)
    price = cash * df * integral(law, t, np.ones_like, k, 14.0)
    delta = cash * df / spot * float(law.density(np.array([k]), t)[0])
    return {"price": price, "delta": delta, "rho": t * (spot * delta - price)}


def slopes(f, x, h):
    """f, f' and f'' by differences of sixth order."""
    v = [f(x + k * h) for k in range(-3, 4)]
    first = (v[6] - 9 * v[5] + 45 * v[4] - 45 * v[2] + 9 * v[1] - v[0]) / (60 * h)
    second = (2 * v[6] - 27 * v[5] + 270 * v[4] - 490 * v[3] + 270 * v[2] - 27 * v[1] + 2 * v[0]) / (180 * h * h)
    return v[3], first, second


def backward(law, dt, rate, worth, b, k, side):
    drift = (rate - YIELD) * dt

    def value(x):
        flat, out = np.atleast_1d(np.asarray(x, float)).ravel(), []
        for one in flat:
            lo, hi = (b, one + 3.0) if side > 0 else (one - 4.0, b)
            middle = one + drift + law.middle(dt)
            width = law.volatility * np.sqrt(dt) if isinstance(law, Normal) else None
            if width:
                lo, hi = max(lo, middle - 12 * width), min(hi, middle + 12 * width)
                cuts = sorted({lo, hi, *[c for c in (k, *np.linspace(middle - 12 * width, middle + 12 * width, 13)) if lo < c < hi]})
            else:
                cuts = sorted({lo, hi, *[c for c in (k, middle, *[middle + s * d for s in (1, -1) for d in np.geomspace(1e-6, 3, 40)])
                                         if lo < c < hi]})
            if not hi > lo:
                out.append(0.0)
                continue
            y, w = panels(cuts)
            out.append(np.exp(-rate * dt) * float(np.sum(worth(y) * law.density(y - middle, dt) * w)))
        return np.array(out).reshape(np.shape(x))

    return value


def interpolated(value, lo, hi, side, n=200):
    """The same on [lo, hi] by Chebyshev points: values at later dates are smooth. It is 0 past the barrier alone: a step at the
    other end, where a call is dear, would spoil its integrals, and these all points."""
    chebyshev = np.polynomial.chebyshev.Chebyshev.interpolate(lambda x: value(x), n, domain=[lo, hi])

    def extended(x):
        inside = np.clip(x, lo, hi)
        return np.where(x >= lo if side > 0 else x <= hi, chebyshev(inside) * np.exp(x - inside), 0.0)

    return extended


def first_interval(law, dt, rate, worth, lo, hi, x):
    """The worth at x, and its first two derivatives by x, which are those of the density: of Gauss's law alone."""
    s, middle = law.volatility * np.sqrt(dt), x + (rate - YIELD) * dt + law.middle(dt)
    y, w = panels(np.linspace(max(lo, middle - 12 * s), min(hi, middle + 12 * s), 120))
    z = (y - middle) / s
    v = worth(y) * w * np.exp(-rate * dt) * law.density(y - middle, dt)
    return np.sum(v), np.sum(v * z / s), np.sum(v * (z * z - 1) / s**2)


def barrier_on_dates(law_of, times, spot, strike, barrier, call, down, knock_in=False):
    """Price, delta, gamma, rho, vega, vanna. law_of(v): the law with volatility moved by v."""
    sign, side, x = (1 if call else -1), (1 if down else -1), np.log(spot)

    def at(v=0.0, r=0.0):
        law, rate = law_of(v), RATE + r
        b, k = np.log(barrier), np.log(strike)
        worth, dates = lambda y: np.maximum(sign * (np.exp(y) - strike), 0.0), [0.0, *times]
        lo, hi = (b, b + 2.6) if down else (b - 3.5, b)
        for i in range(len(times) - 1, 0, -1):
            worth = interpolated(backward(law, dates[i + 1] - dates[i], rate, worth, b, k, side), lo, hi, side)
        out = np.array(first_interval(law, times[0], rate, worth, lo, hi, x))
        if not knock_in:
            return out
        t = times[-1]
        payoff = lambda y: np.maximum(sign * (np.exp(y) - strike), 0.0)
        ends = (k, 20.0) if call else (-20.0, k)
        return np.array(first_interval(law, t, rate, payoff, *ends, x)) - out

    def greeks(values):
        return values[0], values[1] / spot, (values[2] - values[1]) / spot**2

    price, delta, gamma = greeks(at())
    rho = slopes(lambda r: at(0.0, r)[0], 0.0, 1e-3)[1]
    vega = slopes(lambda v: at(v)[0], 0.0, 1e-3)[1]
    vanna = slopes(lambda v: greeks(at(v))[1], 0.0, 1e-3)[1]
    return {"price": price, "delta": delta, "gamma": gamma, "rho": rho, "vega": vega, "vanna": vanna}


# ---- Books ----


def number(value):
    return repr(float(value))


def book(name, about, law, measures, trades, spot=100.0, volatility=None):
    """trades: (id, payoff as YAML, expiry, exact values)."""
    lines = [f"# {about}", "# Origin: tests/coverage_exact.py."]
    for one in trades:
        lines += [f"# exact: {one[0]} {measure} {value:.12g}" for measure, value in one[3].items() if measure in measures]
    own = volatility or getattr(law, "volatility", None)
    asset = f"currency: USD, spot: {number(spot)}, dividend_yield: {YIELD}" + (f", volatility: {number(own)}" if own else "")
    terms = "".join(f", {key}: {number(value)}" for key, value in law.terms.items()) + getattr(law, "written", "")
    lines += ["schema_version: 1", f"market: {{curves: {{USD: {RATE}}}, assets: {{S: {{{asset}}}}}}}",
              f"models: {{m: {{kind: {law.kind}, assets: [S]{terms}}}}}", f"measures: [{', '.join(measures)}]", "trades:"]
    lines += [f"  - {{id: {one[0]}, underlying: S, payoff: {{{one[1]}}}, exercise: {{expiry: {number(one[2])}}}}}" for one in trades]
    (HERE / f"{name}.yaml").write_text("\n".join(lines) + "\n")
    print(name, flush=True)


def of_strikes(name, about, law, t, strikes, option, cash, spot):
    """Calls, puts and digitals; option and cash: what prices them."""
    trades = []
    for i, strike in enumerate(strikes):
        call = i % 2 == 0
        trades.append((f"{'call' if call else 'put'}{i}",
                       f"kind: european, option_type: {'call' if call else 'put'}, strike: {number(strike)}", t,
                       option(law, t, spot, strike, call)))
        trades.append((f"digital{i}", f"kind: digital, option_type: call, strike: {number(strike)}, cash: 10", t,
                       cash(law, t, spot, strike, 10.0)))
    book(name, about, law, ["price", "delta", "gamma", "rho"], trades, spot)


def of_peaked(name, about, law, t, away, spot=100.0):
    """Strikes at distances from the peak, as shares of the spot."""
    peak = spot * np.exp((RATE - YIELD) * t + law.middle(t))
    strikes = [float(f"{peak * (1 + share):.7g}") for share in away]
    of_strikes(name, about, law, t, strikes, european, digital, spot)


def of_barrier(name, about, law_of, times, level, strike, call, down, knock_in=False, spot=100.0):
    found = barrier_on_dates(law_of, times, spot, strike, level, call, down, knock_in)
    payoff = (f"kind: barrier, option_type: {'call' if call else 'put'}, strike: {number(strike)}, barrier: {{direction: "
              f"{'down' if down else 'up'}, knock: {'in' if knock_in else 'out'}, level: {number(level)}, observations: "
              f"{{times: [{', '.join(map(number, times))}]}}}}")
    touched = f"level {'<=' if down else '>='} {number(level)}"
    paid = f"max({'level - ' + number(strike) if call else number(strike) + ' - level'}, 0)"
    script = (f"kind: script, schedules: {{dates: {{times: [{', '.join(map(number, times))}]}}}}, script: \"var touched = 0; "
              f"at dates {{ if {touched} {{ touched = 1 }} }}; at expiry {{ if touched == {int(knock_in)} {{ pay {paid} }} }}\"")
    book(name, about, law_of(0.0), list(found), [("barrier", payoff, times[-1], found), ("script", script, times[-1], found)], spot)


def of_jumps(name, about, law, t, strikes, spot=100.0):
    of_strikes(name, about, law, t, strikes, european_transform, digital_transform, spot)


def cliquet(law, step, n, floor, cap, rate):
    """The discounted mean of max(sum of n clipped returns, 0): induction on a grid that has all kinks."""
    drift = (rate - YIELD) * step + law.middle(step)
    low, high = np.log1p(floor) - drift, np.log1p(cap) - drift
    finer = np.geomspace(1e-9, 1.0, 20)
    y, w = panels(sorted({0.0, *(low * finer), *(high * finer)}))
    w, returns = w * law.density(y, step), np.expm1(y + drift)
    at_cap = integral(law, step, np.ones_like, high, 14.0)
    at_floor = 1.0 - at_cap - float(np.sum(w))
    sums = np.arange(-1250, 1251) * 2e-4
    worth = np.maximum(sums, 0.0)
    for _ in range(n):
        worth = np.array([at_floor * np.interp(x + floor, sums, worth) + at_cap * np.interp(x + cap, sums, worth)
                          + np.sum(w * np.interp(x + returns, sums, worth)) for x in sums])
    return np.exp(-rate * step * n) * float(worth[1250])


def dispersion(law, step, weights, rate, annualisation):
    """The discounted mean of two independent assets' variances over two returns less their basket's, equal members."""
    nodes, own = np.polynomial.legendre.leggauss(300)
    x, d, v = 1.75 * nodes - 0.25, 1.6 * nodes, 1.6 * own
    p = 1.75 * own * law.density(x, step)
    x = x + (rate - YIELD) * step
    single = np.sum(p * x * x)
    u, wu = panels(np.linspace(0, 9 / (law.volatility * np.sqrt(2 * step)), 200))
    phi = np.abs(law.transform(u, step)) ** 2 * wu / np.pi
    difference = np.array([np.sum(phi * np.cos(u * one)) for one in d]) * v
    level = np.exp(x)

    def basket(first):
        return p @ np.log(first * level[:, None] + (1 - first) * level[None, :]) ** 2 @ p

    later = [basket(weights[0] / (weights[0] + weights[1] * np.exp(one))) * mass if mass > 1e-12 else 0.0
             for one, mass in zip(d, difference)]
    return np.exp(-rate * 2 * step) * annualisation / 2 * (2 * single - basket(weights[0]) - float(np.sum(later)))


DAY = 1 / 365


def of_path(name, about, law, measure, trade, assets):
    """One trade of several dates; measure(rate): its price."""
    price, rho, _ = slopes(measure, RATE, 1e-3)
    own = f", volatility: {law.volatility}" if hasattr(law, "volatility") else ""
    terms = "".join(f", {key}: {number(value)}" for key, value in law.terms.items())
    quotes = ", ".join(f"{one}: {{currency: USD, spot: 100.0, dividend_yield: {YIELD}{own}}}" for one in assets)
    pairs = f", correlations: {{pairs: [[{assets[0]}.spot, {assets[1]}.spot, 0]]}}" if len(assets) > 1 else ""
    (HERE / f"{name}.yaml").write_text("\n".join([
        f"# {about}", "# Origin: tests/coverage_exact.py.", f"# exact: path price {price:.12g}", f"# exact: path rho {rho:.12g}",
        "schema_version: 1", f"market: {{curves: {{USD: {RATE}}}, assets: {{{quotes}}}{pairs}}}",
        f"models: {{m: {{kind: {law.kind}, assets: [{', '.join(assets)}]{terms}}}}}", "measures: [price, rho]",
        "trades:", f"  - {{id: path, underlyings: [{', '.join(assets)}], {trade}}}"]) + "\n")
    print(name, flush=True)


def main():
    HERE.mkdir(exist_ok=True)
    away = [0.0003, -0.0007, 0.002, -0.01, 0.03]
    of_peaked("vg-week", "Variance gamma, a week: strikes beside a peak of infinite height.", VarianceGamma(0.2, 0.2, -0.14), 0.02, away)
    of_peaked("vg-month", "Variance gamma, a month: strikes beside the peak.", VarianceGamma(0.3, 0.5, -0.2), 0.083, away)
    for a in (0.3, 0.5, 0.7, 0.9, 1.5, 2.0, 3.0):
        of_peaked(f"vg-{a:g}", f"Variance gamma, T / nu {a:g}.", VarianceGamma(0.2, 0.2, -0.14), 0.2 * a, away)
    of_peaked("vg-quarter", "Variance gamma, a quarter: strikes beside the cusp.", VarianceGamma(0.2, 0.2, -0.14), 0.25, away)
    of_peaked("vg-year", "Variance gamma, a year: no peak.", VarianceGamma(0.2, 0.2, -0.14), 1.0, away)
    of_peaked("nig-days", "Normal inverse Gaussian, days: strikes beside the peak.", InverseGaussian(6.0, 1.0, 0.1), 0.01, away)
    of_peaked("nig-weeks", "Normal inverse Gaussian, weeks: strikes beside the peak.", InverseGaussian(15.0, -5.0, 0.5), 0.05, away)
    of_peaked("nig-quarter", "Normal inverse Gaussian, a quarter.", InverseGaussian(15.0, -5.0, 0.5), 0.3, away)
    flat = lambda v: Normal(0.2 + v)
    for k in (3.5, 4.0, 4.5, 5.0, 6.0):
        daily = 0.2 * np.sqrt(DAY)
        level = 100.0 * np.exp(-k * daily)
        of_barrier(f"out-tomorrow-{k:g}", f"Down-and-out call, a date tomorrow {k:g} daily deviations away.", flat,
                   [DAY, 0.25, 0.5], level, 90.0, True, True)
    of_barrier("up-out-soon", "Up-and-out call, a date in a week 4 of its deviations away.", flat, [7 * DAY, 0.5],
               100.0 * np.exp(4 * 0.2 * np.sqrt(7 * DAY)), 95.0, True, False)
    of_barrier("in-tomorrow", "Down-and-in put, a date tomorrow 4.2 daily deviations away.", flat, [DAY, 0.5],
               100.0 * np.exp(-4.2 * 0.2 * np.sqrt(DAY)), 95.0, False, True, True)
    kou = Kou(0.15, 0.5, 0.3, 20.0, 8.0)
    deep = european(kou, 0.3, 100.0, 60.0, False)
    book("deep-put-kou", "A put 40 % out of the money under Kou.", kou, ["price", "delta", "gamma"],
         [("deep", "kind: european, option_type: put, strike: 60", 0.3, deep)])
    far = european(kou, 0.3, 100.0, 75.0, False)
    book("far-put-kou", "A put 25 % out of the money under Kou.", kou, ["price", "delta", "gamma"],
         [("far", "kind: european, option_type: put, strike: 75", 0.3, far)])
    strikes = [100.0, 92.0, 108.0, 99.0]
    of_jumps("merton-weeks", "Merton, two weeks.", Merton(0.15, 1.5, -0.1, 0.12), 0.04, strikes)
    of_jumps("merton-year", "Merton, a year.", Merton(0.15, 1.5, -0.1, 0.12), 1.0, strikes)
    of_jumps("kou-weeks", "Kou, two weeks.", DoubleExponential(0.15, 2.0, 0.35, 20.0, 12.0), 0.04, strikes)
    of_jumps("kou-year", "Kou, a year.", DoubleExponential(0.15, 2.0, 0.35, 20.0, 12.0), 1.0, strikes)
    of_jumps("regimes-weeks", "Regimes, two weeks.", Regimes(0.15, 0.4, 0.5, 3.0), 0.04, strikes)
    of_jumps("regimes-year", "Regimes, a year.", Regimes(0.15, 0.4, 0.5, 3.0), 1.0, strikes)
    gammas = VarianceGamma(0.2, 0.2, -0.14)
    of_path("cliquet-vg", "A cliquet under variance gamma.", gammas, lambda r: cliquet(gammas, 0.25, 4, -0.03, 0.05, r),
            "payoff: {kind: cliquet, local_cap: 0.05, local_floor: -0.03, global_floor: 0, "
            "observations: {include_start: true, count: 4}}, exercise: {expiry: 1}", ["S"])
    twice = DoubleExponential(0.2, 2.0, 0.35, 20.0, 12.0)
    of_path("dispersion-kou", "A dispersion swap on two independent assets under Kou.", twice,
            lambda r: dispersion(twice, 0.25, [0.5, 0.5], r, 4.0),
            "payoff: {kind: dispersion_swap, observations: {count: 2}, member_weights: [0.5, 0.5], annualisation: 4}, "
            "exercise: {expiry: 0.5}", ["A", "B"])


if __name__ == "__main__":
    main()
