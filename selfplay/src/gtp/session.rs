//! The game that a controller and jigo talk about, and who plays jigo's moves.

use std::{borrow::Cow, mem, time::Instant};

use jigo_engine::{
    AnyPosition, BoardSize, Color, Game, IllegalMove, InvalidPoint, Komi, Move, Point,
    board::NoLiberty,
    game::InvalidHandicap,
    life::{ChainStatus, StatusSolver, in_seki},
    protocol::{Conduct, Count, GameEvent, IllegalEvent, Protocol},
    rules::{InvalidKataGoRules, KataGoRules, KomiChoice, RuleSet, UnknownRules},
    score::{ScoringContext, SekiBy},
};

use super::{Gtp, GtpOptions, analysis::win_share};
use crate::{
    Decision, Player, PlayerError, Stream,
    search::{Estimate, UctPlayer, Watcher},
};

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
}

/// A game and everything that decides how it goes on.
///
/// The game is always what the moves make of its start: moves are taken back by playing all but the last again.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) komi: KomiChoice,
    pub(super) rules: RuleSet,
    /// As [`KataGoRules::friendly_pass_ok`].
    pub(super) friendly_pass_ok: bool,
    pub(super) start: Start,
    pub(super) moves: Vec<(Color, Move)>,
    pub(super) game: Game,
    /// The whole game that is played, if one is; `moves` and `game` are its own then.
    pub(super) whole: Option<Protocol>,
    pub(super) solver: StatusSolver,
    /// Counts the changes other than moves.
    pub(super) revision: u64,
}

impl Session {
    pub(super) fn new(options: &GtpOptions) -> Self {
        let GtpOptions { size, rules, komi, .. } = *options;
        Self {
            komi,
            rules,
            friendly_pass_ok: false,
            start: Start::EMPTY,
            moves: Vec::new(),
            game: Game::new(size, *rules),
            whole: None,
            solver: StatusSolver::new(rules.suicide, rules.ko),
            revision: 0,
        }
    }

    pub(super) fn size(&self) -> BoardSize {
        self.game.board().size()
    }

    /// Begins another game on an empty board of this size.
    pub(super) fn clear(&mut self, size: BoardSize) {
        if self.whole.take().is_some() {
            self.solver = StatusSolver::new(self.rules.suicide, self.rules.ko);
            self.game = Game::new(size, *self.rules);
        } else if size != self.size() {
            self.game = Game::new(size, *self.rules);
        }
        self.set_start(Start::EMPTY).expect("no chain without a liberty");
    }

    pub(super) fn set_komi(&mut self, komi: Komi) {
        self.komi = KomiChoice::Fixed(komi);
        self.revision += 1;
    }

    /// Returns the komi in force.
    pub(super) fn komi(&self) -> Komi {
        if let Some(whole) = &self.whole {
            return whole.conduct().komi;
        }
        self.komi.at(self.rules, self.size())
    }

    /// Returns the rules as KataGo's commands have them.
    pub(super) fn katago_rules(&self) -> KataGoRules {
        KataGoRules { friendly_pass_ok: self.friendly_pass_ok, ..KataGoRules::from(*self.rules_in_force()) }
    }

    /// Returns the rules of the whole game that is played, else those of the session.
    fn rules_in_force(&self) -> RuleSet {
        self.whole.as_ref().map_or(self.rules, |whole| whole.conduct().rules)
    }

    /// Makes this the start of the game; there are no moves then.
    pub(super) fn set_start(&mut self, start: Start) -> Result<(), NoLiberty> {
        self.start = start;
        self.moves.clear();
        self.restart()
    }

    fn restart(&mut self) -> Result<(), NoLiberty> {
        self.revision += 1;
        self.game.set_position(self.start.stones.iter().copied(), self.start.to_play)
    }

