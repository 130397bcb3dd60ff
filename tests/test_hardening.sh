#!/bin/bash
# test_hardening.sh: a release build guards its stack, checks its copies and fixes its addresses before it starts, in programs,
# library and module; the instruction-set objects, which are the hot path, carry none of it. Environment: LEVY, LEVY_BINARY_DIR,
# LEVY_LIBRARY_DIR (set by ctest).
set -euo pipefail
build=${LEVY_BINARY_DIR:?} libdir=${LEVY_LIBRARY_DIR:?}
work=$(mktemp -d "${TMPDIR:-/tmp}/levy-hardening-XXXXXX")
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "test_hardening: $*"; exit 1; }
[ -z "${LEVY_LINK_FLAGS:-}" ] || skip "built with ${LEVY_LINK_FLAGS}"
type=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$build/CMakeCache.txt")
case $type in Release | RelWithDebInfo | MinSizeRel) ;; *) skip "build type '$type' is not optimised" ;; esac
if ! command -v readelf > /dev/null || ! command -v nm > /dev/null; then skip "no readelf or nm (binutils)"; fi

bench=$(find "$build" -name _CPack_Packages -prune -o -path '*/levy/levy-bench' -type f -print)
files=("${LEVY:?}" "${bench:?no levy-bench below $build}" "$libdir/liblevy.so")
[ ! -e "$libdir/levy/liblevy-cuda.so" ] || files+=("$libdir/levy/liblevy-cuda.so")
for file in "${files[@]}"; do
    readelf -W -h -l -d "$file" > "$work/elf"
    nm -D --undefined-only "$file" > "$work/needs"
    grep -q 'Type: *DYN' "$work/elf" || fail "$file is not position independent"
    grep -q 'GNU_RELRO' "$work/elf" || fail "$file: no read-only relocations"
    grep -Eq 'BIND_NOW|FLAGS_1.*\<NOW\>' "$work/elf" || fail "$file: functions are bound when first called"
    if grep 'GNU_STACK' "$work/elf" | grep -q 'RWE'; then fail "$file: the stack can be executed"; fi
    grep -q '__stack_chk_fail' "$work/needs" || fail "$file: no stack protector"
    if grep -q '@GLIBC' "$work/needs"; then # other C libraries have no checked functions
        grep -Eq '__[a-z]*(printf|cpy|set)_chk' "$work/needs" || fail "$file: no checked copies"
    fi
done

nm -A "$libdir/liblevy.a" > "$work/archive" 2> /dev/null
grep -Eq '[a-z]*_isa(_c)?\.c\.o:' "$work/archive" || fail "liblevy.a has no instruction-set objects"
if grep -E '_isa(_c)?\.c\.o:.*(__stack_chk_fail|_chk)$' "$work/archive"; then fail "an instruction-set object is checked at run time"; fi
grep -q '__stack_chk_fail' "$work/archive" || fail "liblevy.a has no stack protector"
echo "${#files[@]} files"
