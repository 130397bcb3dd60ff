#!/usr/bin/env python3
"""oracle.py: prices and Greeks of desk.yaml by another route than levy's: plain Monte Carlo (NumPy's SFC64, exact steps of
geometric Brownian motion, independent paths, no variance reduction), Greeks by central differences on the same paths. It
reads neither levy nor desk.yaml, whose trades are written here a second time, and knows no rule for quanto or composite
payments: in the currency of a payment all that can be bought grows at that currency's rate, shares and money from abroad
too, and a level abroad is the quotient of two prices. Run by hand; it writes prices.yaml, and nightly.sh checks that:

    python3 tests/desk/oracle.py 2^21 > tests/desk/prices.yaml        # half an hour
    python3 tests/desk/oracle.py 2^16 tests/desk/prices.yaml          # within 4.5 errors of both?
"""
import math
import re
import sys
import numpy as np

SEED, BATCH = 20261201, 2**12
MONTHS = list(range(1, 13)) + list(range(15, 37, 3))
YEARS = np.array(MONTHS) / 12
NAMES = ["SPX", "NKY", "SX5E", "EURUSD", "EURJPY"]
HOME = {"SPX": "USD", "NKY": "JPY", "SX5E": "EUR", "EURUSD": "USD", "EURJPY": "JPY"}
SPOTS = {"SPX": 6700, "NKY": 49000, "SX5E": 5600, "EURUSD": 1.16, "EURJPY": 181}
YIELDS = {"SPX": 0.012, "NKY": 0.017, "SX5E": 0.028}
VOLATILITIES = {"SPX": (0.17, 0.19), "NKY": (0.21, 0.21), "SX5E": (0.18, 0.18), "EURUSD": (0.075, 0.08), "EURJPY": (0.09, 0.09)}
RATES = {"EUR": (0.020, 0.024), "USD": (0.041, 0.037), "JPY": (0.006, 0.006), "USD-FUNDING": (0.004, 0.004)}
CORRELATIONS = {"SPX,NKY": 0.4, "SPX,SX5E": 0.65, "NKY,SX5E": 0.45, "SPX,EURUSD": 0.1, "NKY,EURUSD": -0.05, "SX5E,EURUSD": -0.1,
                "SPX,EURJPY": 0.2, "NKY,EURJPY": 0.35, "SX5E,EURJPY": 0.25, "EURUSD,EURJPY": 0.5}
SIZES = {"spot": 0.004, "volatility": 0.004, "rate": 0.002, "correlation": 0.02}  # of bumps; of a spot a fraction
MEASURES = {"spot": "delta", "volatility": "vega", "rate": "rho", "correlation": "correlation"}


def rate_of(currency):
    """The rate of exchange that the currency needs, whose base is the euro."""
    return {"USD": "EURUSD", "JPY": "EURJPY"}.get(currency)


