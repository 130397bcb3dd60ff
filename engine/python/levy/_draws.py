"""Draws from each of many distributions."""

import ctypes
import re
import threading
from typing import Any, Dict, List, Optional, Tuple

from ._arrays import _whole
from ._book import _struct, _text, Context
from ._errors import raise_for
from ._library import library
from ._memory import Memory, numpy_for, on_gpu, on_host, stream_of
from ._owner import Handle

_KINDS = {"float64": 0, "float32": 1}
_own = threading.local()


def _context() -> Context:
    """The thread's own, which keeps its device from call to call."""
    if not hasattr(_own, "context"):
        _own.context = Context()
    found: Context = _own.context
    return found


def _is_numpy(array: Any) -> bool:
    return type(array).__module__.split(".")[0] == "numpy"


def _place(theta: Any, device: Optional[str]) -> Optional[int]:
    """The GPU's number; None: the CPU."""
    if device == "cpu" or (device is None and (_is_numpy(theta) or isinstance(theta, (list, tuple)))):
        return None
    found = re.fullmatch(r"cuda(?::(\d+))?", device or "cuda")
    if not found:
        raise ValueError(f"device: {device!r} is unknown; use 'cpu', 'cuda' or 'cuda:N'")
    if found[1] is not None:
        return int(found[1])
    return int(theta.__dlpack_device__()[1]) if hasattr(theta, "__dlpack_device__") else 0


class _Arrays(Handle):
    """Where the arrays of one call lie, all on one device."""

    def __init__(self, gpu: Optional[int], stream: int) -> None:
        self.gpu, self.stream = gpu, stream
        self._kept: List[Memory] = []
        """What lends its memory does so until the call."""

    def at(self, name: str, array: Any, kind: str, write: bool = False) -> Memory:
        if self.gpu is None:
            found = on_host(name, array, kind, write)
        else:
            found = on_gpu(name, array, kind, write, self.gpu, self.stream)
        self._kept.append(found)
        return found

    def weights(self, name: str, array: Any) -> Tuple[Memory, str]:
        try:
            return self.at(name, array, "float64"), "float64"
        except TypeError as error:
            if "must be one of float64" not in str(error):
                raise
            if "array of float32" not in str(error):
                raise TypeError(f"{error} or float32") from None
            return self.at(name, array, "float32"), "float32"

    def whole(self, name: str, array: Any, kind: str, shape: Tuple[int, ...], write: bool = False) -> Optional[int]:
        """The address of an array of this shape without gaps; None: there is no array."""
        if array is None:
            return None
        memory = self.at(name, array, kind, write)
        if memory.shape != shape:
            raise ValueError(f"{name} has the shape {memory.shape}; it must be {shape}")
        if all(shape):
            gap = memory.row_stride()
            if gap and gap != shape[-1]:
                raise ValueError(f"{name} has gaps between its rows")
        return memory.address


def _rows(memory: Memory) -> Tuple[int, int, int]:
    """Rows, numbers in each, numbers from row to row (0: the rows are side by side)."""
    shape = memory.shape
    if len(shape) != 2:
        raise ValueError(f"{memory.name} has the shape {shape}; it must have two axes")
    return shape[0], shape[1], memory.row_stride() if all(shape) else 0


def _weights_of(arrays: _Arrays, theta: Any, phi: Any) -> Dict[str, Any]:
    """What both matrices say of the specification."""
    first, kind = arrays.weights("theta", theta)
    n_paths, n_items, theta_stride = _rows(first)
    second = arrays.at("phi", phi, kind)
    n_states, width, phi_stride = _rows(second)
    if width != n_items or not n_states:
        raise ValueError(f"phi has the shape {second.shape}; it must be (n, {n_items}), n of 1 or more")
    return {"theta": first.address, "phi": second.address, "precision": _KINDS[kind], "n_paths": n_paths,
            "n_items": _whole("n_items", n_items, 32), "n_states": _whole("n_states", n_states, 32),
            "theta_stride": theta_stride, "phi_stride": phi_stride}


