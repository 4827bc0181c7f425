//! What was measured, as a table or, where that does not fit, column by column.

use std::fmt::Write as _;

use jigo_selfplay::RunConfig;

use super::line::{Line, threads_text};
use crate::output::group;

/// The width that headings keep to where there is no terminal.
const MAX_WIDTH: usize = 100;
const HEADINGS: [&str; 7] = ["means", "needs", "games/s", "min..max", "plies/s", "ns/ply", "ratio"];
/// Columns of words, which stand to the left.
const WORDS: usize = 2;

/// The table for a terminal with so many columns; nothing if nothing was measured.
pub(super) fn for_width(lines: &[Line], width: usize) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let cells: Vec<_> = lines.iter().map(|line| cells(line, first_beside(line, lines))).collect();
    let widths: [usize; 7] = std::array::from_fn(|column| {
        let longest = cells.iter().map(|cells| cells[column].chars().count()).max();
        longest.unwrap_or(0).max(HEADINGS[column].len())
    });
    let total = widths.iter().sum::<usize>() + 2 * (widths.len() - 1);
    let is_wide = total <= width;
    let mut text = String::new();
    if is_wide {
        let _ = writeln!(text, "{}\n{}", row(&HEADINGS, &widths), "─".repeat(total));
    }
    for (index, (line, cells)) in lines.iter().zip(&cells).enumerate() {
        if index == 0 || !line.is_beside(&lines[index - 1]) {
            text += if index > 0 && is_wide { "\n" } else { "" };
            text += &heading(line, width.min(MAX_WIDTH));
        }
        if is_wide {
            let _ = writeln!(text, "{}", row(cells, &widths));
        } else {
            for (heading, cell) in HEADINGS.iter().zip(cells) {
                let _ = writeln!(text, "{heading:<10}{cell}");
            }
            text.push('\n');
        }
    }
    text + if is_wide { "\n" } else { "" } + NOTES
}

const NOTES: &str = "\
games/s, plies/s: median of the repetitions
ns/ply: time of one thread
ratio: speed relative to the group's first line,
  median over rounds
the signature tells which games were played:
  docs/benchmarks.md
";

/// The line that this one is compared with.
pub(super) fn first_beside<'a>(line: &'a Line, lines: &'a [Line]) -> &'a Line {
    lines.iter().find(|first| line.is_beside(first)).unwrap_or(line)
}

/// What the lines of a group have in common.
fn heading(line: &Line, width: usize) -> String {
    let RunConfig { size, rules, policy, .. } = line.spec.config;
    let setting = format!("{size} {rules} {policy}, {}", threads_text(line.threads));
    let games = format!("{} games, signature {}", group(line.sums.games), line.signature);
    let is_short = setting.chars().count() + games.chars().count() + 2 <= width;
    format!("{setting}:{}{games}\n", if is_short { " " } else { "\n  " })
}

fn cells(line: &Line, first: &Line) -> [String; 7] {
    let speed = line.games_per_s();
    let whole = |number: f64| group(number.round() as u64);
    [
        line.means.to_string(),
        line.needs.name().to_owned(),
        whole(speed.median),
        format!("{}..{}", whole(speed.min), whole(speed.max)),
        whole(line.plies_per_s()),
        format!("{:.1}", line.ns_per_ply_per_thread()),
        format!("{:.2}", line.ratio_to(first)),
    ]
}

fn row(cells: &[impl AsRef<str>; 7], widths: &[usize; 7]) -> String {
    let pad = |(column, (cell, &width)): (usize, (&_, &usize))| {
        let cell = AsRef::<str>::as_ref(cell);
        if column < WORDS { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    };
    cells.iter().zip(widths).enumerate().map(pad).collect::<Vec<_>>().join("  ")
}

#[cfg(test)]
mod tests {
    use super::{super::line::example, *};

    #[test]
    fn wide_and_narrow() {
        let lines = [example("board", &[0.02, 0.02]), example("plain", &[0.01, 0.008])];
        let wide = for_width(&lines, 100);
        assert_eq!(wide.matches("9x9 chinese eye-safe, 1 thread: 1,000 games, signature 000").count(), 1);
        assert!(wide.contains("board  end     50,000"), "{wide}");
        assert!(wide.contains("2.25\n"), "{wide}");
        let narrow = for_width(&lines, 50);
        assert!(narrow.contains("games/s   50,000\n"), "{narrow}");
        assert!(narrow.lines().all(|line| line.chars().count() <= 50), "{narrow}");
    }
}
