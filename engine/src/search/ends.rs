//! How the playouts of a search ended: for each move of the root, and for each point of the board.

use std::sync::Arc;

use crate::{
    AnyPosition, BoardSize, Color, Komi, Position, bitboard::Bitboard, geometry::Geometry, score::AreaTally,
};

/// The ends of playouts after one move of the root.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveEnds {
    /// The sum of Black's margins before komi.
    pub(super) margins: i64,
    /// Wins of Black and of White at the komi of the search.
    pub(super) wins: [u32; 2],
}

/// The ends of all playouts of a search.
pub(super) struct Ends {
    komi: Komi,
    /// By the place of the move at the root.
    moves: Vec<MoveEnds>,
    owners: Option<Owners>,
}

/// How often each point was whose area.
struct Owners {
    recent: AreaTally,
    /// Of Black and of White, in row-major order.
    totals: [Vec<u64>; 2],
}

impl Ends {
    /// No ends of games with this komi. Whose area each point was is only counted with `owners`.
    pub(super) fn new(size: BoardSize, komi: Komi, owners: bool) -> Self {
        let totals = || vec![0; size.point_count()];
        let new_owners = || Owners { recent: AreaTally::new(size), totals: [totals(), totals()] };
        Self {
            komi,
            moves: vec![MoveEnds::default(); size.point_count() + 1],
            owners: owners.then(new_owners),
        }
    }

    pub(super) fn clear(&mut self) {
        self.moves.fill(MoveEnds::default());
        if let Some(owners) = &mut self.owners {
            owners.recent.clear();
            owners.totals.iter_mut().for_each(|totals| totals.fill(0));
        }
    }

    /// Counts the margin at the end of a playout that began with the move at this place.
    #[inline(always)]
    pub(super) fn add(&mut self, place: usize, margin: i32) {
        let ends = &mut self.moves[place];
        ends.margins += i64::from(margin);
        let result = self.komi.apply(margin);
        if result != 0 {
            ends.wins[usize::from(result < 0)] += 1;
        }
    }

    /// Counts whose area each point is in the final position.
    #[inline(always)]
    pub(super) fn add_owners<const W: usize>(
        &mut self,
        geometry: &Arc<Geometry<W>>,
        stones: [Bitboard<W>; 2],
    ) {
        let Some(owners) = &mut self.owners else { return };
        if owners.recent.is_full() {
            owners.empty();
        }
        owners.recent.add(AnyPosition::new(&Position::from_sets(geometry, stones)));
    }

    pub(super) fn of(&self, place: usize) -> MoveEnds {
        self.moves[place]
    }

    /// Returns in how many final positions each point was the area of Black and of White.
    pub(super) fn owners(&mut self) -> Option<&[Vec<u64>; 2]> {
        let owners = self.owners.as_mut()?;
        owners.empty();
        Some(&owners.totals)
    }
}

impl Owners {
    fn empty(&mut self) {
        for color in Color::BOTH {
            self.recent.add_to(color, &mut self.totals[color.index()]);
        }
        self.recent.clear();
    }
}
