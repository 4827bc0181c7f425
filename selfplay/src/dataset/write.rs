//! Writing a dataset, alone or with others, from the start or from where it was interrupted.

use std::{
    cmp::Ordering,
    fs::{self, File},
    path::Path,
};

use serde::Serialize;

use super::{
    Dataset, DatasetError, DatasetSpec, Difference, Part,
    error::At as _,
    manifest::{self, Layout, Manifest, ShardEntry, SideFile},
    read::Shards as _,
    work::Work,
};
use crate::{Backend, Progress, files::AtomicFile};

/// How a call of [`write_dataset`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteSummary {
    /// What is left to do.
    pub status: WriteStatus,
    /// Shards written by this call.
    pub shards_written: u64,
    /// Games in these shards.
    pub games_written: u64,
    /// Bytes of these shards.
    pub bytes_written: u64,
    /// Shards of this part that were there already.
    pub shards_kept: u64,
    /// Shards of the whole dataset that are not there yet.
    pub shards_missing: u64,
}

/// Whether a dataset is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteStatus {
    /// All shards are there, and the manifest says so.
    Complete,
    /// All shards of this part are there; other parts are not.
    PartDone,
    /// Stopped by [`Progress::stop`] before the part was done: the same call goes on.
    Stopped,
}

/// Writes a part of a dataset into `dir`, which is created if need be.
///
/// Shards that are there already are kept, so the same call goes on with what was interrupted, at any point and in whatever way. Several
/// calls, with the same or different parts, may work on one directory at the same time. The bytes of the finished dataset depend on the spec
/// alone.
///
/// A dataset of the same run with fewer games is given those that are missing. Its full shards are kept; its manifest states the new number, and that
/// the dataset is not complete, before any other file is changed. Calls that still write the smaller dataset then fail.
///
/// `progress` counts the games of this part; those of shards that were there already are [counted as
/// skipped](Progress::skipped_games). When it is stopped, the shards in work are dropped.
///
/// Games are played by the [fastest backend](Backend::best) and encoded meanwhile, on the threads of the current rayon pool.
///
/// Memory: an encoded row group for each thread and one more, and for each thread at most 8,192 games that are not encoded yet, or 512 of searches,
/// however many games there are.
///
/// # Errors
/// [`DatasetError::InvalidSpec`]; [`DatasetError::NotEmpty`] or [`DatasetError::OtherRun`] when the directory holds something else;
/// [`DatasetError::FewerGames`] when it holds more games; [`DatasetError::InvalidManifest`]; [`DatasetError::File`], for instance when the disk is full. What was finished before is kept in every case.
pub fn write_dataset(
    dir: &Path,
    spec: &DatasetSpec,
    part: Part,
    progress: &Progress,
) -> Result<WriteSummary, DatasetError> {
    write_dataset_by(Backend::best(&spec.run), dir, spec, part, progress)
}

/// As [`write_dataset`], on a backend of one's choice: the bytes are the same.
///
/// # Errors
/// As [`write_dataset`].
///
/// # Panics
/// When the backend [cannot](Backend::can_play) play these games.
pub fn write_dataset_by(
    backend: Backend,
    dir: &Path,
    spec: &DatasetSpec,
    part: Part,
    progress: &Progress,
) -> Result<WriteSummary, DatasetError> {
    spec.validate()?;
    let dataset = Dataset::create(dir, spec)?;
    let mine: Vec<u64> = (0..spec.shard_count()).filter(|&shard| part.contains(shard)).collect();
    let missing: Vec<u64> = mine.iter().copied().filter(|&shard| dataset.finished(shard).is_none()).collect();
    let games = |shards: &[u64]| shards.iter().map(|&shard| spec.games_in_shard(shard)).sum::<u64>();
    progress.skip(games(&mine) - games(&missing));

    let (written, failure) = Work::run(backend, &dataset, progress, &missing);
    match failure {
        None | Some(DatasetError::Stopped) => {}
        Some(error) => return Err(error),
    }
    let shards_missing = dataset.finish()?;
    let status = match shards_missing {
        0 => WriteStatus::Complete,
        _ if written.len() < missing.len() => WriteStatus::Stopped,
        _ => WriteStatus::PartDone,
    };
    Ok(WriteSummary {
        status,
        shards_written: written.len() as u64,
        games_written: written.iter().map(|shard| shard.games).sum(),
        bytes_written: written.iter().map(|shard| shard.bytes).sum(),
        shards_kept: (mine.len() - missing.len()) as u64,
        shards_missing,
    })
}

