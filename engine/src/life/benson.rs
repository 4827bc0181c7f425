//! Unconditional life: chains that cannot be captured even if their owner only passes.

use crate::{Board, BoardSize, Color, Point, Position, Suicide, bitboard::Bitboard};

/// The unconditionally alive chains of one colour and the points that are unconditionally theirs.
///
/// See [`Position::unconditional_life`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnconditionalLife<const W: usize> {
    size: BoardSize,
    color: Color,
    stones: Bitboard<W>,
    dead: Bitboard<W>,
    territory: Bitboard<W>,
    chain_count: u32,
}

impl<const W: usize> UnconditionalLife<W> {
    /// The owner.
    #[must_use]
    pub fn color(&self) -> Color {
        self.color
    }

    /// Number of unconditionally alive stones.
    #[must_use]
    pub fn stone_count(&self) -> u32 {
        self.stones.count()
    }

    /// Number of unconditionally alive chains.
    #[must_use]
    pub fn chain_count(&self) -> u32 {
        self.chain_count
    }

    /// Number of points, empty or under opposing stones, that are unconditional territory.
    #[must_use]
    pub fn territory_count(&self) -> u32 {
        self.territory.count()
    }

    /// The unconditionally alive stones, in row-major order.
    pub fn stones(&self) -> impl Iterator<Item = Point> {
        self.points_of(self.stones)
    }

    /// The unconditional territory, in row-major order.
    pub fn territory(&self) -> impl Iterator<Item = Point> {
        self.points_of(self.territory)
    }

    /// Opposing stones inside the unconditional territory: they cannot be saved.
    #[must_use]
    pub fn dead_stone_count(&self) -> u32 {
        self.dead.count()
    }

    fn points_of(&self, set: Bitboard<W>) -> impl Iterator<Item = Point> {
        let stride = self.size.width() + 1;
        set.iter().map(move |bit| Point::new((bit % stride) as u8, (bit / stride) as u8))
    }
}

/// A maximal connected set of points without stones of one colour.
struct Region<const W: usize> {
    points: Bitboard<W>,
    /// The points beside which a chain must stand, each of them, for the region to be vital to the chain.
    must_touch: Bitboard<W>,
    /// Whether every chain around it may still be alive.
    enclosed: bool,
}

struct Wall<const W: usize> {
    stones: Bitboard<W>,
    around: Bitboard<W>,
    alive: bool,
}

impl<const W: usize> Position<W> {
    /// The chains of `color` that cannot be captured even if their owner always passes, and regions in which the opponent cannot get
    /// unconditional life.
    ///
    /// A region (a maximal connected set of points not of this colour) is *vital* to a chain when all its empty points are liberties of the
    /// chain; where suicide is allowed, all its points must be neighbours of the chain, because the opponent can fill the region, give up
    /// all stones in it and so empty every point. The alive chains are the largest set in which every chain has two vital regions that
    /// only chains of the set enclose. Under both suicide rules these are exactly the chains that an opponent who moves alone cannot capture;
    /// tests check this by brute force on all positions of tiny boards.
    ///
    /// A region enclosed by alive chains is territory when at most one of its points, empty or not, has no alive neighbour: an opposing
    /// chain inside cannot get two eyes. This is sufficient, not necessary. Where suicide is forbidden, `. X . O O O` is alive for Black,
    /// and White cannot live; but the white stones have no black neighbour, so the right side is not claimed. KataGo's pass-alive area has the
    /// same definition.
    ///
    /// Superko and simple ko do not matter: the owner never answers. Cost: O(chains × regions) operations on bitboards, repeated at most
    /// once per chain.
    ///
    /// # Source
    /// David B. Benson, *Life in the game of Go*, Information Sciences 10 (1976), 17–29; for territory Martin Müller, *Playing it safe*
    /// (1997).
    #[must_use]
    pub fn unconditional_life(&self, color: Color, suicide: Suicide) -> UnconditionalLife<W> {
        let geometry = self.geometry();
        let mut walls: Vec<Wall<W>> = geometry
            .parts(self.stone_set(color))
            .map(|stones| Wall { stones, around: geometry.adjacent(stones), alive: true })
            .collect();
        let mut regions: Vec<Region<W>> = geometry
            .parts(geometry.on_board.without(self.stone_set(color)))
            .map(|points| Region {
                points,
                must_touch: match suicide {
                    Suicide::Forbidden => points & self.empty(),
                    Suicide::Allowed => points,
                },
                enclosed: !walls.is_empty(),
            })
            .collect();
        while strike_out(&mut walls, &mut regions) {}
        let alive = || walls.iter().filter(|wall| wall.alive);
        let stones = alive().fold(Bitboard::EMPTY, |all, wall| all | wall.stones);
        let beside = geometry.adjacent(stones);
        let is_territory =
            |region: &&Region<W>| region.enclosed && region.points.without(beside).count() <= 1;
        let territory =
            regions.iter().filter(is_territory).fold(Bitboard::EMPTY, |all, region| all | region.points);
        let dead = territory & self.stone_set(color.opponent());
        let chain_count = alive().count() as u32;
        UnconditionalLife { size: self.size(), color, stones, dead, territory, chain_count }
    }
}

impl<const W: usize> Board<W> {
    /// The [unconditional life](Position::unconditional_life) of the position under the board's suicide rule.
    #[must_use]
    pub fn unconditional_life(&self, color: Color) -> UnconditionalLife<W> {
        self.position().unconditional_life(color, self.suicide())
    }
}

/// Strikes out the chains with fewer than two vital regions, and the regions beside them. Returns whether any chain was struck out.
fn strike_out<const W: usize>(walls: &mut [Wall<W>], regions: &mut [Region<W>]) -> bool {
    let mut changed = false;
    for wall in walls.iter_mut().filter(|wall| wall.alive) {
        let vital = regions.iter().filter(|region| {
            region.enclosed
                && region.points.intersects(wall.around)
                && region.must_touch.without(wall.around).is_empty()
        });
        if vital.take(2).count() < 2 {
            wall.alive = false;
            changed = true;
        }
    }
    for region in regions.iter_mut().filter(|region| region.enclosed) {
        region.enclosed = walls.iter().all(|wall| wall.alive || !region.points.intersects(wall.around));
    }
    changed
}
