#!/usr/bin/env python3
"""Generated scripts, priced by another program: an interpreter of docs/language.md that walks the text, over
paths of its own, which shares nothing with levy but the books.

    oracle.py LEVY GENERATOR SEED COUNT [LOG2_PATHS]     GENERATOR: test_generated_scripts

Compares price, cash_flows, probability, expected_life and reports on plain paths. A z above 6 is repeated with
another seed and 16 times the paths; exit code 1: what stays. Needs NumPy."""
import json
import math
import re
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

MOST_Z = 6.0

# ---- The language: text to tree ----

TOKEN = re.compile(r"[ \t]*(?:#[^\n]*)?(\d+\.?\d*(?:[eE][-+]?\d+)?%?|[A-Za-z_]\w*(?:\.\w+)?|[-+*]=|<=|>=|==|!=|[-+*/^<>=(){}\[\],;\n])")
REST = re.compile(r"[-+*/^<>=,(]|[-+*]=|<=|>=|==|!=|and|or|not|if|else")


def tokens_of(text):
    found, at, depth = [], 0, 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            if not text[at:].strip():
                break
            raise SyntaxError(text[at:at + 20])
        at = match.end()
        token = match.group(1)
        depth += (token in "([") - (token in ")]")
        if token == "\n" and (depth > 0 or (found and REST.fullmatch(found[-1]))):
            continue
        found.append(";" if token == "\n" else token)
    return found + [";", "end"]


class Parser:
    def __init__(self, text):
        self.tokens, self.at = tokens_of(text), 0

    @property
    def token(self):
        return self.tokens[self.at]

    def take(self, wanted=None):
        token = self.token
        if wanted is not None and token != wanted:
            raise SyntaxError("%s, not %s, in %s" % (wanted, token, self.tokens[self.at - 5:self.at + 5]))
        self.at += 1
        return token

    def got(self, *wanted):
        return self.take() if self.token in wanted else None

    def expression(self):
        first = self.chain(0)
        if not self.got("if"):
            return first
        condition = self.chain(0)
        self.take("else")
        return ("choice", condition, first, self.expression())

    LEVELS = (("or",), ("and",), None, ("<", "<=", ">", ">=", "==", "!="), ("+", "-"), ("*", "/"))

    def chain(self, level):
        if level == 2:
            if self.got("not"):
                return ("not", self.chain(2))
            return self.chain(3)
        if level == len(self.LEVELS):
            return self.unary()
        tree = self.chain(level + 1)
        while self.token in self.LEVELS[level]:
            tree = (self.take(), tree, self.chain(level + 1))
        return tree

    def unary(self):
        if self.got("-"):
            return ("minus", self.unary())
        tree = self.primary()
        return ("power", tree, float(self.take())) if self.got("^") else tree

    def primary(self):
        token = self.take()
        if token == "(":
            tree = self.expression()
            self.take(")")
            return tree
        if token[0].isdigit():
            return ("number", float(token[:-1]) / 100 if token[-1] == "%" else float(token))
        if self.got("("):
            arguments = [self.expression()]
            while self.got(","):
                arguments.append(self.expression())
            self.take(")")
            return ("call", token, arguments)
        if self.got("["):
            index = self.expression()
            self.take("]")
            return ("item", token, index)
        return ("name", token)

    def block(self):
        statements = []
        self.take("{")
        while not self.got("}"):
            if not self.got(";"):
                statements.append(self.statement())
        return statements

    def statement(self):
        if self.got("let"):
            name = self.take()
            self.take("=")
            return ("let", name, self.expression())
        if self.got("pay"):
            amount, later = self.expression(), False
            if self.got("at"):
                later = self.take("expiry") is not None
            return ("pay", amount, later)
        if self.got("stop"):
            return ("stop",)
        if self.got("if"):
            return self.condition()
        name = self.take()
        return ("set", name, self.take(), self.expression())

    def condition(self):
        condition, then, other = self.chain(0), self.block(), []
        if self.got("else"):
            other = [self.condition()] if self.got("if") else self.block()
        return ("if", condition, then, other)

    def script(self):
        variables, blocks, reports = [], [], []
        while self.token != "end":
            if self.got(";"):
                continue
            word = self.take()
            name = self.take()
            if word == "report":
                reports.append(name)
            elif word == "var":
                is_list = self.got("[") and self.take("]")
                self.take("=")
                variables.append((name, bool(is_list), self.expression()))
            else:
                names = [name]
                while self.got(","):
                    names.append(self.take())
                body = self.block()
                blocks += [(each, body) for each in names]
        return variables, blocks, reports


