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
are exceptions that carry diagnostics.

`Normals` gives the random points that pricing draws, `Bridge` Brownian paths from normals, `Paths` both in one pass (drivers, log
returns or spots), `Sampler` items drawn by weight, `draw_each` items of distributions that differ from path to path,
`Distribution` deviates of common laws: arrays for simulations of one's own, of NumPy on the CPU, of CuPy, PyTorch, Numba or JAX
on a GPU.

The package calls the shared library liblevy through ctypes and needs no compiler. NumPy is needed for arrays only, pandas
for frames only.
"""

from ._arrays import Bridge, BridgeInfo, Normals, NormalsInfo
from ._book import Book, Context, load, load_text, loads, price
from ._distribution import Distribution, DistributionInfo
from ._draws import draw_each
from ._errors import ArgumentError, Diagnostic, Error, FailedTrades, InputError, JournalError, MissingFileError
from ._library import describe, schema, version
from ._paths import Paths
from ._results import GridAxis, GridPoint, Measure, Netted, Results, Run, Trade
from ._sampler import Sampler, SamplerInfo
from ._study import Study

__all__ = [
    "ArgumentError", "Book", "Bridge", "BridgeInfo", "Context", "Diagnostic", "Distribution", "DistributionInfo", "Error",
    "FailedTrades", "GridAxis", "GridPoint", "InputError", "JournalError", "Measure", "MissingFileError", "Netted", "Normals", "NormalsInfo", "Paths",
    "Results", "Run", "Sampler", "SamplerInfo", "Study", "Trade", "describe", "draw_each", "load", "load_text", "loads", "price",
    "schema", "version",
]
__version__ = "0.2.0"

for _name in __all__:  # messages and documentation say levy.InputError, not where it is written
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
