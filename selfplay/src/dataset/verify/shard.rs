//! Checking one shard and its side file.

use std::path::Path;

use rayon::prelude::*;

use super::{Problem, ProblemKind, Replay, replay::Replayer};
use crate::{
    GameRecord, Progress,
    dataset::{
        Dataset, DatasetError, DatasetSpec, ShardEntry,
        identity::{OtherIdentity, other_identity},
        layout,
        manifest::SideFile,
        stored::{Stored as _, StoredGames},
    },
};

/// Wrong games of one shard that are listed.
pub(in crate::dataset) const MAX_ROW_PROBLEMS: usize = 10;
/// Games replayed one after the other on one thread.
const REPLAY_GAMES: usize = 64;

/// What was found in one shard.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) problems: Vec<Problem>,
    /// The dataset is not complete, and this shard is one that it lacks.
    pub(super) not_finished: bool,
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
pub(super) fn check<const W: usize>(
    dataset: &Dataset,
    shard: u64,
    replay: Replay,
    progress: &Progress,
) -> Result<Checked, DatasetError> {
    if progress.is_stopped() {
        return Err(DatasetError::Stopped);
    }
    let mut checked = Checked::default();
    let listed = dataset.manifest().shards.get(shard as usize);
    let side = side_file_entry(dataset, shard, &mut checked);
    let (file, path) = (layout::shard_file(shard), dataset.layout().shard(shard));
    let Some(expected) = listed.or(side.as_ref()) else {
        // Nothing says what the shard must be: either it is not finished, or its side file is damaged, which was reported.
        checked.not_finished = checked.problems.is_empty();
        return Ok(checked);
    };
    let (bytes, blake3) = match layout::digest(&path) {
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
            checked.report(layout::MANIFEST, ProblemKind::Damaged { reason });
        }
        Some(_) => {
            let reason = "length or digest is not that of the manifest".to_owned();
            checked.report(&layout::side_file(shard), ProblemKind::Damaged { reason });
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
    let (file, path) = (layout::side_file(shard), dataset.layout().side_file(shard));
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
    replay: Replay,
    progress: &Progress,
    checked: &mut Checked,
) -> Result<(), DatasetError> {
    let (file, path) = (layout::shard_file(shard), dataset.layout().shard(shard));
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
        if replay != Replay::No {
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
    replay: Replay,
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

pub(in crate::dataset) fn unreadable(error: DatasetError) -> ProblemKind {
    match error {
        DatasetError::InvalidRow { row, reason, .. } => {
            ProblemKind::Row { reason: format!("row {row}: {reason}") }
        }
        DatasetError::InvalidShard { reason, .. } => ProblemKind::Unreadable { reason },
        error => ProblemKind::Unreadable { reason: error.to_string() },
    }
}
