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
    all_chain_count: u32,
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

    /// Number of chains of this colour on the board, alive or not.
    #[must_use]
    pub fn all_chain_count(&self) -> u32 {
        self.all_chain_count
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

    /// The opposing stones inside the unconditional territory, in row-major order.
    pub fn dead_stones(&self) -> impl Iterator<Item = Point> {
        self.points_of(self.dead)
    }

    pub(super) fn stone_bits(&self) -> Bitboard<W> {
        self.stones
    }

    pub(super) fn territory_bits(&self) -> Bitboard<W> {
        self.territory
    }

    fn points_of(&self, set: Bitboard<W>) -> impl Iterator<Item = Point> {
        let stride = self.size.width() + 1;
        set.iter().map(move |bit| Point::new((bit % stride) as u8, (bit / stride) as u8))
    }
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
    /// Superko and simple ko do not matter: the owner never answers. Cost: a flood fill of each chain where everything alive is seen at once,
    /// as in nearly all final positions of playouts that keep their eyes; else O(chains × regions) operations on bitboards, repeated at
    /// most once per chain.
    ///
    /// # Source
    /// David B. Benson, *Life in the game of Go*, Information Sciences 10 (1976), 17–29; for territory Martin Müller, *Playing it safe*
    /// (1997).
    #[must_use]
    #[inline]
    pub fn unconditional_life(&self, color: Color, suicide: Suicide) -> UnconditionalLife<W> {
        match self.all_alive() {
            Some(sides) => self.life_of_all(color, &sides[color.index()]),
            None => self.life_by_definition(color, suicide),
        }
    }

    /// The [unconditional life](Self::unconditional_life) of Black and White, for less than one after the other.
    #[must_use]
    #[inline]
    pub fn unconditional_lives(&self, suicide: Suicide) -> [UnconditionalLife<W>; 2] {
        let sides = self.all_alive();
        Color::BOTH.map(|color| match &sides {
            Some(sides) => self.life_of_all(color, &sides[color.index()]),
            None => self.life_by_definition(color, suicide),
        })
    }

    /// The life of both colours if that is plain to see: every empty point has neighbours of one colour only and none of them empty (an
    /// *eye*), and every chain touches at least two eyes. `None` otherwise, whatever is alive.
    ///
    /// Why this is the life of the definition. An eye is a region of its owner's by itself, as all its neighbours are the owner's
    /// stones; being one point beside each chain around it, it is vital to each of them under both suicide rules. So in the set of all
    /// chains of the colour every chain has two vital regions, which only chains of the set enclose: all are alive. An eye has no point
    /// without a living neighbour and is territory. Any other region of the colour holds opposing stones, since its empty points, if
    /// any, are eyes of the opponent; with a chain it holds that chain's two eyes, which have no neighbour of the colour: two
    /// points, and so it is no territory.
    #[inline]
    pub(super) fn all_alive(&self) -> Option<[AllAlive<W>; 2]> {
        let geometry = self.geometry();
        let empty = self.empty();
        if geometry.adjacent(empty).intersects(empty) {
            return None;
        }
        let [black, white] = self.stone_sets().map(|stones| geometry.adjacent(stones) & empty);
        if black.intersects(white) {
            return None;
        }
        let chain_count = |color, eyes| {
            let mut count = 0;
            for chain in geometry.parts(self.stone_set(color)) {
                if !(geometry.adjacent(chain) & eyes).has_several() {
                    return None;
                }
                count += 1;
            }
            Some(count)
        };
        Some([
            AllAlive { eyes: black, chain_count: chain_count(Color::Black, black)? },
            AllAlive { eyes: white, chain_count: chain_count(Color::White, white)? },
        ])
    }

    fn life_of_all(&self, color: Color, all: &AllAlive<W>) -> UnconditionalLife<W> {
        UnconditionalLife {
            size: self.size(),
            color,
            stones: self.stone_set(color),
            dead: Bitboard::EMPTY,
            territory: all.eyes,
            chain_count: all.chain_count,
            all_chain_count: all.chain_count,
        }
    }

    /// The definition, step by step.
    pub(super) fn life_by_definition(&self, color: Color, suicide: Suicide) -> UnconditionalLife<W> {
        let geometry = self.geometry();
        let own = self.stone_set(color);
        let wall = |stones| Wall { stones, around: geometry.adjacent(stones) };
        let mut walls: Vec<Wall<W>> = geometry.parts(own).map(wall).collect();
        let all_chain_count = walls.len() as u32;
        let mut regions = Regions::around(self, color, suicide);
        strike_out(&mut walls, &mut regions);
        let stones = walls.iter().fold(Bitboard::EMPTY, |all, wall| all | wall.stones);
        let territory =
            if walls.is_empty() { Bitboard::EMPTY } else { regions.territory(geometry.adjacent(stones)) };
        UnconditionalLife {
            size: self.size(),
            color,
            stones,
            dead: territory & self.stone_set(color.opponent()),
            territory,
            chain_count: walls.len() as u32,
            all_chain_count,
        }
    }
}

