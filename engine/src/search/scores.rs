//! The scores of a node's moves, by the bits of the moves: loops that compilers turn into vector instructions.

use super::node::LANES;
use crate::bitboard::Bitboard;

/// Returns the highest score.
#[inline(always)]
pub(super) fn highest(scores: &[[f32; LANES]]) -> f32 {
    let higher = |one: f32, other: f32| if one > other { one } else { other };
    let mut highest = [f32::NEG_INFINITY; LANES];
    for scores in scores {
        for lane in 0..LANES {
            highest[lane] = higher(scores[lane], highest[lane]);
        }
    }
    // The upper half against the lower one: a vector instruction each time, where sixteen scores one after the other would wait for each other.
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            highest[lane] = higher(highest[lane], highest[lane + half]);
        }
    }
    highest[0]
}

/// Returns the bit of the only move with this score; none if several moves have it.
#[inline(always)]
pub(super) fn only_bit_with(score: f32, scores: &[[f32; LANES]]) -> Option<usize> {
    // The lower half of the sum adds up the bits of the moves with the score, the upper half counts them.
    const ONE: u32 = 1 << 16;
    let mut sums = [0; LANES];
    for (index, scores) in scores.iter().enumerate() {
        for lane in 0..LANES {
            let bit = (index * LANES + lane) as u32;
            sums[lane] += if scores[lane] == score { ONE + bit } else { 0 };
        }
    }
    let sum = sums.iter().sum::<u32>();
    (sum / ONE == 1).then_some((sum % ONE) as usize)
}

/// Returns the bits of all moves with this score.
#[inline(always)]
pub(super) fn bits_with<const W: usize>(score: f32, scores: &[[f32; LANES]]) -> Bitboard<W> {
    let mut words = [0; W];
    for (index, scores) in scores.iter().enumerate() {
        let lanes = (0..LANES).fold(0, |lanes, lane| lanes | i32::from(scores[lane] == score) << lane);
        words[index / 4] |= (lanes as u64) << (index % 4 * LANES);
    }
    Bitboard::from_words(words)
}
