//! Playing the games of a run in batches.

use std::cell::RefCell;

use jigo_engine::{
    BoardSize, Color, Move, Position, Suicide,
    batch::{self, BatchSpec, Choice, Driver, FinishedGame, MAX_LANES, Needs, Start},
    simd::{Job, Simd, with_fast_bits},
};

use crate::{
    Run, RunConfig,
    policy::{PlayoutPolicy, PolicySuicide},
    record::{End, GameRecord},
    stream::Streams,
};

/// Plays the games that `next_game` names, until it names none, and hands each to `take` with its index, in the order in which they end.
pub(crate) fn play(
    simd: Simd,
    run: &Run,
    start: Start,
    needs: Needs,
    next_game: &mut dyn FnMut() -> Option<u64>,
    take: &mut dyn FnMut(u64, &FinishedGame<'_>),
) {
    let spec = batch_spec(run, played_size(run, &start), needs);
    let source: RefCell<Source<'_>> = RefCell::new(Source { next_game, take });
    let new_games = |_| RunGames {
        seed: run.stream_seed(),
        start: start.clone(),
        indices: [0; MAX_LANES],
        source: &source,
    };
    let mut games: Vec<_> = (0..batch::batch_count(simd, &spec)).map(new_games).collect();
    let mut lanes: Vec<_> = games.iter_mut().map(|games| Lanes::new(games)).collect();
    batch::play(simd, &spec, &mut lanes);
}

/// Returns the board that a batch plays on: in playing orientation, or as the game has it in which the run's games start.
fn played_size(run: &Run, start: &Start) -> BoardSize {
    match start {
        Start::EmptyBoard => run.config.size.playing_orientation(),
        Start::Position(_) | Start::Game(_) => run.config.size,
    }
}

/// Returns how a batch chooses as the policy does; `None` where it cannot.
pub(crate) const fn choice(policy: PlayoutPolicy) -> Option<Choice> {
    match policy {
        PlayoutPolicy::Uniform => Some(Choice::Legal),
        PlayoutPolicy::EyeSafe { .. } => Some(Choice::EyeSafe),
        PlayoutPolicy::Guarded { stones, .. } => Some(Choice::Guarded(stones)),
        PlayoutPolicy::Settled { .. } => None,
    }
}

fn batch_spec(run: &Run, size: BoardSize, needs: Needs) -> BatchSpec {
    let RunConfig { rules, policy, ply_cap, .. } = run.config;
    let policy = policy.playout();
    BatchSpec {
        size,
        ko: rules.ko,
        choice: choice(policy).expect("a policy that batches can play"),
        plays_suicide: rules.suicide == Suicide::Allowed && policy.suicide() == PolicySuicide::AsTheRulesSay,
        ply_cap: ply_cap.try_into().expect("a ply cap of 16 bits"),
        needs,
        first_stones: false,
    }
}

/// Starts games in the lanes of a batch, and takes finished ones.
pub(crate) trait LaneGames {
    /// Returns the seed and the number of the random numbers of the next game for this lane, and writes where it starts; `None` when there is none for
    /// now.
    fn start(&mut self, lane: usize, start: &mut Start) -> Option<(u64, u64)>;

    /// Takes the finished game of this lane.
    fn finish(&mut self, lane: usize, game: &FinishedGame<'_>);
}

/// The lanes of a batch with their random numbers.
pub(crate) struct Lanes<'a> {
    streams: Streams,
    games: &'a mut dyn LaneGames,
}

impl<'a> Lanes<'a> {
    pub(crate) fn new(games: &'a mut dyn LaneGames) -> Self {
        Self { streams: Streams::new(), games }
    }
}

impl Driver for Lanes<'_> {
    #[inline(always)]
    fn samples(&self) -> &[u16; MAX_LANES] {
        self.streams.samples()
    }

    #[inline(always)]
    fn use_samples(&mut self, used: &[u16]) {
        self.streams.advance(used);
    }

    fn start(&mut self, lane: usize, start: &mut Start) -> bool {
        let Some((seed, index)) = self.games.start(lane, start) else { return false };
        self.streams.start(lane, seed, index);
        true
    }

    fn finish(&mut self, lane: usize, game: &FinishedGame<'_>) {
        self.games.finish(lane, game);
    }
}