# ---- The language: a tree on all paths at once; a list is a Python list ----



def tied(a, b):
    """What is known and equals a number but for rounding equals it."""
    return np.abs(np.subtract(a, b)) <= 1e-12 * np.maximum(np.abs(a), np.abs(b))


BINARY = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "==": tied, "!=": lambda a, b: ~tied(a, b),
          "<": lambda a, b: np.less(a, b) & ~tied(a, b), "<=": lambda a, b: np.less(a, b) | tied(a, b),
          ">": lambda a, b: np.greater(a, b) & ~tied(a, b), ">=": lambda a, b: np.greater(a, b) | tied(a, b),
          "and": np.logical_and, "or": np.logical_or}


def each(function, *values):
    n = max((len(v) for v in values if isinstance(v, list)), default=0)
    if n == 0:
        return function(*values)
    return [function(*(v[i] if isinstance(v, list) else v for v in values)) for i in range(n)]


def listed(value):
    return value if isinstance(value, list) else [value]


def fold(function, values):
    result = values[0]
    for value in values[1:]:
        result = function(result, value)
    return result


def sorted_down(values):
    return list(-np.sort(-np.array(np.broadcast_arrays(*values), dtype=float), axis=0))


OF_LIST = {"worst": lambda v: fold(np.minimum, v), "best": lambda v: fold(np.maximum, v), "sum": lambda v: fold(np.add, v),
           "product": lambda v: fold(np.multiply, v), "mean": lambda v: fold(np.add, v) / len(v), "sorted": sorted_down,
           "count": lambda v: fold(np.add, [1.0 * np.asarray(c) for c in v]), "all": lambda v: fold(np.logical_and, v),
           "any": lambda v: fold(np.logical_or, v)}
OF_ONE = {"abs": np.abs, "sqrt": lambda x: np.sqrt(np.maximum(x, 0)), "exp": np.exp, "log": lambda x: np.log(np.maximum(x, 1e-30)),
          "cdf": np.vectorize(lambda x: math.erfc(-x * math.sqrt(0.5)) / 2, otypes=[float]),
          "pdf": lambda x: np.exp(-np.square(x) / 2) / math.sqrt(2 * math.pi)}


