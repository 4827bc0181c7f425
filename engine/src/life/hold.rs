//! Which groups hold on an open board.
//!
//! Small zones come first; what holds in one is solid ground for the next, as long as the points on which it rests stay out of it: then the owner answers
//! in the zone where the opponent played.

use super::{Proof, local::Zone};
use crate::{Color, Position, Suicide, bitboard::Bitboard, geometry::Geometry};

/// A round of zones.
struct Round {
    /// Points of all small regions beside a chain that are taken together, at most.
    regions: u32,
    /// Points of a window beside a chain, about.
    window: u32,
    /// Visits of each search.
    visits: usize,
}

/// The rounds, one after the other.
const ROUNDS: [Round; 4] = [
    Round { regions: 6, window: 6, visits: 800 },
    Round { regions: 12, window: 9, visits: 2_400 },
    Round { regions: 20, window: 12, visits: 4_800 },
    Round { regions: 36, window: 18, visits: 8_000 },
];
/// Points of a zone, at most.
const MOST_POINTS: u32 = 50;
/// Stones of an opponent's chain that may be lost inside an eye space, at most.
const STRAYS: [u32; 2] = [3, 8];
/// The same in a window.
const STRAYS_IN_WINDOW: u32 = 6;
/// Points of an eye space that goes with every window, at most.
const SMALL: u32 = 6;

/// The stones of one colour that are shown to hold.
#[derive(Clone, Copy)]
pub(super) struct Held<const W: usize> {
    /// All of them.
    pub(super) stones: Bitboard<W>,
    /// Those that are seen to hold without reading ahead.
    pub(super) at_sight: Bitboard<W>,
    /// The points on which that rests.
    pub(super) used: Bitboard<W>,
}

/// A search for groups of one colour that hold.
pub(super) struct Groups<'a, const W: usize> {
    position: &'a Position<W>,
    color: Color,
    suicide: Suicide,
    held: Held<W>,
    /// Regions that may be eye space, the smallest first.
    homes: Vec<Bitboard<W>>,
    /// Zones in which no proof was found: their stones, areas and the anchors beside them.
    tried: Vec<[Bitboard<W>; 3]>,
}

impl<const W: usize> Held<W> {
    /// These stones, which rest on nothing.
    pub(super) fn of(stones: Bitboard<W>) -> Self {
        Self { stones, at_sight: Bitboard::EMPTY, used: Bitboard::EMPTY }
    }
}

impl<'a, const W: usize> Groups<'a, W> {
    /// The stones of `color` that are shown to hold, those in `anchors` included, which are unconditionally alive.
    pub(super) fn held(
        position: &'a Position<W>,
        color: Color,
        anchors: [Bitboard<W>; 2],
        suicide: Suicide,
    ) -> Held<W> {
        let held = Held::of(anchors[color.index()]);
        let mut homes = homes(position, color, anchors[color.opponent().index()]);
        homes.sort_by_key(Bitboard::count);
        let mut groups = Self { position, color, suicide, held, homes, tried: Vec::new() };
        for round in &ROUNDS {
            let mut chains: Vec<Bitboard<W>> = groups.open_chains().collect();
            chains.sort_by_key(|chain| (std::cmp::Reverse(chain.count()), chain.first()));
            for chain in chains {
                groups.try_regions(chain, round);
                groups.try_windows(chain, round);
            }
        }
        groups.held
    }

