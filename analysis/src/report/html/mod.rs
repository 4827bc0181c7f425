//! The report as one page that needs nothing else: style and pictures are in it, and it loads nothing.

mod front;
mod maps;
mod parts;
mod records;
mod results;
mod rules;
mod status;
mod superko;
mod viewer;

use askama::Template;
use jigo_engine::{Counting, Komi};
use jigo_selfplay::fingerprint::rules_fingerprint;

pub(super) use parts::{DataTable, Figure};
pub(super) use records::page as records_page;
#[cfg(test)]
pub(super) use viewer::{SCRIPT, SCRIPT_SOURCE};

use super::{
    ReportMeta,
    examples::{MAX_IN_PAGE, MAX_IN_RUN},
    format::{DASH, Naming, cells, counted, grouped, size_name},
    quantities,
    rule_changes::ComparisonSummary,
    summary::{GameKind, RunSummary},
};
use crate::{RunStats, Study};
use parts::{Group, quantity_tables};

/// Up to so many runs are unfolded when the page opens.
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
    has_stopped: bool,
    has_territory: bool,
    compared: Vec<rules::Compared>,
    sections: Vec<Section>,
    head: Head,
}

/// The security policy of a page, which browsers enforce, and its script.
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

/// One run.
struct Section {
    id: String,
    heading: String,
    is_open: bool,
    setting: String,
    groups: Vec<Group>,
}

/// A run and its numbers, for the parts of its section.
struct View<'a> {
    /// Begins the names of everything in the section.
    id: String,
    run: &'a RunStats,
    summary: &'a RunSummary,
}

impl View<'_> {
    /// The kinds of games that there are.
    fn kinds(&self) -> impl Iterator<Item = GameKind> {
        GameKind::BOTH.into_iter().filter(|kind| kind.measures(self.run).games > 0)
    }
}

/// The page.
pub(super) fn page(
    study: &Study,
    summaries: &[RunSummary],
    comparisons: &[ComparisonSummary],
    meta: &ReportMeta,
) -> String {
    let naming = Naming::new(study);
    let territory = |run: &RunStats| run.config.rules.counting == Counting::Territory;
    let sections = sections(study, summaries, &naming, meta.komi);
    let has_games = sections.iter().flat_map(|section| &section.groups).any(|group| group.viewer.is_some());
    let page = Page {
        head: Head::new(if has_games { viewer::SCRIPT } else { "" }),
        meta,
        in_common: naming.in_common(),
        games: counted(study.games(), "game"),
        komi: meta.komi.to_string().replace('-', "−"),
        front: front::groups(summaries, &naming),
        played: played(study, &naming),
        has_stopped: study.runs.iter().any(|run| run.stopped.games > 0),
        has_territory: study.runs.iter().any(territory),
        compared: rules::compared(comparisons),
        sections,
    };
    page.render().expect("a page is rendered in memory from values that can be shown")
}

fn sections(study: &Study, summaries: &[RunSummary], naming: &Naming, komi: Komi) -> Vec<Section> {
    // The last of very many runs show none.
    let per_run = (MAX_IN_PAGE / study.runs.len().max(1)).clamp(1, MAX_IN_RUN);
    let limit = |index| if index < MAX_IN_PAGE { per_run } else { 0 };
    let section = |(index, (run, summary)): (usize, (&RunStats, &RunSummary))| {
        let view = View { id: format!("run{}", index + 1), run, summary };
        Section {
            heading: naming.short(&run.config),
            is_open: index == 0 || study.runs.len() <= UNFOLDED,
            setting: run_in_words(run),
            groups: groups(&view).into_iter().chain(viewer::group(&view, limit(index), komi)).collect(),
            id: view.id,
        }
    };
    study.runs.iter().zip(summaries).enumerate().map(section).collect()
}

fn groups(view: &View<'_>) -> Vec<Group> {
    if view.run.finished.games == 0 {
        let text = "No game of this run ended by the rules, so there is nothing to estimate. The games that were stopped at the move limit are measured \
                    below.";
        let mut tables = vec![results::ends(view)];
        for section in [quantities::Section::Length, quantities::Section::Superko] {
            tables.extend(quantity_tables(view, section));
        }
        let stopped =
            Group { text: text.to_owned(), tables, ..Group::new("Games stopped at the move limit") };
        return vec![stopped, status::group(view)];
    }
    vec![
        results::group(view),
        results::lengths(view),
        superko::group(view),
        maps::group(view),
        status::group(view),
    ]
}

/// Shows what each run consists of.
fn played(study: &Study, naming: &Naming) -> DataTable {
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
    let mut table = DataTable::new(5, headings).with_digests(2);
    for run in &study.runs {
        let config = &run.config;
        table.push(cells![
            naming.short(config),
            config.rules.canonical(),
            rules_fingerprint(config.rules),
            config.policy,
            coverage(run),
            grouped(config.ply_cap.into()),
            grouped(run.finished.games),
            grouped(run.stopped.games),
        ]);
    }
    table
}

fn coverage(run: &RunStats) -> String {
    let range = |(seed, first, end): (u64, u64, u64)| format!("seed {seed}, games {first} to {}", end - 1);
    let ranges: Vec<String> = run.coverage.ranges().map(range).collect();
    if ranges.is_empty() { DASH.to_owned() } else { ranges.join("; ") }
}

/// Describes a run in one line.
fn run_in_words(run: &RunStats) -> String {
    let config = &run.config;
    let stopped = match run.stopped.games {
        0 => "none stopped at the move limit".to_owned(),
        games => format!("{} stopped at the move limit and measured apart", grouped(games)),
    };
    let candidates = if config.count_forbidden { "; candidates forbidden by superko counted" } else { "" };
    format!(
        "Board {}; rules {}; policy {}; move limit {} plies; {}, {stopped}{candidates}.",
        size_name(config),
        config.rules,
        config.policy,
        config.ply_cap,
        counted(run.games(), "game"),
    )
}
