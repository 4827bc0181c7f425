//! Playing games in batches.

use super::{
    candidates::lanes,
    log::Log,
    start::{Origin, Origins, Start},
    state::{Any, Batch, Fixed, Rows, StepOptions},
    superko::{Repeats, Steps},
};
use crate::{
    BoardSize, Color, Ko,
    game::Repetition,
    simd::{self, LaneBits, MAX_LANES, Mask as _, Simd, Vector, VectorJob},
};

/// What the games of a batch have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchSpec {
    /// The board. At least two columns and two rows; fastest in [playing orientation](BoardSize::playing_orientation).
    pub size: BoardSize,
    /// Which repetitions are illegal. The simple ko ban holds in any case.
    pub ko: Ko,
    /// Which moves are sampled.
    pub choice: Choice,
    /// Whether suicides of two or more stones are played; those of single stones never are.
    pub plays_suicide: bool,
    /// The number of plies after which a game is stopped, counted from its start.
    pub ply_cap: u16,
    /// What must be known about each game.
    pub needs: Needs,
    /// How earlier positions are looked up. The games do not depend on it; tests vary it to show that.
    pub lookup: Lookup,
}

/// How earlier positions are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// How many bits of signatures are compared, at most 16. With fewer bits more positions are compared in vain.
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

/// Which moves are sampled.
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

/// Supplies random samples, starts games and takes finished ones. Lanes are numbered from 0.
pub trait Driver {
    /// Returns the next sample of each lane: 16 random bits of the lane's game. Returns the same until they are [used](Self::use_samples).
    fn samples(&self) -> &[u16; MAX_LANES];

    /// Moves on to the next sample in the lanes whose element is all ones; in the others it is zero. There is one element for each lane.
    fn use_samples(&mut self, used: &[u16]);

    /// Starts the next game in this lane, its samples included, and returns where it starts; `None` when no game is left.
    fn start(&mut self, lane: usize) -> Option<Start>;

    /// Takes the finished game of this lane.
    fn finish(&mut self, lane: usize, game: &FinishedGame<'_>);
}

/// A move that recreates (or would recreate) an earlier position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuperkoEvent {
    /// Plies played before this move, as [`Game`](crate::Game) counts them: those before the start of a loaded game included.
    pub ply: u32,
    /// The earlier position and the cycle in between.
    pub repetition: Repetition,
}

/// A game that has ended. Plies, passes and moves are those since its [start](Start).
#[derive(Clone, Copy, Debug)]
pub struct FinishedGame<'a> {
    /// The player who moved first.
    pub first_to_play: Color,
    /// Stones of Black and White put on the board before the start.
    pub placed_before: [u32; 2],
    /// Plies, passes included.
    pub plies: u32,
    /// Passes of Black and White.
    pub passes: [u32; 2],
    /// Whether it ended by two passes; otherwise the ply cap cut it off.
    pub is_over: bool,
    /// The final stones of Black and White: for each row a number whose bit *c* is the point in column *c*.
    pub stones: [&'a [u32]; 2],
    /// The first ply, as [`moves`](Self::moves) has it. None in a game without plies, and where neither moves nor repetitions were asked for or
    /// needed for superko.
    pub first_move: Option<u16>,
    /// All plies as row-major indices of points, the number of points for a pass. Empty unless asked for.
    pub moves: &'a [u16],
    /// The moves rejected by superko. Empty unless asked for or found under superko.
    pub refused: &'a [SuperkoEvent],
    /// The moves that recreated an earlier position. Empty unless asked for or found under superko.
    pub repeated: &'a [SuperkoEvent],
}

impl FinishedGame<'_> {
    /// Stones of this colour that were put on the board, those before the start included.
    #[must_use]
    #[inline]
    pub fn placed(&self, color: Color) -> u32 {
        let turns = if color == self.first_to_play { self.plies.div_ceil(2) } else { self.plies / 2 };
        self.placed_before[color.index()] + turns - self.passes[color.index()]
    }
}

/// Plays games until the driver has none left and all are finished.
///
/// # Panics
/// When the processor does not have the instructions of the back end ([`Simd::is_available`]), or the board has a single row or column.
pub fn play(simd: Simd, spec: &BatchSpec, driver: &mut impl Driver) {
    match (spec.choice, spec.plays_suicide) {
        (Choice::Legal, false) => choose_options::<false, false, false>(simd, spec, driver),
        (Choice::Legal, true) => choose_options::<false, true, false>(simd, spec, driver),
        (Choice::EyeSafe, false) => choose_options::<true, false, false>(simd, spec, driver),
        (Choice::EyeSafe, true) => choose_options::<true, true, false>(simd, spec, driver),
        (Choice::Guarded(_), false) => choose_options::<true, false, true>(simd, spec, driver),
        (Choice::Guarded(_), true) => choose_options::<true, true, true>(simd, spec, driver),
    }
}

fn choose_options<const EYES: bool, const SUICIDE: bool, const GUARDS: bool>(
    simd: Simd,
    spec: &BatchSpec,
    driver: &mut impl Driver,
) {
    // Superko and repetitions need positions, and these the moves.
    let finds_repeats = spec.ko.is_superko() || matches!(spec.needs, Needs::Repetitions | Needs::All);
    match (finds_repeats, spec.needs) {
        (true, _) => run(simd, spec, driver, Options::<EYES, SUICIDE, GUARDS, true, true>),
        (false, Needs::Moves) => run(simd, spec, driver, Options::<EYES, SUICIDE, GUARDS, true, false>),
        (false, _) => run(simd, spec, driver, Options::<EYES, SUICIDE, GUARDS, false, false>),
    }
}

