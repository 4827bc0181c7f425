//! Shows the measurements of real games as CSV and JSON.

use std::{fmt::Display, io};

use csv::{Writer, WriterBuilder};
use jigo_engine::{Komi, life::Status};

use super::{BoardMeasures, Fault, GroupKey, RecordMeasures, RecordStudy, Written, equal};
use crate::{
    cells::Cells,
    stats::Shares,
    study::{Balance, ChainCounts},
};

/// Writes a study as JSON: counts only, so that studies read back can be merged exactly.
///
/// # Errors
/// Those of the writer.
pub fn write_records_json(study: &RecordStudy, writer: impl io::Write) -> io::Result<()> {
    serde_json::to_writer(writer, study).map_err(io::Error::from)
}

/// Writes faults one by one, so that any number of them can be listed. The header is written even if there is no fault.
#[derive(Debug)]
pub struct FaultWriter<W: io::Write> {
    writer: Writer<W>,
    cells: Cells,
}

impl<W: io::Write> FaultWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of the writer, as for all methods.
    pub fn new(writer: W, cells: Cells) -> io::Result<Self> {
        let mut writer = WriterBuilder::new().has_headers(false).from_writer(writer);
        writer.write_record(["file", "byte", "move", "stage", "reason", "text"])?;
        Ok(Self { writer, cells })
    }

    /// Goes on with a list of which these bytes are written already.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn resume(mut writer: W, written: &[u8], cells: Cells) -> io::Result<Self> {
        writer.write_all(written)?;
        Ok(Self { writer: WriterBuilder::new().has_headers(false).from_writer(writer), cells })
    }

    /// Writes one fault.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn write(&mut self, fault: &Fault) -> io::Result<()> {
        let Fault { file, byte, move_number, stage, reason, text } = fault;
        let [file, reason, text] = [file, reason, text].map(|text| self.cells.cell(text));
        Ok(self.writer.serialize((file, byte, move_number, stage, reason, text))?)
    }

    /// Flushes and returns the underlying writer.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn into_inner(self) -> io::Result<W> {
        self.writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}

/// Reads faults that a [`FaultWriter`] wrote with [`Cells::Marked`]; a line that is no fault is an error.
pub(crate) fn read_faults(reader: impl io::Read) -> io::Result<Vec<Fault>> {
    let mut reader = csv::Reader::from_reader(reader);
    let faults = reader.deserialize().map(|line| {
        let (file, byte, move_number, stage, reason, text): (String, _, _, _, String, String) = line?;
        let [file, reason, text] = [file, reason, text].map(|cell| Cells::text(&cell).to_owned());
        Ok(Fault { file, byte, move_number, stage, reason, text })
    });
    faults.collect::<Result<_, csv::Error>>().map_err(io::Error::other)
}

/// Returns the columns that name a group. What is not recorded is an empty field.
fn group_fields(key: &GroupKey, cells: Cells) -> [String; 4] {
    let text = |written: &Written| cells.cell(written.text().unwrap_or_default()).into_owned();
    [key.size.to_string(), text(&key.rules), text(&key.komi), text(&key.handicap)]
}

const GROUP: [&str; 4] = ["size", "rules", "komi", "handicap"];

/// Writes one line for each group: results, scores, lengths, captures, repetitions and status.
///
/// # Errors
/// Those of the writer.
pub fn write_records_csv(study: &RecordStudy, cells: Cells, writer: impl io::Write) -> io::Result<()> {
    let mut writer = Writer::from_writer(writer);
    let names = columns(&RecordMeasures::default()).into_iter().map(|(name, _)| name);
    writer.write_record(GROUP.map(str::to_owned).into_iter().chain(names))?;
    for (key, measures) in &study.groups {
        let values = columns(measures).into_iter().map(|(_, value)| value);
        writer.write_record(group_fields(key, cells).into_iter().chain(values))?;
    }
    writer.flush()
}

