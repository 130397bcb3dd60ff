#!/usr/bin/env python3
"""Writes kernels/lane/normal_rows.inc: the polynomials of the inverse normal in double (normal_rows.h), by mpmath at 200 bits.

A row's coefficients are fitted to the relative error by least squares at 16 Chebyshev points, rounded one at a time from the
constant up, and the others are fitted again. The last row's constant is 0, so that z is exact where the halves of the words meet.
"""
import statistics
import sys

import mpmath as mp

mp.mp.prec = 200
COEFFICIENTS, POINTS, OCTAVES, ROWS = 8, 16, 32, 32


def normal(f):
    """z with Phi(z) = f 2^-33, by Halley's iteration from a double."""
    p = mp.mpf(f) * mp.mpf(2) ** -33
    z = mp.mpf(statistics.NormalDist().inv_cdf(float(p)))
    for _ in range(4):
        step = (mp.erfc(-z / mp.sqrt(2)) / 2 - p) * mp.sqrt(2 * mp.pi) * mp.exp(z * z / 2)
        z -= step / (1 + z * step / 2)
    return z


TIMES = [(mp.cos(mp.pi * (2 * j + 1) / (2 * POINTS)) - 1) / 2 for j in range(POINTS)]  # of the width, from the row's end


def fitted(left, z, first):
    """Coefficient `first` of those from there on that fit what is `left` of 1, in widths."""
    n = COEFFICIENTS - first
    basis = [[t ** (first + i) / value for i in range(n)] for t, value in zip(TIMES, z)]
    matrix, right = mp.matrix(n, n), mp.matrix(n, 1)
    for i in range(n):
        right[i] = sum(row[i] * rest for row, rest in zip(basis, left))
        for k in range(n):
            matrix[i, k] = sum(row[i] * row[k] for row in basis)
    return mp.lu_solve(matrix, right)[0]


def row_of(end, width):
    z = [normal(end + t * width) for t in TIMES]
    left, row = [mp.mpf(1)] * POINTS, []
    for k in range(COEFFICIENTS):
        c = 0.0 if k == 0 and end == 2**32 else float(fitted(left, z, k) / width**k)
        row.append(c)
        left = [rest - mp.mpf(c) * (t * width) ** k / value for rest, t, value in zip(left, TIMES, z)]
    return row


def main(path):
    with open(path, "w") as out:
        for octave in range(OCTAVES):
            width = mp.mpf(2) ** octave / ROWS
            for row in range(ROWS):
                c = [x.hex() if x else "0.0" for x in row_of(mp.mpf(2) ** octave + (row + 1) * width, width)]
                out.write(", ".join(c[:4]) + ",\n" + ", ".join(c[4:]) + ",\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "normal_rows.inc")
