"""Paths from a generator: random points, normals and the bridge in one pass."""

import ctypes
from typing import Any, Iterable, Optional

from ._arrays import (_address, _bridge_spec, _choice, _doubles, _GENERATORS, _KINDS, _Maker, _net, _whole,
                      NormalsInfo)
from ._book import _struct, _text, Context
from ._library import library


class Paths(_Maker):
    """What Bridge makes of Normals, in one pass over memory: drivers, log returns or spots, as arrays [step][dimension][path].

        t = numpy.linspace(0, 1, 13)
        paths = levy.Paths(t, factor=[[0.2]], start=[math.log(100)], drift=(0.03 - 0.02) * t[1:], exponential=True, seed=7)
        spots = paths.generate(2**16)           # spots[i] are those at t[i + 1]

    `times`, `order`, `factor`, `start` and `n_dimensions` are those of Bridge; number (i, d) of the point is the bridge's normal
    (i, d). `drift`, a number per step and dimension ([step][dimension], or in one row), is added at each date; None: zeros.
    `exponential` gives the exponential of that. `output` "increments" takes neither.

    `generator`, `net`, `scrambling`, `seed`, `replicate`, `precision`, `device`, `isa`, `threads`, `kernel_cache`, `context` and
    errors are those of Normals. A GPU makes paths of up to 8 dimensions; for more, chain Normals and Bridge.
    """

    _destroy = library.levy_paths_destroy

    def __init__(self, times: Iterable[float], order: Optional[Iterable[int]] = None,
                 factor: Optional[Iterable[Iterable[float]]] = None, start: Optional[Iterable[float]] = None,
                 output: str = "paths", *, drift: Optional[Iterable[Any]] = None, exponential: bool = False,
                 generator: str = "sobol_scrambled", seed: int = 0, replicate: int = 0, n_dimensions: Optional[int] = None,
                 precision: str = "double", device: str = "cpu", isa: Optional[str] = None, threads: int = 0,
                 kernel_cache: bool = True, net: Any = None, scrambling: Optional[str] = None,
                 context: Optional[Context] = None) -> None:
        matrices, _columns = _net(generator, net, scrambling)
        bridge, _kept = _bridge_spec(times, order, factor, start, output, n_dimensions, precision, device=_text(device),
                                     isa=_text(isa), threads=_whole("threads", threads, 32), no_kernel_cache=not kernel_cache)
        self._shape = (int(bridge.n_steps), int(bridge.n_dimensions))
        moved = None if drift is None else self._drift(drift)
        spec = _struct("levy_paths_spec", bridge=ctypes.addressof(bridge), drift=_address(moved), exponential=bool(exponential),
                       generator=_choice("generator", generator, _GENERATORS), replicate=_whole("replicate", replicate, 32),
                       seed=_whole("seed", seed, 64), net=None if matrices is None else ctypes.addressof(matrices))
        super().__init__(context, library.levy_paths_create, spec)
        self.info: NormalsInfo = self._opened(NormalsInfo, "levy_normals_facts", library.levy_paths_info)
        self._kind = _KINDS[precision]

    def _drift(self, drift: Iterable[Any]) -> Any:
        """A number per step and dimension, given in rows or in one."""
        steps, dimensions = self._shape
        rows = list(drift)
        flat = _doubles(one for row in rows for one in (row if hasattr(row, "__iter__") else (row,)))
        if len(flat) != steps * dimensions:
            raise ValueError(f"drift has {len(flat)} numbers; {steps} steps of {dimensions} dimensions need {steps * dimensions}")
        return flat

    def generate(self, n_paths: int, first: int = 0, out: Any = None, stream: Any = None) -> Any:
        """The paths `first` to first + n_paths - 1: an array [step][dimension][path], in one dimension [step][path].

        `out`, if given, has that shape, or one axis for steps and dimensions; it is filled and returned. Kinds of arrays,
        `stream`, errors and the limits of points are those of Normals.generate.
        """
        n, start = _whole("n_paths", n_paths, 64), _whole("first", first, 64)
        self._check_last("path", n, start, self.info)
        steps, dimensions = self._shape
        whole, flat = (steps, dimensions, n), (steps * dimensions, n)
        self._check_out(out, self._kind, f"{whole}")
        out = self._new(flat if dimensions == 1 else whole, self._kind) if out is None else out
        return self._generated(library.levy_paths_generate, (n, start), out, stream, [whole, flat],
                               f"[step][dimension][path] is {whole}, or with one axis for steps and dimensions {flat}")
