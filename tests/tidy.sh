#!/bin/bash
# tidy.sh BUILD: the checks of .clang-tidy over the C files of a build, as many at a time as there
# are processors. A file that is compiled once for each instruction set is read once. Exit 77
# without clang-tidy 14: its checks differ by version.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "$1" && pwd -P)
wanted=14
tidy=
for each in clang-tidy-$wanted clang-tidy; do
    case $("$each" --version 2>/dev/null) in *" version $wanted."*) tidy=$each && break ;; esac
done
if [ -z "$tidy" ]; then
    echo "skipped: the checks of .clang-tidy: no clang-tidy $wanted"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# clang-tidy reads a file once for each command that it finds: the first alone is kept. Each command
# stands on lines of its own, "file" behind "command".
awk -v root="$root/" '
$0 == "{" { entry = "" }
{ entry = entry $0 "\n" }
/^ *"file": / { file = $0; gsub(/^ *"file": "|",?$/, "", file) }
/^},?$/ {
    sub(/},\n$/, "}\n", entry)
    name = substr(file, length(root) + 1)
    if (index(file, root) == 1 && name ~ /^(engine|kernels|models|payoffs)\/.*\.c$/ && !seen[name]++) {
        kept = kept (kept == "" ? "" : ",\n") entry
        print name > list
    }
}
END { printf "[\n%s]\n", kept > commands }' \
    list="$work/files" commands="$work/compile_commands.json" "$build/compile_commands.json"
cd "$root"
if [ ! -s "$work/files" ]; then echo "tidy.sh: $build has no commands for the sources of $root" && exit 1; fi
# The count of what other people's headers hold is no news, and a gcc's options are none of clang's.
xargs -P "$(nproc)" -n 8 "$tidy" --quiet --extra-arg=-Wno-unknown-warning-option -p "$work" < "$work/files" 2> "$work/counts" && exit 0
grep -v 'warnings\{0,1\} generated\|^Suppressed \|^Use -header-filter' "$work/counts" || true
exit 1
