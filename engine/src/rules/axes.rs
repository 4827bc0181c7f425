//! The choices of which a rule set consists.

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

/// Which living groups give points away. What a group in seki is, [`Position::score`](crate::Position::score) says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tax {
    /// None: every point counts.
    #[default]
    None,
    /// Points surrounded by groups in seki do not count.
    Seki,
    /// As `Seki`; and each living group that is not in seki gives two points, for its two eyes.
    All,
}

/// What White receives for Black's handicap stones at the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HandicapBonus {
    /// Nothing.
    #[default]
    None,
    /// A point for each stone.
    PerStone,
    /// A point for each stone but the first, which Black would have without a handicap as well.
    PerStoneButFirst,
}

impl HandicapBonus {
    /// The points that White receives for so many handicap stones. A single stone is no handicap.
    #[must_use]
    pub const fn points(self, handicap_stones: u32) -> u32 {
        match self {
            _ if handicap_stones < 2 => 0,
            Self::None => 0,
            Self::PerStone => handicap_stones,
            Self::PerStoneButFirst => handicap_stones - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonus_is_for_two_stones_and_more() {
        let points = |bonus: HandicapBonus| [0, 1, 2, 9].map(|stones| bonus.points(stones));
        assert_eq!(points(HandicapBonus::None), [0, 0, 0, 0]);
        assert_eq!(points(HandicapBonus::PerStone), [0, 0, 2, 9]);
        assert_eq!(points(HandicapBonus::PerStoneButFirst), [0, 0, 1, 8]);
    }
}
