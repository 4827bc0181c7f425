//! Unconditional life: chains that cannot be captured even if their owner passes every turn.
//!
//! # Source
//! David B. Benson, *Life in the game of Go*, Information Sciences 10 (1976), 17–29; for territory Martin Müller, *Playing it safe*
//! (1997).

use crate::{
    Board, BoardSize, Color, Point, Position, Suicide,
    bitboard::Bitboard,
    geometry::{Geometry, Grid},
};

/// The unconditionally alive chains of one colour, and its unconditional territory.
///
/// See [`Position::unconditional_life`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnconditionalLife<const W: usize> {
    size: BoardSize,
    pub(crate) stones: Bitboard<W>,
    pub(crate) territory: Bitboard<W>,
    alive_chains: u32,
    chains: u32,
}

impl<const W: usize> UnconditionalLife<W> {
    /// Returns the unconditionally alive stones, in row-major order.
    pub fn stones(&self) -> impl Iterator<Item = Point> {
        self.points_of(self.stones)
    }

    /// Returns the unconditional territory, empty points and opposing stones that cannot be saved, in row-major order.
    pub fn territory(&self) -> impl Iterator<Item = Point> {
        self.points_of(self.territory)
    }

    fn points_of(&self, set: Bitboard<W>) -> impl Iterator<Item = Point> {
        let grid = Grid::new(self.size);
        set.iter().map(move |bit| grid.point(bit))
    }
}

/// The stones of one colour and its unconditional life in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LifeCounts {
    /// Stones on the board.
    pub stones: u32,
    /// Stones of unconditionally alive chains.
    pub alive_stones: u32,
    /// Stones inside the opponent's unconditional territory.
    pub dead_stones: u32,
    /// Chains on the board.
    pub chains: u32,
    /// Unconditionally alive chains.
    pub alive_chains: u32,
    /// Points of unconditional territory, empty or under opposing stones.
    pub territory: u32,
}

impl<const W: usize> Position<W> {
    /// Finds the chains of `color` that cannot be captured even if their owner always passes, and the regions in which the opponent cannot get
    /// unconditional life.
    ///
    /// A region (a maximal connected set of points without stones of this colour) is *vital* to a chain when all its empty points are liberties
    /// of the chain. Where suicide is allowed, all its points must be neighbours of the chain, because the opponent can fill the region, give up
    /// all stones in it and so empty every point. The alive chains are the largest set in which every chain has two vital regions that
    /// only chains of the set enclose. Under both suicide rules these are exactly the chains that an opponent who moves alone cannot capture;
    /// tests check this by brute force on all positions of tiny boards.
    ///
    /// A region enclosed by alive chains is territory when at most one of its points, empty or not, has no alive neighbour: an opposing
    /// chain inside cannot get two eyes. This is sufficient, not necessary. Where suicide is forbidden, `. X . O O O` is alive for Black,
    /// and White cannot live; but the white stones have no black neighbour, so the right side is not claimed. KataGo's pass-alive area has the
    /// same definition.
    ///
    /// Superko and simple ko do not matter, since the owner never answers. Cost: a flood fill of each chain where all are plainly alive, as in
    /// nearly all final positions of playouts that keep their eyes; else O(chains × regions) operations on bitboards, repeated at most once
    /// per chain.
    #[must_use]
    #[inline]
    pub fn unconditional_life(&self, color: Color, suicide: Suicide) -> UnconditionalLife<W> {
        match self.all_alive() {
            Some([black, white]) => match color {
                Color::Black => black,
                Color::White => white,
            },
            None => self.life_by_definition(color, suicide),
        }
    }

    /// Finds the [unconditional life](Self::unconditional_life) of Black and White, faster than one after the other.
    #[must_use]
    #[inline]
    pub fn unconditional_lives(&self, suicide: Suicide) -> [UnconditionalLife<W>; 2] {
        self.all_alive().unwrap_or_else(|| Color::BOTH.map(|color| self.life_by_definition(color, suicide)))
    }

