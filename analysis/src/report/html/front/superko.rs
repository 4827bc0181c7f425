//! How often superko matters.

use jigo_engine::Ko;

use super::{
    super::{Figure, Group, Titled, parts::rate_cells},
    Cells,
    across::rate_figure,
};
use crate::report::{
    format::DASH,
    summary::{CellSummary, RATE_METHOD, Rate},
};

/// A rate that not all rules can have: a dash stands there, not a zero that looks measured.
struct RateKind {
    id: &'static str,
    heading: &'static str,
    of: fn(&CellSummary) -> Option<Rate>,
}

const RATES: [RateKind; 2] = [
    RateKind {
        id: "front-refused",
        heading: "games with a refused draw, %",
        of: |cell| cell.config.rules.ko.is_superko().then_some(cell.finished.refused_draws.games),
    },
    RateKind {
        id: "front-repeated",
        heading: "games with a repetition, %",
        of: |cell| {
            let can_repeat = cell.config.rules.ko != Ko::PositionalSuperko;
            can_repeat.then_some(cell.finished.repetitions.games)
        },
    },
];

pub(super) fn group(cells: Cells<'_>) -> Group {
    let kinds: Vec<&RateKind> =
        RATES.iter().filter(|kind| cells.all.iter().any(|cell| (kind.of)(cell).is_some())).collect();
    Group {
        text: "A refused draw is a move that the policy drew, that simple ko allows and that the superko rule forbids. A repetition is a move \
               that was played and recreated an earlier position, possible under simple ko and, with the other player to move, under \
               situational superko. The two answer different questions and are never added up. They say how often random players of this \
               policy run into the rule, not how often it decides games between people."
            .to_owned(),
        figures: kinds.iter().filter_map(|kind| figure(cells, kind)).collect(),
        tables: vec![table(cells, &kinds)],
        ..Group::new("How often does superko matter?")
    }
}

fn figure(cells: Cells<'_>, kind: &RateKind) -> Option<Figure> {
    let title = kind.heading.trim_end_matches(", %");
    let title = title[..1].to_uppercase() + &title[1..];
    rate_figure(cells, (kind.id, &title), kind.of)
}

fn table(cells: Cells<'_>, kinds: &[&RateKind]) -> Titled {
    let headings = kinds.iter().flat_map(|kind| [kind.heading, "95 % interval"]);
    let titled = cells.table(headings, |cell| {
        let of_kind = |kind: &&RateKind| match (kind.of)(cell) {
            Some(rate) => rate_cells(rate).into_iter().skip(1).collect(),
            None => vec![DASH.to_owned(); 2],
        };
        kinds.iter().flat_map(of_kind).collect()
    });
    let note = format!(
        "Games with at least one, because the events of one game are not independent: {RATE_METHOD}, 95 %. {DASH}: the rules leave nothing \
         to count. Cycle lengths and kinds of cycles are in the sections of the cells; forbidden candidates, counted on request, as well."
    );
    Titled { note, ..titled }
}
