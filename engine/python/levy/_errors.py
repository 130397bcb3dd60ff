"""Exceptions, and the diagnostics they carry."""

import errno
import os
from typing import Any, List, NamedTuple, Optional, Tuple

from ._library import decode, library, STRUCTURES

_SHOWN = 3
ARGUMENT, INPUT, TOLERANCE, CANCELLED, RESUME = -1, -2, -6, -8, -11


class Diagnostic(NamedTuple):
    """One fault or warning, with its place in the input."""

    severity: str
    reason: str
    file: Optional[str]
    line: int
    column: int
    path: str
    message: str
    hint: Optional[str]
    text: str
    trade: int

    def __str__(self) -> str:
        return self.text if self.hint is None else f"{self.text}\nhint: {self.hint}"


class Error(Exception):
    """A call that failed. `status` is the library's; `diagnostics` says where and why."""

    def __init__(self, status: int, diagnostics: List[Diagnostic]):
        self.status = status
        self.diagnostics = diagnostics
        errors = [str(one) for one in diagnostics if one.severity == "error"]
        super().__init__("\n".join(errors) or decode(library.levy_status_message(status)))

    def __reduce__(self) -> Tuple[Any, ...]:
        """Made again from its parts: a worker's exception reaches the process that waits for it."""
        return type(self), (self.status, self.diagnostics)


class ArgumentError(Error, ValueError):
    """An argument is outside its contract: no such device, factor, or option."""


class InputError(Error, ValueError):
    """The input was rejected."""


class MissingFileError(InputError, FileNotFoundError):
    """A file to load does not exist; `filename` is its name. Files that a book refers to are part of the input: InputError."""

    def __init__(self, status: int, diagnostics: List[Diagnostic]):
        super().__init__(status, diagnostics)
        self.errno, self.strerror = errno.ENOENT, os.strerror(errno.ENOENT)
        self.filename = next((one.file for one in diagnostics if _is_missing(one)), None)

    def __str__(self) -> str:
        return str(self.args[0])


class FailedTrades(Error, UserWarning):
    """Trades have no price, and sums lack them: a warning of Book.price, merge, converge and coverage, an exception if they are `strict`."""

    def __init__(self, failed: List[str], diagnostics: List[Diagnostic]):
        super().__init__(0, diagnostics)
        self.failed = failed
        """A line for each: its id and why."""
        more = f"; and {len(failed) - _SHOWN} more" if len(failed) > _SHOWN else ""
        self.args = (f"{len(failed)} trade{'s have' if len(failed) > 1 else ' has'} no price: {'; '.join(failed[:_SHOWN])}{more}",)

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.failed, self.diagnostics)


class JournalError(Error):
    """The journal belongs to another run, or is in use."""


def diagnostics_of(context: int) -> List[Diagnostic]:
    """Those of the context's last call."""
    found = []
    for index in range(library.levy_diagnostic_count(context)):
        one = STRUCTURES["levy_diagnostic"].from_address(library.levy_diagnostic_get(context, index))
        texts = {name: decode(getattr(one, name)) or "" for name in ("reason", "path", "message", "text")}
        found.append(Diagnostic(severity=("error", "warning", "note")[one.severity], file=decode(one.file), line=one.line,
                                column=one.column, hint=decode(one.hint), trade=one.trade, **texts))
    return found


def _is_missing(one: Diagnostic) -> bool:
    """A source that is named by the caller: nothing refers to it, so there is no place."""
    return one.severity == "error" and one.reason == "io" and one.line == 0 and bool(one.file) and not os.path.lexists(one.file or "")


def raise_for(status: int, context: int) -> None:
    """Raises what a status means; 0 is fine."""
    if status == 0:
        return
    diagnostics = diagnostics_of(context)
    kind = {ARGUMENT: ArgumentError, INPUT: InputError, RESUME: JournalError}.get(status, Error)
    if status == INPUT and any(map(_is_missing, diagnostics)):
        kind = MissingFileError
    raise kind(status, diagnostics)
