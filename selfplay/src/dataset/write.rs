//! Writing a dataset, alone or with others, from the start or from where it was interrupted.

use std::{
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use jigo_engine::for_width;

use super::{
    DatasetError, DatasetSpec, Part,
    manifest::{self, Layout, Manifest, ShardEntry, SideFile},
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
/// `progress` counts the games of this part; those of shards that were there already are [counted as
/// skipped](Progress::skipped_games). When it is stopped, the shards in work are dropped.
///
/// Games are played by the [fastest backend](Backend::best) and encoded meanwhile, on the threads of the current rayon pool.
///
/// Memory: an encoded row group for each thread and one more, and for each thread at most 8,192 games that are not encoded yet; all of it does not
/// grow with the number of games.
///
/// # Errors
/// [`DatasetError::InvalidSpec`]; [`DatasetError::NotEmpty`] or [`DatasetError::OtherRun`] when the directory holds something else;
/// [`DatasetError::InvalidManifest`]; [`DatasetError::File`], for instance when the disk is full. What was finished before is kept in every case.
pub fn write_dataset(
    dir: &Path,
    spec: &DatasetSpec,
    part: Part,
    progress: &Progress,
) -> Result<WriteSummary, DatasetError> {
    write_dataset_by(Backend::best(&spec.run), dir, spec, part, progress)
}

/// As [`write_dataset`], with a backend of one's choice: the bytes are the same.
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
    let layout = Layout::new(dir);
    let manifest = prepare(&layout, spec)?;
    layout.remove_stale()?;

    let mine: Vec<u64> = (0..spec.shard_count()).filter(|&shard| part.contains(shard)).collect();
    let is_missing = |shard: &u64| finished(&layout, &manifest, spec, *shard).is_none();
    let missing: Vec<u64> = mine.iter().copied().filter(is_missing).collect();
    let games = |shards: &[u64]| shards.iter().map(|&shard| spec.games_in_shard(shard)).sum::<u64>();
    let kept = (mine.len() - missing.len()) as u64;
    progress.skip(games(&mine) - games(&missing));

    let written = Written::default();
    let on_written = |side_file| written.add(&layout, side_file);
    let work = Work::new(backend, &layout, &manifest, spec, progress, &missing, on_written);
    match for_width!(spec.run.config.size, W => work.run::<W>()) {
        Ok(()) | Err(DatasetError::Stopped) => {}
        Err(error) => return Err(error),
    }
    let stopped = written.shards.load(Ordering::Relaxed) < missing.len() as u64;
    let shards_missing = finish(&layout, manifest, spec)?;
    let status = match shards_missing {
        0 => WriteStatus::Complete,
        _ if stopped => WriteStatus::Stopped,
        _ => WriteStatus::PartDone,
    };
    Ok(WriteSummary {
        status,
        shards_written: written.shards.into_inner(),
        games_written: written.games.into_inner(),
        bytes_written: written.bytes.into_inner(),
        shards_kept: kept,
        shards_missing,
    })
}

/// Sums over the shards written.
#[derive(Default)]
struct Written {
    shards: AtomicU64,
    games: AtomicU64,
    bytes: AtomicU64,
}

impl Written {
    /// Writes the side file of a shard that is in place, which makes it count.
    fn add(&self, layout: &Layout, side_file: SideFile) -> Result<(), DatasetError> {
        side_file.write(layout)?;
        self.shards.fetch_add(1, Ordering::Relaxed);
        self.games.fetch_add(side_file.games, Ordering::Relaxed);
        self.bytes.fetch_add(side_file.bytes, Ordering::Relaxed);
        Ok(())
    }
}

/// Creates what is missing of the directory and returns its manifest, which is that of this run.
fn prepare(layout: &Layout, spec: &DatasetSpec) -> Result<Manifest, DatasetError> {
    let requested = Manifest::new(spec);
    if !layout.manifest().exists() {
        let unexpected = unexpected_name(layout)?;
        // Another writer may have begun in the meantime.
        if let Some(found) = unexpected.filter(|_| !layout.manifest().exists()) {
            return Err(DatasetError::NotEmpty { dir: layout.dir().to_owned(), found });
        }
        requested.create(layout)?;
    }
    let path = layout.manifest();
    let Some((recorded, _)) = Manifest::read(layout)? else {
        let reason = "it vanished while the dataset was being written".to_owned();
        return Err(DatasetError::InvalidManifest { path, reason });
    };
    let differences = manifest::differences(&requested.run, &recorded.run);
    if !differences.is_empty() {
        return Err(DatasetError::OtherRun { path, differences });
    }
    layout.create()?;
    manifest::sync_dir(layout.dir())?;
    Ok(recorded)
}

/// Something in the directory that no dataset without a manifest has: before the manifest there are only unfinished files.
pub(super) fn unexpected_name(layout: &Layout) -> Result<Option<String>, DatasetError> {
    let unexpected = manifest::names(layout.dir())?.into_iter().find(|name| name != manifest::PARTIAL);
    let inside = manifest::names(&layout.partial())?.into_iter().find(|name| !AtomicFile::is_temporary(name));
    Ok(unexpected.or(inside.map(|name| format!("{}/{name}", manifest::PARTIAL))))
}

/// The entry of a shard that is there: its side file is whole and of this run, and the shard has the length that it states. Contents are not
/// read: that is what [`verify`](super::verify) does.
fn finished(layout: &Layout, manifest: &Manifest, spec: &DatasetSpec, shard: u64) -> Option<ShardEntry> {
    let side_file = SideFile::read(&layout.side_file(shard)).ok()?;
    let belongs = side_file.run_fingerprint == manifest.run_fingerprint
        && side_file.shard == shard
        && side_file.first_game == spec.shard_range(shard).start
        && side_file.games == spec.games_in_shard(shard);
    let length = std::fs::metadata(layout.shard(shard)).ok()?.len();
    let entry = side_file.entry();
    let listed = manifest.shards.get(usize::try_from(shard).ok()?);
    (belongs && length == entry.bytes && listed.is_none_or(|listed| *listed == entry)).then_some(entry)
}

/// Completes the manifest if all shards are there; returns how many are not.
fn finish(layout: &Layout, manifest: Manifest, spec: &DatasetSpec) -> Result<u64, DatasetError> {
    let entries: Vec<ShardEntry> =
        (0..spec.shard_count()).filter_map(|shard| finished(layout, &manifest, spec, shard)).collect();
    let missing = spec.shard_count() - entries.len() as u64;
    if missing == 0 {
        if !manifest.complete {
            Manifest { complete: true, shards: entries, ..manifest }.replace(layout)?;
        }
        layout.remove_partial_dir();
    }
    Ok(missing)
}
