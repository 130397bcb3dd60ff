"""Weighted sampling: one of many items, by weight."""

import ctypes
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Optional

from ._arrays import _address, _doubles, _MadeInfo, _Maker, _whole
from ._book import _struct, _text, Context
from ._draws import _place
from ._errors import ARGUMENT, raise_for
from ._library import library
from ._memory import is_on_gpu, on_gpu, stream_of


@dataclass(frozen=True)
class SamplerInfo(_MadeInfo):
    """Where a Sampler draws its items, and by what."""

    count: int
    """Items."""
    table_bytes: int
    """In the device's memory."""
    draws_per_thread: int


def _weights(values: Iterable[Any]) -> Any:
    """A copy as doubles in a row: in one piece of what shows its memory as such (NumPy's float64, array('d'))."""
    try:
        view = memoryview(values)  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        return _doubles(values)
    if view.ndim == 1 and view.format == "d" and view.c_contiguous:
        return (ctypes.c_double * len(view)).from_buffer_copy(view.cast("B")) if len(view) else _doubles(())
    return _doubles(values)


def _weights_on_gpu(values: Any, device: str, stream: Any) -> Dict[str, Any]:
    """What weights that lie on a GPU say of the specification; `keeper` keeps them alive."""
    number = _place(values, device)
    if number is None:
        raise TypeError("weights lie on a GPU; device must be one too")
    on = stream_of(stream, values)
    memory = on_gpu("weights", values, "float64", False, number, on)
    if len(memory.shape) != 1:
        raise ValueError(f"weights has the shape {memory.shape}; it must be (n,)")
    if memory.shape[0]:
        memory.row_stride()
    return {"weights": memory.address, "count": memory.shape[0], "device": f"cuda:{number}", "weights_stream": on,
            "weights_on_device": 1, "keeper": memory}


class Sampler(_Maker):
    """Draws items 0 to n - 1 in proportion to their weights, by alias table.

        sampler = levy.Sampler([1.0, 0.0, 3.0])
        items = sampler.draw(10**6, seed=7)         # a NumPy array of uint32
        counts = sampler.counts(10**6, seed=7)      # how often each item is among them

    `weights`: a finite number of 0 or more per item, not all of them 0; 1 to 4,294,967,295 of them, in the machine's memory (an
    array of NumPy in float64 is copied fastest), or an array of float64 on the sampler's GPU, which is read after the work on
    `stream` and waited for. An item of weight 0 is never drawn. A draw is a function of the weights, the
    seed (0 to 2^64 - 1) and its number, so draws may be split over calls in any way, and has the same bits on every device.

    `device`, `isa`, `threads`, `kernel_cache`, `context` and errors are those of Normals. Threads may share a Sampler: calls
    wait for each other. On a GPU keep the Sampler until its work is done.

    `out` of the methods, if given, is filled and returned: an array of one axis, without gaps. On the CPU it is a NumPy array,
    by default a new one. On a GPU it is needed: an array with __cuda_array_interface__ or DLPack, of CuPy, PyTorch or Numba. The
    work is then queued on `stream` (see Normals.generate). TypeError: `out` is no such array, or holds other numbers. ValueError:
    its shape or strides do not fit, or it is read-only or on another GPU.
    """

    _destroy = library.levy_sampler_destroy

    def __init__(self, weights: Iterable[Any], *, device: str = "cpu", isa: Optional[str] = None, threads: int = 0,
                 kernel_cache: bool = True, stream: Any = None, context: Optional[Context] = None) -> None:
        if is_on_gpu(weights):
            members = _weights_on_gpu(weights, device, stream)
            keeper = members.pop("keeper")
        else:
            keeper = _weights(weights)
            members = {"weights": _address(keeper), "count": len(keeper), "device": device}
        spec = _struct("levy_sampler_spec", **{**members, "device": _text(members["device"])}, isa=_text(isa),
                       threads=_whole("threads", threads, 32), no_kernel_cache=not kernel_cache)
        super().__init__(context, library.levy_sampler_create, spec)
        del keeper  # the library has copied the weights
        self.info: SamplerInfo = self._opened(SamplerInfo, "levy_sampler_facts", library.levy_sampler_info)

    def draw(self, count: int, seed: int = 0, first: int = 0, out: Any = None, stream: Any = None) -> Any:
        """The draws `first` to first + count - 1 of the seed: an array of `count` items, uint32. Draws are numbered from 0 to
        2^64 - 1, and then from 0 again."""
        n, key, start = _whole("count", count, 63), _whole("seed", seed, 64), _whole("first", first, 64)
        out = self._out(out, "uint32", (n,), "draw")
        on = self._stream(stream, out)
        memory = self._row("out", out, "uint32", True, n, on)
        with self._lock:
            raise_for(library.levy_sampler_draw(self._handle, key, start, n, memory.address, on), 0)
        return out

    def counts(self, count: int, seed: int = 0, first: int = 0, out: Any = None, stream: Any = None) -> Any:
        """How many of the draws `first` to first + count - 1 give each item: an array of `info.count` numbers, uint32. They are
        added to those of `out`, modulo 2^32; a new array begins with zeros."""
        n, key, start = _whole("count", count, 59), _whole("seed", seed, 64), _whole("first", first, 64)
        length = self.info.count
        self._check_out(out, "uint32", f"({length},)")
        if out is None:
            out = self._new((length,), "uint32", "counts")
            out.fill(0)
        on = self._stream(stream, out)
        memory = self._row("out", out, "uint32", True, length, on)
        with self._lock:
            raise_for(library.levy_sampler_counts(self._handle, key, start, n, memory.address, on), 0)
        return out

    def invert(self, u: Any, out: Any = None, stream: Any = None) -> Any:
        """The item of each number u in [0, 1), for quasi-random points: a larger number never gives a smaller item.

        `u` is an array of float64 with one axis, without gaps, of the kinds that `out` may be; it may be read-only (JAX). The
        result is an array of as many items, uint32. ValueError on the CPU: a number lies outside [0, 1). A GPU cannot tell:
        there a NaN and what is below 0 count as 0, and 1 or more as the largest number below 1.
        """
        on = self._stream(stream, u, out)
        source = self._row("u", u, "float64", False, None, on)
        n = source.shape[0]
        out = self._out(out, "uint32", (n,), "invert")
        target = self._row("out", out, "uint32", True, n, on)
        if source.address < target.address + 4 * n and target.address < source.address + 8 * n:
            raise ValueError("u and out overlap")
        with self._lock:
            status = library.levy_sampler_invert(self._handle, source.address, n, target.address, on)
        if status == ARGUMENT:
            raise ValueError("u has a number outside [0, 1)")
        raise_for(status, 0)
        return out
