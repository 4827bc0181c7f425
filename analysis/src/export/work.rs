//! Reading games, sharing them out to threads, and writing what becomes of them in order.

use jigo_engine::{Board, Status, for_width};
use jigo_selfplay::{
    GameRecord, Progress,
    dataset::{Dataset, DatasetError},
};
use rayon::prelude::*;

use super::{ExportCounts, ExportError, ExportSpec, ExportSummary, ExportedFile, folder::Folder};
use crate::{FinalJudge, dataset::replay};

/// What an exporter needs to know.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) spec: &'a ExportSpec,
    pub(super) folder: &'a Folder,
    /// What the files say of themselves.
    pub(super) about: &'a str,
}

/// Writes games in one format.
pub(super) trait Exporter: Sync {
    /// What becomes of a game.
    type Piece: Send;
    /// What a thread needs to make it.
    type Worker: Send;

    /// The number of games that are worked on at a time: bounds memory.
    fn batch_games(&self) -> usize;

    fn worker(&self) -> Self::Worker;

    /// Makes the piece of a game; on any thread.
    fn piece(&self, worker: &mut Self::Worker, game: &GameRecord) -> Result<Self::Piece, ExportError>;

    /// Writes the piece of the next game.
    fn write(&mut self, piece: Self::Piece) -> Result<(), ExportError>;

    /// Ends the last files, and tells of all.
    fn finish(self) -> Result<Vec<ExportedFile>, ExportError>;
}

/// Exports all games that the filter accepts.
pub(super) fn run<E: Exporter>(
    job: &Job<'_>,
    mut exporter: E,
    progress: &Progress,
) -> Result<ExportSummary, ExportError> {
    let workers = || Worker { is_asked: status_filter(job), exporter: exporter.worker() };
    let mut workers: Vec<_> = (0..rayon::current_num_threads()).map(|_| workers()).collect();
    let mut games = job.dataset.games();
    let mut counts = ExportCounts::default();
    let limit = job.spec.filter.limit.unwrap_or(u64::MAX);
    while counts.games_kept < limit {
        let batch = games.by_ref().take(exporter.batch_games()).map(|row| row.map(|row| row.record));
        let batch: Vec<GameRecord> = batch.collect::<Result<_, DatasetError>>()?;
        if batch.is_empty() {
            break;
        }
        let pieces = pieces(job, &exporter, &mut workers, &batch)?;
        for piece in pieces {
            if counts.games_kept >= limit {
                break;
            }
            counts.games_read += 1;
            if let Some(piece) = piece {
                counts.games_kept += 1;
                exporter.write(piece)?;
            }
        }
        progress.add(batch.len() as u64, batch.iter().map(|game| u64::from(game.plies)).sum());
        if progress.is_stopped() {
            return Err(ExportError::Stopped);
        }
    }
    Ok(ExportSummary { counts, files: exporter.finish()? })
}

/// What one thread works with.
struct Worker<W> {
    is_asked: Option<GameTest>,
    exporter: W,
}

/// Whether a game is asked for.
type GameTest = Box<dyn FnMut(&GameRecord) -> Result<bool, ExportError> + Send>;

/// What becomes of each game in order; `None` where the filter leaves it out.
fn pieces<E: Exporter>(
    job: &Job<'_>,
    exporter: &E,
    workers: &mut [Worker<E::Worker>],
    games: &[GameRecord],
) -> Result<Vec<Option<E::Piece>>, ExportError> {
    let share = games.len().div_ceil(workers.len());
    let work = |(worker, games): (&mut Worker<E::Worker>, &[GameRecord])| {
        games.iter().map(|game| piece(job, exporter, worker, game)).collect::<Result<Vec<_>, _>>()
    };
    let shares = workers.par_iter_mut().zip(games.par_chunks(share)).map(work);
    let shares: Vec<Vec<_>> = shares.collect::<Result<_, _>>()?;
    Ok(shares.into_iter().flatten().collect())
}

fn piece<E: Exporter>(
    job: &Job<'_>,
    exporter: &E,
    worker: &mut Worker<E::Worker>,
    game: &GameRecord,
) -> Result<Option<E::Piece>, ExportError> {
    let playout = job.dataset.spec().playout;
    if !job.spec.filter.accepts(game, playout.run_seed, playout.rules, job.spec.komi) {
        return Ok(None);
    }
    if let Some(is_asked) = &mut worker.is_asked
        && !is_asked(game)?
    {
        return Ok(None);
    }
    exporter.piece(&mut worker.exporter, game).map(Some)
}

/// The part of the filter that asks for a status in the last position, which is costly.
fn status_filter(job: &Job<'_>) -> Option<GameTest> {
    let playout = job.dataset.spec().playout;
    let status = job.spec.filter.status?;
    Some(for_width!(playout.size, W => {
        let mut board = Box::new(Board::<W>::new(playout.size, playout.rules.suicide));
        let mut judge = FinalJudge::new(playout.rules);
        Box::new(move |game: &GameRecord| has_status(status, game, &mut board, &mut judge))
    }))
}

fn has_status<const W: usize>(
    status: Status,
    game: &GameRecord,
    board: &mut Board<W>,
    judge: &mut FinalJudge,
) -> Result<bool, ExportError> {
    let game_index = game.game_index;
    replay(game, board).map_err(|(number, reason)| ExportError::Illegal { game_index, number, reason })?;
    Ok(judge.judge_end(game, &board.position()).has(status))
}
