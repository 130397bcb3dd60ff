#!/bin/bash
# test_generated_oracle.sh: generated scripts against an interpreter of the language that shares nothing with levy
# (generated/oracle.py): 150 books; tests/nightly.sh takes others. Environment: LEVY, LEVY_BINARY_DIR, LEVY_LINK_FLAGS (set by ctest).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
count=150
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then count=6; fi
exec "$python" "$root/tests/generated/oracle.py" "${LEVY:?the program to test}" "${LEVY_BINARY_DIR:?}/tests/test_generated_scripts" 1 "$count"
