//! Measures what each choice of rules changes: the same random numbers are played under several rule sets, and every game is compared with itself.

use jigo_engine::{
    Counting, Rules, Suicide, names,
    rules::{Handicap, HandicapBonus, Tax},
};
use jigo_selfplay::{Policy, policy::PolicySuicide};
use serde::Serialize;

mod comparison;
mod counts;
mod plan;
#[cfg(test)]
mod tests;

pub use comparison::{Comparison, FAIR_KOMI_MIN_GAMES};
pub use counts::{ContrastCounts, CountedQuantity, MovedMargins};
pub use plan::{Contrast, ContrastScope};

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
}

names! {
    /// All axes, in the order of [`Rules::canonical`].
    RuleAxis { Counting = "counting", Ko = "ko", Suicide = "suicide", Handicap = "handicap" }
}

impl RuleAxis {
    /// Returns the value of a rule set on this axis, as in its [canonical](Rules::canonical) text.
    #[must_use]
    pub fn value(self, rules: Rules) -> String {
        rules.canonical().split('+').nth(self as usize).unwrap_or_default().to_owned()
    }

    /// Returns whether two rule sets have the same value on this axis.
    pub(super) fn agrees(self, one: Rules, other: Rules) -> bool {
        self.value(one) == self.value(other)
    }

    /// Returns the axes on which two rule sets differ.
    pub(super) fn between(one: Rules, other: Rules) -> Vec<Self> {
        Self::ALL.into_iter().filter(|axis| !axis.agrees(one, other)).collect()
    }

    /// Returns why this choice cannot change a playout of this policy; nothing where it can.
    #[must_use]
    pub const fn idle_reason(self, policy: Policy) -> Option<&'static str> {
        match self {
            Self::Handicap => Some("no game begins with handicap stones"),
            Self::Suicide => match (policy, policy.suicide()) {
                // What is unconditionally alive depends on it.
                (Policy::Settled { .. }, _) | (_, PolicySuicide::AsTheRulesSay) => None,
                (_, PolicySuicide::Never) => Some("the policy never plays suicide"),
            },
            Self::Counting | Self::Ko => None,
        }
    }
}

/// Returns the rule set with one fixed value on each axis that changes no playout of this policy. Sets for which it is the same have the same games and
/// results.
pub(super) fn effective(rules: Rules, policy: Policy) -> Rules {
    let idle = |axis: RuleAxis| axis.idle_reason(policy).is_some();
    Rules {
        suicide: if idle(RuleAxis::Suicide) { Suicide::Forbidden } else { rules.suicide },
        handicap: if idle(RuleAxis::Handicap) { Handicap::Free } else { rules.handicap },
        ..on_axes(rules)
    }
}

/// Returns the rule set with its values on the axes alone: margins of playouts are measured without tax, and without handicap there is no bonus.
pub(super) fn on_axes(rules: Rules) -> Rules {
    Rules { tax: Tax::None, handicap_bonus: HandicapBonus::None, ..rules }
}

/// Returns the same for games before they are counted.
pub(super) fn playing(rules: Rules, policy: Policy) -> Rules {
    Rules { counting: Counting::Area, ..effective(rules, policy) }
}
