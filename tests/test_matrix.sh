#!/bin/bash
# test_matrix.sh: bench/matrix.sh, a handful of its points on the CPU: what the CSV holds, that a slower point than the baseline's
# is found and a faster one is not, and that every point's problem is valid. Environment: LEVY, LEVY_BINARY_DIR, LEVY_LIBRARY_DIR,
# LEVY_LINK_FLAGS (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
python=$(command -v python3) || { echo "skipped: no python3"; exit 77; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || { echo "skipped: python3 is older than 3.9"; exit 77; }
[ -z "${LEVY_LINK_FLAGS:-}" ] || { echo "skipped: Python would have to be instrumented too"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 LEVY_LIBRARY=${LEVY_LIBRARY_DIR:?} DEVICE=cpu REPEATS=1 POINTS='^asian-a(1-d4-(single|double)-p16|2-d4-double-p20)$|^european.*greeks5-double'
say() { echo "-- $*"; }
fail() { echo "test_matrix: $*"; cat "$work/out" "$work/err" 2> /dev/null; exit 1; }
expects() { # exit code, command...
    local code=0 wanted=$1
    shift
    "$@" > "$work/out" 2> "$work/err" || code=$?
    [ "$code" -eq "$wanted" ] || fail "$*: exit code $code and not $wanted"
}
faster() { # factor, pattern: a baseline whose points of that name were faster by that factor
    awk -F, -v OFS=, -v factor="$1" -v pattern="$2" 'NR > 1 && $1 ~ pattern { $15 *= factor } { print }' "$work/csv" > "$work/baseline"
}

say "the points: some three hundred, each of a name of its own"
expects 0 "$root/bench/matrix.py" list
n=$(wc -l < "$work/out")
{ [ "$n" -ge 250 ] && [ "$n" -le 350 ]; } || fail "$n points"
[ "$(sort -u "$work/out" | wc -l)" -eq "$n" ] || fail "two points have one name"

say "each problem is one that levy reads, without a warning"
mkdir "$work/problems"
expects 0 "$root/bench/matrix.py" problems "$work/problems"
for file in "$work"/problems/*.yaml; do expects 0 "${LEVY:?}" validate --strict "$file"; done

say "a handful is measured"
expects 0 "$root/bench/matrix.sh" "${LEVY_BINARY_DIR:?}" "$work/csv"
head -n 1 "$work/csv" | grep -qx "name,payoff,assets,dates,model,generator,construction,measures,scenarios,factor,precision,log2_paths,kernel_ms,wall_ms,asset_steps_g,device" || fail "another header: $(cat "$work/csv")"
grep -q '^asian-a1-d4-double-p16,asian,1,4,black_scholes,sobol_scrambled,bridge,price,0,,double,16,' "$work/csv" || fail "no Asian option: $(cat "$work/csv")"
grep -q '^european-a1-d1-greeks5-double-p20,.*,greeks5,0,,double,20,' "$work/csv" || fail "no Greeks: $(cat "$work/csv")"
"$python" - "$work/csv" <<'END' || fail "figures: $(cat "$work/csv")"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) == 4, len(rows)
for row in rows:
    kernel, wall = float(row["kernel_ms"]), float(row["wall_ms"])
    steps = int(row["assets"]) * int(row["dates"]) * 2 ** int(row["log2_paths"])
    assert 0 < kernel <= wall and row["device"]
    assert abs(float(row["asset_steps_g"]) * kernel * 1e6 / steps - 1) < 1e-4
END

say "equal speeds, small losses and gains pass; a fall by more than 5 % is named"
expects 0 "$root/bench/matrix.py" compare "$work/csv" "$work/csv"
grep -q "4 points compared, 0 fell" "$work/out" || fail "not all compared"
faster 1.04 "^asian"
expects 0 "$root/bench/matrix.py" compare "$work/csv" "$work/baseline"
faster 0.5 "^asian"
expects 0 "$root/bench/matrix.py" compare "$work/csv" "$work/baseline"
faster 1.07 "^asian-a2.*double"
expects 3 "$root/bench/matrix.py" compare "$work/csv" "$work/baseline"
grep -q '^asian-a2-d4-double-p20: .* 0.93' "$work/out" || fail "the slower point is not named"
grep -q "4 points compared, 1 fell" "$work/out" || fail "more than that one"

say "the script measures anew, compares and says so by its exit code"
faster 1e6 "^asian-a1.*single"
POINTS='^asian-a1-d4-(single|double)-p16' expects 3 "$root/bench/matrix.sh" "$LEVY_BINARY_DIR" "$work/again" "$work/baseline"
grep -q '^asian-a1-d4-single-p16: ' "$work/out" || fail "the slower point is not named"
faster 1e-6 .
POINTS='^asian-a1-d4-(single|double)-p16' expects 0 "$root/bench/matrix.sh" "$LEVY_BINARY_DIR" "$work/again" "$work/baseline"

say "what cannot be compared, and what was not measured"
sed '2,$s/,[^,]*$/,another machine/' "$work/csv" > "$work/baseline"
expects 2 "$root/bench/matrix.py" compare "$work/csv" "$work/baseline"
grep -q "other devices at " "$work/err" || fail "no reason"
expects 2 "$root/bench/matrix.sh" "$LEVY_BINARY_DIR" "$work/again" "$work/nowhere"
expects 2 "$root/bench/matrix.py" compare "$work/csv"
LIMIT=0 expects 1 "$root/bench/matrix.sh" "$LEVY_BINARY_DIR" "$work/again"
grep -q "4 of 4 points are left out" "$work/err" || fail "no word of what is missing"
