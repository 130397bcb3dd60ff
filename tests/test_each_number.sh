#!/bin/bash
# test_each_number.sh: single numbers of the examples replaced by extreme ones (each_number.py): one job of fifty, one of two
# hundred under a sanitizer; tests/nightly.sh takes all. Environment: LEVY, LEVY_LINK_FLAGS (set by ctest).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
every=50
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then every=200; fi
exec "$python" "$root/tests/each_number.py" "${LEVY:?the program to test}" "$every"
