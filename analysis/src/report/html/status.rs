//! Life and death in final positions.

use jigo_engine::life::Status;

use super::{
    Figure, Group, Titled, View,
    bins::Bins,
    parts::{per_cent, rate_cells},
};
use crate::{
    Histogram,
    report::{
        chart::{Bars, Caption},
        data_table::DataTable,
        format::{DASH, counted, fixed, grouped},
        gallery::{Exhibit, Gallery},
        summary::{ShiftSummary, SideShares, StatusSummary},
    },
    study::StatusCounts,
};

/// The most shapes that are drawn.
const MAX_DRAWN: usize = 12;

/// What is shown together: a name for the games, their numbers, and the counts behind these.
pub(super) struct Shown<'a> {
    pub(super) name: &'a str,
    pub(super) summary: &'a StatusSummary,
    pub(super) counts: &'a StatusCounts,
}

pub(super) fn group(view: &View<'_>) -> Group {
    let shown: Vec<Shown<'_>> = view
        .kinds()
        .map(|kind| Shown {
            name: kind.name(),
            summary: &view.summary.of(kind).status,
            counts: &kind.measures(view.cell).status,
        })
        .collect();
    let mut group = of(&shown, &view.id);
    group.tables.push(values(&shown));
    group
}

/// Everything but what depends on komi.
pub(super) fn of(shown: &[Shown<'_>], id: &str) -> Group {
    let mut group = Group::new("Life and death");
    group.text = coverage_text(shown);
    for (index, Shown { name, summary, counts }) in shown.iter().enumerate() {
        let id = format!("{id}-life{index}");
        group.figures.extend(sizes(&id, name, Status::Dead, &counts.dead_sizes));
        group.figures.extend(sizes(&id, name, Status::Seki, &counts.seki_sizes));
        group.figures.extend(shapes(&id, name, summary));
    }
    group.tables = vec![games(shown), chains(shown)];
    if shown.iter().any(|shown| shown.summary.sekis.iter().any(|seki| seki.sekis > 0)) {
        group.tables.push(sekis(shown));
    }
    group
}

/// How much is known, before anything that rests on it.
fn coverage_text(shown: &[Shown<'_>]) -> String {
    let mut text = String::from(
        "Every chain of the final positions has a status and a proof, or counts as unknown; nothing is guessed.",
    );
    for Shown { name, summary, .. } in shown {
        let both = &summary.both;
        text += &format!(
            " Known in {name} games: {} % of {} with {} % of {}.",
            per_cent(both.decided_chain_share),
            counted(both.chains, "chain"),
            per_cent(both.decided_stone_share),
            counted(both.stones, "stone"),
        );
    }
    text
}

fn games(shown: &[Shown<'_>]) -> Titled {
    let mut table =
        DataTable::new(2, ["games", "final positions", "positions", "% of positions", "95 % interval"]);
    for Shown { name, summary, .. } in shown {
        let with = summary.positions_with.iter();
        let with = with.map(|with| (format!("with a chain that is {}", with.status), with.positions));
        let decided = [
            ("with every chain known".to_owned(), summary.decided_positions),
            ("known by unconditional life alone".to_owned(), summary.benson_positions),
        ];
        for (what, rate) in with.chain(decided) {
            table.push([(*name).to_owned(), what].into_iter().chain(rate_cells(rate)));
        }
    }
    let note = "Positions with unknown chains may have more of every status: rates of seki, ko and dead are lower bounds by as much.";
    Titled { note: note.to_owned(), ..Titled::new("Final positions by what they hold", table) }
}

fn chains(shown: &[Shown<'_>]) -> Titled {
    let headings = ["games", "side", "status", "proof", "chains", "% of chains", "stones", "% of stones"];
    let mut table = DataTable::new(4, headings);
    for Shown { name, summary, .. } in shown {
        for (side, shares) in [("Black", &summary.black), ("White", &summary.white), ("both", &summary.both)]
        {
            chain_rows(&mut table, name, side, shares);
        }
    }
    let note = "Statuses that occurred. Proofs: benson, unconditional life or the opponent’s unconditional territory; static, theorems about \
                eyes and links, without reading ahead; search, all lines of play in a part of the board that depends on nothing else, or on open \
                boards those that matter to the chain.";
    Titled { note: note.to_owned(), ..Titled::new("Chains and stones by status and proof", table) }
}

fn chain_rows(table: &mut DataTable, name: &str, side: &str, shares: &SideShares) {
    for row in shares.rows.iter().filter(|row| row.chains > 0) {
        table.push([
            name.to_owned(),
            side.to_owned(),
            row.status.to_owned(),
            row.proof.to_owned(),
            grouped(row.chains),
            per_cent(row.chain_share),
            grouped(row.stones),
            per_cent(row.stone_share),
        ]);
    }
}

fn sekis(shown: &[Shown<'_>]) -> Titled {
    let mut table = DataTable::new(2, ["games", "kind of seki", "sekis", "% of sekis"]);
    for Shown { name, summary, .. } in shown {
        let all: u64 = summary.sekis.iter().map(|seki| seki.sekis).sum();
        for seki in &summary.sekis {
            let share = (all > 0).then(|| seki.sekis as f64 / all as f64);
            table.push([(*name).to_owned(), seki.kind.to_owned(), grouped(seki.sekis), per_cent(share)]);
        }
    }
    Titled::new("Kinds of seki", table)
}

/// What seki and dead chains are worth.
fn values(shown: &[Shown<'_>]) -> Titled {
    let headings = [
        "games",
        "counted without",
        "games with another margin",
        "%",
        "95 % interval",
        "mean change, points for Black",
        "± standard error",
        "games with another result",
        "%",
        "95 % interval",
    ];
    let mut table = DataTable::new(2, headings);
    for Shown { name, summary, .. } in shown {
        for (what, shift) in
            [("dead chains", summary.without_dead), ("points in seki", summary.without_seki_points)]
        {
            let names = [(*name).to_owned(), what.to_owned()];
            table.push(names.into_iter().chain(shift_cells(&shift)));
        }
    }
    let note = "Dead chains: taken off, against all stones as they stand. Points in seki: not counted, against counted, dead chains taken off in \
                both; the same under area and territory counting. Another result: at the komi of this report.";
    Titled { note: note.to_owned(), ..Titled::new("What dead chains and seki change", table) }
}

fn shift_cells(shift: &ShiftSummary) -> impl Iterator<Item = String> {
    let number = |value: Option<f64>| value.map_or_else(|| DASH.to_owned(), |value| fixed(value, 4));
    let [mean, error] = [shift.mean, shift.standard_error].map(number);
    rate_cells(shift.games).into_iter().chain([mean, error]).chain(rate_cells(shift.changed_results))
}

/// How large chains of a status are, where there are any.
fn sizes(id: &str, name: &str, status: Status, sizes: &Histogram) -> Option<Figure> {
    if sizes.is_empty() {
        return None;
    }
    let bins = Bins::of(sizes);
    let what = match status {
        Status::Seki => "chains in seki",
        _ => "dead chains",
    };
    let (title, text) =
        (format!("Stones of {what}, {name} games"), format!("How many stones {what} have, as far as known."));
    let chart = Bars {
        caption: Caption { id: &format!("{id}-{status}"), title: &title, description: &text },
        x_label: "stones of the chain",
        y_label: &bins.share_label(what, "stones"),
        bars: &bins.bars(None),
        parts: None,
        mark: None,
    };
    Some(Figure { svg: chart.draw(), table: bins.table("stones", what), title, text })
}

/// The most frequent shapes, drawn.
fn shapes(id: &str, name: &str, summary: &StatusSummary) -> Option<Figure> {
    let drawn = summary.shapes.iter().take(MAX_DRAWN).filter_map(|found| {
        let label = format!("{} × {}", grouped(found.parts), found.kind);
        Some(Exhibit { shape: found.shape.parse().ok()?, label })
    });
    let exhibits: Vec<Exhibit> = drawn.collect();
    if exhibits.is_empty() {
        return None;
    }
    let title = format!("Seki and dead chains, the most frequent shapes, {name} games");
    let text = format!(
        "Parts of the board that unconditional life does not decide, turned and coloured alike; pale stones beside them are unconditionally \
         alive. Under each: how many there were, and the kind of seki, or dead. {} too large to be kept by shape.",
        match summary.larger_parts {
            1 => "1 part was".to_owned(),
            parts => format!("{} parts were", grouped(parts)),
        }
    );
    let gallery = Gallery {
        caption: Caption {
            id: &format!("{id}-shapes"),
            title: &title,
            description: &alternative(&text, summary),
        },
        exhibits: &exhibits,
    };
    let mut table = DataTable::new(3, ["shape", "holds", "first in", "game", "parts"]);
    for found in &summary.shapes {
        table.push([
            found.shape.clone(),
            found.kind.to_owned(),
            found.first_source.clone(),
            found.first_index.to_string(),
            grouped(found.parts),
        ]);
    }
    Some(Figure { svg: gallery.draw(), table, title, text })
}

/// What is drawn, in words.
fn alternative(text: &str, summary: &StatusSummary) -> String {
    let drawn = summary.shapes.iter().take(MAX_DRAWN);
    let rows =
        drawn.map(|found| format!(" {} × {}: rows {}.", grouped(found.parts), found.kind, found.shape));
    rows.fold(text.to_owned(), |text, row| text + &row)
}
