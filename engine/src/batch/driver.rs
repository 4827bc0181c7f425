//! Playing games in batches.

use super::{
    candidates::lanes,
    start::Start,
    state::{Any, Fixed, Rows, StepOptions},
    step::{Games, Step},
};
use crate::{
    BoardSize, Color, Ko,
    game::Repetition,
    simd::{self, Lanes as _, MAX_LANES, Simd, Vector, VectorJob},
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
    /// Whether it must be known who first put a stone on each point.
    pub first_stones: bool,
}

impl BatchSpec {
    /// Whether repetitions must be found: by superko, or for those who ask for them.
    fn finds_repeats(&self) -> bool {
        self.ko.is_superko() || self.needs.repetitions()
    }

    /// Whether two batches are played in turn: of the games that are played most, since the steps are compiled once more for that.
    fn is_in_turn(&self) -> bool {
        self.choice == Choice::EyeSafe && !self.plays_suicide && !self.first_stones
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

impl Needs {
    /// Whether the moves must be known.
    pub(super) fn moves(self) -> bool {
        matches!(self, Self::Moves | Self::All)
    }

    /// Whether the repetitions must be known.
    fn repetitions(self) -> bool {
        matches!(self, Self::Repetitions | Self::All)
    }
}

/// Supplies random samples, starts games and takes finished ones. The lanes' [numbers](lane_numbers) are below [`MAX_LANES`], and not always consecutive.
pub trait Driver {
    /// Returns the next sample of each lane: 16 random bits of the lane's game. Returns the same until they are [used](Self::use_samples).
    fn samples(&self) -> &[u16; MAX_LANES];

    /// Moves on to the next sample in the lanes whose element is all ones; all other elements are zero. The number of elements is a
    /// multiple of eight.
    fn use_samples(&mut self, used: &[u16]);

    /// Starts the next game in this lane, its samples included, and writes where it starts in place of where the lane's last game did. Returns
    /// whether there is one; if not, the lane is asked again when a game has finished.
    fn start(&mut self, lane: usize, start: &mut Start) -> bool;

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
    /// The points where the first stone since the start was Black's, and where it was White's, in the same form. Empty unless asked for.
    pub first_stones: [&'a [u32]; 2],
    /// The first ply, as [`moves`](Self::moves) has it. None in a game without plies, and where only the end was asked for.
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

/// Plays one batch for each driver until no driver has games left and all games are finished.
///
/// Two batches of the usual games take turns within each step, so that the processor works on one while it waits for results of the other. Others
/// are played one after the other. The games are the same. [`batch_count`] says how many batches are fastest.
///
/// # Panics
/// When the processor does not have the instructions of the back end ([`Simd::is_available`]), the board has a single row or column, or a game starts at a
/// [position](Start::Position) where repetitions are found.
pub fn play(simd: Simd, spec: &BatchSpec, drivers: &mut [impl Driver]) {
    let finds_repeats = spec.finds_repeats();
    let options = StepOptions {
        spares_eyes: spec.choice != Choice::Legal,
        plays_suicide: spec.plays_suicide,
        guards: matches!(spec.choice, Choice::Guarded(_)),
        finds_repeats,
        notes_first: spec.first_stones,
    };
    // Each closure has its own type, so the compiler makes a separate step for it: for the usual games only.
    const LEGAL: StepOptions = StepOptions {
        spares_eyes: false,
        plays_suicide: false,
        guards: false,
        finds_repeats: false,
        notes_first: false,
    };
    const EYE_SAFE: StepOptions = StepOptions { spares_eyes: true, ..LEGAL };
    const GUARDED: StepOptions = StepOptions { guards: true, ..EYE_SAFE };
    let is_usual =
        !spec.plays_suicide && !(spec.first_stones && (finds_repeats || spec.choice == Choice::Legal));
    match (spec.choice, finds_repeats, spec.first_stones) {
        _ if spec.is_in_turn() && finds_repeats => {
            run_in_turn(simd, spec, drivers, || StepOptions { finds_repeats: true, ..EYE_SAFE });
        }
        _ if spec.is_in_turn() => run_in_turn(simd, spec, drivers, || EYE_SAFE),
        _ if !is_usual => run(simd, spec, drivers, || options),
        (Choice::Legal, false, _) => run(simd, spec, drivers, || LEGAL),
        (Choice::Legal, true, _) => run(simd, spec, drivers, || StepOptions { finds_repeats: true, ..LEGAL }),
        (Choice::EyeSafe, ..) => run(simd, spec, drivers, || StepOptions { notes_first: true, ..EYE_SAFE }),
        (Choice::Guarded(_), false, false) => run(simd, spec, drivers, || GUARDED),
        (Choice::Guarded(_), false, true) => {
            run(simd, spec, drivers, || StepOptions { notes_first: true, ..GUARDED });
        }
        (Choice::Guarded(_), true, _) => {
            run(simd, spec, drivers, || StepOptions { finds_repeats: true, ..GUARDED });
        }
    }
}

/// Returns the numbers of the lanes that a batch has on a board of this size, in ascending order: one for each game that is played side by side.
///
/// # Panics
/// When the processor does not have the instructions of the back end.
pub fn lane_numbers(simd: Simd, size: BoardSize) -> impl Iterator<Item = usize> {
    struct Numbers;
    impl VectorJob for Numbers {
        type Output = u64;

        #[inline(always)]
        fn run<V: Vector>(self, _: V::Isa) -> u64 {
            V::USED
        }
    }
    lanes(simd::run(simd, size.width(), Numbers))
}

/// The first-level data cache with which two batches in turn were faster in nearly all games that were measured (AMD Zen 5, which has 48 KB).
const CACHE_FOR_TWO: usize = 48 << 10;

/// With a smaller cache (AMD Zen 4, 32 KB), two batches of more games than these are slower by superko.
const FEW_GAMES: usize = 24;

/// Returns how many batches one thread of this processor plays fastest, so how many drivers [`play`] should have: one or two.
///
/// # Panics
/// When the processor does not have the instructions of the back end.
#[must_use]
pub fn batch_count(simd: Simd, spec: &BatchSpec) -> usize {
    let games = lane_numbers(simd, spec.size).count();
    let has_room = || simd::data_cache_bytes().is_some_and(|bytes| bytes >= CACHE_FOR_TWO);
    let is_faster = match (spec.finds_repeats(), games) {
        // Nearly every second step looks up a game's history. The branches that are mispredicted then interrupt both batches.
        (true, MAX_LANES) => false,
        (true, _) => simd != Simd::Avx512 && games <= FEW_GAMES || has_room(),
        (false, _) => games < MAX_LANES || has_room(),
    };
    if spec.is_in_turn() && is_faster { 2 } else { 1 }
}

/// Plays two batches in turn, any other number one after the other.
fn run_in_turn(
    simd: Simd,
    spec: &BatchSpec,
    drivers: &mut [impl Driver],
    options: impl Fn() -> StepOptions + Copy,
) {
    match <&mut [_; 2]>::try_from(&mut *drivers) {
        Ok(drivers) => simd::run(simd, spec.size.width(), Play { spec, drivers, options }),
        Err(_) => run(simd, spec, drivers, options),
    }
}

/// Plays batches one after the other.
fn run(simd: Simd, spec: &BatchSpec, drivers: &mut [impl Driver], options: impl Fn() -> StepOptions + Copy) {
    for driver in drivers {
        let drivers = std::array::from_mut(driver);
        simd::run(simd, spec.size.width(), Play { spec, drivers, options });
    }
}

/// Batches that take turns, to be played on some vectors.
struct Play<'a, D, O, const BATCHES: usize> {
    spec: &'a BatchSpec,
    /// Behind one reference, so that compilers know that nothing else refers to them.
    drivers: &'a mut [D; BATCHES],
    options: O,
}

impl<D: Driver, O: Fn() -> StepOptions, const BATCHES: usize> VectorJob for Play<'_, D, O, BATCHES> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, isa: V::Isa) {
        let rows = self.spec.size.height();
        // Constant conditions, so that the steps of these boards are compiled for one kind of vector of each back end.
        if const { V::LONGEST_ROW == 7 } && rows == 5 {
            return self.play::<V, _>(isa, Fixed::<5>);
        }
        if const { V::LONGEST_ROW == 7 } && rows == 7 {
            return self.play::<V, _>(isa, Fixed::<7>);
        }
        if const { V::LONGEST_ROW == 9 } && rows == 9 {
            return self.play::<V, _>(isa, Fixed::<9>);
        }
        if const { V::LONGEST_ROW == 15 } && rows == 13 {
            return self.play::<V, _>(isa, Fixed::<13>);
        }
        self.play::<V, _>(isa, Any(rows));
    }
}

impl<D: Driver, O: Fn() -> StepOptions, const BATCHES: usize> Play<'_, D, O, BATCHES> {
    #[inline(always)]
    fn play<V: Vector, R: Rows>(self, isa: V::Isa, rows: R) {
        let Self { spec, drivers, .. } = self;
        let options = (self.options)();
        // No chain has more stones than the board has points, and a lane of 8 bits cannot hold every limit.
        let most = spec.size.point_count() as u32 + 1;
        let guard = V::Number::splat(
            isa,
            if let Choice::Guarded(stones) = spec.choice { most.min(stones.into()) } else { 0 },
        );
        let mut batches = [(); BATCHES].map(|()| Games::<V, R>::new(isa, rows, spec, options));
        let mut steps = [Step::<V>::new(isa); BATCHES];
        loop {
            let mut are_playing = false;
            for (games, driver) in batches.iter_mut().zip(&mut *drivers) {
                are_playing |= games.begin(options, driver);
            }
            if !are_playing {
                return;
            }
            let mut is_over = false;
            while !is_over {
                // Each part of a step for all batches, before the next part.
                for (games, step) in batches.iter_mut().zip(&mut steps) {
                    games.find_candidates(options, step);
                }
                for ((games, step), driver) in batches.iter_mut().zip(&mut steps).zip(&mut *drivers) {
                    games.pick(driver, step);
                }
                for games in &mut batches {
                    games.seed_and_sweep_down(options);
                }
                for (games, step) in batches.iter_mut().zip(&mut steps) {
                    games.sweep_up_and_down(options, step);
                }
                for (games, step) in batches.iter_mut().zip(&mut steps) {
                    games.sweep_up_and_look(options, step);
                }
                for (games, step) in batches.iter_mut().zip(&mut steps) {
                    is_over |= games.decide_and_apply(options, guard, step);
                }
            }
            for (games, driver) in batches.iter_mut().zip(&mut *drivers) {
                games.finish(options, driver);
            }
        }
    }
}
