//! Files to games.

use super::{
    Event, SgfGame,
    build::GameReader,
    diagnose::{Diagnostic, DiagnosticKind, SgfError, SgfErrorKind, excerpt},
    lex::{Lexer, is_space},
    tree::{Fault, Tree},
};

/// How much a reader accepts, so that a hostile file cannot exhaust memory or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub bytes: usize,
    /// Games of one file.
    pub games: usize,
    /// Nodes in the main line of one game.
    pub nodes: usize,
    /// Values of all properties of one node.
    pub values: usize,
    /// Levels of variations. Nesting costs no memory, so that this may be high.
    pub depth: usize,
    /// Points that the setup properties of one game list, rectangles counted point by point.
    pub setup_points: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let many = 1_000_000;
        Self { bytes: 1 << 30, games: many, nodes: many, values: many, depth: many, setup_points: many }
    }
}

/// One game of a file, where it was found and what is doubtful about it.
#[derive(Clone, Debug)]
pub struct Record {
    /// Offset of the game's `(` in the file.
    pub byte: usize,
    /// The game itself.
    pub game: SgfGame,
    /// The program that wrote the file (`AP`).
    pub application: Option<String>,
    /// The character set that the text was decoded from, by its standard name.
    pub charset: &'static str,
    /// How many variations beside the main line were left out.
    pub variation_count: usize,
    /// What is doubtful, in the order found.
    pub warnings: Vec<Diagnostic>,
    /// How many warnings are not in the list since it was full.
    pub warnings_left_out: usize,
    /// Offsets of `game.events`.
    pub(super) event_bytes: Vec<usize>,
}

impl Record {
    /// Returns a game that is read from something else than SGF: all its places are this byte, and nothing is doubtful.
    pub(crate) fn new(byte: usize, game: SgfGame) -> Self {
        let event_bytes = vec![byte; game.events.len()];
        Self {
            byte,
            game,
            application: None,
            charset: "UTF-8",
            variation_count: 0,
            warnings: Vec::new(),
            warnings_left_out: 0,
            event_bytes,
        }
    }

    /// Returns each event of the game with the offset of its property in the file and the number of the move, from 1; for a setup, of the last move
    /// before it.
    pub fn events(&self) -> impl Iterator<Item = (&Event, usize, usize)> {
        let mut move_number = 0;
        self.game.events.iter().zip(&self.event_bytes).map(move |(event, &byte)| {
            move_number += usize::from(matches!(event, Event::Play { .. }));
            (event, byte, move_number)
        })
    }
}

/// Reads every game of a file with the default [`Limits`], usable or not. A file without any game gives one error.
///
/// Takes any bytes, never panics and never recurses. A game that cannot be used does not stop those after it. Cost: O(n) for n bytes; holds all games
/// at once (see [`read_games`] to hold one at a time).
#[must_use]
pub fn read_collection(bytes: &[u8]) -> Vec<Result<Record, SgfError>> {
    read_games(bytes, Limits::default()).collect()
}

/// Reads the games of a file one by one.
///
/// ```
/// use jigo_selfplay::sgf::{Limits, read_games};
/// let file = b"(;SZ[9]B[ee];W[cc]) (;SZ[9];B[zz]) (;GM[2])";
/// let read: Vec<_> = read_games(file, Limits::default()).collect();
/// assert_eq!(read[0].as_ref().unwrap().game.moves().count(), 2);
/// assert_eq!(
///     read[1].as_ref().unwrap_err().to_string(),
///     "byte 29, move 1: `zz` is not on the 9x9 board: correct the point or SZ"
/// );
/// assert!(read[2].is_err());
/// ```
#[must_use]
pub fn read_games(bytes: &[u8], limits: Limits) -> Games<'_> {
    let lexer = Lexer::new(bytes);
    let mut games =
        Games { lexer, limits, game_count: 0, has_mark: false, is_at_game: false, stray: None, fault: None };
    games.fault = games.start(bytes).err();
    games
}

/// The games of a file, in order: see [`read_games`].
#[derive(Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
    limits: Limits,
    game_count: usize,
    /// Whether the file starts with a UTF-8 mark.
    has_mark: bool,
    /// Whether the lexer stands before a game.
    is_at_game: bool,
    /// Where text was skipped before the first game, and a warning of it.
    stray: Option<(usize, String)>,
    /// What is wrong with the file as a whole.
    fault: Option<Fault>,
}

impl Iterator for Games<'_> {
    type Item = Result<Record, SgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some((byte, kind)) = self.fault.take() {
            return Some(Err(SgfError { byte, move_number: None, kind }));
        }
        self.is_at_game.then(|| self.game())
    }
}

impl std::iter::FusedIterator for Games<'_> {}

impl Games<'_> {
    /// Checks the file as a whole and moves to its first game.
    fn start(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";
        let limit = self.limits.bytes;
        if bytes.len() > limit {
            return Err((limit, SgfErrorKind::TooLarge { what: "bytes", limit }));
        }
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return Err((0, SgfErrorKind::Utf16));
        }
        self.has_mark = bytes.starts_with(UTF_8_MARK);
        if self.has_mark {
            self.lexer.advance(UTF_8_MARK.len());
        }
        self.stray = self.skip_to_game();
        if self.is_at_game { Ok(()) } else { Err((0, SgfErrorKind::NoGame)) }
    }

    /// Moves to the next game and returns a warning of what it passed over, with its place.
    fn skip_to_game(&mut self) -> Option<(usize, String)> {
        let byte = self.lexer.position();
        let (skipped, is_at_game) = self.lexer.skip_to_game();
        self.is_at_game = is_at_game;
        let first = skipped.iter().position(|&byte| !is_space(byte))?;
        let text = skipped[first..].trim_ascii_end();
        let message = format!("{} bytes outside a game are skipped: `{}`", text.len(), excerpt(text));
        Some((byte + first, message))
    }

    /// Reads the game before which the lexer stands, and moves to the next one.
    fn game(&mut self) -> Result<Record, SgfError> {
        let byte = self.lexer.position();
        let mut reader = GameReader::new(byte, self.limits);
        let limit = self.limits.games;
        if self.game_count == limit {
            self.is_at_game = false;
            return Err(reader.error((byte, SgfErrorKind::TooLarge { what: "games in one file", limit })));
        }
        self.game_count += 1;
        let warn = |reader: &mut GameReader, stray: Option<(usize, String)>| {
            if let Some((byte, text)) = stray {
                reader.warn(byte, DiagnosticKind::StrayText, text);
            }
        };
        warn(&mut reader, self.stray.take());
        let mut tree = Tree::new(&mut self.lexer, self.limits, self.has_mark);
        let read = reader.read(&mut tree, self.has_mark);
        tree.abandon();
        let stray = self.skip_to_game();
        read.map_err(|fault| reader.error(fault))?;
        warn(&mut reader, stray);
        Ok(reader.finish())
    }
}
