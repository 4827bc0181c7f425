//! Chains that are captured on an open board, even if their owner moves first.

use super::{
    hold::{Held, grown},
    local::Zone,
};
use crate::{Color, Position, Suicide, bitboard::Bitboard};

/// Points around a chain that are looked at, one after the other.
const WINDOWS: [u32; 3] = [4, 10, 20];
/// Points of a window, at most.
const MOST_POINTS: u32 = 50;
/// Visits of each search.
const VISITS: usize = 300;

/// The chains of the opponent of `hunter` that are shown to be captured, given what holds.
pub(super) fn captured<const W: usize>(
    position: &Position<W>,
    hunter: Color,
    held: [Held<W>; 2],
    suicide: Suicide,
) -> Bitboard<W> {
    let geometry = position.geometry();
    let Held { stones: anchors, used, .. } = held[hunter.index()];
    let own = position.stone_set(hunter);
    let others = position.stone_set(hunter.opponent()).without(held[hunter.opponent().index()].stones);
    let open = geometry.on_board.without(own | used | held[hunter.opponent().index()].stones);
    let is_captured = |prey: Bitboard<W>, points: u32| {
        let area = grown(geometry, prey, open, prey.count() + points);
        // A chain without liberties in the window may be captured from outside.
        let beside = geometry.adjacent(area & position.empty());
        let chains = geometry.parts(own.without(anchors)).filter(|chain| chain.intersects(beside));
        let chains: Vec<Bitboard<W>> = chains.collect();
        let stones = position.stone_sets();
        let zone = Zone { geometry, stones, owner: hunter, anchors, chains: &chains, area };
        area.count() <= MOST_POINTS && zone.captures(prey.first(), suicide, VISITS)
    };
    geometry
        .parts(others)
        .filter(|prey| !prey.intersects(used))
        .filter(|&prey| WINDOWS.into_iter().any(|points| is_captured(prey, points)))
        .fold(Bitboard::EMPTY, |all, prey| all | prey)
}
