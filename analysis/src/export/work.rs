//! Shares games out to threads, and writes what they make of them in order.

use jigo_engine::{
    Rules,
    life::{Status, StatusSolver},
};
use jigo_selfplay::{
    GameRecord, Progress, Run,
    dataset::{DatasetError, FinalPositions},
};
use rayon::prelude::*;

use super::{ExportCounts, ExportError, ExportSpec, ExportSummary, ExportedFile, Winner};

/// Makes something of a game; each thread has one.
pub(super) type Maker<'a, G, P> = Box<dyn FnMut(&G) -> Result<P, ExportError> + Send + 'a>;

/// Files of one format.
pub(super) trait Output<P> {
    /// Writes what was made of the next game.
    fn write(&mut self, piece: P) -> Result<(), ExportError>;

    /// Ends the last files and returns all.
    fn finish(self) -> Result<Vec<ExportedFile>, ExportError>;
}

/// The games of a dataset, and which of them are exported.
pub(super) struct Selection<'a, G, I> {
    pub(super) games: I,
    pub(super) accepts: &'a dyn Fn() -> Maker<'a, G, bool>,
    pub(super) plies: fn(&G) -> u32,
    pub(super) limit: Option<u64>,
    pub(super) progress: &'a Progress,
}

impl<'a, G: Send + Sync, I: Iterator<Item = Result<G, DatasetError>> + Send> Selection<'a, G, I> {
    /// Exports the games. `batch_games` are held in memory at a time, while the next ones are read.
    pub(super) fn write<P: Send, M: FnMut(&G) -> Result<P, ExportError> + Send>(
        mut self,
        batch_games: usize,
        make: impl Fn() -> M,
        mut output: impl Output<P>,
    ) -> Result<ExportSummary, ExportError> {
        let workers = (0..rayon::current_num_threads()).map(|_| ((self.accepts)(), make()));
        let mut workers: Vec<_> = workers.collect();
        let mut counts = ExportCounts::default();
        let mut read = || self.games.by_ref().take(batch_games).collect::<Result<Vec<G>, _>>();
        let mut batch = read()?;
        'batches: while !batch.is_empty() {
            let (pieces, next) = rayon::join(|| pieces(&mut workers, &batch), &mut read);
            for piece in pieces? {
                counts.games_read += 1;
                if let Some(piece) = piece {
                    counts.games_kept += 1;
                    output.write(piece)?;
                }
                if self.limit.is_some_and(|limit| counts.games_kept >= limit) {
                    break 'batches;
                }
            }
            let plies = batch.iter().map(|game| u64::from((self.plies)(game))).sum();
            self.progress.add(batch.len() as u64, plies);
            if self.progress.is_stopped() {
                return Err(ExportError::Stopped);
            }
            batch = next?;
        }
        Ok(ExportSummary { counts, files: output.finish()? })
    }
}

/// Makes the pieces of games in their order, and nothing of games that are not accepted.
fn pieces<G: Sync, P: Send>(
    workers: &mut [(Maker<'_, G, bool>, impl FnMut(&G) -> Result<P, ExportError> + Send)],
    games: &[G],
) -> Result<Vec<Option<P>>, ExportError> {
    let share = games.len().div_ceil(workers.len());
    let shares = workers.par_iter_mut().zip(games.par_chunks(share)).map(|((accepts, make), games)| {
        let piece = |game: &G| if accepts(game)? { make(game).map(Some) } else { Ok(None) };
        games.iter().map(piece).collect::<Result<Vec<_>, _>>()
    });
    let shares: Vec<Vec<_>> = shares.collect::<Result<_, _>>()?;
    Ok(shares.into_iter().flatten().collect())
}

/// Returns what tells whether a game of the run is exported.
pub(super) fn accepts(spec: &ExportSpec, run: Run) -> Maker<'_, GameRecord, bool> {
    let mut has_status = spec.filter.status.map(|status| status_test(&run, status));
    Box::new(move |game| {
        let winner = || Winner::from_record(game, &run.config, spec.komi);
        let accepts = spec.filter.accepts(game, run.seed, winner);
        has_status.as_mut().filter(|_| accepts).map_or(Ok(accepts), |has_status| has_status(game))
    })
}

/// Returns what tells whether the last position of a game has a chain of this status, which is costly.
fn status_test(run: &Run, status: Status) -> Maker<'static, GameRecord, bool> {
    let Rules { suicide, ko, .. } = *run.config.rules;
    let (mut positions, mut solver) = (FinalPositions::new(run.config), StatusSolver::new(suicide, ko));
    Box::new(move |game| {
        let game_index = game.game_index;
        let position = positions.of(game).map_err(|(number, reason)| ExportError::Illegal {
            game_index,
            number,
            reason,
        })?;
        Ok(solver.final_status(position, game.is_finished()).has(status))
    })
}
