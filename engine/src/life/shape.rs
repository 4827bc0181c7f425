//! Parts of the board that unconditional life leaves open, and their pictures.

use std::{fmt, str::FromStr};

use super::{ChainStatus, Proof};
use crate::{Point, Position};

/// A part of a board with what is beside it, the same for all mirror images, rotations and both colours.
///
/// The text has a row for each line of the board, joined by `/`. `X` and `O` are stones of the part and `.` its empty points; `x` and `o` are
/// unconditionally alive stones beside it, `#` is beyond the edge of the board, `-` is not shown. Of all turned, mirrored and recoloured texts it is
/// the one with the fewest rows, among these the first in the order of bytes.
///
/// ```
/// use jigo_engine::life::Shape;
/// let shape: Shape = "--##--/-#.X.o/-oXXOo/--ooo-".parse().unwrap();
/// assert_eq!((shape.point_count(), shape.width(), shape.height()), (6, 6, 4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(Box<str>);

/// Text that is no [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a part of a board: rows of equal length, made of X O . x o # - and joined by `/`, are")]
pub struct InvalidShape(String);

/// What stands for a place.
const NOT_SHOWN: u8 = b'-';
const BEYOND_EDGE: u8 = b'#';

impl Shape {
    /// The rows from the top.
    pub fn rows(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// Number of points of the part itself.
    #[must_use]
    pub fn point_count(&self) -> usize {
        self.0.bytes().filter(|sign| b"XO.".contains(sign)).count()
    }

    /// Places in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.rows().next().map_or(0, str::len)
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.rows().count()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Shape {
    type Err = InvalidShape;

    /// Takes any picture, canonical or not.
    fn from_str(text: &str) -> Result<Self, InvalidShape> {
        let shape = Self(text.into());
        let is_sign = |sign: u8| b"XO.xo#-/".contains(&sign);
        let width = shape.width();
        let is_even = shape.rows().all(|row| row.len() == width) && width > 0;
        if is_even && text.bytes().all(is_sign) { Ok(shape) } else { Err(InvalidShape(text.to_owned())) }
    }
}

impl<const W: usize> Position<W> {
    /// The connected parts that are left when all chains whose life or death [Benson's theorem](Proof::Benson) settles are taken away together
    /// with the empty points that such living chains surround; those without stones are left out. `chains` are all chains of the position.
    ///
    /// A part is bordered by unconditionally alive stones and the edge.
    #[must_use]
    pub fn open_parts(&self, chains: &[ChainStatus]) -> Vec<Vec<Point>> {
        let geometry = self.geometry();
        let open = chains.iter().filter(|chain| chain.proof != Proof::Benson);
        let open_stones = geometry.set_of(open.flat_map(|chain| &chain.stones));
        let open = self.empty() | open_stones;
        let parts = geometry.parts(open).filter(|part| part.intersects(open_stones));
        parts.map(|part| geometry.points_of(part).collect()).collect()
    }

    /// The picture of some points of the board with what is beside them.
    ///
    /// # Panics
    /// When there are none.
    #[must_use]
    pub fn shape(&self, points: &[Point]) -> Shape {
        let picture = self.picture(points);
        let texts = (0..8).flat_map(|turn| {
            let Rectangle { width, cells } = picture.turned(turn);
            let text = cells.chunks(width).collect::<Vec<_>>().join(&b'/');
            let recoloured = text.iter().map(|&sign| match sign {
                b'X' => b'O',
                b'O' => b'X',
                b'x' => b'o',
                b'o' => b'x',
                other => other,
            });
            [recoloured.collect(), text]
        });
        let height = |text: &Vec<u8>| text.iter().filter(|&&sign| sign == b'/').count();
        let least = texts.min_by(|one, other| height(one).cmp(&height(other)).then_with(|| one.cmp(other)));
        Shape(least.expect("sixteen pictures").into_iter().map(char::from).collect())
    }

    /// The signs of some points and of the points beside them.
    fn picture(&self, points: &[Point]) -> Rectangle<u8> {
        let size = self.size();
        let [first, last] = corners(points.iter().copied());
        // A margin around the points begins one to the left of the first and one above it.
        let (width, height) = (usize::from(last.x - first.x) + 3, usize::from(last.y - first.y) + 3);
        let mut picture = Rectangle { width, cells: vec![NOT_SHOWN; width * height] };
        let place = |x: i32, y: i32| {
            (y - i32::from(first.y) + 1) as usize * width + (x - i32::from(first.x) + 1) as usize
        };
        let sign = |x: i32, y: i32, signs: [u8; 3]| {
            let is_on_board = (0..size.width() as i32).contains(&x) && (0..size.height() as i32).contains(&y);
            if !is_on_board {
                return BEYOND_EDGE;
            }
            self.stone(Point::new(x as u8, y as u8)).map_or(signs[0], |color| signs[1 + color.index()])
        };
        let coordinates = || points.iter().map(|point| (i32::from(point.x), i32::from(point.y)));
        for (x, y) in coordinates() {
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                picture.cells[place(x, y)] = sign(x, y, [NOT_SHOWN, b'x', b'o']);
            }
        }
        for (x, y) in coordinates() {
            picture.cells[place(x, y)] = sign(x, y, *b".XO");
        }
        picture
    }
}

/// The top left and bottom right corners of the rectangle around some points. Panics when there are none.
pub(super) fn corners(points: impl Iterator<Item = Point> + Clone) -> [Point; 2] {
    let range = |of: fn(Point) -> u8| {
        let coordinates = points.clone().map(of);
        let (least, greatest) = (coordinates.clone().min(), coordinates.max());
        least.zip(greatest).expect("a part has points")
    };
    let ((left, right), (top, bottom)) = (range(|point| point.x), range(|point| point.y));
    [Point::new(left, top), Point::new(right, bottom)]
}

/// A rectangle of cells, row by row.
pub(super) struct Rectangle<T> {
    pub(super) width: usize,
    pub(super) cells: Vec<T>,
}

impl<T: Copy> Rectangle<T> {
    /// Returns one of the eight rotations and reflections, 0 being the rectangle itself. Bit 0 of `turn` transposes, then bit 1 reverses each
    /// row, then bit 2 the order of the rows.
    pub(super) fn turned(&self, turn: u8) -> Self {
        let (width, height) = (self.width, self.cells.len() / self.width);
        let (width, height) = if turn & 1 != 0 { (height, width) } else { (width, height) };
        let cell = |place: usize| {
            let (x, y) = (place % width, place / width);
            let x = if turn & 2 != 0 { width - 1 - x } else { x };
            let y = if turn & 4 != 0 { height - 1 - y } else { y };
            let (x, y) = if turn & 1 != 0 { (y, x) } else { (x, y) };
            self.cells[y * self.width + x]
        };
        Self { width, cells: (0..self.cells.len()).map(cell).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Color, Ko, Suicide, Symmetry, life::StatusSolver};

    const DIAGRAM: &str = "X X . O . O .
                           . X O O O O O
                           X X O . O . O
                           O O O O O O O
                           . O . O X X X
                           O O O X X . X
                           . O X X . X .";

    #[test]
    fn images_and_colours_have_one_shape() {
        let board: Board = Board::from_diagram(DIAGRAM, Suicide::Forbidden).unwrap();
        let (position, size) = (board.position(), board.size());
        let points: Vec<Point> = size.points().filter(|point| point.x < 3 && point.y < 3).collect();
        let expected = position.shape(&points);
        for symmetry in Symmetry::ALL {
            for swap in [false, true] {
                let mut image: Position = Position::new(size);
                for point in size.points() {
                    let stone = position.stone(point);
                    let stone = if swap { stone.map(Color::opponent) } else { stone };
                    image.set_stone(symmetry.apply(point, size), stone);
                }
                let points: Vec<Point> = points.iter().map(|&point| symmetry.apply(point, size)).collect();
                assert_eq!(image.shape(&points), expected);
            }
        }
        assert_eq!(expected.point_count(), 9);
        assert_eq!(expected.to_string().parse(), Ok(expected));
    }

    #[test]
    fn open_parts_are_what_benson_leaves() {
        let board: Board = Board::from_diagram(DIAGRAM, Suicide::Forbidden).unwrap();
        let position = board.position();
        let chains = StatusSolver::new(Suicide::Forbidden, Ko::Simple).chains(&position);
        let parts = position.open_parts(&chains);
        let shapes: Vec<String> = parts.iter().map(|part| position.shape(part).to_string()).collect();
        assert_eq!(shapes, ["-###-/#O.Ox/#OOOx/#.xx-/-x---"], "{position}");
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "/", "X/XX", "X?", "é"] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
    }
}
