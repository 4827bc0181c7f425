//! What each choice of rules changes, in numbers. Every output shows these and computes none itself.

use jigo_engine::{Komi, Rules};
use serde::Serialize;

use super::summary::{RATE_METHOD, Rate};
use crate::{
    Change, Comparison, Contrast, ContrastCounts, ContrastScope, Interval, Quantity, RuleAxis, Setting,
};

/// Fewest games that must differ for an interval that rests on the normal distribution or on groups of games.
pub(crate) const MIN_DIFFERING: u64 = 30;

/// A set of rule sets that were compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ComparisonSummary {
    /// The setting whose rules the others are compared with.
    pub(crate) base: Setting,
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
    /// The same numbers in every change.
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

/// The numbers of a change that are about results; the following ones are about the games themselves.
const OF_RESULTS: usize = 4;

/// Why the games themselves stay as they are.
const SAME_GAMES: &str = "none: the same games, counted in another way";
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
            base: comparison.settings[0],
            rules: comparison.settings.iter().map(|setting| setting.rules.to_string()).collect(),
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
        let (pairs, games) = (contrast.pair_count(), Games { counts, pairs: contrast.pair_count() });
        let mut numbers = vec![games.grouped("fair_komi", "points", fair_komi)];
        numbers.push(games.mean("margin", "points", Quantity::Margin));
        if pairs == 1 {
            numbers.push(games.paired("black_wins", counts.black_wins(komi)));
            numbers
                .push(Number::rate("other_result", Rate::new(counts.changed_results(komi), counts.finished)));
        } else {
            numbers.push(games.grouped("black_wins", "share of games", wins));
            numbers.push(Number { name: "other_result", unit: "share of games", ..Number::none() });
        }
        numbers.push(games.mean("plies", "per game", Quantity::Plies));
        numbers.push(games.mean("stones_removed", "per game", Quantity::Removed));
        numbers.push(games.mean("refused_draws", "per game", Quantity::RefusedDraws));
        numbers.push(if pairs == 1 {
            games.paired("games_with_a_repetition", counts.repetitions())
        } else {
            games.mean("games_with_a_repetition", "share of games", Quantity::Repetition)
        });
        if contrast.axes == [RuleAxis::Counting] {
            numbers[OF_RESULTS..].iter_mut().for_each(Number::make_certain);
        }
        Self {
            scope: contrast.scope,
            axes: contrast.axes.clone(),
            from: contrast.from,
            to: contrast.to,
            pairs,
            finished: counts.finished,
            lost_to_cap: counts.lost_to_cap,
            differing: Rate::new(counts.differing, counts.finished),
            numbers,
        }
    }

    /// The values of the choices that change, before or after.
    pub(crate) fn values(&self, rules: Rules) -> String {
        self.axes.iter().map(|axis| axis.value(rules)).collect::<Vec<_>>().join(" + ")
    }
}

/// The games of a contrast.
struct Games<'a> {
    counts: &'a ContrastCounts,
    pairs: usize,
}

impl Games<'_> {
    fn mean(&self, name: &'static str, unit: &'static str, quantity: Quantity) -> Number {
        let moments = self.counts.moments(quantity);
        let pairs = self.pairs as f64;
        let enough = self.counts.differences(quantity).count() >= MIN_DIFFERING;
        let error = moments.and_then(|moments| moments.standard_error()).filter(|_| enough);
        let change = moments.map(|moments| moments.mean() / pairs);
        let interval = change.zip(error).map(|(change, error)| Interval::around(change, error / pairs));
        Number { name, unit, change, interval, method: NORMAL }
    }

    fn paired(&self, name: &'static str, shares: crate::PairedShares) -> Number {
        let change = shares.difference();
        let interval = change.map(|_| shares.difference_interval());
        Number { name, unit: "share of games", change, interval, method: TANGO }
    }

    fn grouped(&self, name: &'static str, unit: &'static str, change: Option<Change>) -> Number {
        let enough = self.counts.differences(Quantity::Margin).count() >= MIN_DIFFERING;
        let interval = change.map(|change| change.interval).filter(|_| enough);
        Number { name, unit, change: change.map(|change| change.estimate), interval, method: JACKKNIFE }
    }
}

impl Number {
    fn none() -> Self {
        Self { name: "", unit: "", change: None, interval: None, method: "" }
    }

    fn rate(name: &'static str, rate: Rate) -> Self {
        let interval = rate.share.map(|_| rate.interval);
        Self { name, unit: "share of games", change: rate.share, interval, method: RATE_METHOD }
    }

    /// For a change that cannot move this number.
    fn make_certain(&mut self) {
        (self.interval, self.method) = (None, SAME_GAMES);
    }

    /// Change and interval, shares in per cent.
    pub(crate) fn shown(&self) -> (Option<f64>, Option<Interval>) {
        if self.unit == "share of games" {
            (self.change.map(|change| 100.0 * change), self.interval.map(super::format::in_per_cent))
        } else {
            (self.change, self.interval)
        }
    }
}