fn run<O: StepOptions>(simd: Simd, spec: &BatchSpec, driver: &mut impl Driver, options: O) {
    let lanes = if spec.size.width() <= 15 { LaneBits::Sixteen } else { LaneBits::ThirtyTwo };
    match (simd, lanes, spec.size.height()) {
        (Simd::Avx512, LaneBits::Sixteen, 9) => {
            simd::run_widest(Play { spec, driver, options, rows: Fixed::<9> });
        }
        (Simd::Avx512, LaneBits::Sixteen, 13) => {
            simd::run_widest(Play { spec, driver, options, rows: Fixed::<13> });
        }
        (_, _, rows) => simd::run(simd, lanes, Play { spec, driver, options, rows: Any(rows) }),
    }
}

/// The options of a batch as a type.
#[derive(Clone, Copy)]
struct Options<
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
> StepOptions for Options<EYES, SUICIDE, GUARDS, RECORDS, FINDS_REPEATS>
{
    const SPARES_EYES: bool = EYES;
    const PLAYS_SUICIDE: bool = SUICIDE;
    const GUARDS: bool = GUARDS;
    const RECORDS: bool = RECORDS;
    const FINDS_REPEATS: bool = FINDS_REPEATS;
}

/// A batch to be played on some vectors.
struct Play<'a, D, O, R> {
    spec: &'a BatchSpec,
    driver: &'a mut D,
    #[expect(dead_code, reason = "names the type")]
    options: O,
    rows: R,
}

impl<D: Driver, O: StepOptions, R: Rows> VectorJob for Play<'_, D, O, R> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, isa: V::Isa) {
        let BatchSpec { size, ko, choice, ply_cap, lookup, .. } = *self.spec;
        let Self { driver, rows, .. } = self;
        let guard = V::splat(isa, if let Choice::Guarded(stones) = choice { stones.into() } else { 0 });
        let mut batch = Batch::<V, R>::new(isa, rows, size, ply_cap);
        let mut log = Log::new(if O::RECORDS { V::LANES } else { 0 }, ply_cap);
        let (repeat_lanes, steps) = if O::FINDS_REPEATS { (V::LANES, lookup.steps.max(1)) } else { (0, 0) };
        let steps = Steps::new(isa, size.height(), steps.into());
        let mut repeats = Repeats::new(ko, repeat_lanes, steps, lookup.signature_bits);
        let keeps_moves = matches!(self.spec.needs, Needs::Moves | Needs::All);
        let mut used = [0; MAX_LANES];
        let mut origins: Origins = [const { None }; MAX_LANES];
        let mut ended = u32::MAX >> (u32::BITS - V::LANES as u32);
        loop {
            for lane in lanes(ended) {
                let start = driver.start(lane);
                let is_playing = start.is_some();
                origins[lane] = start.and_then(Start::into_origin);
                if is_playing {
                    batch.start::<O>(lane, origins[lane].as_deref());
                } else {
                    batch.idle::<O>(lane);
                }
                if O::RECORDS {
                    log.start(lane);
                }
                if O::FINDS_REPEATS {
                    repeats.start(lane, origins[lane].as_deref());
                }
            }
            if batch.playing.bits() == 0 {
                return;
            }
            let over = loop {
                let samples = V::load(isa, driver.samples());
                let total = batch.find_candidates::<O>();
                let picks = batch.pick(samples, total);
                V::ones(isa, picks.used).store(&mut used);
                driver.use_samples(&used[..V::LANES]);
                let seen = batch.reach::<O>();
                let mut verdict = batch.decide::<O>(&picks, &seen, guard);
                if O::FINDS_REPEATS {
                    verdict = batch.find_repeats(verdict, &mut repeats, &mut log, &origins);
                }
                let over = batch.apply::<O>(&picks, &verdict, &mut repeats).bits();
                if O::RECORDS {
                    batch.write_moves(verdict.plays, picks.pass, &mut log);
                }
                if over != 0 {
                    break over;
                }
            };
            for lane in lanes(over) {
                finish::<V, O, R>(
                    &batch,
                    &mut log,
                    &repeats,
                    origins[lane].as_deref(),
                    lane,
                    keeps_moves,
                    driver,
                );
            }
            ended = over;
        }
    }
}

/// Hands one game to the driver.
#[inline]
fn finish<V: Vector, O: StepOptions, R: Rows>(
    batch: &Batch<V, R>,
    log: &mut Log,
    repeats: &Repeats<V>,
    origin: Option<&Origin>,
    lane: usize,
    keeps_moves: bool,
    driver: &mut impl Driver,
) {
    let mut stones = [[0; BoardSize::MAX_SIDE]; 2];
    for color in Color::BOTH {
        stones[color.index()].iter_mut().zip(batch.stones(lane, color)).for_each(|(to, row)| *to = row);
    }
    let rows = batch.row_count();
    let [refused, repeated] = if O::FINDS_REPEATS { repeats.events(lane) } else { [&[][..]; 2] };
    let first_move = if O::RECORDS { log.plies(lane).first().map(|ply| ply.code()) } else { None };
    let game = FinishedGame {
        first_to_play: origin.map_or(Color::Black, |origin| origin.to_play),
        placed_before: origin.map_or([0; 2], |origin| origin.placed),
        plies: batch.plies.lane(lane),
        passes: [0, 1].map(|side: usize| batch.passes[side].lane(lane)),
        is_over: batch.over.bits() >> lane & 1 == 1,
        stones: [&stones[0][..rows], &stones[1][..rows]],
        first_move,
        moves: if O::RECORDS && keeps_moves { log.moves(lane) } else { &[] },
        refused,
        repeated,
    };
    driver.finish(lane, &game);
}
