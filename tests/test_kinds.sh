#!/bin/bash
# test_kinds.sh: kinds of payoffs that files define: they price as the same script does, bit by bit; describe, new, schema and
# CSV know them; journals and parts notice that one has changed; faults name the file, the line and the column; nothing is
# read that was not named. Environment: LEVY, the program.
set -euo pipefail
export LC_ALL=C NO_COLOR=1
levy=${LEVY:?the program to test}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/levy kinds XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
unset LEVY_KINDS
mkdir kinds
cp "$root/configs/kinds/step_note.yaml" kinds/
sed '/^kinds:/d' "$root/configs/kinds/book.yaml" > book.yaml

fail() {
    echo "FAIL: $*"
    if [ -s message ]; then cat message; fi
    exit 1
}
ends() { # expected code, words of the message ("": none), command...
    local expected=$1 words=$2 code=0
    shift 2
    "$@" > out 2> message || code=$?
    [ "$code" -eq "$expected" ] || { cat message; fail "exit code $code, not $expected, of: $*"; }
    if [ -n "$words" ]; then grep -qF -- "$words" message || fail "no '$words' from: $*"; fi
}
price=("$levy" price --device cpu --threads 1 --progress none --no-times)

echo "-- bits"
for smoothing in none auto; do
    ends 0 "" "${price[@]}" book.yaml --kinds kinds --set "simulation.smoothing=$smoothing" --format csv --columns price,std_error,delta --paths 2^12
    [ "$(sed -n 2p out)" = "$(sed -n 3p out)" ] || { cat out; fail "the kind differs from its script, smoothing $smoothing"; }
done
ends 0 "" "${price[@]}" book.yaml --kinds kinds --format json --output folder.json
grep -q '"payoff": "step_note"' folder.json || fail "the report does not name the kind"

echo "-- ways to name it"
cp folder.json wanted.json
for way in "--kinds kinds/step_note.yaml" "--kinds kinds --kinds kinds/step_note.yaml"; do
    # shellcheck disable=SC2086
    ends 0 "" "${price[@]}" book.yaml $way --format csv --columns id,price --output other.csv
    ends 0 "" "${price[@]}" book.yaml --kinds kinds --format csv --columns id,price --output one.csv
    cmp one.csv other.csv || fail "$way prices something else"
done
LEVY_KINDS=kinds ends 0 "" "${price[@]}" book.yaml --format csv --columns id,price --output other.csv
cmp one.csv other.csv || fail "LEVY_KINDS prices something else"
ends 0 "" "${price[@]}" book.yaml kinds/step_note.yaml --format csv --columns id,price --output other.csv
cmp one.csv other.csv || fail "a kind as a source prices something else"
mkdir whole && cp "$root"/configs/kinds/*.yaml whole/
ends 0 "" "${price[@]}" whole/book.yaml --format csv --columns id,price --output other.csv
cmp one.csv other.csv || fail "the key kinds prices something else"
ends 0 "" "${price[@]}" whole --format csv --columns id,price --output other.csv
cmp one.csv other.csv || fail "a folder with kinds prices something else"
ends 0 "" "$levy" validate book.yaml --kinds kinds
grep -qx 'valid: 2 trades' out || fail "not valid"

echo "-- returns in a year"
cat > swap.yaml << 'KIND'
kind: own_swap
description: A variance swap of one's own.
schedules:
  fixings: {description: Dates at which returns end.}
parameters:
  strike: {type: number, description: Strike.}
  per_year: {type: number, unit: returns/year, default: 252, description: Returns in a year.}
example: {fixings: {count: 252}, strike: 0.2}
script: |
  var previous = 1
  var squares = 0
  at fixings {
    squares += log(level / previous)^2 * (per_year / dates)
    previous = level
  }
  at expiry { pay squares - strike^2 }
KIND
sed '/^trades:/,/^simulation:/{/^trades:/!{/^simulation:/!d}}' book.yaml | sed '/^trades:/a\  - {id: swap, underlying: A, payoff: {kind: own_swap, fixings: {count: 12}, strike: 0.2}, exercise: 1}' > swaps.yaml
ends 0 "Write per_year: 12." "$levy" validate swaps.yaml --kinds swap.yaml
sed -i 's/count: 12}/count: 250}/' swaps.yaml
ends 0 "" "$levy" validate swaps.yaml --kinds swap.yaml
[ ! -s message ] || fail "250 returns a year are near 252"

echo "-- nothing that was not named"
cp kinds/step_note.yaml step_note.yaml
ends 3 "trades[0].payoff.kind: unknown kind 'step_note'" "$levy" validate book.yaml
rm step_note.yaml
sed -i '1i kinds: [../kinds/step_note.yaml]' whole/book.yaml && sed -i '/^kinds: \[step/d' whole/book.yaml
ends 3 "leaves the folder with '..'" "$levy" validate whole/book.yaml
ln -s ../kinds/step_note.yaml whole/link.yaml && sed -i 's|^kinds:.*|kinds: [link.yaml]|' whole/book.yaml
rm whole/step_note.yaml
ends 3 "a symbolic link leads 'whole/link.yaml' out of the folder" "$levy" validate whole/book.yaml
ends 0 "" "$levy" validate whole/book.yaml --allow-links
sed 's/^kinds:.*/kinds: [none.yaml]/' whole/book.yaml > whole/second.yaml
ends 3 "whole/second.yaml:1:9: error: kinds[0]: there is no file 'whole/none.yaml'" "$levy" validate whole/second.yaml
ends 3 "cannot open the file" "$levy" validate book.yaml --kinds nowhere
mkdir empty
ends 3 "the folder contains no kinds" "$levy" validate book.yaml --kinds empty
cp book.yaml empty/
ends 3 "unknown key" "$levy" validate book.yaml --kinds empty

