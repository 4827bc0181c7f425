//! The games that a page shows: which ones, played again, and what the captions say.

use jigo_engine::{
    Color, Counting, Game, Move, Point, Position, Rules,
    game::Repetition,
    life::{ChainStatus, Status},
};
use jigo_selfplay::{End, GameRecord, SuperkoEvent};

use super::format::counted;
use crate::{
    RunConfig, RunStats,
    study::{CycleExamples, FinalStatusSolver, Measures, Occurrence, ShapeKind},
};

/// The most games that one run shows, and a whole page: they bound its size.
pub(crate) const MAX_IN_RUN: usize = 12;
pub(crate) const MAX_IN_PAGE: usize = 60;

/// Why a game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Rejected(Cycles),
    Repeated(Cycles),
    Seki(ShapeKind),
    Dead,
}

/// Which cycles.
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
    /// The heading of such games.
    pub(crate) fn heading(self) -> String {
        let cycles = |what: &str, cycles| match cycles {
            Cycles::Shortest => format!("{what}, shortest cycles"),
            Cycles::Longest => format!("{what}, longest cycles"),
            Cycles::Balanced => format!("{what}, balanced cycles"),
        };
        match self {
            Self::Rejected(which) => cycles("Moves rejected by superko", which),
            Self::Repeated(which) => cycles("Repetitions", which),
            Self::Seki(kind) => format!("Seki, {}", kind.name()),
            Self::Dead => "Largest dead chains".to_owned(),
        }
    }
}

impl Choice<'_> {
    /// Says what is special about the game.
    pub(crate) fn feature(&self) -> String {
        let counted = |count: u32, noun| counted(count.into(), noun);
        match self.kind {
            Kind::Rejected(_) | Kind::Repeated(_) if self.value == 1 => "cycle of 1 ply".to_owned(),
            Kind::Rejected(_) | Kind::Repeated(_) => format!("cycle of {} plies", self.value),
            Kind::Seki(kind) => format!("seki {}", kind.name()),
            Kind::Dead => format!("dead chain of {}", counted(self.value, "stone")),
        }
    }
}

/// Returns all examples that are kept, kind by kind.
pub(crate) fn kept(measures: &Measures) -> Vec<Choice<'_>> {
    fn cycles(of: &CycleExamples, kind: fn(Cycles) -> Kind) -> impl Iterator<Item = Choice<'_>> {
        let choice = move |cycles, value: u32, game| Choice { kind: kind(cycles), value, game };
        let shortest = of.shortest.iter().map(move |(&plies, game)| choice(Cycles::Shortest, plies, game));
        let longest = of.longest.iter().map(move |(plies, game)| choice(Cycles::Longest, plies.0, game));
        let balanced = of.balanced.iter().map(move |(&plies, game)| choice(Cycles::Balanced, plies, game));
        shortest.chain(longest).chain(balanced)
    }
    let (superko, life) = (&measures.examples, &measures.status.examples);
    let sekis = life.sekis.iter().flat_map(|(&kind, games)| {
        games.iter().map(move |(_, game)| Choice { kind: Kind::Seki(kind), value: 0, game })
    });
    let dead = life.dead.iter().map(|(stones, game)| Choice { kind: Kind::Dead, value: stones.0, game });
    let rejected = cycles(&superko.rejected, Kind::Rejected);
    rejected.chain(cycles(&superko.repeated, Kind::Repeated)).chain(sekis).chain(dead).collect()
}

/// Chooses the games of a run that are shown, at most `limit`: of each kind the first, then of each the second, and so on, each game and feature once.
/// In the order of kinds. Those of finished games; of stopped games where there are no others.
pub(crate) fn chosen(run: &RunStats, limit: usize) -> Vec<Choice<'_>> {
    let measures = if run.finished.games > 0 { &run.finished } else { &run.stopped };
    let mut all = kept(measures);
    // A cycle may be among the shortest and the longest, or balanced as well.
    let mut seen: Vec<(String, &Occurrence)> = Vec::new();
    all.retain(|choice| {
        let key = (choice.feature(), choice.game);
        let is_new = !seen.contains(&key);
        seen.push(key);
        is_new
    });
    let mut ranked: Vec<(usize, usize)> = Vec::new();
    for (place, choice) in all.iter().enumerate() {
        let rank = all[..place].iter().filter(|other| other.kind == choice.kind).count();
        ranked.push((rank, place));
    }
    ranked.sort_unstable();
    let mut places: Vec<usize> = ranked.into_iter().map(|(_, place)| place).take(limit).collect();
    places.sort_unstable();
    places.into_iter().map(|place| all[place]).collect()
}

