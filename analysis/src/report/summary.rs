//! The numbers of a report, derived from the counts of a study. Every output shows these and computes none itself.

use std::{borrow::Cow, collections::BTreeMap};

use jigo_engine::{
    Komi,
    life::{Proof, SekiKind, Status},
    rules::{KomiChoice, Supply},
};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::{
    ReportMeta,
    format::{DASH, Naming, group, quantity},
    quantities::{ALL, FAIR_KOMI, FAIR_KOMI_ALL_ALIVE, Quantity, Rule},
    rule_changes::ComparisonSummary,
    saved::Program,
    stones::{self, HandicapSummary},
    strength::{self, Strength},
};
use crate::{
    FairKomi, Interval, Proportion, RunConfig, RunStats, Study, fair_komi,
    stats::{self, CONFIDENCE, ESTIMATE_METHOD, Estimate, MEDIAN_METHOD, MIN_GAMES, Spread},
    study::{Measures, ShapeCount, SideStatus, StatusCounts, TooManyUnfinished},
};

/// Name of the method of the interval of a [`Rate`].
pub(crate) const RATE_METHOD: &str = "exact Clopper–Pearson interval";

const SUMMARY_FORMAT: &str = "jigo-summary";

/// The version of [`summary_json`].
pub const SUMMARY_FORMAT_VERSION: u32 = 4;

/// A share with its exact interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Rate {
    pub(crate) count: u64,
    pub(crate) of: u64,
    /// The share as a fraction of 1; nothing without trials.
    pub(crate) share: Option<f64>,
    pub(crate) interval: Interval,
}

impl From<Proportion> for Rate {
    fn from(proportion: Proportion) -> Self {
        Self {
            count: proportion.count(),
            of: proportion.trials(),
            share: proportion.estimate(),
            interval: proportion.interval(),
        }
    }
}

impl Rate {
    /// # Panics
    /// When `count` exceeds `of`.
    pub(crate) fn new(count: u64, of: u64) -> Self {
        Proportion::new(count, of).expect("a part is at most the whole").into()
    }

    pub(crate) fn estimate(&self) -> Option<Estimate> {
        Some(Estimate { estimate: self.share?, interval: self.interval })
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    FairKomi(Box<FairKomi>),
    Share(Rate),
    /// Nothing without games.
    Mean(Option<Spread>),
    /// Nothing without anything to divide by.
    Ratio(Option<f64>),
    Count(u64),
}

impl Value {
    /// Computes a quantity, or says why there is no value.
    fn new(quantity: &Quantity, games: &Measures, komi: Komi) -> Result<Self, Reason> {
        Ok(match &quantity.rule {
            Rule::FairKomi(of) => match fair_komi(of(games)) {
                Ok(fair) => Self::FairKomi(Box::new(fair)),
                Err(too_few) => return Err(too_few.to_string().into()),
            },
            Rule::Share(of) => {
                let (count, of) = of(games, komi);
                Self::Share(Rate::new(count, of))
            }
            Rule::Mean(of) => Self::Mean(of(games, komi)),
            Rule::MeanOfChains(of) => {
                Self::Mean(of(games, komi).map(|spread| Spread { standard_error: None, ..spread }))
            }
            Rule::Ratio(of) => {
                let (part, whole) = of(games, komi);
                Self::Ratio((whole > 0).then(|| part as f64 / whole as f64))
            }
            Rule::Count(of) => Self::Count(of(games, komi)),
        })
    }

    /// Whether no game has it.
    fn is_zero(&self) -> bool {
        match self {
            Self::FairKomi(_) => false,
            Self::Share(rate) => rate.count == 0,
            Self::Mean(spread) => spread.is_some_and(|spread| (spread.minimum, spread.maximum) == (0, 0)),
            Self::Ratio(ratio) => *ratio == Some(0.0),
            Self::Count(count) => *count == 0,
        }
    }

    /// The number itself.
    fn number(&self) -> Option<f64> {
        match self {
            Self::FairKomi(fair) => Some(fair.estimate.estimate),
            Self::Share(rate) => rate.share,
            Self::Mean(spread) => spread.map(|spread| spread.mean),
            Self::Ratio(ratio) => *ratio,
            Self::Count(count) => Some(*count as f64),
        }
    }

