//! What the five source documents state, each document in a file of its own; `docs/rules.md` has the table.

mod source_000_tromp_taylor;
mod source_001_czech;
mod source_002_makrai;
mod source_003_brainking;
mod source_004_hups;
mod support;

use std::collections::BTreeSet;

/// The table in the documentation and the tests here name each other.
#[test]
fn the_table_of_statements_names_every_test() {
    let table = include_str!("../../../docs/rules.md");
    let sources = [
        include_str!("source_000_tromp_taylor.rs"),
        include_str!("source_001_czech.rs"),
        include_str!("source_002_makrai.rs"),
        include_str!("source_003_brainking.rs"),
        include_str!("source_004_hups.rs"),
    ];
    for (number, source) in sources.into_iter().enumerate() {
        let heading = format!("| {number:03}, ");
        let rows = table.split(&heading).nth(1).unwrap_or_else(|| panic!("a table of document {number:03}"));
        let rows = rows.split("\n\n").next().unwrap();
        let is_test = |name: &&str| {
            name.contains('_') && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase())
        };
        let named: BTreeSet<&str> = rows.split('`').skip(1).step_by(2).filter(is_test).collect();
        let tests = source.split("#[test]\nfn ").skip(1);
        let tests: BTreeSet<&str> = tests.filter_map(|rest| rest.split('(').next()).collect();
        let elsewhere = BTreeSet::from(["area_and_territory_differ_by_the_moves"]);
        let missing: Vec<_> = tests.difference(&named).collect();
        let unknown: Vec<_> = named.difference(&tests).filter(|name| !elsewhere.contains(**name)).collect();
        assert!(
            missing.is_empty() && unknown.is_empty(),
            "{number:03}: missing {missing:?}, unknown {unknown:?}"
        );
    }
}
