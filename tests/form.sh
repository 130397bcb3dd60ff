#!/bin/bash
# form.sh: the form that .clang-format gives, and what it cannot say: no line of C or CUDA is longer
# than 100 columns, none holds two conditionals (?:). The formatter's version is fixed: each lays the
# same text out in its own way. `tests/form.sh --mend` formats what differs. Exit 77 without that version.
# It also names subjects of commits that are longer than 72 characters; these fail nothing, since what
# is published stays as it is.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"

# The commits that origin/main lacks; without origin/main the last 100. No git, no names.
long_subjects() {
    [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$root" ] || return 0
    local range=(-n 100 HEAD)
    if git rev-parse -q --verify origin/main > /dev/null; then range=(origin/main..HEAD); fi
    git log --no-merges --format='%h %s' "${range[@]}" 2>/dev/null |
        awk '{ subject = substr($0, index($0, " ") + 1) }
             length(subject) > 72 { printf "commit %s: a subject of %d characters: %s\n", $1, length(subject), subject }'
}
[ "${1:-}" = --mend ] || long_subjects || true

wanted=14
format=
for each in clang-format-$wanted clang-format; do
    case $("$each" --version 2>/dev/null) in *" version $wanted."*) format=$each && break ;; esac
done
if [ -z "$format" ]; then
    echo "skipped: the form of the sources: no clang-format $wanted"
    exit 77
fi
rooms=(bench configs engine kernels models payoffs tests)
sources() { find "${rooms[@]}" -name '*.[ch]' -print0 -o -name '*.cu' -print0 -o -name '*.cuh' -print0; }
lists() { find "${rooms[@]}" -name '*.def' -print0; }
if [ "${1:-}" = --mend ]; then
    sources | xargs -0 "$format" -i
    lists | while IFS= read -r -d '' list; do
        text=$("$format" --assume-filename=list.c < "$list") && printf '%s\n' "$text" > "$list"
    done
    exit 0
fi
bad=0
sources | xargs -0 "$format" --dry-run -Werror || bad=1
while IFS= read -r -d '' list; do
    text=$("$format" --assume-filename=list.c < "$list")
    diff -u "$list" - <<< "$text" || bad=1
done < <(lists)
# shellcheck disable=SC2016
{ sources && lists; } | xargs -0 awk 'length($0) > 100 {
    printf "%s:%d: %d columns\n", FILENAME, FNR, length($0)
    bad = 1
} END { exit bad }' || bad=1
# One conditional a line. Literals and comments hold none: they are cut out of each line first, from
# its left. A comment may go on over lines.
# shellcheck disable=SC2016
{ sources && lists; } | xargs -0 awk '
FNR == 1 { inside = 0 }
{
    text = $0
    if (inside) inside = !sub(/^.*\*\//, "", text)
    if (inside) next
    gsub(/"(\\.|[^"\\])*"|\047(\\.|[^\047\\])\047|\/\*([^*]|\*+[^*\/])*\*+\/|\/\/.*/, " ", text)
    inside = sub(/\/\*.*/, "", text)
    if (gsub(/\?/, "", text) < 2) next
    printf "%s:%d: two conditionals\n", FILENAME, FNR
    bad = 1
} END { exit bad }' || bad=1
# Who compiles is asked in one place, so that another GPU is a folder and no change.
if grep -rnE '__CUDACC|__CUDA_ARCH' kernels models payoffs | grep -v '^kernels/lane/target\.h:'; then
    echo "ask kernels/lane/target.h instead"
    bad=1
fi
# A crash log and a search say the name of a file, not its folder: it is the name of one.
twice=$({ find engine kernels models payoffs \( -name '*.c' -o -name '*.cu' \) -printf '%f\n' &&
    find "${rooms[@]}" \( -name '*.h' -o -name '*.cuh' \) -printf '%f\n'; } | sort | uniq -d)
if [ -n "$twice" ]; then
    echo "several files are called ${twice//$'\n'/, }"
    bad=1
fi
# Each folder is one text under LEVY_UNITY, but for what CMake leaves out: a static name stands in one of its files.
# shellcheck disable=SC2016
find engine kernels models payoffs bench/harness -name '*.c' -not -name bridge_shape.c -print0 | xargs -0 awk '
/^static / {
    name = $0
    sub(/[[(=;].*/, "", name)
    sub(/ *$/, "", name)
    gsub(/.*[ *]/, "", name)
    key = FILENAME
    sub(/[^\/]*$/, name, key)
    if (name ~ /^[a-z]/ && key in file && file[key] != FILENAME) {
        printf "%s:%d: %s stands in %s too\n", FILENAME, FNR, name, file[key]
        bad = 1
    }
    file[key] = FILENAME
} END { exit bad }' || bad=1
# The formatter indents what follows a long beginning as far as that goes. A declaration for each
# declarator, a comma behind the last member of a list, or a name for a condition brings it back. The
# lines that are left are mostly of kernels' headers; they may only become fewer.
most=39
deep=$(grep -rhcE '^ {48,}[^ ]' engine kernels models payoffs --include='*.[ch]' --include='*.cu*' |
    awk '{ n += $1 } END { print n }')
if [ "$deep" -gt "$most" ]; then
    echo "$deep lines of the product begin at column 49 or beyond; at most $most may"
    bad=1
fi
# Headers include each other in no circle: then each can be read, and compiled, by itself.
grep -rE '^ *# *include "' "${rooms[@]}" --include='*.h' --include='*.cuh' --include='*.def' |
    sed 's/:.*"\(.*\)".*/ \1/' | tsort > /dev/null || bad=1
# A decision is known by its number.
twice=$(grep -oE '^### D[0-9]+[a-z]*\.' docs/decisions.md | sort | uniq -d)
if [ -n "$twice" ]; then
    echo "docs/decisions.md: twice: $twice"
    bad=1
fi
exit "$bad"
