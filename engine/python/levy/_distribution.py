"""Deviates of a distribution: pseudo-random draws, and quantiles of words."""

import ctypes
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from ._arrays import _choice, _KINDS, _MadeInfo, _Maker, _PRECISIONS, _whole
from ._book import _struct, _text, Context
from ._errors import ARGUMENT, raise_for
from ._library import library
from ._memory import Memory

_LAWS = {"exponential": 0, "normal": 1, "gamma": 2, "poisson": 3, "noncentral_chi_square": 4, "gamma_by_table": 5, "beta": 6,
         "inverse_gaussian": 7}
_PARAMETERS: Dict[str, Tuple[str, ...]] = {
    "exponential": ("mean",),
    "normal": ("mean", "deviation"),
    "gamma": ("alpha", "scale"),
    "poisson": ("mean",),
    "noncentral_chi_square": ("degrees", "noncentrality"),
    "gamma_by_table": ("alpha", "scale"),
    "beta": ("alpha", "beta"),
    "inverse_gaussian": ("mean", "shape"),
}


@dataclass(frozen=True)
class DistributionInfo(_MadeInfo):
    """Where a Distribution makes its deviates, and by what."""

    table_bytes: int
    """In the device's memory; 0: the law has no table."""


def _overlap(one: Memory, other: Memory) -> bool:
    ends = [memory.address + memory.size * memory.shape[0] for memory in (one, other)]
    return one.address < ends[1] and other.address < ends[0]


