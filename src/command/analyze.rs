//! `jigo analyze`: measures datasets and game records.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use jigo_analysis::{
    RunStats, Study,
    records::{AnalyzeOptions, FaultWriter, RecordStudy, RecordsError, StatusMethod, analyze},
};
use jigo_selfplay::{dataset::Dataset, files::AtomicFile};

use crate::{
    args::{ReportArgs, ThreadArgs},
    output::{Failure, check_report_folder, group, publish_records, publish_study, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct AnalyzeArgs {
    /// Datasets, imported games, SGF files, folders, archives (tar, tar.gz, tar.xz, zip).
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// How to find the status of groups in the final positions of game records.
    #[arg(long, value_name = "HOW", default_value = "benson")]
    status: StatusArg,

    #[command(flatten)]
    report: ReportArgs,

    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StatusArg {
    /// Unconditional life only: fast, but most chains stay unknown, because people stop early.
    Benson,
    /// Also search for proofs in games that the players scored: tens of milliseconds for each such game.
    Search,
}

pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    args.threads.start()?;
    check_report_folder(&args.report)?;
    check_paths(&args.paths)?;
    let out = &args.report.out;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    // Written aside until everything is read, so that an interrupted run does not lose an earlier list.
    let path = out.join("faults.csv");
    let cannot_write = || format!("cannot write {}", path.display());
    AtomicFile::remove_stale(out).with_context(cannot_write)?;
    let faults = AtomicFile::create(&path).with_context(cannot_write)?;
    let mut faults = FaultWriter::new(faults)?;
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
        Err(RecordsError::Stopped) => return Err(Failure::interrupted("no report was written")),
        other => other?,
    };
    let faults = faults.into_inner().with_context(cannot_write)?;
    let mut study = Study::default();
    for path in &analysis.datasets {
        study.add(measure(path)?)?;
    }
    let records = &analysis.records;
    let has_datasets = !analysis.datasets.is_empty();
    // Each report has a report.html: two reports get a folder each.
    if records.games() == 0 {
        drop(faults);
        let reason = why_no_game(records);
        if !has_datasets {
            // Nothing is in the folder unless it was there before.
            let _ = fs::remove_dir(out);
            bail!(reason);
        }
        if records.faults.count() > 0 {
            tell(&format!("warning: {reason}"));
        }
        return publish_study(&study, out, &args.report);
    }
    let folder = |name| if has_datasets { args.report.out.join(name) } else { args.report.out.clone() };
    let records_out = folder("records");
    fs::create_dir_all(&records_out)?;
    faults.persist(&records_out.join("faults.csv")).with_context(cannot_write)?;
    publish_records(records, &records_out, &args.report)?;
    if has_datasets {
        publish_study(&study, &folder("datasets"), &args.report)?;
    }
    Ok(())
}

/// Says why no game record was measured.
fn why_no_game(records: &RecordStudy) -> String {
    /// The most reasons that are listed.
    const MAX_REASONS: usize = 5;
    let count = records.faults.count();
    if count == 0 {
        return "no game was found: name datasets, SGF files, folders or archives with SGF files".to_owned();
    }
    let reasons = records.faults.first().take(MAX_REASONS);
    let reasons: String = reasons.map(|fault| format!("\n  {}: {}", fault.file, fault.text)).collect();
    let more = match count.saturating_sub(MAX_REASONS as u64) {
        0 => String::new(),
        more => format!("\n  and {} more", group(more)),
    };
    format!("no game record could be used:{reasons}{more}")
}

/// Refuses paths that do not exist.
pub(super) fn check_paths(paths: &[PathBuf]) -> anyhow::Result<()> {
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        bail!("{} does not exist: name datasets, SGF files, folders or archives", missing.display());
    }
    Ok(())
}

fn measure(path: &Path) -> anyhow::Result<RunStats> {
    let dataset = Dataset::open(path)?;
    let progress = progress::stoppable();
    let label = path.display().to_string();
    let stats = progress::shown(&label, dataset.spec().games, progress, || {
        RunStats::from_dataset(&dataset, progress)
    });
    if progress.is_stopped() {
        return Err(Failure::interrupted("no report was written"));
    }
    Ok(stats?)
}
