//! Which program plays the games of a run.

use std::{fmt, str::FromStr};

use jigo_engine::Backend;

use crate::{Census, PlayoutSpec};

/// How games are played: on a [`Board`](jigo_engine::Board), one after the other, or many in lockstep. The games are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Means {
    /// One game at a time, by a [`Player`](crate::Player).
    Board,
    /// A batch of games in lockstep on some instructions.
    Batch(Backend),
}

/// Text that names no means.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no way to play. Known: board (one game at a time), plain, avx2, avx512 (many in lockstep)")]
pub struct UnknownMeans(String);

impl Means {
    /// All that this processor can run, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Self::Board].into_iter().chain(Backend::available().map(Self::Batch))
    }

    /// Whether these games can be played so: batches need two columns and rows and do not count all forbidden candidates.
    #[must_use]
    pub fn can_play(self, spec: &PlayoutSpec, census: Census) -> bool {
        let is_wide = spec.size.width() >= 2 && spec.size.height() >= 2;
        match self {
            Self::Board => true,
            Self::Batch(backend) => {
                backend.is_available()
                    && is_wide
                    && census == Census::Draws
                    && u16::try_from(spec.ply_cap).is_ok_and(|cap| cap > 0)
            }
        }
    }

    /// The fastest way that this processor has for these games.
    #[must_use]
    pub fn best(spec: &PlayoutSpec, census: Census) -> Self {
        let backend = Backend::best();
        let batch = Self::Batch(backend);
        // Plain integers hold too few wide rows side by side to be faster than a board.
        let is_fast = backend != Backend::Plain || spec.size.playing_orientation().width() <= 15;
        if is_fast && batch.can_play(spec, census) { batch } else { Self::Board }
    }
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => f.pad("board"),
            Self::Batch(backend) => backend.fmt(f),
        }
    }
}

impl FromStr for Means {
    type Err = UnknownMeans;

    fn from_str(text: &str) -> Result<Self, UnknownMeans> {
        if text == "board" {
            return Ok(Self::Board);
        }
        text.parse().map(Self::Batch).map_err(|_| UnknownMeans(text.to_owned()))
    }
}
