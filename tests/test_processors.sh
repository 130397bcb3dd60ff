#!/bin/bash
# test_processors.sh: how many threads levy takes: those of its affinity, no more than its control group's quota, and of several
# ranks on one host a share each. A mount namespace stands in for a container's control group, where the kernel allows one.
# Environment: LEVY, the program (set by ctest).
set -euo pipefail
export LC_ALL=C
levy=${LEVY:?the program to test}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/levy processors XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
unset OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID
processors=$(nproc)
if [ "$processors" -lt 2 ]; then echo "skipped: one processor"; exit 77; fi
fail() { echo "FAIL: $*"; exit 1; }
price=("$levy" price "$root/configs/european.yaml" --paths 2^8 --device cpu --progress none --quiet)
threads_of() { sed -nE 's/.*"threads": ([0-9]+).*/\1/p' | head -n 1; }
is() { # expected, got, what
    [ "$1" = "$2" ] || fail "$2 threads, not $1: $3"
}

is 1 "$(taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "${price[@]}" --json | threads_of)" "bound to one processor"
is 2 "$("${price[@]}" --json --threads 2 | threads_of)" "as asked"

rank() { # rank, of how many on the host, options of levy...
    local rank=$1 size=$2
    shift 2
    rm -f r.*
    OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=$size OMPI_COMM_WORLD_LOCAL_RANK=$rank OMPI_COMM_WORLD_LOCAL_SIZE=$size \
        "${price[@]}" --part env --journal r "$@" > out & # rank 0 would wait for the others
    local child=$!
    for _ in $(seq 600); do
        if grep -qs '"end": true' "r.$((rank + 1))-of-$size"; then break; fi
        sleep 0.1
    done
    kill "$child" 2> /dev/null || true
    wait "$child" || true
    threads_of < "r.$((rank + 1))-of-$size"
}
is $(((processors + 1) / 2)) "$(rank 0 2)" "the first of two ranks"
is $((processors / 2)) "$(rank 1 2)" "the second of two ranks"
is 1 "$(rank 0 $((4 * processors)))" "more ranks than processors"
is 3 "$(rank 0 2 --threads 3)" "a rank's threads as asked"

if ! unshare -rm true 2> /dev/null; then
    echo "skipped: no mount namespace, so no quota is tried"
    exit 0
fi
group=$(sed -n 's/^0:://p' /proc/self/cgroup)
quota() { # text of cpu.max, processors of the set
    # shellcheck disable=SC2016
    unshare -rm bash -c 'mount -t tmpfs none /sys/fs/cgroup && mkdir -p "/sys/fs/cgroup/$1" && echo "$2" > "/sys/fs/cgroup/$1/cpu.max" &&
        echo "$3" > "/sys/fs/cgroup/$1/cpuset.cpus.effective" && shift 3 && "$@"' bash "$group" "$1" "$2" "${@:3}"
}
is 1 "$(quota "100000 100000" 0-63 "${price[@]}" --json | threads_of)" "a quota of one processor"
is 2 "$(quota "150000 100000" 0-63 "${price[@]}" --json | threads_of)" "a quota of one and a half"
is "$processors" "$(quota "max 100000" 0-63 "${price[@]}" --json | threads_of)" "no quota"
echo "passed"
