//! Games to files.

use jigo_engine::{Color, Point};

use super::{Event, GameInfo, Setup, SgfGame, text::escape};

/// Writes a game as one FF\[4\] game tree in UTF-8, with a line break at its end.
///
/// The text is a function of the game alone: no dates, no names that the game does not state. [Reading](super::read_collection) it gives an equal
/// game if all points are on the board and all setup before the first move is in [`SgfGame::setup`]; an empty setup is left out. Write several games
/// one after the other for a collection.
///
/// ```
/// use jigo_engine::{BoardSize, Color, Move, Point};
/// use jigo_selfplay::sgf::{SgfGame, write};
/// let mut game = SgfGame::new(BoardSize::new(9, 13).unwrap());
/// game.set_player(Color::Black, "[a]");
/// game.play(Color::Black, Move::Play(Point::new(4, 6)));
/// game.play(Color::White, Move::Pass);
/// let version = env!("CARGO_PKG_VERSION");
/// let expected = format!("(;FF[4]GM[1]CA[UTF-8]AP[jigo:{version}]SZ[9:13]\nPB[[a\\]]\n;B[eg];W[])\n");
/// assert_eq!(write(&game), expected);
/// ```
#[must_use]
pub fn write(game: &SgfGame) -> String {
    write_annotated(game, &[])
}

/// Writes a game with further properties after its first events.
pub(crate) fn write_annotated(game: &SgfGame, further: &[String]) -> String {
    let mut lines = Lines { text: String::with_capacity(300 + 6 * game.events.len()), line_start: 0 };
    lines.push(concat!("(;FF[4]GM[1]CA[UTF-8]AP[jigo:", env!("CARGO_PKG_VERSION"), "]"));
    let (width, height) = (game.size.width(), game.size.height());
    let rows = if game.size.is_square() { String::new() } else { format!(":{height}") };
    lines.push(&format!("SZ[{width}{rows}]"));
    lines.end();
    write_info(&mut lines, &game.info);
    write_setup(&mut lines, &game.setup);
    let further = further.iter().map(String::as_str).chain(std::iter::repeat(""));
    for (event, further) in game.events.iter().zip(further) {
        match event {
            Event::Play { color, mv } => {
                let point = mv.point().map(Point::to_sgf).unwrap_or_default();
                lines.push(&format!(";{}[{point}]{further}", letter(*color)));
            }
            Event::Setup(setup) if setup.is_empty() => {}
            Event::Setup(setup) => {
                lines.push(";");
                write_setup(&mut lines, setup);
            }
        }
    }
    lines.text.push_str(")\n");
    lines.text
}

/// The order in which properties are written; those not named here follow by name.
const ORDER: [&str; 14] =
    ["GN", "EV", "RO", "PC", "DT", "RU", "KM", "HA", "RE", "PB", "BR", "PW", "WR", "TM"];

fn write_info(lines: &mut Lines, info: &GameInfo) {
    let first = ORDER.iter().map(|&name| (name, info.values(name)));
    let rest = info.iter().filter(|(name, _)| !ORDER.contains(name));
    for (name, values) in first.chain(rest).filter(|(_, values)| !values.is_empty()) {
        let mut property = name.to_owned();
        for value in values {
            property.extend(["[", &escape(value), "]"]);
        }
        lines.push(&property);
    }
    lines.end();
}

fn write_setup(lines: &mut Lines, setup: &Setup) {
    let contents = [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)];
    for (name, content) in contents {
        for (index, point) in setup.points_with(content).enumerate() {
            let name = if index == 0 { name } else { "" };
            lines.push(&format!("{name}[{}]", point.to_sgf()));
        }
    }
    if let Some(color) = setup.to_play {
        lines.push(&format!("PL[{}]", letter(color)));
    }
    lines.end();
}

/// Returns the name of a player's property.
pub(crate) const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// Text in lines of limited width, broken between parts only.
struct Lines {
    text: String,
    line_start: usize,
}

impl Lines {
    /// The widest line, unless a single part is wider.
    const WIDTH: usize = 78;

    /// Adds a part, on a new line when this one is full.
    fn push(&mut self, part: &str) {
        if self.text.len() - self.line_start + part.len() > Self::WIDTH {
            self.end();
        }
        self.text.push_str(part);
        if let Some(at) = part.rfind('\n') {
            self.line_start = self.text.len() - part.len() + at + 1;
        }
    }

    /// Ends the line unless nothing is on it.
    fn end(&mut self) {
        if self.text.len() > self.line_start {
            self.text.push('\n');
            self.line_start = self.text.len();
        }
    }
}
