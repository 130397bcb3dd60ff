#!/bin/bash
# doxygen.sh: engine/levy.h by Doxygen (docs/Doxyfile): no warning but for members of structs, which may share a comment; these are
# counted. `tests/doxygen.sh FOLDER` keeps the pages there. A step of tests/nightly.sh. Exit 77 without doxygen.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
command -v doxygen > /dev/null || { echo "skipped: no doxygen"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/levy doxygen XXXXXX")
trap 'rm -rf "$work"' EXIT
export LEVY_DOXYGEN_OUTPUT=${1:-$work}
mkdir -p "$LEVY_DOXYGEN_OUTPUT"
cd "$root"
doxygen docs/Doxyfile 2> "$work/warnings"
members=$(grep -c ' (variable) of struct .* is not documented' "$work/warnings" || true)
grep -v ' (variable) of struct .* is not documented' "$work/warnings" > "$work/others" || true
pages=$(find "$LEVY_DOXYGEN_OUTPUT/html" -name 'structlevy__*.html' | wc -l)
[ "$pages" -ge 20 ] || { echo "only $pages structs have a page"; exit 1; }
[ ! -s "$work/others" ] || { cat "$work/others"; echo "$(wc -l < "$work/others") warnings"; exit 1; }
echo "levy.h: $pages structs, no warning; $members members share a comment or have none"
