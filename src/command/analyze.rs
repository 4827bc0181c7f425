//! `jigo analyze`: measure what was played elsewhere, datasets and real game records.

use std::{
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use jigo_analysis::{
    RunStats, Study,
    records::{AnalyzeError, AnalyzeOptions, FaultWriter, StatusMethod, analyze},
};
use jigo_selfplay::dataset::Dataset;

use crate::{
    args::{AnalyzeArgs, StatusArg},
    command::report,
    config,
    output::Failure,
    progress,
};

pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    config::use_threads(&args.threads)?;
    report::check_folder(&args.report)?;
    check_paths(&args.paths)?;
    fs::create_dir_all(&args.report.out)
        .with_context(|| format!("cannot create {}", args.report.out.display()))?;
    // Under another name until all is read, so that an earlier list is not lost when this run is interrupted.
    let partial = args.report.out.join("faults.csv.partial");
    let result = analyze_all(args, &partial);
    if result.is_err() {
        // Best effort: what matters is the error that came first.
        _ = fs::remove_file(&partial);
    }
    result
}

/// Measures everything and writes the reports, and meanwhile the list of faults to a file of its own.
fn analyze_all(args: &AnalyzeArgs, partial: &Path) -> anyhow::Result<()> {
    let mut faults = FaultWriter::new(create(partial)?)?;
    let status = match args.status {
        StatusArg::Benson => StatusMethod::Benson,
        StatusArg::Search => StatusMethod::Search,
    };
    let options = AnalyzeOptions { status, ..AnalyzeOptions::default() };
    let progress = progress::stoppable_reading();
    let analysis = progress::shown_reading("analyze", progress, || {
        analyze(&args.paths, &options, progress, &mut |fault| faults.write(fault))
    });
    let analysis = match analysis {
        Err(AnalyzeError::Stopped) => {
            return Err(Failure::Interrupted("no report was written".to_owned()).into());
        }
        other => other?,
    };
    faults.flush().with_context(|| format!("cannot write {}", partial.display()))?;
    let mut study = Study::default();
    for path in &analysis.datasets {
        study.add(measure(path)?)?;
    }
    let records = &analysis.records;
    let has_records = records.games() > 0 || records.faults.count() > 0;
    let has_datasets = !study.cells.is_empty();
    // Each has a report.html: where there are both, each has a folder.
    let folder =
        |name| if has_records && has_datasets { args.report.out.join(name) } else { args.report.out.clone() };
    if has_records {
        let out = folder("records");
        fs::create_dir_all(&out)?;
        fs::rename(partial, out.join("faults.csv"))?;
        report::publish_records(records, &out, &args.report)?;
    } else {
        fs::remove_file(partial)?;
    }
    if has_datasets {
        report::publish(&study, &folder("datasets"), &args.report)?;
    }
    match (has_records, has_datasets) {
        (false, false) => {
            bail!("no game was found: name datasets, SGF files, folders or archives with SGF files")
        }
        (true, false) if records.games() == 0 => {
            bail!("no game was measured; {}/faults.csv says why", args.report.out.display())
        }
        _ => Ok(()),
    }
}

/// Refuses paths that are not there.
pub(crate) fn check_paths(paths: &[PathBuf]) -> anyhow::Result<()> {
    match paths.iter().find(|path| !path.exists()) {
        Some(missing) => {
            bail!("{} does not exist: name datasets, SGF files, folders or archives", missing.display())
        }
        None => Ok(()),
    }
}

fn measure(path: &Path) -> anyhow::Result<RunStats> {
    let dataset = Dataset::open(path)?;
    let progress = progress::stoppable();
    let label = path.display().to_string();
    let cell =
        progress::shown(&label, dataset.spec().games, progress, || RunStats::of_dataset(&dataset, progress));
    if progress.is_stopped() {
        return Err(Failure::Interrupted("no report was written".to_owned()).into());
    }
    Ok(cell?)
}

fn create(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(BufWriter::new(file))
}