class Market:
    """Today's, or with one number moved by a size. Numbers at 1 and 3 years, r t and v^2 t linear between and beyond."""

    def __init__(self, factor=None, size=0.0):
        self.factor, self.size = factor, size
        pairs = {pair: self.moved(x, ".spot,".join(pair.split(",")) + ".spot.correlation") for pair, x in CORRELATIONS.items()}
        c = np.eye(5)
        for pair, x in pairs.items():
            i, j = (NAMES.index(name) for name in pair.split(","))
            c[i, j] = c[j, i] = x
        self.correlation, self.root = c, np.linalg.cholesky(c)
        self.spots = {name: self.moved(x, f"{name}.spot") for name, x in SPOTS.items()}
        variances = []
        for name in NAMES:
            one, three = (self.moved(x, f"{name}.volatility") for x in VOLATILITIES[name])
            total = np.where(YEARS <= 1, one**2 * YEARS, one**2 + (3 * three**2 - one**2) * (YEARS - 1) / 2)
            variances.append(np.diff(total, prepend=0.0))
        self.deviations = np.sqrt(np.array(variances).T)  # [step][asset]

    def moved(self, x, factor):
        return x + self.size if factor == self.factor else x

    def integral(self, curve, t):
        one, three = (self.moved(x, f"{curve}.rate") for x in RATES[curve])
        whole = np.where(t <= 1, one * t, one + (3 * three - one) * (t - 1) / 2)
        return whole + self.integral("USD", t) if curve == "USD-FUNDING" else whole

    def discount(self, curve, t):
        return np.exp(-self.integral(curve, t))

    def euros(self, currency):
        return 1.0 / self.spots[rate_of(currency)] if rate_of(currency) else 1.0

    def levels(self, currency, draws):
        """name -> [date][path]: levels as quoted, of paths under the measure of the currency's money."""
        moves = np.cumsum((self.root @ draws) * self.deviations[:, :, None], axis=0)
        grown = self.integral(currency, YEARS)

        def price(spot, given_up, parts):  # in the currency, of what is lognormal; parts: (sign, name)
            a = np.zeros(5)
            for sign, name in parts:
                a[NAMES.index(name)] += sign
            scaled = self.deviations * a
            variance = np.cumsum(np.einsum("si,ij,sj->s", scaled, self.correlation, scaled))
            x = sum(sign * moves[:, NAMES.index(name)] for sign, name in parts)
            return spot * np.exp((grown - given_up - variance / 2)[:, None] + x)

        money = {}  # what a unit of each other currency is worth
        for other in {"EUR": ["USD", "JPY"], "USD": ["EUR"], "JPY": ["EUR"]}[currency]:
            sign, name = (-1, rate_of(other)) if currency == "EUR" else (1, rate_of(currency))
            money[other] = price(self.spots[name]**sign, self.integral(other, YEARS), [(sign, name)]), sign, name
        levels = {}
        for name in ["SPX", "NKY", "SX5E"]:
            if HOME[name] == currency:
                levels[name] = price(self.spots[name], YIELDS[name] * YEARS, [(1, name)])
            elif HOME[name] in money:
                worth, sign, fx = money[HOME[name]]
                there = price(self.spots[name] * self.spots[fx]**sign, YIELDS[name] * YEARS, [(1, name), (sign, fx)])
                levels[name] = there / worth
                levels[name + " here"] = there
        for worth, sign, fx in money.values():
            levels[fx] = worth if sign > 0 else 1.0 / worth
        return levels


# ---- What is paid: functions of (levels, discount by month) -> value per unit ------------------------


