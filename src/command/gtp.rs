//! `jigo gtp`: the Go Text Protocol on standard input and output.

use std::io;

use anyhow::{Context as _, Error};
use clap::Args;
use jigo_engine::{
    BoardSize, RuleSet,
    rules::{Handicap, KomiChoice},
};
use jigo_selfplay::{
    Policy,
    gtp::{Gtp, GtpOptions, serve},
    search::Uct,
};

use crate::{args, output::Failure};

#[derive(Args, Debug)]
pub(crate) struct GtpArgs {
    /// Board size at the start: 9 or 9x13.
    #[arg(short, long, default_value = "19", value_parser = args::suggesting::<BoardSize>())]
    size: BoardSize,

    /// Rule set at the start: a name, values joined with +, or KataGo's notation.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSet>())]
    rules: RuleSet,

    /// Komi until a command sets it: a number, or `rules` for that of the rule set, which follows the board size.
    #[arg(long, default_value = "rules", allow_hyphen_values = true)]
    komi: KomiChoice,

    /// Handicap stones of the first game: 0, or 2 and more. They are placed as by `fixed_handicap`, or by `place_free_handicap` where the rule set
    /// leaves them free; `clear_board` and `boardsize` remove them.
    #[arg(long, value_name = "N", default_value = "0", value_parser = args::handicap())]
    handicap: u32,

    #[arg(short, long, default_value = "eye-safe", value_parser = args::suggesting::<Policy>())]
    #[arg(help = format!("How genmove chooses a move: {}", Policy::SYNTAX))]
    policy: Policy,

    /// Seed of the random numbers: the same seed and commands give the same moves.
    #[arg(long, default_value_t = 1, value_parser = args::seed)]
    seed: u64,

    /// Resign when the chosen move has won less than this percentage of its playouts, twice in a row; only by a policy that searches. Without this
    /// option jigo never resigns.
    #[arg(long, value_name = "PERCENT", value_parser = args::within(1_u32..=50))]
    resign: Option<u32>,
}

pub(crate) fn run(args: &GtpArgs) -> anyhow::Result<()> {
    let &GtpArgs { size, rules, komi, handicap, policy, seed, resign } = args;
    rules.handicap(size, handicap)?;
    policy.check(size)?;
    if resign.is_some() && !matches!(policy, Policy::Uct(_)) {
        return Err(Failure::wrong_arguments(format!(
            "only a search can tell when to resign: leave --resign out, or add --policy {}",
            Uct::new(1000)
        )));
    }
    let options = GtpOptions { size, rules, komi, policy, seed, resign_percent: resign };
    let mut gtp = Gtp::new(&options);
    if handicap > 0 {
        let command = match rules.handicap {
            Handicap::Fixed => "fixed_handicap",
            Handicap::Free => "place_free_handicap",
        };
        let reply = gtp.answer(&format!("{command} {handicap}")).expect("a command has a reply");
        reply.result.map_err(Error::msg)?;
    }
    serve(&mut gtp, io::stdin(), io::stdout().lock()).context("cannot go on with standard input and output")
}
