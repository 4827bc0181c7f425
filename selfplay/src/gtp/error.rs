//! Why a command failed.

use jigo_engine::{
    Color, IllegalMove, InvalidPoint,
    game::InvalidHandicap,
    rules::{InvalidKataGoRules, UnknownRules},
};

/// A failed command. The message begins with the words of the specification, where it has any, and then says why.
#[derive(Debug, thiserror::Error)]
pub(super) enum GtpError {
    #[error("unknown command")]
    UnknownCommand,
    #[error("syntax error: write {0}")]
    Usage(&'static str),
    #[error("syntax error: `{0}` is not a color: write black or white")]
    Color(String),
    #[error("syntax error: {0}")]
    Vertex(#[from] InvalidPoint),
    #[error("syntax error: {0}")]
    Komi(#[from] jigo_engine::InvalidKomi),
    #[error("syntax error: the line is longer than {0} bytes")]
    LineTooLong(usize),
    #[error("unacceptable size: both sides must be from 1 to 25")]
    UnacceptableSize,
    #[error("board not empty: send clear_board first")]
    BoardNotEmpty,
    #[error("invalid number of stones: {0}")]
    Handicap(#[from] InvalidHandicap),
    #[error("invalid number of stones: write 2 to {0}")]
    FreeHandicap(usize),
    #[error("invalid number of stones: the policy finds no place for two")]
    NoPlace,
    #[error("bad vertex list: {0}")]
    BadVertexList(String),
    #[error("illegal move: {0}")]
    Illegal(#[from] IllegalMove),
    #[error("cannot undo: there is no move to take back")]
    CannotUndo,
    #[error("cannot load file: {0}")]
    CannotLoad(String),
    #[error("cannot write file: {0}")]
    CannotWrite(String),
    #[error("{0}")]
    Rules(#[from] UnknownRules),
    #[error("{0}")]
    KataGoRules(#[from] InvalidKataGoRules),
    #[error("komi is set by the command komi, not with the rules")]
    KomiInRules,
    #[error(
        "these rules forbid move {number} of this game, {color} {vertex}: {rule}; send clear_board first"
    )]
    RulesForbid { number: usize, color: Color, vertex: String, rule: IllegalMove },
}
