//! A game as SGF can tell it: board, setup, moves, and what is said about it in words.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    fmt,
    str::FromStr,
};

use jigo_engine::{Board, BoardSize, Color, InvalidPoint, Komi, Move, Point, game::HandicapStart};

use super::{
    replay::FINGERPRINT,
    text::{TextKind, normalise},
};

/// The private property of the root that lists the dead stones at the end.
const DEAD: &str = "JD";

/// The main line of one game: where it starts, what happens, and what is said about it.
///
/// Nothing is checked against the rules of Go: a move may stand on an occupied point. Equality is of content: the same game read from another place
/// in a file is equal.
///
/// ```
/// use jigo_engine::{Board, BoardSize, Color, Komi, Move, Point};
/// use jigo_selfplay::sgf::{self, SgfGame};
/// let mut game = SgfGame::new(BoardSize::square(9).unwrap());
/// game.set_komi(Komi::from_points(7));
/// game.play(Color::Black, Move::Play(Point::new(4, 4)));
/// game.play(Color::White, Move::Pass);
/// let text = sgf::write(&game);
/// let read = sgf::read_collection(text.as_bytes());
/// assert_eq!(read[0].as_ref().unwrap().game, game);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfGame {
    /// The board.
    pub size: BoardSize,
    /// The position before the first move, on an empty board. All setup before the first move is here, in whatever nodes it stood.
    pub setup: Setup,
    /// Text: players, rules, komi, handicap, result and whatever else the root says.
    pub info: GameInfo,
    /// What happened, in order, from the first move on.
    pub events: Vec<Event>,
}

/// One step of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A ply.
    Play {
        /// Who played. Nothing guarantees that colours alternate.
        color: Color,
        /// What.
        mv: Move,
    },
    /// A change of the position that is no move. Boxed, since it is large and rare.
    Setup(Box<Setup>),
}

/// Points that are given a content regardless of the rules, and who is to play then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Who is to play (`PL`), if stated.
    pub to_play: Option<Color>,
    points: BTreeMap<Point, Option<Color>>,
}

impl Setup {
    /// Gives a point a stone or, with `None`, empties it. Returns what this setup gave the point before, if anything.
    pub fn put(&mut self, point: Point, content: Option<Color>) -> Option<Option<Color>> {
        self.points.insert(point, content)
    }

    /// Returns the points set up with their contents, column by column from the left.
    pub fn points(&self) -> impl Iterator<Item = (Point, Option<Color>)> {
        self.points.iter().map(|(&point, &content)| (point, content))
    }

    /// Returns the points that receive this content: stones of a colour, or nothing.
    pub fn points_with(&self, content: Option<Color>) -> impl Iterator<Item = Point> {
        self.points().filter(move |&(_, other)| other == content).map(|(point, _)| point)
    }

    /// Returns whether nothing at all is set up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.to_play.is_none()
    }

    /// Returns the stones on a board once this is set up on it.
    pub(crate) fn stones_on<const W: usize>(&self, board: &Board<W>) -> Vec<(Point, Color)> {
        let content = |point| match self.points.get(&point) {
            Some(content) => *content,
            None => board.stone(point),
        };
        board.size().points().filter_map(|point| Some((point, content(point)?))).collect()
    }

    /// Adds a later setup to this one, overwriting it.
    pub(super) fn extend(&mut self, later: &Self) {
        self.points.extend(later.points());
        self.to_play = later.to_play.or(self.to_play);
    }
}

