"""Books from Python's own values: maps and keywords become YAML for the library, rows of cells and frames become CSV, and the
library checks both as it checks files. Nothing here knows what a key means: a text's faults name the path of the value,
"trades[3].payoff.strike".
"""

import datetime
import os
import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ._keywords import PathLike, Settings
from ._library import encoded, meant

# What is no text in YAML 1.2: a number, or a power of two. Rows of a CSV file and PyYAML (1e6) have them as texts.
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?|\d+\^\d+")
_MOST_EXACT = 2**53
_QUOTE = '"'
_NO_VALUE = ("NAType", "NaTType")
_CSV = re.compile('[,"\r\n]')
"""What a cell has quotes for."""
# What a book is made of, and the settings that are maps of others, as the schema has them.
BOOK_KEYS = {"schema_version", "valuation_date", "market", "models", "simulation", "measures", "scenarios", "trades", "kinds",
             "calibration", "report_currency"}
GROUPS = ("simulation.tolerance", "simulation.bumps")
# A key that market data do not have, at the top of a document.
_BOOK_KEY = re.compile(r"(?:^|[{,]\s*)[\"']?(?:models|simulation|measures|scenarios|trades|calibration|report_currency)[\"']?\s*:", re.MULTILINE)


class Source(NamedTuple):
    """One input of the library's: a file or folder by its name (no text), or a text with its name in messages."""

    name: bytes
    text: Optional[bytes]
    folder: Optional[bytes]
    """Where the files start that a text refers to; None: it may not refer to any."""


