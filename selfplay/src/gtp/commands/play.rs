//! Commands that make moves and take them back.

use super::{Arguments, GtpError, Session};
use crate::gtp::arguments::{color, vertex};

pub(super) fn play(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [player, point] = arguments.exactly()?;
    let (player, mv) = (color(player)?, vertex(point, session.size())?);
    session.play(player, mv)?;
    Ok(String::new())
}

pub(super) fn genmove(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let player = arguments.color()?;
    let mv = session.draw(player);
    session.play(player, mv)?;
    Ok(mv.to_gtp(session.size()))
}

/// What `genmove` would answer; the draws are given back.
pub(super) fn reg_genmove(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let player = arguments.color()?;
    Ok(session.clone().draw(player).to_gtp(session.size()))
}

pub(super) fn undo(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    session.undo()?;
    Ok(String::new())
}
