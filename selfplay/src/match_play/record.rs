//! Games of a match as SGF.

use jigo_engine::{Color, Move};

use super::{DeadStones, Ending, MatchResult, MatchSpec};
use crate::sgf::{self, GameResult, SgfGame, WinBy};

/// The game as text; a function of the game alone.
pub(super) fn sgf(spec: &MatchSpec, result: &MatchResult, moves: &[Move]) -> String {
    let mut game = SgfGame::new(spec.size);
    game.set_rule_set(spec.rules);
    game.set_komi(spec.komi);
    game.set_result(&stated(result));
    for color in Color::BOTH {
        let player = &spec.players[result.contestant(color).index()];
        game.set_player(color, &player.to_string());
    }
    for (name, text) in [("GN", format!("game {}", result.game)), ("GC", comment(result))] {
        // Both are names of text properties.
        let _ = game.info.set(name, &text);
    }
    let mut color = Color::Black;
    for &mv in moves {
        game.play(color, mv);
        color = color.opponent();
    }
    sgf::write(&game)
}

fn stated(result: &MatchResult) -> GameResult {
    let Some(winner) = result.winning_color() else { return GameResult::Draw };
    let by = match (result.ending, result.half_points) {
        (_, Some(half_points)) => WinBy::HalfPoints(half_points.unsigned_abs()),
        (Ending::Resignation, None) => WinBy::Resignation,
        (Ending::Timeout, None) => WinBy::Time,
        (_, None) => WinBy::Forfeit,
    };
    GameResult::Win { winner, by }
}

/// How the game ended, in words.
fn comment(result: &MatchResult) -> String {
    let ending = match result.ending {
        Ending::PlyCap => "ply-cap: not over, counted as it stands".to_owned(),
        ending => ending.to_string(),
    };
    let dead = match result.dead {
        DeadStones::NotAsked => "",
        DeadStones::Agreed => "; dead stones agreed",
        DeadStones::Disputed => "; dead stones disputed, counted as it stands",
    };
    let separator = if result.detail.is_empty() { "" } else { ": " };
    format!("{ending}{dead}{separator}{}", result.detail)
}
