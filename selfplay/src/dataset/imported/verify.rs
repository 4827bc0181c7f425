//! Checking imported games.

use std::path::Path;

use jigo_engine::Rules;
use rayon::prelude::*;

use super::{
    super::{
        DatasetError, Problem, ProblemKind, ReplayMode, ShardEntry, VerifyOptions, VerifyReport,
        manifest::{self, SideFile},
        replay::difference,
        verify::{MAX_ROW_PROBLEMS, unexpected_files, unreadable},
    },
    ImportedDataset, ImportedGame, ImportedGames,
    read::FAULTS,
    write::{BATCH_BYTES, BATCH_GAMES},
};
use crate::{Progress, sgf};

/// Checks the imported games in `dir`: every file and, if it is asked for, every move and the columns that follow from the moves.
pub(in crate::dataset) fn verify(
    dir: &Path,
    options: VerifyOptions,
    progress: &Progress,
) -> Result<VerifyReport, DatasetError> {
    let mut report = VerifyReport { shards: 0, games: 0, plies: 0, problems: Vec::new() };
    let dataset = match ImportedDataset::open(dir) {
        Ok(dataset) => dataset,
        Err(DatasetError::InvalidManifest { reason, .. }) => {
            report.problem(manifest::MANIFEST, ProblemKind::Damaged { reason });
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    if !dataset.manifest().complete {
        report.problem(manifest::MANIFEST, ProblemKind::Interrupted);
        return Ok(report);
    }
    report.shards = dataset.manifest().shards.len() as u64;
    report.problems = unexpected_files(dataset.layout(), report.shards)?;
    let faults = &dataset.manifest().faults;
    report.check_file(dir, FAULTS, (faults.bytes, &faults.blake3));
    for (shard, entry) in (0..).zip(&dataset.manifest().shards) {
        report.check_side_file(&dataset, shard, entry);
        if report.check_file(dir, &entry.file, (entry.bytes, &entry.blake3)) {
            report.check_games(&dataset, shard, entry, options.replay, progress)?;
        }
    }
    report.problems.sort_by(|one, other| (&one.file, one.game_index).cmp(&(&other.file, other.game_index)));
    Ok(report)
}

impl VerifyReport {
    fn problem(&mut self, file: &str, kind: ProblemKind) {
        self.problems.push(Problem { file: file.to_owned(), game_index: None, kind });
    }

    /// Compares a file with length and digest, and returns whether it has them.
    fn check_file(&mut self, dir: &Path, file: &str, (length, blake3): (u64, &str)) -> bool {
        let path = dir.join(file);
        let kind = match manifest::digest(&path) {
            Err(_) if !path.exists() => ProblemKind::Missing,
            Err(error) => ProblemKind::Unreadable { reason: error.to_string() },
            Ok((bytes, _)) if bytes != length => ProblemKind::Length { found: bytes, expected: length },
            Ok((_, digest)) if digest != blake3 => {
                ProblemKind::Digest { found: digest, expected: blake3.to_owned() }
            }
            Ok(_) => return true,
        };
        self.problem(file, kind);
        false
    }

    fn check_side_file(&mut self, dataset: &ImportedDataset, shard: u64, entry: &ShardEntry) {
        let path = dataset.layout().side_file(shard);
        let found = SideFile::read(&path);
        let belongs = |side: &SideFile| {
            (&side.run_fingerprint, side.shard) == (&dataset.manifest().run_fingerprint, shard)
        };
        let kind = match found {
            Err(_) if !path.exists() => ProblemKind::Missing,
            Err(error) => ProblemKind::Unreadable { reason: error.to_string() },
            Ok(side) if belongs(&side) && side.clone().entry() == *entry => return,
            Ok(_) => ProblemKind::Damaged { reason: "its entry is not that of the manifest".to_owned() },
        };
        self.problem(&manifest::side_file(shard), kind);
    }

    /// Reads all games of a shard whose digest is right.
    fn check_games(
        &mut self,
        dataset: &ImportedDataset,
        shard: u64,
        entry: &ShardEntry,
        replay: ReplayMode,
        progress: &Progress,
    ) -> Result<(), DatasetError> {
        let path = dataset.layout().shard(shard);
        let mut games = match ImportedGames::open(path, entry) {
            Ok(games) => games,
            Err(error) => {
                self.problem(&entry.file, unreadable(error));
                return Ok(());
            }
        };
        let problems_before = self.problems.len();
        loop {
            let batch = match next_batch(&mut games) {
                Ok(batch) if batch.is_empty() => return Ok(()),
                Ok(batch) => batch,
                Err(error) => {
                    self.problem(&entry.file, unreadable(error));
                    return Ok(());
                }
            };
            if progress.is_stopped() {
                return Err(DatasetError::Stopped);
            }
            let plies = batch.iter().map(|game| u64::from(game.played.plies)).sum();
            self.games += batch.len() as u64;
            if replay != ReplayMode::No {
                self.plies += plies;
                self.problems.par_extend(batch.par_iter().filter_map(|game| check(&entry.file, game)));
            }
            progress.add(batch.len() as u64, plies);
            if self.problems.len() > problems_before + MAX_ROW_PROBLEMS {
                self.problems.truncate(problems_before + MAX_ROW_PROBLEMS);
                self.problem(&entry.file, ProblemKind::MoreRows);
                return Ok(());
            }
        }
    }
}

/// The next games, as many as are written together.
fn next_batch(games: &mut ImportedGames) -> Result<Vec<ImportedGame>, DatasetError> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < BATCH_GAMES
        && bytes < BATCH_BYTES
        && let Some(game) = games.next().transpose()?
    {
        bytes += game.stored_bytes();
        batch.push(game);
    }
    Ok(batch)
}

/// What is wrong with a game: a move that breaks the rules, or a column that does not follow from the moves.
fn check(file: &str, game: &ImportedGame) -> Option<Problem> {
    let reason = replay_again(game).err()?;
    let game_index = Some(game.played.game_index);
    Some(Problem { file: file.to_owned(), game_index, kind: ProblemKind::Row { reason } })
}

fn replay_again(game: &ImportedGame) -> Result<(), String> {
    let rules: Rules = game.checked_rules.parse().map_err(|error| format!("checked_rules: {error}"))?;
    let replay = sgf::replay(&game.record, rules).map_err(|fault| fault.to_string())?;
    let again = ImportedGame::new(game.record.clone(), &replay, game.source.clone());
    let again = again.map_err(|error| error.to_string())?;
    match difference(&game.played, &again.played) {
        Some(field) => Err(format!("{field} differs from what its moves give")),
        None if game.played.plies != again.played.plies => {
            Err("plies differs from what its moves give".to_owned())
        }
        None => Ok(()),
    }
}
