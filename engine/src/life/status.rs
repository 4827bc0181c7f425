//! What is known about the life of chains.

use crate::names::names;

/// The status of a chain. The exact definitions are in `docs/status.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// It cannot be captured, even if the opponent moves next.
    Alive,
    /// It cannot be captured, even if the opponent moves next, or only at the cost of at least as many stones as that brings; but it cannot be
    /// made unconditionally alive either, and nor can a chain of the opponent beside it.
    Seki,
    /// It is captured if the opponent moves next, and saved if its owner does.
    Unsettled,
    /// It depends on ko threats, or on how endless repetition is judged.
    Ko,
    /// It is captured, even if its owner moves next.
    Dead,
    /// The search gave up.
    Unknown,
}

/// How a status is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Proof {
    /// Unconditional life, or unconditional territory of the opponent.
    Benson,
    /// A theorem about eyes and links shows it without reading ahead.
    Static,
    /// Lines of play were searched: all in a part of the board with an unconditionally alive border, or those that matter to a group on an open board.
    Search,
    /// It is not known.
    None,
}

names! {
    /// All, best for the owner first.
    Status {
        Alive = "alive",
        Seki = "seki",
        Unsettled = "unsettled",
        Ko = "ko",
        Dead = "dead",
        Unknown = "unknown",
    }
}

impl Status {
    /// What stands behind a stone in pictures; nothing behind one that is alive.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Alive => ' ',
            Self::Seki => '=',
            Self::Unsettled => '!',
            Self::Ko => '*',
            Self::Dead => '-',
            Self::Unknown => '?',
        }
    }
}

names! {
    /// All, `None` last.
    Proof { Benson = "benson", Static = "static", Search = "search", None = "none" }
}
