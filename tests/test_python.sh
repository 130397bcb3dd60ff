#!/bin/bash
# test_python.sh: the Python package against the library that was just built. Without NumPy, pandas or joblib their tests
# are skipped, and say so. A library under AddressSanitizer takes its runtime into Python first; then the tests of copies and
# pickles run, which are where a handle could be used twice, and those of arrays, which the library writes to. Environment:
# LEVY_LIBRARY_DIR, LEVY_BINARY_DIR, LEVY_LINK_FLAGS, CC (set by ctest).
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || { echo "skipped: python3 is older than 3.9"; exit 77; }
export LEVY_LIBRARY=${LEVY_LIBRARY_DIR:?} PYTHONPATH=$root/engine/python PYTHONDONTWRITEBYTECODE=1 PYTHONFAULTHANDLER=1

run() { "$python" -W error::ResourceWarning "$root/tests/python/$1" -v; }

if [[ ${LEVY_LINK_FLAGS:-} == *-fsanitize* ]]; then
    case $LEVY_LINK_FLAGS in
        *-fsanitize=address*) ;;
        *) echo "skipped: Python would have to be instrumented too"; exit 77 ;;
    esac
    runtime=""
    for name in "libclang_rt.asan-$(uname -m).so" libclang_rt.asan.so libasan.so; do # clang finds gcc's too
        found=$("${CC:-cc}" -print-file-name="$name")
        if [ "$found" != "$name" ] && [ -e "$found" ]; then runtime=$found; break; fi
    done
    if [ -z "$runtime" ]; then echo "skipped: ${CC:-cc} has no AddressSanitizer as a shared library"; exit 77; fi
    export LD_PRELOAD=$runtime PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0:abort_on_error=1
    run test_copies.py
    run test_arrays.py
    run test_paths.py
    run test_sampler.py
    run test_draws.py
    run test_distribution.py
    run test_given.py
    exit
fi
run test_copies.py
run test_arrays.py
run test_paths.py
run test_sampler.py
run test_draws.py
run test_distribution.py
run test_given.py
run test_theory.py
run test_ways.py
run test_calibrate.py
run test_notebooks.py
run test_readme.py
run test_levy.py
run test_distributed.py
