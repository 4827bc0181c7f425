//! The arguments of `jigo status`.

use std::path::PathBuf;

use clap::Args;

use crate::config::{NamedRules, VisitLimit};

#[derive(Args, Debug)]
pub(crate) struct StatusArgs {
    /// SGF file, or a file with a diagram: X, O and . in rows; `-` for standard input. A text of several lines is a diagram itself.
    #[arg(value_name = "FILE|DIAGRAM|-")]
    pub(crate) file: PathBuf,

    /// Which game of an SGF collection, from 1 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) game: Option<u32>,

    /// The position after this move of the game [default: the last one].
    #[arg(long = "move", value_name = "M")]
    pub(crate) after_move: Option<u32>,

    /// Rule set by name, by values joined with +, or in KataGo's notation, of which suicide and ko matter [default: the record's, else
    /// tromp-taylor].
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<NamedRules>,

    /// States that a search may look at, as in 5000, 10k or 1e6; in zones of open boards it is 100k at most. More decide more, and take
    /// longer and more memory.
    #[arg(long, value_name = "VISITS", default_value = "20k")]
    pub(crate) limit: VisitLimit,

    /// Show why the chain on this point has its status: lines of play with either player moving first, or what its unconditional life
    /// rests on.
    #[arg(long, value_name = "POINT")]
    pub(crate) prove: Option<String>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
