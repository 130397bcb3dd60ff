# common.sh: what the peers' `run` scripts share (sourced by them). README.md says what a peer is.
#
#     peer_skip WHY            ends with 77
#     peer_needs_gpu           skips unless rows are measured on a GPU (peer_needs_cpu: on the CPU)
#     peer_asked ROW...        is one of the rows that were asked for here? ($peer_rows)
#     peer_built               ends here where only programs were asked for (LEVY_PEER_ONLY_BUILD: build.sh)
#     peer_cuda SOURCE FLAG... and peer_c SOURCE FLAG...: the path of the compiled program
#     peer_program NAME COMMAND...: that of a program with a build of its own
#
#     peer_bench NAME ARGUMENT...   runs bench/NAME's program, which its build.sh has put beside the levy that asks
#
#     peer_library             the path of the liblevy.a that belongs to the levy that asks; fails where there is none
#
# Programs are compiled in a temporary folder that goes with the script, or into $LEVY_PEER_BUILD and used again from there.
# shellcheck shell=bash
set -euo pipefail
export LC_ALL=C
peer_here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
peer_name=$(basename "$peer_here")
peer_root=$(cd "$peer_here/../../.." && pwd)
peer_rows=" $* "
peer_device=${LEVY_BENCH_DEVICE:-cuda:0}
peer_folder=${LEVY_PEER_BUILD:-}
if [ -z "$peer_folder" ]; then
    peer_folder=$(mktemp -d)
    trap 'rm -rf "$peer_folder"' EXIT
    trap 'exit 143' TERM
    trap 'exit 130' INT
fi
mkdir -p "$peer_folder"
case $peer_device in cuda:*) export CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES:-${peer_device#cuda:}} ;; esac

peer_skip() {
    echo "$peer_name: skipped, $1" >&2
    exit 77
}

peer_only_build=${LEVY_PEER_ONLY_BUILD:-}
peer_built() { [ -z "$peer_only_build" ] || exit 0; }
peer_needs_gpu() { case $peer_device in cuda*) ;; *) peer_skip "the rows are measured on $peer_device" ;; esac; }
peer_needs_cpu() { [ "$peer_device" = cpu ] || [ -n "$peer_only_build" ] || peer_skip "the rows are measured on $peer_device"; }

peer_asked() {
    [ -z "$peer_only_build" ] || return 0
    for peer_row in "$@"; do
        case $peer_rows in *" $peer_row "*) return 0 ;; esac
    done
    return 1
}

# 2^12 or 4096 as a number.
peer_number() { case $1 in *^*) echo $((${1%^*} ** ${1#*^})) ;; *) echo "$1" ;; esac; }

peer_compile() { # SOURCE PROGRAM COMMAND...
    local source=$1 program=$2
    shift 2
    if [ ! -x "$program" ] || [ "$source" -nt "$program" ] || [ "$peer_here/../peer.cuh" -nt "$program" ]; then
        "$@" -o "$program.$$" "$source" >&2 || exit 1 # in a substitution, where -e does not hold
        mv "$program.$$" "$program"
    fi
    echo "$program"
}

peer_cuda() {
    local source=$peer_here/$1 nvcc=${NVCC:-nvcc}
    shift
    command -v "$nvcc" > /dev/null || nvcc=/usr/local/cuda/bin/nvcc
    command -v "$nvcc" > /dev/null || peer_skip "no nvcc"
    peer_compile "$source" "$peer_folder/$peer_name${peer_variant:+-$peer_variant}" \
        "$nvcc" -O3 -std=c++17 "-I$peer_root" "-arch=${LEVY_PEER_ARCH:-native}" "$@"
}

# The folders of the levy that asks, and of the tree that it lies in: it may have been started by a link beside bin.
peer_levy=${LEVY_BENCH_PROGRAM:-$(command -v levy || echo /levy)}
peer_beside=$(dirname "$peer_levy")
peer_tree=$peer_beside
case $peer_levy in */bin/levy) peer_tree=$(dirname "$peer_beside") ;; esac

peer_library() {
    local folder
    for folder in "$peer_beside" "$peer_tree/lib" "$peer_tree"/lib/*; do
        if [ -f "$folder/liblevy.a" ]; then echo "$folder/liblevy.a"; return 0; fi
    done
    return 1
}

# A program of another folder: from $LEVY_PEER_BUILD, from beside levy or its tree, or made by a command from the root.
peer_program() { # NAME [COMMAND...]
    local name=$1 place
    shift
    for place in "$peer_folder" "$peer_beside" "$peer_tree"; do
        if [ -x "$place/$name" ]; then echo "$place/$name"; return 0; fi
    done
    [ $# -gt 0 ] || return 1
    (cd "$peer_root" && "$@") >&2 || exit 1
    echo "$peer_folder/$name"
}

peer_bench() { # NAME ARGUMENT...
    local program
    [ -z "$peer_only_build" ] || exit 77
    program=$(peer_program "bench_$1") || peer_skip "bench_$1 is not built: bench/$1/build.sh $peer_tree"
    shift
    LEVY_MODULE_DIR=${LEVY_MODULE_DIR:-$peer_tree/lib/levy} "$program" "$@"
}

peer_c() {
    local source=$peer_here/$1 compiler=${CC:-cc}
    shift
    command -v "$compiler" > /dev/null || peer_skip "no C compiler ($compiler)"
    peer_compile "$source" "$peer_folder/$peer_name" "$compiler" -std=c11 -O2 -D_GNU_SOURCE "$@"
}
