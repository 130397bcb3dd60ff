#!/usr/bin/env python3
"""How fast quasi-random and pseudo-random paths converge on one trade: one cell after the other, as in a notebook.

    configs/python/convergence.py configs/geometric_asian.yaml --plot convergence.png

With matplotlib the plot is drawn here; without it, and for --plot NAME.svg, levy draws it.
"""

# %% What to study
import argparse

import levy

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("file", nargs="?", default="configs/geometric_asian.yaml")
parser.add_argument("--trade", help="its id, where the file holds several")
parser.add_argument("--points", default="2^8..2^14", help="points of a replicate (default 2^8..2^14)")
parser.add_argument("--replicates", type=int, default=32)
parser.add_argument("--plot", metavar="FILE", help="draw to FILE")
options = parser.parse_args()

# %% Run it: a few independent replicates per method, to the largest size
book = levy.load(options.file)
study = book.converge(["sobol_scrambled+bridge", "sobol_scrambled+incremental", "mrg32k3a+incremental"], options.points,
                      replicates=options.replicates, trade=options.trade)

# %% What came of it: the slope of log RMSE on log points is -1/2 for pseudo-random paths, and steeper for Sobol points
for method in study["methods"]:
    (first, coarse), (last, fine) = method["rmse"][0], method["rmse"][-1]
    print(f"{method['method']:28} slope {method['slope']:6.3f} +- {method['slope_se']:.3f},"
          f" RMSE {coarse:.2e} at {first} points and {fine:.2e} at {last}")

# %% A plot
try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None
if options.plot and (plt is None or options.plot.endswith(".svg")):
    name = options.plot if options.plot.endswith(".svg") else options.plot.rsplit(".", 1)[0] + ".svg"
    study.save(name)
    print("drawn by levy:", name)
elif options.plot:
    figure, axes = plt.subplots(figsize=(7, 5))
    for method in study["methods"]:
        points, rmse = zip(*method["rmse"])
        line, = axes.loglog(points, rmse, "o", markersize=4, label=f"{method['method']}, slope {method['slope']:.2f}")
        fitted = [2 ** method["intercept"] * n ** method["slope"] for n in points]
        axes.loglog(points, fitted, "-", linewidth=1, color=line.get_color())
    axes.set_xscale("log", base=2)
    axes.set_xlabel("points of a replicate")
    axes.set_ylabel("root mean square error")
    axes.set_title(f"{study['run']['trade']}, levy {levy.version()}", fontsize="medium")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(options.plot, dpi=150)
    print("drawn by matplotlib:", options.plot)
