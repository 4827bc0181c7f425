//! The `jigo` command.

mod args;
mod command;
mod input;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;

use crate::output::{Failure, is_closed_pipe};

/// Exit status when the command failed or found problems.
const FAILED: u8 = 1;
/// Exit status after Ctrl-C, as shells expect it.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    match command::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let status = match error.downcast_ref::<Failure>() {
                Some(Failure::Interrupted(_)) => INTERRUPTED,
                _ => FAILED,
            };
            output::print_error(&error);
            ExitCode::from(status)
        }
    }
}
