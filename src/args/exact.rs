//! The arguments of `jigo perft`, `jigo count` and `jigo solve`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use jigo_engine::BoardSize;

use crate::config::RuleSets;

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// Plies to look ahead.
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) depth: u32,

    /// Board size: 9 or 9x13.
    #[arg(long, default_value = "9", conflicts_with = "diagram")]
    pub(crate) size: BoardSize,

    /// File with a diagram of the position to start from, `-` for standard input: X, O and . in rows.
    #[arg(long, value_name = "FILE")]
    pub(crate) diagram: Option<PathBuf>,

    /// Rule set by name or by values joined with +.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: jigo_engine::Rules,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").required(true).args(["legal", "moves", "games"]))]
pub(crate) struct CountArgs {
    /// Number of legal positions on a board of this size.
    #[arg(long, value_name = "SIZE")]
    pub(crate) legal: Option<BoardSize>,

    /// Number of moves over all legal positions, by kind.
    #[arg(long, value_name = "SIZE")]
    pub(crate) moves: Option<BoardSize>,

    /// Number of games on a tiny board under a superko rule.
    #[arg(long, value_name = "SIZE")]
    pub(crate) games: Option<BoardSize>,

    /// Rule set by name or by values joined with + (for --games).
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: jigo_engine::Rules,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// Board size: 2 or 2x3.
    #[arg(value_name = "SIZE")]
    pub(crate) size: BoardSize,

    /// Rule sets by name or by values joined with +, a list, or `lattice` for every combination.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: Vec<RuleSets>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
