#!/bin/bash
# test_each_number.sh: single numbers of the examples replaced by extreme ones (each_number.py): one job of LEVY_EVERY (default 40;
# tests/nightly.sh: all). Environment: LEVY (set by ctest).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
exec "$python" "$root/tests/each_number.py" "${LEVY:?the program to test}" "${LEVY_EVERY:-40}"
