//! Playing one game by a policy.

use jigo_engine::{
    Board, Color, Game, Move, Position, Rules, Suicide,
    board::{Candidate, Candidates},
    game::HandicapStart,
    rules::Supply,
    simd::{Job, with_fast_bits},
};

use crate::{
    Needs, Run, RunConfig, Stream,
    policy::{PlayoutPolicy, PolicySuicide},
    record::{End, GameRecord, SuperkoEvent},
};

impl PlayoutPolicy {
    /// Plays `game` on, for both players, until it ends or `max_plies` more plies are played, and returns the record of these plies.
    ///
    /// Superko is decided exactly, by all positions of the game. Points are numbered in row-major order of the game's own board.
    ///
    /// ```
    /// use jigo_engine::{BoardSize, Game, Rules};
    /// use jigo_selfplay::{Stream, policy::PlayoutPolicy};
    /// let mut game: Game = Game::new(BoardSize::square(9)?, Rules::TROMP_TAYLOR);
    /// let record = PlayoutPolicy::EYE_SAFE.play_out(&mut game, &mut Stream::new(1, 0), 243);
    /// assert_eq!(record.area, game.board().area());
    /// # Ok::<(), jigo_engine::InvalidSize>(())
    /// ```
    pub fn play_out<const W: usize>(
        self,
        game: &mut Game<W>,
        stream: &mut Stream,
        max_plies: u32,
    ) -> GameRecord {
        let mut record = GameRecord::default();
        with_fast_bits(Playout {
            game,
            record: &mut record,
            stream,
            policy: self,
            max_plies,
            counts_forbidden: false,
        });
        record.area = game.board().area();
        record
    }
}

/// Plays games of one run, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Playouts<const W: usize> {
    run: Run,
    /// Where games start; absent for the empty board.
    start: Option<Game<W>>,
    /// In [playing orientation](jigo_engine::BoardSize::playing_orientation), or in that of the start.
    table: Table<W>,
    needs: Needs,
    record: GameRecord,
    /// The final position as the run's size has it.
    position: Position<W>,
}

/// What games are played on.
#[derive(Clone, Debug)]
enum Table<const W: usize> {
    Game(Box<Game<W>>),
    /// A board alone, which remembers no positions: for games by simple ko whose repetitions nobody asks for.
    Board(Box<Board<W>>),
}

impl<const W: usize> Playouts<W> {
    /// Returns the games of this run. They start at `start`, which must have the run's size and rules, or else on the empty board. Records have at
    /// least what is in `needs`.
    ///
    /// # Panics
    /// When `W` words are too few for the size.
    #[must_use]
    pub(crate) fn new(run: &Run, start: Option<Game<W>>, needs: Needs) -> Self {
        let RunConfig { size, rules, count_forbidden, .. } = run.config;
        let handicap = run.config.start();
        // Star points are numbered as the run's size has them.
        let played = if handicap.points.is_empty() { size.playing_orientation() } else { size };
        let needs_game = start.is_some()
            || handicap != HandicapStart::default()
            || rules.supply != Supply::Unlimited
            || rules.ko.is_superko()
            || count_forbidden
            || matches!(needs, Needs::Repetitions | Needs::All);
        let table = if needs_game {
            let game = || Game::with_handicap(played, *rules, &handicap);
            Table::Game(start.clone().unwrap_or_else(game).into())
        } else {
            Table::Board(Board::new(played, rules.suicide).into())
        };
        Self { run: *run, start, table, needs, record: GameRecord::default(), position: Position::new(size) }
    }

