//! Whole games: the commands for everything that players do beside moves.
//!
//! Each event of [`GameEvent`] but moves and passes is a command, `jigo-` and its word, made of the events' own [forms](GameEvent::FORMS).

use std::{collections::BTreeSet, fmt::Display};

use jigo_engine::{
    Color, Move, Point,
    life::StatusSolver,
    protocol::{Conduct, GameEnd, GameEvent, IllegalEvent, KoChoice, Phase, Protocol},
    rules::{KomiChoice, RuleSet},
};

use super::{
    Gtp,
    commands::{Answer, Arguments, color},
    session::{GtpError, Session},
};
use crate::{Decision, sgf::result_of};

const PREFIX: &str = "jigo-";

/// The forms of the events that have a command: moves and passes are played by `play`.
fn forms() -> impl Iterator<Item = &'static str> {
    GameEvent::FORMS.iter().copied().filter(|form| !matches!(word(form), "play" | "pass"))
}

fn word(form: &str) -> &str {
    form.split(' ').next().unwrap_or(form)
}

/// Returns the names of the commands of events.
pub(super) fn event_commands() -> impl Iterator<Item = String> {
    forms().map(|form| format!("{PREFIX}{}", word(form)))
}

/// Returns the form of the event that has this command.
pub(super) fn event_form(command: &str) -> Option<&'static str> {
    let name = command.strip_prefix(PREFIX)?;
    forms().find(|form| word(form) == name)
}

/// Handicap stones are always Black's, so that their command names no colour.
const HANDICAP: &str = "handicap";

/// Does what a player does, by the command of the event.
pub(super) fn act(gtp: &mut Gtp, form: &'static str, words: &[&str]) -> Answer {
    let name = word(form);
    let rest = &form[name.len()..];
    let player = if name == HANDICAP { "" } else { " COLOR" };
    let usage = || GtpError::Usage(format!("{PREFIX}{name}{player}{rest}").into());
    let (by, words) = match words {
        words if name == HANDICAP => (Color::Black, words),
        [player, words @ ..] => (color(player)?, words),
        [] => return Err(usage()),
    };
    let text = format!("{name} {}", words.join(" "));
    let event = GameEvent::from_text(&text, gtp.session.size()).map_err(|_| usage())?;
    gtp.session.apply(by, event)?;
    Ok(String::new())
}

/// Begins a whole game by these rules, from the handicap stones or the position that was set up.
pub(super) fn begin(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    if arguments.words.is_empty() {
        return Err(arguments.usage_error());
    }
    let text = arguments.words.join(" ");
    let mut next = gtp.session.clone();
    let whole = beginning(&next, &text)?;
    next.begin_whole(whole);
    gtp.begin(next);
    Ok(String::new())
}

/// Returns a whole game that begins where the session stands.
fn beginning(session: &Session, text: &str) -> Result<Protocol, GtpError> {
    session.require_no_whole_game()?;
    if !session.moves.is_empty() {
        return Err(GtpError::CannotBegin("moves were played: send clear_board first".to_owned()));
    }
    let cannot = |error: &dyn Display| GtpError::CannotBegin(error.to_string());
    let (size, stones) = (session.size(), &session.start.stones);
    let handicap = session.handicap_stones();
    let conduct = if text.contains(';') {
        text.parse::<Conduct>().map_err(|error| cannot(&error))?
    } else {
        let conduct = Conduct::new(text.parse::<RuleSet>()?, size).with_handicap(handicap);
        match session.komi {
            KomiChoice::Rules => conduct,
            KomiChoice::Fixed(komi) => conduct.with_komi(komi),
        }
    };
    if handicap == 0 && !stones.is_empty() {
        let start = &session.start;
        let whole = Protocol::from_position(size, conduct, stones.iter().copied(), start.to_play);
        return Ok(whole.map_err(|error| cannot(&error))?.with_prisoners(start.prisoners));
    }
    let mut whole = Protocol::new(size, conduct).map_err(|error| cannot(&error))?;
    if handicap == 0 {
        return Ok(whole);
    }
    if !matches!(whole.phase(), Phase::Handicap { .. }) {
        let (position, ..) = whole.start();
        let given: BTreeSet<Point> = stones.iter().map(|&(point, _)| point).collect();
        if position.stones(Color::Black).collect::<BTreeSet<_>>() != given {
            let reason =
                "the handicap stones on the board are not those of the rules: send clear_board first";
            return Err(GtpError::CannotBegin(reason.to_owned()));
        }
        return Ok(whole);
    }
    for event in conduct.ending.handicap_events(stones.iter().map(|&(point, _)| point)) {
        whole.apply(Color::Black, event).map_err(|error| cannot(&error))?;
    }
    Ok(whole)
}

