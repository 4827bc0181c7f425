//! `jigo man`: manual pages.

use std::{fs, path::Path};

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::{
    args::{Cli, ManArgs},
    output::{print, tell},
};

pub(crate) fn run(args: &ManArgs) -> anyhow::Result<()> {
    match &args.out {
        Some(dir) => write_all(dir).with_context(|| {
            format!("cannot write into {}: give a folder that you may write to", dir.display())
        }),
        None => {
            let mut page = Vec::new();
            Man::new(command()).render(&mut page)?;
            print(&String::from_utf8(page)?)
        }
    }
}

/// Writes `jigo.1` and a page for each command.
fn write_all(dir: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(dir)?;
    clap_mangen::generate_to(command(), dir)?;
    tell(&format!("manual pages: {}", dir.join("jigo.1").display()));
    Ok(())
}

/// `jigo help` is left out: it has no options, and pages are the help here.
fn command() -> clap::Command {
    Cli::command().disable_help_subcommand(true)
}
