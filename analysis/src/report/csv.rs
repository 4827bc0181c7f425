//! Tidy CSV files: one observation in each row, one variable in each column, the run in the first columns.

use std::{collections::BTreeSet, fmt::Display};

use csv::Writer;
use jigo_engine::{
    Color, Point,
    life::{SekiKind, Status},
};
use jigo_selfplay::fingerprint::rules_fingerprint;

use super::{
    format::cells,
    quantities::{FAIR_KOMI, FORBIDDEN, Quantity, REPETITIONS, Rule, SHARE, SUPERKO_REJECTED},
    rule_changes::{ComparisonSummary, DIFFERING, Idle, Number, RuleChange},
    stones, strength,
    summary::{Figures, RATE_METHOD, Rate, RunSummary, Summary, Value, status_proofs},
};
use crate::{
    Histogram, Interval, MarginCounts, RunConfig, fair_komi,
    stats::{CONFIDENCE, ESTIMATE_METHOD, Estimate, MEDIAN_METHOD},
    study::{EventCounts, FirstMoveClass, Measures, ShapeCount, SuperkoCounts},
};

/// The columns that tell runs apart.
const RUN: &str = "size,rules,policy,ply_cap,count_forbidden,handicap";

/// The cells of a row after those of [`RUN`].
pub(super) type Row = Vec<String>;

pub(super) fn or_empty(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

pub(super) fn ends(interval: Option<Interval>) -> [String; 2] {
    [interval.map(|interval| interval.lower), interval.map(|interval| interval.upper)].map(or_empty)
}

/// Returns the cells of an estimate and the ends of its interval.
pub(super) fn numbers(estimate: Option<Estimate>) -> Row {
    let [lower, upper] = ends(estimate.map(|estimate| estimate.interval));
    cells![or_empty(estimate.map(|estimate| estimate.estimate)), lower, upper]
}

/// Returns a CSV file with the columns of [`RUN`] and others, separated by commas, and rows about runs. All text in it is jigo's own.
pub(super) fn sheet<'a>(columns: &str, rows: impl IntoIterator<Item = (&'a RunConfig, Row)>) -> Vec<u8> {
    let mut writer = Writer::from_writer(Vec::new());
    let mut write = |row: Row| writer.write_record(row).expect("rows in memory are as long as their header");
    let columns = RUN.split(',').chain(columns.split(',').filter(|column| !column.is_empty()));
    write(columns.map(str::to_owned).collect());
    for (run, row) in rows {
        let config = cells![run.size, run.rules, run.policy, run.ply_cap, run.count_forbidden, run.handicap];
        write([config, row].concat());
    }
    writer.into_inner().expect("writing to memory does not fail")
}

pub(super) fn files(summary: &Summary<'_>) -> Vec<(&'static str, Vec<u8>)> {
    let part_file = |(name, columns, rows): PartFile| {
        let parts = summary.runs.iter().flat_map(|run| run.parts().map(|part| (&run.config, part)));
        let rows = parts.flat_map(|(config, (kind, part))| {
            rows(part).into_iter().map(move |row| (config, [cells![kind], row].concat()))
        });
        (name, sheet(&format!("kind,{columns}"), rows))
    };
    let mut files = vec![
        ("summary.csv", runs(&summary.runs)),
        ("rules.csv", rules(&summary.comparisons)),
        ("stones.csv", stones::csv(&summary.handicaps)),
        ("strength.csv", strength::csv(&summary.strengths)),
    ];
    files.extend(PART_FILES.map(part_file));
    files
}

