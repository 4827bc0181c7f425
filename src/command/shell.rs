//! `jigo completions` and `jigo man`: what shells and the manual need.

use std::{fs, path::PathBuf};

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Cli, help};
use crate::output::{print, tell};

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell that completes commands and options.
    shell: Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Instead of printing the first page, write a page for each command to this folder: jigo.1, jigo-study.1 and so on.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn print_completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut help::complete(Cli::command(), help::MAX_COLUMNS),
        "jigo",
        &mut script,
    );
    print(&String::from_utf8(script)?)
}

pub(crate) fn write_manual(args: &ManArgs) -> anyhow::Result<()> {
    // `jigo help` has no options, and its text is in these pages.
    let command = help::complete(Cli::command(), help::MAX_COLUMNS).disable_help_subcommand(true);
    let Some(dir) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return print(&String::from_utf8(page)?);
    };
    fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir)).with_context(|| {
        format!("cannot write into {}: give a folder that you may write to", dir.display())
    })?;
    tell(&format!("manual pages: {}", dir.join("jigo.1").display()));
    Ok(())
}
