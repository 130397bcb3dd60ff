"""Arrays for simulations of one's own: random points, and Brownian paths from normals."""

import ctypes
import operator
import os
import re
import threading
from dataclasses import dataclass, fields
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Type, TypeVar

from ._book import _struct, _text, Context
from ._errors import raise_for
from ._library import decode, library, meant, STRUCTURES, text_of
from ._memory import Memory, numpy_for, on_gpu, on_host, stream_of
from ._owner import Owned

_GENERATORS = {"sobol_scrambled": 0, "sobol": 1, "philox": 2, "mrg32k3a": 3, "net": 4, "curand_sobol": 5,
               "curand_scrambled_sobol": 6, "curand_mrg32k3a": 7}
_SCRAMBLINGS = {"matrix": 0, "shift": 1, "none": 2}
_NUMBERS = {"normal": 0, "uniform": 1, "word": 2}
_MOTIONS = {"paths": 0, "increments": 1}
_PRECISIONS = {"double": 0, "single": 1}
_Info = TypeVar("_Info")
_KINDS = {"double": "float64", "single": "float32", "word": "uint32"}


@dataclass(frozen=True)
class _MadeInfo:
    """Where an object computes, and by what."""

    backend: str
    """"cpu" or "cuda"."""
    device: str
    device_reason: str
    isa: Optional[str]
    kernel: Optional[str]
    threads: int
    """CPU: how many."""
    threads_per_block: int
    registers: int
    """CUDA: of the kernel (of draws), as the next two; -1: not known."""
    spilled_bytes: int
    blocks_per_processor: int


@dataclass(frozen=True)
class NormalsInfo(_MadeInfo):
    """Where a Normals makes its numbers, and by what."""

    generator: str
    key: int
    """Philox: the 64-bit key, a function of seed and replicate."""
    count: int
    """Dimensions that are made."""
    number_bytes: int
    points_per_thread: int
    most_points: int
    """That a replicate has."""


@dataclass(frozen=True)
class BridgeInfo(_MadeInfo):
    """What a Bridge runs, and where."""

    n_steps: int
    n_dimensions: int
    slots: int
    """Most points kept at a time."""
    instruction_bytes: int
    paths_per_thread: int


# ---- Arguments ------------------------------------------------------------------------------------


def _choice(name: str, value: str, choices: Dict[str, int]) -> int:
    if value not in choices:
        raise ValueError(f"{name}: {value!r} is unknown" + meant(str(value), choices, f"use one of {', '.join(choices)}"))
    return choices[value]


def _whole(name: str, value: Any, bits: int) -> int:
    """A number that the library's type can hold; ctypes would cut off what it cannot."""
    number = operator.index(value)
    if not 0 <= number < 2**bits:
        raise ValueError(f"{name} is {number}; it must lie in 0 to {2**bits - 1:,}")
    return number


def _doubles(values: Iterable[Any]) -> Any:
    given = [float(one) for one in values]
    return (ctypes.c_double * len(given))(*given)


def _net(generator: str, net: Any, scrambling: Optional[str]) -> Tuple[Optional[ctypes.Structure], Tuple[Any, ...]]:
    """What levy_normals_create takes as net, and the arrays that it points to. None: none is given."""
    mode = _choice("scrambling", "matrix" if scrambling is None else scrambling, _SCRAMBLINGS)
    if scrambling is not None and generator != "net":
        raise ValueError(f"scrambling is of the generator 'net'; got {generator!r}")
    if net is None:
        return None, ()
    if isinstance(net, (str, os.PathLike)):
        return _struct("levy_net_spec", file=_file(net), scrambling=mode), ()
    rows = [[_whole("net", column, 32) for column in row] for row in net]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("net is a file's name, or the columns of its matrices: [dimension][column], rows of equal length")
    columns = (ctypes.c_uint32 * (len(rows) * len(rows[0])))(*(column for row in rows for column in row))
    return _struct("levy_net_spec", columns=ctypes.addressof(columns), n_dimensions=len(rows), n_columns=len(rows[0]),
                   scrambling=mode), (columns,)


