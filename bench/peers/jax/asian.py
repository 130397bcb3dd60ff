#!/usr/bin/env python3
"""An arithmetic Asian of 64 steps in JAX, under jit: pseudo-random normals drawn step by step.

Tried are JAX's default generator (threefry) and `rbg`, each in a fori_loop over the dates and as one array of all normals with a
cumulative sum; the fastest counts, and `one_array` is the fastest of the arrays, as most would write it. (A loop unrolled by hand
takes minutes to compile.) Seconds are a clock around block_until_ready, the best of ten warm runs. Arguments: the rows asked for.
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


def best_seconds(work):
    times = []
    for run in range(13):
        begin = time.perf_counter()
        work()
        seconds = time.perf_counter() - begin
        if run >= 3:
            times.append(seconds)
    return min(times)


def started():
    """JAX on the device that is measured, with doubles, and whether that is a GPU; (None, ...) where there is none."""
    on_gpu = os.environ.get("LEVY_BENCH_DEVICE", "cuda:0").startswith("cuda")
    if not on_gpu:
        os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        import jax
    except ImportError:
        print("jax: skipped, no JAX", file=sys.stderr)
        return None, on_gpu
    jax.config.update("jax_enable_x64", True)
    if on_gpu and jax.default_backend() != "gpu":
        print("jax: skipped, JAX sees no GPU", file=sys.stderr)
        return None, on_gpu
    return jax, on_gpu


def main():
    jax, on_gpu = started()
    if jax is None:
        return 77
    jnp = jax.numpy
    paths = usual_paths(1 << 22 if on_gpu else 1 << 18)
    drift, deviation, discount = 0.03 / STEPS, 0.2 / math.sqrt(STEPS), math.exp(-0.05)

    def looped(key, dtype):
        def step(i, state):
            x, total = state
            z = jax.random.normal(jax.random.fold_in(key, i), (paths,), dtype)
            x = x + dtype(drift) + dtype(deviation) * z
            return x, total + jnp.exp(x)

        return jax.lax.fori_loop(0, STEPS, step, (jnp.zeros(paths, dtype), jnp.zeros(paths, dtype)))[1]

    def cumulative(key, dtype):
        z = jax.random.normal(key, (STEPS, paths), dtype)
        return jnp.sum(jnp.exp(jnp.cumsum(dtype(drift) + dtype(deviation) * z, axis=0)), axis=0)

    def price(key, dtype, total):
        return discount * jnp.mean(jnp.maximum(dtype(100.0) * (total(key, dtype) / dtype(STEPS) - dtype(1.0)), dtype(0.0)))

    for row, dtype in (("asian64_f32", jnp.float32), ("asian64_f64", jnp.float64)):
        if row not in sys.argv[1:]:
            continue
        best = {}
        for generator in ("threefry2x32", "rbg"):
            key = jax.random.key(7, impl=generator)
            for total in (looped, cumulative):
                compiled = jax.jit(lambda k, d=dtype, t=total: price(k, d, t))
                value = float(compiled(key))
                if abs(value - 5.837) > 0.05 + 40.0 / math.sqrt(paths):
                    print("jax: %s gives the price %g" % (generator, value), file=sys.stderr)
                    return 1
                seconds = best_seconds(lambda: compiled(key).block_until_ready())
                print("  %s, %s, %s: price %.4f, best %.4f ms" % (row, generator, total.__name__, value, 1e3 * seconds), file=sys.stderr)
                best[total] = min(best.get(total, seconds), seconds)
        print("%s %.6g path-steps/s" % (row, paths * STEPS / min(best.values())), flush=True)
        print("%s %.6g path-steps/s one_array" % (row, paths * STEPS / best[cumulative]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
