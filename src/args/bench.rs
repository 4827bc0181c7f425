//! The arguments of `jigo bench`.

use std::path::PathBuf;

use clap::Args;
use jigo_engine::BoardSize;
use jigo_selfplay::Policy;

use crate::config::{GameCount, MeansChoice, Recorded, RuleSets, ThreadChoice};

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Board sizes: 9, 9x13, or a list such as 9,13,19.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "9,13,19")]
    pub(crate) size: Vec<BoardSize>,

    /// Rule sets by name or by values joined with +, a list, or `lattice` for every combination.
    #[arg(long, value_name = "RULES", default_value = "chinese")]
    pub(crate) rules: Vec<RuleSets>,

    /// Playout policies: uniform, eye-safe[:suicide=rules], guarded[:k=N], settled[:k=N]. Several may follow each other.
    #[arg(long, value_name = "POLICY", num_args = 1.., default_value = "eye-safe")]
    pub(crate) policy: Vec<Policy>,

    /// What plays: board (one game at a time), plain, avx2, avx512 (many in lockstep), a list, `best`, or `all` that
    /// this processor has.
    #[arg(long, value_name = "MEANS", value_delimiter = ',', default_value = "all")]
    pub(crate) means: Vec<MeansChoice>,

    /// What is recorded of each game beside its end, a list.
    #[arg(long, value_delimiter = ',', default_value = "end")]
    pub(crate) needs: Vec<Recorded>,

    /// Numbers of threads, a list; `all` is one per processor.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "1,all")]
    pub(crate) threads: Vec<ThreadChoice>,

    /// Games in one repetition, as in 10k or 1e6 [default: by speed, for 0.4 seconds on average].
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<GameCount>,

    /// How often the games are timed.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repetitions: u32,

    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Write JSON to this file beside the table; `-` prints it instead of the table.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}
