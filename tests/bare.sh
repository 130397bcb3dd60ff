# shellcheck shell=bash disable=SC2154
# bare.sh: sourced by bare_system.sh and bare_packages.sh: Debian systems that have nothing but their base, made from where this
# machine's own apt takes its packages, and commands inside them. Expects: root, the folder of the sources; work, a folder of its
# own (about 3 GB). Functions: bare_ready (exits with 77 where it cannot be), bare_base, bare_system NAME, bare_clone NAME FOLDER,
# bare_inside, bare_run, bare_end. bare_suite names the Debian that bare_base makes: this machine's, until it is set to another.
# Environment: LEVY_BARE_SUITE (in place of this machine's), LEVY_BARE_SOURCES (lines of apt for suites of another origin, such as
# noble of Ubuntu; `signed-by` names its keyring).

bare_skip() { echo "skipped: $*"; exit 77; }

bare_ready() {
    export LC_ALL=C
    [ "$(id -u)" -eq 0 ] || bare_skip "a bare system needs root"
    command -v apt-get > /dev/null || bare_skip "a bare system needs apt"
    unshare -m true 2> /dev/null || bare_skip "no mounts here"
    bare_own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}") bare_suite=${LEVY_BARE_SUITE:-$bare_own}
    bare_keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    bare_failed=0 bare_lines=()
}

bare_make_base() {
    local sources site
    sources=${LEVY_BARE_SOURCES:-$(apt-get indextargets --format "deb [signed-by=$bare_keyring] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)|\$(ORIGIN)" "Created-By: Packages" |
        sed -n "s/ $bare_own/ $bare_suite/; s/|Debian\$//p" | sort -u)}
    [ -n "$sources" ] || { echo "apt names no Debian to take a system from (apt-get update?)"; return 1; }
    if ! command -v mmdebstrap > /dev/null && ! command -v debootstrap > /dev/null; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mmdebstrap > "$work/log" 2>&1 || { tail "$work/log"; return 1; }
    fi
    if command -v mmdebstrap > /dev/null; then
        printf '%s\n' "$sources" | mmdebstrap --variant=minbase --include=apt --format=tar "$bare_suite" "$work/$bare_suite.tar" - > "$work/log" 2>&1 || { tail "$work/log"; return 1; }
        return 0
    fi
    site=$(printf '%s\n' "$sources" | awk -v suite="$bare_suite" '$4 == suite { print $3; exit }')
    debootstrap --variant=minbase --keyring="$bare_keyring" "$bare_suite" "$work/base" "$site" > "$work/log" 2>&1 || { tail "$work/log"; return 1; }
    printf '%s\n' "$sources" > "$work/base/etc/apt/sources.list"
    tar -C "$work/base" -cf "$work/$bare_suite.tar" . && rm -rf "$work/base"
}

bare_base() { # the base system, as a tar file
    [ ! -f "$work/$bare_suite.tar" ] || return 0
    echo "== a bare $bare_suite"
    bare_make_base
}

bare_system() { # name
    local system=$work/$1
    mkdir -p "$system" && tar -C "$system" -xf "$work/$bare_suite.tar" || return 1
    cp /etc/resolv.conf /etc/hosts "$system/etc/"
    mkdir -p "$system/proc" "$system/dev" "$system/home/levy"
    echo "levy:x:1000:1000::/home/levy:/bin/bash" >> "$system/etc/passwd"
}

bare_clone() { # name, folder of the sources inside
    mkdir -p "$work/$1$2"
    (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) | tar -C "$work/$1$2" -xf -
}

bare_inside() { # name, folder, network or offline, command... "user" is a system's name for work without root
    local name=$1 home=$2 flags=(--mount --fork) as=() to=/root
    if [ "$3" = offline ]; then flags+=(--net); fi
    if [ "$name" = user ]; then as=("--userspec=1000:1000") to=/home/levy; fi
    shift 3
    # shellcheck disable=SC2016
    unshare "${flags[@]}" bash -c 'system=$1 && shift
        mount -t proc proc "$system/proc" && mount --rbind /dev "$system/dev" && mount -t tmpfs -o mode=1777 tmp "$system/tmp" && exec "$@"' \
        _ "$work/$name" chroot ${as[@]+"${as[@]}"} "$work/$name" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME="$to" TERM=dumb bash -c 'cd "$0" && exec "$@"' "$home" "$@"
}

bare_run() { # name, folder, network or offline, command...: adds a line of what came of it
    local code=0 start=$SECONDS title="$bare_suite, $1, $3: ${*:4}"
    echo "== $title"
    bare_inside "$@" < /dev/null > "$work/output" 2>&1 || code=$?
    grep -E '^(skipped|scripts|CMocka): |^== | of the documents ran|% tests passed|\*\*\*(Failed|Exception|Timeout|Not Run)' "$work/output"
    if [ "$code" -ne 0 ]; then
        tail -n 60 "$work/output"
        bare_failed=1
    fi
    bare_lines+=("$(printf '%5d s  exit %d  %s' $((SECONDS - start)) "$code" "$title")")
}

bare_end() { # prints the lines; exit code 1: a run failed
    printf '%s\n' "${bare_lines[@]}"
    exit "$bare_failed"
}
