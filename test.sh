#!/bin/bash
# test.sh: installs what the tests need, builds everything in build/ (or $LEVY_BUILD), runs every test and counts them.
# Further arguments go to ctest (-R plan runs the plan's tests). $CC picks the compiler.
set -euo pipefail
levy_root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cd "$levy_root"
. .ci/setup.sh

levy_need gcc libc6-dev make cmake libyaml-dev libxxhash-dev libcmocka-dev libjansson-dev
build=${LEVY_BUILD:-build}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
levy_configure "$build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_COMPILER=$(command -v "${CC:-gcc}")" -DLEVY_TESTS=ON ${LEVY_OPTIONS:-} >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
grep -E '^-- (CUDA module|Tests)' "$log" || true
cmake --build "$build" --parallel "$(levy_jobs)" </dev/null
status=0
(cd "$build" && ctest --output-on-failure -j "$(levy_jobs)" "$@" </dev/null) || status=1

# CMocka's own counts, test by test.
results=$build/Testing/Temporary/LastTest.log
if [ -f "$results" ]; then
    awk '/^\[  PASSED  \]/ { passed += $4 } /^\[  FAILED  \] [0-9]+ test/ { failed += $4 } /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
         END { printf "CMocka: %d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$results"
fi
exit $status
