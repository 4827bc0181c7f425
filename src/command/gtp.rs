//! `jigo gtp`: the Go Text Protocol on standard input and output.

use std::io;

use clap::Args;
use jigo_engine::{BoardSize, Komi, Rules};
use jigo_selfplay::{
    Policy,
    gtp::{Gtp, GtpOptions, serve},
};

use crate::args::NamedRules;

#[derive(Args, Debug)]
pub(crate) struct GtpArgs {
    /// Board size at the start: 9 or 9x13.
    #[arg(long, default_value = "19")]
    size: BoardSize,

    /// Rule set at the start: a name, values joined with +, or KataGo's notation.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    rules: Rules,

    /// Komi at the start [default: the rule set's].
    #[arg(long, allow_hyphen_values = true)]
    komi: Option<Komi>,

    #[arg(long, help = format!("How genmove chooses a move: {}", Policy::SYNTAX), default_value = "eye-safe")]
    policy: Policy,

    /// Seed of the random numbers: the same seed and commands give the same moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &GtpArgs) -> anyhow::Result<()> {
    let &GtpArgs { size, rules, komi, policy, seed } = args;
    let komi = komi.unwrap_or_else(|| NamedRules::from(rules).default_komi(size));
    let options = GtpOptions { size, rules, komi, policy, seed };
    serve(&mut Gtp::new(&options), io::stdin().lock(), io::stdout().lock())?;
    Ok(())
}
