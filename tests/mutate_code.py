#!/usr/bin/env python3
"""mutate_code.py: whether the tests see a wrong token. Changes one token at a time, compiles what
is made of its file, links the library anew, and runs the room's test programs to the first that fails.

    tests/mutate_code.py FOLDER [--count N] [--seed N] [--rooms ROOM,...] [--only TEXT] [--jobs N]
                         [--again FILE] [--all] [--list] [--carried] [CMAKE OPTION...]

FOLDER holds a copy of the sources and its build, and is kept: a second run builds what has changed. Which
mutants a seed draws hangs on the text of their lines alone, so other lines may change. A mutant that does not
compile, or whose objects are the same to the byte, is none, and one that no program could judge here counts
nowhere. What survives is in tests/mutants/code.txt with its reason (file, line, change, reason, between bars),
and is taken as surviving; --all: it is run, too. --again: those that the run of which FILE is the output has
killed are taken as killed. --carried: FOLDER was built elsewhere at the same path, nothing is built but
mutants. Exit code 1: a survivor is not listed there, or more than a tenth survives.
Must not know: what any test asks.
"""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
REASONS = ROOT / "tests" / "mutants" / "code.txt"
# A room: its sources, and the programs that watch it with their arguments, in the order in which they run: those of
# less than a second first, and then what kills most.
MANY = "bad_configs products generated_sums books"
PAIRS = "generated_scripts:1:60 generated_books:1:40 api"
EMULATED = "cuda_emulated:1/3 cuda_emulated:2/3 cuda_emulated:3/3 cuda_emulated:generated:1:8"
ROOMS = {
    "engine/script": ("engine/script/*.c", f"script script_verify script_measures crossed soften script_spans script_programs script_sums {MANY} "
                      f"script_integrated ties {PAIRS}"),
    "engine/plan": ("engine/plan/*.c", f"plan tiles known functionals walk beyond intervals gains growth curvatures rounding joint_shocks "
                    f"certainty requote smoothing quote_scenario bumps greeks bias {MANY} ties averages heston untold "
                    f"{PAIRS} contract"),
    "models": ("models/*.[ch]", f"plan historical joint_shocks {MANY} jump_bridge heston jumps regimes subordinated {PAIRS} {EMULATED}"),
    "payoffs": ("payoffs/*.[ch]", f"payoffs twins known script ties {MANY} averages smoothing forms script_sums "
                f"script_integrated {PAIRS} {EMULATED}"),
    "engine/calibrate": ("engine/calibrate/*.c", "calibrate bad_configs"),
    "engine/fourier": ("engine/fourier/*.c", "fourier black calibrate"),
}
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
         "*": "/", "/": "*", "++": "--", "+=": "-=", "-=": "+=", "*=": "/=", "true": "false", "false": "true", "0": "1",
         "1": "2", "2": "1", "0.0": "1.0", "1.0": "0.5", "0.5": "1.0", "2.0": "1.0", "break": "continue"}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//.*|[A-Za-z_]\w*|\d(?:[eEpP][+-]|[\w.])*'
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
            pointer = word == "*" and line[token.end():token.end() + 1] not in ("", " ")
            if other and not (word in BINARY and (not operand or pointer)):
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


