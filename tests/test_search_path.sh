#!/bin/bash
# test_search_path.sh: no file that is built or installed takes a shared library from the current directory, where a stranger's
# folder of books may hold one. Read from the files: every element of a RUNPATH or RPATH is absolute once $ORIGIN is replaced
# and lies in the project's own trees (the build folder, the installed tree, .deps). Tried: in a folder of strangers with the
# names of the libraries that levy loads, and of levy-bench, none of them runs; hosts that hold liblevy by a relative name and
# change their folder neither take a module from there nor lose their own. Environment: CC, LEVY, LEVY_BINARY_DIR, LEVY_LIBRARY_DIR (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "${LEVY_BINARY_DIR:?}" && pwd -P) cc=${CC:-cc} libdir=${LEVY_LIBRARY_DIR:?}
work=$(mktemp -d "${TMPDIR:-/tmp}/levy search XXXXXX")
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
read -r -a link <<< "${LEVY_LINK_FLAGS:-}"
sysroot=()
if [ -n "${LEVY_SYSROOT:-}" ]; then sysroot=("--sysroot=$LEVY_SYSROOT"); fi
# Compilers and binutils that were unpacked need their libraries; what is tried here must not see them.
tools=${LD_LIBRARY_PATH:-}
tool() { LD_LIBRARY_PATH=$tools "$@"; }
unset LD_LIBRARY_PATH LEVY_MODULE_DIR
export LC_ALL=C
say() { echo "-- $*"; }
fail() { echo "test_search_path: $*"; exit 1; }
command -v readelf > /dev/null || { echo "skipped: no readelf"; exit 77; }

# ---- What the files say ----

# Prints what is wrong with one element of the search path of a file in folder $1; trees: the rest.
judge() { # folder, element, tree...
    local folder=$1 element=$2 tree place
    shift 2
    # shellcheck disable=SC2016 # the loader's word, not a variable
    place=${element/#'${ORIGIN}'/$folder} && place=${place/#'$ORIGIN'/$folder}
    case $place in
    '') echo "an empty element, which is the current directory" && return ;;
    [!/]*) echo "a relative element, '$element'" && return ;;
    esac
    place=$(realpath -m "$place")
    for tree in "$@"; do
        if [ "$place" = "$tree" ] || [ "${place#"$tree/"}" != "$place" ]; then return; fi
    done
    echo "an element outside the project's trees, '$element'"
}

