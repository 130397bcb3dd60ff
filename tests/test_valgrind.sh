#!/bin/bash
# test_valgrind.sh: the reader under Valgrind: the examples, the books of the tests, 600 faulty books and the fuzzers' corpus
# use no memory without a value, none that is not theirs, and lose none. Reading alone, for Valgrind knows no AVX-512; with
# LEVY_VALGRIND_FULL=1 prices, parts and studies too, by the baseline's instructions, which the program must have then.
# Environment: LEVY, the program; LEVY_LINK_FLAGS (set by ctest).
set -euo pipefail
export LC_ALL=C
levy=${LEVY:?the program to test}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then echo "skipped: a sanitizer and Valgrind do not go together"; exit 77; fi
command -v valgrind > /dev/null || { echo "skipped: no valgrind"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/levy-valgrind-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$root"

# In glibc memmove with a check and memcpy with one are one function, which Valgrind 3.19 takes for the latter.
cat > "$work/known" << 'END'
{
   memmove_with_a_check
   Memcheck:Overlap
   fun:__memcpy_chk
   fun:levy_open_beneath_by_parts
}
END
valgrind --quiet --error-exitcode=99 --suppressions="$work/known" "$levy" version > /dev/null 2> "$work/log" ||
    { echo "skipped: Valgrind does not run this program: $(head -n 1 "$work/log")"; exit 77; }

reads() { # the most that the exit code may be, words of levy: all of it that Valgrind finds fails
    local most=$1 code=0
    shift
    valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect --suppressions="$work/known" \
        "$levy" "$@" > "$work/out" 2> "$work/log" || code=$?
    if [ "$code" -gt "$most" ]; then
        { grep -A 12 '^==[0-9]*== ' "$work/log" || tail -n 5 "$work/log"; } | head -n 60
        echo "FAIL: exit code $code of: levy ${*:0:120}"
        exit 1
    fi
}
reads 3 validate --each configs/*.yaml configs/payoffs/*.yaml tests/books/*.yaml
reads 3 validate --each tests/bad_configs/*.yaml
reads 3 validate --each tests/fuzz_corpus/*
reads 0 schema
printf 'id,underlying,payoff.kind,payoff.option_type,payoff.strike,exercise.expiry\na,S,european,call,100,1.0\nb,S,european,call\n' > "$work/t.csv"
printf 'schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {S: {currency: USD, spot: 100, volatility: 0.25}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\n' > "$work/m.yaml"
reads 3 validate "$work/t.csv" --market "$work/m.yaml"
[ "${LEVY_VALGRIND_FULL:-0}" = 1 ] || exit 0
cpu=(--device cpu --isa baseline --threads 2)
GLOBIGNORE=configs/tolerance.yaml # --paths does not bound a book that asks for an accuracy, which takes long unless that is low
reads 5 price --each configs/*.yaml configs/payoffs/*.yaml --paths 2^8 "${cpu[@]}" --format json
unset GLOBIGNORE
reads 0 price configs/tolerance.yaml --set simulation.tolerance.absolute=1000 "${cpu[@]}"
reads 3 explain --each configs/*.yaml --isa baseline
for k in 1 2; do reads 0 price configs/book.yaml --paths 2^12 "${cpu[@]}" --part "$k/2" --journal "$work/p"; done
reads 0 merge "$work"/p.*-of-2 --format json
reads 0 price configs/book.yaml --paths 2^12 "${cpu[@]}" --journal "$work/whole"
reads 0 price configs/book.yaml --paths 2^12 "${cpu[@]}" --journal "$work/whole" --resume
reads 0 converge configs/geometric_asian.yaml --points 2^6..2^8 --replicates 4 "${cpu[@]}"
