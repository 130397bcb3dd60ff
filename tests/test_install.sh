#!/bin/bash
# test_install.sh: what cmake --install puts down is all that an outside program needs: configs/embed/price.c is built against
# it by pkg-config and by find_package(levy), with the shared and the static library, as C11, and levy.h as C++17, and prices
# configs/quickstart.yaml. The shared library exports levy_ names only. A Python script prices it too, with the package that was
# installed. Under share/levy lie the examples, the schema that each of them names, documents and licences. The prefix has a space in its name. Environment: CC, LEVY_BINARY_DIR (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=${LEVY_BINARY_DIR:?} cc=${CC:-cc}
work=$(mktemp -d "${TMPDIR:-/tmp}/levy install XXXXXX")
trap 'rm -rf "$work"' EXIT
read -r -a link <<< "${LEVY_LINK_FLAGS:-}"
sysroot=()
if [ -n "${LEVY_SYSROOT:-}" ]; then sysroot=("--sysroot=$LEVY_SYSROOT"); fi
strict=(-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror)

say() { echo "-- $*"; }
cmake --build "$build" --target levy_programs > /dev/null
cmake --install "$build" --prefix "$work/prefix" > "$work/log" || { cat "$work/log"; exit 1; }
libdir=$(dirname "$(find "$work/prefix" -name liblevy.a)")

say "exported symbols"
strange=$(nm -D --defined-only "$libdir/liblevy.so" | awk '$2 != "A" && $3 !~ /^levy_/ { print $3 }')
if [ -n "$strange" ] && [ -z "${LEVY_LINK_FLAGS:-}" ]; then echo "liblevy.so exports more than levy_ names: $strange"; exit 1; fi
nm -D --defined-only "$libdir/liblevy.so" > "$work/symbols"
sed -n 's/^LEVY_API.*\<\(levy_[a-z_]*\)(.*/\1/p' "$root/engine/levy.h" > "$work/promised"
while read -r name; do
    grep -q " $name\\(@\\|$\\)" "$work/symbols" || { echo "liblevy.so does not export $name"; exit 1; }
done < "$work/promised"
strange=$(nm -g --defined-only "$libdir/liblevy.a" | awk 'NF == 3 && $3 !~ /^levy_/ { print $3 }')
if [ -n "$strange" ] && [ -z "${LEVY_LINK_FLAGS:-}" ]; then echo "liblevy.a defines other names: $strange"; exit 1; fi

check() { # name, program
    local lines
    "$2" "$root/configs/quickstart.yaml" > "$work/$1.out" || { cat "$work/$1.out"; echo "the $1 program failed"; exit 1; }
    lines=$(grep -c ' +- ' "$work/$1.out")
    [ "$lines" -eq 8 ] || { cat "$work/$1.out"; echo "the $1 program printed $lines prices"; exit 1; }
    cmp "$work/first.out" "$work/$1.out" 2>/dev/null || [ "$1" = first ] || { echo "the $1 program has other prices"; exit 1; }
}

if command -v pkg-config > /dev/null; then
    export PKG_CONFIG_PATH=$libdir/pkgconfig
    flags=() cflags=() private=()
    eval "flags=($(pkg-config --cflags --libs levy))" # its words are quoted for a shell
    eval "cflags=($(pkg-config --cflags levy))"
    eval "private=($(pkg-config --static --libs-only-l levy | sed 's/-llevy//'))"
    say "pkg-config, shared"
    "$cc" "${strict[@]}" ${sysroot[@]+"${sysroot[@]}"} "$root/configs/embed/price.c" "${flags[@]}" -Wl,-rpath,"$libdir" ${link[@]+"${link[@]}"} -o "$work/first"
    check first "$work/first"
    say "pkg-config, static"
    "$cc" "${strict[@]}" ${sysroot[@]+"${sysroot[@]}"} "$root/configs/embed/price.c" "${cflags[@]}" "$libdir/liblevy.a" "${private[@]}" ${link[@]+"${link[@]}"} -o "$work/static"
    check static "$work/static"
    if ldd "$work/static" | grep -q liblevy; then echo "the static program needs liblevy.so"; exit 1; fi
else
    echo "skipped: no pkg-config"
fi

