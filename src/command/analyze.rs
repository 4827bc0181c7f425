//! `jigo analyze`: measure what was played elsewhere.

use crate::args::AnalyzeArgs;

pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let _ = args;
    Ok(())
}
