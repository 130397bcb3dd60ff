"""Books over many processes and machines: by Dask, or by any executor of concurrent.futures.

    import levy, levy.distributed
    from concurrent.futures import ProcessPoolExecutor

    book = levy.load("book.yaml")
    results = levy.distributed.price(book, executor=lambda: ProcessPoolExecutor(8))
    results = levy.distributed.price(book, dask.distributed.Client("scheduler:8786"))

The book goes to the workers, which price parts of it; what comes back are the parts' journals, and the results are those of one
run, bit for bit. Nothing here is imported by `import levy`, and Dask only where a client of it is given.
"""

import concurrent.futures
import contextlib
import os
import pickle
import tempfile
import threading
import uuid
from pathlib import Path
from typing import Any, Callable, cast, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from ._book import Book, MOST_PARTS, part_number
from ._keywords import PathLike
from ._owner import Handle
from ._results import Results

__all__ = ["price"]

_PARTS_A_WORKER = 8
"""More parts than workers: whoever has a short one takes the next."""

MakesExecutor = Callable[[], concurrent.futures.Executor]


_kept = threading.local()
"""The last book of each thread: a context belongs to one."""


def _book(pickled: bytes) -> Book:
    """A worker reads a book once."""
    if getattr(_kept, "pickled", None) != pickled:
        _kept.book = pickle.loads(pickled)
        _kept.pickled = pickled
    return cast(Book, _kept.book)


def _price_part(pickled: bytes, part: int, parts: int, options: Dict[str, Any]) -> bytes:
    """What a worker does: the journal of a part."""
    with tempfile.TemporaryDirectory(prefix="levy-part-") as folder:
        journal = Path(folder) / "part"
        _book(pickled).price_part(part, parts, journal, **options)
        return journal.read_bytes()


class _Pool(Handle):
    """An executor of the caller's, or one that is made here, and made again when a lost worker has broken it."""

    def __init__(self, executor: Union[concurrent.futures.Executor, MakesExecutor]) -> None:
        self._make: Optional[MakesExecutor] = None if isinstance(executor, concurrent.futures.Executor) else executor
        self._executor = executor if isinstance(executor, concurrent.futures.Executor) else executor()

    @property
    def workers(self) -> int:
        return int(getattr(self._executor, "_max_workers", None) or os.cpu_count() or 1)

    def submit(self, *call: Any) -> Any:
        return self._executor.submit(*call)

    def finished(self, futures: Iterable[Any]) -> Iterator[Any]:
        return concurrent.futures.as_completed(futures)

    def renew(self, error: BaseException) -> bool:
        """After a part has failed: whether all that is under way is lost."""
        if not isinstance(error, concurrent.futures.BrokenExecutor):
            return False
        if self._make is None:
            raise error  # it takes no more work; with `directory` the parts that came are kept
        self._executor.shutdown(wait=False)
        self._executor = self._make()
        return True

    def close(self) -> None:
        if self._make is not None:
            self._executor.shutdown(wait=True)


class _Dask(Handle):
    """A client of dask.distributed, which itself gives the tasks of a lost worker to another."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._book: Any = None

    @property
    def workers(self) -> int:
        return sum(self._client.nthreads().values()) or 1

    def submit(self, call: Any, pickled: bytes, *rest: Any) -> Any:
        return self._client.submit(call, self._scattered(pickled), *rest, pure=False)

    def _scattered(self, pickled: bytes) -> Any:
        if self._book is None:
            self._book = self._client.scatter(pickled, broadcast=True, hash=False)
        return self._book

    def finished(self, futures: Iterable[Any]) -> Iterator[Any]:
        import distributed  # type: ignore[import-not-found, import-untyped, unused-ignore]
        completed: Any = getattr(distributed, "as_completed")  # its own types differ from version to version
        return cast(Iterator[Any], completed(list(futures)))

    def renew(self, _error: BaseException) -> bool:
        """The scheduler has other workers. The book may be lost with those that held it, so the next round sends it again."""
        self._book = None
        return False

    def close(self) -> None:
        """The client is the caller's."""


