//! A whole game by the rules of its source: handicap, play, stop, agreement or proof, result.
//!
//! [`Protocol`] is a state machine: a [`Conduct`] says by which rules, players' [`GameEvent`]s lead from [`Phase`] to [`Phase`], and an event that the
//! rules do not allow gets the [`IllegalEvent`] that names the rule. Everything that was done is its [record](Protocol::record), from which the identical
//! game is replayed.
//!
//! ```
//! use jigo_engine::{protocol::{Conduct, GameEvent, Protocol}, rules::Preset, BoardSize, Color};
//! let size = BoardSize::square(5).unwrap();
//! let mut game = Protocol::new(size, Conduct::new(Preset::TrompTaylor, size)).unwrap();
//! for (color, text) in [(Color::Black, "play C3"), (Color::White, "pass"), (Color::Black, "pass")] {
//!     game.apply(color, GameEvent::from_text(text, size)?)?;
//! }
//! // Two passes stop the game; both agree that there is nothing to empty.
//! game.apply(Color::Black, GameEvent::Propose)?;
//! assert_eq!(game.apply(Color::Black, GameEvent::Accept).unwrap_err().to_string(), "turns: White is to move or to decide");
//! game.apply(Color::White, GameEvent::Accept)?;
//! assert_eq!(game.result().unwrap().half_points, [50, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod conduct;
mod continuation;
mod count;
mod event;
mod turns;

pub use conduct::{Conduct, ContinuationLimits, EndRule, UnknownConduct};
pub use count::Count;
pub use event::{ClaimedStatus, GameEnd, GameEvent, IllegalEvent, KoChoice, Phase, UnknownEvent};

use agreement::{Marks, Resumption};
use continuation::{Claim, Ko, Kos, Verification};

use crate::{
    BoardSize, Color, Game, Point, Position,
    board::NoLiberty,
    game::{HandicapStart, NoSuchHandicap},
};

/// Why applying an event cannot fail.
const CHECKED: &str = "checked before";

/// How a game began.
#[derive(Clone, Debug)]
struct Start {
    position: Position,
    prisoners: [u32; 2],
    to_play: Color,
    /// Handicap stones that Black puts.
    free: u32,
}

/// A whole game: a state machine of phases and events.
#[derive(Clone, Debug)]
pub struct Protocol {
    conduct: Conduct,
    phase: Phase,
    game: Game,
    start: Start,
    record: Vec<(Color, GameEvent)>,
    /// Stones lost before the game began or handed over (Black, White).
    handed_over: [u32; 2],
    /// Regular passes since the last other ply.
    passes: u32,
    /// What each player marked.
    marks: [Marks; 2],
    /// What the players agreed on, once the game is counted.
    agreed: Marks,
    continuations: u32,
    /// The kos of this continuation.
    kos: Kos,
    /// What was claimed in kos after each ply since the game or its continuation began, where a true cycle ends it; the beginning included.
    claimed_kos: Vec<Vec<Ko>>,
    resumptions: Vec<Resumption>,
    claims: Vec<Claim>,
    verification: Option<Box<Verification>>,
    /// Who offers a draw.
    draw_offer: Option<Color>,
}

impl Protocol {
    /// By which rules the game is played.
    #[must_use]
    pub const fn conduct(&self) -> Conduct {
        self.conduct
    }

    /// Where the game stands.
    #[must_use]
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Moves and position; while a claim is verified, those of the verification. That two passes end it is for the protocol to say.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Who is to move.
    #[must_use]
    pub fn to_play(&self) -> Color {
        self.game.to_play()
    }

    /// The position and prisoners (Black, White) with which the game began, stones of a fixed handicap included.
    #[must_use]
    pub const fn start(&self) -> (&Position, [u32; 2], Color) {
        (&self.start.position, self.start.prisoners, self.start.to_play)
    }

    /// Stones of this colour that the opponent holds: captured, given up, or handed over. Once the end is agreed on or proposed, with those for neutral points
    /// that were filled in resumptions.
    #[must_use]
    pub fn prisoners(&self, color: Color) -> u32 {
        let side = color.index();
        self.game.prisoners(color) + self.handed_over[side] + self.handed_over_at_count()[side]
    }

    /// Everything that was done, in order.
    #[must_use]
    pub fn record(&self) -> &[(Color, GameEvent)] {
        &self.record
    }

