//! Eye values against the definitions: all positions to which moves in the spaces lead, by moves of the naive reference.

#[path = "../../../tests/definitions/mod.rs"]
mod definitions;

use definitions::ReferenceStatus;

use super::{
    eyes::{EyeSpace, EyeSum, EyeTable, EyeValue},
    local_board::{LocalBoard, Points, Stones, WordBoard},
};
use crate::{BoardSize, Color, Ko, Point, Suicide, life::Status, reference::Colouring, zobrist::mix64};

/// Columns of the board.
const WIDTH: usize = 8;
/// Rows of the board.
const HEIGHT: usize = 6;
/// Columns with spaces. The others are left to the wall around them, and to White's stones and eyes.
const OPEN: usize = 4;
/// Points of all spaces, at most.
const MAX_POINTS: u64 = 7;
/// More positions than moves on so many points lead to.
const MANY: usize = 10_000;

/// One or two closed spaces around which there is a single chain of Black's; White stands everywhere else.
struct Walled {
    spaces: Vec<Points>,
    stones: Stones,
}

/// Random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = mix64(self.0);
        (self.0 >> 8) % bound
    }

    fn point(&mut self, set: Points) -> Option<usize> {
        let chosen = self.below(u64::from(set.count_ones()).max(1));
        LocalBoard::points(set).nth(chosen as usize)
    }
}

fn points_of(set: Points) -> impl Iterator<Item = Point> {
    LocalBoard::points(set).map(|point| Point::new((point % WIDTH) as u8, (point / WIDTH) as u8))
}

/// The whole board as a local game.
fn whole_board(suicide: Suicide) -> LocalBoard {
    let all = (1 << (WIDTH * HEIGHT)) - 1;
    let is_near = |a: Point, b: Point| a.x.abs_diff(b.x) + a.y.abs_diff(b.y) == 1;
    let near = |point| {
        let near = points_of(all).zip(0..).filter(|&(other, _)| is_near(point, other));
        near.fold(0, |near, (_, number)| near | 1 << number)
    };
    let near: Vec<Points> = points_of(all).map(near).collect();
    LocalBoard::new(suicide, &near, [0; 2])
}

/// One or two spaces apart from each other.
fn spaces(board: &LocalBoard, random: &mut Random) -> Option<Vec<Points>> {
    let first = 1 + random.below(MAX_POINTS);
    let second = random.below(2) * random.below(MAX_POINTS - first + 1);
    let open = LocalBoard::points(board.all).filter(|point| point % WIDTH < OPEN);
    let mut open = open.fold(0, |all, point| all | 1 << point);
    let mut space = |size| {
        let mut space: Points = 1 << random.point(open)?;
        while u64::from(space.count_ones()) < size {
            space |= 1 << random.point(board.adjacent(space) & open & !space)?;
        }
        open &= !space & !board.adjacent(space);
        Some(space)
    };
    [first, second].into_iter().filter(|&size| size > 0).map(&mut space).collect()
}

impl Walled {
    /// Spaces with some white stones inside; `None` where there is no room, the wall falls apart or a chain has no liberty.
    fn random(board: &LocalBoard, seed: u64) -> Option<Self> {
        let mut random = Random(seed);
        let spaces = spaces(board, &mut random)?;
        let inside = spaces.iter().fold(0, |all, space| all | space);
        let beside = board.adjacent(inside);
        let wall = (beside | board.adjacent(beside)) & !inside;
        let filled = random.below(u64::from(inside.count_ones()));
        let mut captives: Points = 0;
        while u64::from(captives.count_ones()) < filled {
            captives |= 1 << random.point(inside & !captives)?;
        }
        let eyes = 1 << (WIDTH - 1) | 1 << (WIDTH * HEIGHT - 1);
        let stones = [wall, board.all & !wall & !inside & !eyes | captives];
        let empty = board.empty(stones);
        let has_liberty = |chain| board.adjacent(chain) & empty != 0;
        let is_legal = stones.iter().all(|&stones| board.parts(stones).all(has_liberty));
        (is_legal && board.parts(wall).count() == 1).then_some(Self { spaces, stones })
    }

    /// What the spaces are worth.
    fn value(&self, board: &LocalBoard) -> EyeValue {
        let [wall, others] = self.stones;
        let near = board.adjacent(wall);
        let mut sum = EyeSum::default();
        for &points in &self.spaces {
            let space = EyeSpace { points, others: others & points, near: near & points };
            sum.add(board.eye_value(space, &mut EyeTable::default()));
        }
        sum.value()
    }

    /// The status of the wall, and whether it is saved if Black moves first.
    fn truth(&self, suicide: Suicide) -> (Status, bool) {
        let (size, ko) = (BoardSize::new(WIDTH, HEIGHT).unwrap(), Ko::PositionalSuperko);
        let stone =
            |point: usize| Color::BOTH.into_iter().find(|color| self.stones[color.index()] >> point & 1 != 0);
        let start: Colouring = (0..WIDTH * HEIGHT).map(stone).collect();
        let inside: Vec<Point> = self.spaces.iter().flat_map(|&space| points_of(space)).collect();
        let truth = ReferenceStatus::new(size, suicide, start, &inside, MANY).expect("spaces are small");
        let wall = points_of(self.stones[0]).next().expect("there is a wall");
        let saved = truth.saved(wall, Color::Black, ko);
        (truth.status(wall, ko), saved[0][Color::Black.index()])
    }

    fn diagram(&self) -> String {
        let sign = |point: usize| match self.stones.map(|stones| stones >> point & 1) {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => '.',
        };
        let row = |y: usize| (0..WIDTH).map(|x| sign(y * WIDTH + x)).collect();
        (0..HEIGHT).map(row).collect::<Vec<String>>().join("\n")
    }
}

/// Worth two eyes if White moves first: alive, and no seki. If Black does: he saves his stones, and not by seki.
#[test]
fn two_eyes_are_life() {
    for suicide in [Suicide::Forbidden, Suicide::Allowed] {
        let board = whole_board(suicide);
        let [mut alive, mut saved] = [0; 2];
        for walled in (0..).filter_map(|seed| Walled::random(&board, seed)).take(300) {
            let value = walled.value(&board);
            if value.first < 2 {
                continue;
            }
            let (status, is_saved) = walled.truth(suicide);
            let is_so = match value.second {
                2 => status == Status::Alive,
                _ => is_saved && status != Status::Seki,
            };
            assert!(is_so, "{value:?} {suicide:?}: {status}\n{}", walled.diagram());
            *(if value.second == 2 { &mut alive } else { &mut saved }) += 1;
        }
        println!("{suicide:?}: {alive} alive, {saved} saved");
        assert!(alive > 50 && saved > 50);
    }
}
