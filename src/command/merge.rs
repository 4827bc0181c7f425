//! `jigo merge`: one report of several.

use std::path::Path;

use anyhow::Context as _;
use jigo_analysis::{Study, read_study};

use crate::{args::MergeArgs, command::report};

pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<()> {
    report::check_folder(&args.report)?;
    let mut study = Study::default();
    for path in &args.reports {
        let part = read(path)?;
        study
            .merge(part)
            .with_context(|| format!("{} cannot be merged with the reports before it", path.display()))?;
    }
    report::publish(&study, &args.report.out, &args.report)
}

/// Reads `report.json`, named itself or by its folder.
fn read(path: &Path) -> anyhow::Result<Study> {
    let file = if path.is_dir() { path.join("report.json") } else { path.to_owned() };
    let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    read_study(&bytes).with_context(|| format!("{} is not a report of `jigo study`", file.display()))
}
