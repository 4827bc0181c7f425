//! `jigo merge`: one report of several.

use crate::args::MergeArgs;

pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<()> {
    let _ = args;
    Ok(())
}
