//! The parts of a step, each for the games of one batch.

use super::{
    candidates::{Picks, lanes},
    driver::{BatchSpec, Driver, FinishedGame, Needs},
    legality::Reach,
    log::Log,
    moves::Moves,
    start::{Start, Starts},
    state::{Batch, Rows, StepOptions},
    superko::Repeats,
};
use crate::{
    BoardSize, Color,
    simd::{Lanes as _, MAX_LANES, Mask as _, Number as _, Vector, Wide as _, WideOf},
};

/// The games of one batch: where they stand, and what has happened in them.
pub(super) struct Games<V: Vector, R: Rows> {
    batch: Batch<V, R>,
    /// Only where moves are kept.
    moves: Moves<V>,
    /// Only where repetitions are found.
    repeats: Repeats,
    log: Log<V>,
    starts: Starts,
    /// The lanes without a game.
    vacant: u64,
    /// The lanes whose game ended in the last step.
    over: u64,
    /// All ones in the lanes that used their samples in the last step.
    used: [u16; MAX_LANES],
    needs: Needs,
}

/// What the parts of a step leave for the next ones.
#[derive(Clone, Copy)]
pub(super) struct Step<V: Vector> {
    candidate_count: V::Number,
    picks: Picks<V::Mask>,
    seen: Reach<V>,
}

impl<V: Vector> Step<V> {
    /// Nothing yet.
    pub(super) fn new(isa: V::Isa) -> Self {
        let none = V::Mask::from_bits(isa, 0);
        Self {
            candidate_count: V::Number::splat(isa, 0),
            picks: Picks { used: none, active: none, pass: none },
            seen: Reach::nothing(isa),
        }
    }
}

impl<V: Vector, R: Rows> Games<V, R> {
    /// No games yet.
    pub(super) fn new(isa: V::Isa, rows: R, spec: &BatchSpec, options: StepOptions) -> Self {
        let BatchSpec { size, ko, ply_cap, needs, .. } = *spec;
        let lanes_if = |needed| if needed { V::LANES } else { 0 };
        Self {
            batch: Batch::new(isa, rows, size, ply_cap),
            moves: Moves::new(isa, lanes_if(needs.moves()), ply_cap),
            repeats: Repeats::new(ko, lanes_if(options.finds_repeats)),
            log: Log::new(isa, lanes_if(options.finds_repeats)),
            starts: [const { Start::EmptyBoard }; MAX_LANES],
            vacant: V::USED,
            over: 0,
            used: [0; MAX_LANES],
            needs,
        }
    }

    /// Starts games in the lanes that have none. Returns whether any games are in play.
    #[inline(always)]
    pub(super) fn begin(&mut self, options: StepOptions, driver: &mut impl Driver) -> bool {
        if options.finds_repeats {
            self.batch.forget_emptied(V::Mask::from_bits(self.batch.isa, self.vacant));
        }
        for lane in lanes(self.vacant) {
            if !driver.start(lane, &mut self.starts[lane]) {
                self.batch.idle(options, lane);
                continue;
            }
            self.vacant &= !(1 << lane);
            self.batch.start(options, lane, &self.starts[lane]);
            if options.finds_repeats {
                self.log.start(lane);
                self.repeats.start(lane);
            }
        }
        self.batch.playing.any()
    }

    /// Finds the candidates of each game.
    #[inline(always)]
    pub(super) fn find_candidates(&mut self, options: StepOptions, step: &mut Step<V>) {
        step.candidate_count = self.batch.find_candidates(options);
    }

    /// Picks one of them in each game, by its next sample.
    #[inline(always)]
    pub(super) fn pick(&mut self, driver: &mut impl Driver, step: &mut Step<V>) {
        let isa = self.batch.isa;
        let samples = WideOf::<V>::load(isa, driver.samples());
        step.picks = self.batch.pick(samples, step.candidate_count);
        WideOf::<V>::ones(isa, V::Number::widen_mask(step.picks.used)).store(&mut self.used);
        driver.use_samples(&self.used[..V::LANES.next_multiple_of(8)]);
    }

