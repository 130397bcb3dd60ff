#!/bin/bash
# A book of mixed trades in 4 parts, whose processes are killed (SIGKILL) at random moments and started again: how many of the
# merged reports are byte for byte that of one unbroken run.
#
#     bench/kill_parts.sh BUILD [TRADES] [KILLS]     default 2000 20; BUILD holds levy and its libraries
#
# Each round starts all parts at once, kills one of them, runs all again and merges. Exit code 1: a report differed, a finished
# group was lost, or one was done twice. Needs bash, coreutils, cmp and python3, which writes the book (bench/make_book.py).
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "${1:?usage: kill_parts.sh BUILD [TRADES] [KILLS]}" && pwd -P)
trades=${2:-2000} kills=${3:-20} parts=4
export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

price=("$build/levy" price book.yaml --device cpu --threads 1 --progress none --quiet)
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
groups_of() { cat "$@" 2> /dev/null | grep -o '^{"group": [0-9]*\(, "unit": [0-9]*\)\?' || true; }

python3 "$root/bench/make_book.py" "$trades" > book.yaml
"${price[@]}" --no-times --format json --output one.json
start=$(milliseconds)
for ((k = 1; k <= parts; ++k)); do "${price[@]}" --part "$k/$parts" --journal whole & done
wait
whole=$(($(milliseconds) - start))
"$build/levy" merge whole.* --format json --output whole.json
cmp one.json whole.json
groups=$(groups_of whole.* | wc -l)
echo "book: $trades trades, $groups groups and units in $parts parts, $whole ms"

same=0 hits=0 runs=0
while [ "$hits" -lt "$kills" ]; do
    runs=$((runs + 1))
    if [ "$runs" -gt $((20 * kills)) ]; then echo "only $hits kills met a running program"; exit 1; fi
    rm -f killed.*
    children=()
    for ((k = 1; k <= parts; ++k)); do
        "${price[@]}" --part "$k/$parts" --journal killed &
        children+=($!)
    done
    moment=$(((RANDOM * 32768 + RANDOM) % whole)) victim=$((RANDOM % parts))
    sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
    kill -KILL "${children[$victim]}" 2> /dev/null || true
    code=0
    for ((k = 0; k < parts; ++k)); do
        one=0
        { wait "${children[$k]}" || one=$?; } 2> /dev/null
        if [ "$k" -eq "$victim" ]; then code=$one; fi
    done
    if [ "$code" -ne 137 ]; then continue; fi # it had ended before
    hits=$((hits + 1))
    kept=$(groups_of killed.* | wc -l)
    if "$build/levy" merge killed.* --format json --output early.json 2> message; then # killed after its last group
        cmp one.json early.json
    else
        grep -q 'is not finished\|is missing\|no part\|says of no run yet' message || { cat message; exit 1; }
    fi
    for ((k = 1; k <= parts; ++k)); do "${price[@]}" --part "$k/$parts" --journal killed & done
    wait
    "$build/levy" merge killed.* --format json --output killed.json
    verdict=same
    cmp -s one.json killed.json || verdict="ANOTHER REPORT"
    [ "$(groups_of killed.* | wc -l)" -eq "$groups" ] || verdict="GROUPS LOST OR DONE TWICE"
    if [ "$verdict" = same ]; then same=$((same + 1)); fi
    echo "kill $hits of part $((victim + 1)) after $moment ms: $kept of $groups done; $verdict"
done
echo "$same of $hits merged reports have the bytes of the unbroken run ($(wc -c < one.json) bytes)"
[ "$same" -eq "$hits" ]