class Plant:
    """The copy of the sources and its build: objects of the library, and programs that take it as they start."""

    def __init__(self, folder, options, carried):
        self.folder, self.source, self.build = folder, folder / "source", folder / "build"
        self.table = folder / "objects.json"
        self.costs, self.locks, self.lock, self.carried = {}, {}, threading.Lock(), carried
        if not carried:
            self.copy()
            if not (self.build / "CMakeCache.txt").exists():
                generator = ["-G", "Ninja"] if subprocess.run(["which", "ninja"], capture_output=True).returncode == 0 else []
                subprocess.run(["cmake", "-S", self.source, "-B", self.build, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DLEVY_TESTS=ON",
                                "-DLEVY_CUDA=AUTO", "-DLEVY_ISA_SETS=avx2", "-DLEVY_GENERAL_LOOP=ON", *options],
                               check=True, stdout=subprocess.DEVNULL)

    def copy(self):
        files = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
        names = [name for name in map(bytes.decode, files) if name]
        for path in set(self.source.rglob("*")) - {self.source / name for name in names}:  # files of a former run
            if path.is_symlink() or not path.is_dir():
                path.unlink()
        for name in names:
            path = self.source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_symlink():
                path.unlink(missing_ok=True)
                path.symlink_to(os.readlink(ROOT / name))
            elif (ROOT / name).is_file():
                content = (ROOT / name).read_bytes()
                if name == "CMakeLists.txt":  # a test calls what the library does not export
                    content = content.replace(b"C_VISIBILITY_PRESET hidden", b"C_VISIBILITY_PRESET default")
                if re.match(r"tests/test_\w+\.c", name):  # what it writes is a worker's own
                    content = content.replace(b"LEVY_BINARY_DIR", b'"."')
                if not path.exists() or path.read_bytes() != content:
                    path.write_bytes(content)

    def make(self, programs):
        """The objects, their commands and what they read, and the programs: by CMake, then linked anew."""
        here = [p for p in programs if (ROOT / "tests" / f"{p}.c").exists()]
        if subprocess.run(["cmake", "--build", self.build, "--target", "levy_static", "levy", *here], stdout=subprocess.DEVNULL).returncode:
            sys.exit("mutate_code.py: the sources do not build")
        rows = []
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            words = words[words[0].endswith("ccache"):]
            output = words[words.index("-o") + 1]
            if re.match(r"CMakeFiles/levy_(objects|pages|numbers|isa_)", output):
                rows.append({"object": output, "command": words, "file": str(pathlib.Path(entry["file"]).relative_to(self.source))})
        known = {row["object"]: row for row in json.loads(self.table.read_text())} if self.table.exists() else {}
        for row in rows:
            row["time"] = (self.build / row["object"]).stat().st_mtime
            same = known.get(row["object"], {}).get("time") == row["time"]
            row["reads"] = known[row["object"]]["reads"] if same else self.reads(row)
        self.table.write_text(json.dumps(rows))
        link(self.folder, [self.build / row["object"] for row in rows])
        for program in here:
            extra = [self.build / "lib/liblevy_cuda_static.a"] if program.startswith("test_cuda") else []
            subprocess.run(["cc", "-o", self.folder / program, *self.build.glob(f"tests/CMakeFiles/{program}.dir/*.o"),
                            *self.build.glob("tests/CMakeFiles/levy_misuse_check.dir/*.o"), self.build / "lib/liblevy_test_support.a",
                            *extra, self.folder / LIBRARY, "-lcmocka", "-ljansson", "-lyaml", "-lm", "-lpthread", "-ldl"], check=True)
        subprocess.run(["cc", "-o", self.folder / "levy", *self.build.glob("CMakeFiles/levy.dir/**/*.o"),
                        self.build / "engine/cli/liblevy_cli.a", self.folder / LIBRARY, "-lm", "-lpthread", "-ldl"], check=True)

    def reads(self, row):
        words = row["command"]
        said = subprocess.run([*words[:words.index("-o")], "-MM", words[-1]], cwd=self.build, check=True, capture_output=True).stdout
        return [w[len(str(self.source)) + 1:] for w in said.decode().split() if w.startswith(str(self.source))]

    def cost(self, call):
        """Seconds of a program on the sources as they are; None: it fails on them, and is left out. Asked once."""
        if not (self.folder / call.split(":")[0]).exists():
            return None
        with self.lock:
            lock = self.locks.setdefault(call, threading.Lock())
        with lock:
            if call not in self.costs:
                good, seconds = passes(self.folder, self.folder, self.folder, call, 900)
                self.costs[call] = seconds if good else None
                print(f"     {call}: " + (f"{seconds:.1f} s" if good else "left out: it fails on the sources as they are"), flush=True)
        return self.costs[call]

    def usual(self, row):
        """The object of the sources as they are, of this machine's compiler."""
        if not self.carried:
            return self.build / row["object"]
        made = self.folder / "usual" / row["object"]
        with self.lock:
            if not made.exists():
                compile_to(made, row["command"], self.build)
        return made


