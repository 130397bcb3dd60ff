"""A call of the library on another thread, while the caller's thread waits for it in Python.

An exception that arises in a function which the library calls back, be it of a signal's handler or one that another thread
raises in this one, cannot pass through the library and would be lost. Handlers run in the main thread alone, and such
exceptions arise where a thread runs Python; so the thread that the library calls back on is neither, and what is raised in the
caller's comes out of the call, once the library has stopped.
"""

import os
import queue
import sys
import threading
import _thread
from typing import Any, Callable, List, Optional, Tuple

_TICK = 0.05
"""Seconds after which a waiting thread looks up: what another thread raises in it wakes no lock."""


_idle: "List[queue.SimpleQueue[Callable[[], None]]]" = []
"""Where threads that have ended a call wait for the next: one that is begun anew costs as much as a small price."""
os.register_at_fork(after_in_child=_idle.clear)


def _wait(jobs: "queue.SimpleQueue[Callable[[], None]]") -> None:
    while True:
        jobs.get()()
        _idle.append(jobs)


def _start(work: Callable[[], None]) -> None:
    try:
        jobs = _idle.pop()
    except IndexError:
        jobs = queue.SimpleQueue()
        _thread.start_new_thread(_wait, (jobs,))
    jobs.put(work)


class Call:
    """One call. `stopped` asks the library to end; `ask` runs a function of the caller's in the caller's thread."""

    def __init__(self) -> None:
        self.stopped = False
        self._asked: "queue.SimpleQueue[Any]" = queue.SimpleQueue()
        self._began = threading.Lock()
        self._outcome: List[Tuple[Any, Optional[BaseException]]] = []

    def __reduce_ex__(self, _protocol: Any) -> Any:
        raise TypeError("a call cannot be copied or pickled")

    def ask(self, function: Callable[..., Any], *arguments: Any) -> int:
        """In the library's thread: 1 if the function says a true value, or the call is to stop."""
        answer: "queue.SimpleQueue[int]" = queue.SimpleQueue()
        self._asked.put((function, arguments, answer))
        while not self.stopped:
            try:
                return answer.get(timeout=_TICK)
            except queue.Empty:
                pass
        return 1

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the library's function returns. Exceptions leave here after it has ended, never before."""

        def work() -> None:
            if not self._began.acquire(blocking=False):
                return
            try:
                self._outcome.append((function(*arguments), None))
            except BaseException as error:
                self._outcome.append((None, error))
            self._asked.put(None)

        try:
            _start(work)
            self._serve()
        except BaseException:
            self.stopped = True
            if not self._began.acquire(blocking=False):  # else the thread never begins
                self._settle()
            raise
        value, error = self._outcome[0]
        if error:
            raise error
        return value

    def _serve(self) -> None:
        cancels = _cancels()
        while not self._outcome:
            try:
                asked = self._asked.get(timeout=_TICK)
            except queue.Empty:
                if _cancels() > cancels:  # the event loop cannot: it waits here
                    raise sys.modules["asyncio"].CancelledError from None
                continue
            if asked:
                function, arguments, answer = asked
                stop = 1
                try:
                    stop = 1 if function(*arguments) else 0
                finally:
                    answer.put(stop)

    def _settle(self) -> None:
        """Waits for the library; what is raised meanwhile goes on afterwards."""
        try:
            while not self._outcome:
                try:
                    self._asked.get(timeout=_TICK)
                except queue.Empty:
                    pass
        except BaseException:
            self._settle()
            raise


def _cancels() -> int:
    """How often the task of asyncio that runs here was asked to end, as by its Ctrl-C; before Python 3.11 that raises."""
    asyncio = sys.modules.get("asyncio")
    try:
        task = asyncio and asyncio.current_task()
        return int(task.cancelling()) if task else 0
    except (RuntimeError, AttributeError):
        return 0