fn runs(runs: &[RunSummary<'_>]) -> Vec<u8> {
    let rows: Vec<Fields> = runs.iter().map(summary_row).collect();
    let header: Vec<&str> = rows.first().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let values = rows.iter().map(|row| row.iter().map(|(_, value)| value.clone()).collect());
    sheet(&header.join(","), runs.iter().map(|run| &run.config).zip(values))
}

/// A row of `summary.csv` under construction: column names with their values.
type Fields = Vec<(String, String)>;

fn summary_row(run: &RunSummary<'_>) -> Fields {
    let mut row = Fields::new();
    let mut push = |name: &str, value: &dyn Display| row.push((name.to_owned(), value.to_string()));
    push("rules_fingerprint", &rules_fingerprint(*run.config.rules));
    push("komi", &run.komi);
    push("games", &run.games);
    push("finished_games", &run.finished.counts.games);
    push("confidence", &CONFIDENCE);
    push("rate_method", &RATE_METHOD);
    push("fair_komi_method", &ESTIMATE_METHOD);
    push("median_margin_method", &MEDIAN_METHOD);
    row.extend(rate_fields("stopped_games", Some(run.stopped_games)));
    row.extend(rate_fields("cycle_draws", run.supply.map(|supply| supply.cycle_draws)));
    row.extend(rate_fields("out_of_stones", run.supply.map(|supply| supply.out_of_stones)));
    row.extend(figures_fields("", &run.finished, |_| true));
    row.extend(figures_fields("stopped_", &run.stopped, |quantity| quantity.of_stopped));
    row
}

fn rate_fields(name: &str, rate: Option<Rate>) -> Fields {
    let [lower, upper] = ends(rate.map(|rate| rate.interval));
    vec![
        (name.to_owned(), or_empty(rate.map(|rate| rate.count))),
        (format!("{name}_share"), or_empty(rate.and_then(|rate| rate.share))),
        (format!("{name}_lower"), lower),
        (format!("{name}_upper"), upper),
    ]
}

fn figures_fields(prefix: &str, figures: &Figures<'_>, is_shown: impl Fn(&Quantity) -> bool) -> Fields {
    let shown = figures.iter().filter(|(quantity, _)| is_shown(quantity));
    shown.flat_map(|(quantity, value)| value_fields(prefix, quantity, value, figures)).collect()
}

fn value_fields(prefix: &str, quantity: &Quantity, value: Option<&Value>, figures: &Figures<'_>) -> Fields {
    let name = format!("{prefix}{}", quantity.name);
    let field = |suffix: &str, number: Option<f64>| (format!("{name}{suffix}"), or_empty(number));
    match &quantity.rule {
        Rule::FairKomi(_) => {
            let fair = if let Some(Value::FairKomi(fair)) = value { Some(fair) } else { None };
            let interval = fair.map(|fair| fair.estimate.interval);
            let mut fields = vec![
                field("", fair.map(|fair| fair.estimate.estimate)),
                field("_lower", interval.map(|interval| interval.lower)),
                field("_upper", interval.map(|interval| interval.upper)),
            ];
            if quantity.name == FAIR_KOMI {
                let median = fair.map(|fair| fair.median_interval);
                let other = |name: &str, number: Option<f64>| (name.to_owned(), or_empty(number));
                fields.extend([
                    other("fair_half_komi", fair.map(|fair| fair.half.komi.to_f64())),
                    other("fair_whole_komi", fair.map(|fair| fair.whole.komi.to_f64())),
                    other("median_margin", fair.map(|fair| fair.median.midpoint())),
                    other("median_margin_lower", median.map(|median| median.lower.into())),
                    other("median_margin_upper", median.map(|median| median.upper.into())),
                ]);
            }
            fields
        }
        Rule::Share(_) => rate_fields(&name, figures.rate(&quantity.name)),
        Rule::Mean(_) | Rule::MeanOfChains(_) => {
            let spread = if let Some(Value::Mean(spread)) = value { *spread } else { None };
            vec![
                field("_mean", spread.map(|spread| spread.mean)),
                field("_se", spread.and_then(|spread| spread.standard_error)),
                field("_sd", spread.and_then(|spread| spread.standard_deviation)),
            ]
        }
        Rule::Ratio(_) | Rule::Count(_) => {
            let number = match value {
                Some(Value::Ratio(ratio)) => or_empty(*ratio),
                Some(Value::Count(count)) => count.to_string(),
                _ => String::new(),
            };
            vec![(name, number)]
        }
    }
}

const RULES: &str = "rules_fingerprint,scope,choices,from,to,pairs,finished_games,stopped_games,quantity,unit,change,\
                     lower_95,upper_95,method";

/// Writes one row for each number that a change of rules moves.
fn rules(comparisons: &[ComparisonSummary]) -> Vec<u8> {
    let rows = comparisons.iter().flat_map(|comparison| {
        let idle = comparison.changes_nothing.iter().map(|idle| idle_row(comparison, idle));
        let changes = comparison.changes.iter().flat_map(|change| {
            let numbers = std::iter::once(change.differing()).chain(change.numbers.iter().cloned());
            numbers.map(|number| change_row(change, &number))
        });
        let fingerprint = rules_fingerprint(*comparison.base.rules);
        let with_rules = move |row: Row| (&comparison.base, [cells![fingerprint], row].concat());
        idle.chain(changes).map(with_rules)
    });
    sheet(RULES, rows)
}

fn change_row(change: &RuleChange, number: &Number) -> Row {
    let [lower, upper] = ends(number.interval);
    cells![
        change.scope.name(),
        change.axes.iter().map(|axis| axis.name()).collect::<Vec<_>>().join("+"),
        change.values(*change.from),
        change.values(*change.to),
        change.pairs,
        change.finished,
        change.stopped,
        number.name,
        number.unit,
        or_empty(number.change),
        lower,
        upper,
        number.method,
    ]
}

/// Writes a choice that changes nothing: zero, and the reason in place of a method.
fn idle_row(comparison: &ComparisonSummary, Idle { axis, reason }: &Idle) -> Row {
    let value = axis.value(*comparison.base.rules);
    cells!["none", axis.name(), value, "", "", "", "", DIFFERING, SHARE, "0", "", "", reason]
}

/// A file about the finished and the stopped games of each run: its name, its columns after the kind of games, and its rows.
type PartFile = (&'static str, &'static str, fn(&Figures<'_>) -> Vec<Row>);

const PART_FILES: [PartFile; 14] = [
    ("margins.csv", "margin,games,games_all_alive", margins),
    ("lengths.csv", "plies,games", |part| values(&part.counts.plies)),
    // The distributions per game that have no file of their own.
    ("counts.csv", "quantity,value,games", |part| {
        named_values([
            ("passes", &part.counts.passes),
            ("neutral_points", &part.counts.neutral),
            ("black_stones_removed", &part.counts.captures.black),
            ("white_stones_removed", &part.counts.captures.white),
            ("unsolved_stones", &part.counts.status.unknown_stones),
        ])
    }),
    (
        "superko_cycles.csv",
        "event,cycle_plies,balanced,unbalanced,with_pass,same_player,games,share_of_games,lower_95,upper_95",
        superko_cycles,
    ),
    (
        "superko_balance.csv",
        "event,removed_more,removed_fewer,events,games,share_of_games,lower_95,upper_95",
        superko_balance,
    ),
    ("superko_plies.csv", "event,ply,events", |part| {
        named_values(events(part).into_iter().map(|(event, counts)| (event, &counts.by_ply)))
    }),
    ("status.csv", "side,status,proof,chains,stones", status),
    ("status_games.csv", "with,games,share_of_games,lower_95,upper_95", status_games),
    // Dead chains and chains in seki by their size.
    ("status_sizes.csv", "status,stones,chains", |part| {
        let status = &part.counts.status;
        named_values([("dead", &status.dead_sizes), ("seki", &status.seki_sizes)])
    }),
    ("status_sekis.csv", "seki,sekis", |part| {
        let kinds = SekiKind::ALL.into_iter().zip(part.counts.status.sekis);
        kinds.map(|(kind, sekis)| cells![kind, sekis]).collect()
    }),
    // By how many points the margin changes where dead chains are removed, and then where points in seki do not count.
    ("status_margins.csv", "without,change,games", |part| {
        let status = &part.counts.status;
        named_values([("dead chains", &status.dead.changes), ("points in seki", &status.seki.changes)])
    }),
    // All shapes that are kept, the most frequent first.
    ("status_shapes.csv", "holds,shape,parts,first_source,first_index", |part| {
        let shapes = part.counts.status.shapes.ranking().into_iter();
        let row = |(shape, count): (&str, &ShapeCount)| {
            cells![count.kind.name(), shape, count.parts, count.first.source, count.first.index]
        };
        shapes.map(row).collect()
    }),
    ("first_moves.csv", "first_move,games,fair_komi,lower_95,upper_95", first_moves),
    ("ownership.csv", "point,positions,black,white,first_moves", ownership),
];

/// Writes how many games have each margin, and how many would have it with all stones counted as alive.
fn margins(part: &Figures<'_>) -> Vec<Row> {
    let Measures { margins, margins_all_alive, .. } = part.counts;
    let both = [margins, margins_all_alive].map(MarginCounts::histogram);
    let occurring: BTreeSet<i32> =
        both.iter().flat_map(|margins| margins.iter()).map(|(margin, _)| margin).collect();
    let row = |margin: i32| {
        let [games, all_alive] = both.map(|margins| margins.count_of(margin));
        cells![margin, games, all_alive]
    };
    occurring.into_iter().map(row).collect()
}

fn values(histogram: &Histogram) -> Vec<Row> {
    histogram.iter().map(|(value, count)| cells![value, count]).collect()
}

fn named_values<'a>(histograms: impl IntoIterator<Item = (&'a str, &'a Histogram)>) -> Vec<Row> {
    let rows = |(name, histogram): (&str, &Histogram)| {
        histogram.iter().map(|(value, count)| cells![name, value, count]).collect::<Vec<_>>()
    };
    histograms.into_iter().flat_map(rows).collect()
}

/// Returns the superko events by name; of a kind that the run did not count there are none.
fn events<'a>(part: &Figures<'a>) -> [(&'static str, &'a EventCounts); 3] {
    let SuperkoCounts { rejected, repetitions, forbidden_candidates } = &part.counts.superko;
    [(SUPERKO_REJECTED, rejected), (REPETITIONS, repetitions), (FORBIDDEN, forbidden_candidates)]
}

/// Adds the number of games, their share, and its interval.
fn with_rate(mut row: Row, games: u64, of: u64) -> Row {
    let rate = Rate::new(games, of);
    row.extend(cells![rate.count, or_empty(rate.share), rate.interval.lower, rate.interval.upper]);
    row
}

fn superko_cycles(part: &Figures<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (event, counts) in events(part) {
        for (plies, cycle) in &counts.by_cycle {
            let row =
                cells![event, plies, cycle.balanced, cycle.unbalanced, cycle.with_pass, cycle.same_player];
            rows.push(with_rate(row, cycle.games, part.counts.games));
        }
    }
    rows
}

fn superko_balance(part: &Figures<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (event, counts) in events(part) {
        for (balance, counts) in &counts.by_balance {
            let row = cells![event, balance.more, balance.fewer, counts.events];
            rows.push(with_rate(row, counts.games, part.counts.games));
        }
    }
    rows
}

/// Writes chains and stones of each side by status and proof.
fn status(part: &Figures<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (side, counts) in [("black", &part.counts.status.black), ("white", &part.counts.status.white)] {
        for (status, proof) in status_proofs() {
            let found = counts.table.counts(status, proof);
            rows.push(cells![side, status, proof, found.chains, found.stones]);
        }
    }
    rows
}

/// Writes how many final positions have a chain of each status, and in how many all chains are solved.
fn status_games(part: &Figures<'_>) -> Vec<Row> {
    let counts = &part.counts.status;
    let with = Status::ALL.map(|status| (status.name(), counts.positions_with(status)));
    let solved =
        [("all solved", counts.decided_positions), ("all solved by benson", counts.benson_positions)];
    let all = with.into_iter().chain(solved);
    all.map(|(name, games)| with_rate(cells![name], games, counts.positions)).collect()
}

/// Writes one row for each class of equivalent first moves.
fn first_moves(part: &Figures<'_>) -> Vec<Row> {
    let row = |class: &FirstMoveClass| {
        let fair = fair_komi(&class.margins).ok().filter(|_| part.fair_komi().is_some());
        let [lower, upper] = ends(fair.as_ref().map(|fair| fair.estimate.interval));
        let estimate = or_empty(fair.map(|fair| fair.estimate.estimate));
        cells![class.name(part.counts.size), class.margins.games(), estimate, lower, upper]
    };
    part.counts.first_moves.classes.iter().map(row).collect()
}

fn ownership(part: &Figures<'_>) -> Vec<Row> {
    let (games, size) = (part.counts, part.counts.size);
    let [black, white] = Color::BOTH.map(|color| games.ownership.counts(color));
    let row = |point: Point| {
        let index = point.index(size);
        cells![point.to_gtp(size), games.games, black[index], white[index], games.first_moves.games[index]]
    };
    size.points().map(row).collect()
}