    fn geometry(&self) -> &'a Geometry<W> {
        self.position.geometry()
    }

    /// The chains that are not shown to hold yet.
    fn open_chains(&self) -> impl Iterator<Item = Bitboard<W>> + use<'a, W> {
        self.geometry().parts(self.position.stone_set(self.color).without(self.held.stones))
    }

    /// Tries the small regions beside a chain and beside the chains around these, and the points where they can be connected.
    fn try_regions(&mut self, chain: Bitboard<W>, round: &Round) {
        let geometry = self.geometry();
        let (mut group, mut area) = (vec![chain], Bitboard::EMPTY);
        let mut next = 0;
        while next < group.len() {
            let around = geometry.adjacent(group[next]);
            for home in self.homes.iter().filter(|home| home.intersects(around)) {
                if (area | *home).count() <= round.regions {
                    area |= *home;
                }
            }
            let beside = geometry.adjacent(area);
            let others = self.open_chains().filter(|other| other.intersects(beside));
            let fresh: Vec<Bitboard<W>> = others.filter(|other| !group.contains(other)).collect();
            group.extend(fresh);
            next += 1;
        }
        let mut once = geometry.adjacent(self.held.stones);
        let mut twice = Bitboard::EMPTY;
        for &chain in &group {
            let around = geometry.adjacent(chain);
            twice |= once & around;
            once |= around;
        }
        self.try_zone(chain, group, area | twice & self.position.empty(), round.visits);
    }

    /// Tries windows beside a chain: what is near one of its liberties, and small eye spaces elsewhere.
    fn try_windows(&mut self, chain: Bitboard<W>, round: &Round) {
        let geometry = self.geometry();
        let around = geometry.adjacent(chain);
        let small = self.homes.iter().filter(|home| home.count() <= SMALL && home.intersects(around));
        let small = small.fold(Bitboard::EMPTY, |all, &home| all | home);
        let others = self.position.stone_set(self.color.opponent());
        let strong = large_chains(geometry, others, STRAYS_IN_WINDOW);
        let open = geometry.on_board.without(self.position.stone_set(self.color) | strong);
        let mut seeds = open & around;
        while !seeds.is_empty() && !chain.intersects(self.held.stones) {
            let seed = seeds.lowest();
            seeds = seeds.without(grown(geometry, seed, open, round.window / 4));
            let area = grown(geometry, seed, open, round.window) | small;
            let beside = geometry.adjacent(area);
            let group = self.open_chains().filter(|&other| other == chain || other.intersects(beside));
            let group = group.collect();
            self.try_zone(chain, group, area, round.visits);
        }
    }

    /// Tries a zone: the chain, and those of the group with two liberties in the area.
    fn try_zone(
        &mut self,
        chain: Bitboard<W>,
        mut group: Vec<Bitboard<W>>,
        area: Bitboard<W>,
        visits: usize,
    ) {
        let geometry = self.geometry();
        let area = area.without(self.held.used);
        let empty = area & self.position.empty();
        group.retain(|&one| (geometry.adjacent(one) & empty).has_several());
        let all = group.iter().fold(Bitboard::EMPTY, |all, &chain| all | chain);
        let key = [all, area, self.held.stones & geometry.adjacent(area)];
        let is_possible = group.contains(&chain) && area.count() <= MOST_POINTS;
        if chain.intersects(self.held.stones) || !is_possible || self.tried.contains(&key) {
            return;
        }
        let zone = Zone {
            geometry,
            stones: self.position.stone_sets(),
            owner: self.color,
            anchors: self.held.stones,
            chains: &group,
            area,
        };
        if let Some((proof, rests_on)) = zone.holds(self.suicide, visits) {
            self.held.stones |= all;
            self.held.used |= rests_on;
            if proof == Proof::Static {
                self.held.at_sight |= all;
            }
        } else {
            self.tried.push(key);
        }
    }
}

/// What is reached from a seed inside a set, step by step, until it has so many points.
pub(super) fn grown<const W: usize>(
    geometry: &Geometry<W>,
    seed: Bitboard<W>,
    inside: Bitboard<W>,
    points: u32,
) -> Bitboard<W> {
    let mut grown = seed;
    while grown.count() < points {
        let next = grown | geometry.adjacent(grown) & inside;
        if next == grown {
            break;
        }
        grown = next;
    }
    grown
}

/// The chains of more than so many stones.
fn large_chains<const W: usize>(geometry: &Geometry<W>, stones: Bitboard<W>, most: u32) -> Bitboard<W> {
    let large = geometry.parts(stones).filter(|chain| chain.count() > most);
    large.fold(Bitboard::EMPTY, |all, chain| all | chain)
}

/// Sets of points, without stones of `color`, that may be eye space: whole regions, and what is left of them away from chains of the opponent that
/// are not taken to be lost. A guess; whether a group holds there is searched.
fn homes<const W: usize>(position: &Position<W>, color: Color, hostile: Bitboard<W>) -> Vec<Bitboard<W>> {
    let geometry = position.geometry();
    let others = position.stone_set(color.opponent());
    let is_small = |part: &Bitboard<W>| {
        let points = part.count();
        points <= MOST_POINTS && 2 * (*part & others).count() <= points
    };
    let mut homes: Vec<Bitboard<W>> = Vec::new();
    for region in geometry.parts(geometry.on_board.without(position.stone_set(color))) {
        if is_small(&region) && !region.intersects(hostile) {
            homes.push(region);
        }
        for most_stones in STRAYS {
            let strong = large_chains(geometry, region & others, most_stones);
            if strong.is_empty() {
                continue;
            }
            let core = region.without(strong | geometry.adjacent(strong));
            for part in geometry.parts(core).filter(is_small) {
                if !homes.contains(&part) {
                    homes.push(part);
                }
            }
        }
    }
    homes
}
