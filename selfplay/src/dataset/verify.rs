//! Checking a dataset, of played or of imported games: every file, and if wanted every move.

use std::{collections::BTreeSet, fmt, path::Path};

use rayon::prelude::*;

use super::{
    Dataset, DatasetError, ImportedDataset, ShardEntry,
    imported::{self, BATCH_BYTES, FAULTS},
    manifest::{self, DATA, DIGESTS, Layout, MANIFEST, SideFile},
    read::{Checker, Shards, is_outgrown, other_identity, stored_games},
};
use crate::Progress;

/// How [`verify`] plays the games through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplayMode {
    /// Not at all: files, digests, columns and game indices only.
    #[default]
    No,
    /// Every move under the rules, every column computed again, and every game played again from its seed.
    Fast,
    /// As `Fast`, and every move on the [naive reference](jigo_engine::reference::ReferenceGame) as well. Slow.
    Reference,
}

/// What [`verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Shards that the dataset should have; 0 when the manifest does not say.
    pub shards: u64,
    /// Games read, of shards whose digest was right.
    pub games: u64,
    /// Plies replayed.
    pub plies: u64,
    /// All problems, sorted by file.
    pub problems: Vec<Problem>,
}

/// Checks the dataset in `dir` without changing it, or the imported games.
///
/// Imported games have no seed: what `replay` asks for is that their moves keep the rules and give the columns.
///
/// Every problem names its file. Of the games of a shard, the first few that are wrong are reported. `progress` counts the games checked. Works on
/// the threads of the current rayon pool; memory does not grow with the dataset.
///
/// # Errors
/// [`DatasetError::NotADataset`] when the directory has no manifest and no shards, [`DatasetError::Stopped`], or what the operating system
/// says when it refuses to list a folder. A damaged dataset is no error but the report.
pub fn verify(dir: &Path, replay: ReplayMode, progress: &Progress) -> Result<VerifyReport, DatasetError> {
    let mut report = VerifyReport::default();
    let check = Check { replay, progress };
    let checked = match imported::is_import(dir) {
        true => check.imported(&mut report, dir),
        false => check.played(&mut report, dir),
    };
    match checked {
        Err(DatasetError::InvalidManifest(_, reason)) => {
            report.add(MANIFEST, ProblemKind::Damaged(reason));
        }
        Err(DatasetError::NotADataset(..))
            if dir.is_dir() && !manifest::names(&dir.join(DATA))?.is_empty() =>
        {
            report.add(MANIFEST, ProblemKind::Missing);
        }
        checked => checked?,
    }
    report.problems.sort_by(|one, other| (&one.file, one.game_index).cmp(&(&other.file, other.game_index)));
    Ok(report)
}

impl VerifyReport {
    /// Returns whether the dataset is complete and as it was written.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.problems.is_empty()
    }

    fn add(&mut self, file: &str, kind: ProblemKind) {
        self.problems.push(Problem { file: file.to_owned(), game_index: None, kind });
    }

    /// Adds the files in the folders of the dataset that do not belong there.
    fn add_unexpected(&mut self, layout: &Layout) -> Result<(), DatasetError> {
        let files = [(DATA, manifest::shard_file as fn(u64) -> String), (DIGESTS, manifest::side_file)];
        for (folder, file) in files {
            let known: BTreeSet<String> = (0..self.shards).map(file).collect();
            let names = manifest::names(&layout.dir.join(folder))?;
            for file in names.iter().map(|name| format!("{folder}/{name}")) {
                if !known.contains(&file) {
                    self.add(&file, ProblemKind::Unexpected);
                }
            }
        }
        Ok(())
    }
}

/// One thing that is wrong with a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, as a path from the dataset's directory with `/` on every system.
    pub file: String,
    /// The game, where the problem is with one.
    pub game_index: Option<u64>,
    /// What is wrong.
    pub kind: ProblemKind,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, game_index, kind } = self;
        match game_index {
            None => write!(f, "{file}: {kind}"),
            Some(game_index) => write!(f, "{file}: game {game_index}: {kind}"),
        }
    }
}