    /// Plays, in turn or not, after the end as well. Nothing changes on error.
    pub(super) fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        debug_assert!(self.whole.is_none(), "a whole game has events");
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
        if self.whole.is_some() {
            return self.undo_event();
        }
        self.moves.pop().ok_or(GtpError::CannotUndo)?;
        self.restart().expect("the game started there before");
        for &(color, mv) in &self.moves {
            play(&mut self.game, color, mv).expect("the move was legal before");
        }
        Ok(())
    }

    /// Goes on under other rules, if these allow all moves so far.
    pub(super) fn set_rules(&mut self, rules: RuleSet, friendly_pass_ok: bool) -> Result<(), GtpError> {
        self.require_no_whole_game()?;
        let game = Game::new(self.size(), *rules);
        let solver = StatusSolver::new(rules.suicide, rules.ko);
        let mut next = Self { game, solver, rules, friendly_pass_ok, ..self.clone() };
        next.restart().expect("the game started there before");
        for (number, &(color, mv)) in (1..).zip(&self.moves) {
            let forbid = |rule| GtpError::RulesForbid { number, color, vertex: mv.to_gtp(self.size()), rule };
            play(&mut next.game, color, mv).map_err(forbid)?;
        }
        *self = next;
        Ok(())
    }

    /// Returns the points where this colour may play next.
    pub(super) fn legal_points(&self, color: Color) -> Vec<Point> {
        if let Some(whole) = &self.whole {
            let is_legal = |point: &Point| whole.check(color, &GameEvent::Play(*point)).is_ok();
            return self.size().points().filter(is_legal).collect();
        }
        let mut game = self.game.clone();
        game.set_to_play(color);
        self.size().points().filter(|&point| game.check_point(point).is_ok()).collect()
    }

    /// Returns how many stones Black was given: those of the start if White has none there, and those that Black played before White's first. White's
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

    /// Returns the number of stones of this colour that were removed.
    pub(super) fn prisoners(&self, color: Color) -> u32 {
        if let Some(whole) = &self.whole {
            return whole.prisoners(color);
        }
        self.start.prisoners[color.index()] + self.game.prisoners(color)
    }

    /// Returns the chains with their statuses, Black's first.
    pub(super) fn chains(&mut self) -> Vec<ChainStatus> {
        self.solver.chains(&self.game.board().position())
    }

    /// Returns the chains as they are to be counted: what is not proved is estimated. Also returns these estimates, as shares of playouts in which a chain is
    /// lost.
    pub(super) fn final_chains(&mut self) -> (Vec<ChainStatus>, Vec<(Point, f64)>) {
        let chains = self.chains();
        if self.decided().is_some() || chains.iter().all(|chain| chain.status.is_settled()) {
            return (chains, Vec::new());
        }
        let estimate =
            Estimate::new(AnyPosition::new(&self.game.board().position()), self.game.rules(), chains);
        (estimate.assumed(), estimate.lost_by_stone())
    }

    /// Returns the stones that are taken off by these statuses.
    pub(super) fn taken_off(&self, chains: &[ChainStatus]) -> Vec<Point> {
        if let Some(whole) = self.decided() {
            return whole.dead().collect();
        }
        let position = self.game.board().position();
        position.taken_off(chains).flat_map(|chain| chain.stones.iter().copied()).collect()
    }

    /// Counts the position: what is proved or [estimated](Self::final_chains) to be dead is dead. Also returns the estimates.
    ///
    /// In a whole game it is what the players agreed on or propose, if they do.
    pub(super) fn count(&mut self) -> (Count, Vec<(Point, f64)>) {
        if let Some(count) = self.whole.as_ref().and_then(Protocol::count) {
            return (count, Vec::new());
        }
        let (chains, estimated) = self.final_chains();
        let dead = self.taken_off(&chains);
        let seki = in_seki(&chains);
        let context = ScoringContext {
            dead: &dead,
            seki: SekiBy::Known(&seki),
            prisoners: Color::BOTH.map(|color| self.prisoners(color)),
            ..ScoringContext::default()
        };
        let conduct = match &self.whole {
            Some(whole) => whole.conduct(),
            None => Conduct::new(self.rules, self.size())
                .with_komi(self.komi())
                .with_handicap(self.handicap_stones()),
        };
        (conduct.count(&self.game.board().position(), &context), estimated)
    }
}

/// Whoever chooses jigo's moves, with a random stream for each game in which it moved.
pub(super) struct Mover {
    player: Box<dyn Player>,
    seed: u64,
    game_index: u64,
    /// The stream of this game; none until a move is chosen in it.
    stream: Option<Stream>,
    /// What the player knows: so many moves of this revision of the session.
    told: Option<(u64, usize)>,
    /// As [`GtpOptions::resign_percent`].
    resign_percent: Option<u32>,
    /// Whose last move won less than that, and at which ply.
    losing: Option<(Color, usize)>,
}

