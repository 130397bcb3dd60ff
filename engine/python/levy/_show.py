"""How books, results, trades and studies look at a prompt (a line) and in a notebook (HTML, SVG). Texts of the input are
escaped: names come from strangers. Nothing here is computed that is not in the results.
"""

import math
import re
from itertools import islice
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, TYPE_CHECKING

if TYPE_CHECKING:
    from ._book import Book
    from ._results import Measure, Netted, Results, Trade
    from ._study import Study

_MOST_ROWS = 60
_MOST_QUOTES = 4
_TEXT, _NUMBER = "text-align:left;padding:0 0.6em", "text-align:right;padding:0 0.6em"

Row = Sequence[str]


# ---- Numbers --------------------------------------------------------------------------------------


def digits(value: float, error: float) -> str:
    """A value to the second digit of its error, as the table of a run has it."""
    if not math.isfinite(value):
        return "" if math.isnan(value) else str(value)
    if not math.isfinite(error) or error <= 0:
        return f"{value:.6g}"
    places = 1 - math.floor(math.log10(error))
    return f"{round(value, places):.{min(max(places, 0), 15)}f}"


def _error(error: float) -> str:
    return "" if math.isnan(error) else digits(error, error) if error else "0"


def _with_error(value: float, error: float) -> str:
    return f"{digits(value, error)} ± {_error(error)}" if error > 0 else digits(value, error)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


# ---- Lines ----------------------------------------------------------------------------------------


def book(one: "Book") -> str:
    quotes = [f"{name}={one[name]:g}" for name in islice(one, _MOST_QUOTES)]
    rest = ", ..." if len(one) > _MOST_QUOTES else ""
    return f"<levy.Book: {_counted(one.trades, 'trade')}; {', '.join(quotes)}{rest}>"


def _size(one: "Results") -> str:
    """How many trades there are; legs do not count."""
    return _counted(one.run.priced + one.run.failed + one.run.cancelled, "trade")


def results(one: "Results") -> str:
    run = one.run
    netted = "".join(f"; {_currency(net)} {_with_error(net.value, net.std_error)}{_lacking(net)}" for net in one.netted
                     if net.key is None)
    failed = f", {run.failed} failed" if run.failed else ""
    return f"<levy.Results: {_size(one)}{failed}{netted}>"


def _currency(net: "Netted") -> str:
    return f"all in {net.currency}" if net.translated else net.currency


def _lacking(net: "Netted") -> str:
    return f" without {net.failed_ids}" if net.failed else ""


def trade(one: "Trade") -> str:
    priced = f"price={_with_error(one.price, one.std_error)}" if one.status == "ok" else f"reason={one.reason!r}"
    return f"<levy.Trade {one.id!r}: {one.payoff}, {one.status}, {one.currency}, {priced}, {_counted(len(one.measures), 'measure')}>"


def _convergences(one: Mapping[str, Any]) -> List[Mapping[str, Any]]:
    """The studies of a study: of several trades or measures there are several; of coverage there is none."""
    if "studies" in one:
        return list(one["studies"])
    return [one] if "methods" in one else []


def study(one: "Study") -> str:
    found = _convergences(one)
    if "lines" in one:
        return f"<levy.Study: profile against {one['factor']}, {_counted(len(one['lines']), 'line')}>"
    if found:
        methods = ", ".join(method["method"] for method in found[0]["methods"])
        several = f"; {len(found)} studies" if len(found) > 1 else ""
        return f"<levy.Study: convergence of {methods}{several}>"
    return f"<levy.Study: coverage, {_counted(len(one['coverage']), 'row')}>"


# ---- HTML -----------------------------------------------------------------------------------------


def _escaped(text: str) -> str:
    from html import escape
    return escape(text)