    /// Counts the [unconditional life](Self::unconditional_life) of Black and White: fast enough for the ends of millions of games.
    #[must_use]
    #[inline]
    pub fn life_counts(&self, suicide: Suicide) -> [LifeCounts; 2] {
        let lives = self.unconditional_lives(suicide);
        Color::BOTH.map(|color| {
            let (own, opponent) = (&lives[color.index()], &lives[color.opponent().index()]);
            let stones = self.stone_set(color);
            LifeCounts {
                stones: stones.count(),
                alive_stones: own.stones.count(),
                dead_stones: (opponent.territory & stones).count(),
                chains: own.chains,
                alive_chains: own.alive_chains,
                territory: own.territory.count(),
            }
        })
    }

    /// Lists the stones of both colours that cannot be saved: those in the opponent's [unconditional territory](Self::unconditional_life),
    /// Black's territory first. All others may or may not be dead.
    #[must_use]
    pub fn unconditionally_dead(&self, suicide: Suicide) -> Vec<Point> {
        let lives = self.unconditional_lives(suicide);
        lives.iter().flat_map(|life| life.points_of(life.territory.without(self.empty()))).collect()
    }

    /// Returns the life of both colours where all chains are plainly alive: every empty point is an *eye*, with neighbours of one colour only and
    /// none of them empty, and every chain touches at least two eyes. Returns `None` otherwise, whatever is alive.
    ///
    /// Why the definition gives the same: an eye is a region of its owner by itself, as all its neighbours are the owner's stones. Being one
    /// point beside each chain around it, it is vital to each of them under both suicide rules. So in the set of all chains of the colour every
    /// chain has two vital regions, which only chains of the set enclose: all are alive. An eye has no point without an alive neighbour and is
    /// territory. Any other region of the colour holds opposing stones, since its empty points, if any, are eyes of the opponent. With a
    /// chain it holds that chain's two eyes, which have no neighbour of the colour: two points, so it is no territory.
    #[inline]
    fn all_alive(&self) -> Option<[UnconditionalLife<W>; 2]> {
        let geometry = self.geometry();
        let empty = self.empty();
        if geometry.adjacent(empty).intersects(empty) {
            return None;
        }
        let [black, white] = self.stone_sets().map(|stones| geometry.adjacent(stones) & empty);
        if black.intersects(white) {
            return None;
        }
        let life = |color, territory| {
            let (size, stones, mut chains) = (self.size(), self.stone_set(color), 0);
            for chain in geometry.parts(stones) {
                if !(geometry.adjacent(chain) & territory).has_several() {
                    return None;
                }
                chains += 1;
            }
            Some(UnconditionalLife { size, stones, territory, alive_chains: chains, chains })
        };
        Some([life(Color::Black, black)?, life(Color::White, white)?])
    }

    fn life_by_definition(&self, color: Color, suicide: Suicide) -> UnconditionalLife<W> {
        let geometry = self.geometry();
        let chains = geometry.parts(self.stone_set(color)).map(|stones| Chain::new(geometry, stones));
        let mut chains: Vec<Chain<W>> = chains.collect();
        let all_chains = chains.len() as u32;
        let mut regions = Regions::around(self, color, suicide);
        remove_mortal(&mut chains, &mut regions);
        let stones = chains.iter().fold(Bitboard::EMPTY, |all, chain| all | chain.stones);
        let territory =
            if chains.is_empty() { Bitboard::EMPTY } else { regions.territory(geometry.adjacent(stones)) };
        UnconditionalLife {
            size: self.size(),
            stones,
            territory,
            alive_chains: chains.len() as u32,
            chains: all_chains,
        }
    }

    /// Returns the regions that make the chain on `point` [unconditionally alive](Self::unconditional_life): those vital to it that only
    /// unconditionally alive chains enclose. There are at least two, or none where the chain is not unconditionally alive.
    ///
    /// Regions are in the order of their first points, points in row-major order.
    #[must_use]
    pub fn vital_regions(&self, point: Point, suicide: Suicide) -> Vec<Vec<Point>> {
        let Some(color) = self.stone(point) else { return Vec::new() };
        let geometry = self.geometry();
        let (own, alive) = (self.stone_set(color), self.unconditional_life(color, suicide).stones);
        let chain = Chain::new(geometry, geometry.flood(Bitboard::single(geometry.bit(point)), own));
        if !chain.stones.intersects(alive) {
            return Vec::new();
        }
        let is_vital = |points: &Bitboard<W>| {
            let around = geometry.adjacent(*points) & own;
            Region::new(self, *points, suicide).is_vital_to(&chain) && around.without(alive).is_empty()
        };
        let regions = geometry.parts(geometry.on_board.without(own)).filter(is_vital);
        regions.map(|region| geometry.points_of(region).collect()).collect()
    }