say "find_package, shared and static"
cmake -S "$root/configs/embed" -B "$work/embed" ${LEVY_GENERATOR:+-G "$LEVY_GENERATOR"} -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_C_FLAGS="${link[*]-}" ${LEVY_SYSROOT:+-DCMAKE_SYSROOT="$LEVY_SYSROOT"} > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/embed" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
if [ ! -e "$work/first.out" ]; then check first "$work/embed/price"; fi
check cmake "$work/embed/price"
check cmake-static "$work/embed/price_static"
"$work/embed/bridge" | grep -q 'exchange option 9\.6' || { echo "the bridge program printed something else"; exit 1; }
code=0
"$work/embed/curand_bridge" "$work/nowhere.so" 2> "$work/log" || code=$?
if [ "$code" -ne 77 ] || ! grep -q '^no cuRAND: ' "$work/log"; then
    cat "$work/log"
    echo "curand_bridge found a library that is not there"
    exit 1
fi
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then
    echo "skipped: a sanitizer would judge cuRAND"
else
    code=0
    "$work/embed/curand_bridge" > "$work/curand.out" || code=$?
    case $code in
    0) grep -q '^they agree$' "$work/curand.out" || { cat "$work/curand.out"; exit 1; } ;;
    77) echo "skipped: no cuRAND" ;;
    *) cat "$work/curand.out"; echo "curand_bridge failed with exit code $code"; exit 1 ;;
    esac
fi

say "levy_mpi.h"
"$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror ${sysroot[@]+"${sysroot[@]}"} -I "$work/prefix/include" -I "$root/tests/mpi" \
    -fsyntax-only "$work/prefix/share/levy/configs/embed/mpi.c"

say "levy.h as C++17"
if echo 'int main() { return 0; }' | "$cc" ${sysroot[@]+"${sysroot[@]}"} -x c++ -std=c++17 - -o "$work/probe" 2>/dev/null; then
    printf '#include <levy.h>\nint main() { levy_price_options o{}; o.struct_size = sizeof o; return levy_version()[0] == 0; }\n' > "$work/header.cpp"
    "$cc" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror ${sysroot[@]+"${sysroot[@]}"} -I "$work/prefix/include" "$work/header.cpp" -x none \
        -L "$libdir" -llevy -lstdc++ -Wl,-rpath,"$libdir" ${link[@]+"${link[@]}"} -o "$work/header"
    "$work/header"
else
    echo "skipped: no C++ compiler"
fi

say "the program that was installed"
"$work/prefix/bin/levy" price "$root/configs/quickstart.yaml" --set simulation.paths=2^10 > /dev/null
"$work/prefix/bin/levy" version
[ -n "$(find "$work/prefix" -path '*/levy/levy-bench' -perm -u+x)" ] || { echo "levy-bench was not installed"; exit 1; }
(cd / && "$work/prefix/bin/levy" bench --only european1_f64,quickstart_process --paths 2^8 --repeat 1 --device cpu) > "$work/bench"
grep -q '^european1_f64' "$work/bench" || { cat "$work/bench"; echo "levy bench of the installation has no row"; exit 1; }
if find "$work/prefix" -name 'liblevy_cli*' | grep .; then echo "the programs' own archive was installed"; exit 1; fi
share=$work/prefix/share
for file in man/man1/levy.1 bash-completion/completions/levy zsh/site-functions/_levy fish/vendor_completions.d/levy.fish; do
    [ -s "$share/$file" ] || [ ! -e "$build/levy.1" ] || { echo "$file was not installed"; exit 1; }
done
if [ -e "$share/man/man1/levy.1" ] && command -v man > /dev/null; then
    MANWIDTH=80 man -l "$share/man/man1/levy.1" 2> "$work/man" | grep -q -- '--journal' || { echo "no manual page"; exit 1; }
    [ ! -s "$work/man" ] || { cat "$work/man"; exit 1; }
fi

