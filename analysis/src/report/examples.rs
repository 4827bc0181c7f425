//! The games that a page shows: which ones, played again, and what the captions say.

use std::collections::BTreeSet;

use jigo_engine::{
    AnyPosition, Counting, Game, Move, Point, Position,
    game::Repetition,
    life::{ChainStatus, Status, StatusSolver},
};
use jigo_selfplay::{End, GameRecord, SuperkoEvent};
use serde::Serialize;

use super::format::quantity;
use crate::{
    RunConfig, RunStats,
    study::{CycleExamples, LifeExamples, Measures, Occurrence, ShapeKind},
};

/// The most games that one run shows, and a whole page: they bound its size.
pub(crate) const MAX_IN_RUN: usize = 12;
pub(crate) const MAX_IN_PAGE: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Rejected(Cycles),
    Repeated(Cycles),
    Seki(ShapeKind),
    Dead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cycles {
    Shortest,
    Longest,
    Balanced,
}

/// A game and why it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice<'a> {
    pub(crate) kind: Kind,
    /// Plies of the cycle, or stones of the dead chain.
    pub(crate) value: u32,
    pub(crate) game: &'a Occurrence,
}

impl Kind {
    pub(crate) fn heading(self) -> String {
        let (what, cycles) = match self {
            Self::Rejected(cycles) => ("Moves rejected by superko", cycles),
            Self::Repeated(cycles) => ("Repetitions", cycles),
            Self::Seki(kind) => return format!("Seki, {}", kind.name()),
            Self::Dead => return "Largest dead chains".to_owned(),
        };
        match cycles {
            Cycles::Shortest => format!("{what}, shortest cycles"),
            Cycles::Longest => format!("{what}, longest cycles"),
            Cycles::Balanced => format!("{what}, balanced cycles"),
        }
    }
}

impl Choice<'_> {
    pub(crate) fn feature(&self) -> String {
        match self.kind {
            Kind::Rejected(_) | Kind::Repeated(_) => format!("cycle of {}", plies(self.value)),
            Kind::Seki(kind) => format!("seki {}", kind.name()),
            Kind::Dead => format!("dead chain of {}", quantity(self.value, "stone")),
        }
    }

    /// Returns the first event with the cycle for which a game is shown.
    pub(crate) fn subject(&self, events: &[SuperkoEvent]) -> Option<SuperkoEvent> {
        let is_balanced =
            matches!(self.kind, Kind::Rejected(Cycles::Balanced) | Kind::Repeated(Cycles::Balanced));
        let is_meant = |event: &&SuperkoEvent| {
            event.repetition.cycle_plies == self.value && (!is_balanced || event.repetition.is_balanced())
        };
        events.iter().find(is_meant).copied()
    }
}

/// Returns all examples that are kept of a run, kind by kind.
pub(crate) fn kept(measures: &Measures) -> Vec<Choice<'_>> {
    let Measures { examples: superko, status, .. } = measures;
    choices(&superko.rejected, &superko.repeated, &status.examples)
}

/// Returns the examples of moves rejected by superko, of repetitions and of life and death, kind by kind.
pub(crate) fn choices<'a>(
    rejected: &'a CycleExamples,
    repeated: &'a CycleExamples,
    life: &'a LifeExamples,
) -> Vec<Choice<'a>> {
    fn cycles(of: &CycleExamples, kind: fn(Cycles) -> Kind) -> impl Iterator<Item = Choice<'_>> {
        let choice = move |cycles, value: u32, game| Choice { kind: kind(cycles), value, game };
        let shortest = of.shortest.iter().map(move |(&plies, game)| choice(Cycles::Shortest, plies, game));
        let longest = of.longest.iter().map(move |(plies, game)| choice(Cycles::Longest, plies.0, game));
        let balanced = of.balanced.iter().map(move |(&plies, game)| choice(Cycles::Balanced, plies, game));
        shortest.chain(longest).chain(balanced)
    }
    let sekis = life.sekis.iter().flat_map(|(&kind, games)| {
        games.iter().map(move |(_, game)| Choice { kind: Kind::Seki(kind), value: 0, game })
    });
    let dead = life.dead.iter().map(|(stones, game)| Choice { kind: Kind::Dead, value: stones.0, game });
    cycles(rejected, Kind::Rejected)
        .chain(cycles(repeated, Kind::Repeated))
        .chain(sekis)
        .chain(dead)
        .collect()
}

