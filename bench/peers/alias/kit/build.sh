#!/bin/bash
# Compiles KIT's alias-table-gpu, which lies in the folder that LEVY_PEER_KIT names, with kit.cu. Prints the program's path.
# Ends with 77 where no folder is named: the code is its authors' (GPL 3) and no part of this project.
#
#     LEVY_PEER_KIT=SOURCES bench/peers/alias/kit/build.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
sources=${LEVY_PEER_KIT:-}
nvcc=${NVCC:-nvcc}
command -v "$nvcc" > /dev/null || nvcc=/usr/local/cuda/bin/nvcc
if [ ! -f "$sources/construction/SamplingAlgorithm.cu" ] || ! command -v "$nvcc" > /dev/null; then
    echo "alias: without KIT's code (LEVY_PEER_KIT names the folder of alias-table-gpu)" >&2
    exit 77
fi
program=$folder/kit_alias
if [ ! -x "$program" ]; then
    objects=$folder/kit_objects
    mkdir -p "$objects"
    compile() { # SOURCE
        "$nvcc" -std=c++17 -O3 -DNDEBUG -w -arch="${LEVY_PEER_ARCH:-native}" -rdc=true "-I$here" "-I$sources" -c "$1" \
            -o "$objects/$(basename "$1").o" >&2
    }
    pids=()
    while IFS= read -r source; do
        compile "$source" &
        pids+=($!)
    done < <(echo "$here/kit.cu" && find "$sources/construction" "$sources/sampling" "$sources/utils" -name '*.cu')
    for pid in "${pids[@]}"; do wait "$pid"; done
    "$nvcc" -arch="${LEVY_PEER_ARCH:-native}" -rdc=true "$objects"/*.o -o "$program.$$" >&2
    mv "$program.$$" "$program"
    rm -rf "$objects"
fi
echo "$program"
