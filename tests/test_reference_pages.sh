#!/bin/bash
# test_reference_pages.sh: the programs of docs/reference, run: each page has one in C and one in Python, and behind each what it
# prints. A page whose program prints something else is out of date. Python's need NumPy. Environment: CC, LEVY_LIBRARY_DIR,
# LEVY_SYSROOT (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cc=${CC:-cc} libdir=${LEVY_LIBRARY_DIR:?}
work=$(mktemp -d "${TMPDIR:-/tmp}/levy pages XXXXXX")
trap 'rm -rf "$work"' EXIT
sysroot=()
if [ -n "${LEVY_SYSROOT:-}" ]; then sysroot=("--sysroot=$LEVY_SYSROOT"); fi
strict=(-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror)
python=$(command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import sys, numpy; sys.exit(sys.version_info < (3, 9))' 2> /dev/null; then
    python=
    echo "skipped: Python's programs: no python3 of 3.9 or later with NumPy"
fi
export LEVY_LIBRARY=$libdir PYTHONPATH=$root/engine/python PYTHONDONTWRITEBYTECODE=1
failed=0 programs=0

same() { # page, what, wanted, printed
    [ -s "$3" ] && diff -u "$3" "$4" && return
    echo "docs/reference/$1.md: its program in $2 prints something else"
    failed=1
}

for path in "$root"/docs/reference/*.md; do
    page=$(basename "$path" .md)
    # page.c and page.py, and what follows as text: page.c.text and page.py.text
    (cd "$work" && awk -v page="$page" '
        /^```c$/ { name = page ".c"; next }
        /^```python$/ { name = page ".py"; next }
        /^```text$/ { name = name ".text"; next }
        /^```$/ { last = name; if (name !~ /text$/) keep = name; name = ""; next }
        name == ".text" { name = keep ".text" }
        name != "" { print > name }' "$path")
    for language in c py; do
        [ -s "$work/$page.$language" ] || { echo "docs/reference/$page.md: no program in $language"; failed=1; }
    done
    "$cc" "${strict[@]}" ${sysroot[@]+"${sysroot[@]}"} -I "$root/engine" "$work/$page.c" -L "$libdir" -llevy -lm -Wl,-rpath,"$libdir" -o "$work/$page"
    "$work/$page" > "$work/out" || { echo "docs/reference/$page.md: its program in C failed"; failed=1; }
    same "$page" C "$work/$page.c.text" "$work/out"
    programs=$((programs + 1))
    [ -n "$python" ] || continue
    "$python" "$work/$page.py" > "$work/out" || { echo "docs/reference/$page.md: its program in Python failed"; failed=1; }
    same "$page" Python "$work/$page.py.text" "$work/out"
    programs=$((programs + 1))
done
echo "$programs programs of docs/reference ran"
[ "$programs" -ge 6 ] || failed=1
exit "$failed"