    /// The estimate with its 95 % interval, where there are enough games for both.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::FairKomi(fair) => Some(fair.estimate),
            Self::Share(rate) => rate.estimate(),
            Self::Mean(spread) => {
                spread.and_then(|spread| Some(Estimate::from_mean(spread.mean, spread.standard_error?)))
            }
            Self::Ratio(_) | Self::Count(_) => None,
        }
    }

    /// As [`estimate`](Self::estimate), shares in per cent.
    pub(crate) fn shown(&self) -> Option<Estimate> {
        let estimate = self.estimate()?;
        Some(if matches!(self, Self::Share(_)) { estimate.in_per_cent() } else { estimate })
    }
}

/// What a report says of one quantity in the finished games of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityValue {
    /// Its name in JSON and CSV files, such as `fair_komi`.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Its unit. Shares are fractions of 1.
    pub unit: &'static str,
    /// The number; nothing where there is none.
    pub value: Option<f64>,
    /// The 95 % interval, where the quantity has one.
    pub interval: Option<Interval>,
    /// Why there is no number, where the report says it.
    pub reason: Option<String>,
}

/// Returns all quantities of the finished games of a run, in the order of the report.
#[must_use]
pub fn quantity_values(run: &RunStats, komi: KomiChoice) -> Vec<QuantityValue> {
    let summary = RunSummary::new(run, komi);
    let value = |(quantity, found): (&'static Quantity, &Result<Value, Reason>)| QuantityValue {
        name: &quantity.name,
        title: &quantity.title,
        unit: quantity.unit,
        value: found.as_ref().ok().and_then(Value::number),
        interval: found.as_ref().ok().and_then(Value::estimate).map(|estimate| estimate.interval),
        reason: found.as_ref().err().map(ToString::to_string),
    };
    ALL.iter().zip(&summary.finished.values).map(value).collect()
}

/// A run and its numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RunSummary<'a> {
    #[serde(skip)]
    pub(crate) run: &'a RunStats,
    #[serde(rename = "setting")]
    pub(crate) config: RunConfig,
    #[serde(serialize_with = "stats::points")]
    pub(crate) komi: Komi,
    pub(crate) games: u64,
    /// Games that were stopped at the move limit among all games.
    pub(crate) stopped_games: Rate,
    /// What a finite supply of stones did; absent where stones are unlimited.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) supply: Option<SupplyRates>,
    pub(crate) finished: Figures<'a>,
    pub(crate) stopped: Figures<'a>,
}

impl<'a> RunSummary<'a> {
    pub(crate) fn new(run: &'a RunStats, komi: KomiChoice) -> Self {
        Self::at_komi(run, komi.at(run.config.rules, run.config.size))
    }

    pub(crate) fn at_komi(run: &'a RunStats, komi: Komi) -> Self {
        Self {
            run,
            config: run.config,
            komi,
            games: run.games(),
            stopped_games: Rate::new(run.stopped.games, run.games()),
            supply: (run.config.rules.supply == Supply::Finite).then(|| SupplyRates {
                cycle_draws: Rate::new(run.supply.cycles, run.games()),
                out_of_stones: Rate::new(run.supply.out_of_stones, run.games()),
            }),
            finished: Figures::new(run, true, komi),
            stopped: Figures::new(run, false, komi),
        }
    }

    /// Returns the finished games, then those that were stopped at the move limit.
    pub(crate) const fn parts(&self) -> [(&'static str, &Figures<'a>); 2] {
        [("finished", &self.finished), ("stopped", &self.stopped)]
    }

    /// Returns those of the [parts](Self::parts) that have games.
    pub(crate) fn parts_with_games(&self) -> impl Iterator<Item = (&'static str, &Figures<'a>)> {
        self.parts().into_iter().filter(|(_, figures)| figures.counts.games > 0)
    }
}

/// What a finite supply of stones did, among all games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct SupplyRates {
    /// Games that ended as draws because their whole state came back.
    pub(crate) cycle_draws: Rate,
    /// Games in which a player had to pass for lack of stones.
    pub(crate) out_of_stones: Rate,
}