fn whole(gtp: &Gtp) -> Result<&Protocol, GtpError> {
    gtp.session.whole.as_ref().ok_or(GtpError::NoWholeGame)
}

pub(super) fn conduct(gtp: &mut Gtp) -> Answer {
    Ok(whole(gtp)?.conduct().to_string())
}

/// Answers one line for each event, the first one first.
pub(super) fn events(gtp: &mut Gtp) -> Answer {
    let game = whole(gtp)?;
    let size = gtp.session.size();
    let line = |(by, event): &(Color, GameEvent)| format!("{} {}", by.name(), event.to_text(size));
    Ok(game.record().iter().map(line).collect::<Vec<_>>().join("\n"))
}

pub(super) fn phase(gtp: &mut Gtp) -> Answer {
    Ok(phase_text(whole(gtp)?))
}

/// The phase, who is to move or to decide, and what else belongs to it.
pub(super) fn phase_text(game: &Protocol) -> String {
    let name = game.phase().name();
    let to_play = game.to_play().name();
    match *game.phase() {
        Phase::Handicap { left } => format!("{name} {to_play} {left}"),
        Phase::Proposed(by) => format!("{name} {}", by.opponent().name()),
        Phase::Continued(KoChoice::Modified) => format!("{name} {to_play} modified"),
        Phase::Finished(end) => {
            let end = match end {
                GameEnd::Resigned(by) => format!("resigned {}", by.name()),
                GameEnd::Counted => "counted".to_owned(),
                _ => "draw".to_owned(),
            };
            format!("{name} {end}")
        }
        _ => format!("{name} {to_play}"),
    }
}

/// Answers the result of a finished game.
pub(super) fn result(gtp: &mut Gtp) -> Answer {
    let game = whole(gtp)?;
    let result = result_of(game).ok_or(GtpError::NotFinished(game.phase().name()))?;
    Ok(result.to_string())
}

/// Answers `1`, or `0` and the rule against the event.
pub(super) fn check(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let [player, words @ ..] = arguments.words else { return Err(arguments.usage_error()) };
    let by = color(player)?;
    let event = GameEvent::from_text(&words.join(" "), gtp.session.size())
        .map_err(|error| GtpError::Usage(error.to_string().into()))?;
    Ok(match whole(gtp)?.check(by, &event) {
        Ok(()) => "1".to_owned(),
        Err(rule) => format!("0 {rule}"),
    })
}

/// Returns the game before the ply of the main line with this index.
pub(super) fn before_ply(game: &Protocol, index: usize) -> Protocol {
    let mut again = game.at_start();
    let mut plies = 0;
    for (by, event) in game.record() {
        if *again.phase() != Phase::Verifying && as_move(event).is_some() {
            if plies == index {
                break;
            }
            plies += 1;
        }
        again.apply(*by, event.clone()).expect("an event of the record");
    }
    again
}

/// Returns the move that an event is on the board.
fn as_move(event: &GameEvent) -> Option<Move> {
    match *event {
        GameEvent::Play(point) => Some(Move::Play(point)),
        GameEvent::Pass | GameEvent::HandOver | GameEvent::Challenge(_) => Some(Move::Pass),
        _ => None,
    }
}

