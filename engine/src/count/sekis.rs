//! All sekis of a tiny board.

use std::collections::BTreeMap;

use super::{CountError, Pace, Report, positions::for_each_position};
use crate::{
    BoardSize, Ko, Point, Suicide,
    life::{SekiKind, Shape, Status, StatusSolver},
};

/// The positions of a board that hold a seki.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SekiCensus {
    /// Legal positions.
    pub positions: u64,
    /// Positions in which a chain is in seki.
    pub with_seki: u64,
    /// Positions with a chain whose status was not found, so that they may hold more.
    pub unknown: u64,
    /// The positions with seki up to symmetry and colour, ordered by kind, then by their pictures.
    pub forms: Vec<SekiForm>,
}

/// Positions that are the same up to symmetry and colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SekiForm {
    /// The kind of the seki, of several the first.
    pub kind: SekiKind,
    /// The whole board.
    pub shape: Shape,
    /// How many positions these are.
    pub positions: u64,
}

/// States that the search of one position may look at: enough for every board of this size.
const LIMIT: usize = 1 << 20;

/// Finds all legal positions of a board in which a chain is in seki, by judging every one.
///
/// A step of progress is one colouring. Cost: 3^points set-ups of a board, and a search for each position up to symmetry and colour.
///
/// # Errors
/// [`CountError::TooLarge`] above 12 points, [`CountError::Stopped`].
pub fn seki_census(
    size: BoardSize,
    suicide: Suicide,
    ko: Ko,
    report: Report<'_>,
) -> Result<SekiCensus, CountError> {
    let mut judge = StatusSolver::with_limit(suicide, ko, LIMIT);
    let points: Vec<Point> = size.points().collect();
    let (mut positions, mut unknown) = (0, 0);
    let mut forms: BTreeMap<(SekiKind, Shape), u64> = BTreeMap::new();
    for_each_position(size, suicide, &mut Pace::new(report), &mut |board| {
        let position = board.position();
        let chains = judge.chains(&position);
        positions += 1;
        unknown += u64::from(chains.iter().any(|chain| chain.status == Status::Unknown));
        if let Some(kind) = position.sekis(&chains).into_iter().map(|seki| seki.kind).min() {
            *forms.entry((kind, position.shape(&points))).or_default() += 1;
        }
    })?;
    let form = |((kind, shape), positions)| SekiForm { kind, shape, positions };
    let forms: Vec<SekiForm> = forms.into_iter().map(form).collect();
    let with_seki = forms.iter().map(|form| form.positions).sum();
    Ok(SekiCensus { positions, with_seki, unknown, forms })
}
