#!/bin/bash
# test_completion.sh: completion scripts and manual page know every command and option of options.def, the shells that are
# here accept the scripts, and bash completes with its own. $LEVY is the program.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
levy=${LEVY:?the program to test}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for shell in bash zsh fish; do "$levy" completion "$shell" > "$work/levy.$shell"; done
"$levy" help --man > "$work/levy.1"
sed -n 's/^COMMAND("\([^"]*\)".*/\1/p' "$root/engine/cli/options.def" > "$work/commands"
sed -n 's/^OPTION("\([^"]*\)".*/\1/p' "$root/engine/cli/options.def" > "$work/options"
[ "$(wc -l < "$work/commands")" -ge 10 ] && [ "$(wc -l < "$work/options")" -ge 20 ]
while read -r command; do
    for file in levy.bash levy.zsh levy.fish levy.1; do
        grep -qw -- "$command" "$work/$file" || { echo "$file does not know the command $command"; exit 1; }
    done
done < "$work/commands"
while read -r option; do
    grep -q -- " --${option}[ ']" "$work/levy.bash" || { echo "bash does not complete --$option"; exit 1; }
    grep -q -- "'--${option}[=[]" "$work/levy.zsh" || { echo "zsh does not complete --$option"; exit 1; }
    grep -q -- "-l $option " "$work/levy.fish" || { echo "fish does not complete --$option"; exit 1; }
    typed=${option//-/'\-'}
    grep -qF -- "\\-\\-$typed\\fR" "$work/levy.1" || { echo "the manual page does not know --$option"; exit 1; }
done < "$work/options"

bash -n "$work/levy.bash"
if command -v zsh > /dev/null; then zsh -n "$work/levy.zsh"; fi
if command -v fish > /dev/null; then fish -n "$work/levy.fish"; fi
if command -v groff > /dev/null; then
    groff -man -Tascii -ww "$work/levy.1" > "$work/page" 2> "$work/complaints"
    [ ! -s "$work/complaints" ] || { cat "$work/complaints"; exit 1; }
    [ "$(wc -l < "$work/page")" -gt 100 ]
fi

# What bash offers for the words typed so far.
complete() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _levy
    echo "${COMPREPLY[*]-}"
}
# shellcheck disable=SC1091
. "$work/levy.bash"
[ "$(complete levy pri)" = price ]
[ "$(complete levy price --jour)" = --journal ]
[ "$(complete levy price --device cu)" = cuda ]
[ "$(complete levy completion z)" = zsh ]
[ "$(complete levy price --measures price,gam)" = price,gamma ]
[ "$(complete levy price -m price,delta,volg)" = price,delta,volga ]
[ "$(complete levy price -f np)" = npy ]
[ "$(complete levy price --format = js)" = "json jsonl" ]
[ "$(complete levy converge -f n)" = "" ]
[ "$(complete levy converge --methods philox+bridge,sobol_scrambled+inc)" = philox+bridge,sobol_scrambled+incremental ]
[ "$(complete levy price --set simulation.pa)" = simulation.paths= ]
[ "$(complete levy plot --what pro)" = profile ]
[ "$(complete levy new asi)" = asian ]
[ "$(complete levy example payoffs/ph)" = payoffs/phoenix ]
[ "$(complete levy describe payoff.asi)" = payoff.asian ]
[ "$(complete levy validate --jour)" = "" ]

code=0
"$levy" completion tcsh 2> /dev/null || code=$?
[ "$code" -eq 2 ]