/// Returns the columns about the games of a group, by name.
fn columns(measures: &RecordMeasures) -> Vec<(String, String)> {
    let mut columns = Vec::new();
    let mut add = |name: &str, value: &dyn Display| columns.push((name.to_owned(), value.to_string()));
    let results = &measures.results;
    let shares = results.shares();
    add("games", &measures.games);
    add("black_wins", &shares.black);
    add("white_wins", &shares.white);
    add("draws", &shares.jigo);
    add("undecided", &results.undecided());
    for (winner, wins) in [("black", results.black), ("white", results.white)] {
        add(&format!("{winner}_score"), &wins.score);
        add(&format!("{winner}_resignation"), &wins.resignation);
        add(&format!("{winner}_time"), &wins.time);
        add(&format!("{winner}_forfeit"), &wins.forfeit);
        add(&format!("{winner}_unstated"), &wins.unstated);
    }
    add("void", &results.void);
    add("unknown", &results.unknown);
    add("other_result", &results.other);
    add("result_not_recorded", &results.not_recorded);
    add("scores", &measures.scores.count());
    add("score_half_points_sum", &measures.scores.sum());
    add("margins_before_komi", &measures.margins.games());
    add("contradicting_scores", &measures.contradicting_scores);
    add("solved_margins", &measures.solved_differences.count());
    add("solved_margins_equal", &equal(&measures.solved_differences));
    let fair = measures.fair_komi().ok();
    let median = fair.as_ref().map(|fair| fair.median_interval);
    add("fair_komi_half", &or_empty(fair.as_ref().map(|fair| fair.half.komi)));
    add("fair_komi_whole", &or_empty(fair.as_ref().map(|fair| fair.whole.komi)));
    add("fair_komi_median_low", &or_empty(median.map(|median| median.lower)));
    add("fair_komi_median_high", &or_empty(median.map(|median| median.upper)));
    add("plies_sum", &measures.plies.sum());
    add("plies_min", &or_empty(measures.plies.min()));
    add("plies_max", &or_empty(measures.plies.max()));
    add("passes_sum", &measures.passes.sum());
    add("black_prisoners_sum", &measures.captures.black.sum());
    add("white_prisoners_sum", &measures.captures.white.sum());
    add("games_with_repetition", &measures.repetitions.games);
    add("repetitions", &measures.repetitions.events);
    add("balanced_repetitions", &measures.repetitions.balanced());
    add("games_on_after_two_passes", &measures.plies_after_end.count());
    add("plies_after_two_passes", &measures.plies_after_end.sum());
    add("edited_games", &measures.edited);
    let warnings: u64 = measures.warnings.values().map(|counts| counts.warnings).sum();
    add("warnings", &(warnings + measures.warnings_left_out));
    add("searched_positions", &measures.searched);
    let estimates = &measures.estimates;
    let (equal, counted) = estimates.equal();
    add("estimated_positions", &estimates.positions);
    add("estimated_chains", &estimates.chains);
    add("estimated_dead_chains", &estimates.dead_chains);
    add("estimated_dead_stones", &estimates.dead_stones);
    add("estimated_margins", &counted);
    add("estimated_margins_equal", &equal);
    // There is one of each, unless the text that names the rules was cut.
    let rules: Vec<&str> = measures.checked_by.keys().map(String::as_str).collect();
    let fingerprints: Vec<&str> =
        measures.checked_by.values().map(|read| read.fingerprint.as_str()).collect();
    add("rules_read", &rules.join(" "));
    add("rules_fingerprint", &fingerprints.join(" "));
    let table = measures.status.both().table;
    let by_status = Status::ALL.map(|found| (format!("{found}_"), table.by_status(found)));
    let all = [(String::new(), table.total()), ("decided_".to_owned(), table.decided())];
    for (prefix, ChainCounts { chains, stones }) in all.into_iter().chain(by_status) {
        add(&format!("{prefix}chains"), &chains);
        add(&format!("{prefix}stones"), &stones);
    }
    add("decided_positions", &measures.status.decided_positions);
    add("benson_positions", &measures.status.benson_positions);
    add("seki_positions", &measures.status.positions_with(Status::Seki));
    add("dead_positions", &measures.status.positions_with(Status::Dead));
    columns
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Writes the results of even games by board size, year and komi, as [`BoardMeasures::even_games`](super::BoardMeasures::even_games) has them. A year or
/// komi that is not known is an empty field.
///
/// # Errors
/// Those of the writer.
pub fn write_even_games_csv(study: &RecordStudy, writer: impl io::Write) -> io::Result<()> {
    let mut writer = Writer::from_writer(writer);
    writer.write_record(["size", "year", "komi", "games", "black_wins", "white_wins", "draws"])?;
    for board in study.boards.values() {
        for (key, results) in &board.even_games {
            let komi = or_empty(key.komi_half_points.map(Komi::from_half_points));
            let Shares { black, white, jigo } = results;
            writer.serialize((
                board.size.to_string(),
                key.year,
                komi,
                results.games(),
                black,
                white,
                jigo,
            ))?;
        }
    }
    writer.flush()
}

/// Writes how many stones were placed on each point in the openings of games that began on the empty board.
///
/// # Errors
/// Those of the writer.
pub fn write_openings_csv(study: &RecordStudy, writer: impl io::Write) -> io::Result<()> {
    let mut writer = Writer::from_writer(writer);
    writer.write_record(["size", "games", "plies", "point", "stones"])?;
    for board in study.boards.values() {
        let size = board.size;
        for (point, stones) in size.points().zip(&board.opening_stones) {
            let plies = BoardMeasures::opening_plies(size);
            writer.serialize((size.to_string(), board.openings, plies, point.to_gtp(size), stones))?;
        }
    }
    writer.flush()
}

/// Writes the repetitions of every group that has any: by the length of the cycle, by the stones that the two players lost, more and fewer, and
/// by ply. The number of games is not known by ply; the last three columns are known by cycle only.
///
/// # Errors
/// Those of the writer.
pub fn write_repetitions_csv(study: &RecordStudy, cells: Cells, writer: impl io::Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(writer);
    let columns = ["by", "value", "games", "moves", "balanced", "with_pass", "same_player"];
    writer.write_record(GROUP.iter().chain(&columns))?;
    for (key, RecordMeasures { repetitions, .. }) in &study.groups {
        let mut row = |by: &str, value: String, games: Option<u64>, moves: u64, cycles: [Option<u64>; 3]| {
            writer.serialize((group_fields(key, cells), by, value, games, moves, cycles))
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
