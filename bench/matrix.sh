#!/bin/bash
# The matrix of shapes, precisions and sizes on a GPU in one CSV: some 300 points in one call, measured in one process after all kernels
# are compiled, side by side. Each is the median of its repeats. With a baseline, an earlier CSV of the same machine, points that fell by
# more than 5 % are printed, and the exit code is 3.
#
#     bench/matrix.sh BUILD CSV [BASELINE]     BUILD: a build with the CUDA module, or a copy of its bin and lib
#     POINTS=-double-                          the points whose name has this pattern (bench/matrix.py list)
#     DEVICE=cuda REPEATS=3 THREADS=0          cpu works too; calls under 20 ms are repeated three times as often; threads of a CPU
#     LIMIT=540                                seconds of this script, after which no further point is measured
#     MOST=35                                  log2 of the most asset-steps of a call, over all its markets; dearer points are left out
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
usage="usage: bench/matrix.sh BUILD CSV [BASELINE]"
build=$(cd "${1:?$usage}" && pwd) || exit 1
csv=${2:?$usage} baseline=${3:-} pattern=${POINTS:-} limit=${LIMIT:-540} python=${PYTHON:-python3}
[ -z "$baseline" ] || [ -r "$baseline" ] || { echo "matrix: no $baseline" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/kernels"
mkdir "$work/problems"
export LEVY_MODULE_DIR=${LEVY_MODULE_DIR:-$build/lib/levy} LEVY_LIBRARY=${LEVY_LIBRARY:-$build/lib/liblevy.so} PYTHONPATH=engine/python
export LEVY_CACHE_DIR=${LEVY_CACHE_DIR:-$work/kernels} DEVICE=${DEVICE:-cuda}
levy=$build/bin/levy
[ -x "$levy" ] || levy=$build/levy

if [ "${DEVICE%%:*}" = cuda ]; then
    architecture=$("$levy" devices --format json | sed -n 's/.*"architecture": "\(sm_[0-9]*\)".*/\1/p' | head -n 1)
    [ -n "$architecture" ] || { echo "matrix: no usable GPU" >&2; "$levy" devices >&2; exit 1; }
    "$python" bench/matrix.py problems "$work/problems" "$pattern" || exit 1
    find "$work/problems" -name '*.yaml' -print0 | xargs -0 -P "$(nproc)" -n 1 "$levy" kernels build --arch "$architecture" > "$work/log" 2>&1 ||
        tail -n 20 "$work/log" >&2
    echo "matrix: kernels compiled in $SECONDS s" >&2
fi
LIMIT=$((limit > SECONDS ? limit - SECONDS : 0)) "$python" bench/matrix.py measure "$csv" "$pattern"
code=$?
[ -z "$baseline" ] && exit $code
"$python" bench/matrix.py compare "$csv" "$baseline"
compared=$?
exit $((compared ? compared : code))
