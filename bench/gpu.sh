#!/bin/bash
# Everything that needs a GPU, in one call: the contract suite against the CPU's bits, compute-sanitizer over kernels of the
# examples, books by a seed on both devices, and the benchmark's rows beside its peers. Kernels and peers are compiled ahead, on all processors.
#
#     bench/gpu.sh BUILD OUTPUT [STEP...]      BUILD: a build with the CUDA module and the tests, or a copy of its bin, lib, libexec and
#                                              tests; OUTPUT: for rows and logs
#     WITHOUT=torch,jax                        peers to leave out (those two compile for a minute)
#     REPEATS=5 LIMIT=600                      of the rows; seconds after which what is measured is written
#     ROWS=f32                                 rows to profile, a pattern
#     SEED=1 BOOKS=100                         of the generated books, and as many scripts
#
# Steps: contract, sanitizer, generated, bench, profile; all where none is named. The rows are OUTPUT/h200.json; profile writes what ncu sees of
# each row's kernel to OUTPUT/profile.csv.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
usage="usage: bench/gpu.sh BUILD OUTPUT [contract] [sanitizer] [generated] [bench] [profile]"
build=$(cd "${1:?$usage}" && pwd) || exit 1
mkdir -p "${2:?$usage}" && output=$(cd "$2" && pwd) || exit 1
shift 2
steps=" ${*:-contract sanitizer generated bench profile} "
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/kernels"
export LEVY_TEST_ROOT=$PWD LEVY_MODULE_DIR=$build/lib/levy LEVY_TEST_MODULE_DIR=$build/lib/levy LEVY_CACHE_DIR=$work/kernels LEVY_PEER_BUILD=${LEVY_PEER_BUILD:-$work/peers}
export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
levy=$build/bin/levy # not a copy beside bin: levy finds libexec/levy/levy-bench by where it lies
[ -x "$levy" ] || levy=$build/levy
export LEVY_BENCH_PROGRAM=$levy # programs of rows may stand in BUILD, compiled elsewhere
examples="quickstart asian basket8 dividends merton shocks regime_switching regime_attraction asian:single basket8:mixed european:single greeks:single payoffs/phoenix:single payoffs/phoenix smoothing:single between_dates width:single" # in single, mixed: normals looked up or held
examples="$examples heston heston:single bermudan rights quanto currencies bates64_f32 bates64_f64 heston64_simulated_f32 asian64_pca_f32 basket8_pca_f64 merton1_f32 kou1_f64 greeks5_asian64_f32 asian252_pca_f32 basket8_pca_f32 basket64_f32 basket32_f32 basket100_f32 basket64_f64 basket100_f64 vega8_64_f32 vega8_64_f64 greeks5_european1_f64" # problems of rows

asked() { case $steps in *" $1 "*) return 0 ;; esac; return 1; }
say() { echo "== $1 ($SECONDS s)"; }

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null || true
architecture=$("$levy" devices --format json | sed -n 's/.*"architecture": "\(sm_[0-9]*\)".*/\1/p' | head -n 1)
[ -n "$architecture" ] || { echo "no usable GPU"; "$levy" devices; exit 1; }
if asked bench || asked profile; then "$levy" bench --list > /dev/null || exit 1; fi # it says what is missing

# ---- Ahead: kernels and peers ----

parts=$(nproc)
if asked contract; then
    for ((k = 0; k < parts; ++k)); do
        "$build/tests/test_contract" kernels "$architecture" "$k/$parts" > "$work/part$k.log" 2>&1 &
    done
    wait
    for ((k = 0; k < parts; ++k)); do grep -q FAILED "$work/part$k.log" && { failed=1; tail -n 5 "$work/part$k.log"; }; done
fi
if asked bench; then
    bench/peers/build.sh "$LEVY_PEER_BUILD" > "$output/peers-build.log" 2>&1 || { failed=1; tail -n 20 "$output/peers-build.log"; }
