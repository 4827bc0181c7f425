//! `jigo gtp`: the Go Text Protocol on standard input and output.

use std::io;

use jigo_engine::{Komi, rules::Preset};
use jigo_selfplay::gtp::{Gtp, GtpOptions, serve};

use crate::args::GtpArgs;

pub(crate) fn run(args: &GtpArgs) -> anyhow::Result<()> {
    let &GtpArgs { size, rules, komi, policy, seed } = args;
    let usual = || rules.preset().map_or(Komi::ZERO, |preset: Preset| preset.default_komi(size));
    let options = GtpOptions { size, rules, komi: komi.unwrap_or_else(usual), policy, seed };
    serve(&mut Gtp::new(&options), io::stdin().lock(), io::stdout().lock())?;
    Ok(())
}
