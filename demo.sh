#!/bin/bash
# demo.sh: from a fresh clone to prices. Installs what the build needs (see .ci/setup.sh: nothing if all is there), builds
# build/levy with gcc, or with $CC, prices configs/quickstart.yaml, then builds what that did without: the path loops that are
# faster on common shapes (the bits are the same), the CUDA module, levy-bench. Needs no GPU, driver or CUDA. May run again. Says
# a line a step; what apt, CMake and the compiler print goes to build/demo.log, whose end is shown when a step fails. It builds on
# all cores, or on as many as LEVY_JOBS says: LEVY_JOBS=1 ./demo.sh. A new build/ is for this machine: it has the widest instruction
# set that the processor knows. ./test.sh and cmake -D LEVY_ISA_SETS= build make it whole.
set -euo pipefail
levy_root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cd "$levy_root"
. .ci/setup.sh

mkdir -p build
levy_log=$levy_root/build/demo.log
: >"$levy_log"
# Says how far make is at each quarter, and the seconds that are left if it goes on so.
watch_progress() {
    local began=$SECONDS said=0 percent
    while sleep 1; do
        percent=$(tail -n 1 "$levy_log" | sed -n 's/^\[ *\([0-9]*\)%\].*/\1/p')
        if [ "${percent:-0}" -lt $((said + 25)) ] || [ "$percent" -ge 100 ]; then continue; fi
        said=$((percent / 25 * 25))
        levy_say "$percent % after $((SECONDS - began)) s, about $(((SECONDS - began) * (100 - percent) / percent)) s more"
    done
}

step() { # command...
    local watcher
    watch_progress &
    watcher=$!
    # shellcheck disable=SC2064 # the watcher of this step
    trap "kill $watcher 2>/dev/null || true" EXIT
    if levy_logged "$@"; then
        kill "$watcher" 2>/dev/null || true
        wait "$watcher" 2>/dev/null || true
        return 0
    fi
    tail -n 40 "$levy_log" >&2
    levy_say "failed; these are the last lines of $levy_log" >&2
    exit 1
}

cached() { sed -n "s/^$1:[A-Z]*=//p" build/CMakeCache.txt; } # variable

configured() { # build/ is what it would become; when CMakeLists.txt has changed, building configures it again
    [ -f build/CMakeCache.txt ] && { [ -e build/Makefile ] || [ -e build/build.ninja ]; } && [ "$(cached CMAKE_HOME_DIRECTORY)" = "$levy_root" ] &&
        [ "$(cached CMAKE_C_COMPILER)" = "$compiler" ] && [ "$(cached CMAKE_BUILD_TYPE)" = Release ]
}

levy_need gcc libc6-dev make cmake libyaml-dev libxxhash-dev
compiler=$(command -v "${CC:-gcc}") || { levy_say "there is no compiler ${CC:-gcc}" >&2 && exit 1; }
levy_say "compiler: $("$compiler" --version </dev/null | head -n 1)"
if ! configured; then
    options=(-DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_COMPILER=$compiler")
    if [ ! -f build/CMakeCache.txt ]; then options+=(-DLEVY_ISA_SETS=native -DLEVY_UNITY=ON -DLEVY_GENERAL_LOOP=ON); fi
    step levy_configure build "${options[@]}"
fi
first=levy_programs
if [ "$(cached LEVY_GENERAL_LOOP)" = ON ]; then first=levy; fi
levy_say "building build/levy (log: build/demo.log)"
step cmake --build build --target $first --parallel "$(levy_jobs)"
levy_say "build/levy price configs/quickstart.yaml"
build/levy price configs/quickstart.yaml --format table </dev/null
if [ $first = levy ]; then
    levy_say "building the rest: faster path loops, the CUDA module, levy-bench"
    step cmake -DLEVY_GENERAL_LOOP=OFF build
    step cmake --build build --target levy_programs --parallel "$(levy_jobs)"
fi
levy_say "done in $SECONDS s; levy in this shell:  export PATH=\"$levy_root/build:\$PATH\"   (for all: sudo cmake --install build)"
levy_say "next:  levy new asian > asian.yaml"
levy_say "       levy price asian.yaml --measures price,delta -o report.html"
levy_say "       levy example"
