//! Standard output, messages on standard error, and reports.
//!
//! Everything that the command says goes through here, except the answers of `jigo gtp`. Text from files, programs and arguments may be in all of it, so
//! that what terminals obey is escaped, also where the output is not a terminal.

use std::{
    env,
    io::{self, Write as _},
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Context as _;
use console::measure_text_width;
pub(crate) use jigo_analysis::stats::{fixed, group, quantity};
use jigo_analysis::{
    Study,
    records::{RecordStudy, records_summary, write_records_json},
    report::{Program, ReportFolder, ReportMeta, summary_for_width, summary_json},
};
use jigo_engine::{count::CountError, game::NoSuchHandicap, rules::KomiChoice};
use jigo_selfplay::{
    conformance::CheckError,
    matches::MatchError,
    search::TreeTooLarge,
    terminal::{printable_json, printable_lines},
};

use crate::args::{COMMIT, VERSION};

/// Ends of a command that are not errors of the program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Ctrl-C. The text says what was kept and how to continue.
    #[error("interrupted: {0}")]
    Interrupted(String),
    /// The arguments do not go together, whatever files and programs there are.
    #[error("{0}")]
    WrongArguments(String),
    /// The command did its work and found problems, which it has printed.
    #[error("{0}")]
    ProblemsFound(String),
}

impl Failure {
    pub(crate) fn interrupted(advice: impl Into<String>) -> anyhow::Error {
        Self::Interrupted(advice.into()).into()
    }

    pub(crate) fn wrong_arguments(reason: impl Into<String>) -> anyhow::Error {
        Self::WrongArguments(reason.into()).into()
    }
}

/// Prints results for people. The usual error is a closed pipe, which ends the command without a message.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_trusted(&wrapped(&printable_lines(text), terminal_width()))
}

/// Prints text that holds nothing from outside, with the colours that jigo gave it.
pub(crate) fn print_trusted(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// Writes a number of bytes in megabytes: `1.5 MB`.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{} MB", fixed(bytes as f64 / 1e6, 1))
}

/// Prints indented JSON.
pub(crate) fn print_json(value: &serde_json::Value) -> anyhow::Result<()> {
    print_json_text(&format!("{value:#}\n"))
}

/// Prints JSON that was written before. What is escaped is escaped as in JSON, so that its value stays the same.
pub(crate) fn print_json_text(json: &str) -> anyhow::Result<()> {
    print_trusted(&printable_json(json))
}

/// Whether the user wants neither progress nor notes.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out progress and notes from now on.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Returns whether progress and notes are left out.
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints a note on standard error, if anybody wants to read that.
pub(crate) fn tell(text: &str) {
    if !is_quiet() {
        print_message(text);
    }
}

/// Prints a warning on standard error.
pub(crate) fn warn(text: &str) {
    print_message(&format!("warning: {text}"));
}

/// Prints a message on standard error. Nothing is lost if nobody reads it.
pub(crate) fn print_message(text: &str) {
    let text = wrapped(&printable_lines(text), width_of(&console::Term::stderr()));
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
    print_message(&text);
}

/// Returns whether the arguments alone are the error, whatever files and programs there are.
pub(crate) fn is_wrong_arguments(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Failure::WrongArguments(_)))
        || matches!(error.downcast_ref(), Some(MatchError::InvalidSpec(_)))
        || matches!(error.downcast_ref(), Some(CheckError::Size(_)))
        || matches!(
            error.downcast_ref(),
            Some(CountError::TooLarge { .. } | CountError::InfinitelyMany | CountError::FiniteStones)
        )
        || error.is::<NoSuchHandicap>()
        || error.is::<TreeTooLarge>()
}

/// Returns whether the error comes from a reader that went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}

/// Returns the width of the terminal that shows the results. Without a terminal it is that of the variable `COLUMNS`, and otherwise there is no limit.
pub(crate) fn terminal_width() -> usize {
    width_of(&console::Term::stdout())
}

fn width_of(terminal: &console::Term) -> usize {
    let stated = || env::var("COLUMNS").ok()?.parse().ok().filter(|&columns| columns > 0);
    let columns = terminal.size_checked().map(|(_, columns)| columns.into()).or_else(stated);
    columns.unwrap_or(usize::MAX)
}

/// Breaks lines that are too wide for a terminal between words, so that no number is torn. What follows is indented.
pub(crate) fn wrapped(text: &str, columns: usize) -> String {
    let lines = text.split('\n').map(|line| match measure_text_width(line) <= columns {
        true => line.to_owned(),
        false => wrapped_line(line, columns),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn wrapped_line(line: &str, columns: usize) -> String {
    if line.chars().all(|char| char == '─') {
        return line.chars().take(columns).collect();
    }
    // A number and its sign of per cent stay together.
    const TOGETHER: &str = "\u{a0}%";
    let words = line.trim_start().replace(" %", TOGETHER);
    let indent = (line.len() - line.trim_start().len()).min(columns / 3);
    let (mut text, mut width) = (" ".repeat(indent), indent);
    let mut blanks = 0;
    for (place, word) in words.split(' ').enumerate() {
        // Between two words is a blank, and where there are more, the words between those are empty.
        blanks += usize::from(place > 0);
        if word.is_empty() {
            continue;
        }
        let length = measure_text_width(word);
        if place > 0 && width + blanks + length > columns {
            (text, width, blanks) = (format!("{text}\n{}", " ".repeat(indent + 2)), indent + 2, 0);
        }
        text += &format!("{}{word}", " ".repeat(blanks));
        (width, blanks) = (width + blanks + length, 0);
    }
    text.replace(TOGETHER, " %")
}

/// Prints the summary of a study.
pub(crate) fn print_study(study: &Study, meta: &ReportMeta, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        print_json_text(&String::from_utf8_lossy(&summary_json(study, meta)))
    } else {
        print(&summary_for_width(study, meta.komi, terminal_width()))
    }
}

/// Prints the summary of game records.
pub(crate) fn print_records(records: &RecordStudy, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        let mut bytes = Vec::new();
        write_records_json(records, &mut bytes)?;
        print_json_text(&format!("{}\n", String::from_utf8_lossy(&bytes)))
    } else {
        print(&records_summary(records))
    }
}

/// Publishes a report, prints its summary, and says where its pages are. Whoever does not read the summary to its end has the report all the same.
pub(crate) fn publish(
    mut folder: ReportFolder,
    print_summary: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let files = folder.publish()?;
    print_summary()?;
    let pages = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "html"));
    pages.for_each(|page| tell(&format!("report: {}", page.display())));
    Ok(())
}

/// Rounds a share to four decimals, as JSON has it.
pub(crate) fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_lines_break_between_words() {
        assert_eq!(wrapped("12 345 678\n  9\n", 10), "12 345 678\n  9\n");
        assert_eq!(wrapped("12 345 678\n  9 10 1234", 9), "12 345\n  678\n  9 10\n    1234");
        // A row of a table, whose columns are wide.
        assert_eq!(wrapped("wins       100    200", 12), "wins\n  100    200");
        assert_eq!(wrapped("                 A  B", 9), "   A  B");
        assert_eq!(wrapped("────────────", 9), "─────────");
        assert_eq!(wrapped("at 12.5 %", 8), "at\n  12.5 %");
        assert_eq!(wrapped("ab averylongword", 9), "ab\n  averylongword");
        assert_eq!(wrapped("as it is", usize::MAX), "as it is");
    }
}
