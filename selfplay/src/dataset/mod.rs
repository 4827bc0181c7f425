//! Datasets: the games of a run in Parquet files, the same bytes from any machine, thread count or interruption.
//!
//! The format is described in `docs/dataset.md`. [`write_dataset`] writes or goes on writing, [`Dataset`] reads, [`verify`] checks.
//!
//! ```
//! use jigo_selfplay::{Progress, Run};
//! use jigo_selfplay::dataset::{Dataset, DatasetSpec, Part, Provenance, ReplayMode, verify, write_dataset};
//!
//! let dir = std::env::temp_dir().join(format!("jigo-example-{}", std::process::id()));
//! let run = Run::new("5", "tromp-taylor", "eye-safe")?;
//! let provenance = Provenance { version: "0.1.0".to_owned(), commit: "unknown".to_owned() };
//! let spec = DatasetSpec::new(run, 100, provenance);
//! write_dataset(&dir, &spec, Part::WHOLE, &Progress::new())?;
//!
//! let dataset = Dataset::open(&dir)?;
//! for game in dataset.games() {
//!     let record = game?;
//!     assert_eq!(record, run.game(record.game_index));
//! }
//! assert!(verify(&dir, ReplayMode::No, &Progress::new())?.is_ok());
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "arrow")]
mod batches;
mod claims;
mod columns;
mod error;
mod game;
mod imported;
mod limits;
mod manifest;
mod read;
mod replay;
mod schema;
mod searches;
mod shard;
mod spec;
mod verify;
mod work;
mod write;

#[cfg(feature = "arrow")]
pub use batches::GameBatches;
pub(crate) use columns::{Column, Values};
pub(crate) use error::io_error;
pub use error::{DatasetError, Difference};
pub use imported::{
    FaultsEntry, GameSource, Import, ImportManifest, ImportWriter, ImportedDataset, ImportedGame,
    SourceCounts, TooLarge, is_import,
};
pub use manifest::{FORMAT_VERSION, Manifest, RunDescription, ShardEntry};
pub use read::Dataset;
pub use replay::FinalPositions;
pub(crate) use shard::GamesFile;
pub use spec::{DatasetSpec, InvalidPart, MovesColumn, Part, Provenance, UnknownMovesColumn};
pub use verify::{Problem, ProblemKind, ReplayMode, VerifyReport, check_file, verify};
pub use write::{WriteStatus, WriteSummary, write_dataset, write_dataset_by};
