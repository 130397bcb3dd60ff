#!/bin/bash
# test_docs.sh: the code blocks of README.md and docs/*.md, page by page in their order, run where a reader would: in a folder with
# a copy of configs/ and build/levy, by the PATH that README.md gives there. By the language of a fence:
#   none    lines that begin with "$ " are commands, what follows is what they print; "..." stands for any lines. Devices and
#           seconds may differ. A block that begins with ">>>" is Python's: docs_blocks.py
#   sh      runs without an error
#   yaml    a book is valid; a part of one (payoff, simulation, ...) is valid in a book of the test's own
#   c, c++  compiles without a warning, links and runs; a text behind it is what it prints
#   python  docs_blocks.py
#   text    is no code
# A comment of the line before says more: <!-- file: NAME --> keeps a block in the page's folder, <!-- not run: REASON -->.
# Other tests have the blocks of docs/input.md (test_examples, test_input_page), docs/results.md (test_results_page.sh),
# docs/studies.md (test_studies_page.sh), docs/extending.md (test_extending.sh) and docs/reference (test_reference_pages.sh). Links
# of all pages lead somewhere, and files that they name in backticks are there.
# Environment: LEVY, LEVY_LIBRARY_DIR, CC, LEVY_SYSROOT (set by ctest; bare_packages.sh sets none: then it is a reader's program,
# which a shell finds, and Python's installed package). Arguments: pages.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
levy=${LEVY:-$(command -v levy)} libdir=${LEVY_LIBRARY_DIR:-$root/build/lib} cc=${CC:-cc} cxx=${CXX:-c++}
levy=$(cd "$(dirname "$levy")" && pwd -P)/$(basename "$levy")
work=$(mktemp -d "${TMPDIR:-/tmp}/levy docs XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -z "${LEVY_LINK_FLAGS:-}" ] || { echo "skipped: a program compiled here would need the sanitizer"; exit 77; }
sysroot=()
if [ -n "${LEVY_SYSROOT:-}" ]; then sysroot=("--sysroot=$LEVY_SYSROOT"); fi
strict=(-Wall -Wextra -Wpedantic -Wconversion -Werror)
# What a program prints must not depend on the terminal or the language of who runs this.
export LC_ALL=C COLUMNS=200 NO_COLOR=1 LEVY_CACHE_DIR=$work/cache
unset LEVY_MODULE_DIR
failed=0 ran=0 kept=0

fail() { echo "$page:$line: $*"; failed=1; }

# Block N of a page: N.block. A line each: number, line in the page, language, the comment before it.
split() { # page
    awk -v work="$work" '
    function shut() { close(name); print n "\t" at "\t" language "\t" mark; mark = "" }
    /^ *```/ {
        if (inside) { shut(); inside = 0; next }
        inside = 1; at = NR; language = $0; sub(/^ *```/, "", language); ++n
        if (language == "") language = "console"
        name = work "/" n ".block"; printf "" > name
        next
    }
    inside { print > name; next }
    /^<!-- (file|not run): .* -->$/ { mark = substr($0, 6, length($0) - 9); next }
    /^$/ { blank = 1; next }
    /^    / && blank && !list { print "0\t" NR "\tindented\t" }
    { blank = 0; mark = ""; list = /^ *([-*0-9]|  )/ ? 1 : list && /^ / }
    END { if (inside) shut() }' "$1"
}

# What may differ from machine to machine and run to run, and the blanks of columns that are wider by it.
masked() {
    sed -E -e 's/^(levy [0-9.]+ \(contract [0-9]+\) on) .*/\1 DEVICE/' -e 's/; [0-9.]+ s$/; N s/' -e 's/ on [a-z]+ \([^)]*\)$//' \
        -e 's/, (cpu|cuda) \(.*\)$/, DEVICE/' -e 's/^(device|estimate): .*/\1/' \
        -e 's/^([a-z0-9_]+\+[a-z0-9:]+ +-?[0-9.]+ \+- [0-9.]+ +[0-9.e+-]+) .* ([0-9]+ of [0-9]+|[0-9]+)$/\1 TIMES \2/' \
        -e 's/ +/ /g' -e 's/ $//' "$1"
}

# Is the text printed the one wanted, in which "..." is any lines?
alike() { # wanted, printed
    masked "$1" > "$work/wanted.masked"
    masked "$2" > "$work/printed.masked"
    awk '
    function matches(from, to, at,   k) {
        for (k = from; k <= to; ++k) if (want[k] != have[at + k - from]) return 0
        return at + to - from <= n
    }
    NR == FNR { want[++m] = $0; next }
    { have[++n] = $0 }
    END {
        at = 1; from = 1; loose = 0
        for (k = 1; k <= m + 1; ++k) {
            if (k <= m && want[k] != "...") continue
            size = k - from
            if (size > 0 || k > m) { # lines from..k-1 stand together
                last = k > m
                if (last && loose) at = n - size + 1 > at ? n - size + 1 : at
                while (loose && !last && at <= n && !matches(from, k - 1, at)) ++at
                if (!matches(from, k - 1, at)) exit 1
                at += size
            }
            from = k + 1; loose = 1
        }
        exit want[m] != "..." && at <= n
    }' "$work/wanted.masked" "$work/printed.masked" && return
    diff -u --label wanted --label printed "$work/wanted.masked" "$work/printed.masked" || true
    return 1
}

