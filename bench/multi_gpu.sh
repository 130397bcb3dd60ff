#!/bin/bash
# How levy scales over the GPUs of one machine, in one process (--device cuda:0,1,...), and whether its bits stay.
#
#     bench/multi_gpu.sh BUILD OUTPUT [STEP...]   BUILD: a build with the CUDA module, or a copy of its bin, lib and libexec; OUTPUT: for
#                                                 rows and reports
#     GPUS="1 2 4"                                how many; more than there are is left out
#     SINGLE=2^36 DOUBLE=2^34 REPEAT=1            paths of the prices, and runs of each row behind the first
#     PATHS="2^12 2^16"                           paths a trade of the book
#     BITS=2^24                                   paths of the prices whose reports are compared
#
# Steps, each under two minutes on an H200: bits, asian_f32, asian_f64, basket_f32, basket_f64, book; all where none is named. `bits`
# compares reports (--no-times), byte for byte without the names of devices: several GPUs with one in every precision, and with the
# CPU in double, 2^24 paths each, and a book of 1,000 trades. A row of the others is one living process: its first price, which
# compiles, is not counted.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
usage="usage: bench/multi_gpu.sh BUILD OUTPUT [bits] [asian_f32] [asian_f64] [basket_f32] [basket_f64] [book]"
build=$(cd "${1:?$usage}" && pwd) || exit 1
mkdir -p "${2:?$usage}" && output=$(cd "$2" && pwd) || exit 1
shift 2
steps=${*:-bits asian_f32 asian_f64 basket_f32 basket_f64 book}
single=${SINGLE:-2^36} double=${DOUBLE:-2^34} repeat=${REPEAT:-1}
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/kernels"
export LEVY_MODULE_DIR=$build/lib/levy LEVY_CACHE_DIR=$work/kernels
[ -e "$LEVY_MODULE_DIR/liblevy-cuda.so" ] || export LEVY_MODULE_DIR=$build/lib
export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
levy=$build/bin/levy

"$levy" devices | tee "$output/devices.txt"
there=$(grep -c '^cuda:[0-9]' "$output/devices.txt")
[ "$there" -ge 1 ] || { echo "no usable GPU"; exit 1; }
counts=""
for n in ${GPUS:-1 2 4}; do [ "$n" -le "$there" ] && counts="$counts $n"; done

say() { echo "== $1 ($SECONDS s)"; }

# The name of the first N GPUs: cuda:0, cuda:0,1, ...
first() { echo "cuda:$(seq -s, 0 $(($1 - 1)))"; }

# A report's numbers: what names a device or says why it was chosen is left out.
numbers() {
    sed -E 's/"(device|device_reason|backend|isa|threads)": ("([^"\\]|\\.)*"|[0-9]+|null)/"\1": ""/g' "$1"
}

# same NAME A B: two reports have the same numbers.
same() {
    if cmp -s <(numbers "$2") <(numbers "$3"); then
        echo "  same bits: $1"
    else
        echo "  DIFFERENT: $1 ($2, $3)"
        failed=1
    fi
}

# report FILE DEVICE NAME OPTION...: a report, and how long the process took.
report() {
    local file=$1 device=$2 name=$3 start
    shift 3
    start=$(date +%s.%N)
    "$levy" price "$file" --device "$device" --no-times --json "$@" > "$output/$name.json" 2> "$output/$name.err" ||
        { echo "  FAILED: $name"; tail -n 3 "$output/$name.err"; failed=1; }
    [ -s "$output/$name.err" ] && sed 's/^/  /' "$output/$name.err"
    awk -v a="$start" -v b="$(date +%s.%N)" -v n="$name" 'BEGIN { printf "  %-28s %.2f s\n", n, b - a }'
}

bits_of() { # NAME FILE OPTION...
    local name=$1 file=$2 n
    shift 2
    report "$file" "$(first 1)" "$name-1" "$@"
    for n in $counts all; do
        [ "$n" = 1 ] && continue
        if [ "$n" = all ]; then report "$file" cuda:all "$name-all" "$@"; else report "$file" "$(first "$n")" "$name-$n" "$@"; fi
        same "$name, 1 and $n GPUs" "$output/$name-1.json" "$output/$name-$n.json"
    done
}

bits() {
    local row precision
    python3 bench/make_book.py 1000 > "$work/book.yaml"
    for row in asian64_f64 basket8_f64; do
        "$levy" bench --show "$row" > "$work/$row.yaml"
        for precision in double single mixed; do
            bits_of "$row-$precision" "$work/$row.yaml" --paths "${BITS:-2^24}" -s simulation.precision="$precision"
        done
        report "$work/$row.yaml" cpu "$row-cpu" --paths "${BITS:-2^24}" -s simulation.precision=double
        same "$row in double, CPU and GPU" "$output/$row-cpu.json" "$output/$row-double-1.json"
    done
    bits_of book "$work/book.yaml" --paths 2^12
    report "$work/book.yaml" cpu book-cpu --paths 2^12
    same "a book in double, CPU and GPU" "$output/book-cpu.json" "$output/book-1.json"
}

# scale ROW PATHS: kernel and wall time on 1, 2, 4 GPUs, and the gain by the wall.
scale() {
    local n wall one="" kernel value
    printf '  %-14s %6s %14s %14s %16s %8s\n' row GPUs "kernel, ms" "wall, ms" value gain
    for n in $counts; do
        "$levy" bench --only "$1" --paths "$2" --repeat "$repeat" --device "$(first "$n")" -f json -o "$output/$1-$2-$n.json" -q ||
            { echo "  FAILED: $1 on $n"; failed=1; continue; }
        kernel=$(sed -n 's/.*"kernel_ms": \([^,}]*\).*/\1/p' "$output/$1-$2-$n.json")
        wall=$(sed -n 's/.*"wall_ms": \([^,}]*\).*/\1/p' "$output/$1-$2-$n.json")
        value=$(sed -n 's/.*"value": \([^,}]*\).*/\1/p' "$output/$1-$2-$n.json")
        [ -n "$one" ] || one=$wall
        awk -v r="$1" -v n="$n" -v k="$kernel" -v w="$wall" -v v="$value" -v o="$one" \
            'BEGIN { printf "  %-14s %6d %14s %14s %16s %8.3f\n", r, n, k, w, v, o / w }'
    done
}

book() {
    local paths
    for paths in ${PATHS:-2^12 2^16}; do
        echo "  10,000 trades of $paths paths; value: trades/s"
        scale book10k "$paths"
    done
}

for step in $steps; do
    say "$step"
    case $step in
        bits) bits ;;
        asian_f32) scale asian64_f32 "$single" ;;
        asian_f64) scale asian64_f64 "$double" ;;
        basket_f32) scale basket8_f32 "$single" ;;
        basket_f64) scale basket8_f64 "$double" ;;
        book) book ;;
        *) echo "$usage"; exit 2 ;;
    esac
done
say "done"
exit "$failed"
