//! Counts for people.

use std::fmt::Write as _;

use jigo_engine::{Counting, protocol::Protocol};

use super::{count::Count, whole};

/// One count, part by part.
pub(super) fn as_sheet(count: &Count) -> String {
    let mut sheet = format!("{:<16}{:>8}{:>8}\n", count.name, "Black", "White");
    for (name, [black, white]) in &count.parts {
        let _ = writeln!(sheet, "{name:<16}{black:>8}{white:>8}");
    }
    let [black, white] = count.totals();
    let _ = writeln!(sheet, "{:<16}{black:>8}{white:>8}", "total");
    let _ = writeln!(sheet, "result: {}", count.result());
    sheet
}

/// A row for each rule set.
pub(super) fn as_table(counts: &[Count]) -> String {
    let mut table = format!(
        "{:<17}{:<11}{:>8}{:>8}{:>7}   {}\n",
        "rules", "counting", "Black", "White", "komi", "result"
    );
    for count in counts {
        let counting = counting(count);
        let [black, white] = count.totals();
        let Count { name, komi, .. } = count;
        let _ = writeln!(table, "{name:<17}{counting:<11}{black:>8}{white:>8}{komi:>7}   {}", count.result());
    }
    table
}

fn counting(count: &Count) -> &'static str {
    match count.counting {
        Counting::Area => "area",
        Counting::Territory => "territory",
    }
}

/// How a whole game ended.
pub(super) fn ending(game: &Protocol) -> String {
    let result = whole::result(game).map(|result| format!(" ({result})")).unwrap_or_default();
    format!("the game: {}{result}\n", whole::explanation(game))
}
