//! Parts of the board between stones that are never captured.
//!
//! What happens in one part depends on nothing else: a move elsewhere is a pass in it. A part is solved in a canonical form, the same for all
//! rotations and reflections and both colours, and always with the full limit, so that results do not depend on what was solved before.

use super::{
    Line, Question, UnconditionalLife,
    report::alternating,
    search::{
        goal::{Goal, GoalKind},
        local_board::{LocalBoard, Points, Stones},
        proof_number::ProofNumberSearch,
    },
    shape::{Rectangle, corners},
    zones::{Claim, Proved},
};
use crate::{Color, Point, Position, Suicide, bitboard::Bitboard};

/// The stones that separate parts, and what is open between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Borders<const W: usize> {
    /// Stones of Black and White that are never captured, as long as their owners answer where they must.
    pub(super) stones: [Bitboard<W>; 2],
    /// The points of all parts. No border has to be defended there.
    pub(super) open: Bitboard<W>,
}

impl<const W: usize> Borders<W> {
    /// Separates the board by the unconditionally alive stones.
    pub(super) fn unconditional(position: &Position<W>, lives: &[UnconditionalLife<W>; 2]) -> Self {
        let stones = lives.each_ref().map(|life| life.stones);
        let settled = stones[0] | stones[1] | lives[0].territory | lives[1].territory;
        Self { stones, open: position.geometry().on_board.without(settled) }
    }

    /// Adds the groups that are proved safe. They are defended on the points that their proofs use, so parts with such points are not open.
    pub(super) fn with_safe_groups(&self, position: &Position<W>, proved: &[Proved<W>]) -> Self {
        let mut stones = self.stones;
        let mut defended = Bitboard::EMPTY;
        for group in proved.iter().filter(|proved| proved.claim == Claim::Safe) {
            stones[group.zone.owner.index()] |= group.zone.stones();
            defended |= group.zone.area;
        }
        let parts = position.geometry().parts(self.open.without(stones[0] | stones[1]));
        let open = parts.filter(|part| !part.intersects(defended));
        Self { stones, open: open.fold(Bitboard::EMPTY, |all, part| all | part) }
    }

    /// Returns the parts as sets of points.
    pub(super) fn parts<'a>(
        &self,
        position: &'a Position<W>,
    ) -> impl Iterator<Item = Bitboard<W>> + use<'a, W> {
        position.geometry().parts(self.open)
    }

    /// Returns the part that contains a point.
    pub(super) fn part_at(&self, position: &Position<W>, point: Point) -> Option<Bitboard<W>> {
        let bit = position.geometry().bit(point);
        self.parts(position).find(|part| part.contains(bit))
    }

    /// Returns a part with its stones, its points in the order of the set's bits.
    pub(super) fn part(&self, position: &Position<W>, part: Bitboard<W>) -> Part {
        let geometry = position.geometry();
        let near = self.stones.map(|stones| geometry.adjacent(stones));
        let points = part.iter().map(|bit| {
            let point = geometry.point(bit);
            let beside_safe = near.map(|near| near.contains(bit));
            PartPoint { point, stone: position.stone(point), beside_safe }
        });
        Part { points: points.collect() }
    }
}

/// A part of the board.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) points: Vec<PartPoint>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PartPoint {
    point: Point,
    stone: Option<Color>,
    /// Whether it is beside border stones of Black and of White.
    beside_safe: [bool; 2],
}

/// The canonical form of a part: the width of the surrounding rectangle and a cell for each of its points in row-major order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct CanonicalPart {
    width: u8,
    cells: Box<[u8]>,
}

/// The cell of a point outside the part.
const OUTSIDE: u8 = 0;
/// The cell of an empty point of the part. A stone adds 1 or 2, a black border 3 and a white one 6.
const INSIDE: u8 = 1;

