#!/bin/bash
# test_other_yaml.sh: books that another reader of YAML has read and written again mean the same. Without PyYAML it is
# skipped, and says so. Environment: LEVY_LIBRARY_DIR (set by ctest).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || { echo "skipped: python3 is older than 3.9"; exit 77; }
"$python" -c 'import yaml' 2>/dev/null || { echo "skipped: no PyYAML"; exit 77; }
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then echo "skipped: Python would have to be instrumented too"; exit 77; fi
export LEVY_LIBRARY=${LEVY_LIBRARY_DIR:?} PYTHONPATH=$root/engine/python PYTHONDONTWRITEBYTECODE=1
exec "$python" "$root/tests/python/other_yaml.py" "$root/configs"