impl<const W: usize> Board<W> {
    /// The [unconditional life](Position::unconditional_life) of the position under the board's suicide rule.
    #[must_use]
    pub fn unconditional_life(&self, color: Color) -> UnconditionalLife<W> {
        self.position().unconditional_life(color, self.suicide())
    }
}

/// One colour where all its chains are plainly alive.
pub(super) struct AllAlive<const W: usize> {
    /// Its territory.
    pub(super) eyes: Bitboard<W>,
    pub(super) chain_count: u32,
}

/// A chain that may be alive.
pub(super) struct Wall<const W: usize> {
    pub(super) stones: Bitboard<W>,
    pub(super) around: Bitboard<W>,
}

/// The regions that may be enclosed by living chains.
pub(super) struct Regions<const W: usize> {
    /// Those of one point: vital to every chain beside them.
    pub(super) single: Bitboard<W>,
    pub(super) larger: Vec<Region<W>>,
}

/// A maximal connected set of several points without stones of one colour.
pub(super) struct Region<const W: usize> {
    pub(super) points: Bitboard<W>,
    /// The points beside which a chain must stand, each of them, for the region to be vital to the chain.
    pub(super) must_touch: Bitboard<W>,
}

impl<const W: usize> Regions<W> {
    fn around(position: &Position<W>, color: Color, suicide: Suicide) -> Self {
        let geometry = position.geometry();
        let outside = geometry.on_board.without(position.stone_set(color));
        let single = outside.without(geometry.adjacent(outside));
        let region = |points| Region {
            points,
            must_touch: match suicide {
                Suicide::Forbidden => points & position.empty(),
                Suicide::Allowed => points,
            },
        };
        Self { single, larger: geometry.parts(outside.without(single)).map(region).collect() }
    }

    pub(super) fn has_two_vital_to(&self, wall: &Wall<W>) -> bool {
        let is_vital = |region: &&Region<W>| {
            region.points.intersects(wall.around) && region.must_touch.without(wall.around).is_empty()
        };
        let single = (self.single & wall.around).count() as usize;
        single + self.larger.iter().filter(is_vital).take(2).count() >= 2
    }

    /// The points of the regions in which at most one point is not `beside` living stones.
    fn territory(&self, beside: Bitboard<W>) -> Bitboard<W> {
        let is_territory = |region: &&Region<W>| region.points.without(beside).count() <= 1;
        self.larger.iter().filter(is_territory).fold(self.single, |all, region| all | region.points)
    }
}

/// Strikes out the chains with fewer than two vital regions and the regions beside them, until none is left to strike out.
pub(super) fn strike_out<const W: usize>(walls: &mut Vec<Wall<W>>, regions: &mut Regions<W>) {
    loop {
        let mut beside_lost = Bitboard::EMPTY;
        walls.retain(|wall| {
            let stays = regions.has_two_vital_to(wall);
            if !stays {
                beside_lost |= wall.around;
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
