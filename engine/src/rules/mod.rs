//! Rule sets as four independent choices.

mod preset;

use std::{fmt, str::FromStr};

pub use preset::Preset;

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counting {
    /// Own stones and the empty points that only they reach.
    Area,
    /// Empty points that only own living stones reach, and prisoners.
    Territory,
}

/// Which repetitions are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ko {
    /// A move may not recreate the position from before the opponent's last move. Longer cycles are allowed.
    Simple,
    /// A move may not recreate any earlier position, whoever moved then.
    PositionalSuperko,
    /// A move may not recreate any earlier position with the same player to move.
    SituationalSuperko,
}

impl Ko {
    /// Whether the rule looks at the whole game, not only at the last move.
    #[must_use]
    pub const fn is_superko(self) -> bool {
        !matches!(self, Self::Simple)
    }
}

/// Whether a move may take the mover's own last liberty without capturing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Suicide {
    /// Such a move is illegal.
    Forbidden,
    /// A chain of two or more stones may be given up. A single stone may not: it would leave the position as it was, a pass in
    /// disguise, which positional superko forbids as well.
    Allowed,
}

/// Where handicap stones go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Handicap {
    /// Anywhere: Black plays several moves in a row.
    Free,
    /// On the star points, in a fixed order.
    Fixed,
}

/// A rule set: one value for each axis, all combinations valid.
///
/// Written as a preset's name or as the values joined by `+` in any order; an axis that is not named has Tromp–Taylor's value.
///
/// ```
/// use jigo_engine::{Ko, Rules};
/// let rules: Rules = "territory+simple-ko+no-suicide+fixed-handicap".parse().unwrap();
/// assert_eq!(rules, "japanese".parse().unwrap());
/// assert_eq!("situational-superko".parse(), Ok(Rules { ko: Ko::SituationalSuperko, ..Rules::TROMP_TAYLOR }));
/// assert_eq!(Rules::lattice().count(), 24);
/// ```
///
/// # Source
/// Bill Taylor's remark on the four independent differences between Chinese and Japanese rules, in the commentary of the
/// Tromp–Taylor rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rules {
    /// What is counted.
    pub counting: Counting,
    /// Which repetitions are forbidden.
    pub ko: Ko,
    /// Whether chains may be given up.
    pub suicide: Suicide,
    /// Where handicap stones go.
    pub handicap: Handicap,
}

/// Text that names no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a rule set. Known names: {names}. Or join values with `+`, one for each axis: \
     area | territory, positional-superko | situational-superko | simple-ko, suicide | no-suicide, \
     free-handicap | fixed-handicap",
    names = Preset::ALL.map(Preset::name).join(", ")
)]
pub struct UnknownRules(String);

impl Rules {
    /// The logical rules of Tromp and Taylor: area, positional superko, suicide allowed, free handicap.
    pub const TROMP_TAYLOR: Self = Self {
        counting: Counting::Area,
        ko: Ko::PositionalSuperko,
        suicide: Suicide::Allowed,
        handicap: Handicap::Free,
    };

    /// Every combination: 2 countings × 3 ko rules × 2 suicide rules × 2 handicap rules.
    pub fn lattice() -> impl Iterator<Item = Self> {
        let countings = [Counting::Area, Counting::Territory];
        countings.into_iter().flat_map(|counting| {
            let kos = [Ko::PositionalSuperko, Ko::SituationalSuperko, Ko::Simple];
            kos.into_iter().flat_map(move |ko| {
                [Suicide::Allowed, Suicide::Forbidden].into_iter().flat_map(move |suicide| {
                    [Handicap::Free, Handicap::Fixed].map(|handicap| Self { counting, ko, suicide, handicap })
                })
            })
        })
    }

    /// The preset with exactly these values, if there is one; the first where several agree.
    #[must_use]
    pub fn preset(self) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.rules() == self)
    }

    /// The values of all four axes joined by `+`, always in the same order.
    #[must_use]
    pub fn canonical(self) -> String {
        let counting = match self.counting {
            Counting::Area => "area",
            Counting::Territory => "territory",
        };
        let ko = match self.ko {
            Ko::PositionalSuperko => "positional-superko",
            Ko::SituationalSuperko => "situational-superko",
            Ko::Simple => "simple-ko",
        };
        let suicide = match self.suicide {
            Suicide::Allowed => "suicide",
            Suicide::Forbidden => "no-suicide",
        };
        let handicap = match self.handicap {
            Handicap::Free => "free-handicap",
            Handicap::Fixed => "fixed-handicap",
        };
        [counting, ko, suicide, handicap].join("+")
    }

    /// Sets the axis that `value` belongs to; `None` when no axis has such a value.
    fn with(mut self, value: &str) -> Option<Self> {
        match value {
            "area" => self.counting = Counting::Area,
            "territory" => self.counting = Counting::Territory,
            "positional-superko" => self.ko = Ko::PositionalSuperko,
            "situational-superko" => self.ko = Ko::SituationalSuperko,
            "simple-ko" => self.ko = Ko::Simple,
            "suicide" => self.suicide = Suicide::Allowed,
            "no-suicide" => self.suicide = Suicide::Forbidden,
            "free-handicap" => self.handicap = Handicap::Free,
            "fixed-handicap" => self.handicap = Handicap::Fixed,
            _ => return None,
        }
        Some(self)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::TROMP_TAYLOR
    }
}

/// The name of the preset with these values, else the [canonical](Rules::canonical) form.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.preset() {
            Some(preset) => f.pad(preset.name()),
            None => f.pad(&self.canonical()),
        }
    }
}

impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(text: &str) -> Result<Self, UnknownRules> {
        let lower = text.trim().to_ascii_lowercase().replace('_', "-");
        if let Some(preset) = Preset::ALL.into_iter().find(|preset| preset.name() == lower) {
            return Ok(preset.rules());
        }
        lower
            .split('+')
            .try_fold(Self::TROMP_TAYLOR, |rules, value| rules.with(value.trim()))
            .ok_or_else(|| UnknownRules(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn lattice_is_complete_and_text_round_trips() {
        let all: BTreeSet<Rules> = Rules::lattice().collect();
        assert_eq!(all.len(), 24);
        for rules in all {
            assert_eq!(rules.canonical().parse(), Ok(rules));
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let error = "chineese".parse::<Rules>().unwrap_err().to_string();
        for preset in Preset::ALL {
            assert!(error.contains(preset.name()), "{error}");
            assert_eq!(preset.name().parse(), Ok(preset.rules()));
        }
        assert!("".parse::<Rules>().is_err());
        assert!("area+".parse::<Rules>().is_err());
    }
}
