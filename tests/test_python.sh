#!/bin/bash
# test_python.sh: the Python package against the library that was just built. Without NumPy or pandas their tests are
# skipped, and say so. Environment: LEVY_LIBRARY_DIR (set by ctest).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || { echo "skipped: python3 is older than 3.9"; exit 77; }
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then echo "skipped: Python would have to be instrumented too"; exit 77; fi
export LEVY_LIBRARY=${LEVY_LIBRARY_DIR:?} PYTHONPATH=$root/engine/python PYTHONDONTWRITEBYTECODE=1
exec "$python" -W error::ResourceWarning "$root/tests/python/test_levy.py" -v
