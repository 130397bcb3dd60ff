#!/bin/bash
# test_release.sh: packaging/release.sh refuses what it must (a step that is none, another version, a tree with changes, a tag of a
# changelog without a date, files that disagree on the version), and writes notes, SBOM, sums and the tag. In a clone of the few
# files that these read, so that it compiles nothing; tests/bare_packages.sh makes and installs a whole release. Environment: CC
# (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
skip() { echo "skipped: $*"; exit 77; }
for tool in git python3; do command -v $tool > /dev/null || skip "no $tool"; done
unset GIT_DIR GIT_WORK_TREE LEVY_RELEASE_OPTIONS
if command -v shellcheck > /dev/null; then shellcheck -x "$root/packaging/release.sh"; fi
work=$(mktemp -d "${TMPDIR:-/tmp}/levy release XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "test_release: $*"; cat "$work/log"; exit 1; }
clone=$work/clone
mkdir -p "$clone/engine"
cp "$root"/{CMakeLists.txt,pyproject.toml,CITATION.cff,CHANGELOG.md,.gitignore} "$clone/"
cp "$root/engine/levy.h" "$clone/engine/"
cp -R "$root/packaging" "$clone/"
version=$(sed -n 's/^version: //p' "$root/CITATION.cff")
git() { command git -C "$clone" -c user.name=levy -c user.email=levy -c commit.gpgsign=false "$@"; }
commit() { git add -A && git commit -qm "$1"; }
git init -q && git config user.name levy && git config user.email levy && commit first
release() { CC=${CC:-cc} "$clone/packaging/release.sh" --out "$work/out" "$@" > "$work/log" 2>&1; }
refused() { # what it must say, arguments...
    local text=$1
    shift
    if release "$@"; then fail "it does not refuse $*"; fi
    grep -qF -- "$text" "$work/log" || fail "it does not say: $text"
}

release --help || fail "no help"
grep -q "^  sdist " "$work/log" || fail "no help"
refused "no step 'sdits'" sdits
refused "the sources are $version, not 9.9.9" --version 9.9.9
sed -i "s/^## $version.*/## $version (unreleased)/" "$clone/CHANGELOG.md"
if [ -n "$(git status --porcelain)" ]; then commit undated; fi
refused "give it its date" --tag notes
refused "has no product" sbom
refused "no sdist in" wheel

mkdir -p "$work/out"
for name in levy-$version.tar.gz levy-$version-py3-none-manylinux_2_34_x86_64.whl liblevy0.2_${version}_amd64.deb levy-doc_${version}_all.deb; do echo "$name" > "$work/out/$name"; done
python3 -c 'import ctypes; ctypes.CDLL("libyaml-0.so.2")' 2> /dev/null || skip "no libyaml that Python can load"
release --version "$version" notes sbom sums || fail "it failed"
head -n 1 "$work/out/NOTES.md" | grep -qx "# levy $version" || fail "the notes begin otherwise"
if grep -q '^## ' "$work/out/NOTES.md"; then fail "the notes are of other versions, too"; fi
(cd "$work/out" && sha256sum --quiet -c SHA256SUMS && [ "$(wc -l < SHA256SUMS)" -eq 6 ]) || fail "the sums are wrong"
python3 - "$work/out/levy-$version.spdx.json" << 'SCRIPT' || fail "the SBOM is wrong"
import hashlib, json, pathlib, sys
path = pathlib.Path(sys.argv[1])
document = json.loads(path.read_text())
packages = {each["SPDXID"]: each for each in document["packages"]}
links = {(packages[r["spdxElementId"]]["name"].split("_")[0].split("-py3")[0], r["relationshipType"], packages[r["relatedSpdxElement"]]["name"])
         for r in document["relationships"] if r["spdxElementId"] != "SPDXRef-DOCUMENT"}
assert any(kind == "STATIC_LINK" and part == "libyaml" for _, kind, part in links), links
assert ("liblevy0.2", "DYNAMIC_LINK", "libyaml") in links and ("liblevy0.2", "CONTAINS", "xxhash") in links, links
assert not any(name == "levy-doc" for name, _, _ in links), links
for each in packages.values():
    for sum in each.get("checksums", []):
        assert sum["checksumValue"] == hashlib.sha256((path.parent / each["packageFileName"]).read_bytes()).hexdigest()
SCRIPT

sed -i "s/^## $version.*/## $version (2026-01-01)/" "$clone/CHANGELOG.md"
refused "the tree has changes" notes
commit dated
release --tag notes || fail "it makes no tag"
[ "$(git rev-parse "$version^{commit}")" = "$(git rev-parse HEAD)" ] || fail "the tag is elsewhere"
refused "there is a tag" --tag notes
sed -i "s/^version: .*/version: 9.9.9/" "$clone/CITATION.cff"
refused "CITATION.cff says '9.9.9'" notes