/// Chooses the games of a run that are shown, at most `limit`: those of finished games; of stopped games where there are no others.
pub(crate) fn chosen(run: &RunStats, limit: usize) -> Vec<Choice<'_>> {
    first_of_each(kept(if run.finished.games > 0 { &run.finished } else { &run.stopped }), limit)
}

/// Chooses at most `limit` examples: of each kind the first, then of each the second, and so on, each game and feature once. In the order of kinds.
pub(crate) fn first_of_each(mut all: Vec<Choice<'_>>, limit: usize) -> Vec<Choice<'_>> {
    // A cycle may be among the shortest and the longest, or balanced as well.
    let mut seen = BTreeSet::new();
    all.retain(|choice| seen.insert((choice.feature(), choice.game)));
    let mut places: Vec<usize> = (0..all.len()).collect();
    places.sort_by_key(|&place| all[..place].iter().filter(|other| other.kind == all[place].kind).count());
    places.truncate(limit);
    places.sort_unstable();
    places.into_iter().map(|place| all[place]).collect()
}

pub(crate) struct Example<'a> {
    pub(crate) choice: Choice<'a>,
    pub(crate) record: GameRecord,
    /// What each ply does: the row-major index of the stone placed, -1 for a pass, then those of the stones removed. In a suicide the stone placed
    /// is one of these.
    pub(crate) steps: Vec<Vec<i32>>,
    /// The events to see, in order; the last is the end.
    pub(crate) events: Vec<Event>,
    /// After how many plies the position stands for which the game is shown.
    pub(crate) focus: u32,
    pub(crate) position: Position,
    /// Its chains, unless all are unconditionally alive.
    pub(crate) chains: Vec<ChainStatus>,
}

/// The most events of one game besides the one for which it is shown.
const MAX_EVENTS: usize = 20;

/// Something to see in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Event {
    /// After how many plies the position stands.
    pub(crate) ply: u32,
    /// Points that superko forbids here, by row-major index.
    pub(crate) rejected: Vec<usize>,
    pub(crate) text: String,
}

impl<'a> Example<'a> {
    /// Plays the game again, from its moves if these are kept. Nothing if it does not have what it is chosen for, as may be with a damaged file of counts.
    pub(crate) fn new(choice: Choice<'a>, setting: &RunConfig) -> Option<Self> {
        let RunConfig { size, rules, .. } = *setting;
        let Occurrence { index, moves, .. } = choice.game;
        let run = setting.seed(choice.game.run_seed()?);
        let record = if moves.is_empty() {
            run.game(*index)
        } else {
            let moves: Option<Vec<Move>> = moves.iter().map(|&code| Move::from_code(code, size)).collect();
            run.replay(*index, &moves?).ok()?
        };
        let subject = subject(&choice, &record);
        let game = Game::with_handicap(size, *rules, &setting.start());
        let mut replay = Replay { config: setting, game, steps: Vec::new(), events: Vec::new() };
        replay.play(&record, subject)?;
        let Replay { game, steps, mut events, .. } = replay;
        let mut position: Position = Position::new(size);
        position.set_from(game.board());
        let mut solver = StatusSolver::new(rules.suicide, rules.ko);
        let status = solver.final_status(AnyPosition::new(&position), record.is_finished());
        let (chains, sekis) = status.open.map_or_else(Default::default, |open| (open.chains, open.sekis));
        let has_feature = match choice.kind {
            Kind::Rejected(_) | Kind::Repeated(_) => subject.is_some(),
            Kind::Seki(kind) => sekis.iter().any(|seki| kind == ShapeKind::Seki(seki.kind)),
            Kind::Dead => {
                let dead = chains.iter().filter(|chain| chain.status == Status::Dead);
                dead.map(|chain| chain.stones.len()).max() == Some(choice.value as usize)
            }
        };
        if !has_feature {
            return None;
        }
        let points = |event: &Event| -> Vec<Option<Point>> {
            event.rejected.iter().map(|&index| Point::from_index(index, size)).collect()
        };
        // Those of one ply by the columns of their points.
        events.sort_by_cached_key(|event| (event.ply, points(event), event.text.clone()));
        events.dedup();
        let text = end_text(&record, setting, &position, &chains);
        events.push(Event { ply: record.ply_count(), rejected: Vec::new(), text });
        let focus = match (choice.kind, subject) {
            (Kind::Rejected(_), Some(event)) => event.ply,
            (Kind::Repeated(_), Some(event)) => event.ply + 1,
            _ => record.ply_count(),
        };
        Some(Self { choice, record, steps, events, focus, position, chains })
    }
}