def _file(name: Any) -> bytes:
    data = os.fsencode(name)
    if b"\0" in data:  # it would end the name there
        raise ValueError(f"a NUL is in the name {name!r}")
    return data


def _address(array: Any) -> Optional[int]:
    return None if array is None else ctypes.addressof(array)


class _Maker(Owned):
    """What makes arrays on a device: one call at a time, on whichever thread."""

    _kind: str
    """Of the numbers that it makes."""

    def __init__(self, context: Optional[Context], create: Callable[..., int], spec: ctypes.Structure) -> None:
        context = Context() if context is None else context
        owner, handle = context._owner, ctypes.c_void_p()
        raise_for(create(owner.handle, ctypes.byref(spec), ctypes.byref(handle)), owner.handle)
        super().__init__(owner, handle.value or 0)
        self._lock = threading.Lock()
        self._gpu: Optional[int] = None
        """Its number; None: the CPU."""

    def _opened(self, kind: Type[_Info], facts: str, info: Callable[[int], int]) -> _Info:
        """The library's facts; from here on it is known where arrays must lie."""
        struct = STRUCTURES[facts].from_address(info(self._handle))
        values = {one.name: getattr(struct, one.name) for one in fields(kind)}  # type: ignore[arg-type]
        values = {name: decode(value) if isinstance(value, bytes) else value for name, value in values.items()}
        if values["backend"] != "cpu":
            place = re.search(r"\(cuda:(\d+)\)$", values["device"])
            assert place, values["device"]
            self._gpu = int(place[1])
        return kind(**values)

    def _memory(self, name: str, array: Any, kind: str, write: bool, stream: int) -> Memory:
        if self._gpu is None:
            return on_host(name, array, kind, write)
        return on_gpu(name, array, kind, write, self._gpu, stream)

    def _check_last(self, noun: str, n: int, start: int, info: "NormalsInfo") -> None:
        if start + n > info.most_points:
            raise ValueError(f"the last {noun} is {start + n - 1:,}; this generator has {info.most_points:,} points, from 0")

    def _generated(self, generate: Callable[..., int], points: Tuple[int, int], out: Any, stream: Any,
                   shapes: List[Tuple[int, ...]], due: str) -> Any:
        """Has `out`, of one of the shapes, filled with so many points from the first one on."""
        n, start = points
        on = self._stream(stream, out)
        memory = self._memory("out", out, self._kind, True, on)
        if memory.shape not in shapes:
            raise ValueError(f"out has the shape {memory.shape}; {due}")
        if n:
            stride = memory.row_stride()
            with self._lock:
                raise_for(generate(self._handle, start, n, memory.address, stride, on), 0)
        return out

    def _row(self, name: str, array: Any, kind: str, write: bool, length: Optional[int], stream: int) -> Any:
        """The place of an array of one axis, without gaps."""
        memory = self._memory(name, array, kind, write, stream)
        if len(memory.shape) != 1 or length not in (None, memory.shape[0]):
            raise ValueError(f"{name} has the shape {memory.shape}; it must be ({'n' if length is None else length},)")
        if memory.shape[0]:
            memory.row_stride()
        return memory

    def _out(self, out: Any, kind: str, shape: Tuple[int, ...], method: str) -> Any:
        """The array to fill: what was given, or on the CPU a new one."""
        self._check_out(out, kind, f"{shape}")
        return self._new(shape, kind, method) if out is None else out

    def _check_out(self, out: Any, kind: str, shape: str) -> None:
        if out is None and self._gpu is not None:
            raise TypeError(f"out is missing: on cuda:{self._gpu} pass an array of CuPy or PyTorch to fill, {shape} of {kind} "
                            "(this package allocates no GPU memory)")

    def _new(self, shape: Tuple[int, ...], kind: str, method: str = "generate") -> Any:
        return numpy_for(f"{type(self).__name__}.{method}()").empty(shape, kind)

    def _stream(self, stream: Any, *arrays: Any) -> int:
        return 0 if self._gpu is None else stream_of(stream, *arrays)


# ---- Random points --------------------------------------------------------------------------------


