//! Game records.

use std::path::Path;

use jigo_engine::Color;

use super::{Arguments, GtpError, Session};
use crate::{
    files::{MAX_TEXT_BYTES, read_file, write_whole},
    gtp::session::Start,
    sgf::{Event, Setup, SgfGame, read_collection, write},
};

/// Loads the first game of a file, to its end or to the position before a move.
pub(super) fn loadsgf(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let (path, limit) = match arguments.words {
        [path] => (path, usize::MAX),
        [path, before] => (path, arguments.number::<usize>(before)?.saturating_sub(1)),
        _ => return Err(arguments.usage_error()),
    };
    let bytes = read_file(path.as_ref(), MAX_TEXT_BYTES)
        .map_err(|error| GtpError::CannotLoad(format!("{path}: {error}")))?;
    let mut games = read_collection(&bytes).games.into_iter();
    let game = games.next().ok_or_else(|| GtpError::CannotLoad(format!("{path} holds no game")))?;
    let game = game.map_err(|error| GtpError::CannotLoad(error.to_string()))?.game;
    let mut next = session.clone();
    load(&mut next, &game, limit).map_err(GtpError::CannotLoad)?;
    *session = next;
    Ok(String::new())
}

/// Plays the first `limit` moves of a record, under the rules in force.
fn load(session: &mut Session, game: &SgfGame, limit: usize) -> Result<(), String> {
    session.clear(game.size);
    session.komi = game.komi().unwrap_or(session.komi);
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
                let to_play = setup.to_play.unwrap_or(session.game().to_play());
                set_up(session, setup, to_play)?;
            }
        }
    }
    Ok(())
}

/// Starts again from the position with these changes; the prisoners stay.
fn set_up(session: &mut Session, setup: &Setup, to_play: Color) -> Result<(), String> {
    if setup.is_empty() && to_play == session.game().to_play() {
        return Ok(());
    }
    let board = session.game().board();
    let mut contents: Vec<_> = board.size().points().map(|point| (point, board.stone(point))).collect();
    for (point, content) in setup.points() {
        contents[point.index(board.size())].1 = content;
    }
    let stones = contents.into_iter().filter_map(|(point, content)| Some((point, content?))).collect();
    let prisoners = Color::BOTH.map(|color| session.prisoners(color));
    let size = board.size();
    let no_liberty = |error: jigo_engine::board::NoLiberty| {
        format!("the chain at {} is set up without a liberty", error.point.to_gtp(size))
    };
    session.set_start(Start { stones, to_play, prisoners }).map_err(no_liberty)
}

/// Writes the game to a file, or answers it.
pub(super) fn printsgf(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let path = arguments.at_most_one()?;
    let text = write(&record(session));
    match path {
        None => Ok(text),
        Some(path) => {
            write_whole(Path::new(path), text.as_bytes())
                .map_err(|error| GtpError::CannotWrite(format!("{path}: {error}")))?;
            Ok(String::new())
        }
    }
}

fn record(session: &Session) -> SgfGame {
    let start = session.start();
    let mut game = SgfGame::new(session.size());
    game.set_komi(session.komi);
    game.set_rule_set(session.rules().rules);
    for &(point, color) in &start.stones {
        game.setup.put(point, Some(color));
    }
    if !start.stones.is_empty() || start.to_play == Color::White {
        game.setup.to_play = Some(start.to_play);
    }
    if start.stones.len() > 1 && start.stones.iter().all(|&(_, color)| color == Color::Black) {
        game.set_handicap(start.stones.len() as u32);
    }
    session.moves().iter().for_each(|&(color, mv)| game.play(color, mv));
    game
}
