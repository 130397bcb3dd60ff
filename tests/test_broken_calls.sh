#!/bin/bash
# test_broken_calls.sh: file systems that answer nonsense: writes that take nothing, calls that are interrupted for ever, locks
# that do not exist. Nothing loops, an old output stays as it was, and what cannot be had is said. The calls are made to fail by
# tests/preload/failing_calls.c. Environment: LEVY, CC (set by ctest).
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
levy=${LEVY:?the program to test} cc=${CC:-cc}
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then echo "skipped: a preloaded library does not go with ${LEVY_LINK_FLAGS}"; exit 77; fi
work=$(mktemp -d "${TMPDIR:-/tmp}/levy-broken-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
"$cc" ${LEVY_SYSROOT:+"--sysroot=$LEVY_SYSROOT"} -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -shared -fPIC \
    "$root/tests/preload/failing_calls.c" -o preload.so -ldl

cat > market.yaml << 'YAML'
curves: {USD: 0.05}
assets: {A: {currency: USD, spot: 100, volatility: 0.2}}
YAML
cat > book.yaml << 'YAML'
schema_version: 1
market: market.yaml
models: {m: {kind: black_scholes, assets: [A]}}
trades: [{id: t, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, exercise: {expiry: 1}}]
simulation: {paths: 2^8}
YAML
price=("$levy" price book.yaml --device cpu --threads 1 --json --no-times)
"${price[@]}" --output good.json

fail() {
    echo "FAIL: $*"
    cat message
    exit 1
}
broken() { # call, code, exit code, words of the message, command...
    local call=$1 answer=$2 expected=$3 words=$4 code=0
    shift 4
    echo old > a.json
    rm -f a.journal
    FAIL_CALL=$call FAIL_CODE=$answer LD_PRELOAD=$work/preload.so timeout -k 1 30 "$@" > out 2> message < book.yaml || code=$?
    [ "$code" -eq "$expected" ] || fail "$call that answers $answer: exit code $code, not $expected, of: $*"
    grep -qF -- "$words" message || fail "$call that answers $answer: no '$words' from: $*"
}
interrupted=4 nolocks=37 # EINTR, ENOLCK on Linux

for answer in zero $interrupted; do
    echo "-- write: $answer"
    broken write "$answer" 7 "cannot write a.json: Input/output error" "${price[@]}" --output a.json
    [ "$(cat a.json)" = old ] || fail "the old output was touched"
    broken write "$answer" 7 "cannot write standard output: Input/output error" "${price[@]}"
    broken write "$answer" 7 "a.journal: error: cannot write to the journal: Input/output error" "${price[@]}" --journal a.journal
done
[ "$(find . -name '.*' -type f)" = '' ] || fail "a temporary file stays"

echo "-- read: interrupted"
broken read $interrupted 3 "cannot read the file: Input/output error" "${price[@]}"
broken read $interrupted 7 "cannot read standard input: Interrupted system call" "$levy" price - --device cpu

echo "-- no locks"
broken flock $nolocks 0 "warning: the journal cannot be locked: No locks available" "${price[@]}" --journal a.journal --output a.json
cmp good.json a.json
[ "$(wc -l < a.journal)" -eq 2 ] || fail "the journal is not whole"