class Normals(_Maker):
    """The random points that pricing draws, as arrays [dimension][point].

        normals = levy.Normals(n_dimensions=64, seed=7)
        z = normals.generate(2**16)                    # a NumPy array of 64 rows

    `generator`: "sobol_scrambled" (random linear scramble and digital shift), "sobol" (no seed, no replicates), "philox",
    "mrg32k3a", "net". A point has `n_dimensions` dimensions: 1 to 21,201 (Sobol), to those of the net, to 1,048,576 (others).
    `count` of them are made, from `first_dimension` on; 0: all that are left. `seed` is below 2^64, `replicate` below 4,294,967,295.

    `net` goes with the generator "net": a digital net in base 2, as a file's name (docs/guide.md has the formats) or as the
    columns of its generating matrices, [dimension][column], whole numbers whose top bit of 32 is the first digit.
    `scrambling`, of a net alone: "matrix" (linear scramble and digital shift; also None), "shift", "none" (the net's own points).

    `output`: "normal" (standard normals by inversion, |z| <= 6.34), "uniform" ((word + 1/2) 2^-32; in single precision 1 is
    possible), "word" (32 bits). Numbers are float64, in `precision` "single" float32; words are uint32. Every number is a
    function of generator, seed, replicate, dimension and point, so points may be split over calls in any way.

    `device`: "cpu", "cuda", "cuda:N", or "auto", whose choice `info.backend` tells. `isa` and `threads` (0: all) are of the
    CPU. `kernel_cache=False`: a GPU's kernels are neither read from the disk nor kept there. `context` owns it; None: one
    of its own. Threads may share a Normals: calls wait for each other.

    ArgumentError or ValueError: an argument is outside its range. Error: the device cannot be used. On a GPU keep the
    Normals until its work is done.
    """

    _destroy = library.levy_normals_destroy

    def __init__(self, generator: str = "sobol_scrambled", *, n_dimensions: int, first_dimension: int = 0, count: int = 0,
                 seed: int = 0, replicate: int = 0, output: str = "normal", precision: str = "double", device: str = "cpu",
                 isa: Optional[str] = None, threads: int = 0, kernel_cache: bool = True, net: Any = None,
                 scrambling: Optional[str] = None, context: Optional[Context] = None) -> None:
        matrices, _kept = _net(generator, net, scrambling)
        spec = _struct("levy_normals_spec", generator=_choice("generator", generator, _GENERATORS),
                       output=_choice("output", output, _NUMBERS), precision=_choice("precision", precision, _PRECISIONS),
                       n_dimensions=_whole("n_dimensions", n_dimensions, 32),
                       first_dimension=_whole("first_dimension", first_dimension, 32), count=_whole("count", count, 32),
                       replicate=_whole("replicate", replicate, 32), seed=_whole("seed", seed, 64), device=_text(device),
                       isa=_text(isa), threads=_whole("threads", threads, 32), no_kernel_cache=not kernel_cache,
                       net=None if matrices is None else ctypes.addressof(matrices))
        super().__init__(context, library.levy_normals_create, spec)
        self.info: NormalsInfo = self._opened(NormalsInfo, "levy_normals_facts", library.levy_normals_info)
        self._kind = _KINDS["word" if output == "word" else precision]

    def generate(self, n_points: int, first: int = 0, out: Any = None, stream: Any = None) -> Any:
        """The points `first` to first + n_points - 1: an array [dimension][point], `info.count` rows of n_points numbers.

        `out`, if given, is filled and returned. Its rows may lie apart (a slice of columns of a wider array); what lies
        between them is left alone. On the CPU it is a NumPy array, by default a new one. On a GPU it is needed: an array
        with __cuda_array_interface__ or DLPack, of CuPy, PyTorch or Numba. The work is then queued on `stream` (an int, or
        a stream of CuPy or PyTorch; None: the one that the array's interface names, else the default stream), and the
        call returns before it is done. The CPU needs no stream, and ignores it.

        TypeError: `out` is no such array, or holds other numbers. ValueError: its shape or strides do not fit, it is
        read-only or on another GPU, or points lie past `info.most_points` (2^32 for Sobol). Error: the device failed.
        """
        n, start = _whole("n_points", n_points, 64), _whole("first", first, 64)
        self._check_last("point", n, start, self.info)
        shape = (self.info.count, n)
        return self._generated(library.levy_normals_generate, (n, start), self._out(out, self._kind, shape, "generate"), stream,
                               [shape], f"[dimension][point] is {shape}")


