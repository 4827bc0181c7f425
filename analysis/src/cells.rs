//! Text from outside in the cells of CSV files.
//!
//! Spreadsheets take a cell that begins with `=`, `+`, `-` or `@` for a formula, also after a tab or a carriage return, and a formula in a file
//! from a stranger may read other cells or start programs. Such text gets an apostrophe in front, by which spreadsheets know text.
//!
//! # Source
//! OWASP, *CSV Injection*.

use std::borrow::Cow;

/// How text from outside is written: names, rules and komi of records, names of files, and what is wrong with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    /// With an apostrophe before what a spreadsheet would take for a formula, and before an apostrophe, so that one apostrophe can be taken off
    /// again. Numbers stay as they are.
    #[default]
    Marked,
    /// As it is.
    Raw,
}

impl Cells {
    /// Returns the cell for a text.
    #[must_use]
    pub fn cell(self, text: &str) -> Cow<'_, str> {
        if self == Self::Marked && needs_mark(text) { format!("'{text}").into() } else { text.into() }
    }

    /// Returns the text of a marked cell.
    #[must_use]
    pub fn text(cell: &str) -> &str {
        cell.strip_prefix('\'').filter(|text| needs_mark(text)).unwrap_or(cell)
    }
}

fn needs_mark(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\'']) && !text.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text_and_texts_come_back() {
        const PREFIXES: [&str; 12] = ["", "=", "+", "-", "@", "\t", "\r", "'", "\n", " ", "a", "名"];
        const RESTS: [&str; 8] = ["", "1+1", "cmd|' /C calc'!A0", "=1", "'", "''=", "\"x\",", "-"];
        for [first, second, third] in PREFIXES.iter().flat_map(|first| {
            PREFIXES.iter().flat_map(move |second| RESTS.map(|rest| [first, *second, rest]))
        }) {
            let text = format!("{first}{second}{third}");
            let cell = Cells::Marked.cell(&text);
            assert_eq!(Cells::text(&cell), text);
            assert_eq!(Cells::Raw.cell(&text), text);
            let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
            assert!(is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell:?}");
            let begins_plainly = text.is_empty() || text.starts_with(['\n', ' ', 'a', '名', '1', 'c', '"']);
            assert_eq!(cell == text, begins_plainly || is_number, "{text:?}");
        }
    }

    #[test]
    fn numbers_stay_numbers() {
        for number in ["-3", "-0.5", "+6.5", "7.5", "-1e-7", "0", "-361"] {
            assert_eq!(Cells::Marked.cell(number), number);
        }
        for text in ["-3 points", "-3;5", "+5=6", "--1", "-", "+", "-inf", "+nan"] {
            assert_eq!(Cells::Marked.cell(text), format!("'{text}"));
        }
    }
}
