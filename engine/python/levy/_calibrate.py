"""A model fitted to quotes of options."""

import ctypes
import json
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from ._book import _Call, Context, _source_array, _struct
from ._errors import Diagnostic, diagnostics_of, raise_for
from ._input import market_source, quotes_of, source
from ._keywords import PathLike, Progress
from ._library import checked_format, FORMATS, library, text_of
from ._optional import optional
from ._plot import Plot
from ._report import Report

_REPORTS = ("table", "json", "csv", "yaml", "svg")


class Calibration(Report):
    """What levy.calibrate gives: a mapping with the keys of the fit's JSON, such as "rms", "parameters" and "covariance".

    `fitted` has the parameters by name; `levy.price(trades, market=fit)` prices by the market and the model, of which
    `text("yaml")` is a book; `frame()` has the quotes; `diagnostics` say what they leave open.
    """

    _formats = _REPORTS

    def __init__(self, texts: Mapping[str, str], diagnostics: List[Diagnostic]) -> None:
        self._texts = dict(texts)
        self._data = json.loads(self._texts["json"])
        self.diagnostics = diagnostics

    @property
    def fitted(self) -> Dict[str, float]:
        """The parameters by name."""
        return {one["name"]: one["value"] for one in self["parameters"]}

    def text(self, format: str = "table") -> str:
        """The report: "table", "json", "csv" (every quote), "svg" or "yaml" (a book)."""
        return self._texts[checked_format(format, _REPORTS)]

    def _fitted_book(self) -> str:
        return self.text("yaml")

    def vegas(self, trade: Any) -> List[float]:
        """What the price of a trade moves by, by the volatility of each quote, the fit being made anew.

        `trade` is one of levy.price(trades, market=fit, measures=["parameters", "vega"]); vega where a volatility is fitted.
        """
        slopes = {m.factor: m.value for m in trade.measures if m.measure in ("parameters", "vega")}
        by = [sum(slope for factor, slope in slopes.items() if name in (factor, factor.split(".", 1)[1])) for name in self.fitted]
        for one, slope in zip(self["parameters"], by):
            if not (slope or one["fixed"] or one["at_bound"]):
                raise ValueError(f"the trade has no slope in {one['name']}: price it by this fit with measures=['parameters', 'vega']")
        return [sum(slope * moved for slope, moved in zip(by, quote["response"])) for quote in self["quotes"]]

    def frame(self) -> Any:
        """A pandas frame of the quotes beside the model; without the response of parameters."""
        pandas = optional("pandas", "Calibration.frame()", "text('csv') and fit['quotes']")
        return pandas.DataFrame(self["quotes"]).drop(columns="response")

    def plot(self) -> Plot:
        """The quotes and the model by expiry: an SVG that a notebook shows."""
        return Plot(self.text("svg"))

    def _repr_svg_(self) -> str:
        return self.text("svg")

    def __repr__(self) -> str:
        fitted = ", ".join(f"{name}={value:.4g}" for name, value in self.fitted.items())
        rms = "" if self["rms"] is None else f"; rms {self['rms']:.2g}"
        return f"<levy.Calibration: {self['model']} of {self['asset']}, {fitted}{rms}>"


def calibrate(*sources: Any, market: Any = None, folder: Optional[PathLike] = None, allow_links: bool = False,
              kinds: Union[None, PathLike, Iterable[PathLike]] = None, progress: Optional[Progress] = None,
              **calibration: Any) -> Calibration:
    """Fits what the sources' `calibration` asks for, or what keywords say in its place:

        levy.calibrate("calibrate.yaml")
        levy.calibrate(market="market.yaml", asset="SPX", model="heston", quotes=frame)

    Sources, `market`, `folder`, `allow_links` and `kinds` are those of load. Quotes are maps in a row or a frame with columns such
    as "expiry", "strike", "volatility". `progress(done, total, seconds)` is told how many searches have ended; a true value ends
    the fit with an Error, and so does Ctrl-C with a KeyboardInterrupt.
    """
    given = [] if market is None else [market_source(market, folder)]
    given += [source(one, folder) for one in sources]
    if calibration:
        if "quotes" in calibration:
            calibration["quotes"] = quotes_of(calibration["quotes"])
        given.append(source({"calibration": calibration}, folder))
    context = Context(allow_links=allow_links, kinds=kinds)
    owner, array, handle = context._owner, _source_array(given), ctypes.c_void_p()
    call = _Call(progress)
    options = _struct("levy_price_options", progress=call.progress, user=call.user)
    with owner.turn:
        raise_for(call.made(handle, library.levy_calibration_destroy, library.levy_calibrate, owner.handle, array, len(array),
                            ctypes.byref(options)), owner.handle)
        told = diagnostics_of(owner.handle)
        try:
            texts = {format: text_of(library.levy_calibration_write, handle, FORMATS[format]) for format in _REPORTS}
        finally:
            library.levy_calibration_destroy(handle)
    return Calibration(texts, told)