impl Mover {
    pub(super) fn new(player: Box<dyn Player>, seed: u64, resign_percent: Option<u32>) -> Self {
        Self { player, seed, game_index: 0, stream: None, told: None, resign_percent, losing: None }
    }

    /// Returns the search that chooses the moves, if one does.
    pub(super) fn searcher(&mut self) -> Option<&mut UctPlayer> {
        self.player.searcher()
    }

    /// Goes on to the stream of the next game, if that of the last one was used.
    fn next_game(&mut self) {
        self.game_index += u64::from(self.stream.take().is_some());
    }

    /// Tells the player everything that happened since it was told last, and returns the game.
    fn tell(&mut self, session: &Session) -> Result<Game, PlayerError> {
        let told = self.told.take().filter(|&(revision, _)| revision == session.revision);
        let Session { rules, start, .. } = session;
        let mut game = Game::new(session.size(), **rules);
        game.set_position(start.stones.iter().copied(), start.to_play).expect("the game started there");
        if told.is_none() {
            self.player.begin(&game, session.komi())?;
        }
        let known = told.map_or(0, |(_, known)| known);
        for (index, &(color, mv)) in session.moves.iter().enumerate() {
            play(&mut game, color, mv).expect("the move was legal before");
            if index >= known {
                self.player.note(&game, color, mv)?;
            }
        }
        Ok(game)
    }

    /// Chooses a move for `color`, which the player takes for played. On error it is told everything anew the next time. Only a search has a deadline and can
    /// be watched.
    fn choose(
        &mut self,
        session: &Session,
        color: Color,
        deadline: Option<Instant>,
        watcher: &mut dyn Watcher,
    ) -> Result<Decision, GtpError> {
        let mut game = if let Some(whole) = &session.whole {
            session.check_can_move(whole, color)?;
            self.told = None;
            self.player.begin(whole.game(), session.komi())?;
            whole.game().clone()
        } else {
            let mut game = self.tell(session)?;
            game.set_to_play(color);
            game
        };
        let stream = self.stream.get_or_insert_with(|| Stream::new(self.seed, self.game_index));
        let decision = match (self.player.searcher(), &session.whole) {
            (Some(search), whole) => {
                let forbidden = whole.as_ref().map(UctPlayer::forbidden).unwrap_or_default();
                let found = search.search(&game, &forbidden, stream, deadline, watcher);
                if self.resigns(session, color, win_share(&found, color)) {
                    Decision::Resign
                } else {
                    found.mv.into()
                }
            }
            (None, Some(whole)) => self.player.choose_by_protocol(whole, stream)?,
            (None, None) => self.player.choose(&game, stream)?,
        };
        if session.whole.is_none()
            && let Decision::Move(mv) = decision
        {
            play(&mut game, color, mv)?;
            self.told = Some((session.revision, session.moves.len() + 1));
        }
        Ok(decision)
    }

    /// Returns whether a player resigns whose chosen move has won this share of its playouts.
    fn resigns(&mut self, session: &Session, color: Color, share: f64) -> bool {
        let ply = session.moves.len();
        let is_losing = self.resign_percent.is_some_and(|percent| share * 100.0 < f64::from(percent))
            && ply >= session.size().point_count() / 4;
        let before = mem::replace(&mut self.losing, is_losing.then_some((color, ply)));
        is_losing && before.is_some_and(|(player, before)| player == color && before + 2 == ply)
    }
}

impl Gtp {
    /// Begins another game with this session.
    pub(super) fn begin(&mut self, session: Session) {
        self.session = session;
        self.mover.next_game();
        if let Some(clock) = &mut self.clock {
            clock.restart();
        }
    }

    /// Lets the mover choose; on error its random numbers stay as they are.
    fn choose<T>(
        &mut self,
        choose: impl FnOnce(&mut Mover, &Session) -> Result<T, GtpError>,
    ) -> Result<T, GtpError> {
        let stream = self.mover.stream.clone();
        let chosen = choose(&mut self.mover, &self.session);
        if chosen.is_err() {
            self.mover.stream = stream;
        }
        chosen
    }

