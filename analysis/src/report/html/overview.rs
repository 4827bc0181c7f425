//! What was played, and the numbers of all cells.

use super::parts::{per_cent, rate_cells};
use crate::{
    Cell, Study,
    report::{
        data_table::DataTable,
        format::{DASH, counted, fixed, grouped, with_interval},
        naming::Naming,
        summary::{CellSummary, Rate, Summary},
    },
};

/// One row for each cell.
pub(super) fn summary(summaries: &[CellSummary], naming: &Naming) -> DataTable {
    let names: Vec<&str> =
        naming.axes().into_iter().filter(|axis| axis.varies()).map(|axis| axis.name).collect();
    let numbers = [
        "games",
        "capped, %",
        "fair komi, points",
        "95 % interval",
        "nearest half-integer komi",
        "Black wins, %",
        "White wins, %",
        "jigo, %",
        "mean length, plies",
        "games with a refused draw, %",
        "95 % interval",
        "games with a repetition, %",
        "95 % interval",
        "undecided stones, %",
    ];
    let headings = std::iter::once("size").chain(names.iter().copied()).chain(numbers);
    let mut table = DataTable::new(1 + names.len(), headings);
    for summary in summaries {
        let axes = naming.axes().into_iter().filter(|axis| axis.varies());
        let words = std::iter::once(summary.setting.size.to_string())
            .chain(axes.map(|axis| axis.of(&summary.setting)));
        let games = [grouped(summary.games), per_cent(summary.capped_games.share)];
        table.push(words.chain(games).chain(estimates(&summary.finished)).chain(superko(summary)));
    }
    table
}

/// Fair komi, shares and length; dashes where there are too few games.
fn estimates(finished: &Summary) -> Vec<String> {
    let dash = || DASH.to_owned();
    let (komi, interval, half) = match &finished.fair_komi {
        Some(fair) => {
            let (komi, interval) = with_interval(fair.estimate.estimate, fair.estimate.interval);
            (komi, interval, fair.half.komi.to_string())
        }
        None => (dash(), dash(), dash()),
    };
    let enough = finished.has_enough_games();
    let share = |rate: Rate| if enough { per_cent(rate.share) } else { dash() };
    let at = &finished.at_komi;
    let plies = finished.plies.filter(|_| enough).map_or_else(dash, |plies| fixed(plies.mean, 1));
    vec![komi, interval, half, share(at.black), share(at.white), share(at.jigo), plies]
}

fn superko(summary: &CellSummary) -> Vec<String> {
    let finished = &summary.finished;
    let ko = summary.setting.rules.ko;
    // What a rule cannot produce gets a dash, not a zero that looks measured.
    let refused = ko.is_superko().then_some(finished.refused_draws);
    let repeated = (ko != jigo_engine::Ko::PositionalSuperko).then_some(finished.repetitions);
    let cells = [refused, repeated].into_iter().flat_map(|events| match events {
        Some(events) => {
            let [_, share, interval] = rate_cells(events.games);
            [share, interval]
        }
        None => [DASH.to_owned(), DASH.to_owned()],
    });
    let undecided = finished.status.both.undecided_stone_share.filter(|_| finished.has_enough_games());
    cells.chain([per_cent(undecided)]).collect()
}

/// What each cell consists of.
pub(super) fn played(study: &Study, naming: &Naming) -> DataTable {
    let headings =
        ["cell", "rules in full", "policy", "runs", "ply cap, plies", "finished games", "capped games"];
    let mut table = DataTable::new(4, headings);
    for cell in &study.cells {
        let setting = &cell.setting;
        table.push([
            naming.short(setting),
            setting.rules.canonical(),
            setting.policy.to_string(),
            runs(cell),
            grouped(setting.ply_cap.into()),
            grouped(cell.finished.games),
            grouped(cell.capped.games),
        ]);
    }
    table
}

fn runs(cell: &Cell) -> String {
    let run = |(seed, first, end): (u64, u64, u64)| format!("seed {seed}, games {first} to {}", end - 1);
    let runs: Vec<String> = cell.coverage.ranges().map(run).collect();
    if runs.is_empty() { DASH.to_owned() } else { runs.join("; ") }
}

/// A cell in one line.
pub(super) fn setting_line(cell: &Cell) -> String {
    let setting = &cell.setting;
    let capped = match cell.capped.games {
        0 => "none capped".to_owned(),
        games => format!("{} capped and measured apart", grouped(games)),
    };
    let (games, cap) = (counted(cell.games(), "game"), setting.ply_cap);
    let candidates = if setting.counts_candidates { "; forbidden candidates counted" } else { "" };
    format!(
        "Board {}; rules {}; policy {}; ply cap {cap}; {games}, {capped}{candidates}.",
        setting.size, setting.rules, setting.policy
    )
}
