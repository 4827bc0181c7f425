//! The game that a controller and jigo talk about.

use jigo_engine::{
    BoardSize, Color, Game, IllegalMove, Komi, Move, Point,
    board::NoLiberty,
    life::{ChainStatus, StatusSolver},
    rules::KataGoRules,
    score::{Score, ScoringContext},
};

use super::{GtpError, GtpOptions};
use crate::{policy::Policy, stream::Stream};

/// Where a game starts.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) stones: Vec<(Point, Color)>,
    pub(super) to_play: Color,
    /// Stones of each colour (Black, White) that were removed before.
    pub(super) prisoners: [u32; 2],
}

impl Start {
    /// The empty board, Black to play.
    pub(super) const EMPTY: Self = Self { stones: Vec::new(), to_play: Color::Black, prisoners: [0; 2] };

    /// Handicap stones of Black; White plays.
    pub(super) fn handicap(points: impl IntoIterator<Item = Point>) -> Self {
        let stones = points.into_iter().map(|point| (point, Color::Black)).collect();
        Self { stones, to_play: Color::White, ..Self::EMPTY }
    }
}

/// A game and everything that decides how it goes on.
///
/// The game is always what the moves make of its start: moves are taken back by playing all but the last again.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) komi: Komi,
    rules: KataGoRules,
    start: Start,
    moves: Vec<(Color, Move)>,
    game: Game,
    judge: StatusSolver,
    policy: Policy,
    draws: Draws,
    pub(super) has_quit: bool,
}

/// The random draws: a stream for each game in which any were made.
#[derive(Clone, Debug)]
struct Draws {
    seed: u64,
    game_index: u64,
    stream: Stream,
    is_used: bool,
}

impl Session {
    pub(super) fn new(options: &GtpOptions) -> Self {
        let GtpOptions { size, rules, komi, policy, seed } = *options;
        Self {
            komi,
            rules: rules.into(),
            start: Start::EMPTY,
            moves: Vec::new(),
            game: Game::new(size, rules),
            judge: StatusSolver::new(rules.suicide, rules.ko),
            policy,
            draws: Draws { seed, game_index: 0, stream: Stream::new(seed, 0), is_used: false },
            has_quit: false,
        }
    }

    pub(super) fn size(&self) -> BoardSize {
        self.game.board().size()
    }

    pub(super) fn rules(&self) -> KataGoRules {
        self.rules
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn start(&self) -> &Start {
        &self.start
    }

    pub(super) fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// Begins another game on an empty board of this size.
    pub(super) fn clear(&mut self, size: BoardSize) {
        if size == self.size() {
            self.game.clear();
        } else {
            self.game = Game::new(size, self.rules.rules);
        }
        self.start = Start::EMPTY;
        self.moves.clear();
        let Draws { seed, game_index, stream, is_used } = &mut self.draws;
        if std::mem::take(is_used) {
            *game_index += 1;
            *stream = Stream::new(*seed, *game_index);
        }
    }

    /// Makes this the start of the game; there are no moves then.
    pub(super) fn set_start(&mut self, start: Start) -> Result<(), NoLiberty> {
        self.start = start;
        self.moves.clear();
        self.restart()
    }

    fn restart(&mut self) -> Result<(), NoLiberty> {
        self.game.set_position(self.start.stones.iter().copied(), self.start.to_play)
    }

    /// Plays, in turn or not, after the end as well. Nothing changes on error.
    pub(super) fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if color == self.game.to_play() {
            play(&mut self.game, color, mv)?;
        } else {
            // Giving the move to the other player lifts the ko ban, which must stay when the move is illegal.
            let mut game = self.game.clone();
            play(&mut game, color, mv)?;
            self.game = game;
        }
        self.moves.push((color, mv));
        Ok(())
    }

