//! Shows the measurements of real games as CSV and JSON.
//!
//! [`komi_rows`] are what every form shows; another form, such as a section of a page, starts from them.

use std::io;

use csv::{Writer, WriterBuilder};
use jigo_engine::life::Status;

use super::{Fault, GroupKey, RecordMeasures, RecordStudy, Written};
use crate::{
    FairKomi,
    stats::Shares,
    study::{Balance, ChainCounts, StatusCounts},
};

/// Writes a study as JSON: counts only, so that studies read back can be merged exactly.
///
/// # Errors
/// Those of the writer.
pub fn write_records_json(study: &RecordStudy, writer: impl io::Write) -> io::Result<()> {
    serde_json::to_writer(writer, study).map_err(io::Error::from)
}

/// The results of one group of games.
#[derive(Clone, Debug)]
pub struct KomiRow<'a> {
    /// The group.
    pub key: &'a GroupKey,
    /// All that was measured.
    pub measures: &'a RecordMeasures,
    /// Games with a winner or a draw, as recorded.
    pub shares: Shares,
    /// Games with neither.
    pub undecided: u64,
    /// The fair komi, where enough scores and a plausible komi are recorded.
    pub fair_komi: Option<FairKomi>,
}

/// Iterates over the results by size, rules, komi and handicap, in that order.
pub fn komi_rows(study: &RecordStudy) -> impl Iterator<Item = KomiRow<'_>> {
    study.groups.iter().map(|(key, measures)| KomiRow {
        key,
        measures,
        shares: measures.results.shares(),
        undecided: measures.results.undecided(),
        fair_komi: measures.fair_komi().ok(),
    })
}

/// Writes faults one by one, so that any number of them can be listed. The header is written even if there is no fault.
#[derive(Debug)]
pub struct FaultWriter<W: io::Write>(Writer<W>);

impl<W: io::Write> FaultWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of the writer, as for all methods.
    pub fn new(writer: W) -> io::Result<Self> {
        let mut writer = WriterBuilder::new().has_headers(false).from_writer(writer);
        writer.write_record(["file", "byte", "move", "stage", "reason", "text"])?;
        Ok(Self(writer))
    }

    /// Writes one fault.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn write(&mut self, fault: &Fault) -> io::Result<()> {
        Ok(self.0.serialize(fault)?)
    }

    /// Flushes and returns the underlying writer.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn into_inner(self) -> io::Result<W> {
        self.0.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}

/// Reads faults that a [`FaultWriter`] wrote; a line that is no fault is an error.
pub(crate) fn read_faults(reader: impl io::Read) -> io::Result<Vec<Fault>> {
    let mut reader = csv::Reader::from_reader(reader);
    let faults = reader.deserialize().map(|line| {
        let (file, byte, move_number, stage, reason, text) = line?;
        Ok(Fault { file, byte, move_number, stage, reason, text })
    });
    faults.collect::<Result<_, csv::Error>>().map_err(io::Error::other)
}

/// Returns the columns that name a group. What is not recorded is an empty field.
fn group_fields(key: &GroupKey) -> [String; 4] {
    let text = |written: &Written| written.text().unwrap_or_default().to_owned();
    [key.size().to_string(), text(&key.rules), text(&key.komi), text(&key.handicap)]
}

/// Writes one line for each group: results, scores, lengths, captures, repetitions and status.
///
/// # Errors
/// Those of the writer.
pub fn write_records_csv(study: &RecordStudy, writer: impl io::Write) -> io::Result<()> {
    let mut writer = Writer::from_writer(writer);
    let names = GROUP.into_iter().chain(COLUMNS.map(|(name, _)| name)).map(str::to_owned);
    let status_names = status_columns(&StatusCounts::default()).into_iter().map(|(name, _)| name);
    writer.write_record(names.chain(status_names).collect::<Vec<_>>())?;
    for row in komi_rows(study) {
        let status = status_columns(&row.measures.status).into_iter().map(|(_, count)| count.to_string());
        writer.write_record(
            group_fields(row.key).into_iter().chain(COLUMNS.map(|(_, value)| value(&row))).chain(status),
        )?;
    }
    writer.flush()
}

const GROUP: [&str; 4] = ["size", "rules", "komi", "handicap"];

/// A column's name and its value in a row.
type Column = (&'static str, fn(&KomiRow<'_>) -> String);

