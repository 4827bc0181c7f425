//! `jigo import`: converts game records to a dataset.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use jigo_analysis::records::{ImportOptions, RecordsError, import};

use super::analyze::check_paths;
use crate::{
    args::{self, ThreadArgs, provenance},
    output::{Failure, group, megabytes, quantity, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// SGF files, folders, archives (tar, tar.gz, tar.xz, zip).
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Folder for the dataset, new or empty. Running the same command again replaces the dataset.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Games in a shard (one file).
    #[arg(long, value_name = "N", default_value = "65536", value_parser = args::game_count)]
    shard_games: u64,

    #[command(flatten)]
    threads: ThreadArgs,
}

pub(crate) fn run(args: &ImportArgs) -> anyhow::Result<()> {
    args.threads.start()?;
    check_paths(&args.paths)?;
    args::check_folder(&args.out)?;
    let options = ImportOptions { shard_games: args.shard_games, ..ImportOptions::new(provenance()) };
    let progress = progress::stoppable_reading();
    let imported = progress::shown_reading(progress, || import(&args.paths, &options, &args.out, progress));
    let manifest = match imported {
        Err(RecordsError::Stopped) => return Err(Failure::interrupted("the same command begins again")),
        other => other?,
    };
    let out = args.out.display();
    let bytes: u64 = manifest.shards.iter().map(|shard| shard.bytes).sum();
    let skipped = match manifest.faults.faults {
        0 => String::new(),
        faults => format!("; {} skipped, see {out}/faults.csv", group(faults)),
    };
    tell(&format!(
        "imported {} from {} ({}) to {out}{skipped}",
        quantity(manifest.games, "game"),
        quantity(manifest.sources.files, "file"),
        megabytes(bytes)
    ));
    if manifest.games == 0 {
        bail!("no game was found: name SGF files, folders or archives with SGF files");
    }
    Ok(())
}
