//! Proofs in zones of an open board, for people to follow and for programs to check.

use super::{
    ChainStatus, Status, StatusReport,
    decided::Basis,
    local::{Answers, ZonePly},
    open::{Claim, OpenBoard, Shown},
};
use crate::{Color, Move, Point, bitboard::Bitboard, geometry::Geometry};

/// A proof in a zone: the *owner*, playing only inside it, reaches what is claimed, whatever his opponent plays and whatever stands elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneProof {
    /// What is shown.
    pub claim: ZoneClaim,
    /// Who reaches it.
    pub owner: Color,
    /// His chains in the zone.
    pub chains: Vec<Vec<Point>>,
    /// Stones of his beside the zone that hold already, whatever is played in it.
    pub anchors: Vec<Point>,
    /// The points on which the proof rests: empty, or with stones of the opponent.
    pub points: Vec<Point>,
    /// A line of play, the opponent first: up to where no move of his needs an answer any more, or to the capture. Ko forbids nothing.
    pub moves: Vec<(Color, Move)>,
    /// States that a search looks at which shows it; 1 where nothing is read.
    pub visits: usize,
}

/// What is shown about a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneClaim {
    /// The owner never loses a stone of his chains.
    Holds {
        /// The moves of the opponent that need an answer, each with one.
        answers: Vec<(Point, Point)>,
    },
    /// The owner captures this chain, though his opponent moves first.
    Captures(Vec<Point>),
}

impl ZoneProof {
    /// Whether it shows that a chain of the position has its status.
    #[must_use]
    pub fn shows(&self, chain: &ChainStatus) -> bool {
        match &self.claim {
            ZoneClaim::Holds { .. } => chain.status == Status::Alive && self.chains.contains(&chain.stones),
            ZoneClaim::Captures(prey) => chain.status == Status::Dead && *prey == chain.stones,
        }
    }
}

impl<const W: usize> StatusReport<'_, W> {
    /// The proof in a zone of the open board that the chain on `point` is alive or dead. `None` where its status rests on something else: on unconditional life, or on
    /// a search of a part of the board (see [`line`](Self::line)).
    ///
    /// Cost: about that of the searches that found it.
    #[must_use]
    pub fn zone_proof(&self, point: Point) -> Option<ZoneProof> {
        match self.chain_at(point)?.basis {
            Basis::Zone(number) => self.explained(&self.shown[number]),
            _ => None,
        }
    }

    fn explained(&self, shown: &Shown<W>) -> Option<ZoneProof> {
        let OpenBoard { position, suicide, limit, .. } = self.board;
        let geometry = position.geometry();
        let &Shown { claim, owner, ref chains, anchors, area, .. } = shown;
        let names = |points: Bitboard<W>| -> Vec<Point> { geometry.points_of(points).collect() };
        let (claim, moves, visits) = match claim {
            Claim::Holds => {
                let is_legal = |before: &[ZonePly], bit: usize| self.is_legal(owner, before, bit);
                let answers = shown.zone(position).answers(suicide, limit, &is_legal)?;
                let Answers { needed, line, visits } = answers;
                let points = |(attack, answer)| (geometry.point(attack), geometry.point(answer));
                let answers = needed.into_iter().map(points).collect();
                (ZoneClaim::Holds { answers }, plies(geometry, &line), visits)
            }
            Claim::Captures(prey) => {
                let (moves, visits) = self.capture(shown, prey, owner.opponent())?;
                (ZoneClaim::Captures(names(prey)), moves, visits)
            }
        };
        Some(ZoneProof {
            claim,
            owner,
            chains: chains.iter().map(|&chain| names(chain)).collect(),
            anchors: names(anchors & geometry.adjacent(area)),
            points: names(area),
            moves,
            visits,
        })
    }

    /// The moves by which a chain is captured in a zone when `first` moves first, and the visits of the search.
    pub(super) fn capture(
        &self,
        shown: &Shown<W>,
        prey: Bitboard<W>,
        first: Color,
    ) -> Option<(Vec<(Color, Move)>, usize)> {
        let OpenBoard { position, suicide, limit, .. } = self.board;
        let is_legal = |before: &[ZonePly], bit: usize| self.is_legal(shown.owner, before, bit);
        let (line, visits) = shown.zone(position).capture(prey.first(), first, suicide, limit, &is_legal)?;
        Some((plies(position.geometry(), &line), visits))
    }

    /// Whether the opponent of a zone's owner may play there after these plies, on the board as it is.
    fn is_legal(&self, owner: Color, before: &[ZonePly], bit: usize) -> bool {
        let OpenBoard { position, suicide, .. } = self.board;
        let geometry = position.geometry();
        let next = (owner.opponent(), Move::Play(geometry.point(bit)));
        position.after_plies(plies(geometry, before).into_iter().chain([next]), suicide).is_ok()
    }
}

fn plies<const W: usize>(geometry: &Geometry<W>, line: &[ZonePly]) -> Vec<(Color, Move)> {
    let mv = |bit: Option<usize>| bit.map_or(Move::Pass, |bit| Move::Play(geometry.point(bit)));
    line.iter().map(|&(color, bit)| (color, mv(bit))).collect()
}
