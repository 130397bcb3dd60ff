#!/bin/bash
# test_guesses.sh: first guesses of trades and scripts price what they meant (guesses.py). Environment: LEVY (set by ctest).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
"$python" -c 'import yaml' 2>/dev/null || { echo "skipped: no PyYAML"; exit 77; }
exec "$python" "$root/tests/guesses.py" "${LEVY:?the program to test}"
