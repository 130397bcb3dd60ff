#!/bin/bash
# test_ends.sh: however a run of `levy price` ends, its exit code says so, its message is clear, and nothing finished is lost:
# signals, full disks, closed and unwritable outputs, journals that are torn, damaged, of other runs or in use.
# Environment: LEVY, the program, and LEVY_LINK_FLAGS, which name a sanitizer (set by ctest).
set -euo pipefail
export LC_ALL=C
long_paths=2^24 many_paths=2^20 # of runs that are to be met at work; sanitizers make fewer as long
if [[ ${LEVY_LINK_FLAGS-} == *address* ]]; then long_paths=2^21 many_paths=2^16; fi
if [[ ${LEVY_LINK_FLAGS-} == *thread* ]]; then long_paths=2^21 many_paths=2^17; fi
levy=${LEVY:?the program to test}
work=$(mktemp -d "${TMPDIR:-/tmp}/levy ends XXXXXX")
child= # a program that runs beside this one
trap 'if [ -n "$child" ]; then kill -KILL "$child" 2> /dev/null; fi; rm -rf "$work"' EXIT
cd "$work"

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

{
    echo 'schema_version: 1'
    echo 'market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}'
    echo 'models: {m: {kind: black_scholes, assets: [A]}}'
    echo 'trades:'
    for ((i = 1; i <= 60; i++)); do
        echo "  - {id: t$i, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, exercise: {expiry: $((i))e-1}}"
    done
    echo 'simulation: {paths: 2^14}'
} > book.yaml
sed 's/strike: 100/strike: 101/' book.yaml > other.yaml
price=("$levy" price book.yaml --device cpu --progress none --format json)
"${price[@]}" --journal whole.journal --output whole.json || fail "the unbroken run"
[ "$(wc -l < whole.journal)" -eq 61 ] || fail "a line per group, and the first"

resumes() { # what became of a.journal ends with the bytes of the unbroken run
    ends 0 "" "${price[@]}" --journal a.journal --resume --output a.json
    cmp whole.json a.json || fail "another output: $*"
    [ "$(wc -l < a.journal)" -eq 61 ] || fail "the journal has $(wc -l < a.journal) lines: $*"
    rm -f a.json a.journal
}

echo "-- journals that are torn, damaged, of other runs"
head -c 7000 whole.journal > a.journal
resumes "torn"
: > a.journal
resumes "empty"
sed '20 s/"sums": "4/"sums": "5/' whole.journal > a.journal
cp a.journal before.journal
ends 6 "a.journal:20:1: error: the journal cannot be used: this line is damaged" "${price[@]}" --journal a.journal --resume --output a.json
cmp a.journal before.journal || fail "a refused journal was changed"
[ ! -e a.json ] || fail "a refused run wrote its output"
head -n 19 before.journal > a.journal # as its hint says
resumes "cut before the damage"
cp whole.journal a.journal
ends 6 "it exists already" "${price[@]}" --journal a.journal
ends 6 "the settings (--set, --measures) have changed" "${price[@]}" --journal a.journal --resume --set simulation.seed=7
ends 6 "the input files have changed" "$levy" price other.yaml --device cpu --journal a.journal --resume
printf "no journal\n" > no.journal
ends 6 "is not a journal of levy" "${price[@]}" --journal no.journal --resume
ends 2 "--journal would replace the input book.yaml" "${price[@]}" --journal book.yaml --resume
ends 2 "--resume needs --journal" "${price[@]}" --resume
grep -q 'id: t60,' book.yaml || fail "the book was changed"
resumes "refused before"

echo "-- a file that was grown under the journal"
cp whole.journal a.journal
head -c 200 /dev/zero >> a.journal
resumes "zeros at the end"

echo "-- places that cannot be written"
mkdir folder
ends 7 "cannot write folder: Is a directory" "${price[@]}" --output folder
ends 7 "cannot write nowhere/x.json: No such file or directory" "${price[@]}" --output nowhere/x.json
ends 7 "cannot open the journal: No such file or directory" "${price[@]}" --journal nowhere/x.journal
ends 7 "cannot open the journal: Is a directory" "${price[@]}" --journal folder
ends 2 "--output would replace the input book.yaml" "${price[@]}" --output ./book.yaml
ends 2 "--output and --journal are the same file" "${price[@]}" --output x --journal x
code=0
"${price[@]}" >&- 2> message || code=$?
[ "$code" -eq 7 ] || fail "closed standard output: exit code $code"
grep -qF "cannot write standard output: Bad file descriptor" message || fail "closed standard output"
ends 7 "cannot read standard input: Bad file descriptor" bash -c 'exec "$@" <&-' _ "$levy" price -
ends 3 "<stdin>:1:1: error: the file is empty" bash -c 'exec "$@" < /dev/null' _ "$levy" price -
if [ -w /dev/full ]; then
    code=0
    "${price[@]}" > /dev/full 2> message || code=$?
    [ "$code" -eq 7 ] || fail "full standard output: exit code $code"
    grep -qF "cannot write standard output: No space left on device" message || fail "full standard output"
