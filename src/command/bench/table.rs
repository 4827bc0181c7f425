//! What `jigo bench` prints and writes.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Against, BenchArgs, Line};
use crate::{
    args::{COMMIT, Policies, RuleSets, VERSION, processor_count, unique},
    output::{fixed, group},
};

/// The version of what `--json` writes.
pub(in crate::command) const FORMAT_VERSION: u32 = 2;

const COLUMNS: usize = 10;
const HEADINGS: [&str; COLUMNS] = [
    "backend",
    "needs",
    "games/s",
    "min..max",
    "plies/s",
    "ns/ply",
    "ratio",
    "playouts/s",
    "by games",
    "against",
];

impl Line {
    fn to_json(&self, lines: &[Self]) -> Value {
        let [min, median, max] = self.games_per_s();
        json!({
            "size": self.run.config.size.to_string(),
            "rules": self.run.config.rules.canonical(),
            "policy": self.run.config.policy.to_string(),
            "seed": self.run.seed,
            "backend": self.backend.to_string(),
            "needs": self.needs.to_string(),
            "threads": self.threads,
            "games": self.sums.games,
            "plies": self.sums.plies,
            "signature": self.signature.to_string(),
            "seconds": self.seconds,
            "games_per_s": { "median": median, "min": min, "max": max },
            "plies_per_s": self.plies_per_s(),
            "ns_per_ply_per_thread": self.ns_per_ply_per_thread(),
            "ratio": self.ratio(lines),
            "playouts_per_s": self.playouts_per_s(),
            "playouts_by_games": self.playouts_by_games(),
            "against": self.ratio_against().map(|[min, median, max]| json!({
                "games_per_s": self.against,
                "ratio": { "median": median, "min": min, "max": max },
            })),
        })
    }

    /// Returns what the columns say; nothing where that does not apply.
    fn cells(&self, lines: &[Self]) -> [String; COLUMNS] {
        let [min, median, max] = self.games_per_s();
        let whole = |number: f64| group(number.round() as u64);
        [
            self.backend.to_string(),
            self.needs.to_string(),
            whole(median),
            format!("{}..{}", whole(min), whole(max)),
            whole(self.plies_per_s()),
            fixed(self.ns_per_ply_per_thread(), 1),
            fixed(self.ratio(lines), 2),
            self.playouts_per_s().map_or_else(String::new, whole),
            self.playouts_by_games().map_or_else(String::new, |ratio| fixed(ratio, 2)),
            self.ratio_against().map_or_else(String::new, |[min, median, max]| {
                format!("{} ({}..{})", fixed(median, 2), fixed(min, 2), fixed(max, 2))
            }),
        ]
    }

    /// Returns the heading of a group, broken if it is longer than `width`.
    fn heading(&self, width: usize) -> String {
        let games = format!("{} games, signature {}", group(self.sums.games), self.signature);
        let run = self.run_name();
        let is_short = run.chars().count() + games.chars().count() + 2 <= width;
        format!("{run}:{}{games}\n", if is_short { " " } else { "\n  " })
    }
}