impl Session {
    pub(super) fn require_no_whole_game(&self) -> Result<(), GtpError> {
        if self.whole.is_some() { Err(GtpError::WholeGame) } else { Ok(()) }
    }

    /// Returns the whole game if its players agreed on what is dead, or if one of them proposes it.
    pub(super) fn decided(&self) -> Option<&Protocol> {
        self.whole.as_ref().filter(|whole| whole.count().is_some())
    }

    /// Goes on with this whole game.
    pub(super) fn begin_whole(&mut self, whole: Protocol) {
        let rules = whole.conduct().rules;
        self.solver = StatusSolver::new(rules.suicide, rules.ko);
        self.follow(whole);
    }

    fn follow(&mut self, whole: Protocol) {
        self.revision += 1;
        self.game = whole.game().clone();
        let moves = whole.record().iter().filter_map(|(by, event)| Some((*by, as_move(event)?)));
        self.moves = moves.collect();
        self.whole = Some(whole);
    }

    /// Does what a player of the whole game does.
    pub(super) fn apply(&mut self, by: Color, event: GameEvent) -> Result<(), GtpError> {
        let mut whole = self.whole.clone().ok_or(GtpError::NoWholeGame)?;
        whole.apply(by, event)?;
        self.follow(whole);
        Ok(())
    }

    /// Takes the last event of the whole game back.
    pub(super) fn undo_event(&mut self) -> Result<(), GtpError> {
        let whole = self.whole.as_ref().ok_or(GtpError::NoWholeGame)?;
        let (_, events) = whole.record().split_last().ok_or(GtpError::CannotUndo)?;
        let mut again = whole.at_start();
        for (by, event) in events {
            again.apply(*by, event.clone()).expect("an event of the record");
        }
        self.follow(again);
        Ok(())
    }

    /// Checks that this player can put a stone or pass now.
    pub(super) fn check_can_move(&self, whole: &Protocol, color: Color) -> Result<(), GtpError> {
        let pass = match whole.check(color, &GameEvent::Pass) {
            Err(rule @ IllegalEvent::NotYourTurn(_)) => return Err(rule.into()),
            pass => pass.is_ok() || whole.check(color, &GameEvent::HandOver).is_ok(),
        };
        if pass || !self.legal_points(color).is_empty() {
            return Ok(());
        }
        // The events that need no points.
        let is_legal = |form: &&str| {
            let event = GameEvent::from_text(word(form), self.size());
            event.is_ok_and(|event| event != GameEvent::Resign && whole.check(color, &event).is_ok())
        };
        let mut commands: Vec<&str> = forms().filter(is_legal).map(word).collect();
        if matches!(whole.phase(), Phase::Handicap { .. }) {
            commands = vec![HANDICAP];
        }
        let commands = match commands[..] {
            [] => "clear_board, or let the opponent decide".to_owned(),
            _ => commands.iter().map(|name| format!("{PREFIX}{name}")).collect::<Vec<_>>().join(" or "),
        };
        Err(GtpError::NoMove { phase: whole.phase().name(), commands })
    }

    /// Plays what the player chose; where a pass costs a stone, it hands one over.
    pub(super) fn play_decision(&mut self, color: Color, decision: Decision) -> Result<Decision, GtpError> {
        let event = match decision {
            Decision::Resign => GameEvent::Resign,
            Decision::Move(Move::Play(point)) => GameEvent::Play(point),
            Decision::Move(Move::Pass) => self.pass_event(color),
        };
        self.apply(color, event).map(|()| decision)
    }

    fn pass_event(&self, color: Color) -> GameEvent {
        let costs_stone =
            self.whole.as_ref().is_some_and(|whole| whole.check(color, &GameEvent::HandOver).is_ok());
        if costs_stone { GameEvent::HandOver } else { GameEvent::Pass }
    }
}
