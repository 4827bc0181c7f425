//! What was played, and the numbers of all cells.

use jigo_engine::{Ko, Status};
use jigo_selfplay::rules_fingerprint;

use super::parts::{per_cent, rate_cells};
use crate::{
    Cell, Study,
    report::{
        data_table::DataTable,
        format::{DASH, counted, fixed, grouped, with_interval},
        naming::{Naming, size_name},
        summary::{CellSummary, Rate, Summary},
    },
};

/// One row for each cell.
pub(super) fn summary(summaries: &[CellSummary], naming: &Naming) -> DataTable {
    let varying = || naming.axes().into_iter().filter(|axis| axis.varies());
    let columns: Vec<&RateColumn> =
        RATES.iter().filter(|column| summaries.iter().any(|cell| (column.of)(cell).is_some())).collect();
    let headings = std::iter::once("size")
        .chain(varying().map(|axis| axis.name))
        .chain(NUMBERS)
        .chain(columns.iter().flat_map(|column| [column.heading, "95 % interval"]))
        .chain(["games with seki, %", "games with dead chains, %", "chains of known status, %"]);
    let mut table = DataTable::new(1 + varying().count(), headings);
    for cell in summaries {
        let words =
            std::iter::once(size_name(&cell.setting)).chain(varying().map(|axis| axis.of(&cell.setting)));
        let games = [grouped(cell.games), per_cent(cell.capped_games.share)];
        let rates = columns.iter().flat_map(|column| column.cells(cell));
        let status = &cell.finished.status;
        let shares = [
            status.with(Status::Seki).share,
            status.with(Status::Dead).share,
            status.both.decided_chain_share,
        ];
        let life = shares.map(|share| per_cent(share.filter(|_| cell.finished.has_enough_games())));
        table.push(words.chain(games).chain(estimates(&cell.finished)).chain(rates).chain(life));
    }
    table
}

const NUMBERS: [&str; 9] = [
    "games",
    "capped, %",
    "fair komi, points",
    "95 % interval",
    "nearest half-integer",
    "Black wins, %",
    "White wins, %",
    "jigo, %",
    "mean length, plies",
];

/// A rate that not all rules can have: a dash stands there, not a zero that looks measured.
struct RateColumn {
    heading: &'static str,
    of: fn(&CellSummary) -> Option<Rate>,
}

const RATES: [RateColumn; 2] = [
    RateColumn {
        heading: "games with a refused draw, %",
        of: |cell| cell.setting.rules.ko.is_superko().then_some(cell.finished.refused_draws.games),
    },
    RateColumn {
        heading: "games with a repetition, %",
        of: |cell| {
            let can_repeat = cell.setting.rules.ko != Ko::PositionalSuperko;
            can_repeat.then_some(cell.finished.repetitions.games)
        },
    },
];

impl RateColumn {
    fn cells(&self, cell: &CellSummary) -> [String; 2] {
        match (self.of)(cell) {
            Some(rate) => {
                let [_, share, interval] = rate_cells(rate);
                [share, interval]
            }
            None => [DASH.to_owned(), DASH.to_owned()],
        }
    }
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

/// What each cell consists of.
pub(super) fn played(study: &Study, naming: &Naming) -> DataTable {
    let headings = [
        "cell",
        "rules in full",
        "fingerprint of the rules",
        "policy",
        "runs",
        "ply cap, plies",
        "finished games",
        "capped games",
    ];
    let mut table = DataTable::new(5, headings).with_digests(2);
    for cell in &study.cells {
        let setting = &cell.setting;
        table.push([
            naming.short(setting),
            setting.rules.canonical(),
            rules_fingerprint(setting.rules),
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
        size_name(setting),
        setting.rules,
        setting.policy
    )
}
