"""The keywords of `price`, `load` and `Book.price` by name, for editors, type checkers and help()."""

import os
from typing import Any, Callable, Iterable, Mapping, Optional, TypedDict, Union

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int, float], Any]
GivesNormals = Callable[[Any, int, int], Any]
Normals = Union[GivesNormals, Any, None]
"""A function that fills an array, or an array."""


class Settings(TypedDict, total=False):
    """Keys under `simulation`, and `measures`: for one call."""

    measures: Union[str, Iterable[str]]
    paths: Union[int, str]
    replicates: int
    generator: Any
    pipeline: str
    construction: Any
    jumps: str
    max_step: float
    step_bias: bool
    smoothing: Any
    seed: int
    precision: str
    confidence: float
    tolerance: Any
    bumps: Any


class BookKeywords(Settings, total=False):
    """The same, and the parts of a book."""

    models: Mapping[str, Any]
    scenarios: Iterable[Any]
    valuation_date: Any


class LoadKeywords(BookKeywords, total=False):
    """All of levy.load."""

    market: Any
    folder: Optional[PathLike]
    settings: Optional[Mapping[str, Any]]
    allow_links: bool
    kinds: Union[None, PathLike, Iterable[PathLike]]


class PriceKeywords(LoadKeywords, total=False):
    """All of levy.price but `device`."""

    isa: str
    threads: int
    progress: Optional[Progress]
    journal: Optional[PathLike]
    resume: bool
    times: bool
    kernel_cache: bool
    normals: Normals
    by: Union[str, Iterable[str], None]
    strict: bool


class _Shown:
    """A function's signature with the keywords one by one, where ** stands for them; made when it is looked at, for `inspect`
    takes longer to import than levy."""

    def __init__(self, function: Callable[..., Any], keywords: Any) -> None:
        self._of = function, keywords

    def _made(self) -> Any:
        import inspect
        from typing import get_type_hints
        function, keywords = self._of
        if function.__dict__.pop("__signature__", None) is self:
            plain = inspect.signature(function)
            shown = [one for one in plain.parameters.values() if one.kind is not one.VAR_KEYWORD]
            known = {one.name for one in shown}
            shown += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
                      for name, hint in get_type_hints(keywords).items() if name not in known]
            self._signature = plain.replace(parameters=shown)
        setattr(function, "__signature__", self._signature)
        return self._signature

    __class__ = property(lambda self: type(self._made()))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made(), name)

    def __str__(self) -> str:
        return str(self._made())


def named(function: Callable[..., Any], keywords: Any) -> None:
    """Shows the keywords one by one in the function's signature."""
    setattr(function, "__signature__", _Shown(function, keywords))