echo "-- describe, new, schema, CSV"
ends 0 "" "$levy" describe step_note --kinds kinds
for line in 'payoff step_note' 'barrier .*number | list of number .*required' 'protection .*\[0, 10\] .*0.6' 'watch  *map' 'Example: *{kind: step_note, calls: {count: 4},' 'levels .*percent_of_initial'; do
    grep -q "$line" out || { cat out; fail "describe says no '$line'"; }
done
ends 0 "" "$levy" describe payoff.step_note.settlement --kinds kinds
grep -q 'One of level, floor.' out || { cat out; fail "describe says nothing of a key"; }
ends 0 "" "$levy" describe --kinds kinds
grep -q '^  step_note  *Note on the worst' out || fail "the topics have no kind"
ends 2 "did you mean 'step_note'?" "$levy" describe step_nte --kinds kinds
ends 2 "there is no topic 'step_note'" "$levy" describe step_note
ends 0 "" "$levy" new step_note --kinds kinds
cp out new.yaml
grep -q 'barrier: \[1.0, 0.95, 0.9, 0.85\]' new.yaml || fail "new has no example"
ends 0 "" "$levy" validate new.yaml --kinds kinds
cat > reads.yaml << 'KIND'
kind: reads
description: Pays where the variance is high.
example: {}
script: "at expiry { if level.integrated_variance > 0.05 { pay 1 } }"
KIND
ends 0 "" "$levy" new reads --kinds reads.yaml
cp out new.yaml
ends 0 "" "$levy" validate new.yaml --kinds reads.yaml
ends 0 "" "$levy" schema --kinds kinds
grep -q '"#/definitions/payoff.step_note"' out || fail "the schema has no kind"
ends 0 "" "$levy" schema kind
grep -q '"title": "kind"' out || fail "no schema of a kind"
if command -v python3 > /dev/null; then python3 -m json.tool < out > /dev/null || fail "the schema of a kind is no JSON"; fi
printf '%s\n' 'id,underlyings,notional,payoff.kind,payoff.calls.count,payoff.barrier,payoff.coupon,payoff.settlement,exercise.expiry' \
    'note,[A; B],1000,step_note,4,1.0;0.95;0.9;0.85,0.03,floor,2.0' | sed 's/\[A; B\]/A;B/' > trades.csv
sed '/^trades:/,/^simulation:/{/^simulation:/!d}' book.yaml > market.yaml
ends 0 "" "${price[@]}" trades.csv market.yaml --kinds kinds --format csv --columns id,price --output other.csv
cmp <(sed -n 2p one.csv) <(sed -n 2p other.csv) || fail "the trade of CSV is another"

echo "-- journals and parts"
run=("$levy" price book.yaml --kinds kinds --device cpu --threads 1 --progress none)
ends 0 "" "${run[@]}" --journal j
ends 0 "" "${run[@]}" --journal j --resume
for k in 1 2; do ends 0 "" "${run[@]}" --part "$k/2" --journal p; done
ends 0 "" "$levy" merge p.*-of-2
sed -i 's/0.5 \* settlement/0.25 * settlement/' kinds/step_note.yaml
ends 6 "the input files have changed" "${run[@]}" --journal j --resume
ends 6 "the input files have changed" "$levy" merge p.*-of-2
sed -i 's/0.25 \* settlement/0.5 * settlement/' kinds/step_note.yaml
ends 0 "" "$levy" merge p.*-of-2
ends 2 "would replace the input kinds/step_note.yaml" "${run[@]}" --output kinds/step_note.yaml --format csv

