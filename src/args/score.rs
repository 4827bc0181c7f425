//! The arguments of `jigo score`.

use std::path::PathBuf;

use clap::Args;
use jigo_engine::Komi;

use crate::config::{NamedRules, Prisoners};

#[derive(Args, Debug)]
pub(crate) struct ScoreArgs {
    /// SGF file, or a file with a diagram: X, O and . in rows; `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Which game of an SGF collection, from 1 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) game: Option<u32>,

    /// Rule set by name (makrai-area and makrai-territory included), by values joined with +, or in KataGo's notation [default: the
    /// record's, else tromp-taylor].
    #[arg(long, value_name = "RULES", conflicts_with = "all_rules")]
    pub(crate) rules: Option<NamedRules>,

    /// Count under all rules that have a name.
    #[arg(long)]
    pub(crate) all_rules: bool,

    /// List what happened in a whole game, and the phase after each event.
    #[arg(long)]
    pub(crate) events: bool,

    /// A stone of each dead chain, as in A2,C3, or `unconditional` for those in the opponent's unconditional territory, or `certified` for
    /// all that `jigo status` proves dead [default: those that a record states, else none].
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    pub(crate) dead: Option<Vec<String>>,

    /// Black and white stones captured, as in 3,2 [default: those of the record].
    #[arg(long, value_name = "B,W")]
    pub(crate) prisoners: Option<Prisoners>,

    /// Handicap stones, for rules that give White points for them [default: those of the record].
    #[arg(long, value_name = "N")]
    pub(crate) handicap: Option<u32>,

    /// Points added to White's [default: the record's, else the rule set's].
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) komi: Option<Komi>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
