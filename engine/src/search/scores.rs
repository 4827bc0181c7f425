//! The scores of a node's moves, by their places: loops that compilers turn into vector instructions.

use std::array::from_fn;

use super::node::LANES;
use crate::bitboard::Bitboard;

/// In each lane, the highest score so far, and where it is.
pub(super) struct Highest {
    scores: [f32; LANES],
    /// The place of the first move with that score, plus [`ONE`] for each move that has it.
    places: [u32; LANES],
}

const ONE: u32 = 1 << 16;

impl Highest {
    pub(super) const fn new() -> Self {
        Self { scores: [f32::NEG_INFINITY; LANES], places: [0; LANES] }
    }

    /// Takes the score of the next move in a lane.
    #[inline(always)]
    pub(super) fn take(&mut self, lane: usize, place: u32, score: f32) {
        let (highest, places) = (self.scores[lane], self.places[lane]);
        self.scores[lane] = higher(score, highest);
        let more = if score == highest { places + ONE } else { places };
        self.places[lane] = if score > highest { place + ONE } else { more };
    }

    /// Returns the highest score of all, and the place of the only move that has it; none if several have.
    #[inline(always)]
    pub(super) fn result(&self) -> (f32, Option<usize>) {
        // The upper half against the lower one: a vector instruction each time, where sixteen scores one after the other would wait for each other.
        let eight: [f32; 8] = from_fn(|lane| higher(self.scores[lane], self.scores[lane + 8]));
        let four: [f32; 4] = from_fn(|lane| higher(eight[lane], eight[lane + 4]));
        let highest = higher(higher(four[0], four[2]), higher(four[1], four[3]));
        let places: [u32; LANES] =
            from_fn(|lane| if self.scores[lane] == highest { self.places[lane] } else { 0 });
        let sum = places.iter().sum::<u32>();
        (highest, (sum / ONE == 1).then_some((sum % ONE) as usize))
    }
}

#[inline(always)]
fn higher(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// Returns the places of all moves with this score.
#[inline(always)]
pub(super) fn places_with<const W: usize>(score: f32, scores: &[[f32; LANES]]) -> Bitboard<W> {
    let mut words = [0; W];
    for (index, scores) in scores.iter().enumerate() {
        let lanes = (0..LANES).fold(0, |lanes, lane| lanes | i32::from(scores[lane] == score) << lane);
        words[index / 4] |= (lanes as u64) << (index % 4 * LANES);
    }
    Bitboard::from_words(words)
}
