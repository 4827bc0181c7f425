//! What each choice of rules changes, in numbers. Every output shows these and computes none itself.

use jigo_engine::{Komi, RuleSet, Rules, rules::KomiChoice};
use serde::Serialize;

use super::{
    format::{DASH, decimals_for, fixed},
    quantities::{self, BLACK_WINS, FAIR_KOMI, PLIES, SHARE, SUPERKO_REJECTED},
    summary::{RATE_METHOD, Rate},
};
use crate::{
    Interval, RunConfig,
    rules::{Comparison, Contrast, ContrastCounts, ContrastScope, CountedQuantity, RuleAxis},
    stats::{Estimate, PairedShares},
    study::MAX_UNFINISHED,
};

/// Fewest games that must differ for an interval that rests on the normal distribution or on groups of games.
pub(crate) const MIN_DIFFERING: u64 = 30;

/// The name of the share of games that a change of rules changes.
pub(crate) const DIFFERING: &str = "games_that_differ";

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

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Idle {
    pub(crate) axis: RuleAxis,
    pub(crate) reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RuleChange {
    pub(crate) scope: ContrastScope,
    pub(crate) axes: Vec<RuleAxis>,
    /// The rules before; in an average those of its first pair.
    #[serde(serialize_with = "text")]
    pub(crate) from: RuleSet,
    #[serde(serialize_with = "text")]
    pub(crate) to: RuleSet,
    /// Pairs of rule sets: more than one in an average.
    pub(crate) pairs: usize,
    /// Games that ended by the rules under all of the rule sets.
    pub(crate) finished: u64,
    /// Games that were stopped at the move limit under one of them, and are not compared.
    pub(crate) stopped: u64,
    /// Finished games that differ in anything; nothing where too many games were stopped.
    pub(crate) differing: Option<Rate>,
    /// The same numbers in all changes of single pairs, and in all averages.
    pub(crate) numbers: Vec<Number>,
}

/// How far a number moves: after the change minus before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Number {
    pub(crate) name: &'static str,
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
const TOO_MANY_STOPPED: &str = "none: too many games were stopped at the move limit";
const TOO_FEW: &str = "none: too few games, or too few that differ";
pub(super) const JACKKNIFE: &str = "paired delete-a-group jackknife interval";
const NORMAL: &str = "normal interval for the mean of paired differences";
const TANGO: &str = "Tango's score interval for paired shares";

fn text<S: serde::Serializer>(rules: &RuleSet, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rules.canonical())
}

impl ComparisonSummary {
    /// Summarizes a comparison at the komi of its base.
    pub(crate) fn new(comparison: &Comparison, komi: KomiChoice) -> Self {
        let base = comparison.configs[0];
        let komi = komi.at(base.rules, base.size);
        let grouped = comparison.fair_komi_changes().into_iter().zip(comparison.black_win_changes(komi));
        let changes = comparison.contrasts().zip(grouped).map(|((contrast, counts), grouped)| {
            let is_sample =
                counts.stopped as f64 <= MAX_UNFINISHED * (counts.finished + counts.stopped) as f64;
            let numbers = numbers(&contrast, counts, komi, grouped).into_iter();
            RuleChange {
                scope: contrast.scope,
                from: contrast.from,
                to: contrast.to,
                pairs: contrast.pairs.len(),
                finished: counts.finished,
                stopped: counts.stopped,
                differing: is_sample.then(|| Rate::new(counts.differing, counts.finished)),
                numbers: numbers.map(|number| if is_sample { number } else { number.withheld() }).collect(),
                axes: contrast.axes,
            }
        });
        Self {
            base,
            rules: comparison.configs.iter().map(|setting| setting.rules.to_string()).collect(),
            games: comparison.coverage.games(),
            changes_nothing: comparison.idle().map(|(axis, reason)| Idle { axis, reason }).collect(),
            changes: changes.collect(),
        }
    }

    pub(crate) fn in_scope(&self, scope: ContrastScope) -> impl Iterator<Item = &RuleChange> {
        self.changes.iter().filter(move |change| change.scope == scope)
    }
}

impl RuleChange {
    /// The values of the choices that change, before or after.
    pub(crate) fn values(&self, rules: Rules) -> String {
        self.axes.iter().map(|axis| axis.value(rules)).collect::<Vec<_>>().join(" + ")
    }

    pub(crate) fn number(&self, name: &str) -> Option<&Number> {
        self.numbers.iter().find(|number| number.name == name)
    }

    pub(crate) fn differing(&self) -> Number {
        let label = (DIFFERING, "games that differ", SHARE);
        self.differing
            .map_or_else(|| number(label, None, TOO_FEW, None).withheld(), |rate| share(label, rate))
    }
}

