"""Contexts and books: what is loaded, quoted and priced."""

import ctypes
import operator
import os
import sys
import warnings
from time import perf_counter
from typing import (Any, Callable, cast, Dict, Iterable, Iterator, List, Mapping, MutableMapping, NamedTuple, NoReturn, Optional,
                    Tuple, TYPE_CHECKING, Union)

from . import _show
from ._call import Call
from ._errors import CANCELLED, Diagnostic, diagnostics_of, FailedTrades, INPUT, InputError, raise_for, TOLERANCE
from ._input import keywords_of, market_source, settings_of, Source, source, text_source
from ._keywords import BookKeywords, GivesNormals, LoadKeywords, named, Normals, PathLike, PriceKeywords, Progress, Settings
from ._library import described, encoded, FORMATS, GIVE_NORMALS, library, meant, PROGRESS, STRUCTURES, text_of
from ._optional import optional
from ._owner import Handle, Owned, Owner
from ._results import Results
from ._study import Study

_SOURCE = STRUCTURES["levy_source"]
_SOURCE_TEXT = getattr(_SOURCE, "text").offset

_LOAD_KEYWORDS = ("market", "folder", "settings", "allow_links", "kinds")
_MOST_COMPARED = 1000
MOST_PARTS = 65536
_BRIEF = 1e-3  # seconds that Ctrl-C can wait for
_SEED = b"simulation.seed"
_PRICE_KEYWORDS = ("device", "isa", "threads", "progress", "journal", "resume", "times", "kernel_cache", "normals", "by",
                   "strict")

Points = Union[None, str, int, Iterable[int]]

if TYPE_CHECKING:
    from typing_extensions import Unpack  # type checkers have it, whatever is installed


def _struct(kind: str, /, **members: Any) -> ctypes.Structure:
    made = STRUCTURES[kind](**members)
    if hasattr(made, "struct_size"):
        made.struct_size = ctypes.sizeof(made)
    return made


