#!/bin/bash
# test_studies_page.sh: docs/studies.md, run: each command of it ends well, prints what stands behind it, and makes the picture
# that docs/pictures has, byte for byte. What a clock or a machine decides (seconds, the processor's name, the picture against
# seconds) is not compared. "..." stands for lines that are left out. `tests/test_studies_page.sh update` keeps the pictures of
# this run. Environment: LEVY_BINARY_DIR (set by ctest; for `update` it has a default).
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "${LEVY_BINARY_DIR:-$root/build}" && pwd -P)
[ -z "${LEVY_LINK_FLAGS:-}" ] || { echo "skipped: a sanitizer's program draws the same pictures"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/levy studies XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs/pictures" "$work/bin"
ln -s "$root/configs" "$work/configs"
ln -s "$build/levy" "$work/bin/levy"
export PATH=$work/bin:$PATH
failed=0 commands=0

# The commands, and behind each a file with what it is said to print.
awk -v folder="$work" '
    /^```/ { inside = !open && $0 == "```"; open = !open; next }
    inside && /^\$ / { ++n; print substr($0, 3) > (folder "/list"); printf "" > (folder "/said." n); next }
    inside && n { print > (folder "/said." n) }' "$root/docs/studies.md"

# Without the seconds of methods and what follows them, on whose width the spaces of their head depend, and the processor.
steady() {
    sed -E 's/ +/ /g; s/ (cpu|cuda) \(.*\)$/ DEVICE/; /^[a-z0-9_]+\+[a-z:0-9]+( \(1 run\))? /s/^((sobol|mrg|philox|net)[^ ]*( \(1 run\))? +(-|[-0-9.]+ \+- [0-9.]+) +[0-9.e+-]+) .*/\1/'
}

# Whether the lines said occur in the output in this order, with anything in place of "...", nothing elsewhere.
same() { # said, printed
    awk 'NR == FNR { said[++n] = $0; next }
         { got[++m] = $0 }
         END {
             j = 1
             for (i = 1; i <= n; ++i) {
                 if (said[i] == "...") {
                     if (i == n) exit 0
                     while (j <= m && got[j] != said[i + 1]) ++j
                     continue
                 }
                 if (j > m || got[j] != said[i]) { printf "said:  %s\nfound: %s\n", said[i], got[j]; exit 1 }
                 ++j
             }
             if (j <= m) { printf "not said: %s\n", got[j]; exit 1 }
         }' "$1" "$2"
}

cd "$work"
while IFS= read -r command; do
    commands=$((commands + 1))
    if ! bash -c "$command" > printed 2> complained < /dev/null || [ -s complained ]; then
        echo "docs/studies.md: $command"
        cat complained
        failed=1
    fi
    steady < "said.$commands" > said && steady < printed > found
    same said found || { echo "docs/studies.md: $command prints something else"; failed=1; }
done < list
if [ "${1:-}" = update ]; then cp docs/pictures/*.svg "$root/docs/pictures/"; fi
for picture in docs/pictures/*.svg; do
    case $picture in */cost.svg) continue ;; esac
    cmp "$picture" "$root/$picture" || failed=1
done
for picture in "$root"/docs/pictures/*.svg; do
    name=docs/pictures/$(basename "$picture")
    [ -s "$name" ] || { echo "no command makes $name"; failed=1; }
    grep -q "(pictures/$(basename "$picture"))" "$root/docs/studies.md" || { echo "docs/studies.md does not show $name"; failed=1; }
done
echo "$commands commands of docs/studies.md ran"
[ "$commands" -ge 12 ] || failed=1
exit "$failed"
