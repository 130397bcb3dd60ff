#!/bin/bash
# test_point_sets.sh: words of lattices, Halton's points and files are those of a twin in NumPy; runs of a file's points resume and
# merge with the bytes of one run, and not with those of another file. Environment: LEVY (set by ctest).
set -euo pipefail
levy=$(realpath "${LEVY:?the program to test}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: no NumPy"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$python" "$root/tests/python/point_sets.py" "$levy"

price=("$levy" price --device cpu --threads 1 --progress none --no-times --quiet)
sed 's/^simulation:.*/simulation: {seed: 7, generator: {kind: points, file: one.npy}}/' twin.yaml > book.yaml
sed -i 's/count: [0-9]*/count: 6/' book.yaml
"${price[@]}" book.yaml --format json --output whole.json
"${price[@]}" book.yaml --format json --output first.json --journal kept
"${price[@]}" book.yaml --format json --output again.json --journal kept --resume
cmp whole.json first.json
cmp whole.json again.json
for k in 1 2; do "${price[@]}" book.yaml --part "$k/2" --journal book.part > /dev/null; done
"$levy" merge book.part.* --format json --output merged.json
cmp whole.json merged.json
"$python" -c "import numpy; x = numpy.load('one.npy'); x[5, 2] = 0.25; numpy.save('one.npy', x)"
code=0
"${price[@]}" book.yaml --journal kept --resume > /dev/null 2> message || code=$?
[ "$code" -eq 6 ] || { cat message; echo "FAIL: the journal of another file was taken: $code"; exit 1; }
echo "runs resume and merge"

# docs/studies.md: four lines make a Latin hypercube of any power of two, and one command draws it beside others
awk '/^## Points of your own/ { on = 1 } /^```$/ { if (kind) on = kind != "sh"; kind = "" } on && kind { print > ("page." kind) }
     on && /^```[a-z]/ { kind = substr($0, 4) }' "$root/docs/studies.md"
"$python" page.python
"$python" -c '
import numpy
u = numpy.load("hypercube.npy")
for n in 2 ** numpy.arange(15):
    assert (numpy.sort((n * u[:n]).astype(int), axis=0) == numpy.arange(n)[:, None]).all(), n'
sed 's/count: [0-9]*/count: 12/; s/one.npy/hypercube.npy/' book.yaml > twelve.yaml && mv twelve.yaml book.yaml
PATH=$(dirname "$levy"):$PATH bash -e page.sh > table
if [ "$(grep -c '^[a-z_]*+bridge ' table)" -ne 4 ] || ! grep -q 'points+bridge' points.svg; then
    cat table
    echo "FAIL: no plot of four methods"
    exit 1
fi
