#!/usr/bin/env python3
"""Writes tests/known_answers/lane_*.txt: the lane functions' values at 50 digits by mpmath, none of the project's code.

A value stands as two doubles, the nearest one and the nearest one to what is left, so that a test can tell a hundredth of
an ulp, and as 30 decimal digits for a reader. Arguments are exact: words in hexadecimal, numbers as hexadecimal floats.
"""
import random
import struct
import sys

import mpmath
from mpmath import mp, mpf

from normal_known_answers import WORST

mp.dps = 50


def line(argument, value):
    high = float(value)
    low = float(value - mpf(high))
    return f"{argument} {high.hex()} {low.hex()} {mp.nstr(value, 30)}\n"


def write(folder, name, what, pairs):
    with open(f"{folder}/lane_{name}.txt", "w") as out:
        out.write(f"# {what}, by mpmath {mpmath.__version__} at 50 digits (lane_known_answers.py)\n")
        out.write("# argument, nearest double, nearest double to the rest, decimal\n")
        for argument, value in pairs:
            out.write(line(argument, value))


def quantile(word):
    """The root of erfc(-z / sqrt 2) / 2 = p, below the centre, by Newton; then by symmetry."""
    folded = min(word, 0xFFFFFFFF - word)
    p = (mpf(folded) + mpf(1) / 2) / 2**32
    z = -mpf(2) ** mpf("0.5") * mp.erfinv(1 - 2 * p)
    for _ in range(3):
        z -= (mp.erfc(-z / mp.sqrt(2)) / 2 - p) * mp.sqrt(2 * mp.pi) * mp.exp(z * z / 2)
    return z if folded == word else -z


def single(x):
    """The nearest float."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def main(folder):
    r = random.Random(20261121)
    words = {0, 1, 2, 3, 7, 100, 0x7FFFFFFF, 0x7FFFFFFE, 0x7FFFFF00, 0x40000000, 0x3FFFFFFF}
    words |= {1 << k for k in range(32)} | {(1 << k) - 1 for k in range(1, 33)} | {0x80000000 - (1 << k) for k in range(31)}
    words |= {2621440 + k * 977 for k in range(-20, 21)}  # around the seam of the double design
    words |= {r.getrandbits(32) for _ in range(200)} | {r.getrandbits(32) >> r.randrange(8, 24) for _ in range(100)}
    words |= {0xFFFFFFFF - w for w in sorted(words)[::3]}
    words |= set(WORST) | {0xFFFFFFFF - w for w in WORST}
    write(folder, "normal", "z with Phi(z) = (word + 1/2) / 2^32", [(f"0x{w:08x}", quantile(w)) for w in sorted(words)])

    xs = [0.0, 1.0, -1.0, 0.5, 2.0**-30, -2.0**-60, 708.9, -707.9, 87.5, -86.9]
    xs += [r.uniform(-708, 709) for _ in range(100)] + [r.uniform(-0.4, 0.4) for _ in range(60)]
    xs += [single(r.uniform(-87, 88)) for _ in range(100)] + [single(r.uniform(-1, 1)) for _ in range(60)]
    write(folder, "exp", "exp(x)", [(x.hex(), mp.exp(mpf(x))) for x in xs])

    xs = [0.5, 2.0, 1.0 + 2.0**-52, 1.0 - 2.0**-53, 1.0 + 2.0**-23, 1.0 - 2.0**-24, 2.0**-1022, 1.7e308, 2.0**-126, 1e38]
    xs += [2.0 ** r.uniform(-1020, 1023) for _ in range(100)] + [r.uniform(0.6, 1.6) for _ in range(60)]
    xs += [single(2.0 ** r.uniform(-125, 127)) for _ in range(100)] + [single(r.uniform(0.6, 1.6)) for _ in range(60)]
    write(folder, "log", "log(x)", [(x.hex(), mp.log(mpf(x))) for x in xs])
    write(folder, "log2", "log2(x)", [(x.hex(), mp.log(mpf(x)) / mp.log(2)) for x in xs if 1e-37 < x < 3e38 and x == single(x)])

    xs = [single(r.uniform(-124, 126)) for _ in range(120)] + [single(r.uniform(-1, 1)) for _ in range(60)] + [0.0, 1.0, -125.0]
    write(folder, "exp2", "2^x", [(x.hex(), mpf(2) ** mpf(x)) for x in xs])

    xs = [0.0, -1.0, 1.0, -37.0, -37.5, -8.0, 8.0, -2.0**-40, -12.9, 5.0]
    xs += [r.uniform(-37.4, 0) for _ in range(100)] + [r.uniform(-6, 6) for _ in range(100)]
    xs += [single(r.uniform(-12.9, 0)) for _ in range(80)] + [single(r.uniform(-4, 4)) for _ in range(60)]
    write(folder, "normal_cdf", "Phi(x)", [(x.hex(), mp.erfc(-mpf(x) / mp.sqrt(2)) / 2) for x in xs])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
