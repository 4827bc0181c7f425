//! The cost of measuring a final position, and exact counts: `cargo bench --bench positions`.
#![allow(missing_docs)] // Criterion's macros make public items.

use std::{hint::black_box, ops::ControlFlow};

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use jigo_analysis::study::{Measures, Ownership};
use jigo_engine::{AnyPosition, BoardSize, Game, Position, Rules, count, for_width, life::StatusSolver};
use jigo_selfplay::{GameRecord, Run};

/// Final positions in one measurement: too many for a branch predictor to learn.
const GAMES: u64 = 1000;

/// Measures what a study spends on each final position.
fn finals(criterion: &mut Criterion) {
    for (size, policy) in
        [("9x9", "eye-safe"), ("13x13", "eye-safe"), ("19x19", "eye-safe"), ("9x9", "guarded:k=2")]
    {
        let run = Run::new(size, "tromp-taylor", policy).unwrap();
        let mut group = criterion.benchmark_group(format!("finals/{policy}/{size}"));
        group.throughput(Throughput::Elements(GAMES));
        for_width!(run.config.size, W => measure(&mut group, &games::<W>(run), run));
        group.finish();
    }
}

fn games<const W: usize>(run: Run) -> Vec<(GameRecord, Position<W>)> {
    run.finished_games(0..GAMES).map(|(record, position)| (record, position.with_width())).collect()
}

fn measure<const W: usize>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    games: &[(GameRecord, Position<W>)],
    run: Run,
) {
    let Rules { suicide, ko, .. } = *run.config.rules;
    let mut solver = StatusSolver::new(suicide, ko);
    assert!(games.iter().all(|(record, position)| record.area == position.area()));
    group.bench_function("area", |bencher| {
        bencher.iter(|| games.iter().map(|(_, position)| black_box(position).area().margin()).sum::<i32>());
    });
    group.bench_function("ownership", |bencher| {
        let mut ownership = Ownership::new(run.config.size);
        bencher.iter(|| {
            games.iter().for_each(|(_, position)| ownership.add(AnyPosition::new(black_box(position))))
        });
    });
    group.bench_function("status", |bencher| {
        let mut is_plain =
            |position| solver.final_status(AnyPosition::new(black_box(position)), true).open.is_none();
        bencher.iter(|| games.iter().filter(|(_, position)| is_plain(position)).count());
    });
    let mut measures = Measures::new(run.config.size);
    group.bench_function("all", |bencher| {
        bencher.iter(|| {
            games.iter().for_each(|(record, position)| {
                measures.add(
                    record,
                    AnyPosition::new(black_box(position)),
                    &run.config,
                    &mut solver,
                    "bench",
                );
            });
        });
    });
    assert_eq!(measures.margins.games() % GAMES, 0);
    assert_eq!(measures.status.positions, measures.games);
}

fn counts(criterion: &mut Criterion) {
    let size = BoardSize::square(5).unwrap();
    let legal = || count::legal_positions(size, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(legal(), 414_295_148_741);
    criterion.bench_function("legal_positions/5x5", |bencher| bencher.iter(legal));
    let game: Game = Game::new(BoardSize::square(9).unwrap(), Rules::TROMP_TAYLOR);
    let perft = || count::perft(&game, 2, &mut |_| ControlFlow::Continue(())).unwrap()[1].plies;
    assert_eq!(perft(), 81 * 81 + 82);
    criterion.bench_function("perft/9x9/2", |bencher| bencher.iter(&perft));
}

criterion_group!(benches, finals, counts);
criterion_main!(benches);
