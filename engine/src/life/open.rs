//! What is shown on open boards, where hardly any border is unconditional.

use super::{Proof, Status, hold::Held, local::Zone};
use crate::{Color, Position, Suicide, bitboard::Bitboard};

/// States that a search of a zone may look at, whatever the limit. For groups that hold about 0.7 KB are kept for each, 70 MB in all.
const MAX_VISITS: usize = 100_000;

/// A position in which zones are searched, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenBoard<'a, const W: usize> {
    pub(super) position: &'a Position<W>,
    /// The unconditionally alive stones of Black and White.
    pub(super) alive: [Bitboard<W>; 2],
    pub(super) suicide: Suicide,
    /// States that a search of a zone may look at.
    pub(super) limit: usize,
}

/// What is said about a zone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Claim<const W: usize> {
    /// Its owner keeps his chains.
    Holds,
    /// He captures this chain of the opponent.
    Captures(Bitboard<W>),
}

/// A proof in a zone.
#[derive(Clone, Debug)]
pub(super) struct Shown<const W: usize> {
    pub(super) claim: Claim<W>,
    pub(super) owner: Color,
    /// The owner's chains that play a part.
    pub(super) chains: Vec<Bitboard<W>>,
    /// His stones that hold already, whatever is played in the area.
    pub(super) anchors: Bitboard<W>,
    /// The points on which it rests.
    pub(super) area: Bitboard<W>,
    pub(super) proof: Proof,
}

impl<const W: usize> Shown<W> {
    /// The zone.
    pub(super) fn zone<'a>(&'a self, position: &'a Position<W>) -> Zone<'a, W> {
        let &Self { owner, ref chains, anchors, area, .. } = self;
        Zone { geometry: position.geometry(), stones: position.stone_sets(), owner, anchors, chains, area }
    }

    /// The stones whose status is shown, and the status.
    pub(super) fn status(&self) -> (Bitboard<W>, Status) {
        match self.claim {
            Claim::Holds => {
                (self.chains.iter().fold(Bitboard::EMPTY, |all, &chain| all | chain), Status::Alive)
            }
            Claim::Captures(prey) => (prey, Status::Dead),
        }
    }
}

impl<'a, const W: usize> OpenBoard<'a, W> {
    /// With searches of so many states, [`MAX_VISITS`] at most.
    pub(super) fn new(
        position: &'a Position<W>,
        alive: [Bitboard<W>; 2],
        suicide: Suicide,
        limit: usize,
    ) -> Self {
        Self { position, alive, suicide, limit: limit.min(MAX_VISITS) }
    }

    /// The groups that hold and the chains that are captured, of the colours that are asked about, Black and White.
    pub(super) fn shown(&self, is_asked: [bool; 2]) -> Vec<Shown<W>> {
        let mut shown = Vec::new();
        let mut held = self.alive.map(Held::of);
        let asked = || Color::BOTH.into_iter().filter(|color| is_asked[color.index()]);
        for color in asked() {
            let (stones, proofs) = self.held(color);
            held[color.index()] = stones;
            shown.extend(proofs);
        }
        for color in asked() {
            shown.extend(self.captured(color.opponent(), held));
        }
        shown
    }
}
