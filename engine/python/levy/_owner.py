"""Lifetimes: a context's handle lives until the last of the context, its books, results and studies is gone.

Python may finalize objects of a cycle, and all of a program at its end, in any order; liblevy wants books and results to go
before their context. So none of them destroys the context: the last one that leaves does.
"""

import threading
from typing import Any, List, Set

from ._library import library, refuse_copies


class Handle:
    """What holds an address of the library's, which means nothing in a copy or in another process. Classes that can be
    copied say how, and do not let the address out."""

    __reduce_ex__: Any = refuse_copies


class Owner(Handle):
    """The handle of a context. Sets and lists change in one step here, so they need no lock, in which a finalizer could end."""

    def __init__(self, handle: int) -> None:
        self._handles: List[int] = [handle]
        self._users: Set[Any] = set()
        self._turn = threading.Lock()

    @property
    def turn(self) -> Any:
        """Held for the library's work in this context, one call at a time: what it calls back may not begin another. A lock itself,
        which no signal leaves held."""
        if self._turn.locked():
            raise RuntimeError("another call is at work in this context; take one for each thread and each callback:"
                               " levy.load makes one, and so does copy.copy(book)")
        return self._turn

    @property
    def handle(self) -> int:
        return self._handles[0]

    def enter(self) -> object:
        """A token of a new user, while there is another one."""
        token = object()
        self._users.add(token)
        return token

    def leave(self, token: object, destroy: Any = library.levy_context_destroy) -> None:
        self._users.discard(token)
        if not self._users:
            try:
                destroy(self._handles.pop())
            except IndexError:  # another thread's finalizer was here
                pass


class Owned(Handle):
    """A handle that belongs to a context, and goes before it."""

    _destroy: Any = None
    """The library's function for it."""

    def __init__(self, owner: Owner, handle: int) -> None:
        self._owner = owner
        self._token = owner.enter()
        self._handle = handle

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", 0), 0
        if handle:
            type(self)._destroy(handle)
            self._owner.leave(self._token)
