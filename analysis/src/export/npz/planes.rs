//! A position as bits, plane by plane.

use jigo_engine::{BoardSize, Color, Game, IllegalMove, Move, Point};

use super::row::last_moves;

/// Planes of a position; those that are not named here are empty.
pub(super) const PLANES: usize = 22;
const ON_BOARD: usize = 0;
const OWN: usize = 1;
const OPPONENT: usize = 2;
/// The planes of chains with one, two and three liberties.
const LIBERTIES: [usize; 3] = [3, 4, 5];
const FORBIDDEN: usize = 6;
/// The plane of the last move; the moves before it follow.
const LAST_MOVE: usize = 9;

/// Bytes of one plane.
pub(super) const fn plane_bytes(size: BoardSize) -> usize {
    size.point_count().div_ceil(8)
}

/// Bits by plane and row-major index, the first one the highest of a byte, each plane filled up to whole bytes.
struct Planes {
    size: BoardSize,
    bytes: Vec<u8>,
}

impl Planes {
    fn set(&mut self, plane: usize, point: Point) {
        let index = point.index(self.size);
        self.bytes[plane * plane_bytes(self.size) + index / 8] |= 0x80 >> (index % 8);
    }
}

/// The position of a game that came from these moves, as the player to move sees it.
pub(super) fn planes<const W: usize>(game: &Game<W>, before: &[Move]) -> Vec<u8> {
    let (board, to_play) = (game.board(), game.to_play());
    let size = board.size();
    let mut planes = Planes { size, bytes: vec![0; PLANES * plane_bytes(size)] };
    size.points().for_each(|point| planes.set(ON_BOARD, point));
    for color in Color::BOTH {
        let plane = if color == to_play { OWN } else { OPPONENT };
        board.stones(color).for_each(|point| planes.set(plane, point));
    }
    let stones: Vec<Option<Color>> = size.points().map(|point| board.stone(point)).collect();
    for chain in chains(&stones, size) {
        if let Some(&plane) = LIBERTIES.get(chain.liberties - 1) {
            chain.stones.iter().for_each(|&point| planes.set(plane, point));
        }
    }
    for point in board.empty_points() {
        if let Err(IllegalMove::Ko | IllegalMove::Superko { .. }) = game.check_point(point) {
            planes.set(FORBIDDEN, point);
        }
    }
    for (age, mv) in last_moves(before).enumerate() {
        if let Some(point) = mv.point() {
            planes.set(LAST_MOVE + age, point);
        }
    }
    planes.bytes
}

struct Chain {
    stones: Vec<Point>,
    liberties: usize,
}

/// All chains of a position, which have liberties.
fn chains(stones: &[Option<Color>], size: BoardSize) -> Vec<Chain> {
    let (mut chains, mut is_seen) = (Vec::new(), vec![false; stones.len()]);
    // The last chain beside which each empty point was counted.
    let mut counted_for = vec![usize::MAX; stones.len()];
    for start in size.points() {
        let index = start.index(size);
        if is_seen[index] || stones[index].is_none() {
            continue;
        }
        is_seen[index] = true;
        let (mut chain, mut liberties, mut done) = (vec![start], 0, 0);
        while let Some(&point) = chain.get(done) {
            done += 1;
            for next in neighbours(point, size) {
                let beside = next.index(size);
                if stones[beside].is_none() {
                    liberties += usize::from(counted_for[beside] != chains.len());
                    counted_for[beside] = chains.len();
                } else if stones[beside] == stones[index] && !is_seen[beside] {
                    is_seen[beside] = true;
                    chain.push(next);
                }
            }
        }
        chains.push(Chain { stones: chain, liberties });
    }
    chains
}

fn neighbours(point: Point, size: BoardSize) -> impl Iterator<Item = Point> {
    let Point { x, y } = point;
    let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    beside.into_iter().map(|(x, y)| Point::new(x, y)).filter(move |&point| size.contains(point))
}
