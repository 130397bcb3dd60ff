"""Results: single trades as tuples, columns as NumPy arrays, frames.

Results read the library's memory while they live here; a pickle has the same numbers and texts as plain data, without the
library. Both are a source to Results: `_Live` and `_Kept`.
"""

import ctypes
import itertools
import operator
import os
from typing import Any, cast, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, TYPE_CHECKING, Union

from . import _show
from ._errors import ARGUMENT, Diagnostic, raise_for
from ._library import bytes_of, checked_format, decode, encoded, FORMATS, library, meant, STRUCTURES, text_of
from ._optional import optional
from ._owner import Owned, Owner
from ._plot import Plot, PLOTS, RESULTS

if TYPE_CHECKING:
    from numpy.typing import NDArray  # type: ignore[import-not-found, unused-ignore]

_TRADE, _MEASURE = STRUCTURES["levy_trade_result"], STRUCTURES["levy_measure"]
_HIDDEN = ("n_measures", "measures", "n_tags", "tags")


class Measure(NamedTuple):
    """One measure of a trade: its price, or a Greek to a factor."""

    measure: str
    factor: str
    value: float
    std_error: float
    flagged: bool
    note: Optional[str]
    """Why it is flagged."""
    ci_low: float
    ci_high: float
    """The ends of its interval, at the trade's confidence, the bias of a bump inside; NaN: none."""
    interval: str
    """How it was made, as of a trade."""
    step_bias: float
    """What the steps of the model leave of an error, which is in neither error nor interval; 0: there are none;
    NaN: it was not measured."""
    step_bias_se: float
    """Its standard error; of a sum the most that it can be."""


class Run(NamedTuple):
    """How the run went."""

    version: str
    backend: str
    device: str
    device_reason: str
    isa: str
    contract: int
    threads: int
    fingerprint: int
    groups: int
    priced: int
    failed: int
    tolerance_missed: int
    seconds: float
    interrupted: bool
    cancelled: int
    """Trades that an interrupted run did not price."""


class Netted(NamedTuple):
    """What all priced trades of one currency are worth together, or those of them with one text under a key.

    Trades are added up replicate by replicate, and the error is that of the replicates' sums: it knows how trades move
    together, also trades of groups that were simulated apart, whose draws come from one seed.
    """

    currency: str
    trades: int
    replicates: int
    value: float
    std_error: float
    ci_low: float
    ci_high: float
    confidence: float
    interval: str
    key: Optional[str]
    """One of `by`; None: all trades of the currency."""
    label: Optional[str]
    """Their text under the key; None: they have none."""
    measures: List[Measure]
    """Sums of the trades' measures, price first: Greeks, cash flows, scenarios."""
    failed: int
    """Trades that belong to the sum and have no price: it is partial."""
    failed_ids: Optional[str]
    """Their ids: "t1, t7 and 3 more"."""
    translated: bool
    """Whether it has the trades of all currencies, in the book's report_currency."""


class GridAxis(NamedTuple):
    """An axis of a grid of scenarios, and the size of the shift at a point."""

    factor: str
    relative: bool
    size: float


class GridPoint(NamedTuple):
    """A point of a grid of scenarios: what the id of its measures means."""

    id: str
    scenario: str
    axes: Tuple[GridAxis, ...]


class Trade(NamedTuple):
    """One trade's result. Numbers that do not exist are NaN."""

    id: str
    status: str
    reason: str
    message: Optional[str]
    currency: str
    payoff: str
    model: Optional[str]
    maturity: float
    price: float
    std_error: float
    ci_low: float
    ci_high: float
    confidence: float
    unit_price: float
    interval: str
    paths: int
    replicates: int
    seed: int
    dimensions: int
    generator: Optional[str]
    construction: Optional[str]
    precision: Optional[str]
    reproducibility: Optional[str]
    backend: Optional[str]
    device: Optional[str]
    group: int
    plan_hash: int
    seconds: float
    floor_probability: float
    padding: int
    tolerance_met: int
    """1: yes; -1: not within the most paths allowed; 0: none was asked for."""
    tolerance: float
    tolerance_width: float
    measures: List[Measure]
    first: Optional[str]
    """What the bridge drew before all else: "average", "4 components", "dates", "order"; None: nothing."""
    pipeline: Optional[str]
    underlying: Optional[str]
    """"SPX", or "SPX,NDX"."""
    book: Optional[str]
    counterparty: Optional[str]
    netting_set: Optional[str]
    tags: Dict[str, str]
    leg_of: Optional[str]
    """Of a leg: the trade that is the sum of its legs, whose price contains this one. None: a trade of its own."""

    def __repr__(self) -> str:
        return _show.trade(self)

    def _repr_html_(self) -> str:
        return _show.trade_html(self)