    /// Takes the last move back.
    pub(super) fn undo(&mut self) -> Result<(), GtpError> {
        self.moves.pop().ok_or(GtpError::CannotUndo)?;
        self.restart().expect("the game started there before");
        for &(color, mv) in &self.moves {
            play(&mut self.game, color, mv).expect("the move was legal before");
        }
        Ok(())
    }

    /// Goes on under other rules, if these allow all moves so far.
    pub(super) fn set_rules(&mut self, rules: KataGoRules) -> Result<(), GtpError> {
        let game = Game::new(self.size(), rules.rules);
        let judge = StatusSolver::new(rules.rules.suicide, rules.rules.ko);
        let mut next = Self { game, judge, rules, ..self.clone() };
        next.restart().expect("the game started there before");
        for (number, &(color, mv)) in (1..).zip(&self.moves) {
            let forbid = |rule| GtpError::RulesForbid { number, color, vertex: mv.to_gtp(self.size()), rule };
            play(&mut next.game, color, mv).map_err(forbid)?;
        }
        *self = next;
        Ok(())
    }

    /// The move that the policy makes, drawn; a pass when it has none.
    pub(super) fn draw(&mut self, color: Color) -> Move {
        let mut game = self.game.clone();
        game.set_to_play(color);
        self.draws.is_used = true;
        let is_legal = |point| game.check_point(point).is_ok();
        let point = self.policy.draw(game.board(), &mut self.draws.stream, is_legal);
        point.map_or(Move::Pass, Move::Play)
    }

    /// The points where this colour may play next.
    pub(super) fn legal_points(&self, color: Color) -> Vec<Point> {
        let mut game = self.game.clone();
        game.set_to_play(color);
        self.size().points().filter(|&point| game.check_point(point).is_ok()).collect()
    }

    /// How many stones Black was given: those of the start if White has none there, and those that Black played before White's first. White's
    /// passes between them do not matter. None, when that is one stone, or when White plays twice then: that is a position being set up.
    pub(super) fn handicap_stones(&self) -> u32 {
        let is_white = |&(color, mv): &(Color, Move)| color == Color::White && mv != Move::Pass;
        let first = self.moves.iter().position(is_white).unwrap_or(self.moves.len());
        let is_set_up = self.start.stones.iter().any(|&(_, color)| color == Color::White)
            || self.moves.get(first + 1).is_some_and(is_white);
        let played = self.moves[..first].iter().filter(|(_, mv)| *mv != Move::Pass).count();
        let count = self.start.stones.len() + played;
        if is_set_up || count < 2 { 0 } else { count as u32 }
    }

    /// Stones of this colour that were removed.
    pub(super) fn prisoners(&self, color: Color) -> u32 {
        self.start.prisoners[color.index()] + self.game.prisoners(color)
    }

    /// The chains with their statuses, Black's first.
    pub(super) fn chains(&mut self) -> Vec<ChainStatus> {
        self.judge.chains(&self.game.board().position())
    }

    /// The stones that are taken off by these statuses.
    pub(super) fn taken_off(&self, chains: &[ChainStatus]) -> Vec<Point> {
        let position = self.game.board().position();
        position.taken_off(chains).flat_map(|chain| chain.stones.iter().copied()).collect()
    }

    /// The score as the game stands: only what is proved dead is dead.
    pub(super) fn score(&mut self) -> Score {
        let chains = self.chains();
        let dead = self.taken_off(&chains);
        let ending = ScoringContext {
            dead: &dead,
            prisoners: Color::BOTH.map(|color| self.prisoners(color)),
            handicap_stones: self.handicap_stones(),
        };
        self.game.board().position().score(self.rules.rules, &ending)
    }
}

/// Plays for `color`, after the end as well. On error the move has been given to `color`.
fn play(game: &mut Game, color: Color, mv: Move) -> Result<(), IllegalMove> {
    game.set_to_play(color);
    match mv {
        Move::Play(point) => {
            game.check_point(point)?;
            game.play_unchecked(point);
        }
        Move::Pass => game.pass(),
    }
    Ok(())
}
