"""Books from Python's own values: maps, trades as rows, frames and keywords become texts for the library, which checks them
as it checks files. Nothing here knows what a key means: a text's faults name the path of the value, "trades[3].payoff.strike".
"""

import datetime
import decimal
import difflib
import json
import os
import re
from functools import lru_cache
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from ._keywords import PathLike, Settings
from ._library import encoded, schema

# What is no text in YAML 1.2: a number, or a power of two. Rows of a CSV file and PyYAML (1e6) have them as texts.
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?|\d+\^\d+")
_MOST_EXACT = 2**53
_NO_VALUE = ("NAType", "NaTType")
_DEEPEST = 6
# What a book is made of, and the settings that are maps of others, as the schema has them.
BOOK_KEYS = {"schema_version", "valuation_date", "market", "models", "simulation", "measures", "scenarios", "trades", "kinds"}
GROUPS = ("simulation.tolerance", "simulation.bumps")
# A key that market data do not have, at the top of a document.
_BOOK_KEY = re.compile(r"(?:^|[{,]\s*)[\"']?(?:models|simulation|measures|scenarios|trades)[\"']?\s*:", re.MULTILINE)


class Source(NamedTuple):
    """One input of the library's: a file or folder by its name (no text), or a text with its name in messages."""

    name: bytes
    text: Optional[bytes]
    folder: Optional[bytes]
    """Where the files start that a text refers to; None: it may not refer to any."""


class _Flow(str):
    """A text that is YAML already, in one line."""


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
    if isinstance(value, _Flow):
        return str(value)
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
    if isinstance(value, decimal.Decimal):
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


def _missing(value: Any) -> bool:
    """An empty cell: None, "", NaN, or what pandas has for them."""
    if value is None or type(value).__name__ in _NO_VALUE:
        return True
    return (isinstance(value, str) and not value.strip()) or (isinstance(value, float) and value != value)


@lru_cache(maxsize=None)
def _column_kinds() -> Dict[str, str]:
    """Which columns hold a list, and which a text with any letters: {"underlyings": "list", "book": "text"}. As in a CSV
    file, a path means the same for every kind of payoff."""
    definitions: Dict[str, Any] = json.loads(schema())["definitions"]
    kinds: Dict[str, str] = {}

    def visit(node: Mapping[str, Any], path: Tuple[str, ...]) -> None:
        for part in (*node.get("allOf", ()), *node.get("oneOf", ()), *node.get("anyOf", ())):
            visit(definitions[part["$ref"].rpartition("/")[2]] if "$ref" in part else part, path)
        if node.get("type") == "array":
            kinds.setdefault(".".join(path), "list")
        elif isinstance(node.get("type"), list) and "pattern" not in node:
            kinds.setdefault(".".join(path), "text")
        if len(path) < _DEEPEST:
            for key, value in node.get("properties", {}).items():
                visit(value, (*path, key))

    visit(definitions["trade"], ())
    return kinds


def _is_flow(text: str) -> bool:
    """A whole map or list in braces or brackets. A comment could hide its end, and a line would end it."""
    if text[0] not in "{[" or "\n" in text or "#" in text:
        return False
    depth, quote = 0, ""
    for place, letter in enumerate(text):
        if quote or letter in "\"'":
            quote = "" if letter == quote else quote or letter
            continue
        depth += (letter in "{[") - (letter in "}]")
        if depth == 0 and place + 1 < len(text):
            return False
    return depth == 0 and not quote and "\\" not in text


