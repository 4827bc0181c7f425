//! Drawn boards: empty ones, with a coloured square on every point, and parts of boards side by side.

use jigo_engine::{BoardSize, Point, Symmetry, life::Shape};

use super::chart::{Caption, Chart, Svg};

/// The width of the picture and the room for coordinates on each side.
pub(super) const WIDTH: f64 = 520.0;
const EDGE: f64 = 26.0;
/// The radius of a stone in distances of lines: neighbours almost touch.
pub(super) const STONE: f64 = 0.47;
/// The largest distance of lines, so that tiny boards do not fill the page.
const LARGEST_CELL: f64 = 64.0;

/// Where the points of a board lie in a picture.
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

    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.left + self.cell * (x + 0.5), EDGE + self.cell * (y + 0.5))
    }

    fn bottom(&self) -> f64 {
        EDGE + self.cell * self.size.height() as f64
    }

    /// The height of a picture of nothing but the board.
    pub(super) fn height(&self) -> f64 {
        self.bottom() + EDGE
    }
}

pub(super) fn draw_board(svg: &mut Svg, layout: &Layout) {
    let size = layout.size;
    let (right, bottom) = (size.width() as f64 - 1.0, size.height() as f64 - 1.0);
    let [(left, top), (end, foot)] = [layout.at(-0.5, -0.5), layout.at(right + 0.5, bottom + 0.5)];
    svg.rect("board", [(left - EDGE, top - EDGE), (end + EDGE, foot + EDGE)]);
    for x in 0..size.width() {
        let x = x as f64;
        svg.line("board-line", layout.at(x, 0.0), layout.at(x, bottom));
    }
    for y in 0..size.height() {
        let y = y as f64;
        svg.line("board-line", layout.at(0.0, y), layout.at(right, y));
    }
    let name = |x: usize, y: usize| Point::new(x as u8, y as u8).to_gtp(size);
    for x in 0..size.width() {
        let (place, _) = layout.at(x as f64, 0.0);
        for height in [EDGE - 6.0, layout.bottom() + 14.0] {
            svg.text("coordinate", (place, height), "middle", &name(x, 0)[..1]);
        }
    }
    for y in 0..size.height() {
        let (_, height) = layout.at(0.0, y as f64);
        for place in [left - 0.5 * EDGE, end + 0.5 * EDGE] {
            svg.text("coordinate", (place, height + 4.0), "middle", &name(0, y)[1..]);
        }
    }
}

/// Star points as dots.
pub(super) fn draw_dots(svg: &mut Svg, layout: &Layout) {
    for (x, y) in star_points(layout.size) {
        svg.circle("star", layout.at(x as f64, y as f64), 2.5);
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

/// Returns, for each point in row-major order, the mean of the counts of all points that are its images under the symmetries of the board: where they are
/// alike, it has less noise than the count of the point alone.
pub(super) fn folded(size: BoardSize, counts: &[u64]) -> Vec<f64> {
    let class = |point| Symmetry::representative(point, size).index(size);
    let mut sums = vec![(0, 0.0); counts.len()];
    for (point, count) in size.points().zip(counts) {
        let (sum, points) = &mut sums[class(point)];
        *sum += count;
        *points += 1.0;
    }
    size.points().map(|point| sums[class(point)]).map(|(sum, points)| sum as f64 / points).collect()
}

/// What one point of the board shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heat {
    /// From −1 (the second colour) to 1 (the first); nothing for a point without a value.
    pub(crate) value: Option<f64>,
    /// One or two short lines for boards with room for text.
    pub(crate) lines: [String; 2],
    /// The text that appears when the point is pointed at.
    pub(crate) tip: String,
}

/// The colours of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    /// Two colours that stand for less and more.
    LessMore,
    /// One colour that stands for more than nothing.
    Amount,
    /// Light for White, dark for Black.
    Players,
}

impl Palette {
    const fn class(self, value: f64) -> &'static str {
        match self {
            Self::LessMore if value < 0.0 => "heat second",
            Self::LessMore | Self::Amount => "heat first",
            Self::Players if value < 0.0 => "heat white",
            Self::Players => "heat black",
        }
    }
}

/// A board with a coloured square on every point.
pub(crate) struct HeatMap<'a> {
    pub(crate) size: BoardSize,
    pub(crate) palette: Palette,
    /// One for each point, in row-major order from the top left.
    pub(crate) heats: &'a [Heat],
    /// What the colours mean: at −1, which amounts do not have, at 0, at 1.
    pub(crate) scale: [&'a str; 3],
}

