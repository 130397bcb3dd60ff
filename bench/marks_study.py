#!/usr/bin/env python3
"""marks_study.py [LEVY] [SHOCKS]: what mapping words to counts and marks by alias tables costs quasi-random points.

Two studies by `levy converge`, each with the monotone inverse and with alias tables: a call under Merton's model, where the
map of counts differs, and the same call with marks from a table of SHOCKS (100,000) weighted shocks in the order of size, where
that of counts and marks does. The second has no closed form: its reference is a cosine series of the exact characteristic
function (F. Fang, C. W. Oosterlee, SIAM J. Scientific Computing 31, 2008). Prints slopes, RMSE at the last size and their ratio.
Needs no module beyond Python's own."""
import cmath
import json
import math
import os
import subprocess
import sys
import tempfile

SPOT, STRIKE, RATE, SIGMA, INTENSITY, EXPIRY = 100.0, 100.0, 0.05, 0.2, 3.0, 1.0
BOOK = """schema_version: 1
market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}
models: {m: {assets: [A], %s}}
trades: [{id: call, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, exercise: {expiry: 1.0}}]
"""
MERTON = "kind: merton, intensity: 3, jump_mean: -0.1, jump_volatility: 0.15, counts_map: %s"
LAYER = "kind: black_scholes, jumps: [{intensity: 3, counts_map: %s, mark: {kind: empirical, map: %s, file: shocks.csv}}]"


def make_shocks(n):
    """Logistic quantiles with weights over three decades."""
    shocks = []
    for i in range(n):
        p = (i + 0.5) / n
        weight = 1.0 / (1 + (i * 2654435761 % 2**32) % 1000)
        shocks.append((-0.08 + 0.06 * math.log(p / (1 - p)), weight))
    return shocks


def cosine_call(shocks):
    """The call by a cosine series of the put's coefficients, and parity."""
    total = sum(w for _, w in shocks)
    mean = sum(w * x for x, w in shocks) / total
    square = sum(w * x * x for x, w in shocks) / total
    mean_return = sum(w * math.expm1(x) for x, w in shocks) / total
    drift = (RATE - 0.5 * SIGMA**2 - INTENSITY * mean_return) * EXPIRY
    centre = drift + INTENSITY * EXPIRY * mean + math.log(SPOT / STRIKE)
    reach = 14 * math.sqrt((SIGMA**2 + INTENSITY * square) * EXPIRY)
    a, b = centre - reach, centre + reach
    value = 0.0
    for k in range(256):
        u = k * math.pi / (b - a)
        marks = sum(w * cmath.exp(1j * u * x) for x, w in shocks) / total
        exponent = 1j * u * drift - 0.5 * (SIGMA * u) ** 2 * EXPIRY + INTENSITY * EXPIRY * (marks - 1)
        # the put's coefficients: integrals of (1 - exp(y)) cos(u (y - a)) over [a, 0]
        chi = (math.cos(u * -a) - math.exp(a) + u * math.sin(u * -a)) / (1 + u * u)
        psi = math.sin(u * -a) / u if k else -a
        term = (cmath.exp(exponent + 1j * u * (math.log(SPOT / STRIKE) - a))).real * 2 / (b - a) * (psi - chi)
        value += term / 2 if k == 0 else term
        if k and abs(cmath.exp(exponent)) < 1e-16:
            break
    put = STRIKE * math.exp(-RATE * EXPIRY) * value
    return put + SPOT - STRIKE * math.exp(-RATE * EXPIRY)


def study(levy, folder, name, model, reference):
    path = os.path.join(folder, name + ".yaml")
    with open(path, "w") as book:
        book.write(BOOK % model)
    command = [levy, "converge", path, "--methods", "sobol_scrambled+bridge", "--points", "2^8..2^18", "--replicates", "64", "--json"]
    if reference is not None:
        command += ["--reference", "%.12f" % reference]
    method = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["methods"][0]
    return method["slope"], method["slope_se"], method["rmse"][-1][1]


def main():
    levy = sys.argv[1] if len(sys.argv) > 1 else "build/levy"
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    good = True
    with tempfile.TemporaryDirectory() as folder:
        shocks = make_shocks(n)
        with open(os.path.join(folder, "shocks.csv"), "w") as csv:
            csv.write("size,weight\n" + "".join("%r,%r\n" % s for s in shocks))
        reference = cosine_call(shocks)
        print("reference of the empirical call: %.10f" % reference)
        for title, model, exact in (("merton", lambda m: MERTON % m, None),
                                    ("empirical marks, %d shocks" % n, lambda m: LAYER % (m, m), reference)):
            found = {m: study(levy, folder, m, model(m), exact) for m in ("monotone", "alias")}
            for m, (slope, error, rmse) in found.items():
                print("%-32s %-9s slope %.3f +- %.3f  RMSE at 2^18 %.2e" % (title, m, slope, error, rmse))
            ratio = found["alias"][2] / found["monotone"][2]
            print("%-32s alias / monotone %.2f" % (title, ratio))
            if exact is None:
                good = found["monotone"][0] <= -0.85 and ratio >= 2.0
    print("merton, monotone map: a slope of -0.85 or steeper and half the error of the alias map or less: %s" % ("yes" if good else "NO"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
