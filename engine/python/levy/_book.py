"""Contexts and books: what is loaded, quoted and priced."""

import ctypes
import json
import os
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, MutableMapping, Optional, Union

from ._errors import CANCELLED, Diagnostic, diagnostics_of, raise_for, TOLERANCE
from ._library import FORMATS, library, PROGRESS, STRUCTURES, text_of
from ._results import Results

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int, float], Any]


def _struct(kind: str, /, **members: Any) -> ctypes.Structure:
    made = STRUCTURES[kind](**members)
    if hasattr(made, "struct_size"):
        made.struct_size = ctypes.sizeof(made)
    return made


def _text(value: Any) -> Optional[bytes]:
    return None if value is None else str(value).encode()


class Context:
    """Owns books and results of one thread. Two contexts never interact; several threads take a context each."""

    def __init__(self) -> None:
        handle = ctypes.c_void_p()
        raise_for(library.levy_context_create(None, ctypes.byref(handle)), 0)
        self._handle: Optional[int] = handle.value

    def __del__(self, destroy: Any = library.levy_context_destroy) -> None:
        if getattr(self, "_handle", None):
            destroy(self._handle)
            self._handle = None

    def load(self, *paths: PathLike, settings: Optional[Mapping[str, Any]] = None) -> "Book":
        """One book of all the files, in that order; a folder stands for its *.yaml and *.yml files.

        `settings` override keys under `simulation`, and `measures`: {"simulation.paths": "2^20", "measures": "price,delta"}.
        """
        return self._load([_struct("levy_source", name=os.fspath(path).encode()) for path in paths], settings)

    def load_text(self, text: str, name: str = "<text>", folder: Optional[PathLike] = None,
                  settings: Optional[Mapping[str, Any]] = None) -> "Book":
        """A book from a text. `folder` is where `market: FILE` starts from; without it such references are refused."""
        data = text.encode()
        base = None if folder is None else os.fspath(folder).encode()
        return self._load([_struct("levy_source", name=name.encode(), text=data, length=len(data), folder=base)], settings)

    def _load(self, sources: List[ctypes.Structure], settings: Optional[Mapping[str, Any]]) -> "Book":
        given = [_struct("levy_setting", key=_text(key), value=_text(value)) for key, value in (settings or {}).items()]
        source_array = (STRUCTURES["levy_source"] * len(sources))(*sources)
        setting_array = (STRUCTURES["levy_setting"] * len(given))(*given)
        handle = ctypes.c_void_p()
        status = library.levy_book_load(self._handle, source_array, len(sources), setting_array, len(given), ctypes.byref(handle))
        raise_for(status, self._handle or 0)
        return Book(self, handle.value or 0, diagnostics_of(self._handle or 0))

    def devices(self) -> List[Dict[str, Any]]:
        """What can compute here."""
        return json.loads(text_of(library.levy_devices_write, self._handle, FORMATS["json"]))["devices"]


