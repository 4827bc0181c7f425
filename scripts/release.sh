#!/usr/bin/env bash
# Builds a static binary for any x86-64 Linux, packs it, and checks that it plays the same games on processors without AVX-512 and without AVX2.
#
# usage: scripts/release.sh [--twice] [OUT]     build, check, and pack into the folder OUT (default: target/dist)
#        scripts/release.sh --check JIGO        only check an existing binary
#
# --twice builds again from a copy in another folder and compares the bytes. The build needs the stable toolchain, a C compiler and a clean
# working tree. The binary needs no library, selects AVX2 or AVX-512 at run time, and its bytes depend only on the commit and the compilers.
# The check needs an emulator: Debian's package qemu-user-static (7.2 or later; earlier ones have no AVX2).
set -euo pipefail
cd "$(dirname "$0")/.."

readonly TARGET=x86_64-unknown-linux-gnu
readonly SIGNATURES=selfplay/tests/data/games-v1/signatures.csv

fail() { echo "error: $*" >&2; exit 1; }

# --- The check ---

# Processors, and the backend that must be the best one there. The first has neither AVX nor BMI, the second AVX2 and BMI2.
readonly MODELS="Nehalem:plain Haswell:avx2"
# Games with pinned signatures: size, rules, policy.
readonly PINNED="9x9,tromp-taylor,eye-safe 5x5,chinese,guarded:k=2 13x13,new-zealand,uniform"

emulator() {
    command -v qemu-x86_64-static || command -v qemu-x86_64 \
        || fail "no emulator was found: install Debian's package qemu-user-static"
}

# Prints the values of a field in the lines of `jigo bench --json`, each once.
values() { grep -o "^ *\"$1\": \"[a-z0-9]*\"" | cut -d'"' -f4 | sort -u | xargs; }

# check_on NAME EXPECTED COMMAND...: plays the pinned games with every backend, and a study that is compared with the previous ones.
check_on() {
    local name=$1 expected=$2 pinned size rules policy games signature row found best
    shift 2
    for pinned in $PINNED; do
        row=$(grep "^$pinned," "$SIGNATURES") || fail "$SIGNATURES has no row for $pinned"
        IFS=, read -r size rules policy games signature <<< "$row"
        local bench=(bench --size "$size" --rules "$rules" --policy "$policy" --games "$games" --threads 1 --repetitions 1 --json)
        found=$("$@" "${bench[@]}" --backend all 2> "$work/log") || { cat "$work/log" >&2; fail "$name: jigo ${bench[*]} failed"; }
        [ "$(values signature <<< "$found")" = "$signature" ] \
            || fail "$name: $size $rules $policy has the signatures $(values signature <<< "$found"), not $signature"
        best=$("$@" "${bench[@]}" --backend best 2> "$work/log" | values backend)
        [ -z "$expected" ] || [ "$best" = "$expected" ] || fail "$name: $size is played by $best, not by $expected"
        echo "$name: $size $rules $policy: signature $signature by $(values backend <<< "$found"); best: $best"
    done
    "$@" study --size 7,5x4 --games 1500 --policy settled:k=3 --rules tromp-taylor,japanese --out "$work/study" > "$work/log" 2>&1 \
        || { cat "$work/log" >&2; fail "$name: jigo study failed"; }
    [ -e "$work/report.json" ] || cp "$work/study/report.json" "$work/report.json"
    cmp "$work/report.json" "$work/study/report.json" || fail "$name: the counts of a study differ"
    echo "$name: the study has the same counts"
}

check() {
    local jigo=$1 emulator model
    [ -x "$jigo" ] || fail "$jigo is no command: build it first"
    emulator=$(emulator)
    check_on "this processor" "" "$jigo"
    for model in $MODELS; do
        check_on "${model%:*}" "${model#*:}" "$emulator" -cpu "${model%:*}" "$jigo"
    done
}

# --- The build ---

# build FOLDER: builds the sources in FOLDER into FOLDER/target/release-build. The bytes contain no path and no time.
build() (
    cd "$1"
    local cargo_home=${CARGO_HOME:-$HOME/.cargo}
    local sysroot
    sysroot=$(rustc --print sysroot)
    local maps=("$cargo_home=/cargo" "$sysroot=/rust" "$PWD=/jigo")
    # Flags from the environment, such as target-cpu=native, would change the binary.
    unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET
    export RUSTFLAGS="-C target-feature=+crt-static ${maps[*]/#/--remap-path-prefix=}"
    export CFLAGS="${maps[*]/#/-ffile-prefix-map=}"
    export CARGO_TARGET_DIR="$PWD/target/release-build" CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_INCREMENTAL=0
    export LC_ALL=C TZ=UTC
    cargo build --release --locked --target "$TARGET" --bin jigo
)