def every(count, months):
    return [months * k // count for k in range(1, count + 1)]


def at(levels, name, month):
    return levels[name][MONTHS.index(month)]


def worst(names, months, initial=None):
    first = initial or [SPOTS[name] for name in names]
    return lambda levels: [np.minimum.reduce([at(levels, name, m) / x for name, x in zip(names, first)]) for m in months]


def each(numbers, count):
    return numbers if isinstance(numbers, list) else [numbers] * count


def autocallable(names, count, months, call, coupon, barrier, initial=None):
    dates = every(count, months)
    level, calls = worst(names, dates, initial), each(call, count)

    def value(levels, discount):
        w = level(levels)
        v, alive = np.zeros_like(w[0]), np.ones(len(w[0]), bool)
        for k, m in enumerate(dates):
            called = alive & (w[k] >= calls[k])
            v[called] = discount[m] * (1 + coupon * (k + 1))
            alive &= ~called
        v[alive] = discount[months] * np.where(w[-1] < barrier, w[-1], 1.0)[alive]
        return v
    return value


def phoenix(names, count, months, coupon, coupon_barrier, call, barrier, watched=1, memory=True, first=1, strike=1.0):
    dates, looks = every(count, months), every(watched, months)
    level, seen = worst(names, dates), worst(names, looks)

    def value(levels, discount):
        w = level(levels)
        v, missed, alive = np.zeros_like(w[0]), np.zeros_like(w[0]), np.ones(len(w[0]), bool)
        for k, m in enumerate(dates):
            missed = missed + coupon if memory else np.full_like(v, coupon)
            paid = alive & (w[k] >= coupon_barrier)
            v[paid] += discount[m] * missed[paid]
            missed[paid] = 0.0
            called = alive & (w[k] >= call) & (k + 1 >= first)
            v[called] += discount[m]
            alive &= ~called
        risk = np.minimum.reduce(seen(levels)) < barrier
        v[alive] += discount[months] * np.where(risk, np.minimum(1, w[-1] / strike), 1.0)[alive]
        return v
    return value


def tarf(name, count, months, strike, target, gearing, last, side=1):
    def value(levels, discount):
        gained = np.zeros(levels[name].shape[1])
        v, alive = np.zeros_like(gained), np.ones(len(gained), bool)
        for m in every(count, months):
            gain = side * (at(levels, name, m) - strike)
            ends = alive & (gain > 0) & (gained + gain >= target)
            final = {"full": gain, "exact": target - gained, "none": 0.0 * gain}[last]
            v += discount[m] * np.where(ends, final, np.where(alive, np.where(gain < 0, gearing * gain, gain), 0.0))
            gained += np.where(gain > 0, gain, 0.0)
            alive &= ~ends
        return v
    return value


def asian(names, count, months, sign, strike, initial=None, geometric=False):
    first = initial or [1.0]

    def value(levels, discount):
        x = [sum(at(levels, name, m) / s for name, s in zip(names, first)) / len(first) for m in every(count, months)]
        mean = np.exp(np.mean(np.log(x), axis=0)) if geometric else np.mean(x, axis=0)
        return discount[months] * np.maximum(sign * (mean - strike), 0.0)
    return value


def reverse_convertible(names, coupons, coupon, watched, barrier, months, strike=1.0):
    seen = worst(names, every(watched, months))

    def value(levels, discount):
        w = seen(levels)
        repaid = np.where(np.minimum.reduce(w) < barrier, np.minimum(1, w[-1] / strike), 1.0)
        return sum(discount[m] for m in every(coupons, months)) * coupon + discount[months] * repaid
    return value


def digital_coupons(names, count, months, coupon, barrier):
    dates = every(count, months)
    level = worst(names, dates)
    return lambda levels, discount: discount[months] + sum(
        discount[m] * coupon * (w >= barrier) for m, w in zip(dates, level(levels)))


# ---- What is known: functions of a market ------------------------------------------------------------


def floating(curve, forward, count, months, spread=0.0):
    def value(market):
        ends = [0.0] + [m / 12 for m in every(count, months)]
        return sum(float(market.discount(curve, b)) * (float(market.discount(forward, a) / market.discount(forward, b)) - 1
                                                       + spread * (b - a)) for a, b in zip(ends, ends[1:]))
    return value


def cash(curve, years):
    return lambda market: float(market.discount(curve, years))


def fixed(curve, count, months, rate):
    return lambda market: sum(float(market.discount(curve, m / 12)) * rate * months / 12 / count for m in every(count, months))


THREE = ["SPX", "NKY", "SX5E"]
COMPOSITE = [6700 / 1.16, 49000 / 181, 5600]
# id: currency, signed size, underlyings, value
RANDOM = {
    "autocall-1": ("EUR", 1e6, THREE, autocallable(THREE, 4, 24, 1.0, 0.04, 0.6)),
    "autocall-2": ("USD", 2e6, ["SPX", "SX5E"], autocallable(["SPX", "SX5E"], 6, 36, [1, 1, 0.95, 0.95, 0.9, 0.9], 0.035, 0.65)),
    "autocall-3": ("JPY", 1e8, ["NKY", "SX5E"], autocallable(["NKY", "SX5E"], 4, 12, 1.02, 0.02, 0.7)),
    "autocall-4": ("EUR", -5e5, ["SPX", "NKY"], autocallable(["SPX", "NKY"], 12, 36, 1.0, 0.02, 0.6)),
    "autocall-5": ("USD", 1e6, ["SPX"], autocallable(["SPX"], 8, 24, 1.0, 0.015, 0.7)),
    "autocall-6": ("EUR", 1.5e6, THREE, autocallable(THREE, 3, 18, 1.0, 0.05, 0.7, [6400, 50000, 5500])),
    "phoenix-1": ("EUR", 1e6, ["SPX", "NKY"], phoenix(["SPX", "NKY"], 8, 24, 0.018, 0.75, 1.0, 0.65)),
    "phoenix-2": ("EUR", 7.5e5, ["NKY"], phoenix(["NKY"], 12, 36, 0.02, 0.8, 1.05, 0.6, watched=12)),
    "phoenix-3": ("USD", 1e6, ["SPX", "SX5E"], phoenix(["SX5E", "SPX"], 4, 24, 0.03, 0.8, 1.0, 0.7)),
    "phoenix-4": ("JPY", 1.5e8, ["SX5E"], phoenix(["SX5E"], 8, 24, 0.01, 0.75, 1.0, 0.7, first=2)),
    "phoenix-5": ("EUR", -2e6, THREE, phoenix(THREE, 12, 36, 0.025, 0.7, 0.95, 0.6, watched=12, first=2)),
    "phoenix-6": ("EUR", 1e6, ["NKY", "SX5E"], phoenix(["NKY", "SX5E"], 4, 12, 0.02, 0.85, 1.0, 0.75, memory=False, first=3,
                                                       strike=0.9)),
    "tarf-1": ("USD", 1e6, ["EURUSD"], tarf("EURUSD", 12, 12, 1.14, 0.1, 2, "exact")),
    "tarf-2": ("USD", 5e5, ["EURUSD"], tarf("EURUSD", 12, 12, 1.2, 0.12, 1, "full", -1)),
    "tarf-3": ("JPY", 1e6, ["EURJPY"], tarf("EURJPY", 12, 12, 176, 20, 2, "exact")),
    "tarf-4": ("JPY", -4e5, ["EURJPY"], tarf("EURJPY", 8, 24, 184, 25, 1.5, "none", -1)),
    "tarf-5": ("EUR", 8e5, ["EURUSD"], tarf("EURUSD", 4, 12, 1.15, 0.08, 2, "exact")),
    "tarf-6": ("USD", 6e5, ["EURUSD"], tarf("EURUSD", 8, 24, 1.12, 0.15, 2, "none")),
    "asian-1": ("EUR", 100, ["SPX"], asian(["SPX here"], 12, 12, 1, 5800)),
    "asian-2": ("EUR", 1000, ["NKY"], asian(["NKY here"], 12, 12, -1, 270)),
    "asian-3": ("USD", 100, ["SX5E"], asian(["SX5E here"], 8, 24, 1, 6600)),
    "asian-4": ("EUR", 1e6, THREE, asian(["SPX here", "NKY here", "SX5E"], 4, 12, 1, 1.0, COMPOSITE)),
    "asian-5": ("JPY", -10, ["SX5E"], asian(["SX5E here"], 4, 12, -1, 1e6)),
    "asian-6": ("EUR", 100, ["SPX"], asian(["SPX here"], 4, 24, 1, 5900, geometric=True)),
    "swap-1/note": ("EUR", -1e6, ["SX5E"], autocallable(["SX5E"], 3, 36, 1.0, 0.07, 0.6)),
    "swap-2/note": ("USD", 1e6, ["SPX", "SX5E"], reverse_convertible(["SPX", "SX5E"], 4, 0.025, 4, 0.8, 12)),
    "swap-3/note": ("JPY", 1e8, ["NKY"], phoenix(["NKY"], 4, 24, 0.02, 0.8, 1.0, 0.7)),
    "swap-4/note": ("EUR", -1e6, ["SPX", "SX5E"], digital_coupons(["SPX", "SX5E"], 4, 24, 0.03, 0.95)),
    "swap-5/note": ("EUR", 1e6, ["SPX", "NKY"], autocallable(["SPX", "NKY"], 2, 24, 1.0, 0.09, 0.7)),
    "swap-6/note": ("JPY", -1e8, ["SX5E"], reverse_convertible(["SX5E"], 1, 0.05, 1, 0.9, 12, 0.9))}
# id: currency, signed size, value
KNOWN = {
    "swap-1/floating": ("USD", 1.16e6, floating("USD-FUNDING", "USD", 12, 36, 0.0085)),
    "swap-1/repayment": ("USD", 1.16e6, cash("USD-FUNDING", 3.0)),
    "swap-2/floating": ("EUR", -8.6e5, floating("EUR", "EUR", 2, 12, 0.003)),
    "swap-2/repayment": ("EUR", -8.6e5, cash("EUR", 1.0)),
    "swap-3/fixed": ("EUR", -5.5e5, fixed("EUR", 2, 24, 0.021)),
    "swap-3/repayment": ("EUR", -5.5e5, cash("EUR", 2.0)),
    "swap-4/floating": ("EUR", 1e6, floating("EUR", "EUR", 8, 24, 0.004)),
    "swap-4/repayment": ("EUR", 1e6, cash("EUR", 2.0)),
    "swap-5/floating": ("USD", -1.16e6, floating("USD", "USD", 4, 24)),
    "swap-5/repayment": ("USD", -1.16e6, cash("USD", 2.0)),
    "swap-5/premium": ("EUR", -15000, cash("EUR", 0.25)),
    "swap-6/floating": ("JPY", 1e8, floating("JPY", "JPY", 2, 12, 0.001)),
    "swap-6/repayment": ("JPY", 1e8, cash("JPY", 1.0))}
SUMS = {f"swap-{k}": "JPY" if k == 6 else "EUR" for k in range(1, 7)}


# ---- Estimates ---------------------------------------------------------------------------------------


def factors():
    return ([f"{n}.spot" for n in NAMES] + [f"{n}.volatility" for n in NAMES] + [f"{c}.rate" for c in RATES]
            + [".spot,".join(p.split(",")) + ".spot.correlation" for p in CORRELATIONS])


def size_of(factor):
    kind = factor.rsplit(".", 1)[1]
    return SIZES[kind] * (SPOTS[factor[:-5]] if kind == "spot" else 1)


def depends(currency, names, factor):
    """Of a value in its own currency. What is not ruled out here is found to be 0 on every path, or by its error."""
    reached = set(names)
    for name in names:
        reached.update(fx for fx in (rate_of(HOME[name]), rate_of(currency)) if fx and HOME[name] != currency)
    kind = factor.rsplit(".", 1)[1]
    if kind == "rate":
        return factor[:-5] in {currency, "EUR"} | {HOME[name] for name in names}
    return set(re.findall(r"[A-Z0-9]+(?=\.)", factor)) <= reached


class Sums:
    """Of numbers by path: rows of a trade, a measure and a factor."""

    def __init__(self):
        self.n, self.rows = 0, {}

    def add(self, key, x):
        total = self.rows.setdefault(key, [0.0, 0.0, 0.0])
        if total[2] == 0.0:  # distances from the first mean, so that squares do not cancel
            total[2] = x.mean()
        d = x - total[2]
        total[0] += d.sum()
        total[1] += (d * d).sum()

    def row(self, key):
        s, squares, shift = self.rows[key]
        mean = s / self.n
        return shift + mean, math.sqrt(max(squares / self.n - mean * mean, 0.0) / (self.n - 1))


def paths_of(currency, paths):
    """Adds up all rows of the trades that are paid in a currency, and of their sum in euros."""
    trades = {name: t for name, t in RANDOM.items() if t[0] == currency}
    generator = np.random.Generator(np.random.SFC64([SEED, ["EUR", "USD", "JPY"].index(currency)]))
    today, sums = Market(), Sums()
    moved = {f: (Market(f, size_of(f)), Market(f, -size_of(f))) for f in factors()}

    def values(market, levels, names):
        discount = {m: float(market.discount(currency, m / 12)) for m in MONTHS}
        return {name: trades[name][1] * trades[name][3](levels, discount) for name in names}

    for _ in range(paths // BATCH):
        draws = generator.standard_normal((len(MONTHS), 5, BATCH))
        sums.n += BATCH
        base = values(today, today.levels(currency, draws), trades)
        whole = sum(base.values()) * today.euros(currency)
        sums.add(("book", "price", ""), whole)
        for name, v in base.items():
            sums.add((name, "price", ""), v)
        for factor, markets in moved.items():
            names = [name for name, t in trades.items() if depends(currency, t[2], factor)]
            fx = [m.euros(currency) for m in markets]
            if not names and fx[0] == fx[1]:
                continue
            up, down = (values(m, m.levels(currency, draws), names) for m in markets)
            kind, slope = MEASURES[factor.rsplit(".", 1)[1]], 0.5 / size_of(factor)
            label = factor.removesuffix(".correlation")
            for name in names:
                sums.add((name, kind, label), (up[name] - down[name]) * slope)
                if currency != "EUR" and fx[0] != fx[1]:
                    sums.add((name + " in EUR", kind, label), (fx[0] * up[name] - fx[1] * down[name]) * slope)
            total = sum(fx[0] * up.get(name, base[name]) - fx[1] * down.get(name, base[name]) for name in trades)
            sums.add(("book", kind, label), total * slope)
    return {key: sums.row(key) for key in sums.rows}


def known():
    """The same of what needs no path."""
    rows, today = {}, Market()

    def put(row, name, of):
        for factor in [None] + factors():
            if factor is None:
                rows[name, "price", ""] = of(today), 0.0
                continue
            h = 1e-4 * (1 if not factor.endswith(".spot") else SPOTS[factor[:-5]])
            a, b, c, d = (of(Market(factor, k * h)) for k in (1, -1, 2, -2))  # of fourth order
            x = (8 * (a - b) - (c - d)) / (12 * h)
            if a != b:
                rows[name, MEASURES[factor.rsplit(".", 1)[1]], factor.removesuffix(".correlation")] = x, 0.0
    for name, (currency, size, f) in KNOWN.items():
        put(rows, name, lambda market, f=f, size=size: size * f(market))
        put(rows, name + " in EUR", lambda market, f=f, size=size, c=currency: size * f(market) * market.euros(c))
    return rows


def add_up(parts):
    """Rows of sums, of what was drawn apart."""
    out = {}
    for rows in parts:
        for (measure, factor), (x, e) in rows.items():
            y, d = out.get((measure, factor), (0.0, 0.0))
            out[measure, factor] = x + y, math.hypot(e, d)
    return out


def rows_of(rows, name, currency, into):
    """A leg's in the currency of a sum."""
    worth = Market().euros(currency) / Market().euros(into)
    found = {key[1:]: row for key, row in rows.items() if key[0] == name}
    if currency != into:
        found = {key: (x * worth, e * worth) for key, (x, e) in found.items()}
        found.update({key[1:]: row for key, row in rows.items() if key[0] == name + " in EUR" and key[1] != "price"})
        fx = rate_of(currency) + ".spot"
        if ("delta", fx) not in found:  # what the rate translates, and nothing else of it
            x, e = found["price", ""]
            found["delta", fx] = -x / SPOTS[fx[:-5]], e / SPOTS[fx[:-5]]
    return found


def everything(paths):
    rows, book = known(), []
    for currency in ["EUR", "USD", "JPY"]:
        own = paths_of(currency, paths)
        book.append({key[1:]: own.pop(key) for key in list(own) if key[0] == "book"})
        rows.update(own)
    book += [rows_of(rows, name, t[0], "EUR") for name, t in KNOWN.items()]
    for swap, into in SUMS.items():
        legs = [(name, t[0]) for name, t in list(RANDOM.items()) + list(KNOWN.items()) if name.startswith(swap + "/")]
        for key, row in add_up(rows_of(rows, name, currency, into) for name, currency in legs).items():
            rows[(swap,) + key] = row
    for key, row in add_up(book).items():
        rows[("book in EUR",) + key] = row
    return {key: (x, e if e > 1e-12 * abs(x) else 0.0) for key, (x, e) in rows.items() if (
        " in EUR" not in key[0] or key[0].startswith("book")) and abs(x) + e > 1e-6}  # less is rounding


def stored(path):
    line = re.compile(r'- \{trade: "(.*)", measure: (\w+), factor: "(.*)", value: (\S+), standard_error: (\S+)\}')
    with open(path, encoding="utf-8") as f:
        return {m.groups()[:3]: (float(m[4]), float(m[5])) for m in map(line.match, f) if m}


def main():
    base, power = sys.argv[1].split("^")
    rows = everything(int(base)**int(power))
    if len(sys.argv) < 3:
        print(f"# Of desk.yaml by oracle.py, beside this file: {sys.argv[1]} paths each currency. standard_error 0: no paths.\nrows:")
        for (name, measure, factor), (x, e) in rows.items():
            print(f'- {{trade: "{name}", measure: {measure}, factor: "{factor}", value: {x:.10g}, standard_error: {e:.3g}}}')
        return 0
    others, wrong = stored(sys.argv[2]), 0
    for key, (x, e) in rows.items():
        y, d = others.get(key, (0.0, 0.0))
        if abs(x - y) > 4.5 * math.hypot(e, d) + 1e-9 * abs(y):
            print(*key, x, e, "stored", y, d)
            wrong += 1
    print(f"{len(rows)} rows, {wrong} differ")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