class Run:
    """One trade on all paths."""

    def __init__(self, book, paths):
        self.paths, trade = paths, book["trades"][0]
        payoff = trade["payoff"]
        self.parameters, self.names = payoff["parameters"], paths.names
        initial = payoff.get("initial_fixing", paths.spots)
        percent = payoff.get("levels") == "percent_of_initial"
        weights = [u.get("weight", 1.0) if isinstance(u, dict) else 1.0 for u in trade["underlyings"]]
        self.units = [w / (i if percent else 1.0) for w, i in zip(weights, initial)]
        self.expiry, self.payment = trade["exercise"]["expiry"], trade["payment_date"]
        self.variables, self.blocks, self.reports = Parser(payoff["script"]).script()
        self.dates = {"expiry": [self.expiry]}
        self.lags = {"expiry": 0.0}
        for name, schedule in payoff["schedules"].items():
            self.dates[name], self.lags[name] = dates_of(schedule, self.expiry), 2 / 365 if "payment_lag" in schedule else 0.0

    def value(self, tree):
        kind = tree[0]
        if kind in BINARY:
            return each(BINARY[kind], self.value(tree[1]), self.value(tree[2]))
        return getattr(self, "value_" + kind)(*tree[1:])

    def value_number(self, number):
        return number

    def value_name(self, name):
        for place in (self.lets, self.state):
            if name in place:
                return place[name]
        if name in self.parameters:
            return self.parameters[name]
        if "." in name:
            return self.of_state(*name.split("."))
        return {"level": lambda: self.levels[0], "levels": lambda: list(self.levels), "number": lambda: float(self.number),
                "dates": lambda: float(len(self.dates[self.schedule])), "assets": lambda: float(len(self.levels))}[name]()

    def of_state(self, of, state):
        all_of = self.paths.states_at(self.now)[state == "integrated_variance"]
        return list(all_of) if of == "levels" else all_of[0 if of == "level" else self.names.index(of)]

    def value_item(self, name, index):
        return listed(self.value_name(name))[int(self.value(index)) - 1]

    def value_minus(self, tree):
        return each(np.negative, self.value(tree))

    def value_not(self, tree):
        return each(np.logical_not, self.value(tree))

    def value_power(self, tree, exponent):
        return each(lambda x: OF_ONE["sqrt"](x) if exponent == 0.5 else np.power(x, exponent), self.value(tree))

    def value_choice(self, condition, first, other):
        return each(np.where, self.value(condition), self.value(first), self.value(other))

    def time(self, tree):
        return {"now": self.now, "expiry": self.expiry}[tree[1]] if tree[0] == "name" else self.value(tree)

    def of_market(self, name, arguments):
        start, end = (self.time(a) for a in arguments[-2:])
        if name == "years":
            return end - start
        if name == "discount":
            return self.paths.discount(end) / self.paths.discount(start)
        asset = self.names.index(arguments[0][1]) if len(arguments) == 3 else 0
        end = start + 1e-6 if abs(end - start) < 1e-6 else end
        return ((self.paths.variance(asset, end) - self.paths.variance(asset, start)) / (end - start)) ** 0.5

    def value_call(self, name, arguments):
        if name in ("volatility", "discount", "years"):
            return self.of_market(name, arguments)
        values = [self.value(a) for a in arguments]
        if name in ("min", "max"):
            return fold(lambda a, b: each(np.minimum if name == "min" else np.maximum, a, b), values)
        if name in OF_LIST:
            return OF_LIST[name](listed(values[0]))
        if name in OF_ONE:
            return each(OF_ONE[name], values[0])
        return self.crossing(name, values[0])

    def crossing(self, name, barrier):
        before = max((t for t in self.dates[self.schedule] if t < self.now - 1e-9), default=0.0)
        chances = []
        for i, unit in enumerate(self.units):
            level = listed(barrier)[i] if isinstance(barrier, list) else barrier
            x, y = (np.log(self.paths.at(t)[i] * unit / level) for t in (before, self.now))
            variance = self.paths.variance(i, self.now) - self.paths.variance(i, before)
            inside = {"fell_to": (x > 0) & (y > 0), "rose_to": (x < 0) & (y < 0), "crossed": x * y > 0}[name]
            chances.append(np.where(inside, np.exp(np.minimum(-2 * x * y / variance, 0)), 1.0))
        return chances if len(chances) > 1 else chances[0]

    def execute(self, statements, mask):
        for s in statements:
            mask = mask & ~self.stopping
            if s[0] == "let":
                self.lets[s[1]] = self.value(s[2])
            elif s[0] == "pay":
                self.pay(np.where(mask, self.value(s[1]), 0.0), s[2])
            elif s[0] == "stop":
                self.life = np.where(mask & ~self.stopping, self.now, self.life)
                self.stopping = self.stopping | mask
            elif s[0] == "if":
                lets, condition = dict(self.lets), self.value(s[1])
                self.execute(s[2], mask & condition)
                self.lets = dict(lets)
                self.execute(s[3], mask & np.logical_not(condition))
                self.lets = lets
            else:
                self.assign(s[1], s[2], self.value(s[3]), mask)

    def assign(self, name, how, value, mask):
        old = self.state[name]
        if how != "=":
            value = each(BINARY[how[0]], old, value)
        self.state[name] = each(lambda new, was: np.where(mask, new, was), value, old)

    def pay(self, amount, later):
        at_expiry = later or self.schedule == "expiry"
        date = self.payment if at_expiry else self.now + self.lags[self.schedule]
        if date < -1e-9:
            return
        key = next((d for d in self.flows if abs(d - date) < 1e-9), date)
        self.flows[key] = self.flows.get(key, 0.0) + amount * self.paths.discount(date)

    def run(self):
        n = self.paths.n
        self.lets, self.flows, self.state = {}, {}, {}
        self.stopping, self.life = np.zeros(n, bool), np.full(n, float(self.expiry))
        self.levels, self.now, self.schedule, self.number = [], 0.0, "expiry", 1
        for name, is_list, value in self.variables:
            self.state[name] = [self.value(value) + np.zeros(n) for _ in self.units] if is_list else self.value(value) + np.zeros(n)
        visits = [(t, k, schedule, i + 1, body) for k, (schedule, body) in enumerate(self.blocks)
                  for i, t in enumerate(self.dates[schedule])]
        for self.now, _, self.schedule, self.number, body in sorted(visits, key=lambda v: (round(v[0], 9), v[1])):
            self.levels, self.lets = [s * u for s, u in zip(self.paths.at(self.now), self.units)], {}
            self.execute(body, ~self.stopping)
        return self


