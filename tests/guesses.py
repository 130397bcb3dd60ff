"""guesses.py LEVY: first guesses of people who know no document of levy (guesses/*.yaml) price the contract that they meant, at
once or after one answer: the line that a message writes, or the one that the list has where it writes none. None prices another.
Prices are compared with closed forms or with another kind of levy's own, within four standard errors."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

LEVY, FOLDER = sys.argv[1], pathlib.Path(__file__).parent / "guesses"
MARKET = """schema_version: 1
valuation_date: 2026-01-02
market:
  curves: {USD: 0.03}
  assets:
    A: {currency: USD, spot: 100, volatility: 0.22, dividend_yield: 0.015}
    B: {currency: USD, spot: 40, volatility: 0.31}
    C: {currency: USD, spot: 250, volatility: 0.27, dividend_yield: 0.03}
    EURUSD: {currency: USD, spot: 1.1, volatility: 0.1, dividend_yield: 0.02}
  correlations: {pairs: [[A.spot, B.spot, 0.55], [A.spot, C.spot, 0.4], [B.spot, C.spot, 0.3]]}
models:
  one: {kind: black_scholes, assets: [A, B, C]}
  fx: {kind: black_scholes, assets: [EURUSD]}
"""
WRITES = re.compile(r'write (?:levels: (\w+), )?script: "([^"]*)"')
SMALL = ["--set", "simulation.paths=2^14"]


def run(command, text):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        return subprocess.run([LEVY, *command, file.name], capture_output=True, text=True, check=False)


def book(trades):
    return MARKET + yaml.safe_dump({"trades": trades}, sort_keys=False)


def prices(trades):
    """Of all trades at once: {id: (price, standard error)}."""
    done = run(["price", "--format", "csv", "--columns", "id,price,std_error", *SMALL], book(trades))
    if done.returncode:
        sys.exit(f"FAILED: {done.stderr}")
    rows = (line.split(",") for line in done.stdout.splitlines()[1:])
    return {name: (float(price), float(error)) for name, price, error in rows}


def script_trade(name, guess, payoff):
    dated = "dates" in guess["script"] or "months" in guess["meant"]
    schedules = {"schedules": {"dates": {"count": 12}}} if dated else {}
    return {"id": name, "model": "one", "underlying": "A", "exercise": {"expiry": "2027-01-02"},
            "payoff": {"kind": "script", **schedules, **payoff}}


def script_answer(guess, said):
    """What the messages say to write."""
    line = WRITES.search(said)
    if not line:
        return guess.get("answer")
    return {"script": line[2], **({"levels": line[1]} if line[1] else {})}


def scripts():
    trades, at_once, home, faults = [], [], [], []
    guesses = yaml.safe_load((FOLDER / "scripts.yaml").read_text())["guesses"]
    for number, guess in enumerate(guesses):
        name = f"guess{number}"
        first = script_trade(name, guess, {"script": guess["script"]})
        said = run(["validate"], book([first]))
        if said.returncode == 0:
            at_once.append(name)
            trades.append(first)
        elif answer := script_answer(guess, said.stderr):
            home.append(name)
            trades.append(script_trade(name, guess, answer))
        for words in guess["says"]:
            if words not in said.stderr:
                faults.append(f"{name}: no message says {words!r}:\n{said.stderr}")
        if "right" in guess:
            trades.append({**first, "id": f"right{number}", "payoff": guess["right"]})
    faults += compare(guesses, prices(trades))
    return len(guesses), len(at_once), len(home), faults


def kind_trade(name, guess):
    """The guess in levy's frame: what a trade has stands there, all else in its payoff."""
    keys = dict(guess["trade"])
    trade = {key: keys.pop(key) for key in ("underlying", "underlyings", "notional", "quantity") if key in keys}
    expiry = keys.pop("maturity", None) or keys.pop("expiry", None)
    payoff = {"kind": keys.pop("payoff"), **keys}
    return placed(name, {**trade, "payoff": payoff, **({"expiry": expiry} if expiry else {})})


def placed(name, trade):
    return {"id": name, "model": "fx" if trade.get("underlying") == "EURUSD" else "one", **trade}


def kinds():
    trades, at_once, home, others, faults = [], [], [], [], []
    guesses = yaml.safe_load((FOLDER / "kinds.yaml").read_text())["guesses"]
    for number, guess in enumerate(guesses):
        name = f"guess{number}"
        first = kind_trade(name, guess)
        said = run(["validate"], book([first]))
        if said.returncode == 0:
            trades.append(first)
            (others if "another" in guess else at_once).append(name)
            if {"answer", "not", "why"} & set(guess):
                faults.append(f"{name} is right at once, and the list does not say so")
        elif "answer" in guess:
            trades.append(placed(name, guess["answer"]))
            home.append(name)
            faults += [f"{name}: no message says {words!r}:\n{said.stderr}" for words in guess["says"]
                       if words not in said.stderr]
        elif "not" not in guess:
            faults.append(f"{name} is refused, and the list has no answer:\n{said.stderr}")
        if said.returncode and "why" not in guess:
            faults.append(f"{name} is refused, and the list does not say why")
        if "right" in guess:
            trades.append(placed(f"right{number}", guess["right"]))
    wrong = list(compare(guesses, prices(trades)))
    faults += [line for line in wrong if line.split(":")[0] not in others]
    faults += [f"{name} prices what was meant" for name in others if not any(line.startswith(name + ":") for line in wrong)]
    return guesses, at_once, home, others, faults


