#!/bin/bash
# test_mpi.sh: engine/levy_mpi.h. Against an MPI of one process (tests/mpi/mpi.h) it compiles as strict C and C++ and prices; then
# under each MPI that is installed, configs/embed/mpi.c on 1 to 4 ranks prints the bytes of one process, all ranks get the results
# where all want them, and a rank that fails makes every rank end with the same error. Exit 77: no MPI is installed; the rest ran.
# Environment: LEVY, LEVY_LIBRARY_DIR, CC, LEVY_LINK_FLAGS, LEVY_SYSROOT (set by ctest).
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
levy=${LEVY:?} libdir=${LEVY_LIBRARY_DIR:?} cc=${CC:-cc}
work=$(mktemp -d "${TMPDIR:-/tmp}/levy mpi XXXXXX")
trap 'rm -rf "$work"' EXIT
read -r -a link <<< "${LEVY_LINK_FLAGS:-}"
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
use=(-I "$root/engine" -L "$libdir" -llevy "-Wl,-rpath,$libdir")
sysroot=()
if [ -n "${LEVY_SYSROOT:-}" ]; then sysroot=("--sysroot=$LEVY_SYSROOT"); fi
fail() {
    echo "FAIL: $*"
    exit 1
}
cd "$work"
for book in quickstart asian; do sed "s/paths: 2^[0-9]*/paths: 2^12/" "$root/configs/$book.yaml" > $book.yaml; done
sed 's/tolerance: {.*}/tolerance: {absolute: 1e-9, max_paths: 2^15}/' "$root/configs/tolerance.yaml" > tight.yaml # is missed
for book in quickstart.yaml asian.yaml tight.yaml; do
    code=0
    "$levy" price $book --device cpu --threads 1 --no-times --format json --quiet --output one.$book || code=$?
    if [ "$book" = tight.yaml ]; then [ "$code" -eq 5 ]; else [ "$code" -eq 0 ]; fi || fail "exit code $code of $book"
done
"$levy" price quickstart.yaml --device cpu --threads 1 --no-times --by underlying --format json --quiet --output one.by

# All cases in one program. Of each every rank has the same status and words, and they begin with those given.
run=()
start() { # ranks, case and book...
    local n=$1
    shift
    rm -rf told
    mkdir told
    timeout 120 ${run[@]+"${run[@]}"} "$program" told "$@" > out 2>&1 || { cat out; fail "$kind, $n ranks: the program did not end well"; }
}
same() { # ranks, case, words of its status
    local n=$1 rank
    for ((rank = 0; rank < n; ++rank)); do
        cmp "told/$2.status.0" "told/$2.status.$rank" || fail "$kind, $n ranks: case '$2': rank $rank has another error"
    done
    grep -qF -- "$3" "told/$2.status.0" || { cat "told/$2.status.0"; fail "$kind, $n ranks: case '$2': no '$3'"; }
}
report() { # ranks, case, the report wanted, ranks that have it
    local rank
    for rank in $4; do cmp "$3" "told/$2.report.$rank" || fail "$kind, $1 ranks: case '$2': rank $rank has another report"; done
    [ "$(find told -name "$2.report.*" | wc -l)" -eq "$(wc -w <<< "$4")" ] || fail "$kind, $1 ranks: case '$2': other ranks have a report"
}
cases() { # ranks
    local n=$1 last=$(($1 - 1)) case words=() all
    all=$(seq -s ' ' 0 "$last")
    for case in price all last by file book root journal size device bad-by cancel null; do words+=("$case" quickstart.yaml); done
    if [ "$n" -gt 1 ]; then words+=(roots quickstart.yaml quote quickstart.yaml inter quickstart.yaml); fi
    start "$n" "${words[@]}" asian asian.yaml tight tight.yaml
    for case in price all last by asian; do same "$n" $case "0 -1 "; done
    report "$n" price one.quickstart.yaml 0
    report "$n" asian one.asian.yaml 0
    report "$n" all one.quickstart.yaml "$all"
    report "$n" last one.quickstart.yaml "$last"
    report "$n" by one.by 0
    same "$n" tight "-6 -1 "
    report "$n" tight one.tight.yaml 0
    same "$n" file "-2 $last rank $last: none.yaml: error: cannot "
    same "$n" book "-1 $last rank $last: there is no book"
    same "$n" root "-1 0 rank 0: the root is no rank"
    same "$n" journal "-1 $last rank $last: levy_mpi_price gives journal"
    same "$n" size "-1 $last rank $last: struct_size is not that of levy_price_options"
    same "$n" device "-5 $last rank $last: "
    same "$n" bad-by "-1 0 rank 0: "
    same "$n" cancel "-8 $last rank $last: "
    same "$n" null "-1 -1 the communicator is MPI_COMM_NULL"
    for case in file book root journal size device bad-by cancel null; do report "$n" $case "" ""; done
    [ "$n" -gt 1 ] || return 0
    same "$n" roots "-1 0 rank 0: the ranks name different roots"
    same "$n" quote "-11 0 rank 0: the part of rank $last:1:1: error: this part is of another run: the quotes have changed"
    report "$n" quote "" ""
    same "$n" inter "-1 -1 it is an intercommunicator"
    report "$n" inter "" ""
}

