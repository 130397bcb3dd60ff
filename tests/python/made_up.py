"""What the tests of the Python package have in common: Philox once more, GPU arrays of made-up classes, and the whole way over
a driver that is none (tests/fake_module.c). No tests of its own.
"""

import ctypes
import os
import pathlib
import subprocess
import sys
from unittest import mock

from levy import _memory
from levy._library import library

FAKE = pathlib.Path(os.environ.get("LEVY_BINARY_DIR", "build")) / "tests" / "fake" / "liblevy-cuda.so"


def philox(key, counter):
    """The four words of a block, by a counter of four."""
    low, high = 0xFFFFFFFF, 32
    k, c = [key & low, key >> high], list(counter)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> high ^ c[1] ^ k[0], q & low, p >> high ^ c[3] ^ k[1], p & low]
        k = [k[0] + 0x9E3779B9 & low, k[1] + 0xBB67AE85 & low]
    return c


def halves(number):
    """64 bits as two words, the lower one first."""
    return number & 0xFFFFFFFF, number >> 32


class Interface:
    """An array as CuPy, PyTorch and Numba show theirs; its memory is never touched."""

    def __init__(self, shape, typestr="<f8", address=4096, read_only=False, strides=None, **more):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": (address, read_only), "strides": strides,
                                         "version": 3, **more}


class Placed(Interface):
    place = (2, 0)

    def __dlpack_device__(self):
        return self.place


class Lent:
    """An array that speaks DLPack only: the capsule is made of ctypes structures."""

    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
        ("PyCapsule_New", ctypes.pythonapi))

    def __init__(self, shape, code=2, bits=64, strides=None, place=(2, 0), lanes=1, flags=None, major=1, offset=64):
        self.place, self.flags, self.asked = place, flags, []
        numbers = ctypes.c_int64 * len(shape)
        self.parts = numbers(*shape), None if strides is None else numbers(*strides)
        tensor = _memory._Tensor(data=4096, device_kind=place[0], device_index=place[1], ndim=len(shape), code=code, bits=bits,
                                 lanes=lanes, byte_offset=offset)
        tensor.shape = ctypes.cast(self.parts[0], type(tensor.shape))
        if strides is not None:
            tensor.strides = ctypes.cast(self.parts[1], type(tensor.strides))
        self.managed = tensor if flags is None else _memory._Versioned(major=major, flags=flags, tensor=tensor)

    def __dlpack_device__(self):
        return self.place

    def __dlpack__(self, stream=None, **more):
        if self.flags is None and more:
            raise TypeError("of before version 1")
        self.asked.append(stream)
        return self.new(ctypes.addressof(self.managed), b"dltensor" if self.flags is None else b"dltensor_versioned", None)


class WholeWay:
    """Beside unittest.TestCase: `check` runs over the driver that is none, in a process with LEVY_MODULE_DIR."""

    def calls(self, name):
        """The function's arguments, which the real one never sees: addresses here are made up."""
        return mock.patch.object(library, name, mock.Mock(return_value=0))

    def test_the_whole_way(self):
        if os.environ.get("LEVY_MODULE_DIR") == str(FAKE.parent):
            ctypes.CDLL(str(FAKE)).levy_fake_module_reset()  # one GPU
            self.check()
            return
        if not FAKE.exists():
            self.skipTest("the module over a made-up driver was not built")
        file = sys.modules[type(self).__module__].__file__
        run = subprocess.run([sys.executable, file, type(self).__name__], env={**os.environ, "LEVY_MODULE_DIR": str(FAKE.parent)},
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