run_console() { # block: the command of each line with "$ ", and what it prints until the next one
    local command='' text=()
    check() {
        local code=0
        [ -n "$command" ] || return 0
        ran=$((ran + 1))
        printf '%s\n' ${text[@]+"${text[@]}"} > "$work/wanted"
        (cd "$folder" && bash -c "$command") < /dev/null > "$work/printed" 2>&1 || code=$?
        if [ "${#text[@]}" -gt 0 ]; then
            alike "$work/wanted" "$work/printed" || fail "prints something else: $command"
        elif [ "$code" -ne 0 ]; then
            cat "$work/printed"
            fail "ends with $code: $command"
        fi
    }
    while IFS= read -r each; do
        if [ "${each#\$ }" = "$each" ]; then
            text+=("$each")
            continue
        fi
        check
        command=${each#\$ } text=()
    done < "$1"
    check
    [ -n "$command" ] || fail "a block without a language has no command: call it text"
}

run_sh() {
    ran=$((ran + 1))
    (cd "$folder" && bash -eu "$1") < /dev/null > "$work/printed" 2>&1 || { cat "$work/printed"; fail "does not run"; }
}

# A part of a book, in a book of two assets, A and B.
run_yaml() {
    local book=$1 part
    part=$(awk 'NF && !/^ *#/ { match($0, /^ */); sub(/:.*/, ""); print substr($0, RLENGTH + 1); exit }' "$1")
    if ! grep -q '^schema_version:' "$1"; then
        book=$work/part.yaml
        {
            echo 'schema_version: 1'
            [ "$part" = market ] || printf '%s\n' 'market:' '  curves: {USD: 0.05}' '  assets:' \
                '    A: {currency: USD, spot: 100, volatility: 0.2}' '    B: {currency: USD, spot: 50, volatility: 0.3}' \
                '  correlations: {pairs: [[A.spot, B.spot, 0.5]]}'
            echo 'models: {equity: {kind: black_scholes, assets: [A, B]}}'
            printf '%s\n' 'trades:' '  - id: part' '    underlyings: [A, B]' '    exercise: {expiry: 1.0}'
            if [ "$part" = payoff ]; then
                echo '    notional: 1000'
                awk 'NF && !set { match($0, /^ */); cut = RLENGTH; set = 1 } { print "    " substr($0, cut + 1) }' "$1"
            else
                echo '    payoff: {kind: exchange}'
                cat "$1"
            fi
        } > "$book"
    fi
    ran=$((ran + 1))
    cp "$book" "$folder/block.yaml"
    (cd "$folder" && levy validate block.yaml) > "$work/printed" 2>&1 || { cat "$work/printed"; fail "is refused"; }
    rm "$folder/block.yaml"
}

run_compiled() { # block, compiler, standard, ending
    local source=$work/program.$4
    if grep -q '\<main(' "$1"; then
        cp "$1" "$source"
    else
        { printf '#include <levy.h>\n#include <stdio.h>\n\nint main(void)\n{\n'; cat "$1"; printf '    return 0;\n}\n'; } > "$source"
    fi
    ran=$((ran + 1))
    "$2" "$3" "${strict[@]}" ${sysroot[@]+"${sysroot[@]}"} -I "$root/engine" "$source" -L "$libdir" -llevy -Wl,-rpath,"$libdir" -o "$work/program" ||
        { fail "does not compile"; return 0; }
    (cd "$folder" && "$work/program") < /dev/null > "$work/printed" 2>&1 || { cat "$work/printed"; fail "its program failed"; }
    program=$work/printed.program
    cp "$work/printed" "$program"
}

run_block() { # block, language
    local before=$program
    program=
    case $2 in
    console) if grep -q '^>>> ' "$1"; then python_pages+=("$path"); else run_console "$1"; fi ;;
    sh) run_sh "$1" ;;
    yaml) run_yaml "$1" ;;
    c) run_compiled "$1" "$cc" -std=c11 c ;;
    c++) if command -v "$cxx" > /dev/null; then run_compiled "$1" "$cxx" -std=c++17 cc; else echo "skipped: no $cxx"; fi ;;
    python) python_pages+=("$path") ;;
    text) [ -z "$before" ] || alike "$1" "$before" || fail "the program before it prints something else" ;;
    indented) fail "an indented block: put it between fences, which have a language" ;;
    *) fail "nothing is known about blocks of '$2'" ;;
    esac
}

