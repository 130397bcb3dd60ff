#!/bin/bash
# Compiles what the peers need into a folder, all at once; what cannot be built here says so. With LEVY_PEER_BUILD set to
# that folder the peers then run without a compiler.
#
#     bench/peers/build.sh FOLDER        LEVY_PEER_ARCH=sm_90: for a GPU that is not here
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "${1:?usage: bench/peers/build.sh FOLDER}"
LEVY_PEER_BUILD=$(cd "$1" && pwd)
export LEVY_PEER_BUILD LEVY_PEER_ONLY_BUILD=1 LEVY_BENCH_DEVICE=cuda:0
pids=()
for run in "$here"/*/run "$here"/*/rows; do
    "$run" &
    pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do
    code=0
    wait "$pid" || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 77 ] || failed=1
done
exit $failed
