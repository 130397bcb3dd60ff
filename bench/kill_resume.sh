#!/bin/bash
# A book of mixed trades, killed (SIGKILL) at random moments and resumed: how many of the outputs are byte for byte that of
# the unbroken run, and how many trades a second that run prices.
#
#     bench/kill_resume.sh BUILD [TRADES] [KILLS] [DEVICE]     default 10000 20 cpu; BUILD holds levy and its libraries
#
# Each kill has a journal of its own, kept from one process to the next: the run is killed, its last line may be torn, and
# --resume ends it. Exit code 1: an output differed, a finished group was lost or done twice. Needs bash, coreutils, cmp and
# python3, which writes the book (bench/make_book.py). On a GPU the kernels of the book are compiled first, all processors at
# it, into $LEVY_CACHE_DIR if that is set (some hundred shapes: a cache that was filled elsewhere saves minutes).
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "${1:?usage: kill_resume.sh BUILD [TRADES] [KILLS] [DEVICE]}" && pwd -P)
trades=${2:-10000} kills=${3:-20} device=${4:-cpu}
export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} LEVY_MODULE_DIR=$build/lib/levy
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

price=("$build/levy" price "$work/book.yaml" --device "$device" --progress none --format json)
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
groups_of() { # lines of a journal but its first
    local lines=0
    if [ -e "$1" ]; then lines=$(wc -l < "$1"); fi
    echo $((lines > 0 ? lines - 1 : 0))
}
timed() { # milliseconds of a command
    local start
    start=$(milliseconds)
    "$@"
    echo $(($(milliseconds) - start))
}

python3 "$root/bench/make_book.py" "$trades" > "$work/book.yaml"
if [ "${device#cuda}" != "$device" ]; then
    number=${device#cuda} # ":1", or nothing
    architecture=$("$build/levy" devices --format jsonl |
        python3 -c 'import json, sys; print(next(d["architecture"] for d in map(json.loads, sys.stdin) if d["device"] == "cuda" + sys.argv[1]))' "${number:-:0}")
    start=$(milliseconds)
    "$build/levy" kernels build "$work/book.yaml" --arch "$architecture" ${LEVY_CACHE_DIR:+--cache-dir "$LEVY_CACHE_DIR"} > "$work/kernels"
    spent=$(($(milliseconds) - start))
    echo "kernels: $(grep -c ': compiled in ' "$work/kernels") compiled for $architecture in $spent ms"
fi
"${price[@]}" --no-times --output "$work/first.json"
plain=$(timed "${price[@]}" --no-times --output "$work/plain.json")
whole=$(timed "${price[@]}" --journal "$work/whole.journal" --output "$work/whole.json")
cmp "$work/plain.json" "$work/whole.json"
groups=$(groups_of "$work/whole.journal")
echo "book: $trades trades in $groups groups, device $device"
echo "unbroken: $plain ms, $((trades * 1000 / plain)) trades/s; with a journal: $whole ms, $((trades * 1000 / whole)) trades/s"

same=0 hits=0 runs=0
while [ "$hits" -lt "$kills" ]; do
    runs=$((runs + 1))
    if [ "$runs" -gt $((10 * kills)) ]; then echo "only $hits kills met a running program"; exit 1; fi
    rm -f "$work"/killed.*
    killed=("${price[@]}" --journal "$work/killed.journal" --resume --output "$work/killed.json")
    moment=$(((RANDOM * 32768 + RANDOM) % whole))
    "${killed[@]}" &
    child=$!
    sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
    kill -KILL "$child" 2> /dev/null || true
    code=0
    { wait "$child" || code=$?; } 2> /dev/null
    if [ "$code" -ne 137 ]; then continue; fi # it had ended before
    hits=$((hits + 1))
    kept=$(groups_of "$work/killed.journal")
    if [ -e "$work/killed.journal" ]; then head -n $((kept + 1)) "$work/killed.journal" > "$work/killed.lines"; else : > "$work/killed.lines"; fi
    rest=$(timed "${killed[@]}")
    verdict=same
    cmp -s "$work/whole.json" "$work/killed.json" || verdict="ANOTHER OUTPUT"
    cmp -s -n "$(wc -c < "$work/killed.lines")" "$work/killed.lines" "$work/killed.journal" || verdict="FINISHED GROUPS LOST"
    [ "$(groups_of "$work/killed.journal")" -eq "$groups" ] || verdict="GROUPS DONE TWICE"
    if [ "$verdict" = same ]; then same=$((same + 1)); fi
    echo "kill $hits after $moment ms: $kept of $groups groups done; resumed in $rest ms: $verdict"
done
echo "$same of $hits resumed runs gave the bytes of the unbroken run ($(wc -c < "$work/whole.json") bytes)"
[ "$same" -eq "$hits" ]
