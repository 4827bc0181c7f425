//! How the fair komi and other numbers change with the playouts of a search.

use super::{
    parts::{DataTable, Figure},
    rules::Compared,
};
use crate::{
    report::{
        chart::Points,
        format::group,
        strength::{Strength, StrengthPoint},
        summary::Rate,
    },
    stats::Estimate,
};

/// What is drawn over the playouts: name, title, unit, and what it is of a point.
type Drawn = (&'static str, &'static str, &'static str, fn(&StrengthPoint) -> Option<Estimate>);

const DRAWN: [Drawn; 5] = [
    ("komi", "Fair komi", "points", |point| point.fair_komi),
    ("superko", "Games in which superko rejected a move", "%", |point| {
        per_cent(point.superko_rejected_games)
    }),
    ("seki", "Final positions with a chain in seki", "%", |point| per_cent(point.seki_positions)),
    ("wins", "Black wins", "%", |point| per_cent(point.black_wins)),
    ("plies", "Length", "plies", |point| point.plies),
];

fn per_cent(rate: Option<Rate>) -> Option<Estimate> {
    rate.and_then(|rate| rate.estimate()).map(Estimate::in_per_cent)
}

/// Returns the pictures of all boards together, then the numbers of each.
pub(super) fn strengths(strengths: &[Strength], komi: &str) -> Vec<Compared> {
    if strengths.is_empty() {
        return Vec::new();
    }
    let figures = DRAWN.iter().filter_map(|drawn| figure(strengths, drawn, komi)).collect();
    let all = Compared {
        heading: "All boards".to_owned(),
        lead: String::new(),
        idle: Vec::new(),
        figures,
        tables: Vec::new(),
    };
    let one = |strength: &Strength| Compared {
        heading: strength.name(strengths),
        lead: format!("Rules and search: {}.", strength.search()),
        idle: Vec::new(),
        figures: Vec::new(),
        tables: strength.tables(),
    };
    std::iter::once(all).chain(strengths.iter().map(one)).collect()
}

/// Where so many playouts are on the axis: at their logarithm, the playouts themselves a little left of the search with the fewest.
fn place(playouts: u32, fewest: u32) -> f64 {
    /// An axis has about so much room beside its first and last place.
    const STEP: f64 = 2.0;
    let playouts = if playouts == 0 { f64::from(fewest) / 3.2 } else { f64::from(playouts) };
    STEP * playouts.log10()
}

/// Draws a number of all boards over the playouts; nothing where fewer than two have it.
fn figure(strengths: &[Strength], &(name, title, unit, of): &Drawn, komi: &str) -> Option<Figure> {
    let shown = || strengths.iter().take(Points::MAX);
    let all = || shown().flat_map(|strength| &strength.points);
    let fewest = all().map(|point| point.playouts).filter(|&playouts| playouts > 0).min()?;
    let series: Vec<(String, Vec<(f64, Estimate)>)> = shown()
        .map(|strength| {
            let points = strength.points.iter();
            let points = points.filter_map(|point| Some((place(point.playouts, fewest), of(point)?)));
            (strength.name(strengths), points.collect())
        })
        .collect();
    let mut playouts: Vec<u32> = all().map(|point| point.playouts).collect();
    playouts.sort_unstable();
    playouts.dedup();
    let name_of = |playouts| if playouts == 0 { "random".to_owned() } else { group(playouts) };
    let places: Vec<(f64, String)> =
        playouts.iter().map(|&playouts| (place(playouts, fewest), name_of(playouts))).collect();
    let known: Vec<Option<f64>> = match name {
        "komi" => shown().map(|strength| strength.known.map(|known| f64::from(known.margin))).collect(),
        _ => Vec::new(),
    };
    let (y_label, text) = match name {
        "komi" => (
            format!("{title}, {unit}"),
            "With 95 % interval. At the right edge, the komi between perfect players, as far as it is known."
                .to_owned(),
        ),
        "wins" => {
            (format!("{title}, {unit}"), format!("Of 100 finished games at {komi}, with 95 % interval."))
        }
        _ => (format!("{title}, {unit}"), "With 95 % interval.".to_owned()),
    };
    let chart = Points {
        x_label: "playouts for each move",
        y_label: &y_label,
        places: &places,
        series: &series,
        level: 0.0,
        known: &known,
    };
    let has_two = series.iter().any(|(_, points)| points.len() > 1);
    has_two.then(|| Figure::new(&format!("strength-{name}"), title, text, &chart, DataTable::default()))
}