/// Returns the lines as a table or, if that is wider than the terminal, column by column.
pub(super) fn table(lines: &[Line], width: usize) -> String {
    /// The width of headings without a terminal.
    const MAX_WIDTH: usize = 100;
    const SEARCH_NOTES: &str = "\
playouts/s: of all searches; by games: relative to the games/s
  of their playouts alone, from the empty board
";
    const AGAINST_NOTES: &str = "\
against: games/s relative to the other program's,
  median and range over rounds
";
    const NOTES: &str = "\
games/s, plies/s: median of the repetitions
ns/ply: time of one thread
ratio: speed relative to the group's first line,
  median over rounds
the signature identifies the games played:
  docs/benchmarks.md
";
    if lines.is_empty() {
        return String::new();
    }
    let cells: Vec<_> = lines.iter().map(|line| line.cells(lines)).collect();
    // Columns in which nothing applies are left out.
    let widths: [Option<usize>; COLUMNS] = std::array::from_fn(|column| {
        let longest = cells.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
        (longest > 0).then_some(longest.max(HEADINGS[column].len()))
    });
    let row = |cells: [&str; COLUMNS]| {
        let shown = (0..).zip(cells).zip(widths).filter_map(|(cell, width)| Some((cell, width?)));
        let padded = shown.map(|((column, cell), width)| match column {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let shown: Vec<usize> = widths.into_iter().flatten().collect();
    let total = shown.iter().sum::<usize>() + 2 * (shown.len() - 1);
    let is_wide = total <= width;
    let mut text = if is_wide { row(HEADINGS) + &"─".repeat(total) + "\n" } else { String::new() };
    for (index, (line, cells)) in lines.iter().zip(&cells).enumerate() {
        if index == 0 || !line.is_in_group_of(&lines[index - 1]) {
            text += if index > 0 && is_wide { "\n" } else { "" };
            text += &line.heading(width.min(MAX_WIDTH));
        }
        if is_wide {
            text += &row(cells.each_ref().map(String::as_str));
        } else {
            for (heading, cell) in HEADINGS.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
                let _ = writeln!(text, "{heading:<10}{cell}");
            }
            text.push('\n');
        }
    }
    text += if is_wide { "\n" } else { "" };
    text += NOTES;
    for (heading, notes) in [("playouts/s", SEARCH_NOTES), ("against", AGAINST_NOTES)] {
        let mut shown = HEADINGS.iter().zip(widths).filter(|(_, width)| width.is_some());
        text += if shown.any(|(name, _)| *name == heading) { notes } else { "" };
    }
    text
}

/// Returns what `--json` writes.
pub(super) fn document(args: &BenchArgs, lines: &[Line], is_complete: bool) -> Value {
    fn names<T: ToString>(values: impl IntoIterator<Item = T>) -> Vec<String> {
        values.into_iter().map(|value| value.to_string()).collect()
    }
    json!({
        "format": FORMAT_VERSION,
        "version": VERSION,
        "commit": COMMIT,
        "machine": {
            "processor": processor_name(),
            "threads": processor_count(),
            "os": std::env::consts::OS,
            "arch": std::env::consts::ARCH,
        },
        "arguments": {
            "size": names(&args.size),
            "rules": names(RuleSets::expand(&args.rules).iter().map(|rules| rules.canonical())),
            "policy": names(Policies::expand(&args.policy)),
            "backend": args.backend,
            "needs": names(&args.needs),
            "threads": unique(args.threads.iter().copied()),
            "games": args.games,
            "repetitions": args.repetitions,
            "seed": args.seed,
            "against": args.against.as_ref().map(Against::words),
        },
        "complete": is_complete,
        "lines": lines.iter().map(|line| line.to_json(lines)).collect::<Vec<_>>(),
    })
}

/// Returns the name of the processor, if Linux tells it.
fn processor_name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.find_map(|(key, name)| (key.trim() == "model name").then(|| name.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{super::tests::example, *};

    #[test]
    fn wide_and_narrow() {
        let lines = [example("board", &[0.02, 0.02]), example("plain", &[0.01, 0.008])];
        let wide = table(&lines, 100);
        assert_eq!(wide.matches("9x9 chinese eye-safe, 1 thread: 1,000 games, signature 000").count(), 1);
        assert!(wide.contains("board    end     50,000"), "{wide}");
        assert!(wide.contains("2.25\n"), "{wide}");
        let narrow = table(&lines, 50);
        assert!(narrow.contains("games/s   50,000\n"), "{narrow}");
        assert!(narrow.lines().all(|line| line.chars().count() <= 50), "{narrow}");
        let lines = lines.map(|line| Line { against: vec![10_000.0, 20_000.0], ..line });
        let against = table(&lines, 100);
        assert!(against.contains("3.75 (2.50..5.00)\n") && !against.contains("playouts"), "{against}");
    }
}
