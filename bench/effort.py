#!/usr/bin/env python3
"""How far the estimates of `levy explain`, by which auto chooses a device, are from the seconds that `levy price` takes.

    bench/effort.py LEVY [FILE...]      default: all of configs/, and every row of `levy bench` in double precision

Each file is priced on one thread with 2^17 paths, three times; the least counts. Prints a line for every group: file, group,
seconds, estimate over seconds; then the least and the most ratio, and the share within a factor of two.
"""
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

levy, named = sys.argv[1], sys.argv[2:]
root = Path(__file__).resolve().parent.parent


def run(*words):
    return subprocess.run([levy, *words], capture_output=True, text=True).stdout


def rows(folder):
    for line in run("bench", "--list").splitlines():
        text = run("bench", "--show", line.split()[0]) if line.split()[0].endswith("_f64") else ""
        if text.startswith("schema_version"):
            path = Path(folder) / f"{line.split()[0]}.yaml"
            path.write_text(text)
            yield path


def estimates(text):
    group = None
    for line in text.splitlines():
        if found := re.match(r"group (\d+):", line):
            group = int(found[1])
        elif found := re.match(r"  effort: about ([\d.]+) (ms|s) ", line):
            yield group, float(found[1]) * (1e-3 if found[2] == "ms" else 1.0)


def seconds(words):
    least = {}
    for _ in range(3):
        for trade in json.loads(run("price", *words, "--progress", "none", "--format", "json"))["results"]:
            if trade["status"] == "ok":
                least[trade["group"]] = min(least.get(trade["group"], math.inf), trade["seconds"])
    return least


with tempfile.TemporaryDirectory() as folder:
    ratios = []
    for path in named or [p for p in sorted((root / "configs").glob("*.yaml")) if p.stem not in ("net", "tolerance")] + list(rows(folder)):
        words = [str(path), "--threads", "1", "--device", "cpu", "--set", "simulation.paths=2^17"]
        estimated = dict(estimates(run("explain", *words)))
        for group, took in sorted(seconds(words).items()):
            if group in estimated:
                ratios.append(estimated[group] / took)
                print(f"{Path(path).stem:28} {group:3} {took:9.4f} {ratios[-1]:6.2f}")
print(f"{len(ratios)} groups: {min(ratios):.2f} to {max(ratios):.2f} of the time, "
      f"{100 * sum(0.5 <= r <= 2 for r in ratios) / len(ratios):.0f} % within a factor of two")
