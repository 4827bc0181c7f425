//! Playouts by the letter of `docs/playouts.md`, on the naive reference board.

use crate::definitions::life::unconditional_life;
use jigo_engine::{
    BoardSize, Color, Move, Point, Suicide,
    reference::{Colouring, ReferenceGame, Refusal, connected, neighbours, reaches},
    zobrist::mix64,
};
use jigo_selfplay::policy::{PlayoutPolicy, PolicySuicide};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro128PlusPlus;

/// A game by the letter of the specification.
pub(crate) struct Naive {
    pub(crate) policy: PlayoutPolicy,
    suicide: Suicide,
    pub(crate) size: BoardSize,
    pub(crate) game: ReferenceGame,
    draws: Draws,
    pub(crate) refused: usize,
}

/// Random numbers by the letter of the specification.
#[derive(Clone)]
pub(crate) struct Draws {
    generator: Xoshiro128PlusPlus,
    high: Option<u16>,
}

impl Draws {
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        let seed = mix64(mix64(seed).wrapping_add(index));
        Self { generator: Xoshiro128PlusPlus::seed_from_u64(seed), high: None }
    }

    pub(crate) fn sample(&mut self) -> u16 {
        if let Some(high) = self.high.take() {
            return high;
        }
        let word = self.generator.next_u32();
        self.high = Some((word >> 16) as u16);
        word as u16
    }

    pub(crate) fn below(&mut self, bound: u32) -> usize {
        loop {
            let product = u32::from(self.sample()) * bound;
            if product % 65_536 >= 65_536 % bound {
                return (product / 65_536) as usize;
            }
        }
    }
}

impl Naive {
    /// A playout from here.
    pub(crate) fn at(
        policy: PlayoutPolicy,
        suicide: Suicide,
        size: BoardSize,
        game: ReferenceGame,
        draws: Draws,
    ) -> Self {
        Self { policy, suicide, size, game, draws, refused: 0 }
    }

    pub(crate) fn stone(&self, point: Point) -> Option<Color> {
        self.game.colouring()[point.index(self.size)]
    }

    pub(crate) fn is_eye_like(&self, point: Point) -> bool {
        let mover = self.game.to_play();
        let all_own = neighbours(self.size, point).all(|near| self.stone(near) == Some(mover));
        let diagonal = |other: &Point| point.x.abs_diff(other.x) == 1 && point.y.abs_diff(other.y) == 1;
        let diagonals = self.size.points().filter(diagonal);
        let opposing = diagonals.filter(|&other| self.stone(other) == Some(mover.opponent())).count();
        let on_edge = neighbours(self.size, point).count() < 4;
        all_own && opposing + usize::from(on_edge) < 2
    }

    /// The colouring with one more stone of the mover, before anything is removed.
    fn with_stone(&self, point: Point) -> Colouring {
        let mut colouring = self.game.colouring().clone();
        colouring[point.index(self.size)] = Some(self.game.to_play());
        colouring
    }

    pub(crate) fn captures(&self, point: Point) -> bool {
        let colouring = self.with_stone(point);
        let opponent = Some(self.game.to_play().opponent());
        neighbours(self.size, point)
            .any(|near| self.stone(near) == opponent && !reaches(self.size, &colouring, near, None))
    }

    /// The chain that the new stone would belong to, and its liberties.
    fn chain(&self, point: Point) -> (usize, usize) {
        let colouring = self.with_stone(point);
        let chain = connected(self.size, &colouring, point);
        let is_liberty = |other: &Point| {
            colouring[other.index(self.size)].is_none()
                && neighbours(self.size, *other).any(|near| chain.contains(&near))
        };
        (chain.len(), self.size.points().filter(is_liberty).count())
    }

    fn fills_own_territory(&self, point: Point) -> bool {
        let life = unconditional_life(self.size, self.game.colouring(), self.game.to_play(), self.suicide);
        life.territory.contains(&point)
    }

    /// Whether the policy refuses the point, legal or not.
    pub(crate) fn policy_refuses(&self, point: Point) -> bool {
        let (stones, liberties) = self.chain(point);
        let never = |suicide| suicide == PolicySuicide::Never && liberties == 0 && !self.captures(point);
        let guards = |limit: u16| liberties == 1 && stones >= usize::from(limit) && !self.captures(point);
        match self.policy {
            PlayoutPolicy::Uniform => false,
            PlayoutPolicy::EyeSafe { suicide } => never(suicide),
            PlayoutPolicy::Guarded { stones: limit, suicide } => never(suicide) || guards(limit),
            PlayoutPolicy::Settled { stones: limit, suicide } => {
                never(suicide) || guards(limit) || self.fills_own_territory(point)
            }
        }
    }

    pub(crate) fn choose(&mut self) -> Move {
        if self.game.is_out_of_stones() {
            return Move::Pass;
        }
        let considered = |&point: &Point| {
            self.stone(point).is_none()
                && self.game.check(Move::Play(point)) != Err(Refusal::Ko)
                && (self.policy == PlayoutPolicy::Uniform || !self.is_eye_like(point))
        };
        let mut candidates: Vec<Point> = self.size.points().filter(considered).collect();
        while !candidates.is_empty() {
            let rank = self.draws.below(candidates.len() as u32);
            let pick = candidates.remove(rank);
            let verdict = self.game.check(Move::Play(pick));
            if verdict == Err(Refusal::Suicide) || self.policy_refuses(pick) {
                continue;
            }
            match verdict {
                Ok(()) => return Move::Play(pick),
                Err(refusal) => {
                    assert_eq!(refusal, Refusal::Superko);
                    self.refused += 1;
                }
            }
        }
        Move::Pass
    }
}
