#!/bin/bash
# test_parts.sh: a book priced in parts and merged has the bytes of one run, for any number of parts; sets of parts that are not
# the book once are refused by name; a part goes on where it ended; ranks are found. A sanitizer gets a sample.
# Environment: LEVY, the program; LEVY_BINARY_DIR, LEVY_LINK_FLAGS (set by ctest).
set -euo pipefail
export LC_ALL=C
levy=${LEVY:?the program to test}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
memory=${TMPDIR:-/tmp} # some hundred journals are synced: a disk takes longer for it than levy for all else
if [ -d /dev/shm ] && [ -w /dev/shm ]; then memory=/dev/shm; fi
work=$(mktemp -d "$memory/levy parts XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$root"/configs/{american,book,tolerance,scenarios,asian,quickstart,greeks,heston,legs}.yaml "$work"
cd "$work"
all=(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16) few=(2 5) kills=3 trades=200
if [ -n "${LEVY_LINK_FLAGS:-}" ]; then all=(3) kills=1 trades=40; fi

fail() {
    echo "FAIL: $*"
    if [ -s message ]; then cat message; fi
    exit 1
}
ends() { # expected code, words of the message ("": none), command...
    local expected=$1 words=$2 code=0
    shift 2
    "$@" > out 2> message || code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code, not $expected, of: $*"
    if [ -n "$words" ]; then grep -qF -- "$words" message || fail "no '$words' from: $*"; fi
}
# Prices a book whole and in parts, and compares reports as JSON and as text.
agrees() { # expected code, counts of parts, options of the report, options of price
    local expected=$1 counts=$2 report=$3 n k
    shift 3
    local price=("$levy" price "$@" --device cpu --threads 1 --progress none --quiet)
    # shellcheck disable=SC2086
    ends "$expected" "" "${price[@]}" --no-times $report --format json --output one.json
    # shellcheck disable=SC2086
    ends "$expected" "" "${price[@]}" --no-times $report --output one.txt
    for n in $counts; do
        rm -f p.*
        for ((k = 1; k <= n; ++k)); do ends 0 "" "${price[@]}" --part "$k/$n" --journal p; done
        # shellcheck disable=SC2086
        ends "$expected" "" "$levy" merge p.* --quiet $report --format json --output merged.json
        # shellcheck disable=SC2086
        ends "$expected" "" "$levy" merge p.* --quiet $report --output merged.txt
        cmp one.json merged.json || fail "another report: $n parts of $*"
        cmp one.txt merged.txt || fail "another table: $n parts of $*"
    done
}

echo "-- bits"
agrees 0 "${all[*]}" "" book.yaml --paths 2^12
agrees 0 "${all[*]}" "" asian.yaml --paths 2^16
agrees 0 "2" "" american.yaml
agrees 0 "2" "" legs.yaml --paths 2^12
agrees 0 "2" "" heston.yaml --paths 2^16 # with what steps leave, of groups that parts share
agrees 0 "2" "" legs.yaml --paths 2^12 --set simulation.precision=single # known amounts are in double
if [ -z "${LEVY_LINK_FLAGS:-}" ]; then
    agrees 0 "${few[*]}" "--by underlying" book.yaml --paths 2^14 --measures price,delta,gamma,vega,rho,theta
    agrees 0 "${few[*]}" "" tolerance.yaml
    agrees 0 "${few[*]}" "" scenarios.yaml --paths 2^14
    agrees 0 "${few[*]}" "" legs.yaml --paths 2^14
    agrees 0 "16" "" asian.yaml --paths 2^18
    agrees 0 "${few[*]}" "" greeks.yaml --paths 100001 --set simulation.generator=philox
    agrees 0 "${few[*]}" "" greeks.yaml --paths 2^17 --set simulation.replicates=1 --set simulation.generator=sobol
    agrees 0 "${few[*]}" "" quickstart.yaml --paths 2^14 --set simulation.precision=single
    grep -q '"unit": ' p.* || fail "no group was cut"
fi
sed -e 's/^trades:/trades:\n  - {id: wrong, underlying: NONE}/' -e '/paths:/d' quickstart.yaml > failing.yaml
agrees 1 "2" "" failing.yaml --paths 2^14 # the trade is at fault, the others are priced
agrees 5 "2" "" tolerance.yaml --set simulation.tolerance.absolute=1e-9 --set simulation.tolerance.max_paths=2^16

echo "-- sets of parts"
price=("$levy" price quickstart.yaml --paths 2^12 --device cpu --threads 1 --progress none)
for k in 1 2 3; do ends 0 "part $k/3 is complete: q.$k-of-3" "${price[@]}" --part "$k/3" --journal q; done
for k in 1 2; do ends 0 "" "${price[@]}" --part "$k/2" --journal q; done
ends 6 "error: part 2/3 is missing" "$levy" merge q.1-of-3 q.3-of-3
truncate -s 100G huge # nothing, and so no first line, is read to its end
ends 6 "huge:1:1: error: this is no part's journal" timeout 20 "$levy" merge q.1-of-3 huge
rm huge
# Of a trade that several parts share, what another cut holds is not missing.
for k in 1 2 3; do ends 0 "" "$levy" price asian.yaml --paths 2^18 --device cpu --progress none --part "$k/8" --journal a; done
ends 0 "" "$levy" price asian.yaml --paths 2^18 --device cpu --progress none --part 2/2 --journal a
ends 6 "error: part 4/8 is missing" "$levy" merge a.[1-3]-of-8 a.2-of-2
if grep -q "5/8" message; then fail "a part is called missing whose share is there"; fi
cp q.2-of-3 copy
ends 6 "part 2/3 is there twice: copy and q.2-of-3" "$levy" merge q.*-of-3 copy
ends 6 "both hold trade" "$levy" merge q.1-of-2 q.*-of-3
ends 6 "q.1-of-2: error: q.1-of-3 (part 1/3) and q.1-of-2 (part 1/2)" "$levy" merge q.1-of-2 q.1-of-3
ends 7 "none: error: cannot read the part's journal: No such file" "$levy" merge none
ends 6 "quickstart.yaml:1:1: error: this is no part's journal" "$levy" merge quickstart.yaml
ends 0 "" "${price[@]}" --journal whole
ends 6 "whole:1:1: error: this is the journal of a whole run" "$levy" merge whole
ends 0 "" "${price[@]}" --seed 7 --part 3/3 --journal other
ends 6 "other.3-of-3:1:1: error: this part is of another run: the settings (--set, --measures) have changed" "$levy" merge q.1-of-3 q.2-of-3 other.3-of-3
ends 6 "the journal cannot be used: the settings (--set, --measures) have changed" "${price[@]}" --seed 7 --part 1/3 --journal q
sed '3 s/"sums": "4/"sums": "5/' q.1-of-3 > damaged
ends 6 "damaged:3:1: error: this line of the part's journal is damaged" "$levy" merge damaged q.2-of-3 q.3-of-3
head -n -1 q.3-of-3 | head -c -100 > short # its end is lost, and its last group torn
ends 6 "is not finished: it has" "$levy" merge q.1-of-3 q.2-of-3 short
cp quickstart.yaml kept.yaml && sed -i 's/seed: *[0-9]*/seed: 99/; s/^simulation:.*/&/' quickstart.yaml && echo "# changed" >> quickstart.yaml
ends 6 "this part is of another run: the input files have changed since" "$levy" merge q.*-of-3
mv kept.yaml quickstart.yaml
ends 2 "--output would replace the part q.1-of-3" "$levy" merge q.*-of-3 --format json --output q.1-of-3
ends 0 "" "$levy" merge q.*-of-3 --output merged.csv --columns id,price

echo "-- devices that differ are listed, the rest is the same"
rm -f q.1-of-2
ends 0 "" "$levy" price quickstart.yaml --paths 2^12 --device cpu --threads 2 --progress none --part 1/2 --journal q
"$levy" merge q.*-of-2 --format json > out
grep -q '^  {"part": 1, "parts": 2, .*"threads": 2},$' out || fail "part 1 is not listed"
grep -q '^  {"part": 2, "parts": 2, .*"threads": 1}$' out || fail "part 2 is not listed"
"$levy" merge q.*-of-2 | grep -q '^part 2/2 on .*, 1 thread, ' || fail "part 2 is not in the table"

echo "-- only the rest"
cp q.2-of-3 before
ends 0 "" "${price[@]}" --part 2/3 --journal q
[ "$(grep -c '^{"group"' q.2-of-3)" -eq "$(grep -c '^{"group"' before)" ] || fail "a finished part was priced again"
# a finished part whose journal cannot be written to; root may write to all, and tries as nobody
user=()
if [ "$(id -u)" -eq 0 ]; then user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
if ${user[@]+"${user[@]}"} test -x "$levy" 2> message; then
    mkdir sealed
    cp quickstart.yaml before sealed
    mv sealed/before sealed/q.2-of-3
    head -n -1 q.3-of-3 > sealed/q.3-of-3
    chmod a+rx . sealed
    chmod a-w sealed/q.* sealed
    locked() { (cd sealed && ${user[@]+"${user[@]}"} "${price[@]}" "$@"); }
    ends 0 "part 2/3 is complete: q.2-of-3" locked --part 2/3 --journal q
    cmp sealed/q.2-of-3 before || fail "a journal without write permission has changed"
    ends 7 "cannot open the journal: Permission denied" locked --part 3/3 --journal q
    ends 6 "the settings (--set, --measures) have changed" locked --seed 7 --part 2/3 --journal q
    ends 7 "cannot open the journal: Permission denied" locked --part 1/3 --journal q
    chmod u+w sealed
else
    echo "skipped: a journal that cannot be written to: no other user can be taken"
fi
head -n 3 before > q.2-of-3
ends 0 "" "${price[@]}" --part 2/3 --journal q
ends 0 "" "$levy" merge q.*-of-3
if command -v python3 > /dev/null; then
    "$root/bench/kill_parts.sh" "${LEVY_BINARY_DIR:?}" "${LEVY_KILL_TRADES:-$trades}" "${LEVY_KILLS:-$kills}" || fail "kills"
fi

if [ -z "${LEVY_LINK_FLAGS:-}" ]; then
    echo "-- many units: a merge takes time in proportion"
    many=("$levy" price quickstart.yaml --paths 2^16 --set simulation.replicates=32768 --device cpu --threads 1 --progress none --quiet)
    for k in 1 2; do ends 0 "" "${many[@]}" --part "$k/2" --journal many; done
    ends 0 "" bash -c 'ulimit -t 3 && exec "$@"' limited "$levy" merge many.*-of-2 --format json --output many.json
    "${many[@]}" --no-times --format json | cmp - many.json || fail "many units: another report"
fi

echo "-- a part names files outside of the folder: they are read where the user says so alone"
mkdir -p inside
for book in "$PWD/quickstart.yaml" ../quickstart.yaml inside/../../quickstart.yaml; do
    (cd inside && mkdir -p inside && ends 0 "" "$levy" price "$book" --paths 2^10 --device cpu --progress none --quiet --part 1/1 --journal far)
    (cd inside && ends 2 "files outside of this folder: $book" "$levy" merge far.1-of-1)
    (cd inside && ends 0 "" "$levy" merge far.1-of-1 --trust-parts)
    rm inside/far.1-of-1
done
(cd inside && ends 0 "" "$levy" price ../quickstart.yaml --paths 2^10 --device cpu --progress none --quiet --part 1/1 --journal ../far)
ends 2 "files outside of this folder: ../quickstart.yaml" "$levy" merge far.1-of-1
ends 0 "" "$levy" price quickstart.yaml --allow-links --paths 2^10 --device cpu --progress none --quiet --part 1/1 --journal links
ends 2 "files outside of this folder: --allow-links" "$levy" merge links.1-of-1

echo "-- usage"
ends 2 "--part takes K/N, such as 3/16, with K from 1 to N" "${price[@]}" --part 4/3
ends 2 "--part takes K/N" "${price[@]}" --part 0/3
ends 2 "--part takes no standard input" "$levy" price - --part 1/2
ends 2 "--part is of one book" "$levy" price quickstart.yaml --each --part 1/2
ends 2 "--part K/N writes a journal, no report" "${price[@]}" --part 1/2 --output out.csv
alone=(env -u SLURM_PROCID -u PMI_RANK -u OMPI_COMM_WORLD_RANK)
ends 2 "--part env finds no rank" "${alone[@]}" "${price[@]}" --part env
for part in env 1/2; do
    ends 2 "error: by: there is no key 'nonsense'" "${alone[@]}" PMI_RANK=1 PMI_SIZE=2 "${price[@]}" --part "$part" --journal by --by nonsense
    [ -z "$(find . -name 'by.*')" ] || fail "a part is priced before --by is read"
done

echo "-- no output replaces a part"
ranked=("${alone[@]}" PMI_RANK=0 PMI_SIZE=2 "${price[@]}" --part env --format json)
ends 0 "" "${price[@]}" --part 2/2 --journal o
ends 2 "--output would replace the part o.1-of-2" "${ranked[@]}" --journal o --output o.1-of-2
[ ! -e o.1-of-2 ] || fail "a part is priced before --output is looked at"
ends 0 "" "${price[@]}" --part 1/2 --journal o
cp o.1-of-2 o.kept.1
cp o.2-of-2 o.kept.2
ln -s o.2-of-2 o.soft
ln o.1-of-2 o.hard
for name in o.1-of-2 o.2-of-2 ./o.2-of-2 o.soft o.hard "$PWD/o.1-of-2"; do
    ends 2 "--output would replace the part o." "${ranked[@]}" --journal o --output "$name"
    ends 2 "--output would replace the part $PWD/o." "${ranked[@]}" --journal "$PWD/o" --output "$name"
done
ends 2 "--output would replace the part o.2-of-2" "${alone[@]}" PMI_RANK=1 PMI_SIZE=2 "${price[@]}" --part env --format json --journal o --output ./o.2-of-2
if ! cmp o.1-of-2 o.kept.1 || ! cmp o.2-of-2 o.kept.2; then fail "an output has replaced a part"; fi
ends 2 "--output quickstart.yaml: unknown format" "$levy" merge o.*-of-2 --output quickstart.yaml
ends 2 "--output would replace the input quickstart.yaml" "$levy" merge o.*-of-2 --format json --output quickstart.yaml
! grep -q "is a part of this book" message || fail "the book was found, and the hint says that it was not"
mv quickstart.yaml elsewhere.yaml
ends 3 "merge where its files are found by the same names" "$levy" merge o.*-of-2
mv elsewhere.yaml quickstart.yaml

echo "-- variables of ranks"
for bad in 0x1 1x 3abc +1 -1 1e0 1.0 '1 ' 99999999999 65537; do
    ends 2 "PMI_RANK takes a number up to 65536; got '$bad'" "${alone[@]}" PMI_RANK="$bad" PMI_SIZE=2 "${price[@]}" --part env
    ends 2 "SLURM_NTASKS takes a number up to 65536; got '$bad'" "${alone[@]}" SLURM_PROCID=0 SLURM_NTASKS="$bad" "${price[@]}" --part env
done
ends 2 "OMPI_COMM_WORLD_RANK=2 is no rank of OMPI_COMM_WORLD_SIZE=2" "${alone[@]}" OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=2 "${price[@]}" --part env
slurm=("${alone[@]}" SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_LOCALID=0 "SLURM_STEP_TASKS_PER_NODE=4(x2),3")
for bad in 60000 4097 2x; do
    ends 2 "SLURM_CPUS_PER_TASK takes a number up to 4096; got '$bad'" "${slurm[@]}" SLURM_CPUS_PER_TASK="$bad" "${price[@]}" --part env --journal s
done
ends 0 "" "${slurm[@]}" SLURM_CPUS_PER_TASK=2 "${price[@]}" --part env --journal s

echo "-- ranks"
"${price[@]}" --no-times > one.txt
rank() { # rank, size, variables of rank and size
    env -u SLURM_PROCID -u PMI_RANK -u OMPI_COMM_WORLD_RANK "$3=$1" "$4=$2" "${price[@]}" --part env --journal "r$4"
}
for pair in OMPI_COMM_WORLD_RANK:OMPI_COMM_WORLD_SIZE PMI_RANK:PMI_SIZE SLURM_PROCID:SLURM_NTASKS; do
    rank 0 3 "${pair%:*}" "${pair#*:}" > out &
    rank 2 3 "${pair%:*}" "${pair#*:}" > out2
    rank 1 3 "${pair%:*}" "${pair#*:}" >> out2
    wait
    cmp one.txt out || fail "ranks of $pair"
    [ ! -s out2 ] || fail "ranks beside 0 print"
done
for mpirun in mpirun.openmpi mpirun.mpich; do
    if ! command -v "$mpirun" > /dev/null; then echo "skipped: no $mpirun"; continue; fi
    options=()
    if [ "$mpirun" = mpirun.openmpi ]; then options=(--oversubscribe --allow-run-as-root); fi
    "$mpirun" ${options[@]+"${options[@]}"} -n 4 "${price[@]}" --no-color --part env --journal "$mpirun" > out 2> message || fail "$mpirun"
    cmp one.txt out || fail "$mpirun: another report"
done

echo "-- scripts"
cp "$root"/configs/cluster/* .
if command -v make > /dev/null; then
    run=(make -s -j 2 BOOK=quickstart.yaml PARTS=5 "LEVY=$levy" "OPTIONS=--paths 2^12 --device cpu")
    "$levy" price quickstart.yaml --paths 2^12 --device cpu --threads 1 --progress none --no-times --output one.json
    ends 0 "" "${run[@]}"
    cmp one.json report.json || fail "make: another report"
    ends 2 "the settings (--set, --measures) have changed" "${run[@]}" "OPTIONS=--paths 2^11 --device cpu"
    rm report.json
    head -n 2 quickstart.part.3-of-5 > short && mv short quickstart.part.3-of-5
    ends 0 "" "${run[@]}"
    cmp one.json report.json || fail "make: another report of a part priced again"
    echo "# changed" >> quickstart.yaml
    ends 0 "" "${run[@]}" REPORT=again.json
else
    echo "skipped: no make"
fi
# A stand-in for sbatch runs each task at once.
mkdir bin
cat > bin/sbatch << 'SBATCH'
#!/bin/bash
array=1-1
while [ $# -gt 0 ]; do
    case $1 in --array) array=$2; shift ;; --wrap) wrap=$2; shift ;; esac
    shift
done
for task in $(seq "${array%-*}" "${array#*-}"); do SLURM_ARRAY_TASK_ID=$task bash -c "$wrap" > /dev/null 2>> sbatch.log || exit 1; done
echo 17
SBATCH
chmod +x bin/sbatch
ln -s "$levy" bin/levy
PATH=$PWD/bin:$PATH CPUS=1 ends 0 "" ./slurm_array.sh asian.yaml 3 array.json --paths 2^12 --device cpu
"$levy" price asian.yaml --paths 2^12 --device cpu --threads 1 --progress none --no-times --output one.json
cmp one.json array.json || fail "slurm_array.sh: another report"
echo "passed"
