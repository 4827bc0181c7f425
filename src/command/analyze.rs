//! `jigo analyze`: measures datasets and game records.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use jigo_analysis::{
    RunStats, Study,
    records::{AnalyzeOptions, FaultWriter, RecordStudy, RecordsError, StatusMethod, analyze},
    report::{add_records_report, add_report},
};
use jigo_selfplay::dataset::Dataset;

use crate::{
    args::{CellArgs, ReportArgs, ThreadArgs},
    output::{Failure, group, print_records, print_study, publish, report_meta, tell},
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
    cells: CellArgs,

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

/// The list of what could not be read.
const FAULTS: &str = "faults.csv";

pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    args.threads.start()?;
    check_paths(&args.paths)?;
    let mut folder = args.report.open_folder("analyze")?;
    let meta = report_meta(args.report.komi);
    let mut faults = FaultWriter::new(folder.create(FAULTS)?, args.cells.cells())?;
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
    let faults = faults.into_inner().context("cannot write the list of faults")?;
    let mut study = Study::default();
    for path in &analysis.datasets {
        study.add(measure(path)?)?;
    }
    let records = &analysis.records;
    let has_datasets = !analysis.datasets.is_empty();
    let has_records = records.games() > 0;
    if !has_records {
        let reason = why_no_game(records);
        if !has_datasets {
            bail!(reason);
        }
        if records.faults.count() > 0 {
            tell(&format!("warning: {reason}"));
        }
    }
    // Each report has a report.html: two reports get a folder each.
    let place = |name| if has_datasets && has_records { name } else { "" };
    if has_records {
        let place = place("records/");
        folder.add_file(&format!("{place}{FAULTS}"), faults);
        add_records_report(&mut folder, place, records, &meta, args.cells.cells())?;
    }
    if has_datasets {
        add_report(&mut folder, place("datasets/"), &study, &meta)?;
    }
    publish(folder, || {
        if has_records {
            print_records(records, args.report.json)?;
        }
        if has_datasets { print_study(&study, &meta, args.report.json) } else { Ok(()) }
    })
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
