#!/bin/bash
# bare_system.sh: ./demo.sh and ./test.sh on a Debian that has nothing but its base: as root, and as a user without sudo in a path
# with spaces; then both again without a network. Needs root, and mmdebstrap or debootstrap (installed if neither is here). The
# system comes from where this machine's own apt takes its packages.
#
#     tests/bare_system.sh [CTEST ARGUMENT...]     such as -LE long: for ./test.sh; default: all tests
#
# Environment: LEVY_BARE_FOLDER (about 3 GB; default: a temporary one), LEVY_BARE_WHO (default "root user"). Ends with a line
# per run; exit code 1: one failed; 77: it cannot run here.
set -uo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "a bare system needs root"
command -v apt-get > /dev/null || skip "a bare system needs apt"
unshare -m true 2> /dev/null || skip "no mounts here"
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
work=${LEVY_BARE_FOLDER:-$(mktemp -d)} || exit 1
mkdir -p "$work" || exit 1
if [ -z "${LEVY_BARE_FOLDER:-}" ]; then trap 'rm -rf "$work"' EXIT; fi

make_base() { # the base system, as a tar file
    local sources site
    sources=$(apt-get indextargets --format "deb [signed-by=$keyring] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)|\$(ORIGIN)" "Created-By: Packages" |
        sed -n 's/|Debian$//p' | sort -u)
    [ -n "$sources" ] || { echo "apt names no Debian to take a system from (apt-get update?)"; return 1; }
    if ! command -v mmdebstrap > /dev/null && ! command -v debootstrap > /dev/null; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mmdebstrap > "$work/log" 2>&1 || { tail "$work/log"; return 1; }
    fi
    if command -v mmdebstrap > /dev/null; then
        printf '%s\n' "$sources" | mmdebstrap --variant=minbase --format=tar "$suite" "$work/base.tar" - > "$work/log" 2>&1 || { tail "$work/log"; return 1; }
        return 0
    fi
    site=$(printf '%s\n' "$sources" | awk -v suite="$suite" '$4 == suite { print $3; exit }')
    debootstrap --variant=minbase --keyring="$keyring" "$suite" "$work/base" "$site" > "$work/log" 2>&1 || { tail "$work/log"; return 1; }
    printf '%s\n' "$sources" > "$work/base/etc/apt/sources.list"
    tar -C "$work/base" -cf "$work/base.tar" . && rm -rf "$work/base"
}

make_system() { # who, home of the clone
    local system=$work/$1
    mkdir -p "$system" && tar -C "$system" -xf "$work/base.tar" || return 1
    cp /etc/resolv.conf /etc/hosts "$system/etc/"
    mkdir -p "$system$2" "$system/proc" "$system/dev"
    (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) | tar -C "$system$2" -xf - || return 1
    echo "levy:x:1000:1000::/home/levy:/bin/bash" >> "$system/etc/passwd"
    mkdir -p "$system/home/levy"
    if [ "$1" = user ]; then chown -R 1000:1000 "$system/home/levy"; fi
}

inside() { # who, home of the clone, network or offline, command...
    local who=$1 home=$2 flags=(--mount --fork) as=() to=/root
    if [ "$3" = offline ]; then flags+=(--net); fi
    if [ "$who" = user ]; then as=("--userspec=1000:1000") to=/home/levy; fi
    shift 3
    # shellcheck disable=SC2016
    unshare "${flags[@]}" bash -c 'system=$1 && shift
        mount -t proc proc "$system/proc" && mount --rbind /dev "$system/dev" && mount -t tmpfs -o mode=1777 tmp "$system/tmp" && exec "$@"' \
        _ "$work/$who" chroot ${as[@]+"${as[@]}"} "$work/$who" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME="$to" TERM=dumb bash -c 'cd "$0" && exec "$@"' "$home" "$@"
}

failed=0 lines=()
run() { # who, home, network or offline, command...
    local code=0 start=$SECONDS name="$1, $3: ${*:4}"
    echo "== $name"
    inside "$@" < /dev/null > "$work/output" 2>&1 || code=$?
    grep -E '^(skipped|scripts|CMocka): |^== |% tests passed|\*\*\*(Failed|Exception|Timeout|Not Run)' "$work/output"
    if [ "$code" -ne 0 ]; then
        tail -n 60 "$work/output"
        failed=1
    fi
    lines+=("$(printf '%5d s  exit %d  %s' $((SECONDS - start)) "$code" "$name")")
}

if [ ! -f "$work/base.tar" ]; then
    echo "== a bare $suite"
    make_base || exit 1
fi
for who in ${LEVY_BARE_WHO:-root user}; do
    home=/root/levy
    if [ "$who" = user ]; then home="/home/levy/my clone of levy"; fi
    make_system "$who" "$home" || exit 1
    run "$who" "$home" network ./demo.sh
    run "$who" "$home" network ./test.sh "$@"
    run "$who" "$home" offline ./demo.sh
    run "$who" "$home" offline ./test.sh -L unit
    if [ -z "${LEVY_BARE_FOLDER:-}" ]; then rm -rf "${work:?}/$who"; fi
done
printf '%s\n' "${lines[@]}"
exit $failed
