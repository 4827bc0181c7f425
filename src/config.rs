//! Values made of arguments.

use std::{fmt, str::FromStr};

use anyhow::Context as _;
use jigo_engine::{BoardSize, Rules};
use jigo_selfplay::Census;

use crate::args::{PlayoutArgs, ThreadArgs};

/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit that it was built from.
pub(crate) const COMMIT: &str = env!("JIGO_COMMIT");

/// A number of games, written as `250`, `10k`, `2.5M` or `1e6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameCount(pub(crate) u64);

impl FromStr for GameCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error = || format!("`{text}` is not a number of games: write 250, 10k, 2.5M or 1e6");
        let (digits, zeros) = match text.strip_suffix(['k', 'K', 'm', 'M', 'g', 'G']) {
            Some(digits) => (
                digits,
                if text.ends_with(['k', 'K']) {
                    3
                } else if text.ends_with(['m', 'M']) {
                    6
                } else {
                    9
                },
            ),
            None => match text.split_once(['e', 'E']) {
                Some((digits, exponent)) => (digits, exponent.parse::<u32>().map_err(|_| error())?),
                None => (text, 0),
            },
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        let shift = zeros.checked_sub(fraction.len() as u32).ok_or_else(error)?;
        if whole.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(error());
        }
        let count = 10_u64.checked_pow(shift).and_then(|factor| all.parse::<u64>().ok()?.checked_mul(factor));
        count.filter(|&count| count > 0).map(Self).ok_or_else(error)
    }
}

impl fmt::Display for GameCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One rule set, or all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RuleSets {
    One(Rules),
    Lattice,
}

impl FromStr for RuleSets {
    type Err = jigo_engine::UnknownRules;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "lattice" { Ok(Self::Lattice) } else { text.parse().map(Self::One) }
    }
}

impl RuleSets {
    /// The rule sets that the arguments name, each once, in the order named.
    pub(crate) fn expand(named: &[Self]) -> Vec<Rules> {
        let mut all: Vec<Rules> = Vec::new();
        for rules in named {
            match rules {
                Self::One(rules) => all.push(*rules),
                Self::Lattice => all.extend(Rules::lattice()),
            }
        }
        let mut seen = std::collections::HashSet::new();
        all.retain(|rules| seen.insert(*rules));
        all
    }
}

/// Games of one setting in a study without `--games`: fewer on larger boards, so that each size takes about as long.
pub(crate) fn default_games(size: BoardSize) -> u64 {
    let points = size.point_count() as u64;
    (DEFAULT_WORK / (points * points)).clamp(20_000, 600_000) / 1000 * 1000
}

/// Games times squared points that take a few seconds.
const DEFAULT_WORK: u64 = 5_000_000_000;

impl PlayoutArgs {
    pub(crate) fn census(&self) -> Census {
        if self.forbidden_candidates { Census::Candidates } else { Census::Draws }
    }
}

/// Makes the global rayon pool as large as asked for.
pub(crate) fn use_threads(args: &ThreadArgs) -> anyhow::Result<()> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(args.threads.map_or(0, usize::from));
    builder.build_global().context("cannot start the worker threads")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_counts() {
        for (text, count) in [
            ("1", 1),
            ("250", 250),
            ("10k", 10_000),
            ("1e6", 1_000_000),
            ("2.5M", 2_500_000),
            ("1.5e3", 1500),
        ] {
            assert_eq!(text.parse(), Ok(GameCount(count)), "{text}");
        }
        for text in ["", "0", "-1", "k", "1.5", "1e", "1e30", "ten", "1.2345k", "١"] {
            assert!(text.parse::<GameCount>().is_err(), "{text}");
        }
    }
}