    /// Plays game `game_index` and returns its record and final position, which stay valid until the next game.
    pub(crate) fn play(&mut self, game_index: u64) -> (&GameRecord, &Position<W>) {
        let RunConfig { size, rules, policy, ply_cap, count_forbidden, .. } = self.run.config;
        let mut moves = std::mem::take(&mut self.record.moves);
        moves.clear();
        self.record = GameRecord { game_index, moves, ..GameRecord::default() };
        let record = &mut self.record;
        let stream = &mut Stream::new(self.run.stream_seed(), game_index);
        let policy = policy.playout();
        let board = match &mut self.table {
            Table::Game(game) => {
                match &self.start {
                    None => game.clear(),
                    Some(start) => (**game).clone_from(start),
                }
                let counts_forbidden = count_forbidden;
                with_fast_bits(Playout {
                    game,
                    record,
                    stream,
                    policy,
                    max_plies: ply_cap,
                    counts_forbidden,
                });
                game.board()
            }
            Table::Board(board) => {
                board.clear();
                let keeps_moves = self.needs == Needs::Moves;
                let rules = *rules;
                with_fast_bits(BoardPlayout {
                    board,
                    rules,
                    record,
                    stream,
                    policy,
                    max_plies: ply_cap,
                    keeps_moves,
                });
                board
            }
        };
        if board.size() == size {
            self.position.set_from(board);
        } else {
            turn(&mut self.record.moves);
            self.record.first_move = self.record.moves.first().copied();
            self.position.set_from_transposed(board);
        }
        self.record.area = self.position.area();
        (&self.record, &self.position)
    }
}

/// One playout, compiled for this processor.
struct Playout<'a, const W: usize> {
    game: &'a mut Game<W>,
    record: &'a mut GameRecord,
    stream: &'a mut Stream,
    policy: PlayoutPolicy,
    max_plies: u32,
    counts_forbidden: bool,
}

impl<const W: usize> Job for Playout<'_, W> {
    type Output = ();

    const HAS_LONG_BITBOARDS: bool = W >= 3;

    /// Plays to the end and fills the record, all but the area.
    #[inline(always)]
    fn run(self) {
        let Self { game, record, stream, policy, max_plies, counts_forbidden } = self;
        let suicide = rejected_suicide(policy, game.rules());
        while !game.is_over() && record.plies < max_plies {
            let candidates = policy.candidates(game.board());
            if counts_forbidden {
                list_forbidden(game, record, &candidates, policy, suicide);
            }
            let choice = if game.is_out_of_stones() {
                None
            } else {
                let superko = Some((&*game, &mut record.refused));
                choose(game.board(), stream, candidates, policy, suicide, superko)
            };
            let mv = match choice {
                Some(candidate) => {
                    let ply = game.ply_count();
                    if let Some(repetition) = game.play_candidate(candidate).repetition {
                        record.repeated.push(SuperkoEvent { ply, repetition });
                    }
                    Move::Play(candidate.point())
                }
                None => {
                    record.passes += 1;
                    record.forced_passes += u32::from(game.is_out_of_stones());
                    game.pass();
                    Move::Pass
                }
            };
            record.moves.push(mv);
            record.plies += 1;
        }
        record.end = End::of(game);
        record.prisoners = Color::BOTH.map(|color| game.prisoners(color));
        record.first_move = record.moves.first().copied();
    }
}

/// One playout on a board alone, compiled for this processor.
struct BoardPlayout<'a, const W: usize> {
    board: &'a mut Board<W>,
    rules: Rules,
    record: &'a mut GameRecord,
    stream: &'a mut Stream,
    policy: PlayoutPolicy,
    max_plies: u32,
    keeps_moves: bool,
}

impl<const W: usize> Job for BoardPlayout<'_, W> {
    type Output = ();

    const HAS_LONG_BITBOARDS: bool = W >= 3;

    /// Plays to the end and fills the record, all but the area and what repetitions there were.
    #[inline(always)]
    fn run(self) {
        let Self { board, rules, record, stream, policy, max_plies, keeps_moves } = self;
        let suicide = rejected_suicide(policy, rules);
        let mut consecutive_passes = 0;
        while consecutive_passes < 2 && record.plies < max_plies {
            let candidates = policy.candidates(board);
            let mv = match choose(board, stream, candidates, policy, suicide, None) {
                Some(candidate) => {
                    let mover = board.to_play();
                    let outcome = board.play_candidate(candidate);
                    record.prisoners[mover.index()] += u32::from(outcome.given_up);
                    record.prisoners[mover.opponent().index()] += u32::from(outcome.captured);
                    consecutive_passes = 0;
                    Move::Play(candidate.point())
                }
                None => {
                    record.passes += 1;
                    consecutive_passes += 1;
                    board.pass();
                    Move::Pass
                }
            };
            if keeps_moves {
                record.moves.push(mv);
            }
            record.plies += 1;
        }
        record.end = if consecutive_passes == 2 { End::TwoPasses } else { End::PlyCap };
        record.first_move = record.moves.first().copied();
    }
}

