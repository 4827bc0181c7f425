//! Playing games in batches.

use super::{
    fields::{Any, Fixed, Rows},
    finished::Finished,
    history::Steps,
    pick::lanes,
    record::Log,
    repeats::Repeats,
    state::{Ask, Batch},
};
use crate::{
    BoardSize, Color, Ko,
    simd::{self, LaneBits, MAX_LANES, Mask as _, Simd, Vector, VectorJob},
};

/// What the games of a batch have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchSpec {
    /// The board. At least two columns and two rows; fastest in [playing orientation](BoardSize::playing_orientation).
    pub size: BoardSize,
    /// Which repetitions are refused. The simple ko ban holds in any case.
    pub ko: Ko,
    /// Which moves are drawn.
    pub choice: Choice,
    /// Whether giving up a chain of two or more stones is played; a single stone never is.
    pub plays_suicide: bool,
    /// The number of plies after which a game is cut off.
    pub ply_cap: u16,
    /// What is to be known of each game.
    pub needs: Needs,
    /// How earlier positions are looked up. The games are the same whatever it is, for tests of just that.
    pub lookup: Lookup,
}

/// How earlier positions are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// By so many bits of their signatures, at most 16. With fewer, more are compared in vain.
    pub signature_bits: u32,
    /// How many steps back it is remembered which stones they removed; at least one is. Longer cycles are found by playing the game once more.
    pub steps: u16,
}

impl Default for Lookup {
    /// 16 bits and 512 steps: more than most games take. With 128, the few games of 19×19 that are played once more for a signature that is
    /// equal by chance take a sixth of the time.
    fn default() -> Self {
        Self { signature_bits: 16, steps: 512 }
    }
}

/// Which moves are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Any.
    Legal,
    /// Those on points that are not [eye-like](crate::Board::is_eye_like).
    EyeSafe,
    /// Of these, those that do not leave a chain of so many or more stones with one liberty, or capture.
    Guarded(u16),
}

/// What is to be known of each game beyond its end. What is not needed costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The final position and counts.
    End,
    /// Also the moves.
    Moves,
    /// Also the moves that recreate an earlier position or would, and the first move.
    Repetitions,
    /// Everything.
    All,
}

/// Who hands in random draws, starts games and takes in finished ones. Lanes are numbered from 0.
pub trait Driver {
    /// The next draw of each lane: 16 random bits of the game's own. The same until it is [used](Self::use_draws).
    fn draws(&self) -> &[u16; MAX_LANES];

    /// Moves on to the next draw in the lanes whose element is all ones; in the others it is zero. One element for each lane.
    fn use_draws(&mut self, used: &[u16]);

    /// Begins the next game in this lane, draws included; returns whether there was one left.
    fn start(&mut self, lane: usize) -> bool;

    /// Takes in the game of this lane.
    fn finish(&mut self, lane: usize, game: &Finished<'_>);
}

/// Plays games until the driver has none left and all are finished.
///
/// # Panics
/// When the processor does not have the instructions of the back end ([`Simd::is_available`]), or the board has a single row or column.
pub fn play(simd: Simd, spec: &BatchSpec, driver: &mut impl Driver) {
    match (spec.choice, spec.plays_suicide) {
        (Choice::Legal, false) => needing::<false, false, false>(simd, spec, driver),
        (Choice::Legal, true) => needing::<false, true, false>(simd, spec, driver),
        (Choice::EyeSafe, false) => needing::<true, false, false>(simd, spec, driver),
        (Choice::EyeSafe, true) => needing::<true, true, false>(simd, spec, driver),
        (Choice::Guarded(_), false) => needing::<true, false, true>(simd, spec, driver),
        (Choice::Guarded(_), true) => needing::<true, true, true>(simd, spec, driver),
    }
}

fn needing<const EYES: bool, const SUICIDE: bool, const GUARDS: bool>(
    simd: Simd,
    spec: &BatchSpec,
    driver: &mut impl Driver,
) {
    // Superko and repetitions need positions, and these the moves.
    let finds_repeats = spec.ko.is_superko() || matches!(spec.needs, Needs::Repetitions | Needs::All);
    match (finds_repeats, spec.needs) {
        (true, _) => asked(simd, spec, driver, Asked::<EYES, SUICIDE, GUARDS, true, true>),
        (false, Needs::Moves) => asked(simd, spec, driver, Asked::<EYES, SUICIDE, GUARDS, true, false>),
        (false, _) => asked(simd, spec, driver, Asked::<EYES, SUICIDE, GUARDS, false, false>),
    }
}

fn asked<A: Ask>(simd: Simd, spec: &BatchSpec, driver: &mut impl Driver, ask: A) {
    let lanes = if spec.size.width() <= 15 { LaneBits::Sixteen } else { LaneBits::ThirtyTwo };
    match (simd, lanes, spec.size.height()) {
        (Simd::Avx512, LaneBits::Sixteen, 9) => {
            simd::run_widest(Play { spec, driver, ask, rows: Fixed::<9> });
        }
        (Simd::Avx512, LaneBits::Sixteen, 13) => {
            simd::run_widest(Play { spec, driver, ask, rows: Fixed::<13> });
        }
        (_, _, rows) => simd::run(simd, lanes, Play { spec, driver, ask, rows: Any(rows) }),
    }
}

/// The options of a batch as a type.
#[derive(Clone, Copy)]
struct Asked<
    const EYES: bool,
    const SUICIDE: bool,
    const GUARDS: bool,
    const RECORDS: bool,
    const FINDS_REPEATS: bool,
>;

impl<
    const EYES: bool,
    const SUICIDE: bool,
    const GUARDS: bool,
    const RECORDS: bool,
    const FINDS_REPEATS: bool,
> Ask for Asked<EYES, SUICIDE, GUARDS, RECORDS, FINDS_REPEATS>
{
    const SPARES_EYES: bool = EYES;
    const PLAYS_SUICIDE: bool = SUICIDE;
    const GUARDS: bool = GUARDS;
    const RECORDS: bool = RECORDS;
    const FINDS_REPEATS: bool = FINDS_REPEATS;
}

/// A batch to be played on some vectors.
struct Play<'a, D, A, R> {
    spec: &'a BatchSpec,
    driver: &'a mut D,
    #[expect(dead_code, reason = "names the type")]
    ask: A,
    rows: R,
}