built() { echo "$1/target/release-build/$TARGET/release/jigo"; }

build_twice() {
    git clone --quiet --no-hardlinks . "$work/elsewhere"
    git -C "$work/elsewhere" checkout --quiet --detach "$(git rev-parse HEAD)"
    build "$work/elsewhere"
    cmp "$(built .)" "$(built "$work/elsewhere")" || fail "the same sources in another folder give other bytes"
    echo "built twice, in two folders: the same bytes"
}

# Prints what the binary needs from the system.
needs() {
    local libraries
    libraries=$(readelf -d "$1" | grep NEEDED || true)
    if [ -z "$libraries" ]; then echo "static: needs no library"; return; fi
    echo "needs$(sed 's/.*\[\(.*\)\]/ \1/' <<< "$libraries" | tr -d '\n'), of glibc $(objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)"
}

# Collects the licence texts of everything that is compiled in.
licences() {
    local crate version text folder
    cargo tree --locked --target "$TARGET" -e normal --prefix none --format '{p}' | sed 's/ (.*//' | sort -u | while read -r crate version; do
        folder=$(find "${CARGO_HOME:-$HOME/.cargo}/registry/src" -mindepth 2 -maxdepth 2 -name "$crate-${version#v}" | head -1)
        [ -n "$folder" ] || continue
        mkdir -p "$1/$crate-${version#v}"
        grep '^license' "$folder/Cargo.toml" > "$1/$crate-${version#v}/stated" || true
        for text in "$folder"/LICEN[CS]E* "$folder"/COPYING* "$folder"/NOTICE*; do
            if [ -f "$text" ]; then cp "$text" "$1/$crate-${version#v}/"; fi
        done
    done
    if [ -f /usr/share/doc/libc6/copyright ]; then mkdir -p "$1/glibc" && cp /usr/share/doc/libc6/copyright "$1/glibc/"; fi
}

# pack JIGO OUT: writes the archive and its digest.
pack() {
    local jigo=$1 out=$2 version name root shell
    version=$("$jigo" -V | cut -d' ' -f2)
    name=jigo-$version-x86_64-linux
    root=$work/$name
    mkdir -p "$root/completions" "$root/man/man1" "$out"
    cp "$jigo" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$root/"
    cp -r docs "$root/docs"
    # Under the names that shells look for.
    for shell in bash:jigo elvish:jigo.elv fish:jigo.fish powershell:_jigo.ps1 zsh:_jigo; do
        "$jigo" completions "${shell%:*}" > "$root/completions/${shell#*:}"
    done
    "$jigo" man --out "$root/man/man1" 2> /dev/null
    licences "$root/licences"
    "$jigo" --version > "$root/VERSION"
    (cd "$root" && find . -type f ! -name SHA256SUMS -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum > "$work/sums" && mv "$work/sums" SHA256SUMS)
    chmod -R u=rwX,go=rX "$root"
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -C "$work" -c "$name" \
        | gzip -9n > "$out/$name.tar.gz"
    (cd "$out" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
    echo "$out/$name.tar.gz: $(du -h "$out/$name.tar.gz" | cut -f1), SHA-256 $(cut -d' ' -f1 "$out/$name.tar.gz.sha256")"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$(uname -sm)" = "Linux x86_64" ] || fail "this is for Linux on x86-64; elsewhere build with: cargo build --release"

if [ "${1-}" = --check ]; then
    [ $# = 2 ] || fail "usage: scripts/release.sh --check JIGO"
    check "$2"
    exit
fi
twice=
if [ "${1-}" = --twice ]; then twice=1; shift; fi
[ $# -le 1 ] || fail "usage: scripts/release.sh [--twice] [OUT]"
out=${1:-target/dist}
[ -z "$(git status --porcelain)" ] || fail "the working tree has changes: commit them, so that the commit says what was built"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
emulator > "$work/log"
build .
if [ -n "$twice" ]; then build_twice; fi
jigo=$(built .)
needs "$jigo"
check "$jigo"
pack "$jigo" "$out"
