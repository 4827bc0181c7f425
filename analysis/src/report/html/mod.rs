//! The report as one page that needs nothing else: style and pictures are in it, and it loads nothing.

mod bins;
mod front;
mod lengths;
mod maps;
mod parts;
mod played;
mod records;
mod results;
mod rules;
mod status;
mod superko;
mod viewer;

use askama::Template;
use jigo_engine::Komi;

pub(super) use parts::Figure;
pub(super) use records::page as records_page;
#[cfg(test)]
pub(super) use viewer::{SCRIPT, SCRIPT_SOURCE};

use super::{
    ReportMeta,
    changes::ComparisonSummary,
    data_table::DataTable,
    examples::{MAX_IN_CELL, MAX_IN_PAGE},
    naming::Naming,
    summary::{CellSummary, GameKind, Summary},
};
use crate::{RunStats, Study, study::Measures};
use parts::{Group, Titled};

/// Up to so many cells are unfolded when the page opens.
const UNFOLDED: usize = 3;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    meta: &'a ReportMeta,
    in_common: String,
    games: String,
    komi: String,
    front: Vec<Group>,
    played: DataTable,
    has_capped: bool,
    has_territory: bool,
    compared: Vec<rules::Compared>,
    sections: Vec<Section>,
    head: Head,
}

/// What a page may do, for browsers to enforce.
struct Head {
    /// Nothing may be loaded, and no script may run but the one of the page, if it has one.
    policy: String,
    /// The script, or nothing.
    script: &'static str,
}

impl Head {
    fn new(script: &'static str) -> Self {
        let mut policy =
            "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'".to_owned();
        if !script.is_empty() {
            policy += &format!("; script-src '{}'", viewer::SCRIPT_SOURCE);
        }
        Self { policy, script }
    }
}

/// One cell.
struct Section {
    id: String,
    heading: String,
    is_open: bool,
    setting: String,
    groups: Vec<Group>,
}

/// A cell and its numbers, for the parts of its section.
struct View<'a> {
    /// Begins the names of everything in the section.
    id: String,
    cell: &'a RunStats,
    summary: &'a CellSummary,
}

impl View<'_> {
    /// The games that most of the section is about.
    fn finished(&self) -> &Measures {
        &self.cell.finished
    }

    fn numbers(&self) -> &Summary {
        &self.summary.finished
    }

    /// The kinds of games that there are.
    fn kinds(&self) -> impl Iterator<Item = GameKind> {
        GameKind::BOTH.into_iter().filter(|kind| kind.measures(self.cell).games > 0)
    }
}

/// The page.
pub(super) fn page(
    study: &Study,
    summaries: &[CellSummary],
    comparisons: &[ComparisonSummary],
    meta: &ReportMeta,
) -> String {
    let naming = Naming::of(study);
    let territory = |cell: &RunStats| cell.config.rules.counting == jigo_engine::Counting::Territory;
    let sections = sections(study, summaries, &naming, meta.komi);
    let has_games = sections.iter().flat_map(|section| &section.groups).any(|group| group.viewer.is_some());
    let page = Page {
        head: Head::new(if has_games { viewer::SCRIPT } else { "" }),
        meta,
        in_common: naming.in_common(),
        games: super::format::counted(study.games(), "game"),
        komi: meta.komi.to_string().replace('-', "−"),
        front: front::groups(summaries, &naming),
        played: played::played(study, &naming),
        has_capped: study.cells.iter().any(|cell| cell.capped.games > 0),
        has_territory: study.cells.iter().any(territory),
        compared: rules::compared(comparisons),
        sections,
    };
    page.render().expect("a page is rendered in memory from values that can be shown")
}

fn sections(study: &Study, summaries: &[CellSummary], naming: &Naming, komi: Komi) -> Vec<Section> {
    // The last of very many cells show none.
    let per_cell = (MAX_IN_PAGE / study.cells.len().max(1)).clamp(1, MAX_IN_CELL);
    let limit = |index| if index < MAX_IN_PAGE { per_cell } else { 0 };
    let section = |(index, (cell, summary)): (usize, (&RunStats, &CellSummary))| {
        let view = View { id: format!("cell{}", index + 1), cell, summary };
        Section {
            heading: naming.short(&cell.config),
            is_open: index == 0 || study.cells.len() <= UNFOLDED,
            setting: played::setting_line(cell),
            groups: groups(&view).into_iter().chain(viewer::group(&view, limit(index), komi)).collect(),
            id: view.id,
        }
    };
    study.cells.iter().zip(summaries).enumerate().map(section).collect()
}

fn groups(view: &View<'_>) -> Vec<Group> {
    if view.finished().games == 0 {
        let text = "No game of this cell ended by the rules, so there is nothing to estimate. The capped games are measured below.";
        let tables = vec![lengths::ends(view), lengths::spreads(view), superko::overview(view)];
        return vec![
            Group { text: text.to_owned(), tables, ..Group::new("Capped games") },
            status::group(view),
        ];
    }
    vec![
        results::group(view),
        lengths::group(view),
        superko::group(view),
        maps::group(view),
        status::group(view),
    ]
}

impl Titled {
    fn new(title: impl Into<String>, table: DataTable) -> Self {
        Self { title: title.into(), table, note: String::new() }
    }
}
