//! Parts of final positions with seki or dead chains, by their shape.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, btree_map::Entry},
};

use jigo_engine::{
    Position,
    life::{ChainStatus, Proof, Seki, SekiKind, Shape, Status},
};
use serde::{Deserialize, Serialize};

/// How often parts of each shape occurred.
///
/// All shapes of at most [`MAX_POINTS`](Self::MAX_POINTS) points are kept and counted exactly, and larger parts are counted together: so the
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
}

impl Occurrence {
    /// What names the games of a run.
    pub(crate) fn source_of_run(run_seed: u64) -> String {
        format!("seed {run_seed}")
    }

    /// The seed of the run; nothing for a game of a file.
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
    /// The name in files.
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

/// A part of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundShape {
    kind: ShapeKind,
    /// Nothing if it is too large.
    shape: Option<Shape>,
}

impl FoundShape {
    /// The parts with chains in seki, or dead without being enclosed by unconditional territory.
    pub(super) fn all<const W: usize>(
        position: &Position<W>,
        chains: &[ChainStatus],
        sekis: &[Seki],
    ) -> Vec<Self> {
        let found = position.open_parts(chains).into_iter().filter_map(|part| {
            let is_inside = |chain: &ChainStatus| part.contains(&chain.stones[0]);
            let sekis = sekis.iter().filter(|seki| is_inside(&chains[seki.chains[0]]));
            let is_dead = |chain: &ChainStatus| {
                chain.status == Status::Dead && chain.proof != Proof::Benson && is_inside(chain)
            };
            let kind = match sekis.map(|seki| seki.kind).min() {
                Some(kind) => ShapeKind::Seki(kind),
                None if chains.iter().any(is_dead) => ShapeKind::Dead,
                None => return None,
            };
            let shape = (part.len() <= ShapeCounts::MAX_POINTS).then(|| position.shape(&part));
            Some(Self { kind, shape })
        });
        found.collect()
    }
}

impl ShapeCounts {
    /// Points of the shapes that are kept, at most.
    pub const MAX_POINTS: usize = 24;

    pub(super) fn add(&mut self, found: &[FoundShape], source: &str, index: u64) {
        for FoundShape { kind, shape } in found {
            let Some(shape) = shape else {
                self.larger += 1;
                continue;
            };
            let first = Occurrence { source: source.to_owned(), index };
            self.add_count(&shape.to_string(), &ShapeCount { kind: *kind, parts: 1, first });
        }
    }

    fn add_count(&mut self, shape: &str, count: &ShapeCount) {
        match self.shapes.entry(shape.to_owned()) {
            Entry::Vacant(entry) => {
                entry.insert(count.clone());
            }
            Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                // Equal unless proofs were found only in one of two versions of the program.
                known.kind = known.kind.min(count.kind);
                known.parts += count.parts;
                if count.first < known.first {
                    known.first.clone_from(&count.first);
                }
            }
        }
    }

    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &Self) {
        self.larger += other.larger;
        for (shape, count) in &other.shapes {
            self.add_count(shape, count);
        }
    }

    /// All parts.
    #[must_use]
    pub fn parts(&self) -> u64 {
        self.larger + self.shapes.values().map(|count| count.parts).sum::<u64>()
    }

    /// The shapes, the most frequent first, those of equal frequency in the order of their texts.
    #[must_use]
    pub fn ranking(&self) -> Vec<(&str, &ShapeCount)> {
        let mut shapes: Vec<(&str, &ShapeCount)> =
            self.shapes.iter().map(|(shape, count)| (shape.as_str(), count)).collect();
        shapes.sort_by_key(|(shape, count)| (Reverse(count.parts), shape.len(), *shape));
        shapes
    }
}
