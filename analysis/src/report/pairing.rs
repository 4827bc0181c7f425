//! How far a quantity differs between two runs, with an interval that uses the games that both runs have.

use jigo_engine::Komi;

use super::{
    quantities::{Quantity, Rule},
    rule_changes::{JACKKNIFE, MIN_DIFFERING},
};
use crate::{
    Interval, RunStats,
    rules::FAIR_KOMI_MIN_GAMES,
    stats::{Estimate, GROUPS, INDEPENDENT, delete_a_group},
    study::GroupTotals,
};

/// How the games of two runs belong together.
pub(super) enum Pairing {
    /// No game differs in anything that is counted.
    Same,
    /// Each game of one run has a game of the other with the same seed and number, which has the same random numbers.
    Grouped(Box<[Groups; 2]>),
    /// They have too few games, or not the same ones.
    Independent,
}

/// What each group of games has, and what all games but it have.
pub(super) struct Groups {
    own: Vec<GroupTotals>,
    rest: Vec<GroupTotals>,
}

impl Groups {
    fn new(run: &RunStats) -> Self {
        let groups = &run.finished.groups;
        let own = (0..GROUPS).map(|group| groups.totals(|other| other == group));
        let rest = (0..GROUPS).map(|group| groups.totals(|other| other != group));
        Self { own: own.collect(), rest: rest.collect() }
    }
}

/// Why there is no interval, though there are enough games.
pub(super) const SAME_GAMES: &str = "none: no game differs";

impl Pairing {
    pub(super) fn new(runs: [&RunStats; 2]) -> Self {
        let [one, other] = runs;
        let is_enough = runs.iter().all(|run| run.finished.games >= FAIR_KOMI_MIN_GAMES);
        match () {
            () if one.coverage != other.coverage => Self::Independent,
            () if [&one.finished, &one.stopped] == [&other.finished, &other.stopped] => Self::Same,
            () if is_enough => Self::Grouped(Box::new(runs.map(Groups::new))),
            () => Self::Independent,
        }
    }

    /// Returns the difference of a quantity, `after` minus `before`, and the method of its interval.
    ///
    /// Where few groups differ in the quantity, their spread says little: then the runs are taken to be independent.
    pub(super) fn difference(
        &self,
        quantity: &Quantity,
        [before, after]: [Estimate; 2],
        komi: Komi,
    ) -> (f64, Option<Interval>, &'static str) {
        let independent = Estimate::from_independent(before, after);
        let change = independent.estimate;
        let without = match self {
            Self::Same => return (change, None, SAME_GAMES),
            Self::Grouped(runs) => without_each(quantity, runs, komi),
            Self::Independent => None,
        };
        match without {
            Some(without) => (change, Some(delete_a_group(change, &without).interval), JACKKNIFE),
            None => (change, Some(independent.interval), INDEPENDENT),
        }
    }

    /// Names a method in a word.
    pub(super) fn method_in_short(method: &str) -> &'static str {
        match method {
            JACKKNIFE => "paired",
            INDEPENDENT => "independent",
            _ => "none",
        }
    }
}

