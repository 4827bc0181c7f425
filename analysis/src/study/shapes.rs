//! Counts the shapes of the parts of final positions with seki or dead chains.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, btree_map::Entry},
};

use jigo_engine::{
    BoardSize, Move,
    life::{OpenPart, SekiKind},
};
use jigo_selfplay::{GameRecord, RunConfig};
use serde::{Deserialize, Serialize};

use crate::stats::{Merge, merge_fields};

/// How often parts of each shape occurred.
///
/// All shapes of at most [`OpenPart::MAX_POINTS`] points are kept and counted exactly, and larger parts are counted together: so the
/// counts of parts of a run add up to those of the whole, in whatever order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeCounts {
    /// Parts with more points.
    pub larger: u64,
    /// The others, by their text.
    pub shapes: BTreeMap<String, ShapeCount>,
}

/// Parts of one shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeCount {
    /// What they hold.
    pub kind: ShapeKind,
    /// How many there are.
    pub parts: u64,
    /// The first of the games with one.
    pub first: Occurrence,
}

/// A game in which something occurred, ordered by source, then by index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Occurrence {
    /// The run, as `seed 7`, or the file.
    pub source: String,
    /// The game's index in the run, or its place in the file; from 0.
    pub index: u64,
    /// The [codes](Move::code) of its moves, where the search for them would take long. Files leave out what has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<u16>,
}

/// Names a game that is measured.
#[derive(Clone, Copy, Debug)]
pub struct GameName<'a> {
    /// As [`Occurrence::source`].
    pub source: &'a str,
    /// As [`Occurrence::index`].
    pub index: u64,
    /// Its moves, where the search for them would take long, and the board; else none.
    pub moves: Option<(BoardSize, &'a [Move])>,
}

impl<'a> GameName<'a> {
    /// Names a game of a run with this configuration.
    #[must_use]
    #[inline]
    pub fn new(source: &'a str, record: &'a GameRecord, config: &RunConfig) -> Self {
        let moves = config.policy.has_long_games().then_some((config.size, &*record.moves));
        Self { source, index: record.game_index, moves }
    }
}

impl From<GameName<'_>> for Occurrence {
    fn from(GameName { source, index, moves }: GameName<'_>) -> Self {
        let moves = moves.map(|(size, moves)| moves.iter().map(|mv| mv.code(size)).collect());
        Self { source: source.to_owned(), index, moves: moves.unwrap_or_default() }
    }
}

impl Occurrence {
    /// Returns the text that names the games of a run.
    pub(crate) fn source_of_run(run_seed: u64) -> String {
        format!("seed {run_seed}")
    }

    /// Returns the seed of the run; nothing for a game of a file.
    pub(crate) fn run_seed(&self) -> Option<u64> {
        let run_seed = self.source.strip_prefix("seed ")?.parse().ok()?;
        // The one text of each seed, so that a file cannot name a run in two ways.
        (Self::source_of_run(run_seed) == self.source).then_some(run_seed)
    }
}

/// What a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ShapeKind {
    /// A seki of this kind, of several the first.
    Seki(SekiKind),
    /// No seki, but dead chains.
    Dead,
}

impl ShapeKind {
    /// Returns the name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seki(kind) => kind.name(),
            Self::Dead => "dead",
        }
    }
}

impl From<ShapeKind> for String {
    fn from(kind: ShapeKind) -> Self {
        kind.name().to_owned()
    }
}

impl TryFrom<String> for ShapeKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let kind = if name == Self::Dead.name() {
            Some(Self::Dead)
        } else {
            SekiKind::from_name(&name).map(Self::Seki)
        };
        kind.ok_or_else(|| format!("`{name}` is not a kind of shape of this version"))
    }
}

impl ShapeCounts {
    pub(super) fn add(&mut self, parts: &[OpenPart], game: GameName<'_>) {
        for OpenPart { seki, shape } in parts {
            let Some(shape) = shape else {
                self.larger += 1;
                continue;
            };
            let kind = seki.map_or(ShapeKind::Dead, ShapeKind::Seki);
            let first = GameName { moves: None, ..game }.into();
            let count = ShapeCount { kind, parts: 1, first };
            match self.shapes.entry(shape.to_string()) {
                Entry::Vacant(entry) => {
                    entry.insert(count);
                }
                Entry::Occupied(entry) => entry.into_mut().merge(&count),
            }
        }
    }

    /// Returns the shapes, the most frequent first, those of equal frequency in the order of their texts.
    #[must_use]
    pub fn ranking(&self) -> Vec<(&str, &ShapeCount)> {
        let mut shapes: Vec<(&str, &ShapeCount)> =
            self.shapes.iter().map(|(shape, count)| (shape.as_str(), count)).collect();
        shapes.sort_by_key(|(shape, count)| (Reverse(count.parts), shape.len(), *shape));
        shapes
    }
}

/// Two kinds are equal unless proofs were found only in one of two versions of the program.
impl Merge for ShapeCount {
    fn merge(&mut self, other: &Self) {
        self.kind = self.kind.min(other.kind);
        self.parts += other.parts;
        if other.first < self.first {
            self.first.clone_from(&other.first);
        }
    }
}

merge_fields!(ShapeCounts: larger, shapes);
