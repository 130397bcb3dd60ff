"""The formulas of docs/theory.md, section 3, in NumPy: each kind of payoff is priced by its formula on paths of NumPy's random
numbers, and levy's price lies within five standard errors of both. The seed is fixed.

Run by tests/test_python.sh.
"""

import unittest

import levy

try:
    import numpy as np
except ImportError:
    np = None

RATE, YIELD, SIGMA, RHO, SPOT = 0.03, (0.01, 0.0), (0.25, 0.35), 0.5, (100.0, 50.0)
PATHS, DATES = 2**15, 12

BOOK = f"""
schema_version: 1
market:
  curves: {{USD: {RATE}}}
  assets:
    A: {{currency: USD, spot: {SPOT[0]}, dividend_yield: {YIELD[0]}, volatility: {SIGMA[0]}}}
    B: {{currency: USD, spot: {SPOT[1]}, volatility: {SIGMA[1]}}}
  correlations: {{pairs: [[A.spot, B.spot, {RHO}]]}}
models: {{m: {{kind: black_scholes, assets: [A, B]}}}}
simulation: {{paths: 2^16}}
trades:
"""


def simulate():
    """Gross returns since today, [asset][date][path]: twelve dates of a year."""
    own, dt = np.random.default_rng(5), 1.0 / DATES
    z = own.standard_normal((2, DATES, PATHS))
    z[1] = RHO * z[0] + np.sqrt(1 - RHO**2) * z[1]
    steps = [(RATE - YIELD[i] - SIGMA[i] ** 2 / 2) * dt + SIGMA[i] * np.sqrt(dt) * z[i] for i in range(2)]
    return np.exp(np.cumsum(steps, axis=1))


def d(number):
    """D(t) of a date by its number from 1 on."""
    return np.exp(-RATE * number / DATES)


def plus(x):
    return np.maximum(x, 0)


def any_of(condition):
    return condition.any(axis=0)


def with_start(x):
    return np.concatenate([np.ones((1, x.shape[1])), x])


