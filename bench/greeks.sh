#!/bin/bash
# What sensitivities cost on configs/asian.yaml, in prices: the time of price, delta, gamma, vega, rho and theta over that of the
# price alone, and of 100 spot scenarios over the same. Times are levy's own of the simulation; the three take turns, and the
# least of each counts. First on one thread, then on all.
#
#     bench/greeks.sh [REPETITIONS]     default 5
#     LEVY=build/levy ISA=auto DEVICE=cpu PRECISION=double LEVY_PATHS=2^20
#
# One line of JSON per count of threads on stdout; progress on stderr. Ends with 1 where five sensitivities take more than 5 prices,
# or 100 scenarios more than 25.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
levy=${LEVY:-$root/build/levy}
paths=${LEVY_PATHS:-2^20}
repetitions=${1:-5}
status=0

if [ ! -x "$levy" ]; then
    echo "greeks: no $levy (build it, or set LEVY)" >&2
    exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$root/configs/asian.yaml" "$folder/scenarios.yaml"
awk 'BEGIN {
    printf "\nscenarios: [{id: ladder, grid: [{factor: STOCK.spot, sizes: ["
    for (i = 1; i <= 100; ++i) printf("%s%.4f", (i > 1 ? ", " : ""), (i - 50.5) / 200)
    print "]}]}]"
}' >> "$folder/scenarios.yaml"

text() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }
row() {
    "$levy" price "$@" --device "${DEVICE:-cpu}" --isa "${ISA:-auto}" --threads "$threads" --format jsonl --progress none --quiet \
        --set simulation.paths="$paths" --set simulation.precision="${PRECISION:-double}" | grep '"record": "trade"'
}
seconds() { row "$@" | sed -n 's/.*"seconds": *\([0-9.eE+-]*\).*/\1/p'; }
least() { printf '%s\n' "$@" | sort -g | head -n 1; }
over() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

for threads in 1 "$(nproc)"; do
    price=() greeks=() scenarios=()
    for ((i = 1; i <= repetitions; ++i)); do
        price+=("$(seconds "$root/configs/asian.yaml")")
        greeks+=("$(seconds "$root/configs/asian.yaml" --measures price,delta,gamma,vega,rho,theta)")
        scenarios+=("$(seconds "$folder/scenarios.yaml")")
        echo "$threads threads, $i/$repetitions: price ${price[-1]}, five sensitivities ${greeks[-1]}, 100 scenarios ${scenarios[-1]} s" >&2
    done
    a=$(least "${price[@]}") b=$(least "${greeks[@]}") c=$(least "${scenarios[@]}")
    printf '{"bench": "greeks", "date": "%s", "device": "%s", "precision": "%s", "paths": "%s", "threads": %d, "repetitions": %d, ' \
        "$(date -u +%Y-%m-%d)" "$(row "$root/configs/asian.yaml" | text device)" "${PRECISION:-double}" "$paths" "$threads" "$repetitions"
    printf '"price_seconds": %s, "greeks_seconds": %s, "scenarios_seconds": %s, "greeks_in_prices": %s, "scenarios_in_prices": %s}\n' \
        "$a" "$b" "$c" "$(over "$b" "$a")" "$(over "$c" "$a")"
    awk -v a="$a" -v b="$b" -v c="$c" 'BEGIN { exit !(b <= 5 * a && c <= 25 * a) }' || status=1
done
exit $status
