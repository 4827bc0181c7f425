//! A study as a file: its exact counts with a digest, for merging and comparing.

use std::fmt;

use jigo_engine::{Color, life::Shape};
use jigo_selfplay::sealed::{is_sealed, seal};
use serde::{Deserialize, Serialize, de::IgnoredAny};

use super::{ReportMeta, examples::kept};
use crate::{
    Coverage, Histogram, MarginCounts, RunConfig, RunStats, Study,
    rules::{Comparison, MovedMargins},
    study::{CycleCounts, EventCounts, Groups, Measures, Occurrence, StatusCounts},
};

const FORMAT: &str = "jigo-study";

/// The version of [`study_json`], that is of `report.json`, that this program writes.
pub const STUDY_FORMAT_VERSION: u32 = 6;

/// No count of a file is larger, 2⁵³: up to here every JSON reader keeps counts exactly, and sums of counts cannot overflow.
const MAX_COUNT: u64 = Histogram::MAX_READ;

/// The build of jigo that wrote a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The version of jigo.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
}

/// Writes the version and the whole commit, as in `jigo 0.1.0, commit 0123456`.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "jigo {}, commit {}", self.version, self.commit)
    }
}

impl Program {
    /// Names the program where only people read it: the first characters of the commit are enough to find it.
    #[must_use]
    pub fn in_short(&self) -> String {
        let commit: String = self.commit.chars().take(12).collect();
        format!("jigo {}, commit {commit}", self.version)
    }
}

/// The part of a file that is read first: it decides whether the rest can be read.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct File<S> {
    format: String,
    version: u32,
    jigo: Program,
    study: S,
}

/// Why bytes are not a study.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadStudyError {
    /// No JSON, or not of the shape of a study.
    #[error("not a study: {0}. The file may be damaged or incomplete: write it again")]
    Json(#[from] serde_json::Error),
    /// JSON of another kind.
    #[error(
        "not a study: the file has no \"format\": \"{FORMAT}\". Give the report.json that `jigo study` wrote"
    )]
    Format,
    /// A study of another version.
    #[error(
        "a study of format version {0}; this program reads version {STUDY_FORMAT_VERSION}: use the program that wrote it, or write it again"
    )]
    Version(u32),
    /// The digest is not that of the file.
    #[error("a damaged study: the file does not have the digest that it states. Write it again")]
    Digest,
    /// Counts that no games can have, although their digest fits.
    #[error("a damaged study: {place}: {reason}. Write it again")]
    Impossible {
        /// The study, or the run or the comparison by its position in the file from 1.
        place: String,
        /// What no games can have.
        reason: String,
    },
}

/// Returns the counts of a study, from which parts of a run are merged. Equal studies and equal versions give equal bytes.
#[must_use]
pub fn study_json(study: &Study, meta: &ReportMeta) -> Vec<u8> {
    let file =
        File { format: FORMAT.to_owned(), version: STUDY_FORMAT_VERSION, jigo: meta.program.clone(), study };
    seal(&serde_json::to_string(&file).expect("a study can be written as JSON")).into_bytes()
}

/// A study as [`study_json`] wrote it, and the program that did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedStudy {
    /// The counts.
    pub study: Study,
    /// The program that wrote them.
    pub program: Program,
}

/// Reads what [`study_json`] wrote, and checks its digest.
///
/// A file whose digest fits may still have been made up. What is returned can be merged, compared and shown without a panic.
///
/// # Errors
/// [`ReadStudyError`], in the order: no JSON, another format, another version, another digest, not of the shape of a study, impossible counts.
pub fn read_study(bytes: &[u8]) -> Result<SavedStudy, ReadStudyError> {
    let head: Head = serde_json::from_slice(bytes)?;
    if head.format.as_deref() != Some(FORMAT) {
        return Err(ReadStudyError::Format);
    }
    if head.version != Some(STUDY_FORMAT_VERSION) {
        return Err(ReadStudyError::Version(head.version.unwrap_or(0)));
    }
    if !is_sealed(bytes) {
        // What is no JSON at all is named as that.
        serde_json::from_slice::<IgnoredAny>(bytes)?;
        return Err(ReadStudyError::Digest);
    }
    let File::<Study> { jigo: program, study, .. } = serde_json::from_slice(bytes)?;
    check(&study)?;
    Ok(SavedStudy { study, program })
}

