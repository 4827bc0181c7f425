//! The fingerprint of the rules in a record: the private property `JF` of the root.
//!
//! Of a [whole game](super::to_protocol), which has `JC`, it is the [fingerprint of the conduct](conduct_fingerprint), of any other record
//! that of the [rule set](rules_fingerprint) that `RU` names.

use jigo_engine::{Rules, protocol::Conduct};

use super::{SgfGame, rules_of, whole::CONDUCT};
use crate::fingerprint::{conduct_fingerprint, rules_fingerprint};

/// The property.
const FINGERPRINT: &str = "JF";

/// A record whose rules are not those that this version reads from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the rules' meaning changed: `JF[{stated}]` is not the fingerprint of `{rules}`, which is how this version reads the record's rules. \
     Use the version of jigo that wrote it (`AP`), or remove `JF` if the rules were edited on purpose"
)]
pub struct ChangedRules {
    /// What the record states.
    pub stated: String,
    /// The rules in full, as this version reads them.
    pub rules: String,
}

impl SgfGame {
    /// States a rule set: its name for people in `RU`, and its fingerprint.
    pub fn set_rule_set(&mut self, rules: Rules) {
        self.set_rules(&rules.to_string());
        self.put_fingerprint(rules_fingerprint(rules));
    }

    /// The fingerprint of the rules (`JF`), if it is stated.
    #[must_use]
    pub fn rules_fingerprint(&self) -> Option<&str> {
        self.info.get(FINGERPRINT)
    }

    /// Compares the fingerprint, if it is stated, with the rules that this version reads from `JC` or else from `RU`.
    ///
    /// # Errors
    /// Another fingerprint.
    pub fn check_rules_fingerprint(&self) -> Result<(), ChangedRules> {
        let Some(stated) = self.rules_fingerprint() else { return Ok(()) };
        let conduct = self.info.get(CONDUCT).and_then(|text| text.parse::<Conduct>().ok());
        let (rules, expected) = match conduct {
            Some(conduct) => (conduct.canonical_rules(), conduct_fingerprint(&conduct)),
            None => {
                let rules = rules_of(self);
                (rules.canonical(), rules_fingerprint(rules))
            }
        };
        if stated.trim().eq_ignore_ascii_case(&expected) {
            return Ok(());
        }
        Err(ChangedRules { stated: stated.to_owned(), rules })
    }

    /// States the fingerprint of a conduct.
    pub(super) fn set_conduct_fingerprint(&mut self, conduct: &Conduct) {
        self.put_fingerprint(conduct_fingerprint(conduct));
    }

    /// What is said of the rules changes: no fingerprint is stated of them.
    pub(super) fn forget_fingerprint(&mut self) {
        self.info.remove(FINGERPRINT);
    }

    fn put_fingerprint(&mut self, fingerprint: String) {
        self.info.put(FINGERPRINT, vec![fingerprint]);
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, rules::Preset};

    use super::*;

    #[test]
    fn a_fingerprint_holds_for_the_rules_that_it_was_made_of() {
        let mut game = SgfGame::new(BoardSize::square(9).unwrap());
        assert_eq!((game.rules_fingerprint(), game.check_rules_fingerprint()), (None, Ok(())));
        for rules in Rules::lattice().chain(Preset::ALL.map(Preset::rules)) {
            game.set_rule_set(rules);
            assert_eq!(game.rules_fingerprint(), Some(rules_fingerprint(rules).as_str()));
            assert_eq!(game.check_rules_fingerprint(), Ok(()));
        }
    }

    #[test]
    fn rules_of_another_meaning_are_told() {
        let mut game = SgfGame::new(BoardSize::square(9).unwrap());
        game.set_rule_set(Preset::Chinese.rules());
        // As if `chinese` had been another rule set for the program that wrote the record.
        game.put_fingerprint(rules_fingerprint(Rules::TROMP_TAYLOR));
        let error = game.check_rules_fingerprint().unwrap_err();
        assert_eq!(error.rules, Preset::Chinese.rules().canonical());
        assert!(error.to_string().starts_with("the rules' meaning changed: `JF["), "{error}");
        game.set_rules("japanese");
        assert_eq!((game.rules_fingerprint(), game.check_rules_fingerprint()), (None, Ok(())));
    }
}
