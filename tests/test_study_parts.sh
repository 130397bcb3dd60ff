#!/bin/bash
# test_study_parts.sh: a study in parts, merged, has the bytes of one run with --no-times in every format, for several numbers of
# parts; a part goes on where it ended, sets of parts that are not the study once are refused by name, and ranks merge. In memory:
# test_part_memory.c. A sanitizer gets a sample. Environment: LEVY, LEVY_LINK_FLAGS (set by ctest).
set -euo pipefail
export LC_ALL=C
levy=${LEVY:?the program to test}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
memory=${TMPDIR:-/tmp}
if [ -d /dev/shm ] && [ -w /dev/shm ]; then memory=/dev/shm; fi
work=$(mktemp -d "$memory/levy studies XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$root"/configs/{geometric_asian,asian,heston,quickstart,tolerance}.yaml "$work"
cd "$work"
fail() {
    echo "FAIL: $*"
    if [ -s message ]; then cat message; fi
    exit 1
}
ends() { # expected code, words of the message ("": none), command...
    local expected=$1 words=$2 code=0
    shift 2
    "$@" > out 2> message || code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code, not $expected, of: $*"
    if [ -n "$words" ]; then grep -qF -- "$words" message || fail "no '$words' from: $*"; fi
}
study() { "$levy" converge "$@" --device cpu --threads 1 --progress none --quiet; }
agrees() { # counts of parts, options of the study
    local counts=$1 n k
    shift
    ends 0 "" study "$@" --no-times --format json --output one.json --csv one.csv --svg one.svg
    for n in $counts; do
        rm -f s.*
        for ((k = 1; k <= n; ++k)); do ends 0 "" study "$@" --part "$k/$n" --journal s; done
        ends 0 "" "$levy" merge s.* --quiet --format json --output merged.json --csv merged.csv --svg merged.svg
        for form in json csv svg; do cmp "one.$form" "merged.$form" || fail "another $form: $n parts of $*"; done
    done
}
few="2 5" size="2^8..2^16 --replicates 8"
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then few=3 size="2^14..2^16 --replicates 2 --methods philox+incremental"; fi

echo "-- bytes"
# shellcheck disable=SC2086
agrees "$few" geometric_asian.yaml --points $size
if [ -z "${LEVY_LINK_FLAGS:-}" ]; then
    agrees 3 quickstart.yaml --coverage 12 --points 2^8 --replicates 4
    agrees "1 12" geometric_asian.yaml --points 2^8..2^17 --replicates 5 --methods sobol_scrambled+bridge,sobol+bridge,philox+incremental
    agrees 3 asian.yaml --points 2^8..2^14 --replicates 4 --measures price,delta # a reference that is simulated
    agrees 3 asian.yaml --points 2^8..2^14 --replicates 4 --precision single
    agrees 3 heston.yaml --steps 4..16 --points 2^8 --replicates 4 --measures price,vega
    agrees 2 tolerance.yaml --coverage 4 --points 2^8 --trade asian-out-of-the-money --set simulation.tolerance.absolute=0.5
fi
ends 0 "" study geometric_asian.yaml --points 2^8..2^12 --no-times --format json
grep -q '"seconds": null' out || fail "--no-times leaves seconds"

echo "-- sets of parts"
price=(study geometric_asian.yaml --points 2^8..2^16 --replicates 2 --methods philox+incremental)
for k in 1 2 3; do ends 0 "" "${price[@]}" --part "$k/3"; done
ends 0 "" "$levy" merge geometric_asian.study.*-of-3 --output merged.txt
"${price[@]}" --no-times | cmp - merged.txt || fail "another table"
ends 6 "error: part 2/3 is missing" "$levy" merge geometric_asian.study.[13]-of-3
cp geometric_asian.study.2-of-3 copy
ends 6 "part 2/3 is there twice: copy and geometric_asian.study.2-of-3" "$levy" merge geometric_asian.study.*-of-3 copy
ends 0 "" "${price[@]}" --part 1/2 --journal other
ends 6 "other.1-of-2:1:1: error: it is one of 2 parts, but geometric_asian.study.1-of-3 is one of 3" "$levy" merge other.1-of-2 geometric_asian.study.*-of-3
ends 0 "" study geometric_asian.yaml --points 2^8..2^15 --replicates 2 --methods philox+incremental --part 3/3 --journal other
ends 6 "other.3-of-3:1:1: error: this part is of another run: the options of the study have changed" "$levy" merge geometric_asian.study.[12]-of-3 other.3-of-3
ends 6 "the options of the study have changed" study geometric_asian.yaml --points 2^8..2^15 --replicates 2 --methods philox+incremental --part 1/3
ends 0 "" "$levy" price geometric_asian.yaml --paths 2^12 --device cpu --progress none --part 1/1 --journal prices
ends 6 "it holds prices, not a study" "$levy" merge geometric_asian.study.1-of-3 prices.1-of-1
ends 6 "it holds a study (levy converge), not prices" "$levy" merge prices.1-of-1 geometric_asian.study.1-of-3
head -n 3 copy | head -c -20 > geometric_asian.study.2-of-3
ends 6 "part 2/3 is not finished: it has" "$levy" merge geometric_asian.study.*-of-3

echo "-- only the rest"
lines() { grep -c '^{"group"' "$1"; }
head -n 4 copy > geometric_asian.study.2-of-3
ends 0 "" "${price[@]}" --part 2/3
[ "$(lines geometric_asian.study.2-of-3)" -eq "$(lines copy)" ] || fail "a simulation was done twice, or is lost"
ends 0 "" "${price[@]}" --part 2/3
[ "$(lines geometric_asian.study.2-of-3)" -eq "$(lines copy)" ] || fail "a finished part was done again"
ends 0 "" "$levy" merge geometric_asian.study.*-of-3 --quiet --format json --output merged.json
"${price[@]}" --no-times --format json | cmp - merged.json || fail "another study after a torn journal"

echo "-- usage"
ends 2 "--part K/N writes a journal, no report" "${price[@]}" --part 1/2 --svg out.svg
ends 2 "--journal goes with --part" "${price[@]}" --journal other
ends 2 "--by, --columns, --wide and --sums are for prices" "$levy" merge geometric_asian.study.*-of-3 --by book
ends 2 "--csv and --svg are for studies" "$levy" merge prices.1-of-1 --svg out.svg
ends 2 "--svg would replace the part" "$levy" merge geometric_asian.study.*-of-3 --svg geometric_asian.study.1-of-3
ends 2 "a study is written as table, csv or json" "$levy" merge geometric_asian.study.*-of-3 --format jsonl

echo "-- ranks"
rank() { env -u SLURM_PROCID -u PMI_RANK -u OMPI_COMM_WORLD_RANK PMI_RANK="$1" PMI_SIZE=2 "$levy" converge geometric_asian.yaml --points 2^8..2^12 \
    --device cpu --threads 1 --progress none --quiet --part env --journal r --svg ranks.svg; }
rank 0 > out &
rank 1 > out2
wait
[ ! -s out2 ] || fail "rank 1 prints"
study geometric_asian.yaml --points 2^8..2^12 --no-times --svg one.svg | cmp - out || fail "ranks: another study"
for option in --output --csv --svg; do
    for part in 1 2; do
        cp r.$part-of-2 kept
        ends 2 "$option would replace the part r.$part-of-2" env PMI_RANK=0 PMI_SIZE=2 "$levy" converge geometric_asian.yaml --points 2^8..2^12 \
            --device cpu --threads 1 --quiet --part env --journal r --format json $option ./r.$part-of-2
        cmp kept r.$part-of-2 || fail "$option has replaced a part"
    done
done
cmp one.svg ranks.svg || fail "ranks: another plot"
echo "passed"
