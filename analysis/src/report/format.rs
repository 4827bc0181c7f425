//! Numbers and names of runs as text.

pub(crate) use crate::stats::{decimals_for, fixed, group, quantity};
use std::fmt::Display;

use crate::{RunConfig, Study, stats::Estimate};

/// Stands where there is no number.
pub(crate) const DASH: &str = "–";

/// Writes values as the cells of a row.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}
pub(super) use cells;

/// Writes an estimate and its interval, or dashes where there is none.
pub(crate) fn estimate_cells(estimate: Option<Estimate>) -> [String; 2] {
    estimate.map_or_else(|| [DASH, DASH].map(str::to_owned), Estimate::texts)
}

/// Writes a value, or a dash where there is none.
pub(crate) fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| DASH.to_owned(), |value| value.to_string())
}

/// The units that stay on the line of their number.
const UNITS: [&str; 18] = [
    "%",
    "chain",
    "chains",
    "file",
    "files",
    "game",
    "games",
    "move",
    "moves",
    "plies",
    "ply",
    "point",
    "points",
    "position",
    "positions",
    "record",
    "stone",
    "stones",
];

/// Joins the numbers of a page with their units by spaces at which no line breaks. Styles and scripts stay as they are.
pub(crate) fn join_units(page: &str) -> String {
    let mut joined = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(start) = ["<script", "<style"].iter().filter_map(|tag| rest.find(tag)).min() {
        let code = &rest[start..];
        let end =
            ["</script>", "</style>"].iter().filter_map(|tag| code.find(tag)).min().unwrap_or(code.len());
        push_joined(&mut joined, &rest[..start]);
        joined.push_str(&code[..end]);
        rest = &code[end..];
    }
    push_joined(&mut joined, rest);
    joined
}

fn push_joined(joined: &mut String, text: &str) {
    let mut words = text.split(' ');
    joined.push_str(words.next().unwrap_or_default());
    for word in words {
        let is_part_of_unit = |c: char| c == '%' || c.is_ascii_lowercase();
        let unit = &word[..word.find(|c| !is_part_of_unit(c)).unwrap_or(word.len())];
        let follows_number = joined.ends_with(|c: char| c.is_ascii_digit());
        joined.push(if follows_number && UNITS.contains(&unit) { '\u{a0}' } else { ' ' });
        joined.push_str(word);
    }
}

/// Writes the hyphens before numbers as minus signs, and leaves those of names and ranges.
pub(crate) fn minus_signs(text: &str) -> String {
    let mut before = ' ';
    let sign = |c| {
        let is_minus = c == '-' && [' ', '('].contains(&before);
        before = c;
        if is_minus { '−' } else { c }
    };
    text.chars().map(sign).collect()
}

/// A way in which the runs of a study differ.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) name: &'static str,
    /// Whether letters may stand for its values, which are long.
    pub(crate) has_letters: bool,
    /// Its values in order of appearance, each once.
    pub(crate) values: Vec<String>,
    pub(crate) of: fn(&RunConfig) -> String,
}

impl Axis {
    /// Returns a letter for a run's value: A for the first.
    pub(crate) fn letter_of(&self, run: &RunConfig) -> String {
        let text = (self.of)(run);
        letter(self.values.iter().position(|value| *value == text).unwrap_or(0))
    }
}

/// Writes a board size for people, as in `9×13`.
pub(crate) fn size_name(run: &RunConfig) -> String {
    format!("{}×{}", run.size.width(), run.size.height())
}

/// Names a run's rules, policy and handicap, as in `tromp-taylor, eye-safe` or `tromp-taylor, eye-safe, handicap 4`.
pub(crate) fn run_name(run: &RunConfig) -> String {
    format!("{}, {}", run.rules, policy_name(run))
}

/// Names a run's policy and handicap, as in `eye-safe` or `eye-safe, handicap 4`.
pub(crate) fn policy_name(run: &RunConfig) -> String {
    let policy = policy(run);
    if run.handicap > 0 { format!("{policy}, handicap {}", run.handicap) } else { policy }
}

