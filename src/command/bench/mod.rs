//! `jigo bench`: how fast games are played, by each means, and that these are the same games. The method is explained in `docs/benchmarks.md`.

mod group;
mod json;
mod line;
mod sums;
mod table;

use std::path::Path;

use anyhow::{Context as _, bail};
use jigo_selfplay::{Backend, RunConfig, Stopped};

use crate::{
    args::BenchArgs,
    command::report::terminal_width,
    config::{MeansChoice, RuleSets, ThreadChoice, each_once},
    output::{Failure, print},
    progress,
};

use group::Group;

pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let groups = groups(args)?;
    if let Some(file) = &args.json {
        check_file(file)?;
    }
    let progress = progress::stoppable();
    let mut lines = Vec::new();
    let mut is_complete = true;
    for group in &groups {
        match group.measure(args, progress, &mut lines) {
            Ok(()) => {}
            Err(error) if error.is::<Stopped>() => {
                is_complete = false;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    lines.retain(|line| !line.seconds.is_empty());
    let json = || json::document(args, &lines, is_complete);
    match args.json.as_deref() {
        Some(file) if is_standard_output(file) => print(&json())?,
        file => {
            // First the file, which is not to be lost when nobody reads the table.
            let written = file.map(|file| std::fs::write(file, json()).with_context(|| cannot_write(file)));
            print(&table::for_width(&lines, terminal_width()))?;
            written.transpose()?;
        }
    }
    if is_complete {
        return Ok(());
    }
    let kept = match lines.len() {
        0 => "nothing was measured until then".to_owned(),
        1 => "1 line was measured until then, perhaps less often than asked for".to_owned(),
        count => format!("{count} lines were measured until then, some perhaps less often than asked for"),
    };
    Err(Failure::Interrupted(kept).into())
}

/// Every size under every rule set with every policy and every number of threads, each once.
fn groups(args: &BenchArgs) -> anyhow::Result<Vec<Group>> {
    let available: Vec<Backend> = Backend::available().collect();
    let rule_sets = RuleSets::expand(&args.rules);
    let needs = each_once(args.needs.iter().copied());
    let mut groups = Vec::new();
    for &size in &args.size {
        for &rules in &rule_sets {
            for &policy in &args.policy {
                let spec = RunConfig::new(size, rules, policy).seed(args.seed);
                let means = MeansChoice::expand(&args.means, &available, &spec)?;
                for threads in ThreadChoice::expand(&args.threads) {
                    let ways = needs.iter().flat_map(|&needs| means.iter().map(move |&means| (means, needs)));
                    groups.push(Group { spec, threads, ways: ways.collect() });
                }
            }
        }
    }
    Ok(each_once(groups))
}

/// Refuses a path that cannot become a file, before anything is played.
fn check_file(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if file.is_dir() {
        bail!("{} is a folder: name a file with --json", file.display());
    }
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let (file, folder) = (file.display(), folder.display());
        bail!("cannot write {file}: there is no folder {folder}; make it or name another file with --json");
    }
    Ok(())
}

fn cannot_write(file: &Path) -> String {
    format!("cannot write {}; name another file with --json", file.display())
}

fn is_standard_output(file: &Path) -> bool {
    file == Path::new("-")
}