    /// Chooses a move and plays it; a search keeps to the time that is left.
    pub(super) fn generate_move(
        &mut self,
        color: Color,
        watcher: &mut dyn Watcher,
    ) -> Result<Decision, GtpError> {
        let started = Instant::now();
        let (points, plies) = (self.session.size().point_count(), self.session.moves.len());
        let deadline = self.clock.as_ref().and_then(|clock| clock.deadline(color, points, plies));
        let decision = self.choose(|mover, session| mover.choose(session, color, deadline, watcher))?;
        if let Some(clock) = &mut self.clock {
            clock.spend(color, started.elapsed().as_secs_f64());
        }
        if self.session.whole.is_some() {
            return self.session.play_decision(color, decision);
        }
        if let Decision::Move(mv) = decision {
            self.session.play(color, mv)?;
        }
        Ok(decision)
    }

    /// Chooses a move without playing it. The next move has the same random numbers.
    pub(super) fn suggest_move(&mut self, color: Color) -> Result<Decision, GtpError> {
        let Mover { stream, losing, .. } = &self.mover;
        let (stream, losing) = (stream.clone(), *losing);
        let decision = self.mover.choose(&self.session, color, None, &mut ());
        // The player takes the move for played.
        (self.mover.stream, self.mover.losing, self.mover.told) = (stream, losing, None);
        decision
    }

    /// Lets Black move up to so many times in a row and returns the points. The session stays as it is.
    pub(super) fn choose_handicap(&mut self, stones: usize) -> Result<Vec<Point>, GtpError> {
        let points = self.choose(|mover, session| {
            let mut trial = session.clone();
            let mut points = Vec::new();
            while points.len() < stones
                && let Decision::Move(mv @ Move::Play(point)) =
                    mover.choose(&trial, Color::Black, None, &mut ())?
            {
                trial.play(Color::Black, mv)?;
                points.push(point);
            }
            if points.len() < 2 { Err(GtpError::NoPlace) } else { Ok(points) }
        });
        self.mover.told = None;
        points
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

/// A failed command. The message begins with the words of the specification, where it has any, and then says why.
#[derive(Debug, thiserror::Error)]
pub(super) enum GtpError {
    #[error("unknown command")]
    UnknownCommand,
    #[error("syntax error: write {0}")]
    Usage(Cow<'static, str>),
    #[error("syntax error: `{0}` is not a color: write black or white")]
    Color(String),
    #[error("syntax error: {0}")]
    Vertex(#[from] InvalidPoint),
    #[error("syntax error: {0}")]
    Komi(#[from] jigo_engine::InvalidKomi),
    #[error("syntax error: the line is longer than {0} bytes")]
    LineTooLong(u64),
    #[error("unacceptable size: both sides must be from 1 to 25")]
    UnacceptableSize,
    #[error("board not empty: send clear_board first")]
    BoardNotEmpty,
    #[error("invalid number of stones: {0}")]
    Handicap(#[from] InvalidHandicap),
    #[error("invalid number of stones: write 2 to {0}")]
    FreeHandicap(usize),
    #[error("invalid number of stones: the player finds no place for two")]
    NoPlace,
    #[error("bad vertex list: {0}")]
    BadVertexList(String),
    #[error("illegal move: {0}")]
    Illegal(#[from] IllegalMove),
    #[error("illegal move: {0}")]
    IllegalEvent(#[from] IllegalEvent),
    #[error("bad vertex list: these rules fix the handicap stones: send fixed_handicap")]
    FixedHandicap,
    #[error("a whole game is being played: send clear_board first")]
    WholeGame,
    #[error("no whole game is being played: send jigo-begin first")]
    NoWholeGame,
    #[error("cannot begin a whole game: {0}")]
    CannotBegin(String),
    #[error("the game has not ended: it is in the phase `{0}`")]
    NotFinished(&'static str),
    #[error("no move is possible in the phase `{phase}`: send {commands}")]
    NoMove { phase: &'static str, commands: String },
    #[error("cannot undo: there is no move to take back")]
    CannotUndo,
    #[error("cannot load file: {0}")]
    CannotLoad(String),
    #[error("cannot write file: {0}")]
    CannotWrite(String),
    #[error("the player failed: {0}")]
    Player(#[from] PlayerError),
    #[error("{0}")]
    Rules(#[from] UnknownRules),
    #[error("{0}")]
    KataGoRules(#[from] InvalidKataGoRules),
    #[error("komi is set by the command komi, not with the rules")]
    KomiInRules,
    #[error(
        "these rules forbid move {number} of this game, {color} {vertex}: {rule}; send clear_board first"
    )]
    RulesForbid { number: usize, color: Color, vertex: String, rule: IllegalMove },
}
