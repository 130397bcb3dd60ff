# shellcheck shell=bash disable=SC2154
# setup.sh: sourced by demo.sh, test.sh and .ci/run. levy_need PACKAGE... makes Debian packages available, in this order:
#   everything is installed            nothing is done, no network is used
#   root, or sudo without a password   apt-get install
#   neither                            the packages are unpacked into .deps/ and used from there
#   that fails too                     the one line to run is printed, exit 1
# Expects: levy_root, the folder of the sources. All of it works without a standard input.

exec </dev/null # nothing here asks, and some tools trip over a closed standard input

levy_deps=$levy_root/.deps

levy_say() { printf '%s\n' "== $*"; }

# Runs a command. Where levy_log names a file, what the command prints goes there.
levy_logged() {
    if [ -z "${levy_log:-}" ]; then "$@"; else "$@" >>"$levy_log" 2>&1; fi
}

# Are all of the packages here, installed or unpacked? Prints the missing ones.
levy_missing() {
    local package status
    for package in "$@"; do
        status=$(dpkg -s "$package" 2>/dev/null) || status=
        if printf '%s\n' "$status" | grep '^Status: .* installed$' >/dev/null; then continue; fi
        if [ -f "$levy_deps/packages" ] && grep -qx "$package" "$levy_deps/packages"; then continue; fi
        printf '%s\n' "$package"
    done
}

# Tools and libraries unpacked into .deps, before the system's.
levy_use_deps() {
    [ -f "$levy_deps/packages" ] || return 0
    PATH=$levy_deps/usr/bin:$PATH
    LD_LIBRARY_PATH=$levy_deps/run${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    CMAKE_PREFIX_PATH=$levy_deps/usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
    export PATH LD_LIBRARY_PATH CMAKE_PREFIX_PATH
    # The C library's headers are there too: then the compiler takes all headers and libraries from .deps.
    levy_sysroot='' levy_ninja=''
    if grep -qx libc6-dev "$levy_deps/packages"; then levy_sysroot=$levy_deps; fi
    if grep -qx make "$levy_deps/packages"; then levy_ninja=yes; fi
}

levy_apt() { # runs apt-get as root
    if [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get "$@" </dev/null
    else
        sudo -n DEBIAN_FRONTEND=noninteractive apt-get "$@" </dev/null
    fi
}

levy_install() {
    levy_say "installing with apt: $*"
    levy_logged levy_apt install -y --no-install-recommends "$@" && return 0
    levy_say "refreshing the package lists and trying again"
    levy_logged levy_apt update && levy_logged levy_apt install -y --no-install-recommends "$@"
}

# apt-get without root: its own lists and cache under .deps where the system has no lists.
levy_apt_user() {
    local options=(-o Debug::NoLocking=1 -o "Dir::Cache=$levy_deps/apt/cache" -o "Dir::Cache::archives=$levy_deps/apt/archives")
    if [ -f "$levy_deps/apt/own_lists" ]; then options+=(-o "Dir::State::lists=$levy_deps/apt/lists"); fi
    apt-get "${options[@]}" "$@" </dev/null
}

# Prints the packages that installing "$@" would add. Ninja stands in for make: the makefiles of CMake cannot name a make
# whose path has a space in it.
levy_plan_unpack() {
    local package
    for package in "$@"; do
        shift
        if [ "$package" = make ]; then package=ninja-build; fi
        set -- "$@" "$package"
    done
    # by number: what stands behind /dev/stderr may be another user's
    if [ -n "${levy_log:-}" ]; then exec 2>>"$levy_log"; fi
    levy_apt_user -s install --no-install-recommends "$@" | awk '$1 == "Inst" { print $2 }'
}

levy_unpack() {
    local names name archive
    levy_say "no root and no sudo: unpacking into .deps (nothing is installed): $*"
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
    mkdir -p "$levy_deps/apt/cache" "$levy_deps/apt/archives/partial" "$levy_deps/apt/lists/partial" || return 1
    names=$(levy_plan_unpack "$@")
    if [ -z "$names" ]; then
        levy_say "refreshing the package lists under .deps"
        : > "$levy_deps/apt/own_lists"
        levy_logged levy_apt_user update || return 1
        names=$(levy_plan_unpack "$@")
    fi
    [ -n "$names" ] || return 1
    # What the system has at run time the linker wants beside the headers.
    case " $* " in *" libc6-dev "*) names="$names libc6 libgcc-s1" ;; esac
    case " $* " in *" libyaml-dev "*) names="$names libyaml-0-2" ;; esac
    case " $* " in *" libcmocka-dev "*) names="$names libcmocka0" ;; esac
    case " $* " in *" libjansson-dev "*) names="$names libjansson4" ;; esac
    for name in usr/lib usr/lib64 usr/bin usr/sbin; do # the merged layout, as on the system
        mkdir -p "$levy_deps/$name"
        [ -e "$levy_deps/${name#usr/}" ] || ln -s "$name" "$levy_deps/${name#usr/}"
    done
    # shellcheck disable=SC2086
    (cd "$levy_deps/apt/archives" && levy_logged levy_apt_user download $names) || return 1
    for archive in "$levy_deps"/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$archive" | tar -x --keep-directory-symlink -C "$levy_deps" || return 1
        rm -f "$archive"
    done
    dpkg-architecture -qDEB_HOST_MULTIARCH > "$levy_deps/triplet" 2>/dev/null ||
        printf '%s\n' "$(uname -m)-linux-gnu" > "$levy_deps/triplet"
    levy_link_libraries "$(cat "$levy_deps/triplet")"
    printf '%s\n' "$@" >> "$levy_deps/packages"
}

