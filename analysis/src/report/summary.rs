//! The numbers of a report, derived from the counts of a study. Every output shows these and computes none itself.

use jigo_engine::Komi;
use serde::{Serialize, Serializer};

use crate::{
    FairKomi, Histogram, Interval, Proportion, RunConfig, RunStats, fair_komi,
    stats::{Confidence, MIN_GAMES},
    study::{EventCounts, Measures},
};

mod status;

pub(crate) use status::{ShiftSummary, SideShares, StatusSummary, status_proofs};

/// The confidence level of every interval.
pub(crate) const CONFIDENCE: Confidence = Confidence::P95;

/// Name of the method behind the interval of a [`Rate`].
pub(crate) const RATE_METHOD: &str = "exact Clopper–Pearson interval";

/// A share with its exact interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Rate {
    /// Successes.
    pub(crate) count: u64,
    /// Trials.
    pub(crate) of: u64,
    /// The share as a fraction of 1; nothing without trials.
    pub(crate) share: Option<f64>,
    /// The interval by [`RATE_METHOD`].
    pub(crate) interval: Interval,
}

impl From<Proportion> for Rate {
    fn from(proportion: Proportion) -> Self {
        Self {
            count: proportion.count(),
            of: proportion.of(),
            share: proportion.estimate(),
            interval: proportion.interval(CONFIDENCE),
        }
    }
}

impl Rate {
    /// # Panics
    /// When `count` exceeds `of`.
    pub(crate) fn new(count: u64, of: u64) -> Self {
        Proportion::new(count, of).expect("a part is at most the whole").into()
    }
}

/// Where whole numbers lie and how they spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) standard_error: Option<f64>,
    pub(crate) standard_deviation: Option<f64>,
    pub(crate) minimum: i32,
    pub(crate) median: f64,
    pub(crate) maximum: i32,
}

impl Spread {
    /// Nothing for an empty histogram.
    pub(crate) fn of(histogram: &Histogram) -> Option<Self> {
        let moments = histogram.moments()?;
        Some(Self {
            mean: moments.mean(),
            standard_error: moments.standard_error(),
            standard_deviation: moments.standard_deviation(),
            minimum: histogram.min()?,
            median: histogram.median()?.midpoint(),
            maximum: histogram.max()?,
        })
    }
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CellSummary {
    #[serde(rename = "setting")]
    pub(crate) config: RunConfig,
    pub(crate) games: u64,
    /// Games that the ply cap cut off among all games.
    pub(crate) capped_games: Rate,
    pub(crate) finished: Summary,
    pub(crate) capped: Summary,
}

impl CellSummary {
    pub(crate) fn new(cell: &RunStats, komi: Komi) -> Self {
        Self {
            config: cell.config,
            games: cell.games(),
            capped_games: Rate::new(cell.capped.games, cell.games()),
            finished: Summary::new(cell, GameKind::Finished, komi),
            capped: Summary::new(cell, GameKind::Capped, komi),
        }
    }

    pub(crate) fn of(&self, kind: GameKind) -> &Summary {
        match kind {
            GameKind::Finished => &self.finished,
            GameKind::Capped => &self.capped,
        }
    }
}

/// Which games of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameKind {
    /// Those that ended by the rules.
    Finished,
    /// Those that the ply cap cut off.
    Capped,
}

impl GameKind {
    pub(crate) const BOTH: [Self; 2] = [Self::Finished, Self::Capped];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Capped => "capped",
        }
    }

    pub(crate) const fn measures(self, cell: &RunStats) -> &Measures {
        match self {
            Self::Finished => &cell.finished,
            Self::Capped => &cell.capped,
        }
    }
}

/// The finished or the capped games of one cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Summary {
    pub(crate) games: u64,
    pub(crate) fair_komi: Option<FairKomi>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) no_fair_komi: Option<String>,
    pub(crate) at_komi: AtKomi,
    /// Black's points minus White's before komi.
    pub(crate) margin: Option<Spread>,
    pub(crate) plies: Option<Spread>,
    pub(crate) passes: Option<Spread>,
    pub(crate) neutral_points: Option<Spread>,
    pub(crate) black_stones_removed: Option<Spread>,
    pub(crate) white_stones_removed: Option<Spread>,
    pub(crate) refused_draws: EventSummary,
    pub(crate) repetitions: EventSummary,
    /// Nothing where the run did not count them.
    pub(crate) forbidden_candidates: Option<EventSummary>,
    pub(crate) status: StatusSummary,
}

impl Summary {
    fn new(cell: &RunStats, kind: GameKind, komi: Komi) -> Self {
        let measures = kind.measures(cell);
        let games = measures.games;
        let fair = match kind {
            GameKind::Finished => fair_komi(&measures.margins).map_err(|error| error.to_string()),
            GameKind::Capped => Err("the games were cut off by the ply cap".to_owned()),
        };
        let (fair_komi, no_fair_komi) = match fair {
            Ok(fair) => (Some(fair), None),
            Err(reason) => (None, Some(reason)),
        };
        let superko = &measures.superko;
        let candidates = &superko.forbidden_candidates;
        Self {
            games,
            fair_komi,
            no_fair_komi,
            at_komi: AtKomi::new(measures, komi),
            margin: Spread::of(measures.margins.histogram()),
            plies: Spread::of(&measures.plies),
            passes: Spread::of(&measures.passes),
            neutral_points: Spread::of(&measures.neutral),
            black_stones_removed: Spread::of(&measures.captures.black),
            white_stones_removed: Spread::of(&measures.captures.white),
            refused_draws: EventSummary::new(&superko.refused_draws, games),
            repetitions: EventSummary::new(&superko.repetitions, games),
            forbidden_candidates: cell.config.count_forbidden.then(|| EventSummary::new(candidates, games)),
            status: StatusSummary::new(&measures.status, komi),
        }
    }

    /// Whether there are enough games for estimates without an exact interval.
    pub(crate) fn has_enough_games(&self) -> bool {
        self.games >= MIN_GAMES
    }
}

/// How games end at one komi.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct AtKomi {
    #[serde(serialize_with = "points")]
    pub(crate) komi: Komi,
    pub(crate) black: Rate,
    pub(crate) jigo: Rate,
    pub(crate) white: Rate,
}

impl AtKomi {
    fn new(measures: &Measures, komi: Komi) -> Self {
        let shares = measures.margins.shares(komi);
        Self {
            komi,
            black: shares.black_wins().into(),
            jigo: shares.draws().into(),
            white: shares.white_wins().into(),
        }
    }
}

fn points<S: Serializer>(komi: &Komi, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(komi.to_f64())
}

/// Superko events of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct EventSummary {
    /// Games with at least one event.
    pub(crate) games: Rate,
    /// Games with at least one event whose cycle is balanced.
    pub(crate) balanced_games: Rate,
    /// Games with at least one event whose cycle is not balanced.
    pub(crate) unbalanced_games: Rate,
    pub(crate) events: u64,
    pub(crate) balanced_events: u64,
    pub(crate) events_per_game: Option<f64>,
}

impl EventSummary {
    pub(crate) fn new(events: &EventCounts, games: u64) -> Self {
        Self {
            games: Rate::new(events.games, games),
            balanced_games: Rate::new(events.balanced_games, games),
            unbalanced_games: Rate::new(events.unbalanced_games, games),
            events: events.events,
            balanced_events: events.balanced(),
            events_per_game: (games > 0).then(|| events.events as f64 / games as f64),
        }
    }
}
