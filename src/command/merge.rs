//! `jigo merge`: joins the reports of several parts of a study.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use jigo_analysis::{
    Study,
    report::{Program, SavedStudy, add_report, read_study},
};
use jigo_selfplay::files::{read_file, read_named};

use crate::{
    args::ReportArgs,
    output::{print_study, publish, report_meta},
};

/// The size limit of a `report.json`: thousands of times the usual size.
pub(super) const MAX_REPORT_BYTES: u64 = 1 << 30;

#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// The report.json files (or report folders) of the parts.
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,

    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<()> {
    let mut folder = args.report.open_folder("merge")?;
    let mut study = Study::default();
    let mut first: Option<(&Path, Program)> = None;
    for path in &args.reports {
        let part = read_report(path)?;
        let program = part.program;
        if part.study.planned_games.is_some() {
            bail!("the study of {} was interrupted: run its command again first", path.display());
        }
        match &first {
            Some((other, writer)) if *writer != program => bail!(
                "{} was written by {program}, {} by {writer}: their games may differ. Play all parts with one program",
                path.display(),
                other.display()
            ),
            Some(_) => {}
            None => first = Some((path, program)),
        }
        study
            .merge(part.study)
            .with_context(|| format!("{} cannot be merged with the reports before it", path.display()))?;
    }
    let meta = report_meta(args.report.komi);
    add_report(&mut folder, "", &study, &meta)?;
    publish(folder, || print_study(&study, &meta, args.report.json))
}

/// Reads a `report.json`, given its path or that of its folder.
pub(super) fn read_report(path: &Path) -> anyhow::Result<SavedStudy> {
    let (file, bytes) = if path.is_dir() {
        let file = path.join("report.json");
        if !file.exists() {
            bail!("{} holds no report.json: name reports of `jigo study`, or their folders", path.display());
        }
        let bytes = read_file(&file, MAX_REPORT_BYTES);
        (file, bytes)
    } else {
        (path.to_owned(), read_named(path, MAX_REPORT_BYTES))
    };
    let bytes = bytes.with_context(|| format!("cannot read {}", file.display()))?;
    read_study(&bytes).with_context(|| format!("cannot use {}", file.display()))
}
