//! Games of a match as SGF, and SGF as games of a match.

use jigo_engine::{BoardSize, Color, Move};

use super::{DeadStones, MatchEnding, MatchResult, MatchSpec};
use crate::sgf::{self, Event, GameResult, SgfGame, WinBy};

/// Returns a game of these moves.
pub(super) fn plain(spec: &MatchSpec, moves: &[Move]) -> SgfGame {
    let mut game = SgfGame::new(spec.size);
    game.set_rule_set(spec.rules);
    game.set_komi(spec.komi);
    let mut color = Color::Black;
    for &mv in moves {
        game.play(color, mv);
        color = color.opponent();
    }
    game
}

/// Returns the game as text, with players and result; a function of the game alone.
pub(super) fn text(spec: &MatchSpec, result: &MatchResult, mut game: SgfGame) -> String {
    game.set_result(&stated(result));
    for color in Color::BOTH {
        let player = &spec.players[result.contestant(color).index()];
        game.set_player(color, &player.to_string());
    }
    for (name, text) in [("GN", format!("game {}", result.game)), ("GC", comment(result))] {
        // Both are names of text properties.
        let _ = game.info.set(name, &text);
    }
    sgf::write(&game)
}

/// Returns the moves of a game on a board of this size that was written as [`text`] does.
pub(super) fn moves(text: &[u8], size: BoardSize) -> Result<Vec<Move>, String> {
    match sgf::read_collection(text).as_slice() {
        [Ok(record)] => plain_moves(&record.game, size),
        [Err(error)] => Err(error.to_string()),
        games => Err(format!("{} games are there", games.len())),
    }
}

/// Returns the moves of a game from the empty board of this size, the players alternating, Black first; what else the game has is an error.
pub(super) fn plain_moves(game: &SgfGame, size: BoardSize) -> Result<Vec<Move>, String> {
    if game.size != size {
        return Err(format!("its board is {}, that of the match {size}", game.size));
    }
    if game.setup.points().next().is_some() {
        return Err("AB, AW or AE changes the board before the first move".to_owned());
    }
    let (mut moves, mut to_play) = (Vec::new(), Color::Black);
    for event in &game.events {
        let number = moves.len() + 1;
        match event {
            Event::Play { color, mv } if *color == to_play => moves.push(*mv),
            Event::Play { color, .. } => return Err(format!("move {number} is {color}'s, out of turn")),
            Event::Setup(_) => return Err(format!("the position is changed before move {number}")),
        }
        to_play = to_play.opponent();
    }
    Ok(moves)
}

fn stated(result: &MatchResult) -> GameResult {
    let Some(winner) = result.winning_color() else { return GameResult::Draw };
    let by = match (result.ending, result.half_points) {
        (_, Some(half_points)) => WinBy::HalfPoints(half_points.unsigned_abs()),
        (MatchEnding::Resignation, None) => WinBy::Resignation,
        (MatchEnding::Timeout, None) => WinBy::Time,
        (_, None) => WinBy::Forfeit,
    };
    GameResult::Win { winner, by }
}

/// Says how the game ended.
fn comment(result: &MatchResult) -> String {
    let ending = match result.ending {
        MatchEnding::PlyCap => "ply-cap: not over, counted without removing dead stones".to_owned(),
        ending => ending.to_string(),
    };
    let dead = match result.dead {
        DeadStones::NotAsked => "",
        DeadStones::Agreed => "; dead stones agreed",
        DeadStones::Common => "; dead stones disputed, removed what both named",
        DeadStones::Disputed => "; dead stones disputed, counted without removing them",
    };
    let separator = if result.detail.is_empty() { "" } else { ": " };
    format!("{ending}{dead}{separator}{}", result.detail)
}
