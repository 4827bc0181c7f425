//! The `jigo` command.

mod args;
mod command;
mod input;
mod output;
mod progress;

use std::process::ExitCode;

use crate::output::{Failure, is_closed_pipe, is_wrong_arguments};

/// Exit status when the command failed or found problems.
const FAILED: u8 = 1;
/// Exit status when the arguments alone are wrong, as where they cannot be parsed.
const WRONG_ARGUMENTS: u8 = 2;
/// Exit status after Ctrl-C, as shells expect it.
const INTERRUPTED: u8 = 130;

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error like others, where it would end the process by a signal. Threads that start
/// later inherit it; other programs do not.
#[cfg(unix)]
fn refuse_size_signal() {
    let mut signals = nix::sys::signal::SigSet::empty();
    signals.add(nix::sys::signal::Signal::SIGXFSZ);
    // Without it the signal ends the process: files are whole or absent all the same.
    _ = signals.thread_block();
}

fn main() -> ExitCode {
    #[cfg(unix)]
    refuse_size_signal();
    match command::Cli::read().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let status = match error.downcast_ref::<Failure>() {
                Some(Failure::Interrupted(_)) => INTERRUPTED,
                _ if is_wrong_arguments(&error) => WRONG_ARGUMENTS,
                _ => FAILED,
            };
            output::print_error(&error);
            ExitCode::from(status)
        }
    }
}