    /// Returns the unconditionally alive chains around the [unconditional territory](Self::unconditional_life) in which the stone on `point` is
    /// dead, or none where it is not.
    #[must_use]
    pub fn enclosing_chains(&self, point: Point, suicide: Suicide) -> Vec<Vec<Point>> {
        let Some(color) = self.stone(point) else { return Vec::new() };
        let (geometry, bit) = (self.geometry(), self.geometry().bit(point));
        let opponent = color.opponent();
        let others = self.stone_set(opponent);
        if !self.unconditional_life(opponent, suicide).territory.contains(bit) {
            return Vec::new();
        }
        let region = geometry.flood(Bitboard::single(bit), geometry.on_board.without(others));
        let near = geometry.adjacent(region);
        let chains = geometry.parts(others).filter(|chain| chain.intersects(near));
        chains.map(|chain| geometry.points_of(chain).collect()).collect()
    }
}

impl<const W: usize> Board<W> {
    /// Finds the [unconditional life](Position::unconditional_life) of the position under the board's suicide rule.
    #[must_use]
    pub fn unconditional_life(&self, color: Color) -> UnconditionalLife<W> {
        self.position().unconditional_life(color, self.suicide())
    }

    /// Returns whether the empty `point` lies in the [unconditional territory](Position::unconditional_life) of the player to move, under
    /// the board's suicide rule: a stone there gains nothing, and costs a point under territory counting.
    ///
    /// Looks only at what decides the answer: the chains around the point's region, their vital regions, the chains around these, and so on.
    /// Cost: nearly always a few flood fills, because the region is too large or a chain around it has no two vital regions.
    #[must_use]
    #[inline]
    pub fn fills_own_territory(&self, point: Point) -> bool {
        let geometry = self.geometry();
        let own = self.stone_set(self.to_play());
        let outside = geometry.on_board.without(own);
        // Even if all chains were alive: territory has at most one point that is not beside them.
        let distant = outside.without(geometry.adjacent(own));
        let region = geometry.flood(Bitboard::single(geometry.bit(point)), outside);
        !(region & distant).has_several() && self.is_enclosed_by_living(region, own)
    }

    /// Returns whether there are chains of `own` around a region and all of them are unconditionally alive.
    fn is_enclosed_by_living(&self, region: Bitboard<W>, own: Bitboard<W>) -> bool {
        let geometry = self.geometry();
        let border = geometry.adjacent(region) & own;
        let (mut chains, mut regions) = (Vec::new(), Regions { single: Bitboard::EMPTY, larger: Vec::new() });
        let (mut seen, mut pending) = (Bitboard::EMPTY, border);
        while !pending.is_empty() {
            let chain = Chain::new(geometry, geometry.flood(pending.lowest(), own));
            let vital = self.add_vital(&chain, own, &mut regions);
            if chain.stones.intersects(border) && !regions.has_two_vital_to(&chain) {
                return false;
            }
            seen |= chain.stones;
            chains.push(chain);
            pending = (pending | geometry.adjacent(vital) & own).without(seen);
        }
        remove_mortal(&mut chains, &mut regions);
        let alive = chains.iter().fold(Bitboard::EMPTY, |all, chain| all | chain.stones);
        !border.is_empty() && border.without(alive).is_empty()
    }

    /// Adds the regions that are vital to a chain of `own`, whoever encloses them, and returns the points of all of them.
    fn add_vital(&self, chain: &Chain<W>, own: Bitboard<W>, regions: &mut Regions<W>) -> Bitboard<W> {
        let geometry = self.geometry();
        let outside = geometry.on_board.without(own);
        let must_touch = match self.suicide() {
            Suicide::Forbidden => self.empty(),
            Suicide::Allowed => outside,
        };
        // A region is not vital if it contains a point that must touch the chain and does not.
        let beyond = must_touch.without(chain.near);
        let within = outside.without(beyond);
        let vital = within.without(geometry.flood(geometry.adjacent(beyond), within));
        let single = vital.without(geometry.adjacent(outside));
        regions.single |= single;
        for points in geometry.parts(vital.without(single)) {
            if regions.larger.iter().all(|found| !found.points.intersects(points)) {
                regions.larger.push(Region { points, must_touch: points & must_touch });
            }
        }
        vital
    }
}

