//! Which groups hold on an open board.
//!
//! Small zones come first; what holds in one is solid ground for the next, as long as the points on which it rests stay out of it: then the owner answers
//! in the zone where the opponent played.

use super::local::Zone;
use crate::{Color, Position, Suicide, bitboard::Bitboard, geometry::Geometry};

/// Points of a region that may be an eye space.
const MOST_POINTS: u32 = 40;
/// Points of the zones that are tried one after the other, and the visits of each search.
const SIZES: [(u32, usize); 4] = [(6, 200), (12, 600), (20, 1_200), (36, 2_000)];
/// Stones of an opponent's chain that may be lost inside an eye space, at most.
const STRAYS: [u32; 2] = [3, 8];
/// Points of an eye space, at most, that is too small to be given up for connections at first.
const SMALL_HOME: u32 = 12;

/// A search for groups of one colour that hold.
pub(super) struct Groups<'a, const W: usize> {
    position: &'a Position<W>,
    color: Color,
    suicide: Suicide,
    /// The stones that hold.
    held: Bitboard<W>,
    /// The points on which that rests.
    used: Bitboard<W>,
    /// Regions that may be eye space, the smallest first.
    homes: Vec<Bitboard<W>>,
    /// The stones and areas of zones in which no proof was found.
    tried: Vec<(Bitboard<W>, Bitboard<W>)>,
}

/// Chains that are as good as one: where the opponent takes one of two common liberties, the owner takes the other.
#[derive(Clone, Copy)]
struct Linked<const W: usize> {
    stones: Bitboard<W>,
    /// These liberties.
    by: Bitboard<W>,
}

impl<'a, const W: usize> Groups<'a, W> {
    /// The stones of `color` that are shown to hold, those in `anchors` included, which are unconditionally alive.
    pub(super) fn held(
        position: &'a Position<W>,
        color: Color,
        anchors: [Bitboard<W>; 2],
        suicide: Suicide,
    ) -> Bitboard<W> {
        let held = anchors[color.index()];
        let mut homes = homes(position, color, anchors[color.opponent().index()]);
        homes.sort_by_key(Bitboard::count);
        let small = homes.iter().filter(|home| home.count() <= SMALL_HOME);
        let small = small.fold(Bitboard::EMPTY, |all, &home| all | home);
        let mut groups =
            Self { position, color, suicide, held, used: Bitboard::EMPTY, homes, tried: Vec::new() };
        // First without connections, then with those away from small eye spaces, then with all.
        for kept_free in [position.geometry().on_board, small, Bitboard::EMPTY] {
            for (points, visits) in SIZES {
                let linked = groups.linked(kept_free);
                for chain in &linked {
                    if !chain.stones.intersects(groups.held) {
                        groups.try_zone(chain, &linked, points, visits);
                    }
                }
            }
        }
        groups.held
    }