say "examples, schema, documents and licences"
for tree in "$root" "$share/levy"; do
    for example in "$tree"/configs/*.yaml "$tree"/configs/payoffs/*.yaml; do
        # shellcheck disable=SC2016 # the editor's word, not a variable
        schema=$(sed -n '1s/^# yaml-language-server: \$schema=//p' "$example")
        [[ -n $schema && -s ${example%/*}/$schema ]] || { echo "$example names a schema that is not there: '$schema'"; exit 1; }
    done
done
for file in README.md LICENSE docs/guide.md engine/python/README.md licences/libyaml.txt licences/joe_kuo.txt configs/nets/niederreiter.txt configs/notebooks/quant.ipynb; do
    [ -s "$share/levy/$file" ] || { echo "share/levy/$file was not installed"; exit 1; }
done
for page in "$share"/levy/*.md "$share"/levy/docs/*.md "$share"/levy/docs/reference/*.md; do # tests/test_docs.sh: those of the clone
    while IFS= read -r target; do
        [ -e "$(dirname "$page")/$target" ] || { echo "$page was installed without $target"; exit 1; }
    done < <(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' | grep -v '^http' || true)
done
"$work/prefix/bin/levy" schema | cmp - "$root/configs/levy.schema.json" ||
    { echo "configs/levy.schema.json is not what levy reads now: build/levy schema > configs/levy.schema.json"; exit 1; }
(cd "$share/levy" && "$work/prefix/bin/levy" price configs/net.yaml --set simulation.paths=2^8 > "$work/log") || { cat "$work/log"; exit 1; }

say "the Debian packages"
if [ -z "${LEVY_LINK_FLAGS:-}${LEVY_SYSROOT:-}" ] && command -v dpkg-shlibdeps > /dev/null && command -v file > /dev/null && [ -f "$build/CPackConfig.cmake" ]; then
    if PATH=$work/nothing "$(command -v cpack)" -G DEB -B "$work/pack" --config "$build/CPackConfig.cmake" > "$work/log" 2>&1 || ! grep -q 'apt-get install dpkg-dev file' "$work/log"; then
        cat "$work/log"
        echo "cpack does not say that dpkg-dev is missing"
        exit 1
    fi
    cpack -G DEB -B "$work/pack" --config "$build/CPackConfig.cmake" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    for name in 'liblevy[0-9]*' liblevy-dev levy python3-levy levy-doc; do
        package=$(find "$work/pack" -name "${name}_*.deb" -print -quit)
        [[ $package == *_"$(dpkg --print-architecture)".deb || $package == *_all.deb ]] || { echo "the package $name is called ${package##*/}"; exit 1; }
        if [[ $name == liblevy* ]]; then dpkg-deb -f "$package" Depends | grep -q libyaml || { echo "$name does not ask for libyaml"; exit 1; }; fi
        dpkg-deb -x "$package" "$work/unpacked"
        [ -s "$work/unpacked/usr/share/doc/$(dpkg-deb -f "$package" Package)/copyright" ] || { echo "$name has no copyright"; exit 1; }
    done
    unpacked=$(find "$work/unpacked/usr/lib" -name liblevy.so -printf '%h\n')
    unpacked() { LD_LIBRARY_PATH=$unpacked "$work/unpacked/usr/bin/levy" "$@"; }
    unpacked version | cmp - <("$work/prefix/bin/levy" version) || { echo "the package holds another program"; exit 1; }
    (cd "$work/unpacked/usr/share/levy" && unpacked price configs/quickstart.yaml --set simulation.paths=2^8) > "$work/log" ||
        { cat "$work/log"; echo "the package does not price its example"; exit 1; }
    [ -f "$work/unpacked/usr/lib/python3/dist-packages/levy/__init__.py" ] || { echo "the package has no levy for python3"; exit 1; }
else
    echo "skipped: no dpkg-shlibdeps, or a build of other flags"
fi

say "a Python script"
python=$(command -v python3) || { echo "skipped: no python3"; exit 0; }
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then echo "skipped: Python would have to be instrumented too"; exit 0; fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))'; then echo "skipped: python3 is older than 3.9"; exit 0; fi
cat > "$work/price.py" << 'SCRIPT'
import sys
import levy
book = levy.load(sys.argv[1])
for title in ("as quoted", "spots 1 % up"):
    print(title)
    for trade in book.price():
        print(f"  {trade.id:<20} {trade.price:14.2f} +- {trade.std_error:.2f} {trade.currency}")
    for name in book:
        if name.endswith(".spot"):
            book[name] *= 1.01
SCRIPT
unset LEVY_LIBRARY
(cd "$work" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$libdir/levy/python" "$python" price.py "$root/configs/quickstart.yaml" > python.out)
(cd "$work" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$libdir/levy/python" "$python" -m levy version) > "$work/version"
"$work/prefix/bin/levy" version | cmp - "$work/version" || { echo "python -m levy is another program"; exit 1; }
cmp "$work/first.out" "$work/python.out" || { echo "the Python script has other prices"; exit 1; }
