"""Results: single trades as tuples, columns as NumPy arrays, frames."""

import ctypes
import difflib
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._errors import Diagnostic
from ._library import decode, FORMATS, library, STRUCTURES, text_of
from ._optional import optional
from ._owner import Owned, Owner

_TRADE, _MEASURE = STRUCTURES["levy_trade_result"], STRUCTURES["levy_measure"]
_HIDDEN = ("n_measures", "measures")


class Measure(NamedTuple):
    """One measure of a trade: its price, or a Greek to a factor."""

    measure: str
    factor: str
    value: float
    std_error: float
    flagged: bool
    note: Optional[str]
    """Why it is flagged."""


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


class Netted(NamedTuple):
    """What all priced trades of one currency are worth together."""

    currency: str
    trades: int
    replicates: int
    value: float
    std_error: float
    ci_low: float
    ci_high: float
    confidence: float
    interval: str


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


def _members(kind: Any, struct: ctypes.Structure) -> Dict[str, Any]:
    """A struct's members that the tuple has, texts decoded."""
    values = {name: getattr(struct, name) for name in kind._fields if name != "measures"}
    return {name: decode(value) if isinstance(value, bytes) else value for name, value in values.items()}


def _measures(struct: ctypes.Structure) -> Iterator[Measure]:
    array = (_MEASURE * struct.n_measures).from_address(struct.measures) if struct.n_measures else ()
    for one in array:
        values = _members(Measure, one)
        values["flagged"] = bool(values["flagged"])
        yield Measure(**values)


class Results(Owned):
    """What Book.price gives. `results["price"]` is a NumPy array with an element per trade, in the order of the book.

    `len(results)` counts trades; `results.trade(i)` and iteration give Trade tuples without NumPy; `results.frame()` and
    `results.measures_frame()` are pandas frames. Numbers that do not exist (a failed trade's price, an error that cannot be
    given) are NaN.
    """

    _destroy = library.levy_results_destroy

    def __init__(self, owner: Owner, handle: int, diagnostics: List[Diagnostic]) -> None:
        super().__init__(owner, handle)
        self.diagnostics = diagnostics
        self.run = self._run()

    def _run(self) -> Run:
        values = _members(Run, STRUCTURES["levy_run_info"].from_address(library.levy_results_run(self._handle)))
        values["interrupted"] = bool(values["interrupted"])
        return Run(**values)

    # ---- Single trades ----

    def __len__(self) -> int:
        return int(library.levy_results_size(self._handle))

    def _struct(self, index: int) -> ctypes.Structure:
        return _TRADE.from_address(library.levy_results_trade(self._handle, index))

    def trade(self, index: int) -> Trade:
        """One trade, by its place in the book."""
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        struct = self._struct(index % len(self))
        return Trade(measures=list(_measures(struct)), **_members(Trade, struct))

    def __iter__(self) -> Iterator[Trade]:
        return (self.trade(index) for index in range(len(self)))

    @property
    def netted(self) -> Tuple[Netted, ...]:
        """The book's value by currency, with the error of the whole."""
        kind = STRUCTURES["levy_netted"]
        count = library.levy_results_netted_count(self._handle)
        found = (kind.from_address(library.levy_results_netted(self._handle, index)) for index in range(count))
        return tuple(Netted(**_members(Netted, one)) for one in found)

    # ---- Columns ----

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names that `results[name]` takes."""
        return tuple(field[0] for field in _TRADE._fields_ if field[0] not in _HIDDEN)

    def _raw(self) -> Any:
        """All trades as the library holds them: a structured array over a copy, texts as addresses."""
        numpy = optional("numpy", "a column of results", "results.trade(i) and iteration")
        fields = _TRADE._fields_
        kinds = {ctypes.c_char_p: "u8", ctypes.c_void_p: "u8"}
        dtype = numpy.dtype({"names": [field[0] for field in fields],
                             "formats": [kinds.get(field[1]) or numpy.dtype(field[1]) for field in fields],
                             "offsets": [getattr(_TRADE, field[0]).offset for field in fields],
                             "itemsize": ctypes.sizeof(_TRADE)})
        count = len(self)
        if count == 0:
            return numpy.zeros(0, dtype)
        memory = (ctypes.c_char * (count * ctypes.sizeof(_TRADE))).from_address(library.levy_results_trade(self._handle, 0))
        return numpy.frombuffer(memory, dtype).copy()

    def __getitem__(self, name: str) -> Any:
        if name not in self.columns:
            near = difflib.get_close_matches(name, self.columns, 1)
            raise KeyError(f"{name}; did you mean '{near[0]}'?" if near else f"{name}; results.columns lists the names")
        return self._column(self._raw(), name)

    @staticmethod
    def _column(raw: Any, name: str) -> Any:
        import numpy
        if dict(_TRADE._fields_)[name] is not ctypes.c_char_p:
            return raw[name].copy()
        addresses, places = numpy.unique(raw[name], return_inverse=True)
        texts = numpy.empty(len(addresses), object)
        texts[:] = [decode(ctypes.string_at(int(one))) if one else None for one in addresses]
        return texts[places]

    def arrays(self) -> Dict[str, Any]:
        """All columns: name -> NumPy array."""
        raw = self._raw()
        return {name: self._column(raw, name) for name in self.columns}

    def measures(self) -> Dict[str, Any]:
        """All measures, price first, in long form: id, measure, factor, value, std_error, flagged, note -> NumPy array."""
        numpy = optional("numpy", "Results.measures()", "the measures of results.trade(i)")
        rows = [(decode(struct.id), *one) for struct in map(self._struct, range(len(self))) for one in _measures(struct)]
        kinds = (object, object, object, float, float, bool, object)
        columns = list(zip(*rows)) or [()] * len(kinds)
        return {name: numpy.array(column, kind)
                for name, column, kind in zip(("id", *Measure._fields), columns, kinds)}

    # ---- Frames and texts ----

    def frame(self) -> Any:
        """A pandas frame, a row per trade, indexed by id."""
        pandas = optional("pandas", "Results.frame()", "results.trade(i) and iteration")
        return pandas.DataFrame(self.arrays()).set_index("id")

    def measures_frame(self) -> Any:
        """A pandas frame of all measures in long form."""
        pandas = optional("pandas", "Results.measures_frame()", "the measures of results.trade(i)")
        return pandas.DataFrame(self.measures())

    def text(self, format: str = "table") -> str:
        """The report: "table", "csv", "json" or "jsonl"."""
        return text_of(library.levy_results_write, self._handle, FORMATS[format])

    def __str__(self) -> str:
        return self.text()
