#!/bin/bash
# test_results_page.sh: docs/results.md, carried out. Each of its commands prints what stands below it, where "..." stands for any
# lines and for any rest of a line; each member of a report has the row that the schema gives; each column has a place; its program
# in Python runs, where there is NumPy.
# Environment: LEVY, LEVY_LIBRARY_DIR, LEVY_LINK_FLAGS (set by ctest).
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
page=$root/docs/results.md
work=$(mktemp -d "${TMPDIR:-/tmp}/levy-results-XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0
mkdir "$work/bin" "$work/blocks" "$work/run"
ln -s "${LEVY:?}" "$work/bin/levy"
ln -s "$root/configs" "$work/run/configs"
export PATH=$work/bin:$PATH
cd "$work/run"

# A file for each block: what stands between a line of ``` and the next.
awk -v folder="$work/blocks" '
    /^```/ { open = !open; if (open) { ++n; name = sprintf("%s/%02d.%s", folder, n, substr($0, 4) == "" ? "text" : substr($0, 4)) } next }
    open { print > name }' "$page"

# Does the output have the expected lines?
matches() { # expected, output
    awk 'NR == FNR { want[++n] = $0; next }
        { got[++m] = $0 }
        function fits(line, pattern, length_of) {
            if (pattern !~ /\.\.\.$/) return line == pattern
            length_of = length(pattern) - 3
            return substr(line, 1, length_of) == substr(pattern, 1, length_of)
        }
        END {
            j = 1
            for (i = 1; i <= n; ++i) {
                if (want[i] == "...") { any = 1; continue }
                while (any && j <= m && !fits(got[j], want[i])) ++j
                if (j > m || !fits(got[j], want[i])) { print "expected: " want[i]; print "got: " got[j]; exit 1 }
                any = 0
                ++j
            }
            if (!any && j <= m) { print "more: " got[j]; exit 1 }
        }' "$1" "$2"
}

commands=0
for block in "$work"/blocks/*.text; do
    head -n 1 "$block" | grep -q '^\$ ' || { echo "$page: a block without a command: $(head -n 1 "$block")"; failed=1; }
    # each command, and what stands below it up to the next one
    awk -v base="$block" '/^\$ / { ++n; print substr($0, 3) > (base "." n ".sh"); printf "" > (base "." n ".out"); next }
        { print > (base "." n ".out") }' "$block"
    for script in "$block".*.sh; do
        bash "$script" > "$work/got" 2>&1 || { echo "failed: $(cat "$script")"; cat "$work/got"; failed=1; continue; }
        tr -d '\r' < "$work/got" > "$work/plain"
        matches "${script%.sh}.out" "$work/plain" || { echo "  of: $(cat "$script")"; failed=1; }
        commands=$((commands + 1))
    done
done
[ "$commands" -ge 7 ] || { echo "only $commands commands"; failed=1; }

# The rows of the members.
rows=0
# shellcheck disable=SC2016 # backticks of a page
while IFS= read -r row; do
    grep -qxF "$row" "$page" || { echo "docs/results.md has no row $row"; failed=1; }
    rows=$((rows + 1))
done < <(cat <(levy schema report) <(levy schema diagnostics) | sed -nE '
    /^      "[a-z_]+": \{"type": .*"description"/ {
        s/"unit": "([^"]*)"\}.*/\n\1/; t unit; s/\}+,?$/\n/; :unit
        s/"type": \["?([a-z]+)"[^]]*\],/\1/; s/"type": "([a-z]+)",/\1/
        s/"minimum": [01], //; s/"pattern": "[^"]*", //
        s/^      "([a-z_]+)": \{([a-z]+) "description": "(.*)"(, )?\n(.*)$/| `\1` | \2 | \5 | \3 |/p }')
[ "$rows" -ge 70 ] || { echo "only $rows rows"; failed=1; }

# The measures: a row of each, with its unit and meaning as `levy describe` says them.
measures=0
# shellcheck disable=SC2016
while IFS='|' read -r _ name _ unit meaning _; do
    said=$(levy describe "$(tr -d ' `' <<< "$name")" | tr '\n' ' ' | tr -s ' ')
    unit=${unit# }
    grep -qF "; ${unit% }.$meaning" <<< "$said" || { echo "docs/results.md:$name:$unit:$meaning"; failed=1; }
    measures=$((measures + 1))
done < <(sed -n '/^| Measure | Factor/,/^$/p' "$page" | grep '^| `')
[ "$measures" -eq "$(levy describe | sed '1,/^Measures/d' | grep -c '^  [a-z]')" ] || { echo "docs/results.md has $measures measures"; failed=1; }

# The columns.
levy price configs/book.yaml --columns all --format csv --set simulation.paths=2^8 --quiet | head -n 1 | tr -d '\r' | tr ',' '\n' > "$work/columns"
while IFS= read -r column; do
    grep -q "\`$column\`" "$page" || { echo "docs/results.md has no column $column"; failed=1; }
done < "$work/columns"

# The programs.
python=$(command -v python3 || true)
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then
    echo "under a sanitizer the programs of docs/results.md did not run"
elif [ -n "$python" ] && "$python" -c 'import numpy' 2> /dev/null; then
    for program in "$work"/blocks/*.python; do
        LEVY_LIBRARY=${LEVY_LIBRARY_DIR:?} PYTHONPATH=$root/engine/python PYTHONDONTWRITEBYTECODE=1 "$python" "$program" > "$work/got" ||
            { echo "failed: $program"; failed=1; }
        sed -n 's/^# prints: //p' "$program" > "$work/want"
        diff "$work/want" "$work/got" || failed=1
    done
else
    echo "no NumPy: the programs of docs/results.md did not run"
fi
echo "$commands commands and $rows rows of docs/results.md"
exit $failed
