//! Positions as arrays for numpy, named as in KataGo's training data where that fits.

mod archive;
mod planes;
mod row;

use std::{io, mem};

use jigo_engine::{Game, for_width};
use jigo_selfplay::GameRecord;
use rayon::prelude::*;
use zip::result::ZipError;

use super::{
    ExportError, ExportedFile, PlySample,
    work::{Exporter, Job},
};
use archive::archive;
use row::{Row, rows};

/// Positions that are made at a time, unless that leaves threads without a game.
const BATCH_ROWS: usize = 8192;

/// Writes positions, so many to a file.
pub(super) struct Arrays<'a> {
    job: Job<'a>,
    plies: PlySample,
    rows_per_file: usize,
    rows: Vec<Row>,
    /// The rows of files that are full: compressed together, each on a thread.
    full: Vec<Vec<Row>>,
    files: Vec<ExportedFile>,
}

/// Makes the rows of a game.
pub(super) type RowMaker = Box<dyn FnMut(&GameRecord, PlySample) -> Result<Vec<Row>, ExportError> + Send>;

impl<'a> Arrays<'a> {
    pub(super) fn new(job: &Job<'a>, plies: PlySample, rows_per_file: u64) -> Self {
        let rows_per_file = rows_per_file as usize;
        Self { job: *job, plies, rows_per_file, rows: Vec::new(), full: Vec::new(), files: Vec::new() }
    }

    /// Writes the files that are full.
    fn write_full(&mut self) -> Result<(), ExportError> {
        let (size, about) = (self.job.dataset.spec().run.config.size, self.job.about);
        let full = mem::take(&mut self.full);
        let archives: Vec<_> = full.par_iter().map(|rows| archive(rows, size, about)).collect();
        for (rows, bytes) in full.iter().zip(archives) {
            let name = format!("positions-{:06}.npz", self.files.len());
            let mut file = self.job.folder.create(&name)?;
            let bytes = bytes.map_err(|error| ExportError::io("write", name.as_ref(), io_error(error)))?;
            file.write(&bytes)?;
            self.files.push(file.finish(rows.len() as u64)?);
        }
        Ok(())
    }
}

fn io_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

impl Exporter for Arrays<'_> {
    type Piece = Vec<Row>;
    type Worker = RowMaker;

    fn batch_games(&self) -> usize {
        let ply_cap = self.job.dataset.spec().run.config.ply_cap;
        let rows_per_game = self.plies.most_of_game(ply_cap) as usize;
        (BATCH_ROWS / rows_per_game).clamp(rayon::current_num_threads(), 1024)
    }

    fn worker(&self) -> RowMaker {
        let (run, komi) = (self.job.dataset.spec().run, self.job.spec.komi);
        for_width!(run.config.size, W => {
            let mut game = Box::new(Game::<W>::new(run.config.size, run.config.rules));
            Box::new(move |record: &GameRecord, sample: PlySample| {
                let game_index = record.game_index;
                let plies = sample.of_game(run.seed, game_index, record.plies);
                rows(record, &plies, komi, &mut game)
                    .map_err(|(number, reason)| ExportError::Illegal { game_index, number, reason })
            })
        })
    }

    fn piece(&self, worker: &mut RowMaker, game: &GameRecord) -> Result<Vec<Row>, ExportError> {
        worker(game, self.plies)
    }

    fn write(&mut self, piece: Vec<Row>) -> Result<(), ExportError> {
        for row in piece {
            self.rows.push(row);
            if self.rows.len() < self.rows_per_file {
                continue;
            }
            self.full.push(mem::take(&mut self.rows));
            if self.full.len() >= rayon::current_num_threads() {
                self.write_full()?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<ExportedFile>, ExportError> {
        if !self.rows.is_empty() {
            let rows = mem::take(&mut self.rows);
            self.full.push(rows);
        }
        self.write_full()?;
        Ok(self.files)
    }
}