/// What to do about a file that was damaged.
const AGAIN: &str = "delete it and run the command that wrote it again";

/// Kinds of [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The file is not there.
    #[error("missing; run the command that wrote it again")]
    Missing,
    /// The file does not belong there.
    #[error("does not belong there; move it away")]
    Unexpected,
    /// The manifest says that the dataset is not complete.
    #[error(
        "the dataset is not complete: {missing} of {shards} shards are missing; run the command that writes it again to go on"
    )]
    Incomplete {
        /// Shards to be played.
        missing: u64,
        /// Shards of the whole dataset.
        shards: u64,
    },
    /// The manifest of an export is not as it was written, or says that the export is not complete: what is wrong, and what to do.
    #[error("{0}")]
    Manifest(String),
    /// The manifest says that the games were not imported to the end.
    #[error("the import was interrupted; run the same command again")]
    Interrupted,
    /// The manifest or a side file is not as it was written, for this reason.
    #[error("{0}; {AGAIN}")]
    Damaged(String),
    /// The file belongs to another run, or to another place in this one.
    #[error("belongs to another run or place: it says {found}, not {expected}; {AGAIN}")]
    OtherRun {
        /// What it says of itself.
        found: String,
        /// What it should say.
        expected: String,
    },
    /// The length of a shard is not what was written: cut off, or something appended.
    #[error("{found} bytes long, not {expected}; {AGAIN}")]
    Length {
        /// The length now.
        found: u64,
        /// The length that was written.
        expected: u64,
    },
    /// The contents of a shard are not what was written.
    #[error("damaged: BLAKE3 is {found}, not {expected}; {AGAIN}")]
    Digest {
        /// BLAKE3 now.
        found: String,
        /// BLAKE3 of what was written.
        expected: String,
    },
    /// The digest is right, but the operating system or the Parquet library cannot read the file.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The digest is right, but a row is not what belongs there.
    #[error("{0}")]
    Row(String),
    /// More rows are wrong than are listed.
    #[error("more games are wrong")]
    MoreRows,
}

/// Wrong games of one shard that are listed.
const MAX_ROW_PROBLEMS: usize = 10;
/// Parts of a batch whose games are replayed one after the other on one thread.
const REPLAY_PARTS: u64 = 16;

/// What is checked.
#[derive(Clone, Copy)]
struct Check<'a> {
    replay: ReplayMode,
    progress: &'a Progress,
}