# ---- The Brownian bridge --------------------------------------------------------------------------


def _dimensions(given: Optional[int], rows: Optional[List[Any]], start: Any) -> int:
    """What the arguments agree on."""
    found = {} if given is None else {"n_dimensions": _whole("n_dimensions", given, 32)}
    if rows is not None:
        found["factor"] = len(rows)
        if any(len(row) != len(rows) for row in rows):
            raise ValueError(f"factor has {len(rows)} rows, and not all of them have {len(rows)} numbers")
    if start is not None:
        found["start"] = len(start)
    if 0 in found.values():
        raise ValueError(f"{next(name for name in found if not found[name])} gives no dimension")
    if len(set(found.values())) > 1:
        raise ValueError("the numbers of dimensions differ: " + ", ".join(f"{found[name]} by {name}" for name in found))
    return next(iter(found.values()), 1)


def _bridge_spec(times: Iterable[float], order: Optional[Iterable[int]], factor: Optional[Iterable[Iterable[float]]],
                 start: Optional[Iterable[float]], output: str, n_dimensions: Optional[int], precision: str,
                 **others: Any) -> Tuple[ctypes.Structure, Tuple[Any, ...]]:
    """What levy_bridge_create takes, and the arrays that it points to."""
    ticks = _doubles(times)
    steps, points = max(len(ticks) - 1, 0), None
    if order is not None:
        given = [_whole("order", one, 32) for one in order]
        if len(given) != steps:
            raise ValueError(f"order has {len(given)} points, and times give {steps} steps")
        points = (ctypes.c_uint32 * steps)(*given)
    rows = None if factor is None else [_doubles(row) for row in factor]
    origin = None if start is None else _doubles(start)
    dimensions = _dimensions(n_dimensions, rows, origin)
    matrix = None if rows is None else _doubles(one for row in rows for one in row)
    spec = _struct("levy_bridge_spec", times=_address(ticks), order=_address(points), factor=_address(matrix),
                   start=_address(origin), n_steps=_whole("n_steps", steps, 32), n_dimensions=dimensions,
                   output=_choice("output", output, _MOTIONS), precision=_choice("precision", precision, _PRECISIONS), **others)
    return spec, (ticks, points, matrix, origin)


