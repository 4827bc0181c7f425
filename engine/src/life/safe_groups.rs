//! Safe groups on an open board: guesses zones in which a group may be safe, and proves it there.
//!
//! Small zones come first. A safe group is solid ground for the next one, as long as the points that its proof uses stay out of the second zone:
//! then its owner answers where the opponent played. Only which zones are tried is a guess; what is found is a proof, of life and never of seki.

use std::mem;

use super::zones::{Claim, Failures, Proved, Zone, ZoneSolver};
use crate::{Color, Position, bitboard::Bitboard, geometry::Geometry};

/// The sizes of the zones of a round.
struct Round {
    /// Points of all small eye spaces beside a chain that are taken together.
    eye_space: u32,
    /// Points of a zone grown from a liberty, about.
    grown: u32,
    /// What the limit of visits is divided by for each search.
    limit_divisor: usize,
}

const ROUNDS: [Round; 4] = [
    Round { eye_space: 6, grown: 6, limit_divisor: 6 },
    Round { eye_space: 12, grown: 9, limit_divisor: 2 },
    Round { eye_space: 20, grown: 12, limit_divisor: 1 },
    Round { eye_space: 36, grown: 18, limit_divisor: 1 },
];
/// Stones of an opposing chain that may be captured inside an eye space: two guesses.
const MAX_CAPTIVES: [u32; 2] = [3, 8];
/// Stones of an opposing chain that may be captured in a zone grown from a liberty.
const MAX_CAPTIVES_GROWN: u32 = 6;
/// Points of an eye space that is added to every zone grown from a liberty of a chain beside it.
const MAX_SMALL_EYE_SPACE: u32 = 6;

/// The stones of one colour that are proved safe.
#[derive(Clone, Copy)]
pub(super) struct SafeStones<const W: usize> {
    pub(super) stones: Bitboard<W>,
    /// The points that the proofs use.
    pub(super) used: Bitboard<W>,
}

impl<const W: usize> SafeStones<W> {
    /// Takes stones whose safety needs no answer.
    pub(super) fn unconditional(stones: Bitboard<W>) -> Self {
        Self { stones, used: Bitboard::EMPTY }
    }
}

/// A search for safe groups of one colour.
pub(super) struct GroupSearch<'a, const W: usize> {
    solver: &'a ZoneSolver<W>,
    color: Color,
    /// The stones that are proved safe, the unconditionally alive ones included.
    pub(super) safe: SafeStones<W>,
    /// The chains that are not proved safe yet, the largest first.
    open_chains: Vec<Bitboard<W>>,
    /// The possible eye spaces, the smallest first.
    eye_spaces: Vec<Bitboard<W>>,
    /// The points that zones may grow to: all but own stones and large opposing chains.
    growth: Bitboard<W>,
    failures: Failures<W>,
    /// The proofs found by the last search.
    proved: Vec<Proved<W>>,
}

impl<'a, const W: usize> GroupSearch<'a, W> {
    pub(super) fn new(solver: &'a ZoneSolver<W>, color: Color) -> Self {
        let ZoneSolver { position, alive, .. } = solver;
        let geometry = position.geometry();
        let safe = SafeStones::unconditional(alive[color.index()]);
        let own = position.stone_set(color);
        let mut open_chains: Vec<Bitboard<W>> = geometry.parts(own.without(safe.stones)).collect();
        open_chains.sort_by_key(|chain| (std::cmp::Reverse(chain.count()), chain.first()));
        let mut eye_spaces = possible_eye_spaces(position, color, alive[color.opponent().index()]);
        eye_spaces.sort_by_key(Bitboard::count);
        let strong = large_chains(geometry, position.stone_set(color.opponent()), MAX_CAPTIVES_GROWN);
        let growth = geometry.on_board.without(own | strong);
        let (failures, proved) = (Failures::default(), Vec::new());
        Self { solver, color, safe, open_chains, eye_spaces, growth, failures, proved }
    }

    /// Searches for more safe groups, and returns the proofs.
    pub(super) fn search(&mut self, limit: usize) -> Vec<Proved<W>> {
        for round in &ROUNDS {
            for chain in self.open_chains.clone() {
                self.try_eye_spaces(chain, round, limit);
                self.try_grown_zones(chain, round, limit);
            }
        }
        mem::take(&mut self.proved)
    }

    /// Returns the open chains with a stone among these points.
    fn open_chains_at(&self, points: Bitboard<W>) -> impl Iterator<Item = Bitboard<W>> {
        self.open_chains.iter().copied().filter(move |chain| chain.intersects(points))
    }

