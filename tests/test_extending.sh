#!/bin/bash
# test_extending.sh: docs/extending.md, carried out: a copy of the sources gets what the page shows,
# is built, prices the example on the CPU to the value that the page names, and the kernel that a
# GPU would run has the CPU's bits on the host. Environment: CC, LEVY_BINARY_DIR (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=${LEVY_BINARY_DIR:?the build folder}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/levy"
for each in bench CMakeLists.txt configs docs engine kernels LICENSE models payoffs README.md tests; do
    cp -R "$root/$each" "$work/levy/"
done
cd "$work/levy"

# A block of the page whose first line names a file is that file; of a list the line is appended.
awk '/^```[a-z]+ [a-z]/ { name = $2; kind = $1; next } /^```/ { name = ""; next }
     name == "" { next }
     kind == "```def" { file = name; gsub(/.*\//, "", file); print > ("line-of-" file); next }
     { print > name }' docs/extending.md 2> "$work/awk" || { cat "$work/awk"; exit 1; }
for each in models payoffs; do
    sed -i "/new kind comes here/r line-of-$each.def" "$each/$each.def"
done
grep -q '^LEVY_MODEL_LANES(tilted' models/models.def
grep -q '^LEVY_PAYOFF_LANES(called' payoffs/payoffs.def

# As the build of this test was configured, but quick to compile: bits are the same. One instruction
# set will do where this processor is known to have it: the tests of this build compare all of them.
. "$root/tests/same_options.sh"
if [ "$(uname -m)" = x86_64 ] && grep -qsw avx2 /proc/cpuinfo; then same+=(-DLEVY_ISA_SETS=avx2); fi
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
cmake -S . -B build -G "$generator" "${same[@]}" "-DCMAKE_C_COMPILER=${CC:-cc}" -DCMAKE_BUILD_TYPE=Plain -DLEVY_GENERAL_LOOP=ON -DLEVY_UNITY=ON -DLEVY_INSTALL=OFF > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build build --parallel 2 --target levy test_cuda_emulated test_record > "$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }

levy=build/bin/levy
[ -x "$levy" ] || levy=build/levy
"$levy" describe model.tilted | grep -q 'Extra log return'
"$levy" describe model.cir | grep -q 'How fast variances return'
"$levy" describe payoff.called | grep -q 'Dates on which the guard'

# Is the price of a trade inside its bounds?
worth() { # book, trade, low, high
    "$levy" price "configs/$1.yaml" --format csv --no-times --device cpu > "$work/prices"
    awk -F, -v trade="$2" -v low="$3" -v high="$4" '
        NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
        $1 == trade { price = $column["price"] }
        END { exit !(price > low && price < high) }' "$work/prices" && return
    cat "$work/prices"
    echo "the price of $2 is not between $3 and $4"
    exit 1
}
worth tilted call 11.770 11.780
worth cir call 10.03 10.08
worth cir_jumps call 10.52 10.58
worth called free 0.3144 0.3164
worth called guarded 0.3023 0.3043
build/tests/test_cuda_emulated example tilted
build/tests/test_cuda_emulated example cir double
build/tests/test_cuda_emulated example cir_jumps double
# Near 0 a variance's root has few digits in single, and a difference of two prices fewer.
sed '/measures:/d' configs/cir.yaml > configs/cir_prices.yaml
build/tests/test_cuda_emulated example cir_prices
build/tests/test_cuda_emulated example called
build/tests/test_record book configs/called.yaml