def dates_of(schedule, expiry):
    if "times" in schedule:
        return schedule["times"]
    start, n = schedule.get("start", 0.0), schedule["count"]
    return [start + (k + 1) * (expiry - start) / n for k in range(n)]


# ---- Paths ----

def at_term(number, t):
    """A number, or the one by term that applies at t: each node's until its time, the last one's from then on."""
    if not isinstance(number, dict):
        return number
    return next((value for end, value in number["nodes"] if t <= end), number["nodes"][-1][1])


def by_nodes(nodes, value, t):
    """A line through 0 and the nodes, going on beyond the last."""
    times, values = [0.0] + [n[0] for n in nodes], [0.0] + [value(*n) for n in nodes]
    k = min(max(1, int(np.searchsorted(times, t))), len(nodes))
    return values[k - 1] + (values[k] - values[k - 1]) * (t - times[k - 1]) / (times[k] - times[k - 1])


class Paths:
    def __init__(self, book, n, seed):
        market = book["market"]
        self.n, self.random, self.curve, self.model = n, np.random.default_rng(seed), market["curves"]["USD"], book["models"]["m"]
        self.names = self.model["assets"]
        self.assets = [market["assets"][name] for name in self.names]
        self.spots = [a["spot"] for a in self.assets]
        m = len(self.names)
        correlation = np.eye(m)
        for first, other, rho in market.get("correlations", {}).get("pairs", []):
            i, j = (self.names.index(f.split(".")[0]) for f in (first, other))
            correlation[i, j] = correlation[j, i] = rho
        self.root = np.linalg.cholesky(correlation + 1e-14 * np.eye(m))
        self.known = {0.0: [np.full(n, s) for s in self.spots]}
        self.moving = [np.full(n, s - self.to_come(a, 0.0, a.get("dividends", {}).get("horizon", np.inf)))
                       for a, s in zip(self.assets, self.spots)]
        self.time, self.regime = 0.0, np.zeros(n, int)
        self.states = {0.0: [[np.full(n, self.model["v0"])] * m, [np.zeros(n)] * m]} if "v0" in self.model else {}
        self.last_states = [np.array(s) for s in self.states.get(0.0, [])]
        self.until_switch = self.random.exponential(1 / 0.5, n)

    def states_at(self, t):
        """Variances at a date, and their integrals since today, of which the past has none."""
        return self.states[next(k for k in self.states if abs(k - max(t, 0.0)) < 1e-9)]

    def move_variances(self, start, end):
        """Full truncation by short steps; returns the diffusions' log returns."""
        n, m, model = max(1, int(np.ceil((end - start) * 250))), len(self.names), self.model
        (variances, sums), dt, returns = self.last_states, (end - start) / n, np.zeros((m, self.n))
        for k in range(n):
            kappa, theta, xi, rho = (at_term(model[name], start + (k + 0.5) * dt) for name in ("kappa", "theta", "xi", "rho"))
            z, own = self.root @ self.random.standard_normal((m, self.n)), self.random.standard_normal((m, self.n))
            now = np.maximum(variances, 0.0)
            sums = sums + now * dt
            returns += np.sqrt(now * dt) * z - now * dt / 2
            variances = variances + kappa * (theta - now) * dt + xi * np.sqrt(now * dt) * (rho * z + np.sqrt(1 - rho ** 2) * own)
        self.last_states = variances, sums
        return returns

    def log_discount(self, t):
        if not isinstance(self.curve, dict):
            return -self.curve * t
        if self.curve["kind"] == "zero":
            return by_nodes(self.curve["nodes"], lambda s, r: -r * s, t)
        return by_nodes(self.curve["nodes"], lambda s, d: np.log(d), t)

    def discount(self, t):
        return float(np.exp(self.log_discount(t)))

    def variance(self, i, t):
        volatility = self.assets[i]["volatility"]
        if not isinstance(volatility, dict):
            return volatility ** 2 * t
        return by_nodes(volatility["nodes"], lambda s, v: v * v * s, t)

    def at(self, t):
        """Levels at a date; dates of the future come in order."""
        if t < 0:
            return [np.full(self.n, dict(map(tuple, a["fixings"]))[t]) for a in self.assets]
        key = next((k for k in self.known if abs(k - t) < 1e-9), None)
        if key is None:
            self.go(t)
            key = t
        return self.known[key]

    def go(self, t):
        ex_dates = sorted({d[0] for a in self.assets for pays in a.get("dividends", {}).values() if isinstance(pays, list) for d in pays})
        now = self.moving
        for stop in [d for d in ex_dates if self.time < d < t - 1e-9] + [t]:
            now = self.step(now, self.time, stop)
            now = [self.after_dividends(a, s, stop) for a, s in zip(self.assets, now)]
            self.time = stop
        self.moving = now
        self.known[t] = [s + self.to_come(a, t, a.get("dividends", {}).get("horizon", np.inf)) for a, s in zip(self.assets, now)]
        if self.states:
            self.states[t] = [np.maximum(self.last_states[0], 0.0), self.last_states[1]]

    def growth(self, asset, start, end):
        """Of the asset, without cash."""
        kept = np.prod([1 - f for ex, f in asset.get("dividends", {}).get("proportional", []) if start < ex <= end])
        carry = asset.get("dividend_yield", 0.0) + asset.get("borrow", 0.0)
        return kept * np.exp(self.log_discount(start) - self.log_discount(end) - carry * (end - start))

    def to_come(self, asset, t, horizon):
        """By the affine rule, cash that is to come does not move."""
        dividends = asset.get("dividends", {})
        if dividends.get("rule") != "affine":
            return 0.0
        return sum(amount / self.growth(asset, t, ex) for ex, amount in dividends["cash"] if t < ex <= horizon)

    def after_dividends(self, asset, level, t):
        dividends = asset.get("dividends", {})
        if dividends.get("rule") == "affine":  # behind the horizon the forward falls
            for ex, amount in dividends["cash"]:
                if abs(ex - t) < 1e-9 and ex > dividends.get("horizon", np.inf):
                    left = asset["spot"] - sum(a / self.growth(asset, 0.0, e) for e, a in dividends["cash"] if e < ex)
                    level = level * (1 - amount / self.growth(asset, 0.0, ex) / left)
            dividends = {"proportional": dividends.get("proportional", [])}
        for ex, amount in dividends.get("cash", []):
            level = np.maximum(level - amount, 0.0) if abs(ex - t) < 1e-9 else level
        for ex, share in dividends.get("proportional", []):
            level = level * (1 - share) if abs(ex - t) < 1e-9 else level
        return level

    def step(self, now, start, end):
        dt, growth = end - start, -(self.log_discount(end) - self.log_discount(start))
        clock = self.clock(dt) if self.model["kind"] == "regime_switching" else None
        normals = self.root @ self.random.standard_normal((len(now), self.n))
        moved = self.move_variances(start, end) if self.states else None
        common = self.random.poisson(self.jumps()["intensity"] * dt, self.n) if self.jumps() else None
        after = []
        for i, level in enumerate(now):
            asset = self.assets[i]
            drift = growth - (asset.get("dividend_yield", 0.0) + asset.get("borrow", 0.0)) * dt
            after.append(level * np.exp(drift + self.log_return(i, start, end, normals[i], clock, common, moved)))
        return after

    def jumps(self):
        return self.model["jumps"][0] if "jumps" in self.model else None

    def clock(self, dt):
        """Variance of two regimes over the interval."""
        volatility, rates = np.array([0.15, 0.35]), np.array([0.5, 3.0])
        left, variance = np.full(self.n, dt), np.zeros(self.n)
        while True:
            step = np.minimum(left, self.until_switch)
            variance += volatility[self.regime] ** 2 * step
            left, self.until_switch = left - step, self.until_switch - step
            switched = self.until_switch <= 0
            if not switched.any():
                return variance
            self.regime = np.where(switched, 1 - self.regime, self.regime)
            self.until_switch = np.where(switched, self.random.exponential(1 / rates[self.regime]), self.until_switch)

    def log_return(self, i, start, end, z, clock, common, moved):
        model, kind, dt = self.model, self.model["kind"], end - start
        if kind == "normal_inverse_gaussian":
            alpha, beta, delta = model["alpha"], model["beta"], model["delta"]
            gamma = np.sqrt(alpha ** 2 - beta ** 2)
            time = self.random.wald(delta * dt / gamma, (delta * dt) ** 2, self.n)
            return beta * time + np.sqrt(time) * z - dt * delta * (gamma - np.sqrt(alpha ** 2 - (beta + 1) ** 2))
        if kind == "variance_gamma":
            sigma, theta, nu = model["sigma"], model["theta"], model["nu"]
            time = self.random.gamma(dt / nu, nu, self.n)
            return theta * time + sigma * np.sqrt(time) * z + dt * np.log(1 - theta * nu - sigma ** 2 * nu / 2) / nu
        if moved is not None:
            result = moved[i].copy()
        else:
            variance = clock if clock is not None else self.variance(i, end) - self.variance(i, start)
            result = np.sqrt(variance) * z - variance / 2
        if kind in ("merton", "bates") or common is not None:
            m, s, rate = (model["jump_mean"], model["jump_volatility"], model["intensity"]) if common is None else (
                -0.1, 0.15, self.jumps()["intensity"])
            count = self.random.poisson(rate * dt, self.n) if common is None else common
            marks = self.random.standard_normal(self.n)
            result += m * count + s * np.sqrt(count) * marks - rate * dt * (np.exp(m + s * s / 2) - 1)
        if kind == "kou":
            p, up, down, rate = model["probability_up"], model["rate_up"], model["rate_down"], model["intensity"]
            ups, downs = self.random.poisson(p * rate * dt, self.n), self.random.poisson((1 - p) * rate * dt, self.n)
            result += np.where(ups > 0, self.random.gamma(np.maximum(ups, 1)) / up, 0.0)
            result -= np.where(downs > 0, self.random.gamma(np.maximum(downs, 1)) / down, 0.0)
            result -= rate * dt * (p * up / (up - 1) + (1 - p) * down / (down + 1) - 1)
        return result