/// Returns the difference of a quantity without each group; nothing where groups do not count it or few of them differ.
fn without_each(quantity: &Quantity, [before, after]: &[Groups; 2], komi: Komi) -> Option<[f64; GROUPS]> {
    let estimate = quantity.in_groups.as_ref()?;
    let differs = |before: &GroupTotals, after: &GroupTotals| match quantity.rule {
        // Few of the games of a group decide its median.
        Rule::FairKomi(_) => before.margins != after.margins,
        _ => estimate(before, komi) != estimate(after, komi),
    };
    let groups = before.own.iter().zip(&after.own);
    if (groups.filter(|(before, after)| differs(before, after)).count() as u64) < MIN_DIFFERING {
        return None;
    }
    let mut without = [0.0; GROUPS];
    for (value, (before, after)) in without.iter_mut().zip(before.rest.iter().zip(&after.rest)) {
        *value = estimate(after, komi)? - estimate(before, komi)?;
    }
    Some(without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Coverage, Histogram, Run, Study,
        report::{
            quantities::{ALL, BLACK_WINS, FAIR_KOMI, PLIES},
            summary::RunSummary,
        },
        rules::CountedQuantity,
        study::Measure as _,
        test_random::Stream,
    };

    fn quantity(name: &str) -> &'static Quantity {
        ALL.iter().find(|quantity| quantity.name == name).unwrap()
    }

    fn run(rules: &str, seed: u64, games: u64) -> RunStats {
        Run::new("9", rules, "eye-safe").unwrap().seed(seed).measure(0..games).unwrap()
    }

    /// The difference of a quantity between two runs at this komi, as their comparison shows it.
    fn difference(runs: [&RunStats; 2], name: &str, komi: Komi) -> (f64, Option<Interval>, &'static str) {
        let summaries = runs.map(|run| RunSummary::at_komi(run, komi));
        let estimates =
            summaries.each_ref().map(|summary| summary.finished.value(name).unwrap().estimate().unwrap());
        Pairing::new(runs).difference(quantity(name), estimates, komi)
    }

    /// Simulated runs: most games have the same margin and length in both, the others new ones. A tenth of the games of the second run are not finished.
    /// Of 1000 samples, an interval that covers 95 % lies outside of the bounds (four standard deviations) in 6 of 100,000 runs; there are six bounds to meet,
    /// so the false-alarm rate is below 4 in 10,000. The seed is fixed.
    #[test]
    fn paired_intervals_cover_as_often_as_they_say() {
        const SAMPLES: u32 = 1000;
        let population = |shift: i32| -> Histogram {
            let steps = (-20..20_i32).flat_map(|step| vec![2 * step + 1 + shift; (25 - step.abs()) as usize]);
            steps.collect()
        };
        let (kept, moved) = (population(0), population(4));
        let komi = Komi::from_half_points(5);
        let mut random = Stream::new(9);
        for (games, touched) in [(1500, 30), (6000, 60)] {
            let mut after = Histogram::new();
            kept.iter().for_each(|(margin, weight)| after.add_many(margin, weight * (100 - touched)));
            moved.iter().for_each(|(margin, weight)| after.add_many(margin, weight * touched));
            let median = |margins: &Histogram| margins.interpolated_median().unwrap().estimate;
            let wins = |margins: &Histogram| {
                let won: u64 = (3..100).map(|margin| margins.count_of(margin)).sum();
                won as f64 / margins.count() as f64
            };
            let truths = [
                (FAIR_KOMI, median(&after) - median(&kept)),
                (BLACK_WINS, wins(&after) - wins(&kept)),
                (PLIES, 0.04 * touched as f64),
            ];
            let mut covered = [0_u32; 3];
            for _ in 0..SAMPLES {
                let mut runs =
                    [(); 2].map(|()| RunStats::new(Run::new("9", "area", "eye-safe").unwrap().config));
                for index in 0..games {
                    let before = random.draw(&kept);
                    let after = if random.below(100) < touched { random.draw(&moved) } else { before };
                    let ends = [Some(before), (random.below(10) > 0).then_some(after)];
                    for (run, margin) in runs.iter_mut().zip(ends) {
                        let Some(margin) = margin else { continue };
                        run.finished.games += 1;
                        run.finished.groups.add_simulated(index, margin, (100 + margin) as u32);
                    }
                }
                runs.iter_mut().for_each(|run| run.coverage = Coverage::new(1, 0..games));
                let pairing = Pairing::new(runs.each_ref());
                for (covered, (name, truth)) in covered.iter_mut().zip(truths) {
                    let quantity = quantity(name);
                    let estimates = runs.each_ref().map(|run| {
                        let all = run.finished.groups.totals(|_| true);
                        Estimate::from_mean(quantity.in_groups.as_ref().unwrap()(&all, komi).unwrap(), 0.0)
                    });
                    let (_, interval, method) = pairing.difference(quantity, estimates, komi);
                    assert_eq!(method, JACKKNIFE);
                    *covered += u32::from(interval.unwrap().contains(truth));
                }
            }
            for (covered, (name, _)) in covered.into_iter().zip(truths) {
                println!("{name}, {games} games, {touched} %: {covered} of {SAMPLES}");
                assert!((922..=978).contains(&covered), "{name}, {games} games: {covered} of {SAMPLES}");
            }
        }
    }

    /// A study of both rule sets compares game by game. The width of an interval from 64 groups has a standard deviation of a tenth.
    #[test]
    fn paired_intervals_are_those_of_a_study_of_both_rule_sets() {
        const GAMES: u64 = 20_000;
        let rules = ["tromp-taylor", "area+simple-ko"];
        let runs = rules.map(|rules| run(rules, 3, GAMES));
        let configs = runs.each_ref().map(|run| run.config);
        let study = Study::play(&configs, 3, 0..GAMES, &jigo_selfplay::Progress::new()).unwrap();
        let comparison = &study.comparisons[0];
        let counts = &comparison.counts[0];
        let komi = Komi::from_half_points(1);
        let mean = |quantity| {
            let spread = counts.spread(quantity).unwrap();
            Estimate::from_mean(spread.mean, spread.standard_error.unwrap())
        };
        for (name, expected) in [
            (PLIES, mean(CountedQuantity::Plies)),
            ("margin", mean(CountedQuantity::Margin)),
            (FAIR_KOMI, comparison.fair_komi_changes()[0].unwrap()),
        ] {
            let (change, interval, method) = difference(runs.each_ref(), name, komi);
            assert_eq!(method, JACKKNIFE, "{name}");
            let sign = if comparison.configs[0] == configs[0] { 1.0 } else { -1.0 };
            assert!((change - sign * expected.estimate).abs() < 1e-9, "{name}: {change} {expected}");
            let width = interval.unwrap().width();
            let ratio = width / expected.interval.width();
            let estimates = runs
                .each_ref()
                .map(|run| RunSummary::at_komi(run, komi).finished.value(name).unwrap().estimate().unwrap());
            let independent = Estimate::from_independent(estimates[0], estimates[1]).interval.width();
            println!(
                "{name}: {ratio:.2} of the study's width, independent {:.1} times as wide",
                independent / width
            );
            assert!((0.67..1.5).contains(&ratio), "{name}: {ratio}");
            assert!(independent > 4.0 * width, "{name}: {independent} {width}");
        }
    }

    #[test]
    fn other_runs_are_independent() {
        let runs = [
            run("area", 3, 5000),
            run("area", 4, 5000),
            run("area+simple-ko", 3, 5000),
            run("area", 3, 4999),
        ];
        let method = |one: usize, other: usize, name| {
            let (change, interval, method) =
                difference([&runs[one], &runs[other]], name, Komi::from_half_points(1));
            assert_eq!(interval.is_none(), method == SAME_GAMES && change == 0.0);
            method
        };
        for other in [1, 3] {
            assert_eq!(method(0, other, PLIES), INDEPENDENT, "{other}");
        }
        assert_eq!(method(0, 0, PLIES), SAME_GAMES);
        let few = [run("area", 3, 1000), run("area+simple-ko", 3, 1000)];
        assert_eq!(difference([&few[0], &few[1]], PLIES, Komi::from_half_points(1)).2, INDEPENDENT);
        // Hardly a game has a chain that is not solved, so that hardly a group differs in them.
        assert_eq!(method(0, 2, "solved_positions"), INDEPENDENT);
    }
}