fi
if asked bench || asked profile; then
    rows=$("$levy" bench --list | cut -d' ' -f1)
    for row in $rows; do
        "$levy" bench --show "$row" > "$work/$row.yaml"
        echo "$work/$row.yaml"
    done | xargs -P "$parts" -n 1 "$levy" kernels build --arch "$architecture" > "$output/kernels.log" 2>&1 || failed=1
fi
say "$("$levy" kernels list | wc -l) kernels and the peers are compiled"

# ---- The contract ----

if asked contract; then
    "$build/tests/test_contract" cuda > "$output/contract.log" 2>&1 || failed=1
    "$build/tests/test_record" cuda >> "$output/contract.log" 2>&1 || failed=1
    "$build/tests/test_stage" cuda >> "$output/contract.log" 2>&1 || failed=1
    "$build/tests/test_stage_exercise" cuda >> "$output/contract.log" 2>&1 || failed=1
    grep -E "tests|PASSED|FAILED" "$output/contract.log"
    say "contract"
fi

# ---- compute-sanitizer ----

example() { # NAME or NAME:PRECISION, and what to run it under
    local name=${1%:*} precision=double measures=price,delta paths=2^14
    if [ ! -r "configs/$name.yaml" ]; then # a row
        shift
        case $name in basket64* | basket100* | vega8*) paths=2^12 ;; esac
        "$@" "$levy" price "$work/$name.yaml" --device cuda --progress none --set "simulation.paths=$paths"
        return
    fi
    case $1 in *:*) precision=${1#*:} ;; esac
    case $1 in basket8*) measures=price,delta,vega ;; smoothing*) paths=2^9 measures=price ;; esac # markets that move one asset each; ten trades of segments
    shift
    "$@" "$levy" price "configs/$name.yaml" --device cuda --progress none --set "simulation.paths=$paths" --set "simulation.precision=$precision" --measures "$measures"
}
sanitize() { # TOOL
    local file log=$work/sanitizer-$1.log
    for file in $examples; do
        example "$file" compute-sanitizer --tool "$1" --error-exitcode 9 || return 1
    done > "$log" 2>&1
}
if asked sanitizer; then
    for file in $examples; do
        [ -r "configs/${file%:*}.yaml" ] || "$levy" bench --show "$file" > "$work/$file.yaml"
        example "$file" > "$work/${file//\//-}.log" 2>&1 &
    done
    wait
    pids=()
    for tool in memcheck racecheck initcheck synccheck; do
        sanitize "$tool" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
    tail -n +1 "$work"/sanitizer-*.log > "$output/sanitizer.log"
    grep -E "ERROR SUMMARY|RACECHECK SUMMARY" "$work"/sanitizer-*.log | sed "s|^$work/||" | sort | uniq -c
    say "sanitizer"
fi

# ---- Books by a seed, in double: all that a GPU says is what a CPU says ----

# shellcheck disable=SC2317 # xargs calls it
both() { # FILE
    local of=${1%.yaml} device
    for device in cpu cuda; do
        timeout 120 "$levy" price "$1" --device "$device" --threads 1 --progress none --json --set simulation.paths=2^12 2> "$of.$device.log" |
            sed -E '/^\{"run"/d; s/"(seconds|backend|device)": ("[^"]*"|[^,}]*)//g' > "$of.$device"
    done
    [ -s "$of.cpu" ] && cmp -s "$of.cpu" "$of.cuda" && echo same && return
    echo "differs: $(basename "$of") $(diff "$of.cpu" "$of.cuda" | head -n 4 | cut -c1-200 | tr '\n' ' ') $(grep -h error "$of.cuda.log" | head -n 2)"
}
if asked generated; then
    mkdir "$work/generated"
    for kind in books scripts; do # a book and its twin as a script lie in one file
        for ((seed = ${SEED:-1}; seed < ${SEED:-1} + ${BOOKS:-100}; ++seed)); do
            "$build/tests/test_generated_$kind" book "$seed" |
                awk -v of="$work/generated/$kind$seed" 'BEGIN { n = 0 } /^---$/ { ++n; next } { print > (of "_" n ".yaml") }'
        done
    done
    export -f both
    export levy
    find "$work/generated" -name '*.yaml' | sort | xargs -P "$parts" -I{} bash -c 'both {}' > "$output/generated.log"
    grep -v '^same' "$output/generated.log" && failed=1
    say "generated: $(grep -c '^same' "$output/generated.log") books are the same"
