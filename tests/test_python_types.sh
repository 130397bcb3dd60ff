#!/bin/bash
# test_python_types.sh: the Python package is clean under mypy --strict, with or without NumPy beside it, and its callers are
# told that a column is an array. Skipped where mypy is not installed. Environment: LEVY_PYTHON (default: python3).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v "${LEVY_PYTHON:-python3}") || { echo "skipped: no python3"; exit 77; }
"$python" -c 'import mypy' 2> /dev/null || { echo "skipped: no mypy"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/levy types XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" # no settings of the caller's
types() { "$python" -m mypy --strict --no-error-summary --cache-dir "$work/cache" "$@"; }

types "$root/engine/python/levy" || { echo "test_python_types: the package is not clean"; exit 1; }
types --no-site-packages "$root/engine/python/levy" || { echo "test_python_types: the package is not clean without NumPy"; exit 1; }

cat > "$work/caller.py" << 'CALLER'
import levy

results = levy.price("book.yaml", paths=2**18, seed=7, measures=["price", "delta"])
reveal_type(results["price"])
reveal_type(results.wide()["id"])
reveal_type(results.trade(0).price)
reveal_type(levy.loads("")["A.spot"])
CALLER
MYPYPATH=$root/engine/python types "$work/caller.py" > "$work/told" || { cat "$work/told"; exit 1; }
wanted=float
if "$python" -c 'import numpy' 2> /dev/null; then wanted='numpy.ndarray float'; fi
cat > "$work/misspelt.py" << 'CALLER'
import levy

levy.price("book.yaml", path=2**18)
levy.load("book.yaml", sed=7)
levy.loads("").price(measure="price")
CALLER
if MYPYPATH=$root/engine/python types "$work/misspelt.py" > "$work/told_misspelt"; then
    echo "test_python_types: misspelt keywords pass"
    exit 1
fi
[ "$(grep -c "Unexpected keyword argument" "$work/told_misspelt")" -eq 3 ] || { cat "$work/told_misspelt"; exit 1; }
for word in $wanted; do
    [ "$(grep -c "Revealed type is \".*$word" "$work/told")" -eq 2 ] || { cat "$work/told"; echo "test_python_types: no $word"; exit 1; }
done