/// The games of a run that one of its batches plays.
struct RunGames<'a> {
    seed: u64,
    /// Where every game starts.
    start: Start,
    /// The index of the game in each lane.
    indices: [u64; MAX_LANES],
    source: &'a RefCell<Source<'a>>,
}

/// Where all batches of a run get their games, and where they hand them in.
struct Source<'a> {
    next_game: &'a mut dyn FnMut() -> Option<u64>,
    take: &'a mut dyn FnMut(u64, &FinishedGame<'_>),
}

impl LaneGames for RunGames<'_> {
    fn start(&mut self, lane: usize, start: &mut Start) -> Option<(u64, u64)> {
        let index = (self.source.borrow_mut().next_game)()?;
        self.indices[lane] = index;
        // The empty board, where most runs start, has nothing to copy.
        if !matches!((&self.start, &*start), (Start::EmptyBoard, Start::EmptyBoard)) {
            start.clone_from(&self.start);
        }
        Some((self.seed, index))
    }

    fn finish(&mut self, lane: usize, game: &FinishedGame<'_>) {
        (self.source.borrow_mut().take)(self.indices[lane], game);
    }
}

/// As many as codes of moves on the largest board or more: a power of two, so that looking one up needs no check.
const CODES: usize = (BoardSize::MAX_POINTS + 1).next_power_of_two();

/// Turns what a batch gives out into records and positions as the run's size has them.
pub(crate) struct Unpacker<const W: usize> {
    /// Whether the batch plays the transposed board.
    is_turned: bool,
    /// The move for each row-major index of the board that is played; after them, the pass.
    moves: Box<[Move; CODES]>,
    record: GameRecord,
    position: Position<W>,
}

impl<const W: usize> Unpacker<W> {
    pub(crate) fn new(run: &Run, start: &Start) -> Self {
        let size = run.config.size;
        let played = played_size(run, start);
        let is_turned = played != size;
        let turn = |point: jigo_engine::Point| if is_turned { point.transposed() } else { point };
        let mut moves = Box::new([Move::Pass; CODES]);
        for (mv, point) in moves.iter_mut().zip(played.points()) {
            *mv = Move::Play(turn(point));
        }
        Self { is_turned, moves, record: GameRecord::default(), position: Position::new(size) }
    }

    /// Returns the record and final position of a game, which stay valid until the next.
    pub(crate) fn unpack(&mut self, index: u64, game: &FinishedGame<'_>) -> (&GameRecord, &Position<W>) {
        with_fast_bits(Unpack { unpacker: self, index, game });
        (&self.record, &self.position)
    }
}

struct Unpack<'a, const W: usize> {
    unpacker: &'a mut Unpacker<W>,
    index: u64,
    game: &'a FinishedGame<'a>,
}

impl<const W: usize> Job for Unpack<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { unpacker, index, game } = self;
        let Unpacker { is_turned, moves, record, position } = unpacker;
        for color in Color::BOTH {
            let rows = game.stones[color.index()].iter().copied();
            if *is_turned {
                position.set_rows_transposed(color, rows);
            } else {
                position.set_rows(color, rows);
            }
        }
        record.game_index = index;
        record.plies = game.plies;
        let moves = &**moves;
        let move_of = |code: u16| moves[usize::from(code) % CODES];
        record.first_move = game.first_move.map(move_of);
        record.moves.clear();
        record.moves.extend(game.moves.iter().copied().map(move_of));
        record.end = if game.is_over { End::TwoPasses } else { End::PlyCap };
        record.passes = game.passes.iter().sum();
        record.area = position.area();
        record.prisoners = Color::BOTH.map(|color| game.placed(color) - record.area.stones[color.index()]);
        record.refused.clear();
        record.refused.extend_from_slice(game.refused);
        record.repeated.clear();
        record.repeated.extend_from_slice(game.repeated);
    }
}