def compile_to(made, words, folder, first=()):
    words = list(words)
    words[words.index("-o") + 1] = str(made)
    made.parent.mkdir(parents=True, exist_ok=True)
    return subprocess.run([words[0], "-w", *first, *words[1:]], cwd=folder, capture_output=True).returncode == 0


LIBRARY = "liblevy_mutant.so"


def link(folder, objects):
    (folder / "objects").write_text("\n".join(map(str, objects)))
    subprocess.run(["cc", "-shared", f"-Wl,-soname,{LIBRARY}", "-o", folder / LIBRARY, f"@{folder / 'objects'}",
                    "-lyaml", "-lm", "-lpthread", "-ldl"], check=True)


def passes(plant, work, library, call, limit):
    """Runs a program in the folder `work` with a library; whether it passes, and its seconds of processors, which are limited so
    that other work makes no difference; a mutant may run for ever. What it compiles reads the mutant first."""
    name, *arguments = call.split(":")
    environment = dict(os.environ, LD_LIBRARY_PATH=f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}",
                       PATH=f"{work / 'bin'}:{os.environ['PATH']}", TMPDIR=str(work))
    process = subprocess.Popen(["sh", "-c", f'ulimit -c 0; ulimit -t {math.ceil(limit)}; ulimit -v 16000000; exec "$0" "$@"', plant / name, *arguments],
                               cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    late = threading.Timer(60 + 20 * limit, os.killpg, (process.pid, signal.SIGKILL))
    late.start()
    _, status, used = os.wait4(process.pid, 0)
    late.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode == 0, used.ru_utime + used.ru_stime


def make_room(folder, source):
    """What programs look for in the folder in which they run."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    for name, target in (("tests", source / "tests"), ("configs", source / "configs"), ("bin/levy", source.parent / "levy")):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)


class Worker:
    """A folder in which one mutant after the other is made."""

    def __init__(self, plant, number):
        self.plant, self.folder = plant, plant.folder / f"worker{number}"
        self.overlay = self.folder / "overlay"
        make_room(self.folder, plant.source)
        wrapper = self.folder / "bin" / "g++"
        wrapper.write_text(f'#!/bin/sh\nPATH=${{PATH#*:}}\nexec g++ -I {self.overlay} "$@"\n')
        wrapper.chmod(0o755)

    def compiled(self, row, mutant):
        """The object of the mutant; None: it does not compile."""
        words = [str(self.overlay / mutant["file"]) if w == str(self.plant.source / mutant["file"]) else w for w in row["command"]]
        made = self.folder / row["object"]
        return made if compile_to(made, words, self.plant.build, [f"-I{self.overlay}"]) else None

    def verdict(self, mutant, calls):
        """'killed by X', 'none' (it does not compile, or changes no object), 'not judged', or 'survives'."""
        lines = (self.plant.source / mutant["file"]).read_text().split("\n")
        line = lines[mutant["number"]]
        lines[mutant["number"]] = line[:mutant["start"]] + mutant["other"] + line[mutant["end"]:]
        path = self.overlay / mutant["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines))
        try:
            return self.judge(mutant, calls)
        finally:
            path.unlink()

    def judge(self, mutant, calls):
        objects, changed = [], False
        for row in self.plant.rows:
            if mutant["file"] not in row["reads"]:
                objects.append(self.plant.build / row["object"])
                continue
            made = self.compiled(row, mutant)
            if made is None:
                return "none"
            changed |= made.read_bytes() != self.plant.usual(row).read_bytes()
            objects.append(made)
        library = self.folder if changed else self.plant.folder
        if changed:
            link(self.folder, objects)
        # what a GPU's kernel alone reads is compiled by a test
        calls = [call for call in calls if ("emulated" in call) != changed and (changed or mutant["file"].endswith(".h"))]
        ran = 0
        for call in calls:
            cost = self.plant.cost(call)
            if cost is None:
                continue
            ran += 1
            if not passes(self.plant.folder, self.folder, library, call, 3 + 4 * cost)[0]:
                return f"killed by {call.split(':')[0]}"
        return "survives" if ran else "not judged" if calls else "none"


def reasons():
    if not REASONS.exists():
        return {}
    rows = [line.split(" | ") for line in REASONS.read_text().split("\n") if line and not line.startswith("#")]
    return {(row[0], row[1], row[2]): row[3] for row in rows}


def killed_before(path):
    """The mutants that an output says were killed, with what it says."""
    found = re.findall(r"^ *\d+ (killed by \S+) +(.*)$", path.read_text(), re.M) if path else []
    return {text: said for said, text in found}


def judged(options, mutants, workers, before):
    """Each mutant that is one, with its verdict, in order. before: the verdicts of some."""
    plant, lock = workers[0].plant, threading.Lock()
    idle, calls = list(workers), {room: calls_of(room) for room in ROOMS}

    def judge(mutant):
        if shown(mutant) in before:
            return before[shown(mutant)]
        with lock:
            worker = idle.pop()
        said = "none"
        try:
            said = worker.verdict(mutant, calls[mutant["room"]])
        finally:
            with lock:
                idle.append(worker)
                with open(plant.folder / "verdicts.txt", "a") as out:  # as they come: of a run that is ended early
                    print(f"{0:4} {said:32} {shown(mutant)}", file=out)
        return said

    with concurrent.futures.ThreadPoolExecutor(len(workers)) as pool:
        waiting = []
        for mutant in [*mutants, None]:
            if mutant:
                waiting.append((mutant, pool.submit(judge, mutant)))
            while waiting and (not mutant or len(waiting) > 2 * len(workers)):
                first, future = waiting.pop(0)
                if future.result() not in ("none", "not judged"):
                    yield first, future.result()


def calls_of(room):
    return [f"test_{name}" for name in ROOMS[room][1].split()]


def shown(mutant):
    return " | ".join((mutant["file"], mutant["line"], mutant["change"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--only", default="", help="mutants whose file or line has the text")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true", help="what would be drawn")
    parser.add_argument("--carried", action="store_true")
    options, cmake = parser.parse_known_args()
    mutants = drawn(options.rooms.split(","), options.seed, options.only)
    if options.list:
        print("\n".join(map(shown, mutants[:options.count])))
        return 0
    plant = Plant(options.folder.absolute(), cmake, options.carried)
    if not options.carried:
        plant.make(sorted({call.split(":")[0] for room in options.rooms.split(",") for call in calls_of(room)}))
    make_room(plant.folder, plant.source)
    plant.rows = json.loads(plant.table.read_text())
    workers = [Worker(plant, k) for k in range(options.jobs)]
    known, counts = reasons(), {}
    before = {} if options.all else {" | ".join(row): "survives" for row in known}
    before.update(killed_before(options.again))
    for mutant, said in judged(options, mutants, workers, before):
        n = counts.setdefault(mutant["room"], {"tried": 0, "survive": 0, "not listed": 0})
        n["tried"] += 1
        n["survive"] += said == "survives"
        n["not listed"] += said == "survives" and (mutant["file"], mutant["line"], mutant["change"]) not in known
        tried = sum(each["tried"] for each in counts.values())
        print(f"{tried:4} {said:32} {shown(mutant)}", flush=True)
        if tried == options.count:
            break
    for room, n in counts.items():
        print(f"{room:16}" + ", ".join(f"{n[key]} {key}" for key in n))
    totals = [sum(n[key] for n in counts.values()) for key in ("tried", "survive", "not listed")]
    print("{} mutants, {} survive, {} of them not listed in tests/mutants/code.txt".format(*totals))
    sys.stdout.flush()
    os._exit(int(totals[2] > 0 or totals[1] * 10 > totals[0]))  # without those that are still waiting


if __name__ == "__main__":
    sys.exit(main())