    /// The points that this player marked as dead or to be emptied, in row-major order.
    pub fn marked(&self, color: Color) -> impl Iterator<Item = Point> {
        self.game.board().points_of(self.marks[color.index()].dead)
    }

    /// Does what a player does.
    ///
    /// # Errors
    /// The rule against it. The game is unchanged then.
    pub fn apply(&mut self, by: Color, event: GameEvent) -> Result<(), IllegalEvent> {
        self.check(by, &event)?;
        match event {
            GameEvent::Play(point) => self.play(point),
            GameEvent::Pass => self.pass(),
            GameEvent::HandOver => self.hand_over(),
            GameEvent::Challenge(point) => self.challenge(point),
            GameEvent::PlaceHandicap(ref points) => self.place_handicap(points),
            GameEvent::Demand(choice) => self.continue_with(choice),
            GameEvent::Mark(point) => self.marks[by.index()].dead |= self.marked_with(point).expect(CHECKED),
            GameEvent::MarkSeki(point) => self.marks[by.index()].seki |= self.chain(point).expect(CHECKED),
            GameEvent::Propose => self.phase = Phase::Proposed(by),
            GameEvent::Accept => self.settle(self.marks[by.opponent().index()]),
            GameEvent::Reject => self.reject(by),
            GameEvent::Claim(point, _) => self.verify(point),
            GameEvent::ModifyKo => self.phase = Phase::Continued(KoChoice::Modified),
            GameEvent::OfferDraw => self.draw_offer = Some(by),
            GameEvent::AcceptDraw => self.finish(GameEnd::Agreed),
            GameEvent::Resign => self.finish(GameEnd::Resigned(by)),
        }
        if event.is_ply() && self.draw_offer == Some(by.opponent()) || !self.is_in_play() {
            self.draw_offer = None;
        }
        self.record.push((by, event));
        Ok(())
    }

    /// Whether the player may do this.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn check(&self, by: Color, event: &GameEvent) -> Result<(), IllegalEvent> {
        if matches!(self.phase, Phase::Finished(_)) {
            return Err(self.wrong_phase(event));
        }
        match *event {
            GameEvent::Play(point) => self.check_play(by, point, event),
            GameEvent::Pass => self.check_pass(by, event),
            GameEvent::HandOver => self.check_hand_over(by, event),
            GameEvent::Challenge(point) => self.check_challenge(by, point, event),
            GameEvent::PlaceHandicap(ref points) => self.check_handicap(by, points, event),
            GameEvent::Demand(choice) => self.check_demand(choice, event),
            GameEvent::Mark(point) => self.check_mark(by, point, event),
            GameEvent::MarkSeki(point) => self.check_mark_seki(by, point, event),
            GameEvent::Propose => self.check_stopped(by, event),
            GameEvent::Accept | GameEvent::Reject => self.check_answer(by, event),
            GameEvent::Claim(point, _) => self.check_claim(point, event),
            GameEvent::ModifyKo => self.check_modify_ko(event),
            GameEvent::OfferDraw | GameEvent::AcceptDraw => self.check_draw(by, event),
            GameEvent::Resign => Ok(()),
        }
    }

    /// Whether the players make plies that count, so that they may agree on a draw.
    const fn is_in_play(&self) -> bool {
        matches!(self.phase, Phase::Playing | Phase::Resumed(_) | Phase::Continued(_))
    }

    fn check_draw(&self, by: Color, event: &GameEvent) -> Result<(), IllegalEvent> {
        match (event, self.draw_offer) {
            _ if !self.is_in_play() => Err(self.wrong_phase(event)),
            (GameEvent::OfferDraw, None) => Ok(()),
            (GameEvent::OfferDraw, Some(_)) => Err(IllegalEvent::AlreadyOffered),
            (_, Some(offerer)) if offerer != by => Ok(()),
            _ => Err(IllegalEvent::NoOffer),
        }
    }

    fn finish(&mut self, ended: GameEnd) {
        self.phase = Phase::Finished(ended);
    }

    fn wrong_phase(&self, event: &GameEvent) -> IllegalEvent {
        IllegalEvent::WrongPhase { event: event.word(), phase: self.phase.name() }
    }

    fn no_such_event(&self, event: &GameEvent) -> IllegalEvent {
        IllegalEvent::NoSuchEvent { event: event.word(), rule: self.conduct.ending.name() }
    }

    fn check_turn(&self, by: Color) -> Result<(), IllegalEvent> {
        if by == self.to_play() { Ok(()) } else { Err(IllegalEvent::NotYourTurn(self.to_play())) }
    }
}