def _table(head: Row, rows: Iterable[Row], texts: Sequence[int], note: str = "") -> str:
    """`texts` are the columns that are no numbers."""
    aligned = [_TEXT if column in texts else _NUMBER for column in range(len(head))]

    def line(cells: Row, tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="{style}">{_escaped(cell)}</{tag}>' for cell, style in zip(cells, aligned)) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    below = f"<p>{_escaped(note)}</p>" if note else ""
    return f"<table><thead>{line(head, 'th')}</thead><tbody>{body}</tbody></table>{below}"


def _titled(title: str, body: str) -> str:
    return f"<div><p><b>{_escaped(title)}</b></p>{body}</div>"


def _interval(one: Any) -> str:
    if math.isnan(one.ci_low) or math.isnan(one.ci_high):
        return str(one.interval or "")
    return f"[{digits(one.ci_low, one.std_error)}, {digits(one.ci_high, one.std_error)}]"


def _measure_name(one: "Measure") -> str:
    return f"{one.measure} {one.factor}".rstrip()


def _measure_row(one: "Measure") -> Row:
    interval = "" if math.isnan(one.ci_low) else _interval(one)
    told = "; ".join(text for text in (interval, one.note) if text)
    return _measure_name(one), digits(one.value, one.std_error), _error(one.std_error), told


def _trade_rows(one: "Trade") -> List[Row]:
    if one.status != "ok":
        return [(one.id, one.payoff or "", "", one.currency or "", "", "", one.message or one.reason or one.status)]
    rows: List[Row] = [(one.id, one.payoff, f"{one.maturity:.3f}", one.currency, digits(one.price, one.std_error),
                        _error(one.std_error), _interval(one))]
    for measure in one.measures:
        if measure.measure != "price":
            name, value, error, note = _measure_row(measure)
            rows.append(("\u2003" + name, "", "", "", value, error, note))
    return rows


def book_html(one: "Book") -> str:
    rows = [(name, repr(one[name])) for name in islice(one, _MOST_ROWS)]
    rest = f"{len(one) - _MOST_ROWS} more quotes" if len(one) > _MOST_ROWS else ""
    told = "".join(f"<pre>{_escaped(str(diagnostic))}</pre>" for diagnostic in one.diagnostics[:_MOST_ROWS])
    return _titled(f"Book, {_counted(one.trades, 'trade')}", told + _table(("quote", "value"), rows, (0,), rest))


def _label(net: "Netted") -> str:
    if net.key is None:
        return ""
    return f" without {net.key}" if net.label is None else f", {net.key} {net.label}"


def results_html(one: "Results") -> str:
    rows: List[Row] = []
    shown = 0
    for each in one:
        if len(rows) >= _MOST_ROWS:
            break
        rows += _trade_rows(each)
        shown += 1
    for net in one.netted:
        of_all = f"{net.trades} of " if net.failed else ""
        rows.append((f"netted{_label(net)}, {of_all}{_counted(net.trades + net.failed, 'trade')}{_lacking(net)}", "", "", _currency(net), digits(net.value, net.std_error),
                     _error(net.std_error), _interval(net)))
    run = one.run
    note = f"{run.priced} priced, {run.failed} failed; {run.backend}: {run.device}; {run.seconds:.3f} s"
    if shown < len(one):
        note = f"{_counted(len(one) - shown, 'more trade')}; {note}"
    head = ("trade", "payoff", "years", "", "price", "std. error", "interval")
    return _titled(f"Results, {_size(one)}", _table(head, rows, (0, 1, 3, 6), note))


def trade_html(one: "Trade") -> str:
    if one.status != "ok":
        return _titled(f"{one.id}, {one.payoff or ''}: {one.reason}", f"<p>{_escaped(one.message or '')}</p>")
    rows = [_measure_row(measure) for measure in one.measures[:_MOST_ROWS]]
    rest = f"{len(one.measures) - _MOST_ROWS} more measures; " if len(one.measures) > _MOST_ROWS else ""
    note = (f"{rest}interval {_interval(one)}; {one.paths} paths of {one.generator} in {one.replicates} replicates, "
            f"{one.construction}, {one.precision}; {one.backend}")
    return _titled(f"{one.id}, {one.payoff}, {one.maturity:.3f} years, {one.currency}",
                   _table(("measure", "value", "std. error", ""), rows, (0, 3), note))


def study_svg(one: "Study") -> Optional[str]:
    try:
        return one.text("svg")
    except ValueError:  # there is nothing to plot
        return None


_METHOD = ("trade", "measure", "factor", "method", "slope", "slope_se", "efficiency", "effective_dimension")
_COVERAGE = ("trade", "method", "points", "seeds", "covered", "coverage", "coverage_se", "unreliable")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:.6g}"


def _methods(studies: List[Mapping[str, Any]]) -> List[Dict[str, Any]]:
    return [{**{name: each["run"].get(name) for name in ("trade", "measure", "factor")}, **method}
            for each in studies for method in each["methods"]]


def _svg(one: "Study") -> str:
    return re.sub(r"^\s*<\?xml.*?\?>\s*", "", study_svg(one) or "")


def study_html(one: "Study") -> str:
    found = _convergences(one)
    if "lines" in one:
        return f"<div>{_svg(one)}</div>"
    names, rows = (_METHOD, _methods(found)) if found else (_COVERAGE, one["coverage"])
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    return f"<div>{_svg(one)}{_table(names, cells, [names.index(name) for name in ('trade', 'measure', 'factor', 'method') if name in names])}</div>"
