//! The arguments of `jigo study` and `jigo play`, and those that reports have in common.

use std::path::PathBuf;

use clap::Args;
use jigo_engine::{BoardSize, Komi};
use jigo_selfplay::{
    Policy,
    dataset::{MovesColumn, Part},
};

use super::ThreadArgs;
use crate::config::{self, GameCount, RuleSets};

/// Where a report goes and what it shows.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "jigo-report")]
    pub(crate) out: PathBuf,

    /// The komi of the shares in the summary of playouts.
    #[arg(long, default_value = "7.5", allow_hyphen_values = true)]
    pub(crate) komi: Komi,

    /// Print the summary as JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How games are played.
#[derive(Args, Debug)]
pub(crate) struct PlayoutArgs {
    /// Plies after which an unfinished game is cut off [default: 3 per point].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=65_535))]
    pub(crate) ply_cap: Option<u32>,

    /// Seed of the run; game i of a seed is always the same.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Count every candidate that superko forbids, not only those drawn (slower).
    #[arg(long)]
    pub(crate) forbidden_candidates: bool,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

#[derive(Args, Debug)]
pub(crate) struct StudyArgs {
    /// Board sizes: 9, 9x13, or a list such as 5,7,9.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "5,7,9,13,19")]
    pub(crate) size: Vec<BoardSize>,

    /// Rule sets by name or by values joined with +, a list, or `lattice` for every combination. Several
    /// are compared game by game.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: Vec<RuleSets>,

    /// Playout policies: uniform, eye-safe[:suicide=rules], guarded[:k=N], settled[:k=N]. Several may follow each other.
    #[arg(long, value_name = "POLICY", num_args = 1.., default_value = "eye-safe")]
    pub(crate) policy: Vec<Policy>,

    /// Games per setting, as in 10k or 1e6 [default: by size, for a report in under a minute].
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<GameCount>,

    /// Play only part I of N (I from 0); `jigo merge` joins the parts. `auto/N` takes I from the variables of Slurm, Kubernetes or AWS
    /// Batch in an array of N jobs.
    #[arg(long, value_name = "I/N", value_parser = config::part)]
    pub(crate) shard: Option<Part>,

    /// In place of playing, list all positions of a tiny board that hold a seki, up to 12 points: 3 or 3x4. Of the rules, ko and suicide matter.
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["size", "policy", "games", "shard"])]
    pub(crate) seki_census: Option<BoardSize>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    #[command(flatten)]
    pub(crate) playout: PlayoutArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Folder of the dataset.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Board size: 9 or 9x13.
    #[arg(long, default_value = "9")]
    pub(crate) size: BoardSize,

    /// Rule set by name or by values joined with +.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: jigo_engine::Rules,

    /// Playout policy: uniform, eye-safe[:suicide=rules], guarded[:k=N], settled[:k=N].
    #[arg(long, default_value = "eye-safe")]
    pub(crate) policy: Policy,

    /// Games in the whole dataset, as in 10k or 1e6.
    #[arg(long, value_name = "N", default_value = "100k")]
    pub(crate) games: GameCount,

    /// Games per shard (one file).
    #[arg(long, value_name = "N", default_value = "65536")]
    pub(crate) shard_games: GameCount,

    /// How moves are stored: list, binary or none (the seed is enough to play again).
    #[arg(long, value_name = "FORM", default_value = "list")]
    pub(crate) moves: MovesColumn,

    /// Write only the shards of part I of N (I from 0, or `auto/N` as with `jigo study`); any number of parts may share the folder.
    #[arg(long, value_name = "I/N", value_parser = config::part)]
    pub(crate) shard: Option<Part>,

    #[command(flatten)]
    pub(crate) playout: PlayoutArgs,
}
