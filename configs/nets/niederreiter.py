#!/usr/bin/env python3
"""niederreiter.py: prints the generating matrices of Niederreiter's sequence in base 2, in LatNet Builder's `net` format.

Row j of the matrix of polynomial p of degree e holds the first digits of x^u / p^(q+1), a Laurent series in 1/x, with
j = q e + u and 0 <= u < e (H. Niederreiter, Low-discrepancy and low-dispersion sequences, J. Number Theory 30, 1988).

    python3 niederreiter.py 16 20 > niederreiter.txt        dimensions, columns
"""
import sys

DIGITS = 32


def multiply(a, b):
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = a << 1, b >> 1
    return product


def remainder(a, b):
    while a.bit_length() >= b.bit_length():
        a ^= b << a.bit_length() - b.bit_length()
    return a


def irreducible(n):
    """The first n irreducible polynomials over GF(2), as integers with all their bits."""
    found, candidate = [], 2
    while len(found) < n:
        if all(remainder(candidate, p) for p in found if 2 * p.bit_length() <= candidate.bit_length() + 1):
            found.append(candidate)
        candidate += 1
    return found


def series(numerator, denominator, n):
    """The first n coefficients of numerator / denominator in powers of 1/x, from 1/x on."""
    digits, rest = [], numerator
    for _ in range(n):
        rest <<= 1
        digit = int(rest.bit_length() == denominator.bit_length())
        rest ^= denominator if digit else 0
        digits.append(digit)
    return digits


def matrix(p, columns):
    degree, rows, power = p.bit_length() - 1, [], 1
    while len(rows) < DIGITS:
        power = multiply(power, p)
        rows += [series(1 << u, power, columns) for u in range(degree)]
    return [sum(rows[i][j] << DIGITS - 1 - i for i in range(DIGITS)) for j in range(columns)]


def main():
    dimensions, columns = (int(word) for word in sys.argv[1:])
    print("# Niederreiter's sequence in base 2, by niederreiter.py")
    print(f"{dimensions}   # dimensions\n{columns}   # columns: 2^{columns} points\n{DIGITS}   # digits")
    for p in irreducible(dimensions):
        print(*matrix(p, columns))


main()
