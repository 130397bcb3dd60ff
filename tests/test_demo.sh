#!/bin/bash
# test_demo.sh: demo.sh says a line a step and keeps what its tools print in a log, whose end and place it shows when a step
# fails. On a project of a few lines in place of levy, so that it compiles nothing. Environment: CC (set by ctest).
set -euo pipefail
unset LEVY_BUILD LEVY_OPTIONS LEVY_TARGETS LEVY_JOBS # the stand-in has a build folder of its own
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/levy demo XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "test_demo: $*"; cat "$work/out"; exit 1; }
command -v dpkg > /dev/null || { echo "skipped: no dpkg"; exit 77; }
for package in gcc libc6-dev make cmake libyaml-dev libxxhash-dev; do # else demo.sh would install them
    case $(dpkg-query -W -f '${Status}' $package 2> /dev/null) in
    *' installed') ;;
    *) echo "skipped: no $package" && exit 77 ;;
    esac
done

mkdir -p "$work/clone/.ci" "$work/clone/tests"
cp "$root/demo.sh" "$root/test.sh" "$work/clone/"
cp "$root/.ci/setup.sh" "$work/clone/.ci/"
cp "$root/tests/count.awk" "$work/clone/tests/"
cat > "$work/clone/CMakeLists.txt" << 'PROJECT'
cmake_minimum_required(VERSION 3.22)
project(stand_in NONE)
message(STATUS "sets: ${LEVY_ISA_SETS}")
option(LEVY_GENERAL_LOOP "" OFF)
message(STATUS "general: ${LEVY_GENERAL_LOOP}")
enable_testing()
if(LEVY_TESTS)
  add_test(NAME all_sets COMMAND test "sets:${LEVY_ISA_SETS}" = sets:)
endif()
file(WRITE "${CMAKE_BINARY_DIR}/levy" "#!/bin/sh\necho the price of \"$*\"\n")
file(CHMOD "${CMAKE_BINARY_DIR}/levy" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
add_custom_target(levy COMMAND seq 400 COMMAND test ! -e "${CMAKE_SOURCE_DIR}/broken")
add_custom_target(levy_programs COMMAND echo the rest)
add_dependencies(levy_programs levy)
PROJECT
demo() { (cd / && CC=${CC:-cc} "$work/clone/demo.sh" > "$work/out" 2>&1); }

demo || fail "it failed"
[ "$(wc -l < "$work/out")" -eq 10 ] || fail "not a line a step"
[ "$(tail -n 6 "$work/out" | head -n 1)" = "the price of price configs/quickstart.yaml --format table" ] || fail "it priced something else"
# shellcheck disable=SC2016 # a line for the reader's shell
grep -q '^== done in [0-9]* s; levy in this shell:  export PATH="'"$work/clone/build"':$PATH"' "$work/out" || fail "it does not say where levy is"
grep -qx 400 "$work/clone/build/demo.log" || fail "the log lacks what the build printed"
grep -qx "the rest" "$work/clone/build/demo.log" || fail "it leaves the build unfinished"
[ "$(grep '^-- general: ' "$work/clone/build/demo.log" | xargs)" = "-- general: ON -- general: OFF" ] || fail "it leaves the loops unfinished"
sets=$(sed -n 's/^-- sets: //p' "$work/clone/build/demo.log" | head -n 1)
[ "$sets" = native ] || fail "it builds '$sets'"

# test.sh makes such a build folder whole: all instruction sets, and the tests.
sed -i 's/^levy_need .*/:/' "$work/clone/test.sh" # what the tests of levy need
(cd / && CC=${CC:-cc} "$work/clone/test.sh" > "$work/out" 2>&1) || fail "test.sh failed"
grep -q '^1/1 Test.* all_sets .*Passed' "$work/out" || fail "test.sh does not run the tests on all instruction sets"
demo || fail "it failed the second time"
if grep -q '^-- sets:' "$work/clone/build/demo.log"; then fail "it configures what is configured"; fi
rm -f "$work/clone/build/Makefile" "$work/clone/build/build.ninja"
demo || fail "it failed without a makefile"
grep -qx -- '-- sets: ' "$work/clone/build/demo.log" || fail "it takes sets from a build folder that has them all"

: > "$work/clone/broken"
if demo; then fail "a failed build went unnoticed"; fi
grep -qx 400 "$work/out" || fail "the end of the log is not shown"
if grep -qx 300 "$work/out"; then fail "all of the log is shown"; fi
grep -qF "$work/clone/build/demo.log" "$work/out" || fail "where the log lies is not said"
if grep -q '^the price of' "$work/out"; then fail "it priced after a failure"; fi