impl SgfGame {
    /// Returns a game on an empty board about which nothing is known.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        Self { size, setup: Setup::default(), info: GameInfo::default(), events: Vec::new() }
    }

    /// Adds a move. The point must be on the board for the game to be readable once written.
    pub fn play(&mut self, color: Color, mv: Move) {
        self.events.push(Event::Play { color, mv });
    }

    /// States the handicap of a game that begins like this, and adds its moves: stones on star points are set up, and those that Black puts are moves in
    /// a row.
    pub fn play_from_start(&mut self, start: &HandicapStart, moves: &[Move]) {
        if start.stones > 0 {
            self.set_handicap(start.stones);
        }
        for (point, color) in start.stones() {
            self.setup.put(point, Some(color));
        }
        self.setup.to_play = (!start.points.is_empty()).then_some(Color::White);
        for (color, mv) in start.turns(moves) {
            self.play(color, mv);
        }
    }

    /// Returns the moves in order, without the setup between them.
    pub fn moves(&self) -> impl Iterator<Item = (Color, Move)> {
        self.events.iter().filter_map(|event| match *event {
            Event::Play { color, mv } => Some((color, mv)),
            Event::Setup(_) => None,
        })
    }

    /// Returns who plays first: `PL` if it is stated, else the player of the first move, else White when the setup leaves Black alone on the board, else
    /// Black.
    #[must_use]
    pub fn first_to_play(&self) -> Color {
        let has = |color| self.setup.points_with(Some(color)).next().is_some();
        let by_setup = if has(Color::Black) && !has(Color::White) { Color::White } else { Color::Black };
        self.setup.to_play.or_else(|| self.moves().next().map(|(color, _)| color)).unwrap_or(by_setup)
    }

    /// Returns the komi if `KM` is a plain number of whole or half points, never divided: 375 is 375 points.
    ///
    /// `None` when it is absent or something else; the text is `info.get("KM")`.
    #[must_use]
    pub fn komi(&self) -> Option<Komi> {
        self.info.get("KM")?.trim().parse().ok()
    }

    /// Returns the handicap if `HA` is a whole number.
    #[must_use]
    pub fn handicap(&self) -> Option<u32> {
        super::build::number(self.info.get("HA")?.as_bytes())
    }

    /// Returns the rules as named by `RU`.
    #[must_use]
    pub fn rules(&self) -> Option<&str> {
        self.info.get("RU")
    }

    /// Returns the result that `RE` states; `None` when it is absent or empty.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        let text = self.info.get("RE").filter(|text| !text.trim().is_empty())?;
        let Ok(result) = text.parse();
        Some(result)
    }

    /// Returns the name of a player (`PB`, `PW`).
    #[must_use]
    pub fn player(&self, color: Color) -> Option<&str> {
        self.info.get(["PB", "PW"][color.index()])
    }

    /// States the komi.
    pub fn set_komi(&mut self, komi: Komi) {
        self.info.put("KM", vec![komi.to_string()]);
    }

    /// States the handicap. Places no stones: see [`Setup::put`].
    pub fn set_handicap(&mut self, stones: u32) {
        self.info.put("HA", vec![stones.to_string()]);
    }

    /// Names the rules, without a fingerprint: see [`set_rule_set`](Self::set_rule_set).
    pub fn set_rules(&mut self, rules: &str) {
        self.set_line("RU", rules);
        self.info.remove(FINGERPRINT);
    }

    /// States the result.
    pub fn set_result(&mut self, result: &GameResult) {
        self.set_line("RE", &result.to_string());
    }

    /// States which stones are dead at the end, in `JD`; that none is, is stated as an empty value.
    pub fn set_dead(&mut self, stones: &BTreeSet<Point>) {
        let mut values: Vec<String> = stones.iter().map(|stone| stone.to_sgf()).collect();
        if values.is_empty() {
            values.push(String::new());
        }
        self.info.put(DEAD, values);
    }

    /// Returns the stones that are stated to be dead at the end; `None` where nothing is stated.
    ///
    /// # Errors
    /// A value that is no point of the board.
    pub fn dead(&self) -> Result<Option<BTreeSet<Point>>, InvalidPoint> {
        let values = self.info.values(DEAD);
        let stones = values.iter().map(|value| value.trim()).filter(|value| !value.is_empty());
        let stones =
            stones.map(|value| Point::from_sgf(value.as_bytes(), self.size)).collect::<Result<_, _>>()?;
        Ok((!values.is_empty()).then_some(stones))
    }

    /// Names a player.
    pub fn set_player(&mut self, color: Color, name: &str) {
        self.set_line(["PB", "PW"][color.index()], name);
    }

    fn set_line(&mut self, name: &str, text: &str) {
        self.info.put(name, vec![normalise(text, TextKind::Simple)]);
    }
}

