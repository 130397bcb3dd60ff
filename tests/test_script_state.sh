#!/bin/bash
# test_script_state.sh: `state` in place of the past of a script: the value is that of the fixings which lead to the state, bit by
# bit, on dates before the valuation date, on fixings and on the spot of the date itself; what cannot be a state is refused.
# Environment: LEVY, the program.
set -euo pipefail
export LC_ALL=C NO_COLOR=1
levy=${LEVY:?the program to test}
work=$(mktemp -d "${TMPDIR:-/tmp}/levy state XXXXXX")
trap 'rm -rf "$work"' EXIT
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
# The fixings of A and B, if any, and the payoff.
book() { # fixings of A, of B, underlyings, payoff
    cat << EOF
schema_version: 1
valuation_date: 2026-06-01
market:
  curves: {USD: 0.05}
  assets:
    A: {currency: USD, spot: 100, volatility: 0.25$1}
    B: {currency: USD, spot: 50, volatility: 0.35$2}
  correlations: {pairs: [[A.spot, B.spot, 0.4]]}
models: {equity: {kind: black_scholes, assets: [A, B]}}
trades:
  - id: t
    underlyings: $3
    quantity: 1
    payoff: {$4}
    exercise: {style: european, expiry: 2026-12-01}
    payment_date: 2026-12-03
simulation: {paths: 2^12, seed: 7}
measures: [price, delta, cash_flows]
EOF
}
a=', fixings: [[2026-03-02, 101], [2026-04-01, 97], [2026-05-01, 99.5]'
b=', fixings: [[2026-03-02, 33], [2026-04-01, 30], [2026-05-01, 34]'
dates='[2026-03-02, 2026-04-01, 2026-05-01, 2026-06-01, 2026-07-01, 2026-09-01]'
# A trade on fixings and on the state that they lead to.
alike() { # name, underlyings, payoff without the state, the state
    local smoothing today
    for today in no yes; do
        local more=']' today_only='' today_b=''
        if [ $today = yes ]; then
            book "$a, [2026-06-01, 102]]" "$b, [2026-06-01, 36]]" "$2" "$3" > fixed.yaml
            today_only=', fixings: [[2026-06-01, 102]]' today_b=', fixings: [[2026-06-01, 36]]'
        else
            book "$a$more" "$b$more" "$2" "$3" > fixed.yaml
        fi
        book "$today_only" "$today_b" "$2" "$3, $4" > state.yaml
        for smoothing in none auto; do
            ends 0 "" "$levy" price fixed.yaml --device cpu --threads 1 --set "simulation.smoothing=$smoothing" --wide --format csv --columns id,price,std_error,delta,cash_flows --output fixed.csv
            ends 0 "" "$levy" price state.yaml --device cpu --threads 1 --set "simulation.smoothing=$smoothing" --wide --format csv --columns id,price,std_error,delta,cash_flows --output state.csv
            cmp fixed.csv state.csv || { cat fixed.csv state.csv; fail "$1: fixings and state differ (today: $today, smoothing: $smoothing)"; }
        done
    done
    # and the state matters, or the fixings do
    book "" "" "$2" "$3" > none.yaml
    ends 3 "past fixings are missing" "$levy" validate none.yaml
}
alike accumulator '[A]' "kind: accumulator, observations: $dates, strike: 92, knock_out: 115" 'state: {}'
alike tarf '[A]' "kind: tarf, observations: $dates, strike: 98, target: 12" 'state: {gained: 4.5}'
alike phoenix '[A, B]' "kind: phoenix, observations: $dates, knock_in: $dates, coupon: 0.02, coupon_barrier: 0.7, call_barrier: 1.5, knock_in_barrier: 0.65, initial_fixing: [100, 50]" 'state: {due: 0.06, hit: 1}'
alike list '[A, B]' "kind: script, schedules: {d: $dates}, script: \"var low[] = 1e9; at d { low = min(low, levels) }; at expiry { pay sum(low) }\"" 'state: {low: [97, 30]}'
alike unpaid '[A]' "kind: script, schedules: {d: $dates}, script: \"var n = 0; at d { if level > 98 { pay 2 at expiry }; n += 1 }; at expiry { pay n }\"" 'state: {n: 3}, unpaid: 4'
# one number for all assets
book "" "" '[A, B]' "kind: script, schedules: {d: $dates}, state: {low: 40}, script: \"var low[] = 1e9; at d { low = min(low, levels) }; at expiry { pay sum(low) }\"" > one.yaml
book "" "" '[A, B]' "kind: script, schedules: {d: $dates}, state: {low: [40, 40]}, script: \"var low[] = 1e9; at d { low = min(low, levels) }; at expiry { pay sum(low) }\"" > both.yaml
ends 0 "" "$levy" price one.yaml --format csv --columns id,price,std_error --output one.csv
ends 0 "" "$levy" price both.yaml --format csv --columns id,price,std_error --output both.csv
cmp one.csv both.csv || fail "one number is not that of all assets"

echo "-- faults"
tarf="kind: tarf, observations: $dates, strike: 98, target: 12"
bad() { # words, hint, underlyings, payoff
    book "" "" "$3" "$4" > bad.yaml
    ends 3 "$1" "$levy" validate bad.yaml
    grep -qF -- "$2" message || { cat message; fail "no hint '$2'"; }
}
bad "trades[0].payoff.state.gaind: the script has no variable 'gaind'; did you mean 'gained'?" "hint: Write state: {gained: 0}, for example." '[A]' "$tarf, state: {gaind: 1}"
bad "trades[0].payoff.state: says nothing of the variable 'gained'" "hint: Write state: {gained: 0}, for example." '[A]' "$tarf, state: {}"
bad "trades[0].payoff.state.gained: the variable 'gained' is one number; got a list" "gained: 0" '[A]' "$tarf, state: {gained: [1, 2]}"
bad "trades[0].payoff.state.gained: expected a number; got much" "gained: 0" '[A]' "$tarf, state: {gained: much}"
bad "trades[0].payoff.state.gained: must be in [-1e15, 1e15]; got 1e16" "hint:" '[A]' "$tarf, state: {gained: 1e16}"
bad "trades[0].payoff.state: must be a map of variables; got 4.5" "gained: 0" '[A]' "$tarf, state: 4.5"
bad "trades[0].payoff.unpaid: is only allowed with state" "hint: Remove it, or add state" '[A]' "$tarf, unpaid: 4.5"
bad "trades[0].payoff.state.low: 'low' has 3 numbers, but there are 2 underlyings" "hint: Give a number for each underlying." '[A, B]' "kind: script, schedules: {d: $dates}, state: {low: [1, 2, 3]}, script: \"var low[] = 1e9; at d { low = min(low, levels) }; at expiry { pay sum(low) }\""
echo "states behave as fixings"
