#!/usr/bin/env python3
"""Writes a book of mixed trades on correlated equities, the same for the same arguments:

    bench/make_book.py 10000 > book.yaml

Every kind of payoff, on 20 assets in two currencies: vanilla and digital, Asian, barriers and lookbacks on dates or
continuous, forward starts and cliquets, baskets, spreads and rainbows, also under an Asian or a barrier; one trade in
twelve asks for Greeks. Half of the expiries are quarterly dates that many trades share, half are any business day of the
next three years, so that the book falls into some thousands of groups. All numbers are illustrative.
"""
import argparse
import datetime
import random

VALUATION = datetime.date(2026, 11, 20)
COMMON = {"european": 8, "digital": 3, "asian": 4, "barrier": 4, "double_barrier": 2, "touch": 2, "lookback": 2,
          "forward_start": 1, "cliquet": 1}  # on one underlying: kind -> how often
SEVERAL = {"basket": 2, "best_of": 1, "worst_of": 2, "spread": 1, "exchange": 1, "best_of_cash": 1, "worst_of_cash": 1,
           "asian": 1, "barrier": 1}  # on several
GREEKS = ["price, delta"] * 3 + ["price, delta, gamma, vega"] * 2 + ["price, delta, gamma, vega, rho, theta"]


def business(day):
    """The same day, or the Monday after it."""
    return day + datetime.timedelta(days=7 - day.weekday() if day.weekday() > 4 else 0)


QUARTERS = [business(datetime.date(year, month, 19)) for year in (2027, 2028, 2029) for month in (2, 5, 8, 11)]


def assets(draw):
    """name -> (currency, spot)"""
    return {f"{currency[0]}{i:02d}": (currency, round(draw.uniform(20, 500), 2)) for currency in ("USD", "EUR") for i in range(10)}


def write_asset(name, currency, spot, draw):
    level = draw.uniform(0.15, 0.45)
    nodes = ", ".join(f"[{date}, {level + 0.01 * i:.4f}]" for i, date in enumerate(("2027-05-20", "2028-11-20")))
    volatility = f"{level:.4f}" if draw.random() < 0.5 else f"{{kind: term, nodes: [{nodes}]}}"
    print(f"    {name}: {{currency: {currency}, spot: {spot}, dividend_yield: {draw.uniform(0, 0.03):.4f}, volatility: {volatility}}}")


def write_market(names, draw):
    print("schema_version: 1\nvaluation_date: 2026-11-20\nmarket:\n  curves:")
    print("    USD: {kind: zero, compounding: continuous, nodes: [[2027-11-20, 0.0352], [2029-11-20, 0.0346], [2031-11-20, 0.0356]]}")
    print("    EUR: 0.0215\n  assets:")
    for name, (currency, spot) in names.items():
        write_asset(name, currency, spot, draw)
    print("  correlations:\n    names: [" + ", ".join(f"{name}.spot" for name in names) + "]\n    matrix:")
    loadings = [draw.uniform(0.5, 0.85) for _ in names]
    for i, left in enumerate(loadings):
        print("      - [" + ", ".join("1" if i == j else f"{left * right:.6f}" for j, right in enumerate(loadings)) + "]")
    print("models:")
    for currency in ("USD", "EUR"):
        members = [name for name, (own, _) in names.items() if own == currency]
        print(f"  {currency.lower()}: {{kind: black_scholes, assets: [{', '.join(members)}]}}")


def expiry(draw):
    if draw.random() < 0.5:
        return draw.choice(QUARTERS)
    return business(VALUATION + datetime.timedelta(days=draw.randint(20, 1090)))


def dates(end, frequency="1M"):
    return f"observations: {{start: 2026-11-20, end: {end}, frequency: {frequency}, roll: following, calendars: [WEEKENDS]}}"


def option(draw, scale, call=None):
    side = draw.choice(["call", "put"]) if call is None else call
    return f"option_type: {side}, strike: {draw.uniform(0.8, 1.2) * scale:.4f}"


def barriers(kind, draw, scale, end, continuous):
    """One barrier or two, out of the money's way, and what the payoff says beside them."""
    low, high = draw.uniform(0.5, 0.75) * scale, draw.uniform(1.25, 1.6) * scale
    watched = "monitoring: continuous" if continuous else dates(end)
    up = draw.random() < 0.5
    one = f"direction: {'up' if up else 'down'}, level: {high if up else low:.4f}"
    two = f"lower: {low:.4f}, upper: {high:.4f}"
    if kind == "touch":
        terms = f"pays: {draw.choice(['if_touched', 'if_untouched'])}, cash: 10"
        return f"{terms}, barrier: {{{two if draw.random() < 0.5 else one}, {watched}}}"
    knock = f"knock: {draw.choice(['out', 'out', 'in'])}"
    return f"{option(draw, scale)}, barrier: {{{two if kind == 'double_barrier' else one}, {knock}, {watched}}}"


