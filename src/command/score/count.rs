//! What counts for whom.

use jigo_engine::{
    Counting, Komi, Rules,
    protocol::{Conduct, EndRule},
    score::{Score, ScoringContext},
};
use jigo_selfplay::fingerprint::{conduct_fingerprint, rules_fingerprint};

use super::{End, whole};
use crate::config::{CountedBy, NamedRules};

/// A name and the points that it gives Black and White.
pub(super) type Part = (&'static str, [Komi; 2]);

/// The score under one rule set.
pub(super) struct Count {
    pub(super) name: String,
    /// The rules in full, with the end of whole games that are counted by their protocol.
    pub(super) rules: String,
    /// The digest of that text.
    pub(super) fingerprint: String,
    pub(super) counting: Counting,
    pub(super) komi: Komi,
    /// All that counts.
    pub(super) parts: Vec<Part>,
}

impl Count {
    /// Counts a position by the values of a rule set, or by Makrai's protocol as if both players had stopped and agreed.
    pub(super) fn of_position(end: &End, named: &NamedRules, komi: Komi) -> anyhow::Result<Self> {
        if named.counted == CountedBy::Makrai {
            return whole::agreed(end, named, komi);
        }
        let ending = ScoringContext {
            dead: &end.dead,
            prisoners: end.prisoners,
            handicap_stones: end.handicap_stones,
        };
        let rules = named.rules;
        Ok(Self {
            name: named.name.clone(),
            rules: rules.canonical(),
            fingerprint: rules_fingerprint(rules),
            counting: rules.counting,
            komi,
            parts: parts(rules, &end.position.score(rules, &ending), komi),
        })
    }

    /// A count by the protocol of a whole game.
    pub(super) fn of_conduct(name: String, conduct: &Conduct, parts: Vec<Part>) -> Self {
        Self {
            name,
            rules: conduct.canonical_rules(),
            fingerprint: conduct_fingerprint(conduct),
            counting: conduct.rules.counting,
            komi: conduct.komi,
            parts,
        }
    }

    /// The points of Black and White.
    pub(super) fn totals(&self) -> [Komi; 2] {
        let sum = |color: usize| self.parts.iter().map(|(_, points)| points[color].half_points()).sum();
        [0, 1].map(|color| Komi::from_half_points(sum(color)))
    }

    /// `B+3.5`, `W+12` or `0` for jigo.
    pub(super) fn result(&self) -> String {
        let [black, white] = self.totals().map(Komi::half_points);
        let points = Komi::from_half_points((black - white).abs());
        match black - white {
            1.. => format!("B+{points}"),
            0 => "0".to_owned(),
            _ => format!("W+{points}"),
        }
    }
}

/// The parts of a score; tax and bonus only where there are any.
fn parts(rules: Rules, score: &Score, komi: Komi) -> Vec<Part> {
    let Score { stones, surrounded, prisoners, taxed_groups, handicap_bonus, .. } = *score;
    let own = match rules.counting {
        Counting::Area => ("living stones", points(stones)),
        Counting::Territory => ("prisoners", points(prisoners)),
    };
    let rare = [("group tax", group_tax(taxed_groups)), ("handicap bonus", points([0, handicap_bonus]))];
    laid_out([("territory", points(surrounded)), own], rare, [Komi::ZERO, komi])
}

/// The parts that are always shown, those that say something, and the komi.
pub(super) fn laid_out<const N: usize, const R: usize>(
    usual: [Part; N],
    rare: [Part; R],
    komi: [Komi; 2],
) -> Vec<Part> {
    let rare = rare.into_iter().filter(|(_, points)| *points != [Komi::ZERO; 2]);
    usual.into_iter().chain(rare).chain([("komi", komi)]).collect()
}

pub(super) fn group_tax(groups: [u32; 2]) -> [Komi; 2] {
    groups.map(|groups| Komi::from_points(-2 * groups as i32))
}

pub(super) fn points(points: [u32; 2]) -> [Komi; 2] {
    points.map(|points| Komi::from_points(points as i32))
}

/// Whether a game by this protocol is counted by what each player lost, and the komi taken from Black.
pub(super) const fn counts_losses(conduct: &Conduct) -> bool {
    matches!(conduct.ending, EndRule::Marking)
}