/// Checks everything on which arithmetic on the counts relies: lengths of lists, sizes of numbers, and parts that are at most the whole.
fn check(study: &Study) -> Result<(), ReadStudyError> {
    let impossible = |place: String| move |reason: String| ReadStudyError::Impossible { place, reason };
    at_most("planned games", study.planned_games, MAX_COUNT).map_err(impossible("the study".to_owned()))?;
    for (index, run) in study.runs.iter().enumerate() {
        let is_ordered = index == 0 || study.runs[index - 1].config < run.config;
        require(is_ordered, "its setting does not come after the one before it")
            .and_then(|()| check_run(run))
            .map_err(impossible(format!("run {}", index + 1)))?;
    }
    for (index, comparison) in study.comparisons.iter().enumerate() {
        let is_ordered = index == 0 || study.comparisons[index - 1].configs < comparison.configs;
        require(is_ordered, "its settings do not come after those before it")
            .and_then(|()| check_comparison(comparison))
            .map_err(impossible(format!("comparison {}", index + 1)))?;
    }
    Ok(())
}

/// Why a run or a comparison is refused.
type Checked = Result<(), String>;

fn require(holds: bool, reason: &str) -> Checked {
    if holds { Ok(()) } else { Err(reason.to_owned()) }
}

/// Checks that none of the parts is larger than the whole.
fn at_most(what: &str, parts: impl IntoIterator<Item = u64>, whole: u64) -> Checked {
    match parts.into_iter().find(|&part| part > whole) {
        Some(part) => Err(format!("{what}: found {part}, more than {whole}")),
        None => Ok(()),
    }
}

/// Returns the number of games covered.
fn check_coverage(coverage: &Coverage) -> Result<u64, String> {
    let (mut games, mut last) = (0_u64, None);
    for (seed, first, end) in coverage.ranges() {
        let is_apart = last.is_none_or(|(last_seed, last_end)| last_seed != seed || last_end < first);
        require(first < end && is_apart, "game ranges overlap or are out of order")?;
        games = games.saturating_add(end - first);
        last = Some((seed, end));
    }
    at_most("games", [games], MAX_COUNT)?;
    Ok(games)
}

fn check_run(run: &RunStats) -> Checked {
    let games = check_coverage(&run.coverage)?;
    let parts = [run.finished.games, run.stopped.games, run.supply.cycles];
    let counted = parts.into_iter().try_fold(0_u64, |sum, games| sum.checked_add(games));
    require(counted == Some(games), "the games counted are not the games played")?;
    require(run.supply.out_of_stones <= games, "players ran out of stones in more games than there are")?;
    for games in [&run.finished, &run.stopped] {
        check_measures(run.config, games)?;
        let is_covered =
            |game: &Occurrence| game.run_seed().is_some_and(|seed| run.coverage.contains(seed, game.index));
        let examples = kept(games);
        require(examples.iter().all(|choice| is_covered(choice.game)), "an example was not among the games")?;
    }
    require(run.stopped.groups == Groups::default(), "stopped games are in groups of finished ones")?;
    require(run.finished.groups.add_up_to(&run.finished), "the groups of games are not the finished games")?;
    at_most("sums over a group of games", [run.finished.groups.max_sum()], MAX_COUNT)
}

fn check_measures(run: RunConfig, counts: &Measures) -> Checked {
    let games = counts.games;
    require(counts.size == run.size, "measured on another board than it was played on")?;
    let expected = Measures::new(run.size);
    let lengths =
        |counts: &Measures| counts.margins_by_length.iter().map(|(class, _)| *class).collect::<Vec<_>>();
    require(lengths(counts) == lengths(&expected), "classes of length: not those of this version")?;
    let moves = |counts: &Measures| {
        let classes = counts.first_moves.classes.iter().map(|class| class.representative);
        (counts.first_moves.games.len(), classes.collect::<Vec<_>>())
    };
    require(moves(counts) == moves(&expected), "first moves: not those of this board")?;
    at_most("games by first move", counts.first_moves.games.iter().copied(), games)?;
    for color in Color::BOTH {
        let owned = counts.ownership.counts(color);
        require(owned.len() == run.size.point_count(), "ownership: not the points of this board")?;
        at_most("ownership", owned, games)?;
    }
    let [margins, all_alive] = [&counts.margins, &counts.margins_all_alive].map(MarginCounts::histogram);
    let histograms = [margins, all_alive, &counts.plies, &counts.passes, &counts.neutral];
    require(
        histograms.iter().all(|found| found.count() == games),
        "not every game has a result and a length",
    )?;
    at_most("games in which the first stone survives", [counts.first_stone_survives], games)?;
    let superko = &counts.superko;
    for events in [&superko.rejected, &superko.repetitions, &superko.forbidden_candidates] {
        check_events(events, games)?;
    }
    check_status(&counts.status, games)
}