def _cell(column: Any, value: Any) -> Any:
    """A column of counts with empty cells has them as floats. A text stands for what it does in a CSV file: its items have
    ';' between them, and braces and brackets hold a map or a list."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_EXACT:
        return int(value)
    kind = _column_kinds().get(column, "") if isinstance(column, str) else "text"
    if not isinstance(value, str) or kind == "text" or str(column).startswith("tags."):
        return value
    text = str.__str__(value).strip()
    if _is_flow(text):
        return _Flow(text)
    if kind != "list" and ";" not in text:
        return value
    items = [item.strip() for item in text.split(";")]
    return items if items[-1] else items[:-1]


def _nested(row: Mapping[str, Any], cells: bool) -> Dict[str, Any]:
    """{"payoff.strike": 100} as {"payoff": {"strike": 100}}. `cells`: the values are those of a table, and some are empty."""
    trade: Dict[str, Any] = {}
    for column, value in row.items():
        if value is None or (cells and _missing(value)):
            continue
        *above, last = column.split(".") if isinstance(column, str) else (column,)
        place = trade
        for key in above:
            place = place.setdefault(key, {})
            if not isinstance(place, dict):
                raise _Unwritable(f"there is a value for '{key}' and one for '{column}' within it")
        if last in place:
            raise _Unwritable(f"there is more than one value for '{column}'")
        place[last] = dict(value) if isinstance(value, Mapping) else _cell(column, value) if cells else value
    return trade


class _Trades(NamedTuple):
    rows: List[Mapping[str, Any]]
    cells: Callable[[Mapping[str, Any]], bool]
    """Whether the values of a row are cells of a table."""


def _always(_row: Mapping[str, Any]) -> bool:
    return True


def _never(_row: Mapping[str, Any]) -> bool:
    return False


def _is_flat(row: Mapping[str, Any]) -> bool:
    """No trade as a map of maps."""
    return not any(isinstance(value, Mapping) for value in row.values())


def _rows(value: Any) -> Optional[_Trades]:
    """Trades of a frame (pandas, polars, Arrow), or maps in a row, such as csv.DictReader gives; None: it is neither."""
    for method in ("to_dicts", "to_pylist"):
        if hasattr(value, method):
            return _Trades(list(getattr(value, method)()), _always)
    if hasattr(value, "to_dict") and hasattr(value, "reset_index"):
        named = value.reset_index() if value.index.name is not None else value
        return _Trades(list(named.to_dict("records")), _always)
    if not isinstance(value, (list, tuple, Iterator)):
        return None
    rows = list(value)
    return _Trades(rows, _is_flat) if all(isinstance(row, Mapping) for row in rows) else None


def _trades_text(given: _Trades) -> str:
    trades = []
    for index, row in enumerate(given.rows):
        try:
            trades.append(_nested(row, given.cells(row)))
        except _Unwritable as fault:
            raise fault.below(index).below("trades")
    return _book_text({"trades": trades})


# ---- Sources --------------------------------------------------------------------------------------


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _folder(folder: Optional[PathLike]) -> Optional[bytes]:
    return None if folder is None else encoded(os.fspath(folder))


def text_source(text: str, name: str, folder: Optional[PathLike]) -> Source:
    if not isinstance(text, str):
        raise TypeError(f"levy.loads reads a text (str); got {type(text).__name__}: levy.load takes maps, frames and names of files")
    return Source(encoded(name), text.encode(), _folder(folder))


def source(value: Any, folder: Optional[PathLike]) -> Source:
    """A path, a book as a map, a trade as a map, or trades as rows."""
    if _is_path(value):
        if isinstance(value, str) and "\n" in value:
            raise ValueError("this is a text of several lines, and no file's name: levy.loads reads a text")
        return Source(encoded(os.fspath(value)), None, None)
    if isinstance(value, Mapping) and not any(isinstance(key, str) and key.split(".")[0] == "payoff" for key in value):
        return text_source(_written(_book_text, value), "<book>", folder)
    rows = _Trades([value], _never) if isinstance(value, Mapping) else _rows(value)
    if rows is None:
        raise TypeError(f"a book is a file's name, a map, or trades (a list of maps, a frame); got {type(value).__name__}")
    return text_source(_written(_trades_text, rows), "<trades>", folder)


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
    """A file of market data or a book without trades, or either as a map."""
    if _is_path(value):
        return _market_of_file(value)
    if not isinstance(value, Mapping):
        raise TypeError(f"market is a file's name or a map; got {type(value).__name__}")
    whole = value if set(value) & BOOK_KEYS else {"market": value}
    return text_source(_written(_book_text, whole), "<market>", folder)


# ---- Keywords -------------------------------------------------------------------------------------


def _setting(value: Any) -> bytes:
    """A setting as the library takes it: a text is YAML already."""
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


class Keywords(NamedTuple):
    """Keywords that a call takes beside its own: settings, and parts of a book as a source."""

    settings: Dict[bytes, bytes]
    book: Optional[Source]


def keywords_of(call: str, given: Mapping[str, Any], own: Iterable[str], folder: Optional[PathLike]) -> Keywords:
    """`own` are the call's, for suggestions. TypeError: a keyword is none."""
    if not given:
        return Keywords({}, None)
    simulation, parts = Settings.__annotations__, ("valuation_date", "models", "scenarios")
    settings, book = {}, {}
    for name, value in given.items():
        if name in simulation:
            settings[name if name == "measures" else f"simulation.{name}"] = value
        elif name in parts:
            book[name] = value
        else:
            known = [*simulation, *parts, *own]
            near = difflib.get_close_matches(name, known, 1)
            instead = f"did you mean '{near[0]}'?" if near else f"use one of {', '.join(sorted(known))}"
            raise TypeError(f"{call}() has no keyword '{name}'; {instead}")
    return Keywords(settings_of(settings), text_source(_written(_book_text, book), "<keywords>", folder) if book else None)