class Formulas:
    """A method of a formula: the trade's payoff, `two` underlyings or one, and the present value on each path. X: levels over
    initial fixings; L: the quoted levels of the first asset."""

    def __init__(self):
        self.X = simulate()
        self.L, self.W = SPOT[0] * self.X[0], self.X.min(axis=0)
        self.end = [SPOT[i] * self.X[i, -1] for i in range(2)]

    # ---- Built-in kinds ----

    def at_expiry(self):
        a, b = self.end
        x = self.X[:, -1]
        one, two = {}, {}
        one["{kind: european, option_type: call, strike: 105}"] = plus(a - 105)
        one["{kind: digital, option_type: put, strike: 95, cash: 7}"] = 7 * (a < 95)
        one["{kind: digital, option_type: call, strike: 105, payout: asset}"] = a * (a > 105)
        two["{kind: basket, option_type: call, strike: 75}"] = plus((a + b) / 2 - 75)
        two["{kind: basket, basket_type: geometric, option_type: put, strike: 75}"] = plus(75 - np.sqrt(a * b))
        two["{kind: best_of, option_type: call, strike: 100}"] = plus(np.maximum(a, b) - 100)
        two["{kind: worst_of, option_type: put, strike: 48}"] = plus(48 - np.minimum(a, b))
        two["{kind: best_of_cash, cash: 105}"] = np.maximum(np.maximum(a, b), 105)
        two["{kind: worst_of_cash, cash: 48}"] = np.minimum(np.minimum(a, b), 48)
        two["{kind: spread, option_type: put, strike: 52}"] = plus(52 - a + b)
        two["{kind: exchange}"] = plus(a - b)
        two["{kind: everest, guarantee: 0.1, floor: 0.9}"] = np.maximum(x.min(axis=0) + 0.1, 0.9)
        two["{kind: rainbow, option_type: put, rank_weights: [0.7, 0.3], strike: 1.05}"] = plus(
            1.05 - 0.7 * x.max(axis=0) - 0.3 * x.min(axis=0)
        )
        one["{kind: forward, strike: 97}"] = a - 97
        two["{kind: forward, aggregate: worst_of, strike: 50}"] = np.minimum(a, b) - 50
        one["{kind: cash, amount: 3}"] = np.full_like(a, 3)
        one["{kind: gap, option_type: put, strike: 105, trigger: 95}"] = np.where(a <= 95, 105 - a, 0)
        one["{kind: power, option_type: call, strike: 9000, power: 2, cap: 5000}"] = np.minimum(plus(a**2 - 9000), 5000)
        for trades, both in ((one, False), (two, True)):
            for payoff, value in trades.items():
                yield payoff, both, d(DATES) * value

    def coupons(self):
        each, rates = d(np.arange(3, 13, 3)), np.array([0.02, 0.04, 0.06, 0.08])
        yield "{kind: coupon, coupons: {count: 4}, amount: 2}", False, np.full(PATHS, 2 * each.sum())
        yield "{kind: coupon, coupons: {count: 4}, rate: [0.02, 0.04, 0.06, 0.08]}", False, np.full(PATHS, each @ rates / 4)
        forward = np.exp(RATE / 4) - 1 + 0.01 / 4
        yield "{kind: floating, coupons: {count: 4}, spread: 0.01}", False, np.full(PATHS, forward * each.sum())

    def averages(self):
        L, end = self.L, self.L[-1]
        arithmetic, geometric = L.mean(axis=0), np.exp(np.log(L).mean(axis=0))
        dates = "observations: {count: 12}"
        yield f"{{kind: asian, option_type: put, strike: 102, averaging: {{{dates}}}}}", False, d(12) * plus(102 - arithmetic)
        yield (
            f"{{kind: asian, option_type: call, strike: 100, averaging: {{method: geometric, {dates}}}}}",
            False,
            d(12) * plus(geometric - 100),
        )
        yield f"{{kind: asian, option_type: put, averaging: {{of: strike, {dates}}}}}", False, d(12) * plus(arithmetic - end)
        yield (
            f"{{kind: asian, option_type: call, strike: 100, payout: asset, averaging: {{{dates}}}}}",
            False,
            d(12) * arithmetic * (arithmetic > 100),
        )

    def first_touch(self, beyond):
        """Whether a path is not touched before each date, and at the end."""
        before = np.concatenate([np.zeros((1, PATHS), bool), np.logical_or.accumulate(beyond, axis=0)])
        return ~before[:-1], ~before[-1]

    def barriers(self):
        L, end = self.L, self.L[-1]
        days = d(np.arange(1, DATES + 1))[:, None]
        up, low = L >= 115, L <= 85
        alive, survives = self.first_touch(up)
        dates = "observations: {count: 12}"
        barrier = f"barrier: {{direction: up, knock: out, level: 115, {dates}}}"
        call = d(12) * plus(end - 100)
        at_hit = (2 * days * (up & alive)).sum(axis=0)
        yield f"{{kind: barrier, option_type: call, strike: 100, rebate: 2, {barrier}}}", False, np.where(survives, call, 2 * d(12))
        yield (
            f"{{kind: barrier, option_type: call, strike: 100, rebate: {{amount: 2, pay: at_hit}}, {barrier}}}",
            False,
            at_hit + np.where(survives, call, 0),
        )
        yield (
            "{kind: barrier, option_type: put, strike: 100, payout: asset, rebate: 2, barrier: {direction: down, knock: in, "
            f"level: 85, {dates}}}}}",
            False,
            d(12) * np.where(any_of(low), end * (end < 100), 2),
        )
        alive, survives = self.first_touch(up | low)
        yield (
            "{kind: double_barrier, option_type: call, strike: 100, rebate: {lower: 1, upper: 3, pay: at_hit}, "
            f"barrier: {{lower: 85, upper: 115, knock: out, {dates}}}}}",
            False,
            (days * ((1 * low + 3 * up) * alive)).sum(axis=0) + np.where(survives, call, 0),
        )
        yield (
            f"{{kind: touch, pays: if_touched, pay: at_hit, cash: 2, barrier: {{direction: up, level: 115, {dates}}}}}",
            False,
            at_hit,
        )
        yield f"{{kind: touch, pays: if_untouched, barrier: {{lower: 85, upper: 115, {dates}}}}}", False, d(12) * survives

    def extremes_and_resets(self):
        L, end = self.L, self.L[-1]
        dates = "observations: {count: 12}"
        yield (
            f"{{kind: lookback, option_type: put, strike: 95, lookback: {{strike: fixed, running_extremum: 93, {dates}}}}}",
            False,
            d(12) * plus(95 - np.minimum(93, L.min(axis=0))),
        )
        yield f"{{kind: lookback, option_type: call, lookback: {{strike: floating, {dates}}}}}", False, d(12) * (end - L.min(axis=0))
        yield f"{{kind: lookback, option_type: put, lookback: {{strike: floating, {dates}}}}}", False, d(12) * (L.max(axis=0) - end)
        yield "{kind: forward_start, option_type: put, strike_fraction: 1.05, reset: 0.5}", False, d(12) * plus(1.05 * L[5] - end)
        yield (
            "{kind: forward_start, option_type: call, strike_fraction: 0.95, reset: 0.5, form: performance}",
            False,
            d(12) * plus(end / L[5] - 0.95),
        )
        parts = np.clip(L[1:] / L[:-1] - 1, -0.02, 0.04)
        yield (
            f"{{kind: cliquet, {dates}, local_floor: -0.02, local_cap: 0.04, global_floor: 0.01, global_cap: 0.2}}",
            False,
            d(12) * np.clip(parts.sum(axis=0), 0.01, 0.2),
        )

    # ---- Kinds that are scripts ----

    def notes(self):
        W, end = self.W, self.W[-1]
        for memory in (True, False):
            paid, due, alive, hit = np.zeros(PATHS), np.zeros(PATHS), np.ones(PATHS, bool), any_of(W < 0.7)
            for j in range(1, DATES + 1):
                due = (due if memory else 0) + 0.02
                pays = W[j - 1] >= 0.85
                paid += d(j) * alive * pays * due
                due = np.where(pays, 0, due)
                called = alive & (W[j - 1] >= 1.02) & (j >= 3)
                paid += d(j) * called
                alive &= ~called
            paid += d(12) * alive * np.where(hit, np.minimum(1, end), 1)
            yield (
                "{kind: phoenix, observations: {count: 12}, coupon: 0.02, coupon_barrier: 0.85, call_barrier: 1.02, first_call: 3, "
                f"memory: {str(memory).lower()}, knock_in: {{count: 12}}, knock_in_barrier: 0.7}}",
                True,
                paid,
            )
        quarters = range(3, DATES + 1, 3)
        auto, snow, alive, runs = np.zeros(PATHS), np.zeros(PATHS), np.ones(PATHS, bool), np.ones(PATHS, bool)
        for k, j in enumerate(quarters, 1):
            called, out = alive & (W[j - 1] >= 1.0), runs & (W[j - 1] >= 1.03)
            auto += d(j) * called * (1 + 0.03 * k)
            snow += d(j) * out * (1 + 0.02 * k)
            alive, runs = alive & ~called, runs & ~out
        auto += d(12) * alive * np.where(end < 0.8, end, 1)
        snow += d(12) * runs * np.where(any_of(W < 0.75), np.minimum(1, end / 0.95), 1 + 0.02 * 4)
        yield "{kind: autocallable, calls: {count: 4}, barrier: 1.0, coupon: 0.03, protection: 0.8}", True, auto
        yield (
            "{kind: snowball, calls: {count: 4}, barrier: 1.03, coupon: 0.02, knock_in: {count: 12}, knock_in_barrier: 0.75, "
            "strike: 0.95}",
            True,
            snow,
        )
        yield (
            "{kind: reverse_convertible, coupons: {count: 4}, coupon: 0.02, knock_in: {count: 12}, barrier: 0.7, strike: 0.9}",
            True,
            sum(0.02 * d(j) for j in quarters) + d(12) * np.where(any_of(W < 0.7), np.minimum(1, end / 0.9), 1),
        )
        yield (
            "{kind: digital_coupon_note, coupons: {count: 4}, coupon: 0.03, barrier: 0.9, low_coupon: 0.01}",
            True,
            sum(d(j) * np.where(W[j - 1] >= 0.9, 0.03, 0.01) for j in quarters) + d(12),
        )
        yield (
            "{kind: sharkfin, option_type: put, observations: {count: 12}, barrier: 0.7, participation: 0.8, rebate: 0.05, "
            "protection: 0.95}",
            True,
            d(12) * (0.95 + np.where(any_of(W <= 0.7), 0.05, 0.8 * plus(1 - end))),
        )

    def accruals(self):
        for side, sign, out in (("buy", 1, 110), ("sell", -1, 90)):
            paid, alive = np.zeros(PATHS), np.ones(PATHS, bool)
            for j in range(1, DATES + 1):
                level = self.L[j - 1]
                alive &= sign * level < sign * out
                gain = sign * (level - 98)
                paid += d(j) * alive * np.where(gain >= 0, gain, 2 * gain)
            yield f"{{kind: accumulator, side: {side}, observations: {{count: 12}}, strike: 98, knock_out: {out}}}", False, paid
        for last in ("full", "exact", "none"):
            paid, alive, gained = np.zeros(PATHS), np.ones(PATHS, bool), np.zeros(PATHS)
            for j in range(1, DATES + 1):
                gain, before = self.L[j - 1] - 101, gained
                gained = before + plus(gain)
                reached = {"full": gain, "exact": 15 - before, "none": 0 * gain}[last]
                paid += d(j) * alive * np.where(gain < 0, 2 * gain, np.where(gained < 15, gain, reached))
                alive &= gained < 15
            yield f"{{kind: tarf, observations: {{count: 12}}, strike: 101, target: 15, last: {last}}}", False, paid
        x = self.X
        inside = (x[0] >= 0.9) & (x[0] <= 1.1) & (x[1] >= 0.9) & (x[1] <= 1.3)
        yield (
            "{kind: range_accrual, observations: {count: 12}, lower: 0.9, upper: [1.1, 1.3], coupon: 0.08, redemption: 0.5}",
            True,
            d(12) * (0.5 + 0.08 * inside.mean(axis=0)),
        )

    def variances(self):
        x = with_start(self.X[0])
        squares, inside = np.log(x[1:] / x[:-1]) ** 2, (x[:-1] >= 0.9) & (x[:-1] <= 1.1)
        realised = 12 * squares.mean(axis=0)
        common = "observations: {count: 12}, strike: 0.2, annualisation: 12"
        corridor = 12 * (squares * inside).mean(axis=0)
        yield f"{{kind: variance_swap, {common}, cap: 0.3}}", False, d(12) * (np.minimum(realised, 0.09) - 0.04)
        yield f"{{kind: volatility_swap, {common}, cap: 0.3}}", False, d(12) * (np.minimum(np.sqrt(realised), 0.3) - 0.2)
        yield f"{{kind: corridor_variance_swap, {common}, lower: 0.9, upper: 1.1}}", False, d(12) * (corridor - 0.04)
        yield (
            f"{{kind: corridor_variance_swap, {common}, lower: 0.9, upper: 1.1, conditional: true}}",
            False,
            d(12) * (corridor - 0.04 * inside.mean(axis=0)),
        )
        yield f"{{kind: gamma_swap, {common}}}", False, d(12) * (12 * (squares * x[1:]).mean(axis=0) - 0.04)
        all_x = np.stack([with_start(each) for each in self.X])
        weights = np.array([0.3, 0.7])[:, None, None]
        basket = (weights * all_x).sum(axis=0)
        members = (weights * np.log(all_x[:, 1:] / all_x[:, :-1]) ** 2).sum(axis=0)
        yield (
            "{kind: dispersion_swap, observations: {count: 12}, member_weights: [0.3, 0.7], strike: 0.01, annualisation: 12}",
            True,
            d(12) * (12 * (members - np.log(basket[1:] / basket[:-1]) ** 2).mean(axis=0) - 0.01),
        )

    def mountains(self):
        x, W = self.X, self.W
        half, best = x[:, 5], np.argmax(x[:, 5], axis=0)
        taken = (half.max(axis=0) + np.where(best == 0, x[1, -1], x[0, -1])) / 2
        yield "{kind: himalaya, observations: {count: 2}, strike: 1}", True, d(12) * plus(taken - 1)
        yield (
            "{kind: altiplano, observations: {count: 12}, barrier: 0.8, coupon: 0.3, strike: 0.95, participation: 0.5}",
            True,
            d(12) * np.where(any_of(W <= 0.8), 0.5 * plus(x[:, -1].mean(axis=0) - 0.95), 0.3),
        )
        mean = with_start(x.mean(axis=0))
        returns = mean[1:] / mean[:-1] - 1
        yield (
            "{kind: napoleon, observations: {count: 12}, coupons: {count: 3}, coupon: 0.08, floor: 0.01, redemption: 0.5}",
            True,
            sum(d(4 * k) * np.maximum(0.08 + returns[4 * k - 4 : 4 * k].min(axis=0), 0.01) for k in (1, 2, 3)) + 0.5 * d(12),
        )
        one = with_start(x[0])
        falls = np.minimum(one[1:] / one[:-1] - 1, 0).sum(axis=0)
        yield "{kind: reverse_cliquet, observations: {count: 12}, coupon: 0.4, floor: 0.05}", False, d(12) * np.maximum(0.4 + falls, 0.05)

    def paths_of_one(self):
        L, end = self.L, self.L[-1]
        call = plus(end - 100)
        locked = np.where(any_of(L >= 120), 20, np.where(any_of(L >= 110), 10, 0))
        yield (
            "{kind: ladder, option_type: call, strike: 100, rungs: [110, 120], observations: {count: 12}}",
            False,
            d(12) * np.maximum(call, locked),
        )
        watched = L[:6]
        for direction, level, touched in (
            ("up", 108, any_of(watched >= 108)),
            ("down", 93, any_of(watched <= 93)),
            ("cross", 101, any_of((watched >= 101) != (watched[:1] >= 101))),
        ):
            for knock in ("out", "in"):
                yield (
                    f"{{kind: partial_barrier, option_type: call, strike: 100, barrier: {level}, direction: {direction}, "
                    f"knock: {knock}, rebate: 3, observations: {{end: 0.5, count: 6}}}}",
                    False,
                    d(12) * np.where(touched == (knock == "in"), call, 3),
                )
        yield (
            "{kind: outside_barrier, option_type: call, strike: 100, barrier: 55, direction: up, knock: in, rebate: 2, "
            "observations: {count: 12}}",
            True,
            d(12) * np.where(any_of(SPOT[1] * self.X[1] >= 55), call, 2),
        )
        for counting in ("consecutive", "cumulative"):
            stay, touched = np.zeros(PATHS), np.zeros(PATHS, bool)
            for level in L:
                stay = np.where(level < 97, stay + 1, stay if counting == "cumulative" else 0)
                touched |= stay >= 3
            yield (
                f"{{kind: parisian, option_type: call, strike: 100, barrier: 97, direction: down, knock: out, window: 3, "
                f"counting: {counting}, rebate: 1.5, observations: {{count: 12}}}}",
                False,
                d(12) * np.where(touched, 1.5, call),
            )
        below, above = np.clip((L.min(axis=0) - 85) / 10, 0, 1), np.clip((130 - L.max(axis=0)) / 20, 0, 1)
        soft = "{{kind: soft_barrier, option_type: call, strike: 100, {}, observations: {{count: 12}}}}"
        yield soft.format("lower: 85, upper: 95, direction: down, knock: in"), False, d(12) * call * (1 - below)
        yield soft.format("lower: 110, upper: 130, direction: up, knock: out"), False, d(12) * call * above

    def all(self):
        parts = (self.at_expiry, self.coupons)
        parts += (self.averages, self.barriers, self.extremes_and_resets, self.notes, self.accruals, self.variances)
        for part in parts + (self.mountains, self.paths_of_one):
            yield from part()


@unittest.skipUnless(np, "NumPy is not installed")
class Theory(unittest.TestCase):
    def test_each_formula_gives_levys_price(self):
        cases = list(Formulas().all())
        text, kinds = BOOK, set()
        for i, (payoff, two, _) in enumerate(cases):
            kind = payoff.split("kind: ")[1].split(",")[0].split("}")[0]
            kinds.add(kind)
            underlying = "underlyings: [A, B]" if two else "underlying: A"
            text += f"  - {{id: t{i}, {underlying}, payoff: {payoff}, exercise: {{expiry: 1.0}}}}\n"
        topics = [line.split()[0] for line in levy.describe().splitlines() if line.startswith("  payoff.")]
        self.assertEqual(kinds, {topic.split(".")[1] for topic in topics} - {"script"})
        results = levy.load_text(text).price()
        for i, (payoff, _, values) in enumerate(cases):
            trade = results.trade(i)
            own, error = values.mean(), values.std() / np.sqrt(PATHS)
            with self.subTest(payoff=payoff):
                self.assertEqual(trade.status, "ok")
                self.assertLess(abs(own - trade.price), 5 * np.hypot(error, trade.std_error) + 1e-12)


if __name__ == "__main__":
    unittest.main()
