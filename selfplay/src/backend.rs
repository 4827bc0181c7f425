//! Which program plays the games of a run.

use std::{fmt, str::FromStr};

use jigo_engine::simd::Simd;

use crate::{Census, PlayoutSpec, lockstep};

/// How games are played: on a [`Board`](jigo_engine::Board), one after the other, or many in lockstep. The games are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backend {
    /// One game at a time, by a [`Playouts`](crate::playout::Playouts).
    Board,
    /// A batch of games in lockstep on some instructions.
    Batch(Simd),
}

/// Text that names no means.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no way to play. Known: board (one game at a time), plain, avx2, avx512 (many in lockstep)")]
pub struct UnknownBackend(String);

impl Backend {
    /// All that this processor can run, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Self::Board].into_iter().chain(Simd::available().map(Self::Batch))
    }

    /// Whether these games can be played so: batches need two columns and rows, do not count all forbidden candidates, and know no life.
    #[must_use]
    pub fn can_play(self, spec: &PlayoutSpec, census: Census) -> bool {
        let is_wide = spec.size.width() >= 2 && spec.size.height() >= 2;
        match self {
            Self::Board => true,
            Self::Batch(backend) => {
                backend.is_available()
                    && is_wide
                    && lockstep::choice(spec.policy).is_some()
                    && census == Census::Draws
                    && u16::try_from(spec.ply_cap).is_ok_and(|cap| cap > 0)
            }
        }
    }

    /// The fastest way that this processor has for these games.
    #[must_use]
    pub fn best(spec: &PlayoutSpec, census: Census) -> Self {
        Self::best_with(Simd::best(), spec, census)
    }

    /// The fastest way for these games where this is the fastest back end.
    fn best_with(backend: Simd, spec: &PlayoutSpec, census: Census) -> Self {
        let batch = Self::Batch(backend);
        // Plain integers hold too few wide rows side by side to be faster than a board.
        let is_fast = backend != Simd::Plain || spec.size.playing_orientation().width() <= 15;
        if is_fast && batch.can_play(spec, census) { batch } else { Self::Board }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => f.pad("board"),
            Self::Batch(backend) => backend.fmt(f),
        }
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> Result<Self, UnknownBackend> {
        if text == "board" {
            return Ok(Self::Board);
        }
        text.parse().map(Self::Batch).map_err(|_| UnknownBackend(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, Rules};

    use super::*;
    use crate::Policy;

    fn best(backend: Simd, size: &str, census: Census) -> Backend {
        let size: BoardSize = size.parse().unwrap();
        Backend::best_with(backend, &PlayoutSpec::new(size, Rules::TROMP_TAYLOR, Policy::EYE_SAFE, 1), census)
    }

    #[test]
    fn batches_play_where_they_are_faster() {
        for size in ["2", "9", "13x19", "19x13", "15x25"] {
            assert_eq!(best(Simd::Plain, size, Census::Draws), Backend::Batch(Simd::Plain), "{size}");
        }
        for size in ["16", "19", "25"] {
            assert_eq!(best(Simd::Plain, size, Census::Draws), Backend::Board, "{size}");
            assert_eq!(
                best(Simd::best(), size, Census::Draws) == Backend::Board,
                Simd::best() == Simd::Plain
            );
        }
    }

    #[test]
    fn boards_play_what_batches_cannot() {
        assert_eq!(best(Simd::best(), "1x9", Census::Draws), Backend::Board);
        assert_eq!(best(Simd::best(), "9x1", Census::Draws), Backend::Board);
        assert_eq!(best(Simd::best(), "9", Census::Candidates), Backend::Board);
        let settled = "settled:k=3".parse().unwrap();
        let spec = PlayoutSpec::new("9".parse().unwrap(), Rules::TROMP_TAYLOR, settled, 1);
        assert_eq!(Backend::best(&spec, Census::Draws), Backend::Board);
    }
}