def draw_each(theta: Any, phi: Any, *, states: Any = None, draws: Optional[int] = None, words: Any = None, seed: int = 0,
              first_path: int = 0, first_draw: int = 0, check: Optional[bool] = None, fault: Any = None,
              device: Optional[str] = None, threads: int = 0, kernel_cache: bool = True, out: Any = None, stream: Any = None,
              context: Optional[Context] = None) -> Any:
    """Draws from each of many distributions, which differ from path to path.

        items = levy.draw_each(theta, phi, states=states, seed=7)               # an item of each path
        items = levy.draw_each(theta, phi, states=states, draws=10, seed=7)     # [path][draw]

    Path p gives item k the weight theta[p, k] * phi[states[p], k]. `theta` has a row for each path, `phi` one for each state; both
    are of float64, or both of float32, with 1 to 8,192 items. Rows may lie apart. `states`: uint32, one for each path; None: all
    are in state 0.

    `words`: uint32, of the shape of the result, uniform on 0 to 2^32 - 1: a larger word never gives a smaller item. None: draw d
    of path p takes a word that is a function of the seed, first_path + p and first_draw + d (each below 2^64), so paths and draws
    may be split over calls in any way.

    The result is an array of uint32 of shape (n,), or (n, draws) where `draws` is given. It has the same bits on every device.
    `out`, if given, is filled and returned; it may overlap no other array.

    `check`: ArgumentError where a weight or a state may not be; None: on the CPU. A GPU waits for nothing and cannot check.
    `fault`, an array of one uint64, is lowered to first_path + p for the lowest path p whose weights are all 0 or have no finite
    sum; begin with 2^64 - 1. Without a check such a path gets item 0.

    All arrays are NumPy's, or lie on one GPU: __cuda_array_interface__ or DLPack, of CuPy, PyTorch or Numba. `device`, "cpu",
    "cuda" or "cuda:N", is needed only for arrays that do not say where they lie (Numba's, on other GPUs than the first). On a GPU
    `out` is needed; the work is queued on `stream` (see Normals.generate). `context` keeps the device from call to call; None:
    one that the thread keeps. Synchronise before it ends. `threads` and `kernel_cache` are those of Normals.
    """
    gpu = _place(theta, device)
    on = 0 if gpu is None else stream_of(stream, theta, phi, states, words, fault, out)
    arrays = _Arrays(gpu, on)
    given = _weights_of(arrays, theta, phi)
    n_paths, n_draws = given["n_paths"], 1 if draws is None else _whole("draws", draws, 32)
    shape = (n_paths,) if draws is None else (n_paths, n_draws)
    if out is None and gpu is not None:
        raise TypeError(f"out is missing: on cuda:{gpu} pass an array of CuPy or PyTorch to fill, {shape} of uint32 (this "
                        "package allocates no GPU memory)")
    if out is None:
        out = numpy_for("draw_each()").empty(shape, "uint32")
    spec = _struct("levy_draw_spec", **given, states=arrays.whole("states", states, "uint32", (n_paths,)),
                   words=arrays.whole("words", words, "uint32", shape), check=gpu is None if check is None else bool(check),
                   fault=arrays.whole("fault", fault, "uint64", (1,), True), threads=_whole("threads", threads, 32),
                   device=_text("cpu" if gpu is None else f"cuda:{gpu}"), seed=_whole("seed", seed, 64),
                   first_path=_whole("first_path", first_path, 64), first_draw=_whole("first_draw", first_draw, 64),
                   n_draws=n_draws, no_kernel_cache=not kernel_cache)
    items = arrays.whole("out", out, "uint32", shape, True)
    if n_paths and n_draws:
        owner = (_context() if context is None else context)._owner
        raise_for(library.levy_draw_each(owner.handle, ctypes.byref(spec), items, on), owner.handle)
    return out
