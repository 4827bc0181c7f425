//! How two runs differ, as a table for the terminal, CSV, JSON and one page.

use std::fmt::Write as _;

use askama::Template;
use jigo_engine::{Komi, rules::KomiChoice};
use serde::Serialize;

use super::{
    ReportFolder, ReportFolderError, ReportMeta, add_all,
    chart::{Dot, Dots},
    csv::{ends, or_empty, sheet},
    format::{Naming, cells, decimals_for, estimate_cells, fixed, or_dash, quantity, run_name, size_name},
    html::{DataTable, Fact, Figure, render},
    pairing::{Pairing, SAME_GAMES},
    quantities::{ALL, BLACK_WINS, FAIR_KOMI, PLIES, Quantity, SHARE, SUPERKO_REJECTED_GAMES},
    rule_changes::Number,
    saved::SavedStudy,
    summary::{RunSummary, Value},
    terminal::draw_table,
};
use crate::{Coverage, Interval, RunConfig, RunStats, Study, stats::Estimate};

/// The version of `differences.json` that this program writes.
pub const DIFFERENCES_FORMAT_VERSION: u32 = 5;

/// A run, and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct NamedRun<'a> {
    /// What people call it: the path of its report, for instance.
    pub name: &'a str,
    /// What it measured, and by which program.
    pub saved: &'a SavedStudy,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct StudyDifferences {
    /// Runs with a counterpart in the other study, in the order of the first study.
    pub(crate) pairs: Vec<RunPair>,
    /// Runs without one, of the first study and of the second.
    pub(crate) alone: [Vec<RunConfig>; 2],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RunPair {
    pub(crate) settings: [RunConfig; 2],
    /// The komi of the shares of both: that of the first run.
    #[serde(serialize_with = "crate::stats::points")]
    pub(crate) komi: Komi,
    /// Finished games.
    pub(crate) games: [u64; 2],
    /// Games with the same seed and number in both runs.
    pub(crate) same_seeds: u64,
    /// The same numbers in all pairs.
    pub(crate) numbers: Vec<Difference>,
}

/// A number in both runs, and the second less the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Difference {
    /// Nothing where there are too few games.
    pub(crate) values: [Option<f64>; 2],
    #[serde(flatten)]
    pub(crate) difference: Number,
}

/// Why there is no interval.
const TOO_FEW: &str = "none: too few games";

impl StudyDifferences {
    /// Compares runs of the same board size that agree in the rules if either study has several, and likewise in the policy.
    pub(crate) fn new(runs: [&Study; 2], komi: KomiChoice) -> Self {
        let [one, other] = runs.map(Naming::new);
        let mut must_agree: Vec<fn(&RunConfig) -> String> = Vec::new();
        must_agree.extend(one.varying().chain(other.varying()).map(|axis| axis.of));
        let are_alike = |one: &RunConfig, other: &RunConfig| {
            one.size == other.size && must_agree.iter().all(|value| value(one) == value(other))
        };
        let mut pairs = Vec::new();
        for first in &runs[0].runs {
            for second in runs[1].runs.iter().filter(|second| are_alike(&first.config, &second.config)) {
                let komi = komi.at(first.config.rules, first.config.size);
                pairs.push(RunPair {
                    settings: [first.config, second.config],
                    komi,
                    games: [first.finished.games, second.finished.games],
                    same_seeds: common_games(&first.coverage, &second.coverage),
                    numbers: numbers([first, second], komi),
                });
            }
        }
        let alone = [0, 1].map(|run| {
            let settings = runs[run].runs.iter().map(|run| run.config);
            settings.filter(|setting| pairs.iter().all(|pair| pair.settings[run] != *setting)).collect()
        });
        Self { pairs, alone }
    }
}

/// Games with the same seed and number.
fn common_games(one: &Coverage, other: &Coverage) -> u64 {
    let overlap = |(seed, first, end): (u64, u64, u64)| {
        let same_seed = other.ranges().filter(move |range| range.0 == seed);
        same_seed.map(move |(_, from, to)| end.min(to).saturating_sub(first.max(from))).sum::<u64>()
    };
    one.ranges().map(overlap).sum()
}

