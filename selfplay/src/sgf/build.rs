//! Nodes to a game, with warnings about what is doubtful.

use std::fmt::Display;

use encoding_rs::UTF_8;
use jigo_engine::{BoardSize, Color, Move, Point};

use super::{
    Event, GameResult, Limits, Record, Setup, SgfGame, WinBy,
    diagnose::{Diagnostic, DiagnosticKind as Kind, SgfError, SgfErrorKind, excerpt},
    game::{is_game_info, is_reserved},
    replay::rules_of,
    text::{Charset, TextKind, charset, unescape},
    tree::{Fault, Node, Property, Tree, Value, check_limit},
};

/// Assembles one game from the nodes of its main line.
pub(super) struct GameReader {
    /// What has been read so far.
    record: Record,
    charset: Charset,
    /// Whether a text was not valid in the character set.
    has_bad_text: bool,
    limits: Limits,
    /// Points that setup properties have listed so far.
    setup_points: usize,
    /// Number of the last move; 0 before the first.
    move_count: usize,
    /// Whose turn it is, where that is known.
    to_play: Option<Color>,
}

impl GameReader {
    /// The most warnings kept for one game, so that a hostile file cannot fill the memory with them.
    const MAX_WARNINGS: usize = 100;

    /// Begins a game at this byte of the file.
    pub(super) fn new(byte: usize, limits: Limits) -> Self {
        let size = BoardSize::square(19).expect("a usual board");
        Self {
            record: Record::new(byte, SgfGame::new(size)),
            charset: UTF_8,
            has_bad_text: false,
            limits,
            setup_points: 0,
            move_count: 0,
            to_play: None,
        }
    }

    /// Reads the main line of a tree and counts its variations.
    pub(super) fn read(&mut self, tree: &mut Tree<'_, '_>, has_mark: bool) -> Result<(), Fault> {
        let mut root = Node::default();
        tree.next_node(&mut root)?;
        self.choose_charset(&root, has_mark);
        check_is_go(&root)?;
        if let Some(Value { bytes, byte }) = root.first_value("SZ") {
            self.record.game.size = board_size(bytes).map_err(|kind| (byte, kind))?;
        }
        if let Some(Value { bytes, byte }) = root.first_value("FF")
            && !matches!(number(bytes), Some(1..=4))
        {
            let text = format_args!("`FF[{}]` is read as FF[4]: 1 to 4 is expected", excerpt(bytes));
            self.warn(byte, Kind::BadValue, text);
        }
        self.read_node(&root, true)?;
        let mut node = root;
        while tree.next_node(&mut node)? {
            self.read_node(&node, false)?;
        }
        self.check_strays(&node);
        self.record.variation_count = tree.skip_variations()?;
        Ok(())
    }

    /// Returns the game once its tree has been read.
    pub(super) fn finish(mut self) -> Record {
        self.move_count = 0;
        let Record { byte, variation_count, .. } = self.record;
        if variation_count > 0 {
            let text = format_args!("only the main line is read: variations left out: {variation_count}");
            self.warn(byte, Kind::Variations, text);
        }
        self.check_values();
        self.check_handicap();
        self.record
    }

    /// Returns the error of a fault that was found where the reader stands.
    pub(super) fn error(&self, (byte, kind): Fault) -> SgfError {
        SgfError { byte, move_number: self.move_number(), kind }
    }

    fn move_number(&self) -> Option<usize> {
        Some(self.move_count).filter(|&count| count > 0)
    }

    /// Adds a warning. `text` is only written out when there is room.
    pub(super) fn warn(&mut self, byte: usize, kind: Kind, text: impl Display) {
        if self.record.warnings.len() == Self::MAX_WARNINGS {
            self.record.warnings_left_out += 1;
            return;
        }
        let move_number = self.move_number();
        self.record.warnings.push(Diagnostic { byte, move_number, kind, text: text.to_string() });
    }

