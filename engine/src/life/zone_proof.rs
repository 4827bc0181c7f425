//! Proofs in zones of an open board, for people to follow and for programs to check.

use super::{
    Judge,
    local::{Answers, Zone},
    open::{Claim, Shown},
};
use crate::{Color, Move, Point, Position};

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
        let zone = Zone { geometry, stones: position.stone_sets(), owner, anchors, chains, area };
        let at = |bit: usize| geometry.point(bit);
        let mv = |bit: Option<usize>| bit.map_or(Move::Pass, |bit| Move::Play(at(bit)));
        let plies = |line: &[(Color, Option<usize>)]| -> Vec<(Color, Move)> {
            line.iter().map(|&(color, bit)| (color, mv(bit))).collect()
        };
        let is_legal = |before: &[(Color, Option<usize>)], bit: usize| {
            let next = (owner.opponent(), mv(Some(bit)));
            position.after_plies(plies(before).into_iter().chain([next]), self.suicide).is_ok()
        };
        let (suicide, limit) = (self.suicide, self.local.limit());
        let (claim, line, visits) = match claim {
            Claim::Holds => {
                let Answers { needed, line, visits } = zone.answers(suicide, limit, &is_legal)?;
                let answers = needed.into_iter().map(|(attack, answer)| (at(attack), at(answer))).collect();
                (ZoneClaim::Holds { answers }, line, visits)
            }
            Claim::Captures(prey) => {
                let (line, visits) = zone.capture(prey.first(), suicide, limit, &is_legal)?;
                (ZoneClaim::Captures(geometry.points_of(prey).collect()), line, visits)
            }
        };
        let beside = anchors & geometry.adjacent(area);
        Some(ZoneProof {
            claim,
            owner,
            chains: chains.iter().map(|&chain| geometry.points_of(chain).collect()).collect(),
            anchors: geometry.points_of(beside).collect(),
            points: geometry.points_of(area).collect(),
            moves: plies(&line),
            visits,
        })
    }
}
