//! What was played.

use jigo_selfplay::fingerprint::rules_fingerprint;

use crate::{
    RunStats, Study,
    report::{
        data_table::DataTable,
        format::{DASH, counted, grouped},
        naming::{Naming, size_name},
    },
};

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
        let setting = &cell.config;
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

fn runs(cell: &RunStats) -> String {
    let run = |(seed, first, end): (u64, u64, u64)| format!("seed {seed}, games {first} to {}", end - 1);
    let runs: Vec<String> = cell.coverage.ranges().map(run).collect();
    if runs.is_empty() { DASH.to_owned() } else { runs.join("; ") }
}

/// A cell in one line.
pub(super) fn setting_line(cell: &RunStats) -> String {
    let setting = &cell.config;
    let capped = match cell.capped.games {
        0 => "none capped".to_owned(),
        games => format!("{} capped and measured apart", grouped(games)),
    };
    let (games, cap) = (counted(cell.games(), "game"), setting.ply_cap);
    let candidates = if setting.count_forbidden { "; forbidden candidates counted" } else { "" };
    format!(
        "Board {}; rules {}; policy {}; ply cap {cap}; {games}, {capped}{candidates}.",
        size_name(setting),
        setting.rules,
        setting.policy
    )
}
