"""guesses.py LEVY: first guesses of people who know no document of levy (guesses/*.yaml) price the contract that they meant, at
once or after one answer: the line that a message writes, or the one that the list has where it writes none. None prices another.
Prices are compared with closed forms or with another kind of levy's own, within four standard errors."""
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
models: {one: {kind: black_scholes, assets: [A]}}
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
    return {"id": name, "underlying": "A", "exercise": {"expiry": "2027-01-02"},
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


def compare(guesses, found):
    for number, guess in enumerate(guesses):
        if f"guess{number}" not in found:
            continue
        price, error = found[f"guess{number}"]
        wanted, other = found.get(f"right{number}", (guess.get("number"), 0.0))
        if abs(price - wanted) > 4 * (error + other) + 1e-6 * abs(wanted):
            yield f"guess{number}: {guess['meant']}: {price} +- {error}, and not {wanted}"


def main():
    n, at_once, home, faults = scripts()
    print(f"scripts: {n} guesses, {at_once} right at once, {home} after one answer, {n - at_once - home} not")
    if at_once + home < n:
        faults.append("some scripts are not led home")
    for fault in faults:
        print("FAILED:", fault)
    sys.exit(1 if faults else 0)


main()
