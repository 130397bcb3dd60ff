#!/bin/bash
# test_script_lags.sh: payment_lag of a script's schedule against discounting by hand: dates to come, under a scenario and other
# quotes, dates that have passed and are still to be paid, business days; and what cannot be such a lag. Environment: LEVY, the
# program.
set -euo pipefail
export LC_ALL=C NO_COLOR=1
levy=${LEVY:?the program to test}
work=$(mktemp -d "${TMPDIR:-/tmp}/levy lags XXXXXX")
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
book() { # valuation date or "", fixings, exercise and payment, payoff, more
    printf '%s\n' 'schema_version: 1' ${1:+"valuation_date: $1"} 'market:' '  curves: {USD: 0.05}' \
        "  assets: {A: {currency: USD, spot: 100, volatility: 0.2$2}}" \
        'models: {equity: {kind: black_scholes, assets: [A]}}' 'trades:' '  - id: t' '    underlying: A' '    quantity: 1' \
        "    payoff: {$4}" "    exercise: {style: european, $3" 'simulation: {paths: 2^12, seed: 7}' ${5:+"$5"}
}
# The price of book.yaml is the sum of amounts times exp(-0.05 t), to 1e-12 of it.
worth() { # what, rate, then t:amount...
    local what=$1 rate=$2
    shift 2
    printf '%s\n' "$@" | awk -F: -v rate="$rate" -v got="$(sed -n 2p out.csv | cut -d, -f2)" -v what="$what" '
        { sum += $2 * exp(-rate * $1) }
        END { off = (got - sum) / sum; if (off > 1e-12 || off < -1e-12) { printf "%s: %.15g, by hand %.15g\n", what, got, sum; exit 1 } }' || fail "$what"
}
price=("$levy" price book.yaml --device cpu --threads 1 --format csv --output out.csv)
pay='script: "at d { pay 2 + 0 * level }"'

echo "-- dates to come"
book "" "" 'expiry: 1.0}
    payment_lag: 6M' "kind: script, schedules: {d: {times: [0.5, 1.0], payment_lag: 3M}}, $pay" > book.yaml
ends 0 "" "${price[@]}" --columns id,price
worth "two payments" 0.05 0.75:2 1.25:2
ends 0 "" "${price[@]}" --columns id,price --set USD.rate=0.08
worth "another rate" 0.08 0.75:2 1.25:2
book "" "" 'expiry: 1.0}
    payment_lag: 6M' "kind: script, schedules: {d: {times: [0.5, 1.0], payment_lag: 3M}}, $pay" \
    'scenarios: [{id: up, shifts: [{factor: USD.rate, type: absolute, size: 0.03}]}]' > book.yaml
ends 0 "" "${price[@]}" --columns id,scenario_price
worth "a scenario" 0.08 0.75:2 1.25:2
ends 0 "" "$levy" price book.yaml --device cpu --measures price,cash_flows --format csv
grep -q 'cash_flows:0.75,' out || { cat out; fail "no cash flow on the day of payment"; }
! grep -q 'cash_flows:0.5,' out || fail "a cash flow on the date of the schedule"
# what depends on the level is its forward, discounted from the day of payment
book "" "" 'expiry: 1.0}
    payment_lag: 6M' 'kind: script, schedules: {d: {times: [1.0], payment_lag: 3M}}, script: "at d { pay max(level - 1e-9, 0) }"' > book.yaml
ends 0 "" "${price[@]}" --columns id,price
cp out.csv lagged.csv
book "" "" 'expiry: 1.0}' 'kind: script, schedules: {d: {times: [1.0]}}, script: "at d { pay max(level - 1e-9, 0) }"' > book.yaml
ends 0 "" "${price[@]}" --columns id,price
paste -d, lagged.csv out.csv | awk -F, 'NR == 2 { off = $2 / $4 / exp(-0.05 * 0.25) - 1; exit off > 1e-12 || off < -1e-12 }' || fail "a payment by level"

# paths that are integrated discount alike: the coupon of one date, with and without a lag
for lag in '' ', payment_lag: 3M'; do
    book "" "" 'expiry: 1.0}
    payment_lag: 6M' "kind: script, schedules: {d: {times: [0.5]$lag}}, script: \"at d { if level >= 100 { pay 1 } }\"" 'measures: [price, delta]' > book.yaml
    ends 0 "" "${price[@]}" --columns id,price,delta --set simulation.smoothing=auto
    sed -n 2p out.csv >> both
done
paste -s -d, both | awk -F, '
    { for (k = 2; k <= 3; ++k) { off = $(k + NF / 2) / $k / exp(-0.05 * 0.25) - 1; bad = bad || off > 1e-9 || off < -1e-9 } exit bad }' || fail "integrated paths"

echo "-- dates that have passed"
# a Friday whose payment is on Tuesday, the day after tomorrow is not; the Monday before is paid
fixings=', fixings: [[2026-05-25, 101], [2026-05-29, 99]]'
exercise='expiry: 2026-12-01}
    payment_lag: 5D'
