#!/usr/bin/env python3
"""Normals, a Brownian bridge and a payoff of one's own: an arithmetic Asian call, array by array, beside `levy price`.

    configs/python/asian_chain.py [--device cuda]

Every replicate is a scramble of its own, as in pricing, so the spread of their means is the standard error. The points are those
that `levy price` draws for this seed: price and error agree with it to rounding. NumPy holds the arrays on the CPU; on a GPU CuPy
or PyTorch does, and nothing is copied.
"""

# %% The trade: the average of twelve months, spot and strike 100, volatility 20 %, rate 5 %
import argparse
import math

import numpy

import levy

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--device", default="cpu", help="cpu (default), cuda or cuda:N")
options = parser.parse_args()
SPOT, STRIKE, VOLATILITY, RATE, MONTHS, POINTS, REPLICATES, SEED = 100.0, 100.0, 0.2, 0.05, 12, 4096, 16, 42
times = [month / MONTHS for month in range(MONTHS + 1)]


# %% Where the arrays lie: a function that makes an empty one, and the module that computes with them
def cupy_arrays():
    import cupy
    cupy.cuda.Device(ordinal).use()
    return cupy, lambda *shape: cupy.empty(shape), cupy.asarray


def torch_arrays():
    import torch
    kind = {"dtype": torch.float64, "device": f"cuda:{ordinal}"}
    return torch, lambda *shape: torch.empty(shape, **kind), lambda numbers: torch.tensor(numbers, **kind)


ordinal = int(options.device.partition(":")[2] or 0)
if options.device == "cpu":
    module, empty, array = numpy, lambda *shape: numpy.empty(shape), numpy.asarray
else:
    try:
        module, empty, array = cupy_arrays()
    except ImportError:
        try:
            module, empty, array = torch_arrays()
        except ImportError:
            raise SystemExit("arrays on a GPU need CuPy or PyTorch; without them use --device cpu")

# %% The chain, replicate by replicate
bridge = levy.Bridge(times, factor=[[VOLATILITY]], device=options.device)
drift = array([[(RATE - 0.5 * VOLATILITY**2) * t] for t in times[1:]])
z, x = empty(MONTHS, POINTS), empty(MONTHS, POINTS)
means = []
for replicate in range(REPLICATES):
    normals = levy.Normals(n_dimensions=MONTHS, seed=SEED, replicate=replicate, device=options.device)
    normals.generate(POINTS, out=z)  # [dimension][point], which is the bridge's [step][path]
    bridge.generate(z, out=x)  # volatility times the Brownian motion at the end of each month
    average = SPOT * module.exp(x + drift).mean(0)
    means.append(math.exp(-RATE) * float((average - STRIKE).clip(0.0).mean()))
price, error = numpy.mean(means), numpy.std(means, ddof=1) / math.sqrt(REPLICATES)
print(f"normals, bridge, payoff   {price:.9f} +- {error:.6f} on {bridge.info.backend}")

# %% The same trade as a book
book = levy.load_text(f"""
schema_version: 1
market: {{curves: {{USD: {RATE}}}, assets: {{S: {{currency: USD, spot: {SPOT}, volatility: {VOLATILITY}}}}}}}
models: {{m: {{kind: black_scholes, assets: [S]}}}}
trades:
  - id: asian
    underlying: S
    payoff: {{kind: asian, option_type: call, strike: {STRIKE}, averaging: {{method: arithmetic, observations: {{count: {MONTHS}}}}}}}
    exercise: {{expiry: 1.0}}
simulation: {{paths: {POINTS * REPLICATES}, replicates: {REPLICATES}, seed: {SEED}, construction: bridge}}
""")
trade = book.price().trade(0)
print(f"levy price                {trade.price:.9f} +- {trade.std_error:.6f}")
if abs(price - trade.price) > 1e-9 * trade.price or abs(error - trade.std_error) > 1e-3 * trade.std_error:
    raise SystemExit("they do not agree")
print("they agree")
