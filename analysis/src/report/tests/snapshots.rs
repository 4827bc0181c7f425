//! What is written for a small study with a fixed seed. A change here is a change of the output: read the difference.

use super::*;

fn compared() -> Study {
    let names = ["tromp-taylor", "situational-superko", "territory+simple-ko+no-suicide"];
    compared_study(4, names.map(|name| name.parse().unwrap()), 2000)
}

#[test]
fn values_of_stones() {
    let table = summary_table(&handicap_study(), meta().komi);
    insta::assert_snapshot!(&table[table.find("what a stone is worth").unwrap()..]);
}

#[test]
fn table_of_changes() {
    insta::assert_snapshot!(summary_table(&compared(), meta().komi));
}

#[test]
fn table_with_enough_games() {
    insta::assert_snapshot!(summary_table(&small_study(2000), meta().komi));
}

#[test]
fn table_with_too_few_games() {
    insta::assert_snapshot!(summary_table(&small_study(50), meta().komi));
}

#[test]
fn csv() {
    let study = small_study(200);
    let compared = compared();
    let comparisons = Summary::new(&compared, meta().komi).comparisons;
    let stones = handicap_study();
    let handicaps = Summary::new(&stones, meta().komi).handicaps;
    let summary = Summary { comparisons, handicaps, ..Summary::new(&study, meta().komi) };
    for (name, bytes) in csv::files(&summary) {
        let text = String::from_utf8(bytes).unwrap();
        let start: Vec<&str> = text.lines().take(12).collect();
        insta::assert_snapshot!(name, start.join("\n"));
    }
}
