//! The page about real games.

use askama::Template;

use super::{
    Head,
    parts::{DataTable, Group, Titled, per_cent, rate_cells, spread_cells},
    results::length_figure,
    status::{self, Shown},
    superko,
};
use crate::{
    records::{KomiRow, RecordMeasures, RecordStudy, komi_rows},
    report::{
        ReportMeta,
        format::{DASH, counted, grouped, in_per_cent, with_interval},
        statuses::StatusTables,
        summary::{Rate, Spread},
    },
    stats::MEDIAN_METHOD,
};

/// The most faults that the page lists; `faults.csv` has all.
const MAX_FAULTS: usize = 200;

#[derive(Template)]
#[template(path = "records.html")]
struct Page<'a> {
    meta: &'a ReportMeta,
    games: String,
    groups: Vec<Group>,
    head: Head,
}

/// The page.
pub(crate) fn page(study: &RecordStudy, meta: &ReportMeta) -> String {
    let total = study.total();
    let mut groups = vec![results(study)];
    if total.games > 0 {
        groups.extend([lengths(&total), repetitions(&total), status(&total)]);
    }
    groups.push(doubts(&total));
    groups.push(faults(study));
    let page = Page { meta, games: counted(study.games(), "game"), groups, head: Head::new("") };
    page.render().expect("a page is rendered in memory from values that can be shown")
}

/// Board, rules, komi and handicap of a group, as written.
fn key_cells(row: &KomiRow<'_>) -> [String; 4] {
    let key = row.key;
    [key.size().to_string(), key.rules.to_string(), key.komi.to_string(), key.handicap.to_string()]
}

const KEY: [&str; 4] = ["board", "rules", "komi", "handicap"];

fn results(study: &RecordStudy) -> Group {
    let mut group = Group::new("Results by rules, komi and handicap");
    group.text = "Rules, komi and handicap stand as the records write them; nothing is guessed. Results are those recorded, not counted again."
        .to_owned();
    group.tables = vec![shares(study), kinds(study)];
    group.tables.extend(fair_komi(study));
    group.tables.extend(rules_read(&study.total()));
    group
}

/// Shows the rules that were read from the records.
fn rules_read(total: &RecordMeasures) -> Option<Titled> {
    let mut table = DataTable::new(2, ["rules in full", "fingerprint of the rules", "games"]).with_digests(1);
    for (rules, read) in &total.checked_by {
        table.push([rules.clone(), read.fingerprint.clone(), grouped(read.games)]);
    }
    (!table.rows.is_empty()).then(|| Titled::new("Rules that moves were checked against", table))
}

fn shares(study: &RecordStudy) -> Titled {
    let headings = ["games", "Black wins", "%", "95 % interval", "White wins", "%", "draws", "%", "other"];
    let mut table = DataTable::new(4, KEY.into_iter().chain(headings));
    for row in komi_rows(study) {
        let shares = row.shares;
        let [black, black_share, interval] = rate_cells(shares.black_wins().into());
        let [white, draws] = [shares.white_wins(), shares.draws()].map(Rate::from);
        let cells = [
            grouped(row.measures.games),
            black,
            black_share,
            interval,
            grouped(white.count),
            per_cent(white.share),
            grouped(draws.count),
            per_cent(draws.share),
            grouped(row.undecided),
        ];
        table.push(key_cells(&row).into_iter().chain(cells));
    }
    let note = "Shares of the games with a winner or a draw; exact Clopper–Pearson interval.".to_owned();
    Titled { note, ..Titled::new("Who won", table) }
}

fn kinds(study: &RecordStudy) -> Titled {
    let winners = ["Black", "White"].into_iter().flat_map(|winner| {
        ["by score", "by resignation", "on time", "by forfeit", "unstated"]
            .map(|kind| format!("{winner} {kind}"))
    });
    let others = ["draw", "no result", "unknown", "not a result", "not recorded"].map(str::to_owned);
    let headings: Vec<String> = KEY.map(str::to_owned).into_iter().chain(winners).chain(others).collect();
    let mut table = DataTable::new(4, headings.iter().map(String::as_str));
    for row in komi_rows(study) {
        let results = &row.measures.results;
        let wins = [results.black, results.white]
            .into_iter()
            .flat_map(|wins| [wins.score, wins.resignation, wins.time, wins.forfeit, wins.unstated]);
        let others = [results.draw, results.void, results.unknown, results.other, results.not_recorded];
        table.push(key_cells(&row).into_iter().chain(wins.chain(others).map(grouped)));
    }
    Titled::new("Kinds of results", table)
}