class Bridge(_Maker):
    """Paths of a Brownian motion from standard normals, in any build order, as arrays [step][dimension][path].

        bridge = levy.Bridge([0, 0.25, 0.5, 0.75, 1])                        # four steps, one dimension
        x = bridge.generate(levy.Normals(n_dimensions=4).generate(2**16))    # x[i] is the motion at times[i + 1]

    `times`: t0, then a time per step (1 to 1,048,576), ascending, in any spacing and unit: the variance grows by one per
    unit. `order`: a permutation of 1 to n_steps; point order[i] is built from row i of the normals, so those that matter most
    should come first; None: the end, then midpoints. `factor`: C, of n_dimensions rows and columns, with covariance C C' per
    unit of time; None: the unit matrix. `start`: X(t0), a number per dimension; None: zeros. `n_dimensions` (1 to 64) is that
    of `factor` or `start`, else 1.

    `output`: "paths", X(t[i + 1]), or "increments", (X(t[i + 1]) - X(t[i])) / (t[i + 1] - t[i]). Numbers are float64, in
    `precision` "single" float32. `device`, `isa`, `threads`, `kernel_cache`, `context` and errors are those of Normals.
    """

    _destroy = library.levy_bridge_destroy

    def __init__(self, times: Iterable[float], order: Optional[Iterable[int]] = None,
                 factor: Optional[Iterable[Iterable[float]]] = None, start: Optional[Iterable[float]] = None,
                 output: str = "paths", *, n_dimensions: Optional[int] = None, precision: str = "double",
                 device: str = "cpu", isa: Optional[str] = None, threads: int = 0, kernel_cache: bool = True,
                 context: Optional[Context] = None) -> None:
        spec, _kept = _bridge_spec(times, order, factor, start, output, n_dimensions, precision, device=_text(device),
                                   isa=_text(isa), threads=_whole("threads", threads, 32), no_kernel_cache=not kernel_cache)
        super().__init__(context, library.levy_bridge_create, spec)
        self.info: BridgeInfo = self._opened(BridgeInfo, "levy_bridge_facts", library.levy_bridge_info)
        self._kind = _KINDS[precision]

    @staticmethod
    def order_first(n_steps: int, points: Iterable[int] = ()) -> List[int]:
        """A build order: the given points (from 1; those that matter most), the end, then midpoints of the gaps.
        ValueError: a point is out of range or given twice."""
        given = [_whole("points", one, 32) for one in points]
        steps = _whole("n_steps", n_steps, 32)
        if not 1 <= steps <= 1 << 20:
            raise ValueError(f"n_steps is {steps:,}; a bridge has 1 to {1 << 20:,} steps")
        if len(set(given)) < len(given) or not all(1 <= one <= steps for one in given):
            raise ValueError(f"points must lie in 1 to {steps:,}, each once")
        order = (ctypes.c_uint32 * steps)()
        raise_for(library.levy_bridge_order_first(steps, (ctypes.c_uint32 * len(given))(*given), len(given), order), 0)
        return list(order)

    def explain(self) -> str:
        """The instructions that build the points, in words, a line each."""
        return text_of(library.levy_bridge_dump, self._handle)

    def _check_shape(self, name: str, shape: Tuple[int, ...], paths: Optional[int]) -> int:
        """The paths of an array."""
        steps, dimensions = self.info.n_steps, self.info.n_dimensions
        if shape[:-1] not in ((steps, dimensions), (steps * dimensions,)) or paths not in (None, shape[-1]):
            end = "paths" if paths is None else str(paths)
            raise ValueError(f"{name} has the shape {shape}; [step][dimension][path] is ({steps}, {dimensions}, {end}), "
                             f"or with one axis for steps and dimensions ({steps * dimensions}, {end})")
        return shape[-1]

    def generate(self, normals: Any, out: Any = None, stream: Any = None) -> Any:
        """Paths, an array [step][dimension][path], from normals in that layout; row i of the normals belongs to order[i].

        Steps and dimensions may share an axis, [step * dimension][path], as Normals.generate gives them; with one dimension
        that is [step][path]. The result is `out` if given, else a new array, in one dimension of the normals' own shape.

        Rows may lie apart, by as much in `out` as in `normals`; a new array takes over the distance. `out` must not overlap
        `normals`, not even between its rows. Kinds of arrays, `stream` and errors are those of Normals.generate; `normals`
        may be read-only (JAX). Numbers must be finite, which is not checked.
        """
        self._check_out(out, self._kind, f"({self.info.n_steps}, {self.info.n_dimensions}, paths)")
        on = self._stream(stream, normals, out)
        source = self._memory("normals", normals, self._kind, False, on)
        paths = self._check_shape("normals", source.shape, None)
        stride = source.row_stride() if paths else 0
        if out is None:
            out = self._like(source.shape, paths, stride)
        target = self._memory("out", out, self._kind, True, on)
        self._check_shape("out", target.shape, paths)
        if paths == 0:
            return out
        if target.row_stride() != stride:
            raise ValueError(f"the rows of out are {target.row_stride()} numbers apart, those of normals {stride}: "
                             "they must lie equally far apart")
        rows = self.info.n_steps * self.info.n_dimensions
        if abs(source.address - target.address) < ((rows - 1) * stride + paths) * source.size:
            raise ValueError("normals and out overlap")
        with self._lock:
            raise_for(library.levy_bridge_generate(self._handle, source.address, target.address, paths, stride, on), 0)
        return out

    def _like(self, shape: Tuple[int, ...], paths: int, stride: int) -> Any:
        """An array for the paths, its rows as far apart as those of the normals."""
        steps, dimensions = self.info.n_steps, self.info.n_dimensions
        made = self._new((steps * dimensions, max(stride, paths)), self._kind)[:, :paths]
        return made.reshape(shape if dimensions == 1 else (steps, dimensions, paths))
