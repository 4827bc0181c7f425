//! Values made of arguments.

use std::{fmt, str::FromStr};

use anyhow::{Context as _, bail};
use jigo_engine::{BoardSize, Komi, Preset, Rules, UnknownRules, protocol::Conduct};
use jigo_selfplay::{Census, Means, PlayoutSpec, UnknownMeans};

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
        count(text).map(Self).ok_or_else(error)
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

impl fmt::Display for GameCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A rule set as it was named: several names may have the same values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedRules {
    /// The text.
    pub(crate) name: String,
    /// The values.
    pub(crate) rules: Rules,
    /// What more than the values decides the count.
    pub(crate) counted: CountedBy,
}

/// How a position is counted under named rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountedBy {
    /// By the values of the rule set.
    RuleSet,
    /// As Makrai's protocol counts.
    Makrai,
}

impl NamedRules {
    /// All that have names.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Conduct::names().map(|name| name.parse().expect("a name of rules"))
    }

    /// The komi that goes with the name.
    pub(crate) fn default_komi(&self, size: BoardSize) -> Komi {
        Preset::from_name(&self.name)
            .or_else(|| self.rules.preset())
            .map_or(Komi::ZERO, |preset| preset.default_komi(size))
    }
}

impl From<Rules> for NamedRules {
    fn from(rules: Rules) -> Self {
        Self { name: rules.to_string(), rules, counted: CountedBy::RuleSet }
    }
}

impl FromStr for NamedRules {
    type Err = jigo_engine::UnknownRules;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim().to_ascii_lowercase().replace('_', "-");
        match text.parse() {
            Ok(rules) => Ok(Self { name, rules, counted: CountedBy::RuleSet }),
            Err(UnknownRules::WholeGame(_)) => {
                let conduct = makrai(&name).expect("a name of whole games");
                Ok(Self { name, rules: conduct.rules, counted: CountedBy::Makrai })
            }
            Err(error) => Err(error),
        }
    }
}

/// The conduct with this name; its rule set is the same for any board.
fn makrai(name: &str) -> Option<Conduct> {
    Conduct::named(name, BoardSize::square(BoardSize::MAX_SIDE).ok()?)
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

/// The rule sets of one argument: a list with commas, in which `lattice` stands for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleSets(Vec<Rules>);

impl FromStr for RuleSets {
    type Err = jigo_engine::UnknownRules;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Vec::new();
        for rules in split_outside_braces(text) {
            match rules.trim() {
                "lattice" => all.extend(Rules::lattice()),
                rules => all.push(rules.parse()?),
            }
        }
        Ok(Self(all))
    }
}

impl RuleSets {
    /// The rule sets that the arguments name, each once, in the order named.
    pub(crate) fn expand(named: &[Self]) -> Vec<Rules> {
        each_once(named.iter().flat_map(|rules| rules.0.iter().copied()))
    }
}

/// The parts between commas, except those of JSON.
fn split_outside_braces(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    text.split(move |char| {
        match char {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        char == ',' && depth == 0
    })
}

/// The means that an argument of `jigo bench` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeansChoice {
    All,
    Best,
    One(Means),
}

impl FromStr for MeansChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "best" => Ok(Self::Best),
            _ => text.parse().map(Self::One).map_err(|error: UnknownMeans| {
                format!("{error}; or `best`, or `all` that this processor has")
            }),
        }
    }
}

impl MeansChoice {
    /// The means that the arguments name, each once, in the order named. `available` is what this processor has.
    ///
    /// # Errors
    /// When one is named that the processor lacks or that cannot play these games.
    pub(crate) fn expand(
        named: &[Self],
        available: &[Means],
        spec: &PlayoutSpec,
    ) -> anyhow::Result<Vec<Means>> {
        let mut all = Vec::new();
        for choice in named {
            match *choice {
                Self::All => {
                    let able = |means: &&Means| means.can_play(spec, Census::Draws);
                    all.extend(available.iter().filter(able));
                }
                Self::Best => all.push(Means::best(spec, Census::Draws)),
                Self::One(means) if !available.contains(&means) => {
                    let names: Vec<_> = available.iter().map(ToString::to_string).collect();
                    bail!(
                        "this processor cannot run {means}: choose among {} with --means",
                        names.join(", ")
                    );
                }
                Self::One(means) if !means.can_play(spec, Census::Draws) => {
                    let PlayoutSpec { size, policy, .. } = spec;
                    bail!("{means} cannot play {size} {policy}: name `all`, `best` or `board` with --means");
                }
                Self::One(means) => all.push(means),
            }
        }
        Ok(each_once(all))
    }
}

/// What is recorded of each game of `jigo bench`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Recorded {
    /// The final position and counts.
    End,
    /// Also the moves.
    Moves,
    /// Which moves recreate a position or would.
    Repetitions,
    /// All moves, and which recreate a position or would.
    All,
}

impl Recorded {
    /// The name, as on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Moves => "moves",
            Self::Repetitions => "repetitions",
            Self::All => "all",
        }
    }
}

/// A number of threads, or one per processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadChoice {
    One(u16),
    All,
}

impl FromStr for ThreadChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "all" => Ok(Self::All),
            Ok(number @ 1..=1024) => Ok(Self::One(number)),
            _ => Err(format!("`{text}` is not a number of threads: write 1 to 1024, or `all`")),
        }
    }
}

impl ThreadChoice {
    /// The numbers of threads that the arguments name, each once, in the order named.
    pub(crate) fn expand(named: &[Self]) -> Vec<usize> {
        let number = |choice: &Self| match *choice {
            Self::One(number) => number.into(),
            Self::All => processor_count(),
        };
        each_once(named.iter().map(number))
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

    #[test]
    fn rule_sets() {
        let expand = |text: &str| text.parse::<RuleSets>().map(|rules| RuleSets::expand(&[rules]));
        assert_eq!(expand("lattice,tromp-taylor").unwrap().len(), 24);
        let json = r#"{"ko":"SIMPLE","suicide":false}"#;
        let both = expand(&format!("{json}, chinese")).unwrap();
        assert_eq!(both, ["area+simple-ko+no-suicide", "chinese"].map(|rules| rules.parse().unwrap()));
        for text in ["", "chinese,", "chinese,lattices", "{,}"] {
            assert!(expand(text).is_err(), "{text}");
        }
    }

    #[test]
    fn means() {
        let expand = |names: &str, available: &[Means], size: &str| {
            let named: Vec<MeansChoice> = names.split(',').map(|name| name.parse().unwrap()).collect();
            let (rules, policy) = (Rules::TROMP_TAYLOR, "eye-safe".parse().unwrap());
            let spec = PlayoutSpec::new(size.parse().unwrap(), rules, policy, 1);
            MeansChoice::expand(&named, available, &spec).map_err(|error| error.to_string())
        };
        let [board, plain, avx2] = ["board", "plain", "avx2"].map(|name| name.parse::<Means>().unwrap());
        assert_eq!(expand("plain,all", &[board, plain], "9"), Ok(vec![plain, board]));
        assert_eq!(expand("all", &[board, plain], "1x9"), Ok(vec![board]));
        assert_eq!(expand("best", &[board], "1x9"), Ok(vec![board]));
        let lacking = expand("board,avx2", &[board, plain], "9").unwrap_err();
        assert!(lacking.contains("cannot run avx2") && lacking.contains("board, plain"), "{lacking}");
        let narrow = expand("plain", &[board, plain, avx2], "1x9").unwrap_err();
        assert!(narrow.contains("1x9"), "{narrow}");
    }
}
