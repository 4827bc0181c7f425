//! `jigo report --compare`: how two runs differ.

use anyhow::{Context as _, bail};
use jigo_analysis::report::{NamedRun, differences_table, write_differences};

use crate::{
    args::CompareArgs,
    command::{merge, report},
    output::{print, tell},
};

pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<()> {
    report::check_folder(&args.report)?;
    let [first, second] = &args.compare[..] else { bail!("give two reports") };
    let paths = [first, second];
    let saved = [merge::read(first)?, merge::read(second)?];
    let names = paths.map(|path| path.display().to_string());
    let run = |index: usize| NamedRun { name: &names[index], saved: &saved[index] };
    let (runs, meta) = ([run(0), run(1)], report::meta(args.report.komi));
    let table = differences_table(runs, &meta);
    if table.is_empty() {
        bail!(
            "nothing to compare: the two have no board size in common, or several rule sets or policies of which none is in both"
        );
    }
    let out = &args.report.out;
    let files = write_differences(out, runs, &meta).with_context(|| report::cannot_write(out))?;
    if args.report.json {
        print(&std::fs::read_to_string(&files[2])?)?;
    } else {
        print(&table)?;
    }
    tell(&format!("report: {}", files[0].display()));
    Ok(())
}
