//! Pictures of parts of boards.

use jigo_engine::life::Shape;

use super::chart::{Anchor, Caption, Svg};

/// A part of a board with a line of text below it.
pub(crate) struct Exhibit {
    pub(crate) shape: Shape,
    pub(crate) label: String,
}

/// Pictures side by side, in as many rows as they need.
pub(crate) struct Gallery<'a> {
    pub(crate) caption: Caption<'a>,
    pub(crate) exhibits: &'a [Exhibit],
}

/// The width of the whole, the distance of lines on the boards, and what is free between pictures.
const WIDTH: f64 = 520.0;
const CELL: f64 = 18.0;
const GAP: f64 = 14.0;
/// Room for the text below a picture.
const LABEL: f64 = 22.0;
/// The narrowest picture with room for its text.
const NARROWEST: f64 = 112.0;

impl Gallery<'_> {
    pub(crate) fn draw(&self) -> String {
        let (places, height) = self.places();
        let mut svg = Svg::new(self.caption, WIDTH, height);
        for (exhibit, (left, top)) in self.exhibits.iter().zip(places) {
            draw_shape(&mut svg, &exhibit.shape, (left, top));
            let middle = left + width(&exhibit.shape) / 2.0;
            let bottom = top + CELL * exhibit.shape.height() as f64;
            svg.text("coordinate", (middle, bottom + 14.0), Anchor::Middle, &exhibit.label);
        }
        svg.finish()
    }

    /// The top left corner of each picture, and the height of all.
    fn places(&self) -> (Vec<(f64, f64)>, f64) {
        let (mut left, mut top, mut tallest) = (0.0, 0.0, 0.0_f64);
        let mut places = Vec::new();
        for Exhibit { shape, .. } in self.exhibits {
            if left > 0.0 && left + width(shape) > WIDTH {
                (left, top, tallest) = (0.0, top + tallest + LABEL + GAP, 0.0);
            }
            places.push((left, top));
            left += width(shape) + GAP;
            tallest = tallest.max(CELL * shape.height() as f64);
        }
        (places, top + tallest + LABEL)
    }
}

/// The room of a picture from left to right.
fn width(shape: &Shape) -> f64 {
    (CELL * shape.width() as f64).max(NARROWEST)
}

fn draw_shape(svg: &mut Svg, shape: &Shape, (left, top): (f64, f64)) {
    let rows: Vec<&[u8]> = shape.rows().map(str::as_bytes).collect();
    let left = left + (width(shape) - CELL * shape.width() as f64) / 2.0;
    let at = |x: usize, y: usize| (left + CELL * (x as f64 + 0.5), top + CELL * (y as f64 + 0.5));
    let places = || (0..rows.len()).flat_map(|y| (0..rows[y].len()).map(move |x| (x, y)));
    let half = CELL / 2.0;
    for (x, y) in places().filter(|&(x, y)| !b"#-".contains(&rows[y][x])) {
        let (middle, row) = at(x, y);
        svg.rect("board", (middle - half, row - half), (middle + half, row + half));
    }
    let is_part = |(x, y): (usize, usize)| b"XO.".contains(&rows[y][x]);
    let is_board =
        |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)).is_some_and(|sign| !b"#-".contains(sign));
    for (x, y) in places().filter(|&place| is_part(place)) {
        for (other_x, other_y) in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
            // Lines between two points of the part are drawn from the first one only.
            if is_board(other_x, other_y) && ((other_y, other_x) > (y, x) || !is_part((other_x, other_y))) {
                svg.line("board-line", at(x, y), at(other_x, other_y));
            }
        }
    }
    for (x, y) in places() {
        let class = match rows[y][x] {
            b'X' => "stone black",
            b'O' => "stone white",
            b'x' => "stone black outer",
            b'o' => "stone white outer",
            _ => continue,
        };
        svg.circle(class, at(x, y), 0.44 * CELL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stone_is_drawn_inside_the_picture() {
        let exhibit = |text: &str| Exhibit { shape: text.parse().unwrap(), label: "1".to_owned() };
        let texts = ["--##--/-#.X.o/-oXXOo/--ooo-", "-xxxx-/xO.O.x/-####-", "-x-/xOx/-#-"];
        let exhibits: Vec<Exhibit> = texts.iter().cycle().take(9).map(|text| exhibit(text)).collect();
        let caption = Caption { id: "g", title: "t", description: "d" };
        let gallery = Gallery { caption, exhibits: &exhibits };
        let svg = gallery.draw();
        let stones = texts.concat().bytes().filter(|sign| b"XOxo".contains(sign)).count();
        assert_eq!(svg.matches("<circle").count(), 3 * stones);
        let (places, height) = gallery.places();
        for ((left, top), exhibit) in places.into_iter().zip(&exhibits) {
            assert!(left + width(&exhibit.shape) <= WIDTH);
            assert!(top + CELL * exhibit.shape.height() as f64 + LABEL <= height);
        }
    }
}