/// All numbers of a contrast: first those of results, then those of the games themselves, which counting cannot change.
fn numbers(
    contrast: &Contrast,
    counts: &ContrastCounts,
    komi: Komi,
    (fair_komi, wins): (Option<Estimate>, Option<Estimate>),
) -> Vec<Number> {
    let pairs = contrast.pairs.len();
    let mean = |label, quantity| mean(label, counts, quantity, pairs as f64);
    let won = (BLACK_WINS, "Black wins", SHARE);
    let repeated = ("repetitions_games", "games in which a position repeated", SHARE);
    let mut numbers = vec![
        grouped((FAIR_KOMI, "fair komi", "points"), counts, fair_komi),
        mean(("margin", "mean margin", "points"), CountedQuantity::Margin),
    ];
    let repetitions = if pairs > 1 {
        numbers.push(grouped(won, counts, wins));
        mean(repeated, CountedQuantity::Repetition)
    } else {
        numbers.push(paired(won, counts.black_wins(komi)));
        let changed = Rate::new(counts.changed_results(komi), counts.finished);
        numbers.push(share(("other_result", "games with another result", SHARE), changed));
        paired(repeated, counts.repetitions())
    };
    let of_results = numbers.len();
    numbers.extend([
        mean((PLIES, "length", "plies"), CountedQuantity::Plies),
        mean(("stones_removed", "stones removed", "per game"), CountedQuantity::Removed),
        mean((SUPERKO_REJECTED, "moves rejected by superko", "per game"), CountedQuantity::Rejected),
        repetitions,
    ]);
    if contrast.axes == [RuleAxis::Counting] {
        for number in &mut numbers[of_results..] {
            (number.interval, number.method) = (None, SAME_GAMES);
        }
    }
    numbers
}

/// The mean of paired differences over all games, with an interval where enough differ.
fn mean(label: Label, counts: &ContrastCounts, quantity: CountedQuantity, pairs: f64) -> Number {
    let spread = counts.spread(quantity);
    let change = spread.map(|spread| spread.mean / pairs);
    let is_enough = counts.differences(quantity).count() >= MIN_DIFFERING;
    let error = spread.and_then(|spread| spread.standard_error).filter(|_| is_enough);
    let interval = |(change, error)| Estimate::from_mean(change, error / pairs).interval;
    number(label, change, NORMAL, change.zip(error).map(interval))
}

fn share(label: Label, rate: Rate) -> Number {
    number(label, rate.share, RATE_METHOD, rate.share.map(|_| rate.interval))
}

fn paired(label: Label, shares: PairedShares) -> Number {
    let change = shares.difference();
    number(label, change, TANGO, change.map(|_| shares.difference_interval()))
}

fn grouped(label: Label, counts: &ContrastCounts, change: Option<Estimate>) -> Number {
    let is_enough = counts.differences(CountedQuantity::Margin).count() >= MIN_DIFFERING;
    let interval = change.map(|change| change.interval).filter(|_| is_enough);
    number(label, change.map(|change| change.estimate), JACKKNIFE, interval)
}

/// The name in files, the name for people, and the unit of a number.
type Label = (&'static str, &'static str, &'static str);

/// Makes a number of a change, and of its interval by this method where there is one.
fn number(
    (name, title, unit): Label,
    change: Option<f64>,
    method: &'static str,
    interval: Option<Interval>,
) -> Number {
    Number { name, title, unit, change, interval, method: if interval.is_some() { method } else { TOO_FEW } }
}

impl Number {
    /// The same number without a value, because too many games were stopped for one.
    fn withheld(self) -> Self {
        Self { change: None, interval: None, method: TOO_MANY_STOPPED, ..self }
    }

    pub(crate) fn label(&self) -> String {
        quantities::label(self.title, self.unit)
    }

    /// The change and its interval, shares in per cent, where there are both.
    pub(crate) fn shown(&self) -> Option<Estimate> {
        let estimate = Estimate { estimate: self.change?, interval: self.interval? };
        Some(if self.unit == SHARE { estimate.in_per_cent() } else { estimate })
    }

    /// Writes the change, with its interval as `with` does it where there is one.
    pub(crate) fn text(&self, with: impl Fn([String; 2]) -> String) -> String {
        let factor = if self.unit == SHARE { 100.0 } else { 1.0 };
        match (self.shown(), self.change) {
            (Some(shown), _) => with(shown.texts()),
            (None, Some(0.0)) => "0".to_owned(),
            (None, Some(change)) => fixed(factor * change, decimals_for((factor * change).abs())),
            (None, None) => DASH.to_owned(),
        }
    }
}