/// Columns by their names and values.
macro_rules! columns {
    ($($name:literal: |$row:ident| $value:expr),* $(,)?) => {
        [$(($name, |$row: &KomiRow<'_>| $value.to_string())),*]
    };
}

const COLUMNS: [Column; 43] = columns! {
    "games": |row| row.measures.games,
    "black_wins": |row| row.shares.black,
    "white_wins": |row| row.shares.white,
    "draws": |row| row.shares.jigo,
    "undecided": |row| row.undecided,
    "black_score": |row| row.measures.results.black.score,
    "black_resignation": |row| row.measures.results.black.resignation,
    "black_time": |row| row.measures.results.black.time,
    "black_forfeit": |row| row.measures.results.black.forfeit,
    "black_unstated": |row| row.measures.results.black.unstated,
    "white_score": |row| row.measures.results.white.score,
    "white_resignation": |row| row.measures.results.white.resignation,
    "white_time": |row| row.measures.results.white.time,
    "white_forfeit": |row| row.measures.results.white.forfeit,
    "white_unstated": |row| row.measures.results.white.unstated,
    "void": |row| row.measures.results.void,
    "unknown": |row| row.measures.results.unknown,
    "other_result": |row| row.measures.results.other,
    "result_not_recorded": |row| row.measures.results.not_recorded,
    "scores": |row| row.measures.scores.count(),
    "score_half_points_sum": |row| row.measures.scores.sum(),
    "margins_before_komi": |row| row.measures.margins.games(),
    "contradicting_scores": |row| row.measures.contradicting_scores,
    "fair_komi_half": |row| fair(row, |fair| fair.half.komi.to_f64()),
    "fair_komi_whole": |row| fair(row, |fair| fair.whole.komi.to_f64()),
    "fair_komi_median_low": |row| fair(row, |fair| fair.median_interval.lower.into()),
    "fair_komi_median_high": |row| fair(row, |fair| fair.median_interval.upper.into()),
    "plies_sum": |row| row.measures.plies.sum(),
    "plies_min": |row| option(row.measures.plies.min()),
    "plies_max": |row| option(row.measures.plies.max()),
    "passes_sum": |row| row.measures.passes.sum(),
    "black_prisoners_sum": |row| row.measures.captures.black.sum(),
    "white_prisoners_sum": |row| row.measures.captures.white.sum(),
    "games_with_repetition": |row| row.measures.repetitions.games,
    "repetitions": |row| row.measures.repetitions.events,
    "balanced_repetitions": |row| row.measures.repetitions.balanced(),
    "games_on_after_two_passes": |row| row.measures.plies_after_end.count(),
    "plies_after_two_passes": |row| row.measures.plies_after_end.sum(),
    "edited_games": |row| row.measures.edited,
    "warnings": |row| warnings(row),
    "searched_positions": |row| row.measures.searched,
    "rules_read": |row| joined(row.measures.checked_by.keys()),
    "rules_fingerprint": |row| joined(row.measures.checked_by.values().map(|read| &read.fingerprint)),
};

/// Returns the columns about life and death by name: chains and stones of both sides, and positions.
fn status_columns(status: &StatusCounts) -> Vec<(String, u64)> {
    let table = status.both().table;
    let by_status = Status::ALL.map(|found| (format!("{found}_"), table.by_status(found)));
    let all = [(String::new(), table.total()), ("decided_".to_owned(), table.decided())];
    let counts = all.into_iter().chain(by_status).flat_map(|(prefix, ChainCounts { chains, stones })| {
        [(format!("{prefix}chains"), chains), (format!("{prefix}stones"), stones)]
    });
    let positions = [
        ("decided_positions", status.decided_positions),
        ("benson_positions", status.benson_positions),
        ("seki_positions", status.positions_with(Status::Seki)),
        ("dead_positions", status.positions_with(Status::Dead)),
    ];
    counts.chain(positions.map(|(name, count)| (name.to_owned(), count))).collect()
}

/// Returns the rules that a group was read to name; one, unless its text was cut.
fn joined<'a>(texts: impl Iterator<Item = &'a String>) -> String {
    texts.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Returns all warnings about a group's records.
fn warnings(row: &KomiRow<'_>) -> u64 {
    let listed: u64 = row.measures.warnings.values().map(|counts| counts.warnings).sum();
    listed + row.measures.warnings_left_out
}

fn fair(row: &KomiRow<'_>, value: impl Fn(&FairKomi) -> f64) -> String {
    option(row.fair_komi.as_ref().map(value))
}

fn option(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Writes the repetitions of every group that has any: by the length of the cycle, by the stones that the two players lost, more and fewer, and
/// by ply. The number of games is not known by ply; the last three columns are known by cycle only.
///
/// # Errors
/// Those of the writer.
pub fn write_repetitions_csv(study: &RecordStudy, writer: impl io::Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(writer);
    let columns = ["by", "value", "games", "moves", "balanced", "with_pass", "same_player"];
    writer.write_record(GROUP.iter().chain(&columns))?;
    for (key, RecordMeasures { repetitions, .. }) in &study.groups {
        let mut row = |by: &str, value: String, games: Option<u64>, moves: u64, cycles: [Option<u64>; 3]| {
            writer.serialize((group_fields(key), by, value, games, moves, cycles))
        };
        for (length, counts) in &repetitions.by_cycle {
            let cycles = [counts.balanced, counts.with_pass, counts.same_player].map(Some);
            row("cycle", length.to_string(), Some(counts.games), counts.events(), cycles)?;
        }
        for (Balance { more, fewer }, counts) in &repetitions.by_balance {
            row("removed", format!("{more}-{fewer}"), Some(counts.games), counts.events, [None; 3])?;
        }
        for (ply, count) in repetitions.by_ply.iter() {
            row("ply", ply.to_string(), None, count, [None; 3])?;
        }
    }
    writer.flush()
}
