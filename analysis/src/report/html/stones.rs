//! What the first move and a handicap stone are worth.

use super::{
    parts::{DataTable, Figure},
    rules::Compared,
};
use crate::{
    report::{
        chart::Points,
        format::{run_name, size_name},
        stones::HandicapSummary,
    },
    stats::Estimate,
};

/// Returns one for each board, rule set and policy with several handicaps.
pub(super) fn handicaps(handicaps: &[HandicapSummary]) -> Vec<Compared> {
    let compared = |(index, handicaps): (usize, &HandicapSummary)| Compared {
        heading: format!("{}, {}", size_name(&handicaps.setting), run_name(&handicaps.setting)),
        lead: "Compensation that White receives by the rules is part of the margins.".to_owned(),
        idle: Vec::new(),
        figures: figure(index, handicaps).into_iter().collect(),
        tables: handicaps.tables().into(),
    };
    handicaps.iter().enumerate().map(compared).collect()
}

/// Draws the fair komi by handicap; nothing where fewer than two are estimated.
fn figure(index: usize, handicaps: &HandicapSummary) -> Option<Figure> {
    let estimates = handicaps.fair_komi.iter().filter_map(|komi| Some((komi.handicap, komi.estimate?)));
    let estimates: Vec<(f64, Estimate)> =
        estimates.map(|(handicap, estimate)| (f64::from(handicap), estimate)).collect();
    let places: Vec<(f64, String)> =
        estimates.iter().map(|&(handicap, _)| (handicap, handicap.to_string())).collect();
    let series = [(String::new(), estimates)];
    let chart = Points {
        x_label: "handicap",
        y_label: "fair komi, points",
        places: &places,
        series: &series,
        level: 0.0,
        known: &[],
    };
    let text = "In points, with 95 % interval.";
    let id = format!("stones{}", index + 1);
    (places.len() > 1).then(|| Figure::new(&id, "Fair komi by handicap", text, &chart, DataTable::default()))
}
