//! Proofs in zones of an open board, for people to follow and for programs to check.

use super::{
    Judge, Line, LineEnd,
    local::{Answers, ZonePly},
    open::{Claim, Shown},
};
use crate::{Color, Move, Point, Position, bitboard::Bitboard, geometry::Geometry};

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

impl Judge {
    /// The proof in a zone of the open board that the chain on `point` is alive or dead. `None` where its status rests on something else: on unconditional life, or on
    /// a search of a part with unconditional borders (see [`line`](Self::line)).
    ///
    /// Cost: that of [`chains`](Self::chains), and one more search.
    #[must_use]
    pub fn zone_proof<const W: usize>(&mut self, position: &Position<W>, point: Point) -> Option<ZoneProof> {
        let geometry = position.geometry();
        let (chains, shown) = self.judged(position);
        let chain = chains.iter().find(|chain| chain.set.contains(geometry.bit(point)))?;
        let is_meant = |shown: &&Shown<W>| {
            let (stones, status) = shown.status();
            stones.intersects(chain.set) && (status, shown.proof) == (chain.known.status, chain.known.proof)
        };
        self.explained(position, shown.iter().find(is_meant)?)
    }

    fn explained<const W: usize>(&self, position: &Position<W>, shown: &Shown<W>) -> Option<ZoneProof> {
        let geometry = position.geometry();
        let &Shown { claim, owner, ref chains, anchors, area, .. } = shown;
        let names = |points: Bitboard<W>| -> Vec<Point> { geometry.points_of(points).collect() };
        let (claim, moves, visits) = match claim {
            Claim::Holds => {
                let is_legal = |before: &[ZonePly], bit: usize| self.is_legal(position, owner, before, bit);
                let answers = shown.zone(position).answers(self.suicide, self.local.limit(), &is_legal)?;
                let Answers { needed, line, visits } = answers;
                let points = |(attack, answer)| (geometry.point(attack), geometry.point(answer));
                let answers = needed.into_iter().map(points).collect();
                (ZoneClaim::Holds { answers }, plies(geometry, &line), visits)
            }
            Claim::Captures(prey) => {
                let (moves, visits) = self.capture(position, shown, prey, owner.opponent())?;
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

    /// The line by which the chain on a point is captured in a zone of the open board when `first` moves first.
    pub(super) fn capture_in_zone<const W: usize>(
        &self,
        position: &Position<W>,
        point: Point,
        first: Color,
    ) -> Option<Line> {
        let alive = position.unconditional_lives(self.suicide).map(|life| life.stone_bits());
        let shown = self.open_board(position, alive).shown([true; 2]);
        let bit = position.geometry().bit(point);
        shown.iter().find_map(|shown| match shown.claim {
            Claim::Captures(prey) if prey.contains(bit) => {
                let (moves, visits) = self.capture(position, shown, prey, first)?;
                Some(Line { moves, end: LineEnd::Captured, visits })
            }
            _ => None,
        })
    }

    /// The moves by which a chain is captured, and the visits of the search.
    fn capture<const W: usize>(
        &self,
        position: &Position<W>,
        shown: &Shown<W>,
        prey: Bitboard<W>,
        first: Color,
    ) -> Option<(Vec<(Color, Move)>, usize)> {
        let is_legal = |before: &[ZonePly], bit: usize| self.is_legal(position, shown.owner, before, bit);
        let (suicide, limit) = (self.suicide, self.local.limit());
        let (line, visits) = shown.zone(position).capture(prey.first(), first, suicide, limit, &is_legal)?;
        Some((plies(position.geometry(), &line), visits))
    }

    /// Whether the opponent of a zone's owner may play there after these plies, on the board as it is.
    fn is_legal<const W: usize>(
        &self,
        position: &Position<W>,
        owner: Color,
        before: &[ZonePly],
        bit: usize,
    ) -> bool {
        let geometry = position.geometry();
        let next = (owner.opponent(), Move::Play(geometry.point(bit)));
        position.after_plies(plies(geometry, before).into_iter().chain([next]), self.suicide).is_ok()
    }
}

fn plies<const W: usize>(geometry: &Geometry<W>, line: &[ZonePly]) -> Vec<(Color, Move)> {
    let mv = |bit: Option<usize>| bit.map_or(Move::Pass, |bit| Move::Play(geometry.point(bit)));
    line.iter().map(|&(color, bit)| (color, mv(bit))).collect()
}