def refused_trade(group, payoff):
    trade = {"underlying": "A", "expiry": "2027-01-02", **group.get("trade", {}), "payoff": payoff}
    return placed("refused", {key: value for key, value in trade.items() if value is not None})


def refused():
    """Words that are not certain are refused, and no message writes another contract for them."""
    faults, n = [], 0
    for group in yaml.safe_load((FOLDER / "refused.yaml").read_text())["refused"]:
        for payoff in group["payoffs"]:
            n += 1
            said = run(["validate"], book([refused_trade(group, payoff)]))
            if said.returncode == 0:
                faults.append(f"{group['meant']}: {payoff} is priced")
            if group["says"] not in said.stderr or group.get("never", "\0") in said.stderr:
                faults.append(f"{group['meant']}: {payoff}:\n{said.stderr}")
    return n, faults


def alike():
    """All first guesses and refused books as JSON, where all words are in quotes, are told the same."""
    lists = [yaml.safe_load((FOLDER / name).read_text()) for name in ("kinds.yaml", "scripts.yaml", "refused.yaml")]
    trades = [kind_trade("one", guess) for guess in lists[0]["guesses"]]
    trades += [script_trade("one", guess, {"script": guess["script"]}) for guess in lists[1]["guesses"]]
    trades += [refused_trade(group, payoff) for group in lists[2]["refused"] for payoff in group["payoffs"]]
    faults = []
    for trade in trades:
        spoken = json.dumps({**yaml.safe_load(MARKET), "trades": [trade]}, default=str)
        said = [re.sub(r"^\S+:\d+:\d+: | on line .*| \(in quotes\)", "", run(["validate"], text).stderr, flags=re.M)
                for text in (book([trade]), spoken)]
        if said[0] != said[1]:
            faults.append(f"{trade} as YAML and as JSON:\n{said[0]}{said[1]}")
    return faults


def columns():
    """Former keys are columns of a table of trades as the present ones are."""
    former, now = "calls barrier protection".split(), "observations call_barrier knock_in_barrier".split()
    printed = []
    for first, second, third in (former, now):
        head = ["id", "model", "underlying", "notional", "payoff.kind", f"payoff.{first}.count", f"payoff.{second}",
                "payoff.coupon", f"payoff.{third}", "exercise.expiry"]
        with tempfile.TemporaryDirectory() as folder:
            table, market = pathlib.Path(folder, "trades.csv"), pathlib.Path(folder, "market.yaml")
            table.write_text(",".join(head) + "\nnote,one,A,100,autocallable,4,1,0.02,0.6,2027-01-02\n")
            market.write_text(MARKET)
            done = subprocess.run([LEVY, "price", str(table), "--market", str(market), "--format", "csv", "--columns",
                                   "id,price,std_error", *SMALL], capture_output=True, text=True, check=False)
        printed.append(done.stdout or done.stderr)
    return [] if printed[0] == printed[1] and "note," in printed[0] else [f"columns of former keys: {printed}"]


def shares():
    """Weights and a strike in percent are those as fractions."""
    ways = {"percent": {"strike": "100%", "weights": ["40%", "35 %", "25%"]},
            "fraction": {"strike": 1, "weights": [0.4, 0.35, 0.25], "strike_type": "percent_of_initial"}}
    found = prices([placed(name, {"underlyings": ["A", "B", "C"], "notional": 100, "exercise": {"expiry": "2027-01-02"},
                                  "payoff": {"kind": "basket", "type": "call", **way}}) for name, way in ways.items()])
    return [] if found["percent"] == found["fraction"] else [f"shares: {found}"]


def compare(guesses, found):
    for number, guess in enumerate(guesses):
        if f"guess{number}" not in found:
            continue
        price, error = found[f"guess{number}"]
        wanted, other = found.get(f"right{number}", (guess.get("number"), 0.0))
        if "trade" in guess and f"right{number}" in found:
            error = other = 0.0  # the same trade has the same bits
        if abs(price - wanted) > 4 * (error + other) + 1e-6 * abs(wanted):
            yield f"guess{number}: {guess['meant']}: {price} +- {error}, and not {wanted}"


def main():
    n, at_once, home, faults = scripts()
    print(f"scripts: {n} guesses, {at_once} right at once, {home} after one answer, {n - at_once - home} not")
    if at_once + home < n:
        faults.append("some scripts are not led home")
    guesses, at_once, home, others, wrong = kinds()
    faults += wrong + columns() + shares() + alike()
    print(f"kinds: {len(guesses)} guesses, {len(at_once)} right at once, {len(home)} after one answer, "
          f"{len(others)} another contract, {len(guesses) - len(at_once) - len(home) - len(others)} not")
    n, wrong = refused()
    faults += wrong
    print(f"words that are not certain: {n} books are refused" if not wrong else f"of {n} books {len(wrong)} are not refused so")
    for fault in faults:
        print("FAILED:", fault)
    sys.exit(1 if faults else 0)


main()
