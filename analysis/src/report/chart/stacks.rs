//! Parts of a whole, one whole below the other.

use super::{
    Caption, Linear, Scale,
    rows::{RIGHT, Rows, left},
};

/// A whole of three parts, in per cent.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    pub(crate) label: String,
    pub(crate) parts: [f64; 3],
}

/// Wholes as bars from 0 to 100 %, with a line at one half.
pub(crate) struct Stacks<'a> {
    pub(crate) caption: Caption<'a>,
    pub(crate) x_label: &'a str,
    /// What the parts are.
    pub(crate) parts: [&'a str; 3],
    pub(crate) stacks: &'a [Stack],
}

const CLASSES: [&str; 3] = ["first", "fourth", "second"];

impl Stacks<'_> {
    pub(crate) fn draw(&self) -> String {
        /// Half of a bar's height.
        const HALF: f64 = 8.0;
        let left = left(self.stacks.iter().map(|stack| stack.label.as_str()));
        let scale = Linear::new((0.0, 100.0), (left, RIGHT), 5);
        let mut rows = Rows::new(self.caption, self.x_label, left, self.stacks.len(), &scale);
        let legend: Vec<(&str, &str)> = CLASSES.into_iter().zip(self.parts).collect();
        rows.legend(&legend);
        for (row, stack) in self.stacks.iter().enumerate() {
            let height = rows.label(row, &stack.label);
            let mut base = 0.0;
            for (class, part) in CLASSES.into_iter().zip(stack.parts).filter(|(_, part)| *part > 0.0) {
                let ends = [base, base + part].map(|value| scale.at(value));
                rows.svg.rect(&format!("fill {class}"), (ends[0], height - HALF), (ends[1], height + HALF));
                base += part;
            }
        }
        rows.level(scale.at(50.0), self.stacks.len());
        rows.svg.finish()
    }
}
