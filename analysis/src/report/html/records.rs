//! The page about real games.

use std::cmp::Reverse;

use askama::Template;
use jigo_engine::Komi;

use super::{
    Fact, Figure, MADE, boards,
    parts::{DataTable, Group, distribution, per_cent, rate_cells, spread_cells},
    record_games,
    results::length_figure,
    status, superko,
};
use crate::{
    Histogram,
    records::{BoardMeasures, RecordMeasures, RecordStudy, ResultCounts, equal},
    report::{
        ReportMeta,
        format::{cells, fixed, group, or_dash, quantity},
        summary::{Rate, StatusTables},
    },
    stats::MEDIAN_METHOD,
};

/// The most faults that the page lists; `faults.csv` has all.
const MAX_FAULTS: usize = 200;

#[derive(Template)]
#[template(path = "records.html")]
struct Page<'a> {
    meta: &'a ReportMeta,
    contents: Vec<(String, String)>,
    headline: String,
    /// That measuring was interrupted, if it was.
    interruption: Option<String>,
    games: String,
    facts: Vec<Fact>,
    /// Pictures of the board with most games.
    figures: Vec<Figure>,
    groups: Vec<Group>,
}

pub(crate) fn page(study: &RecordStudy, meta: &ReportMeta) -> String {
    let total = study.total();
    let mut boards: Vec<&BoardMeasures> = study.boards.values().collect();
    boards.sort_by_key(|board| Reverse(board.games));
    let mut groups = vec![results(study)];
    if total.games > 0 {
        groups.extend(other_boards(&boards));
        groups.extend([lengths(&total), repetitions(&total), status(&total)]);
        groups.extend(counted(&total));
        groups.extend(record_games::games(&study.examples));
    }
    groups.extend([doubts(&total), faults(study)]);
    let contents = groups.iter().map(|group| (group.id(), group.heading.to_owned()));
    let page = Page {
        meta,
        contents: contents.chain([MADE.map(str::to_owned).into()]).collect(),
        headline: boards.first().map_or_else(|| "No game was measured.".to_owned(), |board| headline(board)),
        interruption: study.interruption(),
        games: quantity(study.games(), "game"),
        facts: facts(study, &total),
        figures: boards.first().map_or_else(Vec::new, |board| boards::figures(board)),
        groups,
    };
    super::render(&page)
}

/// Says how often Black won the even games with the most frequent komi; how many games there are if no komi is known.
fn headline(board: &BoardMeasures) -> String {
    let by_komi = board.even_games_by(|key| key.komi_half_points);
    let most = by_komi.into_iter().max_by_key(|(_, results)| results.games());
    let Some((komi, results)) = most else {
        return format!("{} on {}.", quantity(board.games, "game"), board.size);
    };
    let [_, share, interval] = rate_cells(results.black_wins().into());
    format!(
        "Black won {share} % ({interval}) of {} on {} with komi {}.",
        quantity(results.games(), "even game"),
        board.size,
        Komi::from_half_points(komi)
    )
}

fn facts(study: &RecordStudy, total: &RecordMeasures) -> Vec<Fact> {
    let mut facts = vec![Fact::new(&group(study.games()), "games measured", "#results")];
    if let Some(plies) = total.plies.spread() {
        facts.push(Fact::new(&fixed(plies.mean, 0), "plies in a game, on average", "#length-and-captures"));
    }
    let repeated = total.repetitions.games;
    if repeated > 0 {
        facts.push(Fact::new(&quantity(repeated, "game"), "in which a position came back", "#repetitions"));
    }
    if let Some(share) = StatusTables::new(&total.status).both.solved_chain_share {
        let meaning = "of the chains in the last positions are solved";
        facts.push(Fact::new(&format!("{} %", fixed(100.0 * share, 1)), meaning, "#life-and-death"));
    }
    let left_out = study.faults.count();
    if left_out > 0 {
        facts.push(Fact::new(&group(left_out), "records left out as faulty", "#records-that-were-left-out"));
    }
    facts
}