    fn warn_repeated(&mut self, byte: usize, name: &str) {
        let name = excerpt(name.as_bytes());
        self.warn(byte, Kind::Repeated, format_args!("`{name}` is stated more than once: the first is used"));
    }

    /// Chooses the character set: UTF-8 if a byte-order mark says so, else what `CA` names, else UTF-8.
    fn choose_charset(&mut self, root: &Node<'_>, has_mark: bool) {
        let Some(Value { bytes, byte }) = root.first_value("CA") else { return };
        let known = charset(bytes);
        self.charset = known.filter(|_| !has_mark).unwrap_or(UTF_8);
        self.record.charset = self.charset.name();
        if known != Some(self.charset) {
            let reason =
                if has_mark { "contradicts the byte-order mark" } else { "is not a known character set" };
            let name = excerpt(bytes);
            let text = format_args!("`CA[{name}]` {reason}: the text is read as UTF-8");
            self.warn(byte, Kind::Charset, text);
        }
    }

    /// Reads a node in the order that the standard gives to mixed nodes: setup first, then the move.
    fn read_node(&mut self, node: &Node<'_>, is_root: bool) -> Result<(), Fault> {
        let has_setup = self.read_setup(node)?;
        let first_move = self.move_count + 1;
        for property in node.properties() {
            match property.name {
                "B" => self.play(Color::Black, property, first_move)?,
                "W" => self.play(Color::White, property, first_move)?,
                "SZ" => self.check_size(property)?,
                "GM" => check_is_go(node)?,
                "AP" if is_root => self.read_application(property),
                name if is_reserved(name) => {}
                name if is_root || is_game_info(name) => self.read_text(property),
                _ => {}
            }
        }
        if has_setup && self.move_count >= first_move {
            let byte = node.properties().next().map_or(self.record.byte, |property| property.byte);
            let text = "setup and move in one node: the stones are set up first";
            self.warn(byte, Kind::SetupAndMove, text);
        }
        self.check_strays(node);
        Ok(())
    }

    /// Reports bytes in a node, or after the last one, that belong to no property.
    fn check_strays(&mut self, node: &Node<'_>) {
        for stray in &node.strays {
            let length = stray.len();
            let text = format_args!(
                "{length} bytes belong to no property and are skipped; `]` in text is written `\\]`"
            );
            self.warn(stray.start, Kind::StrayText, text);
        }
        if let Some(byte) = node.assumed {
            self.warn(byte, Kind::MissingNode, "a `;` is missing before this property");
        }
    }

    fn read_application(&mut self, property: Property<'_, '_>) {
        let texts = self.texts(property);
        if self.record.application.is_some() || texts.len() > 1 {
            self.warn_repeated(property.byte, "AP");
        }
        let first = texts.into_iter().next();
        self.record.application = self.record.application.take().or(first);
    }

    fn read_text(&mut self, property: Property<'_, '_>) {
        let name = property.name;
        let texts = self.texts(property);
        let is_stated = !self.record.game.info.values(name).is_empty();
        if is_stated || (texts.len() > 1 && is_game_info(name)) {
            self.warn_repeated(property.byte, name);
        }
        if !is_stated {
            self.record.game.info.put(name, texts);
        }
    }

