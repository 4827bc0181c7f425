//! `jigo completions`: what shells need to complete commands and options.

use clap::CommandFactory as _;

use crate::{
    args::{Cli, CompletionsArgs},
    output::print,
};

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "jigo", &mut script);
    print(&String::from_utf8(script)?)
}