/// The text properties of a game, by name.
///
/// Holds everything that the root says except what [`SgfGame`](super::SgfGame) holds in another form (`SZ`, `AB`, `AW`, `AE`, `PL`, the moves) and
/// what describes the file (`FF`, `GM`, `CA`, `AP`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameInfo {
    properties: BTreeMap<String, Vec<String>>,
}

/// A name under which no text can be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` cannot hold text: a name is capital letters and digits, and not one of {}", RESERVED.join(" "))]
pub struct NotTextName {
    name: String,
}

/// Properties that are not kept as text.
const RESERVED: [&str; 11] = ["AB", "AE", "AP", "AW", "B", "CA", "FF", "GM", "PL", "SZ", "W"];

impl GameInfo {
    /// Returns the text of a property, the first one if there are several values; `None` when it is absent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values(name).first().map(String::as_str)
    }

    /// Returns all values of a property; empty when it is absent.
    #[must_use]
    pub fn values(&self, name: &str) -> &[String] {
        self.properties.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns all properties with their values, by name in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.properties.iter().map(|(name, values)| (name.as_str(), values.as_slice()))
    }

    /// Gives a property this text in place of what it had.
    ///
    /// White space is stored as the format can express it: tabs become spaces, and so do line breaks in properties of one line.
    ///
    /// # Errors
    /// [`NotTextName`] when `name` is not the name of a property, or of one that holds no text; nothing is changed then.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), NotTextName> {
        let is_letter = |byte: u8| byte.is_ascii_uppercase();
        let is_name = name.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit() || byte == b'_');
        if !name.bytes().next().is_some_and(is_letter) || !is_name || is_reserved(name) {
            return Err(NotTextName { name: name.to_owned() });
        }
        self.put(name, vec![normalise(text, TextKind::from_name(name))]);
        Ok(())
    }

    /// Removes a property.
    pub fn remove(&mut self, name: &str) {
        self.properties.remove(name);
    }

    /// Stores values that are normalised already, under a name that is valid already.
    pub(crate) fn put(&mut self, name: &str, values: Vec<String>) {
        self.properties.insert(name.to_owned(), values);
    }
}

/// Returns whether a property is kept in another form than text.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.binary_search(&name).is_ok()
}

/// Returns whether a property describes the whole game, and counts wherever in the main line it stands.
pub(super) fn is_game_info(name: &str) -> bool {
    const GAME_INFO: [&str; 24] = [
        "AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "HA", "KM", "ON", "OT", "PB", "PC", "PW", "RE", "RO",
        "RU", "SO", "TM", "US", "WR", "WT", "TC",
    ];
    GAME_INFO.contains(&name)
}

/// What a record says about the result of its game. Nothing here is checked against the moves.
///
/// ```
/// use jigo_engine::Color;
/// use jigo_selfplay::sgf::{GameResult, WinBy};
/// let result: GameResult = "W+3.5".parse().unwrap();
/// assert_eq!(result, GameResult::Win { winner: Color::White, by: WinBy::HalfPoints(7) });
/// assert_eq!(result.to_string(), "W+3.5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// One player won.
    Win {
        /// Who won.
        winner: Color,
        /// How.
        by: WinBy,
    },
    /// Jigo: `0`, `Draw` or `Jigo`.
    Draw,
    /// No result or suspended play: `Void`.
    Void,
    /// Said to be unknown: `?`.
    Unknown,
    /// Anything else, as written.
    Other(String),
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinBy {
    /// By this many half points.
    HalfPoints(u32),
    /// By resignation: `R`.
    Resignation,
    /// On time: `T`.
    Time,
    /// By forfeit: `F`.
    Forfeit,
    /// Without a reason: `B+`, or `B+N` as one server writes it.
    Unstated,
}

