//! Checking a dataset: every file, and if wanted every move.

mod problem;
mod replay;
mod shard;

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use jigo_engine::for_width;
use rayon::prelude::*;

pub use problem::{Problem, ProblemKind};
pub(super) use replay::difference;
pub(super) use shard::{MAX_ROW_PROBLEMS, unreadable};

use super::{
    Dataset, DatasetError, imported,
    layout::{self, DATA, DIGESTS, Layout, MANIFEST},
};
use crate::Progress;

/// What [`verify`] checks beyond the digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Whether the games are played through.
    pub replay: Replay,
}

/// How [`verify`] plays the games through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replay {
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
            if layout::names(&dir.join(DATA))?.is_empty() {
                return Err(error);
            }
            report.problems.push(manifest_problem(ProblemKind::Missing));
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    report.shards = dataset.spec().shard_count();
    report.problems = strangers(dataset.layout(), report.shards)?;
    let found = Mutex::new(Vec::new());
    let (games, plies, missing) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let shards: Vec<u64> = (0..report.shards).collect();
    for_width!(dataset.spec().run.config.size, W => for_each_shard(&shards, |shard| {
        let checked = shard::check::<W>(&dataset, shard, options.replay, progress)?;
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
pub(super) fn strangers(layout: &Layout, shards: u64) -> Result<Vec<Problem>, DatasetError> {
    let mut problems = Vec::new();
    for (folder, file) in [(DATA, layout::shard_file as fn(u64) -> String), (DIGESTS, layout::side_file)] {
        let known: BTreeSet<String> = (0..shards).map(file).collect();
        let names = layout::names(&layout.dir().join(folder))?;
        let found = names.iter().map(|name| format!("{folder}/{name}"));
        let strange = found.filter(|file| !known.contains(file));
        problems.extend(strange.map(|file| Problem { file, game_index: None, kind: ProblemKind::Stranger }));
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
