//! Runs: which games are played, and playing them on all processors.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use jigo_engine::{BoardSize, InvalidSize, Position, Rules, batch::Needs, for_width, rules::UnknownRules};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{
    Backend, GameRecord, Policy, Progress, Stopped, UnknownPolicy,
    fingerprint::rules_fingerprint,
    lockstep::{self, Unpacker},
    playout::Playouts,
};

/// The games of one experiment: everything that determines them apart from the seed and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "StoredConfig", into = "StoredConfig")]
pub struct RunConfig {
    /// The board.
    pub size: BoardSize,
    /// The rules.
    pub rules: Rules,
    /// How moves are chosen.
    pub policy: Policy,
    /// The number of plies after which an unfinished game is stopped.
    pub ply_cap: u32,
    /// Whether every candidate that superko forbids is counted at every ply, sampled or not. This makes games slower; it does not change them.
    pub count_forbidden: bool,
}

impl RunConfig {
    /// Games on this board with the default move limit: three plies per point.
    #[must_use]
    pub const fn new(size: BoardSize, rules: Rules, policy: Policy) -> Self {
        Self { size, rules, policy, ply_cap: Self::default_ply_cap(size), count_forbidden: false }
    }

    /// Returns three plies per point.
    #[must_use]
    pub const fn default_ply_cap(size: BoardSize) -> u32 {
        3 * size.point_count() as u32
    }

    /// Returns whether the move limit is the default.
    #[must_use]
    pub const fn has_default_ply_cap(&self) -> bool {
        self.ply_cap == Self::default_ply_cap(self.size)
    }

    /// Returns the run of these games with this seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Run {
        Run { config: self, seed }
    }
}

/// A [`RunConfig`] as text.
#[derive(Serialize, Deserialize)]
struct StoredConfig {
    size: String,
    rules: String,
    /// Absent from files written before it was introduced.
    #[serde(default)]
    rules_fingerprint: Option<String>,
    policy: String,
    ply_cap: u32,
    #[serde(rename = "counts_candidates")]
    count_forbidden: bool,
}

impl From<RunConfig> for StoredConfig {
    fn from(config: RunConfig) -> Self {
        let RunConfig { size, rules, policy, ply_cap, count_forbidden } = config;
        Self {
            size: size.to_string(),
            rules: rules.canonical(),
            rules_fingerprint: Some(rules_fingerprint(rules)),
            policy: policy.to_string(),
            ply_cap,
            count_forbidden,
        }
    }
}

impl TryFrom<StoredConfig> for RunConfig {
    type Error = String;

    fn try_from(stored: StoredConfig) -> Result<Self, String> {
        let Run { config, .. } =
            Run::new(&stored.size, &stored.rules, &stored.policy).map_err(|error| error.to_string())?;
        if stored.rules_fingerprint.is_some_and(|stated| stated != rules_fingerprint(config.rules)) {
            return Err(format!(
                "the rules' meaning changed: the fingerprint is not that of `{}` in this version",
                stored.rules
            ));
        }
        Ok(Self { ply_cap: stored.ply_cap, count_forbidden: stored.count_forbidden, ..config })
    }
}

/// A run: games 0, 1, 2, … of a [`RunConfig`] and a seed.
///
/// Game *i* is a function of this value and *i*, whatever the processor and the number of threads.
///
/// ```
/// use jigo_selfplay::Run;
/// let run = Run::new("9", "chinese", "eye-safe")?.seed(1);
/// for game in run.games(0..3) {
///     println!("game {}: {} plies, margin {}", game.game_index, game.ply_count(), game.margin());
/// }
/// assert_eq!(run.game(2), run.games(0..3).last().unwrap());
/// # Ok::<(), jigo_selfplay::InvalidRun>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// Everything but the seed.
    pub config: RunConfig,
    /// The seed.
    pub seed: u64,
}