impl<D: Driver, A: Ask, R: Rows> VectorJob for Play<'_, D, A, R> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, isa: V::Isa) {
        let BatchSpec { size, ko, choice, ply_cap, lookup, .. } = *self.spec;
        let Self { driver, rows, .. } = self;
        let guard = V::splat(isa, if let Choice::Guarded(stones) = choice { stones.into() } else { 0 });
        let mut batch = Batch::<V, R>::new(isa, rows, size, ply_cap);
        let mut log = Log::new(if A::RECORDS { V::LANES } else { 0 }, ply_cap);
        let (repeat_lanes, steps) = if A::FINDS_REPEATS { (V::LANES, lookup.steps.max(1)) } else { (0, 0) };
        let steps = Steps::new(isa, size.height(), steps.into());
        let mut repeats = Repeats::new(ko, repeat_lanes, steps, lookup.signature_bits);
        let keeps_moves = matches!(self.spec.needs, Needs::Moves | Needs::All);
        let mut used = [0; MAX_LANES];
        let mut ended = u32::MAX >> (u32::BITS - V::LANES as u32);
        loop {
            for lane in lanes(ended) {
                if driver.start(lane) {
                    batch.start::<A>(lane);
                } else {
                    batch.idle::<A>(lane);
                }
                if A::RECORDS {
                    log.start(lane);
                }
                if A::FINDS_REPEATS {
                    repeats.start(lane);
                }
            }
            if batch.playing.bits() == 0 {
                return;
            }
            let over = loop {
                let draws = V::load(isa, driver.draws());
                let total = batch.find_candidates::<A>();
                let picks = batch.pick(draws, total);
                V::ones(isa, picks.used).store(&mut used);
                driver.use_draws(&used[..V::LANES]);
                let seen = batch.reach::<A>();
                let mut verdict = batch.judge::<A>(&picks, &seen, guard);
                if A::FINDS_REPEATS {
                    verdict = batch.find_repeats::<A>(verdict, &mut repeats, &mut log);
                }
                let over = batch.apply::<A>(&picks, &verdict, &mut repeats).bits();
                if A::RECORDS {
                    batch.write_moves(verdict.plays, picks.pass, &mut log);
                }
                if over != 0 {
                    break over;
                }
            };
            for lane in lanes(over) {
                finish::<V, A, R>(&batch, &mut log, &repeats, lane, keeps_moves, driver);
            }
            ended = over;
        }
    }
}

/// Gives out one game.
#[inline]
fn finish<V: Vector, A: Ask, R: Rows>(
    batch: &Batch<V, R>,
    log: &mut Log,
    repeats: &Repeats<V>,
    lane: usize,
    keeps_moves: bool,
    driver: &mut impl Driver,
) {
    let mut stones = [[0; BoardSize::MAX_SIDE]; 2];
    for color in Color::BOTH {
        stones[color.index()].iter_mut().zip(batch.stones(lane, color)).for_each(|(to, row)| *to = row);
    }
    let rows = batch.row_count();
    let [refused, repeated] = if A::FINDS_REPEATS { repeats.events(lane) } else { [&[][..]; 2] };
    let first_move = if A::RECORDS { log.plies(lane).first().map(|ply| ply.code()) } else { None };
    let game = Finished {
        plies: batch.plies.lane(lane),
        passes: [0, 1].map(|side: usize| batch.passes[side].lane(lane)),
        is_over: batch.over.bits() >> lane & 1 == 1,
        stones: [&stones[0][..rows], &stones[1][..rows]],
        first_move,
        moves: if A::RECORDS && keeps_moves { log.moves(lane) } else { &[] },
        refused,
        repeated,
    };
    driver.finish(lane, &game);
}
