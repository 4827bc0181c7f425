//! Chains that are captured on an open board, even if their owner moves first.

use super::{
    Proof,
    hold::{Held, grown},
    local::Zone,
    open::{Claim, OpenBoard, Shown},
};
use crate::{Color, bitboard::Bitboard};

/// Points around a chain that are looked at, one after the other.
const WINDOWS: [u32; 3] = [4, 10, 20];
/// Points of a window, at most.
const MAX_POINTS: u32 = 50;
/// Visits of each search: the limit divided by this.
const PART_OF_LIMIT: usize = 16;

impl<const W: usize> OpenBoard<'_, W> {
    /// The chains of the opponent of `hunter` that are shown to be dead, given what holds.
    ///
    /// All chains of the hunter beside them hold: there is nothing that their capture could cost.
    pub(super) fn captured(&self, hunter: Color, held: [Held<W>; 2]) -> Vec<Shown<W>> {
        let &Self { position, suicide, limit, .. } = self;
        let geometry = position.geometry();
        let own = position.stone_set(hunter);
        let theirs = held[hunter.opponent().index()].stones;
        let holding = held[hunter.index()];
        let costs_nothing = |prey: &Bitboard<W>| {
            let near = geometry.adjacent(*prey);
            let around = near | geometry.adjacent(near & position.empty());
            (around & own).without(holding.stones).is_empty()
        };
        let capture = |prey: Bitboard<W>, points: u32, anchors: Held<W>| {
            let open = geometry.on_board.without(own | anchors.used | theirs);
            let area = grown(geometry, prey, open, prey.count() + points);
            // A chain without liberties in the window may be captured from outside.
            let beside = geometry.adjacent(area & position.empty());
            let chains = geometry.parts(own.without(anchors.stones)).filter(|chain| chain.intersects(beside));
            let chains: Vec<Bitboard<W>> = chains.collect();
            let (stones, anchors) = (position.stone_sets(), anchors.stones);
            let zone = Zone { geometry, stones, owner: hunter, anchors, chains: &chains, area };
            let captures =
                area.count() <= MAX_POINTS && zone.captures(prey.first(), suicide, limit / PART_OF_LIMIT);
            let claim = Claim::Captures(prey);
            captures.then_some(Shown { claim, owner: hunter, chains, anchors, area, proof: Proof::Search })
        };
        let shown = |prey: Bitboard<W>| {
            // With what holds, away from the points on which that rests, or with nothing.
            let with_held = Some(holding).filter(|holding| !prey.intersects(holding.used));
            let anchors = [with_held, Some(Held::of(Bitboard::EMPTY))].into_iter().flatten();
            let mut ways = anchors.flat_map(|anchors| WINDOWS.map(|points| (points, anchors)));
            ways.find_map(|(points, anchors)| capture(prey, points, anchors))
        };
        let others = position.stone_set(hunter.opponent()).without(theirs);
        geometry.parts(others).filter(costs_nothing).filter_map(shown).collect()
    }
}
