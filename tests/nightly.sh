#!/bin/bash
# shellcheck disable=SC2317 # steps are called by name
# nightly.sh: what is too long for every change: .ci/run checks samples of it. Hours on two cores.
#
#     tests/nightly.sh [STEP...]     default: references calibration nvcc nvrtc compilers numbers generated python mpi sanitizers valgrind fuzz mutants kills builds bare documents packages release doxygen coverage lines
#
#   references  tests/reference/ on 2^18 paths, scrambled Sobol points and Philox
#   calibration 100 sets of parameters of each model, and 1,000 with errors of the quotes; the quotes of configs/smile
#   nvcc        every kernel of the examples by nvcc, for sm_80 and sm_90
#   nvrtc       the same for sm_80 and sm_90 by NVRTC
#   compilers   the tests that start a compiler, with every shape that an example has instead of two
#   numbers     every number of the examples replaced by every extreme one
#   generated   $LEVY_NIGHT_GENERATED scripts (default 10000) and a fifth as many books of seeds that no night had before, from
#               $LEVY_NIGHT_SEED on (default: a million seeds for each day since 1970), all pairs of each; scripts against an
#               interpreter of the language, and a 50th of them on the emulated GPU
#   python      the Python tests with all that they skip without: NumPy, pandas, polars, pyarrow, joblib, Dask, PyYAML, Matplotlib,
#               mypy, Jupyter's kernel; jsonschema on 20,000 files of test_mutants; the desk's prices by oracle.py
#   mpi         levy_mpi.h and --part env under Open MPI and MPICH, which are installed (as root or with sudo)
#   sanitizers  every test under AddressSanitizer with UndefinedBehaviorSanitizer, the threaded ones under ThreadSanitizer:
#               no samples, all instruction sets
#   valgrind    the reader, prices, parts and studies under Valgrind (needs valgrind)
#   fuzz        the libFuzzer harnesses under the sanitizers, $LEVY_NIGHT_FUZZ seconds each (default 7200; needs clang)
#   mutants     200 wrong tokens in six rooms (mutate_code.py): at most a tenth survives, each listed with its reason
#   kills       $LEVY_NIGHT_KILLS runs (default 1000) that are killed and resumed; $LEVY_NIGHT_PART_KILLS (default 20) of runs in
#               parts, of which one is killed
#   builds      the wheel, and a project that has levy within: what builds levy once more (the wheel needs pip)
#   bare        ./demo.sh and ./test.sh on a bare Debian: bare_system.sh (needs root)
#   documents   every block of README.md and docs/ on a bare Debian, by the PATH that README.md gives: bare_packages.sh (needs root)
#   packages    the Debian package, the wheel and the notebooks on a bare Debian: bare_packages.sh (needs root)
#   release     all products of packaging/release.sh, each installed on a bare Debian 12 and 13: bare_packages.sh (needs root)
#   doxygen     levy.h by Doxygen, without a warning (needs doxygen)
#   coverage    coverage.py, coverage_steps.py: intervals of prices and Greeks over 400 seeds
#   lines       lines.sh: lines and branches that the tests run, per room, none below its floor in lines.txt (gcovr)
# Builds into build-nightly/ and folders that begin so; what the fuzzers find is kept in build-nightly-fuzz/found/. Ends with a
# line per step, its seconds and how it ended; exit code 1: one failed. A step that cannot run says so and counts as skipped.
set -uo pipefail
levy_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$levy_root" || exit 1
. .ci/setup.sh
steps=("$@")
if [ $# -eq 0 ]; then steps=(references calibration nvcc nvrtc compilers numbers generated python mpi sanitizers valgrind fuzz mutants kills builds bare documents packages release doxygen coverage lines); fi
builds='' # does a step need build-nightly?
for name in "${steps[@]}"; do
    case $name in
    sanitizers | fuzz | mutants | bare | documents | packages | release | doxygen | lines) ;;
    references | calibration | nvcc | nvrtc | compilers | numbers | generated | python | mpi | valgrind | kills | builds | coverage) builds=yes ;;
    *) echo "nightly.sh: no step '$name'" && exit 2 ;;
    esac
