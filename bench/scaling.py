#!/usr/bin/env python3
"""What one book costs in parts on this machine, and a model of what it costs on many GPUs.

    bench/scaling.py BUILD [--trades 2000] [--paths 2^14] [--counts 1,4,16,64,256] [--model NAME=VALUE ...]

Measures, with one thread of a CPU: the load of a book of mixed trades (bench/make_book.py); a part that has nothing to do, which
is start, load and cut; for each count of parts the processor seconds of all of them, how far the longest lies above the mean (where a part has work
enough to tell), and the merge. Each figure of a process is the least of three. Checks that every merged report has the bytes of the one run.

The model adds up what binds a run on n GPUs: the start of a process with its GPU, load and cut (as measured, on each), its
kernels (compiled once per host, side by side, or cached), its share of the work with the imbalance, and the merge, by one process. Its
numbers are options: work (seconds of the job on one GPU), start (of a GPU), kernels (distinct ones), compile (seconds of one),
per_host (GPUs of a host), cores (of a host), trades (of the modelled book), loose (longest / mean; default: as measured at
as many trades a part). Needs Python 3.9.
"""
import argparse
import filecmp
import os
import resource
import subprocess
import sys
import tempfile
import time

LEAST_WORK = 0.1
"""Seconds of a part, below which how far the longest lies above the mean is noise."""
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def spent(command):
    """Wall and processor seconds of a process that must end well."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(command, times=3):
    runs = [spent(command) for _ in range(times)]
    return min(wall for wall, _ in runs), min(cpu for _, cpu in runs)


def line(pairs):
    """Least squares: y = a + b x."""
    n, sx, sy = len(pairs), sum(x for x, _ in pairs), sum(y for _, y in pairs)
    sxx, sxy = sum(x * x for x, _ in pairs), sum(x * y for x, y in pairs)
    b = (n * sxy - sx * sy) / (n * sxx - sx * sx) if n > 1 else 0.0
    return (sy - b * sx) / n, b


def measure(levy, arguments, folder):
    book, one, merged = (os.path.join(folder, name) for name in ("book.yaml", "one.json", "merged.json"))
    with open(book, "w", encoding="ascii") as file:
        subprocess.run([sys.executable, os.path.join(ROOT, "bench", "make_book.py"), str(arguments.trades)], check=True, stdout=file)
    price = [levy, "price", book, "--paths", arguments.paths, "--device", "cpu", "--threads", "1", "--progress", "none", "--quiet"]
    load, _ = least([levy, "validate", book, "--quiet"])
    whole, cpu = spent(price + ["--no-times", "--format", "json", "--output", one])
    idle = []
    for attempt in range(3):  # the last of many parts: at most a trade
        idle.append(spent(price + ["--part", "65536/65536", "--journal", os.path.join(folder, f"idle{attempt}")])[0])
    print(f"book: {arguments.trades} trades, {arguments.paths} paths each; load {load:.3f} s; one run {whole:.2f} s, {cpu:.2f} s of processors")
    print(f"a part with nothing to do (start, load, cut): {min(idle):.3f} s")
    print(f"{'parts':>6} {'all parts, processor s':>23} {'longest / mean':>15} {'journals, MB':>13} {'merge, s':>9}  bytes")
    merges, loose = [], {}
    for n in arguments.counts:
        base = os.path.join(folder, f"p{n}")
        costs = [spent(price + ["--part", f"{k}/{n}", "--journal", base])[1] for k in range(1, n + 1)]
        names = [f"{base}.{k}-of-{n}" for k in range(1, n + 1)]
        merge, _ = least([levy, "merge", *names, "--trust-parts", "--quiet", "--format", "json", "--output", merged])
        work = [max(cost - min(idle), 0.001) for cost in costs]
        if sum(work) / n >= LEAST_WORK:
            loose[n] = max(work) * n / sum(work)
        merges.append((n, merge))
        same = "same" if filecmp.cmp(one, merged, shallow=False) else "OTHER"
        size = sum(os.path.getsize(name) for name in names) / 1e6
        print(f"{n:6} {sum(costs):23.2f} {f'{loose[n]:.2f}' if n in loose else '-':>15} {size:13.1f} {merge:9.3f}  {same}", flush=True)
        if same != "same":
            sys.exit("a merged report differs")
        for name in names:
            os.remove(name)
    base, each = line(merges)
    print(f"fit: merge = {base:.3f} s + {1e3 * each:.3f} ms a part")
    return min(idle), base, each, {arguments.trades / n: value for n, value in loose.items()}


def model(values, idle, merge, each, loose, trades):
    """Seconds of a run on n GPUs, by what binds."""
    scale = values["trades"] / trades

    def uneven(n):
        """As measured at as many trades a part, or fewer."""
        if n == 1 or values["loose"]:
            return values["loose"] or 1.0
        each_part = values["trades"] / n
        return loose[max((size for size in loose if size <= each_part), default=min(loose))]

    print(f"model: {values['work']:.0f} s of work on one GPU, {values['trades']:.0f} trades, {values['kernels']:.0f} kernels of "
          f"{values['compile']:.1f} s, {values['per_host']:.0f} GPUs and {values['cores']:.0f} cores a host")
    print(f"{'GPUs':>5} {'start':>7} {'load, cut':>10} {'compile':>8} {'work':>9} {'merge':>7} {'cold':>9} {'warm':>9} {'of ideal, warm':>15}")
    for n in (1, 2, 4, 8, 16, 64, 256, 1000):
        per_host = min(n, values["per_host"])
        compiled = values["kernels"] * values["compile"] / values["cores"]
        own = (idle - 0.003) * scale * max(1.0, per_host / values["cores"])
        work = values["work"] / n * uneven(n)
        merged = merge * scale + each * n if n > 1 else 0.0
        warm = values["start"] + own + work + merged
        print(f"{n:5} {values['start']:7.2f} {own:10.2f} {compiled:8.1f} {work:9.2f} {merged:7.2f} {warm + compiled:9.2f} {warm:9.2f} "
              f"{values['work'] / n / warm:15.0%}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("build")
    parser.add_argument("--trades", type=int, default=2000)
    parser.add_argument("--paths", default="2^14")
    parser.add_argument("--counts", type=lambda text: [int(n) for n in text.split(",")], default=[1, 4, 16, 64, 256])
    parser.add_argument("--model", nargs="*", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    values = {"work": 3600.0, "start": 0.25, "kernels": 300.0, "compile": 1.0, "per_host": 8.0, "cores": 64.0, "trades": 10000.0, "loose": 0.0}
    for word in arguments.model:
        name, _, value = word.partition("=")
        if name not in values:
            parser.error(f"the model has no {name}: {', '.join(values)}")
        values[name] = float(value)
    print("load of the machine before:", open("/proc/loadavg", encoding="ascii").read().strip())
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        figures = measure(os.path.join(arguments.build, "levy"), arguments, folder)
    model(values, *figures, arguments.trades)


if __name__ == "__main__":
    main()