def single(kind, draw, spot, end):
    """The terms of a payoff on one underlying."""
    continuous = draw.random() < 0.4
    middle = business(VALUATION + (end - VALUATION) * 0.4)
    if kind == "digital":
        return f"{option(draw, spot)}, payout: {draw.choice(['cash, cash: 10', 'asset'])}"
    if kind == "asian":
        method = draw.choice(["arithmetic", "arithmetic", "geometric"])
        if draw.random() < 0.25:
            return f"option_type: call, averaging: {{of: strike, method: {method}, {dates(end)}}}"
        return f"{option(draw, spot)}, averaging: {{method: {method}, {dates(end)}}}"
    if kind in ("barrier", "double_barrier", "touch"):
        return barriers(kind, draw, spot, end, continuous)
    if kind == "lookback":
        watched = "monitoring: continuous" if continuous else dates(end)
        if draw.random() < 0.5:
            return f"option_type: {draw.choice(['call', 'put'])}, lookback: {{strike: floating, {watched}}}"
        return f"{option(draw, spot)}, lookback: {{strike: fixed, {watched}}}"
    if kind == "forward_start":
        return f"option_type: {draw.choice(['call', 'put'])}, strike_fraction: {draw.uniform(0.9, 1.1):.4f}, reset: {middle}"
    if kind == "cliquet":
        return f"{dates(end, '3M')[:-1]}, include_start: true}}, local_floor: 0, local_cap: 0.08, global_floor: 0.05"
    return option(draw, spot)


def several(kind, draw, end):
    """The terms of a payoff on several underlyings, levels in fractions of today's."""
    percent = "strike_type: percent_of_initial, initial_fixing: spot"
    if kind == "asian":
        return f"{option(draw, 1.0)}, aggregate: basket, {percent}, averaging: {{method: arithmetic, {dates(end)}}}"
    if kind == "barrier":
        return f"aggregate: worst_of, {percent}, {barriers(kind, draw, 1.0, end, False)}"
    if kind == "spread":
        return f"option_type: {draw.choice(['call', 'put'])}, strike: {draw.uniform(-0.1, 0.1):.4f}, {percent}"
    if kind == "exchange":
        return percent
    if kind in ("best_of_cash", "worst_of_cash"):
        return f"cash: {draw.uniform(0.9, 1.1):.4f}, {percent}"
    return f"{option(draw, 1.0)}, {percent}"


def pick(draw, table):
    return draw.choices(list(table), list(table.values()))[0]


def write_trade(number, names, draw):
    currency = draw.choice(["USD", "EUR"])
    members = [name for name, (own, _) in names.items() if own == currency]
    date = expiry(draw)
    if draw.random() < 0.3:
        kind = pick(draw, SEVERAL)
        chosen = sorted(draw.sample(members, 2 if kind in ("spread", "exchange") else draw.randint(2, 4)))
        under, size = f"underlyings: [{', '.join(chosen)}]", f"notional: {draw.randint(1, 50) * 10000}"
        terms = several(kind, draw, date)
    else:
        kind = pick(draw, COMMON)
        name = draw.choice(members)
        under, size = f"underlying: {name}", f"quantity: {draw.randint(1, 50) * 100}"
        if kind == "cliquet":
            size = f"notional: {draw.randint(1, 50) * 10000}"
        terms = single(kind, draw, names[name][1], date)
    greeks = f", measures: [{draw.choice(GREEKS)}]" if draw.random() < 1 / 12 else ""
    print(f"  - {{id: t{number:06d}, model: {currency.lower()}, {under}, position: {draw.choice(['long', 'short'])}, {size},"
          f" payoff: {{kind: {kind}, {terms}}}, exercise: {{style: european, expiry: {date}}}{greeks}}}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trades", type=int, nargs="?", default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--paths", default="2^12", help="per trade (default 2^12)")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    names = assets(draw)
    write_market(names, draw)
    print("trades:")
    for number in range(options.trades):
        write_trade(number, names, draw)
    print(f"simulation: {{paths: {options.paths}, generator: sobol_scrambled, construction: bridge, seed: 42, precision: double}}")


if __name__ == "__main__":
    main()
