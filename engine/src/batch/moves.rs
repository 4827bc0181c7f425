//! The moves of the games in play, for those who ask for them.

use super::state::{Batch, Rows};
use crate::simd::{Lanes as _, Number as _, Vector};

/// Steps whose moves are added to the games at once: so few that they are still in the cache.
const STEPS: usize = 8;

/// The moves of all games: row-major indices of points, and the number of points for a pass.
pub(super) struct Moves<V: Vector> {
    /// What the last steps did, of which the first `waiting` are not added to the games yet.
    steps: [V::Number; STEPS],
    waiting: usize,
    games: Vec<Game>,
}

/// The moves of one game.
struct Game {
    count: usize,
    /// The moves, of which `count` are valid, and places for more, so that adding needs no branch.
    moves: Vec<u16>,
}

impl<V: Vector> Moves<V> {
    /// In a lane: no move.
    pub(super) const NOTHING: u32 = u32::MAX >> (u32::BITS - V::Number::LANE_BITS);

    /// No moves yet.
    pub(super) fn new(isa: V::Isa, lanes: usize, ply_cap: u16) -> Self {
        let places = usize::from(ply_cap) + 2 * STEPS;
        Self {
            steps: [V::Number::splat(isa, Self::NOTHING); STEPS],
            waiting: 0,
            games: (0..lanes).map(|_| Game { count: 0, moves: vec![0; places] }).collect(),
        }
    }

    /// Notes what a step did in each game: a move, or [`NOTHING`](Self::NOTHING).
    #[inline(always)]
    pub(super) fn write(&mut self, moves: V::Number) {
        self.steps[self.waiting] = moves;
        self.waiting += 1;
        if self.waiting == STEPS {
            self.waiting = 0;
            for (lane, game) in self.games.iter_mut().enumerate().filter(|(lane, _)| V::USED >> lane & 1 == 1)
            {
                game.add::<V>(&self.steps, lane);
            }
        }
    }

    /// The moves of a game that has ended. The next game of its lane begins.
    pub(super) fn take(&mut self, lane: usize) -> &[u16] {
        let Self { steps, waiting, games } = self;
        let game = &mut games[lane];
        game.add::<V>(&steps[..*waiting], lane);
        steps[..*waiting].iter_mut().for_each(|step| step.set_lane(lane, Self::NOTHING));
        &game.moves[..std::mem::take(&mut game.count)]
    }
}

impl Game {
    /// Adds what at most [`STEPS`] steps did in a lane.
    #[inline(always)]
    fn add<V: Vector>(&mut self, steps: &[V::Number], lane: usize) {
        let places =
            self.moves[self.count..].first_chunk_mut::<{ 2 * STEPS }>().expect("places for more moves");
        let mut added = 0;
        for step in steps {
            let code = step.lane(lane);
            places[added % (2 * STEPS)] = code as u16;
            added += usize::from(code != Moves::<V>::NOTHING);
        }
        self.count += added;
    }
}

impl<V: Vector, R: Rows> Batch<V, R> {
    /// What a step did in each game, as [`Moves`] have it.
    #[inline(always)]
    pub(super) fn moves(&self, plays: V::Mask, passes: V::Mask) -> V::Number {
        let isa = self.isa;
        let number = |value| V::Number::splat(isa, value);
        let width = self.size.width() as u32;
        let row_start = self.pick_row.times(width).minus(number(width));
        let point = row_start.plus(self.pick_bit.minus(V::splat(isa, 1)).count_ones());
        let pass = number(self.size.point_count() as u32);
        number(Moves::<V>::NOTHING).replace(plays, point).replace(passes, pass)
    }
}