fi
"${price[@]}" --format jsonl | head -n 1 > first || fail "a reader that goes away"
[ "$(wc -l < first)" -eq 1 ] || fail "no first line"

echo "-- an address space that is limited: as many threads as it has room for, which end with theirs"
{
    sed '/^trades:/q' book.yaml
    for ((i = 1; i <= 600; i++)); do
        echo "  - {id: t$i, underlying: A, payoff: {kind: asian, option_type: call, strike: 100, averaging: {method: arithmetic, observations: {count: 12}}}, exercise: {expiry: $((i + 100))e-2}}"
    done
    echo 'simulation: {paths: 2^12}'
} > many.yaml
if (ulimit -v 80000 && "$levy" --version) > /dev/null 2>&1; then # a sanitizer wants more
    for space in 80000 100000 150000; do
        (ulimit -v "$space" && "$levy" price many.yaml --device cpu --threads 16 --progress none) > /dev/null 2> message || fail "$space KiB"
    done
fi

echo "-- a disk that fills under the journal: what is there is kept, and goes on when there is room"
code=0
(ulimit -f 8 && "${price[@]}" --journal a.journal --output a.json) > /dev/null 2> message || code=$?
[ "$code" -eq 7 ] || fail "a journal that cannot grow: exit code $code"
grep -qF "a.journal: error: cannot write to the journal: File too large" message || fail "a journal that cannot grow"
[ ! -e a.json ] || fail "a run without its journal wrote its output"
[ "$(tail -c 1 a.journal | od -An -c | tr -d ' ')" = '\n' ] || fail "a torn line stays"
[ "$(wc -l < a.journal)" -gt 1 ] || fail "nothing was kept"
resumes "after a full disk"

if [ "$(id -u)" -eq 0 ] && command -v unshare > /dev/null && unshare -m true 2> /dev/null; then
    mkdir disk
    code=0
    # shellcheck disable=SC2016
    unshare -m bash -c 'mount -t tmpfs -o size=16k levy disk || exit 50
        "$@" --journal disk/a.journal; code=$?
        cp disk/a.journal . ; umount disk; exit $code' _ "${price[@]}" > /dev/null 2> message || code=$?
    if [ "$code" -eq 50 ]; then
        echo "skipped: no mounts here"
    else
        [ "$code" -eq 7 ] || fail "a full disk: exit code $code"
        grep -qF "cannot write to the journal: No space left on device" message || fail "a full disk"
        resumes "after a full tmpfs"
        echo "   (and on a disk of 16 KiB)"
    fi
fi

echo "-- a folder that cannot be written"
mkdir sealed
cp whole.journal sealed/
chmod 444 sealed/whole.journal # whose owner could go on with it in a folder that is sealed
chmod 500 sealed
user=()
if [ "$(id -u)" -eq 0 ]; then user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
chmod 755 "$work"
if ${user[@]+"${user[@]}"} "$levy" version > /dev/null 2>&1; then
    chmod 555 sealed
    ends 7 "cannot open the journal: Permission denied" ${user[@]+"${user[@]}"} "${price[@]}" --journal sealed/a.journal
    ends 7 "cannot write sealed/a.json: Permission denied" ${user[@]+"${user[@]}"} "${price[@]}" --output sealed/a.json
    ends 7 "cannot open the journal: Permission denied" ${user[@]+"${user[@]}"} "${price[@]}" --journal sealed/whole.journal --resume
else
    echo "skipped: the program cannot be run as another user"
fi
chmod 700 sealed

echo "-- what a killed program left of an output goes when it is old, and only that"
old=(.a.json.levy-aB3dE9 .a.json.levy-zzzzzz)
other=(.a.json.backup .a.json.levy-short .b.json.levy-aB3dE9 .a.json.levy-ABCDEF a.json.levy-ABCDEF)
touch "${old[@]}" "${other[@]}"
touch -d '2 hours ago' "${old[@]}" "${other[@]}"
touch .a.json.levy-ABCDEF # as young as one that is being written
mkdir .a.json.levy-folder
ends 0 "" "${price[@]}" --output a.json
for name in "${old[@]}"; do [ ! -e "$name" ] || fail "$name stays"; done
for name in "${other[@]}" .a.json.levy-folder; do [ -e "$name" ] || fail "$name is gone"; done
touch -d '2 hours ago' .a.json.levy-ABCDEF
ends 0 "" flock .a.json.levy-ABCDEF "${price[@]}" --output a.json
[ -e .a.json.levy-ABCDEF ] || fail "a temporary file in use is gone"
rm -rf "${other[@]}" .a.json.levy-folder a.json
[ "$(find . -maxdepth 1 -name '.*.levy-*')" = '' ] || fail "temporary files stay"

