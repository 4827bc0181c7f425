//! Reading games, sharing them out to threads, and writing what becomes of them in order.

use jigo_engine::{Board, for_width, life::Status};
use jigo_selfplay::{
    GameRecord, Progress, Run,
    dataset::{Dataset, DatasetError},
};
use rayon::prelude::*;

use super::{ExportCounts, ExportError, ExportSpec, ExportSummary, ExportedFile, folder::Folder};
use crate::study::{FinalStatusSolver, dataset::replay};

/// What an exporter needs to know.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) spec: &'a ExportSpec,
    pub(super) folder: &'a Folder,
    /// What the files say of themselves.
    pub(super) about: &'a str,
}

/// Makes what becomes of a game; each thread has one.
pub(super) type PieceMaker<'a, P> = Box<dyn FnMut(&GameRecord) -> Result<P, ExportError> + Send + 'a>;

/// Writes games in one format.
pub(super) trait Exporter<'a> {
    /// What becomes of a game.
    type Piece: Send + 'a;

    /// Returns the number of games that are worked on at a time: it bounds memory.
    fn batch_games(&self) -> usize;

    /// Returns what makes the pieces of games on one thread.
    fn piece_maker(&self) -> PieceMaker<'a, Self::Piece>;

    /// Writes the piece of the next game.
    fn write(&mut self, piece: Self::Piece) -> Result<(), ExportError>;

    /// Ends the last files and returns all.
    fn finish(self) -> Result<Vec<ExportedFile>, ExportError>;
}

/// Exports all games that the filter accepts.
pub(super) fn run<'a, E: Exporter<'a>>(
    job: &Job<'a>,
    mut exporter: E,
    progress: &Progress,
) -> Result<ExportSummary, ExportError> {
    let maker = |_| filtered(*job, exporter.piece_maker());
    let mut makers: Vec<_> = (0..rayon::current_num_threads()).map(maker).collect();
    let mut games = job.dataset.games();
    let mut read = |count| games.by_ref().take(count).collect::<Result<Vec<_>, DatasetError>>();
    let mut counts = ExportCounts::default();
    let limit = job.spec.filter.limit.unwrap_or(u64::MAX);
    let batch_games = exporter.batch_games();
    let mut batch = read(batch_games)?;
    while !batch.is_empty() {
        let (pieces, next) = rayon::join(|| pieces(&mut makers, &batch), || read(batch_games));
        for piece in pieces? {
            counts.games_read += 1;
            if let Some(piece) = piece {
                counts.games_kept += 1;
                exporter.write(piece)?;
            }
            if counts.games_kept >= limit {
                return Ok(ExportSummary { counts, files: exporter.finish()? });
            }
        }
        progress.add(batch.len() as u64, batch.iter().map(|game| u64::from(game.plies)).sum());
        if progress.is_stopped() {
            return Err(ExportError::Stopped);
        }
        batch = next?;
    }
    Ok(ExportSummary { counts, files: exporter.finish()? })
}

/// Makes the pieces of games in their order.
fn pieces<P: Send>(makers: &mut [PieceMaker<'_, P>], games: &[GameRecord]) -> Result<Vec<P>, ExportError> {
    let share = games.len().div_ceil(makers.len());
    let work = |(maker, games): (&mut PieceMaker<'_, P>, &[GameRecord])| {
        games.iter().map(maker).collect::<Result<Vec<_>, _>>()
    };
    let shares = makers.par_iter_mut().zip(games.par_chunks(share)).map(work);
    let shares: Vec<Vec<_>> = shares.collect::<Result<_, _>>()?;
    Ok(shares.into_iter().flatten().collect())
}

/// Makes pieces of the games that the filter accepts, and nothing of the others.
fn filtered<'a, P: 'a>(job: Job<'a>, mut make: PieceMaker<'a, P>) -> PieceMaker<'a, Option<P>> {
    let (run, spec) = (job.dataset.spec().run, job.spec);
    let mut has_status = spec.filter.status.map(|status| status_test(&run, status));
    Box::new(move |game| {
        let mut accepts = spec.filter.accepts(game, run.seed, run.config.rules, spec.komi);
        if accepts && let Some(has_status) = &mut has_status {
            accepts = has_status(game)?;
        }
        accepts.then(|| make(game)).transpose()
    })
}

/// Returns what tells whether the last position of a game has a chain of this status, which is costly.
fn status_test(run: &Run, status: Status) -> PieceMaker<'static, bool> {
    for_width!(run.config.size, W => {
        let mut board = Box::new(Board::<W>::new(run.config.size, run.config.rules.suicide));
        let mut solver = FinalStatusSolver::new(run.config.rules);
        Box::new(move |game: &GameRecord| {
            let game_index = game.game_index;
            replay(game, &mut board).map_err(|(number, reason)| ExportError::Illegal { game_index, number, reason })?;
            Ok(solver.solve_end(game, &board.position()).has(status))
        })
    })
}
