#!/usr/bin/env python3
"""heston64 in JAX, under jit: Andersen's quadratic-exponential scheme with its martingale correction (L. Andersen, Journal of
Computational Finance 11 (3), 2008), a step from date to date, the average's payoff at the end.

Written without branches, so that a step is one fused kernel: one uniform number in (-1, 1) serves both laws of the variance, by its
normal or by itself, and constants of the scheme are made once. Tried are JAX's generators, loops of which one or eight turns are fused, which
keeps a path's state in registers, and batches of paths, of which small ones stay in the cache; the fastest counts, and `plain` is JAX's
default generator in a loop that nobody tuned, as most would write it. All draw pseudo-random numbers in the order of time, where the row
has scrambled points of 128 dimensions and a bridge. Seconds are a clock around block_until_ready, the best of ten warm runs.
Arguments: the rows asked for.
"""
import itertools
import math
import sys

from asian import best_seconds, started, usual_paths

STEPS, RATE = 64, 0.05
# kappa, theta and v0, xi, rho; the price of levy, in double precision from 2^21 paths
SETS = {"heston64": (2.0, 0.04, 0.5, -0.7, 5.7214), "heston64_low": (0.5, 0.04, 1.0, -0.9, 4.9752)}


def constants(kappa, theta, xi, rho):
    """Of a step: m = theta + (v - theta) e, s^2 = v c1 + c2, and Andersen's K1 to K4 with both gammas 1/2."""
    dt = 1.0 / STEPS
    e = math.exp(-kappa * dt)
    c1 = xi * xi * e * (1.0 - e) / kappa
    c2 = theta * xi * xi * (1.0 - e) ** 2 / (2.0 * kappa)
    half = 0.5 * dt * (kappa * rho / xi - 0.5)
    k3 = 0.5 * dt * (1.0 - rho * rho)
    return e, c1, c2, half - rho / xi, half + rho / xi, k3, RATE * dt


def paths_of(jax, kappa, theta, xi, rho, dtype, n, unroll):
    """A function of a key: the sums of n paths' levels over the dates, and their last log-levels."""
    jnp = jax.numpy
    e, c1, c2, k1, k2, k3, growth = map(dtype, constants(kappa, theta, xi, rho))
    theta, one, two, half = dtype(theta), dtype(1.0), dtype(2.0), dtype(0.5)
    a = k2 + half * k3  # of the martingale correction; K4 = K3
    least, root2 = jnp.finfo(dtype).tiny, dtype(math.sqrt(2.0))

    def step(state, key):
        x, v, total = state
        mine, other = jax.random.split(key)
        w = jax.random.uniform(mine, (n,), dtype, jnp.nextafter(-one, one), one)
        m = theta + (v - theta) * e
        psi = (v * c1 + c2) / (m * m)
        inverse = two / psi
        b2 = inverse - one + jnp.sqrt(jnp.maximum(inverse * (inverse - one), 0))
        scale = m / (one + b2)
        normal = root2 * jax.lax.erf_inv(w)
        quadratic = scale * jnp.square(jnp.sqrt(jnp.maximum(b2, 0)) + normal)
        p = (psi - one) / (psi + one)
        beta = (one - p) / m
        exponential = jnp.where(w <= two * p - one, 0, jnp.log(two * (one - p) / (one - w)) / beta)
        left = jnp.maximum(one - two * a * scale, least)
        moment = jnp.where(psi <= 1.5, half * jnp.log(left) - a * b2 * scale / left, -jnp.log(p + beta * (one - p) / (beta - a)))
        after = jnp.where(psi <= 1.5, quadratic, exponential)
        z = jax.random.normal(other, (n,), dtype)
        x = x + growth + moment - half * k3 * v + k2 * after + jnp.sqrt(k3 * (v + after)) * z
        return (x, after, total + jnp.exp(x)), None

    def run(key):
        zero = jnp.zeros(n, dtype)
        x, _, total = jax.lax.scan(step, (zero, zero + theta, zero), jax.random.split(key, STEPS), unroll=unroll)[0]
        return total, x

    return run


def price_of(jax, terms, dtype, n, unroll):
    run, jnp = paths_of(jax, *terms, dtype, n, unroll), jax.numpy
    discount = dtype(100.0 * math.exp(-RATE))
    return jax.jit(lambda key: discount * jnp.mean(jnp.maximum(run(key)[0] / dtype(STEPS) - dtype(1.0), 0)))


def main():
    jax, on_gpu = started()
    if jax is None:
        return 77
    most = usual_paths(1 << 22 if on_gpu else 1 << 17)
    for (name, (*terms, exact)), (kind, dtype) in itertools.product(SETS.items(), (("f32", jax.numpy.float32), ("f64", jax.numpy.float64))):
        row, best, plain = f"{name}_{kind}", 0.0, 0.0
        if row not in sys.argv[1:]:
            continue
        for generator, unroll, n in itertools.product(("threefry2x32", "rbg"), (1, 8), (most >> 4, most)):
            key, price = jax.random.key(7, impl=generator), price_of(jax, terms, dtype, n, unroll)
            value = float(price(key))
            if abs(value - exact) > 0.01 + 40.0 / math.sqrt(n):
                print("jax: %s gives the price %g" % (row, value), file=sys.stderr)
                return 1
            seconds = best_seconds(lambda: price(key).block_until_ready())
            print("  %s, %s, %d turns fused, %d paths: price %.4f, best %.4f ms" % (row, generator, unroll, n, value, 1e3 * seconds),
                  file=sys.stderr)
            best = max(best, n * STEPS / seconds)
            if (generator, unroll) == ("threefry2x32", 1):
                plain = max(plain, n * STEPS / seconds)
        print("%s %.6g path-steps/s" % (row, best), flush=True)
        print("%s %.6g path-steps/s plain" % (row, plain), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
