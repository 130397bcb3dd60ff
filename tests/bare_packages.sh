#!/bin/bash
# bare_packages.sh: the Debian package and the wheel, each made in one Debian that has nothing but its base and used in another.
# The Debian package is made and installed by the very commands of packaging/Dockerfile, whose image it thereby stands for. The
# wheel prices in a virtual environment without a network; then the Python tests of ways, README and notebooks run in it, with
# NumPy, pandas, nbclient and a kernel from pip. Needs root, and mmdebstrap or debootstrap (see bare.sh), and a network.
#
#     tests/bare_packages.sh [deb] [wheel] [documents] [release]     default: the first two
#
# `documents` does what README.md says, in its order: ./demo.sh in a fresh clone, the PATH that it gives, `pip install .`, then
# every block of README.md and of docs/, without a network; `bare_system.sh` has ./test.sh, which stands beside ./demo.sh.
# `release` makes all that packaging/release.sh makes, of a clone of the last commit, and installs each product on systems of its
# own, of Debian 12 and 13, between which Ubuntu 24.04 lies: the Debian packages, with a program that is compiled against them;
# the wheel, without a network; the sdist, by pip, with the tests that are in it.
# Environment: LEVY_BARE_RELEASE (a folder that packaging/release.sh has filled), LEVY_BARE_SUITES (of `release`, in place of
# "bookworm trixie"), LEVY_BARE_FOLDER (about 3 GB; default: a temporary one), LEVY_BARE_OPTIONS (for pip, such as
# --config-settings=cmake.define.LEVY_ISA_SETS=avx2), and what bare.sh reads: Ubuntu is had so. Ends with a line per run; exit code
# 1: one failed; 77: it cannot run here.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
. "$root/tests/bare.sh"
bare_ready
work=${LEVY_BARE_FOLDER:-$(mktemp -d)} || exit 1
mkdir -p "$work" || exit 1
if [ -z "${LEVY_BARE_FOLDER:-}" ]; then trap 'rm -rf "$work"' EXIT; fi

# The commands of the image's Nth stage, a line each; then its folder and what it starts.
docker_lines() { # stage, instruction
    sed -e ':more' -e '/\\$/N; s/\\\n *//; t more' "$root/packaging/Dockerfile" |
        awk -v stage="$1" -v name="$2" '$1 == "FROM" { ++at } at == stage && $1 == name { sub(/^[A-Z]+ /, ""); print }'
}
docker_words() { docker_lines 2 "$1" | tr -d '[],"'; }

# What this machine's pip is told goes along: a bare system knows of no other index and of no certificates but its own.
pip_settings() { # system
    local file
    for file in /etc/pip.conf "${PIP_CERT:-}"; do
        if [ -f "$file" ]; then mkdir -p "$work/$1${file%/*}" && cp "$file" "$work/$1$file"; fi
    done
}

debian_package() {
    local command words
    for system in build image; do bare_system $system || exit 1; done
    bare_clone build /src || exit 1
    while IFS= read -r command; do bare_run build / network bash -c "$command"; done < <(docker_lines 1 RUN)
    cp "$work"/build/build/{levy_,liblevy[0-9],python3-levy_}*.deb "$work/image/" || bare_failed=1
    while IFS= read -r command; do bare_run image / network bash -c "$command"; done < <(docker_lines 2 RUN)
    read -r -a words <<< "$(docker_words ENTRYPOINT) $(docker_words CMD)"
    bare_run image "$(docker_lines 2 WORKDIR)" offline "${words[@]}"
    bare_run image / network bash -c "apt-get update && apt-get install -y --no-install-recommends /python3-levy_*.deb"
    bare_run image / offline bash -c 'python3 -m levy version && python3 -c "import levy; print(levy.price(\"/usr/share/levy/configs/quickstart.yaml\"))"'
    rm -rf "${work:?}/image" "${work:?}/build"
}

wheel() {
    local name system
    for system in wheel clean; do
        { bare_system $system && bare_clone $system /src; } || exit 1
        bare_run $system / network bash -c 'apt-get update && apt-get install -y --no-install-recommends python3 python3-venv && python3 -m venv /venv'
        pip_settings $system
    done
    bare_run wheel / network bash -c "apt-get install -y --no-install-recommends gcc libc6-dev libyaml-dev libxxhash-dev"
    bare_run wheel / network bash -c "/venv/bin/pip wheel --no-deps -w /wheel ${LEVY_BARE_OPTIONS:-} /src"
    cp "$work"/wheel/wheel/levy-*.whl "$work/clean/" || bare_failed=1
    bare_run clean / offline bash -c '/venv/bin/pip install --no-index /levy-*.whl'
    bare_run clean / offline bash -c 'cd /venv/lib/python3*/site-packages/levy/share/levy && /venv/bin/python -m levy price configs/quickstart.yaml'
    bare_run clean / network /venv/bin/pip install numpy pandas nbclient nbformat ipykernel
    for name in ways readme notebooks; do bare_run clean / network /venv/bin/python /src/tests/python/test_$name.py; done
    rm -rf "${work:?}/wheel" "${work:?}/clean"
}