echo "-- an MPI of one process"
kind="one process"
"$cc" -std=c99 "${strict[@]}" ${sysroot[@]+"${sysroot[@]}"} -I "$root/tests/mpi" "$root/tests/mpi/ranks.c" "${use[@]}" ${link[@]+"${link[@]}"} -o ranks
"$cc" -std=c11 "${strict[@]}" ${sysroot[@]+"${sysroot[@]}"} -I "$root/tests/mpi" "$root/configs/embed/mpi.c" "${use[@]}" ${link[@]+"${link[@]}"} -o mpi
if echo 'int main() { return 0; }' | "$cc" ${sysroot[@]+"${sysroot[@]}"} ${link[@]+"${link[@]}"} -x c++ -std=c++17 - -o probe 2> /dev/null; then
    "$cc" -x c++ -std=c++17 "${strict[@]}" ${sysroot[@]+"${sysroot[@]}"} -I "$root/tests/mpi" -I "$root/engine" -c "$root/tests/mpi/ranks.c" -o ranks.o
else
    echo "skipped: no C++ compiler"
fi
sed -n '/^<!-- not run: needs an MPI; tests\/test_mpi.sh runs it -->$/,/^```$/p' "$root/docs/embedding.md" | sed '/^<!--/d; /^```/d' > page.c
[ -s page.c ] || fail "docs/embedding.md has no program"
"$cc" -std=c11 "${strict[@]}" ${sysroot[@]+"${sysroot[@]}"} -I "$root/tests/mpi" page.c "${use[@]}" ${link[@]+"${link[@]}"} -o page
program=./ranks
cases 1
start 1 calls quickstart.yaml
same 1 calls "0 -1 "
report 1 calls one.quickstart.yaml 0
grep -q '^[1-9][0-9]* calls failed$' out || fail "no call of MPI failed"
./mpi quickstart.yaml > out || fail "the program of one process"
[ -z "${LEVY_LINK_FLAGS:-}" ] || { echo "skipped: a sanitizer would judge MPI"; exit 0; }

found=0
for name in openmpi mpich; do
    if ! command -v "mpicc.$name" > /dev/null || ! command -v "mpirun.$name" > /dev/null; then
        echo "skipped: no mpicc.$name and mpirun.$name"
        continue
    fi
    found=1 kind=$name
    echo "-- $name"
    mkdir -p "$name"
    for source in "$root/configs/embed/mpi.c" "$root/tests/mpi/ranks.c" page.c; do
        "mpicc.$name" -std=c11 "${strict[@]}" "$source" "${use[@]}" -o "$name/$(basename "$source" .c)"
    done
    options=()
    if [ "$name" = openmpi ]; then options=(--oversubscribe --allow-run-as-root --bind-to none); fi
    export OMPI_MCA_btl_vader_single_copy_mechanism=none # a container may forbid it, and Open MPI then says so at length
    for n in 1 2 3 4; do
        run=("mpirun.$name" ${options[@]+"${options[@]}"} -n "$n")
        program=./$name/ranks
        "${run[@]}" "./$name/mpi" quickstart.yaml > out 2> message || { cat message; fail "$name, $n ranks: configs/embed/mpi.c"; }
        cmp <(grep -o '"price": [^,]*' one.quickstart.yaml) <(grep -o '"price": [^,]*' out) || fail "$name, $n ranks: configs/embed/mpi.c has other prices"
        "${run[@]}" "./$name/page" > out 2> message || { cat message; fail "$name, $n ranks: the program of docs/embedding.md"; }
        cmp <(grep -o '"price": [^,]*' one.quickstart.yaml) <(grep -o '"price": [^,]*' out) || fail "$name, $n ranks: the program of docs/embedding.md has other prices"
        cases "$n"
    done
done
if [ "$found" = 0 ]; then
    echo "skipped: ranks: no MPI is installed (openmpi-bin libopenmpi-dev, or mpich libmpich-dev)"
    exit 77
fi
echo "passed"