/// Counts A, B, …, Z, AA, AB, …
pub(crate) fn letter(index: usize) -> String {
    let last = char::from(b'A' + (index % 26) as u8);
    if index < 26 { last.to_string() } else { letter(index / 26 - 1) + &last.to_string() }
}

/// The axes of a study beside the board size: the rules, the policy with whatever else of the run is unusual, and the handicap.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    pub(crate) axes: [Axis; 3],
}

impl Naming {
    pub(crate) fn new(study: &Study) -> Self {
        let axis = |name, has_letters, of: fn(&RunConfig) -> String| {
            let mut values = Vec::new();
            for text in study.runs.iter().map(|run| of(&run.config)) {
                if !values.contains(&text) {
                    values.push(text);
                }
            }
            Axis { name, has_letters, values, of }
        };
        Self {
            axes: [
                axis("rules", true, |run| run.rules.to_string()),
                axis("policy", true, policy),
                axis("handicap", false, |run| run.handicap.to_string()),
            ],
        }
    }

    /// The axes in which the runs differ.
    pub(crate) fn varying(&self) -> impl Iterator<Item = &Axis> {
        self.axes.iter().filter(|axis| axis.values.len() > 1)
    }

    /// Names what all runs have in common, as in `rules tromp-taylor, policy eye-safe`; empty if nothing.
    pub(crate) fn in_common(&self) -> String {
        // An even game is nothing to name.
        let is_common =
            |axis: &&Axis| axis.values.len() == 1 && (axis.name, &*axis.values[0]) != ("handicap", "0");
        let common = self.axes.iter().filter(is_common);
        common.map(|axis| format!("{} {}", axis.name, axis.values[0])).collect::<Vec<_>>().join(", ")
    }

    /// Names a run among the others: its size and what varies.
    pub(crate) fn short(&self, run: &RunConfig) -> String {
        let varying = self.varying().map(|axis| match axis.name {
            "handicap" => format!("handicap {}", run.handicap),
            _ => (axis.of)(run),
        });
        std::iter::once(size_name(run)).chain(varying).collect::<Vec<_>>().join(", ")
    }
}

fn policy(run: &RunConfig) -> String {
    let mut text = run.policy.to_string();
    if !run.has_default_ply_cap() {
        text += &format!(" cap={}", run.ply_cap);
    }
    if run.count_forbidden {
        text += " +candidates";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    #[test]
    fn digits_follow_the_interval() {
        let shown = |estimate, lower, upper| {
            let texts = Estimate { estimate, interval: Interval { lower, upper } }.texts();
            <(String, String)>::from(texts)
        };
        assert_eq!(shown(2.0321, 1.86, 2.2114), ("2.03".to_owned(), "1.86 to 2.21".to_owned()));
        assert_eq!(shown(0.0, 0.0, 0.000_18), ("0.00000".to_owned(), "0.00000 to 0.00018".to_owned()));
        assert_eq!(shown(-3.2, -13.2, 51.0), ("-3".to_owned(), "-13 to 51".to_owned()));
        assert_eq!(shown(7.0, 7.0, 7.0), ("7.0".to_owned(), "7.0 to 7.0".to_owned()));
    }

    #[test]
    fn names_keep_their_hyphens() {
        let text = "-2 to -1 (-3.5), eye-safe, 3-4";
        assert_eq!(minus_signs(text), "−2 to −1 (−3.5), eye-safe, 3-4");
    }

    #[test]
    fn numbers_keep_their_units() {
        let joined = join_units(
            "<style>a 2 points</style><p title='1,234 games'>97.7 % of 12 plies, 9 (3 stones)</p>",
        );
        let expected = "<style>a 2 points</style><p title='1,234_games'>97.7_% of 12_plies, 9 (3_stones)</p>";
        assert_eq!(joined.replace('\u{a0}', "_"), expected);
        let page = "<p>a 1 gamete, 5 percent</p><script>x = 3 % 2;</script> points";
        assert_eq!(join_units(page), page);
    }

    #[test]
    fn letters_never_end() {
        assert_eq!([0, 25, 26, 51, 52].map(letter), ["A", "Z", "AA", "AZ", "BA"]);
    }
}