impl Protocol {
    /// A game from the empty board. Where handicap stones are fixed they stand already, and White is to move; where they are free, Black puts
    /// them.
    ///
    /// # Errors
    /// A handicap that the board or the rules do not have.
    pub fn new(size: BoardSize, conduct: Conduct) -> Result<Self, NoSuchHandicap> {
        let mut protocol = Self::from_game(Game::new(size, *conduct.rules), conduct);
        if conduct.handicap >= 2 {
            protocol.begin_handicap(&conduct.rules.handicap(size, conduct.handicap)?);
        }
        Ok(protocol)
    }

    /// A game from a position with this player to move, without handicap stones beside it.
    ///
    /// # Errors
    /// A chain without liberties.
    pub fn from_position(
        size: BoardSize,
        conduct: Conduct,
        stones: impl IntoIterator<Item = (Point, Color)>,
        to_play: Color,
    ) -> Result<Self, NoLiberty> {
        let mut game = Game::new(size, *conduct.rules);
        game.set_position(stones, to_play)?;
        Ok(Self::from_game(game, conduct))
    }

    /// The same with stones of Black and of White that were taken before the game began.
    #[must_use]
    pub fn with_prisoners(mut self, stones: [u32; 2]) -> Self {
        self.handed_over = stones;
        self.start.prisoners = stones;
        self
    }

    /// The same game at its beginning, before the first event.
    #[must_use]
    pub fn at_start(&self) -> Self {
        let Start { position, prisoners, to_play, free } = &self.start;
        let mut game = Game::new(self.game.board().size(), *self.conduct.rules);
        let stones =
            Color::BOTH.into_iter().flat_map(|color| position.stones(color).map(move |point| (point, color)));
        game.set_position(stones, *to_play).expect("the game started there");
        let mut begun = Self::from_game(game, self.conduct).with_prisoners(*prisoners);
        if *free > 0 {
            begun.start.free = *free;
            begun.phase = Phase::Handicap { left: *free };
        }
        begun
    }

    fn from_game(game: Game, conduct: Conduct) -> Self {
        let start =
            Start { position: game.board().position(), prisoners: [0; 2], to_play: game.to_play(), free: 0 };
        let mut protocol = Self {
            start,
            conduct,
            phase: Phase::Playing,
            game,
            record: Vec::new(),
            handed_over: [0; 2],
            passes: 0,
            marks: [Marks::NONE; 2],
            agreed: Marks::NONE,
            continuations: 0,
            kos: Kos::default(),
            claimed_kos: Vec::new(),
            resumptions: Vec::new(),
            claims: Vec::new(),
            verification: None,
            draw_offer: None,
        };
        protocol.note_state();
        protocol
    }

    fn begin_handicap(&mut self, handicap: &HandicapStart) {
        if handicap.free > 0 {
            self.start.free = handicap.free;
            self.phase = Phase::Handicap { left: handicap.free };
            return;
        }
        self.game.set_position(handicap.stones(), Color::White).expect("star points have liberties");
        self.handed_over[Color::White.index()] = handicap.prisoners;
        self.start.position = self.game.board().position();
        self.start.prisoners = self.handed_over;
        self.start.to_play = Color::White;
    }

    pub(super) fn check_handicap(
        &self,
        by: Color,
        points: &[Point],
        event: &GameEvent,
    ) -> Result<(), IllegalEvent> {
        if self.conduct.ending != EndRule::Marking {
            return Err(self.no_such_event(event));
        }
        let Phase::Handicap { left } = self.phase else { return Err(self.wrong_phase(event)) };
        self.check_turn(by)?;
        let board = self.game.board();
        if points.len() != left as usize || board.set_of(points.iter().copied()).count() != left {
            return Err(IllegalEvent::HandicapPoints(left));
        }
        let mut trial = Game::<11>::new(board.size(), *self.conduct.rules);
        let stones = points.iter().map(|&point| (point, Color::Black));
        trial.set_position(stones, Color::White).map_err(|_| IllegalEvent::HandicapPoints(left))
    }

    pub(super) fn place_handicap(&mut self, points: &[Point]) {
        let stones = points.iter().map(|&point| (point, Color::Black));
        self.game.set_position(stones, Color::White).expect(CHECKED);
        self.phase = Phase::Playing;
    }
}
