//! What goes to standard output and standard error.

use std::io::{self, Write as _};

use anyhow::Context as _;
pub(crate) use jigo_analysis::report::{group, quantity};

/// Ends of a command that are not errors of the program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Ctrl-C; the text says what is kept and how to go on.
    #[error("interrupted: {0}")]
    Interrupted(String),
    /// The command did its work and found problems, which it has printed.
    #[error("{0}")]
    ProblemsFound(String),
}

/// Prints results. An error here is usually a closed pipe, which ends the command without complaint.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// Tells something to people. Nobody listening is no error.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints an error with its causes, each said once: some errors repeat their cause in their own words.
pub(crate) fn complain(error: &anyhow::Error) {
    let mut text = String::from("error");
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    tell(&text);
}

/// Whether the error comes from a reader that went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}