    fn geometry(&self) -> &'a Geometry<W> {
        self.position.geometry()
    }

    /// The chains that are not shown to hold yet, linked where two points outside `kept_free` allow it, the largest first. Those linked to chains that
    /// hold, hold.
    fn linked(&mut self, kept_free: Bitboard<W>) -> Vec<Linked<W>> {
        let geometry = self.geometry();
        let own = self.position.stone_set(self.color).without(self.held);
        let mut linked: Vec<Linked<W>> =
            geometry.parts(own).map(|stones| Linked { stones, by: Bitboard::EMPTY }).collect();
        let mut free = self.position.empty().without(kept_free | self.used);
        let mut changed = !free.is_empty();
        while changed {
            changed = false;
            for one in (0..linked.len()).rev() {
                let Linked { stones, by } = linked[one];
                let around = geometry.adjacent(stones) & free;
                if let Some(link) = two_of(around & geometry.adjacent(self.held)) {
                    self.held |= stones;
                    self.used |= by | link;
                    free = free.without(link);
                } else {
                    let links = |other: &Linked<W>| two_of(around & geometry.adjacent(other.stones));
                    let Some((other, link)) =
                        (0..one).find_map(|other| Some((other, links(&linked[other])?)))
                    else {
                        continue;
                    };
                    linked[other].stones |= stones;
                    linked[other].by |= by | link;
                    free = free.without(link);
                }
                linked.swap_remove(one);
                changed = true;
            }
        }
        linked.sort_by_key(|chain| (std::cmp::Reverse(chain.stones.count()), chain.stones.first()));
        linked
    }

    fn try_zone(&mut self, chain: &Linked<W>, linked: &[Linked<W>], points: u32, visits: usize) {
        let (group, area) = self.zone(chain, linked, points);
        let all = group.iter().fold(Bitboard::EMPTY, |all, chain| all | chain.stones);
        if area.is_empty() || self.tried.contains(&(all, area)) {
            return;
        }
        self.tried.push((all, area));
        let chains: Vec<Bitboard<W>> = group.iter().map(|chain| chain.stones).collect();
        let zone = Zone {
            geometry: self.geometry(),
            stones: self.position.stone_sets(),
            owner: self.color,
            anchors: self.held,
            chains: &chains,
            area,
        };
        if let Some(rests_on) = zone.holds(self.suicide, visits) {
            self.held |= all;
            self.used |= group.iter().fold(rests_on, |used, chain| used | chain.by);
        }
    }

    /// A chain with the small regions beside it and the chains around these, and the points where they can be connected.
    fn zone(&self, chain: &Linked<W>, linked: &[Linked<W>], points: u32) -> (Vec<Linked<W>>, Bitboard<W>) {
        let geometry = self.geometry();
        let (mut group, mut area) = (vec![*chain], Bitboard::EMPTY);
        let mut all = chain.stones;
        let mut next = 0;
        while next < group.len() {
            let around = geometry.adjacent(group[next].stones);
            for home in self.homes.iter().filter(|home| home.intersects(around)) {
                if (area | *home).count() <= points {
                    area |= *home;
                }
            }
            let beside = geometry.adjacent(area).without(all | self.held);
            for other in linked.iter().filter(|other| other.stones.intersects(beside)) {
                all |= other.stones;
                group.push(*other);
            }
            next += 1;
        }
        let mut once = geometry.adjacent(self.held);
        let mut twice = Bitboard::EMPTY;
        for chain in &group {
            let around = geometry.adjacent(chain.stones);
            twice |= once & around;
            once |= around;
        }
        area |= twice & self.position.empty();
        let by = group.iter().fold(self.used, |used, chain| used | chain.by);
        (group, area.without(by))
    }
}

/// The first two points of a set that has two.
fn two_of<const W: usize>(set: Bitboard<W>) -> Option<Bitboard<W>> {
    let first = (!set.is_empty()).then(|| set.lowest())?;
    let rest = set.without(first);
    (!rest.is_empty()).then(|| first | rest.lowest())
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
            let strong = geometry
                .parts(region & others)
                .filter(|chain| chain.count() > most_stones)
                .fold(Bitboard::EMPTY, |all, chain| all | chain);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, BoardSize, Judge, Ko, Move, Point, Status, mix64};

    /// What holds here must be alive by the exact search of the whole board.
    fn compare(size: BoardSize, position: &Position<1>, judge: &mut Judge) -> [u32; 2] {
        let mut counts = [0; 2];
        let known = judge.search_all(position);
        for color in Color::BOTH {
            let held = Groups::held(position, color, [Bitboard::EMPTY; 2], Suicide::Allowed);
            for chain in known.iter().filter(|chain| chain.color == color) {
                let holds = held.contains(position.geometry().bit(chain.stones[0]));
                if holds && chain.status != Status::Unknown {
                    assert_eq!(
                        chain.status,
                        Status::Alive,
                        "{size} {color} {:?}\n{position:#}",
                        chain.stones[0]
                    );
                }
                if chain.status == Status::Alive {
                    counts[usize::from(holds)] += 1;
                }
            }
        }
        counts
    }

    #[test]
    fn what_holds_is_alive() {
        let mut counts = [0; 2];
        for (width, height, games) in [(3, 3, 60), (4, 3, 60), (5, 3, 40), (4, 4, 20), (5, 4, 10)] {
            let size = BoardSize::new(width, height).unwrap();
            let points: Vec<Point> = size.points().collect();
            let mut judge = Judge::with_limit(Suicide::Allowed, Ko::Simple, 3_000);
            for game in 0..games {
                let mut board: Board<1> = Board::new(size, Suicide::Allowed);
                for ply in 0..2 * points.len() as u64 {
                    let drawn = mix64(game << 32 | ply) as usize % points.len();
                    // Eyes are kept, so that something may live.
                    let keeps_eyes = !board.is_eye_like(points[drawn], board.to_play());
                    let mv = Move::Play(points[drawn]);
                    if !keeps_eyes || board.play(mv).is_err() {
                        board.play(Move::Pass).unwrap();
                    }
                    if ply % 5 == 4 {
                        let [missed, found] = compare(size, &board.position(), &mut judge);
                        counts[0] += missed;
                        counts[1] += found;
                    }
                }
            }
        }
        println!("{} living chains found to hold, {} not", counts[1], counts[0]);
        assert!(counts[1] > 200);
    }
}
