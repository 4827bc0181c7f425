//! What the first move and a handicap stone are worth, by the fair komi of runs that differ in their handicap alone. Every output shows these
//! numbers and computes none itself.

use serde::Serialize;

use super::{
    csv::{Row, numbers, or_empty, sheet},
    format::{cells, estimate_cells, group, or_dash},
    html::DataTable,
    summary::RunSummary,
};
use crate::{
    Interval, RunConfig, fair_komi,
    stats::{ESTIMATE_METHOD, Estimate, INDEPENDENT},
    study::{FirstMoveClass, Measures},
};

/// What people say the first move is worth, in points.
///
/// # Source
/// The traditional rules as published by the Czech Go Association, on komi.
const CLAIMED_FIRST_MOVE: Interval = Interval { lower: 10.0, upper: 11.0 };

/// What people say a handicap stone is worth: about so many points.
///
/// # Source
/// The traditional rules as published by the Czech Go Association, on the difference in strength of two players.
const CLAIMED_STONE: Interval = Interval { lower: 10.0, upper: 10.0 };

/// Says where the numbers come from, a sentence a line.
pub(super) const NOTE: &str = "\
    First move: twice the fair komi of even games.\n\
    A stone: the gain of fair komi for each stone more; an even game has one.\n\
    The runs are independent: each handicap has random numbers of its own.\n\
    Claim: the traditional rules as published by the Czech Go Association, for people.\n\
    Of many first moves the best looks better than it is, and the worst worse.\n";

/// The runs of one board, rule set and policy that have several handicaps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct HandicapSummary {
    /// What they have in common, as even games.
    pub(crate) setting: RunConfig,
    /// In ascending order of the handicap.
    pub(crate) fair_komi: Vec<HandicapKomi>,
    pub(crate) values: Vec<StoneValue>,
}

/// The fair komi of the finished games with one handicap. What White receives for it is part of the margins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct HandicapKomi {
    #[serde(skip)]
    config: RunConfig,
    pub(crate) handicap: u32,
    games: u64,
    /// Nothing where there are too few games.
    #[serde(rename = "fair_komi")]
    pub(crate) estimate: Option<Estimate>,
    /// The first moves with the highest and the lowest fair komi. Nothing where White moves first, or fewer than two classes of moves have enough games.
    first_moves: Option<[FirstMoveKomi; 2]>,
}

/// The fair komi of the games with equivalent first moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct FirstMoveKomi {
    /// One of the moves, as in GTP.
    first_move: String,
    games: u64,
    #[serde(flatten)]
    estimate: Estimate,
}

/// What has a value in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub(crate) enum Valued {
    /// Moving first instead of second.
    FirstMove,
    /// Each stone more from one handicap to another.
    Stone { from: u32, to: u32 },
}

/// A value, and how it compares with what people claim.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct StoneValue {
    #[serde(flatten)]
    pub(crate) of: Valued,
    /// Nothing where there are too few games.
    pub(crate) value: Option<Estimate>,
    pub(crate) claim: Interval,
    pub(crate) against_claim: Option<AgainstClaim>,
    method: &'static str,
}

/// Where an interval lies beside a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AgainstClaim {
    /// All of it is below.
    Less,
    /// The two overlap.
    Compatible,
    /// All of it is above.
    More,
}

impl AgainstClaim {
    fn new(value: Estimate, claim: Interval) -> Self {
        if value.interval.upper < claim.lower {
            Self::Less
        } else if value.interval.lower > claim.upper {
            Self::More
        } else {
            Self::Compatible
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Less => "less",
            Self::Compatible => "compatible",
            Self::More => "more",
        }
    }
}

