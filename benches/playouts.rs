//! Playouts per second, one thread: `cargo bench --bench playouts`.
//!
//! Every figure is for games whose signature is checked, so that a faster but different game cannot pass.
#![allow(missing_docs)] // Criterion's macros make public items.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use jigo_engine::{
    Board, BoardSize, Move, Suicide,
    board::Among,
    for_width,
    simd::{Job, with_fast_bits},
};
use jigo_selfplay::{
    AnyPosition, Backend, GameRecord, Needs, Progress, Run, RunConfig, Signature, Sink, Stream,
};
use rayon::ThreadPoolBuilder;

/// Games in one measurement.
const GAMES: u64 = 200;
/// The same for games in lockstep: so many that the lanes are full for most of the time.
const LOCKSTEP_GAMES: u64 = 1000;

/// Whole games on a board, one after the other.
fn playouts(criterion: &mut Criterion) {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (policy, rules) in
        [("eye-safe", "chinese"), ("eye-safe", "tromp-taylor"), ("guarded:k=2", "tromp-taylor")]
    {
        let mut group = criterion.benchmark_group(format!("playouts/{policy}/{rules}"));
        group.throughput(Throughput::Elements(GAMES));
        for size in ["9x9", "13x13", "9x13", "19x19"] {
            let run = Run::new(size, rules, policy).unwrap();
            let expected = signature(&run, GAMES, |index| run.game(index));
            let play =
                || run.play_on(Backend::Board, 0..GAMES, Signature::default, &Progress::new()).unwrap();
            group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
                bencher.iter(|| pool.install(play));
            });
            assert_eq!(pool.install(play), expected);
        }
        group.finish();
    }
}

/// All backends of this processor, through the public function that plays runs, with nothing recorded.
fn backends(criterion: &mut Criterion) {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for size in ["9x9", "13x13", "19x19"] {
        let run = Run::new(size, "chinese", "eye-safe").unwrap();
        let expected = signature(&run, LOCKSTEP_GAMES, |index| run.game(index));
        let mut group = criterion.benchmark_group(format!("backends/eye-safe/chinese/{size}"));
        group.throughput(Throughput::Elements(LOCKSTEP_GAMES)).sample_size(20);
        for backend in Backend::available() {
            group.bench_function(BenchmarkId::from_parameter(backend), |bencher| {
                bencher.iter(|| pool.install(|| play::<Plies>(backend, &run)));
            });
            assert_eq!(pool.install(|| play::<Signature>(backend, &run)), expected, "{backend}");
        }
        group.finish();
    }
}

fn play<S: Sink + Default>(backend: Backend, run: &Run) -> S {
    run.play_on(backend, 0..LOCKSTEP_GAMES, S::default, &Progress::new()).unwrap()
}

/// Counts plies and asks for nothing.
#[derive(Default)]
struct Plies(u64);

impl Sink for Plies {
    const NEEDS: Needs = Needs::End;

    fn add(&mut self, record: &GameRecord, _: AnyPosition<'_>) {
        self.0 += u64::from(record.ply_count());
    }

    fn merge(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// The board by itself, through its public functions: no history, no record of repetitions.
fn boards(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("board/eye-safe/chinese");
    group.throughput(Throughput::Elements(GAMES));
    for size in ["9x9", "13x13", "19x19"] {
        let run = Run::new(size, "chinese", "eye-safe").unwrap();
        for_width!(run.config.size, W => {
            let (mut board, mut moves) = (Board::<W>::new(run.config.size, run.config.rules.suicide), Vec::new());
            for index in 0..GAMES {
                with_fast_bits(BoardGame { run: &run, index, board: &mut board, moves: &mut moves });
                assert_eq!(run.game(index).moves, moves);
            }
            group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
                bencher.iter(|| for index in 0..GAMES {
                    with_fast_bits(BoardGame { run: &run, index, board: &mut board, moves: &mut moves });
                });
            });
        });
    }
    group.finish();
}

/// The same policy with one random number per move, among the legal candidates: the fastest way to play one game at a time. The games differ,
/// because no candidate is rejected.
fn legal_candidates(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("board/eye-safe/chinese/legal-candidates");
    group.throughput(Throughput::Elements(GAMES));
    for size in ["9x9", "13x13", "19x19"] {
        let size: BoardSize = size.parse().unwrap();
        for_width!(size, W => {
            let mut board = Board::<W>::new(size, Suicide::Forbidden);
            let mut play = |index| with_fast_bits(LightGame { index, board: &mut board });
            let plies: u32 = (0..GAMES).map(&mut play).sum();
            let again: u32 = (0..GAMES).map(&mut play).sum();
            assert_eq!(plies, again);
            group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
                bencher.iter(|| (0..GAMES).map(&mut play).sum::<u32>());
            });
        });
    }
    group.finish();
}

/// Plays one eye-safe game under simple ko without suicide, with one random number per move, and returns the number of plies.
struct LightGame<'a, const W: usize> {
    index: u64,
    board: &'a mut Board<W>,
}

impl<const W: usize> Job for LightGame<'_, W> {
    type Output = u32;

    const HAS_LONG_BITBOARDS: bool = W >= 3;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { index, board } = self;
        let mut stream = Stream::new(1, index);
        board.clear();
        let (mut plies, mut passes) = (0, 0);
        while passes < 2 && plies < RunConfig::default_ply_cap(board.size()) {
            let candidates = board.legal_candidates(Among::NotEyeLike);
            match candidates.count() {
                0 => {
                    passes += 1;
                    board.pass();
                }
                count => {
                    passes = 0;
                    board.play_candidate(candidates.pick(stream.below(count)));
                }
            }
            plies += 1;
        }
        plies
    }
}

/// One eye-safe game under simple ko without suicide.
struct BoardGame<'a, const W: usize> {
    run: &'a Run,
    index: u64,
    board: &'a mut Board<W>,
    moves: &'a mut Vec<Move>,
}

impl<const W: usize> Job for BoardGame<'_, W> {
    type Output = ();

    const HAS_LONG_BITBOARDS: bool = W >= 3;

    #[inline(always)]
    fn run(self) {
        let Self { run, index, board, moves } = self;
        let mut stream = Stream::new(run.seed, index);
        board.clear();
        moves.clear();
        while !moves.ends_with(&[Move::Pass, Move::Pass]) && moves.len() < run.config.ply_cap as usize {
            let mut candidates = board.candidates(run.config.policy.playout().among());
            let mut mv = Move::Pass;
            for count in (1..=candidates.count()).rev() {
                let candidate = candidates.take(stream.below(count));
                if board.is_playable(candidate, board.suicide()) {
                    board.play_candidate(candidate);
                    mv = Move::Play(candidate.point());
                    break;
                }
            }
            if mv == Move::Pass {
                board.pass();
            }
            moves.push(mv);
        }
    }
}

fn signature(run: &Run, games: u64, mut play: impl FnMut(u64) -> GameRecord) -> Signature {
    let mut signature = Signature::default();
    (0..games).for_each(|index| signature.merge(Signature::from_record(&play(index), run.config.size)));
    signature
}

criterion_group!(benches, playouts, backends, boards, legal_candidates);
criterion_main!(benches);
