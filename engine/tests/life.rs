//! Unconditional life against labelled positions and against brute force on all positions of tiny boards.

use std::collections::{BTreeSet, HashMap};

use crate::shared::{labelled, rows};
use jigo_engine::{
    Board, BoardSize, Color, Ko, Move, Point, Rules, Suicide,
    reference::{Colouring, ReferenceGame, connected, neighbours, reaches},
};

const SUICIDES: [Suicide; 2] = [Suicide::Forbidden, Suicide::Allowed];

/// Stones and territory of both colours, as rows of signs.
fn alive_and_territory(board: &Board) -> Vec<String> {
    let size = board.size();
    let mut signs = vec![vec!['.'; size.width()]; size.height()];
    for (color, sign) in Color::BOTH.into_iter().zip(['X', 'O']) {
        let life = board.unconditional_life(color);
        for point in life.stones().chain(life.territory()) {
            let place = &mut signs[point.y as usize][point.x as usize];
            assert_eq!(*place, '.', "{point:?} is claimed twice\n{board}");
            *place = sign;
        }
    }
    signs.into_iter().map(|row| row.into_iter().collect()).collect()
}

#[test]
fn agrees_with_katago() {
    let Some(records) = labelled("katago_boardarea.jsonl") else { return };
    assert_eq!(records.len(), 11);
    for record in records {
        for (suicide, key) in SUICIDES.into_iter().zip(["pass_alive", "pass_alive_suicide"]) {
            let diagram = rows(&record["rows"]).join("\n");
            let board: Board = Board::from_diagram(&diagram, suicide).unwrap();
            assert_eq!(
                alive_and_territory(&board),
                rows(&record["expected"][key]),
                "{} {key}\n{board}",
                record["id"]
            );
        }
    }
}

/// GNU Go's notion is wider: it may know more, but whatever is found here it must have found as well.
#[test]
fn never_contradicts_gnu_go() {
    let Some(records) = labelled("gnugo_unconditional.jsonl") else { return };
    let mut confirmed = 0;
    for record in &records {
        let board: Board =
            Board::from_diagram(&rows(&record["rows"]).join("\n"), Suicide::Forbidden).unwrap();
        let at = &record["expected"]["args_xy"][0];
        let point = Point::new(at[0].as_u64().unwrap() as u8, at[1].as_u64().unwrap() as u8);
        let expected = record["expected"]["answer"].as_str().unwrap();
        for color in Color::BOTH {
            let life = board.unconditional_life(color);
            let found = if life.stones().any(|stone| stone == point) {
                "alive"
            } else if !life.territory().any(|inside| inside == point) {
                continue;
            } else if board.stone(point).is_some() {
                "dead"
            } else {
                ["black_territory", "white_territory"][color.index()]
            };
            assert_eq!(found, expected, "{} {point:?}\n{board:#}", record["id"]);
            confirmed += 1;
        }
    }
    println!("{confirmed} of {} queries decided", records.len());
    assert!(confirmed > 100);
}

/// What one player can do if the other only passes, in every legal position of a board, by the naive reference.
struct BruteForce {
    size: BoardSize,
    positions: Vec<Colouring>,
    /// For each position and mover the positions after one move.
    next: Vec<[Vec<usize>; 2]>,
}

type Points = BTreeSet<usize>;

impl BruteForce {
    fn new(size: BoardSize, suicide: Suicide) -> Self {
        let all = (0..3_usize.pow(size.point_count() as u32)).map(|code| colouring(size, code));
        let positions: Vec<Colouring> = all.filter(|colouring| is_legal(size, colouring)).collect();
        let index: HashMap<&Colouring, usize> = positions.iter().zip(0..).collect();
        let rules = Rules { ko: Ko::Simple, suicide, ..Rules::TROMP_TAYLOR };
        let after = |colouring: &Colouring, mover| {
            let game = ReferenceGame::from_position(size, rules, colouring.clone(), mover);
            let moves = game.legal_points().into_iter().map(|point| {
                let mut next = game.clone();
                next.play(Move::Play(point)).unwrap();
                index[next.colouring()]
            });
            moves.collect()
        };
        let next =
            positions.iter().map(|colouring| Color::BOTH.map(|mover| after(colouring, mover))).collect();
        Self { size, positions, next }
    }

    /// For every position the union of `here(position)` over all positions that `mover` can reach by moving alone, in any number of moves.
    fn closure(&self, mover: Color, here: impl Fn(usize) -> Points) -> Vec<Points> {
        let mut reached: Vec<Points> = (0..self.positions.len()).map(here).collect();
        loop {
            let mut changed = false;
            for position in (0..self.positions.len()).rev() {
                for &next in &self.next[position][mover.index()] {
                    if !reached[next].is_subset(&reached[position]) {
                        let more = reached[next].clone();
                        reached[position].extend(more);
                        changed = true;
                    }
                }
            }
            if !changed {
                return reached;
            }
        }
    }

