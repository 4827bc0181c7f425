//! `jigo analyze`: measure what was played elsewhere, datasets and real game records.

use std::{
    fs::{self, File},
    io::{self, BufWriter},
    path::Path,
};

use anyhow::{Context as _, bail};
use jigo_analysis::{
    AnalyzeError, AnalyzeOptions, Cell, FaultWriter, RecordStudy, Study, analyze, records_summary,
    write_records_csv, write_records_json, write_repetitions_csv,
};
use jigo_selfplay::dataset::Dataset;

use crate::{
    args::AnalyzeArgs,
    command::report,
    config,
    output::{Failure, print, tell},
    progress,
};

pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    config::use_threads(args.threads)?;
    report::check_folder(&args.out)?;
    if let Some(missing) = args.paths.iter().find(|path| !path.exists()) {
        bail!("{} does not exist: name datasets, SGF files, folders or archives", missing.display());
    }
    fs::create_dir_all(&args.out).with_context(|| format!("cannot create {}", args.out.display()))?;
    let faults_path = args.out.join("faults.csv");
    let mut faults = FaultWriter::new(create(&faults_path)?)?;
    let progress = progress::stoppable_reading();
    let analysis = progress::shown_reading(progress, || {
        analyze(&args.paths, &AnalyzeOptions::default(), progress, &mut |fault| faults.write(fault))
    });
    let analysis = match analysis {
        Err(AnalyzeError::Stopped) => {
            return Err(Failure::Interrupted("no report was written".to_owned()).into());
        }
        other => other?,
    };
    faults.flush().with_context(|| format!("cannot write {}", faults_path.display()))?;
    let mut study = Study::default();
    for path in &analysis.datasets {
        study.add(measure(path)?)?;
    }
    if analysis.records.games() > 0 || analysis.records.faults.count() > 0 || study.cells.is_empty() {
        publish_records(&analysis.records, args)?;
    } else {
        fs::remove_file(&faults_path)?;
    }
    if !study.cells.is_empty() {
        report::publish(&study, &args.out, args.komi, args.json)?;
    }
    Ok(())
}

fn measure(path: &Path) -> anyhow::Result<Cell> {
    let dataset = Dataset::open(path)?;
    let progress = progress::stoppable();
    let label = path.display().to_string();
    let cell =
        progress::shown(&label, dataset.spec().games, progress, || Cell::of_dataset(&dataset, progress));
    if progress.is_stopped() {
        return Err(Failure::Interrupted("no report was written".to_owned()).into());
    }
    Ok(cell?)
}

fn publish_records(records: &RecordStudy, args: &AnalyzeArgs) -> anyhow::Result<()> {
    write(&args.out.join("records.csv"), |file| write_records_csv(records, file))?;
    write(&args.out.join("record_repetitions.csv"), |file| write_repetitions_csv(records, file))?;
    write(&args.out.join("records.json"), |file| write_records_json(records, file))?;
    if args.json {
        let mut json = Vec::new();
        write_records_json(records, &mut json)?;
        print(&String::from_utf8_lossy(&json))?;
    } else {
        print(&records_summary(records))?;
    }
    tell(&format!("tables and the list of faults: {}", args.out.display()));
    Ok(())
}

fn create(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(BufWriter::new(file))
}

fn write(path: &Path, content: impl FnOnce(BufWriter<File>) -> io::Result<()>) -> anyhow::Result<()> {
    content(create(path)?).with_context(|| format!("cannot write {}", path.display()))
}
