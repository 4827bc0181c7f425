//! What each choice of rules changes, in numbers. Every output shows these and computes none itself.

use jigo_engine::{Komi, Rules};
use serde::Serialize;

use super::summary::{RATE_METHOD, Rate};
use crate::{
    Interval, RunConfig,
    rules::{Comparison, Contrast, ContrastCounts, ContrastScope, CountedQuantity, RuleAxis},
    stats::Change,
};

/// Fewest games that must differ for an interval that rests on the normal distribution or on groups of games.
pub(crate) const MIN_DIFFERING: u64 = 30;

/// A set of rule sets that were compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ComparisonSummary {
    /// The setting whose rules the others are compared with.
    pub(crate) base: RunConfig,
    pub(crate) rules: Vec<String>,
    pub(crate) games: u64,
    pub(crate) changes_nothing: Vec<Idle>,
    pub(crate) changes: Vec<RuleChange>,
}

/// A choice that changes no game of this policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Idle {
    pub(crate) axis: RuleAxis,
    pub(crate) reason: &'static str,
}

/// One change of rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RuleChange {
    pub(crate) scope: ContrastScope,
    pub(crate) axes: Vec<RuleAxis>,
    /// The rules before; in an average those of its first pair.
    #[serde(serialize_with = "text")]
    pub(crate) from: Rules,
    #[serde(serialize_with = "text")]
    pub(crate) to: Rules,
    /// Pairs of rule sets: more than one in an average.
    pub(crate) pairs: usize,
    /// Games that ended by the rules under all of the rule sets.
    pub(crate) finished: u64,
    pub(crate) lost_to_cap: u64,
    /// Finished games that differ in anything.
    pub(crate) differing: Rate,
    /// The same numbers in all changes of single pairs, and in all averages.
    pub(crate) numbers: Vec<Number>,
}

/// How far a number moves: after the change minus before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Number {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) change: Option<f64>,
    /// Nothing where too few games differ.
    pub(crate) interval: Option<Interval>,
    pub(crate) method: &'static str,
}

/// The unit of shares, which people see in per cent.
pub(crate) const SHARE: &str = "share of games";
/// Why the games themselves stay as they are.
const SAME_GAMES: &str = "none: the same games, counted in another way";
const TOO_FEW: &str = "none: too few games, or too few that differ";
const JACKKNIFE: &str = "paired delete-a-group jackknife interval";
const NORMAL: &str = "normal interval for the mean of paired differences";
const TANGO: &str = "Tango's score interval for paired shares";

fn text<S: serde::Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rules.canonical())
}

impl ComparisonSummary {
    pub(crate) fn new(comparison: &Comparison, komi: Komi) -> Self {
        let komi_changes = comparison.fair_komi_changes().into_iter();
        let win_changes = comparison.black_win_changes(komi);
        let changes = comparison.contrasts().zip(komi_changes.zip(win_changes));
        Self {
            base: comparison.configs[0],
            rules: comparison.configs.iter().map(|setting| setting.rules.to_string()).collect(),
            games: comparison.coverage.games(),
            changes_nothing: comparison.idle().map(|(axis, reason)| Idle { axis, reason }).collect(),
            changes: changes
                .map(|((contrast, counts), (fair_komi, wins))| {
                    RuleChange::new(&contrast, counts, komi, fair_komi, wins)
                })
                .collect(),
        }
    }

    /// The changes of this scope.
    pub(crate) fn of(&self, scope: ContrastScope) -> impl Iterator<Item = &RuleChange> {
        self.changes.iter().filter(move |change| change.scope == scope)
    }
}

/// All comparisons of a study.
pub(crate) fn summaries(study: &crate::Study, komi: Komi) -> Vec<ComparisonSummary> {
    study.comparisons.iter().map(|comparison| ComparisonSummary::new(comparison, komi)).collect()
}

impl RuleChange {
    fn new(
        contrast: &Contrast,
        counts: &ContrastCounts,
        komi: Komi,
        fair_komi: Option<Change>,
        wins: Option<Change>,
    ) -> Self {
        Self {
            scope: contrast.scope,
            axes: contrast.axes.clone(),
            from: contrast.from,
            to: contrast.to,
            pairs: contrast.pair_count(),
            finished: counts.finished,
            lost_to_cap: counts.lost_to_cap,
            differing: Rate::new(counts.differing, counts.finished),
            numbers: numbers(contrast, counts, komi, fair_komi, wins),
        }
    }

