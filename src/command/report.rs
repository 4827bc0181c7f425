//! Publishing the results of a study: files in a folder, a summary on standard output.

use std::{env, path::Path};

use anyhow::{Context as _, bail};
use jigo_analysis::{
    Study,
    records::{RecordStudy, records_summary, write_records_json},
    report::{ReportMeta, summary_for_width, summary_json, write_records_report, write_report},
};
use jigo_engine::Komi;

use crate::{
    args::ReportArgs,
    config::{COMMIT, VERSION},
    output::{print, tell},
};

/// Refuses a path that cannot become a folder, before anything is played.
pub(crate) fn check_folder(args: &ReportArgs) -> anyhow::Result<()> {
    let out = &args.out;
    if out.exists() && !out.is_dir() {
        bail!("{} is a file: choose a folder for the report with --out", out.display());
    }
    Ok(())
}

/// Writes the report and prints the summary: a table, or JSON if that is asked for.
pub(crate) fn publish(study: &Study, out: &Path, args: &ReportArgs) -> anyhow::Result<()> {
    let meta = meta(args.komi);
    write_report(out, study, &meta).with_context(|| cannot_write(out))?;
    let summary = if args.json {
        summary_json(study, &meta)
    } else {
        summary_for_width(study, args.komi, terminal_width()).into_bytes()
    };
    print(&String::from_utf8_lossy(&summary))?;
    tell(&format!("report: {}", out.join("report.html").display()));
    Ok(())
}

/// Writes the report of game records and prints the summary.
pub(crate) fn publish_records(records: &RecordStudy, out: &Path, args: &ReportArgs) -> anyhow::Result<()> {
    write_records_report(out, records, &meta(args.komi)).with_context(|| cannot_write(out))?;
    if args.json {
        let mut bytes = Vec::new();
        write_records_json(records, &mut bytes)?;
        print(&format!("{}\n", String::from_utf8_lossy(&bytes)))?;
    } else {
        print(&records_summary(records))?;
    }
    tell(&format!("report: {}", out.join("report.html").display()));
    Ok(())
}

pub(crate) fn meta(komi: Komi) -> ReportMeta {
    ReportMeta { command_line: command_line(), version: VERSION.to_owned(), commit: COMMIT.to_owned(), komi }
}

pub(crate) fn cannot_write(out: &Path) -> String {
    format!("cannot write the report to {}: choose another folder with --out", out.display())
}

/// Columns of the terminal that shows the results; anything else takes the whole table.
pub(crate) fn terminal_width() -> usize {
    let (_, columns) = console::Term::stdout().size_checked().unwrap_or((0, u16::MAX));
    columns.into()
}

/// The command as it was given, with words that need it in quotes.
fn command_line() -> String {
    let quoted = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+.,:/".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let arguments = env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("jigo".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}
