use std::path::{Path, PathBuf};

use jigo_engine::{BoardSize, Komi, RuleSet, Rules, life::Status, rules::KomiChoice};
use jigo_selfplay::{Policy, Progress, fingerprint::rules_fingerprint};

use super::*;
use crate::{RunConfig, RunStats};

mod files;
mod games;
mod page;
mod reading;
mod snapshots;

pub(super) use page::{assert_loads_nothing, assert_well_formed};

/// Games of a fixed seed: sizes 3 and 5, two rule sets, so that everything varies but the policy.
pub(super) fn small_study(games: u64) -> Study {
    let mut study = Study::default();
    for side in [4, 5] {
        for rules in ["tromp-taylor", "japanese"] {
            let rules: RuleSet = rules.parse().unwrap();
            study.add(cell(side, rules, Policy::EYE_SAFE, games)).unwrap();
        }
    }
    study
}

pub(super) fn cell(side: usize, rules: RuleSet, policy: Policy, games: u64) -> RunStats {
    let size = BoardSize::square(side).unwrap();
    RunStats::play(&RunConfig::new(size, rules, policy).seed(7), 0..games, &Progress::new()).unwrap()
}

/// The same games under these rules.
pub(super) fn compared_study(side: usize, rules: impl IntoIterator<Item = RuleSet>, games: u64) -> Study {
    let size = BoardSize::square(side).unwrap();
    let settings: Vec<RunConfig> =
        rules.into_iter().map(|rules| RunConfig::new(size, rules, Policy::EYE_SAFE)).collect();
    Study::play(&settings, 7, 0..games, &Progress::new()).unwrap()
}

/// Even games, and games that Black begins with two and four moves in a row.
pub(super) fn handicap_study() -> Study {
    let mut study = Study::default();
    for handicap in [0, 2, 4] {
        let config = RunConfig::new("5".parse().unwrap(), Rules::TROMP_TAYLOR, Policy::EYE_SAFE);
        let run = config.with_handicap(handicap).unwrap().seed(7);
        study.add(RunStats::play(&run, 0..2000, &Progress::new()).unwrap()).unwrap();
    }
    study
}

/// Games that leave seki and dead chains behind.
pub(super) fn guarded_study() -> Study {
    let mut study = Study::default();
    study.add(cell(5, "japanese".parse().unwrap(), "guarded:k=3".parse().unwrap(), 1500)).unwrap();
    let status = &study.runs[0].finished.status;
    assert!(!status.shapes.shapes.is_empty() && !status.seki_sizes.is_empty());
    study
}

pub(super) fn meta() -> ReportMeta {
    ReportMeta {
        command_line: "jigo study --size 3,5 --seed 7".to_owned(),
        program: Program { version: "0.0.0".to_owned(), commit: "0123456".to_owned() },
        komi: KomiChoice::Fixed(Komi::from_half_points(15)),
    }
}

/// Writes a report as `jigo study` does.
fn write_report(dir: &Path, study: &Study, meta: &ReportMeta) -> Result<Vec<PathBuf>, ReportFolderError> {
    let mut folder = ReportFolder::open(dir, "study", false)?;
    add_report(&mut folder, "", study, meta)?;
    folder.publish()
}

#[test]
fn all_files_are_written_and_equal_studies_give_equal_bytes() {
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let paths = dirs.each_ref().map(|dir| write_report(dir.path(), &small_study(300), &meta()).unwrap());
    for (one, other) in paths[0].iter().zip(&paths[1]) {
        assert_eq!(one.file_name(), other.file_name());
        assert_eq!(std::fs::read(one).unwrap(), std::fs::read(other).unwrap(), "{one:?}");
    }
    let found = std::fs::read_dir(dirs[0].path()).unwrap().count();
    assert_eq!(found, paths[0].len() + 1, "a file is there that is neither listed nor the list");
}

#[test]
fn every_output_states_the_fingerprint_of_the_rules() {
    let study = compared_study(4, ["tromp-taylor", "japanese"].map(|name| name.parse().unwrap()), 40);
    let dir = tempfile::tempdir().unwrap();
    write_report(dir.path(), &study, &meta()).unwrap();
    let file = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    for cell in &study.runs {
        let rules = cell.config.rules;
        let fingerprint = rules_fingerprint(*rules);
        for name in ["summary.json", "report.json"] {
            let compact = file(name).replace(": ", ":");
            assert!(compact.contains(&format!("\"rules_fingerprint\":\"{fingerprint}\"")), "{name}");
            assert!(compact.contains(&format!("\"rules\":\"{}\"", rules.canonical())), "{name}");
        }
        assert!(file("summary.csv").contains(&format!(",{fingerprint},")));
        let short = format!("<td title=\"{fingerprint}\"><code>{}</code></td>", &fingerprint[..12]);
        assert!(file("report.html").contains(&short));
    }
    let base = rules_fingerprint(Rules::TROMP_TAYLOR);
    assert!(file("rules.csv").lines().skip(1).all(|row| row.contains(&format!(",{base},"))));
}