class Book(MutableMapping[str, float]):
    """Trades, market and settings. As a mapping: the market's quotes by name.

    NAME.spot, NAME.dividend_yield are as written; NAME.volatility and CURVE.rate are as written where flat, and a shift of
    the whole structure, 0 at first, where they have a term structure. What is set takes effect with the next price().
    """

    def __init__(self, context: Context, handle: int, diagnostics: List[Diagnostic]) -> None:
        self._context = context
        self._handle = handle
        self.diagnostics = diagnostics
        """Warnings, and the faults of trades that cannot be priced."""

    def __del__(self, destroy: Any = library.levy_book_destroy) -> None:
        if getattr(self, "_handle", 0):
            destroy(self._handle)
            self._handle = 0

    # ---- Quotes ----

    def __getitem__(self, factor: str) -> float:
        value = ctypes.c_double()
        if library.levy_book_get(self._handle, factor.encode(), ctypes.byref(value)) != 0:
            raise KeyError(factor)
        return value.value

    def __setitem__(self, factor: str, value: float) -> None:
        raise_for(library.levy_book_set(self._handle, factor.encode(), value), self._context._handle or 0)

    def __delitem__(self, factor: str) -> None:
        raise TypeError("a quote cannot be removed")

    def __iter__(self) -> Iterator[str]:
        for index in range(len(self)):
            yield library.levy_book_quote_name(self._handle, index).decode()

    def __len__(self) -> int:
        return int(library.levy_book_quote_count(self._handle))

    @property
    def trades(self) -> int:
        """How many trades the book holds, those that cannot be priced included."""
        return int(library.levy_book_size(self._handle))

    # ---- Pricing ----

    def price(self, device: str = "auto", *, isa: str = "auto", threads: int = 0, progress: Optional[Progress] = None,
              journal: Optional[PathLike] = None, resume: bool = False, times: bool = True, kernel_cache: bool = True) -> Results:
        """Prices all trades.

        `progress(done, total, seconds)` is called now and then; a true value stops the run, whose Results then say
        `run.interrupted` and hold what was done. Other Python threads run meanwhile. `journal` names a file that finished
        groups are appended to, and `resume` takes them from there. A missed tolerance is no exception: `run.tolerance_missed`
        counts the trades, each of which says so.
        """
        raised: List[BaseException] = []

        @PROGRESS
        def report(_user: Any, told: Any) -> int:
            try:
                return 1 if progress and progress(told[0].done, told[0].total, told[0].seconds) else 0
            except BaseException as error:  # it cannot pass through the library; it goes on below
                raised.append(error)
                return 1

        options = _struct("levy_price_options", device=device.encode(), isa=isa.encode(), threads=threads,
                          no_kernel_cache=not kernel_cache, resume=resume, no_times=not times,
                          journal=None if journal is None else os.fspath(journal).encode(),
                          progress=ctypes.cast(report, ctypes.c_void_p).value)
        handle = ctypes.c_void_p()
        status = library.levy_price(self._handle, ctypes.byref(options), ctypes.byref(handle))
        results = Results(self._context, handle.value, diagnostics_of(self._context._handle or 0)) if handle.value else None
        if raised:
            raise raised[0]
        if results is None or status not in (0, CANCELLED, TOLERANCE):  # those two leave results that say so
            raise_for(status, self._context._handle or 0)
        assert results is not None
        return results

    def explain(self, device: str = "auto") -> str:
        """How the trades would be simulated, in words."""
        options = _struct("levy_price_options", device=device.encode())
        return text_of(library.levy_book_explain, self._handle, ctypes.byref(options))

    def converge(self, methods: Union[str, Iterable[str], None] = None, points: Optional[str] = None, *, replicates: int = 0,
                 trade: Optional[str] = None, reference: Optional[float] = None, device: str = "auto", threads: int = 0,
                 format: str = "json") -> Any:
        """How fast methods converge on a trade: what `levy converge` measures, as a dict, or as "csv", "svg" or "table" text."""
        names = methods if methods is None or isinstance(methods, str) else ",".join(methods)
        options = _struct("levy_study_options", methods=_text(names), points=_text(points), trade=_text(trade),
                          replicates=replicates, has_reference=reference is not None, reference=reference or 0.0)
        how = _struct("levy_price_options", device=device.encode(), threads=threads)
        study = ctypes.c_void_p()
        status = library.levy_converge(self._handle, ctypes.byref(options), ctypes.byref(how), ctypes.byref(study))
        raise_for(status, self._context._handle or 0)
        try:
            text = text_of(library.levy_study_write, study, FORMATS[format])
        finally:
            library.levy_study_destroy(study)
        return json.loads(text) if format == "json" else text


def load(*paths: PathLike, settings: Optional[Mapping[str, Any]] = None) -> Book:
    """A book from files, in a context of its own. See Context.load."""
    return Context().load(*paths, settings=settings)


def load_text(text: str, name: str = "<text>", folder: Optional[PathLike] = None,
              settings: Optional[Mapping[str, Any]] = None) -> Book:
    """A book from a text, in a context of its own. See Context.load_text."""
    return Context().load_text(text, name, folder, settings)
