"""Where other packages' arrays lie: NumPy's in the machine's memory, and on a GPU those of any package
that has __cuda_array_interface__ (CuPy, PyTorch, Numba) or DLPack (JAX, and all of these).

Arrays are checked here, before the library sees an address.
"""

import ctypes
import operator
import re
import sys
from typing import Any, Iterable, Optional, Tuple

from ._library import refuse_copies
from ._optional import optional
from ._owner import Handle

_LETTERS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}  # of a typestr
_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}  # of DLPack
_SIZES = {"float64": 8, "float32": 4, "uint32": 4, "uint64": 8}
_NATIVE = "<" if sys.byteorder == "little" else ">"
_GPU = (2, 13)  # DLPack's kDLCUDA and kDLCUDAManaged
_PLACES = {1: "in the machine's memory", 3: "in the machine's memory"}
_READ_ONLY, _COPIED = 1, 2  # flags of a versioned DLPack


class Memory(Handle):
    """The place of an array: its address, shape and strides in bytes. It keeps alive what lends them."""

    def __init__(self, name: str, kind: str, address: int, shape: Iterable[int], strides: Iterable[int], keeper: Any) -> None:
        self.name = name
        self.size = _SIZES[kind]
        """Bytes of a number."""
        self.address = address
        self.shape = tuple(map(int, shape))
        self.strides = tuple(map(int, strides))
        self._keeper = keeper

    def row_stride(self) -> int:
        """Numbers from row to row, where a row is the last axis; 0: there is one row.

        ValueError: no one stride says where the rows lie, or an address is not aligned.
        """
        size = self.size
        length = self.shape[-1]
        if length > 1 and self.strides[-1] != size:
            raise ValueError(f"the numbers of a row of {self.name} are {self.strides[-1]} bytes apart, not {size}: "
                             "the last axis must be contiguous")
        rows, step = 1, 0
        for count, stride in zip(self.shape[-2::-1], self.strides[-2::-1]):
            if count == 1:
                continue  # its stride is never used
            if rows == 1:
                step = stride
            elif stride != rows * step:
                raise ValueError(f"the rows of {self.name} are not evenly spaced: its strides are {self.strides} bytes")
            rows *= count
        if rows > 1 and (step < length * size or step % size):
            raise ValueError(f"the rows of {self.name} are {step} bytes apart; {length} numbers of {size} bytes need "
                             f"{length * size} or more, and a multiple of {size}")
        if self.address % size:
            raise ValueError(f"{self.name} does not begin at a multiple of {size} bytes")
        return step // size


def _check_kind(name: str, found: str, wanted: str) -> None:
    if found != wanted:
        raise TypeError(f"{name} is an array of {found}; it must be one of {wanted}")


def _check_write(name: str, array: Any, read_only: Any, write: bool) -> None:
    """JAX's arrays never change, and not every interface can say so."""
    if write and (read_only or type(array).__module__.split(".")[0] in ("jax", "jaxlib")):
        raise ValueError(f"{name} is read-only")


def _contiguous(shape: Tuple[int, ...], size: int) -> Tuple[int, ...]:
    strides = []
    for count in reversed(shape):
        strides.append(size)
        size *= count
    return tuple(reversed(strides))


# ---- The machine's memory -------------------------------------------------------------------------


def numpy_for(what: str) -> Any:
    return optional("numpy", f"{what} on the CPU", "arrays on a GPU")


def on_host(name: str, array: Any, kind: str, write: bool) -> Memory:
    """A NumPy array's place. TypeError: it is none, or holds other numbers; ValueError: it is read-only."""
    numpy = numpy_for(name)
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"{name} is a {type(array).__name__}; on the CPU it must be a NumPy array of {kind}")
    _check_kind(name, str(array.dtype), kind)
    _check_write(name, array, not array.flags.writeable, write)
    return Memory(name, kind, array.ctypes.data, array.shape, array.strides, array)


# ---- A GPU's memory -------------------------------------------------------------------------------


def handle_of(stream: Any) -> Optional[int]:
    """A stream's handle: an int's own, or what CuPy's (.ptr) and PyTorch's (.cuda_stream) objects hold."""
    if stream is None:
        return None
    for attribute in ("cuda_stream", "ptr"):
        stream = getattr(stream, attribute, stream)
    try:
        handle = operator.index(stream)
    except TypeError:
        raise TypeError(f"stream is a {type(stream).__name__}; it must be an int, or a stream of CuPy or PyTorch") from None
    if not 0 <= handle < 2**64:
        raise ValueError(f"stream is {handle}, which is no handle")
    return handle


