//! Values on a drawn board.

use jigo_engine::{BoardSize, Point};

use super::{
    board::{EDGE, Layout, WIDTH, draw_board, draw_dots, star_points},
    chart::{Anchor, Caption, Svg},
};

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

/// The most opaque square: text stays readable.
const STRONGEST: f64 = 0.75;
/// Half of the part of a cell that a square fills: the lines of the board show in between.
const SQUARE: f64 = 0.41;
/// The smallest cells with room for one line of text and for two.
const ONE_LINE: f64 = 32.0;
const TWO_LINES: f64 = 44.0;

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

/// Star points as dots, or as frames where text stands on the points.
fn draw_stars(svg: &mut Svg, layout: &Layout) {
    if layout.cell < ONE_LINE {
        return draw_dots(svg, layout);
    }
    for (x, y) in star_points(layout.size) {
        let (x, y) = (x as f64, y as f64);
        let corners = [layout.at(x - SQUARE, y - SQUARE), layout.at(x + SQUARE, y + SQUARE)];
        svg.rect("star-frame", corners[0], corners[1]);
    }
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
