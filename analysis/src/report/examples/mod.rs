//! The games that a page shows, played again.

mod replay;
mod words;

use jigo_engine::{Position, life::ChainStatus};
use jigo_selfplay::GameRecord;

use super::format::counted;
use crate::{
    RunStats,
    study::{CycleExamples, Measures, Occurrence, ShapeKind},
};

pub(crate) use replay::{Event, Step};

/// The most games that one cell shows, and a whole page: they bound its size.
pub(crate) const MAX_IN_CELL: usize = 12;
pub(crate) const MAX_IN_PAGE: usize = 60;

/// Why a game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Refused(Cycles),
    Repeated(Cycles),
    Seki(ShapeKind),
    Dead,
}

/// Which cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cycles {
    Shortest,
    Longest,
    Balanced,
}

/// A game and why it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice<'a> {
    pub(crate) kind: Kind,
    /// Plies of the cycle, or stones of the dead chain.
    pub(crate) value: u32,
    pub(crate) game: &'a Occurrence,
}

impl Kind {
    /// The heading of such games.
    pub(crate) fn heading(self) -> String {
        let cycles = |what: &str, cycles| match cycles {
            Cycles::Shortest => format!("{what}, shortest cycles"),
            Cycles::Longest => format!("{what}, longest cycles"),
            Cycles::Balanced => format!("{what}, balanced cycles"),
        };
        match self {
            Self::Refused(which) => cycles("Refused draws", which),
            Self::Repeated(which) => cycles("Repetitions", which),
            Self::Seki(kind) => format!("Seki, {}", kind.name()),
            Self::Dead => "Largest dead chains".to_owned(),
        }
    }
}

impl Choice<'_> {
    /// What is special about the game.
    pub(crate) fn feature(&self) -> String {
        let counted = |count: u32, noun| counted(count.into(), noun);
        match self.kind {
            Kind::Refused(_) | Kind::Repeated(_) if self.value == 1 => "cycle of 1 ply".to_owned(),
            Kind::Refused(_) | Kind::Repeated(_) => format!("cycle of {} plies", self.value),
            Kind::Seki(kind) => format!("seki {}", kind.name()),
            Kind::Dead => format!("dead chain of {}", counted(self.value, "stone")),
        }
    }
}

/// All that is kept of some games, kind by kind.
pub(crate) fn kept(measures: &Measures) -> Vec<Choice<'_>> {
    fn cycles(of: &CycleExamples, kind: fn(Cycles) -> Kind) -> impl Iterator<Item = Choice<'_>> {
        let choice = move |cycles, value: u32, game| Choice { kind: kind(cycles), value, game };
        let shortest = of.shortest.iter().map(move |(&plies, game)| choice(Cycles::Shortest, plies, game));
        let longest = of.longest.iter().map(move |(plies, game)| choice(Cycles::Longest, plies.0, game));
        let balanced = of.balanced.iter().map(move |(&plies, game)| choice(Cycles::Balanced, plies, game));
        shortest.chain(longest).chain(balanced)
    }
    let (superko, life) = (&measures.examples, &measures.status.examples);
    let sekis = life.sekis.iter().flat_map(|(&kind, games)| {
        games.iter().map(move |(_, game)| Choice { kind: Kind::Seki(kind), value: 0, game })
    });
    let dead = life.dead.iter().map(|(stones, game)| Choice { kind: Kind::Dead, value: stones.0, game });
    let refused = cycles(&superko.refused, Kind::Refused);
    refused.chain(cycles(&superko.repeated, Kind::Repeated)).chain(sekis).chain(dead).collect()
}

/// The games of a cell that are shown, at most `limit`: of each kind the first, then of each the second, and so on, each game and feature once.
/// In the order of kinds. Those of finished games; of capped games where there are no others.
pub(crate) fn chosen(cell: &RunStats, limit: usize) -> Vec<Choice<'_>> {
    let measures = if cell.finished.games > 0 { &cell.finished } else { &cell.capped };
    let mut all = kept(measures);
    // A cycle may be among the shortest and the longest, or balanced as well.
    let mut seen: Vec<(String, &Occurrence)> = Vec::new();
    all.retain(|choice| {
        let key = (choice.feature(), choice.game);
        let is_new = !seen.contains(&key);
        seen.push(key);
        is_new
    });
    let mut ranked: Vec<(usize, usize)> = Vec::new();
    for (place, choice) in all.iter().enumerate() {
        let rank = all[..place].iter().filter(|other| other.kind == choice.kind).count();
        ranked.push((rank, place));
    }
    ranked.sort_unstable();
    let mut places: Vec<usize> = ranked.into_iter().map(|(_, place)| place).take(limit).collect();
    places.sort_unstable();
    places.into_iter().map(|place| all[place]).collect()
}

/// A game that was played again.
pub(crate) struct Example<'a> {
    pub(crate) choice: Choice<'a>,
    pub(crate) record: GameRecord,
    /// What each ply does.
    pub(crate) steps: Vec<Step>,
    /// What there is to see, in order; the last is the end.
    pub(crate) events: Vec<Event>,
    /// After how many plies the position stands for which the game is shown.
    pub(crate) focus: u32,
    /// The final position.
    pub(crate) position: Position,
    /// Its chains, unless all are unconditionally alive.
    pub(crate) chains: Vec<ChainStatus>,
}