#[test]
fn an_error_names_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let blocked = dir.path().join("report");
    std::fs::write(&blocked, "").unwrap();
    let error = write_report(&blocked, &small_study(10), &meta()).unwrap_err();
    assert!(error.to_string().contains("report"), "{error}");
}

#[test]
fn tables_fit_a_terminal() {
    let mut wide = Study::default();
    for rules in Rules::lattice() {
        for policy in ["uniform", "eye-safe:suicide=rules", "guarded:k=3,suicide=rules"] {
            wide.add(cell(5, rules.into(), policy.parse().unwrap(), 120)).unwrap();
        }
    }
    let compared = compared_study(4, Rules::lattice().map(jigo_engine::RuleSet::from), 1500);
    for study in [small_study(300), small_study(20), wide, compared, handicap_study(), Study::default()] {
        let table = summary_table(&study, KomiChoice::Fixed(Komi::from_half_points(-15)));
        let widest = table.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 100, "{widest}");
    }
}

#[test]
fn every_output_shows_the_same_life_and_death() {
    let study = guarded_study();
    let status = &study.runs[0].finished.status;
    let games = status.positions_with(Status::Seki);
    let share = format::fixed(100.0 * games as f64 / status.positions as f64, 2);
    let table = summary_table(&study, meta().komi);
    assert!(table.contains("solved") && table.contains(&share), "{share} is not in:\n{table}");
    let json: serde_json::Value = serde_json::from_slice(&summary_json(&study, &meta())).unwrap();
    assert_eq!(json["cells"][0]["finished"]["seki_positions"]["count"], games);
    let page = page::page_of(&study, &meta());
    let (shape, count) = status.shapes.ranking()[0];
    for shown in ["Life and death", ">final positions with a chain in seki</td>", shape, &share] {
        assert!(page.contains(shown), "{shown}");
    }
    let dir = tempfile::tempdir().unwrap();
    write_report(dir.path(), &study, &meta()).unwrap();
    let file = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert!(file("status_shapes.csv").contains(&format!("{shape},{},seed 7,", count.parts)));
    assert!(file("status_games.csv").contains(&format!(",finished,seki,{games},")));
    let stones: u64 = file("status.csv")
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(
        stones,
        status.both().table.total().stones + study.runs[0].stopped.status.both().table.total().stones
    );
}

/// Counts the finished games whose first stone is on the board at the end, by playing them again.
fn first_stones(run: &RunStats) -> u64 {
    let games = (0..run.games()).map(|index| run.config.seed(7).game(index));
    let survives = |record: &jigo_selfplay::GameRecord| {
        let mut board: jigo_engine::Board =
            jigo_engine::Board::new(run.config.size, run.config.rules.suicide);
        record.moves.iter().for_each(|&mv| {
            board.play(mv).unwrap();
        });
        let first = record.moves[0].point();
        first.is_some_and(|point| board.stone(point) == Some(jigo_engine::Color::Black))
    };
    games.filter(|record| !record.is_capped() && survives(record)).count() as u64
}

/// One entry of the table is enough for all outputs.
#[test]
fn a_quantity_appears_in_every_output() {
    let study = small_study(150);
    let quantity = quantities::ALL.iter().find(|found| found.name == "first_stone_survives").unwrap();
    let json: serde_json::Value = serde_json::from_slice(&summary_json(&study, &meta())).unwrap();
    for (index, run) in study.runs.iter().enumerate() {
        let count = first_stones(run);
        assert!(count > 0 && count < run.finished.games);
        assert_eq!(json["cells"][index]["finished"][&quantity.name]["count"], count);
        assert_eq!(json["cells"][index]["stopped"][&quantity.name], serde_json::Value::Null);
    }
    let dir = tempfile::tempdir().unwrap();
    write_report(dir.path(), &study, &meta()).unwrap();
    let file = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert!(file("summary.csv").contains(",first_stone_survives_share,"));
    assert!(file("report.html").matches(&quantity.title).count() > study.runs.len());
    assert!(summary_for_width(&study, meta().komi, 40).contains("1st stone lives %"));
    assert!(!summary_table(&study, meta().komi).contains("1st stone"));
    let saved = read_study(&study_json(&study, &meta())).unwrap();
    let run = NamedRun { name: "", saved: &saved };
    assert!(differences_table([run, run], &meta()).contains(&quantity.label()));
}