def _text(value: Any) -> Optional[bytes]:
    """As the library takes it: True as "true", ["a", "b"] as "a,b"."""
    if value is None:
        return None
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return encoded(",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value))


def _range(points: Points) -> Optional[bytes]:
    """Sizes as the library takes them: [256, 512] as "256..512"."""
    if points is None or isinstance(points, str):
        return _text(points)
    sizes = [operator.index(one) for one in (points if isinstance(points, Iterable) else [points])]
    if not sizes or any(b != 2 * a for a, b in zip(sizes, sizes[1:])):
        raise ValueError(f"points double from one size to the next, such as [256, 512, 1024]; got {sizes}")
    return encoded(f"{sizes[0]}..{sizes[-1]}" if len(sizes) > 1 else str(sizes[0]))


def part_number(name: str, value: Any) -> int:
    """Which part, or of how many."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number; got {value!r}") from None
    if not 1 <= number <= MOST_PARTS:
        raise ValueError(f"{name} is a number from 1 to {MOST_PARTS}; got {value!r}")
    return number


def _paths(given: Union[None, PathLike, Iterable[PathLike]]) -> Optional[bytes]:
    """One path or several, as the library takes them: "a:b"."""
    if given is None:
        return None
    several = [given] if isinstance(given, (str, os.PathLike)) else list(given)
    names = [os.fspath(one) for one in several]
    for name in names:
        if ":" in name:
            raise ValueError(f"a path with kinds has no ':'; got {name!r}")
    return encoded(":".join(names))


def _refuse_keywords(call: str, unknown: Mapping[str, Any], function: Callable[..., Any]) -> None:
    if not unknown:
        return
    from inspect import signature
    known = [name for name in signature(function).parameters if name not in ("self", "unknown")]
    for name in unknown:
        raise TypeError(f"{call}() has no keyword '{name}'" + meant(name, known, f"use one of {', '.join(sorted(known))}"))


_Pairs = Tuple[Tuple[bytes, bytes], ...]
"""Settings: keys and values."""


def _setting_array(settings: _Pairs) -> Any:
    kind = STRUCTURES["levy_setting"]
    return (kind * len(settings))(*(kind(key, value) for key, value in settings))


class _Origin(NamedTuple):
    """All that makes a book again, but for the quotes that were set."""

    sources: Tuple[Source, ...]
    references: Tuple[Source, ...]
    """The market and shock files that the sources refer to."""
    settings: _Pairs


def _sources_of(call: Any, book: int) -> Tuple[Source, ...]:
    found: List[Source] = []
    while True:
        address = call(book, len(found))
        if not address:
            return tuple(found)
        one = _SOURCE.from_address(address)
        text = ctypes.c_void_p.from_address(address + _SOURCE_TEXT).value  # by its length: a text may hold zeros
        found.append(Source(one.name, ctypes.string_at(text or 0, one.length), one.folder))


def _source_array(sources: Iterable[Source]) -> Any:
    given = [_struct("levy_source", name=one.name, text=one.text, length=len(one.text or b""), folder=one.folder) for one in sources]
    return (STRUCTURES["levy_source"] * len(given))(*given)


def _reals(numpy: Any, given: Any) -> Any:
    """An array of real numbers, all of which are there."""
    array = numpy.asarray(given)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"normals are an array of real numbers; got one of {array.dtype}")
    if numpy.ma.is_masked(given):
        raise ValueError("normals are all given: an array with masked numbers leaves some out")
    return array


def _rows_of(array: Any) -> GivesNormals:
    """What fills from an array [replicate][path][dimension], or [path][dimension] of one replicate."""
    cube = array[None] if array.ndim == 2 else array

    def give(out: Any, replicate: int, first: int) -> None:
        dimensions, last = out.shape[0], first + out.shape[1]
        if cube.ndim != 3 or replicate >= cube.shape[0] or last > cube.shape[1] or dimensions > cube.shape[2]:
            raise ValueError(f"normals of shape {array.shape} have no {dimensions} dimensions of path {last - 1} in replicate {replicate}:"
                             " they are [replicate][path][dimension], for the replicates and paths of the run")
        out[:] = cube[replicate, first:last, :dimensions].T

    return give


_at_work: "Dict[int, _Call]" = {}
"""Calls by the number that the library gives back."""


def _report(user: int, told: Any) -> int:
    call = _at_work[user]
    if call.call.stopped or call.told is None:
        return int(call.call.stopped)
    return call.call.ask(call.told, told[0].done, told[0].total, told[0].seconds)


_REPORT = PROGRESS(_report)
"""One for all calls: to make one takes longer than a small price's paths."""
_REPORT_ADDRESS = ctypes.cast(_REPORT, ctypes.c_void_p).value


def _here(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


class _Call(Handle):
    """A call of the library with the functions that it calls back: `progress` and `normals` are their addresses, `user` is the
    number that it gives the first. One that is `brief` is made on the caller's thread: it calls nothing back, and signals wait."""

    def __init__(self, progress: Optional[Progress], normals: Normals = None, brief: bool = False) -> None:
        call: Any = _here if brief else Call()
        self.call = call
        self.progress = None if brief else _REPORT_ADDRESS
        self.told = progress
        self.user = id(self)
        self.normals: Optional[int] = None
        if normals is not None:
            self._take(call, normals)

    def _take(self, call: Call, normals: Normals) -> None:
        numpy: Any = optional("numpy", "Book.price(normals=...)", "books of other generators")
        gives = normals if callable(normals) else _rows_of(_reals(numpy, normals))

        def fill(request: Any) -> None:
            rows = numpy.ctypeslib.as_array((ctypes.c_double * (request.n_dimensions * request.stride)).from_address(request.output))
            out = numpy.full((request.n_dimensions, request.n_paths), numpy.nan)  # its own memory: who keeps it reads no freed one
            given: Any = gives(out[:], request.replicate, request.first_path)  # a view, which cannot be resized
            if given is not None and numpy.isnan(out).any():
                raise TypeError(f"normals(out, replicate, first_path) fills out, [dimension][path], and returns nothing; got a {type(given).__name__}")
            rows.reshape(request.n_dimensions, request.stride)[:, : request.n_paths] = out

        def give(_user: Any, asked: Any) -> int:
            return call.ask(fill, asked[0])

        self._kept = GIVE_NORMALS(give)
        self.normals = ctypes.cast(self._kept, ctypes.c_void_p).value

    def made(self, handle: ctypes.c_void_p, destroy: Any, function: Any, *arguments: Any) -> int:
        """The status of a function that makes what `handle` gets."""
        _at_work[self.user] = self
        try:
            return int(self.call(function, *arguments, ctypes.byref(handle)))
        except BaseException:
            destroy(handle)
            raise
        finally:
            del _at_work[self.user]


class Context(Handle):
    """Owns books and results of one thread. Two contexts never interact; several threads take a context each.

    What a book refers to stays beneath its folder; `allow_links`: symbolic links may lead out of it. `kinds`: files that define
    kinds of payoffs, or folders of them; every book of the context may use these.
    """

    def __init__(self, *, allow_links: bool = False, kinds: Union[None, PathLike, Iterable[PathLike]] = None) -> None:
        handle = ctypes.c_void_p()
        options = _struct("levy_context_options", allow_links=int(allow_links), keep_texts=1, kinds=_paths(kinds))
        raise_for(library.levy_context_create(ctypes.byref(options), ctypes.byref(handle)), 0)
        self._owner = Owner(handle.value or 0)
        self._token = self._owner.enter()

    def __del__(self) -> None:
        if hasattr(self, "_token"):
            self._owner.leave(self._token)

    def load(self, *sources: Any, market: Any = None, folder: Optional[PathLike] = None,
             settings: Optional[Mapping[str, Any]] = None, **keywords: "Unpack[BookKeywords]") -> "Book":
        """One book of all the sources, in that order. A source is

        - a file's name; a folder stands for its *.yaml and *.yml files;
        - a map with the keys of a file, or with those of one trade. Dates may be datetime.date, numbers NumPy's. A key whose
          value is None is left out, `schema_version` is 1 if it is;
        - trades: maps in a row (a list, csv.DictReader), or a frame of pandas, polars or Arrow with a row per trade and columns such as "id",
          "underlying", "payoff.kind", "payoff.strike". Empty cells are left out, and so is an index without a name.

        `market` is a file of market data, a book without trades, or either as a map. `folder` is where the files start that
        maps and frames refer to; without it such references are refused. Keywords are keys under `simulation` (paths=2**20,
        seed=7), `measures`, `models`, `scenarios` or `valuation_date`. `settings` override keys by their full names:
        {"simulation.tolerance.relative": 1e-4}.

        InputError: the input has faults. MissingFileError, which is a FileNotFoundError too: a source does not exist.
        """
        named = keywords_of("load", keywords, _LOAD_KEYWORDS, folder)
        given = [] if market is None else [market_source(market, folder)]
        given += [source(one, folder) for one in sources]
        return self._load([*given, named.book] if named.book else given, {**named.settings, **settings_of(settings)})

    def loads(self, text: str, name: str = "<text>", folder: Optional[PathLike] = None,
              settings: Optional[Mapping[str, Any]] = None, **keywords: "Unpack[BookKeywords]") -> "Book":
        """A book from a text in YAML or JSON. `folder` is where `market: FILE` starts from; without it such references are
        refused. Keywords are those of load."""
        named = keywords_of("loads", keywords, ("name", "folder", "settings"), folder)
        given = [text_source(text, name, folder), *filter(None, [named.book])]
        return self._load(given, {**named.settings, **settings_of(settings)})

    load_text = loads

    def _load(self, sources: List[Source], settings: Mapping[bytes, bytes]) -> "Book":
        array = _source_array(sources)
        return self._made(tuple(settings.items()), lambda *rest: library.levy_book_load(self._owner.handle, array, len(array), *rest))

    def _load_again(self, origin: _Origin) -> "Book":
        sources, references = _source_array(origin.sources), _source_array(origin.references)
        return self._made(origin.settings, lambda *rest: library.levy_book_load_kept(
            self._owner.handle, sources, len(sources), references, len(references), *rest))

    def _made(self, settings: _Pairs, load: Callable[..., int]) -> "Book":
        array = _setting_array(settings)
        handle = ctypes.c_void_p()
        with self._owner.turn:
            raise_for(load(array, len(array), ctypes.byref(handle)), self._owner.handle)
            return Book(self._owner, handle.value or 0, diagnostics_of(self._owner.handle), settings)

    def describe(self, topic: Optional[str] = None) -> str:
        """levy.describe with the kinds of this context."""
        try:
            return described(topic, lambda name: text_of(library.levy_context_describe, self._owner.handle, name))
        except ValueError:
            if diagnostics_of(self._owner.handle):
                raise_for(INPUT, self._owner.handle)
            raise

    def devices(self) -> List[Dict[str, Any]]:
        """What can compute here."""
        import json
        told = json.loads(text_of(library.levy_devices_write, self._owner.handle, FORMATS["json"]))
        return cast(List[Dict[str, Any]], told["devices"])


class Book(Owned, MutableMapping[str, float]):
    """Trades, market and settings. As a mapping: the market's quotes by name.

    NAME.spot, NAME.dividend_yield, NAME.borrow are as written; NAME.volatility and CURVE.rate are as written where flat,
    and a shift of the whole structure, 0 at first, where they have a term structure. NAME.volatility[2027-11-20],
    CURVE.rate[1.5] are a node, NAME.dividends[DATE] is a dividend; NAME.dividends multiplies all on dates by 1 + value;
    "NAME,OTHER.correlation" is a correlation, MODEL.intensity one of jumps. What is set takes effect with the next price();
    an `initial_fixing: spot` stays the spot that the file had.
    """

    _destroy = library.levy_book_destroy

    def __init__(self, owner: Owner, handle: int, diagnostics: List[Diagnostic],
                 settings: _Pairs = ()) -> None:
        super().__init__(owner, handle)
        self.diagnostics = diagnostics
        """Warnings, and the faults of trades that cannot be priced."""
        self._settings = self._now = settings  # its own, and those that the library has at present
        self._checked = diagnostics  # under those
        self._set: Dict[str, float] = {}
        self._moved = False  # since the trades were last checked
        self._brief: Any = None  # the way in which it was last priced, if that took no time

    # ---- Copies ----

    def __reduce_ex__(self, _protocol: Any) -> Any:
        """As its texts, with the files they refer to, its settings and the quotes that were set; a copy has a context of its
        own, so another thread or process may use it."""
        return _book_again, (self._origin(self._settings), dict(self._set))

    def _origin(self, settings: Tuple[Tuple[bytes, bytes], ...]) -> _Origin:
        return _Origin(_sources_of(library.levy_book_source, self._handle),
                       _sources_of(library.levy_book_reference, self._handle), settings)

    def _given(self, keywords: Mapping[str, Any]) -> _Pairs:
        """Its settings with others in place of them."""
        named = keywords_of("price", keywords, _PRICE_KEYWORDS, None)
        if named.book:
            raise TypeError("models, scenarios and valuation_date are given when a book is loaded")
        return tuple({**dict(self._settings), **named.settings}.items()) if named.settings else self._settings

    def _take(self, settings: _Pairs) -> None:
        """Gives the library's book these settings, for a call that begins."""
        if settings == self._now:
            return
        raise_for(library.levy_book_override(self._handle, _setting_array(settings), len(settings)), self._owner.handle)
        self._now = settings
        self._keep(diagnostics_of(self._owner.handle))

    def _keep(self, checked: List[Diagnostic]) -> None:
        self._checked, self._moved = checked, False
        if self._now == self._settings:
            self.diagnostics = checked

    # ---- Looks ----

    def __repr__(self) -> str:
        return _show.book(self)

    def _repr_html_(self) -> str:
        return _show.book_html(self)

    # ---- Quotes ----

    def __getitem__(self, factor: str) -> float:
        value = ctypes.c_double()
        if not isinstance(factor, str):
            raise KeyError(factor)
        if "\0" in factor or library.levy_book_get(self._handle, factor.encode(), ctypes.byref(value)) != 0:
            known = list(self) if len(self) <= _MOST_COMPARED else []
            raise KeyError(factor + meant(factor, known, "list(book) has the quotes"))
        return value.value

    def __setitem__(self, factor: str, value: float) -> None:
        if not isinstance(factor, str):
            raise TypeError(f"the name of a quote is a text; got {factor!r}")
        if not hasattr(value, "__float__"):
            raise TypeError(f"{factor} is a number; got {value!r}")
        number = float(value)
        other = self.get(factor) != number  # the same value leaves what is known of the trades
        with self._owner.turn:
            raise_for(library.levy_book_set(self._handle, encoded(factor), number), self._owner.handle)
            self._set[factor] = number
            self._moved = self._moved or other

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
              journal: Optional[PathLike] = None, resume: bool = False, times: bool = True, kernel_cache: bool = True,
              normals: Normals = None, by: Union[str, Iterable[str], None] = None, strict: bool = False,
              **settings: "Unpack[Settings]") -> Results:
        """Prices all trades. Those that fail have no price, sums lack them, and a FailedTrades warning names them; `strict`: it
        is an exception, and so is any warning of the input.

        `settings` are keys under `simulation` (paths=2**20, seed=7) and `measures`, for this call.

        `device` is "auto", "cpu", "cuda", "cuda:N" or several GPUs, "cuda:all" or "cuda:0,2", which give the bits of one.

        `progress(done, total, seconds)` is called now and then; a true value stops the run, whose Results then say
        `run.interrupted` and hold what was done. Other Python threads run meanwhile. What a signal's handler raises comes out
        of the call, and so does Ctrl-C, in a coroutine too. `journal` names a file that finished
        groups are appended to, and `resume` takes them from there. A missed tolerance is no exception: `run.tolerance_missed`
        counts the trades, each of which says so.

        `by` names keys by which results.netted also nets, beside the currency: "book", "counterparty", "netting_set",
        "underlying", "payoff", "model" or "tags.NAME", one or several.

        `normals(out, replicate, first_path)` fills the NumPy array `out`, [dimension][path], for a book whose
        simulation.generator is given; what it raises ends the pricing. Or they are an array [replicate][path][dimension].
        """
        given = self._given(settings)
        if threads < 0:
            raise ValueError(f"threads are 0 (one for each core) or more; got {threads}")
        way = self._way(device, isa, threads, given) if progress is normals is journal is None else None
        call = _Call(progress, normals, way is not None and way == self._brief)
        options = _struct("levy_price_options", device=encoded(device), isa=encoded(isa), threads=threads,
                          no_kernel_cache=not kernel_cache, resume=resume, no_times=not times,
                          journal=None if journal is None else encoded(os.fspath(journal)),
                          by=_text(by if by is None or isinstance(by, str) else list(by)),
                          progress=call.progress, user=call.user, normals=call.normals)
        handle = ctypes.c_void_p()
        results = None
        began = perf_counter()
        with self._owner.turn:
            self._begin(given, strict)
            status = call.made(handle, library.levy_results_destroy, library.levy_price, self._handle, ctypes.byref(options))
            told = self._told()
            if handle.value:
                results = Results(self._owner, handle.value, told)
        if results is None or status not in (0, CANCELLED, TOLERANCE):  # those two leave results that say so
            raise_for(status, self._owner.handle)
        assert results is not None
        self._brief = way if perf_counter() - began < _BRIEF else None
        self._check(results.diagnostics, _failed(results) if results.some_failed else [], strict)
        return results

    def _way(self, device: str, isa: str, threads: int, settings: _Pairs) -> Any:
        """What a call's time depends on, but for its seed. New quotes may take longer, to a tolerance."""
        return None if self._moved else (device, isa, threads, [one for one in settings if one[0] != _SEED])

    def _told(self) -> List[Diagnostic]:
        """What is to be said of the book and of the last call. The first one after a quote was set checks all trades anew."""
        told = diagnostics_of(self._owner.handle)
        if self._moved:
            self._keep([one for one in told if one.file])
        return [*self._checked, *(one for one in told if one not in self._checked)]

    def _begin(self, settings: _Pairs, strict: bool = False) -> None:
        self._take(settings)
        if strict:
            self._refuse_warnings()

    def _refuse_warnings(self) -> None:
        """Faults that are known before any work."""
        found = [one for one in self._checked if one.severity != "note"]
        if self._moved or not found:
            return
        failed = _faults(found)
        if failed:
            raise FailedTrades(failed, self._checked)
        raise InputError(INPUT, [one._replace(severity="error") for one in found])

    def _check(self, diagnostics: List[Diagnostic], failed: List[str], strict: bool) -> None:
        """After a call: names failed trades where the program called, by a warning or, if `strict`, an exception, and refuses
        what the call has found where a quote was set before it."""
        if failed and strict:
            raise FailedTrades(failed, diagnostics)
        if failed:
            frame, level = sys._getframe(), 1
            while frame.f_back and str(frame.f_globals.get("__name__")).split(".")[0] == "levy":
                frame, level = frame.f_back, level + 1
            warnings.warn(FailedTrades(failed, diagnostics), stacklevel=level)
        if strict:
            self._refuse_warnings()

    def price_part(self, part: int, parts: int, journal: PathLike, device: str = "auto", *, isa: str = "auto", threads: int = 0,
                   progress: Optional[Progress] = None) -> bool:
        """Prices part `part` (from 1) of `parts` into a journal, and goes on where it exists. False: `progress` stopped it.

        The cut is a function of the book and `parts`. `merge` makes Results of the journals, in any process that has the book.
        """
        call = _Call(progress)
        options = _struct("levy_price_options", device=encoded(device), isa=encoded(isa), threads=threads,
                          part=part_number("part", part), parts=part_number("parts", parts),
                          journal=encoded(os.fspath(journal)), progress=call.progress, user=call.user)
        handle = ctypes.c_void_p()
        with self._owner.turn:
            self._begin(self._settings)
            status = call.made(handle, library.levy_results_destroy, library.levy_price, self._handle, ctypes.byref(options))
            library.levy_results_destroy(handle)
            self._told()
        if status not in (0, CANCELLED, TOLERANCE):
            raise_for(status, self._owner.handle)
        return bool(status != CANCELLED)

    def has_part(self, journal: PathLike) -> bool:
        """Whether a part's journal is there and complete."""
        return self._part_of(journal) is not None

    def _part_of(self, journal: PathLike) -> Optional[Tuple[int, int]]:
        """k and n of a complete journal of part k of n."""
        info = _struct("levy_part_info")
        with self._owner.turn:
            found = (os.path.exists(journal)
                     and library.levy_part_read(self._owner.handle, encoded(os.fspath(journal)), ctypes.byref(info)) == 0)
        return (getattr(info, "part"), getattr(info, "parts")) if found and getattr(info, "complete") else None

    def merge(self, journals: Iterable[PathLike], by: Union[str, Iterable[str], None] = None, *, strict: bool = False) -> Results:
        """The Results of one run from the journals of its parts, bit for bit. JournalError names a part that is missing, not
        finished, there twice, or of another book. `by` and `strict` as in `price`."""
        if isinstance(journals, (str, bytes, os.PathLike)):
            raise TypeError(f"journals is a list of paths; got one path: {journals!r}")
        paths = [encoded(os.fspath(journal)) for journal in journals]
        array = (ctypes.c_char_p * max(1, len(paths)))(*paths)
        options = _struct("levy_merge_options", paths=ctypes.cast(array, ctypes.c_void_p), n_paths=len(paths),
                          by=_text(by if by is None or isinstance(by, str) else list(by)))
        handle = ctypes.c_void_p()
        with self._owner.turn:
            self._begin(self._settings)
            status = library.levy_merge(self._handle, ctypes.byref(options), ctypes.byref(handle))
            if not handle.value:
                raise_for(status, self._owner.handle)
            results = Results(self._owner, handle.value or 0, self._told())
        self._check(results.diagnostics, _failed(results) if results.some_failed else [], strict)
        return results

    def explain(self, device: str = "auto") -> str:
        """How the trades would be simulated, in words."""
        options = _struct("levy_price_options", device=encoded(device))
        with self._owner.turn:
            self._begin(self._settings)
            text = text_of(library.levy_book_explain, self._handle, ctypes.byref(options))
            self._told()
            return text

    # ---- Studies ----

    def converge(self, methods: Union[str, Iterable[str], None] = None, points: Points = None, *, steps: Points = None,
                 measures: Union[str, Iterable[str], None] = None, replicates: int = 0, trade: Optional[str] = None,
                 reference: Optional[float] = None, fit: Optional[str] = None, resamples: int = 0, normals: Normals = None, device: str = "auto", threads: int = 0, progress: Optional[Progress] = None,
                 strict: bool = False, **unknown: NoReturn) -> Study:
        """How fast methods converge on a trade: what `levy converge` measures.

        `methods` are names such as "sobol_scrambled+bridge", `points` a range such as "2^8..2^16", or sizes: [256, 512]. `steps`,
        such as "4..256", are those to expiry: the error of a model's steps is measured instead, on one size of points. `measures`
        are what is studied, such as "price,vega". A run that `progress` stops is an Error. Without `trade` all trades are studied;
        a FailedTrades warning names those that fail. `strict` as in price, and so are `normals`, of the methods "given+bridge",
        "given+incremental" and "given+pca".
        """
        _refuse_keywords("converge", unknown, Book.converge)
        names = methods if methods is None or isinstance(methods, str) else list(methods)
        studied = measures if measures is None or isinstance(measures, str) else list(measures)
        options = _struct("levy_study_options", methods=_text(names), points=_range(points), steps=_range(steps),
                          measures=_text(studied), trade=_text(trade), fit=_text(fit), replicates=replicates, resamples=resamples,
                          has_reference=reference is not None, reference=reference or 0.0)
        return self._study(library.levy_converge, options, device, threads, progress, strict, trade is None, self._settings, normals)

    def coverage(self, seeds: int = 0, points: Points = None, *, methods: Union[str, Iterable[str], None] = None,
                 measures: Union[str, Iterable[str], None] = None, replicates: int = 0, trade: Optional[str] = None,
                 reference: Optional[float] = None, device: str = "auto", threads: int = 0, progress: Optional[Progress] = None,
                 strict: bool = False, **unknown: NoReturn) -> Study:
        """How often the intervals of results hold the exact value, over many seeds: what `levy converge --coverage` measures, of
        prices or of `measures`, such as "price,delta". `trade` and `strict` as in converge."""
        _refuse_keywords("coverage", unknown, Book.coverage)
        names = methods if methods is None or isinstance(methods, str) else list(methods)
        studied = measures if measures is None or isinstance(measures, str) else list(measures)
        options = _struct("levy_study_options", methods=_text(names), points=_range(points), trade=_text(trade), seeds=seeds,
                          measures=_text(studied), replicates=replicates,
                          has_reference=reference is not None, reference=reference or 0.0)
        return self._study(library.levy_coverage, options, device, threads, progress, strict, trade is None, self._settings)

    def profile(self, factor: Optional[str] = None, low: float = 0.0, high: float = 0.0, steps: int = 0, *,
                trade: Optional[str] = None, device: str = "auto", threads: int = 0, progress: Optional[Progress] = None,
                strict: bool = False, **settings: "Unpack[Settings]") -> Study:
        """Price and measures against a quote: what `levy plot --what profile` draws, on the same draws at each of `steps` values
        from `low` to `high` and today's. By default a spot from 0.7 to 1.3 of today's, other quotes from 0.5 to 1.5. `trade` is the
        id of one; `settings` are keys under `simulation` and `measures`."""
        options = _struct("levy_profile_options", factor=_text(factor), trade=_text(trade), low=low, high=high, points=steps)
        return self._study(library.levy_profile, options, device, threads, progress, strict, trade is None, self._given(settings))

    def _study(self, call: Any, options: ctypes.Structure, device: str, threads: int, progress: Optional[Progress],
               strict: bool, all_trades: bool, settings: _Pairs, normals: Normals = None) -> Study:
        watched = _Call(progress, normals)
        how = _struct("levy_price_options", device=encoded(device), threads=threads, progress=watched.progress, user=watched.user, normals=watched.normals)
        handle = ctypes.c_void_p()
        study = None
        with self._owner.turn:
            self._begin(settings, strict)
            status = watched.made(handle, library.levy_study_destroy, call, self._handle, ctypes.byref(options), ctypes.byref(how))
            told = self._told()
            if handle.value:
                study = Study(self._owner, handle.value, told)
        if study is None:
            raise_for(status, self._owner.handle)
        assert study is not None
        self._check(study.diagnostics, _faults(study.diagnostics) if all_trades else [], strict)
        return study


def _faults(diagnostics: List[Diagnostic]) -> List[str]:
    """The first error of each trade."""
    first: Dict[int, str] = {}
    for one in diagnostics:
        if one.severity == "error":
            first.setdefault(one.trade, one.text)
    return list(first.values())


def _failed(results: Results) -> List[str]:
    """A line for each trade without a price: its id, where it has one, and why."""
    return [f"{one.id}: {one.message or one.reason}" if one.id else str(one.message)
            for one in results if one.status == "failed" and one.leg_of is None]


def _book_again(origin: _Origin, quotes: Mapping[str, float]) -> Book:
    book = Context()._load_again(origin)
    book.update(quotes)
    return book


def load(*sources: Any, market: Any = None, folder: Optional[PathLike] = None, settings: Optional[Mapping[str, Any]] = None,
         allow_links: bool = False, kinds: Union[None, PathLike, Iterable[PathLike]] = None,
         **keywords: "Unpack[BookKeywords]") -> Book:
    """A book from files, maps or frames, in a context of its own. See Context and Context.load."""
    return Context(allow_links=allow_links, kinds=kinds).load(*sources, market=market, folder=folder, settings=settings, **keywords)


def loads(text: str, name: str = "<text>", folder: Optional[PathLike] = None, settings: Optional[Mapping[str, Any]] = None,
          allow_links: bool = False, kinds: Union[None, PathLike, Iterable[PathLike]] = None,
          **keywords: "Unpack[BookKeywords]") -> Book:
    """A book from a text, in a context of its own. See Context and Context.loads."""
    return Context(allow_links=allow_links, kinds=kinds).loads(text, name, folder, settings, **keywords)


load_text = loads


def price(*sources: Any, device: str = "auto", **keywords: "Unpack[PriceKeywords]") -> Results:
    """The prices of a Book, or of what `load` takes, in one call: levy.price("book.yaml", paths=2**18, measures=["price", "delta"]).

    Keywords are those of Book.price and of load.
    """
    given = cast("Dict[str, Any]", keywords)
    calls = {name: given.pop(name) for name in _PRICE_KEYWORDS if name in given}
    if len(sources) == 1 and isinstance(sources[0], Book):
        for name in filter(given.__contains__, _LOAD_KEYWORDS):
            raise TypeError(f"'{name}' is a keyword of load(), and this book is loaded")
        return sources[0].price(device, **calls, **given)
    known = {name: given.pop(name) for name in _LOAD_KEYWORDS if name in given}
    keywords_of("price", given, (*_LOAD_KEYWORDS, *_PRICE_KEYWORDS), None)
    return load(*sources, **known, **given).price(device, **calls)


def profile(*sources: Any, factor: Optional[str] = None, low: float = 0.0, high: float = 0.0, steps: int = 0,
            trade: Optional[str] = None, device: str = "auto", threads: int = 0, **keywords: "Unpack[LoadKeywords]") -> Study:
    """The profile of a Book, or of what `load` takes: levy.profile("book.yaml", factor="SPX.spot", measures=["price", "delta"]).

    Keywords are those of Book.profile and of load.
    """
    given = cast("Dict[str, Any]", keywords)
    known = {name: given.pop(name) for name in _LOAD_KEYWORDS if name in given}
    if len(sources) == 1 and isinstance(sources[0], Book):
        for name in known:
            raise TypeError(f"'{name}' is a keyword of load(), and this book is loaded")
        return sources[0].profile(factor, low, high, steps, trade=trade, device=device, threads=threads, **given)
    return load(*sources, **known, **given).profile(factor, low, high, steps, trade=trade, device=device, threads=threads)


for _function, _keywords in ((Context.load, BookKeywords), (Context.loads, BookKeywords), (Book.price, Settings), (Book.profile, Settings),
                             (load, BookKeywords), (loads, BookKeywords), (price, PriceKeywords), (profile, LoadKeywords)):
    named(_function, _keywords)
