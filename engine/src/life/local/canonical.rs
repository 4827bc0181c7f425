//! Parts of the board in a form that is the same for all mirror images, rotations and both colours.

use super::{Points, Stones, Terrain};
use crate::{Color, Suicide};

/// Points of a local game in this form, at most.
pub(crate) const MAX_POINTS: usize = 64;

/// A point of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartPoint {
    pub(crate) x: u8,
    pub(crate) y: u8,
    pub(crate) stone: Option<Color>,
    /// Whether it is beside unconditionally alive stones of Black and White.
    pub(crate) beside: [bool; 2],
}

/// A part of the board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) points: Vec<PartPoint>,
}

/// The canonical form: width, height, and a cell for each point of the surrounding rectangle in row-major order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Canonical {
    width: u8,
    cells: Box<[u8]>,
}

/// The cell of a point that does not belong to the part.
const OUTSIDE: u8 = 0;
/// The cell of a point that does; plus the stone, plus what is beside it.
const INSIDE: u8 = 1;

impl Part {
    /// Points that a part may have to be judged.
    pub(crate) const MAX_POINTS: usize = MAX_POINTS;

    /// The least of the forms, and for each point of the part its number there.
    pub(super) fn canonical(&self) -> (Canonical, Vec<usize>) {
        let least = |values: &mut dyn Iterator<Item = u8>| values.min().unwrap_or(0);
        let left = least(&mut self.points.iter().map(|point| point.x));
        let top = least(&mut self.points.iter().map(|point| point.y));
        let size = |last: Option<u8>, first| last.map_or(0, |last| last - first + 1);
        let width = size(self.points.iter().map(|point| point.x).max(), left);
        let height = size(self.points.iter().map(|point| point.y).max(), top);
        let forms = (0..16_u8).map(|turn| {
            let (form_width, form_height) = if turn & 1 != 0 { (height, width) } else { (width, height) };
            let place = |point: &PartPoint| {
                let (x, y) = (point.x - left, point.y - top);
                let (x, y) = if turn & 1 != 0 { (y, x) } else { (x, y) };
                let x = if turn & 2 != 0 { form_width - 1 - x } else { x };
                let y = if turn & 4 != 0 { form_height - 1 - y } else { y };
                usize::from(y) * usize::from(form_width) + usize::from(x)
            };
            let swap = turn & 8 != 0;
            let mut cells = vec![OUTSIDE; usize::from(form_width) * usize::from(form_height)];
            for point in &self.points {
                cells[place(point)] = cell(point, swap);
            }
            (
                Canonical { width: form_width, cells: cells.into() },
                turn,
                self.points.iter().map(place).collect::<Vec<_>>(),
            )
        });
        let (form, _, places) =
            forms.min_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1))).expect("sixteen forms");
        // From places in the rectangle to numbers of points.
        let mut numbers = vec![0; form.cells.len()];
        let mut next = 0;
        for (number, &cell) in numbers.iter_mut().zip(&form.cells) {
            *number = next;
            next += usize::from(cell != OUTSIDE);
        }
        (form, places.into_iter().map(|place| numbers[place]).collect())
    }
}

fn cell(point: &PartPoint, swap: bool) -> u8 {
    let stone = match point.stone {
        None => 0,
        Some(color) => 1 + (color.index() ^ usize::from(swap)) as u8,
    };
    let [mut black, mut white] = point.beside;
    if swap {
        (black, white) = (white, black);
    }
    INSIDE + stone + 3 * u8::from(black) + 6 * u8::from(white)
}

impl Canonical {
    /// The local game.
    pub(super) fn game(&self, suicide: Suicide) -> (Terrain, Stones) {
        let width = usize::from(self.width);
        let places: Vec<usize> =
            (0..self.cells.len()).filter(|&place| self.cells[place] != OUTSIDE).collect();
        let number = |place: usize| places.binary_search(&place).ok();
        let near = |&place: &usize| -> Points {
            let (column, row) = (place % width, place / width);
            let beside = [
                (column > 0).then(|| place - 1),
                (column + 1 < width).then_some(place + 1),
                (row > 0).then(|| place - width),
                Some(place + width),
            ];
            beside.into_iter().flatten().filter_map(number).fold(0, |near, number| near | 1 << number)
        };
        let (mut stones, mut beside) = ([0; 2], [0; 2]);
        for (number, &place) in places.iter().enumerate() {
            let cell = self.cells[place] - INSIDE;
            if let Some(color) = usize::from(cell % 3).checked_sub(1) {
                stones[color] |= 1 << number;
            }
            for (color, beside) in beside.iter_mut().enumerate() {
                *beside |= u64::from((cell / 3) >> color & 1) << number;
            }
        }
        let all = if places.len() == 64 { Points::MAX } else { (1 << places.len()) - 1 };
        (Terrain { suicide, all, near: places.iter().map(near).collect(), beside }, stones)
    }
}
