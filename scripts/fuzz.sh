#!/usr/bin/env bash
# Fuzzes the readers for a long time, guided by coverage, with checks of overflows and debug assertions on.
#
# usage: scripts/fuzz.sh [SECONDS] [TARGET...]
#
# Runs each target (default: all) for SECONDS (default: 3600), JOBS targets at a time (default: one for each processor), each in its own process. Writes
# the log of a target to target/fuzzed/TARGET.log and the inputs that reached new code to target/fuzzed/kept/TARGET, from where the next run goes on.
# Fails if a target fails.
set -euo pipefail
cd "$(dirname "$0")/.."

export JIGO_FUZZ_SECONDS="${1:-3600}"
if [ $# -gt 1 ]; then targets=("${@:2}"); else targets=(sgf gtp rules diagram openings archive report imported dataset); fi
export JIGO_FUZZ_SEED="${JIGO_FUZZ_SEED:-$(date +%s)}"

# The compiler counts how often each edge between basic blocks is taken. Only the fuzz tests have the function that receives the counters; cargo also builds
# the command, which is linked without it and cannot run.
export RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Ccodegen-units=1 -Cdebug-assertions=on -Coverflow-checks=on --cfg jigo_coverage -Clink-arg=-Wl,--unresolved-symbols=ignore-all"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/fuzzed"
# With one thread, the same input gives the same counts.
export RAYON_NUM_THREADS=1

# With a target, the flags do not apply to build scripts and macros.
host=$(rustc -vV | sed -n 's/^host: //p')
binary=$(cargo test --release --target "$host" --test fuzz --no-run --message-format json \
    | sed -n 's/.*"executable":"\([^"]*\/fuzz-[^"]*\)".*/\1/p')
folder=$(cd "$CARGO_TARGET_DIR" && pwd)
export JIGO_FUZZ_KEPT="$folder/kept"

echo "seed $JIGO_FUZZ_SEED, $JIGO_FUZZ_SECONDS seconds each"
run() {
    local log="$3/$2.log" result=passed
    { "$1" --exact "$2::$2" --nocapture > "$log" 2>&1 && grep -q "1 passed" "$log"; } || result="failed, see $log"
    sed -n "s/^.*\($2: .* edges.*\)/\1/p" "$log"
    echo "$2: $result"
    [ "$result" = passed ]
}
export -f run
printf '%s\0' "${targets[@]}" \
    | xargs -0 -P "${JOBS:-$(nproc)}" -I TARGET bash -c 'run "$@"' run "$binary" TARGET "$folder"
