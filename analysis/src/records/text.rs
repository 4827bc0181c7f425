//! The summary for a terminal of 100 columns.

use jigo_engine::life::Status;

use super::{FaultStage, GroupKey, RecordMeasures, RecordStudy, ResultCounts, Written};
use crate::{
    Proportion,
    stats::{Merge, fixed, group, quantity},
};

/// Returns the tables that `jigo analyze` prints: results by rules, komi and handicap; repetitions; life and death; what is doubtful; what
/// could not be used. No line is longer than 100 characters.
#[must_use]
pub fn records_summary(study: &RecordStudy) -> String {
    let total = study.total();
    let parts = [
        overview(study),
        komi_tables(study),
        fair_komi_lines(study),
        repetition_lines(&total),
        life_lines(&total),
        table("games with something doubtful", total.doubts()),
        fault_lines(study),
    ];
    let parts = parts.into_iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n") + "\n");
    parts.collect::<Vec<_>>().join("\n")
}

fn overview(study: &RecordStudy) -> Vec<String> {
    let faults = |stage| study.faults.count_at(stage);
    let mut lines: Vec<String> = study.interruption().into_iter().collect();
    lines.extend([
        format!("{} measured, from {}", quantity(study.games(), "game"), quantity(study.files, "file")),
        format!(
            "left out: {} not readable, {} that break the rules; {} files or archives not read",
            quantity(faults(FaultStage::Record), "game"),
            group(faults(FaultStage::Replay)),
            group(faults(FaultStage::File))
        ),
    ]);
    if study.other_files > 0 {
        lines.push(format!("passed over: {} other files", group(study.other_files)));
    }
    lines
}

/// Returns one table for each size and rule set.
fn komi_tables(study: &RecordStudy) -> Vec<String> {
    let rows: Vec<_> = study.groups.iter().collect();
    let is_same = |one: &GroupKey, other: &GroupKey| (one.size, &one.rules) == (other.size, &other.rules);
    let tables = rows.chunk_by(|(one, _), (other, _)| is_same(one, other)).map(|rows| {
        let GroupKey { rules, size, .. } = rows[0].0;
        let rules = rules.text().map_or("rules not recorded".to_owned(), |text| format!("rules `{text}`"));
        let mut lines = vec![format!("{size}, {rules}: results by komi and handicap as written")];
        lines.push(komi_line(["komi", "handicap", "games", "Black", "White", "draws", "other"]));
        let mut all = ResultCounts::default();
        for (key, RecordMeasures { results, .. }) in rows {
            let name = |written: &Written, text: String| {
                written.text().map_or("-".to_owned(), |_| shorten(&text, 12))
            };
            let (komi, handicap) =
                (name(&key.komi, key.komi_text()), name(&key.handicap, key.handicap.to_string()));
            lines.push(result_line(&komi, &handicap, results));
            all.merge(results);
        }
        if rows.len() > 1 {
            lines.push(result_line("all", "", &all));
        }
        lines
    });
    tables.collect::<Vec<_>>().join(&String::new())
}

fn result_line(komi: &str, handicap: &str, results: &ResultCounts) -> String {
    let (shares, other) = (results.shares(), results.undecided());
    let [black, white, draws] = [shares.black_wins(), shares.white_wins(), shares.draws()]
        .map(|part| format!("{} {:>9}", part.count(), part.to_string()));
    let (games, other) = ((shares.games() + other).to_string(), other.to_string());
    komi_line([komi, handicap, &games, &black, &white, &draws, &other])
}

fn komi_line([komi, handicap, games, black, white, draws, other]: [&str; 7]) -> String {
    format!("{komi:>12} {handicap:>8} {games:>9} {black:>19} {white:>19} {draws:>19} {other:>8}")
}

fn fair_komi_lines(study: &RecordStudy) -> Vec<String> {
    let lines = study.groups.iter().filter_map(|(key, measures)| {
        let fair = measures.fair_komi().ok()?;
        let (rules, komi) = (shorten(&key.rules.to_string(), 16), shorten(&key.komi_text(), 12));
        let (size, half, whole, games) = (key.size, fair.half.komi, fair.whole.komi, fair.games);
        let (low, high) = (fair.median_interval.lower, fair.median_interval.upper);
        Some(format!(
            "{size}, {rules}, komi {komi}: {half} or {whole}; median {low} to {high} (95 %), {games} games"
        ))
    });
    let mut lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        lines.insert(0, "fair komi by recorded scores (games that were resigned are not in it)".to_owned());
    }
    lines
}

fn repetition_lines(total: &RecordMeasures) -> Vec<String> {
    if total.games == 0 {
        return Vec::new();
    }
    let events = &total.repetitions;
    let games = Proportion::new(events.games, total.games).expect("games with events are games");
    let interval = games.interval();
    let mut lines = vec![format!(
        "a position repeats in {} of {} games ({games}, 95 % interval {} to {} %), {} moves",
        group(events.games),
        group(total.games),
        fixed(100.0 * interval.lower, 3),
        fixed(100.0 * interval.upper, 3),
        group(events.events)
    )];
    if events.events > 0 {
        lines.push(format!(
            "{:>8} {:>9} {:>9} {:>9} {:>10} {:>9} {:>12}",
            "cycle", "games", "moves", "balanced", "unbalanced", "with pass", "same player"
        ));
    }
    for (length, cycle) in &events.by_cycle {
        lines.push(format!(
            "{length:>8} {:>9} {:>9} {:>9} {:>10} {:>9} {:>12}",
            cycle.games,
            cycle.events(),
            cycle.balanced,
            cycle.unbalanced,
            cycle.with_pass,
            cycle.same_player
        ));
    }
    lines
}

fn life_lines(total: &RecordMeasures) -> Vec<String> {
    let status = &total.status;
    let table = status.both().table;
    let (all, known) = (table.total().chains, table.decided().chains);
    let Some(share) = Proportion::new(known, all).ok().filter(|_| all > 0) else { return Vec::new() };
    let with = |found| group(status.positions_with(found));
    let mut lines = vec![
        format!("last positions: {} of {} chains have a proved status ({share})", group(known), group(all)),
        format!(
            "  of {} positions {} are decided wholly, {} hold a seki, {} dead chains",
            group(status.positions),
            group(status.decided_positions),
            with(Status::Seki),
            with(Status::Dead)
        ),
        match total.searched {
            0 => "  by unconditional life alone; --status search asks for certified statuses".to_owned(),
            searched => {
                format!("  {} were searched, the others judged by unconditional life alone", group(searched))
            }
        },
    ];
    lines.extend(total.estimates.text().map(|text| format!("  {text}")));
    lines
}

fn fault_lines(study: &RecordStudy) -> Vec<String> {
    let reasons = study.faults.by_reason();
    let mut reasons: Vec<_> =
        reasons.map(|(stage, reason, count)| (format!("{reason} ({stage})"), count)).collect();
    reasons.sort_by(|(name, count), (other_name, other)| other.cmp(count).then_with(|| name.cmp(other_name)));
    table("left out", reasons)
}

/// Returns the lines of counts; nothing at all where there is nothing to count.
fn table(title: &str, counts: Vec<(String, u64)>) -> Vec<String> {
    let title = (!counts.is_empty()).then(|| title.to_owned());
    let line = |(name, number): (String, u64)| format!("{:>8}  {}", group(number), shorten(&name, 80));
    title.into_iter().chain(counts.into_iter().map(line)).collect()
}

fn shorten(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 3).chain("...".chars()).collect()
}