impl GameResult {
    /// Returns the result of a game in which Black is ahead by this many half points, komi included.
    #[must_use]
    pub const fn from_half_points(half_points: i32) -> Self {
        let by = WinBy::HalfPoints(half_points.unsigned_abs());
        match half_points {
            0 => Self::Draw,
            1.. => Self::Win { winner: Color::Black, by },
            _ => Self::Win { winner: Color::White, by },
        }
    }

    /// Returns by how many half points Black is ahead, komi included and negative when White won. `None` where the game was not counted.
    #[must_use]
    pub fn half_points(&self) -> Option<i32> {
        match *self {
            Self::Win { winner, by: WinBy::HalfPoints(points) } => {
                let points = i32::try_from(points).ok()?;
                Some(if winner == Color::Black { points } else { -points })
            }
            Self::Draw => Some(0),
            _ => None,
        }
    }
}

impl FromStr for GameResult {
    type Err = Infallible;

    /// Reads the value of `RE`, in capitals or small letters. Never fails: see [`Other`](Self::Other).
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let trimmed = text.trim();
        let is_any = |names: &[&str]| names.iter().any(|name| trimmed.eq_ignore_ascii_case(name));
        Ok(if let Some((winner, by)) = parse_win(trimmed) {
            Self::Win { winner, by }
        } else if is_any(&["0", "draw", "jigo"]) {
            Self::Draw
        } else if is_any(&["void", "no result"]) {
            Self::Void
        } else if trimmed == "?" {
            Self::Unknown
        } else {
            Self::Other(text.to_owned())
        })
    }
}

fn parse_win(text: &str) -> Option<(Color, WinBy)> {
    let (winner, how) = text.split_once('+')?;
    let winner = match winner.trim_end() {
        "B" | "b" => Color::Black,
        "W" | "w" => Color::White,
        _ => return None,
    };
    let by = match how.trim_start().to_ascii_lowercase().as_str() {
        "" | "n" => WinBy::Unstated,
        "r" | "resign" => WinBy::Resignation,
        "t" | "time" => WinBy::Time,
        "f" | "forfeit" => WinBy::Forfeit,
        score => WinBy::HalfPoints(parse_half_points(score)?),
    };
    Some((winner, by))
}

/// Returns a whole or half number of points without a sign, not above 1000.
fn parse_half_points(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let half = match fraction.trim_end_matches('0') {
        "" => 0,
        "5" => 1,
        _ => return None,
    };
    if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let points: u32 = whole.parse().ok()?;
    (points <= 1000).then(|| 2 * points + half)
}