    fn texts(&mut self, property: Property<'_, '_>) -> Vec<String> {
        let (kind, charset) = (TextKind::from_name(property.name), self.charset);
        let text = |&Value { bytes, byte }: &Value<'_>| {
            let (text, has_errors) = charset.decode_without_bom_handling(bytes);
            if has_errors && !std::mem::replace(&mut self.has_bad_text, true) {
                let (found, name) = (excerpt(bytes), charset.name());
                let text = format_args!(
                    "`{found}` is not valid {name}: bad bytes are replaced; CA[] should name the character set"
                );
                self.warn(byte, Kind::Undecodable, text);
            }
            unescape(&text, kind)
        };
        property.values.iter().map(text).collect()
    }

    fn play(&mut self, color: Color, property: Property<'_, '_>, first_move: usize) -> Result<(), Fault> {
        for &Value { bytes, byte } in property.values {
            self.move_count += 1;
            let mv = play(bytes, self.record.game.size).map_err(|kind| (byte, kind))?;
            if self.move_count > first_move {
                let text = "several moves in one node: played in the order written";
                self.warn(property.byte, Kind::MovesInNode, text);
            }
            self.check_turn(color, property.byte);
            self.push(Event::Play { color, mv }, property.byte);
            self.to_play = Some(color.opponent());
        }
        Ok(())
    }

    fn push(&mut self, event: Event, byte: usize) {
        self.record.game.events.push(event);
        self.record.event_bytes.push(byte);
    }

    fn check_turn(&mut self, color: Color, byte: usize) {
        let game = &self.record.game;
        let last = game.events.last();
        let is_opening = last.is_none() && game.setup.is_empty();
        // Handicap stones may be Black's first moves.
        let is_handicap = color == Color::Black
            && game.setup.is_empty()
            && game.handicap().is_some_and(|stones| game.events.len() < stones as usize);
        if self.to_play == Some(color.opponent()) && !is_handicap {
            let (kind, reason) = if matches!(last, Some(Event::Play { .. })) {
                (Kind::SameColor, "made the move before too")
            } else {
                (Kind::NotToPlay, "was not to play")
            };
            self.warn(byte, kind, format_args!("{color} plays but {reason}"));
        }
        if is_opening && color == Color::White {
            self.warn(byte, Kind::WhiteFirst, "White plays first on an empty board");
        }
    }

    /// Applies the setup properties of a node, and returns whether they set up anything.
    fn read_setup(&mut self, node: &Node<'_>) -> Result<bool, Fault> {
        let mut setup = Setup::default();
        let mut first = None;
        for property in node.properties() {
            match property.name {
                "AB" => self.read_points(Some(Color::Black), property, &mut setup)?,
                "AW" => self.read_points(Some(Color::White), property, &mut setup)?,
                "AE" => self.read_points(None, property, &mut setup)?,
                "PL" => self.read_player(property, &mut setup),
                _ => continue,
            }
            first = first.or(Some(property.byte));
        }
        let Some(byte) = first.filter(|_| !setup.is_empty()) else { return Ok(false) };
        let game = &mut self.record.game;
        if game.events.is_empty() {
            game.setup.extend(&setup);
            self.to_play = game.setup.to_play;
        } else {
            self.to_play = setup.to_play;
            self.push(Event::Setup(Box::new(setup)), byte);
        }
        Ok(true)
    }

    fn read_points(
        &mut self,
        content: Option<Color>,
        property: Property<'_, '_>,
        setup: &mut Setup,
    ) -> Result<(), Fault> {
        for &Value { bytes, byte } in property.values {
            if bytes.trim_ascii().is_empty() {
                let text = format_args!("`{}[]` names no point: skipped", property.name);
                self.warn(byte, Kind::BadValue, text);
                continue;
            }
            for point in points(bytes, self.record.game.size).map_err(|kind| (byte, kind))? {
                self.setup_points += 1;
                let (found, limit) = (self.setup_points, self.limits.setup_points);
                check_limit(byte, found, limit, "points set up in one game")?;
                match setup.put(point, content) {
                    Some(before) if before != content => {
                        return Err((byte, SgfErrorKind::SetupTwice(point.to_sgf())));
                    }
                    Some(_) => {
                        let text = format_args!("`{}` is listed twice in one node", point.to_sgf());
                        self.warn(byte, Kind::RepeatedPoint, text);
                    }
                    None => {}
                }
            }
        }
        Ok(())
    }

    fn read_player(&mut self, property: Property<'_, '_>, setup: &mut Setup) {
        for &Value { bytes, byte } in property.values {
            match (setup.to_play, color(bytes)) {
                (_, None) => {
                    let text = format_args!("`PL[{}]` is skipped: B or W is expected", excerpt(bytes));
                    self.warn(byte, Kind::BadValue, text);
                }
                (None, color) => setup.to_play = color,
                (Some(_), Some(_)) => self.warn_repeated(byte, "PL"),
            }
        }
    }

    /// Refuses a second `SZ` that contradicts the first: no point of the record could be trusted.
    fn check_size(&self, property: Property<'_, '_>) -> Result<(), Fault> {
        for &Value { bytes, byte } in property.values {
            if board_size(bytes).ok() != Some(self.record.game.size) {
                return Err((byte, SgfErrorKind::BadSize(excerpt(bytes))));
            }
        }
        Ok(())
    }

    fn check_handicap(&mut self) {
        let Record { byte, ref game, .. } = self.record;
        let Some(handicap) = game.handicap() else { return };
        let black = game.setup.points_with(Some(Color::Black)).count();
        let in_a_row = game.moves().take_while(|&(color, _)| color == Color::Black).count();
        let given = if black == 0 && in_a_row > 1 { in_a_row } else { black };
        // Beyond the star points there may be prisoners instead of stones.
        let by_rules = rules_of(game).handicap(game.size, handicap);
        let is_agreed = handicap as usize == given
            || (handicap < 2 && black == 0)
            || by_rules.is_ok_and(|start| start.points.len() == black);
        if !is_agreed {
            let text = format_args!("`HA[{handicap}]` but {black} black stones set up: the stones are used");
            self.warn(byte, Kind::Handicap, text);
        }
    }

    /// Warns of text that other parts of the record cannot be derived from.
    fn check_values(&mut self) {
        let Record { byte, ref game, .. } = self.record;
        let result = game.result();
        let checks = [
            ("KM", "a number of whole or half points", game.komi().is_some()),
            ("HA", "a whole number", game.handicap().is_some()),
            ("RE", "a result such as B+3.5, W+R or 0", !matches!(result, Some(GameResult::Other(_)))),
        ];
        for (name, expected, is_good) in checks {
            let text = self.record.game.info.get(name).unwrap_or_default();
            if !is_good && !text.trim().is_empty() {
                let text = excerpt(text.as_bytes());
                let text = format_args!("`{name}[{text}]` is kept as text only: {expected} is expected");
                self.warn(byte, Kind::BadValue, text);
            }
        }
        if let Some(GameResult::Win { by: WinBy::HalfPoints(0), .. }) = result {
            let text = self.record.game.info.get("RE").unwrap_or_default().to_owned();
            self.warn(byte, Kind::EmptyWin, format_args!("`RE[{text}]` is a win by no points"));
        }
    }
}