/// The most opaque square: text stays readable.
const STRONGEST: f64 = 0.75;
/// Half of the side of a square, in distances of lines: the lines of the board show in between.
const SQUARE: f64 = 0.41;
/// The smallest distances of lines with room for one line of text and for two.
const ONE_LINE: f64 = 32.0;
const TWO_LINES: f64 = 44.0;

impl Chart for HeatMap<'_> {
    fn draw(&self, caption: Caption<'_>) -> String {
        let layout = Layout::new(self.size);
        let mut svg = Svg::new(caption, WIDTH, layout.bottom() + EDGE + 44.0);
        draw_board(&mut svg, &layout);
        for (point, heat) in self.size.points().zip(self.heats) {
            self.draw_heat(&mut svg, &layout, point, heat);
        }
        // Star points as dots, or as frames where text stands on the points.
        if layout.cell < ONE_LINE {
            draw_dots(&mut svg, &layout);
        } else {
            for (x, y) in star_points(self.size) {
                svg.rect("star-frame", square(&layout, x as f64, y as f64));
            }
        }
        self.draw_scale(&mut svg, layout.bottom() + EDGE + 10.0);
        svg.finish()
    }
}

impl HeatMap<'_> {
    /// Draws a row of squares from one end of the colours to the other, with what they mean.
    fn draw_scale(&self, svg: &mut Svg, top: f64) {
        const STEPS: i32 = 10;
        const STEP: f64 = 16.0;
        let first = if self.palette == Palette::Amount { 0 } else { -STEPS };
        let middle = (WIDTH - STEP * f64::from(STEPS + first)) / 2.0;
        for step in first..=STEPS {
            let left = middle + STEP * (f64::from(step) - 0.5);
            let value = f64::from(step) / f64::from(STEPS);
            let corners = [(left, top), (left + STEP, top + 10.0)];
            svg.rect("heat base", corners);
            svg.shaded_rect(self.palette.class(value), corners, STRONGEST * value.abs(), "");
        }
        let end = STEP * (f64::from(STEPS) + 0.5);
        let places = [-end, 0.0, end].into_iter().zip(self.scale);
        for (place, word) in places.skip(usize::from(first == 0)) {
            svg.text("tick", (middle + place, top + 26.0), "middle", word);
        }
    }

    fn draw_heat(&self, svg: &mut Svg, layout: &Layout, point: Point, heat: &Heat) {
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        let corners = square(layout, x, y);
        // Opaque, so that no line runs through the text.
        svg.rect("heat base", corners);
        let value = heat.value.unwrap_or(0.0);
        svg.shaded_rect(self.palette.class(value), corners, STRONGEST * value.abs().min(1.0), &heat.tip);
        let [first, second] = &heat.lines;
        let (x, y) = layout.at(x, y);
        let is_dark = self.palette == Palette::Players && value > 0.5;
        let [value, count] = if is_dark { ["value on-black", "count on-black"] } else { ["value", "count"] };
        if layout.cell >= TWO_LINES && !second.is_empty() {
            svg.sized_text(value, (x, y - 1.0), 13.0, first);
            svg.sized_text(count, (x, y + 13.0), 10.5, second);
        } else if layout.cell >= ONE_LINE {
            svg.sized_text(value, (x, y + 4.0), 11.5, first);
        }
    }
}

/// The corners of the square on a point.
fn square(layout: &Layout, x: f64, y: f64) -> [(f64, f64); 2] {
    [layout.at(x - SQUARE, y - SQUARE), layout.at(x + SQUARE, y + SQUARE)]
}

/// Parts of boards side by side, in as many rows as they need, each with a line of text below it.
pub(crate) struct Gallery {
    pub(crate) exhibits: Vec<(Shape, String)>,
}

/// The distance of lines on the boards of a gallery, and what is free between pictures.
const CELL: f64 = 18.0;
const GAP: f64 = 14.0;
/// Room for the text below a picture.
const LABEL: f64 = 22.0;
/// The narrowest picture with room for its text.
const NARROWEST: f64 = 112.0;

impl Chart for Gallery {
    /// For those who do not see it, the shapes follow the description.
    fn draw(&self, caption: Caption<'_>) -> String {
        let (places, height) = self.places();
        let mut description = caption.description.to_owned();
        for (shape, label) in &self.exhibits {
            description += &format!(" {label}: rows {shape}.");
        }
        let mut svg = Svg::new(Caption { description: &description, ..caption }, WIDTH, height);
        for ((shape, label), (left, top)) in self.exhibits.iter().zip(places) {
            draw_shape(&mut svg, shape, (left, top));
            let place = (left + shape_width(shape) / 2.0, top + CELL * shape.height() as f64 + 14.0);
            svg.text("label", place, "middle", label);
        }
        svg.finish()
    }
}

