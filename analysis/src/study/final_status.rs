//! Solves one final position: the status of its chains, and the shapes of the parts with seki or dead chains.

use std::{cmp::Reverse, collections::BTreeMap};

use jigo_engine::{
    Position, Rules, Suicide,
    life::{ChainStatus, LifeCounts, Proof, Seki, SekiKind, Shape, Status, StatusSolver},
};
use jigo_selfplay::GameRecord;
use serde::{Deserialize, Serialize};

use crate::stats::{Merge, merge_fields};

/// Solves final positions under the suicide and ko rules of a rule set. Its answers depend on the position and the rules alone, not on the
/// positions before: each thread may have its own.
#[derive(Clone, Debug)]
pub struct FinalStatusSolver {
    suicide: Suicide,
    solver: StatusSolver,
}

/// The status of the chains in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalStatus {
    pub(super) life: [LifeCounts; 2],
    /// Where not every chain is unconditionally alive.
    pub(super) open: Option<Box<Open>>,
}

/// A position in which not every chain is unconditionally alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) chains: Vec<ChainStatus>,
    pub(super) sekis: Vec<Seki>,
    pub(super) points_in_seki: [u32; 2],
    /// What taking dead chains off adds to the margin.
    pub(super) dead_margin: i32,
    /// What each part with seki or dead chains holds, and its shape unless it is too large.
    pub(super) shapes: Vec<(ShapeKind, Option<Shape>)>,
}

impl FinalStatusSolver {
    /// Returns a solver for these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let Rules { suicide, ko, .. } = rules;
        Self { suicide, solver: StatusSolver::new(suicide, ko) }
    }

    /// Solves all chains of a position. Where all are unconditionally alive, as at the end of nearly all playouts, nothing is searched.
    #[inline]
    pub fn solve<const W: usize>(&mut self, position: &Position<W>) -> FinalStatus {
        FinalStatus::new(position, self.suicide, |position| self.solver.chains(position))
    }

    /// Solves the last position of a playout: by unconditional life alone if the game reached the move limit.
    #[inline]
    pub fn solve_end<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) -> FinalStatus {
        if record.is_finished() { self.solve(position) } else { self.solve_by_benson(position) }
    }

    /// Solves by unconditional life alone, without a search: for positions in the middle of a game.
    #[inline]
    pub fn solve_by_benson<const W: usize>(&self, position: &Position<W>) -> FinalStatus {
        FinalStatus::new(position, self.suicide, |position| position.chains_by_benson(self.suicide))
    }
}

impl FinalStatus {
    #[inline]
    fn new<const W: usize>(
        position: &Position<W>,
        suicide: Suicide,
        solve: impl FnOnce(&Position<W>) -> Vec<ChainStatus>,
    ) -> Self {
        let life = position.life_counts(suicide);
        let is_plain = life.iter().all(|side| side.alive_stones == side.stones);
        let open = if is_plain { None } else { Some(Box::new(Open::new(position, solve(position)))) };
        Self { life, open }
    }

    /// Returns whether a chain has this status.
    #[must_use]
    pub fn has(&self, status: Status) -> bool {
        match &self.open {
            Some(open) => open.chains.iter().any(|chain| chain.status == status),
            None => status == Status::Alive && self.life.iter().any(|side| side.chains > 0),
        }
    }

    /// Returns the chains, unless all of them are unconditionally alive.
    #[must_use]
    pub fn open_chains(&self) -> Option<&[ChainStatus]> {
        self.open.as_ref().map(|open| open.chains.as_slice())
    }
}

impl Open {
    fn new<const W: usize>(position: &Position<W>, chains: Vec<ChainStatus>) -> Self {
        let has = |status| chains.iter().any(|chain| chain.status == status);
        let (has_seki, has_dead) = (has(Status::Seki), has(Status::Dead));
        let sekis = position.sekis(&chains);
        Self {
            points_in_seki: if has_seki { position.points_in_seki(&chains) } else { [0; 2] },
            dead_margin: if has_dead { position.margin_of_dead(&chains) } else { 0 },
            shapes: if has_seki || has_dead { shapes(position, &chains, &sekis) } else { Vec::new() },
            sekis,
            chains,
        }
    }
}

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

/// Finds the parts with chains in seki, or dead without being enclosed by unconditional territory.
fn shapes<const W: usize>(
    position: &Position<W>,
    chains: &[ChainStatus],
    sekis: &[Seki],
) -> Vec<(ShapeKind, Option<Shape>)> {
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
        Some((kind, shape))
    });
    found.collect()
}

impl ShapeCounts {
    /// Points of the shapes that are kept, at most.
    pub const MAX_POINTS: usize = 24;

    pub(super) fn add(&mut self, found: &[(ShapeKind, Option<Shape>)], source: &str, index: u64) {
        for (kind, shape) in found {
            let Some(shape) = shape else {
                self.larger += 1;
                continue;
            };
            let first = Occurrence { source: source.to_owned(), index };
            let count = ShapeCount { kind: *kind, parts: 1, first };
            Merge::merge(&mut self.shapes, &BTreeMap::from([(shape.to_string(), count)]));
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