_LISTS = ("measures", "tags", "axes")


def _members(kind: Any, struct: ctypes.Structure) -> Dict[str, Any]:
    """A struct's members that the tuple has, texts decoded; not its lists."""
    values = {name: getattr(struct, name) for name in kind._fields if name not in _LISTS}
    return {name: decode(value) if isinstance(value, bytes) else value for name, value in values.items()}


def _measures(struct: ctypes.Structure) -> Iterator[Measure]:
    array = (_MEASURE * struct.n_measures).from_address(struct.measures) if struct.n_measures else ()
    for one in array:
        values = _members(Measure, one)
        values["flagged"] = bool(values["flagged"])
        yield Measure(**values)


def _tags(struct: ctypes.Structure) -> Dict[str, str]:
    array = (STRUCTURES["levy_tag"] * struct.n_tags).from_address(struct.tags) if struct.n_tags else ()
    return {decode(one.name) or "": decode(one.text) or "" for one in array}


def _point(struct: ctypes.Structure) -> GridPoint:
    array = (STRUCTURES["levy_grid_axis"] * struct.n_axes).from_address(struct.axes)
    axes = tuple(GridAxis(decode(one.factor) or "", bool(one.relative), one.size) for one in array)
    return GridPoint(axes=axes, **_members(GridPoint, struct))


def _decoded(numpy: Any, addresses: Any) -> Any:
    addresses, places = numpy.unique(addresses, return_inverse=True)
    texts = numpy.empty(len(addresses), object)
    texts[:] = [decode(ctypes.string_at(int(one))) if one else None for one in addresses]
    return texts[places]


def _list(names: Union[str, Iterable[str], None]) -> Optional[str]:
    return names if names is None or isinstance(names, str) else ",".join(names)


_COLUMN, _WITHOUT = "a column of results", "results.trade(i) and iteration"
_KINDS: Dict[str, Any] = {field[0]: field[1] for field in _TRADE._fields_}
_COLUMNS = tuple(name for name in _KINDS if name not in _HIDDEN)
_REPORTS = ("table", "csv", "json", "jsonl")
_TEXTS = (*_REPORTS, "html")
_ENDINGS = {".csv": "csv", ".json": "json", ".jsonl": "jsonl", ".npy": "npy", ".txt": "table", ".html": "html"}


class _Kept:
    """Results as plain data: columns of Python values with the letters of their kinds, measures, netted values, reports."""

    def __init__(self, columns: Dict[str, Tuple[str, List[Any]]], measures: List[List[Measure]], tags: List[Dict[str, str]],
                 netted: Tuple[Netted, ...], grid: Tuple[GridPoint, ...], texts: Dict[str, str]) -> None:
        self._columns = columns
        self._measures = measures
        self._tags = tags
        self.netted = netted
        self.grid = grid
        self._texts = texts

    @property
    def columns(self) -> Tuple[str, ...]:
        return tuple(self._columns)

    def __len__(self) -> int:
        return len(self._measures)

    def trade(self, index: int) -> Trade:
        return Trade(measures=list(self._measures[index]), tags=dict(self._tags[index]),
                     **{name: self._columns[name][1][index] for name in Trade._fields if name not in _LISTS})

    def rows(self) -> Iterator[Tuple[str, List[Measure]]]:
        return zip(self._columns["id"][1], self._measures)

    def ids(self) -> List[str]:
        return list(self._columns["id"][1])

    def arrays(self, names: Tuple[str, ...]) -> Dict[str, Any]:
        numpy = optional("numpy", _COLUMN, _WITHOUT)
        return {name: numpy.array(self._columns[name][1], self._columns[name][0]) for name in names}

    def text(self, format: str) -> str:
        if FORMATS[format] >= 0 and format not in self._texts:
            raise ValueError(decode(library.levy_status_message(ARGUMENT)))
        return self._texts[format]

    def report(self, format: str, columns: Optional[str], wide: bool, sums: bool) -> bytes:
        raise TypeError("results from a pickle have reports of no other columns: choose them before pickling")

    def plot(self, what: str, trade: Optional[str]) -> str:
        raise TypeError("results from a pickle have no plot by levy: draw before pickling, or pass ax=")

    def kept(self) -> "_Kept":
        return self


