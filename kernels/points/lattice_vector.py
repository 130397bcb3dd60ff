#!/usr/bin/env python3
"""Writes kernels/points/lattice_vector.inc: the generating vector of the built-in lattice (point_set.h).

Component by component (D. Nuyens, R. Cools, Math. Comp. 75, 2006): each component makes the worst-case error of the lattices of
2^8 to 2^20 points as small as it can, that of a size over the least of that size at most (R. Cools, F. Y. Kuo, D. Nuyens, SIAM J.
Sci. Comput. 28, 2006). The space is Korobov's of order 2 with product weights 1 / j^2. Odd residues modulo 2^n are +-5^i, so the
sum over them is a convolution.
"""
import sys

import numpy as np

DIMENSIONS, LEAST, MOST = 1024, 8, 20


def kernel(x):
    return 2 * np.pi**2 * (x * x - x + 1 / 6)


def main(path):
    orbits = [np.array([pow(5, i, 2**n) for i in range(max(2**n // 4, 1))]) for n in range(MOST + 1)]
    products = [np.ones(len(orbit)) for orbit in orbits]  # at the points +-5^i / 2^n
    transforms = [np.fft.rfft(kernel(orbit % 2**n / 2**n)) for n, orbit in enumerate(orbits)]
    vector = []
    for j in range(1, DIMENSIONS + 1):
        total, below, worst = np.zeros(1), 0.0, np.zeros(1)
        for n in range(MOST + 1):
            times = 1 if n < 2 else 2  # points with that product: 0 and 1/2 have one
            n_candidates = len(orbits[n])
            sums = np.fft.irfft(np.conj(np.fft.rfft(products[n])) * transforms[n], n_candidates) if n > 1 else products[n] * transforms[n].real
            total = np.resize(total, n_candidates) + times * sums
            below += times * products[n].sum()
            if n >= LEAST:
                errors = (below + total / j**2) / 2**n - 1
                worst = np.maximum(np.resize(worst, n_candidates), errors / errors.min())
        z = int(orbits[MOST][worst.argmin() if j > 1 else 0])
        vector.append(min(z, 2**MOST - z))
        products = [p * (1 + kernel(orbit * vector[-1] % 2**n / 2**n) / j**2) for n, (p, orbit) in enumerate(zip(products, orbits))]
    with open(path, "w") as file:
        line = ""
        for z in vector:
            if len(line) + len(f" {z},") > 100:
                file.write(line + "\n")
                line = ""
            line = f"{line} {z},".strip()
        file.write(line + "\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "lattice_vector.inc")
