//! Playing games in batches.

use super::{
    candidates::lanes,
    log::Log,
    moves::Moves,
    start::{Start, Starts},
    state::{Any, Batch, Fixed, Rows, StepOptions},
    superko::Repeats,
};
use crate::{
    BoardSize, Color, Ko,
    game::Repetition,
    simd::{self, LaneBits, MAX_LANES, Mask as _, Simd, Vector, VectorJob, Wide as _},
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
/// When the processor does not have the instructions of the back end ([`Simd::is_available`]), the board has a single row or column, or a game starts at a
/// [position](Start::Position) where repetitions are found.
pub fn play(simd: Simd, spec: &BatchSpec, driver: &mut impl Driver) {
    // Superko and repetitions need positions.
    let finds_repeats = spec.ko.is_superko() || matches!(spec.needs, Needs::Repetitions | Needs::All);
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
        _ if !is_usual => run(simd, spec, driver, || options),
        (Choice::Legal, false, _) => run(simd, spec, driver, || LEGAL),
        (Choice::Legal, true, _) => run(simd, spec, driver, || StepOptions { finds_repeats: true, ..LEGAL }),
        (Choice::EyeSafe, false, false) => run(simd, spec, driver, || EYE_SAFE),
        (Choice::EyeSafe, false, true) => {
            run(simd, spec, driver, || StepOptions { notes_first: true, ..EYE_SAFE });
        }
        (Choice::EyeSafe, true, _) => {
            run(simd, spec, driver, || StepOptions { finds_repeats: true, ..EYE_SAFE })
        }
        (Choice::Guarded(_), false, false) => run(simd, spec, driver, || GUARDED),
        (Choice::Guarded(_), false, true) => {
            run(simd, spec, driver, || StepOptions { notes_first: true, ..GUARDED });
        }
        (Choice::Guarded(_), true, _) => {
            run(simd, spec, driver, || StepOptions { finds_repeats: true, ..GUARDED });
        }
    }
}

/// Returns how many games of this size are played side by side.
///
/// # Panics
/// When the processor does not have the instructions of the back end.
#[must_use]
pub fn lane_count(simd: Simd, size: BoardSize) -> usize {
    struct LaneCount;
    impl VectorJob for LaneCount {
        type Output = usize;

        #[inline(always)]
        fn run<V: Vector>(self, _: V::Isa) -> usize {
            V::LANES
        }
    }
    simd::run(simd, lane_bits(size), LaneCount)
}

fn lane_bits(size: BoardSize) -> LaneBits {
    match size.width() {
        0..=7 => LaneBits::Eight,
        8..=15 => LaneBits::Sixteen,
        _ => LaneBits::ThirtyTwo,
    }
}

fn run(simd: Simd, spec: &BatchSpec, driver: &mut impl Driver, options: impl Fn() -> StepOptions) {
    simd::run(simd, lane_bits(spec.size), Play { spec, driver, options });
}

/// A batch to be played on some vectors.
struct Play<'a, D, O> {
    spec: &'a BatchSpec,
    driver: &'a mut D,
    options: O,
}

impl<D: Driver, O: Fn() -> StepOptions> VectorJob for Play<'_, D, O> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, isa: V::Isa) {
        let rows = self.spec.size.height();
        // Constants, so that steps on other vectors are not compiled for these numbers of rows.
        if const { V::HAS_TERNARY && V::LANE_BITS == u8::BITS } {
            match rows {
                5 => return self.play::<V, _>(isa, Fixed::<5>),
                7 => return self.play::<V, _>(isa, Fixed::<7>),
                _ => {}
            }
        }
        if const { V::HAS_TERNARY && V::LANE_BITS == u16::BITS } {
            match rows {
                9 => return self.play::<V, _>(isa, Fixed::<9>),
                13 => return self.play::<V, _>(isa, Fixed::<13>),
                _ => {}
            }
        }
        self.play::<V, _>(isa, Any(rows));
    }
}