# ---- Comparison ----

def mean_of(values, n):
    values = np.broadcast_to(np.asarray(values, float), (n,))
    return float(values.mean()), float(values.std() / np.sqrt(n))


def own_measures(book, n, seed):
    paths = Paths(book, n, seed)
    run = Run(book, paths).run()
    notional = book["trades"][0]["notional"]
    found = {("price", ""): mean_of(notional * sum(run.flows.values(), np.zeros(n)), n)}
    for date, flow in run.flows.items():
        found["cash_flows", round(date, 6)] = mean_of(notional * flow, n)
    for name in run.reports:
        found["report", name] = mean_of(run.state[name], n)
    if (run.life >= 0).all():  # what ended before today has no life left
        found["expected_life", "years"] = mean_of(run.life, n)
        for date in sorted(set(np.round(run.life, 6).tolist())):
            found["probability", date] = mean_of(np.abs(run.life - date) < 1e-6, n)
    return found


def levy_measures(levy, text, log2_paths, seed):
    command = [levy, "price", "/dev/stdin", "-d", "cpu", "--set", "simulation.smoothing=none", "--set", "simulation.paths=2^%d" % log2_paths,
               "--set", "simulation.seed=%d" % seed, "--set", "measures=price,cash_flows,probability,expected_life", "--format", "json"]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(result.stderr + result.stdout)
    found = {}
    for m in json.loads(result.stdout)["results"][0]["measures"]:
        factor = m.get("factor") or ""
        key = round(float(factor), 6) if m["measure"] in ("cash_flows", "probability") else factor
        found[m["measure"], key] = (m["value"], m["std_error"])
    return found