class _Live(Owned):
    """Results of the library's."""

    _destroy = library.levy_results_destroy
    columns = _COLUMNS

    def failed(self) -> int:
        """How many trades failed."""
        return int(STRUCTURES["levy_run_info"].from_address(library.levy_results_run(self._handle)).failed)

    def run(self) -> Run:
        values = _members(Run, STRUCTURES["levy_run_info"].from_address(library.levy_results_run(self._handle)))
        values["interrupted"] = bool(values["interrupted"])
        return Run(**values)

    # ---- Single trades ----

    def __len__(self) -> int:
        return int(library.levy_results_size(self._handle))

    def _struct(self, index: int) -> ctypes.Structure:
        return _TRADE.from_address(library.levy_results_trade(self._handle, index))

    def trade(self, index: int) -> Trade:
        struct = self._struct(index)
        return Trade(measures=list(_measures(struct)), tags=_tags(struct), **_members(Trade, struct))

    def rows(self) -> Iterator[Tuple[str, List[Measure]]]:
        return ((decode(struct.id) or "", list(_measures(struct))) for struct in map(self._struct, range(len(self))))

    def ids(self) -> List[str]:
        return [decode(self._struct(index).id) or "" for index in range(len(self))]

    @property
    def netted(self) -> Tuple[Netted, ...]:
        kind = STRUCTURES["levy_netted"]
        count = library.levy_results_netted_count(self._handle)
        found = (kind.from_address(library.levy_results_netted(self._handle, index)) for index in range(count))
        return tuple(Netted(measures=list(_measures(one)), **_members(Netted, one))._replace(translated=bool(one.translated))
                     for one in found)

    @property
    def grid(self) -> Tuple[GridPoint, ...]:
        kind = STRUCTURES["levy_grid_point"]
        found = (library.levy_results_grid_point(self._handle, index) for index in itertools.count())
        return tuple(_point(kind.from_address(address)) for address in itertools.takewhile(bool, found))

    # ---- Columns ----

    def arrays(self, names: Tuple[str, ...]) -> Dict[str, Any]:
        """Copies of the library's own columns, whose texts are addresses there."""
        numpy = optional("numpy", _COLUMN, _WITHOUT)
        count, step = len(self), ctypes.sizeof(_TRADE)
        memory = (ctypes.c_char * (count * step)).from_address(library.levy_results_trade(self._handle, 0) if count else 0)
        found = {}
        for name in names:
            text = _KINDS[name] is ctypes.c_char_p
            column = numpy.ndarray(count, "u8" if text else _KINDS[name], memory, getattr(_TRADE, name).offset, step) if count else \
                numpy.zeros(0, "u8" if text else _KINDS[name])
            found[name] = _decoded(numpy, column) if text else column.copy()
        return found

    # ---- Texts and pickles ----

    def text(self, format: str) -> str:
        return text_of(library.levy_results_write, self._handle, FORMATS[format])

    def report(self, format: str, columns: Optional[str], wide: bool, sums: bool) -> bytes:
        kind = STRUCTURES["levy_report_options"]
        options = kind(struct_size=ctypes.sizeof(kind), format=FORMATS[format], wide=int(wide), sums=int(sums),
                       columns=None if columns is None else encoded(columns))
        try:
            return bytes_of(library.levy_results_report, self._handle, ctypes.byref(options))
        except ValueError:
            raise_for(library.levy_report_check(self._owner.handle, ctypes.byref(options)), self._owner.handle)  # says why
            raise

    def plot(self, what: str, trade: Optional[str]) -> str:
        return text_of(library.levy_results_plot, self._handle, PLOTS[what], None if trade is None else encoded(trade))

    def kept(self) -> _Kept:
        structs = [self._struct(index) for index in range(len(self))]
        columns: Dict[str, Tuple[str, List[Any]]] = {}
        for name in _COLUMNS:
            kind = _KINDS[name]
            values = [getattr(one, name) for one in structs]
            text = kind is ctypes.c_char_p
            columns[name] = ("O" if text else str(kind._type_), [decode(one) for one in values] if text else values)
        return _Kept(columns, [list(_measures(one)) for one in structs], [_tags(one) for one in structs], self.netted, self.grid,
                     {format: self.text(format) for format in _REPORTS})


