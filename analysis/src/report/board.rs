//! Boards to draw on.

use jigo_engine::{BoardSize, Point};

use super::chart::{Anchor, Svg};

/// The width of the picture and the room for coordinates on each side.
pub(super) const WIDTH: f64 = 520.0;
pub(super) const EDGE: f64 = 24.0;
/// No cell is larger, so that tiny boards do not fill the page.
const LARGEST_CELL: f64 = 64.0;

/// Where things are.
pub(super) struct Layout {
    pub(super) size: BoardSize,
    /// The distance of lines.
    pub(super) cell: f64,
    left: f64,
}

impl Layout {
    pub(super) fn new(size: BoardSize) -> Self {
        let longest = size.width().max(size.height()) as f64;
        let cell = ((WIDTH - 2.0 * EDGE) / longest).min(LARGEST_CELL);
        Self { size, cell, left: (WIDTH - cell * size.width() as f64) / 2.0 }
    }

    /// The place of an intersection.
    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.left + self.cell * (x + 0.5), EDGE + self.cell * (y + 0.5))
    }

    pub(super) fn bottom(&self) -> f64 {
        EDGE + self.cell * self.size.height() as f64
    }

    /// The height of a picture of nothing but the board.
    pub(super) fn height(&self) -> f64 {
        self.bottom() + EDGE
    }
}

pub(super) fn draw_board(svg: &mut Svg, layout: &Layout) {
    let (size, half) = (layout.size, 0.5);
    let (right, bottom) = (size.width() as f64 - 1.0, size.height() as f64 - 1.0);
    svg.rect("board", layout.at(-half, -half), layout.at(right + half, bottom + half));
    for x in 0..size.width() {
        let x = x as f64;
        svg.line("board-line", layout.at(x, 0.0), layout.at(x, bottom));
    }
    for y in 0..size.height() {
        let y = y as f64;
        svg.line("board-line", layout.at(0.0, y), layout.at(right, y));
    }
    draw_coordinates(svg, layout);
}

fn draw_coordinates(svg: &mut Svg, layout: &Layout) {
    let size = layout.size;
    let name = |x: usize, y: usize| Point::new(x as u8, y as u8).to_gtp(size);
    for x in 0..size.width() {
        let (place, _) = layout.at(x as f64, 0.0);
        svg.text("coordinate", (place, layout.bottom() + 16.0), Anchor::Middle, &name(x, 0)[..1]);
    }
    for y in 0..size.height() {
        let (_, place) = layout.at(0.0, y as f64);
        svg.text("coordinate", (layout.left - 8.0, place + 4.0), Anchor::End, &name(0, y)[1..]);
    }
}

/// Star points as dots.
pub(super) fn draw_dots(svg: &mut Svg, layout: &Layout) {
    for (x, y) in star_points(layout.size) {
        svg.circle("star", layout.at(x as f64, y as f64), 2.5);
    }
}

/// The columns and rows of the marked points.
pub(super) fn star_points(size: BoardSize) -> Vec<(usize, usize)> {
    // Lines near the edges, and the middle line where there is one.
    let lines = |side: usize| -> (Vec<usize>, Option<usize>) {
        let edge = if side >= 12 { 3 } else { 2 };
        let near = if side >= 8 { vec![edge, side - 1 - edge] } else { Vec::new() };
        (near, (side % 2 == 1 && side >= 5).then_some(side / 2))
    };
    let (columns, middle_column) = lines(size.width());
    let (rows, middle_row) = lines(size.height());
    let corners = columns.iter().flat_map(|&x| rows.iter().map(move |&y| (x, y)));
    let center = middle_column.zip(middle_row);
    let mut stars: Vec<(usize, usize)> = corners.chain(center).collect();
    if size.width() >= 15 && size.height() >= 15 {
        stars.extend(middle_row.into_iter().flat_map(|y| columns.iter().map(move |&x| (x, y))));
        stars.extend(middle_column.into_iter().flat_map(|x| rows.iter().map(move |&y| (x, y))));
    }
    stars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_points_are_where_players_expect_them() {
        let stars = |width, height| {
            let mut stars = star_points(BoardSize::new(width, height).unwrap());
            stars.sort_unstable();
            stars
        };
        assert_eq!(stars(9, 9), [(2, 2), (2, 6), (4, 4), (6, 2), (6, 6)]);
        assert_eq!(stars(13, 13), [(3, 3), (3, 9), (6, 6), (9, 3), (9, 9)]);
        assert_eq!(stars(19, 19).len(), 9);
        assert_eq!(stars(5, 5), [(2, 2)]);
        assert_eq!(stars(1, 25), []);
    }
}