/// A chain that may be alive, and the points beside it.
struct Chain<const W: usize> {
    stones: Bitboard<W>,
    near: Bitboard<W>,
}

impl<const W: usize> Chain<W> {
    fn new(geometry: &Geometry<W>, stones: Bitboard<W>) -> Self {
        Self { stones, near: geometry.adjacent(stones) }
    }
}

/// A region of several points.
struct Region<const W: usize> {
    points: Bitboard<W>,
    /// The points that must all be beside a chain for the region to be vital to it.
    must_touch: Bitboard<W>,
}

impl<const W: usize> Region<W> {
    fn new(position: &Position<W>, points: Bitboard<W>, suicide: Suicide) -> Self {
        let must_touch = match suicide {
            Suicide::Forbidden => points & position.empty(),
            Suicide::Allowed => points,
        };
        Self { points, must_touch }
    }

    fn is_vital_to(&self, chain: &Chain<W>) -> bool {
        self.points.intersects(chain.near) && self.must_touch.without(chain.near).is_empty()
    }
}

/// The regions that may be enclosed by alive chains.
struct Regions<const W: usize> {
    /// The regions of one point, which are vital to every chain beside them.
    single: Bitboard<W>,
    larger: Vec<Region<W>>,
}

impl<const W: usize> Regions<W> {
    fn around(position: &Position<W>, color: Color, suicide: Suicide) -> Self {
        let geometry = position.geometry();
        let outside = geometry.on_board.without(position.stone_set(color));
        let single = outside.without(geometry.adjacent(outside));
        let larger = geometry.parts(outside.without(single));
        Self { single, larger: larger.map(|points| Region::new(position, points, suicide)).collect() }
    }

    fn has_two_vital_to(&self, chain: &Chain<W>) -> bool {
        let single = (self.single & chain.near).count() as usize;
        let larger = self.larger.iter().filter(|region| region.is_vital_to(chain));
        single + larger.take(2).count() >= 2
    }

    /// Returns the points of the regions in which at most one point is not `beside` alive stones.
    fn territory(&self, beside: Bitboard<W>) -> Bitboard<W> {
        let is_territory = |region: &&Region<W>| region.points.without(beside).count() <= 1;
        self.larger.iter().filter(is_territory).fold(self.single, |all, region| all | region.points)
    }
}

/// Removes the chains with fewer than two vital regions and the regions beside them, until every chain left has two.
fn remove_mortal<const W: usize>(chains: &mut Vec<Chain<W>>, regions: &mut Regions<W>) {
    loop {
        let mut beside_lost = Bitboard::EMPTY;
        chains.retain(|chain| {
            let stays = regions.has_two_vital_to(chain);
            if !stays {
                beside_lost |= chain.near;
            }
            stays
        });
        if beside_lost.is_empty() {
            return;
        }
        regions.single = regions.single.without(beside_lost);
        regions.larger.retain(|region| !region.points.intersects(beside_lost));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    #[test]
    fn two_eyes_and_a_stone_that_they_enclose() {
        let board: Board = Board::from_diagram(". X . O X .\nX X X X X .", Suicide::Allowed).unwrap();
        let position = board.position();
        let names = |sets: Vec<Vec<Point>>| {
            let name = |point: Point| point.to_gtp(position.size());
            sets.into_iter()
                .map(|set| set.into_iter().map(name).collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
        };
        let (alive, dead) = (Point::new(1, 0), Point::new(3, 0));
        assert_eq!(names(position.vital_regions(alive, Suicide::Allowed)), ["A2", "C2 D2", "F2 F1"]);
        assert_eq!(names(position.enclosing_chains(dead, Suicide::Allowed)), ["B2 E2 A1 B1 C1 D1 E1"]);
        for (point, other) in [(dead, alive), (Point::new(0, 0), Point::new(0, 0))] {
            assert!(position.vital_regions(point, Suicide::Allowed).is_empty());
            assert!(position.enclosing_chains(other, Suicide::Allowed).is_empty());
        }
    }
}