fn check_events(events: &EventCounts, games: u64) -> Checked {
    let (cycles, balances) = (events.by_cycle.values(), events.by_balance.values());
    let with_events = [events.games, events.balanced_games, events.unbalanced_games, events.per_game.count()];
    let with_kinds = cycles.clone().map(|cycle| cycle.games).chain(balances.clone().map(|kind| kind.games));
    at_most("games with superko events", with_kinds.chain(with_events), games)?;
    let by_cycle =
        |cycle: &CycleCounts| [cycle.balanced, cycle.unbalanced, cycle.with_pass, cycle.same_player];
    let counts = cycles.clone().flat_map(by_cycle).chain(balances.map(|kind| kind.events));
    at_most("superko events", counts.chain([events.events]), MAX_COUNT)?;
    let balanced = cycles.map(|cycle| u128::from(cycle.balanced)).sum::<u128>();
    require(balanced <= events.events.into(), "superko events: more are balanced than there are")
}

fn check_status(status: &StatusCounts, games: u64) -> Checked {
    require(status.positions == games, "not every game has a final position")?;
    let positions =
        [status.decided_positions, status.benson_positions].into_iter().chain(status.positions_with);
    at_most("final positions", positions, games)?;
    for side in [&status.black, &status.white] {
        let counts = side.table.iter().flat_map(|(.., counts)| [counts.chains, counts.stones]);
        at_most("chains and stones", counts.chain([side.territory]), MAX_COUNT)?;
    }
    at_most("sekis", status.sekis, MAX_COUNT)?;
    for shift in [&status.dead, &status.seki] {
        at_most("changed margins", [shift.changes.count()], games)?;
        check_moved(&shift.fallen, &shift.risen, games)?;
    }
    at_most("shapes", [status.shapes.larger], MAX_COUNT)?;
    for (text, count) in &status.shapes.shapes {
        text.parse::<Shape>().map_err(|error| format!("shapes: {error}"))?;
        at_most("shapes", [count.parts], MAX_COUNT)?;
    }
    Ok(())
}

fn check_comparison(comparison: &Comparison) -> Checked {
    let settings = &comparison.configs;
    let first = settings.first().ok_or("no rule sets")?;
    let is_alike = |found: &RunConfig| RunConfig { rules: first.rules, ..*found } == *first;
    require(settings.iter().all(is_alike), "the settings differ in more than their rules")?;
    let expected = Comparison::new(settings);
    require(expected.configs == *settings, "rule sets are out of order or named twice")?;
    require(
        comparison.groups.len() == expected.groups.len(),
        "groups of games: not those of these rule sets",
    )?;
    require(comparison.counts.len() == expected.counts.len(), "contrasts: not those of these rule sets")?;
    let games = check_coverage(&comparison.coverage)?;
    let grouped = comparison.groups.iter().map(|groups| groups.of(|_| true).games());
    at_most("games in groups", grouped, games)?;
    for counts in &comparison.counts {
        let compared = counts.finished.checked_add(counts.stopped);
        require(compared == Some(games), "the games compared are not the games played")?;
        let differing = counts.differences.iter().map(Histogram::count);
        at_most("games that differ", differing.chain([counts.differing]), counts.finished)?;
        check_moved(&counts.fallen, &counts.risen, counts.finished)?;
    }
    Ok(())
}

/// Checks margins of so many games that fell or rose: each has a margin before and after, and the lower ones are never above the upper ones.
fn check_moved(fallen: &MovedMargins, risen: &MovedMargins, games: u64) -> Checked {
    for (lower, upper) in [(&fallen.after, &fallen.before), (&risen.before, &risen.after)] {
        require(
            lower.games() == upper.games(),
            "a moved margin is known only before or only after it moved",
        )?;
        let (mut uppers, mut lowers) = (0, 0);
        let mut lower = lower.histogram().iter().peekable();
        for (margin, count) in upper.histogram().iter() {
            while let Some((_, count)) = lower.next_if(|&(other, _)| other < margin) {
                lowers += count;
            }
            uppers += count;
            require(uppers <= lowers, "margins moved in both directions at once")?;
        }
    }
    at_most("moved margins", [fallen.before.games() + risen.before.games()], games)
}
