#!/bin/bash
# test_abi.sh: what programs built against an older liblevy.so rely on, the functions and structs of levy.h, is what
# tests/abi/liblevy.abi says (libabigail's abidiff), and CHANGELOG.md names that file's state, so that no change of the
# interface goes without a line for its users. `tests/test_abi.sh update` writes the file anew and prints what to put into
# CHANGELOG.md. The library is compiled a second time here, its public half only, with debugging information.
# Environment: CC, LEVY_BINARY_DIR, LEVY_LIBRARY_DIR (set by ctest; for `update` the first two have defaults).
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=${LEVY_BINARY_DIR:-$root/build} cc=${CC:-gcc}
kept=$root/tests/abi/liblevy.abi
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "test_abi: $*"; exit 1; }
[ -z "${LEVY_LINK_FLAGS:-}" ] || skip "a sanitizer's library has the same interface"
if ! command -v abidw > /dev/null || ! command -v abidiff > /dev/null; then skip "no abidiff (package abigail-tools)"; fi
case $(abidw --help 2>&1 || true) in *--exported-interfaces-only*) ;; *) skip "abidw is older than 2.1" ;; esac
[ "$(uname -m)" = x86_64 ] || skip "the file is of x86-64"
work=$(mktemp -d "${TMPDIR:-/tmp}/levy-abi-XXXXXX")
trap 'rm -rf "$work"' EXIT
sysroot=()
if [ -n "${LEVY_SYSROOT:-}" ]; then sysroot=("--sysroot=$LEVY_SYSROOT"); fi
includes=(-I "$root")
while IFS= read -r folder; do [ -z "$folder" ] || includes+=(-isystem "$folder"); done \
    < <(sed -nE 's/^LEVY_(YAML|XXHASH)_INCLUDE:[A-Z]*=(.*)$/\2/p' "$build/CMakeCache.txt" | grep -v '^/usr/include$' || true)

# The interface as the public half of the library has it, compiled with the levy.h of another folder before our own, if given.
dump() { # where to, folder
    local source object public=()
    mkdir -p "$1/public"
    cp "${2:-$root}/engine/levy.h" "$1/public/" # the types of this header are the interface, all others are private
    for source in "$root"/engine/api/*.c; do
        object=$1/$(basename "$source" .c).o
        "$cc" ${sysroot[@]+"${sysroot[@]}"} -std=c11 -D_GNU_SOURCE -DLEVY_BUILD -DLEVY_INSTALL_LIBDIR='""' -DLEVY_COMPILER='""' \
            -gdwarf-4 -O0 -fPIC -fvisibility=hidden -Wno-psabi "-fdebug-prefix-map=$root=." ${2:+-I "$2"} "${includes[@]}" -c "$source" -o "$object"
        public+=("$object")
    done
    "$cc" ${sysroot[@]+"${sysroot[@]}"} -shared "-Wl,--version-script=$root/engine/levy.map" "${public[@]}" -o "$1/liblevy.so"
    abidw --headers-dir "$1/public" --drop-private-types --exported-interfaces-only --no-show-locs \
        --no-comp-dir-path --no-corpus-path --no-elf-needed --out-file "$1/liblevy.abi" "$1/liblevy.so"
}
dump "$work/now" ""

state() { sha256sum "$1" | cut -c 1-12; }
if [ "${1:-}" = update ]; then
    cp "$work/now/liblevy.abi" "$kept"
    echo "Put into CHANGELOG.md, and say what changed: (ABI $(state "$kept"))"
    exit 0
fi

# The functions of the real library are those of this one, so that its interface was looked at as a whole.
names() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort; }
names "${LEVY_LIBRARY_DIR:?}/liblevy.so" > "$work/real"
names "$work/now/liblevy.so" > "$work/here"
diff "$work/real" "$work/here" || fail "liblevy.so exports functions that are not in engine/api/"
code=0
abidiff "$kept" "$work/now/liblevy.abi" > "$work/report" 2>&1 || code=$?
if [ "$code" -ne 0 ]; then
    cat "$work/report"
    echo "The interface of liblevy.so is not that of tests/abi/liblevy.abi (abidiff $code). Where that is meant, run"
    echo "tests/test_abi.sh update and say in CHANGELOG.md what callers must do."
    exit 1
fi
grep -q "ABI $(state "$kept")" "$root/CHANGELOG.md" ||
    fail "tests/abi/liblevy.abi changed, and CHANGELOG.md has no line with (ABI $(state "$kept"))"

# That a change is seen: the same with a struct that is longer in its middle.
mkdir -p "$work/other/engine"
sed 's/^    size_t n_measures;$/    size_t n_more, n_measures;/' "$root/engine/levy.h" > "$work/other/engine/levy.h"
if cmp -s "$root/engine/levy.h" "$work/other/engine/levy.h"; then fail "levy.h has no n_measures"; fi
dump "$work/then" "$work/other"
if abidiff "$kept" "$work/then/liblevy.abi" > "$work/report" 2>&1; then fail "abidiff does not see a member that was inserted"; fi
grep -q n_more "$work/report" || fail "abidiff does not name a member that was inserted"