fi

# ---- Rows ----

if asked bench; then
    ${LIMIT:+timeout -s INT "$LIMIT"} "$levy" bench --device cuda --peers bench/peers --repeat "${REPEATS:-5}" ${WITHOUT:+--without "$WITHOUT"} --output "$output/h200.json" 2> "$output/bench.log" || failed=1
    grep -E "^levy|skipped" "$output/bench.log"
    sed -n 's/^ {"name": "\([^"]*\)", "value": \([^,]*\), "unit": "\([^"]*\)", "peer": \([^,]*\), "peer_value": \([^,]*\), "ratio": \([^,]*\),.*/\1 \2 \3 against \4 \5: \6/p' "$output/h200.json"
    say "bench"
fi
# ---- What the kernels make of the GPU ----

profile() { # ROW: a line of its name and of what ncu saw of its longest launch, metrics in the order of $metrics
    local paths=2^25
    case $1 in european* | merton1* | kou1* | greeks5_european*) paths=2^31 ;; vega* | greeks10* | basket100* | basket8_2520*) paths=2^20 ;; esac
    "$levy" bench --show "$1" > "$work/profile-$1.yaml"
    ncu --csv --kernel-name regex:levy_simulate --launch-count 4 --metrics "$metrics" "$levy" price "$work/profile-$1.yaml" --device cuda --progress none \
        --set "simulation.paths=$paths" 2> /dev/null | python3 -c '
import csv, sys
wanted = sys.argv[2].split(",")
launches = {}
for line in csv.DictReader(x for x in sys.stdin if x.startswith("\"")):
    launches.setdefault(line["ID"], {})[line["Metric Name"]] = line["Metric Value"].replace(",", "")
longest = max(launches.values(), key=lambda seen: float(seen[wanted[0]]), default=None)
if longest is None: sys.exit(sys.argv[1] + ": ncu saw no launch of its kernel")
print(sys.argv[1], *(longest[name] for name in wanted), sep=",")' "$1" "$metrics" || failed=1
}
if asked profile; then
    metrics=gpu__time_duration.sum names=nanoseconds
    metric() { metrics=$metrics,$1 names=$names,$2; }
    stall() { metric "smsp__average_warps_issue_stalled_$1_per_issue_active.ratio" "$2"; }
    metric l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed "shared and L1 wavefronts %"
    metric launch__registers_per_thread registers
    metric sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active "double unit %"
    metric sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active "special functions %"
    metric sm__inst_issued.avg.pct_of_peak_sustained_active "issue slots %"
    metric sm__warps_active.avg.pct_of_peak_sustained_active "occupancy %"
    metric smsp__inst_executed.sum "instructions of warps"
    metric l1tex__t_sector_hit_rate.pct "L1 hits %"
    stall long_scoreboard "stalled on global and local memory"
    stall short_scoreboard "on shared memory and special functions"
    stall wait "on the instruction before"
    stall math_pipe_throttle "on a unit"
    stall mio_throttle "on the queue to shared memory"
    stall lg_throttle "on the queue to global memory"
    stall imc_miss "on constants"
    stall no_instruction "on instructions"
    {
        echo "# The longest of the first launches of each row's kernel under ncu. Times at ncu's own clock; stalls: cycles of a warp per issue."
        echo "row,$names"
        for row in $("$levy" bench --list | grep -v "_cpu\|process\|quickstart\|book10k" | grep "${ROWS:-.}" | cut -d' ' -f1); do profile "$row"; done
    } > "$output/profile.csv"
    say "profile"
fi
exit $failed