class _Unwritable(Exception):
    """A value that no book can hold; `path` grows on the way up. Callers see a TypeError."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.path = ""

    def below(self, key: object) -> "_Unwritable":
        self.path = f"[{key}]{self.path}" if isinstance(key, int) else f".{key}{self.path}"
        return self

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.path.lstrip("."), str(self.args[0]))))


# ---- Values as YAML in one line -------------------------------------------------------------------


def _escaped(letter: str) -> str:
    if letter in '\\"':
        return "\\" + letter
    if letter.isprintable():
        return letter
    if "\ud800" <= letter <= "\udfff":
        raise _Unwritable(f"a text has half a character, {letter!a}")
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def _quoted(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(map(_escaped, text)) + '"'


def _date(value: datetime.date) -> str:
    if isinstance(value, datetime.datetime) and (value.time() != datetime.time() or value.tzinfo):
        raise _Unwritable(f"{value} has a time of day; a book has dates: use value.date()")
    return str(value)[:10]


def _scalar(value: Any) -> Optional[str]:
    """None: it is no scalar."""
    if isinstance(value, str):
        text = str.__str__(value)  # of an Enum its value
        return text if _NUMBER.fullmatch(text) else _quoted(text)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, datetime.date):
        return _date(value)
    if type(value).__name__ == "Decimal":
        return str(value)
    if isinstance(value, os.PathLike):
        return _quoted(os.fsdecode(value))
    return None


def _numpy(value: Any) -> Any:
    """What a scalar or an array of NumPy is in Python; itself: it is none."""
    if not hasattr(value, "dtype"):
        return value
    if type(value).__name__ == "datetime64":
        return datetime.datetime.fromisoformat(str(value.astype("datetime64[us]")))
    return value.tolist() if hasattr(value, "tolist") else value


def _each(pairs: Iterable[Tuple[Any, Any]]) -> List[str]:
    written = []
    for key, value in pairs:
        try:
            written.append(_flow(value))
        except _Unwritable as fault:
            raise fault.below(key)
    return written


def _key(key: Any) -> str:
    if isinstance(key, str):
        return _quoted(key)
    text = _scalar(_numpy(key))
    if text is None:
        raise _Unwritable(f"the key {key!r} is a {type(key).__name__}, and no text")
    return text


def _flow(value: Any) -> str:
    """A value as YAML in one line."""
    value = _numpy(value)
    if type(value).__name__ in _NO_VALUE:
        raise _Unwritable(f"{value} is no value; leave the key out, or give None")
    text = _scalar(value)
    if text is not None:
        return text
    if isinstance(value, Mapping):
        present = {key: item for key, item in value.items() if item is not None}
        keys = map(_key, present)
        return "{" + ", ".join(f"{key}: {item}" for key, item in zip(keys, _each(present.items()))) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_each(enumerate(value))) + "]"
    raise _Unwritable(f"a {type(value).__name__} cannot be written in a book")


def _book_text(book: Mapping[str, Any]) -> str:
    """A key a line and a trade a line. What is None is left out."""
    lines = [] if "schema_version" in book else ["schema_version: 1"]
    for key, value in book.items():
        try:
            if key == "trades" and isinstance(value, (list, tuple)):
                lines += ["trades:" if value else "trades: []", *(f"- {one}" for one in _each(enumerate(value)))]
            elif value is not None:
                lines.append(f"{_key(key)}: {_flow(value)}")
        except _Unwritable as fault:
            raise fault.below(key)
    return "\n".join(lines) + "\n"


def _written(write: Callable[[Any], str], value: Any) -> str:
    try:
        return write(value)
    except _Unwritable as fault:
        raise TypeError(str(fault)) from None


# ---- Trades as rows -------------------------------------------------------------------------------


def _cell(value: Any) -> str:
    """A value as a cell of a CSV file. A column of counts with empty cells has them as floats."""
    value = _numpy(value)
    if value is None or type(value).__name__ in _NO_VALUE or value != value:
        return ""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_EXACT:
        return str(int(value))
    return _flow(value)


def _cells(values: Sequence[Any]) -> Sequence[str]:
    """Most columns repeat a few values. Those of several kinds may be equal and differ as texts (1 and True)."""
    kinds = set(map(type, values)) - {str, type(None)}
    try:
        texts = {value: _cell(value) for value in dict.fromkeys(values)} if len(kinds) < 2 else {}
    except TypeError:  # lists have no hash
        texts = {}
    written = [texts[value] for value in values] if texts else list(map(_cell, values))
    if _CSV.search("".join(written)):
        return [f'"{text.replace(_QUOTE, _QUOTE * 2)}"' if _CSV.search(text) else text for text in written]
    return written


def _column(name: Any, values: Sequence[Any]) -> Sequence[str]:
    try:
        return [*_cells([str(name)]), *_cells(values)]
    except _Unwritable:
        for index, value in enumerate(values):
            try:
                _cell(value)
            except _Unwritable as fault:
                raise fault.below(name).below(index).below("trades")
        raise


def _table_text(columns: Iterable[Tuple[Any, Sequence[Any]]]) -> str:
    """Columns without a value are left out."""
    kept = [texts for texts in (_column(name, values) for name, values in columns) if any(texts[1:])]
    return "\n".join(map(",".join, zip(*kept))) + "\n" if kept else ""


def _nested(row: Mapping[Any, Any]) -> Dict[Any, Any]:
    """{"payoff.strike": 100} as {"payoff": {"strike": 100}}."""
    trade: Dict[Any, Any] = {}
    for column, value in row.items():
        if value is None:
            continue
        *above, last = column.split(".") if isinstance(column, str) else (column,)
        place = trade
        for key in above:
            place = place.setdefault(key, {})
            if not isinstance(place, dict):
                raise _Unwritable(f"there is a value for '{key}' and one for '{column}' within it")
        if last in place:
            raise _Unwritable(f"there is more than one value for '{column}'")
        place[last] = dict(value) if isinstance(value, Mapping) else value
    return trade


def _trades_text(rows: Iterable[Mapping[Any, Any]]) -> str:
    trades = []
    for index, row in enumerate(rows):
        try:
            trades.append(_nested(row))
        except _Unwritable as fault:
            raise fault.below(index).below("trades")
    return _book_text({"trades": trades})


def _table(value: Any) -> Optional[List[Tuple[Any, Sequence[Any]]]]:
    """The columns of a frame of pandas; None: it is none."""
    if not (hasattr(value, "to_dict") and hasattr(value, "reset_index")):
        return None
    named = value.reset_index() if value.index.name is not None else value
    return [(name, named.iloc[:, place].tolist()) for place, name in enumerate(named.columns)]


def _rows(value: Any) -> Optional[List[Mapping[Any, Any]]]:
    """Trades of a frame of polars or Arrow, or maps in a row, such as csv.DictReader gives; None: it is neither."""
    for method in ("to_dicts", "to_pylist"):
        if hasattr(value, method):
            return list(getattr(value, method)())
    rows: List[Any] = list(value) if isinstance(value, (list, tuple, Iterator)) else [None]
    return rows if all(isinstance(row, Mapping) for row in rows) else None


def _trades(value: Any, folder: Optional[PathLike]) -> Optional[Source]:
    """A table of cells as CSV, trades as maps of maps as YAML; None: it is neither."""
    rows = None
    table = None if hasattr(value, "to_dicts") else _table(value)
    if table is None:
        rows = _rows(value)
        if rows is None:
            return None
        if not any(isinstance(one, Mapping) for row in rows for one in row.values()):
            table = [(name, [row.get(name) for row in rows]) for name in dict.fromkeys(name for row in rows for name in row)]
    text = _written(_table_text, table) if table else ""
    return text_source(text, "<trades>.csv", folder) if text else text_source(_written(_trades_text, rows or []), "<trades>", folder)


def quotes_of(value: Any) -> List[Dict[Any, Any]]:
    """Rows of a frame or maps in a row, without their empty cells."""
    table = None if hasattr(value, "to_dicts") else _table(value)
    rows: Any = _rows(value) if table is None else [dict(zip((name for name, _ in table), cells)) for cells in zip(*(c for _, c in table))]
    if rows is None:
        raise TypeError(f"quotes are maps in a row or a frame; got {type(value).__name__}"
                        + (": with `folder`, file= names one" if _is_path(value) else ""))
    return [{key: one for key, one in row.items() if one is not None and _cell(one) != ""} for row in rows]


# ---- Sources --------------------------------------------------------------------------------------


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _folder(folder: Optional[PathLike]) -> Optional[bytes]:
    return None if folder is None else encoded(os.fspath(folder))


def text_source(text: str, name: str, folder: Optional[PathLike]) -> Source:
    if not isinstance(text, str):
        raise TypeError(f"levy.loads reads a text (str); got {type(text).__name__}: levy.load takes maps, frames and names of files")
    try:
        data = text.encode()
    except UnicodeEncodeError as fault:
        line = text.count("\n", 0, fault.start) + 1
        raise ValueError(f"{name}, line {line}: a text has half a character, {text[fault.start]!a}") from None
    return Source(encoded(name), data, _folder(folder))


def source(value: Any, folder: Optional[PathLike]) -> Source:
    """A path, a book as a map, a trade as a map, or trades as rows."""
    if _is_path(value):
        if isinstance(value, str) and "\n" in value:
            raise ValueError("this is a text of several lines, and no file's name: levy.loads reads a text")
        return Source(encoded(os.fspath(value)), None, None)
    if isinstance(value, Mapping) and not any(isinstance(key, str) and key.split(".")[0] == "payoff" for key in value):
        return text_source(_written(_book_text, value), "<book>", folder)
    if isinstance(value, Mapping):
        return text_source(_written(_trades_text, [value]), "<trades>", folder)
    trades = _trades(value, folder)
    if trades is None:
        raise TypeError(f"a book is a file's name, a map, or trades (a list of maps, a frame); got {type(value).__name__}")
    return trades


def _market_of_file(path: PathLike) -> Source:
    """A book without trades is a source as it is, and a file of market data is referred to."""
    name = os.fspath(path)
    encoded(name)
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            whole = _BOOK_KEY.search(file.read())
    except OSError:
        return source(path, None)  # whose reading says what is wrong
    if whole:
        return source(path, None)
    above, last = os.path.split(name)
    return text_source(_book_text({"market": {"file": last}}), "<market>", above or os.curdir)


def market_source(value: Any, folder: Optional[PathLike]) -> Source:
    """A file of market data or a book without trades, either as a map, or a fit."""
    if _is_path(value):
        return _market_of_file(value)
    fitted = getattr(value, "_fitted_book", None)
    if fitted:
        return text_source(fitted(), "<market>", folder)
    if not isinstance(value, Mapping):
        raise TypeError(f"market is a file's name or a map; got {type(value).__name__}")
    whole = value if set(value) & BOOK_KEYS else {"market": value}
    return text_source(_written(_book_text, whole), "<market>", folder)


# ---- Keywords -------------------------------------------------------------------------------------


def _setting(value: Any) -> bytes:
    """A setting as the library takes it: a text is YAML already."""
    if type(value) is int:
        return b"%d" % value
    return encoded(value if isinstance(value, str) else _written(_flow, value))


def settings_of(given: Optional[Mapping[str, Any]]) -> Dict[bytes, bytes]:
    """What is None is not given."""
    found: Dict[bytes, bytes] = {}
    for key, value in (given or {}).items():
        if isinstance(value, Mapping) and key in GROUPS:
            found.update(settings_of({f"{key}.{name}": one for name, one in value.items()}))
        elif value is not None:
            found[encoded(key)] = _setting(value)
    return found


_SETTINGS = {name: (name if name == "measures" else f"simulation.{name}").encode() for name in Settings.__annotations__}


class Keywords(NamedTuple):
    """Keywords that a call takes beside its own: settings, and parts of a book as a source."""

    settings: Dict[bytes, bytes]
    book: Optional[Source]


def keywords_of(call: str, given: Mapping[str, Any], own: Iterable[str], folder: Optional[PathLike]) -> Keywords:
    """`own` are the call's, for suggestions. TypeError: a keyword is none."""
    if not given:
        return Keywords({}, None)
    parts = ("valuation_date", "models", "scenarios")
    settings: Dict[bytes, bytes] = {}
    book = {}
    for name, value in given.items():
        if name in _SETTINGS:
            key = _SETTINGS[name]
            settings.update({key: _setting(value)} if type(value) in (int, str) else settings_of({key.decode(): value}))
        elif name in parts:
            book[name] = value
        else:
            known = [*_SETTINGS, *parts, *own]
            raise TypeError(f"{call}() has no keyword '{name}'" + meant(name, known, f"use one of {', '.join(sorted(known))}"))
    return Keywords(settings, text_source(_written(_book_text, book), "<keywords>", folder) if book else None)
