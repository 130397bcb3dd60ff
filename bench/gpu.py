#!/usr/bin/env python3
"""Measures the fused kernel on the GPU at hand and cuRAND beside it, in one run; writes rows as JSON.

    bench/gpu.py LEVY PEER OUTPUT

LEVY is the command, PEER the program made from bench/peers/curand/normals.cu. A row's value is path-steps per second of
kernel time (device events), the median of several runs; its peer is what cuRAND alone generates in the same process run.
"""
import datetime
import json
import statistics
import subprocess
import sys

# name, file, precision, paths, assets x dates
CASES = [
    ("asian64_f32", "configs/asian.yaml", "single", "2^32", 64),
    ("asian64_f64", "configs/asian.yaml", "double", "2^31", 64),
    ("geometric_asian64_f32", "configs/geometric_asian.yaml", "single", "2^32", 64),
    ("basket8_f32", "configs/basket8.yaml", "single", "2^29", 8 * 64),
    ("basket8_f64", "configs/basket8.yaml", "double", "2^28", 8 * 64),
]
REPEATS = 5


def price(levy, path, precision, paths):
    command = [levy, "price", path, "--device", "cuda", "--format", "json", "--progress", "none",
               "--set", "simulation.paths=" + paths, "--set", "simulation.precision=" + precision]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit("%s: %s" % (" ".join(command), run.stderr))
    result = json.loads(run.stdout)["results"][0]
    return result, " ".join(["levy"] + command[1:])


def main():
    levy, peer_program, output = sys.argv[1:4]
    peers = json.loads(subprocess.run([peer_program], capture_output=True, text=True, check=True).stdout)
    rows = []
    for name, path, precision, paths, steps in CASES:
        runs = [price(levy, path, precision, paths) for _ in range(REPEATS)]
        seconds = statistics.median(result["seconds"] for result, _ in runs)
        result, command = runs[0]
        peer = "curand_sobol32_normals_" + name[-3:]
        value = result["paths"] * steps / seconds
        rows.append({"name": name, "value": value, "unit": "path-steps/s", "peer": peer, "peer_value": peers[peer],
                     "ratio": value / peers[peer], "device": result["device"],
                     "date": datetime.date.today().isoformat(), "command": command})
        print("%-24s %8.1f G/s  %s %8.1f G/s  ratio %.3f  price %.8f" %
              (name, value / 1e9, peer, peers[peer] / 1e9, value / peers[peer], result["price"]))
    with open(output, "w") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")


main()
