//! Reading games, sharing them out to threads, and writing what becomes of them in order.

use jigo_engine::{Board, for_width, life::Status};
use jigo_selfplay::{
    GameRecord, Progress,
    dataset::{Dataset, DatasetError, ShardGames},
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
    let mut reader = Reader { dataset: job.dataset, next_shard: 0, shard: None };
    let mut counts = ExportCounts::default();
    let limit = job.spec.filter.limit.unwrap_or(u64::MAX);
    let mut batch = reader.read(exporter.batch_games())?;
    while !batch.is_empty() {
        let (pieces, next) = rayon::join(
            || pieces(job, &exporter, &mut workers, &batch),
            || reader.read(exporter.batch_games()),
        );
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

/// The games of a dataset in order, some at a time.
struct Reader<'a> {
    dataset: &'a Dataset,
    next_shard: u64,
    shard: Option<ShardGames>,
}

impl Reader<'_> {
    /// The next games, fewer at the end only.
    fn read(&mut self, count: usize) -> Result<Vec<GameRecord>, DatasetError> {
        let mut games = Vec::with_capacity(count);
        while games.len() < count {
            let Some(shard) = &mut self.shard else {
                if self.next_shard == self.dataset.spec().shard_count() {
                    break;
                }
                self.shard = Some(self.dataset.shard(self.next_shard)?);
                self.next_shard += 1;
                continue;
            };
            match shard.next() {
                Some(game) => games.push(game?.record),
                None => self.shard = None,
            }
        }
        Ok(games)
    }
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
    let run = job.dataset.spec().run;
    if !job.spec.filter.accepts(game, run.seed, run.config.rules, job.spec.komi) {
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
    let run = job.dataset.spec().run;
    let status = job.spec.filter.status?;
    Some(for_width!(run.config.size, W => {
        let mut board = Box::new(Board::<W>::new(run.config.size, run.config.rules.suicide));
        let mut solver = FinalStatusSolver::new(run.config.rules);
        Box::new(move |game: &GameRecord| has_status(status, game, &mut board, &mut solver))
    }))
}

fn has_status<const W: usize>(
    status: Status,
    game: &GameRecord,
    board: &mut Board<W>,
    solver: &mut FinalStatusSolver,
) -> Result<bool, ExportError> {
    let game_index = game.game_index;
    replay(game, board).map_err(|(number, reason)| ExportError::Illegal { game_index, number, reason })?;
    Ok(solver.solve_end(game, &board.position()).has(status))
}
