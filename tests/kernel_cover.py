#!/usr/bin/env python3
"""kernel_cover.py BUILD: examples whose kernels in double have, between them, everything that the
kernels of all examples have: every model with its features, generator, construction, payoff and
each other constant of a shape; of counts only none, one and more. A line an example. BUILD holds
tests/kernel_sources."""
import pathlib
import re
import subprocess
import sys
import tempfile

COUNTS = {"nodes", "assets", "factors", "markets", "items", "outputs", "stack", "slots", "room",
          "round", "ready", "shared_low", "cells", "table"}
PLACES = ("market_list", "first_list", "terms_list", "term_list", "lag_list")


def traits(source):
    found = set()
    for name, value in re.findall(r"^#define (?:PATH_|LEVY_)(\w+) (.+)$", source, re.M):
        if name in COUNTS:
            found.add((name, min(int(value.rstrip("u")), 2)))
        elif value.startswith("{"):
            if not name.endswith(PLACES):
                found.update((name, each.strip()) for each in value.strip("{}").split(","))
        else:
            found.add((name, value))
    return found


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    examples = {}
    for example in sorted((root / "configs").glob("*.yaml")):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.argv[1] + "/tests/kernel_sources", folder, example], check=True)
            sources = [each.read_text() for each in pathlib.Path(folder).glob("*.cu")]
        double = [each for each in sources if "#define LANE_SINGLE" not in each]
        if double:
            examples[example] = (len(double), set().union(*map(traits, double)))
    missing = set().union(*(found for _, found in examples.values()))
    while missing:
        best = max(examples, key=lambda each: len(examples[each][1] & missing) / examples[each][0])
        missing -= examples[best][1]
        print(best)


if __name__ == "__main__":
    main()