impl fmt::Display for GameResult {
    /// Returns the value of `RE` in the form that FF\[4\] demands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner: Color::Black, by } => write!(f, "B+{by}"),
            Self::Win { winner: Color::White, by } => write!(f, "W+{by}"),
            Self::Draw => f.write_str("0"),
            Self::Void => f.write_str("Void"),
            Self::Unknown => f.write_str("?"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for WinBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HalfPoints(half_points) if half_points % 2 == 0 => write!(f, "{}", half_points / 2),
            Self::HalfPoints(half_points) => write!(f, "{}.5", half_points / 2),
            Self::Resignation => f.write_str("R"),
            Self::Time => f.write_str("T"),
            Self::Forfeit => f.write_str("F"),
            Self::Unstated => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stated_is_what_is_told() {
        let mut game = SgfGame::new(BoardSize::square(9).unwrap());
        assert_eq!((game.komi(), game.handicap(), game.rules(), game.result()), (None, None, None, None));
        game.set_komi(Komi::from_half_points(-13));
        game.set_handicap(2);
        game.set_rules("Chinese");
        game.set_player(Color::White, "W\nW");
        let result = GameResult::Win { winner: Color::Black, by: WinBy::HalfPoints(5) };
        game.set_result(&result);
        assert_eq!(game.komi(), Some(Komi::from_half_points(-13)));
        assert_eq!(game.handicap(), Some(2));
        assert_eq!(game.rules(), Some("Chinese"));
        assert_eq!(game.player(Color::White), Some("W W"));
        assert_eq!(game.player(Color::Black), None);
        assert_eq!(game.result(), Some(result));
    }

    #[test]
    fn setup_keeps_points_in_order_and_once() {
        let mut setup = Setup::default();
        let [low, middle, high] = [(0, 5), (1, 0), (1, 3)].map(|(x, y)| Point::new(x, y));
        assert_eq!(setup.put(middle, Some(Color::Black)), None);
        assert_eq!(setup.put(high, None), None);
        assert_eq!(setup.put(low, Some(Color::White)), None);
        assert_eq!(setup.put(middle, None), Some(Some(Color::Black)));
        assert_eq!(setup.put(high, Some(Color::Black)), Some(None));
        let expected = [(low, Some(Color::White)), (middle, None), (high, Some(Color::Black))];
        assert!(setup.points().eq(expected));
        assert!(setup.points_with(None).eq([middle]));
    }

    #[test]
    fn the_first_player_follows_what_is_known() {
        let mut game = SgfGame::new(BoardSize::square(9).unwrap());
        assert_eq!(game.first_to_play(), Color::Black);
        game.setup.put(Point::new(2, 2), Some(Color::Black));
        assert_eq!(game.first_to_play(), Color::White);
        game.play(Color::Black, Move::Pass);
        assert_eq!(game.first_to_play(), Color::Black);
        game.setup.to_play = Some(Color::White);
        assert_eq!(game.first_to_play(), Color::White);
    }

    #[test]
    fn text_is_stored_as_the_format_can_express_it() {
        let mut info = GameInfo::default();
        info.set("PB", "Black\n\tBox").unwrap();
        info.set("C", "two\r\nlines").unwrap();
        assert_eq!(info.get("PB"), Some("Black  Box"));
        assert_eq!(info.get("C"), Some("two\nlines"));
        info.remove("C");
        assert_eq!(info.iter().count(), 1);
    }

    #[test]
    fn other_properties_are_refused() {
        let mut info = GameInfo::default();
        for name in ["", "pb", "P B", "9", "SZ", "AB", "B", "FF", "Ä"] {
            assert_eq!(info.set(name, "x"), Err(NotTextName { name: name.to_owned() }));
        }
        assert_eq!(info, GameInfo::default());
        assert!(RESERVED.iter().all(|name| is_reserved(name)));
    }

    fn parse(text: &str) -> GameResult {
        let Ok(result) = text.parse();
        result
    }

    #[test]
    fn every_form_is_recognised() {
        let win = |winner, by| GameResult::Win { winner, by };
        let cases = [
            ("B+R", win(Color::Black, WinBy::Resignation)),
            ("w+Resign", win(Color::White, WinBy::Resignation)),
            ("W+T", win(Color::White, WinBy::Time)),
            ("B+Time", win(Color::Black, WinBy::Time)),
            ("B+F", win(Color::Black, WinBy::Forfeit)),
            ("W+Forfeit", win(Color::White, WinBy::Forfeit)),
            ("B+", win(Color::Black, WinBy::Unstated)),
            ("W+N", win(Color::White, WinBy::Unstated)),
            ("W+0.5", win(Color::White, WinBy::HalfPoints(1))),
            (" B+64.0 ", win(Color::Black, WinBy::HalfPoints(128))),
            ("B+3.", win(Color::Black, WinBy::HalfPoints(6))),
            ("0", GameResult::Draw),
            ("draw", GameResult::Draw),
            ("Jigo", GameResult::Draw),
            ("Void", GameResult::Void),
            ("?", GameResult::Unknown),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn the_rest_is_kept_as_written() {
        for text in [
            "",
            "B",
            "+",
            "R",
            "B+0.25",
            "W+-1",
            "B+1e9",
            "B+2147483648",
            "B+99999999999",
            "X+R",
            "黑中盘胜",
            "B+1/2",
        ] {
            assert_eq!(parse(text), GameResult::Other(text.to_owned()));
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in ["B+R", "W+T", "B+F", "W+", "B+0.5", "W+12", "0", "Void", "?", "odd"] {
            assert_eq!(parse(text).to_string(), text);
        }
    }
}
