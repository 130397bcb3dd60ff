#!/bin/bash
# test_header.sh: levy.h stands alone, as C11 and as C++17, and a program needs nothing but it and liblevy.so.
# Environment: CC, LEVY_LIBRARY_DIR (both set by ctest).
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
library=${LEVY_LIBRARY_DIR:?} cc=${CC:-cc} failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
read -r -a link <<< "${LEVY_LINK_FLAGS:-}"
if [ -n "${LEVY_SYSROOT:-}" ]; then link+=("--sysroot=$LEVY_SYSROOT"); fi
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I "$root")

compile() { # name, language flags...
    local name=$1
    shift
    if ! "$cc" "${strict[@]}" "$@" "$root/tests/header_alone.c" -o "$work/$name" -L "$library" -llevy -Wl,-rpath,"$library" ${link[@]+"${link[@]}"}; then
        echo "FAIL: levy.h does not compile and link as $name"
        failed=1
    elif ! "$work/$name"; then
        echo "FAIL: the $name program did not find what levy.h promises"
        failed=1
    else
        echo "ok: levy.h as $name"
    fi
}

compile c11 -x c -std=c11 -Wstrict-prototypes
if echo 'int main() { return 0; }' | "$cc" ${link[@]+"${link[@]}"} -x c++ -std=c++17 - -o "$work/probe" 2>/dev/null; then
    compile c++17 -x c++ -std=c++17 -Wno-missing-field-initializers
else
    echo "skipped: no C++ compiler"
fi

# Exactly what levy.h declares is exported.
grep -o '\blevy_[a-z_]*(' <(grep '^LEVY_API' "$root/engine/levy.h") | tr -d '(' | sort -u > "$work/declared"
nm -D --defined-only "$library/liblevy.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | grep -v '^_\(init\|fini\)$' | sort -u > "$work/exported"
if ! diff "$work/declared" "$work/exported"; then
    echo "FAIL: levy.h (<) and liblevy.so (>) do not agree"
    failed=1
else
    echo "ok: $(wc -l < "$work/declared") functions exported, as declared"
fi
exit $failed
