//! `jigo compare`: shows how two runs differ.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use jigo_analysis::report::{NamedRun, add_differences, differences_json, differences_table};

use super::merge::read_report;
use crate::{
    args::ReportArgs,
    output::{print, print_json_text, publish, report_meta},
};

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// The report of the first run: its folder or report.json.
    #[arg(value_name = "A")]
    first: PathBuf,

    /// The report of the other run, for instance of another version, policy or rule set. Runs on the same board size are compared.
    #[arg(value_name = "B")]
    second: PathBuf,

    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<()> {
    let mut folder = args.report.open_folder("compare")?;
    let [first, second] = [&args.first, &args.second];
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
    add_differences(&mut folder, runs, &meta)?;
    publish(folder, || {
        if args.report.json { print_json_text(&differences_json(runs, &meta)) } else { print(&table) }
    })
}
