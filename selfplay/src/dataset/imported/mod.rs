//! Imported games: records of games played elsewhere, in the columns of every dataset and further ones for what the records say.
//!
//! A folder of them looks like any dataset and is described in `docs/dataset.md`, but its games follow from no seed. [`ImportWriter`] writes one,
//! [`ImportedDataset`] reads it.

mod columns;
mod decode;
mod game;
mod lists;
mod manifest;
mod read;
mod verify;
mod write;

pub(super) use game::MAX_GAME_BYTES;
pub use game::{GameSource, ImportedGame, TooLarge};
pub use manifest::{FaultsEntry, Import, ImportManifest, SourceCounts, is_import};
pub use read::{ImportedDataset, ImportedGames};
pub(super) use verify::verify;
pub(super) use write::BATCH_BYTES;
pub use write::{FaultsFile, ImportSpec, ImportWriter};