/// Compares all quantities that have intervals and a value in either run.
fn numbers(runs: [&RunStats; 2], komi: Komi) -> Vec<Difference> {
    let summaries = runs.map(|run| RunSummary::at_komi(run, komi));
    let pairing = Pairing::new(runs);
    let difference = |quantity: &'static Quantity| {
        let [one, other] = summaries.each_ref().map(|summary| summary.finished.value(&quantity.name));
        if one.is_none() && other.is_none() {
            return None;
        }
        let [before, after] = [one, other].map(|value| value.and_then(Value::estimate));
        let change =
            before.zip(after).map(|(before, after)| pairing.difference(quantity, [before, after], komi));
        let number = Number {
            name: &quantity.name,
            title: &quantity.title,
            unit: quantity.unit,
            change: change.map(|(change, ..)| change),
            interval: change.and_then(|(_, interval, _)| interval),
            method: change.map_or(TOO_FEW, |(.., method)| method),
        };
        let values = [before, after].map(|found| Some(found?.estimate));
        Some(Difference { values, difference: number })
    };
    ALL.iter().filter(|quantity| quantity.has_interval()).filter_map(difference).collect()
}

/// What games with the same seed and number are good for.
const PAIRS: &str = "have the same seed and number in both, and with them the same random numbers. Paired intervals make use of that, where all games of both runs \
                     have; independent ones do not, so that they are mostly too wide. For rule sets `jigo study --rules A,B` compares game by game.";