    /// The values of the choices that change, before or after.
    pub(crate) fn values(&self, rules: Rules) -> String {
        self.axes.iter().map(|axis| axis.value(rules)).collect::<Vec<_>>().join(" + ")
    }
}

/// All numbers of a contrast: first those of results, then those of the games themselves, which counting cannot change.
fn numbers(
    contrast: &Contrast,
    counts: &ContrastCounts,
    komi: Komi,
    fair_komi: Option<Change>,
    wins: Option<Change>,
) -> Vec<Number> {
    let games = Games { counts, pairs: contrast.pair_count() };
    let is_average = contrast.pair_count() > 1;
    let mut numbers = vec![games.grouped("fair_komi", "points", fair_komi)];
    numbers.push(games.mean("margin", "points", CountedQuantity::Margin));
    if is_average {
        numbers.push(games.grouped("black_wins", SHARE, wins));
    } else {
        numbers.push(games.paired("black_wins", counts.black_wins(komi)));
        let changed = Rate::new(counts.changed_results(komi), counts.finished);
        numbers.push(Number::rate("other_result", changed));
    }
    let of_results = numbers.len();
    numbers.push(games.mean("plies", "per game", CountedQuantity::Plies));
    numbers.push(games.mean("stones_removed", "per game", CountedQuantity::Removed));
    numbers.push(games.mean("refused_draws", "per game", CountedQuantity::RefusedDraws));
    numbers.push(if is_average {
        games.mean("games_with_a_repetition", SHARE, CountedQuantity::Repetition)
    } else {
        games.paired("games_with_a_repetition", counts.repetitions())
    });
    if contrast.axes == [RuleAxis::Counting] {
        for number in &mut numbers[of_results..] {
            (number.interval, number.method) = (None, SAME_GAMES);
        }
    }
    numbers
}

/// The games of a contrast.
struct Games<'a> {
    counts: &'a ContrastCounts,
    pairs: usize,
}

impl Games<'_> {
    fn mean(&self, name: &'static str, unit: &'static str, quantity: CountedQuantity) -> Number {
        let moments = self.counts.moments(quantity);
        let pairs = self.pairs as f64;
        let enough = self.counts.differences(quantity).count() >= MIN_DIFFERING;
        let error = moments.and_then(|moments| moments.standard_error()).filter(|_| enough);
        let change = moments.map(|moments| moments.mean() / pairs);
        let interval = change.zip(error).map(|(change, error)| Interval::around(change, error / pairs));
        Number { name, unit, change, interval, method: method(NORMAL, interval) }
    }

    fn paired(&self, name: &'static str, shares: crate::stats::PairedShares) -> Number {
        let change = shares.difference();
        let interval = change.map(|_| shares.difference_interval());
        Number { name, unit: SHARE, change, interval, method: method(TANGO, interval) }
    }

    fn grouped(&self, name: &'static str, unit: &'static str, change: Option<Change>) -> Number {
        let enough = self.counts.differences(CountedQuantity::Margin).count() >= MIN_DIFFERING;
        let interval = change.map(|change| change.interval).filter(|_| enough);
        let change = change.map(|change| change.estimate);
        Number { name, unit, change, interval, method: method(JACKKNIFE, interval) }
    }
}

/// The method, or why there is no interval.
fn method(method: &'static str, interval: Option<Interval>) -> &'static str {
    if interval.is_some() { method } else { TOO_FEW }
}

impl Number {
    fn rate(name: &'static str, rate: Rate) -> Self {
        let interval = rate.share.map(|_| rate.interval);
        Self { name, unit: SHARE, change: rate.share, interval, method: method(RATE_METHOD, interval) }
    }

    /// Change and interval, shares in per cent.
    pub(crate) fn shown(&self) -> (Option<f64>, Option<Interval>) {
        if self.unit == SHARE {
            (self.change.map(|change| 100.0 * change), self.interval.map(super::format::in_per_cent))
        } else {
            (self.change, self.interval)
        }
    }
}
