//! Commands that begin a game: board, komi, handicap, game records.

use std::{collections::BTreeSet, path::Path};

use jigo_engine::{
    BoardSize, Color, Move, Point,
    board::NoLiberty,
    game::{fixed_handicap as stars, max_fixed_handicap},
    rules::Handicap,
};

use super::{
    Gtp,
    commands::{Answer, Arguments, vertices},
    session::{GtpError, Session, Start},
    whole::before_ply,
};
use crate::{
    files::{MAX_TEXT_BYTES, read_file, write_regular},
    sgf::{CONDUCT, Event, Setup, SgfGame, from_protocol, read_collection, to_protocol, write},
};

pub(super) fn boardsize(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let [columns, rows] = match arguments.words {
        [side] => [*side; 2],
        _ => arguments.exactly()?,
    };
    let (columns, rows) = (arguments.number(columns)?, arguments.number(rows)?);
    clear(gtp, BoardSize::new(columns, rows).map_err(|_| GtpError::UnacceptableSize)?)
}

pub(super) fn rectangular_boardsize(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    arguments.exactly::<2>()?;
    boardsize(gtp, arguments)
}

pub(super) fn clear_board(gtp: &mut Gtp) -> Answer {
    clear(gtp, gtp.session.size())
}

fn clear(gtp: &mut Gtp, size: BoardSize) -> Answer {
    let mut session = gtp.session.clone();
    session.clear(size);
    gtp.begin(session);
    Ok(String::new())
}

pub(super) fn komi(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let [komi] = arguments.exactly()?;
    gtp.session.require_no_whole_game()?;
    gtp.session.set_komi(komi.parse()?);
    Ok(String::new())
}

/// Returns the number of stones asked for, if the board is empty.
fn stones_asked_for(session: &Session, arguments: &Arguments<'_>) -> Result<u32, GtpError> {
    let [stones] = arguments.exactly()?;
    let stones = arguments.number(stones)?;
    require_empty(session)?;
    Ok(stones)
}

fn require_empty(session: &Session) -> Result<(), GtpError> {
    session.require_no_whole_game()?;
    let board = session.game.board();
    let is_empty = Color::BOTH.iter().all(|&color| board.stone_count(color) == 0);
    if is_empty { Ok(()) } else { Err(GtpError::BoardNotEmpty) }
}

/// Starts the game with these stones of Black, White to play, and answers their vertices.
fn give(session: &mut Session, points: &[Point]) -> Answer {
    let stones = points.iter().map(|&point| (point, Color::Black)).collect();
    let start = Start { stones, to_play: Color::White, ..Start::EMPTY };
    let no_liberty = |_| GtpError::BadVertexList("no point of the board would stay empty".to_owned());
    session.set_start(start).map_err(no_liberty)?;
    Ok(vertices(points.iter().copied(), session.size()))
}

pub(super) fn fixed_handicap(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let stones = stones_asked_for(&gtp.session, arguments)?;
    let order = gtp.session.rules.handicap_order();
    let points: Vec<Point> = stars(gtp.session.size(), stones, order)?.collect();
    give(&mut gtp.session, &points)
}

/// Takes star points while they last; else Black plays so many moves, or fewer if it passes.
pub(super) fn place_free_handicap(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let stones = stones_asked_for(&gtp.session, arguments)?;
    let size = gtp.session.size();
    let max = size.point_count() - 1;
    if stones < 2 || stones as usize > max {
        return Err(GtpError::FreeHandicap(max));
    }
    if stones <= max_fixed_handicap(size) {
        return fixed_handicap(gtp, arguments);
    }
    let points = gtp.choose_handicap(stones as usize)?;
    give(&mut gtp.session, &points)
}

pub(super) fn set_free_handicap(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    require_empty(&gtp.session)?;
    if gtp.session.rules.handicap == Handicap::Fixed {
        return Err(GtpError::FixedHandicap);
    }
    let bad = |reason: &str| GtpError::BadVertexList(reason.to_owned());
    let mut points = Vec::new();
    for word in arguments.words {
        let mv = Move::from_gtp(word, gtp.session.size()).map_err(|error| bad(&error.to_string()))?;
        points.push(mv.point().ok_or_else(|| bad("pass is no stone"))?);
    }
    if points.len() < 2 {
        return Err(bad("a handicap has two stones or more"));
    }
    if points.iter().collect::<BTreeSet<_>>().len() < points.len() {
        return Err(bad("a point is named twice"));
    }
    if points.len() == gtp.session.size().point_count() {
        return Err(bad("one point must stay empty"));
    }
    give(&mut gtp.session, &points).map(|_| String::new())
}