/// A study and its numbers, which every output shows.
pub(crate) struct Summary<'a> {
    pub(crate) study: &'a Study,
    pub(crate) naming: Naming,
    /// The komi of all runs, unless they have several.
    pub(crate) komi: Option<Komi>,
    pub(crate) runs: Vec<RunSummary<'a>>,
    pub(crate) comparisons: Vec<ComparisonSummary>,
    pub(crate) handicaps: Vec<HandicapSummary>,
    pub(crate) strengths: Vec<Strength>,
}

impl<'a> Summary<'a> {
    pub(crate) fn new(study: &'a Study, komi: KomiChoice) -> Self {
        let runs: Vec<RunSummary<'_>> = study.runs.iter().map(|run| RunSummary::new(run, komi)).collect();
        let first = runs.first().map(|run| run.komi);
        Self {
            study,
            naming: Naming::new(study),
            komi: first.filter(|&first| runs.iter().all(|run| run.komi == first)),
            handicaps: stones::handicaps(&runs),
            strengths: strength::strengths(&runs),
            runs,
            comparisons: study.comparisons.iter().map(|found| ComparisonSummary::new(found, komi)).collect(),
        }
    }

    /// Returns the runs whose fair komi is another if all stones count as alive, with that fair komi and its interval as text.
    pub(crate) fn fair_komi_all_alive(&self) -> Vec<(String, [String; 2])> {
        let differing = self.runs.iter().filter_map(|run| {
            let shown = |name| Some(run.finished.value(name)?.shown()?.texts());
            let all_alive = shown(FAIR_KOMI_ALL_ALIVE)
                .filter(|all_alive| Some(all_alive) != shown(FAIR_KOMI).as_ref())?;
            Some((self.naming.short(&run.config), all_alive))
        });
        differing.collect()
    }

    /// Says why columns have no value in some runs, a sentence for each reason. A column has a label and shows the first of its quantities that has
    /// a value.
    pub(crate) fn reasons_for_dashes<'q>(
        &self,
        columns: impl IntoIterator<Item = (&'q str, Vec<&'static Quantity>)>,
    ) -> Vec<String> {
        let unfinished = self.runs.iter().filter_map(|run| run.finished.unfinished);
        let mut sentences: Vec<String> =
            unfinished.reduce(TooManyUnfinished::with).iter().map(|all| format!("{DASH}: {all}")).collect();
        let mut reasons: Vec<(&Reason, Vec<&str>)> = Vec::new();
        for (label, quantities) in columns {
            for run in self.runs.iter().filter(|run| run.finished.unfinished.is_none()) {
                let values = quantities.iter().map(|quantity| run.finished.value_or_reason(&quantity.name));
                let why: Option<Vec<&Reason>> = values.map(Result::err).collect();
                let Some(&reason) = why.as_ref().and_then(|why| why.first()) else { continue };
                match reasons.iter_mut().find(|(found, _)| *found == reason) {
                    Some((_, labels)) if labels.contains(&label) => {}
                    Some((_, labels)) => labels.push(label),
                    None => reasons.push((reason, vec![label])),
                }
            }
        }
        let sentence =
            |(reason, labels): (&Reason, Vec<&str>)| format!("{DASH} in {}: {reason}", labels.join(", "));
        sentences.extend(reasons.into_iter().map(sentence));
        sentences
    }

    /// Says that the study was interrupted, if it was.
    pub(crate) fn interruption(&self) -> Option<String> {
        let planned = self.study.planned_games?;
        let (games, planned) = (group(self.study.games()), quantity(planned, "game"));
        Some(format!("Interrupted: {games} of {planned} are measured. The same command measures the others."))
    }

    /// Names the komi in a sentence, as in "at komi 7.5".
    pub(crate) fn komi_text(&self) -> String {
        self.komi.map_or_else(|| "the komi of the rules".to_owned(), |komi| format!("komi {komi}"))
    }
}

/// Why a report gives no value, in words.
pub(crate) type Reason = Cow<'static, str>;

/// The finished or the stopped games of a run, with the values of all quantities.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figures<'a> {
    pub(crate) counts: &'a Measures,
    /// Why nothing is estimated from the finished games.
    pub(crate) unfinished: Option<TooManyUnfinished>,
    /// The value of each of [`ALL`], or why there is none.
    values: Vec<Result<Value, Reason>>,
    pub(crate) status: StatusTables,
}