class _Run(Handle):
    """The parts of one call: which are there, and how often each has failed."""

    def __init__(self, book: Book, parts: int, folder: Path, retries: int, options: Dict[str, Any]) -> None:
        self.parts, self._folder, self._retries, self._options = parts, folder, retries, options
        self._pickled = pickle.dumps(book)
        self._failed: Dict[int, int] = {}
        self.missing = [part for part in range(1, parts + 1) if book._part_of(self.journal(part)) != (part, parts)]

    def journal(self, part: int) -> Path:
        return self._folder / f"part.{part}-of-{self.parts}"

    def call(self, part: int) -> Tuple[Any, ...]:
        return _price_part, self._pickled, part, self.parts, self._options

    def keep(self, part: int, text: bytes) -> None:
        """Whole or not at all, so that a part that is there counts. Calls that share the directory share no temporary file."""
        temporary = self._folder / f".part.{part}-of-{self.parts}.{uuid.uuid4().hex}.tmp"
        try:
            temporary.write_bytes(text)
            os.replace(temporary, self.journal(part))
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        self.missing.remove(part)

    def fail(self, part: int, error: BaseException) -> None:
        """Raises it when the part has failed too often."""
        self._failed[part] = self._failed.get(part, 0) + 1
        if self._failed[part] > self._retries:
            raise error

    def round(self, pool: Union[_Pool, _Dask]) -> Iterator[Optional[BaseException]]:
        """Prices all that is missing, once; yields after each part, what it failed of. A pool that breaks, while parts are
        handed out or later, is told last, as one failure, so that what is finished is kept."""
        futures: Dict[Any, int] = {}
        broken: Optional[BaseException] = None
        try:
            try:
                for part in self.missing:
                    futures[pool.submit(*self.call(part))] = part
            except concurrent.futures.BrokenExecutor as error:
                self.fail(part, error)
                broken = error
            for future in pool.finished(futures):
                try:
                    self.keep(futures[future], future.result())
                    yield None
                except concurrent.futures.BrokenExecutor as error:
                    if broken is None:
                        self.fail(futures[future], error)
                    broken = error
                except Exception as error:
                    self.fail(futures[future], error)
                    yield error
            if broken is not None:
                yield broken
        finally:
            for future in futures:
                future.cancel()


def price(book: Book, client: Any = None, *, executor: Union[concurrent.futures.Executor, MakesExecutor, None] = None,
          parts: Optional[int] = None, directory: Optional[PathLike] = None, retries: int = 3, device: str = "auto",
          isa: str = "auto", threads: int = 1, progress: Optional[Callable[[int, int], Any]] = None,
          by: Union[str, List[str], None] = None, strict: bool = False) -> Results:
    """Prices all trades of a book by the workers of a Dask `client` or of an `executor`.

    An `executor` is one of concurrent.futures (or like one), or a function that makes one: then a lost worker, which breaks a
    pool of processes, costs the parts that were under way and no more. A part that fails is tried again, `retries` times.

    `parts`: how many (8 for each worker). `directory` keeps their journals: a second call with as many parts takes those that
    are there, and prices a part again whose file is damaged or another part's. `threads`: of each worker's part. `progress(done, parts)` is called after each part. `by` and `strict` as in Book.price.
    """
    if (client is None) == (executor is None):
        raise TypeError("price() needs a client of Dask, or an executor")
    if not isinstance(book, Book):
        raise TypeError(f"book: a levy.Book, as levy.load makes one; got {type(book).__name__}")
    if client is not None and not (hasattr(client, "scatter") and hasattr(client, "nthreads")):
        raise TypeError(f"client: a client of Dask; got {type(client).__name__} (an executor goes to executor=)")
    if executor is not None and not (callable(executor) or hasattr(executor, "submit")):
        raise TypeError(f"executor: one of concurrent.futures, or a function that makes one; got {type(executor).__name__}")
    with book._owner.turn:
        book._begin(book._settings, strict)
    wanted = None if parts is None else part_number("parts", parts)
    pool: Union[_Pool, _Dask] = _Dask(client) if executor is None else _Pool(executor)
    try:
        with tempfile.TemporaryDirectory(prefix="levy-parts-") as temporary:
            folder = Path(temporary if directory is None else directory)
            folder.mkdir(parents=True, exist_ok=True)
            run = _Run(book, wanted or min(_PARTS_A_WORKER * pool.workers, MOST_PARTS), folder, retries,
                       {"device": device, "isa": isa, "threads": threads})
            while run.missing:
                for error in run.round(pool):
                    if error is not None and pool.renew(error):
                        break
                    if error is None and progress is not None:
                        progress(run.parts - len(run.missing), run.parts)
            return book.merge([run.journal(part) for part in range(1, run.parts + 1)], by, strict=strict)
    finally:
        pool.close()
