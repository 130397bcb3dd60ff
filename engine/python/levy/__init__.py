"""levy: Monte Carlo option pricing with honest errors, from Python.

    import levy
    print(levy.price("book.yaml", paths=2**18, measures=["price", "delta"]))

    book = levy.load("book.yaml")
    book["SPX.spot"] *= 1.01
    print(book.price()["price"])

`price` and `load` take files, maps and frames of trades, `loads` a text. `load` gives a Book. A Book is a mapping of quotes
("SPX.spot", "SPX.volatility", "USD.rate") that can be read and set; `Book.price` gives Results: columns as NumPy arrays
(`results["price"]`), pandas frames (`results.frame()`, `results.wide_frame()`), single trades (`results.trade(0)`), the run and the
netted values. `Book.converge` and `Book.coverage` give a Study. In a notebook all of these show themselves. Faults of the input
are exceptions that carry diagnostics. `calibrate` fits a model to quotes of options.

`Normals` gives the random points that pricing draws, `Bridge` Brownian paths from normals, `Paths` both in one pass (drivers, log
returns or spots), `Sampler` items drawn by weight, `draw_each` items of distributions that differ from path to path,
`Distribution` deviates of common laws: arrays for simulations of one's own, of NumPy on the CPU, of CuPy, PyTorch, Numba or JAX
on a GPU.

The package calls the shared library liblevy through ctypes and needs no compiler. NumPy is needed for arrays only, pandas
for frames only.
"""

from typing import Any, List, TYPE_CHECKING

from ._book import Book, Context, load, load_text, loads, price, profile
from ._calibrate import calibrate, Calibration
from ._errors import ArgumentError, Diagnostic, Error, FailedTrades, InputError, JournalError, MissingFileError
from ._library import describe, schema, version
from ._plot import Plot
from ._results import GridAxis, GridPoint, Measure, Netted, Results, Run, Trade
from ._study import Study

if TYPE_CHECKING:
    from ._arrays import Bridge, BridgeInfo, Normals, NormalsInfo
    from ._distribution import Distribution, DistributionInfo
    from ._draws import draw_each
    from ._paths import Paths
    from ._sampler import Sampler, SamplerInfo

__all__ = [
    "ArgumentError", "Book", "Bridge", "BridgeInfo", "Calibration", "Context", "Diagnostic", "Distribution", "DistributionInfo", "Error",
    "FailedTrades", "GridAxis", "GridPoint", "InputError", "JournalError", "Measure", "MissingFileError", "Netted", "Normals", "NormalsInfo", "Paths", "Plot",
    "Results", "Run", "Sampler", "SamplerInfo", "Study", "Trade", "calibrate", "describe", "draw_each", "load", "load_text", "loads", "price", "profile",
    "schema", "version",
]
__version__ = "0.2.0"

_LATER = {"Bridge": "_arrays", "BridgeInfo": "_arrays", "Normals": "_arrays", "NormalsInfo": "_arrays", "Paths": "_paths",
          "Distribution": "_distribution", "DistributionInfo": "_distribution", "draw_each": "_draws", "Sampler": "_sampler",
          "SamplerInfo": "_sampler"}
"""Imported when they are asked for."""


def _ours(value: Any) -> Any:
    if isinstance(value, type):  # messages and documentation say levy.InputError, not where it is written
        value.__module__ = __name__
    return value


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'levy' has no attribute '{name}'")
    from importlib import import_module
    value = globals()[name] = _ours(getattr(import_module(f"{__name__}.{_LATER[name]}"), name))
    return value


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})


for _name in __all__:
    if _name not in _LATER:
        _ours(globals()[_name])