echo "-- signals"
long=("${price[@]}" --set "simulation.paths=$long_paths" --threads 1)
started() { # waits until the program has finished a group
    for ((i = 0; i < 12000; i++)); do
        if [ -e "$1" ] && [ "$(wc -l < "$1")" -gt 2 ]; then return; fi
        sleep 0.01
    done
    fail "nothing was done in two minutes"
}
ended() { # what ends, the exit codes it may have: waits for the child, for a minute at most
    local what=$1 code=0
    shift
    for ((i = 0; i < 6000; i++)); do
        if ! kill -0 "$child" 2> /dev/null; then break; fi
        sleep 0.01
    done
    if kill -0 "$child" 2> /dev/null; then fail "$what: it does not end"; fi
    wait "$child" || code=$?
    child=
    case " $* " in *" $code "*) ;; *) fail "$what: exit code $code" ;; esac
}
interrupted() { # name of the signal, exit code
    rm -f a.journal a.json
    "${long[@]}" --journal a.journal --output a.json 2> message &
    child=$!
    started a.journal
    kill "-$1" "$child"
    ended "$1" "$2"
    grep -qF "levy: interrupted; the finished results follow; --journal a.journal --resume goes on" message || fail "$1"
    grep -qF '"interrupted": true' a.json || fail "$1: the output does not say so"
    [ "$(grep -c '"status": "ok"' a.json)" -ge 2 ] || fail "$1: what was done is not in the output"
    [ "$(grep -c '"reason": "cancelled"' a.json)" -ge 1 ] || fail "$1: what was not done is not marked"
    grep -q '"failed": 0, "cancelled": [1-9]' a.json || fail "$1: what was not done counts as failed"
}
interrupted INT 130
kept=$(wc -l < a.journal)
cp a.journal before.journal
ends 6 "another process is writing to it" flock a.journal "${long[@]}" --journal a.journal --resume
cmp a.journal before.journal || fail "a locked journal was changed"
"${long[@]}" --journal a.journal --resume --output a.json 2> message &
child=$!
for ((i = 0; i < 12000 && $(wc -l < a.journal) <= kept; i++)); do sleep 0.01; done
ends 6 "another process is writing to it" "${long[@]}" --journal a.journal --resume # two runs at once
kill -TERM "$child"
ended "TERM of a resumed run" 143
cmp -n "$(wc -c < before.journal)" before.journal a.journal || fail "finished groups were lost"
interrupted TERM 143
interrupted HUP 129

rm -f a.journal a.json
"${long[@]}" --journal a.journal --output a.json > out 2> message &
child=$!
started a.journal
kill -STOP "$child"
kill -INT "$child" # both wait until it goes on, and count as one
kill -TERM "$child"
kill -CONT "$child"
ended "two signals at once" 130 143
grep -qF '"interrupted": true' a.json || fail "two signals at once: what was done is not printed"

rm -f a.journal a.json
setsid "${long[@]}" --journal a.journal --output a.json > out 2> message &
child=$!
started a.journal
kill -INT "$child" "-$child" 2> /dev/null || true # the program and its group, as timeout(1) does: the first may end it
ended "a signal to the program and its group" 130
grep -qF "levy: interrupted; the finished results follow" message || fail "a signal to the program and its group"
grep -qF '"interrupted": true' a.json || fail "a signal to the program and its group: what was done is not printed"
rm -f a.journal

# ThreadSanitizer keeps a signal until the call that waits has returned, which this one never does.
if [[ ${LEVY_LINK_FLAGS-} == *thread* ]]; then
    echo "   skipped under ThreadSanitizer: a program that waits for a reader of its output"
else # it ends by the second signal
    mkfifo unread
    "${long[@]}" --journal a.journal --output unread 2> message &
    child=$!
    started a.journal
    kill -INT "$child"
    sleep 0.5
    kill -0 "$child" || fail "nobody read what the program printed, and it ended"
    kill -TERM "$child"
    ended "a second signal" 143
    rm -f a.journal
    "${long[@]}" --journal a.journal --output unread 2> message &
    child=$!
    started a.journal
    kill -TERM "$child"
    ended "one signal, and nobody reads" 7
    grep -qF "cannot write unread: Interrupted system call" message || fail "one signal, and nobody reads: it does not say what was lost"
    exec {reader}<> unread # which never reads
    "$levy" schema > unread 2> message &
    child=$!
    sleep 1
    kill -0 "$child" || fail "a full pipe does not wait for its reader"
    kill -TERM "$child"
    ended "one signal, and a reader that does not read" 143 7
    exec {reader}>&-
