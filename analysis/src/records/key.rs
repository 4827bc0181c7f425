//! Which games are counted together.

use std::{cmp::Ordering, fmt};

use jigo_engine::BoardSize;
use jigo_selfplay::sgf::SgfGame;
use serde::{Deserialize, Serialize};

use crate::study::Side;

/// What a record says in one property, as written and never interpreted; or that it says nothing.
///
/// Ordered by value where the text is a number: 5.5, 6.5, 10; then other text; last what is not recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Written(Option<String>);

impl Written {
    /// The most characters kept.
    const LONGEST: usize = 60;

    /// The text of a property without the blanks around it; empty text counts as not recorded. Control characters become blanks, and what
    /// is longer than 60 characters is cut.
    #[must_use]
    pub fn new(text: Option<&str>) -> Self {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        let plain = |character: char| if character.is_control() { ' ' } else { character };
        Self(text.map(|text| text.chars().take(Self::LONGEST).map(plain).collect()))
    }

    /// The text; `None` when nothing is recorded.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The text as a number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        self.text()?.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

impl Ord for Written {
    fn cmp(&self, other: &Self) -> Ordering {
        let class = |written: &Self| (written.0.is_none(), written.number().is_none());
        let by_number = || match (self.number(), other.number()) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            _ => Ordering::Equal,
        };
        class(self).cmp(&class(other)).then_with(by_number).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Written {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The text, or `not recorded`.
impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().unwrap_or("not recorded"))
    }
}

/// What stands for the words of groups that are counted together.
const FURTHER: &str = "(further)";

/// The games of one board size, rule set, komi and handicap, the last three as the records write them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GroupKey {
    size: Side,
    /// `RU`.
    pub rules: Written,
    /// `KM`. A komi of 0 may mean that none was recorded, and 375 may be in hundredths: nobody knows, so nothing is guessed.
    pub komi: Written,
    /// `HA`. The stones actually placed may differ, which the warnings count.
    pub handicap: Written,
}

impl GroupKey {
    /// The group that a game belongs to.
    #[must_use]
    pub fn of(game: &SgfGame) -> Self {
        let written = |name| Written::new(game.info.get(name));
        Self { size: Side(game.size), rules: written("RU"), komi: written("KM"), handicap: written("HA") }
    }

    /// The group of the games on boards of the same size whose own groups are [too many](super::RecordStudy::MAX_GROUPS).
    #[must_use]
    pub(super) fn further(&self) -> Self {
        let further = Written(Some(FURTHER.to_owned()));
        Self { size: self.size, rules: further.clone(), komi: further.clone(), handicap: further }
    }

    /// Whether this is such a group.
    pub(super) fn is_further(&self) -> bool {
        [&self.handicap, &self.komi, &self.rules].iter().all(|written| written.text() == Some(FURTHER))
    }

    /// The board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.size.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_ordered_by_its_value() {
        let texts =
            [Some("-5.5"), Some("0"), Some("6.5"), Some("10"), Some("375"), Some("6,5"), Some("x"), None];
        let sorted: Vec<Written> = texts.into_iter().map(Written::new).collect();
        let mut again = sorted.clone();
        again.reverse();
        again.sort();
        assert_eq!(again, sorted);
        assert_ne!(Written::new(Some("6.5")).cmp(&Written::new(Some("6.50"))), Ordering::Equal);
    }

    #[test]
    fn text_is_kept_as_written() {
        assert_eq!(Written::new(Some(" 6.50 ")).text(), Some("6.50"));
        assert_eq!(Written::new(Some(" ")).to_string(), "not recorded");
        assert_eq!(Written::new(Some("a\u{1b}[1mb")).text(), Some("a [1mb"));
        assert_eq!(Written::new(Some(&"é".repeat(1000))).text(), Some("é".repeat(60).as_str()));
    }
}