def stream_of(stream: Any, *arrays: Any) -> int:
    """The handle of the stream to queue work on: the given one; else that of the arrays' interfaces; else 0,
    the default stream."""
    given = handle_of(stream)
    if given is not None:
        return given
    found = set()
    for array in arrays:
        own = (getattr(array, "__cuda_array_interface__", None) or {}).get("stream")
        if own is not None:
            found.add(handle_of(own))
    if len(found) > 1:
        raise ValueError("the arrays are in use on different streams: say which, by stream=")
    return (found.pop() if found else 0) or 0


def is_on_gpu(array: Any) -> bool:
    """Whether the array says that it lies on a GPU."""
    if hasattr(array, "__dlpack_device__"):
        return int(array.__dlpack_device__()[0]) in _GPU
    return hasattr(array, "__cuda_array_interface__")


def _check_place(name: str, array: Any, ordinal: int) -> None:
    """Where the array can say on which device it lies."""
    if not hasattr(array, "__dlpack_device__"):
        return
    kind, index = map(int, array.__dlpack_device__())
    if kind not in _GPU:
        where = _PLACES.get(kind, f"on a device of DLPack's kind {kind}")
        raise TypeError(f"{name} lies {where}; it must lie on cuda:{ordinal}")
    if index != ordinal:
        raise ValueError(f"{name} lies on cuda:{index}; it must lie on cuda:{ordinal}")


def on_gpu(name: str, array: Any, kind: str, write: bool, ordinal: int, stream: int) -> Memory:
    """A GPU array's place. TypeError: it is none, or holds other numbers; ValueError: it is read-only or on
    another GPU. An array without __dlpack_device__ (Numba's) does not say on which GPU it lies."""
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None and not (hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__")):
        raise TypeError(f"{name} is a {type(array).__name__}; on a GPU it must be an array with "
                        "__cuda_array_interface__ or DLPack, such as CuPy's or PyTorch's")
    _check_place(name, array, ordinal)
    if interface is None:
        return _from_dlpack(name, array, kind, write, stream)
    found = str(interface["typestr"])
    parts = re.fullmatch(r"([<>|])([a-z])(\d+)", found)
    if parts and parts[1] in ("|", _NATIVE) and parts[2] in _LETTERS:
        found = f"{_LETTERS[parts[2]]}{8 * int(parts[3])}"
    _check_kind(name, found, kind)
    if interface.get("mask") is not None:
        raise TypeError(f"{name} has a mask")
    address, read_only = interface["data"]
    _check_write(name, array, read_only, write)
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or _contiguous(shape, _SIZES[kind])
    return Memory(name, kind, int(address or 0), shape, strides, array)


# ---- DLPack ---------------------------------------------------------------------------------------


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h."""

    _fields_ = [("data", ctypes.c_void_p), ("device_kind", ctypes.c_int32), ("device_index", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]
    __reduce_ex__: Any = refuse_copies


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned of dlpack.h, from version 1 on."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor)]
    __reduce_ex__: Any = refuse_copies


_is_capsule = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


def _capsule(array: Any, stream: int) -> Any:
    """The array's DLPack, good on the stream. It keeps its own name, so it frees itself."""
    ready = stream or 1  # DLPack's number of the default stream
    try:
        return array.__dlpack__(stream=ready, max_version=(1, 0), copy=False)
    except TypeError:  # of before version 1
        return array.__dlpack__(stream=ready)


def _from_dlpack(name: str, array: Any, kind: str, write: bool, stream: int) -> Memory:
    capsule = _capsule(array, stream)
    if _is_capsule(capsule, b"dltensor_versioned"):
        versioned = _Versioned.from_address(_pointer_of(capsule, b"dltensor_versioned"))
        if versioned.major != 1:
            raise TypeError(f"{name} speaks DLPack {versioned.major}.{versioned.minor}, and this package version 1")
        _check_write(name, array, versioned.flags & (_READ_ONLY | _COPIED), write)
        tensor = versioned.tensor
    elif _is_capsule(capsule, b"dltensor"):
        tensor = _Tensor.from_address(_pointer_of(capsule, b"dltensor"))
        _check_write(name, array, False, write)
    else:
        raise TypeError(f"{name} gives no DLPack capsule, or one that is used up")
    if tensor.device_kind not in _GPU:
        raise TypeError(f"{name} gives a DLPack of memory that is no GPU's")
    found = _CODES.get(tensor.code, f"DLPack's kind {tensor.code} of ") + str(tensor.bits)
    _check_kind(name, found if tensor.lanes == 1 else f"{found} in vectors of {tensor.lanes}", kind)
    size = tensor.bits // 8
    shape = tuple(tensor.shape[:tensor.ndim])
    strides = tuple(size * one for one in tensor.strides[:tensor.ndim]) if tensor.strides else _contiguous(shape, size)
    return Memory(name, kind, (tensor.data or 0) + tensor.byte_offset, shape, strides, (array, capsule))