impl Part {
    /// Returns the canonical form, and for each point of the part its number in it.
    pub(super) fn canonical(&self) -> (CanonicalPart, Vec<usize>) {
        let [first, last] = corners(self.points.iter().map(|point| point.point));
        let (width, height) = (usize::from(last.x - first.x) + 1, usize::from(last.y - first.y) + 1);
        let mut places = Rectangle { width, cells: vec![None; width * height] };
        for (number, PartPoint { point, .. }) in self.points.iter().enumerate() {
            let place = usize::from(point.y - first.y) * width + usize::from(point.x - first.x);
            places.cells[place] = Some(number);
        }
        // Each form with the points of the part in its order. Of equal forms the first counts.
        let forms = (0..16).map(|turn| {
            let Rectangle { width, cells: order } = places.turned(turn & 7);
            let cell = |&place: &Option<usize>| {
                place.map_or(OUTSIDE, |number: usize| self.points[number].cell(turn & 8 != 0))
            };
            (CanonicalPart { width: width as u8, cells: order.iter().map(cell).collect() }, order)
        });
        let (form, order) = forms.min_by(|one, other| one.0.cmp(&other.0)).expect("sixteen forms");
        let mut numbers = vec![0; self.points.len()];
        for (number, point) in order.into_iter().flatten().enumerate() {
            numbers[point] = number;
        }
        (form, numbers)
    }

    /// Returns the line of play that answers a question about the chain on a point, if at most `limit` visits find the answer.
    pub(super) fn line(
        &self,
        point: Point,
        question: Question,
        first: Color,
        suicide: Suicide,
        limit: usize,
    ) -> Option<Line> {
        let (form, numbers) = self.canonical();
        let (board, stones) = form.local_board(suicide);
        let place = self.points.iter().position(|other| other.point == point)?;
        let (color, number) = (self.points[place].stone?, numbers[place]);
        // The form may exchange the colours.
        let is_swapped = stones[color.index()] >> number & 1 == 0;
        let in_form = |color: Color| if is_swapped { color.opponent() } else { color };
        let kind = match question {
            Question::Capture => GoalKind::Capture,
            Question::Life => GoalKind::Life,
        };
        let goal = Goal { kind, color: in_form(color), point: number };
        let search = ProofNumberSearch::new(&board, goal);
        let (moves, end, visits) = search.line(stones, in_form(first), limit, &|_, _| true)?;
        let moves = alternating(first, &moves, |number| {
            let place = numbers.iter().position(|&other| other == number).expect("a point of the part");
            self.points[place].point
        });
        Some(Line { moves, end, visits })
    }
}

impl PartPoint {
    fn cell(&self, swap: bool) -> u8 {
        let stone = self.stone.map_or(0, |color| 1 + (color.index() ^ usize::from(swap)) as u8);
        let [mut black, mut white] = self.beside_safe;
        if swap {
            (black, white) = (white, black);
        }
        INSIDE + stone + 3 * u8::from(black) + 6 * u8::from(white)
    }
}

impl CanonicalPart {
    pub(super) fn local_board(&self, suicide: Suicide) -> (LocalBoard, Stones) {
        let width = usize::from(self.width);
        let places: Vec<usize> =
            (0..self.cells.len()).filter(|&place| self.cells[place] != OUTSIDE).collect();
        let is_near = |one: usize, other: usize| {
            let distance = one.abs_diff(other);
            distance == width || distance == 1 && one / width == other / width
        };
        let near = |&place: &usize| -> Points {
            let near = (0..).zip(&places).filter(|&(_, &other)| is_near(place, other));
            near.fold(0, |near, (number, _): (usize, _)| near | 1 << number)
        };
        let (mut stones, mut beside_safe) = ([0; 2], [0; 2]);
        for (number, &place) in places.iter().enumerate() {
            let cell = self.cells[place] - INSIDE;
            if let Some(color) = usize::from(cell % 3).checked_sub(1) {
                stones[color] |= 1 << number;
            }
            for (color, beside) in beside_safe.iter_mut().enumerate() {
                *beside |= u64::from((cell / 3) >> color & 1) << number;
            }
        }
        let near: Vec<Points> = places.iter().map(near).collect();
        (LocalBoard::new(suicide, &near, beside_safe), stones)
    }
}
