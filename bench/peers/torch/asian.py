#!/usr/bin/env python3
"""An arithmetic Asian of 64 steps in PyTorch, compiled: a loop that torch.compile unrolls and fuses, pseudo-random normals.

Tried are the loop with one tensor per step and cumulative sums over a (paths, 64) tensor; the faster counts. Seconds are
device events on a GPU, a clock on the CPU, the best of ten warm runs. Arguments: the rows asked for.
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


def best_seconds(torch, work, on_gpu):
    times = []
    for run in range(13):
        if on_gpu:
            start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            work()
            stop.record()
            stop.synchronize()
            seconds = 1e-3 * start.elapsed_time(stop)
        else:
            begin = time.perf_counter()
            work()
            seconds = time.perf_counter() - begin
        if run >= 3:
            times.append(seconds)
    return min(times)


def main():
    try:
        import torch
    except ImportError:
        print("torch: skipped, no PyTorch", file=sys.stderr)
        return 77
    on_gpu = os.environ.get("LEVY_BENCH_DEVICE", "cuda:0").startswith("cuda")
    if on_gpu and not torch.cuda.is_available():
        print("torch: skipped, PyTorch sees no GPU", file=sys.stderr)
        return 77
    device = "cuda" if on_gpu else "cpu"
    paths = usual_paths(1 << 22 if on_gpu else 1 << 18)
    drift, deviation, discount = 0.03 / STEPS, 0.2 / math.sqrt(STEPS), math.exp(-0.05)

    def loop(dtype):
        x = torch.zeros(paths, device=device, dtype=dtype)
        total = torch.zeros(paths, device=device, dtype=dtype)
        for _ in range(STEPS):
            x = x + drift + deviation * torch.randn(paths, device=device, dtype=dtype)
            total = total + torch.exp(x)
        return discount * torch.relu(100.0 * (total / STEPS - 1.0)).mean()

    def cumulative(dtype):
        z = torch.randn(paths, STEPS, device=device, dtype=dtype)
        x = torch.cumsum(drift + deviation * z, dim=1)
        return discount * torch.relu(100.0 * (torch.exp(x).mean(dim=1) - 1.0)).mean()

    for row, dtype in (("asian64_f32", torch.float32), ("asian64_f64", torch.float64)):
        if row not in sys.argv[1:]:
            continue
        best = None
        for body in (loop, cumulative):
            compiled = torch.compile(body)
            price = float(compiled(dtype))
            if abs(price - 5.837) > 0.05 + 40.0 / math.sqrt(paths):
                print("torch: %s gives the price %g" % (body.__name__, price), file=sys.stderr)
                return 1
            seconds = best_seconds(torch, lambda: compiled(dtype), on_gpu)
            print("  %s, %s: price %.4f, best %.4f ms" % (row, body.__name__, price, 1e3 * seconds), file=sys.stderr)
            best = seconds if best is None else min(best, seconds)
        print("%s %.6g path-steps/s" % (row, paths * STEPS / best), flush=True)
    return 0


sys.exit(main())
