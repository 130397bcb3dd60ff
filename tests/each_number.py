#!/usr/bin/env python3
"""Replaces single numbers of the examples by extreme ones and prices each text on a few paths.

    tests/each_number.py LEVY [EVERY [PART]]     the PART-th (default: the first) of EVERY parts (default 1) of all jobs

Whatever the number, levy ends with a documented code and without a signal, within a few seconds; what it calls ok is finite, and
inside the interval that it gives. Prints a line for each case where that fails, then the counts. Exit code 1: one failed."""
import collections
import glob
import json
import os
import re
import resource
import signal
import subprocess
import sys
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VALUES = ("5e-324", "1e-300", "1e-160", "1e-20", "1e-9", "0", "-0.0", "1", "2", "-1", "0.9999999999999999", "100000",
          "1e12", "1e15", "1e300")
NUMBER = re.compile(r"(?<![\w.-])[-+]?\d+(\.\d+)?([eE][-+]?\d+)?(?![\w.-])")
PRICED, REFUSED = (0, 1, 5), (3, 4)
SECONDS = 10  # of processor time; on a slow processor TIMES the seconds of 2^19 paths of an example, a quarter of a second on a quick one
YARDSTICK, TIMES = "regime_attraction.yaml", 40
PATHS = ("--set", "simulation.paths=2^6")
MOST_PATHS = ("--set", "simulation.tolerance.max_paths=2^16")
FEWER = re.compile(r"max_paths: 2\^24\b")  # as the example has it: other numbers are tried as they are
REPLICATES = ("--set", "simulation.replicates=4")
ALONE = re.compile(r"generator: (philox|mrg32k3a|sobol)\b")  # these generators have no replicates
# Minutes by what the text asks for: up to 2^24 paths of 100,000 dates each.
TOO_LONG = re.compile(r"count: 100000\b(.|\n)*tolerance:")


def jobs(every, part):
    """(file, text, match, value): numbers outside comments. Which part takes a job depends on the job alone, so that another
    example changes no other example's jobs."""
    for name in sorted(glob.glob(os.path.join(ROOT, "configs", "*.yaml"))):
        with open(name, encoding="utf-8") as file:
            text = file.read()
        blank = re.sub(r"#[^\n]*", lambda comment: " " * len(comment.group()), text)
        for place, match in enumerate(NUMBER.finditer(blank)):
            for value in VALUES:
                key = "%s %d %s" % (os.path.basename(name), place, value)
                if zlib.crc32(key.encode()) % every == part - 1:
                    yield name, text, match, value


def processor_seconds():
    """Of all children so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def limit():
    """Processor time, which a busy machine does not shorten."""
    resource.setrlimit(resource.RLIMIT_CPU, (120, 125))


def price(levy, text):
    """Exit code, standard output and error, seconds of processor time; a code of None: it did not end."""
    before = processor_seconds()
    command = [levy, "price", "-", "-d", "cpu", "-t", "1", "--json", "-q", *PATHS]
    if not ALONE.search(text):
        command += REPLICATES
    if FEWER.search(text):
        command += MOST_PATHS
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=1200, cwd=os.path.join(ROOT, "configs"),
                              preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return None, b"", b"", 1200.0
    if done.returncode == -signal.SIGXCPU:
        return None, b"", b"", processor_seconds() - before
    return done.returncode, done.stdout, done.stderr, processor_seconds() - before


def most_seconds(levy):
    """Of the processor, for one price on this machine."""
    command = [levy, "price", os.path.join(ROOT, "configs", YARDSTICK), "-d", "cpu", "-t", "1", "-q", "--set", "simulation.paths=2^19"]
    before = processor_seconds()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return max(SECONDS, TIMES * (processor_seconds() - before))


def faults_of(trade):
    """What is wrong with a result that levy gives."""
    if trade["status"] != "ok":
        return
    if trade["price"] is None:
        yield "%s: ok without a finite price" % trade["id"]
    elif trade["interval"] not in ("unreliable", "none") and not trade["ci_low"] <= trade["price"] <= trade["ci_high"]:
        yield "%s: outside its interval" % trade["id"]
    for measure in trade["measures"]:
        if measure["value"] is None and not measure["note"]:
            yield "%s: %s is not finite and says nothing" % (trade["id"], measure["measure"])


def faults(levy, text, most, counts):
    code, out, err, seconds = price(levy, text)
    counts["exit %s" % code] += 1
    if code is None:
        return ["it does not end"]
    if code < 0:
        return ["signal %d" % -code]
    if code not in PRICED + REFUSED:
        return ["exit code %d: %r" % (code, err[-120:])]
    found = ["%.1f s of processor time" % seconds] if seconds > most else []
    if code in REFUSED and not err:
        found.append("refused without a word")
    if code in PRICED:
        for trade in json.loads(out)["results"]:
            counts["trades " + trade["status"]] += 1
            found += faults_of(trade)
    return found


def main():
    levy, numbers = os.path.abspath(sys.argv[1]), [int(word) for word in sys.argv[2:4]]
    counts, bad = collections.Counter(), 0
    tried, most = 0, most_seconds(levy)
    for name, text, match, value in jobs(*(numbers + [1, 1][len(numbers) :])):
        changed = text[: match.start()] + value + text[match.end():]
        if TOO_LONG.search(changed):
            counts["too long to try"] += 1
            continue
        tried += 1
        for fault in faults(levy, changed, most, counts):
            bad += 1
            line = text.count("\n", 0, match.start()) + 1
            print("FAIL: %s:%d: %s -> %s: %s" % (os.path.basename(name), line, match.group(), value, fault), flush=True)
    print("%d numbers replaced, %d faults: %s" % (tried, bad, dict(sorted(counts.items()))))
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
