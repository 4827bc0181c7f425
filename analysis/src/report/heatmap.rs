//! Values on a drawn board.

use jigo_engine::{BoardSize, Point};

use super::chart::{Anchor, Caption, Svg};

/// What one point of the board shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heat {
    /// From −1 (the second colour) to 1 (the first); nothing for a point without a value.
    pub(crate) value: Option<f64>,
    /// One or two short lines for boards with room for text.
    pub(crate) lines: [String; 2],
    /// What appears when the point is pointed at.
    pub(crate) tip: String,
}

/// A board with a coloured square on every point.
pub(crate) struct HeatMap<'a> {
    pub(crate) caption: Caption<'a>,
    pub(crate) size: BoardSize,
    /// One for each point, in row-major order from the top left.
    pub(crate) heats: &'a [Heat],
    /// What the colours mean: at −1, at 0, at 1.
    pub(crate) scale: [&'a str; 3],
}

/// The width of the picture and the room for coordinates on each side.
const WIDTH: f64 = 520.0;
const EDGE: f64 = 24.0;
/// The most opaque square: text stays readable.
const STRONGEST: f64 = 0.75;
/// Half of the part of a cell that a square fills: the lines of the board show in between.
const SQUARE: f64 = 0.41;
/// The smallest cells with room for one line of text and for two.
const ONE_LINE: f64 = 32.0;
const TWO_LINES: f64 = 44.0;
/// No cell is larger, so that tiny boards do not fill the page.
const LARGEST_CELL: f64 = 64.0;

/// Where things are.
struct Layout {
    size: BoardSize,
    cell: f64,
    left: f64,
}

impl Layout {
    fn new(size: BoardSize) -> Self {
        let longest = size.width().max(size.height()) as f64;
        let cell = ((WIDTH - 2.0 * EDGE) / longest).min(LARGEST_CELL);
        Self { size, cell, left: (WIDTH - cell * size.width() as f64) / 2.0 }
    }

    /// The place of an intersection.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.left + self.cell * (x + 0.5), EDGE + self.cell * (y + 0.5))
    }

    fn bottom(&self) -> f64 {
        EDGE + self.cell * self.size.height() as f64
    }
}

impl HeatMap<'_> {
    pub(crate) fn draw(&self) -> String {
        let layout = Layout::new(self.size);
        let mut svg = Svg::new(self.caption, WIDTH, layout.bottom() + EDGE + 44.0);
        draw_board(&mut svg, &layout);
        for (point, heat) in self.size.points().zip(self.heats) {
            draw_heat(&mut svg, &layout, point, heat);
        }
        draw_stars(&mut svg, &layout);
        self.draw_scale(&mut svg, layout.bottom() + EDGE + 10.0);
        svg.finish()
    }

    /// A row of squares from one end of the colours to the other.
    fn draw_scale(&self, svg: &mut Svg, top: f64) {
        const STEPS: i32 = 10;
        const STEP: f64 = 16.0;
        let middle = WIDTH / 2.0;
        for step in -STEPS..=STEPS {
            let left = middle + STEP * (f64::from(step) - 0.5);
            let value = f64::from(step) / f64::from(STEPS);
            svg.shaded_rect(
                class(value),
                (left, top),
                (left + STEP, top + 10.0),
                STRONGEST * value.abs(),
                "",
            );
        }
        let ends = STEP * (f64::from(STEPS) + 0.5);
        let height = top + 26.0;
        svg.text("tick", (middle - ends, height), Anchor::Middle, self.scale[0]);
        svg.text("tick", (middle, height), Anchor::Middle, self.scale[1]);
        svg.text("tick", (middle + ends, height), Anchor::Middle, self.scale[2]);
    }
}

const fn class(value: f64) -> &'static str {
    if value < 0.0 { "heat second" } else { "heat first" }
}

fn draw_board(svg: &mut Svg, layout: &Layout) {
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

/// Star points as dots, or as frames where text stands on the points.
fn draw_stars(svg: &mut Svg, layout: &Layout) {
    for (x, y) in star_points(layout.size) {
        let (x, y) = (x as f64, y as f64);
        if layout.cell >= ONE_LINE {
            let corners = [layout.at(x - SQUARE, y - SQUARE), layout.at(x + SQUARE, y + SQUARE)];
            svg.rect("star-frame", corners[0], corners[1]);
        } else {
            svg.circle("star", layout.at(x, y), 2.5);
        }
    }
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

/// The columns and rows of the marked points.
fn star_points(size: BoardSize) -> Vec<(usize, usize)> {
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

fn draw_heat(svg: &mut Svg, layout: &Layout, point: Point, heat: &Heat) {
    let (x, y) = (f64::from(point.x), f64::from(point.y));
    let corners = [layout.at(x - SQUARE, y - SQUARE), layout.at(x + SQUARE, y + SQUARE)];
    // Opaque, so that no line runs through the text.
    svg.rect("heat base", corners[0], corners[1]);
    match heat.value {
        Some(value) => {
            let opacity = STRONGEST * value.abs().min(1.0);
            svg.shaded_rect(class(value), corners[0], corners[1], opacity, &heat.tip);
        }
        None => svg.shaded_rect("heat first", corners[0], corners[1], 0.0, &heat.tip),
    }
    let [first, second] = &heat.lines;
    let (x, y) = layout.at(x, y);
    if layout.cell >= TWO_LINES && !second.is_empty() {
        svg.sized_text("value", (x, y - 1.0), 13.0, first);
        svg.sized_text("count", (x, y + 13.0), 10.5, second);
    } else if layout.cell >= ONE_LINE {
        svg.sized_text("value", (x, y + 4.0), 11.5, first);
    }
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
