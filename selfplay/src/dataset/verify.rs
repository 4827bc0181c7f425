//! Checking a dataset: every file, and if wanted every move.

use std::{
    collections::BTreeSet,
    fmt,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use jigo_engine::for_width;
use rayon::prelude::*;

use super::{
    Dataset, DatasetError, DatasetSpec, ShardEntry, imported,
    manifest::{self, DATA, DIGESTS, Layout, MANIFEST, SideFile},
    read::{OtherIdentity, Stored as _, StoredGames, other_identity},
    replay::Replayer,
};
use crate::{GameRecord, Progress};

/// What [`verify`] checks beyond the digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Whether the games are played through.
    pub replay: ReplayMode,
}

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
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl VerifyReport {
    /// Whether the dataset is complete and as it was written.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks the dataset in `dir` without changing it, or the imported games.
///
/// Imported games have no seed: what [`VerifyOptions::replay`] asks for is that their moves keep the rules and give the columns.
///
/// Every problem names its file. Of the games of a shard, the first few that are wrong are reported. `progress` counts the games checked. Works on
/// the threads of the current rayon pool; memory does not grow with the dataset.
///
/// # Errors
/// [`DatasetError::NotADataset`] when the directory has no manifest and no shards, [`DatasetError::Stopped`], or what the operating system
/// says when it refuses to list a folder. A damaged dataset is no error but the report.
pub fn verify(dir: &Path, options: VerifyOptions, progress: &Progress) -> Result<VerifyReport, DatasetError> {
    if imported::is_import(dir) {
        return imported::verify(dir, options, progress);
    }
    let mut report = VerifyReport { shards: 0, games: 0, plies: 0, problems: Vec::new() };
    let manifest_problem = |kind| Problem { file: MANIFEST.to_owned(), game_index: None, kind };
    let dataset = match Dataset::open(dir) {
        Ok(dataset) => dataset,
        Err(DatasetError::InvalidManifest { reason, .. }) => {
            report.problems.push(manifest_problem(ProblemKind::Damaged { reason }));
            return Ok(report);
        }
        Err(error @ DatasetError::NotADataset { .. }) => {
            if manifest::names(&dir.join(DATA))?.is_empty() {
                return Err(error);
            }
            report.problems.push(manifest_problem(ProblemKind::Missing));
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    report.shards = dataset.spec().shard_count();
    report.problems = unexpected_files(dataset.layout(), report.shards)?;
    let found = Mutex::new(Vec::new());
    let (games, plies, missing) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let shards: Vec<u64> = (0..report.shards).collect();
    for_width!(dataset.spec().run.config.size, W => for_each_shard(&shards, |shard| {
        let checked = check_shard::<W>(&dataset, shard, options.replay, progress)?;
        games.fetch_add(checked.games, Ordering::Relaxed);
        plies.fetch_add(checked.plies, Ordering::Relaxed);
        missing.fetch_add(u64::from(checked.not_finished), Ordering::Relaxed);
        found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(checked.problems);
        Ok(())
    }))?;
    report.problems.extend(found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
    if !dataset.manifest().complete {
        let (missing, shards) = (missing.into_inner(), report.shards);
        report.problems.push(manifest_problem(ProblemKind::Incomplete { missing, shards }));
    }
    report.problems.sort_by(|one, other| (&one.file, one.game_index).cmp(&(&other.file, other.game_index)));
    (report.games, report.plies) = (games.into_inner(), plies.into_inner());
    Ok(report)
}

/// The files in the folders of the dataset that do not belong there.
pub(super) fn unexpected_files(layout: &Layout, shards: u64) -> Result<Vec<Problem>, DatasetError> {
    let mut problems = Vec::new();
    for (folder, file) in [(DATA, manifest::shard_file as fn(u64) -> String), (DIGESTS, manifest::side_file)]
    {
        let known: BTreeSet<String> = (0..shards).map(file).collect();
        let names = manifest::names(&layout.dir().join(folder))?;
        let found = names.iter().map(|name| format!("{folder}/{name}"));
        let unexpected = found.filter(|file| !known.contains(file));
        problems.extend(unexpected.map(|file| Problem {
            file,
            game_index: None,
            kind: ProblemKind::Unexpected,
        }));
    }
    Ok(problems)
}

/// Does `job` for all these shards, several at a time, until one fails, and returns the first failure.
///
/// At most about half as many shards as there are threads are in work at once: their jobs are themselves parallel, so that one shard's games are
/// played while another is read.
fn for_each_shard<E: Send>(shards: &[u64], job: impl Fn(u64) -> Result<(), E> + Sync) -> Result<(), E> {
    let threads = rayon::current_num_threads();
    let lanes = threads.div_ceil(2).max(2).min(threads).min(shards.len());
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    (0..lanes).into_par_iter().with_max_len(1).for_each(|_| {
        while let Some(&shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = job(shard) {
                next.store(shards.len(), Ordering::Relaxed);
                let mut first = failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                first.get_or_insert(error);
            }
        }
    });
    let failure = failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    failure.map_or(Ok(()), Err)
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

/// Kinds of [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The file is not there.
    Missing,
    /// The file does not belong there.
    Unexpected,
    /// The manifest says that the dataset is not complete.
    Incomplete {
        /// Shards without a side file.
        missing: u64,
        /// Shards of the whole dataset.
        shards: u64,
    },
    /// The manifest says that the games were not imported to the end.
    Interrupted,
    /// The manifest or a side file is not as it was written.
    Damaged {
        /// What is wrong with it.
        reason: String,
    },
    /// The file belongs to another run, or to another place in this one.
    OtherRun {
        /// What it says of itself.
        found: String,
        /// What it should say.
        expected: String,
    },
    /// The length of a shard is not what was written: cut off, or something appended.
    Length {
        /// The length now.
        found: u64,
        /// The length that was written.
        expected: u64,
    },
    /// The contents of a shard are not what was written.
    Digest {
        /// BLAKE3 now.
        found: String,
        /// BLAKE3 of what was written.
        expected: String,
    },
    /// The digest is right, but the file cannot be read.
    Unreadable {
        /// What the operating system or the Parquet library said.
        reason: String,
    },
    /// The digest is right, but a row is not what belongs there.
    Row {
        /// What is wrong with it.
        reason: String,
    },
    /// More rows are wrong than are listed.
    MoreRows,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(game_index) = self.game_index {
            write!(f, "game {game_index}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => {
                f.write_str("missing; run the command that wrote the dataset again to get it back")
            }
            Self::Unexpected => f.write_str("does not belong there; move it away"),
            Self::Incomplete { missing, shards } => write!(
                f,
                "the dataset is not complete: {missing} of {shards} shards are missing; run the command that writes it again to go on"
            ),
            Self::Interrupted => f.write_str("the import was interrupted; run the same command again"),
            Self::Damaged { reason } => {
                write!(f, "{reason}; delete it and run the command that wrote the dataset again")
            }
            Self::OtherRun { found, expected } => {
                write!(
                    f,
                    "belongs to another run or place: it says {found}, not {expected}; delete it and run the command that wrote the dataset again"
                )
            }
            Self::Length { found, expected } => {
                write!(
                    f,
                    "{found} bytes long, not {expected}; delete it and run the command that wrote the dataset again"
                )
            }
            Self::Digest { found, expected } => write!(
                f,
                "damaged: BLAKE3 is {found}, not {expected}; delete it and run the command that wrote the dataset again"
            ),
            Self::Unreadable { reason } => write!(f, "cannot be read: {reason}"),
            Self::Row { reason } => f.write_str(reason),
            Self::MoreRows => f.write_str("more games are wrong"),
        }
    }
}

/// Wrong games of one shard that are listed.
pub(super) const MAX_ROW_PROBLEMS: usize = 10;
/// Games replayed one after the other on one thread.
const REPLAY_GAMES: usize = 64;

/// What was found in one shard.
#[derive(Default)]
struct Checked {
    games: u64,
    plies: u64,
    problems: Vec<Problem>,
    /// The dataset is not complete, and this shard is one that it lacks.
    not_finished: bool,
}

impl Checked {
    fn report(&mut self, file: &str, kind: ProblemKind) {
        self.problems.push(Problem { file: file.to_owned(), game_index: None, kind });
    }
}

/// Checks one shard.
///
/// # Errors
/// [`DatasetError::Stopped`] only.
fn check_shard<const W: usize>(
    dataset: &Dataset,
    shard: u64,
    replay: ReplayMode,
    progress: &Progress,
) -> Result<Checked, DatasetError> {
    if progress.is_stopped() {
        return Err(DatasetError::Stopped);
    }
    let mut checked = Checked::default();
    let listed = dataset.manifest().shards.get(shard as usize);
    let side = side_file_entry(dataset, shard, &mut checked);
    let (file, path) = (manifest::shard_file(shard), dataset.layout().shard(shard));
    let Some(expected) = listed.or(side.as_ref()) else {
        // Nothing says what the shard must be: either it is not finished, or its side file is damaged, which was reported.
        checked.not_finished = checked.problems.is_empty();
        return Ok(checked);
    };
    let (bytes, blake3) = match manifest::digest(&path) {
        Ok(digest) => digest,
        Err(_) if !path.exists() => {
            checked.report(&file, ProblemKind::Missing);
            return Ok(checked);
        }
        Err(error) => {
            checked.report(&file, ProblemKind::Unreadable { reason: error.to_string() });
            return Ok(checked);
        }
    };
    let is = |entry: &ShardEntry| entry.bytes == bytes && entry.blake3 == blake3;
    match side.as_ref().filter(|side| *side != expected) {
        // Manifest and side file disagree: the shard tells which of them is wrong.
        Some(side) if is(side) => {
            let reason = format!("its entry of {file} is not what was written");
            checked.report(manifest::MANIFEST, ProblemKind::Damaged { reason });
        }
        Some(_) => {
            let reason = "length or digest is not that of the manifest".to_owned();
            checked.report(&manifest::side_file(shard), ProblemKind::Damaged { reason });
        }
        None => {}
    }
    if !is(expected) && !side.as_ref().is_some_and(is) {
        checked.report(&file, mismatch(dataset, shard, &path, (bytes, blake3), expected));
        return Ok(checked);
    }
    if let Some(kind) = other_run(dataset, shard, &path) {
        checked.report(&file, kind);
        return Ok(checked);
    }
    check_games::<W>(dataset, shard, replay, progress, &mut checked)?;
    Ok(checked)
}

/// What the side file says, if it is whole and of this shard; otherwise reports it, unless it may be missing.
fn side_file_entry(dataset: &Dataset, shard: u64, checked: &mut Checked) -> Option<ShardEntry> {
    let (file, path) = (manifest::side_file(shard), dataset.layout().side_file(shard));
    if !path.exists() {
        if dataset.manifest().complete {
            checked.report(&file, ProblemKind::Missing);
        }
        return None;
    }
    let side = match SideFile::read(&path) {
        Ok(side) => side,
        Err(DatasetError::InvalidShard { reason, .. }) => {
            checked.report(&file, ProblemKind::Damaged { reason });
            return None;
        }
        Err(error) => {
            checked.report(&file, ProblemKind::Unreadable { reason: error.to_string() });
            return None;
        }
    };
    let (first_game, games) = (dataset.spec().shard_range(shard).start, dataset.spec().games_in_shard(shard));
    let expected = (&dataset.manifest().run_fingerprint, shard, first_game, games);
    let found = (&side.run_fingerprint, side.shard, side.first_game, side.games);
    if found != expected {
        let words = |(run, shard, first_game, games): (&String, u64, u64, u64)| {
            format!("run {run}, shard {shard}, {games} games from {first_game}")
        };
        checked.report(&file, ProblemKind::OtherRun { found: words(found), expected: words(expected) });
        return None;
    }
    Some(side.entry())
}

/// Why a shard is not what was written.
fn mismatch(
    dataset: &Dataset,
    shard: u64,
    path: &Path,
    (bytes, blake3): (u64, String),
    expected: &ShardEntry,
) -> ProblemKind {
    if let Some(kind) = other_run(dataset, shard, path) {
        return kind;
    }
    if bytes != expected.bytes {
        return ProblemKind::Length { found: bytes, expected: expected.bytes };
    }
    ProblemKind::Digest { found: blake3, expected: expected.blake3.clone() }
}

/// Reports a shard that says that it is another one.
fn other_run(dataset: &Dataset, shard: u64, path: &Path) -> Option<ProblemKind> {
    let OtherIdentity { found, expected } = other_identity(dataset.manifest(), shard, path)?;
    Some(ProblemKind::OtherRun { found, expected })
}

/// Reads all games of a shard whose digest is right.
fn check_games<const W: usize>(
    dataset: &Dataset,
    shard: u64,
    replay: ReplayMode,
    progress: &Progress,
    checked: &mut Checked,
) -> Result<(), DatasetError> {
    let (file, path) = (manifest::shard_file(shard), dataset.layout().shard(shard));
    let mut games = match StoredGames::open(path, dataset.spec().clone(), dataset.spec().shard_range(shard)) {
        Ok(games) => games,
        Err(error) => {
            checked.report(&file, unreadable(error));
            return Ok(());
        }
    };
    loop {
        let batch: Vec<_> = games.by_ref().take(DatasetSpec::BATCH_ROWS).collect();
        if batch.is_empty() {
            return Ok(());
        }
        let mut whole = Vec::with_capacity(batch.len());
        let mut error = None;
        for game in batch {
            match game {
                Ok((_, game)) => whole.push(game),
                Err(failure) => error = Some(failure),
            }
        }
        let plies: u64 = whole.iter().map(|game| u64::from(game.plies)).sum();
        checked.games += whole.len() as u64;
        if replay != ReplayMode::No {
            checked.plies += plies;
            checked.problems.extend(replay_all::<W>(dataset, &file, &whole, replay, progress));
        }
        if progress.is_stopped() {
            return Err(DatasetError::Stopped);
        }
        progress.add(whole.len() as u64, plies);
        if let Some(error) = error {
            checked.report(&file, unreadable(error));
            return Ok(());
        }
        if checked.problems.len() > MAX_ROW_PROBLEMS {
            checked.problems.truncate(MAX_ROW_PROBLEMS);
            checked.report(&file, ProblemKind::MoreRows);
            return Ok(());
        }
    }
}

/// Replays these games and reports those that are wrong.
fn replay_all<const W: usize>(
    dataset: &Dataset,
    file: &str,
    games: &[GameRecord],
    replay: ReplayMode,
    progress: &Progress,
) -> Vec<Problem> {
    let check = |replayer: &mut Box<Replayer<W>>, game: &GameRecord| {
        let reason = if progress.is_stopped() { None } else { replayer.check(game).err() };
        let game_index = Some(game.game_index);
        reason.map(|reason| Problem { file: file.to_owned(), game_index, kind: ProblemKind::Row { reason } })
    };
    games
        .par_iter()
        .with_min_len(REPLAY_GAMES)
        .map_init(|| Box::new(Replayer::<W>::new(dataset.spec(), replay)), check)
        .flatten()
        .collect()
}

pub(super) fn unreadable(error: DatasetError) -> ProblemKind {
    match error {
        DatasetError::InvalidRow { row, reason, .. } => {
            ProblemKind::Row { reason: format!("row {row}: {reason}") }
        }
        DatasetError::InvalidShard { reason, .. } => ProblemKind::Unreadable { reason },
        error => ProblemKind::Unreadable { reason: error.to_string() },
    }
}
