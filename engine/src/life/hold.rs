//! Which groups hold on an open board.
//!
//! Small zones come first; what holds in one is solid ground for the next, as long as the points on which it rests stay out of it: then the owner answers
//! in the zone where the opponent played.

use super::{
    local::Zone,
    open::{Claim, OpenBoard, Shown},
};
use crate::{Color, Position, bitboard::Bitboard, geometry::Geometry};

/// A round of zones.
struct Round {
    /// Points of all small regions beside a chain that are taken together, at most.
    regions: u32,
    /// Points of a window beside a chain, about.
    window: u32,
    /// Visits of each search: the limit divided by this.
    part_of_limit: usize,
}

/// The rounds, one after the other.
const ROUNDS: [Round; 4] = [
    Round { regions: 6, window: 6, part_of_limit: 6 },
    Round { regions: 12, window: 9, part_of_limit: 2 },
    Round { regions: 20, window: 12, part_of_limit: 1 },
    Round { regions: 36, window: 18, part_of_limit: 1 },
];
/// Points of a zone, at most.
const MAX_POINTS: u32 = 50;
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
    /// The points on which that rests.
    pub(super) used: Bitboard<W>,
}

/// A search for groups of one colour that hold.
struct Groups<'a, const W: usize> {
    board: OpenBoard<'a, W>,
    color: Color,
    held: Held<W>,
    shown: Vec<Shown<W>>,
    /// The chains that are not shown to hold yet, the largest first.
    open_chains: Vec<Bitboard<W>>,
    /// Regions that may be eye space, the smallest first.
    homes: Vec<Bitboard<W>>,
    /// Where windows are: beside the stones, away from large chains of the opponent.
    windows: Bitboard<W>,
    /// Zones in which no proof was found: their stones, areas and the anchors beside them.
    tried: Vec<[Bitboard<W>; 3]>,
}

impl<const W: usize> Held<W> {
    /// These stones, which rest on nothing.
    pub(super) fn of(stones: Bitboard<W>) -> Self {
        Self { stones, used: Bitboard::EMPTY }
    }
}

impl<const W: usize> OpenBoard<'_, W> {
    /// The stones of `color` that are shown to hold, those that are unconditionally alive included; and the proofs.
    pub(super) fn held(&self, color: Color) -> (Held<W>, Vec<Shown<W>>) {
        let mut groups = Groups::new(*self, color);
        for round in &ROUNDS {
            for chain in groups.open_chains.clone() {
                groups.try_regions(chain, round);
                groups.try_windows(chain, round);
            }
        }
        (groups.held, groups.shown)
    }
}

impl<'a, const W: usize> Groups<'a, W> {
    fn new(board: OpenBoard<'a, W>, color: Color) -> Self {
        let OpenBoard { position, alive, .. } = board;
        let geometry = position.geometry();
        let held = Held::of(alive[color.index()]);
        let own = position.stone_set(color);
        let mut open_chains: Vec<Bitboard<W>> = geometry.parts(own.without(held.stones)).collect();
        open_chains.sort_by_key(|chain| (std::cmp::Reverse(chain.count()), chain.first()));
        let mut homes = homes(position, color, alive[color.opponent().index()]);
        homes.sort_by_key(Bitboard::count);
        let strong = large_chains(geometry, position.stone_set(color.opponent()), STRAYS_IN_WINDOW);
        let windows = geometry.on_board.without(own | strong);
        let (shown, tried) = (Vec::new(), Vec::new());
        Self { board, color, held, shown, open_chains, homes, windows, tried }
    }

    fn geometry(&self) -> &'a Geometry<W> {
        self.board.position.geometry()
    }

    /// The chains that are not shown to hold yet and have a stone among these points.
    fn open_chains_at(&self, points: Bitboard<W>) -> impl Iterator<Item = Bitboard<W>> {
        self.open_chains.iter().copied().filter(move |chain| chain.intersects(points))
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
            for other in self.open_chains_at(geometry.adjacent(area)) {
                if !group.contains(&other) {
                    group.push(other);
                }
            }
            next += 1;
        }
        let mut once = geometry.adjacent(self.held.stones);
        let mut twice = Bitboard::EMPTY;
        for &chain in &group {
            let around = geometry.adjacent(chain);
            twice |= once & around;
            once |= around;
        }
        self.try_zone(chain, group, area | twice & self.board.position.empty(), round);
    }

    /// Tries windows beside a chain: what is near one of its liberties, and small eye spaces elsewhere.
    fn try_windows(&mut self, chain: Bitboard<W>, round: &Round) {
        let geometry = self.geometry();
        let around = geometry.adjacent(chain);
        let small = self.homes.iter().filter(|home| home.count() <= SMALL && home.intersects(around));
        let small = small.fold(Bitboard::EMPTY, |all, &home| all | home);
        let mut seeds = self.windows & around;
        while !seeds.is_empty() && !chain.intersects(self.held.stones) {
            let seed = seeds.lowest();
            seeds = seeds.without(grown(geometry, seed, self.windows, round.window / 4));
            let area = grown(geometry, seed, self.windows, round.window) | small;
            let group = self.open_chains_at(geometry.adjacent(area) | chain).collect();
            self.try_zone(chain, group, area, round);
        }
    }

    /// Tries a zone: the chain, and those of the group with two liberties in the area.
    fn try_zone(
        &mut self,
        chain: Bitboard<W>,
        mut group: Vec<Bitboard<W>>,
        area: Bitboard<W>,
        round: &Round,
    ) {
        let geometry = self.geometry();
        let area = area.without(self.held.used);
        let empty = area & self.board.position.empty();
        group.retain(|&one| (geometry.adjacent(one) & empty).has_several());
        let all = group.iter().fold(Bitboard::EMPTY, |all, &chain| all | chain);
        let key = [all, area, self.held.stones & geometry.adjacent(area)];
        let is_possible = group.contains(&chain) && area.count() <= MAX_POINTS;
        if chain.intersects(self.held.stones) || !is_possible || self.tried.contains(&key) {
            return;
        }
        let zone = Zone {
            geometry,
            stones: self.board.position.stone_sets(),
            owner: self.color,
            anchors: self.held.stones,
            chains: &group,
            area,
        };
        let Some((proof, rests_on)) = zone.holds(self.board.suicide, self.board.limit / round.part_of_limit)
        else {
            self.tried.push(key);
            return;
        };
        let anchors = self.held.stones;
        self.held.stones |= all;
        self.held.used |= rests_on;
        self.open_chains.retain(|open| !open.intersects(all));
        self.shown.push(Shown {
            claim: Claim::Holds,
            owner: self.color,
            chains: group,
            anchors,
            area: rests_on,
            proof,
        });
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
        points <= MAX_POINTS && 2 * (*part & others).count() <= points
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