judge_path() { # folder, path, tree...
    local folder=$1 rest=$2:
    shift 2
    while [ -n "$rest" ]; do
        judge "$folder" "${rest%%:*}" "$@"
        rest=${rest#*:}
    done
}

# The names and search paths of all programs and shared libraries below $1.
files_seen=0
judge_tree() { # folder, tree...
    local folder=$1 file paths wrong=''
    shift
    while IFS= read -r -d '' file; do
        tool readelf -d -W "$file" > "$work/dynamic" 2> /dev/null || continue # neither program nor library
        grep -q '(NEEDED)' "$work/dynamic" || continue
        files_seen=$((files_seen + 1))
        if grep '(NEEDED)' "$work/dynamic" | grep -q '\[.*/'; then fail "$file needs a library by a path"; fi
        paths=$(sed -nE 's/.*\((RUNPATH|RPATH)\).*\[(.*)\]$/\2/p' "$work/dynamic" | sed 's/^$/:/')
        [ -z "$paths" ] || wrong=$(judge_path "$(dirname "$file")" "$paths" "$@")
        [ -z "$wrong" ] || fail "$file: its search path [$paths] has $wrong"
    done < <(find "$folder" \( -name CMakeFiles -o -name _CPack_Packages \) -prune -o -type f \( -perm -u+x -o -name '*.so*' \) -print0)
}

say "a search path is judged"
# shellcheck disable=SC2016
for path in '' ':' '$ORIGIN:' '$ORIGIN/../lib:::' lib './lib' '$ORIGIN/../../elsewhere' /usr/lib '/tree/../lib'; do
    [ -n "$(judge_path /tree/bin "$path" /tree)" ] || fail "the search path '$path' was not found faulty"
done
# shellcheck disable=SC2016
[ -z "$(judge_path /tree/bin '$ORIGIN/../lib:/tree/run' /tree)" ] || fail "a good search path was found faulty"

run=$(sed -n 's/^LEVY_RUN_DIR:[A-Z]*=//p' "$build/CMakeCache.txt")
say "search paths of what was built"
judge_tree "$build" "$build" "$root/.deps"
built=$files_seen
[ "$built" -ge 3 ] || fail "only $built programs and libraries were found below $build"

say "search paths of what is installed"
tool cmake --build "$build" --target levy_programs > /dev/null
tool cmake --install "$build" --prefix "$work/prefix" > "$work/log" || { cat "$work/log"; exit 1; }
judge_tree "$work/prefix" "$work/prefix" "$root/.deps"
[ "$files_seen" -ge $((built + 3)) ] || fail "no programs and libraries were installed"

say "levy-bench looks for the library in one folder"
for tree in "$build" "$work/prefix"; do
    bench=$(find "$tree" -name _CPack_Packages -prune -o -path '*/levy/levy-bench' -type f -print)
    [ -n "$bench" ] || fail "there is no levy-bench below $tree"
    up=$(realpath -m --relative-to="$(dirname "$bench")" "$tree/${libdir#"$LEVY_BINARY_DIR/"}")
    [ "$(tool readelf -d -W "$bench" | sed -nE 's/.*\(RUNPATH\).*\[(.*)\]$/\1/p')" = "\$ORIGIN/$up${run:+:$run}" ] ||
        fail "$bench: its search path is not \$ORIGIN/$up${run:+:$run}"
done
echo "$built files built, $((files_seen - built)) installed"

# ---- In a folder of strangers ----

cat > "$work/stranger.c" << 'SOURCE'
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void speak(void)
{
    FILE *const file = fopen(getenv("STRANGER"), "w");
    if (file) fclose(file);
}
SOURCE
tool "$cc" ${sysroot[@]+"${sysroot[@]}"} -shared -fPIC "$work/stranger.c" -o "$work/stranger.so"
export STRANGER=$work/spoke
names="liblevy.so.0.2 liblevy-cuda.so libyaml-0.so.2 libm.so.6 libcuda.so.1 libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so"
for folder in strange strange/lib strange/levy strange/lib/levy; do
    mkdir -p "$work/$folder"
    for name in $names; do cp "$work/stranger.so" "$work/$folder/$name"; done
done
for folder in strange strange/libexec/levy libexec/levy; do # and programs
    mkdir -p "$work/$folder"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\n: > "$STRANGER"\n' > "$work/$folder/levy-bench"
    chmod +x "$work/$folder/levy-bench"
done
mkdir "$work/driver"
cp "$work/stranger.so" "$work/driver/liblevy-cuda.so"

alone() { # words, command...: runs it in the strangers' folder, where none of them may speak
    local words=$1
    shift
    say "$words"
    (cd "$work/strange" && PATH=.:$PATH && "$@" > "$work/out" 2>&1 < /dev/null) || { cat "$work/out"; fail "$words: it failed"; }
    if [ -e "$STRANGER" ]; then fail "$words: a library of the current directory was loaded or a program started"; fi
}

say "a stranger speaks where it is asked for"
LEVY_MODULE_DIR=$work/driver "${LEVY:?}" devices > /dev/null 2>&1 || true
[ -e "$STRANGER" ] || fail "the test's own library does not speak"
rm "$STRANGER"
for levy in "$LEVY" "$work/prefix/bin/levy"; do
    tree=built
    [ "$levy" = "$LEVY" ] || tree=installed
    alone "$tree: version" "$levy" version
    alone "$tree: devices" "$levy" devices
    alone "$tree: price" "$levy" price --set simulation.paths=2^8 "$root/configs/quickstart.yaml"
    alone "$tree: bench" "$levy" bench --only european1_f64,quickstart_process --paths 2^8 --repeat 1
done

# ---- Hosts that change their folder ----

cat > "$work/host.c" << 'SOURCE'
#include "levy.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int put(void *user, const char *text, size_t length)
{
    (void)user;
    return fwrite(text, 1, length, stdout) == length ? 0 : 1;
}
#ifdef RELATIVE
static int (*levy_context_create_)(const levy_context_options *, levy_context **);
static int (*levy_devices_write_)(levy_context *, int, levy_writer, void *);
static void (*levy_context_destroy_)(levy_context *);
#define levy_context_create levy_context_create_
#define levy_context_destroy levy_context_destroy_
#define levy_devices_write levy_devices_write_
#endif
int main(int count, char **words)
{
    levy_context *context = NULL;
#ifdef RELATIVE
    void *const library = dlopen("./liblevy.so.0.2", RTLD_NOW);
    if (!library) return 3;
    void *symbol = dlsym(library, "levy_context_create");
    memcpy(&levy_context_create, &symbol, sizeof symbol);
    symbol = dlsym(library, "levy_devices_write");
    memcpy(&levy_devices_write, &symbol, sizeof symbol);
    symbol = dlsym(library, "levy_context_destroy");
    memcpy(&levy_context_destroy, &symbol, sizeof symbol);
#endif
    if (count != 2 || chdir(words[1]) != 0) return 2;
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) return 4;
    const int status = levy_devices_write(context, LEVY_FORMAT_TABLE, put, NULL);
    levy_context_destroy(context);
    return status;
}
SOURCE
mkdir "$work/app"
compile=("$cc" -std=gnu11 ${sysroot[@]+"${sysroot[@]}"} -I "$root/engine" "$work/host.c")
yaml=$(sed -n 's/^LEVY_YAML_LIBRARY:[A-Z]*=//p' "$build/CMakeCache.txt")
tool "${compile[@]}" "$libdir/liblevy.a" "$yaml" -lpthread -ldl -lm ${run:+"-Wl,-rpath,$run"} ${link[@]+"${link[@]}"} -o "$work/app/static"
tool "${compile[@]}" -DRELATIVE -ldl ${link[@]+"${link[@]}"} -o "$work/app/relative"
cp "$libdir/liblevy.so.0.2" "$work/app/"
host() { (cd "$work/app" && "./$1" ../strange); }
alone "a static host, started as ./static, changes its folder" host static
alone "a host that opened ./liblevy.so.0.2 changes its folder" host relative
if [ -e "$libdir/levy/liblevy-cuda.so" ]; then
    cp "$libdir/levy/liblevy-cuda.so" "$work/app/"
    for kind in static relative; do
        alone "a $kind host finds the module beside it" host "$kind"
        if grep -q 'no CUDA module' "$work/out"; then cat "$work/out" && fail "the module beside the host was not found"; fi
    done
fi
