//! Chains that are captured on an open board, even if their owner moves first.

use super::{
    safe_groups::{SafeStones, grown},
    zones::{Claim, Failures, Proved, Zone, ZoneSolver},
};
use crate::{Color, bitboard::Bitboard};

/// Points of the zones around a chain, without the chain itself, in the order in which they are tried.
const ZONE_POINTS: [u32; 3] = [4, 10, 20];
/// What a limit is divided by for each search.
const LIMIT_DIVISOR: usize = 16;

impl<const W: usize> ZoneSolver<W> {
    /// Finds dead chains of the opponent of `attacker`, given the safe stones of both and the chains that are dead already.
    ///
    /// All of the attacker's chains beside them are safe, so that their capture costs nothing.
    pub(super) fn captures(
        &self,
        attacker: Color,
        safe: [SafeStones<W>; 2],
        dead: Bitboard<W>,
        limit: usize,
        failures: &mut Failures<W>,
    ) -> Vec<Proved<W>> {
        let position = &self.position;
        let geometry = position.geometry();
        let own = position.stone_set(attacker);
        let others_safe = safe[attacker.opponent().index()].stones;
        let own_safe = safe[attacker.index()];
        let costs_nothing = |chain: &Bitboard<W>| {
            let near = geometry.adjacent(*chain);
            let around = near | geometry.adjacent(near & position.empty());
            (around & own).without(own_safe.stones).is_empty()
        };
        let mut capture = |chain: Bitboard<W>, points: u32, anchors: SafeStones<W>| {
            let open = geometry.on_board.without(own | anchors.used | others_safe);
            let area = grown(geometry, chain, open, chain.count() + points);
            if area.count() > Zone::<W>::MAX_POINTS {
                return None;
            }
            // The attacker's chains without liberties in the zone may be captured from outside.
            let beside = geometry.adjacent(area & position.empty());
            let chains = geometry.parts(own.without(anchors.stones)).filter(|chain| chain.intersects(beside));
            let zone = Zone { owner: attacker, chains: chains.collect(), anchors: anchors.stones, area };
            failures.prove(self, zone, Claim::Captures(chain), limit, limit / LIMIT_DIVISOR)
        };
        let prove = |chain: Bitboard<W>| {
            // With the safe stones, away from the points that their proofs use, or without them.
            let with_safe = Some(own_safe).filter(|safe| !chain.intersects(safe.used));
            let anchors = [with_safe, Some(SafeStones::unconditional(Bitboard::EMPTY))].into_iter().flatten();
            let mut zones = anchors.flat_map(|anchors| ZONE_POINTS.map(|points| (points, anchors)));
            zones.find_map(|(points, anchors)| capture(chain, points, anchors))
        };
        let others = position.stone_set(attacker.opponent()).without(others_safe | dead);
        geometry.parts(others).filter(costs_nothing).filter_map(prove).collect()
    }
}
