#!/usr/bin/env bash
# Runs tests under AddressSanitizer, with checks of overflows and debug assertions on.
#
# usage: scripts/sanitize.sh [all]
#
# Without an argument: the unit tests of the batch, the boards and the processors' instructions, and of SGF, which take a few minutes. `all`
# also runs the integration tests of the engine and of self-play, the other unit tests, and the fuzz tests: some hours.
#
# The compiler's support for sanitizers is not stable yet, so it must be asked for as if it were a nightly one.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(rustc -vV | sed -n 's/^host: //p')
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Zsanitizer=address -Cdebug-assertions=on -Coverflow-checks=on"
# Threads that end with the process leave memory behind that is no leak.
export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/sanitized"

run() { cargo test --release --target "$target" "$@"; }

if [ "${1:-}" = all ]; then
    run -p jigo-engine -p jigo-selfplay -p jigo-analysis --lib --tests
    run --workspace --test fuzz
else
    run -p jigo-engine --lib -- batch:: bitboard:: board:: simd:: score::
    run -p jigo-selfplay --no-default-features --lib -- sgf::
fi
