//! Rule sets as arguments name them.

use std::str::FromStr;

use jigo_engine::{
    BoardSize, Komi, Rules,
    protocol::Conduct,
    rules::{Preset, UnknownRules},
};

use super::each_once;

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
    type Err = UnknownRules;

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

/// The rule sets of one argument: a list with commas, in which `lattice` stands for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleSets(Vec<Rules>);

impl FromStr for RuleSets {
    type Err = UnknownRules;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
