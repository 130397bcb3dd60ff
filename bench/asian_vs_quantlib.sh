#!/bin/bash
# levy against QuantLib on configs/asian.yaml: arithmetic Asian, 64 fixings, Sobol points, Brownian bridge, double, one thread
# each, on the CPU, in one run. The two take turns, so that a change of the machine's clock meets both; medians are compared.
#
#     bench/asian_vs_quantlib.sh [REPETITIONS]     default 5
#     LEVY=build/levy ISA=auto LEVY_PATHS=2^22 QUANTLIB_PATHS=131072
#
# One line of JSON on stdout; progress on stderr. Ends with 77 where QuantLib is missing.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
levy=${LEVY:-$root/build/levy}
isa=${ISA:-auto}
levy_paths=${LEVY_PATHS:-2^22}
quantlib_paths=${QUANTLIB_PATHS:-131072}
repetitions=${1:-5}

if [ ! -x "$levy" ]; then
    echo "asian_vs_quantlib: no $levy (build it, or set LEVY)" >&2
    exit 2
fi
quantlib=$("$root/bench/peers/quantlib/build.sh" "${PEERS:-$(dirname "$levy")/peers}")

# The number behind a key, in one line of JSON.
field() { sed -n "s/.*\"$1\": *\(-\{0,1\}[0-9][0-9.eE+-]*\).*/\1/p"; }
text() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }
median() { sort -g | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

run_levy() {
    "$levy" price "$root/configs/asian.yaml" --device cpu --isa "$isa" --threads 1 --format jsonl \
        --set simulation.paths="$levy_paths" --set simulation.precision=double | grep '"record": "trade"'
}

levy_rates='' quantlib_rates=''
for ((i = 1; i <= repetitions; ++i)); do
    peer=$("$quantlib" "$quantlib_paths")
    own=$(run_levy)
    quantlib_rate=$(field path_steps_per_second <<< "$peer")
    levy_rate=$(awk -v p="$(field paths <<< "$own")" -v s="$(field seconds <<< "$own")" 'BEGIN { printf "%.6g", p * 64 / s }')
    quantlib_rates+="$quantlib_rate"$'\n'
    levy_rates+="$levy_rate"$'\n'
    echo "$i/$repetitions: levy $levy_rate, QuantLib $quantlib_rate path-steps/s" >&2
done

levy_median=$(printf '%s' "$levy_rates" | median)
quantlib_median=$(printf '%s' "$quantlib_rates" | median)
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2> /dev/null | head -n 1)
printf '{"bench": "asian_vs_quantlib", "date": "%s", "cpu": "%s", "device": "%s", "peer": "%s", "repetitions": %d, ' \
    "$(date -u +%Y-%m-%d)" "$cpu" "$(text device <<< "$own")" "$(text peer <<< "$peer")" "$repetitions"
printf '"levy_price": %s, "quantlib_price": %s, "levy_path_steps_per_second": %s, "quantlib_path_steps_per_second": %s, "ratio": %s}\n' \
    "$(field price <<< "$own")" "$(field price <<< "$peer")" "$levy_median" "$quantlib_median" \
    "$(awk -v a="$levy_median" -v b="$quantlib_median" 'BEGIN { printf "%.1f", a / b }')"
