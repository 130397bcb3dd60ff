#!/usr/bin/env python3
"""Writes tests/known_answers/normal_runs.txt: points from which tests/test_normal.c computes exact normals of whole runs of words.

At 60 digits by mpmath, none of the project's code. A line: the word u, z with Phi(z) = (u + 1/2) / 2^32, and dz/du; each number
as the nearest double and the nearest one to what is left. Words of the lower half; the upper half mirrors it.
"""
import sys

import mpmath
from mpmath import mp, mpf

mp.dps = 60

# Where the contract's version 1 was off by more than 2 ulp, and version 2 is by more than 1.9.
WORST = [
    0x002947C7, 0x0029F40D, 0x002B7AE7, 0x002BCFF3, 0x002C29CA, 0x002C4C74, 0x002C9805, 0x002CC706, 0x002DBAA0, 0x0041CC45, 0x0041D423,
    0x00420D1A, 0x00429F69, 0x00441F7B, 0x00471281, 0x004E38E5, 0x0052AE2E, 0x0052C600, 0x0053BF4A, 0x00542852, 0x0061048D, 0x0064E689,
    0x00281095, 0x002CB81F, 0x002D24F8, 0x003185BB, 0x00323B3D, 0x00FF8F0E, 0x52929464, 0x66E2481C, 0x66E3F9CA, 0x68AD89EC, 0x738F08F6,
    0x79AF34FF, 0x79B14D94, 0x7CE4342A, 0x7CE62901, 0x7F35E9C5, 0x7F36E862, 0x7F9EC173, 0x7FF3F061,
]


def parts(value):
    high = float(value)
    return f"{high.hex()} {float(value - mpf(high)).hex()}"


def main(folder):
    words = {k << 22 for k in range(1, 512)}  # every 1,024th run of 4,096 words
    words |= {1 << k for k in range(10, 22)}  # the tail, where runs are short
    words |= {(3 << 20) + (k << 17) for k in range(72)}  # |z| from 2.5 to 3.2, where most of the large errors are
    words |= set(WORST)
    with open(f"{folder}/normal_runs.txt", "w") as out:
        out.write(f"# By mpmath {mpmath.__version__} at 60 digits (normal_known_answers.py): word, z and dz/dword in two parts each.\n")
        for word in sorted(words):
            z = -mp.sqrt(2) * mp.erfinv(1 - (mpf(2 * word) + 1) / 2**32)
            slope = mp.sqrt(2 * mp.pi) * mp.exp(z * z / 2) / 2**32
            out.write(f"0x{word:08x} {parts(z)} {parts(slope)}\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
