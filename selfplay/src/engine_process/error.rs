//! What can go wrong with a program that speaks GTP.

use std::{io, time::Duration};

/// Why a GTP program gave no usable answer. Every message names the program, and the command where there was one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A command line without a program, or with a quote that is not closed.
    #[error(
        "`{program}` is not a command line: write the program and its arguments, quoted as in a shell where they hold blanks"
    )]
    BadCommandLine {
        /// The text.
        program: String,
    },
    /// The operating system did not start it.
    #[error("cannot start `{program}`: {source}. Check that it is installed and its path is right")]
    NotStarted {
        /// The command line.
        program: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// It answered with GTP's failure. The program can be asked on.
    #[error("`{program}` refused `{command}`: {message}")]
    Refused {
        /// The command line.
        program: String,
        /// What was asked.
        command: String,
        /// The text of the failure.
        message: String,
    },
    /// It ended, or closed its input or output, before it had answered.
    #[error("`{program}` ended before it had answered `{command}` ({end}){}", last_words(stderr))]
    Ended {
        /// The command line.
        program: String,
        /// What was asked.
        command: String,
        /// How it ended.
        end: String,
        /// Its last lines on standard error.
        stderr: Vec<String>,
    },
    /// No complete answer came in time; it was killed.
    #[error("`{program}` did not answer `{command}` in {} s and was killed{}", limit.as_secs_f64(), last_words(stderr))]
    TimedOut {
        /// The command line.
        program: String,
        /// What was asked.
        command: String,
        /// The time that it had.
        limit: Duration,
        /// Its last lines on standard error.
        stderr: Vec<String>,
    },
    /// What it said is no answer of GTP, or was not asked for; it was killed.
    #[error("`{program}` answered `{command}` with `{said}`, which is no GTP answer{}", last_words(stderr))]
    Garbage {
        /// The command line.
        program: String,
        /// What was asked.
        command: String,
        /// What it said, shortened.
        said: String,
        /// Its last lines on standard error.
        stderr: Vec<String>,
    },
    /// Stopped by [`Progress::stop`](crate::Progress::stop); the program was killed.
    #[error("stopped on request")]
    Stopped,
}

/// The last lines on standard error, for the end of a message.
fn last_words(stderr: &[String]) -> String {
    if stderr.is_empty() { String::new() } else { format!("; its last words: {}", stderr.join(" / ")) }
}
