//! Measures what each choice of rules changes: the same random numbers are played under several rule sets, and every game is compared with itself.

use jigo_engine::{
    Counting, RuleSet, Rules, Suicide,
    game::StarOrder,
    names,
    rules::{Handicap, HandicapBonus, Supply, Tax},
};
use jigo_selfplay::{
    RunConfig,
    policy::{PlayoutPolicy, PolicySuicide},
};
use serde::Serialize;

mod comparison;
mod counts;
#[cfg(test)]
mod tests;

pub use comparison::{Comparison, FAIR_KOMI_MIN_GAMES};
pub use counts::{ContrastCounts, CountedQuantity, MovedMargins};

/// One of the independent choices that make a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleAxis {
    /// What is counted.
    Counting,
    /// Which repetitions are forbidden.
    Ko,
    /// Whether chains may be given up.
    Suicide,
    /// Where handicap stones go.
    Handicap,
    /// How many stones the players have.
    Supply,
}

names! {
    /// All axes, in the order of [`Rules::canonical`].
    RuleAxis { Counting = "counting", Ko = "ko", Suicide = "suicide", Handicap = "handicap", Supply = "supply" }
}

impl RuleAxis {
    /// Returns the value of a rule set on this axis, as it is written.
    #[must_use]
    pub const fn value(self, rules: Rules) -> &'static str {
        match self {
            Self::Counting => rules.counting.name(),
            Self::Ko => rules.ko.name(),
            Self::Suicide => rules.suicide.name(),
            Self::Handicap => rules.handicap.name(),
            Self::Supply => rules.supply.name(),
        }
    }

    /// Returns whether two rule sets have the same value on this axis.
    fn agrees(self, one: Rules, other: Rules) -> bool {
        self.value(one) == self.value(other)
    }

    /// Returns the axes on which two rule sets differ.
    fn between(one: Rules, other: Rules) -> Vec<Self> {
        Self::ALL.into_iter().filter(|axis| !axis.agrees(one, other)).collect()
    }

    /// Returns why this choice cannot change playouts of this policy and handicap; nothing where it can.
    #[must_use]
    pub const fn idle_reason(self, config: &RunConfig) -> Option<&'static str> {
        match self {
            Self::Handicap if config.handicap == 0 => Some("no game begins with handicap stones"),
            Self::Suicide => match (config.policy.playout(), config.policy.playout().suicide()) {
                // What is unconditionally alive depends on it.
                (PlayoutPolicy::Settled { .. }, _) | (_, PolicySuicide::AsTheRulesSay) => None,
                (_, PolicySuicide::Never) => Some("the policy never plays suicide"),
            },
            Self::Counting | Self::Ko | Self::Handicap | Self::Supply => None,
        }
    }
}

/// The rules with one fixed value on each axis that changes no playout, and the order of handicap stones where they are fixed. Rule sets for which these are the
/// same have the same games; their margins differ by [compensation](RunConfig::handicap_points) at most.
type Effective = (Rules, Option<StarOrder>);

/// Returns what decides the playouts and their margins under a rule set, for the policy and handicap of `config`.
fn effective(rules: RuleSet, config: &RunConfig) -> Effective {
    let idle = |axis: RuleAxis| axis.idle_reason(config).is_some();
    let values = Rules {
        suicide: if idle(RuleAxis::Suicide) { Suicide::Forbidden } else { rules.suicide },
        handicap: if idle(RuleAxis::Handicap) { Handicap::Free } else { rules.handicap },
        ..on_axes(*rules)
    };
    (values, (values.handicap == Handicap::Fixed).then(|| rules.handicap_order()))
}

/// Returns the rule set with its values on the axes alone: margins of playouts are measured without tax, and compensation is no other game.
fn on_axes(rules: Rules) -> Rules {
    Rules { tax: Tax::None, handicap_bonus: HandicapBonus::None, ..rules }
}

/// Returns the same for games before they are counted.
fn playing(rules: RuleSet, config: &RunConfig) -> Effective {
    let (rules, order) = effective(rules, config);
    (Rules { counting: Counting::Area, ..rules }, order)
}

/// Which rule sets a contrast compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ContrastScope {
    /// The base with another set.
    Base,
    /// Two others that differ in one choice.
    Other,
    /// All pairs of sets that differ in this one choice, each counting alike.
    Average,
}

names! {
    /// All scopes.
    ContrastScope { Base = "base", Other = "other", Average = "average" }
}