/// The event for which a game is shown: the first with the cycle in question.
fn subject(choice: &Choice<'_>, record: &GameRecord) -> Option<SuperkoEvent> {
    match choice.kind {
        Kind::Rejected(_) => choice.subject(&record.refused),
        Kind::Repeated(_) => choice.subject(&record.repeated),
        Kind::Seki(_) | Kind::Dead => None,
    }
}

struct Replay<'a> {
    config: &'a RunConfig,
    game: Game,
    steps: Vec<Vec<i32>>,
    events: Vec<Event>,
}

impl Replay<'_> {
    /// Plays all moves; nothing if one is illegal.
    fn play(&mut self, record: &GameRecord, subject: Option<SuperkoEvent>) -> Option<()> {
        // The first events, and the one for which the game is shown.
        let shown = |events: &[SuperkoEvent]| -> Vec<SuperkoEvent> {
            let rest = events.iter().skip(MAX_EVENTS).filter(|event| Some(**event) == subject).take(1);
            events.iter().take(MAX_EVENTS).chain(rest).copied().collect()
        };
        let (rejected, repeated) = (shown(&record.refused), shown(&record.repeated));
        for (ply, &mv) in (0..).zip(&record.moves) {
            for event in rejected.iter().filter(|event| event.ply == ply) {
                self.reject(&event.repetition);
            }
            self.ply(mv)?;
            let repeated = repeated.iter().filter(|event| event.ply == ply);
            self.events.extend(repeated.flat_map(repetition_events));
        }
        Some(())
    }

    fn ply(&mut self, mv: Move) -> Option<()> {
        self.steps.push(step(&mut self.game, mv)?);
        Some(())
    }

    /// Notes that superko rejected a move of the player to move.
    fn reject(&mut self, repetition: &Repetition) {
        let (board, policy) = (self.game.board(), self.config.policy.playout());
        let candidates = policy.candidates(self.game.board());
        let could_be_sampled = |point: Point| {
            candidates.contains(point) && board.is_legal(point) && !policy.rejects(board, point)
        };
        let is_it = |point: &Point| {
            could_be_sampled(*point) && self.game.superko_violation(*point).as_ref() == Some(repetition)
        };
        let points: Vec<Point> = board.size().points().filter(is_it).collect();
        let player = self.game.to_play();
        let what = match points[..] {
            [point] => format!("Superko rejects {player} {}: it", point.to_gtp(board.size())),
            _ => format!("Superko rejects {player} a marked point: any of them"),
        };
        let text = format!("{what} would bring back {}", cycle_text(repetition));
        let rejected = points.iter().map(|point| point.index(board.size())).collect();
        self.note(repetition, rejected, text);
    }

    /// Notes a move that is rejected in this position, and that the earlier position would come back.
    fn note(&mut self, repetition: &Repetition, rejected: Vec<usize>, text: String) {
        let (ply, earlier) = (self.game.ply_count(), repetition.earlier_ply);
        self.events.push(Event { ply, rejected, text });
        if earlier < ply {
            let next = earlier + repetition.cycle_plies;
            let text = format!(
                "This position would come back after ply {next}, by the move that is rejected after ply {ply}."
            );
            self.events.push(Event { ply: earlier, rejected: Vec::new(), text });
        }
    }
}