echo "-- faults"
bad() { # words, sed script
    sed "$2" "$root/configs/kinds/step_note.yaml" > kinds/step_note.yaml
    ends 3 "$1" "$levy" validate book.yaml --kinds kinds
}
bad "kinds/step_note.yaml:29:25: error: script: line 6, column 23: there is no value 'barrir'" 's/barrier\[number\]/barrir[number]/'
grep -qF "did you mean 'barrier'?" message || { cat message; fail "no suggestion"; }
bad "of kind black_scholes carries no variance (kinds/step_note.yaml:" 's/worst(levels) < protection/worst(levels.variance) < protection/'
grep -qF "hint: Models of kind heston and bates have one." message || { cat message; fail "no word of the models that have one"; }
sed 's/black_scholes, assets: \[A, B\]/heston, assets: [A, B], v0: 0.04, theta: 0.04, kappa: 1, xi: 0.5, rho: -0.7/; s/step_note, /step_note, watch: {times: [-0.5, 1]}, /' book.yaml > bad.yaml
ends 3 "payoff.watch: -0.5 is not after the valuation, and the script reads a variance there" "$levy" validate bad.yaml --kinds kinds
grep -q "there (line" message && fail "a place in a text that the trade has not"
bad "kinds/step_note.yaml:3:7: error: kind: 'autocallable' is a kind or a word of levy's own" 's/^kind: .*/kind: autocallable/'
bad "kind: 'market' is a kind or a word of levy's own" 's/^kind: .*/kind: market/'
bad "kind: the name of a kind has letters, digits and _; got 'my.note'" 's/^kind: .*/kind: my.note/'
bad "trades[0].payoff.kind: unknown kind 'step_note'; did you mean 'step_notes'?" 's/^kind: .*/kind: step_notes/'
bad "error: parameters.worst: 'worst' is a function" 's/^  protection:/  worst:/'
bad "error: parameters.calls: 'calls' is a schedule and a parameter" 's/^  protection:/  calls:/'
bad "error: parameters.coupon.range: a range is [lowest, highest]" 's/coupon: {range: \[0, 1\]/coupon: {range: [1, 0]/'
bad "kinds/step_note.yaml:17:41: error: parameters.protection: must be <= 10; got 60" 's/default: 0.6/default: 60/'
bad "error: parameters.settlement: a choice needs its words" 's/choices: \[level, floor\], //'
bad "error: parameters.settlement.choices: 'level' occurs twice" 's/choices: \[level, floor\]/choices: [level, floor, level]/'
bad "error: example.coupon: must be <= 1; got 2" 's/coupon: 0.02}/coupon: 2}/'
bad "error: example: missing key 'coupon'" 's/, coupon: 0.02}/}/'
bad "unknown key; did you mean 'parameters'?" 's/^parameters:/paramters:/'
sed 's/default: level/default: "level"/' "$root/configs/kinds/step_note.yaml" > kinds/step_note.yaml
grep -qF 'default: "level"' kinds/step_note.yaml || fail "no default in quotes"
ends 0 "" "$levy" validate book.yaml --kinds kinds
bad "error: parameters.settlement.choices: a choice has at most 256 words" "s/choices: \[level/choices: [$(seq -s ', ' 257 | sed 's/[0-9][0-9]*/w&/g'), level/"
awk 'BEGIN { for (i = 0; i < 257; ++i) printf "  p%d: {default: 1, description: x}\n", i }' > many
bad "error: parameters: a kind has at most 256 parameters" '/^parameters:/r many'
printf 'kind: step_note\ndescription: d\nexample: {}\nscript: "var a = 0\\nat expiry { pay c }"\n' > kinds/step_note.yaml # two lines in one
ends 3 "kinds/step_note.yaml:4:9: error: script: line 2, column 17: there is no value 'c'" "$levy" describe step_note --kinds kinds
numbers=$(awk 'BEGIN { for (i = 0; i < 40000; ++i) printf "0.1, " }') # their text takes no time that grows with its square
printf 'kind: long\ndescription: d\nparameters:\n  p: {type: list, default: [%s0.1], description: x}\nexample: {}\nscript: |\n  at expiry { pay sum(p) }\n' "$numbers" > kinds/step_note.yaml
code=0
timeout 20 "$levy" describe long --kinds kinds > /dev/null 2> message || code=$?
[ "$code" -ne 124 ] || fail "a long list takes quadratic time"
sed 's/at watch {/at watc {/' "$root/configs/kinds/step_note.yaml" > kinds/step_note.yaml
ends 3 "error: script: line 2, column 4: there is no schedule 'watc'; there is calls, watch, expiry" "$levy" describe step_note --kinds kinds
cp "$root/configs/kinds/step_note.yaml" kinds/
sed 's/0.5 \* settlement/0.25 * settlement/' kinds/step_note.yaml > kinds/unlike.yaml
ends 3 "kinds/unlike.yaml:3:7: error: kind: the kind 'step_note' is defined differently at kinds/step_note.yaml:3:1" "$levy" validate book.yaml --kinds kinds
rm kinds/unlike.yaml
sed 's/coupon: 0.03/cupon: 0.03/' book.yaml > bad.yaml
ends 3 "trades[0].payoff.cupon: unknown key; did you mean 'coupon'?" "$levy" validate bad.yaml --kinds kinds
sed 's/0.9, 0.85\], coupon: 0.03,/0.9], coupon: 0.03,/' book.yaml > bad.yaml
ends 3 "trades[0].payoff.barrier: 'barrier' has 3 numbers, but the schedule 'calls' has 4 dates" "$levy" validate bad.yaml --kinds kinds
echo "all kinds behave"