fi

rm -f a.journal a.json
(trap '' HUP && exec "${long[@]}" --journal a.journal --output a.json 2> message) & # as nohup starts it
child=$!
started a.journal
kill -HUP "$child"
sleep 0.3
kill -0 "$child" || fail "a program that ignores SIGHUP ended by it"
kill -TERM "$child"
ended "a program that ignores SIGHUP" 143

rm -f a.journal a.json
"$levy" price many.yaml --device cpu --threads 1 --set "simulation.paths=$many_paths" --journal a.journal > out 2> message &
child=$!
started a.journal
kill -INT "$child"
ended "a table" 130
grep -qE '^600 trades: [0-9]+ priced, 0 failed, [1-9][0-9]* cancelled; ' out || fail "a table counts what was cancelled as failed"
grep -qE ' cancelled$' out || fail "a table does not mark what was cancelled"
rm -f a.journal

echo "-- JSON lines come while the run goes on, in the order of the book"
"$levy" price many.yaml --device cpu --threads 1 --set "simulation.paths=$many_paths" --format jsonl > lines 2> message &
child=$!
started lines
came=$(wc -l < lines)
kill -0 "$child" || fail "the run is over before its lines were seen"
if [ "$came" -lt 3 ] || [ "$came" -ge 590 ]; then fail "$came lines came during the run"; fi
kill -INT "$child"
ended "JSON lines" 130
cmp <(sed -n 's/^{"record": "trade", "id": "\([^"]*\)".*/\1/p' lines) <(sed -n 's/^  - {id: \([^,]*\),.*/\1/p' many.yaml) || fail "the lines are not those of all trades, in order"
lines=("$levy" price book.yaml --device cpu --progress none --format jsonl --no-times)
"${lines[@]}" --threads 1 --strict-sums > at_the_end # all at once
for threads in 1 2; do
    "${lines[@]}" --threads "$threads" | sed 's/"threads": [0-9]*/"threads": 1/' > during
    cmp at_the_end during || fail "$threads threads write other lines"
done
head -n 20 whole.journal > a.journal
"${lines[@]}" --threads 1 --journal a.journal --resume > during
cmp at_the_end during || fail "a run that goes on writes other lines"
rm -f a.journal

echo "-- a file that is given twice"
ends 3 "./book.yaml: error: this file is given twice, before as book.yaml" "${price[@]}" ./book.yaml

echo "-- an output that is a descriptor of our own is written where it stands, not replaced"
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
    (echo before; "$levy" price other.yaml --device cpu --quiet --format csv --output "$name"; echo after) > mixed
    { [ "$(head -n 1 mixed)" = before ] && [ "$(tail -n 1 mixed)" = after ] && grep -q '^t60,european,' mixed; } || fail "what stood behind $name is gone"
done

echo "-- what a shell makes of <(command) is read once, as standard input is; no device and no named pipe is waited for"
"$levy" price book.yaml -d cpu -q --columns id,price,std_error -o file.csv
ends 0 "" "$levy" price <(cat book.yaml) -d cpu -q --columns id,price,std_error -o pipe.csv
grep -q '^t60,' pipe.csv || fail "nothing came of a pipe"
cmp -s file.csv pipe.csv || fail "a pipe gave other results than the file"
{ head -n 3 book.yaml; echo 'simulation: {paths: 2^14}'; } > models.yaml
printf 'id,underlying,payoff.kind,payoff.option_type,payoff.strike,exercise.expiry\na,A,european,call,100,1.0\n' > t.csv
ends 0 "" "$levy" validate <(head -n 3 book.yaml) <(echo 'schema_version: 1'; tail -n +4 book.yaml)
ends 0 "" "$levy" validate /dev/stdin < <(cat book.yaml) # a pipe
ends 0 "" "$levy" validate t.csv --market <(cat models.yaml)
ends 2 "takes no standard input and no pipe" "$levy" price <(cat book.yaml) --part 1/2
mkfifo named
ends 3 "named: error: cannot read the file: it is not a regular file" timeout 10 "$levy" validate named
ends 3 "named: error: cannot read the file: it is not a regular file" timeout 10 "$levy" validate t.csv --market named
ends 3 "/dev/zero: error: cannot read the file: it is not a regular file" timeout 10 "$levy" validate t.csv --market /dev/zero

echo "-- a market is told from a book by words that may stand anywhere in it"
for at in 10 65525 131050; do
    { printf '#%*s\n' "$at" ''; cat models.yaml; } > late.yaml
    ends 0 "" "$levy" validate t.csv --market late.yaml
done
