//! What is played and what is compared where several rule sets are studied.

use jigo_engine::{Rules, names};
use jigo_selfplay::Policy;

use super::{RuleAxis, effective, on_axes, playing};

/// Which rule sets a contrast compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
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

/// A change of rules: every game is looked at before and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// Which sets are compared.
    pub scope: ContrastScope,
    /// The choices that change.
    pub axes: Vec<RuleAxis>,
    /// The rules before the change; in an average those of one of the pairs.
    pub from: Rules,
    /// The rules after it.
    pub to: Rules,
    /// Places of the sets before and after among the variants, one pair unless this is an average.
    pub(crate) pairs: Vec<(usize, usize)>,
}

/// The rule sets of a study whose playouts can differ, and the contrasts between them. A function of rule sets and policy.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Rule sets under which different games are played; of each kind the first.
    pub(super) playings: Vec<Rules>,
    /// Rule sets with different games or results; of each kind the first. The first of all is the base.
    pub(super) variants: Vec<Rules>,
    /// For each variant the place of its playing.
    pub(super) playing_of: Vec<usize>,
    pub(super) contrasts: Vec<Contrast>,
    /// The choices that the sets differ in and that change nothing, each with the reason.
    pub(super) idle: Vec<(RuleAxis, &'static str)>,
}

impl Plan {
    /// Returns the plan for rule sets in the order of [`in_order`].
    pub(super) fn new(rules: &[Rules], policy: Policy) -> Self {
        let playings = first_of_each(rules, |rules| playing(rules, policy));
        let variants = first_of_each(rules, |rules| effective(rules, policy));
        let place = |variant: &Rules| {
            let is_mine = |found: &Rules| playing(*found, policy) == playing(*variant, policy);
            playings.iter().position(is_mine).expect("every rule set has a playing")
        };
        let playing_of = variants.iter().map(place).collect();
        let changed = |axis: RuleAxis| rules.iter().any(|&other| !axis.agrees(rules[0], other));
        let idle = RuleAxis::ALL.into_iter().filter(|&axis| changed(axis));
        let idle = idle.filter_map(|axis| Some((axis, axis.idle_reason(policy)?))).collect();
        let mut contrasts = single(&variants, policy);
        contrasts.extend(averages(&contrasts));
        Self { playings, variants, playing_of, contrasts, idle }
    }
}

/// Returns the rule sets in the order of [`Rules::lattice`], so that Tromp–Taylor's come first.
pub(super) fn in_order(rules: &[Rules]) -> Vec<Rules> {
    let mut sorted = rules.to_vec();
    sorted.sort_by_key(|&rules| Rules::lattice().position(|place| place == on_axes(rules)));
    sorted
}

fn first_of_each(rules: &[Rules], key: impl Fn(Rules) -> Rules) -> Vec<Rules> {
    let mut seen = Vec::new();
    let mut is_new = |key| {
        let is_new = !seen.contains(&key);
        seen.push(key);
        is_new
    };
    rules.iter().copied().filter(|&rules| is_new(key(rules))).collect()
}

/// Returns the base against every other variant, then all pairs of others that differ in one choice.
fn single(variants: &[Rules], policy: Policy) -> Vec<Contrast> {
    let mut contrasts = Vec::new();
    for (before, &from) in variants.iter().enumerate() {
        for (after, &to) in variants.iter().enumerate().skip(before + 1) {
            let axes = RuleAxis::between(effective(from, policy), effective(to, policy));
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
                && axis.agrees(found.from, contrast.from)
                && axis.agrees(found.to, contrast.to)
        };
        match averages.iter_mut().find(is_same) {
            Some(found) => found.pairs.extend(&contrast.pairs),
            None => averages.push(Contrast { scope: ContrastScope::Average, ..contrast.clone() }),
        }
    }
    averages.retain(|average| average.pairs.len() > 1);
    averages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(policy: &str) -> Plan {
        Plan::new(&Rules::lattice().collect::<Vec<_>>(), policy.parse().unwrap())
    }

    fn count(plan: &Plan, scope: ContrastScope) -> usize {
        plan.contrasts.iter().filter(|contrast| contrast.scope == scope).count()
    }

    fn idle(plan: &Plan) -> Vec<RuleAxis> {
        plan.idle.iter().map(|&(axis, _)| axis).collect()
    }

    #[test]
    fn what_changes_nothing_is_not_played() {
        let plan = plan("eye-safe");
        assert_eq!((plan.playings.len(), plan.variants.len()), (3, 6));
        assert_eq!(idle(&plan), [RuleAxis::Suicide, RuleAxis::Handicap]);
        // Territory, two other ko rules, and both.
        assert_eq!(count(&plan, ContrastScope::Base), 5);
        // Situational to simple ko; territory under two ko rules; three changes of ko under territory.
        assert_eq!(count(&plan, ContrastScope::Other), 6);
        assert_eq!(count(&plan, ContrastScope::Average), 4);
    }

    #[test]
    fn a_policy_that_plays_suicide_has_that_choice_too() {
        let plan = plan("uniform");
        assert_eq!((plan.playings.len(), plan.variants.len()), (6, 12));
        assert_eq!(idle(&plan), [RuleAxis::Handicap]);
        assert_eq!(plan.variants[0], Rules::TROMP_TAYLOR);
        assert_eq!(count(&plan, ContrastScope::Average), 5);
        // 24 pairs that differ in one choice, and 7 sets that differ from the base in several.
        assert_eq!(plan.contrasts.len(), 24 + 7 + 5);
    }

    #[test]
    fn where_the_policy_asks_what_is_alive_suicide_matters() {
        let plan = plan("settled:k=3");
        assert_eq!((plan.playings.len(), plan.variants.len()), (6, 12));
        assert_eq!(idle(&plan), [RuleAxis::Handicap]);
    }

    #[test]
    fn named_sets_are_compared_with_the_first() {
        let sets = ["japanese", "chinese", "tromp-taylor"].map(|name| name.parse().unwrap());
        let plan = Plan::new(&in_order(&sets), Policy::EYE_SAFE);
        let changes = plan.contrasts.iter().map(|contrast| (contrast.scope, contrast.axes.clone()));
        let expected = [
            (ContrastScope::Base, vec![RuleAxis::Ko]),
            (ContrastScope::Base, vec![RuleAxis::Counting, RuleAxis::Ko]),
            (ContrastScope::Other, vec![RuleAxis::Counting]),
        ];
        assert_eq!(changes.collect::<Vec<_>>(), expected);
    }
}
