#!/bin/bash
# What parts cost on one host: a book that takes a minute or two, by one process of T threads, and by T processes of one thread
# that price its parts, with the merge. Wall and processor seconds of each round, and the medians. On a machine that others use,
# only the processor seconds say much.
#
#     bench/part_costs.sh BUILD [TRADES] [PATHS] [T] [ROUNDS]     default 1500 2^18 2 3; BUILD holds levy and its libraries
#
# Exit code 1: a merged report is not that of the one run. Needs bash, coreutils, cmp and python3 (bench/make_book.py). Both ways
# take turns, so that a machine's drift meets both.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "${1:?usage: part_costs.sh BUILD [TRADES] [PATHS] [T] [ROUNDS]}" && pwd -P)
trades=${2:-1500} paths=${3:-2^18} threads=${4:-2} rounds=${5:-3}
export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 "$root/bench/make_book.py" "$trades" > book.yaml
price=("$build/levy" price book.yaml --paths "$paths" --device cpu --progress none --quiet)

in_threads() { "${price[@]}" --threads "$threads" --no-times --format json --output threads.json; }
in_parts() {
    local k children=()
    for ((k = 1; k <= threads; ++k)); do
        "${price[@]}" --threads 1 --part "$k/$threads" --journal parts &
        children+=($!)
    done
    for k in "${children[@]}"; do wait "$k"; done
    "$build/levy" merge parts.*-of-* --quiet --format json --output parts.json
}
measured() { # what: appends wall and processor seconds to its file
    local TIMEFORMAT='%R %U %S'
    { time "in_$1" > /dev/null; } 2>&1 | awk '{ printf "%.2f %.2f\n", $1, $2 + $3 }' >> "$1"
}
median() { cut -d ' ' -f "$2" "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

echo "load before: $(cat /proc/loadavg)"
for ((round = 1; round <= rounds; ++round)); do
    measured threads
    rm -f parts.*-of-*
    measured parts
    cmp <(sed 's/"threads": [0-9]*//' threads.json) <(sed 's/"threads": [0-9]*//' parts.json)
    echo "round $round, wall and processor seconds: one process of $threads threads $(tail -n 1 threads); $threads parts and the merge $(tail -n 1 parts); load $(cut -d ' ' -f 1 /proc/loadavg)"
done
for column in 1 2; do
    awk -v one="$(median threads $column)" -v parts="$(median parts $column)" -v what="$([ $column = 1 ] && echo wall || echo processor)" \
        'BEGIN { printf "medians, %s seconds: %.2f and %.2f: parts cost %+.1f %%\n", what, one, parts, 100 * (parts / one - 1) }'
done
