//! Zones of an open board, where no border is unconditional: groups that hold without loss, and chains that are captured.
//!
//! A *zone* is a set of chains of one colour, its owner, and of points around them. Everything else is taken to be the opponent's and never to be captured.
//!
//! If the owner, moving second and only inside the zone, keeps every stone in it, he keeps these stones on the real board, whatever else stands there
//! and whatever is played there: his stones in the zone only grow in number, so every move of the real opponent is one of the zone or a pass, the
//! real opponent never has a stone in the zone that he has not in the game of the zone, and no position ever comes back.
//!
//! If he captures a chain of the opponent in the same way, losing no stone on the way, he captures it on the real board. There, chains that reach beyond the zone may be
//! captured that cannot be in the zone. They never belong to the chain that is asked about, which would be taken to be saved, so its liberties are the same in both.

use super::{
    Points, Terrain,
    holding::Holding,
    line::line,
    quest::{End, Goal, Quest},
    search::Search,
};
use crate::{Color, Suicide, bitboard::Bitboard, geometry::Geometry, life::Proof};

/// A zone on the board.
pub(crate) struct Zone<'a, const W: usize> {
    pub(crate) geometry: &'a Geometry<W>,
    pub(crate) stones: [Bitboard<W>; 2],
    pub(crate) owner: Color,
    /// Stones of the owner that hold already, whatever is played in the area.
    pub(crate) anchors: Bitboard<W>,
    /// The chains of the owner that are to hold.
    pub(crate) chains: &'a [Bitboard<W>],
    /// The points of the zone beside the chains: empty or with stones of the opponent.
    pub(crate) area: Bitboard<W>,
}

/// How the owner of a zone keeps his stones, in bits of the board.
pub(crate) struct Answers {
    /// Moves of the opponent, and what the owner plays in reply; to other moves he needs no answer.
    pub(crate) needed: Vec<(usize, usize)>,
    /// A line of play, the opponent first: moves that need an answer, as long as there are any, and the answers.
    pub(crate) line: Vec<ZonePly>,
    /// Visits of a search that shows that he keeps them.
    pub(crate) visits: usize,
}

/// A ply in a zone, in bits of the board; `None` for a pass.
pub(crate) type ZonePly = (Color, Option<usize>);

/// Whether the opponent may play on a bit of the board after these plies. In the zone he may where stones beyond cannot be captured that can be on the board.
pub(crate) type Legal<'a> = &'a dyn Fn(&[ZonePly], usize) -> bool;