/// Loads the first game of a file, to its end or to the position before a move.
pub(super) fn loadsgf(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let (path, limit) = match arguments.words {
        [path] => (path, usize::MAX),
        [path, before] => (path, arguments.number::<usize>(before)?.saturating_sub(1)),
        _ => return Err(arguments.usage_error()),
    };
    let bytes = read_file(path.as_ref(), MAX_TEXT_BYTES)
        .map_err(|error| GtpError::CannotLoad(format!("{path}: {error}")))?;
    let mut games = read_collection(&bytes).into_iter();
    let game = games.next().ok_or_else(|| GtpError::CannotLoad(format!("{path} holds no game")))?;
    let game = game.map_err(|error| GtpError::CannotLoad(error.to_string()))?.game;
    let mut next = gtp.session.clone();
    if game.info.get(CONDUCT).is_some() {
        let whole = to_protocol(&game).map_err(|error| GtpError::CannotLoad(error.to_string()))?;
        next.begin_whole(before_ply(&whole, limit));
    } else {
        load(&mut next, &game, limit).map_err(GtpError::CannotLoad)?;
    }
    gtp.begin(next);
    Ok(String::new())
}

/// Plays the first `limit` moves of a record, under the rules in force.
fn load(session: &mut Session, game: &SgfGame, limit: usize) -> Result<(), String> {
    session.clear(game.size);
    if let Some(komi) = game.komi() {
        session.set_komi(komi);
    }
    set_up(session, &game.setup, game.first_to_play())?;
    let mut number = 0;
    for event in &game.events {
        if number == limit {
            break;
        }
        match event {
            Event::Play { color, mv } => {
                number += 1;
                let at = |error| format!("move {number}, {color} {}: {error}", mv.to_gtp(game.size));
                session.play(*color, *mv).map_err(at)?;
            }
            Event::Setup(setup) => {
                let to_play = setup.to_play.unwrap_or(session.game.to_play());
                set_up(session, setup, to_play)?;
            }
        }
    }
    Ok(())
}

/// Starts again from the position with these changes; the prisoners stay.
fn set_up(session: &mut Session, setup: &Setup, to_play: Color) -> Result<(), String> {
    if setup.is_empty() && to_play == session.game.to_play() {
        return Ok(());
    }
    let size = session.size();
    let stones = setup.stones_on(session.game.board());
    let prisoners = Color::BOTH.map(|color| session.prisoners(color));
    let no_liberty =
        |error: NoLiberty| format!("the chain at {} is set up without a liberty", error.point.to_gtp(size));
    session.set_start(Start { stones, to_play, prisoners }).map_err(no_liberty)
}

/// Writes the game to a file, or answers it.
pub(super) fn printsgf(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let game = gtp.session.whole.as_ref().map_or_else(|| record(&gtp.session), from_protocol);
    let text = write(&game);
    match arguments.words {
        [] => Ok(text),
        [path] => {
            write_regular(Path::new(path), text.as_bytes())
                .map_err(|error| GtpError::CannotWrite(format!("{path}: {error}")))?;
            Ok(String::new())
        }
        _ => Err(arguments.usage_error()),
    }
}

fn record(session: &Session) -> SgfGame {
    let start = &session.start;
    let mut game = SgfGame::new(session.size());
    game.set_komi(session.komi());
    game.set_rule_set(session.rules);
    for &(point, color) in &start.stones {
        game.setup.put(point, Some(color));
    }
    if !start.stones.is_empty() || start.to_play == Color::White {
        game.setup.to_play = Some(start.to_play);
    }
    if start.stones.len() > 1 && start.stones.iter().all(|&(_, color)| color == Color::Black) {
        game.set_handicap(start.stones.len() as u32);
    }
    session.moves.iter().for_each(|&(color, mv)| game.play(color, mv));
    game
}