def differences(levy, text, log2_paths, seed):
    """(measure, own, levy's, z) of each, z of 6 and more being a difference."""
    own, its = own_measures(json.loads(text), 1 << log2_paths, seed), levy_measures(levy, text, log2_paths, seed)
    found = []
    stops = "stop" in json.loads(text)["trades"][0]["payoff"]["script"]
    for key in sorted(set(own) | set(its), key=str):
        if key[0] in ("probability", "expected_life") and not stops:
            continue  # levy has them of scripts that stop
        a, b = own.get(key, (0.0, 0.0)), its.get(key, (0.0, 0.0))
        error = np.hypot(a[1], b[1] if b[1] is not None else 0.0) + 1e-9 * (1 + abs(a[0]))
        if b[1] is None and a[1] > 0 and abs(a[0] - b[0]) < 0.05:
            continue  # paths that all give the same may miss what is rare
        found.append((key, a, b, abs(a[0] - b[0]) / error))
    return found


def main(levy, generator, seed, count, log2_paths=14):
    lines = subprocess.run([generator, "json", str(seed), str(count)], capture_output=True, text=True, check=True).stdout.splitlines()
    squares, numbers, bad, repeated = 0.0, 0, 0, 0
    for k, text in enumerate(lines):
        found = differences(levy, text, log2_paths, 1)
        squares, numbers = squares + sum(f[3] ** 2 for f in found if f[3] <= MOST_Z), numbers + len(found)
        if any(f[3] > MOST_Z for f in found):
            repeated += 1
            found = [f for f in differences(levy, text, log2_paths + 4, 2) if f[3] > MOST_Z]
            bad += len(found) > 0
            for key, a, b, z in found:
                print("seed %d: %s: %.9g +- %.2g, levy %.9g +- %.2g, z %.1f" % (seed + k, key, *a, b[0], b[1] or np.nan, z), flush=True)
        if k % 100 == 99:
            print("%d books, %d numbers, rms z %.3f, %d repeated, %d differ" % (k + 1, numbers, np.sqrt(squares / numbers), repeated, bad),
                  flush=True)
    print("%d books, %d numbers, rms z %.3f, %d repeated, %d differ" % (len(lines), numbers, np.sqrt(squares / max(numbers, 1)), repeated, bad))
    return bad > 0


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])))
