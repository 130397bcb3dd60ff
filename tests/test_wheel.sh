#!/bin/bash
# test_wheel.sh: the wheel that pip builds of this folder, in a virtual environment with nothing else: it is tagged for any
# Python 3, holds all licences, needs no libyaml of the system, prices from Python and by its command line from any folder,
# finds its CUDA module, and the NVRTC that lies in the same environment before any other. One instruction set and the general
# loop alone, for they compile soonest; that takes minutes still, so it is skipped without LEVY_TEST_FULL=1 (tests/nightly.sh).
# Needs what builds the wheel: skipped where pip cannot get it. Environment: CC, LEVY_BINARY_DIR, LEVY_LINK_FLAGS, LEVY_SYSROOT
# (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
skip() { echo "skipped: $*"; exit 77; }
if [ -z "${LEVY_TEST_FULL:-}" ]; then skip "tests/nightly.sh builds the wheel, for minutes"; fi
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then skip "Python would have to be instrumented too"; fi
if [ -n "${LEVY_SYSROOT:-}" ]; then skip "headers and libraries are not the system's"; fi
python=$(command -v python3) || skip "no python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || skip "python3 is older than 3.9"
work=$(mktemp -d "${TMPDIR:-/tmp}/levy wheel XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "test_wheel: $*"; exit 1; }
"$python" -m venv "$work/build" > "$work/log" 2>&1 || skip "no virtual environments: $(head -n 1 "$work/log")"
"$work/build/bin/pip" install -q 'scikit-build-core>=0.11' > "$work/log" 2>&1 || skip "pip cannot get scikit-build-core"
for tool in cmake ninja; do
    command -v $tool > /dev/null || "$work/build/bin/pip" install -q $tool > "$work/log" 2>&1 || skip "pip cannot get $tool"
done

echo "-- the wheel"
mkdir "$work/source"
(cd "$root" && find . -path ./.git -prune -o \( -path './build*' -o -path ./.deps -o -name __pycache__ \) -prune -o -type f -print0 |
    tar --null -T - -cf -) | tar -C "$work/source" -xf -
isa=baseline
case $(uname -m) in aarch64 | arm64) isa=neon ;; esac
CC=${CC:-cc} CMAKE_BUILD_PARALLEL_LEVEL=2 CMAKE_C_COMPILER_LAUNCHER=$(command -v ccache || true) PATH=$work/build/bin:$PATH \
    "$work/build/bin/pip" wheel -q --no-deps --no-build-isolation -w "$work" "$work/source" \
    --config-settings=cmake.define.LEVY_ISA_SETS=$isa --config-settings=cmake.define.LEVY_GENERAL_LOOP=ON > "$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "it was not built"; }
wheel=$(echo "$work"/levy-*-py3-none-linux_*.whl)
[ -f "$wheel" ] || fail "its tag is not py3-none-linux: $(cd "$work" && echo ./*.whl)"
rm -rf "$work/source" # what it was built from must not be needed

echo "-- installed"
"$python" -m venv "$work/clean"
"$work/clean/bin/pip" install -q --no-index --no-deps "$wheel" > "$work/log" 2>&1 || { cat "$work/log"; fail "it was not installed"; }
site=$(echo "$work"/clean/lib/python3*/site-packages)
package=$site/levy
unset LEVY_LIBRARY LEVY_MODULE_DIR PYTHONPATH
for file in lib/liblevy.so include/levy.h include/levy_mpi.h share/levy/LICENSE share/levy/licences/libyaml.txt share/levy/configs/levy.schema.json share/levy/configs/notebooks/quant.ipynb; do
    [ -s "$package/$file" ] || fail "it has no $file"
done
for licence in libyaml joe_kuo xxhash; do
    [ -n "$(find "$site" -path '*dist-info*' -name $licence.txt)" ] || fail "its metadata lack the licence of $licence"
done
if ldd "$package/lib/liblevy.so" | grep -q yaml; then fail "the library needs the system's libyaml"; fi
if find "$package/lib" "$package/bin" "$package/libexec" -type f -exec strings -a {} + | grep -F -e "$work/" -e pip-; then fail "a folder of the build is in it"; fi

cd "$work"
quickstart=$package/share/levy/configs/quickstart.yaml
want=$("${LEVY_BINARY_DIR:?}/levy" price "$quickstart" --set simulation.paths=2^10 --format csv --quiet | cut -d, -f1-6)
for command in "$work/clean/bin/levy" "$work/clean/bin/python -m levy"; do
    words=("$command")
    case $command in *" -m levy") words=("${command% -m levy}" -m levy) ;; esac
    got=$("${words[@]}" price "$quickstart" --set simulation.paths=2^10 --format csv --quiet | cut -d, -f1-6)
    [ "$got" = "$want" ] || fail "$command has other prices"
done
"$work/clean/bin/python" -c 'import levy, sys; print(levy.price(sys.argv[1], paths=2**10).trade(0).price)' "$quickstart" > "$work/price" 2> "$work/log" ||
    { cat "$work/log"; fail "it does not price"; }

echo "-- the CUDA module"
[ -e "$LEVY_BINARY_DIR/lib/levy/liblevy-cuda.so" ] || { echo "none was built"; exit 0; }
"$work/clean/bin/levy" devices > "$work/out"
if grep -q 'no CUDA module' "$work/out"; then cat "$work/out" && fail "it does not find its CUDA module"; fi
cat > "$work/compiler.c" << 'SOURCE'
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void speak(void)
{
    FILE *const file = fopen(getenv("SPOKE"), "w");
    if (file) fclose(file);
}
SOURCE
compilers=$site/nvidia/cu13/lib
mkdir -p "$compilers"
"${CC:-cc}" -shared -fPIC "$work/compiler.c" -o "$compilers/libnvrtc.so.13"
export SPOKE=$work/spoke
"$work/clean/bin/levy" kernels build --arch sm_90 --cache-dir "$work/kernels" "$quickstart" > "$work/out" 2>&1 || true
[ -e "$SPOKE" ] || { cat "$work/out"; fail "the NVRTC in its environment was not looked at"; }