    /// Tries the small eye spaces beside a chain, those beside the chains around them and so on, and the points that connect these chains.
    fn try_eye_spaces(&mut self, chain: Bitboard<W>, round: &Round, limit: usize) {
        let geometry = self.solver.position.geometry();
        let (mut group, mut area) = (vec![chain], Bitboard::EMPTY);
        let mut next = 0;
        while next < group.len() {
            let around = geometry.adjacent(group[next]);
            for &space in self.eye_spaces.iter().filter(|space| space.intersects(around)) {
                if (area | space).count() <= round.eye_space {
                    area |= space;
                }
            }
            for other in self.open_chains_at(geometry.adjacent(area)) {
                if !group.contains(&other) {
                    group.push(other);
                }
            }
            next += 1;
        }
        let mut once = geometry.adjacent(self.safe.stones);
        let mut twice = Bitboard::EMPTY;
        for &chain in &group {
            let around = geometry.adjacent(chain);
            twice |= once & around;
            once |= around;
        }
        self.try_zone(chain, group, area | twice & self.solver.position.empty(), round, limit);
    }

    /// Tries zones grown from the liberties of a chain, together with its small eye spaces elsewhere.
    fn try_grown_zones(&mut self, chain: Bitboard<W>, round: &Round, limit: usize) {
        let geometry = self.solver.position.geometry();
        let around = geometry.adjacent(chain);
        let is_small =
            |space: &&Bitboard<W>| space.count() <= MAX_SMALL_EYE_SPACE && space.intersects(around);
        let small = self.eye_spaces.iter().filter(is_small).fold(Bitboard::EMPTY, |all, &space| all | space);
        let mut seeds = self.growth & around;
        while !seeds.is_empty() && !chain.intersects(self.safe.stones) {
            let seed = seeds.lowest();
            seeds = seeds.without(grown(geometry, seed, self.growth, round.grown / 4));
            let area = grown(geometry, seed, self.growth, round.grown) | small;
            let group = self.open_chains_at(geometry.adjacent(area) | chain).collect();
            self.try_zone(chain, group, area, round, limit);
        }
    }

    /// Tries a zone with the chain and those of the group that have two liberties in the area.
    fn try_zone(
        &mut self,
        chain: Bitboard<W>,
        mut group: Vec<Bitboard<W>>,
        area: Bitboard<W>,
        round: &Round,
        limit: usize,
    ) {
        let geometry = self.solver.position.geometry();
        let area = area.without(self.safe.used);
        let empty = area & self.solver.position.empty();
        group.retain(|&one| (geometry.adjacent(one) & empty).has_several());
        let is_possible = group.contains(&chain) && area.count() <= Zone::<W>::MAX_POINTS;
        if chain.intersects(self.safe.stones) || !is_possible {
            return;
        }
        let zone = Zone { owner: self.color, chains: group, anchors: self.safe.stones, area };
        let visits = limit / round.limit_divisor;
        if let Some(proved) = self.failures.prove(self.solver, zone, Claim::Safe, limit, visits) {
            let stones = proved.zone.stones();
            self.safe.stones |= stones;
            self.safe.used |= proved.zone.area;
            self.open_chains.retain(|open| !open.intersects(stones));
            self.proved.push(proved);
        }
    }
}

/// Grows a seed inside a set, step by step, until it has so many points.
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

/// Returns the chains of more than so many stones.
fn large_chains<const W: usize>(geometry: &Geometry<W>, stones: Bitboard<W>, most: u32) -> Bitboard<W> {
    let large = geometry.parts(stones).filter(|chain| chain.count() > most);
    large.fold(Bitboard::EMPTY, |all, chain| all | chain)
}

/// Returns sets of points that may be eye space of `color`: whole regions without its stones and without `hostile` ones, and what is left of
/// regions away from opposing chains that are too large to be captured.
fn possible_eye_spaces<const W: usize>(
    position: &Position<W>,
    color: Color,
    hostile: Bitboard<W>,
) -> Vec<Bitboard<W>> {
    let geometry = position.geometry();
    let others = position.stone_set(color.opponent());
    let is_small = |part: &Bitboard<W>| {
        let points = part.count();
        points <= Zone::<W>::MAX_POINTS && 2 * (*part & others).count() <= points
    };
    let mut spaces: Vec<Bitboard<W>> = Vec::new();
    for region in geometry.parts(geometry.on_board.without(position.stone_set(color))) {
        if is_small(&region) && !region.intersects(hostile) {
            spaces.push(region);
        }
        for most in MAX_CAPTIVES {
            let strong = large_chains(geometry, region & others, most);
            if strong.is_empty() {
                continue;
            }
            let core = region.without(strong | geometry.adjacent(strong));
            for part in geometry.parts(core).filter(is_small) {
                if !spaces.contains(&part) {
                    spaces.push(part);
                }
            }
        }
    }
    spaces
}
