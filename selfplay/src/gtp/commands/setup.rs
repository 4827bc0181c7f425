//! Commands that begin a game: board, komi, handicap.

use std::collections::BTreeSet;

use jigo_engine::{
    BoardSize, Color, Move, Point,
    game::{StarOrder, fixed_handicap as stars, max_fixed_handicap},
};

use super::{Arguments, GtpError, Session};
use crate::gtp::{
    arguments::{vertex, vertices},
    session::Start,
};

pub(super) fn boardsize(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    match arguments.at_most_one() {
        Ok(Some(side)) => resize(session, arguments, side, side),
        Ok(None) => Err(arguments.usage_error()),
        Err(_) => rectangular_boardsize(session, arguments),
    }
}

pub(super) fn rectangular_boardsize(
    session: &mut Session,
    arguments: &Arguments<'_>,
) -> Result<String, GtpError> {
    let [columns, rows] = arguments.exactly()?;
    resize(session, arguments, columns, rows)
}

fn resize(
    session: &mut Session,
    arguments: &Arguments<'_>,
    columns: &str,
    rows: &str,
) -> Result<String, GtpError> {
    let (columns, rows) = (arguments.number(columns)?, arguments.number(rows)?);
    session.clear(BoardSize::new(columns, rows).map_err(|_| GtpError::UnacceptableSize)?);
    Ok(String::new())
}

pub(super) fn clear_board(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    session.clear(session.size());
    Ok(String::new())
}

pub(super) fn komi(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [komi] = arguments.exactly()?;
    session.komi = komi.parse()?;
    Ok(String::new())
}

pub(super) fn get_komi(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| session.komi.to_string())
}

/// The number of stones asked for, if the board is empty.
fn stones_asked_for(session: &Session, arguments: &Arguments<'_>) -> Result<u32, GtpError> {
    let [stones] = arguments.exactly()?;
    let stones = arguments.number(stones)?;
    require_empty(session)?;
    Ok(stones)
}

fn require_empty(session: &Session) -> Result<(), GtpError> {
    let board = session.game().board();
    let is_empty = Color::BOTH.iter().all(|&color| board.stone_count(color) == 0);
    if is_empty { Ok(()) } else { Err(GtpError::BoardNotEmpty) }
}

/// Starts the game with these stones and answers their vertices.
fn give(session: &mut Session, points: &[Point]) -> Result<String, GtpError> {
    let start = Start::handicap(points.iter().copied());
    let no_liberty = |_| GtpError::BadVertexList("no point of the board would stay empty".to_owned());
    session.set_start(start).map_err(no_liberty)?;
    Ok(vertices(points.iter().copied(), session.size()))
}

pub(super) fn fixed_handicap(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let stones = stones_asked_for(session, arguments)?;
    let points: Vec<Point> = stars(session.size(), stones, StarOrder::Gtp)?.collect();
    give(session, &points)
}

/// Star points while they last; else Black plays so many moves by the policy, or fewer if it passes. While a point stays empty, it cannot give
/// stones up.
pub(super) fn place_free_handicap(
    session: &mut Session,
    arguments: &Arguments<'_>,
) -> Result<String, GtpError> {
    let stones = stones_asked_for(session, arguments)?;
    let size = session.size();
    let max = size.point_count() - 1;
    if stones < 2 || stones as usize > max {
        return Err(GtpError::FreeHandicap(max));
    }
    if stones <= max_fixed_handicap(size) {
        return fixed_handicap(session, arguments);
    }
    let mut trial = session.clone();
    let mut points = Vec::new();
    while points.len() < stones as usize
        && let mv @ Move::Play(point) = trial.draw(Color::Black)
    {
        trial.play(Color::Black, mv)?;
        points.push(point);
    }
    if points.len() < 2 {
        return Err(GtpError::NoPlace);
    }
    *session = trial;
    give(session, &points)
}

pub(super) fn set_free_handicap(
    session: &mut Session,
    arguments: &Arguments<'_>,
) -> Result<String, GtpError> {
    require_empty(session)?;
    let bad = |reason: &str| GtpError::BadVertexList(reason.to_owned());
    let mut points = Vec::new();
    for word in arguments.words {
        let mv = vertex(word, session.size()).map_err(|error| match error {
            GtpError::Vertex(error) => bad(&error.to_string()),
            error => error,
        })?;
        points.push(mv.point().ok_or_else(|| bad("pass is no stone"))?);
    }
    if points.len() < 2 {
        return Err(bad("a handicap has two stones or more"));
    }
    if points.iter().collect::<BTreeSet<_>>().len() < points.len() {
        return Err(bad("a point is named twice"));
    }
    if points.len() == session.size().point_count() {
        return Err(bad("one point must stay empty"));
    }
    give(session, &points).map(|_| String::new())
}
