//! `jigo report --compare`: shows how two runs differ.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use jigo_analysis::report::{NamedRun, differences_table, write_differences};

use super::merge::read_report;
use crate::{
    args::ReportArgs,
    output::{cannot_write_report, check_report_folder, print, report_meta, tell},
};

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// The report.json files (or report folders) of two runs, for instance of two versions, policies or rule sets. Runs on the same board
    /// size are compared.
    #[arg(long, required = true, num_args = 2, value_names = ["A", "B"])]
    compare: Vec<PathBuf>,

    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<()> {
    check_report_folder(&args.report)?;
    let [first, second] = &args.compare[..] else { bail!("give two reports") };
    let saved = [read_report(first)?, read_report(second)?];
    let names = [first, second].map(|path| path.display().to_string());
    let runs = [0, 1].map(|index| NamedRun { name: &names[index], saved: &saved[index] });
    let meta = report_meta(args.report.komi);
    let table = differences_table(runs, &meta);
    if table.is_empty() {
        bail!(
            "nothing to compare: the reports share no board size, or each has several rule sets or policies and they share none of these"
        );
    }
    let out = &args.report.out;
    let files = write_differences(out, runs, &meta).with_context(|| cannot_write_report(out))?;
    if args.report.json {
        print(&std::fs::read_to_string(&files[2])?)?;
    } else {
        print(&table)?;
    }
    tell(&format!("report: {}", files[0].display()));
    Ok(())
}
