#!/bin/bash
# test_kill.sh: a book of 10,000 trades is priced with a journal, killed (SIGKILL) at 20 random moments, resumed each time,
# and must end with the bytes of an unbroken run. $LEVY is the program; LEVY_KILL_TRADES and LEVY_KILLS change the size.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
levy=${LEVY:?the program to test}
trades=${LEVY_KILL_TRADES:-10000}
kills=${LEVY_KILLS:-20}
python=$(command -v python3) || { echo "skipped: no python3 to write the book with"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" "$root/bench/make_book.py" "$trades" > "$work/book.yaml"
price=("$levy" price "$work/book.yaml" --device cpu --progress none --format json)
killed=("${price[@]}" --journal "$work/killed.journal" --output "$work/killed.json" --resume)
now() { date +%s.%N; }

start=$(now)
"${price[@]}" --journal "$work/unbroken.journal" --output "$work/unbroken.json"
seconds=$(echo "$(now) $start" | awk '{print $1 - $2}')
groups=$(($(wc -l < "$work/unbroken.journal") - 1))
echo "unbroken: $trades trades in $groups groups, $seconds s"

# A run that ends before its kill is compared, and the next starts anew.
done_before=0 hits=0 runs=0
while [ "$hits" -lt "$kills" ]; do
    runs=$((runs + 1))
    if [ "$runs" -gt $((5 * kills)) ]; then echo "too few kills met a running program"; exit 1; fi
    delay=$(awk -v seed="$RANDOM" -v all="$seconds" 'BEGIN { srand(seed); printf "%.3f", rand() * all * 0.7 }')
    "${killed[@]}" &
    child=$!
    sleep "$delay"
    if kill -KILL "$child" 2>/dev/null; then hits=$((hits + 1)); fi
    wait "$child" 2>/dev/null || true
    if [ -e "$work/killed.json" ]; then # it was done before: compare, and start again
        cmp "$work/unbroken.json" "$work/killed.json"
        rm -f "$work/killed.json" "$work/killed.journal"
        done_before=0
        continue
    fi
    lines=$(wc -l < "$work/killed.journal" 2>/dev/null || echo 0)
    if [ "$lines" -lt "$done_before" ]; then echo "the journal lost groups: $lines lines, $done_before before"; exit 1; fi
    done_before=$lines
done
"${killed[@]}"
cmp "$work/unbroken.json" "$work/killed.json"
echo "killed $hits times at random moments of $((runs + 1)) runs: the same $(wc -c < "$work/killed.json") bytes"

# A changed input is refused with exit code 6, in words.
sed -i '$ s/seed: 42/seed: 43/' "$work/book.yaml"
code=0
"${killed[@]}" 2> "$work/message" || code=$?
[ "$code" -eq 6 ] || { echo "a changed file gave exit code $code"; exit 1; }
grep -q "the input files have changed" "$work/message"
