//! Records read and replayed per second, one thread: `JIGO_RECORDS=PATH cargo bench --bench records`.
//!
//! The path is a folder or an archive of SGF files: a thousand games or more, too many for a branch predictor to learn.
#![allow(missing_docs)] // Criterion's macros make public items.

use std::{env, ops::ControlFlow};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use jigo_analysis::records::{SourceLimits, read_sources};
use jigo_engine::AnyGame;
use jigo_selfplay::sgf::{Record, read_collection, replay, replay_in, rules_of};

fn records(criterion: &mut Criterion) {
    let Some(path) = env::var_os("JIGO_RECORDS") else {
        eprintln!("skipped: JIGO_RECORDS names no SGF files");
        return;
    };
    let mut files = Vec::new();
    read_sources(&[path.into()], SourceLimits::default(), |item| {
        files.push(item.content.expect("JIGO_RECORDS names files that can be read"));
        ControlFlow::Continue(())
    });
    let read = || files.iter().flat_map(|file| read_collection(file)).filter_map(Result::ok);
    let records: Vec<_> = read().collect();
    let on_new_boards = records.iter().filter_map(|record| replay(record, *rules_of(&record.game)).ok());
    assert_eq!(replay_all(&records), on_new_boards.map(|replay| replay.area.margin()).sum::<i32>());
    let mut group = criterion.benchmark_group("records");
    group.throughput(Throughput::Elements(records.len() as u64)).sample_size(10);
    group.bench_function("read", |bencher| bencher.iter(|| read().count()));
    group.bench_function("replay", |bencher| bencher.iter(|| replay_all(&records)));
    group.finish();
}

/// Replays the records by the rules that they name, on one board as long as size and rules stay the same, and returns the sum of the margins.
fn replay_all(records: &[Record]) -> i32 {
    let mut game: Option<AnyGame> = None;
    let margins = records.iter().filter_map(|record| {
        let (size, rules) = (record.game.size, *rules_of(&record.game));
        let game = match &mut game {
            Some(game) if game.size() == size && game.rules() == rules => game,
            other => other.insert(AnyGame::new(size, rules)),
        };
        Some(replay_in(game, record).ok()?.area.margin())
    });
    margins.sum()
}

criterion_group!(benches, records);
criterion_main!(benches);
