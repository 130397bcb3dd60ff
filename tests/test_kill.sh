#!/bin/bash
# test_kill.sh: bench/kill_resume.sh on a small book: killed (SIGKILL) at random moments and resumed, a run must end with the
# bytes of an unbroken one. LEVY_KILL_TRADES and LEVY_KILLS change the size. A sanitizer gets a seventh of the book,
# ThreadSanitizer a sixteenth. Environment: LEVY_BINARY_DIR, LEVY_LINK_FLAGS (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
command -v python3 > /dev/null || { echo "skipped: no python3"; exit 77; }
trades=1000
case ${LEVY_LINK_FLAGS:-} in *thread*) trades=60 ;; ?*) trades=150 ;; esac
exec "$root/bench/kill_resume.sh" "${LEVY_BINARY_DIR:?}" "${LEVY_KILL_TRADES:-$trades}" "${LEVY_KILLS:-5}"
