#!/bin/bash
# demo.sh: from a fresh clone to prices. Installs what the build needs (see .ci/setup.sh: nothing if all is there), builds
# build/levy with gcc, or with $CC, and prices configs/quickstart.yaml. Needs no GPU, driver or CUDA. May run again.
set -euo pipefail
levy_root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cd "$levy_root"
. .ci/setup.sh

levy_need gcc libc6-dev make cmake libyaml-dev libxxhash-dev
log=$(mktemp)
trap 'rm -f "$log"' EXIT
compiler=$(command -v "${CC:-gcc}")
levy_say "compiler: $("$compiler" --version </dev/null | head -n 1)"
levy_say "building build/levy"
levy_configure build -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_COMPILER=$compiler" >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
grep -E '^-- CUDA module' "$log" || true
cmake --build build --target levy_programs --parallel "$(levy_jobs)" </dev/null
levy_say "build/levy price configs/quickstart.yaml"
build/levy price configs/quickstart.yaml --format table </dev/null