/// Fair komi by recorded scores, where there are enough.
fn fair_komi(study: &RecordStudy) -> Option<Titled> {
    let headings = [
        "games with a score",
        "nearest half-integer komi",
        "nearest whole komi",
        "median margin, 95 % interval",
    ];
    let mut table = DataTable::new(4, KEY.into_iter().chain(headings));
    for row in komi_rows(study) {
        let Some(fair) = &row.fair_komi else { continue };
        let median = format!("{} to {}", fair.median_interval.lower, fair.median_interval.upper);
        let cells = [grouped(fair.games), fair.half.komi.to_string(), fair.whole.komi.to_string(), median];
        table.push(key_cells(&row).into_iter().chain(cells));
    }
    let note = format!(
        "By games that were counted; games that were resigned are not in it. Method: {MEDIAN_METHOD}."
    );
    (!table.rows.is_empty()).then(|| Titled { note, ..Titled::new("Fair komi by recorded scores", table) })
}

fn lengths(total: &RecordMeasures) -> Group {
    let mut group = Group::new("Length and captures");
    let text = "Plies in the records, passes included; resigned games end early.";
    group.figures = vec![length_figure("lengths", text, &total.plies)];
    let headings = ["per game", "mean", "± standard error", "standard deviation", "least", "median", "most"];
    let mut table = DataTable::new(1, headings);
    for (name, counts) in [
        ("plies", &total.plies),
        ("passes", &total.passes),
        ("black stones removed", &total.captures.black),
        ("white stones removed", &total.captures.white),
    ] {
        table.push([name.to_owned()].into_iter().chain(spread_cells(Spread::of(counts))));
    }
    group.tables = vec![Titled::new("Counts per game", table)];
    group
}

fn repetitions(total: &RecordMeasures) -> Group {
    let mut group = Group::new("Repetitions");
    let events = &total.repetitions;
    let rate = Rate::new(events.games, total.games);
    let (share, interval) = with_interval(100.0 * rate.share.unwrap_or(0.0), in_per_cent(rate.interval));
    group.text = format!(
        "A position came back in {} of {}: {share} % ({interval} %, exact 95 % interval).",
        grouped(events.games),
        counted(total.games, "game")
    );
    if events.events > 0 {
        group.tables = vec![Titled::new("By length of the cycle", superko::cycles(events, total.games))];
    }
    group
}

fn status(total: &RecordMeasures) -> Group {
    let tables = StatusTables::new(&total.status);
    let mut group = status::of(&[Shown { name: "all", tables: &tables, counts: &total.status }], "all");
    group.tables.insert(0, status::positions(&total.status));
    group.text += " People stop long before all stones are settled, so much stays unknown. ";
    group.text += &match total.searched {
        0 => "The last positions were judged by unconditional life alone: --status search asks for certified statuses.".to_owned(),
        searched => format!(
            "{} searched for certified statuses, the others (after a resignation, for instance) judged by unconditional life alone.",
            counted(searched, "last position")
        ),
    };
    group
}

fn doubts(total: &RecordMeasures) -> Group {
    let mut group = Group::new("What is doubtful in records that were used");
    let mut table = DataTable::new(1, ["what", "games"]);
    let warnings = total.warnings.iter().map(|(name, counts)| (name.as_str(), counts.games));
    let others = [
        ("moves after two passes", total.plies_after_end.count()),
        ("position edited between moves", total.edited),
        ("score contradicts komi", total.contradicting_scores),
    ];
    let mut rows: Vec<(&str, u64)> = warnings.chain(others).filter(|&(_, games)| games > 0).collect();
    rows.sort_by_key(|&(name, games)| (std::cmp::Reverse(games), name));
    rows.into_iter().for_each(|(name, games)| table.push([name.to_owned(), grouped(games)]));
    group.tables = vec![Titled::new("Games with something doubtful", table)];
    group
}

fn faults(study: &RecordStudy) -> Group {
    let mut group = Group::new("Records that were left out");
    group.text = format!(
        "{} could not be used. Each is listed with what is wrong.",
        counted(study.faults.count(), "record")
    );
    let mut reasons = DataTable::new(2, ["found in", "reason", "records"]);
    for (stage, reason, count) in study.faults.by_reason() {
        reasons.push([stage.to_string(), reason.to_owned(), grouped(count)]);
    }
    let mut list = DataTable::new(4, ["file", "byte", "move", "what is wrong"]);
    for fault in study.faults.first().take(MAX_FAULTS) {
        let number = fault.move_number.map_or_else(|| DASH.to_owned(), |number| number.to_string());
        list.push([fault.file.clone(), fault.byte.to_string(), number, fault.text.clone()]);
    }
    if !list.rows.is_empty() {
        let note = format!("At most {MAX_FAULTS} are shown here; faults.csv has all of them.");
        group.tables =
            vec![Titled::new("By reason", reasons), Titled { note, ..Titled::new("One by one", list) }];
    }
    group
}
