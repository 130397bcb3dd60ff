#!/bin/bash
# test_subproject.sh: a project that has levy's folder within its own (add_subdirectory) gets levy::levy and levy::levy-static,
# builds no tests, installs nothing of levy's, and keeps its own build type and folders. One
# instruction set and the general loop alone, for they compile soonest. LEVY_TEST_FULL=1 builds it too, which takes minutes
# (tests/nightly.sh). Environment: CC, LEVY_GENERATOR, LEVY_BINARY_DIR, LEVY_LINK_FLAGS (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then echo "skipped: other flags build the same project"; exit 77; fi
work=$(mktemp -d "${TMPDIR:-/tmp}/levy within XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "test_subproject: $*"; exit 1; }
logged() { "$@" > "$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "$1 $2 failed"; }; }

mkdir "$work/foreign"
ln -s "$root" "$work/foreign/levy"
cat > "$work/foreign/CMakeLists.txt" << 'PROJECT'
cmake_minimum_required(VERSION 3.22)
project(foreign LANGUAGES C)
add_subdirectory(levy)
add_executable(price levy/configs/embed/price.c)
target_link_libraries(price PRIVATE levy::levy)
add_executable(price_static levy/configs/embed/price.c)
target_link_libraries(price_static PRIVATE levy::levy-static)
install(TARGETS price RUNTIME DESTINATION bin)
if(CMAKE_BUILD_TYPE OR CMAKE_RUNTIME_OUTPUT_DIRECTORY OR CMAKE_C_FLAGS_RELEASE MATCHES "O2")
  message(FATAL_ERROR "levy changed this project's own settings")
endif()
PROJECT
. "$root/tests/same_options.sh"
isa=baseline
case $(uname -m) in aarch64 | arm64) isa=neon ;; esac
logged cmake -S "$work/foreign" -B "$work/build" ${LEVY_GENERATOR:+-G "$LEVY_GENERATOR"} -DCMAKE_C_COMPILER="${CC:-cc}" \
    -DLEVY_ISA_SETS=$isa -DLEVY_GENERAL_LOOP=ON -DCMAKE_C_COMPILER_LAUNCHER="$(command -v ccache || true)" \
    ${same[@]+"${same[@]}"}
grep -q '^CMAKE_BUILD_TYPE:STRING=$' "$work/build/CMakeCache.txt" || fail "levy set the build type of the project around it"
[ ! -e "$work/build/levy/tests" ] || fail "levy's tests were configured"
if [ -z "${LEVY_TEST_FULL:-}" ]; then exit 0; fi
logged cmake --build "$work/build" --parallel 2
for program in price price_static; do
    "$work/build/$program" "$root/configs/quickstart.yaml" > "$work/$program.out" 2> "$work/log" || fail "$program failed"
    [ "$(grep -c ' +- ' "$work/$program.out")" -eq 8 ] || { cat "$work/$program.out"; fail "$program printed other prices"; }
done
cmp "$work/price.out" "$work/price_static.out" || fail "the two libraries have other prices"
logged cmake --install "$work/build" --prefix "$work/prefix"
[ "$(cd "$work/prefix" && find . -type f)" = ./bin/price ] || { find "$work/prefix"; fail "levy was installed too"; }