impl Check<'_> {
    /// Checks a dataset of played games.
    fn played(self, report: &mut VerifyReport, dir: &Path) -> Result<(), DatasetError> {
        let dataset = Dataset::open(dir)?;
        let shards = dataset.spec().shard_count();
        report.shards = shards;
        report.add_unexpected(dataset.layout())?;
        let threads = rayon::current_num_threads();
        // Checking a shard is itself parallel: one shard's games are played while another is read.
        let lanes = threads.div_ceil(2).max(2).min(threads);
        self.shards(report, &dataset, lanes)?;
        if !dataset.manifest().complete {
            let is_missing = |&shard: &u64| dataset.finished(shard).is_none();
            let missing = (0..shards).filter(is_missing).count() as u64;
            report.add(MANIFEST, ProblemKind::Incomplete { missing, shards });
        }
        Ok(())
    }

    /// Checks imported games, one shard after the other, since a game may be large.
    fn imported(self, report: &mut VerifyReport, dir: &Path) -> Result<(), DatasetError> {
        let dataset = ImportedDataset::open(dir)?;
        if !dataset.manifest().complete {
            report.add(MANIFEST, ProblemKind::Interrupted);
            return Ok(());
        }
        report.shards = dataset.manifest().shards.len() as u64;
        report.add_unexpected(dataset.layout())?;
        let faults = &dataset.manifest().faults;
        if let Some(kind) = check_file(&dataset.faults_path(), faults.bytes, &faults.blake3) {
            report.add(FAULTS, kind);
        }
        self.shards(report, &dataset, 1)
    }

    /// Checks all shards, at most `lanes` at a time.
    fn shards<D: Shards>(
        self,
        report: &mut VerifyReport,
        dataset: &D,
        lanes: usize,
    ) -> Result<(), DatasetError> {
        let shards = report.shards;
        let lanes = (0..lanes).into_par_iter().with_max_len(1).map(|lane| {
            let mut found = VerifyReport::default();
            for shard in (lane as u64..shards).step_by(lanes) {
                if self.progress.is_stopped() {
                    return Err(DatasetError::Stopped);
                }
                if let Some(games) = found.check_files(dataset, shard) {
                    self.games(&mut found, dataset, &manifest::shard_file(shard), games)?;
                }
            }
            Ok(found)
        });
        for found in lanes.collect::<Result<Vec<_>, _>>()? {
            report.games += found.games;
            report.plies += found.plies;
            report.problems.extend(found.problems);
        }
        Ok(())
    }

    /// Reads all games of a shard whose digest is right, and replays them if that is asked for.
    fn games<D: Shards>(
        self,
        report: &mut VerifyReport,
        dataset: &D,
        file: &str,
        mut games: impl Iterator<Item = Result<D::Game, DatasetError>>,
    ) -> Result<(), DatasetError> {
        let problems_before = report.problems.len();
        let batch_games = dataset.columns().batch_games();
        let part_games = (batch_games / REPLAY_PARTS) as usize;
        let checker = || dataset.checker(self.replay);
        let is_wrong = |check: &mut Checker<'_, D::Game>, game: &D::Game| {
            let reason = if self.progress.is_stopped() { None } else { check(game).err() };
            reason.map(|reason| Problem {
                file: file.to_owned(),
                game_index: Some(D::record(game).0.game_index),
                kind: ProblemKind::Row(reason),
            })
        };
        loop {
            let (batch, error) = next_batch::<D>(&mut games, batch_games);
            let plies = batch.iter().map(|game| u64::from(D::record(game).0.plies)).sum();
            report.games += batch.len() as u64;
            if self.replay != ReplayMode::No {
                report.plies += plies;
                let wrong = batch.par_iter().with_min_len(part_games).map_init(checker, is_wrong).flatten();
                report.problems.par_extend(wrong);
            }
            if self.progress.is_stopped() {
                return Err(DatasetError::Stopped);
            }
            self.progress.add(batch.len() as u64, plies);
            if report.problems.len() > problems_before + MAX_ROW_PROBLEMS {
                report.problems.truncate(problems_before + MAX_ROW_PROBLEMS);
                report.add(file, ProblemKind::MoreRows);
                return Ok(());
            }
            if let Some(error) = error {
                report.add(file, unreadable(error));
                return Ok(());
            }
            if batch.is_empty() {
                return Ok(());
            }
        }
    }
}

/// The next games, at most as many as these, and the error that ended them.
fn next_batch<D: Shards>(
    games: &mut impl Iterator<Item = Result<D::Game, DatasetError>>,
    most: u64,
) -> (Vec<D::Game>, Option<DatasetError>) {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while (batch.len() as u64) < most && bytes < BATCH_BYTES {
        match games.next() {
            Some(Ok(game)) => {
                bytes += D::record(&game).1;
                batch.push(game);
            }
            Some(Err(error)) => return (batch, Some(error)),
            None => break,
        }
    }
    (batch, None)
}

