#!/usr/bin/env python3
"""The twin of kernels/points/point_set.c: words of lattices, Halton's points and points of a file, by NumPy and whole numbers.

    point_sets.py LEVY     compares `LEVY points` of books that it writes into the current folder with the twin's words
"""
import os
import subprocess
import sys

import numpy as np

MASK = 2**64 - 1
BOOK = """
schema_version: 1
market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}
models: {m: {kind: black_scholes, assets: [A]}}
trades:
  - {id: t, underlying: A, exercise: {expiry: 1},
     payoff: {kind: asian, option_type: call, strike: 100, averaging: {method: arithmetic, observations: {count: %d}}}}
simulation: {seed: %d, paths: %d, replicates: %d, generator: %s}
"""


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def philox(key, counter):
    """Philox 4x32-10 (J. Salmon and others, SC 2011)."""
    c, k = list(counter), [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k[0], q & 0xFFFFFFFF, p >> 32 ^ c[3] ^ k[1], p & 0xFFFFFFFF]
        k = [k[0] + 0x9E3779B9 & 0xFFFFFFFF, k[1] + 0xBB67AE85 & 0xFFFFFFFF]
    return c


def shift(key, dimension):
    return philox(key, (8, 0, dimension, 0))[0]


def reverse(k):
    return int(f"{k:032b}"[::-1], 2)


def lattice(vector, key, points, dimensions, randomised):
    inverse = np.array([reverse(k) for k in range(points)], dtype=np.uint64)
    words = [inverse * np.uint64(vector[d]) + np.uint64(shift(key, d) if randomised else 0) for d in range(dimensions)]
    return np.array(words).T & np.uint64(0xFFFFFFFF)


def permutation(key, dimension, digit, base):
    order = list(range(base))
    for drawn, i in enumerate(range(base - 1, 0, -1)):
        word = philox(key, (drawn // 4, digit + 1, dimension, 0))[drawn % 4]
        j = word * (i + 1) >> 32
        order[i], order[j] = order[j], order[i]
    return order


def halton(key, points, dimensions, randomised):
    primes = [p for p in range(2, 10000) if all(p % f for f in range(2, int(p**0.5) + 1))][:dimensions]
    columns = []
    for d, p in enumerate(primes):
        total, power, digit = [0] * points, 1, 0
        while power < 2**32:
            order = permutation(key, d, digit, p) if randomised else range(p)
            unit = 2**64 // (power * p)
            total = [t + order[k // power % p] * unit for k, t in enumerate(total)]
            power, digit = power * p, digit + 1
        columns.append([t >> 32 for t in total])
    return np.array(columns).T


def words_of(levy, generator, dimensions, points, replicates, replicate, seed):
    with open("twin.yaml", "w") as file:
        file.write(BOOK % (dimensions, seed, points * replicates, replicates, generator))
    subprocess.run([levy, "points", "twin.yaml", "--kind", "words", "--replicate", str(replicate), "--output", "twin.npy"], check=True)
    return np.load("twin.npy")


def vector_of(root):
    with open(f"{root}/kernels/points/lattice_vector.inc") as file:
        return [int(z) for z in file.read().replace(",", " ").split()]


def main(levy):
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    vector, seed = vector_of(root), 7
    file_vector = [1, 182667, 469891, 498753, 110745, 446247]
    one = np.random.default_rng(3).random((1000, 6))
    own = np.random.default_rng(4).random((3, 64, 6))
    np.save("one.npy", one)
    np.save("own.npy", own)
    with open("vector.txt", "w") as file:
        file.writelines(f"{d + 1} {z}\n" for d, z in enumerate(file_vector))
    for replicate in (0, 2):
        key = mix(mix(mix(seed) ^ replicate) ^ 1)
        cases = [("lattice", 40, 256, lambda: lattice(vector, key, 256, 40, True)),
                 ("{kind: lattice, file: vector.txt}", 6, 512, lambda: lattice(file_vector, key, 512, 6, True)),
                 ("halton", 60, 700, lambda: halton(key, 700, 60, True)),
                 ("{kind: points, file: one.npy}", 6, 1000,
                  lambda: (np.floor(one * 2**32).astype(np.uint64) + np.array([shift(key, d) for d in range(6)], np.uint64)) % 2**32),
                 ("{kind: points, file: own.npy}", 6, 64, lambda: np.floor(own[replicate] * 2**32))]
        for generator, dimensions, points, twin in cases:
            found = words_of(levy, generator, dimensions, points, 3, replicate, seed)
            assert found.shape == (points, dimensions) and (found == twin()).all(), (generator, replicate)
    assert (words_of(levy, "{kind: lattice, scrambling: none}", 40, 256, 1, 0, seed) == lattice(vector, 0, 256, 40, False)).all()
    assert (words_of(levy, "{kind: halton, scrambling: none}", 1024, 40, 1, 0, seed) == halton(0, 40, 1024, False)).all()
    print("the words are the twin's")


if __name__ == "__main__":
    main(sys.argv[1])
