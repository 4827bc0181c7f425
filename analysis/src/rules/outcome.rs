//! What is remembered of a game until it is compared.

use jigo_engine::Counting;
use jigo_selfplay::GameRecord;

/// A quantity of a game that rules may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CountedQuantity {
    /// Black's points minus White's before komi.
    Margin,
    /// Plies, passes included.
    Plies,
    /// Stones removed, of both colours.
    Removed,
    /// Draws that superko refused.
    RefusedDraws,
    /// Whether a move recreated an earlier position: what a rule of *no result* would call off.
    Repetition,
}

impl CountedQuantity {
    /// All quantities.
    pub const ALL: [Self; 5] =
        [Self::Margin, Self::Plies, Self::Removed, Self::RefusedDraws, Self::Repetition];
}

/// A game in numbers, under either counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    margins: [i32; 2],
    /// The quantities after the margin.
    others: [i32; CountedQuantity::ALL.len() - 1],
    pub(super) is_capped: bool,
}

impl Outcome {
    pub(super) fn of(record: &GameRecord) -> Self {
        Self {
            margins: [Counting::Area, Counting::Territory].map(|counting| record.margin_by(counting)),
            others: [
                record.ply_count() as i32,
                record.prisoners.iter().sum::<u32>() as i32,
                record.refused.len() as i32,
                i32::from(!record.repeated.is_empty()),
            ],
            is_capped: record.is_capped(),
        }
    }

    /// The margin by this counting.
    pub(super) const fn margin(&self, counting: Counting) -> i32 {
        self.margins[counting as usize]
    }

    /// All quantities by this counting, in their order.
    pub(super) const fn quantities(&self, counting: Counting) -> [i32; CountedQuantity::ALL.len()] {
        let [plies, removed, refused, repetition] = self.others;
        [self.margin(counting), plies, removed, refused, repetition]
    }
}
