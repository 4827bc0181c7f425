//! Backends: one game at a time on a board, or many in lockstep.

use std::{fmt, str::FromStr};

use jigo_engine::{Rules, rules::Supply, simd::Simd};

use crate::{Run, RunConfig, lockstep};

/// How games are played: on a [`Board`](jigo_engine::Board), one after the other, or many in lockstep. The games are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backend {
    /// One game at a time, on a [`Board`](jigo_engine::Board).
    Board,
    /// A batch of games in lockstep on some instructions.
    Batch(Simd),
}

/// Text that names no backend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown backend `{0}`; available: board (one game at a time), plain, avx2, avx512 (many in lockstep)"
)]
pub struct UnknownBackend(String);

impl Backend {
    /// Iterates over the backends that this processor can run, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Self::Board].into_iter().chain(Simd::available().map(Self::Batch))
    }

    /// Returns whether this backend can play these games. Batches need at least two columns and rows, do not count all forbidden candidates, do
    /// not recognise the territory that `settled` leaves alone, do not put handicap stones by moves in a row, and do not count stones that are finite.
    #[must_use]
    pub fn can_play(self, run: &Run) -> bool {
        let RunConfig { size, rules, policy, ply_cap, count_forbidden, .. } = run.config;
        // Named one by one, so that a new axis does not compile before somebody decides whether batches play it.
        let Rules { counting: _, ko: _, suicide: _, handicap: _, tax: _, handicap_bonus: _, supply } = *rules;
        let is_wide = size.width() >= 2 && size.height() >= 2;
        match self {
            Self::Board => true,
            Self::Batch(simd) => {
                simd.is_available()
                    && is_wide
                    && lockstep::choice(policy.playout()).is_some()
                    && !count_forbidden
                    && run.config.start().free == 0
                    && supply == Supply::Unlimited
                    && u16::try_from(ply_cap).is_ok_and(|cap| cap > 0)
            }
        }
    }

    /// Returns the fastest backend of this processor for these games.
    #[must_use]
    pub fn best(run: &Run) -> Self {
        Self::best_with(Simd::best(), run)
    }

    /// Returns the fastest backend for these games where these are the best vectors.
    fn best_with(simd: Simd, run: &Run) -> Self {
        let batch = Self::Batch(simd);
        // Plain integers hold too few wide rows side by side to be faster than a board.
        let is_fast = simd != Simd::Plain || run.config.size.playing_orientation().width() <= 15;
        if is_fast && batch.can_play(run) { batch } else { Self::Board }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => f.pad("board"),
            Self::Batch(simd) => simd.fmt(f),
        }
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> Result<Self, UnknownBackend> {
        if text == "board" {
            return Ok(Self::Board);
        }
        Simd::from_name(text).map(Self::Batch).ok_or_else(|| UnknownBackend(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(simd: Simd, size: &str) -> Backend {
        Backend::best_with(simd, &Run::new(size, "tromp-taylor", "eye-safe").unwrap())
    }

    #[test]
    fn batches_play_where_they_are_faster() {
        for size in ["2", "9", "13x19", "19x13", "15x25"] {
            assert_eq!(best(Simd::Plain, size), Backend::Batch(Simd::Plain), "{size}");
        }
        for size in ["16", "19", "25"] {
            assert_eq!(best(Simd::Plain, size), Backend::Board, "{size}");
            assert_eq!(best(Simd::best(), size) == Backend::Board, Simd::best() == Simd::Plain);
        }
    }

    #[test]
    fn boards_play_what_batches_cannot() {
        assert_eq!(best(Simd::best(), "1x9"), Backend::Board);
        assert_eq!(best(Simd::best(), "9x1"), Backend::Board);
        let counted = Run::new("9", "tromp-taylor", "eye-safe").unwrap().count_forbidden();
        assert_eq!(Backend::best(&counted), Backend::Board);
        assert_eq!(Backend::best(&Run::new("9", "tromp-taylor", "settled:k=3").unwrap()), Backend::Board);
    }
}
