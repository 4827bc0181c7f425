//! Values made of arguments.

mod bench;
mod part;
mod rules;

use std::{fmt, str::FromStr, sync::LazyLock};

use anyhow::Context as _;
use jigo_analysis::{
    export::EXPORT_FORMAT_VERSION,
    records::RECORDS_FORMAT_VERSION,
    report::{DIFFERENCES_FORMAT_VERSION, STUDY_FORMAT_VERSION, SUMMARY_FORMAT_VERSION},
};
use jigo_engine::{BoardSize, Rules};
use jigo_selfplay::{GAMES_VERSION, Policy, RunConfig, dataset, matches};

use crate::args::{PlayoutArgs, ThreadArgs};

pub(crate) use bench::{MeansChoice, Recorded, ThreadChoice};
pub(crate) use part::part;
pub(crate) use rules::{CountedBy, NamedRules, RuleSets};

/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit that it was built from.
pub(crate) const COMMIT: &str = env!("JIGO_COMMIT");

/// The version of what `jigo bench --json` writes.
pub(crate) const BENCH_FORMAT_VERSION: u32 = 1;

/// What `jigo --version` says behind the name: also the versions of games and formats, as docs/stability.md and the changelog name them.
pub(crate) static VERSIONS: LazyLock<String> = LazyLock::new(|| {
    let formats = [
        ("dataset", dataset::FORMAT_VERSION),
        ("match", matches::FORMAT_VERSION),
        ("export", EXPORT_FORMAT_VERSION),
        ("study", STUDY_FORMAT_VERSION),
        ("summary", SUMMARY_FORMAT_VERSION),
        ("differences", DIFFERENCES_FORMAT_VERSION),
        ("records", RECORDS_FORMAT_VERSION),
        ("bench", BENCH_FORMAT_VERSION),
    ];
    let formats = formats.map(|(name, version)| format!("{name} {version}")).join(", ");
    format!("{VERSION}\ncommit {COMMIT}\ngames {GAMES_VERSION}\nformats: {formats}")
});

/// A number of games, written as `250`, `10k`, `2.5M` or `1e6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameCount(pub(crate) u64);

impl FromStr for GameCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error = || format!("`{text}` is not a number of games: write 250, 10k, 2.5M or 1e6");
        count(text).map(Self).ok_or_else(error)
    }
}

impl fmt::Display for GameCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number from 1, written as `250`, `10k`, `2.5M` or `1e6`.
fn count(text: &str) -> Option<u64> {
    let (digits, zeros) = match text.strip_suffix(['k', 'K', 'm', 'M', 'g', 'G']) {
        Some(digits) if text.ends_with(['k', 'K']) => (digits, 3),
        Some(digits) if text.ends_with(['m', 'M']) => (digits, 6),
        Some(digits) => (digits, 9),
        None => match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<u32>().ok()?),
            None => (text, 0),
        },
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let shift = zeros.checked_sub(fraction.len() as u32)?;
    if whole.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count = 10_u64.checked_pow(shift)?.checked_mul(all.parse().ok()?)?;
    (count > 0).then_some(count)
}

/// States that a search may look at, written as a [`GameCount`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VisitLimit(pub(crate) usize);

impl VisitLimit {
    /// What fills the memory of usual machines.
    const MOST: u64 = 100_000_000;
}

impl FromStr for VisitLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error = || format!("`{text}` is not a number of visits: write 5000, 10k or 1e6, at most 1e8");
        let visits = count(text).filter(|&visits| visits <= Self::MOST).ok_or_else(error)?;
        Ok(Self(visits as usize))
    }
}

/// Black and white stones captured, written `3,2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prisoners(pub(crate) [u32; 2]);

impl FromStr for Prisoners {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(',').map(|(black, white)| [black.trim().parse(), white.trim().parse()]);
        match numbers {
            Some([Ok(black), Ok(white)]) => Ok(Self([black, white])),
            _ => Err(format!("`{text}` is not two numbers of stones: write 3,2")),
        }
    }
}

/// How many threads can run at once.
pub(crate) fn processor_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The values without those that came before.
pub(crate) fn each_once<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

/// Games of one setting in a study without `--games`: fewer on larger boards, so that each size takes about as long.
pub(crate) fn default_games(size: BoardSize) -> u64 {
    let points = size.point_count() as u64;
    (DEFAULT_WORK / (points * points)).clamp(20_000, 600_000) / 1000 * 1000
}

/// Games times squared points that take a few seconds.
const DEFAULT_WORK: u64 = 5_000_000_000;

impl PlayoutArgs {
    /// Returns the games of this setting as the arguments ask for them.
    pub(crate) fn config(&self, size: BoardSize, rules: Rules, policy: Policy) -> RunConfig {
        let config = RunConfig::new(size, rules, policy);
        let ply_cap = self.ply_cap.unwrap_or(config.ply_cap);
        RunConfig { ply_cap, count_forbidden: self.forbidden_candidates, ..config }
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
