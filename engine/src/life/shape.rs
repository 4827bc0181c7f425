//! Parts of the board that unconditional life leaves open, and their pictures.

use std::{fmt, str::FromStr};

use super::{ChainStatus, Proof};
use crate::{Point, Position, bitboard::Bitboard};

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
        let open_stones: Bitboard<W> = chains
            .iter()
            .filter(|chain| chain.proof != Proof::Benson)
            .flat_map(|chain| chain.stones.iter().map(|&stone| geometry.bit(stone)))
            .collect();
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
        let picture = Picture::new(self, points);
        (0..16)
            .map(|turn| picture.turned(turn))
            .min_by(|one, other| {
                let height = |text: &Vec<u8>| text.iter().filter(|&&sign| sign == b'/').count();
                height(one).cmp(&height(other)).then_with(|| one.cmp(other))
            })
            .map(|text| Shape(text.into_iter().map(char::from).collect()))
            .expect("sixteen pictures")
    }
}

/// A rectangle of places around some points.
struct Picture {
    width: usize,
    height: usize,
    places: Vec<u8>,
}

impl Picture {
    fn new<const W: usize>(position: &Position<W>, points: &[Point]) -> Self {
        let size = position.size();
        let (x, y) = (|point: &Point| i32::from(point.x), |point: &Point| i32::from(point.y));
        let range = |of: fn(&Point) -> i32| {
            let least = points.iter().map(of).min().expect("a part has points");
            (least - 1, points.iter().map(of).max().expect("a part has points") + 1)
        };
        let ((left, right), (top, bottom)) = (range(x), range(y));
        let width = (right - left + 1) as usize;
        let mut picture = Self { width, height: (bottom - top + 1) as usize, places: Vec::new() };
        picture.places = vec![NOT_SHOWN; width * picture.height];
        let place = |x: i32, y: i32| (y - top) as usize * width + (x - left) as usize;
        let sign = |x: i32, y: i32, signs: [u8; 3]| {
            let is_on_board = (0..size.width() as i32).contains(&x) && (0..size.height() as i32).contains(&y);
            if !is_on_board {
                return BEYOND_EDGE;
            }
            position.stone(Point::new(x as u8, y as u8)).map_or(signs[0], |color| signs[1 + color.index()])
        };
        for point in points {
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let (x, y) = (x(point) + dx, y(point) + dy);
                picture.places[place(x, y)] = sign(x, y, [NOT_SHOWN, b'x', b'o']);
            }
        }
        for point in points {
            picture.places[place(x(point), y(point))] = sign(x(point), y(point), *b".XO");
        }
        picture
    }

    /// One of the eight turns and reflections, in these colours or the others.
    fn turned(&self, turn: u8) -> Vec<u8> {
        let (width, height) =
            if turn & 1 != 0 { (self.height, self.width) } else { (self.width, self.height) };
        let sign = |sign: u8| match sign {
            b'X' if turn & 8 != 0 => b'O',
            b'O' if turn & 8 != 0 => b'X',
            b'x' if turn & 8 != 0 => b'o',
            b'o' if turn & 8 != 0 => b'x',
            other => other,
        };
        let mut text = Vec::with_capacity((width + 1) * height);
        for row in 0..height {
            if row > 0 {
                text.push(b'/');
            }
            let row = if turn & 4 != 0 { height - 1 - row } else { row };
            text.extend((0..width).map(|column| {
                let column = if turn & 2 != 0 { width - 1 - column } else { column };
                let (x, y) = if turn & 1 != 0 { (row, column) } else { (column, row) };
                sign(self.places[y * self.width + x])
            }));
        }
        text
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