impl Gallery {
    /// The top left corner of each picture, and the height of all.
    fn places(&self) -> (Vec<(f64, f64)>, f64) {
        let (mut left, mut top, mut tallest) = (0.0, 0.0, 0.0_f64);
        let mut places = Vec::new();
        for (shape, _) in &self.exhibits {
            if left > 0.0 && left + shape_width(shape) > WIDTH {
                (left, top, tallest) = (0.0, top + tallest + LABEL + GAP, 0.0);
            }
            places.push((left, top));
            left += shape_width(shape) + GAP;
            tallest = tallest.max(CELL * shape.height() as f64);
        }
        (places, top + tallest + LABEL)
    }
}

fn shape_width(shape: &Shape) -> f64 {
    (CELL * shape.width() as f64).max(NARROWEST)
}

/// How far the board reaches beyond the lines at its edge, more than where the picture ends and the board goes on.
const RIM: f64 = 0.9 * CELL;

fn draw_shape(svg: &mut Svg, shape: &Shape, (left, top): (f64, f64)) {
    let rows: Vec<&[u8]> = shape.rows().map(str::as_bytes).collect();
    let left = left + (shape_width(shape) - CELL * shape.width() as f64) / 2.0;
    let at = |x: usize, y: usize| (left + CELL * (x as f64 + 0.5), top + CELL * (y as f64 + 0.5));
    let sign = |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)).copied();
    let is_board = |x, y| sign(x, y).is_some_and(|sign| !b"#-".contains(&sign));
    // The border of a picture is beyond the edge if any place of it is.
    let beyond_column = |x| rows.iter().any(|row| row.get(x) == Some(&b'#'));
    let beyond_row = |y: usize| rows.get(y).is_some_and(|row| row.contains(&b'#'));
    let (last_column, last_row) = (shape.width() - 1, shape.height() - 1);
    let is_edge = |x: usize, y: usize| {
        sign(x, y) == Some(b'#')
            || [0, last_column].contains(&x) && beyond_column(x)
            || [0, last_row].contains(&y) && beyond_row(y)
    };
    let places = || (0..rows.len()).flat_map(|y| (0..rows[y].len()).map(move |x| (x, y)));
    let half = CELL / 2.0;
    // Left, right, above and below; the numbers beyond the picture's first row and column are no places.
    let around =
        |(x, y): (usize, usize)| [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    let on_board = || places().filter(|&(x, y)| is_board(x, y));
    for place in on_board() {
        let (middle, row) = at(place.0, place.1);
        let [left, right, above, below] = around(place).map(|(x, y)| if is_edge(x, y) { RIM } else { half });
        svg.rect("board", [(middle - left, row - above), (middle + right, row + below)]);
    }
    for place in on_board() {
        let (middle, row) = at(place.0, place.1);
        let [left, right, above, below] = around(place).map(|(x, y)| if is_edge(x, y) { 0.0 } else { half });
        svg.line("board-line", (middle - left, row), (middle + right, row));
        svg.line("board-line", (middle, row - above), (middle, row + below));
    }
    for (x, y) in places() {
        let class = match rows[y][x] {
            b'X' => "stone black",
            b'O' => "stone white",
            b'x' => "stone black outer",
            b'o' => "stone white outer",
            _ => continue,
        };
        svg.circle(class, at(x, y), STONE * CELL);
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

    #[test]
    fn every_stone_is_drawn_inside_the_picture() {
        let exhibit = |text: &str| (text.parse::<Shape>().unwrap(), "1".to_owned());
        let texts = ["--##--/-#.X.o/-oXXOo/--ooo-", "-xxxx-/xO.O.x/-####-", "-x-/xOx/-#-"];
        let exhibits: Vec<_> = texts.iter().cycle().take(9).map(|text| exhibit(text)).collect();
        let caption = Caption { id: "g", title: "t", description: "d" };
        let gallery = Gallery { exhibits: exhibits.clone() };
        let svg = gallery.draw(caption);
        let stones = texts.concat().bytes().filter(|sign| b"XOxo".contains(sign)).count();
        assert_eq!(svg.matches("<circle").count(), 3 * stones);
        let (places, height) = gallery.places();
        for ((left, top), (shape, _)) in places.into_iter().zip(&exhibits) {
            assert!(left + shape_width(shape) <= WIDTH);
            assert!(top + CELL * shape.height() as f64 + LABEL <= height);
        }
    }
}
