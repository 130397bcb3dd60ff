"""Studies: how fast methods converge on a trade, and how often intervals hold."""

from typing import Any, cast, Dict, List, Optional, Union

from . import _show
from ._errors import ARGUMENT
from ._library import checked_format, decode, FORMATS, library, meant, text_of
from ._optional import optional
from ._owner import Owned, Owner
from ._plot import Plot, PLOTS, study
from ._report import Report


_REPORTS = ("table", "json", "csv", "svg")


class _Kept:
    """A study's reports."""

    def __init__(self, texts: Dict[str, str]) -> None:
        self._texts = texts

    def text(self, format: str) -> str:
        if FORMATS[format] >= 0 and format not in self._texts:
            raise ValueError(decode(library.levy_status_message(ARGUMENT)))
        return self._texts[format]

    def plot(self, what: str) -> str:
        raise TypeError("a study from a pickle has the plot of text('svg') alone: draw others before pickling, or pass ax=")

    def kept(self) -> "_Kept":
        return self


class _Live(Owned):
    """A study of the library's."""

    _destroy = library.levy_study_destroy

    def text(self, format: str) -> str:
        return text_of(library.levy_study_write, self._handle, FORMATS[format])

    def plot(self, what: str) -> str:
        return text_of(library.levy_study_plot, self._handle, PLOTS[what])

    def kept(self) -> _Kept:
        texts = {}
        for format in _REPORTS:
            try:
                texts[format] = self.text(format)
            except ValueError:  # there is nothing to plot
                pass
        return _Kept(texts)


class Study(Report):
    """What Book.converge, coverage and profile give: a mapping with the keys of the study's JSON.

    `study["methods"][0]["slope"]` is a number; of several trades `study["studies"]` has a study each. `study.text("table")` and
    `print(study)` are reports, `study.save("plot.svg")` draws a log-log plot without any other package, `study.frame()` is a
    pandas frame of all estimates.
    """

    _formats = _REPORTS

    def __init__(self, owner: Owner, handle: int, diagnostics: List[Any]) -> None:
        self._source: Union[_Live, _Kept] = _Live(owner, handle)
        self.diagnostics = diagnostics
        self._data = self._read()

    # ---- Copies: a study does not change, so they share what it holds; a pickle has its reports ----

    def __copy__(self) -> "Study":
        made = Study.__new__(type(self))
        made.__dict__.update(self.__dict__, diagnostics=list(self.diagnostics))
        return made

    def __deepcopy__(self, _memo: Any) -> "Study":
        made = self.__copy__()
        made._data = self._read()
        return made

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_source": self._source.kept()}

    def _read(self) -> Dict[str, Any]:
        import json
        return cast(Dict[str, Any], json.loads(self.text("json")))

    def text(self, format: str = "table") -> str:
        """The report: "table", "json", "csv" (every estimate) or "svg"."""
        return self._source.text(checked_format(format, _REPORTS))

    def plot(self, what: Optional[str] = None, *, ax: Any = None) -> Any:
        """A Plot, an SVG by levy that a notebook shows: of converge "convergence" (RMSE against points) or "cost" (against
        seconds), of coverage "errors", of profile "profile". `ax`: axes of Matplotlib, on which it is drawn instead."""
        own = ("profile",) if "lines" in self else ("errors",) if "coverage" in self else ("convergence", "cost")
        if what not in (None, *own):
            raise ValueError(f"there is no plot {what!r} of this study" + meant(what, own, f"use one of {', '.join(own)}"))
        if ax is not None:
            study(self, what or own[0], ax)
            return ax
        return Plot(self.text("svg") if what in (None, own[0]) else self._source.plot(what))

    def frame(self) -> Any:
        """A pandas frame of every estimate: a row per method, replicate and size."""
        pandas = optional("pandas", "Study.frame()", "study.text('csv') and study['methods']")
        import csv
        rows = list(csv.reader(self.text("csv").splitlines(True)))
        frame = pandas.DataFrame(rows[1:], columns=rows[0])
        for name in frame.columns:
            try:
                frame[name] = pandas.to_numeric(frame[name])
            except ValueError:  # a column of texts
                pass
        return frame

    def __repr__(self) -> str:
        return _show.study(self)

    def _repr_html_(self) -> str:
        return _show.study_html(self)

    def _repr_svg_(self) -> Optional[str]:
        return _show.study_svg(self)
