"""Plots: an SVG that the library draws and a notebook shows, or the same numbers on axes of Matplotlib, which the caller has.

Nothing is computed here that is not in results and studies.
"""

import math
import os
from typing import Any, Callable, Dict, Iterator, List, Mapping, Tuple, TYPE_CHECKING, Union

if TYPE_CHECKING:
    from ._results import Measure, Results

PLOTS = {"errors": 0, "ladder": 1, "grid": 2, "convergence": 3, "cost": 4, "profile": 5, "boundary": 6}
"""The library's numbers of them."""
_ERRORS = 2
"""Standard errors on each side of a mark, as the library draws them."""


class Plot(str):
    """A plot as the text of an SVG: a notebook shows it, and `save` writes it."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<levy.Plot: {len(self):,} characters of SVG>"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        ending = os.path.splitext(os.fspath(path))[1]
        if ending.lower() != ".svg":
            raise ValueError(f"a plot is an SVG, and the file's name ends in {ending!r}; for others pass ax= and save Matplotlib's figure")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self)


# ---- Results --------------------------------------------------------------------------------------


def _errors(results: "Results", trade: Any, ax: Any) -> int:
    """As the library's: the largest first. How many marks there are, as of all here."""
    rows = [(one.std_error / abs(one.price), one.id) for one in results
            if one.status == "ok" and trade in (None, one.id) and one.price and one.std_error > 0]
    rows.sort(key=lambda row: row[0])
    ax.plot([error for error, _ in rows], range(len(rows)), "o")
    ax.set_xscale("log")
    ax.set_yticks(range(len(rows)), [name for _, name in rows])
    ax.set_xlabel("standard error over price")
    return len(rows)


def _measured(results: "Results", trade: Any, names: Tuple[str, ...]) -> Iterator[Tuple[str, "Measure"]]:
    return ((one.id, measure) for one in results if trade in (None, one.id) for measure in one.measures if measure.measure in names)


def _lines(ax: Any, lines: Mapping[str, List[Tuple[Any, float, float]]]) -> int:
    for label, points in lines.items():
        x, y, error = zip(*points)
        ax.errorbar(x, y, [0.0 if math.isnan(one) else _ERRORS * one for one in error], fmt="o-", capsize=2, label=label)
    if lines:
        ax.legend()
    return len(lines)


def _ladder(results: "Results", trade: Any, ax: Any) -> int:
    lines: Dict[str, List[Tuple[Any, float, float]]] = {}
    for name, one in _measured(results, trade, ("vega_by_node", "rho_by_node")):
        owner, _, node = one.factor.rstrip("]").partition("[")
        lines.setdefault(f"{name} {one.measure} {owner}", []).append((node, one.value, one.std_error))
    ax.tick_params(axis="x", labelrotation=90)
    return _lines(ax, lines)


def _grid(results: "Results", trade: Any, ax: Any) -> int:
    """A heat map of the first grid of two axes, else a point each scenario."""
    found = list(_measured(results, trade, ("scenario_pnl",)))
    if not found:
        return 0
    first = [(name, one) for name, one in found if name == found[0][0]]
    worth = {one.factor: one.value for _, one in first}
    points = [one for one in results.grid if len(one.axes) == 2 and one.id in worth]
    points = [one for one in points if one.scenario == points[0].scenario]
    if points:
        x, y = (sorted({one.axes[k].size for one in points}) for k in (0, 1))
        at = {tuple(axis.size for axis in one.axes): worth[one.id] for one in points}
        shown = ax.pcolormesh(x, y, [[at.get((a, b), math.nan) for a in x] for b in y], shading="nearest")
        ax.figure.colorbar(shown, ax=ax, label=f"profit and loss, {first[0][0]}")
        ax.set_xlabel(points[0].axes[0].factor)
        ax.set_ylabel(points[0].axes[1].factor)
        return len(points)
    lines: Dict[str, List[Tuple[Any, float, float]]] = {}
    for name, one in found:
        lines.setdefault(name, []).append((one.factor, one.value, one.std_error))
    ax.set_ylabel("profit and loss")
    return _lines(ax, lines)


def _boundary(results: "Results", trade: Any, ax: Any) -> int:
    lines: Dict[str, List[Tuple[Any, float, float]]] = {}
    for name, one in _measured(results, trade, ("boundary",)):
        lines.setdefault(name, []).append((one.factor, one.value, one.std_error))
    ax.tick_params(axis="x", labelrotation=90)
    ax.set_ylabel("level of exercise")
    return _lines(ax, lines)


RESULTS: Dict[str, Tuple[Callable[..., int], str]] = {
    "errors": (_errors, "no trade has a price and an error"),
    "ladder": (_ladder, "ask for measures=['vega_by_node', 'rho_by_node']"),
    "grid": (_grid, "give the book scenarios"),
    "boundary": (_boundary, "ask for measures=['boundary'] of options that are exercised early at one level by date")}
"""What draws it on axes, and what to say where there is nothing to draw."""


# ---- Studies --------------------------------------------------------------------------------------


def study(one: Mapping[str, Any], what: str, ax: Any) -> None:
    if what == "profile":
        _lines(ax, {" ".join(filter(None, (line["trade"], line["measure"], line["factor"]))):
                    [(x, math.nan if y is None else y, math.nan if error is None else error)
                     for x, y, error in zip(one["at"], line["values"], line["std_errors"])] for line in one["lines"]})
        ax.axvline(one["today"], color="grey", linewidth=0.8)
        ax.set_xlabel(one["factor"])
    elif what == "errors":
        rows = one["coverage"]
        ax.errorbar([row["coverage"] for row in rows], range(len(rows)), xerr=[_ERRORS * row["coverage_se"] for row in rows], fmt="o")
        ax.set_yticks(range(len(rows)), [f"{row['trade']} {row['method']} {row['points']}" for row in rows])
        ax.axvline(one["run"]["confidence"], color="grey", linewidth=0.8)
        ax.set_xlabel("coverage")
    else:
        for each in one.get("studies", [one]):
            for method in each["methods"]:
                most = method["rmse"][-1][0]
                x = [n if what == "convergence" else method["seconds"] / method["replicates"] * n / most for n, _ in method["rmse"]]
                ax.loglog(x, [math.nan if rmse is None else rmse for _, rmse in method["rmse"]], "o-", label=method["method"])
        steps = any(each["run"]["points"] for each in one.get("studies", [one]))
        ax.set_xlabel("seconds per replicate" if what != "convergence" else "steps to expiry" if steps else "points per replicate")
        ax.set_ylabel("change by half steps" if steps else "RMSE")
        ax.legend()
