//! Imported games as records and tables.

use std::path::Path;

use jigo_engine::Komi;
use jigo_selfplay::{
    Progress,
    dataset::{ImportedDataset, ImportedGame},
};

use super::{
    ExportError, ExportFormat, ExportSpec, ExportSummary, Winner,
    csv::Columns,
    folder::{Manifest, Origin},
    sgf::{RecordFiles, Written},
    work::{Maker, Selection},
    write_folder,
};

/// Few, since each game may be large.
const BATCH_GAMES: usize = 16;

/// Exports imported games as [`export`](super::export()) does: as SGF that says all that their records said, or as a table.
///
/// Results are those recorded, so [`ExportSpec::komi`] must be zero. Positions for numpy are not written of them, and no status is asked for.
///
/// # Errors
/// As [`export`](super::export()).
pub fn export_imported(
    dataset: &ImportedDataset,
    spec: &ExportSpec,
    out: &Path,
    progress: &Progress,
) -> Result<ExportSummary, ExportError> {
    spec.validate()?;
    let refuse = |reason: &str| Err(ExportError::InvalidSpec { reason: reason.to_owned() });
    if spec.komi != Komi::ZERO {
        return refuse("imported games have the komi and results of their records: leave --komi out");
    }
    if spec.filter.status.is_some() {
        return refuse("--status is not asked of imported games: leave it out");
    }
    if matches!(spec.format, ExportFormat::Npz { .. }) {
        return refuse("imported games are not exported as npz; ask for sgf or csv");
    }
    let about = dataset.manifest();
    let manifest =
        Manifest::new(Origin::Import(Box::new(about.import.clone())), &about.run_fingerprint, spec);
    write_folder(out, manifest, |folder, _| {
        let accepts = || -> Maker<'_, ImportedGame, bool> {
            Box::new(|game| {
                let winner = || Some(Winner::from_name(game.winner()?).unwrap_or(Winner::Jigo));
                Ok(spec.filter.accepts(&game.played, 0, winner))
            })
        };
        let (games, plies) = (dataset.games(), |game: &ImportedGame| game.played.plies);
        let games = Selection { games, accepts: &accepts, plies, limit: spec.filter.limit, progress };
        match spec.format {
            ExportFormat::Csv { events } => {
                let columns = Columns { count_forbidden: false, events };
                let further: Vec<&str> = ImportedGame::field_names().collect();
                let make = || |game: &ImportedGame| Ok(columns.rows(&game.played, game.fields()));
                games.write(BATCH_GAMES, make, columns.tables(folder, &further)?)
            }
            ExportFormat::Sgf { games_per_file } => {
                let make = || |game: &ImportedGame| Ok(Written::new(game.record.game.clone()));
                games.write(BATCH_GAMES, make, RecordFiles::new(folder, games_per_file, None))
            }
            ExportFormat::Npz { .. } => unreachable!("refused before"),
        }
    })
}
