//! Solves one final position: the status of its chains, and the shapes of the parts with seki or dead chains.

use super::{ChainStatus, LifeCounts, Proof, Seki, SekiKind, Shape, Status, StatusSolver};
use crate::{AnyPosition, Point, Position, any::with_position};

/// The status of the chains in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalStatus {
    /// The unconditional life of Black and White.
    pub life: [LifeCounts; 2],
    /// The rest of the result, if some chain is not unconditionally alive.
    pub open: Option<Box<OpenStatus>>,
}

/// A position in which not every chain is unconditionally alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenStatus {
    /// The chains, Black's first, each colour in the order of first stones.
    pub chains: Vec<ChainStatus>,
    /// The sekis among them.
    pub sekis: Vec<Seki>,
    /// The points of Black and White [in seki](Position::points_in_seki).
    pub points_in_seki: [u32; 2],
    /// The stones of dead chains that are [taken off](Position::taken_off) before the position is counted.
    pub removed: Vec<Point>,
    /// What removing these adds to Black's area minus White's.
    pub dead_margin: i32,
    /// The parts with chains in seki, or dead without being enclosed by unconditional territory.
    pub parts: Vec<OpenPart>,
}

/// A part of the board with chains in seki or dead chains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPart {
    /// The kind of its seki, the first of several; `None` if it has only dead chains.
    pub seki: Option<SekiKind>,
    /// Its shape, if it has at most [`MAX_POINTS`](Self::MAX_POINTS) points.
    pub shape: Option<Shape>,
}

impl StatusSolver {
    /// Solves all chains of a position, or decides by unconditional life alone if nothing is to be searched, as in the middle of a game.
    ///
    /// Where all chains are unconditionally alive, as at the end of nearly all playouts, nothing is searched in any case. The answer depends on
    /// the position and the rules, not on the positions before.
    pub fn final_status(&mut self, position: AnyPosition<'_>, is_searched: bool) -> FinalStatus {
        with_position!(position, position => {
            let life = position.life_counts(self.suicide);
            if life.iter().all(|side| side.alive_stones == side.stones) {
                return FinalStatus { life, open: None };
            }
            let chains =
                if is_searched { self.chains(position) } else { position.chains_by_benson(self.suicide) };
            FinalStatus { life, open: Some(Box::new(OpenStatus::new(position, chains))) }
        })
    }
}

impl FinalStatus {
    /// Returns the stones of dead chains that are [taken off](Position::taken_off) before the position is counted.
    #[must_use]
    pub fn removed(&self) -> &[Point] {
        self.open.as_ref().map_or(&[], |open| &open.removed)
    }

    /// Returns what removing these stones adds to Black's margin, under either counting: a removed stone is also a prisoner, on a point that the
    /// opponent gains.
    #[must_use]
    pub fn dead_margin(&self) -> i32 {
        self.open.as_ref().map_or(0, |open| open.dead_margin)
    }

    /// Returns whether a chain has this status.
    #[must_use]
    pub fn has(&self, status: Status) -> bool {
        match &self.open {
            Some(open) => open.chains.iter().any(|chain| chain.status == status),
            None => status == Status::Alive && self.life.iter().any(|side| side.chains > 0),
        }
    }
}

impl OpenStatus {
    fn new<const W: usize>(position: &Position<W>, chains: Vec<ChainStatus>) -> Self {
        let has = |status| chains.iter().any(|chain| chain.status == status);
        let (has_seki, has_dead) = (has(Status::Seki), has(Status::Dead));
        let sekis = position.sekis(&chains);
        let taken_off = has_dead.then(|| position.taken_off(&chains)).into_iter().flatten();
        let removed: Vec<Point> = taken_off.flat_map(|chain| chain.stones.iter().copied()).collect();
        Self {
            points_in_seki: if has_seki { position.points_in_seki(&chains) } else { [0; 2] },
            dead_margin: if removed.is_empty() {
                0
            } else {
                position.without(&removed).area().margin() - position.area().margin()
            },
            removed,
            parts: if has_seki || has_dead { OpenPart::all(position, &chains, &sekis) } else { Vec::new() },
            sekis,
            chains,
        }
    }
}

impl OpenPart {
    /// The most points that a part may have for its shape to be given.
    pub const MAX_POINTS: usize = 24;

    fn all<const W: usize>(position: &Position<W>, chains: &[ChainStatus], sekis: &[Seki]) -> Vec<Self> {
        let found = position.open_parts(chains).into_iter().filter_map(|part| {
            let is_inside = |chain: &ChainStatus| part.contains(&chain.stones[0]);
            let sekis = sekis.iter().filter(|seki| is_inside(&chains[seki.chains[0]]));
            let is_dead = |chain: &ChainStatus| {
                chain.status == Status::Dead && chain.proof != Proof::Benson && is_inside(chain)
            };
            let seki = sekis.map(|seki| seki.kind).min();
            let shape = || (part.len() <= Self::MAX_POINTS).then(|| position.shape(&part));
            (seki.is_some() || chains.iter().any(is_dead)).then(|| Self { seki, shape: shape() })
        });
        found.collect()
    }
}
