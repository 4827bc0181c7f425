//! Imported games as records and tables.

use std::path::Path;

use jigo_engine::Komi;
use jigo_selfplay::{
    Progress,
    dataset::{ImportedDataset, ImportedGame},
    sgf,
};

use super::{
    CappedGames, ExportCounts, ExportError, ExportFormat, ExportSpec, ExportSummary, ExportedFile,
    GameFilter,
    csv::Tables,
    filter::Winner,
    folder::{Folder, Manifest, Origin},
    sgf::RecordFiles,
    work::Exporter as _,
};

/// The columns of `games.csv` after those of every dataset and before those that hold text.
const BEFORE_TEXTS: [&str; 5] = ["source_file", "source_byte", "source_place", "width", "height"];
/// The columns after that text.
const BEHIND_TEXTS: [&str; 6] =
    ["komi", "handicap", "winner", "half_points", "checked_rules", "first_player"];

/// Exports imported games as [`export`](super::export) does: as SGF that says all that their records said, or as a table.
///
/// Results are those recorded, so [`ExportSpec::komi`] must be zero. Positions for numpy are not written of them, and no status is asked for.
///
/// # Errors
/// As [`export`](super::export).
pub fn export_imported(
    dataset: &ImportedDataset,
    spec: &ExportSpec,
    out: &Path,
    progress: &Progress,
) -> Result<ExportSummary, ExportError> {
    spec.validate()?;
    check(spec)?;
    let (import, fingerprint) = (&dataset.manifest().import, &dataset.manifest().run_fingerprint);
    let manifest = Manifest::new(Origin::Import(Box::new(import.clone())), fingerprint, spec);
    let folder = Folder::open(out, &manifest)?;
    let mut output = Output::new(&folder, spec.format)?;
    let mut counts = ExportCounts::default();
    for game in dataset.games() {
        if progress.is_stopped() {
            return Err(ExportError::Stopped);
        }
        if spec.filter.limit.is_some_and(|limit| counts.games_kept >= limit) {
            break;
        }
        let game = game?;
        counts.games_read += 1;
        if accepts(&spec.filter, &game) {
            counts.games_kept += 1;
            output.write(&game)?;
        }
        progress.add(1, game.played.plies.into());
    }
    let files = output.finish()?;
    folder.write_manifest(&manifest.completed(counts, files.clone()))?;
    Ok(ExportSummary { counts, files })
}

/// Refuses what imported games cannot be asked for.
fn check(spec: &ExportSpec) -> Result<(), ExportError> {
    let refuse = |reason: &str| Err(ExportError::InvalidSpec { reason: reason.to_owned() });
    if matches!(spec.format, ExportFormat::Npz { .. }) {
        return refuse("imported games are not exported as npz; ask for sgf or csv");
    }
    if spec.komi != Komi::ZERO {
        return refuse("imported games have the komi and results of their records: leave --komi out");
    }
    if spec.filter.status.is_some() {
        return refuse("--status is not asked of imported games: leave it out");
    }
    Ok(())
}

/// Returns whether the game is exported. Its result is the one recorded; no move limit ever stopped it.
fn accepts(filter: &GameFilter, game: &ImportedGame) -> bool {
    let played = &game.played;
    let is_result = |asked: Winner| match asked {
        Winner::Jigo => game.winner() == Some("none"),
        color => game.winner() == Some(color.name()),
    };
    filter.capped != CappedGames::Only
        && filter.margin.is_none_or(|bounds| bounds.contains(played.margin()))
        && filter.plies.is_none_or(|bounds| bounds.contains(played.plies as i32))
        && filter.result.is_none_or(is_result)
        && filter.superko.is_none_or(|events| events.matches(played))
        && filter.sample.is_none_or(|rate| rate.takes_game(0, played.game_index))
}

/// What is written.
enum Output<'a> {
    Sgf(Box<RecordFiles<'a>>),
    Csv(Box<Tables>),
}

impl<'a> Output<'a> {
    fn new(folder: &'a Folder, format: ExportFormat) -> Result<Self, ExportError> {
        Ok(match format {
            ExportFormat::Csv { events } => {
                let further = [&BEFORE_TEXTS[..], &ImportedGame::TEXTS, &BEHIND_TEXTS].concat();
                Self::Csv(Box::new(Tables::new(folder, false, events, &further)?))
            }
            ExportFormat::Sgf { games_per_file } => {
                Self::Sgf(Box::new(RecordFiles::new(folder, games_per_file)))
            }
            ExportFormat::Npz { .. } => unreachable!("refused before"),
        })
    }

    fn write(&mut self, game: &ImportedGame) -> Result<(), ExportError> {
        match self {
            Self::Sgf(files) => {
                files.is_at_start()?;
                files.write(&sgf::write(&game.record.game))
            }
            Self::Csv(tables) => tables.write_game(&game.played, fields(game)),
        }
    }

    fn finish(self) -> Result<Vec<ExportedFile>, ExportError> {
        match self {
            Self::Sgf(files) => (*files).finish(),
            Self::Csv(tables) => (*tables).finish(),
        }
    }
}

/// Returns the fields of a game in `games.csv`; what is not recorded is empty.
fn fields(game: &ImportedGame) -> Vec<String> {
    let (record, source) = (&game.record.game, &game.source);
    let numbers = [source.byte, source.place, record.size.width() as u64, record.size.height() as u64];
    let mut fields = vec![source.file.clone()];
    fields.extend(numbers.map(|number| number.to_string()));
    fields.extend(game.texts().map(|text| text.unwrap_or_default().to_owned()));
    fields.extend([
        record.komi().map(|komi| komi.to_string()).unwrap_or_default(),
        record.handicap().map(|stones| stones.to_string()).unwrap_or_default(),
        game.winner().unwrap_or_default().to_owned(),
        game.half_points().map(|points| points.to_string()).unwrap_or_default(),
        game.checked_rules.clone(),
        game.first_player().to_owned(),
    ]);
    fields
}
