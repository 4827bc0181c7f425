//! What each choice of rules changes, in numbers. Every output shows these and computes none itself.

use jigo_engine::{Komi, Rules};
use serde::Serialize;

use super::{
    format::in_per_cent,
    quantities::{self, SHARE},
    summary::{RATE_METHOD, Rate},
};
use crate::{
    Interval, RunConfig, Study,
    rules::{Comparison, Contrast, ContrastCounts, ContrastScope, CountedQuantity, RuleAxis},
    stats::{Change, PairedShares},
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
    /// Games that were stopped at the move limit under one of them, and are not compared.
    pub(crate) stopped: u64,
    /// Finished games that differ in anything.
    pub(crate) differing: Rate,
    /// The same numbers in all changes of single pairs, and in all averages.
    pub(crate) numbers: Vec<Number>,
}

/// How far a number moves: after the change minus before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Number {
    pub(crate) name: &'static str,
    /// The name for people.
    #[serde(skip)]
    pub(crate) title: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) change: Option<f64>,
    /// Nothing where too few games differ.
    pub(crate) interval: Option<Interval>,
    pub(crate) method: &'static str,
}

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

    /// Summarises all comparisons of a study.
    pub(crate) fn all(study: &Study, komi: Komi) -> Vec<Self> {
        study.comparisons.iter().map(|comparison| Self::new(comparison, komi)).collect()
    }

    /// The changes of this scope.
    pub(crate) fn of(&self, scope: ContrastScope) -> impl Iterator<Item = &RuleChange> {
        self.changes.iter().filter(move |change| change.scope == scope)
    }
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
            stopped: counts.stopped,
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
    let mut numbers = vec![
        games.grouped(("fair_komi", "fair komi", "points"), fair_komi),
        games.mean(("margin", "mean margin", "points"), CountedQuantity::Margin),
    ];
    let wins_of_black = ("black_wins", "Black wins", SHARE);
    if is_average {
        numbers.push(games.grouped(wins_of_black, wins));
    } else {
        numbers.push(games.paired(wins_of_black, counts.black_wins(komi)));
        let changed = Rate::new(counts.changed_results(komi), counts.finished);
        numbers.push(Number::rate(("other_result", "games with another result", SHARE), changed));
    }
    let of_results = numbers.len();
    let repeated = ("repetitions_games", "games in which a position repeated", SHARE);
    numbers.extend([
        games.mean(("plies", "length", "plies"), CountedQuantity::Plies),
        games.mean(("stones_removed", "stones removed", "per game"), CountedQuantity::Removed),
        games.mean(("superko_rejected", "moves rejected by superko", "per game"), CountedQuantity::Rejected),
        if is_average {
            games.mean(repeated, CountedQuantity::Repetition)
        } else {
            games.paired(repeated, counts.repetitions())
        },
    ]);
    if contrast.axes == [RuleAxis::Counting] {
        for number in &mut numbers[of_results..] {
            (number.interval, number.method) = (None, SAME_GAMES);
        }
    }
    numbers
}

/// The name in files, the name for people, and the unit of a number.
type Label = (&'static str, &'static str, &'static str);

/// The games of a contrast.
struct Games<'a> {
    counts: &'a ContrastCounts,
    pairs: usize,
}

impl Games<'_> {
    fn mean(&self, (name, title, unit): Label, quantity: CountedQuantity) -> Number {
        let moments = self.counts.moments(quantity);
        let pairs = self.pairs as f64;
        let enough = self.counts.differences(quantity).count() >= MIN_DIFFERING;
        let error = moments.and_then(|moments| moments.standard_error()).filter(|_| enough);
        let change = moments.map(|moments| moments.mean() / pairs);
        let interval = change.zip(error).map(|(change, error)| Interval::around(change, error / pairs));
        Number { name, title, unit, change, interval, method: method(NORMAL, interval) }
    }

    fn paired(&self, (name, title, unit): Label, shares: PairedShares) -> Number {
        let change = shares.difference();
        let interval = change.map(|_| shares.difference_interval());
        Number { name, title, unit, change, interval, method: method(TANGO, interval) }
    }

    fn grouped(&self, (name, title, unit): Label, change: Option<Change>) -> Number {
        let enough = self.counts.differences(CountedQuantity::Margin).count() >= MIN_DIFFERING;
        let interval = change.map(|change| change.interval).filter(|_| enough);
        let change = change.map(|change| change.estimate);
        Number { name, title, unit, change, interval, method: method(JACKKNIFE, interval) }
    }
}

/// The method, or why there is no interval.
fn method(method: &'static str, interval: Option<Interval>) -> &'static str {
    if interval.is_some() { method } else { TOO_FEW }
}

impl Number {
    pub(crate) fn rate((name, title, unit): Label, rate: Rate) -> Self {
        let interval = rate.share.map(|_| rate.interval);
        Self { name, title, unit, change: rate.share, interval, method: method(RATE_METHOD, interval) }
    }

    /// The name for people with the unit.
    pub(crate) fn label(&self) -> String {
        quantities::label(self.title, self.unit)
    }

    /// Change and interval, shares in per cent.
    pub(crate) fn shown(&self) -> (Option<f64>, Option<Interval>) {
        if self.unit == SHARE {
            (self.change.map(|change| 100.0 * change), self.interval.map(in_per_cent))
        } else {
            (self.change, self.interval)
        }
    }
}