done
levy_need gcc g++ libc6-dev make cmake libyaml-dev libxxhash-dev libcmocka-dev libjansson-dev python3
levy_want clang clang
levy_want doxygen doxygen
levy_want valgrind valgrind
levy_want_runtime

build() { # folder, options...
    levy_configure "$@" > nightly.log 2>&1 && cmake --build "$1" --parallel "$(levy_jobs)" </dev/null > nightly.log 2>&1 && rm -f nightly.log && return 0
    tail -n 40 nightly.log
    rm -f nightly.log
    return 1
}

references() {
    build-nightly/tests/test_reference sobol_scrambled paths 2^18 && build-nightly/tests/test_reference philox paths 2^18
}

calibration() {
    build-nightly/tests/test_calibrate sets 100 && build-nightly/tests/test_calibrate noise 1000 &&
        python3 configs/smile/local_volatility.py quotes | diff - configs/smile/quotes.csv
}

coverage() { python3 tests/coverage.py build-nightly/levy && python3 tests/coverage_steps.py build-nightly/levy; }

valgrind() { LEVY_VALGRIND_FULL=1 LEVY=build-nightly/levy tests/test_valgrind.sh; }

nvrtc() {
    local cache code=0
    cache=$(mktemp -d) || return 1
    if ! build-nightly/levy kernels build --arch sm_90 --cache-dir "$cache" configs/european.yaml > "$cache/log" 2>&1; then
        echo "skipped: $(head -n 1 "$cache/log")"
        rm -rf "$cache"
        return 77
    fi
    # shellcheck disable=SC2016
    printf '%s\0' configs/*.yaml configs/payoffs/*.yaml | xargs -0 -P "$(levy_jobs)" -I EXAMPLE bash -c 'for arch in sm_80 sm_90; do
        build-nightly/levy kernels build --arch $arch --cache-dir "$0" "$1" > "$0/log.$$" 2>&1 || { echo "$1, $arch:"; cat "$0/log.$$"; exit 1; }
    done' "$cache" EXAMPLE || code=1
    rm -rf "$cache"
    return "$code"
}

compilers() {
    (cd build-nightly && ctest --output-on-failure --timeout 14400 -j "$(levy_jobs)" -L compiler --no-tests=error)
}

numbers() { # the jobs dealt out to all processors
    seq 1 "$(levy_jobs)" | xargs -P "$(levy_jobs)" -I PART python3 tests/each_number.py build-nightly/levy "$(levy_jobs)" PART
}

generated() { # a range of seeds for each processor
    local day=$(($(date +%s) / 86400)) jobs seed each
    jobs=$(levy_jobs)
    seed=${LEVY_NIGHT_SEED:-$((day * 1000000))}
    each=$(((${LEVY_NIGHT_GENERATED:-10000} + jobs - 1) / jobs))
    # shellcheck disable=SC2016
    seq "$seed" "$each" $((seed + (jobs - 1) * each)) | xargs -P "$jobs" -I SEED bash -c 'code=0
        build-nightly/tests/test_generated_scripts SEED "$0" || code=1
        build-nightly/tests/test_generated_books SEED $(($0 / 5)) || code=1
        [ ! -x build-nightly/tests/test_cuda_emulated ] || build-nightly/tests/test_cuda_emulated generated SEED $(($0 / 50)) || code=1
        python3 tests/generated/oracle.py build-nightly/levy build-nightly/tests/test_generated_scripts SEED "$0" || [ $? -eq 77 ] || code=1
        exit $code' "$each"
}

python() ( # in an environment of its own
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    python3 -m venv "$work/venv" > "$work/log" 2>&1 || { echo "skipped: no virtual environments: $(head -n 1 "$work/log")"; exit 77; }
    "$work/venv/bin/pip" install -q numpy pandas polars pyarrow joblib dask distributed pyyaml matplotlib mypy nbclient nbformat ipykernel jsonschema > "$work/log" 2>&1 ||
        { echo "skipped: pip cannot get what the tests use: $(tail -n 1 "$work/log")"; exit 77; }
    export PATH=$work/venv/bin:$PATH LEVY_LIBRARY_DIR=$levy_root/build-nightly/lib LEVY_BINARY_DIR=$levy_root/build-nightly
    for name in python python_types other_yaml; do # what is skipped here would never run
        bash "tests/test_$name.sh" || exit 1
    done
    python3 tests/desk/oracle.py 2^17 tests/desk/prices.yaml || exit 1
    build-nightly/tests/test_mutants json 20000 | "$work/venv/bin/python" tests/mutants/validate.py configs/levy.schema.json
)

mpi() {
    levy_want mpirun.openmpi openmpi-bin libopenmpi-dev
    levy_want mpirun.mpich mpich libmpich-dev
    (cd build-nightly && ctest --output-on-failure -R '^test_(mpi|parts)\.sh$' --no-tests=error) || return 1
    if ! command -v mpirun.openmpi > /dev/null || ! command -v mpirun.mpich > /dev/null; then
        echo "skipped: no Open MPI, or no MPICH"
        return 77
    fi
}

sanitizers() { # without clang those of gcc
    local compiler=gcc options=(-DCMAKE_BUILD_TYPE=Debug -DLEVY_TEST_FULL=ON) jobs status=0
    if levy_sanitizes clang; then compiler=clang; fi
    jobs=$(levy_jobs)
    options+=("-DCMAKE_C_COMPILER=$(command -v "$compiler")")
    { build build-nightly-asan "${options[@]}" -DLEVY_SANITIZE=address,undefined &&
        (cd build-nightly-asan && ctest --output-on-failure -j "$jobs" -LE compiler); } || status=1
    { build build-nightly-tsan "${options[@]}" -DLEVY_SANITIZE=thread &&
        (cd build-nightly-tsan && ctest --output-on-failure -j "$jobs" -L threads -LE compiler); } || status=1
    return "$status"
}

mutants() { python3 tests/mutate_code.py build-nightly-mutants --jobs "$(levy_jobs)"; }

kills() {
    bench/kill_resume.sh build-nightly 1000 "${LEVY_NIGHT_KILLS:-1000}" && bench/kill_parts.sh build-nightly 2000 "${LEVY_NIGHT_PART_KILLS:-20}"
}

builds() {
    local name code=0
    for name in wheel subproject; do
        LEVY_TEST_FULL=1 LEVY_BINARY_DIR="$levy_root/build-nightly" bash "tests/test_$name.sh" || code=$?
    done
    return "$code"
}

fuzz() {
    levy_sanitizes clang || { echo "skipped: no clang with its sanitizers"; return 77; }
    build build-nightly-fuzz -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_COMPILER=$(command -v clang)" -DLEVY_SANITIZE=address,undefined -DLEVY_FUZZ=ON &&
        tests/fuzz.sh build-nightly-fuzz "${LEVY_NIGHT_FUZZ:-7200}" build-nightly-fuzz/found
}

[ -z "$builds" ] || build build-nightly -DCMAKE_BUILD_TYPE=Release -DLEVY_TEST_FULL=ON "-DCMAKE_C_COMPILER=$(command -v "${CC:-gcc}")" || exit 1
failed=0 lines=()
for name in "${steps[@]}"; do
    case $name in
    references | nvrtc | compilers | numbers | generated | python | mpi | sanitizers | valgrind | fuzz | mutants | coverage) command=("$name") ;;
    lines) command=(tests/lines.sh build-nightly-lines) ;;
    nvcc) command=(tests/nvcc.sh build-nightly all) ;;
    kills | builds) command=("$name") ;;
    bare) command=(tests/bare_system.sh) ;;
    packages) command=(tests/bare_packages.sh) ;;
    documents | release) command=(tests/bare_packages.sh "$name") ;;
    doxygen) command=(tests/doxygen.sh) ;;
    esac
    levy_say "$name"
    code=0 start=$SECONDS verdict=passed
    "${command[@]}" </dev/null || code=$?
    if [ "$code" -eq 77 ]; then
        verdict=skipped
    elif [ "$code" -ne 0 ]; then
        verdict=FAILED failed=1
    fi
    lines+=("$(printf '%6d s  %-8s %s' $((SECONDS - start)) "$verdict" "$name")")
done
printf '%s\n' "${lines[@]}"
exit $failed