class Results:
    """What Book.price gives. `results["price"]` is a NumPy array with an element per trade, in the order of the book, and
    `results["delta"]` a pandas frame with a column per factor (without pandas a map of arrays).

    `len(results)` counts trades and their legs; `results.trade(i)` and iteration give Trade tuples without NumPy; `results.frame()`,
    `results.measures_frame()` and `results.wide_frame()` are pandas frames. Numbers that do not exist (a failed trade's
    price, an error that cannot be given) are NaN. Results can be copied and pickled: a pickle holds them as plain data.
    """

    def __init__(self, owner: Owner, handle: int, diagnostics: List[Diagnostic]) -> None:
        live = _Live(owner, handle)
        self._source: Union[_Live, _Kept] = live
        self.diagnostics = diagnostics
        """Warnings and faults of the book as it was priced, and what else is to be said of the run."""
        self._run: Optional[Run] = None
        self.some_failed = live.failed() > 0
        """Whether some trades have no price."""

    @property
    def run(self) -> Run:
        """How the run went; read when it is first looked at."""
        if self._run is None:
            self._run = cast(_Live, self._source).run()
        return self._run

    # ---- Copies: results do not change, so they share what they read ----

    def __copy__(self) -> "Results":
        made = Results.__new__(type(self))
        made.__dict__.update(self.__dict__, diagnostics=list(self.diagnostics))
        return made

    def __deepcopy__(self, _memo: Any) -> "Results":
        return self.__copy__()

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_run": self.run, "_source": self._source.kept()}

    # ---- Single trades ----

    def __len__(self) -> int:
        return len(self._source)

    def trade(self, index: Union[int, str]) -> Trade:
        """One trade, by its place in the book or by its id."""
        if isinstance(index, str):
            return self._source.trade(self._place(index))
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"there is no trade {place}: the results have {len(self)}")
        return self._source.trade(place % len(self))

    def _place(self, id: str) -> int:
        ids = self._source.ids()
        if id not in ids:
            raise KeyError(f"there is no trade '{id}'" + meant(id, ids, "iterate over the results for their ids"))
        return ids.index(id)

    def __iter__(self) -> Iterator[Trade]:
        return (self.trade(index) for index in range(len(self)))

    @property
    def netted(self) -> Tuple[Netted, ...]:
        """The book's value and measures by currency, then by each key of price(by=...), with the errors of the sums."""
        return self._source.netted

    @property
    def grid(self) -> Tuple[GridPoint, ...]:
        """The points of the book's grids of scenarios."""
        return self._source.grid

    # ---- Columns ----

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names that `results[name]` takes."""
        return self._source.columns

    def __getitem__(self, name: str) -> "NDArray[Any]":
        if not isinstance(name, str):
            raise TypeError(f"results[name] is a column; got {name!r}: results.trade(i) is a trade, and list(results) all of them")
        if name not in self.columns:
            return cast("NDArray[Any]", self._measured(name))
        return cast("NDArray[Any]", self._source.arrays((name,))[name])

    def _measured(self, name: str) -> Any:
        """The column "delta SPX.spot" of `wide`, or those of all factors of "delta"."""
        word = name.partition(" ")[0]
        measured = dict.fromkeys(f"{one.measure} {one.factor}".rstrip() for _, measures in self._source.rows() for one in measures)
        words = [column.partition(" ")[0] for column in measured]
        if name not in (measured if name != word else words):  # told without NumPy, too
            known = [*self.columns, *words, *(column for column in measured if column.partition(" ")[0] == word)]
            raise KeyError(name + meant(name, known, "results.columns lists the names"))
        wide = self.wide()
        ids = wide.pop("id")
        found = {column: values for column, values in wide.items() if column.partition(" ")[0] == word}
        if name in found and (name != word or len(found) == 1):
            return found[name]
        factors = {column.partition(" ")[2]: values for column, values in found.items()}
        try:
            pandas = optional("pandas", "", "")
        except ImportError:
            return factors
        return pandas.DataFrame(factors, index=pandas.Index(ids, name="id"))

    def arrays(self) -> "Dict[str, NDArray[Any]]":
        """All columns: name -> NumPy array."""
        return self._source.arrays(self.columns)

    def measures(self) -> "Dict[str, NDArray[Any]]":
        """All measures, price first, in long form: id, then the members of Measure -> NumPy array."""
        numpy = optional("numpy", "Results.measures()", "the measures of results.trade(i)")
        rows = [(name, *one) for name, measures in self._source.rows() for one in measures]
        kinds = (object, object, object, float, float, bool, object, float, float, object)
        columns = list(zip(*rows)) or [()] * len(kinds)
        return {name: numpy.array(column, kind)
                for name, column, kind in zip(("id", *Measure._fields), columns, kinds)}

    def wide(self, errors: bool = False) -> "Dict[str, NDArray[Any]]":
        """All measures in wide form: id, then a column per measure and factor ("price", "delta SPX.spot"), NaN where a trade
        has none. `errors`: each is followed by its standard errors ("price std_error")."""
        numpy = optional("numpy", "Results.wide()", "the measures of results.trade(i)")
        names: List[str] = []
        columns: Dict[str, Any] = {}

        def set_at(name: str, index: int, value: float) -> None:
            if name not in columns:
                columns[name] = numpy.full(len(self), numpy.nan)
            columns[name][index] = value

        for index, (name, measures) in enumerate(self._source.rows()):
            names.append(name)
            for one in measures:
                column = f"{one.measure} {one.factor}".rstrip()
                set_at(column, index, one.value)
                if errors:
                    set_at(f"{column} std_error", index, one.std_error)
        return {"id": numpy.array(names, object), **columns}

    # ---- Frames and texts ----

    def frame(self) -> Any:
        """A pandas frame, a row per trade, indexed by id."""
        pandas = optional("pandas", "Results.frame()", "results.trade(i) and iteration")
        return pandas.DataFrame(self.arrays()).set_index("id")

    def measures_frame(self) -> Any:
        """A pandas frame of all measures in long form."""
        pandas = optional("pandas", "Results.measures_frame()", "the measures of results.trade(i)")
        return pandas.DataFrame(self.measures())

    def wide_frame(self, errors: bool = False) -> Any:
        """A pandas frame of all measures in wide form, a row per trade, indexed by id. See wide."""
        pandas = optional("pandas", "Results.wide_frame()", "the measures of results.trade(i)")
        return pandas.DataFrame(self.wide(errors)).set_index("id")

    def text(self, format: str = "table", *, columns: Union[str, Iterable[str], None] = None, wide: bool = False,
             sums: bool = False) -> str:
        """The report: "table", "csv", "json" or "jsonl". `columns` and `wide` are those of `levy price`, for csv; its rows are
        trades, or `sums`."""
        if format == "npy":
            raise ValueError("npy is no text; results.array() is the array")
        if columns is None and not wide and not sums:
            return self._source.text(checked_format(format, _TEXTS))
        if format != "csv":
            raise ValueError("columns, wide and sums are for csv")
        return self._source.report("csv", _list(columns), wide, sums).decode("utf-8")

    def array(self, *, columns: Union[str, Iterable[str], None] = None, wide: bool = False, sums: bool = False) -> Any:
        """The rows of the csv as a structured array of NumPy; what a number lacks is NaN, what a text lacks ""."""
        numpy = optional("numpy", "Results.array()", "results.text('csv')")
        import io
        return numpy.load(io.BytesIO(self._source.report("npy", _list(columns), wide, sums)))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the report that the file's ending names, as `levy price --output` does: .csv, .json, .jsonl, .npy, .txt, .html."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending not in _ENDINGS:
            raise ValueError(f"a report's file ends in {', '.join(_ENDINGS)}; got {os.fspath(path)!r}")
        data = self._source.report("npy", None, False, False) if ending == ".npy" else self.text(_ENDINGS[ending]).encode()
        with open(path, "wb") as file:
            file.write(data)

    def plot(self, what: str = "errors", trade: Optional[str] = None, *, ax: Any = None) -> Any:
        """A Plot of "errors" (of each trade, over its price), "ladder" (vega and rho by node), "grid" (scenarios) or
        "boundary" (levels of early exercise): an SVG by levy that a notebook shows. `trade`: the id of one. `ax`: axes of
        Matplotlib, on which it is drawn instead."""
        if what not in RESULTS:
            raise ValueError(f"there is no plot {what!r} of results" + meant(what, RESULTS, f"use one of {', '.join(RESULTS)}"))
        draw, nothing = RESULTS[what]
        if trade is not None:
            self._place(trade)  # says that there is none
        try:
            if ax is None:
                return Plot(self._source.plot(what, trade))
            if draw(self, trade, ax):
                return ax
        except ValueError:  # of the library
            if ax is not None:
                raise
        raise ValueError(f"there is nothing to plot: {nothing}")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return _show.results(self)

    def _repr_html_(self) -> str:
        return _show.results_html(self)
