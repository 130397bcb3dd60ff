#!/usr/bin/env python3
"""mutate_code.py: whether the tests see a wrong token. Changes one token at a time in a copy of the
sources, builds the room's test programs anew and runs them, the quickest first, to the first that fails.

    tests/mutate_code.py FOLDER [--count N] [--seed N] [--rooms ROOM,...] [--only TEXT] [--list] [CMAKE OPTION...]

FOLDER has the copy and its build, and is kept: a second run builds what has changed. Which mutants a seed
draws hangs on the text of their lines alone, so other lines may change. A mutant that does not compile, or
whose object is the same to the byte, is none. What survives is in tests/mutants/code.txt with its reason
(file, line, change, reason, between bars). Exit code 1: a survivor is not listed there, or more than a tenth
survives. Must not know: what any test asks.
"""
import argparse
import hashlib
import math
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REASONS = ROOT / "tests" / "mutants" / "code.txt"
# A room: its sources, and the programs that watch it, in any order.
ROOMS = {
    "engine/script": ("engine/script/*.c",
                      "script generated_scripts soften script_integrated script_sums books crossed script_verify"),
    "engine/plan": ("engine/plan/*.c",
                    "plan bumps books known functionals rounding joint_shocks curvatures generated_scripts smoothing greeks"),
    "models": ("models/*.[ch]", "plan jumps regimes subordinated historical joint_shocks jump_bridge books"),
    "payoffs": ("payoffs/*.[ch]", "payoffs books script products averages twins generated_scripts smoothing"),
}
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
         "*": "/", "/": "*", "++": "--", "+=": "-=", "-=": "+=", "*=": "/=", "true": "false", "false": "true", "0": "1",
         "1": "2", "2": "1", "0.0": "1.0", "1.0": "0.5", "0.5": "1.0", "2.0": "1.0", "break": "continue"}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//.*|[A-Za-z_]\w*|\d[\w.]*(?:[eE][+-]?\d+)?'
                   r'|->|\+\+|--|<<|>>|[<>=!+\-*/&|]=|&&|\|\||.')
# Between two operands: a sign, a pointer or an address is another thing.
BINARY = {"+", "-", "*", "/", "<", ">"}


