//! A game of a run, played again ply by ply.

use jigo_engine::{Color, Game, Move, Point, Position, game::Repetition};
use jigo_selfplay::{GameRecord, SuperkoEvent};

use super::{Choice, Cycles, Example, Kind, words};
use crate::{
    RunConfig,
    study::{FinalStatusSolver, ShapeKind},
};

/// The most events of one game besides the one for which it is shown.
const MAX_EVENTS: usize = 20;

/// What one ply does. Black plays first, and colours alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Nothing for a pass.
    pub(crate) placed: Option<Point>,
    /// In a suicide the stone placed is one of these.
    pub(crate) removed: Vec<Point>,
}

/// Something to see in a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    /// After how many plies the position stands.
    pub(crate) ply: u32,
    /// Points that superko forbids here.
    pub(crate) refused: Vec<Point>,
    pub(crate) text: String,
}

impl<'a> Example<'a> {
    /// Plays the game again. Nothing if it does not have what it is chosen for, as may be with a damaged file of counts.
    pub(crate) fn of(choice: Choice<'a>, setting: &RunConfig) -> Option<Self> {
        let RunConfig { size, rules, .. } = *setting;
        let record = setting.seed(choice.game.run_seed()?).game(choice.game.index);
        let subject = subject(&choice, &record);
        let mut replay = Replay::new(setting, subject);
        replay.play(&record)?;
        let Replay { game, steps, mut events, .. } = replay;
        let mut position: Position = Position::new(size);
        position.set_from(game.board());
        let status = FinalStatusSolver::new(rules).solve_end(&record, &position);
        let chains = status.open_chains().unwrap_or_default().to_vec();
        let has_feature = match choice.kind {
            Kind::Refused(_) | Kind::Repeated(_) => subject.is_some(),
            Kind::Seki(kind) => position.sekis(&chains).iter().any(|seki| kind == ShapeKind::Seki(seki.kind)),
            Kind::Dead => words::largest_dead(&chains) == choice.value as usize,
        };
        if !has_feature {
            return None;
        }
        events.sort();
        events.dedup();
        let text = words::end(&record, rules, &position, &chains);
        events.push(Event { ply: record.ply_count(), refused: Vec::new(), text });
        let focus = match (choice.kind, subject) {
            (Kind::Refused(_), Some(event)) => event.ply,
            (Kind::Repeated(_), Some(event)) => event.ply + 1,
            _ => record.ply_count(),
        };
        Some(Self { choice, record, steps, events, focus, position, chains })
    }
}

/// The event for which a game is shown: the first with the cycle in question.
fn subject(choice: &Choice<'_>, record: &GameRecord) -> Option<SuperkoEvent> {
    let (events, cycles) = match choice.kind {
        Kind::Refused(cycles) => (&record.refused, cycles),
        Kind::Repeated(cycles) => (&record.repeated, cycles),
        Kind::Seki(_) | Kind::Dead => return None,
    };
    let is_meant = |event: &&SuperkoEvent| {
        event.repetition.cycle_plies == choice.value
            && (cycles != Cycles::Balanced || event.repetition.is_balanced())
    };
    events.iter().find(is_meant).copied()
}

struct Replay<'a> {
    config: &'a RunConfig,
    subject: Option<SuperkoEvent>,
    game: Game,
    steps: Vec<Step>,
    events: Vec<Event>,
}

impl<'a> Replay<'a> {
    fn new(config: &'a RunConfig, subject: Option<SuperkoEvent>) -> Self {
        let game = Game::new(config.size, config.rules);
        Self { config, subject, game, steps: Vec::new(), events: Vec::new() }
    }

    /// Plays all moves; nothing if one is illegal.
    fn play(&mut self, record: &GameRecord) -> Option<()> {
        let refused = self.shown(&record.refused);
        let repeated = self.shown(&record.repeated);
        for (ply, &mv) in (0..).zip(&record.moves) {
            for event in refused.iter().filter(|event| event.ply == ply) {
                self.refuse(&event.repetition);
            }
            self.ply(mv)?;
            for event in repeated.iter().filter(|event| event.ply == ply) {
                self.repeat(&event.repetition);
            }
        }
        Some(())
    }

    /// The first events, and the one for which the game is shown.
    fn shown(&self, events: &[SuperkoEvent]) -> Vec<SuperkoEvent> {
        let first = events.iter().take(MAX_EVENTS);
        let rest = events.iter().skip(MAX_EVENTS).filter(|event| Some(**event) == self.subject).take(1);
        first.chain(rest).copied().collect()
    }

    fn ply(&mut self, mv: Move) -> Option<()> {
        let stones = |game: &Game| -> Vec<(Point, Color)> {
            let board = game.board();
            let points = board.size().points();
            points.filter_map(|point| Some((point, board.stone(point)?))).collect()
        };
        let before = stones(&self.game);
        let mover = self.game.to_play();
        self.game.play(mv).ok()?;
        let placed = mv.point();
        let all = before.into_iter().chain(placed.map(|point| (point, mover)));
        let is_gone = |point: Point| self.game.board().stone(point).is_none();
        let removed = all.map(|(point, _)| point).filter(|&point| is_gone(point)).collect();
        self.steps.push(Step { placed, removed });
        Some(())
    }

    /// The player to move drew a point that superko forbids.
    fn refuse(&mut self, repetition: &Repetition) {
        let (board, policy) = (self.game.board(), self.config.policy);
        let candidates = board.candidates(policy.among());
        let could_be_drawn = |point: Point| {
            candidates.contains(point) && board.is_legal(point) && !policy.rejects(board, point)
        };
        let is_it = |point: &Point| {
            could_be_drawn(*point) && self.game.superko_violation(*point).as_ref() == Some(repetition)
        };
        let points: Vec<Point> = board.size().points().filter(is_it).collect();
        let (ply, text) = (self.game.ply_count(), words::refused(&self.game, &points, repetition));
        self.events.push(Event { ply, refused: points, text });
        self.remember(repetition, ply);
    }

    /// The last move brought a position back.
    fn repeat(&mut self, repetition: &Repetition) {
        let ply = self.game.ply_count();
        let text = words::repeated(repetition);
        self.events.push(Event { ply, refused: Vec::new(), text });
        self.remember(repetition, ply);
    }

    /// The earlier position is worth seeing, too.
    fn remember(&mut self, repetition: &Repetition, ply: u32) {
        if repetition.earlier_ply < ply {
            let text = words::earlier(repetition, ply);
            self.events.push(Event { ply: repetition.earlier_ply, refused: Vec::new(), text });
        }
    }
}