impl<'a> Figures<'a> {
    fn new(run: &'a RunStats, is_finished: bool, komi: Komi) -> Self {
        let counts = if is_finished { &run.finished } else { &run.stopped };
        let unfinished = if is_finished { run.check_finished().err() } else { None };
        let too_many = unfinished.map(|unfinished| unfinished.to_string());
        let value = |quantity: &Quantity| {
            let absent = match () {
                () if !is_finished && !quantity.of_stopped => Some("of finished games only".into()),
                () if !(quantity.differs)(counts) => Some("no stone is proved dead".into()),
                () => (quantity.not_counted)(&run.config).map(Reason::from),
            };
            if let Some(reason) = absent.or_else(|| too_many.clone().map(Reason::from)) {
                return Err(reason);
            }
            let value = Value::new(quantity, counts, komi)?;
            match (quantity.impossible)(&run.config, komi) {
                Some(reason) if value.is_zero() => Err(reason.into()),
                _ => Ok(value),
            }
        };
        Self {
            counts,
            unfinished,
            values: ALL.iter().map(value).collect(),
            status: StatusTables::new(&counts.status),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static Quantity, Option<&Value>)> {
        ALL.iter().zip(self.values.iter().map(|value| value.as_ref().ok()))
    }

    /// The quantities without a value, each with the reason.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (&'static Quantity, &Reason)> {
        ALL.iter().zip(&self.values).filter_map(|(quantity, value)| Some((quantity, value.as_ref().err()?)))
    }

    /// The value of the quantity with this name, or why there is none.
    ///
    /// # Panics
    /// When there is no such quantity.
    pub(crate) fn value_or_reason(&self, name: &str) -> Result<&Value, &Reason> {
        let index = ALL.iter().position(|quantity| quantity.name == name).expect("the quantity is declared");
        self.values[index].as_ref()
    }

    /// The value of the quantity with this name, where there is one.
    ///
    /// # Panics
    /// When there is no such quantity.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.value_or_reason(name).ok()
    }

    pub(crate) fn fair_komi(&self) -> Option<&FairKomi> {
        match self.value(FAIR_KOMI) {
            Some(Value::FairKomi(fair)) => Some(fair),
            _ => None,
        }
    }

    /// The quantity with this name where it is a share that applies.
    pub(crate) fn rate(&self, name: &str) -> Option<Rate> {
        match self.value(name) {
            Some(Value::Share(rate)) => Some(*rate),
            _ => None,
        }
    }
}

impl Serialize for Figures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("games", &self.counts.games)?;
        for (quantity, value) in self.iter() {
            map.serialize_entry(&quantity.name, &value)?;
        }
        let reasons: BTreeMap<&str, &Reason> =
            self.reasons().map(|(quantity, reason)| (quantity.name.as_str(), reason)).collect();
        map.serialize_entry("no_value", &reasons)?;
        map.serialize_entry("status", &self.status)?;
        map.end()
    }
}

/// The most shapes that a summary lists; `status_shapes.csv` has all.
const MAX_SHAPES: usize = 20;

/// The counts of life and death that are more than one number each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct StatusTables {
    pub(crate) black: SideShares,
    pub(crate) white: SideShares,
    pub(crate) both: SideShares,
    pub(crate) sekis: Vec<SekiCount>,
    /// The most frequent shapes of parts of the board with seki or dead chains.
    pub(crate) shapes: Vec<ShapeSummary>,
    /// Such parts that are too large for that.
    pub(crate) larger_parts: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct SekiCount {
    pub(crate) kind: &'static str,
    pub(crate) sekis: u64,
}

/// Shares of chains and stones as fractions of 1, over all final positions; nothing without stones. The stones of one position are not
/// independent, so these have no exact interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SideShares {
    pub(crate) chains: u64,
    pub(crate) stones: u64,
    pub(crate) territory: u64,
    /// By status and proof; every status that can be proved like this.
    pub(crate) rows: Vec<StatusShare>,
    /// Chains whose status is solved.
    pub(crate) solved_chain_share: Option<f64>,
    /// Their stones.
    pub(crate) solved_stone_share: Option<f64>,
}

