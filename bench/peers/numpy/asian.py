#!/usr/bin/env python3
"""An arithmetic Asian of 64 steps in NumPy, as one writes it with care: normals of SFC64, the fastest of NumPy's generators, in
time's order, in place, and in blocks of paths that stay in the processor's cache. Seconds of the processor, the best of five runs of
the best block. Arguments: the rows asked for.
"""
import math
import os
import sys
import time

STEPS = 64


def usual_paths(usual):
    text = os.environ.get("LEVY_BENCH_PATHS", "")
    if "^" in text:
        base, power = text.split("^")
        return int(base) ** int(power)
    return int(text) if text else usual


def main():
    try:
        import numpy as np
    except ImportError:
        print("numpy: skipped, no NumPy", file=sys.stderr)
        return 77
    drift, deviation, discount = 0.03 / STEPS, 0.2 / math.sqrt(STEPS), math.exp(-0.05)
    paths = usual_paths(1 << 17)

    def price(block):
        random = np.random.Generator(np.random.SFC64(7))
        z = np.empty((STEPS, block))
        total = 0.0
        for _ in range(max(paths // block, 1)):
            random.standard_normal(out=z)
            z *= deviation
            z += drift
            np.cumsum(z, axis=0, out=z)
            np.exp(z, out=z)
            total += float(np.maximum(100.0 * z.mean(axis=0) - 100.0, 0.0).sum())
        return discount * total / (max(paths // block, 1) * block)

    best = math.inf
    for block in (512, 1024, 4096):
        for _ in range(5):
            begin = time.process_time()
            value = price(block)
            seconds = time.process_time() - begin
            best = min(best, seconds * paths / (max(paths // block, 1) * block))
        if abs(value - 5.837) > 0.05 + 40.0 / math.sqrt(paths):
            print("numpy: the price is %g" % value, file=sys.stderr)
            return 1
    print("asian64_cpu %.6g path-steps/s" % (paths * STEPS / best), flush=True)
    return 0


sys.exit(main())