/// A change of rules, measured on the same games before and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// Which sets are compared.
    pub scope: ContrastScope,
    /// The choices that change.
    pub axes: Vec<RuleAxis>,
    /// The rules before the change; in an average those of one of the pairs.
    pub from: RuleSet,
    /// The rules after it.
    pub to: RuleSet,
    /// Places of the sets before and after among the variants, one pair unless this is an average.
    pub(crate) pairs: Vec<(usize, usize)>,
}

/// The rule sets of a study whose playouts can differ, and the contrasts between them. A function of rule sets and policy.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Rule sets under which different games are played; of each kind the first.
    playings: Vec<RuleSet>,
    /// Rule sets with different games or results; of each kind the first. The first of all is the base.
    variants: Vec<RuleSet>,
    /// For each variant the place of its playing.
    playing_of: Vec<usize>,
    /// For each variant what the handicap adds to Black's margin.
    points: Vec<i32>,
    contrasts: Vec<Contrast>,
    /// The choices that the sets differ in and that change nothing, each with the reason.
    idle: Vec<(RuleAxis, &'static str)>,
}

impl Plan {
    /// Returns the plan for rule sets in the order of [`in_order`].
    fn new(rules: &[RuleSet], config: &RunConfig) -> Self {
        let playings = first_of_each(rules, |rules| playing(rules, config));
        let variants = first_of_each(rules, |rules| effective(rules, config));
        let place = |variant: &RuleSet| {
            let is_mine = |found: &RuleSet| playing(*found, config) == playing(*variant, config);
            playings.iter().position(is_mine).expect("every rule set has a playing")
        };
        let playing_of = variants.iter().map(place).collect();
        let points = variants.iter().map(|&rules| RunConfig { rules, ..*config }.handicap_points()).collect();
        let changed = |axis: RuleAxis| rules.iter().any(|&other| !axis.agrees(*rules[0], *other));
        let idle = RuleAxis::ALL.into_iter().filter(|&axis| changed(axis));
        let idle = idle.filter_map(|axis| Some((axis, axis.idle_reason(config)?))).collect();
        let mut contrasts = single(&variants, config);
        contrasts.extend(averages(&contrasts));
        Self { playings, variants, playing_of, points, contrasts, idle }
    }
}

/// Returns the rule sets in the order of [`Rules::lattice`], so that Tromp–Taylor's come first; those with a finite supply of stones last.
fn in_order(rules: &[RuleSet]) -> Vec<RuleSet> {
    let place = |rules: &RuleSet| {
        let unlimited = Rules { supply: Supply::Unlimited, ..on_axes(**rules) };
        (rules.supply, Rules::lattice().position(|place| place == unlimited))
    };
    let mut sorted = rules.to_vec();
    sorted.sort_by_key(place);
    sorted
}

fn first_of_each(rules: &[RuleSet], key: impl Fn(RuleSet) -> Effective) -> Vec<RuleSet> {
    let mut seen = Vec::new();
    let mut is_new = |key| {
        let is_new = !seen.contains(&key);
        seen.push(key);
        is_new
    };
    rules.iter().copied().filter(|&rules| is_new(key(rules))).collect()
}

/// Returns the base against every other variant, then all pairs of others that differ in one choice.
fn single(variants: &[RuleSet], config: &RunConfig) -> Vec<Contrast> {
    let mut contrasts = Vec::new();
    for (before, &from) in variants.iter().enumerate() {
        for (after, &to) in variants.iter().enumerate().skip(before + 1) {
            let axes = RuleAxis::between(effective(from, config).0, effective(to, config).0);
            let scope = if before == 0 { ContrastScope::Base } else { ContrastScope::Other };
            if before == 0 || axes.len() == 1 {
                contrasts.push(Contrast { scope, axes, from, to, pairs: vec![(before, after)] });
            }
        }
    }
    contrasts
}

/// Returns one contrast for each change of one choice that several pairs of sets make.
fn averages(single: &[Contrast]) -> Vec<Contrast> {
    let mut averages: Vec<Contrast> = Vec::new();
    for contrast in single.iter().filter(|contrast| contrast.axes.len() == 1) {
        let axis = contrast.axes[0];
        let is_same = |found: &&mut Contrast| {
            found.axes == contrast.axes
                && axis.agrees(*found.from, *contrast.from)
                && axis.agrees(*found.to, *contrast.to)
        };
        match averages.iter_mut().find(is_same) {
            Some(found) => found.pairs.extend(&contrast.pairs),
            None => averages.push(Contrast { scope: ContrastScope::Average, ..contrast.clone() }),
        }
    }
    averages.retain(|average| average.pairs.len() > 1);
    averages
}