run_page() {
    local number language mark program='' folder=$work/folder
    rm -rf "$folder" "$work"/*.block
    mkdir -p "$folder/build"
    cp -R "$root/configs" "$folder/configs"
    ln -s "$levy" "$folder/build/levy"
    PATH=$(cd "$folder" && eval "$(grep '^export PATH=' "$root/README.md")" && echo "$PATH")
    while IFS=$'\t' read -r number line language mark; do
        case $mark in
        "not run: "*) kept=$((kept + 1)) && continue ;;
        "file: "*) cp "$work/$number.block" "$folder/${mark#file: }" ;;
        esac
        run_block "$work/$number.block" "$language"
    done < <(split "$path")
}

# ---- Links, and files that are named ----

anchors() { sed -n 's/^##* //p' "$1" | tr '[:upper:] ' '[:lower:]-' | tr -cd '[:alnum:]_\n-'; }

# shellcheck disable=SC2016
named='`(bench|configs|docs|engine|kernels|models|packaging|payoffs|tests)/[A-Za-z0-9_./-]+`'
check_links() {
    local target file folder
    folder=$(dirname "$path")
    line="a link"
    while IFS= read -r target; do
        case $target in http*) continue ;; esac
        file=${target%%#*}
        if [ -n "$file" ]; then file=$folder/$file; else file=$path; fi
        [ -e "$file" ] || { fail "there is no $target"; continue; }
        case $target in *#*) anchors "$file" | grep -qxF -- "${target#*#}" || fail "there is no heading $target" ;; esac
    done < <(grep -oE '\]\([^) ]+\)' "$path" | sed 's/^](//; s/)$//' | sort -u)
    while IFS= read -r target; do
        [ -e "$root/$target" ] || fail "there is no file $target"
    done < <(grep -oE "$named" "$path" | tr -d '`' | sort -u)
}

# The version stands in four places.
check_version() {
    local version file
    version=$("$levy" version | sed -n '1s/^levy \([0-9.]*\).*/\1/p')
    page=version line="$version"
    for file in "CITATION.cff:version: $version" "CMakeLists.txt:project(levy VERSION $version " "CHANGELOG.md:## $version"; do
        grep -qF -- "${file#*:}" "$root/${file%%:*}" || fail "${file%%:*} has another one"
    done
}

# The figures of README.md are those of the notebook, which says how they were measured.
check_figures() {
    local figure
    page=README.md line="a figure"
    while IFS= read -r figure; do
        grep -qF -- "$figure" "$root/docs/performance.md" || fail "docs/performance.md has no $figure"
    done < <(grep -oE '[0-9][0-9.,]* [GM]\>' "$root/README.md" | sort -u)
    [ "$(wc -l < "$root/README.md")" -le 110 ] || fail "it is longer than two screens"
}

# The start page leads to each page and shows each picture.
check_start() {
    local file
    page=docs/README.md line="a link"
    while IFS= read -r file; do
        grep -qF -- "]($file)" "$root/docs/README.md" || fail "it does not lead to $file"
    done < <(cd "$root/docs" && find . -name '*.md' ! -name README.md -o -path './pictures/*' | sed 's|^\./||')
}

python_pages=()
pages=("$@")
if [ $# -eq 0 ]; then pages=("$root"/*.md "$root"/docs/*.md "$root"/docs/reference/*.md); fi
PATH_BEFORE=$PATH
check_version
check_figures
check_start
for path in "${pages[@]}"; do
    path=$(realpath "$path") line=0
    page=${path#"$root"/}
    check_links
    case $page in docs/input.md | docs/results.md | docs/studies.md | docs/extending.md | docs/reference/* | CHANGELOG.md | CONTRIBUTING.md | DESIGN.md | SECURITY.md) continue ;; esac
    run_page
    PATH=$PATH_BEFORE
done
python=$(command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import sys, numpy; sys.exit(sys.version_info < (3, 9))' 2> /dev/null; then
    echo "skipped: Python's blocks: no python3 of 3.9 or later with NumPy"
elif [ ${#python_pages[@]} -gt 0 ]; then
    mapfile -t python_pages < <(printf '%s\n' "${python_pages[@]}" | sort -u)
    if [ -n "${LEVY_LIBRARY_DIR:-}" ]; then export LEVY_LIBRARY=$libdir PYTHONPATH=$root/engine/python PYTHONDONTWRITEBYTECODE=1; fi
    (cd "$work/folder" && "$python" "$root/tests/python/docs_blocks.py" "${python_pages[@]}") || failed=1
fi
echo "$ran commands, books and programs of the documents ran; $kept blocks are not run, and say why"
[ $# -gt 0 ] || [ "$ran" -ge 28 ] || { echo "there were more before"; failed=1; }
exit "$failed"