impl Dataset {
    fn create(dir: &Path, spec: &DatasetSpec) -> Result<Self, DatasetError> {
        let (layout, requested) = (Layout::new(dir), Manifest::new(spec));
        let run = requested.run.without_games();
        let (manifest, found) =
            begin(&layout, &requested, &run, manifest::FORMAT, Manifest::parse, |(manifest, _)| {
                &manifest.run
            })?;
        // What is not requested is no field of the request.
        let (recorded, requested_version) = (manifest.format_version, requested.format_version);
        for (field, recorded, requested) in [
            ("ownership", found.ownership.to_string(), spec.ownership.to_string()),
            ("format_version", recorded.to_string(), requested_version.to_string()),
        ] {
            if recorded != requested {
                let difference = Difference { field: field.to_owned(), recorded, requested };
                return Err(DatasetError::OtherRun(layout.manifest(), vec![difference]));
            }
        }
        let mut dataset = Self { layout, manifest, spec: spec.clone() };
        if found.games != spec.games {
            let _lock = dataset.layout.lock(File::lock);
            if dataset.has_fewer_games()? {
                manifest::replace_json(&dataset.layout, &dataset.layout.manifest(), &requested)?;
            }
            dataset.manifest = requested;
        }
        dataset.layout.create()?;
        Ok(dataset)
    }

    /// Returns whether the manifest on the disk states fewer games than are to be written; an error when it states more.
    fn has_fewer_games(&self) -> Result<bool, DatasetError> {
        let there = Self::open(&self.layout.dir)?.spec.games;
        match there.cmp(&self.spec.games) {
            Ordering::Less => Ok(true),
            Ordering::Equal => Ok(false),
            Ordering::Greater => {
                let (dir, requested) = (self.layout.dir.clone(), self.spec.games);
                Err(DatasetError::FewerGames { dir, there, requested })
            }
        }
    }

    /// Keeps the number of games as it is until the value is dropped, so that no file takes the place of one with more games.
    ///
    /// # Errors
    /// [`DatasetError::FewerGames`] when another writer has raised the number.
    pub(super) fn lock(&self) -> Result<Option<File>, DatasetError> {
        let lock = self.layout.lock(File::lock_shared);
        self.has_fewer_games()?;
        Ok(lock)
    }

    /// Returns the entry of a shard that is there: its side file is whole and of this run, and the shard has the length that it states. Contents
    /// are not read: that is what [`verify`](super::verify) does.
    pub(super) fn finished(&self, shard: u64) -> Option<ShardEntry> {
        let side_file = SideFile::read(&self.layout.side_file(shard)).ok()?;
        let belongs = side_file.place() == self.place(shard);
        let length = fs::metadata(self.layout.shard(shard)).ok()?.len();
        let entry = side_file.entry();
        let listed = self.manifest.shards.get(usize::try_from(shard).ok()?);
        (belongs && length == entry.bytes && listed.is_none_or(|listed| *listed == entry)).then_some(entry)
    }

    /// Completes the manifest if all shards are there; returns how many are not.
    fn finish(self) -> Result<u64, DatasetError> {
        let _lock = self.lock()?;
        let shards = (0..self.spec.shard_count()).filter_map(|shard| self.finished(shard));
        let shards: Vec<ShardEntry> = shards.collect();
        let missing = self.spec.shard_count() - shards.len() as u64;
        if missing == 0 {
            if !self.manifest.complete {
                let manifest = Manifest { complete: true, shards, ..self.manifest };
                manifest::replace_json(&self.layout, &self.layout.manifest(), &manifest)?;
            }
            self.layout.remove_partial_dir();
        }
        Ok(missing)
    }
}

/// Writes the manifest of a dataset or import if there is none, and returns what it says. It must describe the run that is requested.
pub(super) fn begin<T, R: Serialize>(
    layout: &Layout,
    requested: &impl Serialize,
    requested_run: &R,
    format: &str,
    parse: impl FnOnce(&[u8]) -> Result<T, String>,
    run: impl FnOnce(&T) -> &R,
) -> Result<T, DatasetError> {
    let path = layout.manifest();
    if !path.exists() {
        let unexpected = unexpected_name(layout)?;
        // Another writer may have begun in the meantime.
        if let Some(found) = unexpected.filter(|_| !path.exists()) {
            return Err(DatasetError::NotEmpty(layout.dir.clone(), found));
        }
        manifest::write_json(layout, &path, requested)?.persist_new(&path).at("write", &path)?;
    }
    let Some(found) = layout.read_manifest(format, parse)? else {
        let reason = "it vanished while the dataset was being written".to_owned();
        return Err(DatasetError::InvalidManifest(path, reason));
    };
    let differences = manifest::differences(requested_run, run(&found));
    if !differences.is_empty() {
        return Err(DatasetError::OtherRun(path, differences));
    }
    Ok(found)
}

/// Something in the directory that no dataset without a manifest has: before the manifest there are only unfinished files.
fn unexpected_name(layout: &Layout) -> Result<Option<String>, DatasetError> {
    let is_lasting = |name: &String| !AtomicFile::is_temporary(name);
    let mut names = manifest::names(&layout.dir)?.into_iter().filter(is_lasting);
    let unexpected = names.find(|name| name != manifest::PARTIAL);
    let inside = manifest::names(&layout.partial())?.into_iter().find(is_lasting);
    Ok(unexpected.or(inside.map(|name| format!("{}/{name}", manifest::PARTIAL))))
}
