#!/usr/bin/env bash
# Runs tests under AddressSanitizer, with checks of overflows and debug assertions on.
#
# usage: scripts/sanitize.sh [all]
#
# Without an argument: the unit tests of the batch, the boards and the processors' instructions, and of SGF, which take a few minutes. `all` runs every
# test of the workspace but the measurements of speed, which are ignored in any run, and the examples in the documentation. The fuzz tests also read what
# scripts/fuzz.sh has kept. It takes an hour and a quarter on two cores.
#
# The compiler's support for sanitizers is not stable yet, so it must be asked for as if it were a nightly one.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(rustc -vV | sed -n 's/^host: //p')
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Zsanitizer=address -Cdebug-assertions=on -Coverflow-checks=on"
# Threads that end with the process leave memory behind that is no leak.
export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1"
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR="$folder/sanitized"

run() { cargo test --release --target "$target" "$@"; }

if [ "${1:-}" = all ]; then
    if [ -d "$folder/fuzzed/kept" ]; then export JIGO_FUZZ_KEPT="$folder/fuzzed/kept"; fi
    # This test puts its own clock into the command, and the sanitizer's allocator would call it.
    run --workspace --tests --no-fail-fast -- --skip clock::that_jumps_at_every_look
else
    run -p jigo-engine --lib -- batch:: bitboard:: board:: simd:: score::
    run -p jigo-selfplay --no-default-features --lib -- sgf::
fi
