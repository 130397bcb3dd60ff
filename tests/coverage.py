#!/usr/bin/env python3
"""coverage.py: how often the intervals of prices and Greeks hold the exact value, over many seeds, as `levy converge --coverage`
measures it on the books of tests/coverage/. A cell is a measure of a trade at a number of paths. Unless at least half of its seeds
mark the value, a cell must cover 0.905, and at most 5 % of the cells may cover less than 0.925. An interval of 95 % over 400 seeds
covers less than 0.925 in 1.7 % of cells by chance. And marks are rare where they are not needed: of the seeds of cells that cover
0.935 without marks at most 5 % are marked.

    tests/coverage.py LEVY [--seeds N] [--points 2^9,2^11] [--measures LIST] [--trade ID] [BOOK...]

A reference is a closed form, or a simulation with 16 and more times the paths, whose bumps are those of the study. Prints a line for
each cell and what was judged; exit code 1: not within the bars. Hours of one CPU with the defaults: it is a step of nightly.sh.
"""
import argparse
import csv
import io
import pathlib
import subprocess
import sys
from typing import Dict, List

LEAST, LOW, SHARE_LOW, ENOUGH, SHARE_MARKED = 0.905, 0.925, 0.05, 0.935, 0.05
Cell = Dict[str, str]


def study(levy: str, book: pathlib.Path, points: str, options: argparse.Namespace) -> List[Cell]:
    command = [levy, "converge", str(book), "--coverage", str(options.seeds), "--points", points, "--measures", options.measures,
               "--methods", "sobol_scrambled+bridge", "--format", "csv", "--device", "cpu"]
    if options.trade:
        command += ["--trade", options.trade]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout.decode())))


def covers(cell: Cell) -> float:
    """Of the seeds that gave an interval; where none did, as if all had."""
    return float(cell["coverage"] or cell["coverage_unmarked"])


def judge(cells: List[Cell]) -> bool:
    marked = [cell for cell in cells if float(cell["marked"]) >= 0.5]
    rest = [cell for cell in cells if float(cell["marked"]) < 0.5]
    wrong = [cell for cell in rest if covers(cell) < LEAST]
    low = [cell for cell in rest if covers(cell) < LOW]
    sound = [cell for cell in cells if float(cell["coverage_unmarked"]) >= ENOUGH]
    needless = sum(float(cell["marked"]) for cell in sound) / max(1, len(sound))
    print(f"{len(cells)} cells, {len(marked)} marked; of the others {len(wrong)} cover less than {LEAST}, "
          f"{len(low)} ({len(low) / max(1, len(rest)):.1%}) less than {LOW}; "
          f"{needless:.1%} of the seeds are marked in {len(sound)} cells that cover {ENOUGH} without marks")
    return not wrong and len(low) <= SHARE_LOW * len(rest) and needless <= SHARE_MARKED


def main() -> int:
    books = sorted((pathlib.Path(__file__).parent / "coverage").glob("*.yaml"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levy")
    parser.add_argument("books", nargs="*", type=pathlib.Path, default=books)
    parser.add_argument("--seeds", type=int, default=400)
    parser.add_argument("--points", default="2^9,2^11", help="of each of the 16 replicates")
    parser.add_argument("--measures", default="price,delta,gamma,vega,rho")
    parser.add_argument("--trade")
    options = parser.parse_args()
    cells: List[Cell] = []
    for book in options.books:
        for points in options.points.split(","):
            found = study(options.levy, book, points, options)
            cells += found
            for cell in found:
                flag = "marked" if float(cell["marked"]) >= 0.5 else "low" if covers(cell) < LOW else ""
                print(f"{book.stem:12} {cell['trade']:18} {cell['measure']:12} {cell['factor']:20} 16 x {points:5} "
                      f"{covers(cell):.4f} {float(cell['coverage_unmarked']):.4f} marked {float(cell['marked']):.3f} {flag}",
                      flush=True)
    return 0 if judge(cells) else 1


if __name__ == "__main__":
    sys.exit(main())