lagged='kind: script, schedules: {d: {times: [2026-05-25, 2026-05-29], payment_lag: 2D, calendars: [WEEKENDS]}}, script: "at d { pay level }"'
book 2026-06-01 "$fixings" "$exercise" "$lagged" > book.yaml
ends 0 "" "${price[@]}" --columns id,price
worth "a payment to come" 0.05 "$(awk 'BEGIN { printf "%.17g", 1 / 365 }'):99"
book 2026-06-02 "$fixings" "$exercise" "$lagged" > book.yaml
ends 0 "" "${price[@]}" --columns id,price
worth "a payment of today" 0.05 0:99
book 2026-06-01 "" "$exercise" "$lagged, state: {}, unpaid: [[2026-06-02, 99]]" > book.yaml
ends 0 "" "${price[@]}" --columns id,price
worth "a state's payment" 0.05 "$(awk 'BEGIN { printf "%.17g", 1 / 365 }'):99"
# observed today at the spot, paid on Wednesday
book 2026-06-01 "" "$exercise" 'kind: script, schedules: {d: {times: [2026-06-01], payment_lag: 2D}}, script: "at d { pay level }"' > book.yaml
ends 0 "" "${price[@]}" --columns id,price
worth "a date of today" 0.05 "$(awk 'BEGIN { printf "%.17g", 2 / 365 }'):100"
# with its fixing too, with a lag of no days as without one
for fixing in "" ", fixings: [[2026-06-01, 100]]"; do
    for lag in "" ", payment_lag: 0D"; do
        book 2026-06-01 "$fixing" 'expiry: 2026-12-01}' "kind: script, schedules: {d: {times: [2026-06-01, 2026-12-01]$lag}}, $pay" > book.yaml
        ends 0 "" "${price[@]}" --columns id,price
        worth "a payment of today${fixing}${lag}" 0.05 0:2 "$(awk 'BEGIN { printf "%.17g", 183 / 365 }'):2"
    done
done
# called today: the redemption is due, the life is over
book 2026-06-01 ", fixings: [[2026-06-01, 101]]" 'expiry: 2026-12-01}' 'kind: autocallable, calls: {times: [2026-06-01, 2026-12-01]}, coupon: 0.02, barrier: 1.0, protection: 0.6, initial_fixing: 100' > book.yaml
ends 0 "" "${price[@]}" --columns id,price
worth "a call of today" 0.05 0:1.02
book 2026-09-01 ", fixings: [[2026-06-01, 101]]" 'expiry: 2026-12-01}' 'kind: autocallable, calls: {times: [2026-06-01, 2026-12-01]}, coupon: 0.02, barrier: 1.0, protection: 0.6, initial_fixing: 100' > book.yaml
ends 0 "" "$levy" price book.yaml --device cpu --measures price,expected_life --format csv
if ! grep -q 'currency,expected_life:years,.*std_error' out || ! sed -n 2p out | tr -d '\r' | grep -q ',0,0$'; then
    cat out
    fail "the life of a note that was called"
fi
# a shipped kind
book 2026-06-01 "" 'expiry: 2027-06-01}
    payment_lag: 2D' 'kind: coupon, coupons: {times: [2026-12-01, 2027-06-01], payment_lag: 2D}, amount: 3' > book.yaml
ends 0 "" "${price[@]}" --columns id,price
worth "coupons" 0.05 "$(awk 'BEGIN { printf "%.17g", 185 / 365 }'):3" "$(awk 'BEGIN { printf "%.17g", 367 / 365 }'):3"

echo "-- faults"
bad() { # words, exercise, payoff
    book 2026-06-01 "" "$2" "$3" > bad.yaml
    ends 3 "$1" "$levy" validate bad.yaml
}
bad "payoff.schedules.d.payment_lag: what 2026-12-01 pays is paid after the trade's payment date" 'expiry: 2026-12-01}' "kind: script, schedules: {d: {times: [2026-12-01], payment_lag: 2D}}, $pay"
bad "payoff.barrier.observations.payment_lag: only the dates of a script have payments" 'expiry: 2026-12-01}' 'kind: barrier, option_type: call, strike: 100, barrier: {direction: up, knock: out, level: 120, observations: {frequency: 1M, payment_lag: 2D}}'
bad "payoff.schedules.d.calendars: cannot be combined with a list of times" 'expiry: 2026-12-01}' "kind: script, schedules: {d: {times: [2026-12-01], calendars: [WEEKENDS]}}, $pay"
bad "payoff.schedules.d.calendars: calendars need dates, but a count gives times between dates" 'expiry: 2026-12-01}
    payment_lag: 1M' "kind: script, schedules: {d: {count: 3, payment_lag: 2D, calendars: [WEEKENDS]}}, $pay"
bad "payoff.unpaid[0][0]: 2026-05-01 is not from the valuation to the trade's payment date" 'expiry: 2026-12-01}' "kind: script, schedules: {d: {times: [2026-12-01]}}, state: {}, unpaid: [[2026-05-01, 1]], $pay"
echo "payments lag as by hand"