impl VerifyReport {
    /// Compares a shard and its side file with what was written, and opens the shard if it is right.
    fn check_files<'a, D: Shards>(
        &mut self,
        dataset: &'a D,
        shard: u64,
    ) -> Option<impl Iterator<Item = Result<D::Game, DatasetError>> + use<'a, D>> {
        let listed = dataset.listed().get(shard as usize);
        let side = self.side_file_entry(dataset, shard);
        let (file, path) = (manifest::shard_file(shard), dataset.layout().shard(shard));
        // Without either, nothing says what the shard must be.
        let expected = listed.or(side.as_ref())?;
        let found = match manifest::digest(&path) {
            Ok(found) => found,
            Err(error) => {
                // What is no regular file must not be opened: a pipe would be waited for.
                self.add(&file, missing_or_unreadable(&path, error));
                return None;
            }
        };
        let mut problem = mismatch(&found, expected.bytes, &expected.blake3);
        if let Some(side) = side.as_ref().filter(|side| *side != expected) {
            // Manifest and side file disagree: the shard tells which of them is wrong.
            if mismatch(&found, side.bytes, &side.blake3).is_none() {
                let reason = format!("its entry of {file} is not what was written");
                self.add(MANIFEST, ProblemKind::Damaged(reason));
                problem = None;
            } else {
                let reason = "length or digest is not that of the manifest".to_owned();
                self.add(&manifest::side_file(shard), ProblemKind::Damaged(reason));
            }
        }
        let kind = match (other_identity(dataset, shard), problem) {
            (Some((found, expected)), _) => ProblemKind::OtherRun { found, expected },
            (None, Some(problem)) => problem,
            (None, None) => match stored_games(dataset, shard) {
                Ok(games) => return Some(games),
                Err(error) => unreadable(error),
            },
        };
        self.add(&file, kind);
        None
    }

    /// What the side file says, if it is whole and of this shard; otherwise reports it, unless it may be missing.
    fn side_file_entry<D: Shards>(&mut self, dataset: &D, shard: u64) -> Option<ShardEntry> {
        let path = dataset.layout().side_file(shard);
        let kind = match SideFile::read(&path) {
            Ok(side) => {
                let (found, expected) = (side.place(), dataset.place(shard));
                if found == expected {
                    return Some(side.entry());
                }
                if is_outgrown(dataset, shard, &side) {
                    return None;
                }
                ProblemKind::OtherRun { found, expected }
            }
            Err(_) if !path.exists() && dataset.listed().is_empty() => return None,
            Err(DatasetError::InvalidShard(_, reason)) => ProblemKind::Damaged(reason),
            Err(error) => missing_or_unreadable(&path, error),
        };
        self.add(&manifest::side_file(shard), kind);
        None
    }
}

/// Compares a file with the length and BLAKE3 that were written, and returns what is wrong with it.
#[must_use]
pub fn check_file(path: &Path, bytes: u64, blake3: &str) -> Option<ProblemKind> {
    match manifest::digest(path) {
        Ok(found) => mismatch(&found, bytes, blake3),
        Err(error) => Some(missing_or_unreadable(path, error)),
    }
}

/// Returns how the length and digest of a file differ from what was written.
fn mismatch((length, digest): &(u64, String), bytes: u64, blake3: &str) -> Option<ProblemKind> {
    if *length != bytes {
        return Some(ProblemKind::Length { found: *length, expected: bytes });
    }
    let is_damaged = digest != blake3;
    is_damaged.then(|| ProblemKind::Digest { found: digest.clone(), expected: blake3.to_owned() })
}

fn missing_or_unreadable(path: &Path, error: DatasetError) -> ProblemKind {
    if path.exists() { unreadable(error) } else { ProblemKind::Missing }
}

fn unreadable(error: DatasetError) -> ProblemKind {
    match error {
        DatasetError::InvalidRow(_, row, reason) => ProblemKind::Row(format!("row {row}: {reason}")),
        DatasetError::InvalidShard(_, reason) => ProblemKind::Unreadable(reason),
        error => ProblemKind::Unreadable(error.to_string()),
    }
}
