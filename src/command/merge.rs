//! `jigo merge`: one report of several.

use std::path::Path;

use anyhow::{Context as _, bail};
use jigo_analysis::{
    Study,
    report::{SavedStudy, read_study},
};
use jigo_selfplay::files::read_file;

use crate::{args::MergeArgs, command::report};

/// The most bytes of a `report.json`: thousands of times what usual ones have.
const MAX_REPORT_BYTES: u64 = 1 << 30;

pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<()> {
    report::check_folder(&args.report)?;
    let mut study = Study::default();
    let mut first: Option<(&Path, String)> = None;
    for path in &args.reports {
        let part = read(path)?;
        let program = part.program();
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
    report::publish(&study, &args.report.out, &args.report)
}

/// Reads `report.json`, named itself or by its folder.
pub(crate) fn read(path: &Path) -> anyhow::Result<SavedStudy> {
    let file = if path.is_dir() { path.join("report.json") } else { path.to_owned() };
    let bytes =
        read_file(&file, MAX_REPORT_BYTES).with_context(|| format!("cannot read {}", file.display()))?;
    read_study(&bytes).with_context(|| format!("{} is not a report of `jigo study`", file.display()))
}