impl<const W: usize> Zone<'_, W> {
    /// Whether the chains are shown to hold by so many visits: how, and the points of the area on which the proof rests.
    pub(crate) fn holds(&self, suicide: Suicide, visits: usize) -> Option<(Proof, Bitboard<W>)> {
        let (terrain, stones) = self.game(suicide)?;
        let mut holding = Holding::new(&terrain, self.owner);
        let at_sight = holding.at_sight(stones).map(|points| (Proof::Static, points));
        let found = at_sight.or_else(|| Some((Proof::Search, holding.proof(stones, visits).0?)));
        found.map(|(proof, points)| (proof, self.on_board(points)))
    }

    /// Whether the opponent's chain on a point of the area is shown to be captured by so many visits, the opponent moving first.
    pub(crate) fn captures(&self, prey: usize, suicide: Suicide, visits: usize) -> bool {
        let Some((terrain, stones)) = self.game(suicide) else { return false };
        let quest = self.quest(prey);
        let (end, _) = Search::without_loss(&terrain, quest).end(stones, quest.owner, visits);
        end == Some(End::Reached)
    }

    /// The owner's answers to the opponent's moves in the area, where they need one, and a line of play; if so many visits find the answers.
    pub(crate) fn answers(&self, suicide: Suicide, visits: usize, allowed: Legal<'_>) -> Option<Answers> {
        let (terrain, stones) = self.game(suicide)?;
        let mut holding = Holding::new(&terrain, self.owner);
        let (_, visits_made) = holding.proof(stones, visits);
        let bits: Vec<usize> = self.area.iter().collect();
        let opponent = self.owner.opponent();
        let is_allowed = |before: &[Option<usize>], point: usize| {
            allowed(&Self::line(&bits, opponent, before), bits[point])
        };
        let answers = holding.answers(stones, visits, &is_allowed)?.into_iter();
        let line = Self::line(&bits, opponent, &holding.line(stones, visits, &is_allowed)?);
        let needed = answers.filter_map(|(attack, answer)| Some((bits[attack], bits[answer?])));
        Some(Answers { needed: needed.collect(), line, visits: visits_made })
    }

    /// The line by which the opponent's chain on a point of the area is captured when this player moves first, and the visits of the search.
    pub(crate) fn capture(
        &self,
        prey: usize,
        first: Color,
        suicide: Suicide,
        visits: usize,
        allowed: Legal<'_>,
    ) -> Option<(Vec<ZonePly>, usize)> {
        let (terrain, stones) = self.game(suicide)?;
        let bits: Vec<usize> = self.area.iter().collect();
        let quest = self.quest(prey);
        let is_allowed = |before: &[Option<usize>], point: usize| {
            allowed(&Self::line(&bits, quest.owner, before), bits[point])
        };
        let search = Search::without_loss(&terrain, quest);
        let line = line(search, stones, first, visits, &is_allowed)?;
        let moves: Vec<Option<usize>> = line.moves.into_iter().map(|(_, mv)| mv).collect();
        Some((Self::line(&bits, first, &moves), line.visits))
    }

    /// Plies in turn, in bits of the board.
    fn line(bits: &[usize], first: Color, moves: &[Option<usize>]) -> Vec<ZonePly> {
        let players = [first, first.opponent()].into_iter().cycle();
        players.zip(moves.iter().map(|mv| mv.map(|point| bits[point]))).collect()
    }

    /// Whether the opponent's chain on a point of the area is captured.
    fn quest(&self, prey: usize) -> Quest {
        let point = self.area.iter().position(|bit| bit == prey).expect("a point of the area");
        Quest { goal: Goal::Capture, owner: self.owner.opponent(), point }
    }

    fn on_board(&self, points: Points) -> Bitboard<W> {
        let numbered = self.area.iter().enumerate();
        numbered.filter(|(number, _)| points >> number & 1 != 0).map(|(_, bit)| bit).collect()
    }

    fn game(&self, suicide: Suicide) -> Option<(Terrain, [Points; 2])> {
        let geometry = self.geometry;
        let count = self.area.count() as usize + self.chains.len();
        if count > 64 {
            return None;
        }
        let bits: Vec<usize> = self.area.iter().collect();
        let inside: Bitboard<W> =
            self.chains.iter().fold(self.area | self.anchors, |all, &chain| all | chain);
        let beside_anchors = geometry.adjacent(self.anchors);
        let beside_outside = geometry.adjacent(geometry.on_board.without(inside));
        let mut near = vec![0; count];
        let (mut beside, mut stones) = ([0; 2], [0; 2]);
        let (own, other) = (self.owner.index(), self.owner.opponent().index());
        for (number, &bit) in bits.iter().enumerate() {
            for neighbour in (*geometry.neighbours(bit) & self.area).iter() {
                let place = bits.binary_search(&neighbour).expect("a point of the area");
                near[number] |= 1 << place;
            }
            beside[own] |= u64::from(beside_anchors.contains(bit)) << number;
            beside[other] |= u64::from(beside_outside.contains(bit)) << number;
            stones[other] |= u64::from(self.stones[other].contains(bit)) << number;
        }
        for (number, &chain) in (bits.len()..).zip(self.chains) {
            let around = geometry.adjacent(chain);
            for (place, &bit) in bits.iter().enumerate() {
                if around.contains(bit) {
                    near[place] |= 1 << number;
                    near[number] |= 1 << place;
                }
            }
            stones[own] |= 1 << number;
        }
        let all = if count == 64 { Points::MAX } else { (1 << count) - 1 };
        Some((Terrain { suicide, all, near, beside }, stones))
    }
}