documents() {
    { bare_system reader && bare_clone reader /root/levy; } || exit 1
    bare_run reader /root/levy network ./demo.sh
    bare_run reader /root/levy network bash -c 'apt-get install -y --no-install-recommends python3-venv && python3 -m venv /venv'
    pip_settings reader
    bare_run reader /root/levy network bash -c "/venv/bin/pip install ${LEVY_BARE_OPTIONS:-} . numpy pandas"
    # shellcheck disable=SC2016 # inside
    bare_run reader /root/levy offline bash -c '. /venv/bin/activate && eval "$(grep "^export PATH=" README.md)" && tests/test_docs.sh'
    rm -rf "${work:?}/reader"
}

release() {
    local out=${LEVY_BARE_RELEASE:-$work/release}
    if [ -z "${LEVY_BARE_RELEASE:-}" ]; then
        rm -rf "$work/clone" "$out"
        git clone -q "$root" "$work/clone" || exit 1
        "$work/clone/packaging/release.sh" --out "$out" || { bare_failed=1 && return 0; }
    fi
    rm -rf "$work/clone"
    if ! (cd "$out" && sha256sum --quiet -c SHA256SUMS); then bare_failed=1; fi
    for bare_suite in ${LEVY_BARE_SUITES:-bookworm trixie}; do
        bare_base || exit 1
        install_products "$out"
    done
}

install_products() { # folder
    local system out=$1
    for system in debs whl sdist; do
        bare_system $system || exit 1
        mkdir "$work/$system/products" && cp "$out"/levy-*.{whl,tar.gz} "$out"/*.deb "$work/$system/products/"
    done
    bare_run debs / network bash -c 'apt-get update && apt-get install -y --no-install-recommends /products/*.deb'
    bare_run debs /usr/share/levy offline bash -c 'levy price configs/quickstart.yaml && python3 -m levy version && cd / && python3 -c "import levy; print(levy.price(\"/usr/share/levy/configs/quickstart.yaml\"))"'
    bare_run debs / network bash -c 'apt-get install -y --no-install-recommends gcc pkg-config'
    # shellcheck disable=SC2016 # inside
    bare_run debs /usr/share/levy offline bash -c 'gcc configs/embed/price.c $(pkg-config --cflags --libs levy) -o /tmp/price && /tmp/price configs/quickstart.yaml'
    bare_run debs / network bash -c 'apt-get purge -y "*levy*" && ! find / -xdev -name "*levy*" -not -path "/products/*" -not -path "/home/*" -not -path "/proc/*" | grep -v /var/log'
    bare_run whl / network bash -c 'apt-get update && apt-get install -y --no-install-recommends python3-venv && python3 -m venv /venv'
    bare_run whl / offline bash -c '/venv/bin/pip install --no-index /products/levy-*.whl && /venv/bin/levy price /venv/lib/python3*/site-packages/levy/share/levy/configs/quickstart.yaml'
    bare_run sdist / network bash -c 'apt-get update && apt-get install -y --no-install-recommends python3-venv gcc libc6-dev libyaml-dev libxxhash-dev && python3 -m venv /venv'
    pip_settings sdist # once apt has laid its own certificates
    bare_run sdist / network bash -c "/venv/bin/pip install ${LEVY_BARE_OPTIONS:-} /products/levy-*.tar.gz && /venv/bin/pip install numpy pandas && tar xzf /products/levy-*.tar.gz"
    for name in ways readme; do bare_run sdist / offline bash -c "/venv/bin/python /levy-*/tests/python/test_$name.py"; done
    rm -rf "${work:?}"/{debs,whl,sdist}
}

steps=("$@")
if [ $# -eq 0 ]; then steps=(deb wheel); fi
bare_base || exit 1
for step in "${steps[@]}"; do
    case $step in
    deb) debian_package ;;
    wheel) wheel ;;
    documents) documents ;;
    release) release ;;
    *) echo "bare_packages.sh: no step '$step'" && exit 2 ;;
    esac
done
bare_end
