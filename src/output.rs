//! Standard output, messages on standard error, and reports.

use std::{
    env,
    io::{self, Write as _},
    path::Path,
};

use anyhow::{Context as _, bail};
pub(crate) use jigo_analysis::stats::{fixed, group, quantity};
use jigo_analysis::{
    Study,
    records::{RecordStudy, records_summary, write_records_json},
    report::{Program, ReportMeta, summary_for_width, summary_json, write_records_report, write_report},
};
use jigo_engine::rules::KomiChoice;

use crate::args::{COMMIT, ReportArgs, VERSION};

/// Ends of a command that are not errors of the program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Ctrl-C. The text says what was kept and how to continue.
    #[error("interrupted: {0}")]
    Interrupted(String),
    /// The command did its work and found problems, which it has printed.
    #[error("{0}")]
    ProblemsFound(String),
}

impl Failure {
    pub(crate) fn interrupted(advice: impl Into<String>) -> anyhow::Error {
        Self::Interrupted(advice.into()).into()
    }
}

/// Prints results. The usual error is a closed pipe, which ends the command without a message.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// Writes a number of bytes in megabytes: `1.5 MB`.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{} MB", fixed(bytes as f64 / 1e6, 1))
}

/// Prints indented JSON.
pub(crate) fn print_json(value: &serde_json::Value) -> anyhow::Result<()> {
    print(&format!("{value:#}\n"))
}

/// Prints a message on standard error, if anybody reads that.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints an error with its causes, but each text only once: some errors repeat the text of their cause.
pub(crate) fn print_error(error: &anyhow::Error) {
    let mut text = String::from("error");
    for cause in error.chain().map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    tell(&text);
}

/// Returns whether the error comes from a reader that went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}

/// Returns the width of the terminal that shows the results; without a terminal there is no limit.
pub(crate) fn terminal_width() -> usize {
    let (_, columns) = console::Term::stdout().size_checked().unwrap_or((0, u16::MAX));
    columns.into()
}

/// Refuses a path that cannot become the folder of a report, before any work is done.
pub(crate) fn check_report_folder(args: &ReportArgs) -> anyhow::Result<()> {
    let out = &args.out;
    if out.exists() && !out.is_dir() {
        bail!("{} is a file: choose a folder for the report with --out", out.display());
    }
    Ok(())
}

/// Writes the report of a study to a folder and prints the summary.
pub(crate) fn publish_study(study: &Study, out: &Path, args: &ReportArgs) -> anyhow::Result<()> {
    let meta = report_meta(args.komi);
    write_report(out, study, &meta).with_context(|| cannot_write_report(out))?;
    if args.json {
        print(&String::from_utf8_lossy(&summary_json(study, &meta)))?;
    } else {
        print(&summary_for_width(study, args.komi, terminal_width()))?;
    }
    tell_report(out);
    Ok(())
}

/// Writes the report of game records to a folder and prints the summary.
pub(crate) fn publish_records(records: &RecordStudy, out: &Path, args: &ReportArgs) -> anyhow::Result<()> {
    write_records_report(out, records, &report_meta(args.komi)).with_context(|| cannot_write_report(out))?;
    if args.json {
        let mut bytes = Vec::new();
        write_records_json(records, &mut bytes)?;
        print(&format!("{}\n", String::from_utf8_lossy(&bytes)))?;
    } else {
        print(&records_summary(records))?;
    }
    tell_report(out);
    Ok(())
}

fn tell_report(out: &Path) {
    tell(&format!("report: {}", out.join("report.html").display()));
}

pub(crate) fn cannot_write_report(out: &Path) -> String {
    format!("cannot write the report to {}: choose another folder with --out", out.display())
}

/// Returns what a report says about the program that wrote it and the command that was given.
pub(crate) fn report_meta(komi: KomiChoice) -> ReportMeta {
    let program = Program { version: VERSION.to_owned(), commit: COMMIT.to_owned() };
    ReportMeta { command_line: command_line(), program, komi }
}

/// Returns the command as a shell reads it.
fn command_line() -> String {
    let quoted = |word: String| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+.,:/".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let arguments = env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("jigo".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}
