#!/usr/bin/env python3
"""How the error of a book's prices falls with the number of paths: one cell after the other, as in a notebook.

    configs/python/convergence.py configs/quickstart.yaml --plot convergence.png
"""

# %% What to price
import argparse

import levy

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("file", nargs="?", default="configs/quickstart.yaml")
parser.add_argument("--smallest", type=int, default=10, help="paths of the first run, a power of two (default 10)")
parser.add_argument("--largest", type=int, default=17, help="of the last (default 17)")
parser.add_argument("--plot", metavar="FILE", help="draw to FILE (needs matplotlib); without it a table is printed")
options = parser.parse_args()

# %% Price it at growing counts of paths: the settings are those of the file but for one
powers = range(options.smallest, options.largest + 1)
runs = []
for power in powers:
    results = levy.load(options.file, settings={"simulation.paths": f"2^{power}"}).price()
    runs.append({trade.id: trade for trade in results if trade.status == "ok"})

# %% A table: standard errors, and how often they halve per doubling (0.5 for pseudo-random paths, up to 1 and more for Sobol)
print(f"{'paths':>8}", *(f"{name:>16}" for name in runs[-1]))
for power, run in zip(powers, runs):
    print(f"{'2^' + str(power):>8}", *(f"{trade.std_error:16.4g}" for trade in run.values()))

# %% A plot, where matplotlib is there
try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None
if plt and options.plot:
    figure, axes = plt.subplots(figsize=(7, 5))
    counts = [2**power for power in powers]
    for name in runs[-1]:
        relative = [run[name].std_error / abs(run[name].price) for run in runs]
        axes.loglog(counts, relative, marker="o", markersize=4, label=name, base=2)
    first = max(run.std_error / abs(run.price) for run in runs[0].values())
    axes.loglog(counts, [first * (counts[0] / n) ** 0.5 for n in counts], "--", color="grey", label="slope -1/2", base=2)
    axes.loglog(counts, [first * (counts[0] / n) for n in counts], ":", color="grey", label="slope -1", base=2)
    axes.set_xlabel("paths")
    axes.set_ylabel("standard error over price")
    axes.set_title(f"{options.file}, levy {levy.version()}")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(options.plot, dpi=150)
    print("drawn:", options.plot)
elif options.plot:
    print("matplotlib is not installed: nothing was drawn")
