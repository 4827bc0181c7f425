//! Playouts per second, one thread: `cargo bench --bench playouts`.
//!
//! Every figure is for games whose signature is checked, so that a faster but different game cannot pass.
#![allow(missing_docs)] // Criterion's macros make public items.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use jigo_engine::for_width;
use jigo_selfplay::{Census, GameRecord, Player, PlayoutSpec, Signature, Sink as _};

/// Games in one measurement.
const GAMES: u64 = 200;

fn playouts(criterion: &mut Criterion) {
    for (policy, rules) in
        [("eye-safe", "chinese"), ("eye-safe", "tromp-taylor"), ("guarded:k=2", "tromp-taylor")]
    {
        let mut group = criterion.benchmark_group(format!("playouts/{policy}/{rules}"));
        group.throughput(Throughput::Elements(GAMES));
        for size in ["9x9", "13x13", "9x13", "19x19"] {
            let (board, rules, policy) =
                (size.parse().unwrap(), rules.parse().unwrap(), policy.parse().unwrap());
            let spec = PlayoutSpec::new(board, rules, policy, 1);
            let expected = signature(&spec, |index| spec.play(index));
            for_width!(board, W => {
                let mut player = Player::<W>::new(spec, Census::Draws);
                group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
                    bencher.iter(|| (0..GAMES).map(|index| player.play(index).0.ply_count()).sum::<u32>());
                });
                assert_eq!(signature(&spec, |index| player.play(index).0.clone()), expected);
            });
        }
        group.finish();
    }
}

fn signature(spec: &PlayoutSpec, mut play: impl FnMut(u64) -> GameRecord) -> Signature {
    let mut signature = Signature::default();
    (0..GAMES).for_each(|index| signature.merge(Signature::of(&play(index), spec.size)));
    signature
}

criterion_group!(benches, playouts);
criterion_main!(benches);
