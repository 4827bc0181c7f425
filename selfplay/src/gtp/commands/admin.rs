//! Commands about the engine itself.

use super::{Arguments, COMMANDS, GtpError, Session, find};
use crate::gtp::arguments::color;

pub(super) fn protocol_version(_: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| "2".to_owned())
}

pub(super) fn name(_: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| "jigo".to_owned())
}

pub(super) fn version(_: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| env!("CARGO_PKG_VERSION").to_owned())
}

pub(super) fn known_command(_: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly().map(|[name]| find(name).is_some().to_string())
}

pub(super) fn list_commands(_: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

pub(super) fn quit(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    session.has_quit = true;
    Ok(String::new())
}

/// Checked and passed over: policies need no time.
pub(super) fn time_settings(_: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    for word in arguments.exactly::<3>()? {
        arguments.number::<u32>(word)?;
    }
    Ok(String::new())
}

/// Checked and passed over.
pub(super) fn time_left(_: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [player, seconds, stones] = arguments.exactly()?;
    color(player)?;
    arguments.number::<i64>(seconds)?;
    arguments.number::<u32>(stones)?;
    Ok(String::new())
}
