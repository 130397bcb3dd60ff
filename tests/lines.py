"""lines.py BUILD FLOORS [update]: the counts that lines.sh has collected, summed per room, against
the floors; `update` writes them. Must not know: how they were collected."""

import json
import os
import sys

SLACK = 0.2  # points: what hangs on timing, such as a thread that is stopped in time or not


def room(name):
    """The room of a file, as tests/layers.txt has them; kernels are one."""
    parts = name.split("/")
    return "/".join(parts[:2]) if parts[0] == "engine" and len(parts) > 2 else parts[0]


def add(rooms, name, counts):
    rooms[name] = [a + b for a, b in zip(rooms.get(name, [0] * 4), counts)]


def measured(build):
    """room: lines run, lines, branches taken, branches."""
    rooms = {}
    with open(os.path.join(build, "lines.json")) as file:
        for each in json.load(file)["files"]:
            add(rooms, room(each["filename"]), [each[key] for key in (
                "line_covered", "line_total", "branch_covered", "branch_total")])
    python = os.path.join(build, "python", "lines.json")
    if os.path.exists(python):
        with open(python) as file:
            totals = json.load(file)["totals"]
        add(rooms, "engine/python", [totals[key] for key in (
            "covered_lines", "num_statements", "covered_branches", "num_branches")])
    return rooms


def floors(path):
    found = {}
    with open(path) as file:
        for line in file:
            if not line.startswith("#"):
                name, lines, branches = line.split()
                found[name] = (float(lines), float(branches))
    return found


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def main(build, path, action="compare"):
    rooms = measured(build)
    if action == "update":
        with open(path, "w") as file:
            file.write("# lines.txt: percent of lines and of branches that tests run, per room: "
                       "the floors of lines.sh, which writes them\n")
            for name, (run, lines, taken, branches) in sorted(rooms.items()):
                file.write(f"{name} {percent(run, lines):.1f} {percent(taken, branches):.1f}\n")
    known, below = floors(path), 0
    print(f"{'room':<18} {'lines':>7} {'floor':>6} {'not run':>8} "
          f"{'branches':>9} {'floor':>6} {'not taken':>10}")
    for name, (run, lines, taken, branches) in sorted(rooms.items()):
        line, branch = percent(run, lines), percent(taken, branches)
        floor = known.get(name, (0.0, 0.0))  # a new room: `update` enters it
        bad = line < floor[0] - SLACK or branch < floor[1] - SLACK
        below += bad
        print(f"{name:<18} {line:7.1f} {floor[0]:6.1f} {lines - run:8d} "
              f"{branch:9.1f} {floor[1]:6.1f} {branches - taken:10d}"
              f"{'  BELOW ITS FLOOR' if bad else ''}")
    for name in sorted(known.keys() - rooms.keys()):
        print(f"{name:<18} not measured")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