# .deps/run: the unpacked shared libraries that the system lacks. What it has, above all the C library, it keeps.
levy_link_libraries() { # triplet
    local library name
    mkdir -p "$levy_deps/run"
    for library in "$levy_deps/usr/lib/$1"/*.so*; do
        name=${library##*/}
        [ -e "/lib/$1/$name" ] || [ -e "/usr/lib/$1/$name" ] || ln -sf "../usr/lib/$1/$name" "$levy_deps/run/$name"
    done
}

levy_need() {
    local missing
    if ! command -v dpkg >/dev/null; then
        levy_say "no dpkg here: taking what is installed. Needed: a C11 compiler, make, cmake, libyaml and xxhash headers"
        return 0
    fi
    levy_use_deps
    missing=$(levy_missing "$@")
    if [ -z "$missing" ]; then
        levy_say "everything needed is installed"
        return 0
    fi
    # shellcheck disable=SC2086
    set -- $missing
    if [ "$(id -u)" = 0 ] || sudo -n true </dev/null 2>/dev/null; then
        levy_install "$@" && return 0
    elif levy_unpack "$@"; then
        levy_use_deps
        return 0
    fi
    if [ -n "${levy_log:-}" ]; then levy_say "the log is $levy_log"; fi
    printf '%s\n' "Please run this one line, then start again:" "    sudo apt-get install -y --no-install-recommends $*" >&2
    exit 1
}

# Configures $1 with the further arguments; a folder configured elsewhere (a moved clone) is started afresh.
levy_configure() {
    local build=$1 cached
    shift
    if [ -f "$build/CMakeCache.txt" ]; then
        cached=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
        if [ "$cached" != "$levy_root" ]; then rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"; fi
    fi
    if [ -d "$levy_deps/run" ]; then set -- "-DLEVY_RUN_DIR=$levy_deps/run" "$@"; fi
    if [ -n "${levy_ninja:-}" ]; then set -- -G Ninja "$@"; fi
    if [ -n "${levy_sysroot:-}" ]; then
        set -- "-DCMAKE_SYSROOT=$levy_sysroot" "-DCMAKE_LIBRARY_ARCHITECTURE=$(cat "$levy_deps/triplet")" "$@"
    fi
    cmake -S "$levy_root" -B "$build" "$@" </dev/null
}

levy_jobs() { # LEVY_JOBS, else as many as there are cores
    printf '%s\n' "${LEVY_JOBS:-$(nproc 2>/dev/null || echo 2)}"
}

# Installs packages that a check can do without: as root or with sudo, else the check says that it is skipped.
levy_want() { # command that shows that it is here, package...
    local name=$1
    shift
    command -v "$name" >/dev/null && return 0
    command -v dpkg >/dev/null || return 0
    if [ "$(id -u)" = 0 ] || sudo -n true </dev/null 2>/dev/null; then levy_install "$@" || levy_say "cannot install: $*"; fi
}

# Does this compiler link a sanitized program?
levy_sanitizes() { # compiler
    local probe status=0
    command -v "$1" >/dev/null || return 1
    probe=$(mktemp) || return 1
    echo 'int main(void) { return 0; }' | "$1" -fsanitize=address,undefined -x c - -o "$probe" 2>/dev/null || status=1
    rm -f "$probe"
    return $status
}

# clang's sanitizers are a package of their own, named after its version; llvm's symbolizer gives reports their lines.
levy_want_runtime() {
    local version
    command -v clang >/dev/null || return 0
    levy_sanitizes clang && return 0
    version=$(clang -dumpversion | sed 's/\..*//')
    levy_want levy-never-there "libclang-rt-$version-dev" "llvm-$version"
}