class Distribution(_Maker):
    """Deviates of a law, with parameters that are the same for all of them, or arrays with one for each.

        gamma = levy.Distribution("gamma", alpha=2.5, scale=2.0)
        x = gamma.draw(10**6, seed=7)                             # a NumPy array
        mixed = levy.Distribution("gamma", scale=2.0)             # alpha comes with each call
        x = mixed.draw(10**6, seed=7, alpha=numpy.linspace(1, 2, 10**6))

    `law` and its parameters: "exponential" (mean > 0), "normal" (mean, deviation >= 0), "gamma" (alpha of 1e-6 to 1e12, scale
    > 0), "poisson" (mean of 0 to 1e9), "noncentral_chi_square" (degrees of 1e-6 to 1e9, noncentrality of 0 to 1e6). In
    `precision` "single" a parameter of a gamma or Poisson law is at most 1e6, of the last 1e4, of others 1e30. By tables of
    quantiles, fast and off by 1e-10 or less (see levy.h): "gamma_by_table" (alpha of 0.01 to 1e4, scale > 0), "beta" (alpha, beta
    of 0.1 to 1e4), "inverse_gaussian" (mean > 0, shape in units of the mean of 0.01 to 1e4), all of whose parameters are given
    here; in "single" they are at most 1e6. Of other laws a parameter that is not given here comes with each call, as an array of one axis, without gaps, with a number for each deviate.
    Deviates and such arrays are float64, in "single" float32; Poisson counts are uint32.

    A deviate is a function of law, parameters, seed, substream and number, so draws may be split over calls in any way; in
    "double" it has the same bits on every device. `device`, `isa`, `threads`, `kernel_cache`, `context` and errors are those of
    Normals. Threads may share a Distribution: calls wait for each other. On a GPU keep it until its work is done.

    `out` of the methods, if given, is filled and returned: an array of one axis, without gaps, that overlaps no other. On the
    CPU it is a NumPy array, by default a new one. On a GPU it is needed: an array with __cuda_array_interface__ or DLPack, of
    CuPy, PyTorch or Numba. The work is then queued on `stream` (see Normals.generate). An element of a parameter's array that
    is outside its range is a ValueError on the CPU; a GPU cannot tell, and makes its deviate NaN, a count 4,294,967,295.
    TypeError: a parameter is missing or too many, or an array holds other numbers. ValueError: a shape or strides do not fit,
    or an array is read-only or on another GPU.
    """

    _destroy = library.levy_distribution_destroy

    def __init__(self, law: str, *, precision: str = "double", device: str = "cpu", isa: Optional[str] = None, threads: int = 0,
                 kernel_cache: bool = True, context: Optional[Context] = None, **parameters: float) -> None:
        number = _choice("law", law, _LAWS)
        self._names = _PARAMETERS[law]
        self._check_names(parameters)
        self._each = [name for name in self._names if name not in parameters]
        if self._each and number >= _LAWS["gamma_by_table"]:
            raise TypeError(f"{self._each[0]} is missing: a table has one law's quantiles")
        spec = _struct("levy_distribution_spec", law=number, precision=_choice("precision", precision, _PRECISIONS),
                       parameters=(ctypes.c_double * 2)(*(float(parameters.get(name, 0.0)) for name in self._names)),
                       per_deviate=sum(1 << self._names.index(name) for name in self._each), device=_text(device),
                       isa=_text(isa), threads=_whole("threads", threads, 32), no_kernel_cache=not kernel_cache)
        super().__init__(context, library.levy_distribution_create, spec)
        self.info: DistributionInfo = self._opened(DistributionInfo, "levy_distribution_facts", library.levy_distribution_info)
        self._real = _KINDS[precision]
        self._kind = "uint32" if law == "poisson" else self._real

    def _check_names(self, given: Dict[str, Any]) -> None:
        for name in given:
            if name not in self._names:
                raise TypeError(f"the law has no parameter '{name}': it has {' and '.join(self._names)}")

    def _arrays(self, n: int, given: Dict[str, Any], on: int) -> List[Optional[Memory]]:
        """The places of the parameters that come with each call, by number."""
        self._check_names(given)
        for name in given:
            if name not in self._each:
                raise TypeError(f"{name} was given when the Distribution was made")
        for name in self._each:
            if name not in given:
                raise TypeError(f"{name} is missing: it was not given when the Distribution was made")
        return [self._row(name, given[name], self._real, False, n, on) if name in self._each else None for name in self._names]

    def _fill(self, n: int, words: Optional[Memory], out: Any, given: Dict[str, Any], on: int, call: Any) -> None:
        """Looks at the arrays, and lets `call` have the addresses of parameters and output."""
        arrays = self._arrays(n, given, on)
        target = self._row("out", out, self._kind, True, n, on)
        for one in (*arrays, words):
            if one is not None and _overlap(one, target):
                raise ValueError(f"{one.name} and out overlap")
        places = (ctypes.c_void_p * 2)(*(None if one is None else one.address for one in arrays))
        with self._lock:
            status = call(places, target.address)
        if status == ARGUMENT and self._each:
            raise ValueError(f"an element of {' or '.join(self._each)} is outside its range")
        raise_for(status, 0)

    def draw(self, count: int, seed: int = 0, substream: int = 0, first: int = 0, out: Any = None, stream: Any = None,
             **parameters: Any) -> Any:
        """The draws `first` to first + count - 1 of the seed (0 to 2^64 - 1) and substream (0 to 1,431,655,765): an array of
        `count` deviates. Numbers of draws lie below 2^64.
        Other laws, Sampler and draw_each share random numbers where they share a seed: give each its own."""
        n, key, start = _whole("count", count, 59), _whole("seed", seed, 64), _whole("first", first, 64)
        sub = _whole("substream", substream, 32)
        if sub > 0xFFFFFFFF // 3:
            raise ValueError(f"substream is {sub}; it must lie in 0 to {0xFFFFFFFF // 3:,}")
        if start + n >= 2**64:
            raise ValueError("the last draw's number is past 2^64 - 2")
        out = self._out(out, self._kind, (n,), "draw")
        on = self._stream(stream, out, *parameters.values())
        self._fill(n, None, out, parameters, on, lambda places, address: library.levy_distribution_draw(
            self._handle, key, sub, start, n, places, address, on))
        return out

    def invert(self, words: Any, out: Any = None, stream: Any = None, **parameters: Any) -> Any:
        """The quantiles at (word + 1/2) 2^-32, for quasi-random points: a larger word never gives a smaller deviate, in
        "single" but for rounding.

        `words` is an array of uint32 with one axis, without gaps, of the kinds that `out` may be (Normals with output="word"
        gives rows of them); it may be read-only (JAX). The result is an array of as many deviates.
        """
        on = self._stream(stream, words, out, *parameters.values())
        source = self._row("words", words, "uint32", False, None, on)
        n = source.shape[0]
        out = self._out(out, self._kind, (n,), "invert")
        self._fill(n, source, out, parameters, on, lambda places, address: library.levy_distribution_invert(
            self._handle, source.address, n, places, address, on))
        return out