    /// For every position the stones of `owner` that are never captured, whatever the opponent plays while the owner passes.
    fn uncapturable(&self, owner: Color) -> Vec<Points> {
        let empty_or_lost = self.closure(owner.opponent(), |position| {
            let colouring = &self.positions[position];
            (0..colouring.len()).filter(|&point| colouring[point] != Some(owner)).collect()
        });
        let all: Points = (0..self.size.point_count()).collect();
        empty_or_lost.iter().map(|lost| all.difference(lost).copied().collect()).collect()
    }
}

fn colouring(size: BoardSize, mut code: usize) -> Colouring {
    let mut next = || {
        let sign = code % 3;
        code /= 3;
        [None, Some(Color::Black), Some(Color::White)][sign]
    };
    (0..size.point_count()).map(|_| next()).collect()
}

fn is_legal(size: BoardSize, colouring: &Colouring) -> bool {
    let mut stones = size.points().filter(|point| colouring[point.index(size)].is_some());
    stones.all(|point| reaches(size, colouring, point, None))
}

const TINY: [(usize, usize); 9] = [(1, 1), (2, 1), (3, 1), (4, 1), (6, 1), (2, 2), (3, 2), (4, 2), (3, 3)];

#[derive(Debug, Default)]
struct Compared {
    alive: u32,
    territory: u32,
    /// Points in regions that alive chains enclose and in which the opponent can never become alive, yet no territory.
    missed: u32,
}

fn compare_with_brute_force(size: BoardSize, suicide: Suicide, seen: &mut Compared) {
    let brute = BruteForce::new(size, suicide);
    let uncapturable = Color::BOTH.map(|owner| brute.uncapturable(owner));
    for owner in Color::BOTH {
        let invader = owner.opponent();
        let may_live = brute.closure(invader, |position| uncapturable[invader.index()][position].clone());
        for (position, colouring) in brute.positions.iter().enumerate() {
            let mut board: Board<1> = Board::new(size, suicide);
            let stones = size.points().filter_map(|point| Some((point, colouring[point.index(size)]?)));
            board.set_position(stones, Color::Black).unwrap();
            let life = board.unconditional_life(owner);
            let alive: Points = life.stones().map(|point| point.index(size)).collect();
            assert_eq!(alive, uncapturable[owner.index()][position], "{owner} {suicide:?}\n{board}");
            let territory: Points = life.territory().map(|point| point.index(size)).collect();
            assert!(territory.is_disjoint(&may_live[position]), "{owner} {suicide:?}\n{board}");
            board.set_to_play(owner);
            let filled = board.empty_points().filter(|&point| board.fills_own_territory(point));
            let own = life.territory().filter(|&point| board.stone(point).is_none());
            assert!(filled.eq(own), "{owner} {suicide:?}\n{board}");
            seen.alive += u32::from(!alive.is_empty());
            seen.territory += u32::from(!territory.is_empty());
            for region in enclosed_regions(size, colouring, owner, &alive) {
                if region.is_disjoint(&may_live[position]) {
                    seen.missed += region.difference(&territory).count() as u32;
                }
            }
        }
    }
}

/// The regions without stones of `owner` that only these alive stones of `owner` enclose; one for each of their points.
fn enclosed_regions(size: BoardSize, colouring: &Colouring, owner: Color, alive: &Points) -> Vec<Points> {
    let walls: Colouring = colouring.iter().map(|&stone| stone.filter(|&stone| stone == owner)).collect();
    let is_wall = |point: &Point| walls[point.index(size)].is_some();
    let regions = size.points().filter(|point| !is_wall(point)).map(|point| connected(size, &walls, point));
    let enclosed = regions.filter(|region| {
        let mut near = region.iter().flat_map(|&inside| neighbours(size, inside)).filter(is_wall).peekable();
        near.peek().is_some() && near.all(|wall| alive.contains(&wall.index(size)))
    });
    enclosed.map(|region| region.iter().map(|point| point.index(size)).collect()).collect()
}

/// Alive means exactly: cannot be captured by an opponent who moves alone. Territory is where that opponent cannot become alive.
#[test]
fn equals_brute_force_on_tiny_boards() {
    for suicide in SUICIDES {
        let mut seen = Compared::default();
        for (width, height) in TINY {
            compare_with_brute_force(BoardSize::new(width, height).unwrap(), suicide, &mut seen);
        }
        println!("{suicide:?}: {seen:?}");
        assert!(seen.alive > 100 && seen.territory > 100, "{seen:?}");
        // Where suicide is forbidden, dead stones can keep a region from being filled: see the territory rule's documentation.
        assert!(suicide == Suicide::Forbidden || seen.missed == 0, "{seen:?}");
    }
}
