//! The commands: one table, one function each.

mod admin;
mod files;
mod play;
mod query;
mod rules;
mod score;
mod setup;

use super::{Arguments, GtpError, Session};

/// A command: its name, how it is written, and what it does.
struct Command {
    name: &'static str,
    /// The name with its arguments.
    usage: &'static str,
    run: fn(&mut Session, &Arguments<'_>) -> Result<String, GtpError>,
}

macro_rules! commands {
    ($($name:literal $arguments:literal => $run:path,)*) => {
        &[$(Command { name: $name, usage: concat!($name, $arguments), run: $run },)*]
    };
}

const COMMANDS: &[Command] = commands! {
    "all_legal" " COLOR" => query::all_legal,
    "boardsize" " SIZE or boardsize COLUMNS ROWS" => setup::boardsize,
    "captures" " COLOR" => query::captures,
    "clear_board" "" => setup::clear_board,
    "final_score" "" => score::final_score,
    "final_status_list" " alive, dead or seki" => score::final_status_list,
    "fixed_handicap" " STONES" => setup::fixed_handicap,
    "genmove" " COLOR" => play::genmove,
    "get_komi" "" => setup::get_komi,
    "is_legal" " COLOR VERTEX" => query::is_legal,
    "jigo-score" "" => score::jigo_score,
    "jigo-status" "" => score::jigo_status,
    "kata-get-rules" "" => rules::get_rules,
    "kata-set-rule" " RULE VALUE" => rules::set_rule,
    "kata-set-rules" " RULES" => rules::set_rules,
    "known_command" " COMMAND" => admin::known_command,
    "komi" " KOMI" => setup::komi,
    "list_commands" "" => admin::list_commands,
    "list_stones" " COLOR" => query::list_stones,
    "loadsgf" " FILE [MOVE]" => files::loadsgf,
    "move_history" "" => query::move_history,
    "name" "" => admin::name,
    "place_free_handicap" " STONES" => setup::place_free_handicap,
    "play" " COLOR VERTEX" => play::play,
    "printsgf" " [FILE]" => files::printsgf,
    "protocol_version" "" => admin::protocol_version,
    "query_boardsize" "" => query::boardsize,
    "quit" "" => admin::quit,
    "rectangular_boardsize" " COLUMNS ROWS" => setup::rectangular_boardsize,
    "reg_genmove" " COLOR" => play::reg_genmove,
    "set_free_handicap" " VERTEX VERTEX ..." => setup::set_free_handicap,
    "showboard" "" => query::showboard,
    "time_left" " COLOR SECONDS STONES" => admin::time_left,
    "time_settings" " MAIN_SECONDS OVERTIME_SECONDS OVERTIME_STONES" => admin::time_settings,
    "undo" "" => play::undo,
    "version" "" => admin::version,
};

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Runs a command and returns what it answers.
pub(super) fn run(session: &mut Session, name: &str, words: &[String]) -> Result<String, GtpError> {
    let command = find(name).ok_or(GtpError::UnknownCommand)?;
    (command.run)(session, &Arguments { words, usage: command.usage })
}
