//! The arguments of `jigo completions` and `jigo man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell that shall complete commands and options.
    pub(crate) shell: Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder, jigo.1, jigo-study.1 and so on, in place of printing the first.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
