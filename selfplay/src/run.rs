//! Playing many games on all processors.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use jigo_engine::{Position, batch::Needs, for_width};
use rayon::prelude::*;

use crate::{
    backend::Backend,
    lockstep::{self, Unpacker},
    playout::{Census, PlayoutSpec, Playouts},
    progress::{Progress, Stopped},
    record::GameRecord,
};

/// What takes in the games of a run.
///
/// Games arrive in any order on several threads; each thread fills a value of its own, and the values are merged. So that the result depends
/// neither on the number of threads nor on their timing, adding and `merge` must be commutative and associative.
pub trait Sink: Send {
    /// What must be known of each game. Records lack what was not asked for, and games are played faster.
    const NEEDS: Needs = Needs::All;

    /// Takes in one game with its final position.
    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>);

    /// Takes in all that `other` has.
    fn merge(&mut self, other: Self);
}

/// Games that a thread takes at once: few enough to share work out evenly.
const SHARE: u64 = 64;

/// Plays the games with these indices on the threads of the current rayon pool, by the [fastest means](Backend::best), and returns the merged
/// sink.
///
/// Memory does not grow with the number of games, except for what the sink keeps.
///
/// # Errors
/// [`Stopped`] when `progress` was told to stop before all games were played; what was taken in is dropped then, because which games these are
/// depends on timing.
pub fn run<S: Sink>(
    spec: &PlayoutSpec,
    games: Range<u64>,
    census: Census,
    new_sink: impl Fn() -> S + Sync,
    progress: &Progress,
) -> Result<S, Stopped> {
    run_by(Backend::best(spec, census), spec, games, census, new_sink, progress)
}

/// As [`run`], by means of one's choice: the games are the same.
///
/// # Errors
/// As [`run`].
///
/// # Panics
/// When the means [cannot](Backend::can_play) play these games.
pub fn run_by<S: Sink>(
    means: Backend,
    spec: &PlayoutSpec,
    games: Range<u64>,
    census: Census,
    new_sink: impl Fn() -> S + Sync,
    progress: &Progress,
) -> Result<S, Stopped> {
    let shares = Shares { next: AtomicU64::new(games.start), end: games.end };
    let work = |_| {
        let mut sink = new_sink();
        for_width!(spec.size, W => {
            let mut count = Count { progress, games: 0, plies: 0 };
            let mut take = |record: &GameRecord, position: &Position<W>| {
                count.add(record);
                sink.add(record, position);
            };
            let mut mine = 0..0;
            let mut next_game = || shares.next_game(&mut mine).filter(|_| !progress.is_stopped());
            play_each(means, spec, census, S::NEEDS, &mut next_game, &mut take);
        });
        sink
    };
    let threads = rayon::current_num_threads();
    let merged = (0..threads).into_par_iter().with_max_len(1).map(work).reduce_with(|mut one, other| {
        one.merge(other);
        one
    });
    if progress.is_stopped() { Err(Stopped) } else { Ok(merged.unwrap_or_else(new_sink)) }
}

/// Plays the games that `next_game` names, until it names none, and hands each to `take`, in any order.
pub(crate) fn play_each<const W: usize>(
    means: Backend,
    spec: &PlayoutSpec,
    census: Census,
    needs: Needs,
    next_game: &mut dyn FnMut() -> Option<u64>,
    take: &mut dyn FnMut(&GameRecord, &Position<W>),
) {
    match means {
        Backend::Board => {
            let mut player = Box::new(Playouts::<W>::new(*spec, census));
            while let Some(index) = next_game() {
                let (record, position) = player.play(index);
                take(record, position);
            }
        }
        Backend::Batch(backend) => {
            assert!(means.can_play(spec, census), "{means} cannot play these games");
            let mut unpacker = Unpacker::<W>::new(spec);
            lockstep::play(backend, spec, needs, next_game, &mut |index, game| {
                let (record, position) = unpacker.unpack(index, game);
                take(record, position);
            });
        }
    }
}

/// The games of a run, shared out to threads as these ask for more.
struct Shares {
    next: AtomicU64,
    end: u64,
}

impl Shares {
    /// The next game of a thread that has `mine` left.
    fn next_game(&self, mine: &mut Range<u64>) -> Option<u64> {
        if mine.is_empty() {
            let start = self.next.fetch_add(SHARE, Ordering::Relaxed).min(self.end);
            *mine = start..self.end.min(start + SHARE);
        }
        mine.next()
    }
}

/// Tells a progress of games, some at a time.
struct Count<'a> {
    progress: &'a Progress,
    games: u64,
    plies: u64,
}

impl Count<'_> {
    #[inline]
    fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        self.plies += u64::from(record.ply_count());
        if self.games == SHARE {
            self.tell();
        }
    }

    fn tell(&mut self) {
        self.progress.add(self.games, self.plies);
        (self.games, self.plies) = (0, 0);
    }
}

impl Drop for Count<'_> {
    fn drop(&mut self) {
        self.tell();
    }
}
