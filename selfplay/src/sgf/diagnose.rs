//! What can be wrong with a record: errors that make it unusable, and warnings that do not.

use std::fmt;

use jigo_engine::{BoardSize, names};

use crate::terminal::printable;

/// Why a game cannot be used, and where.
///
/// The message says what was expected or how to repair the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{kind}", place(*byte, *move_number))]
pub struct SgfFault<K> {
    /// Offset in the bytes that were read.
    pub byte: usize,
    /// Number of the move concerned or, between moves, of the last one before, from 1; `None` before the first move.
    pub move_number: Option<usize>,
    /// The reason.
    pub kind: K,
}

/// Why a game cannot be read.
pub type SgfError = SgfFault<SgfErrorKind>;

/// Returns where something was found, for the beginning of a message.
fn place(byte: usize, move_number: Option<usize>) -> String {
    match move_number {
        Some(number) => format!("byte {byte}, move {number}: "),
        None => format!("byte {byte}: "),
    }
}

/// The reasons for which a game cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgfErrorKind {
    /// No game tree anywhere in the file.
    #[error("no game found: an SGF file holds `(;` followed by properties such as `GM[1]`")]
    NoGame,
    /// The file is UTF-16.
    #[error("the file is UTF-16: save it as UTF-8")]
    Utf16,
    /// The end of the file inside a game.
    #[error("the file ends inside a game: its end is missing, or a closing `)`")]
    Truncated,
    /// The end of the file inside a value.
    #[error("this value is never closed: `]` is missing, or written as `\\]`")]
    UnclosedValue,
    /// The header of another game inside this one.
    #[error("another game starts before this one is closed: a `)` is missing before it")]
    NextGame,
    /// A node after a variation of the same sequence.
    #[error("a node follows a variation, so that the main line is not clear: put it into `(;...)`")]
    NodeAfterVariation,
    /// A move or setup property in small letters.
    #[error("`{0}` is not a property: names are written in capital letters, as in `B[pd]`")]
    LowercaseName(String),
    /// A move or setup property without a value.
    #[error("`{0}` has no value: a point in brackets is expected, as in `[pd]`, or `[]` for a pass")]
    MissingValue(String),
    /// A value that is no point.
    #[error("`{0}` is not a point: two small letters are expected, as in `pd`; a pass is `[]`")]
    BadPoint(String),
    /// A point outside the board.
    #[error("`{point}` is not on the {size} board: correct the point or SZ")]
    OffBoard {
        /// The point as written.
        point: String,
        /// The size of the board.
        size: BoardSize,
    },
    /// A size that is unreadable, not supported or contradicted.
    #[error(
        "`{0}` is not a board size: one side is expected, as in `SZ[19]`, or columns and rows, \
             as in `SZ[9:13]`, each from 1 to 25 and written once"
    )]
    BadSize(String),
    /// A record of another game than Go.
    #[error("`GM[{0}]` is not Go: only records with `GM[1]` can be used")]
    NotGo(String),
    /// A point to which one node gives two contents.
    #[error("`{0}` is set up twice with different colours in one node: remove one of them")]
    SetupTwice(String),
    /// One of the [`Limits`](super::Limits) is exceeded.
    #[error("more than {limit} {what}: split the file or raise the limit")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// The most that is accepted.
        limit: usize,
    },
}

impl SgfErrorKind {
    /// Returns a short name for tables.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoGame => "no game",
            Self::Utf16 => "UTF-16",
            Self::Truncated => "truncated",
            Self::UnclosedValue => "unclosed value",
            Self::NextGame => "next game inside",
            Self::NodeAfterVariation => "node after variation",
            Self::LowercaseName(_) => "name in small letters",
            Self::MissingValue(_) => "missing value",
            Self::BadPoint(_) => "not a point",
            Self::OffBoard { .. } => "point off the board",
            Self::BadSize(_) => "bad board size",
            Self::NotGo(_) => "not Go",
            Self::SetupTwice(_) => "point set up twice",
            Self::TooLarge { .. } => "too large",
        }
    }
}

/// Something doubtful in a game that can be used nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Offset in the bytes that were read.
    pub byte: usize,
    /// Number of the move concerned or, between moves, of the last one before, from 1; `None` before the first move.
    pub move_number: Option<usize>,
    /// What sort of doubt, for counting.
    pub kind: DiagnosticKind,
    /// What was found and what was made of it.
    pub text: String,
}

/// The sorts of [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// Bytes that belong to no property, or lie outside the game; they were skipped.
    StrayText,
    /// A property outside any node; a node was assumed.
    MissingNode,
    /// A property or value that may stand only once; the first was used.
    Repeated,
    /// A value that does not have the form of its property; it was not interpreted.
    BadValue,
    /// A character set that is unknown or contradicted by a byte-order mark.
    Charset,
    /// Text that is not valid in its character set; the bad bytes were replaced.
    Undecodable,
    /// Variations beside the main line; they were left out.
    Variations,
    /// Handicap and stones set up differ.
    Handicap,
    /// White plays first on an empty board.
    WhiteFirst,
    /// Another player than `PL` announced.
    NotToPlay,
    /// Two moves in succession by the same player.
    SameColor,
    /// Several moves in one node; they were played in the order written.
    MovesInNode,
    /// A move beside setup stones in one node; the stones were set up first.
    SetupAndMove,
    /// A point listed twice in one node.
    RepeatedPoint,
    /// A win by no points at all.
    EmptyWin,
}

names! {
    /// All sorts.
    DiagnosticKind {
        StrayText = "stray text",
        MissingNode = "missing node",
        Repeated = "repeated property",
        BadValue = "bad value",
        Charset = "character set",
        Undecodable = "undecodable text",
        Variations = "variations left out",
        Handicap = "handicap differs from setup",
        WhiteFirst = "White plays first",
        NotToPlay = "not to play",
        SameColor = "same colour twice",
        MovesInNode = "several moves in a node",
        SetupAndMove = "setup and move in a node",
        RepeatedPoint = "repeated point",
        EmptyWin = "win by nothing",
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", place(self.byte, self.move_number), self.text)
    }
}

/// Returns the start of `bytes` in a form fit for messages: at most 40 characters on one line.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    // No character takes more than four bytes, so that this much is enough.
    let start = bytes.get(..4 * LONGEST + 4).unwrap_or(bytes);
    let text = String::from_utf8_lossy(start);
    let end = text.char_indices().nth(LONGEST).map(|(end, _)| end);
    let shown = printable(&text[..end.unwrap_or(text.len())]);
    if end.is_some() { format!("{shown}...") } else { shown.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_place_and_the_repair() {
        let kind = SgfErrorKind::BadPoint("Q16".to_owned());
        let error = SgfError { byte: 17, move_number: Some(3), kind };
        assert_eq!(
            error.to_string(),
            "byte 17, move 3: `Q16` is not a point: two small letters are expected, as in `pd`; a pass is `[]`"
        );
        let kind = DiagnosticKind::StrayText;
        let warning = Diagnostic { byte: 2, move_number: None, kind, text: "`x` is skipped".to_owned() };
        assert_eq!(warning.to_string(), "byte 2: `x` is skipped");
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt(b"a\nb\x00"), "a\\nb\\u{0}");
        assert_eq!(excerpt(&[b'x'; 41]), "x".repeat(40) + "...");
        assert_eq!(excerpt(&[b'x'; 40]), "x".repeat(40));
        assert_eq!(excerpt(b"\xff"), "\u{fffd}");
        assert_eq!(excerpt("\u{202e}\u{9b}".repeat(30).as_bytes()), "\\u{202e}\\u{9b}".repeat(20) + "...");
    }
}