def body_lines(text):
    """The lines of function bodies, as the form lays them out: from a brace of its own to one, without comments."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    inside = False
    for number, line in enumerate(text.split("\n")):
        if line == "{":
            inside = True
        elif line.startswith("}"):
            inside = False
        elif inside and not line.lstrip().startswith("#"):
            yield number, line


def candidates(path, name):
    """Each single-token change of a file: its rank by the seed is a hash of what it says."""
    seen = {}
    for number, line in body_lines(path.read_text()):
        before = ""
        for token in TOKEN.finditer(line):
            word = token.group()
            other = SWAPS.get(word)
            operand = bool(re.match(r"[\w)\]]", before[-1:])) and before not in ("return", "case")
            cast = word == "*" and re.match(r"(const|char|double|void|size_t|uint\d+_t|levy_\w+|struct)$", before)
            if other and not (word in BINARY and (not operand or cast)):
                change = (line.strip(), token.start() - (len(line) - len(line.lstrip())), other)
                seen[change] = seen.get(change, 0) + 1
                yield {"file": name, "number": number, "start": token.start(), "end": token.end(), "line": line.strip(),
                       "change": f"{word} -> {other} at {change[1]}", "other": other,
                       "key": "|".join(map(str, (name, *change, seen[change])))}
            if word.strip():
                before = word


def drawn(rooms, seed, only):
    everything = []
    for room in rooms:
        for path in sorted(ROOT.glob(ROOMS[room][0])):
            name = str(path.relative_to(ROOT))
            for mutant in candidates(path, name):
                mutant["room"] = room
                mutant["rank"] = hashlib.sha256(f"{seed}|{mutant['key']}".encode()).hexdigest()
                if only in mutant["key"]:
                    everything.append(mutant)
    return sorted(everything, key=lambda m: m["rank"])


class Copy:
    """The copy of the sources, and its build."""

    def __init__(self, folder, options):
        self.source, self.build = folder / "source", folder / "build"
        self.costs = {}
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
        for name in filter(None, map(bytes.decode, files)):
            if (ROOT / name).is_file():
                self.put(name, (ROOT / name).read_bytes())
        if not (self.build / "CMakeCache.txt").exists():
            generator = ["-G", "Ninja"] if subprocess.run(["which", "ninja"], capture_output=True).returncode == 0 else []
            subprocess.run(["cmake", "-S", self.source, "-B", self.build, *generator, "-DCMAKE_BUILD_TYPE=Release",
                            "-DLEVY_CUDA=OFF", *options], check=True, stdout=subprocess.DEVNULL)

    def put(self, name, content):
        path = self.source / name
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def make(self, *targets):
        return subprocess.run(["cmake", "--build", self.build, "--target", *targets], capture_output=True).returncode == 0

    def passes(self, program, limit):
        def limits():  # in seconds of processors, so that other work makes no difference; a mutant may run for ever
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))
            resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            code = subprocess.run([self.build / "tests" / program], cwd=self.build / "tests", timeout=1200,
                                  stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=limits).returncode
        except subprocess.TimeoutExpired:
            code = 1
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        return code == 0, end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime

    def begin(self, programs):
        """Builds the programs of the sources as they are; the quickest come first, and one that fails is left out."""
        here = [p for p in programs if (ROOT / "tests" / f"{p}.c").exists()]
        if not self.make(*here):
            sys.exit("mutate_code.py: the sources do not build")
        for program in here:
            if program not in self.costs:
                good, seconds = self.passes(program, 600)
                self.costs[program] = seconds if good else None
                if not good:
                    print(f"left out: {program} fails on the sources as they are")
        print("programs: " + ", ".join(f"{p} {self.costs[p] or 0:.1f} s" for p in here), flush=True)
        return sorted((p for p in here if self.costs[p] is not None), key=self.costs.get)

    def objects(self, name):
        """Of what is made of the file: the contents, to compare."""
        found = self.build.glob("CMakeFiles/**/*.o" if name.endswith(".h") else f"CMakeFiles/*/{name}.o")
        return {p: hashlib.sha256(p.read_bytes()).digest() for p in found}


def verdict(copy, mutant, programs):
    """'killed by X', 'none' (it does not compile, or changes no object), or 'survives'."""
    text = (ROOT / mutant["file"]).read_bytes()
    lines = text.decode().split("\n")
    line = lines[mutant["number"]]
    lines[mutant["number"]] = line[:mutant["start"]] + mutant["other"] + line[mutant["end"]:]
    before = copy.objects(mutant["file"])
    copy.put(mutant["file"], "\n".join(lines).encode())
    try:
        if not copy.make("levy_static"):
            return "none"
        if copy.objects(mutant["file"]) == before:
            return "none"
        for program in programs:
            if not copy.make(program):
                return "none"
            if not copy.passes(program, 2 + 4 * copy.costs[program])[0]:
                return f"killed by {program}"
        return "survives"
    finally:
        copy.put(mutant["file"], text)


def reasons():
    if not REASONS.exists():
        return {}
    rows = [line.split(" | ") for line in REASONS.read_text().split("\n") if line and not line.startswith("#")]
    return {(row[0], row[1], row[2]): row[3] for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--only", default="", help="mutants whose file or line has the text")
    parser.add_argument("--list", action="store_true", help="what would be drawn")
    options, cmake = parser.parse_known_args()
    mutants = drawn(options.rooms.split(","), options.seed, options.only)
    if options.list:
        for mutant in mutants[:options.count]:
            print(" | ".join((mutant["file"], mutant["line"], mutant["change"])))
        return 0
    copy = Copy(options.folder.resolve(), cmake)
    known, tried, survivors, unlisted = reasons(), 0, 0, 0
    programs = {}
    for mutant in mutants:
        if tried == options.count:
            break
        room = mutant["room"]
        if room not in programs:
            programs[room] = copy.begin([f"test_{name}" for name in ROOMS[room][1].split()])
        said = verdict(copy, mutant, programs[room])
        if said == "none":
            continue
        tried += 1
        row = (mutant["file"], mutant["line"], mutant["change"])
        survivors += said == "survives"
        unlisted += said == "survives" and row not in known
        print(f"{tried:4} {said:32} {' | '.join(row)}", flush=True)
    print(f"{tried} mutants, {survivors} survive, {unlisted} of them not listed in tests/mutants/code.txt")
    return int(unlisted > 0 or survivors * 10 > tried)


if __name__ == "__main__":
    sys.exit(main())