    /// Begins to flood the stones from the empty points.
    #[inline(always)]
    pub(super) fn seed_and_sweep_down(&mut self, options: StepOptions) {
        self.batch.seed_and_sweep_down(options);
    }

    /// Goes on with the flood.
    #[inline(always)]
    pub(super) fn sweep_up_and_down(&mut self, options: StepOptions, step: &mut Step<V>) {
        step.seen = self.batch.sweep_up_and_down(options);
    }

    /// Ends the flood, and finds what it has not reached; where self-atari is guarded against, also the liberties that the pick would have.
    #[inline(always)]
    pub(super) fn sweep_up_and_look(&mut self, options: StepOptions, step: &mut Step<V>) {
        self.batch.sweep_up_and_look(&mut step.seen);
        if options.guards {
            self.batch.connect(&mut step.seen);
            self.batch.count_own_liberties(options, &mut step.seen);
        }
    }

    /// Plays the picks that the rules and the policy allow. Returns whether any game is over.
    #[inline(always)]
    pub(super) fn decide_and_apply(
        &mut self,
        options: StepOptions,
        guard: V::Number,
        step: &Step<V>,
    ) -> bool {
        let Self { batch, moves, repeats, log, starts, .. } = self;
        let mut verdict = batch.decide(options, &step.picks, &step.seen, guard);
        if options.finds_repeats {
            verdict = batch.find_repeats(verdict, step.seen.emptied, repeats, log, starts);
        }
        let over = batch.apply(options, &step.picks, &verdict);
        // In most steps no game ends.
        self.over = if over.any() { over.bits() } else { 0 };
        if self.needs.moves() {
            moves.write(batch.moves(verdict.plays, step.picks.pass));
        }
        if options.finds_repeats {
            log.write(batch.entry(verdict.plays, step.picks.pass));
        }
        self.over != 0
    }

    /// Hands the games that are over to the driver.
    #[inline(always)]
    pub(super) fn finish(&mut self, options: StepOptions, driver: &mut impl Driver) {
        for lane in lanes(self.over) {
            self.finish_one(options, lane, driver);
            if options.finds_repeats {
                self.log.end(lane);
            }
        }
        self.vacant |= self.over;
    }

    /// Hands one game to the driver.
    #[inline]
    fn finish_one(&mut self, options: StepOptions, lane: usize, driver: &mut impl Driver) {
        let Self { batch, moves, repeats, log, starts, .. } = self;
        let moves = if self.needs.moves() { moves.take(lane) } else { &[] };
        let start = &starts[lane];
        let rows = batch.row_count();
        let mut stones = [[0; BoardSize::MAX_SIDE]; 2];
        for color in Color::BOTH {
            stones[color.index()].iter_mut().zip(batch.stones(lane, color)).for_each(|(to, row)| *to = row);
        }
        let mut first = [[0; BoardSize::MAX_SIDE]; 2];
        if options.notes_first {
            for (rows_to, field) in first.iter_mut().zip(&batch.first) {
                (0..rows).for_each(|row| rows_to[row] = field[row + 1].lane(lane));
            }
        }
        let first_rows = if options.notes_first { rows } else { 0 };
        let first_move = match self.needs {
            Needs::End => None,
            Needs::Repetitions => log.plies(lane).next().map(|ply| ply.mv.code(batch.size)),
            Needs::Moves | Needs::All => moves.first().copied(),
        };
        let [refused, repeated] =
            if options.finds_repeats { repeats.events(lane) } else { Default::default() };
        let placement = start.placement();
        let game = FinishedGame {
            first_to_play: placement.map_or(Color::Black, |placement| placement.to_play),
            placed_before: placement.map_or([0; 2], |placement| placement.placed),
            plies: batch.plies.lane(lane),
            passes: [0, 1].map(|side: usize| batch.passes[side].lane(lane)),
            is_over: batch.over.has(lane),
            stones: [&stones[0][..rows], &stones[1][..rows]],
            first_stones: [&first[0][..first_rows], &first[1][..first_rows]],
            first_move,
            moves,
            refused,
            repeated,
        };
        driver.finish(lane, &game);
    }
}
