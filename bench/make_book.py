#!/usr/bin/env python3
"""Writes a book of mixed trades on correlated equities, the same for the same arguments:

    bench/make_book.py 10000 > book.yaml

Europeans, digitals, Asians, barriers, baskets, best-of and worst-of options on 20 assets in two currencies. Half of the
expiries are quarterly dates that many trades share, half are any business day of the next three years, so that the book
falls into some thousands of groups. All numbers are illustrative.
"""
import argparse
import datetime
import random

VALUATION = datetime.date(2026, 11, 20)
KINDS = ["european"] * 4 + ["digital"] * 2 + ["asian"] * 2 + ["barrier"] * 2 + ["basket", "best_of", "worst_of"]


def business(day):
    """The same day, or the Monday after it."""
    return day + datetime.timedelta(days=7 - day.weekday() if day.weekday() > 4 else 0)


QUARTERS = [business(datetime.date(year, month, 19)) for year in (2027, 2028, 2029) for month in (2, 5, 8, 11)]


def assets(draw):
    """name -> (currency, spot)"""
    return {f"{currency[0]}{i:02d}": (currency, round(draw.uniform(20, 500), 2)) for currency in ("USD", "EUR") for i in range(10)}


def write_market(names, draw):
    print("schema_version: 1\nvaluation_date: 2026-11-20\nmarket:\n  curves:")
    print("    USD: {kind: zero, compounding: continuous, nodes: [[2027-11-20, 0.0352], [2029-11-20, 0.0346], [2031-11-20, 0.0356]]}")
    print("    EUR: 0.0215\n  assets:")
    for name, (currency, spot) in names.items():
        level = draw.uniform(0.15, 0.45)
        nodes = ", ".join(f"[{date}, {level + 0.01 * i:.4f}]" for i, date in enumerate(("2027-05-20", "2028-11-20")))
        volatility = f"{level:.4f}" if draw.random() < 0.5 else f"{{kind: term, nodes: [{nodes}]}}"
        print(f"    {name}: {{currency: {currency}, spot: {spot}, dividend_yield: {draw.uniform(0, 0.03):.4f}, volatility: {volatility}}}")
    print("  correlations:\n    names: [" + ", ".join(f"{name}.spot" for name in names) + "]\n    matrix:")
    loadings = [draw.uniform(0.5, 0.85) for _ in names]
    for i, left in enumerate(loadings):
        print("      - [" + ", ".join("1" if i == j else f"{left * right:.6f}" for j, right in enumerate(loadings)) + "]")
    for currency in ("USD", "EUR"):
        members = [name for name, (own, _) in names.items() if own == currency]
        print(f"{'models:' + chr(10) if currency == 'USD' else ''}  {currency.lower()}: {{kind: black_scholes, assets: [{', '.join(members)}]}}")


def expiry(draw):
    if draw.random() < 0.5:
        return draw.choice(QUARTERS)
    return business(VALUATION + datetime.timedelta(days=draw.randint(20, 1090)))


def payoff(kind, spot, draw):
    """The payoff's terms; `spot` None: several underlyings, strikes in percent of today."""
    option = draw.choice(["call", "put"])
    percent = spot is None
    strike = draw.uniform(0.8, 1.2) * (1.0 if percent else spot)
    terms = f"kind: {kind}, option_type: {option}, strike: {strike:.4f}"
    if percent:
        terms += ", strike_type: percent_of_initial, initial_fixing: spot"
    if kind == "digital":
        terms += f", payout: {draw.choice(['cash', 'asset'])}"
        if terms.endswith("cash"):
            terms += ", cash: 10"
    return terms, option


def write_trade(number, names, draw):
    kind = draw.choice(KINDS)
    currency = draw.choice(["USD", "EUR"])
    members = [name for name, (own, _) in names.items() if own == currency]
    date = expiry(draw)
    several = kind in ("basket", "best_of", "worst_of")
    chosen = sorted(draw.sample(members, draw.randint(2, 4))) if several else [draw.choice(members)]
    spot = None if several else names[chosen[0]][1]
    terms, option = payoff(kind, spot, draw)
    observations = f"observations: {{start: 2026-11-20, end: {date}, frequency: 1M, roll: following, calendars: [WEEKENDS]}}"
    if kind == "asian":
        terms += f", averaging: {{method: arithmetic, {observations}}}"
    if kind == "barrier":
        level = spot * (draw.uniform(1.25, 1.6) if option == "call" else draw.uniform(0.5, 0.75))
        terms += (f", barrier: {{direction: {'up' if option == 'call' else 'down'}, knock: out, level: {level:.4f},"
                  f" monitoring: discrete, {observations}}}")
    size = f"notional: {draw.randint(1, 50) * 10000}" if several else f"quantity: {draw.randint(1, 50) * 100}"
    under = f"underlyings: [{', '.join(chosen)}]" if several else f"underlying: {chosen[0]}"
    print(f"  - {{id: t{number:06d}, model: {currency.lower()}, {under}, position: {draw.choice(['long', 'short'])}, {size},"
          f" payoff: {{{terms}}}, exercise: {{style: european, expiry: {date}}}}}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trades", type=int, nargs="?", default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--paths", default="2^12")
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
