#!/usr/bin/env python3
"""Writes tests/known_answers/sobol_table.txt: a hash of the direction numbers of every 512 dimensions, none of the project's code.

The numbers come from the polynomials and first numbers that SciPy ships (scipy/stats/_sobol_direction_numbers.npz, made from
new-joe-kuo-6.21201), by the recurrence of Bratley and Fox. Where cuRAND's library is at hand its JOEKUO6 vectors, the first
20,000 dimensions, are compared with them, and the file says so.
"""
import ctypes
import pathlib
import sys

import numpy
import scipy.stats


def directions():
    path = pathlib.Path(scipy.stats.__file__).parent / "_sobol_direction_numbers.npz"
    table = numpy.load(path)
    poly, first = table["poly"], table["vinit"]
    out = numpy.zeros((len(poly), 32), dtype=numpy.uint32)
    out[0] = [1 << (31 - i) for i in range(32)]
    for d in range(1, len(poly)):
        polynomial = int(poly[d])
        degree = polynomial.bit_length() - 1
        m = [int(v) for v in first[d][:degree]]
        for i in range(degree, 32):
            value = m[i - degree] ^ (m[i - degree] << degree)
            for k in range(1, degree):
                if polynomial >> (degree - k) & 1:
                    value ^= m[i - k] << k
            m.append(value)
        out[d] = [(m[i] << (31 - i)) & 0xFFFFFFFF for i in range(32)]
    return out


def curand(count):
    try:
        library = ctypes.CDLL("libcurand.so.10")
    except OSError:
        return None
    vectors = ctypes.POINTER(ctypes.c_uint32)()
    if library.curandGetDirectionVectors32(ctypes.byref(vectors), 101) != 0:
        return None
    version = ctypes.c_int()
    library.curandGetVersion(ctypes.byref(version))
    return numpy.ctypeslib.as_array(vectors, (count * 32,)).reshape(count, 32).copy(), version.value


def fnv(data):
    h = 14695981039346656037
    for byte in data:
        h = ((h ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return h


def main(path):
    table = directions()
    assert table.shape == (21201, 32)
    origin = "SciPy %s" % scipy.__version__
    theirs = curand(20000)
    if theirs is not None:
        assert (theirs[0] == table[:20000]).all()
        origin += "; the first 20,000 equal cuRAND's JOEKUO6 vectors (version %d)" % theirs[1]
    with open(path, "w") as out:
        out.write("# Direction numbers of Joe and Kuo, 32 of 32 bits a dimension, little endian: FNV-1a of 64 bits (sobol_known_answers.py)\n")
        out.write("# From %s. FIRST COUNT HASH, dimensions from 0.\n" % origin)
        for first in range(0, len(table), 512):
            block = table[first : first + 512]
            out.write("%d %d %016x\n" % (first, len(block), fnv(block.astype("<u4").tobytes())))


main(sys.argv[1])
