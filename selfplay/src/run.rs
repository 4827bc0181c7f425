//! Runs: which games are played, by whom, and from which position.

use std::ops::Range;

use jigo_engine::{
    AnyPosition, Color, Game, IllegalMove, InvalidSize, Komi, Move, Position, RuleSet,
    batch::{Needs, Origin, Start},
    for_width,
    rules::UnknownRules,
    zobrist::mix64,
};

use crate::{
    Backend, Decision, End, GameRecord, Player, PlayerError, Policy, Progress, RunConfig, Sink, Stopped,
    Stream,
    lockstep::{self, Unpacker},
    player::vertex,
    playout::Playouts,
    policy::UnknownPolicy,
    record::Recorder,
    search::{self, TreeTooLarge},
    threads::share_out,
};

/// A run: games 0, 1, 2, … of a [`RunConfig`] and a seed.
///
/// Game *i* is a function of this value and *i*, whatever the processor and the number of threads.
///
/// ```
/// use jigo_selfplay::Run;
/// let run = Run::new("9", "chinese", "eye-safe")?.seed(1);
/// for game in run.games(0..3) {
///     println!("game {}: {} plies, margin {}", game.game_index, game.ply_count(), game.margin());
/// }
/// assert_eq!(run.game(2), run.games(0..3).last().unwrap());
/// # Ok::<(), jigo_selfplay::InvalidRun>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// Everything but the seed.
    pub config: RunConfig,
    /// The seed.
    pub seed: u64,
}

