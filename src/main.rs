//! The `jigo` command: arguments, then one call into a crate.

mod args;
mod command;
mod config;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;

use crate::output::{Failure, is_closed_pipe};

/// Exit status for problems in what was read or done.
const FAILED: u8 = 1;
/// Exit status after Ctrl-C, as shells expect it.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match command::run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let status = match error.downcast_ref::<Failure>() {
                Some(Failure::Interrupted(_)) => INTERRUPTED,
                _ => FAILED,
            };
            output::complain(&error);
            ExitCode::from(status)
        }
    }
}
