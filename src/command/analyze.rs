//! `jigo analyze`: measures datasets and game records.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use jigo_analysis::{
    Coverage, RunStats, Study,
    records::{
        Analysis, AnalyzeOptions, FaultWriter, Interrupted, RecordStudy, RecordsError, SourcesRead,
        StatusMethod, analyze,
    },
    report::{ReportFolder, ReportMeta, add_records_report, add_report},
    study::MeasureError,
};
use jigo_selfplay::{
    dataset::{Dataset, DatasetError},
    files::AtomicFile,
};

use super::{merge::MAX_REPORT_BYTES, study};
use crate::{
    args::{CellArgs, ReportArgs, ThreadArgs},
    output::{Failure, group, print_records, print_study, publish, quantity, report_meta, tell, warn},
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
    /// Also let playouts decide what is not proved, and compare the count with the recorded score: tenths of a second for each such game.
    Estimate,
}

/// The list of what could not be read.
const FAULTS: &str = "faults.csv";

/// Where the two reports are, if there are both: each has a report.html.
const RECORDS: &str = "records/";
const DATASETS: &str = "datasets/";

pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    args.threads.start()?;
    check_paths(&args.paths)?;
    let mut folder = args.report.open_folder("analyze")?;
    let meta = report_meta(args.report.komi);
    let cells = args.cells.cells();
    let by = format!("{}, status {:?}, cells {cells:?}", meta.program, args.status);
    let before = earlier_records(&folder, &by)?;
    let earlier_study = earlier_study(&folder, &meta, args.report.force)?;
    let (analysis, faults) = match read_records(args, &folder, before) {
        Err(error) if matches!(error.downcast_ref(), Some(RecordsError::OtherSources)) => {
            tell("the game records are not those that the interrupted command read: measuring them anew");
            read_records(args, &folder, None)?
        }
        other => other?,
    };
    let Analysis { mut records, read, datasets } = analysis;
    let (mut study, planned_games) = measure(&datasets, earlier_study)?;
    let is_interrupted = !read.is_complete || study.games() < planned_games;
    let [has_records, has_datasets] = [records.games(), study.games()].map(|games| games > 0);
    if is_interrupted {
        if !has_records && !has_datasets {
            return Err(Failure::interrupted("no report was written, because no game was measured"));
        }
        records.interrupted = Some(Interrupted { by, read });
        study.planned_games = Some(planned_games);
    } else if !has_records {
        let reason = why_no_game(&records);
        if !has_datasets {
            bail!(reason);
        }
        if records.faults.count() > 0 {
            warn(&reason);
        }
    }
    let place = |name| if has_datasets && has_records { name } else { "" };
    if has_records {
        let place = place(RECORDS);
        folder.add_file(&format!("{place}{FAULTS}"), faults);
        add_records_report(&mut folder, place, &records, &meta, cells)?;
    }
    if has_datasets {
        add_report(&mut folder, place(DATASETS), &study, &meta)?;
    }
    publish(folder, || {
        if has_records {
            print_records(&records, args.report.json)?;
        }
        if has_datasets { print_study(&study, &meta, args.report.json) } else { Ok(()) }
    })?;
    if is_interrupted {
        let measured = quantity(records.games() + study.games(), "game");
        return Err(Failure::interrupted(format!(
            "{measured} are measured; run the same command again for the others"
        )));
    }
    Ok(())
}

/// What an interrupted command measured of game records, and its list of faults.
type Earlier = ((RecordStudy, SourcesRead), Vec<u8>);

/// Returns the game records of the interrupted report in the folder, if there is one by the same program and options.
fn earlier_records(folder: &ReportFolder, by: &str) -> anyhow::Result<Option<Earlier>> {
    for place in [RECORDS, ""] {
        let file = |name| folder.read_sound(&format!("{place}{name}"), MAX_REPORT_BYTES);
        let Some(bytes) = file("records.json")? else { continue };
        let Ok(mut records) = serde_json::from_slice::<RecordStudy>(&bytes) else { continue };
        let Some(Interrupted { by: earlier, read }) = records.interrupted.take() else { continue };
        if earlier != by {
            tell(&format!("the interrupted report is by {earlier}: measuring the game records anew"));
            return Ok(None);
        }
        return Ok(file(FAULTS)?.map(|faults| ((records, read), faults)));
    }
    Ok(None)
}

/// Returns the study of the interrupted report in the folder, if there is one. One of another version is an error unless `is_forced`.
fn earlier_study(folder: &ReportFolder, meta: &ReportMeta, is_forced: bool) -> anyhow::Result<Study> {
    let studies = [DATASETS, ""].map(|place| study::earlier(folder, place, meta, is_forced));
    let studies = studies.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(studies.into_iter().find(|study| study.planned_games.is_some()).unwrap_or_default())
}

/// Measures game records, those that are not measured yet, until the command is interrupted. Also returns the list of faults.
fn read_records(
    args: &AnalyzeArgs,
    folder: &ReportFolder,
    before: Option<Earlier>,
) -> anyhow::Result<(Analysis, AtomicFile)> {
    let (file, cells) = (folder.create(FAULTS)?, args.cells.cells());
    let (before, mut faults) = match before {
        Some((before, faults)) => (before, FaultWriter::resume(file, &faults, cells)?),
        None => (<_>::default(), FaultWriter::new(file, cells)?),
    };
    let status = match args.status {
        StatusArg::Benson => StatusMethod::Benson,
        StatusArg::Search => StatusMethod::Search,
        StatusArg::Estimate => StatusMethod::Estimate,
    };
    let options = AnalyzeOptions { status, ..AnalyzeOptions::default() };
    let progress = progress::stoppable_reading();
    let analysis = progress::shown_reading(progress, || {
        analyze(&args.paths, &options, before, progress, &mut |fault| faults.write(fault))
    })?;
    Ok((analysis, faults.into_inner().context("cannot write the list of faults")?))
}

/// Measures datasets, but for the games that were measured `before`, until the command is interrupted. Also returns how many games they have.
fn measure(paths: &[PathBuf], mut before: Study) -> anyhow::Result<(Study, u64)> {
    let datasets = paths.iter().map(|path| Dataset::open(path)).collect::<Result<Vec<_>, _>>()?;
    // Without counts.
    let mut planned = Study::default();
    for spec in datasets.iter().map(Dataset::spec) {
        let coverage = Coverage::new(spec.run.seed, 0..spec.games);
        planned.add(RunStats { coverage, ..RunStats::new(spec.run.config) })?;
    }
    before.runs.retain(|run| {
        let planned = planned.runs.iter().find(|planned| planned.config == run.config);
        let is_in = |coverage: &Coverage| {
            run.coverage.ranges().all(|(seed, first, end)| coverage.missing(seed, first..end).is_empty())
        };
        planned.is_some_and(|planned| is_in(&planned.coverage))
    });
    let mut study = Study { runs: before.runs, ..Study::default() };
    let progress = progress::stoppable();
    for (path, dataset) in paths.iter().zip(&datasets) {
        let config = dataset.spec().run.config;
        let known = study.runs.extract_if(.., |run| run.config == config).next();
        let mut stats = known.unwrap_or_else(|| RunStats::new(config));
        let label = path.display().to_string();
        let measured =
            progress::shown(&label, dataset.spec().games, progress, || stats.add_dataset(dataset, progress));
        if stats.games() > 0 {
            study.add(stats)?;
        }
        match measured {
            Ok(()) | Err(MeasureError::Dataset(DatasetError::Stopped)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok((study, planned.runs.iter().map(|run| run.coverage.games()).sum()))
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