/// Chains of one status that is proved in one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct StatusShare {
    pub(crate) status: &'static str,
    pub(crate) proof: &'static str,
    pub(crate) chains: u64,
    pub(crate) chain_share: Option<f64>,
    pub(crate) stones: u64,
    pub(crate) stone_share: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ShapeSummary {
    pub(crate) shape: String,
    pub(crate) kind: &'static str,
    pub(crate) parts: u64,
    pub(crate) first_source: String,
    pub(crate) first_index: u64,
}

impl StatusTables {
    pub(crate) fn new(status: &StatusCounts) -> Self {
        let kinds = SekiKind::ALL.into_iter().zip(status.sekis);
        let shape = |(shape, count): (&str, &ShapeCount)| ShapeSummary {
            shape: shape.to_owned(),
            kind: count.kind.name(),
            parts: count.parts,
            first_source: count.first.source.clone(),
            first_index: count.first.index,
        };
        Self {
            black: SideShares::new(&status.black),
            white: SideShares::new(&status.white),
            both: SideShares::new(&status.both()),
            sekis: kinds.map(|(kind, sekis)| SekiCount { kind: kind.name(), sekis }).collect(),
            shapes: status.shapes.ranking().into_iter().take(MAX_SHAPES).map(shape).collect(),
            larger_parts: status.shapes.larger,
        }
    }
}

/// Every status with every proof that it can have.
pub(crate) fn status_proofs() -> impl Iterator<Item = (Status, Proof)> {
    let all = Status::ALL.into_iter().flat_map(|status| Proof::ALL.map(|proof| (status, proof)));
    all.filter(|&(status, proof)| (status == Status::Unknown) == (proof == Proof::None))
}

impl SideShares {
    fn new(side: &SideStatus) -> Self {
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let (all, solved) = (side.table.total(), side.table.decided());
        let row = |(status, proof): (Status, Proof)| {
            let counts = side.table.counts(status, proof);
            StatusShare {
                status: status.name(),
                proof: proof.name(),
                chains: counts.chains,
                chain_share: share(counts.chains, all.chains),
                stones: counts.stones,
                stone_share: share(counts.stones, all.stones),
            }
        };
        Self {
            chains: all.chains,
            stones: all.stones,
            territory: side.territory,
            rows: status_proofs().map(row).collect(),
            solved_chain_share: share(solved.chains, all.chains),
            solved_stone_share: share(solved.stones, all.stones),
        }
    }
}

/// Returns the derived numbers of a study for other programs: what the table and the page show, unrounded.
#[must_use]
pub fn summary_json(study: &Study, meta: &ReportMeta) -> Vec<u8> {
    write_summary(&Summary::new(study, meta.komi), meta)
}

pub(super) fn write_summary(summary: &Summary<'_>, meta: &ReportMeta) -> Vec<u8> {
    #[derive(Serialize)]
    struct Methods {
        confidence: f64,
        fair_komi: &'static str,
        median: &'static str,
        rates: &'static str,
        min_games: u64,
    }
    #[derive(Serialize)]
    struct File<'a> {
        format: &'static str,
        version: u32,
        jigo: &'a Program,
        methods: Methods,
        #[serde(skip_serializing_if = "Option::is_none")]
        planned_games: Option<u64>,
        cells: &'a [RunSummary<'a>],
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        comparisons: &'a [ComparisonSummary],
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        handicaps: &'a [HandicapSummary],
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        strength: &'a [Strength],
    }
    let file = File {
        format: SUMMARY_FORMAT,
        version: SUMMARY_FORMAT_VERSION,
        jigo: &meta.program,
        planned_games: summary.study.planned_games,
        methods: Methods {
            confidence: CONFIDENCE,
            fair_komi: ESTIMATE_METHOD,
            median: MEDIAN_METHOD,
            rates: RATE_METHOD,
            min_games: MIN_GAMES,
        },
        cells: &summary.runs,
        comparisons: &summary.comparisons,
        handicaps: &summary.handicaps,
        strength: &summary.strengths,
    };
    let mut bytes = serde_json::to_vec_pretty(&file).expect("a summary can be written as JSON");
    bytes.push(b'\n');
    bytes
}