/// Which suicides are rejected; none where even a single stone may be given up.
fn rejected_suicide(policy: PlayoutPolicy, rules: Rules) -> Option<Suicide> {
    match policy.suicide() {
        PolicySuicide::Never => Some(Suicide::Forbidden),
        PolicySuicide::AsTheRulesSay if rules.gives_up_single_stones() => None,
        PolicySuicide::AsTheRulesSay => Some(rules.suicide),
    }
}

/// A game with its history, and the moves that superko rejected in it.
type Superko<'a, const W: usize> = (&'a Game<W>, &'a mut Vec<SuperkoEvent>);

/// Samples candidates until neither the policy nor the rules reject one.
#[inline(always)]
fn choose<const W: usize>(
    board: &Board<W>,
    stream: &mut Stream,
    mut candidates: Candidates<W>,
    policy: PlayoutPolicy,
    suicide: Option<Suicide>,
    mut superko: Option<Superko<'_, W>>,
) -> Option<Candidate> {
    let count = candidates.count();
    if count == 0 {
        return None;
    }
    // Mostly the first one is played, and the others need not be looked at.
    let first = candidates.take(stream.below(count));
    if suicide.is_none_or(|suicide| board.is_playable(first, suicide))
        && is_accepted(board, policy, first, &mut superko)
    {
        return Some(first);
    }
    let playable = playable(board, &candidates, suicide);
    for count in (1..count).rev() {
        let next = candidates.take(stream.below(count));
        if playable.has(next) && is_accepted(board, policy, next, &mut superko) {
            return Some(next);
        }
    }
    None
}

/// Returns the candidates that are not rejected as suicides.
#[inline(always)]
fn playable<const W: usize>(
    board: &Board<W>,
    candidates: &Candidates<W>,
    suicide: Option<Suicide>,
) -> Candidates<W> {
    match suicide {
        Some(suicide) => board.playable(candidates, suicide),
        None => candidates.clone(),
    }
}

/// Returns whether neither the policy nor superko rejects a playable candidate.
#[inline(always)]
fn is_accepted<const W: usize>(
    board: &Board<W>,
    policy: PlayoutPolicy,
    candidate: Candidate,
    superko: &mut Option<Superko<'_, W>>,
) -> bool {
    if policy.rejects_self_atari(board, candidate) {
        return false;
    }
    let Some((game, refused)) = superko else { return true };
    match game.superko_violation_at(candidate) {
        Some(repetition) => {
            refused.push(SuperkoEvent { ply: game.ply_count(), repetition });
            false
        }
        None => true,
    }
}

/// Records which of the candidates superko alone forbids.
fn list_forbidden<const W: usize>(
    game: &Game<W>,
    record: &mut GameRecord,
    candidates: &Candidates<W>,
    policy: PlayoutPolicy,
    suicide: Option<Suicide>,
) {
    let (board, ply) = (game.board(), game.ply_count());
    for candidate in playable(board, candidates, suicide).iter().map(|point| board.candidate(point)) {
        if !policy.rejects_self_atari(board, candidate) {
            let event = game.superko_violation_at(candidate);
            record.forbidden.extend(event.map(|repetition| SuperkoEvent { ply, repetition }));
        }
    }
}

fn turn(moves: &mut [Move]) {
    for mv in moves {
        if let Move::Play(point) = mv {
            *point = point.transposed();
        }
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, Rules};

    use super::*;
    use crate::Policy;

    #[test]
    fn transposed_boards_play_transposed_games() {
        for (width, height) in [(3, 5), (9, 13), (2, 25), (16, 8)] {
            let size = BoardSize::new(width, height).unwrap();
            for index in 0..20 {
                let play =
                    |size| RunConfig::new(size, Rules::TROMP_TAYLOR, Policy::EYE_SAFE).seed(5).game(index);
                let (one, mut other) = (play(size), play(size.transposed()));
                turn(&mut other.moves);
                other.first_move = other.moves.first().copied();
                assert_eq!(one, other);
            }
        }
    }
}
