#!/usr/bin/env bash
# Everything that needs a GPU, in one call: the contract suite against the CPU's bits, compute-sanitizer over the examples'
# kernels, and the benchmark rows.
#     bench/gpu.sh BUILD OUTPUT      BUILD: a build with the CUDA module; OUTPUT: folder for the rows and logs
set -u
cd "$(dirname "$0")/.."
build=$1 output=$2 failed=0
mkdir -p "$output"
export LEVY_TEST_ROOT=$PWD LEVY_MODULE_DIR=$build LEVY_TEST_MODULE_DIR=$build
export LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
"$build/tests/test_contract" cuda >"$output/contract.log" 2>&1 || failed=1
grep -E "tests|PASSED|FAILED" "$output/contract.log"

for tool in memcheck racecheck initcheck synccheck; do
    for file in quickstart asian basket8 dividends; do
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/levy" price "configs/$file.yaml" --device cuda --progress none \
            --set simulation.paths=2^14 --measures price,delta >"$output/sanitizer.log" 2>&1 || { failed=1; tail -n 20 "$output/sanitizer.log"; }
        echo "$tool $file: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$output/sanitizer.log" | tail -n 1)"
    done
done

peer=$(mktemp)
nvcc -O2 -arch=native bench/peers/curand/normals.cu -o "$peer" -lcurand && python3 bench/gpu.py "$build/levy" "$peer" "$output/gpu.json" || failed=1
rm -f "$peer"

"$build/levy" price configs/quickstart.yaml --device cuda >/dev/null
for i in 1 2 3; do { time -p "$build/levy" price configs/quickstart.yaml --device cuda >/dev/null; } 2>&1 | grep real; done
exit $failed
