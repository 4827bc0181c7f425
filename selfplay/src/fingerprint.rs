//! Rules as a short digest that changes with their meaning.
//!
//! A name such as `chinese` may come to stand for other values in another version; the digest of the values in full does not, so files
//! state it beside the name.

use jigo_engine::{Rules, protocol::Conduct};

/// The fingerprint of a rule set: BLAKE3 of its [canonical](Rules::canonical) text, 64 hexadecimal digits.
///
/// ```
/// use jigo_engine::Rules;
/// use jigo_selfplay::fingerprint::rules_fingerprint;
/// let fingerprint = rules_fingerprint(Rules::TROMP_TAYLOR);
/// assert!(fingerprint.starts_with("0f9a4057cd5d"));
/// ```
#[must_use]
pub fn rules_fingerprint(rules: Rules) -> String {
    digest(&rules.canonical())
}

/// The fingerprint of the rules of whole games: BLAKE3 of the [rule set and the end](Conduct::canonical_rules).
///
/// Komi and handicap are not in it. It is never that of the rule set alone, since the end belongs to it: Makrai's rules and others may
/// have the same rule set.
#[must_use]
pub fn conduct_fingerprint(conduct: &Conduct) -> String {
    digest(&conduct.canonical_rules())
}

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jigo_engine::{
        BoardSize, Komi,
        rules::{Preset, Tax},
    };

    use super::*;

    #[test]
    fn rules_that_differ_have_other_fingerprints() {
        let taxed = Rules::lattice().map(|rules| Rules { tax: Tax::Seki, ..rules });
        let all: BTreeSet<String> = Rules::lattice().chain(taxed).map(rules_fingerprint).collect();
        assert_eq!(all.len(), 48);
    }

    #[test]
    fn the_end_belongs_to_whole_games_and_komi_does_not() {
        let size = BoardSize::square(9).unwrap();
        let named = |name: &str| Conduct::new(name.parse::<jigo_engine::RuleSet>().unwrap(), size);
        // The same rule set, ended in two ways.
        let (hups, brainking) = (named("hups"), named("brainking"));
        assert_ne!(conduct_fingerprint(&hups), conduct_fingerprint(&named("makrai-territory")));
        assert_ne!(
            conduct_fingerprint(&brainking),
            conduct_fingerprint(&Conduct { ending: hups.ending, ..brainking })
        );
        assert_ne!(conduct_fingerprint(&hups), rules_fingerprint(Preset::Hups.rules()));
        let other = hups.with_komi(Komi::from_points(3)).with_handicap(2);
        assert_eq!(conduct_fingerprint(&hups), conduct_fingerprint(&other));
    }
}