/// Text that describes no run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidRun {
    /// The board size.
    #[error(transparent)]
    Size(#[from] InvalidSize),
    /// The rules.
    #[error(transparent)]
    Rules(#[from] UnknownRules),
    /// The policy.
    #[error(transparent)]
    Policy(#[from] UnknownPolicy),
}

impl Run {
    /// The run with seed 1 of the games that these texts name: a size such as `9` or `9x13`, a rule set such as `chinese`, a policy such as
    /// `eye-safe`.
    ///
    /// # Errors
    /// [`InvalidRun`] says which text is wrong and what is known.
    pub fn new(size: &str, rules: &str, policy: &str) -> Result<Self, InvalidRun> {
        Ok(RunConfig::new(size.parse()?, rules.parse()?, policy.parse()?).seed(1))
    }

    /// Returns the run with another seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns the run with another move limit.
    #[must_use]
    pub const fn ply_cap(self, ply_cap: u32) -> Self {
        Self { config: RunConfig { ply_cap, ..self.config }, ..self }
    }

    /// Returns the run with [every forbidden candidate counted](RunConfig::count_forbidden).
    #[must_use]
    pub const fn count_forbidden(self) -> Self {
        Self { config: RunConfig { count_forbidden: true, ..self.config }, ..self }
    }

    /// Plays one game.
    #[must_use]
    pub fn game(&self, index: u64) -> GameRecord {
        self.games(index..index + 1).next().expect("one game was asked for")
    }

    /// Plays games one after the other on this thread, each when it is asked for.
    pub fn games(&self, indices: Range<u64>) -> impl Iterator<Item = GameRecord> + use<> {
        let mut play: Box<dyn FnMut(u64) -> GameRecord> = for_width!(self.config.size, W => {
            let mut playouts = Box::new(Playouts::<W>::new(self));
            Box::new(move |index| playouts.play(index).0.clone())
        });
        indices.map(move |index| play(index))
    }

    /// Plays the games with these indices on the threads of the current rayon pool with the [fastest backend](Backend::best), and returns the
    /// merged sink.
    ///
    /// Memory does not grow with the number of games, except for what the sink keeps.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was told to stop before all games were played. The sinks are dropped then, because which games they have
    /// depends on timing.
    pub fn play<S: Sink>(
        &self,
        games: Range<u64>,
        new_sink: impl Fn() -> S + Sync,
        progress: &Progress,
    ) -> Result<S, Stopped> {
        self.play_on(Backend::best(self), games, new_sink, progress)
    }

    /// Plays as [`play`](Self::play) does, on a backend of one's choice. The games are the same.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    ///
    /// # Panics
    /// When the backend [cannot](Backend::can_play) play these games.
    pub fn play_on<S: Sink>(
        &self,
        backend: Backend,
        games: Range<u64>,
        new_sink: impl Fn() -> S + Sync,
        progress: &Progress,
    ) -> Result<S, Stopped> {
        let shares = Shares { next: AtomicU64::new(games.start), end: games.end };
        let work = |_| {
            let mut sink = new_sink();
            for_width!(self.config.size, W => {
                let mut count = Count { progress, games: 0, plies: 0 };
                let mut take = |record: &GameRecord, position: &Position<W>| {
                    count.add(record);
                    sink.add(record, position);
                };
                let mut mine = 0..0;
                let mut next_game = || shares.next_game(&mut mine).filter(|_| !progress.is_stopped());
                play_each(backend, self, S::NEEDS, &mut next_game, &mut take);
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
}

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

/// Plays the games that `next_game` names, until it names none, and hands each to `take`, in any order.
pub(crate) fn play_each<const W: usize>(
    backend: Backend,
    run: &Run,
    needs: Needs,
    next_game: &mut dyn FnMut() -> Option<u64>,
    take: &mut dyn FnMut(&GameRecord, &Position<W>),
) {
    match backend {
        Backend::Board => {
            let mut player = Box::new(Playouts::<W>::new(run));
            while let Some(index) = next_game() {
                let (record, position) = player.play(index);
                take(record, position);
            }
        }
        Backend::Batch(simd) => {
            assert!(backend.can_play(run), "{backend} cannot play these games");
            let mut unpacker = Unpacker::<W>::new(run);
            lockstep::play(simd, run, needs, next_game, &mut |index, game| {
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
