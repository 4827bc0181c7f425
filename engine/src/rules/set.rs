//! Rules with the name that people call them by.

use std::{fmt, ops::Deref, str::FromStr};

use super::{InvalidKataGoRules, Preset, Rules, UnknownRules};
use crate::{BoardSize, Komi, game::StarOrder};

/// Rules and the name of the [preset](Preset) that they belong to, if any.
///
/// Several presets have the same [`Rules`] and differ in what rules do not say: the komi, the order of handicap stones and how a game
/// [ends](crate::protocol::EndRule). Games played by them are the same; records, tables and files keep their names apart.
///
/// Written as a preset's name, as the values of [`Rules`] joined by `+`, or as [KataGo](super::KataGoRules) writes rules.
///
/// ```
/// use jigo_engine::{BoardSize, rules::RuleSet};
/// let (czech, korean): (RuleSet, RuleSet) = ("czech".parse()?, "korean".parse()?);
/// assert_eq!(*czech, *korean);
/// assert_eq!(czech.komi(BoardSize::square(13)?).to_string(), "8");
/// assert_eq!(czech.to_string(), "czech");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleSet {
    rules: Rules,
    /// Has exactly these rules.
    preset: Option<Preset>,
}

impl RuleSet {
    /// Returns the preset that these rules are called by.
    #[must_use]
    pub const fn preset(self) -> Option<Preset> {
        self.preset
    }

    /// Returns every rule set that has a name.
    pub fn all() -> impl Iterator<Item = Self> {
        Preset::ALL.into_iter().map(Self::from)
    }

    /// Returns these rules by this name if a preset of the name has them, else without a name.
    #[must_use]
    pub fn named(rules: Rules, name: &str) -> Self {
        Self { rules, preset: Preset::from_name(name).filter(|preset| preset.rules() == rules) }
    }

    /// Returns what a file has to state beside the rules for [`restore`](Self::restore) to find this rule set again.
    #[must_use]
    pub fn stated_name(self) -> Option<String> {
        (self != Self::restore(self.rules, None)).then(|| self.to_string())
    }

    /// Returns the rule set of a file that states these rules and, where it has one, this name. Where none is stated, the first preset with the rules
    /// is meant.
    #[must_use]
    pub fn restore(rules: Rules, stated_name: Option<&str>) -> Self {
        match stated_name {
            Some(name) => Self::named(rules, name),
            None => Self { rules, preset: Preset::ALL.into_iter().find(|preset| preset.rules() == rules) },
        }
    }

    /// Returns the komi of an even game on this board; zero where the rules name none.
    #[must_use]
    pub const fn komi(self, size: BoardSize) -> Komi {
        match self.preset {
            Some(preset) => preset.komi(size),
            None => Komi::ZERO,
        }
    }

    /// Returns the order in which the stones of a fixed handicap are put: the source's where it names one, else that of GTP.
    #[must_use]
    pub const fn handicap_order(self) -> StarOrder {
        match self.preset {
            Some(Preset::Czech) => StarOrder::Traditional,
            _ => StarOrder::Gtp,
        }
    }
}

impl From<Preset> for RuleSet {
    fn from(preset: Preset) -> Self {
        Self { rules: preset.rules(), preset: Some(preset) }
    }
}

/// The rules by their preset's name if exactly one preset has them, else without a name.
impl From<Rules> for RuleSet {
    fn from(rules: Rules) -> Self {
        let mut named = Self::all().filter(|set| set.rules == rules);
        match (named.next(), named.next()) {
            (Some(set), None) => set,
            _ => Self { rules, preset: None },
        }
    }
}

/// The values on the axes.
impl Deref for RuleSet {
    type Target = Rules;

    fn deref(&self) -> &Rules {
        &self.rules
    }
}

/// The preset's name, else the rules' values.
impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.preset {
            Some(preset) => preset.fmt(f),
            None => self.rules.fmt(f),
        }
    }
}

impl FromStr for RuleSet {
    type Err = UnknownRules;

    fn from_str(text: &str) -> Result<Self, UnknownRules> {
        let lower = text.trim().to_ascii_lowercase().replace('_', "-");
        if let Some(preset) = Preset::from_name(&lower) {
            return Ok(preset.into());
        }
        if let Some(rules) = Rules::from_values(&lower)? {
            return Ok(rules.into());
        }
        text.parse::<super::KataGoRules>().map(|katago| katago.rules.into()).map_err(|error| match error {
            // Nothing of it could be read: it may be meant in another notation.
            InvalidKataGoRules::Text { rest } if rest == text.trim() => UnknownRules::Name(text.to_owned()),
            error => error.into(),
        })
    }
}

/// The komi of a command: a number, or `rules` for the komi that the rule set names for the size.
///
/// ```
/// use jigo_engine::{BoardSize, Komi, rules::{KomiChoice, Preset}};
/// let choice: KomiChoice = "rules".parse()?;
/// assert_eq!(choice.at(Preset::BrainKing.into(), BoardSize::square(9)?).to_string(), "3.5");
/// assert_eq!("6.5".parse(), Ok(KomiChoice::Fixed(Komi::from_half_points(13))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KomiChoice {
    /// The [rule set's](RuleSet::komi).
    #[default]
    Rules,
    /// This komi under all rule sets and on all sizes.
    Fixed(Komi),
}

/// Text that is neither `rules` nor a komi.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}; or write `rules` for the komi that each rule set names for the board")]
pub struct InvalidKomiChoice(#[from] crate::InvalidKomi);

impl KomiChoice {
    /// Returns the komi for a rule set and size.
    #[must_use]
    pub const fn at(self, rules: RuleSet, size: BoardSize) -> Komi {
        match self {
            Self::Rules => rules.komi(size),
            Self::Fixed(komi) => komi,
        }
    }
}

impl fmt::Display for KomiChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => f.pad("rules"),
            Self::Fixed(komi) => komi.fmt(f),
        }
    }
}

impl FromStr for KomiChoice {
    type Err = InvalidKomiChoice;

    fn from_str(text: &str) -> Result<Self, InvalidKomiChoice> {
        if text.eq_ignore_ascii_case("rules") { Ok(Self::Rules) } else { Ok(Self::Fixed(text.parse()?)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive() {
        for set in RuleSet::all() {
            assert_eq!(set.to_string().parse(), Ok(set));
            assert_eq!(RuleSet::named(*set, &set.to_string()), set);
        }
        let lattice: Vec<RuleSet> = Rules::lattice().map(RuleSet::from).collect();
        for set in RuleSet::all().chain(lattice.iter().copied()) {
            assert_eq!(RuleSet::restore(*set, set.stated_name().as_deref()), set);
        }
        assert!(lattice.iter().all(|set| set.to_string().parse() == Ok(*set)));
        let names: Vec<_> = lattice.into_iter().filter_map(RuleSet::preset).collect();
        // Where BrainKing and the counting guide agree, neither is meant.
        assert_eq!(names, [Preset::TrompTaylor, Preset::NewZealand]);
    }

    #[test]
    fn a_name_needs_its_rules() {
        let chinese = Preset::Chinese.rules();
        assert_eq!(RuleSet::named(chinese, "japanese").preset(), None);
        assert_eq!(RuleSet::named(chinese, "chinese"), Preset::Chinese.into());
        assert_eq!(RuleSet::restore(Preset::Korean.rules(), None), Preset::Japanese.into());
        assert_eq!(RuleSet::from(Preset::Korean.rules()).preset(), None);
    }
}
