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
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
. "$root/tests/bare.sh"
bare_ready
work=${LEVY_BARE_FOLDER:-$(mktemp -d)} || exit 1
mkdir -p "$work" || exit 1
if [ -z "${LEVY_BARE_FOLDER:-}" ]; then trap 'rm -rf "$work"' EXIT; fi

bare_base || exit 1
for who in ${LEVY_BARE_WHO:-root user}; do
    home=/root/levy
    if [ "$who" = user ]; then home="/home/levy/my clone of levy"; fi
    { bare_system "$who" && bare_clone "$who" "$home"; } || exit 1
    if [ "$who" = user ]; then chown -R 1000:1000 "$work/user/home/levy"; fi
    bare_run "$who" "$home" network ./demo.sh
    bare_run "$who" "$home" network ./test.sh "$@"
    bare_run "$who" "$home" offline ./demo.sh
    bare_run "$who" "$home" offline ./test.sh -L unit
    if [ -z "${LEVY_BARE_FOLDER:-}" ]; then rm -rf "${work:?}/$who"; fi
done
bare_end
