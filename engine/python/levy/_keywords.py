"""The keywords of `price`, `load` and `Book.price` by name, for editors, type checkers and help()."""

import inspect
import os
from typing import Any, Callable, Dict, get_type_hints, Iterable, List, Mapping, Optional, TypedDict, Union

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int, float], Any]
GivesNormals = Callable[[Any, int, int], Any]


class Settings(TypedDict, total=False):
    """Keys under `simulation`, and `measures`: for one call."""

    measures: Union[str, Iterable[str]]
    paths: Union[int, str]
    replicates: int
    generator: Any
    pipeline: str
    construction: Any
    jumps: str
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


class PriceKeywords(BookKeywords, total=False):
    """All of levy.price but `device`."""

    market: Any
    folder: Optional[PathLike]
    settings: Optional[Mapping[str, Any]]
    allow_links: bool
    kinds: Union[None, PathLike, Iterable[PathLike]]
    isa: str
    threads: int
    progress: Optional[Progress]
    journal: Optional[PathLike]
    resume: bool
    times: bool
    kernel_cache: bool
    normals: Optional[GivesNormals]
    by: Union[str, Iterable[str], None]
    strict: bool


def named(function: Callable[..., Any], keywords: Any) -> None:
    """Shows the keywords one by one in the function's signature, where ** stands for them."""
    signature = inspect.signature(function)
    shown: List[inspect.Parameter] = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    known = {one.name for one in shown}
    hints: Dict[str, Any] = get_type_hints(keywords)
    shown += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
              for name, hint in hints.items() if name not in known]
    setattr(function, "__signature__", signature.replace(parameters=shown))
