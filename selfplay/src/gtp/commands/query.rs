//! Commands that tell how the game stands.

use jigo_engine::{Color, Move};

use super::{Arguments, GtpError, Session};
use crate::gtp::arguments::{color, vertex, vertices};

pub(super) fn boardsize(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let size = session.size();
    let (width, height) = (size.width(), size.height());
    Ok(if size.is_square() { width.to_string() } else { format!("{width} {height}") })
}

/// The board with coordinates, then who moves and the prisoners.
pub(super) fn showboard(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let (game, size) = (session.game(), session.size());
    let [black, white] = Color::BOTH.map(|color| session.prisoners(color));
    let last = match session.moves().last() {
        Some((color, mv)) => format!(", last move {color} {}", mv.to_gtp(size)),
        None => String::new(),
    };
    Ok(format!(
        "\n{:#}{} to play{last}; captured: {black} black, {white} white",
        game.board(),
        game.to_play()
    ))
}

pub(super) fn all_legal(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let color = arguments.color()?;
    Ok(vertices(session.legal_points(color), session.size()))
}

/// `1` or `0`.
pub(super) fn is_legal(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [player, point] = arguments.exactly()?;
    let (player, mv) = (color(player)?, vertex(point, session.size())?);
    let is_legal = match mv {
        Move::Pass => true,
        Move::Play(point) => session.legal_points(player).contains(&point),
    };
    Ok(u8::from(is_legal).to_string())
}

/// How many stones this player has captured.
pub(super) fn captures(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let color = arguments.color()?;
    Ok(session.prisoners(color.opponent()).to_string())
}

pub(super) fn list_stones(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let color = arguments.color()?;
    Ok(vertices(session.game().board().stones(color), session.size()))
}

/// One line a move, the last first.
pub(super) fn move_history(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let line = |(color, mv): &(Color, Move)| {
        format!("{} {}", color.to_string().to_lowercase(), mv.to_gtp(session.size()))
    };
    let lines: Vec<String> = session.moves().iter().rev().map(line).collect();
    Ok(lines.join("\n"))
}
