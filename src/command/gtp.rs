//! `jigo gtp`: the Go Text Protocol on standard input and output.

use std::io;

use clap::Args;
use jigo_engine::{BoardSize, RuleSet, rules::KomiChoice};
use jigo_selfplay::{
    Policy,
    gtp::{Gtp, GtpOptions, serve},
};

#[derive(Args, Debug)]
pub(crate) struct GtpArgs {
    /// Board size at the start: 9 or 9x13.
    #[arg(long, default_value = "19")]
    size: BoardSize,

    /// Rule set at the start: a name, values joined with +, or KataGo's notation.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    rules: RuleSet,

    /// Komi until a command sets it: a number, or `rules` for that of the rule set, which follows the board size.
    #[arg(long, default_value = "rules", allow_hyphen_values = true)]
    komi: KomiChoice,

    #[arg(long, help = format!("How genmove chooses a move: {}", Policy::SYNTAX), default_value = "eye-safe")]
    policy: Policy,

    /// Seed of the random numbers: the same seed and commands give the same moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &GtpArgs) -> anyhow::Result<()> {
    let &GtpArgs { size, rules, komi, policy, seed } = args;
    let options = GtpOptions { size, rules, komi, policy, seed };
    serve(&mut Gtp::new(&options), io::stdin().lock(), io::stdout().lock())?;
    Ok(())
}
