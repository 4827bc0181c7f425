//! Positions of games as arrays in memory, without a dataset.

use std::ops::Range;

use jigo_engine::{AnyGame, AnyPosition, Komi};
use jigo_selfplay::{GameRecord, Progress, Run, Sink, Stopped};

use super::{
    Array, CappedGames, GameFilter, PlySample,
    npz::{arrays, batch_games},
    rows::{Row, rows},
};

/// Plays the games of a run in batches, in order, and samples positions of them as [`export`](super::export()) does: the same positions as those of the
/// exported dataset.
///
/// Memory does not grow with the number of games.
///
/// ```
/// use jigo_analysis::{Run, export::{PlySample, PositionBatches}};
/// use jigo_selfplay::Progress;
/// let run = Run::new("5", "chinese", "eye-safe")?;
/// let mut batches = PositionBatches::new(run, 0..100, PlySample::Count(2));
/// let arrays = batches.next(&Progress::new())?.expect("there are games");
/// let stones = arrays.iter().find(|array| array.name == "stones").unwrap();
/// assert_eq!(stones.shape, [200, 5, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionBatches {
    run: Run,
    /// The games that are not played yet.
    games: Range<u64>,
    sample: PlySample,
    /// Points added to White's score, for results: none unless it is set.
    pub komi: Komi,
    /// What happens to games that were stopped at the move limit: they are left out unless it is set.
    pub capped: CappedGames,
}

impl PositionBatches {
    /// Prepares positions of games of a run; nothing is played yet.
    #[must_use]
    pub fn new(run: Run, games: Range<u64>, sample: PlySample) -> Self {
        Self { run, games, sample, komi: Komi::ZERO, capped: CappedGames::default() }
    }

    /// Plays the next games on the threads of the current rayon pool, and returns the arrays of their positions; nothing if there are no more games.
    /// A batch has some thousand positions.
    ///
    /// # Errors
    /// [`Stopped`], after which the same games are the next ones.
    pub fn next(&mut self, progress: &Progress) -> Result<Option<Vec<Array>>, Stopped> {
        if self.games.is_empty() {
            return Ok(None);
        }
        let end = self.games.end.min(self.games.start + batch_games(self.sample, &self.run) as u64);
        let Collect { mut games, .. } =
            self.run.play(self.games.start..end, || Collect::new(self), progress)?;
        self.games.start = end;
        games.sort_by_key(|&(game_index, _)| game_index);
        let rows: Vec<Row> = games.into_iter().flat_map(|(_, rows)| rows).collect();
        Ok(Some(arrays(&rows, self.run.config.size).collect()))
    }
}

/// The sampled rows of games, by their indices.
struct Collect<'a> {
    of: &'a PositionBatches,
    filter: GameFilter,
    game: AnyGame,
    games: Vec<(u64, Vec<Row>)>,
}

impl<'a> Collect<'a> {
    fn new(of: &'a PositionBatches) -> Self {
        let config = &of.run.config;
        let game = AnyGame::with_handicap(config.size, *config.rules, &config.start());
        let filter = GameFilter { capped: of.capped, ..GameFilter::default() };
        Self { of, filter, game, games: Vec::new() }
    }
}

impl Sink for Collect<'_> {
    fn add(&mut self, record: &GameRecord, _: AnyPosition<'_>) {
        let PositionBatches { run, sample, komi, .. } = self.of;
        if self.filter.accepts(record, run.seed, || None) {
            let plies = sample.plies(run.seed, record.game_index, record.plies);
            let rows = rows(&run.config, record, &plies, *komi, &mut self.game);
            self.games.push((record.game_index, rows.expect("moves that were played")));
        }
    }

    fn merge(&mut self, other: Self) {
        self.games.extend(other.games);
    }
}
