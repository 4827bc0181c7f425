//! The report as one page that needs nothing else: style and pictures are in it, and it loads nothing.

mod boards;
mod front;
mod matches;
mod overview;
mod parts;
mod record_games;
mod records;
mod results;
mod rules;
mod status;
mod stones;
mod strength;
mod superko;
mod viewer;

use askama::Template;
use jigo_engine::Counting;
use jigo_selfplay::fingerprint::rules_fingerprint;

pub use matches::{match_page, tournament_page};
pub(super) use parts::{DataTable, Fact, Figure};
pub(super) use records::page as records_page;
pub(super) use viewer::{SCRIPT, SCRIPT_SOURCE};

use super::{
    ReportMeta,
    examples::{MAX_IN_PAGE, MAX_IN_RUN},
    format::{DASH, cells, group, join_units, quantity},
    quantities,
    summary::{RunSummary, Summary},
};
use crate::RunStats;
use overview::Overview;
use parts::{Group, quantity_tables};

/// The last part of all pages.
const MADE: [&str; 2] = ["made", "How it was made"];
/// The parts of a page that its contents list, if they are there: their names in links, and their titles.
const CONTENTS: [[&str; 2]; 8] = [
    ["strength", "Strength"],
    ["komi", "Fair komi"],
    ["results", "Results"],
    ["superko", "Superko"],
    ["life", "Life and death"],
    ["rules", "Rules compared"],
    ["stones", "Handicap"],
    MADE,
];
/// The most runs that the contents list one by one.
const MAX_LISTED: usize = 6;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    meta: &'a ReportMeta,
    in_common: String,
    /// That the study was interrupted, if it was.
    interruption: Option<String>,
    games: String,
    komi: String,
    overview: Option<Overview>,
    contents: Vec<(String, String)>,
    front: Vec<Group>,
    played: DataTable,
    has_stopped: bool,
    has_territory: bool,
    /// Whether stones are proved dead in any final position.
    has_dead: bool,
    compared: Vec<rules::Compared>,
    handicaps: Vec<rules::Compared>,
    stones_note: &'static str,
    /// First the pictures of all boards, then each board.
    strengths: Vec<rules::Compared>,
    strength_note: &'static str,
    sections: Vec<Section<'a>>,
}

struct Section<'a> {
    id: String,
    heading: String,
    is_open: bool,
    run: &'a RunStats,
    groups: Vec<Group>,
}

pub(super) fn page(summary: &Summary<'_>, meta: &ReportMeta) -> String {
    let Summary { study, naming, .. } = summary;
    let territory = |run: &RunStats| run.config.rules.counting == Counting::Territory;
    let mut front = front::groups(summary);
    let mut strengths = strength::strengths(&summary.strengths, &summary.komi_text());
    let overview = Overview::new(summary, &mut strengths, &mut front);
    let sections = sections(summary, overview.as_ref().map(|overview| overview.open_run));
    let compared = rules::compared(&summary.comparisons);
    let handicaps = stones::handicaps(&summary.handicaps);
    let is_shown = |id| match id {
        "strength" => !strengths.is_empty(),
        "rules" => !compared.is_empty(),
        "stones" => !handicaps.is_empty(),
        "made" => true,
        _ => !front.is_empty(),
    };
    let contents = CONTENTS.into_iter().filter(|[id, _]| is_shown(*id));
    let contents = contents.map(|part| part.map(str::to_owned).into());
    let runs = sections.iter().map(|section| (section.id.clone(), section.heading.clone()));
    let runs: Vec<_> = match sections.len() {
        ..=MAX_LISTED => runs.collect(),
        _ => vec![(sections[0].id.clone(), "Runs".to_owned())],
    };
    let page = Page {
        contents: contents.chain(runs).collect(),
        overview,
        meta,
        in_common: naming.in_common(),
        interruption: summary.interruption(),
        games: quantity(study.games(), "game"),
        komi: summary.komi_text().replace('-', "−"),
        front,
        played: played(summary),
        has_stopped: study.runs.iter().any(|run| run.stopped.games > 0),
        has_territory: study.runs.iter().any(territory),
        has_dead: study.runs.iter().any(|run| !run.finished.status.dead.changes.is_empty()),
        compared,
        handicaps,
        stones_note: super::stones::NOTE,
        strengths,
        strength_note: super::strength::NOTE,
        sections,
    };
    render(&page)
}

/// Renders a page, whose numbers then stay on the line of their units.
pub(super) fn render(page: &impl Template) -> String {
    join_units(&page.render().expect("a page is rendered in memory from values that can be shown"))
}

/// Returns a section for each run, of which one is open.
fn sections<'a>(Summary { runs, naming, .. }: &'a Summary<'_>, open: Option<usize>) -> Vec<Section<'a>> {
    // The last of very many runs show none.
    let per_run = (MAX_IN_PAGE / runs.len().max(1)).clamp(1, MAX_IN_RUN);
    let limit = |index| if index < MAX_IN_PAGE { per_run } else { 0 };
    let section = |(index, run): (usize, &'a RunSummary<'_>)| {
        let id = format!("run{}", index + 1);
        Section {
            heading: naming.short(&run.config),
            is_open: Some(index) == open,
            run: run.run,
            groups: groups(&id, run).into_iter().chain(viewer::for_run(&id, run, limit(index))).collect(),
            id,
        }
    };
    runs.iter().enumerate().map(section).collect()
}

/// The parts of a run's section; `id` begins the names of everything in them.
fn groups(id: &str, run: &RunSummary<'_>) -> Vec<Group> {
    if let Some(unfinished) = run.finished.unfinished {
        let text = format!(
            "Nothing is estimated: {unfinished}. Below are the games that were stopped at the move limit."
        );
        let mut tables = vec![results::ends(run)];
        for section in [quantities::Section::Length, quantities::Section::Superko] {
            tables.extend(quantity_tables(run, section));
        }
        let stopped = Group { text, tables, ..Group::new("Games stopped at the move limit") };
        return vec![stopped, status::for_run(id, run)];
    }
    vec![
        results::for_run(id, run),
        results::lengths(id, run),
        superko::for_run(id, run),
        results::maps(id, run),
        status::for_run(id, run),
    ]
}

/// Shows what each run consists of.
fn played(Summary { study, naming, .. }: &Summary<'_>) -> DataTable {
    let headings = [
        "run",
        "rules in full",
        "fingerprint of the rules",
        "policy",
        "seeds and games",
        "move limit, plies",
        "finished games",
        "stopped games",
    ];
    let mut table = DataTable::new(5, headings);
    table.digests = Some(2);
    for run in &study.runs {
        let config = &run.config;
        table.push(cells![
            naming.short(config),
            config.rules.canonical(),
            rules_fingerprint(*config.rules),
            config.policy,
            coverage(run),
            group(config.ply_cap),
            group(run.finished.games),
            group(run.stopped.games),
        ]);
    }
    table
}

fn coverage(run: &RunStats) -> String {
    let range = |(seed, first, end): (u64, u64, u64)| format!("seed {seed}, games {first} to {}", end - 1);
    let ranges: Vec<String> = run.coverage.ranges().map(range).collect();
    if ranges.is_empty() { DASH.to_owned() } else { ranges.join("; ") }
}