fn results(study: &RecordStudy) -> Group {
    let mut shown = Group::new("Results");
    shown.text = "Rules, komi and handicap stand as the records write them. Results are those recorded, not counted again."
        .to_owned();
    if study.groups.keys().any(|key| key.converted_komi().is_some()) {
        shown.text += " A komi in other units than points has its points beside it: 650 are hundredths, 6.5 points; 375 are 3.75 stones of Chinese half \
                       counting, 7.5 points.";
    }
    let note = format!(
        "By games that were counted; games that were resigned are not in it. Method: {MEDIAN_METHOD}."
    );
    let fair_komi = table_of_groups(study, &FAIR_KOMI, fair_komi_cells);
    shown.tables = vec![
        table_of_groups(study, &SHARES, |measures| Some(share_cells(measures))).titled(
            "Who won",
            "Shares of the games with a winner or a draw; exact Clopper–Pearson interval.",
        ),
        kinds(study).titled("Kinds of results", ""),
    ];
    let mut rules = DataTable::new(2, ["rules in full", "fingerprint of the rules", "games"]);
    rules.digests = Some(1);
    for (text, read) in &study.total().checked_by {
        rules.push(cells![text, read.fingerprint, group(read.games)]);
    }
    let tables = [
        fair_komi.titled("Fair komi by recorded scores", note),
        rules.titled("Rules that moves were checked against", ""),
    ];
    shown.tables.extend(tables.into_iter().filter(|table| !table.rows.is_empty()));
    shown
}

/// Draws the same of other boards as of the one with most games, which comes first.
fn other_boards(boards: &[&BoardMeasures]) -> Option<Group> {
    /// The most boards of which pictures are drawn.
    const MAX: usize = 3;
    let figures: Vec<Figure> =
        boards.iter().take(MAX).skip(1).flat_map(|board| boards::figures(board)).collect();
    (!figures.is_empty()).then(|| Group { figures, ..Group::new("Other boards") })
}

/// Compares the counts of last positions with the recorded results.
fn counted(total: &RecordMeasures) -> Option<Group> {
    let mut table = DataTable::new(1, ["last positions", "games", "same margin", "%", "95 % interval"]);
    let kinds = [
        ("with every chain solved", &total.solved_differences),
        ("with the other chains estimated by playouts", &total.estimates.differences),
    ];
    for (name, differences) in kinds.into_iter().filter(|(_, differences)| !differences.is_empty()) {
        let rate = rate_cells(Rate::new(equal(differences), differences.count()));
        table.push(cells![name, group(differences.count())].into_iter().chain(rate));
    }
    let figure = |(id, title, differences): (&str, &str, &Histogram)| {
        let text =
            "Black’s margin in the last position, dead stones off, minus the recorded margin before komi.";
        let words = ["difference, points", "games", "points"];
        (!differences.is_empty()).then(|| distribution([id, title, text], differences, words, None))
    };
    let figures = [
        ("counted-solved", "Counts of solved positions and the record", &total.solved_differences),
        ("counted-estimated", "Counts by estimate and the record", &total.estimates.differences),
    ];
    let text = "Games with a recorded score and a komi that fits it. A difference may be a point that nobody played on, a count of the players that was \
                wrong, or a komi that is not the recorded one.";
    (!table.rows.is_empty()).then(|| Group {
        text: text.to_owned(),
        figures: figures.into_iter().filter_map(figure).collect(),
        tables: vec![table.titled("Counts that agree with the record", "")],
        ..Group::new("Results and counts")
    })
}

/// Shows cells for each group of games, after its board, rules, komi and handicap as written; nothing of groups without cells.
fn table_of_groups(
    study: &RecordStudy,
    headings: &[&str],
    cells_of: impl Fn(&RecordMeasures) -> Option<Vec<String>>,
) -> DataTable {
    const KEY: [&str; 4] = ["board", "rules", "komi", "handicap"];
    let mut table = DataTable::new(4, KEY.iter().chain(headings).copied());
    for (key, measures) in &study.groups {
        if let Some(cells) = cells_of(measures) {
            table.push([cells![key.size, key.rules, key.komi_text(), key.handicap], cells].concat());
        }
    }
    table
}

const SHARES: [&str; 9] =
    ["games", "Black wins", "%", "95 % interval", "White wins", "%", "draws", "%", "other"];

fn share_cells(measures: &RecordMeasures) -> Vec<String> {
    let shares = measures.results.shares();
    let [black, white, draws] = [shares.black_wins(), shares.white_wins(), shares.draws()].map(Rate::from);
    let mut cells = vec![group(measures.games)];
    cells.extend(rate_cells(black));
    for rate in [white, draws] {
        cells.extend([group(rate.count), per_cent(rate.share)]);
    }
    cells.push(group(measures.results.undecided()));
    cells
}