fn check_is_go(node: &Node<'_>) -> Result<(), Fault> {
    let games = node.properties().filter(|property| property.name == "GM");
    match games.flat_map(|property| property.values).find(|value| number(value.bytes) != Some(1)) {
        Some(&Value { bytes, byte }) => Err((byte, SgfErrorKind::NotGo(excerpt(bytes)))),
        None => Ok(()),
    }
}

/// Reads one point.
fn point(value: &[u8], size: BoardSize) -> Result<Point, SgfErrorKind> {
    let value = value.trim_ascii();
    Point::from_sgf(value, size).map_err(|_| match value {
        // Boards up to 52x52 continue in capital letters.
        [x, y] if x.is_ascii_alphabetic() && y.is_ascii_alphabetic() => {
            SgfErrorKind::OffBoard { point: excerpt(value), size }
        }
        _ => SgfErrorKind::BadPoint(excerpt(value)),
    })
}

/// Reads the value of `B` or `W`: a point, or a pass in either of its forms.
fn play(value: &[u8], size: BoardSize) -> Result<Move, SgfErrorKind> {
    const OLD_PASS_SIDE: usize = 19;
    let has_old_pass = size.width() <= OLD_PASS_SIDE && size.height() <= OLD_PASS_SIDE;
    match value.trim_ascii() {
        b"" => Ok(Move::Pass),
        b"tt" if has_old_pass => Ok(Move::Pass),
        value => point(value, size).map(Move::Play),
    }
}