/// Says in the position after a move that it brings back an earlier one, and in that position that it comes back.
pub(crate) fn repetition_events(event: &SuperkoEvent) -> [Event; 2] {
    let SuperkoEvent { ply, repetition } = event;
    let ply = ply + 1;
    let event = |ply, text| Event { ply, rejected: Vec::new(), text };
    [
        event(ply, format!("This move brings back {}", cycle_text(repetition))),
        event(repetition.earlier_ply, format!("This position comes back after ply {ply}.")),
    ]
}

/// Plays a move, and returns what it does as [`Example::steps`] says; nothing if it is illegal.
pub(crate) fn step(game: &mut Game, mv: Move) -> Option<Vec<i32>> {
    let board = game.board();
    let stones = board.size().points().filter(|&point| board.stone(point).is_some());
    let stones: Vec<Point> = stones.chain(mv.point()).collect();
    game.play(mv).ok()?;
    let board = game.board();
    let removed = stones.into_iter().filter(|&point| board.stone(point).is_none());
    let index = |point: Point| point.index(board.size()) as i32;
    Some(std::iter::once(mv.point().map_or(-1, index)).chain(removed.map(index)).collect())
}

pub(crate) fn plies(count: u32) -> String {
    if count == 1 { "1 ply".to_owned() } else { format!("{count} plies") }
}

fn cycle_text(repetition: &Repetition) -> String {
    let plies = plies(repetition.cycle_plies);
    let passes = match repetition.cycle_passes {
        0 => String::new(),
        1 => " with 1 pass".to_owned(),
        passes => format!(" with {passes} passes"),
    };
    let player = if repetition.same_player { "" } else { ", but with the other player to move" };
    let stones = |count: u32| quantity(count, "stone");
    let lost = match repetition.cycle_removed {
        [black, white] if black == white => format!("both players lose {}", stones(black)),
        [black, white] => format!("Black loses {}, White {white}", stones(black)),
    };
    let when = match repetition.earlier_ply {
        0 => "the empty board of the start".to_owned(),
        earlier => format!("the position after ply {earlier}"),
    };
    format!("{when}{player}. In this cycle of {plies}{passes} {lost}.")
}

/// Says how the game ended, and the statuses of the stones that are left.
fn end_text(record: &GameRecord, config: &RunConfig, position: &Position, chains: &[ChainStatus]) -> String {
    let plies = record.ply_count();
    let how = match record.end {
        End::TwoPasses => format!("The end, by two passes after {plies} plies."),
        End::PlyCap => format!("The game was stopped at the move limit after {plies} plies."),
        End::Cycle => format!("A draw: after {plies} plies everything is as it was before."),
        End::BrokenOff => format!("The game was broken off after {plies} plies."),
    };
    let counting = match config.rules.counting {
        Counting::Area => "area",
        Counting::Territory => "territory and prisoners",
    };
    let margin = match config.margin(record) {
        0 => "Equal".to_owned(),
        ahead @ 1.. => format!("Black is ahead by {}", quantity(ahead.unsigned_abs(), "point")),
        ahead => format!("White is ahead by {}", quantity(ahead.unsigned_abs(), "point")),
    };
    let life = life_text(position, chains);
    format!("{how} {margin} before komi, by {counting} with all stones taken to be alive. {life}")
}

pub(crate) fn life_text(position: &Position, chains: &[ChainStatus]) -> String {
    if chains.is_empty() {
        return "Every stone is unconditionally alive.".to_owned();
    }
    let counts = Status::ALL.into_iter().filter_map(|status| {
        let count = chains.iter().filter(|chain| chain.status == status).count();
        (count > 0).then(|| format!("{status} {count}"))
    });
    let mut text = format!("Chains: {}.", counts.collect::<Vec<_>>().join(", "));
    let sekis: Vec<&str> = position.sekis(chains).iter().map(|seki| seki.kind.name()).collect();
    if !sekis.is_empty() {
        text += &format!(" Kind of seki: {}.", sekis.join(", "));
    }
    text
}