fn kinds(study: &RecordStudy) -> DataTable {
    let winners = ["Black", "White"].into_iter().flat_map(|winner| {
        ["by score", "by resignation", "on time", "by forfeit", "unstated"]
            .map(|kind| format!("{winner} {kind}"))
    });
    let others = ["draw", "no result", "unknown", "not a result", "not recorded"].map(str::to_owned);
    let counts = |results: &ResultCounts| {
        let wins = [results.black, results.white]
            .into_iter()
            .flat_map(|wins| [wins.score, wins.resignation, wins.time, wins.forfeit, wins.unstated]);
        let others = [results.draw, results.void, results.unknown, results.other, results.not_recorded];
        wins.chain(others).collect::<Vec<u64>>()
    };
    // The kinds that occur.
    let totals = counts(&study.total().results);
    let occur = |place: &usize| totals[*place] > 0;
    let headings: Vec<String> = winners.chain(others).collect();
    let headings = (0..headings.len()).filter(occur).map(|place| headings[place].as_str());
    table_of_groups(study, &headings.collect::<Vec<_>>(), |measures| {
        let counts = counts(&measures.results);
        Some((0..counts.len()).filter(occur).map(|place| group(counts[place])).collect())
    })
}

const FAIR_KOMI: [&str; 4] =
    ["games with a score", "nearest half-integer komi", "nearest whole komi", "median margin, 95 % interval"];

/// Fair komi by recorded scores, where there are enough.
fn fair_komi_cells(measures: &RecordMeasures) -> Option<Vec<String>> {
    let fair = measures.fair_komi().ok()?;
    let median = format!("{} to {}", fair.median_interval.lower, fair.median_interval.upper);
    Some(cells![group(fair.games), fair.half.komi, fair.whole.komi, median])
}

fn lengths(total: &RecordMeasures) -> Group {
    let text = "Plies in the records, passes included; resigned games end early.";
    let headings = ["per game", "mean", "± standard error", "standard deviation", "least", "median", "most"];
    let mut table = DataTable::new(1, headings);
    for (name, counts) in [
        ("plies", &total.plies),
        ("passes", &total.passes),
        ("black stones removed", &total.captures.black),
        ("white stones removed", &total.captures.white),
    ] {
        table.push(cells![name].into_iter().chain(spread_cells(counts.spread())));
    }
    Group {
        figures: vec![length_figure("lengths", text, &total.plies)],
        tables: vec![table.titled("Counts per game", "")],
        ..Group::new("Length and captures")
    }
}

fn repetitions(total: &RecordMeasures) -> Group {
    let mut group = Group::new("Repetitions");
    let events = &total.repetitions;
    let [count, share, interval] = rate_cells(Rate::new(events.games, total.games));
    group.text = format!(
        "A position came back in {count} of {}: {share} % ({interval} %, exact 95 % interval).",
        quantity(total.games, "game")
    );
    if events.events > 0 {
        let table = superko::cycles(events, total.games);
        group.tables = vec![table.titled("By length of the cycle", "")];
    }
    group
}

fn status(total: &RecordMeasures) -> Group {
    let tables = StatusTables::new(&total.status);
    let mut group = status::group_of(&[("all", &total.status, &tables)], "all");
    group.tables.insert(0, status::positions(&total.status, &tables));
    group.text += " People stop long before all stones are settled, so much stays unknown. ";
    group.text += &match total.searched {
        0 => "The last positions were judged by unconditional life alone: --status search asks for certified statuses.".to_owned(),
        searched => format!(
            "{} searched for certified statuses, the others (after a resignation, for instance) judged by unconditional life alone.",
            quantity(searched, "last position")
        ),
    };
    if let Some(estimates) = total.estimates.text() {
        group.text += &format!(" {estimates}.");
    }
    group
}

fn doubts(total: &RecordMeasures) -> Group {
    let mut table = DataTable::new(1, ["what", "games"]);
    total.doubts().into_iter().for_each(|(name, games)| table.push(cells![name, group(games)]));
    let tables = vec![table.titled("Games with something doubtful", "")];
    Group { tables, ..Group::new("What is doubtful in records that were used") }
}

fn faults(study: &RecordStudy) -> Group {
    let mut shown = Group::new("Records that were left out");
    shown.text = format!(
        "{} could not be used. Each is listed with what is wrong.",
        quantity(study.faults.count(), "record")
    );
    let mut reasons = DataTable::new(2, ["found in", "reason", "records"]);
    for (stage, reason, count) in study.faults.by_reason() {
        reasons.push(cells![stage, reason, group(count)]);
    }
    let mut list = DataTable::new(4, ["file", "byte", "move", "what is wrong"]);
    for fault in study.faults.first().take(MAX_FAULTS) {
        list.push(cells![fault.file, fault.byte, or_dash(fault.move_number), fault.text]);
    }
    if !list.rows.is_empty() {
        let note = format!("At most {MAX_FAULTS} are shown here; faults.csv has all of them.");
        shown.tables = vec![reasons.titled("By reason", ""), list.titled("One by one", note)];
    }
    shown
}