impl<D: Driver, O: Fn() -> StepOptions> Play<'_, D, O> {
    #[inline(always)]
    fn play<V: Vector, R: Rows>(self, isa: V::Isa, rows: R) {
        let BatchSpec { size, ko, choice, ply_cap, needs, .. } = *self.spec;
        let Self { driver, .. } = self;
        let options = (self.options)();
        let keeps_moves = matches!(needs, Needs::Moves | Needs::All);
        // No chain has more stones than the board has points, and a lane of 8 bits cannot hold every limit.
        let most = size.point_count() as u32 + 1;
        let guard =
            V::splat(isa, if let Choice::Guarded(stones) = choice { most.min(stones.into()) } else { 0 });
        let mut batch = Batch::<V, R>::new(isa, rows, size, ply_cap);
        let mut moves = Moves::new(isa, if keeps_moves { V::LANES } else { 0 }, ply_cap);
        let repeat_lanes = if options.finds_repeats { V::LANES } else { 0 };
        let mut repeats = Repeats::new(ko, size, repeat_lanes);
        let mut log = Log::new();
        let mut used = [0; MAX_LANES];
        let mut starts: Starts = [const { Start::EmptyBoard }; MAX_LANES];
        // The lanes without a game.
        let mut vacant = u64::MAX >> (u64::BITS - V::LANES as u32);
        loop {
            for lane in lanes(vacant) {
                if !driver.start(lane, &mut starts[lane]) {
                    batch.idle(options, lane);
                    continue;
                }
                vacant &= !(1 << lane);
                batch.start(options, lane, &starts[lane]);
                if options.finds_repeats {
                    log.start(lane);
                    repeats.start(lane);
                }
            }
            if batch.playing.bits() == 0 {
                return;
            }
            let over = loop {
                let samples = V::Wide::load(isa, driver.samples());
                let total = batch.find_candidates(options);
                let picks = batch.pick(samples, total);
                V::Wide::ones(isa, V::widen_mask(picks.used)).store(&mut used);
                driver.use_samples(&used[..V::LANES]);
                let seen = batch.reach(options);
                let mut verdict = batch.decide(options, &picks, &seen, guard);
                if options.finds_repeats {
                    verdict = batch.find_repeats(verdict, seen.emptied, &mut repeats, &log, &starts);
                }
                let over = batch.apply(options, &picks, &verdict).bits();
                if keeps_moves || options.finds_repeats {
                    let codes = batch.moves(verdict.plays, picks.pass);
                    if keeps_moves {
                        moves.write(codes);
                    }
                    if options.finds_repeats {
                        log.write(codes, batch.signature);
                    }
                }
                if over != 0 {
                    break over;
                }
            };
            for lane in lanes(over) {
                let moves = if keeps_moves { moves.take(lane) } else { &[] };
                let history = options.finds_repeats.then_some((&log, &repeats));
                finish(&batch, options, lane, &starts[lane], moves, history, driver);
                if options.finds_repeats {
                    log.end(lane);
                }
            }
            vacant |= over;
        }
    }
}

/// Hands one game to the driver.
#[inline]
fn finish<V: Vector, R: Rows>(
    batch: &Batch<V, R>,
    options: StepOptions,
    lane: usize,
    start: &Start,
    moves: &[u16],
    history: Option<(&Log<V>, &Repeats)>,
    driver: &mut impl Driver,
) {
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
    let first_move = moves
        .first()
        .copied()
        .or_else(|| history.and_then(|(log, _)| log.plies(lane).next().map(|ply| ply.code)));
    let [refused, repeated] = history.map_or_else(Default::default, |(_, repeats)| repeats.events(lane));
    let placement = start.placement();
    let game = FinishedGame {
        first_to_play: placement.map_or(Color::Black, |placement| placement.to_play),
        placed_before: placement.map_or([0; 2], |placement| placement.placed),
        plies: batch.plies.lane(lane),
        passes: [0, 1].map(|side: usize| batch.passes[side].lane(lane)),
        is_over: batch.over.bits() >> lane & 1 == 1,
        stones: [&stones[0][..rows], &stones[1][..rows]],
        first_stones: [&first[0][..first_rows], &first[1][..first_rows]],
        first_move,
        moves,
        refused,
        repeated,
    };
    driver.finish(lane, &game);
}
