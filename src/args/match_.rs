//! The arguments of `jigo match`.

use std::{path::PathBuf, str::FromStr, time::Duration};

use clap::Args;
use jigo_engine::{BoardSize, Komi};
use jigo_selfplay::matches::{Adjudication, PlayerSpec};

use crate::config::{GameCount, NamedRules};

#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// Player with Black in the even games: `policy:NAME`, or the command line of a program that speaks GTP.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) first: PlayerSpec,

    /// Player with Black in the odd games.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) second: PlayerSpec,

    /// Folder of the match; the same command continues there where it was stopped.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Board size: 9, or 9x13 for policies.
    #[arg(long, default_value = "9")]
    pub(crate) size: BoardSize,

    /// Rule set by name or by values joined with +. Programs are not told: choose theirs by their own options.
    #[arg(long, value_name = "RULES", default_value = "chinese")]
    pub(crate) rules: NamedRules,

    /// Points added to White's score [default: that of the rule set].
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) komi: Option<Komi>,

    /// Number of games, colours alternating.
    #[arg(long, value_name = "N", default_value = "20")]
    pub(crate) games: GameCount,

    /// Seed of policies and random openings.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Plies after which a game is cut off and counted as it stands [default: 3 per point].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=65_535))]
    pub(crate) ply_cap: Option<u32>,

    /// Seconds in which a program must answer each command; it loses the game if it does not.
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) time_limit: Seconds,

    /// How games begin: `random:K` for K random legal plies, or a file: text with one opening on each line, as in `C3 D4 pass`, or SGF, in
    /// which the main line of every game is one. Both games of a pair begin alike [default: on the empty board].
    #[arg(long, value_name = "FILE|random:K")]
    pub(crate) openings: Option<OpeningsChoice>,

    /// Dead stones after two passes: as-it-stands (none), engines (asks both and removes what they agree on), or certified (two policies hold
    /// certified statuses; where they differ, play goes on). `certified:LIMIT` or `certified:LIMIT,LIMIT` says how much their searches may look at.
    #[arg(long, value_name = "HOW", default_value = "as-it-stands")]
    pub(crate) adjudicate: Adjudication,

    /// Print the results as JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A time, written in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seconds(pub(crate) Duration);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = text.parse::<f64>().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
        let seconds =
            seconds.ok_or_else(|| format!("`{text}` is not a time: write 0.01 to 86400 seconds"))?;
        Ok(Self(Duration::from_secs_f64(seconds)))
    }
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OpeningsChoice {
    Random(u32),
    File(PathBuf),
}

impl FromStr for OpeningsChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(plies) = text.strip_prefix("random:") else { return Ok(Self::File(text.into())) };
        let plies = plies.parse().map_err(|_| format!("`{plies}` is no number of plies: write random:4"))?;
        Ok(Self::Random(plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!("2.5".parse(), Ok(Seconds(Duration::from_millis(2500))));
        for text in ["", "0", "-1", "NaN", "inf", "5s", "1e9"] {
            assert!(text.parse::<Seconds>().is_err(), "{text}");
        }
    }

    #[test]
    fn openings_are_drawn_or_read() {
        assert_eq!("random:4".parse(), Ok(OpeningsChoice::Random(4)));
        assert_eq!("book.txt".parse(), Ok(OpeningsChoice::File("book.txt".into())));
        assert!("random:few".parse::<OpeningsChoice>().is_err());
    }
}