/// Returns the differences of two runs, B minus A, as a table for the terminal; empty where nothing of the two can be compared.
#[must_use]
pub fn differences_table(runs: [NamedRun<'_>; 2], meta: &ReportMeta) -> String {
    let differences = StudyDifferences::new(runs.map(|run| &run.saved.study), meta.komi);
    let mut text = String::new();
    for (letter, run) in ["A", "B"].into_iter().zip(runs) {
        let _ = writeln!(text, "{letter}  {} ({})", run.name, run.saved.program.in_short());
    }
    for pair in &differences.pairs {
        let _ = writeln!(text, "\n{}", heading(pair));
        text += &draw_table(&table(pair));
        let _ = writeln!(text, "{}", sentence(pair));
    }
    for line in left_alone(&differences) {
        let _ = writeln!(text, "\n{line}");
    }
    if differences.pairs.is_empty() {
        return String::new();
    }
    // A line for each sentence.
    text + "\n" + &notes(&differences, meta).replace(". ", ".\n") + "\n"
}

/// Adds the differences of two runs to a folder: `differences.html`, `differences.csv`, `differences.json`.
///
/// # Errors
/// Those of [`ReportFolder::add`].
pub fn add_differences(
    folder: &mut ReportFolder,
    runs: [NamedRun<'_>; 2],
    meta: &ReportMeta,
) -> Result<(), ReportFolderError> {
    let differences = StudyDifferences::new(runs.map(|run| &run.saved.study), meta.komi);
    let files = [
        ("differences.html", page(&differences, runs, meta).into_bytes()),
        ("differences.csv", csv(&differences)),
        ("differences.json", json(&differences, runs, meta)),
    ];
    add_all(folder, "", &files)
}

/// Says what is compared, as in `9×9: A tromp-taylor (600000 games), B japanese (600000 games)`.
fn heading(pair: &RunPair) -> String {
    let [a, b] = pair.settings;
    let games = |run: usize| quantity(pair.games[run], "game");
    if run_name(&a) == run_name(&b) {
        return format!("{}: {}; A {}, B {}", size_name(&a), run_name(&a), games(0), games(1));
    }
    format!("{}: A {}, {}; B {}, {}", size_name(&a), run_name(&a), games(0), run_name(&b), games(1))
}

/// A number that readers ask about first: its quantity, what it is in a sentence, and its unit.
type Usual = (&'static str, &'static str, &'static str);

const USUAL: [Usual; 4] = [
    (FAIR_KOMI, "the fair komi", "points"),
    (BLACK_WINS, "Black's share of the wins", "percentage points"),
    (SUPERKO_REJECTED_GAMES, "the share of games in which superko rejects a move", "percentage points"),
    (PLIES, "the mean length", "plies"),
];

impl RunPair {
    /// Returns the usual numbers that are known of both runs, each with its change.
    fn usual(&self) -> impl Iterator<Item = (Usual, Estimate)> {
        USUAL.into_iter().filter_map(|usual| {
            let number = self.numbers.iter().find(|number| number.difference.name == usual.0)?;
            Some((usual, number.difference.shown()?))
        })
    }

    /// Returns whether both runs have the same games.
    fn is_same(&self) -> bool {
        self.numbers.iter().any(|number| number.difference.method == SAME_GAMES)
    }

    /// Returns whether a usual number differs beyond chance.
    fn differs(&self) -> bool {
        self.usual().any(|(_, change)| is_beyond_chance(change))
    }
}

fn is_beyond_chance(Estimate { interval, .. }: Estimate) -> bool {
    interval.lower > 0.0 || interval.upper < 0.0
}

/// Says which of the usual numbers differ beyond chance.
fn sentence(pair: &RunPair) -> String {
    if pair.is_same() {
        return "No game differs: all counts of both runs are the same.".to_owned();
    }
    let change = |((_, what, unit), change): (Usual, Estimate)| {
        let Estimate { estimate, interval } = change;
        let (more, sign) = if estimate > 0.0 { ("higher", 1.0) } else { ("lower", -1.0) };
        let mut ends = [sign * interval.lower, sign * interval.upper];
        ends.sort_by(f64::total_cmp);
        let size =
            Estimate { estimate: sign * estimate, interval: Interval { lower: ends[0], upper: ends[1] } };
        let [size, range] = size.texts();
        is_beyond_chance(change).then(|| format!("{what} is {more} by {size} {unit} ({range})"))
    };
    let changes: Vec<String> = pair.usual().filter_map(change).collect();
    match changes.is_empty() {
        true => "Fair komi, wins, superko and length do not differ beyond chance.".to_owned(),
        false => format!("With B, {}.", changes.join("; ")),
    }
}

fn notes(differences: &StudyDifferences, meta: &ReportMeta) -> String {
    let same: u64 = differences.pairs.iter().map(|pair| pair.same_seeds).sum();
    let shared = match same {
        0 => "No game has the same seed and number in both: the runs are independent.".to_owned(),
        same => format!("{} {PAIRS}", quantity(same, "game")),
    };
    let komi = match meta.komi {
        KomiChoice::Fixed(komi) => format!("komi {komi}"),
        KomiChoice::Rules => "the komi that the rules of A have on the board".to_owned(),
    };
    format!("B minus A, with 95 % interval. {shared} Shares of results are those at {komi}.")
}

fn table(pair: &RunPair) -> DataTable {
    let mut table = DataTable::new(1, ["", "A", "B", "B − A", "95 % interval", "method"]);
    pair.numbers.iter().filter_map(number_cells).for_each(|row| table.push(row));
    table
}

/// Writes name, values, difference, interval and its method of a number that either run has.
fn number_cells(number: &Difference) -> Option<[String; 6]> {
    if number.values == [None; 2] || number.values == [Some(0.0); 2] {
        return None;
    }
    let shown = number.difference.shown();
    let factor = if number.difference.unit == SHARE { 100.0 } else { 1.0 };
    let digits = shown.map_or(2, |shown| decimals_for(shown.interval.width()));
    let value = |value: Option<f64>| or_dash(value.map(|value| fixed(factor * value, digits)));
    let [a, b] = number.values.map(value);
    let [mut change, interval] = estimate_cells(shown);
    if number.difference.method == SAME_GAMES {
        change = "0".to_owned();
    }
    let method = Pairing::method_in_short(number.difference.method).to_owned();
    Some([number.difference.label(), a, b, change, interval, method])
}

fn left_alone(differences: &StudyDifferences) -> impl Iterator<Item = String> {
    let of_run = |letter: &'static str, alone: &[RunConfig]| {
        let names: Vec<String> =
            alone.iter().map(|setting| format!("{} {}", size_name(setting), run_name(setting))).collect();
        (!names.is_empty()).then(|| format!("only in {letter}: {}", names.join("; ")))
    };
    let [a, b] = &differences.alone;
    [of_run("A", a), of_run("B", b)].into_iter().flatten()
}

fn csv(differences: &StudyDifferences) -> Vec<u8> {
    let columns = "rules_b,policy_b,ply_cap_b,finished_games,finished_games_b,same_seeds,quantity,unit,value,value_b,\
                   difference,lower_95,upper_95,method";
    let rows = differences.pairs.iter().flat_map(|pair| {
        let [a, b] = &pair.settings;
        pair.numbers.iter().map(move |Difference { values, difference }| {
            let [of_a, of_b] = values.map(or_empty);
            let [lower, upper] = ends(difference.interval);
            let runs = cells![b.rules, b.policy, b.ply_cap, pair.games[0], pair.games[1], pair.same_seeds];
            let change = or_empty(difference.change);
            let number =
                cells![difference.name, difference.unit, of_a, of_b, change, lower, upper, difference.method];
            (a, [runs, number].concat())
        })
    });
    sheet(columns, rows)
}

/// Returns the differences of two runs as JSON, the contents of `differences.json`.
#[must_use]
pub fn differences_json(runs: [NamedRun<'_>; 2], meta: &ReportMeta) -> String {
    let differences = StudyDifferences::new(runs.map(|run| &run.saved.study), meta.komi);
    String::from_utf8(json(&differences, runs, meta)).expect("JSON is UTF-8")
}

fn json(differences: &StudyDifferences, runs: [NamedRun<'_>; 2], meta: &ReportMeta) -> Vec<u8> {
    #[derive(Serialize)]
    struct File<'a> {
        format: &'static str,
        version: u32,
        command_line: &'a str,
        runs: [[String; 2]; 2],
        #[serde(flatten)]
        differences: &'a StudyDifferences,
    }
    let file = File {
        format: "jigo-differences",
        version: DIFFERENCES_FORMAT_VERSION,
        command_line: &meta.command_line,
        runs: runs.map(|run| [run.name.to_owned(), run.saved.program.to_string()]),
        differences,
    };
    let mut bytes = serde_json::to_vec(&file).expect("numbers and text can be written as JSON");
    bytes.push(b'\n');
    bytes
}

#[derive(Template)]
#[template(path = "differences.html")]
struct Page<'a> {
    meta: &'a ReportMeta,
    headline: String,
    /// What differs, where there is only one pair.
    lead: Option<String>,
    runs: [NamedRun<'a>; 2],
    facts: Vec<Fact>,
    figures: Vec<Figure>,
    pairs: Vec<Section>,
    note: String,
    alone: Vec<String>,
}

/// Two runs on the page.
struct Section {
    id: String,
    heading: String,
    /// Says what differs.
    sentence: String,
    table: DataTable,
}

fn page(differences: &StudyDifferences, runs: [NamedRun<'_>; 2], meta: &ReportMeta) -> String {
    let pairs = &differences.pairs;
    let section = |(index, pair): (usize, &RunPair)| Section {
        id: format!("pair{}", index + 1),
        heading: heading(pair),
        sentence: sentence(pair),
        table: table(pair),
    };
    let page = Page {
        meta,
        headline: headline(pairs),
        lead: if let [pair] = &pairs[..] { Some(sentence(pair)) } else { None },
        runs,
        facts: if let [pair] = &pairs[..] { facts(pair) } else { Vec::new() },
        figures: USUAL
            .iter()
            .filter_map(|usual| figure(pairs, &Naming::new(&runs[1].saved.study), usual))
            .collect(),
        pairs: pairs.iter().enumerate().map(section).collect(),
        note: notes(differences, meta),
        alone: left_alone(differences).collect(),
    };
    render(&page)
}

fn headline(pairs: &[RunPair]) -> String {
    let differing = pairs.iter().filter(|pair| pair.differs()).count();
    match (differing, pairs.len()) {
        (0, 1..) if pairs.iter().all(RunPair::is_same) => "A and B have the same counts.".to_owned(),
        (0, _) => "A and B do not differ beyond chance.".to_owned(),
        (_, 1) => "A and B differ beyond chance.".to_owned(),
        (differing, all) => format!("A and B differ beyond chance in {differing} of {all} pairs of runs."),
    }
}

/// Returns the changes of the usual numbers.
fn facts(pair: &RunPair) -> Vec<Fact> {
    let fact = |((_, what, unit), change): (Usual, Estimate)| {
        let [size, range] = change.texts();
        let sign = if change.estimate > 0.0 { "+" } else { "" };
        Fact::new(&format!("{sign}{size}"), &format!("{unit}: change of {what}, 95 %: {range}"), "#pair1")
    };
    pair.usual().map(fact).collect()
}

/// Draws the differences of several pairs, as the second run names them, in a usual number.
fn figure(pairs: &[RunPair], naming: &Naming, &(name, what, unit): &Usual) -> Option<Figure> {
    let mut table = DataTable::new(1, ["runs", "A", "B", "B − A", "95 % interval", "method"]);
    let mut dots: Vec<Dot> = Vec::new();
    for pair in pairs {
        let Some((_, shown)) = pair.usual().find(|(usual, _)| usual.0 == name) else { continue };
        let number = pair.numbers.iter().find(|number| number.difference.name == name)?;
        let row = naming.short(&pair.settings[1]);
        let [_, a, b, change, range, method] = number_cells(number)?;
        dots.push((row.clone(), shown));
        table.push([row, a, b, change, range, method]);
    }
    let text = "B minus A, with 95 % interval. The dashed line is no difference.";
    let chart = Dots { x_label: &format!("B − A, {unit}"), row_label: "", dots: &dots };
    let id = name.replace('_', "-");
    (dots.len() > 1).then(|| Figure::new(&id, format!("Change of {what}"), text, &chart, table))
}

#[cfg(test)]
mod tests {
    use jigo_selfplay::{Policy, Progress};

    use super::*;
    use crate::{
        RunStats,
        report::{Program, read_study, study_json, tests::meta},
    };

    fn setting(size: &str, rules: &str, policy: &str) -> RunConfig {
        let size: jigo_engine::BoardSize = size.parse().unwrap();
        let policy: Policy = policy.parse().unwrap();
        RunConfig::new(size, rules.parse::<jigo_engine::RuleSet>().unwrap(), policy)
    }

    fn study(settings: &[RunConfig], games: std::ops::Range<u64>) -> Study {
        let mut study = Study::default();
        for &setting in settings {
            study
                .add(RunStats::play(&setting.seed(7), games.start..games.end, &Progress::new()).unwrap())
                .unwrap();
        }
        study
    }

    #[test]
    fn cells_are_paired_by_what_varies() {
        let pairs = |one: &[RunConfig], other: &[RunConfig]| {
            let runs = [study(one, 0..2), study(other, 0..2)];
            let differences = StudyDifferences::new(runs.each_ref(), "7.5".parse().unwrap());
            (differences.pairs.len(), differences.alone.map(|alone| alone.len()))
        };
        let small = setting("3", "tromp-taylor", "eye-safe");
        let large = setting("4", "tromp-taylor", "eye-safe");
        let japanese = setting("3", "japanese", "eye-safe");
        let uniform = setting("3", "tromp-taylor", "uniform");
        assert_eq!(pairs(&[small, large], &[small]), (1, [1, 0]));
        assert_eq!(pairs(&[small], &[uniform]), (1, [0, 0]));
        assert_eq!(pairs(&[small], &[japanese]), (1, [0, 0]));
        assert_eq!(pairs(&[small, uniform], &[japanese]), (1, [1, 0]));
        assert_eq!(pairs(&[small, japanese], &[uniform]), (1, [1, 0]));
        assert_eq!(pairs(&[small], &[large]), (0, [1, 1]));
    }

    #[test]
    fn a_run_does_not_differ_from_itself() {
        let run = study(&[setting("5", "tromp-taylor", "eye-safe")], 0..300);
        let differences = StudyDifferences::new([&run, &run], "0.5".parse().unwrap());
        let pair = &differences.pairs[0];
        assert_eq!((pair.games[0], pair.same_seeds), (run.runs[0].finished.games, 300));
        assert!(sentence(pair).contains("No game differs"), "{}", sentence(pair));
        for Difference { difference, .. } in &pair.numbers {
            let found = (difference.change, difference.interval, difference.method);
            assert_eq!(found, (Some(0.0), None, SAME_GAMES), "{}", difference.name);
        }
    }

    /// `guarded` lets chains live that `eye-safe` fills up, so fewer stones are captured. What is compared may be read from files.
    #[test]
    fn differences_are_found() {
        let runs = ["eye-safe", "guarded"].map(|policy| {
            let run = study(&[setting("5", "tromp-taylor", policy)], 0..400);
            read_study(&study_json(&run, &meta())).unwrap().study
        });
        let differences = StudyDifferences::new(runs.each_ref(), "0.5".parse().unwrap());
        let named = |name| {
            let mut numbers = differences.pairs[0].numbers.iter();
            numbers.find(|number| number.difference.name == name).unwrap()
        };
        let (plies, text) = (named("plies").difference.interval.unwrap(), sentence(&differences.pairs[0]));
        assert!(plies.upper < 0.0 && text.contains("the mean length is lower by"), "{plies:?}: {text}");
        let removed = named("black_stones_removed").difference.interval.unwrap();
        assert!(removed.upper < 0.0, "{removed:?}");
        // `eye-safe` leaves no seki.
        let seki = named("seki_positions");
        assert!(
            seki.values[0].is_none() && seki.values[1].unwrap() > 0.0 && seki.difference.change.is_none()
        );
        let [before, after] = named("plies").values.map(Option::unwrap);
        assert!(named("plies").difference.change == Some(after - before));
    }

    #[test]
    fn the_page_is_whole_and_names_both() {
        let runs =
            ["eye-safe", "guarded"].map(|policy| study(&[setting("4", "tromp-taylor", policy)], 0..150));
        let commit = "<0>3456789abcdef0123".to_owned();
        let program = Program { version: "1".to_owned(), commit: commit.clone() };
        let saved = runs.clone().map(|study| SavedStudy { study, program: program.clone() });
        let named = |index: usize, name| NamedRun { name, saved: &saved[index] };
        let named = [named(0, "one & two"), named(1, "three")];
        let folder = tempfile::tempdir().unwrap();
        let mut report = ReportFolder::open(folder.path(), "report", false).unwrap();
        add_differences(&mut report, named, &meta()).unwrap();
        let files = report.publish().unwrap();
        let page = std::fs::read_to_string(&files[0]).unwrap();
        crate::report::tests::assert_well_formed(&crate::report::tests::assert_loads_nothing(&page));
        let head = "one &#38; two</code>, jigo 1, commit &#60;0&#62;3456789ab</dd>";
        assert!(page.contains(head) && page.contains("<h1>A and B "), "{page}");
        let table = differences_table(named, &meta());
        assert!(table.starts_with("A  one & two (jigo 1, commit <0>3456789ab)\nB  three"), "{table}");
        assert!(table.contains("\n4×4: A tromp-taylor, eye-safe, "), "{table}");
        assert!(table.contains(" games; B tromp-taylor, guarded:k=2, 150 games\n"), "{table}");
        let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&files[2]).unwrap()).unwrap();
        assert_eq!(json["runs"][0][1], format!("jigo 1, commit {commit}"));
        let rows = std::fs::read_to_string(&files[1]).unwrap().lines().count();
        assert_eq!(rows, 1 + StudyDifferences::new(runs.each_ref(), meta().komi).pairs[0].numbers.len());
    }
}
