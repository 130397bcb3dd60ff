#!/bin/bash
# lines.sh: lines and branches of the product that its tests run, per room, against the floors in
# lines.txt. A build of its own (gcc, one instruction set, the general path loop) is instrumented for
# gcov; tests that only start compilers or build levy again are left out.
#
#     tests/lines.sh BUILD [update]     `update` writes lines.txt from what was measured
#
# Not counted: code that the build writes (embedded examples, kernel sources), and what CUDA alone
# compiles (kernels/cuda/kernels), which the host runs only as text of tests. engine/python is
# counted by the package `coverage` in an environment of its own; without pip it is left out, and said.
# What no test ran stands in BUILD/lines.json, and in a page: gcovr -r . BUILD --filter engine/book/ --html-details page.html
# Ends with the table. Exit code 1: a room is more than SLACK points below its floor, or a test failed.
set -uo pipefail
levy_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$levy_root" || exit 1
. .ci/setup.sh
build=${1:?usage: lines.sh BUILD [update]} action=${2:-compare}
levy_need gcc g++ libc6-dev make cmake libyaml-dev libxxhash-dev libcmocka-dev libjansson-dev python3
levy_want gcovr gcovr
command -v gcovr >/dev/null || { echo "skipped: no gcovr"; exit 77; }

options=(-DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_COMPILER=$(command -v "${CC:-gcc}")" -DLEVY_COVERAGE=ON -DLEVY_GENERAL_LOOP=ON -DLEVY_TESTS=ON)
if [ "$(uname -m)" = x86_64 ] && grep -qsw avx2 /proc/cpuinfo; then options+=(-DLEVY_ISA_SETS=avx2); fi
mkdir -p "$build" && build=$(cd "$build" && pwd -P) || exit 1
{ levy_configure "$build" "${options[@]}" && cmake --build "$build" --parallel "$(levy_jobs)" </dev/null; } > "$build/lines.log" 2>&1 ||
    { tail -n 40 "$build/lines.log" | cut -c1-300; exit 1; }
find "$build" -name '*.gcda' -delete

# Every Python that the tests start counts its own lines.
python=$build/python
rm -rf "$python"
if python3 -m venv "$python" > "$build/lines.log" 2>&1 && "$python/bin/pip" install -q coverage numpy > "$build/lines.log" 2>&1; then
    echo 'import coverage; coverage.process_startup()' > "$("$python/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/lines.pth"
    printf '[run]\nbranch = True\nparallel = True\nsource = %s\ndata_file = %s\n' "$levy_root/engine/python/levy" "$python/count" > "$python/settings"
    export COVERAGE_PROCESS_START=$python/settings PATH=$python/bin:$PATH
else
    echo "left out: engine/python: $(tail -n 1 "$build/lines.log")"
fi

status=0
(cd "$build" && ctest --output-on-failure --timeout 3000 -j "$(levy_jobs)" -LE compiler \
    -E '^test_(abi|broken_calls|demo|hardening|header|install|subproject|valgrind|wheel)\.sh$' </dev/null) > "$build/lines.log" 2>&1 || status=1
grep -E '\*\*\*(Failed|Timeout|Exception)|tests passed' "$build/lines.log"

gcovr -r "$levy_root" -j "$(levy_jobs)" --gcov-ignore-parse-errors --exclude 'kernels/cuda/kernels/' \
    --filter engine/ --filter kernels/ --filter models/ --filter payoffs/ --json-summary "$build/lines.json" "$build" > "$build/gcovr.log" 2>&1 ||
    { tail -n 20 "$build/gcovr.log"; exit 1; }
if [ -n "${COVERAGE_PROCESS_START:-}" ]; then
    {
        "$python/bin/coverage" combine -q --data-file="$python/count" "$python" &&
            "$python/bin/coverage" json -q --data-file="$python/count" -o "$python/lines.json"
    } > "$build/gcovr.log" 2>&1 || { tail -n 5 "$build/gcovr.log"; exit 1; }
fi
python3 tests/lines.py "$build" tests/lines.txt "$action" || status=1
exit $status