/// A game that was played again.
pub(crate) struct Example<'a> {
    pub(crate) choice: Choice<'a>,
    pub(crate) record: GameRecord,
    /// What each ply does.
    pub(crate) steps: Vec<Step>,
    /// The events to see, in order; the last is the end.
    pub(crate) events: Vec<Event>,
    /// After how many plies the position stands for which the game is shown.
    pub(crate) focus: u32,
    /// The final position.
    pub(crate) position: Position,
    /// Its chains, unless all are unconditionally alive.
    pub(crate) chains: Vec<ChainStatus>,
}

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
    pub(crate) rejected: Vec<Point>,
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
            Kind::Rejected(_) | Kind::Repeated(_) => subject.is_some(),
            Kind::Seki(kind) => position.sekis(&chains).iter().any(|seki| kind == ShapeKind::Seki(seki.kind)),
            Kind::Dead => largest_dead(&chains) == choice.value as usize,
        };
        if !has_feature {
            return None;
        }
        events.sort();
        events.dedup();
        let text = end_text(&record, rules, &position, &chains);
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
    let (events, cycles) = match choice.kind {
        Kind::Rejected(cycles) => (&record.refused, cycles),
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
        let rejected = self.shown(&record.refused);
        let repeated = self.shown(&record.repeated);
        for (ply, &mv) in (0..).zip(&record.moves) {
            for event in rejected.iter().filter(|event| event.ply == ply) {
                self.reject(&event.repetition);
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

    /// Notes that superko rejected a move of the player to move.
    fn reject(&mut self, repetition: &Repetition) {
        let (board, policy) = (self.game.board(), self.config.policy);
        let candidates = board.candidates(policy.among());
        let could_be_sampled = |point: Point| {
            candidates.contains(point) && board.is_legal(point) && !policy.rejects(board, point)
        };
        let is_it = |point: &Point| {
            could_be_sampled(*point) && self.game.superko_violation(*point).as_ref() == Some(repetition)
        };
        let points: Vec<Point> = board.size().points().filter(is_it).collect();
        let (ply, text) = (self.game.ply_count(), rejected_text(&self.game, &points, repetition));
        self.events.push(Event { ply, rejected: points, text });
        self.remember(repetition, ply);
    }

    /// Notes that the last move brought a position back.
    fn repeat(&mut self, repetition: &Repetition) {
        let ply = self.game.ply_count();
        let text = repeated_text(repetition);
        self.events.push(Event { ply, rejected: Vec::new(), text });
        self.remember(repetition, ply);
    }

    /// The earlier position is worth seeing, too.
    fn remember(&mut self, repetition: &Repetition, ply: u32) {
        if repetition.earlier_ply < ply {
            let text = earlier_text(repetition, ply);
            self.events.push(Event { ply: repetition.earlier_ply, rejected: Vec::new(), text });
        }
    }
}

/// Says that superko rejected one of these points.
fn rejected_text(game: &Game, points: &[Point], repetition: &Repetition) -> String {
    let (player, size) = (game.to_play(), game.board().size());
    let what = match points {
        [point] => format!("Superko rejects {player} {}: it", point.to_gtp(size)),
        _ => format!("Superko rejects {player} a marked point: any of them"),
    };
    format!("{what} would bring back {}", cycle_text(repetition))
}

/// Says that the last move brought a position back.
fn repeated_text(repetition: &Repetition) -> String {
    format!("This move brings back {}", cycle_text(repetition))
}

/// Says which position comes back, or would, in the one after `ply` plies.
fn earlier_text(repetition: &Repetition, ply: u32) -> String {
    let next = repetition.earlier_ply + repetition.cycle_plies;
    if next == ply {
        format!("This position comes back after ply {ply}.")
    } else {
        format!(
            "This position would come back after ply {next}, by the move that is rejected after ply {ply}."
        )
    }
}

fn cycle_text(repetition: &Repetition) -> String {
    let plies = match repetition.cycle_plies {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    let passes = match repetition.cycle_passes {
        0 => String::new(),
        1 => " with 1 pass".to_owned(),
        passes => format!(" with {passes} passes"),
    };
    let player = if repetition.same_player { "" } else { ", but with the other player to move" };
    let stones = |count: u32| counted(count.into(), "stone");
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
fn end_text(record: &GameRecord, rules: Rules, position: &Position, chains: &[ChainStatus]) -> String {
    let plies = record.ply_count();
    let how = match record.end {
        End::TwoPasses => format!("The end, by two passes after {plies} plies."),
        End::PlyCap => format!("The game was stopped at the move limit after {plies} plies."),
        End::BrokenOff => format!("The game was broken off after {plies} plies."),
    };
    let counting = match rules.counting {
        Counting::Area => "area",
        Counting::Territory => "territory and prisoners",
    };
    let margin = match record.margin_by(rules.counting) {
        0 => "Equal".to_owned(),
        ahead @ 1.. => format!("Black is ahead by {}", counted(ahead.unsigned_abs().into(), "point")),
        ahead => format!("White is ahead by {}", counted(ahead.unsigned_abs().into(), "point")),
    };
    let life = life_text(position, chains);
    format!("{how} {margin} before komi, by {counting} with all stones taken to be alive. {life}")
}

fn life_text(position: &Position, chains: &[ChainStatus]) -> String {
    if chains.is_empty() {
        return "Every stone is unconditionally alive.".to_owned();
    }
    let chains_with = |status| chains.iter().filter(move |chain| chain.status == status);
    let counts = Status::ALL.into_iter().filter_map(|status| {
        let count = chains_with(status).count() as u64;
        (count > 0).then(|| format!("{status} {count}"))
    });
    let mut text = format!("Chains: {}.", counts.collect::<Vec<_>>().join(", "));
    let sekis: Vec<&str> = position.sekis(chains).iter().map(|seki| seki.kind.name()).collect();
    if !sekis.is_empty() {
        text += &format!(" Kind of seki: {}.", sekis.join(", "));
    }
    text
}

/// Counts the stones of the largest dead chain.
fn largest_dead(chains: &[ChainStatus]) -> usize {
    let dead = chains.iter().filter(|chain| chain.status == Status::Dead);
    dead.map(|chain| chain.stones.len()).max().unwrap_or(0)
}
