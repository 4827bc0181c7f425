//! `jigo import`: real games as a dataset.

use anyhow::bail;
use jigo_analysis::records::{ImportError, ImportOptions, import};
use jigo_selfplay::dataset::{ImportManifest, Provenance};

use crate::{
    args::ImportArgs,
    command::analyze::check_paths,
    config::{self, COMMIT, VERSION},
    output::{Failure, group, quantity, tell},
    progress,
};

pub(crate) fn run(args: &ImportArgs) -> anyhow::Result<()> {
    config::use_threads(&args.threads)?;
    check_paths(&args.paths)?;
    let provenance = Provenance { version: VERSION.to_owned(), commit: COMMIT.to_owned() };
    let options = ImportOptions { shard_games: args.shard_games.0, ..ImportOptions::new(provenance) };
    let progress = progress::stoppable_reading();
    let imported =
        progress::shown_reading("import", progress, || import(&args.paths, &options, &args.out, progress));
    let manifest = match imported {
        Err(ImportError::Stopped) => {
            return Err(Failure::Interrupted("the same command begins again".to_owned()).into());
        }
        other => other?,
    };
    tell(&conclusion(args, &manifest));
    if manifest.games == 0 {
        bail!("no game was found: name SGF files, folders or archives with SGF files");
    }
    Ok(())
}

fn conclusion(args: &ImportArgs, manifest: &ImportManifest) -> String {
    let out = args.out.display();
    let bytes: u64 = manifest.shards.iter().map(|shard| shard.bytes).sum();
    let left_out = match manifest.faults.faults {
        0 => String::new(),
        faults => format!("; {} left out, see {out}/faults.csv", group(faults)),
    };
    format!(
        "imported {} from {} ({:.1} MB) to {out}{left_out}",
        quantity(manifest.games, "game"),
        quantity(manifest.sources.files, "file"),
        bytes as f64 / 1e6
    )
}