#[test]
fn a_narrow_terminal_gets_lines_with_the_same_numbers() {
    let study = small_study(400);
    let wide = summary_for_width(&study, meta().komi, 100);
    assert_eq!(wide, summary_table(&study, meta().komi));
    let narrow = summary_for_width(&study, meta().komi, 40);
    let table = narrow.split("fair komi: ").next().unwrap();
    assert!(table.lines().skip(1).all(|line| line.chars().count() <= 40), "{table}");
    for cell in &study.runs {
        let games = cell.games().to_string();
        assert!(table.contains(&cell.config.size.to_string()) && table.contains(&games), "{table}");
    }
    let estimate = |text: &str| text.matches("..").count();
    assert_eq!(estimate(table), estimate(wide.split("fair komi: ").next().unwrap()));
}

#[test]
fn every_output_shows_the_same_changes() {
    let study = compared_study(4, Rules::lattice().map(jigo_engine::RuleSet::from), 1500);
    let summaries = Summary::new(&study, meta().komi).comparisons;
    let mut of_base = summaries[0].in_scope(crate::rules::ContrastScope::Base);
    let territory = of_base.find(|change| change.axes == [crate::rules::RuleAxis::Counting]).unwrap();
    let margin = territory.numbers.iter().find(|number| number.name == "margin").unwrap();
    let mean = margin.change.unwrap();
    let shown = margin.shown().unwrap().texts();
    let page = page::page_of(&study, &meta());
    let on_page = format!("{} ({})", shown[0], shown[1]).replace('-', "−");
    assert!(page.contains("What each rule changes") && page.contains(&on_page), "{on_page}");
    let text = summary_table(&study, meta().komi);
    for shown in shown.map(|text| text.replace(" to ", "..")) {
        assert!(text.contains(&shown), "{shown} is not in:\n{text}");
    }
    let json: serde_json::Value = serde_json::from_slice(&summary_json(&study, &meta())).unwrap();
    let changes = json["comparisons"][0]["changes"].as_array().unwrap();
    assert!(changes.iter().any(|change| change["numbers"][1]["change"] == mean), "{json:#}");
    assert!(text.contains("suicide changes nothing") && page.contains("the policy never plays suicide"));
    let narrow = summary_for_width(&study, meta().komi, 40);
    assert!(narrow.contains("what each rule changes: 4x4, eye-safe"), "{narrow}");
    // One rule set has nothing to be compared with.
    let one = compared_study(4, [Rules::TROMP_TAYLOR.into()], 100);
    assert!(!page::page_of(&one, &meta()).contains("What each rule changes"));
    assert!(!summary_table(&one, meta().komi).contains("what each rule changes"));
}

#[test]
fn every_output_shows_the_same_values_of_stones() {
    let study = handicap_study();
    let value = Summary::new(&study, meta().komi).handicaps[0].values[1].value.unwrap();
    let [estimate, interval] = value.texts();
    let on_page = |text: &str| format!("<td class=\"number\">{}</td>", text.replace('-', "−"));
    let page = page::page_of(&study, &meta());
    assert!(page.contains("What is a stone worth?") && page.contains("id=\"stones1"));
    assert!(page.contains(&on_page(&estimate)) && page.contains(&on_page(&interval)), "{value}");
    let narrow = summary_for_width(&study, meta().komi, 40);
    for text in [summary_table(&study, meta().komi), narrow] {
        let row = text.split("a stone, 0 to 2").nth(1).unwrap();
        assert!(
            row.trim_start_matches(|found: char| !found.is_ascii_digit()).starts_with(&estimate),
            "{text}"
        );
    }
    let json: serde_json::Value = serde_json::from_slice(&summary_json(&study, &meta())).unwrap();
    let found = &json["handicaps"][0]["values"][1];
    assert_eq!((&found["of"], &found["from"], &found["to"]), (&"stone".into(), &0.into(), &2.into()));
    assert_eq!(found["value"]["estimate"], value.estimate);
    let rows = String::from_utf8(stones::csv(&Summary::new(&study, meta().komi).handicaps)).unwrap();
    let row = format!(",2,stone_value,0,,,{},", value.estimate);
    assert!(rows.lines().any(|line| line.contains(&row)), "{rows}");
    // Even games alone have no value of a stone.
    let even = small_study(200);
    assert!(!page::page_of(&even, &meta()).contains("What is a stone worth?"));
    assert!(!summary_table(&even, meta().komi).contains("what a stone is worth"));
}
