#!/bin/bash
# test_bench_program.sh: `levy bench` is the program libexec/levy/levy-bench of the same tree. It is found by where levy lies:
# from any folder, by any name of levy, in a tree that was moved; never on PATH, in the current directory or beside a link. Where
# it is missing, levy says so and what to do. Environment: LEVY, LEVY_BINARY_DIR, LEVY_LIBRARY_DIR (set by ctest).
set -euo pipefail
work=$(mktemp -d "${TMPDIR:-/tmp}/levy bench XXXXXX")
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
unset LD_LIBRARY_PATH
say() { echo "-- $*"; }
fail() { echo "test_bench_program: $*"; cat "$work/out" "$work/err" 2> /dev/null; exit 1; }

# A tree of its own, from the build folder, which has the layout of an installation.
build=$(cd "${LEVY_BINARY_DIR:?}" && pwd -P)
levy=$(readlink -f "${LEVY:?}")
bench=$(find "$build" -name _CPack_Packages -prune -o -path '*/levy/levy-bench' -type f -print)
libraries=$(cd "${LEVY_LIBRARY_DIR:?}" && pwd -P)
in_bin=${levy#"$build/"} in_libexec=${bench#"$build/"} in_lib=${libraries#"$build/"}
tree=$work/first/tree
mkdir -p "$tree/$(dirname "$in_bin")" "$tree/$(dirname "$in_libexec")" "$tree/$in_lib"
cp "$levy" "$tree/$in_bin"
cp "$bench" "$tree/$in_libexec"
cp -a "$libraries"/liblevy.so* "$tree/$in_lib"

# Strangers of its name, in every place where a program might be looked for.
mkdir -p "$work/elsewhere/libexec/levy" "$work/libexec/levy" "$work/bin" "$work/levy"
for place in elsewhere elsewhere/libexec/levy libexec/levy bin levy; do
    printf '#!/bin/sh\n: > "%s/spoke"\n' "$work" > "$work/$place/levy-bench"
    chmod +x "$work/$place/levy-bench"
done
export PATH=.:$work/elsewhere:$work/bin:$PATH

row=(bench --only european1_f64 --paths 2^8 --repeat 1 --device cpu --json)
measures() { # words, command...
    local words=$1
    shift
    say "$words"
    "$@" > "$work/out" 2> "$work/err" || fail "$words: exit code $?"
    grep -q '"name": "european1_f64"' "$work/out" || fail "$words: no row"
    [ ! -s "$work/err" ] || fail "$words: it complained"
    [ ! -e "$work/spoke" ] || fail "$words: a program of the same name was started"
}

cd "$work/elsewhere"
measures "the build folder, another current directory" "$LEVY" "${row[@]}"
measures "a copy of the tree" "$tree/$in_bin" "${row[@]}"
ln -s "$tree/$in_bin" "$work/bin/levy"
measures "a symbolic link in another folder" "$work/bin/levy" "${row[@]}"
ln -s ../bin/levy linked
measures "a link to the link, by a relative name" ./linked "${row[@]}"
PATH=$work/bin:$PATH measures "by PATH" levy "${row[@]}"
cd "$tree/$(dirname "$in_bin")"
measures "a relative name" "./$(basename "$in_bin")" "${row[@]}"
cd "$tree"
measures "a relative name with folders" "../tree/$in_bin" "${row[@]}"
cd "$work/elsewhere"
# shellcheck disable=SC2016
measures "another word for the program's name" bash -c 'exec -a nonsense/levy "$0" "$@"' "$tree/$in_bin" "${row[@]}"
mv "$work/first" "$work/second place"
tree="$work/second place/tree"
measures "the tree moved" "$tree/$in_bin" "${row[@]}"
cd /
measures "from the root" "$tree/$in_bin" "${row[@]}"
cd "$work/elsewhere"

say "levy is found as well: the row that times its start"
"$tree/$in_bin" bench --only quickstart_process --repeat 1 --device cpu > "$work/out" 2> "$work/err" || fail "exit code $?"
grep -q '^quickstart_process' "$work/out" || fail "no row"
"$tree/$in_libexec" --list > "$work/own" 2> "$work/err" || fail "levy-bench by itself: exit code $?"
"$tree/$in_bin" bench --list | cmp - "$work/own" || fail "levy-bench has another list"
"$tree/$in_libexec" --help | cmp - <("$tree/$in_bin" help bench) || fail "levy-bench has another help"

say "without levy, a row fails and says why"
mv "$tree/$in_bin" "$tree/away"
code=0
"$tree/$in_libexec" --only quickstart_process,european1_f64 --paths 2^8 --repeat 1 --device cpu > "$work/out" 2> "$work/err" || code=$?
[ "$code" -eq 1 ] || fail "exit code $code"
grep -qxF "levy: cannot start $tree/$in_bin: No such file or directory" "$work/err" || fail "no reason"
grep -q '^european1_f64' "$work/out" || fail "the other row is missing"
mv "$tree/away" "$tree/$in_bin"

refuses() { # words, reason
    local code=0
    say "$1"
    "$tree/$in_bin" "${row[@]}" > "$work/out" 2> "$work/err" || code=$?
    [ "$code" -eq 4 ] || fail "$1: exit code $code"
    [ ! -s "$work/out" ] || fail "$1: it printed something"
    grep -qxF "levy: \`levy bench\` is the program $tree/$in_libexec, which cannot be started: $2" "$work/err" || fail "$1: no message"
    grep -q '^hint: ' "$work/err" || fail "$1: no hint"
    [ ! -e "$work/spoke" ] || fail "$1: a program of the same name was started"
}
chmod -x "$tree/$in_libexec"
refuses "a program that may not be run" "Permission denied"
rm "$tree/$in_libexec"
refuses "no program" "No such file or directory"
"$tree/$in_bin" bench --help > "$work/out" 2> "$work/err" || fail "no help without the program"
code=0
"$tree/$in_bin" bench --onyl x > "$work/out" 2> "$work/err" || code=$?
[ "$code" -eq 2 ] || fail "wrong words without the program: exit code $code"
"$work/elsewhere/levy-bench"
[ -e "$work/spoke" ] || fail "the strangers of this test do not speak"