/// Text that describes no run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidRun {
    /// The board size.
    #[error(transparent)]
    Size(#[from] InvalidSize),
    /// The rules.
    #[error(transparent)]
    Rules(#[from] UnknownRules),
    /// The policy.
    #[error(transparent)]
    Policy(#[from] UnknownPolicy),
    /// The policy on this board.
    #[error(transparent)]
    Tree(#[from] TreeTooLarge),
}

impl Run {
    /// Returns the run with seed 1 of the games that these texts name: a size such as `9` or `9x13`, a rule set such as `chinese`, a policy such as
    /// `eye-safe`.
    ///
    /// # Errors
    /// [`InvalidRun`] says which text is wrong and what is known.
    pub fn new(size: &str, rules: &str, policy: &str) -> Result<Self, InvalidRun> {
        let config = RunConfig::new(size.parse()?, rules.parse::<RuleSet>()?, policy.parse()?);
        config.policy.check(config.size)?;
        Ok(config.seed(1))
    }

    /// Returns the run with another seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns the seed of the random numbers: this one's for even games, and one for each handicap, so that runs with different handicaps are independent.
    #[must_use]
    pub const fn stream_seed(&self) -> u64 {
        match self.config.handicap {
            0 => self.seed,
            handicap => mix64(self.seed) ^ handicap as u64,
        }
    }

    /// Returns the run with another move limit.
    #[must_use]
    pub const fn ply_cap(self, ply_cap: u32) -> Self {
        Self { config: RunConfig { ply_cap, ..self.config }, ..self }
    }

    /// Returns the run with [every forbidden candidate counted](RunConfig::count_forbidden).
    #[must_use]
    pub const fn count_forbidden(self) -> Self {
        Self { config: RunConfig { count_forbidden: true, ..self.config }, ..self }
    }

    /// Returns the same games, started at this position with its history instead of the empty board.
    ///
    /// # Panics
    /// When the game's size or rules are not those of the run.
    #[must_use]
    pub fn start_at(self, game: &Game) -> PositionRun {
        let RunConfig { size, rules, .. } = self.config;
        assert_eq!((game.board().size(), game.rules()), (size, *rules), "the size and rules of the run");
        PositionRun { run: self, start: game.clone() }
    }

    /// Plays one game.
    #[must_use]
    pub fn game(&self, index: u64) -> GameRecord {
        self.games(index..index + 1).next().expect("one game was asked for")
    }

    /// Returns the record of a game, given its moves. A policy that searches does not search again, so the record lists no searches. Other policies play
    /// the game again and ignore `moves`.
    ///
    /// # Errors
    /// [`IllegalMove`] when the policy searches and the rules forbid one of the moves.
    pub fn replay(&self, index: u64, moves: &[Move]) -> Result<GameRecord, IllegalMove> {
        match self.config.policy {
            Policy::Playout(_) => Ok(self.game(index)),
            Policy::Uct(uct) => search::replay(self, &uct, index, moves),
        }
    }

    /// Plays games one after the other on this thread, each when it is asked for.
    pub fn games(&self, indices: Range<u64>) -> impl Iterator<Item = GameRecord> + use<> {
        each_game(self, None, indices, |record, _| record.clone())
    }

    /// Plays games as [`games`](Self::games) does, and returns each with its final position.
    pub fn finished_games(
        &self,
        indices: Range<u64>,
    ) -> impl Iterator<Item = (GameRecord, Position)> + use<> {
        each_game(self, None, indices, |record, position| (record.clone(), position.to_position()))
    }

    /// Plays the games with these indices on the threads of the current rayon pool with the [fastest backend](Backend::best), and returns the
    /// merged sink.
    ///
    /// Memory does not grow with the number of games, except for what the sink keeps.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was told to stop before all games were played. The sinks are dropped then, because which games they have
    /// depends on timing.
    pub fn play<S: Sink>(
        &self,
        games: Range<u64>,
        new_sink: impl Fn() -> S + Sync,
        progress: &Progress,
    ) -> Result<S, Stopped> {
        self.play_on(Backend::best(self), games, new_sink, progress)
    }

    /// Plays as [`play`](Self::play) does, on a backend of one's choice. The games are the same.
    ///
    /// # Errors
    /// As [`Run::play`].
    ///
    /// # Panics
    /// When the backend [cannot](Backend::can_play) play these games.
    pub fn play_on<S: Sink>(
        &self,
        backend: Backend,
        games: Range<u64>,
        new_sink: impl Fn() -> S + Sync,
        progress: &Progress,
    ) -> Result<S, Stopped> {
        play_all(self, None, backend, games, new_sink, progress)
    }

    /// Plays games with these indices by a player of one's own instead of the policy, on the threads of the current rayon pool, and returns the merged sink.
    ///
    /// The player moves for both sides, from the run's board, rules and move limit. Every thread has a player of its own; game *i* has the random numbers of
    /// game *i* of the run. So games are the same on any number of threads, if what the player remembers ends with each game. Records list no
    /// rejected moves.
    ///
    /// # Errors
    /// [`RunError`]: when stopped, when a player fails or plays an illegal move, and when the run counts forbidden candidates, which only policies have.
    pub fn play_with<P: Player, S: Sink>(
        &self,
        new_player: impl Fn() -> P + Sync,
        games: Range<u64>,
        new_sink: impl Fn() -> S + Sync,
        progress: &Progress,
    ) -> Result<S, RunError> {
        let RunConfig { size, rules, .. } = self.config;
        self.start_at(&Game::with_handicap(size, *rules, &self.config.start()))
            .play_with(new_player, games, new_sink, progress)
    }
}

/// A [`Run`] whose games start at a position with its history. Superko is decided exactly, with the positions before.
///
/// Neither datasets nor reports can say where games started, so they take runs from the empty board only.
///
/// ```
/// use jigo_engine::{BoardSize, Game, Move, Point, Rules};
/// use jigo_selfplay::Run;
/// let mut game: Game = Game::new(BoardSize::square(5)?, Rules::TROMP_TAYLOR);
/// game.play(Move::Play(Point::new(2, 2)))?;
/// let run = Run::new("5", "tromp-taylor", "eye-safe")?.start_at(&game);
/// let wins = run.games(0..100).filter(|record| record.margin() > 0).count();
/// assert!(wins > 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionRun {
    run: Run,
    start: Game,
}

impl PositionRun {
    /// Plays games one after the other on this thread, each when it is asked for.
    pub fn games(&self, indices: Range<u64>) -> impl Iterator<Item = GameRecord> + use<> {
        each_game(&self.run, Some(&self.start), indices, |record, _| record.clone())
    }

    /// Returns the run from the empty board.
    #[must_use]
    pub const fn run(&self) -> &Run {
        &self.run
    }

    /// Plays as [`Run::play`] does.
    ///
    /// # Errors
    /// As [`Run::play`].
    pub fn play<S: Sink>(
        &self,
        games: Range<u64>,
        new_sink: impl Fn() -> S + Sync,
        progress: &Progress,
    ) -> Result<S, Stopped> {
        // A batch cannot play on where a game is over.
        let backend = if self.start.is_over() { Backend::Board } else { Backend::best(&self.run) };
        self.play_on(backend, games, new_sink, progress)
    }

    /// Plays as [`Run::play_on`] does.
    ///
    /// # Errors
    /// As [`Run::play`].
    ///
    /// # Panics
    /// When the backend [cannot](Backend::can_play) play these games, and when a batch is to play on in a game that is over.
    pub fn play_on<S: Sink>(
        &self,
        backend: Backend,
        games: Range<u64>,
        new_sink: impl Fn() -> S + Sync,
        progress: &Progress,
    ) -> Result<S, Stopped> {
        play_all(&self.run, Some(&self.start), backend, games, new_sink, progress)
    }

    /// Plays as [`Run::play_with`] does.
    ///
    /// # Errors
    /// As [`Run::play_with`].
    pub fn play_with<P: Player, S: Sink>(
        &self,
        new_player: impl Fn() -> P + Sync,
        games: Range<u64>,
        new_sink: impl Fn() -> S + Sync,
        progress: &Progress,
    ) -> Result<S, RunError> {
        if self.run.config.count_forbidden {
            return Err(RunError::CountsForbidden);
        }
        share_out(games, &new_sink, progress, true, |sink: &mut S, next_game, count| {
            let mut player = new_player();
            let mut recorder = Recorder::new(self.run.config.size, *self.run.config.rules);
            while let Some(index) = next_game() {
                let end = self.play_by(&mut player, &mut recorder, index)?;
                let record = recorder.finish(end);
                count.add(&record);
                let position = recorder.game().board().position();
                sink.add(&record, AnyPosition::new(&position));
            }
            Ok(())
        })
    }

    /// Plays one game by a player.
    fn play_by(
        &self,
        player: &mut dyn Player,
        recorder: &mut Recorder,
        game_index: u64,
    ) -> Result<End, RunError> {
        recorder.begin_at(game_index, &self.start);
        let mut stream = Stream::new(self.run.stream_seed(), game_index);
        let failed = |source| RunError::Player { game_index, source };
        player.begin(recorder.game(), Komi::ZERO).map_err(failed)?;
        for ply in 0..self.run.config.ply_cap {
            if recorder.game().is_over() {
                break;
            }
            match player.choose(recorder.game(), &mut stream).map_err(failed)? {
                Decision::Move(mv) => recorder.play(mv).map_err(|rule| RunError::IllegalMove {
                    game_index,
                    ply,
                    color: recorder.game().to_play(),
                    vertex: vertex(mv, self.run.config.size),
                    rule,
                })?,
                Decision::Resign => return Ok(End::BrokenOff),
            }
        }
        Ok(End::of(recorder.game()))
    }
}

/// Why a run by a player was not finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// It was stopped by [`Progress::stop`].
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The player has no answer.
    #[error("game {game_index}: {source}")]
    Player {
        /// The game.
        game_index: u64,
        /// What the player said.
        source: PlayerError,
    },
    /// The player chose an illegal move.
    #[error("game {game_index}, ply {ply}: {color} played {vertex}: {rule}")]
    IllegalMove {
        /// The game.
        game_index: u64,
        /// The ply after the start, from 0.
        ply: u32,
        /// The player to move.
        color: Color,
        /// The move, as GTP writes it.
        vertex: String,
        /// The rule against it.
        rule: IllegalMove,
    },
    /// The run counts the candidates that superko forbids.
    #[error("only policies have candidates: play without counting the forbidden ones")]
    CountsForbidden,
}

/// Plays a game and hands over its record and final position.
pub(crate) type PlayGame = Box<dyn FnMut(u64, &mut dyn FnMut(&GameRecord, AnyPosition<'_>)) + Send>;

/// Returns what plays the games of a run one by one.
pub(crate) fn play_game(run: &Run, start: Option<&Game>) -> PlayGame {
    match run.config.policy {
        Policy::Playout(_) => on_board(run, start, Needs::All),
        Policy::Uct(_) => {
            let (run, start) = (*run, start.cloned());
            Box::new(move |index, take| {
                let mut indices = index..index + 1;
                let next_game = &mut || indices.next();
                let (backend, start) = (Backend::best(&run), start.as_ref());
                play_each(backend, &run, start, Needs::All, next_game, &|| false, take);
            })
        }
    }
}

/// Returns what plays the games of a run that chooses at random, one at a time. Records have at least what is in `needs`.
fn on_board(run: &Run, start: Option<&Game>, needs: Needs) -> PlayGame {
    for_width!(run.config.size, W => {
        let mut playouts = Box::new(Playouts::<W>::new(run, start.map(Game::with_width), needs));
        Box::new(move |index, take| {
            let (record, position) = playouts.play(index);
            take(record, AnyPosition::new(position));
        })
    })
}

fn each_game<T>(
    run: &Run,
    start: Option<&Game>,
    indices: Range<u64>,
    give: fn(&GameRecord, AnyPosition<'_>) -> T,
) -> impl Iterator<Item = T> + use<T> {
    let mut play = play_game(run, start);
    indices.map(move |index| {
        let mut given = None;
        play(index, &mut |record, position| given = Some(give(record, position)));
        given.expect("a game was played")
    })
}

fn play_all<S: Sink>(
    run: &Run,
    start: Option<&Game>,
    backend: Backend,
    games: Range<u64>,
    new_sink: impl Fn() -> S + Sync,
    progress: &Progress,
) -> Result<S, Stopped> {
    let are_long = run.config.policy.has_long_games();
    share_out(games, &new_sink, progress, are_long, |sink: &mut S, next_game, count| {
        let is_stopped = || progress.is_stopped();
        play_each(backend, run, start, S::NEEDS, next_game, &is_stopped, &mut |record, position| {
            count.add(record);
            sink.add(record, position);
        });
        Ok(())
    })
}

/// Plays the games that `next_game` names, until it names none, and hands each to `take`, in any order. Long games are given up when the run is stopped.
///
/// Not generic, so that crates with sinks of their own do not compile playing again.
pub(crate) fn play_each(
    backend: Backend,
    run: &Run,
    start: Option<&Game>,
    needs: Needs,
    next_game: &mut dyn FnMut() -> Option<u64>,
    is_stopped: &dyn Fn() -> bool,
    take: &mut dyn FnMut(&GameRecord, AnyPosition<'_>),
) {
    if let Policy::Uct(uct) = run.config.policy {
        let at_start = Game::with_handicap(run.config.size, *run.config.rules, &run.config.start());
        return search::play(backend, run, &uct, start.unwrap_or(&at_start), next_game, is_stopped, take);
    }
    match backend {
        Backend::Board => {
            let mut play = on_board(run, start, needs);
            while let Some(index) = next_game() {
                play(index, take);
            }
        }
        Backend::Batch(simd) => {
            assert!(backend.can_play(run), "{backend} cannot play these games");
            let handicap = run.config.start();
            let with_stones =
                || Origin::new(&Game::<11>::with_handicap(run.config.size, *run.config.rules, &handicap));
            let start = match start {
                Some(game) => Start::Game(Origin::new(game).into()),
                None if handicap.points.is_empty() => Start::EmptyBoard,
                None => Start::Game(with_stones().into()),
            };
            for_width!(run.config.size, W => {
                let mut unpacker = Unpacker::<W>::new(run, &start);
                lockstep::play(simd, run, start, needs, next_game, &mut |index, game| {
                    let (record, position) = unpacker.unpack(index, game);
                    take(record, AnyPosition::new(position));
                });
            });
        }
    }
}