/// Returns a summary for each board, rule set and policy with several handicaps, in order of appearance.
pub(super) fn handicaps(runs: &[RunSummary<'_>]) -> Vec<HandicapSummary> {
    let mut found: Vec<HandicapSummary> = Vec::new();
    for run in runs {
        let setting = RunConfig { handicap: 0, ..run.config };
        let komi = HandicapKomi::new(run);
        match found.iter_mut().find(|summary| summary.setting == setting) {
            Some(summary) => summary.fair_komi.push(komi),
            None => {
                found.push(HandicapSummary { setting, fair_komi: vec![komi], values: Vec::new() });
            }
        }
    }
    found.retain(|summary| summary.fair_komi.len() > 1);
    for summary in &mut found {
        summary.fair_komi.sort_by_key(|komi| komi.handicap);
        let with_stones =
            summary.fair_komi.iter().filter_map(|komi| Some((stones(&komi.config)?, komi.estimate)));
        summary.values = values(&with_stones.collect::<Vec<_>>());
    }
    found
}

/// Returns how many stones Black has before White's first move. Nothing where White hands over prisoners as well: what they are worth is no question.
fn stones(config: &RunConfig) -> Option<u32> {
    (config.start().prisoners == 0).then(|| config.handicap.max(1))
}

/// Returns the values that follow from the fair komi by numbers of stones, which ascend. One stone is the first move of an even game.
fn values(fair_komi: &[(u32, Option<Estimate>)]) -> Vec<StoneValue> {
    let mut values = Vec::new();
    if let Some(&(1, even)) = fair_komi.first() {
        // By symmetry the fair komi is the opposite where White moves first.
        let value = even.map(|even| even.scaled(2.0));
        values.push(StoneValue::new(Valued::FirstMove, value, CLAIMED_FIRST_MOVE, ESTIMATE_METHOD));
    }
    let handicap = |stones| if stones == 1 { 0 } else { stones };
    let mut push = |(from, before): (u32, Option<Estimate>), (to, after): (u32, Option<Estimate>)| {
        let gain = before.zip(after).map(|(before, after)| Estimate::from_independent(before, after));
        let value = gain.map(|gain| gain.scaled(1.0 / f64::from(to - from)));
        let of = Valued::Stone { from: handicap(from), to: handicap(to) };
        values.push(StoneValue::new(of, value, CLAIMED_STONE, INDEPENDENT));
    };
    fair_komi.windows(2).for_each(|pair| push(pair[0], pair[1]));
    if let [first, _, .., last] = fair_komi {
        push(*first, *last);
    }
    values
}

impl StoneValue {
    fn new(of: Valued, value: Option<Estimate>, claim: Interval, method: &'static str) -> Self {
        let against_claim = value.map(|value| AgainstClaim::new(value, claim));
        Self { of, value, claim, against_claim, method }
    }

    fn name(&self) -> String {
        match self.of {
            Valued::FirstMove => "first move".to_owned(),
            Valued::Stone { from, to } => format!("a stone, {from} to {to}"),
        }
    }
}

impl HandicapKomi {
    fn new(run: &RunSummary<'_>) -> Self {
        Self {
            config: run.config,
            handicap: run.config.handicap,
            games: run.finished.counts.games,
            estimate: run.finished.fair_komi().map(|fair| fair.estimate),
            first_moves: run.finished.fair_komi().and_then(|_| first_moves(run.finished.counts)),
        }
    }
}

/// Returns the best and the worst class of first moves for Black; of equals the first.
fn first_moves(games: &Measures) -> Option<[FirstMoveKomi; 2]> {
    let of_class = |class: &FirstMoveClass| {
        let estimate = fair_komi(&class.margins).ok()?.estimate;
        Some(FirstMoveKomi { first_move: class.name(games.size), games: class.margins.games(), estimate })
    };
    let mut found: Vec<FirstMoveKomi> = games.first_moves.classes.iter().filter_map(of_class).collect();
    found.sort_by(|one, other| other.estimate.estimate.total_cmp(&one.estimate.estimate));
    let mut found = found.into_iter();
    Some([found.next()?, found.next_back()?])
}

impl HandicapSummary {
    /// Returns the fair komi by handicap and first move, and the values that follow.
    pub(super) fn tables(&self) -> [DataTable; 2] {
        let headings =
            ["handicap", "games", "fair komi", "95 % interval", "best first move", "worst first move"];
        let mut by_handicap = DataTable::new(0, headings);
        for komi in &self.fair_komi {
            let [estimate, interval] = estimate_cells(komi.estimate);
            let first_move = |index: usize| {
                let of = komi.first_moves.as_ref().map(|both| &both[index]);
                or_dash(of.map(|of| format!("{} {}", of.first_move, of.estimate)))
            };
            by_handicap.push(cells![
                komi.handicap,
                group(komi.games),
                estimate,
                interval,
                first_move(0),
                first_move(1)
            ]);
        }
        let mut by_stone =
            DataTable::new(1, ["value of", "points", "95 % interval", "claim", "against the claim"]);
        for value in &self.values {
            let [estimate, interval] = estimate_cells(value.value);
            let Interval { lower, upper } = value.claim;
            let claim = if lower < upper { format!("{lower} to {upper}") } else { format!("about {lower}") };
            let against = or_dash(value.against_claim.map(AgainstClaim::name));
            by_stone.push(cells![value.name(), estimate, interval, claim, against]);
        }
        [
            by_handicap.titled("Fair komi by handicap and by first move", ""),
            by_stone.titled("Values and what people claim", ""),
        ]
    }
}

const COLUMNS: &str = "quantity,from_handicap,first_move,games,points,lower_95,upper_95,claim_lower,claim_upper,\
                       against_claim,method";

/// Writes one row for each number; that of a stone has the configuration of the larger handicap.
pub(super) fn csv(handicaps: &[HandicapSummary]) -> Vec<u8> {
    sheet(COLUMNS, handicaps.iter().flat_map(rows))
}

fn rows(summary: &HandicapSummary) -> Vec<(&RunConfig, Row)> {
    let mut rows = Vec::new();
    for komi in &summary.fair_komi {
        let mut push = |name: &str, first_move: &str, games: u64, estimate| {
            let row =
                [cells![name, "", first_move, games], numbers(estimate), cells!["", "", "", ESTIMATE_METHOD]];
            rows.push((&komi.config, row.concat()));
        };
        push("fair_komi", "", komi.games, komi.estimate);
        for (name, of) in
            ["best_first_move", "worst_first_move"].into_iter().zip(komi.first_moves.iter().flatten())
        {
            push(name, &of.first_move, of.games, Some(of.estimate));
        }
    }
    for value in &summary.values {
        let (name, from, to) = match value.of {
            Valued::FirstMove => ("first_move_value", None, 0),
            Valued::Stone { from, to } => ("stone_value", Some(from), to),
        };
        let komi = summary.fair_komi.iter().find(|komi| komi.handicap == to);
        let config = komi.map_or(&summary.setting, |komi| &komi.config);
        let against = or_empty(value.against_claim.map(AgainstClaim::name));
        let claim = cells![value.claim.lower, value.claim.upper, against, value.method];
        rows.push((config, [cells![name, or_empty(from), "", ""], numbers(value.value), claim].concat()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use jigo_engine::rules::KomiChoice;

    use super::*;
    use crate::RunStats;

    /// Runs of one board, rule set and policy whose fair komi are given by handicap: so many games with margins around each.
    fn summaries(size: &str, rules: &str, fair_komi: &[(u32, i32)], games: usize) -> Vec<HandicapSummary> {
        let config =
            jigo_selfplay::Run::new(size, rules, "eye-safe").expect("a board, rules and a policy").config;
        let run = |&(handicap, komi): &(u32, i32)| {
            let mut run = RunStats::new(config.with_handicap(handicap).unwrap());
            run.finished.games = games as u64;
            run.finished.margins = (-50..=50).cycle().take(games).map(|distance| komi + distance).collect();
            run
        };
        let runs: Vec<RunStats> = fair_komi.iter().map(run).collect();
        let runs: Vec<RunSummary<'_>> =
            runs.iter().map(|run| RunSummary::new(run, KomiChoice::Rules)).collect();
        handicaps(&runs)
    }

    /// An even game has one stone, so two stones are one more and four are three more.
    #[test]
    fn values_are_those_of_each_stone_more() {
        let [summary] = &summaries("9", "japanese", &[(4, 21), (0, 5), (2, 15)], 10_100)[..] else {
            panic!("one board, rule set and policy");
        };
        assert_eq!(summary.fair_komi.iter().map(|komi| komi.handicap).collect::<Vec<_>>(), [0, 2, 4]);
        let stone = |from, to| Valued::Stone { from, to };
        let expected = [
            (Valued::FirstMove, 10.0, AgainstClaim::Compatible),
            (stone(0, 2), 10.0, AgainstClaim::Compatible),
            (stone(2, 4), 3.0, AgainstClaim::Less),
            (stone(0, 4), 16.0 / 3.0, AgainstClaim::Less),
        ];
        assert_eq!(summary.values.len(), expected.len());
        for (value, (of, points, against)) in summary.values.iter().zip(expected) {
            assert_eq!((value.of, value.against_claim), (of, Some(against)));
            assert!((value.value.unwrap().estimate - points).abs() < 1e-9, "{value:?}");
        }
    }

    /// The interval of the first move is twice as wide as that of fair komi. Equal and independent intervals make one that is √2 times as wide, shared
    /// among the stones between.
    #[test]
    fn intervals_are_those_of_independent_runs() {
        let summary = &summaries("9", "japanese", &[(0, 5), (4, 21)], 10_100)[0];
        let width = |of: Option<Estimate>| of.unwrap().interval.width();
        let komi = width(summary.fair_komi[0].estimate);
        let [first_move, stone] = [0, 1].map(|index| width(summary.values[index].value));
        assert!(komi > 0.0 && (first_move / komi - 2.0).abs() < 1e-9);
        assert!((stone / komi - 2.0_f64.sqrt() / 3.0).abs() < 1e-9, "{stone} {komi}");
    }

    #[test]
    fn claims_are_compared_with_whole_intervals() {
        let against = |lower, upper| {
            let value = Estimate { estimate: lower, interval: Interval { lower, upper } };
            AgainstClaim::new(value, CLAIMED_FIRST_MOVE)
        };
        assert_eq!(against(8.0, 9.9), AgainstClaim::Less);
        assert_eq!(against(8.0, 10.0), AgainstClaim::Compatible);
        assert_eq!(against(11.0, 12.0), AgainstClaim::Compatible);
        assert_eq!(against(11.1, 12.0), AgainstClaim::More);
    }

    /// Beyond nine stones White hands over prisoners, whose value the rules say.
    #[test]
    fn prisoners_are_no_stones() {
        let summary = &summaries("19", "czech", &[(8, 80), (9, 90), (12, 105)], 1010)[0];
        assert_eq!(summary.fair_komi.len(), 3);
        let [value] = summary.values[..] else { panic!("{:?}", summary.values) };
        assert_eq!(value.of, Valued::Stone { from: 8, to: 9 });
    }

    #[test]
    fn too_few_games_have_no_value_and_one_handicap_has_no_summary() {
        let summary = &summaries("9", "japanese", &[(0, 5), (2, 15)], 50)[0];
        assert!(summary.values.iter().all(|value| value.value.is_none() && value.against_claim.is_none()));
        assert_eq!(summary.tables()[1].rows[1][1..], ["–", "–", "about 10", "–"]);
        assert!(summaries("9", "japanese", &[(2, 15)], 1010).is_empty());
    }

    #[test]
    fn the_best_and_the_worst_first_move_are_named() {
        let mut games = Measures::new("3".parse().unwrap());
        assert_eq!(first_moves(&games), None);
        // The corner, the side and the centre, in this order; a pass comes last and has no games.
        for (class, komi) in games.first_moves.classes.iter_mut().zip([3, -4, 9]) {
            class.margins = (-50..=50).map(|distance| komi + distance).collect();
        }
        let [best, worst] = first_moves(&games).unwrap();
        assert_eq!(
            [(&*best.first_move, best.estimate.estimate), (&*worst.first_move, worst.estimate.estimate)],
            [("B2", 9.0), ("B3", -4.0)]
        );
    }
}