/// Reads one entry of a point list: a point, or a rectangle given by two opposite corners. The points come in ascending order.
fn points(value: &[u8], size: BoardSize) -> Result<impl Iterator<Item = Point> + use<>, SgfErrorKind> {
    let (first, second) = pair(value, |value| point(value, size))?;
    let columns = first.x.min(second.x)..=first.x.max(second.x);
    let rows = first.y.min(second.y)..=first.y.max(second.y);
    Ok(columns.flat_map(move |x| rows.clone().map(move |y| Point::new(x, y))))
}

/// Reads the value of `SZ`: one side, or columns and rows.
fn board_size(value: &[u8]) -> Result<BoardSize, SgfErrorKind> {
    let bad = || SgfErrorKind::BadSize(excerpt(value));
    let (width, height) = pair(value, |side| number(side).ok_or_else(bad))?;
    BoardSize::new(width as usize, height as usize).map_err(|_| bad())
}

/// Reads two values with a colon between them, or one value that stands for both.
fn pair<T: Copy, E>(value: &[u8], read: impl Fn(&[u8]) -> Result<T, E>) -> Result<(T, T), E> {
    match value.iter().position(|&byte| byte == b':') {
        Some(colon) => Ok((read(&value[..colon])?, read(&value[colon + 1..])?)),
        None => read(value).map(|both| (both, both)),
    }
}

/// Reads a whole number without a sign.
pub(super) fn number(value: &[u8]) -> Option<u32> {
    let digits = value.trim_ascii();
    let text = std::str::from_utf8(digits).ok()?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Reads the value of `PL`, in the forms of all versions of the format.
fn color(value: &[u8]) -> Option<Color> {
    match value.trim_ascii().to_ascii_lowercase().as_slice() {
        b"b" | b"black" => Some(Color::Black),
        b"w" | b"white" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(text: &str) -> BoardSize {
        text.parse().unwrap()
    }

    #[test]
    fn the_old_pass_ends_with_19() {
        assert_eq!(play(b"tt", size("19")), Ok(Move::Pass));
        assert_eq!(play(b"tt", size("1x19")), Ok(Move::Pass));
        assert_eq!(play(b"tt", size("20")), Ok(Move::Play(Point::new(19, 19))));
        assert!(matches!(play(b"tt", size("25x19")), Err(SgfErrorKind::OffBoard { .. })));
        assert_eq!(play(b" \n", size("25")), Ok(Move::Pass));
    }

    #[test]
    fn rectangles_take_corners_in_any_order() {
        let list = |value: &[u8]| points(value, size("9")).map(Iterator::collect::<Vec<_>>);
        let square = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(x, y)| Point::new(x, y));
        assert_eq!(list(b"aa:bb").unwrap(), square);
        assert_eq!(list(b"ba : ab").unwrap(), square);
        assert_eq!(list(b"cc").unwrap(), [Point::new(2, 2)]);
        for value in ["", "aa:", ":aa", "aa:bb:cc", "aaa", "c3"] {
            let refused = list(value.as_bytes());
            assert!(matches!(refused, Err(SgfErrorKind::BadPoint(_))), "{value}");
        }
        for value in ["aa:jj", "ja", "AA"] {
            let refused = list(value.as_bytes());
            assert!(matches!(refused, Err(SgfErrorKind::OffBoard { .. })), "{value}");
        }
    }

    #[test]
    fn sizes_are_square_or_rectangular() {
        assert_eq!(board_size(b"13"), Ok(size("13")));
        assert_eq!(board_size(b" 9 : 13 "), Ok(size("9x13")));
        for value in ["", "0", "26", "19x19", "9:", ":", "-9", "nine", "99999999999999999999"] {
            assert!(board_size(value.as_bytes()).is_err(), "{value}");
        }
    }
}
