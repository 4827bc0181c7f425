//! How two runs differ, in numbers. Every output shows these and computes none itself.

mod output;

use jigo_engine::{Komi, life::Status};
use serde::Serialize;

use super::{
    changes::{Number, SHARE},
    naming::Naming,
    summary::{CellSummary, Rate, Spread, Summary},
};
use crate::{
    Coverage, FairKomi, Interval, RunConfig, Study,
    stats::{Change, INDEPENDENT},
};

pub use output::{DIFFERENCES_FORMAT_VERSION, NamedRun, differences_table, write_differences};

/// Two runs side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RunDifferences {
    /// Cells with a counterpart in the other run, in the order of the first run.
    pub(crate) pairs: Vec<CellDifferences>,
    /// Cells without one, of the first run and of the second.
    pub(crate) alone: [Vec<RunConfig>; 2],
}

/// Two cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CellDifferences {
    pub(crate) settings: [RunConfig; 2],
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

impl RunDifferences {
    /// Compares cells of the same board size that agree in the rules if either run has several, and likewise in the policy.
    pub(crate) fn new(runs: [&Study; 2], komi: Komi) -> Self {
        let namings = runs.map(Naming::of);
        let must_agree = |axis: usize| namings.iter().any(|naming| naming.axes()[axis].varies());
        let axes = [0, 1].map(must_agree);
        let are_alike = |one: &RunConfig, other: &RunConfig| {
            let value = |run: usize, axis: usize| namings[run].axes()[axis].of([one, other][run]);
            one.size == other.size && (0..2).all(|axis| !axes[axis] || value(0, axis) == value(1, axis))
        };
        let mut pairs = Vec::new();
        for first in &runs[0].cells {
            for second in runs[1].cells.iter().filter(|second| are_alike(&first.config, &second.config)) {
                let summaries = [first, second].map(|cell| CellSummary::new(cell, komi));
                pairs.push(CellDifferences {
                    settings: [first.config, second.config],
                    games: [first.finished.games, second.finished.games],
                    same_seeds: common_games(&first.coverage, &second.coverage),
                    numbers: numbers(summaries.each_ref().map(|summary| &summary.finished)),
                });
            }
        }
        let alone = [0, 1].map(|run| {
            let settings = runs[run].cells.iter().map(|cell| cell.config);
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

fn numbers(summaries: [&Summary; 2]) -> Vec<Difference> {
    let rate = |name, of: &dyn Fn(&Summary) -> Rate| {
        let known = |summary: &Summary| Some((of(summary).share?, of(summary).interval));
        Difference::new(name, SHARE, summaries.map(known))
    };
    let mean = |name, unit, of: &dyn Fn(&Summary) -> Option<Spread>| {
        Difference::new(name, unit, summaries.map(|summary| interval_of_mean(of(summary)?)))
    };
    vec![
        Difference::new(
            "fair_komi",
            "points",
            summaries.map(|summary| fair_komi(summary.fair_komi.as_ref()?)),
        ),
        mean("margin", "points", &|summary| summary.margin),
        rate("black_wins", &|summary| summary.at_komi.black),
        rate("white_wins", &|summary| summary.at_komi.white),
        rate("jigo", &|summary| summary.at_komi.jigo),
        mean("plies", "per game", &|summary| summary.plies),
        mean("passes", "per game", &|summary| summary.passes),
        mean("black_stones_removed", "per game", &|summary| summary.black_stones_removed),
        mean("white_stones_removed", "per game", &|summary| summary.white_stones_removed),
        rate("games_with_a_refused_draw", &|summary| summary.refused_draws.games),
        rate("games_with_a_repetition", &|summary| summary.repetitions.games),
        rate("positions_with_seki", &|summary| summary.status.with(Status::Seki)),
        rate("positions_with_dead_chains", &|summary| summary.status.with(Status::Dead)),
        rate("positions_with_all_chains_decided", &|summary| summary.status.decided_positions),
    ]
}

fn fair_komi(fair: &FairKomi) -> Option<(f64, Interval)> {
    Some((fair.estimate.estimate, fair.estimate.interval))
}

fn interval_of_mean(spread: Spread) -> Option<(f64, Interval)> {
    Some((spread.mean, Interval::around(spread.mean, spread.standard_error?)))
}

impl Difference {
    fn new(name: &'static str, unit: &'static str, known: [Option<(f64, Interval)>; 2]) -> Self {
        let change = match known {
            [Some(before), Some(after)] => Some(Change::of_independent(before, after)),
            _ => None,
        };
        let number = Number {
            name,
            unit,
            change: change.map(|change| change.estimate),
            interval: change.map(|change| change.interval),
            method: if change.is_some() { INDEPENDENT } else { TOO_FEW },
        };
        Self { values: known.map(|known| known.map(|(value, _)| value)), difference: number }
    }

    /// The two values, shares in per cent.
    pub(crate) fn shown_values(&self) -> [Option<f64>; 2] {
        let factor = if self.difference.unit == SHARE { 100.0 } else { 1.0 };
        self.values.map(|value| value.map(|value| factor * value))
    }
}

#[cfg(test)]
mod tests {
    use jigo_selfplay::{Policy, Progress};

    use super::*;
    use crate::{
        RunStats,
        report::{SavedStudy, read_study, study_json, tests::meta},
    };

    fn setting(size: &str, rules: &str, policy: &str) -> RunConfig {
        let size: jigo_engine::BoardSize = size.parse().unwrap();
        let policy: Policy = policy.parse().unwrap();
        let ply_cap = RunConfig::default_ply_cap(size);
        RunConfig { size, rules: rules.parse().unwrap(), policy, ply_cap, count_forbidden: false }
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
            let differences = RunDifferences::new(runs.each_ref(), "7.5".parse().unwrap());
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
        let differences = RunDifferences::new([&run, &run], "0.5".parse().unwrap());
        let pair = &differences.pairs[0];
        assert_eq!((pair.games[0], pair.same_seeds), (run.cells[0].finished.games, 300));
        for number in &pair.numbers {
            let Some(interval) = number.difference.interval else {
                panic!("{} has no interval", number.difference.name);
            };
            assert_eq!(number.difference.change, Some(0.0));
            assert!((interval.lower + interval.upper).abs() < 1e-9, "{}", number.difference.name);
        }
    }

    /// `guarded` lets chains live that `eye-safe` fills up: far more final positions with seki. And what is compared may be read from files.
    #[test]
    fn differences_are_found() {
        let runs = ["eye-safe", "guarded"].map(|policy| {
            let run = study(&[setting("5", "tromp-taylor", policy)], 0..400);
            read_study(&study_json(&run, &meta())).unwrap().study
        });
        let differences = RunDifferences::new(runs.each_ref(), "0.5".parse().unwrap());
        let named = |name| {
            let mut numbers = differences.pairs[0].numbers.iter();
            numbers.find(|number| number.difference.name == name).unwrap()
        };
        let seki = named("positions_with_seki").difference.interval.unwrap();
        assert!(seki.lower > 0.0, "{seki:?}");
        let [before, after] = named("plies").values.map(Option::unwrap);
        assert!(named("plies").difference.change == Some(after - before));
    }

    #[test]
    fn the_page_is_whole_and_names_both() {
        let runs =
            ["eye-safe", "guarded"].map(|policy| study(&[setting("3", "tromp-taylor", policy)], 0..150));
        let commit = "<0>3456789abcdef0123".to_owned();
        let saved =
            runs.clone().map(|study| SavedStudy { study, version: "1".to_owned(), commit: commit.clone() });
        let named = |index: usize, name| NamedRun { name, saved: &saved[index] };
        let named = [named(0, "one & two"), named(1, "three")];
        let folder = tempfile::tempdir().unwrap();
        let files = write_differences(folder.path(), named, &meta()).unwrap();
        let page = std::fs::read_to_string(&files[0]).unwrap();
        crate::report::tests::assert_well_formed(&page);
        let head = "one &#38; two</code>, jigo 1, commit &#60;0&#62;3456789ab</dd>";
        assert!(page.contains(head) && !page.contains("<script"), "{page}");
        let table = differences_table(named, &meta());
        assert!(table.starts_with("A  one & two (jigo 1, commit <0>3456789ab)\nB  three"), "{table}");
        assert!(table.contains("\n3×3: A tromp-taylor, eye-safe, "), "{table}");
        assert!(table.contains(" games; B tromp-taylor, guarded:k=2, 150 games\n"), "{table}");
        let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&files[2]).unwrap()).unwrap();
        assert_eq!(json["runs"][0][1], format!("jigo 1, commit {commit}"));
        let rows = std::fs::read_to_string(&files[1]).unwrap().lines().count();
        assert_eq!(rows, 1 + RunDifferences::new(runs.each_ref(), meta().komi).pairs[0].numbers.len());
    }
}
