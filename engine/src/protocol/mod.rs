//! A whole game by the rules of its source: handicap, play, stop, agreement or proof, result.
//!
//! [`Protocol`] is a state machine: a [`Conduct`] says by which rules, players' [`Event`]s lead from [`Phase`] to [`Phase`], and an event that the
//! rules do not allow gets the [`Refusal`] that names the rule. Everything that was done is its [record](Protocol::record), from which the identical
//! game is replayed.
//!
//! ```
//! use jigo_engine::{protocol::{Conduct, Event, Protocol}, rules::Preset, BoardSize, Color};
//! let size = BoardSize::square(5).unwrap();
//! let mut game = Protocol::new(size, Conduct::of_preset(Preset::TrompTaylor, size)).unwrap();
//! for (color, text) in [(Color::Black, "play C3"), (Color::White, "pass"), (Color::Black, "pass")] {
//!     game.apply(color, Event::from_text(text, size)?)?;
//! }
//! // Two passes stop the game; both agree that there is nothing to empty.
//! game.apply(Color::Black, Event::Propose)?;
//! assert_eq!(game.apply(Color::Black, Event::Accept).unwrap_err().to_string(), "turns: White is to move or to decide");
//! game.apply(Color::White, Event::Accept)?;
//! assert_eq!(game.result().unwrap().half_points, [50, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod begin;
mod conduct;
mod continuation;
mod decide;
mod event;
mod kos;
mod refusal;
mod text;
mod turns;

use std::collections::HashSet;

pub use begin::NoSuchHandicap;
pub use conduct::{Challenges, Conduct, EndRule, Limits, Resumption};
pub use decide::{Count, GameScore};
pub use event::{ClaimedStatus, Ended, Event, KoChoice, Phase, UnknownEvent};
pub use refusal::Refusal;
pub use text::UnknownConduct;

use agreement::Marks;
use continuation::{Claim, State, Verification};
use kos::Kos;

use crate::{Color, Game, Point, Position};

/// How a game began.
#[derive(Clone, Debug)]
struct Start {
    position: Position,
    prisoners: [u32; 2],
    to_play: Color,
}

/// A whole game: a state machine of phases and events.
#[derive(Clone, Debug)]
pub struct Protocol {
    conduct: Conduct,
    phase: Phase,
    game: Game,
    start: Start,
    record: Vec<(Color, Event)>,
    /// Stones lost that are no captures on the board: handed over, or given up one by one (Black, White).
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
    /// The states since the game or its continuation began, where a true cycle ends it.
    seen: HashSet<State>,
    claims: Vec<Claim>,
    verification: Option<Box<Verification>>,
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

    /// Stones of this colour that the opponent holds: captured, given up, or handed over.
    #[must_use]
    pub fn prisoners(&self, color: Color) -> u32 {
        self.game.prisoners(color) + self.handed_over[color.index()]
    }

    /// Everything that was done, in order.
    #[must_use]
    pub fn record(&self) -> &[(Color, Event)] {
        &self.record
    }

    /// The points that this player marked as dead or to be emptied, in row-major order.
    pub fn marked(&self, color: Color) -> impl Iterator<Item = Point> {
        self.game.board().points_of(self.marks[color.index()].dead)
    }

    /// The stones that a counted game ended with as dead, in row-major order.
    pub fn dead(&self) -> impl Iterator<Item = Point> {
        self.game.board().points_of(self.agreed.dead)
    }

    /// Does what a player does.
    ///
    /// # Errors
    /// The rule against it. The game is unchanged then.
    pub fn apply(&mut self, by: Color, event: Event) -> Result<(), Refusal> {
        self.check(by, &event)?;
        match event {
            Event::Play(point) => self.play(point),
            Event::Pass => self.pass(),
            Event::HandOver => self.hand_over(),
            Event::Challenge(point) => self.challenge(point),
            Event::PlaceHandicap(ref points) => self.place_handicap(points),
            Event::Demand(choice) => self.continue_with(choice),
            Event::Mark(point) => self.mark(by, point),
            Event::MarkSeki(point) => self.mark_seki(by, point),
            Event::Propose => self.phase = Phase::Proposed(by),
            Event::Accept => self.accept(by),
            Event::Reject => self.reject(by),
            Event::Claim(point, status) => self.verify(point, status),
            Event::Resign => self.finish(Ended::Resigned(by)),
        }
        self.record.push((by, event));
        Ok(())
    }

    /// Whether the player may do this.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn check(&self, by: Color, event: &Event) -> Result<(), Refusal> {
        if matches!(self.phase, Phase::Finished(_)) {
            return Err(self.wrong_phase(event));
        }
        match *event {
            Event::Play(point) => self.check_play(by, point, event),
            Event::Pass => self.check_pass(by, event),
            Event::HandOver => self.check_hand_over(by, event),
            Event::Challenge(point) => self.check_challenge(by, point, event),
            Event::PlaceHandicap(ref points) => self.check_handicap(by, points, event),
            Event::Demand(choice) => self.check_demand(choice, event),
            Event::Mark(point) => self.check_mark(by, point, event),
            Event::MarkSeki(point) => self.check_mark_seki(by, point, event),
            Event::Propose => self.check_stopped(by, event),
            Event::Accept | Event::Reject => self.check_answer(by, event),
            Event::Claim(point, _) => self.check_claim(point, event),
            Event::Resign => Ok(()),
        }
    }

    fn finish(&mut self, ended: Ended) {
        self.phase = Phase::Finished(ended);
    }

    fn wrong_phase(&self, event: &Event) -> Refusal {
        Refusal::WrongPhase { event: event.word(), phase: self.phase.name() }
    }

    fn no_such_event(&self, event: &Event) -> Refusal {
        Refusal::NoSuchEvent { event: event.word(), rule: self.conduct.ending.name() }
    }

    fn check_turn(&self, by: Color) -> Result<(), Refusal> {
        if by == self.to_play() { Ok(()) } else { Err(Refusal::NotYourTurn(self.to_play())) }
    }
}
