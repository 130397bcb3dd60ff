#!/bin/bash
# test.sh: installs what the tests need, builds everything in build/ (or $LEVY_BUILD), runs every test and counts them, the
# skipped ones with their reasons. Further arguments go to ctest (-R plan runs the plan's tests, -L threads those of a label:
# see tests/CMakeLists.txt). $CC picks the compiler, $LEVY_TARGETS what is built, $LEVY_OPTIONS goes to CMake.
set -euo pipefail
levy_root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cd "$levy_root"
. .ci/setup.sh

levy_need gcc g++ libc6-dev make cmake libyaml-dev libxxhash-dev libcmocka-dev libjansson-dev python3 pkg-config
build=${LEVY_BUILD:-build}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
levy_configure "$build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_COMPILER=$(command -v "${CC:-gcc}")" -DLEVY_TESTS=ON -DLEVY_ISA_SETS= -DLEVY_GENERAL_LOOP=OFF ${LEVY_OPTIONS:-} >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
grep -E '^-- (CUDA module|Tests)' "$log" || true
# shellcheck disable=SC2086
cmake --build "$build" --parallel "$(levy_jobs)" ${LEVY_TARGETS:+--target $LEVY_TARGETS} </dev/null
status=0
(cd "$build" && ctest --output-on-failure --timeout 1500 -j "$(levy_jobs)" "$@" </dev/null) | tee "$log" || status=1

# What was skipped and why, a line a reason; then the scripts, then CMocka's own counts, test by test.
results=$build/Testing/Temporary/LastTest.log
if [ -f "$results" ]; then awk -f tests/count.awk "$results" "$log"; fi
exit $status
