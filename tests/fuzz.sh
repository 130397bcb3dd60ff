#!/bin/bash
# fuzz.sh: the libFuzzer harnesses of a build with LEVY_FUZZ=ON. Each reads the whole corpus first (configs/ and
# tests/fuzz_corpus/, where what once crashed is kept; or the folder there that has its name), then looks for more with a
# dictionary of keys and words; harnesses run side by side.
#
#     tests/fuzz.sh BUILD [SECONDS] [FOLDER]     default 60, and a folder that is removed; 0 seconds: the corpus alone, for
#                                                which LEVY_FUZZ=corpus will do
#
# FOLDER keeps what was found: FOLDER/<harness>/ is a corpus to go on with, FOLDER/<harness>-crash-* a crasher. Ends with a line
# per harness: runs, edges, or what it died of, and the input in base64. Exit code 1: a harness died.
set -uo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "${1:?usage: fuzz.sh BUILD [SECONDS] [FOLDER]}" && pwd -P) || exit 2
seconds=${2:-60} folder=${3:-}
if [ -z "$folder" ]; then
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder" && folder=$(cd "$folder" && pwd -P) || exit 1
harnesses=()
for harness in "$build"/tests/fuzz_*; do
    if [ -f "$harness" ] && [ -x "$harness" ]; then harnesses+=("$harness"); fi
done
[ ${#harnesses[@]} -ge 1 ] || { echo "fuzz.sh: no harness in $build/tests: configure with -DLEVY_FUZZ=ON and clang"; exit 1; }
ulimit -c 0
# Keys and words of files and of scripts, from the tables as they are.
grep -ohE '"[A-Za-z_][A-Za-z_0-9.]{1,30}"' "$root"/engine/schema/{catalog,kind_file}.c "$root"/engine/script/{token,function,expression,parse}.c \
    "$root"/models/*.[ch] "$root"/payoffs/*.[ch] | sort -u | grep -v '\.h"' > "$folder/dictionary"
printf '"%s"\n' ': ' '- ' '{' '}' '[[' ']]' ', ' '2^' '<=' '>=' '==' > "$folder/marks"
cat "$folder/marks" >> "$folder/dictionary"

fuzz() { # harness
    local name=${1##*/} code=0
    local corpus=("$root/configs" "$root/tests/fuzz_corpus") common=("-dict=$folder/dictionary" -timeout=120 -rss_limit_mb=4096 "-artifact_prefix=$folder/$name-")
    case $name in # files that begin with a byte of their own say nothing to the others
    fuzz_files | fuzz_arrays | fuzz_journal) corpus=("$root/tests/fuzz_corpus/${name#fuzz_}") ;;
    esac
    mkdir -p "$folder/$name"
    "$1" "${common[@]}" -runs=0 "$folder/$name" "${corpus[@]}" > "$folder/$name.log" 2>&1 || code=$?
    if [ "$code" -eq 0 ] && [ "$seconds" != 0 ]; then
        "$1" "${common[@]}" -max_len=8192 "-max_total_time=$seconds" -print_final_stats=1 "$folder/$name" "${corpus[@]}" >> "$folder/$name.log" 2>&1 || code=$?
    fi
    if [ "$code" -ne 0 ]; then
        grep -E -m 1 -A 12 'ERROR|SUMMARY|runtime error' "$folder/$name.log"
        for found in "$folder/$name-"*; do [ -e "$found" ] && echo "-- $found:" && head -c 3000 "$found" && echo "base64: $(base64 -w 0 "$found")"; done
    fi
    echo "$name: exit $code, $(sed -nE 's/^#([0-9]+).* cov: ([0-9]+).*/\1 runs, \2 edges/p; t; s/^#([0-9]+).*DONE .*/\1 runs/p' "$folder/$name.log" | tail -n 1)"
    return "$code"
}
export -f fuzz
export root folder seconds
# shellcheck disable=SC2016
printf '%s\0' "${harnesses[@]}" | xargs -0 -P "${#harnesses[@]}" -I HARNESS bash -c 'fuzz "$1"' _ HARNESS || exit 1
