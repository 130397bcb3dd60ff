#!/usr/bin/env python3
"""How often the 95 % intervals of prices and Greeks hold what is exact, by seed.

    LEVY_LIBRARY=build/lib/liblevy.so PYTHONPATH=engine/python tests/coverage_books.py [--seeds N] [--paths 2^13,2^15] [BOOK...]

Books are those of tests/coverage/ unless some are named. Their heads say what is exact, and by which route of its own:
    # exact: TRADE MEASURE VALUE
A measure is a name, such as vega, or has what moves behind it: vega:A.volatility.
A cell is a trade's measure at a number of paths. It is marked if half of its runs are. Where the interval is withheld,
value +- t std_error stands for it. The program fails if an unmarked cell covers less than 0.905, if more than
5 % of them cover less than 0.925, or if more than 5 % of the runs of cells that cover 0.935 are marked.
"""

import argparse
import pathlib
import sys

import levy

LEAST, LOW, GOOD, SHARE = 0.905, 0.925, 0.935, 0.05
STUDENT = 2.131449546  # 15 degrees of freedom, 95 %


def exact_values(path):
    words = [line.split()[2:] for line in path.read_text().splitlines() if line.startswith("# exact:")]
    return {(one[0], one[1]): float(one[2]) for one in words}


class Cell:
    def __init__(self, value):
        self.value, self.runs, self.held, self.marked, self.held_unmarked, self.z = value, 0, 0, 0, 0, []

    def add(self, low, high, value, error, marked):
        holds = low - 1e-12 * abs(self.value) <= self.value <= high + 1e-12 * abs(self.value)
        self.runs += 1
        self.held += holds
        self.marked += marked
        self.z.append((value - self.value) / error if error > 0 else 0.0)

    def coverage(self):
        return self.held / self.runs


def bounds(measure):
    if measure.ci_low == measure.ci_low:
        return measure.ci_low, measure.ci_high
    error = measure.std_error if measure.std_error == measure.std_error else 0.0
    return measure.value - STUDENT * error, measure.value + STUDENT * error


def study(path, paths, seeds, settings):
    exact = exact_values(path)
    cells = {key: Cell(value) for key, value in exact.items()}
    for seed in range(1, seeds + 1):
        book = levy.load(str(path), settings={"simulation.seed": seed, "simulation.paths": paths, **settings})
        results = book.price("cpu", threads=1)
        for index in range(len(results)):
            trade = results.trade(index)
            for measure in trade.measures:
                own = (trade.id, f"{measure.measure}:{measure.factor}")
                key = own if own in cells else (trade.id, measure.measure)
                if key in cells:
                    low, high = bounds(measure)
                    cells[key].add(low, high, measure.value, measure.std_error, measure.flagged)
    return cells


def say(path, paths, key, cell, every):
    rms = (sum(z * z for z in cell.z) / len(cell.z)) ** 0.5
    mean = sum(cell.z) / len(cell.z)
    marked = cell.marked >= 0.5 * cell.runs
    low = "" if marked or cell.coverage() >= LOW else "  LOW" if cell.coverage() >= LEAST else "  WRONG"
    spray = "  SPRAYED" if cell.coverage() >= GOOD and cell.marked > SHARE * cell.runs else ""
    if every or low or spray:
        print(f"{path.stem:24} {key[0]:14} {key[1]:17} {paths:6} covers {cell.coverage():.3f}  marked {cell.marked / cell.runs:.2f}"
              f"  z mean {mean:6.2f} rms {rms:6.2f} most {max(map(abs, cell.z)):7.2f}{low}{spray}", flush=True)
    return marked, cell


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=400)
    parser.add_argument("--paths", default="2^13,2^15")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--every", action="store_true", help="print all cells, not only those that fail")
    parser.add_argument("books", nargs="*")
    given = parser.parse_args()
    books = [pathlib.Path(book) for book in given.books] or sorted((pathlib.Path(__file__).parent / "coverage").glob("*.yaml"))
    settings = dict(one.split("=", 1) for one in given.set)
    done = [say(path, paths, key, cell, given.every) for path in books for paths in given.paths.split(",")
            for key, cell in study(path, paths, given.seeds, settings).items() if cell.runs]
    open_cells = [cell for marked, cell in done if not marked]
    wrong = sum(cell.coverage() < LEAST for cell in open_cells)
    low = sum(cell.coverage() < LOW for cell in open_cells)
    good = [cell for _, cell in done if cell.coverage() >= GOOD]
    sprayed = sum(cell.marked for cell in good) / max(1, sum(cell.runs for cell in good))
    print(f"{len(done)} cells, {len(done) - len(open_cells)} marked; below {LEAST}: {wrong}; below {LOW}: {low}; "
          f"marked runs of good cells: {sprayed:.3f}")
    return bool(wrong or low > SHARE * len(done) or sprayed > SHARE)


if __name__ == "__main__":
    sys.exit(main())
