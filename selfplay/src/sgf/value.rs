//! The values of properties: points, sizes, numbers, colours, and the texts of a game.

use jigo_engine::{BoardSize, Color, Move, Point};

use super::{
    GameInfo, GameResult, WinBy,
    build::Notes,
    diagnose::{DiagnosticKind, SgfErrorKind, excerpt},
    text::{Charset, TextKind, unescape},
    tree::{Node, Property, Value},
};

/// Reads one point.
pub(super) fn point(value: &[u8], size: BoardSize) -> Result<Point, SgfErrorKind> {
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
pub(super) fn play(value: &[u8], size: BoardSize) -> Result<Move, SgfErrorKind> {
    const OLD_PASS_SIDE: usize = 19;
    let has_old_pass = size.width() <= OLD_PASS_SIDE && size.height() <= OLD_PASS_SIDE;
    match value.trim_ascii() {
        b"" => Ok(Move::Pass),
        b"tt" if has_old_pass => Ok(Move::Pass),
        value => point(value, size).map(Move::Play),
    }
}

/// Reads one entry of a point list: a point, or a rectangle given by two opposite corners. The
/// points come in ascending order.
pub(super) fn points(
    value: &[u8],
    size: BoardSize,
) -> Result<impl Iterator<Item = Point> + use<>, SgfErrorKind> {
    let (first, second) = match value.iter().position(|&byte| byte == b':') {
        Some(colon) => (point(&value[..colon], size)?, point(&value[colon + 1..], size)?),
        None => {
            let only = point(value, size)?;
            (only, only)
        }
    };
    let columns = first.x.min(second.x)..=first.x.max(second.x);
    let rows = first.y.min(second.y)..=first.y.max(second.y);
    Ok(columns.flat_map(move |x| rows.clone().map(move |y| Point::new(x, y))))
}

/// Reads the value of `SZ`: one side, or columns and rows.
pub(super) fn board_size(value: &[u8]) -> Result<BoardSize, SgfErrorKind> {
    let bad = || SgfErrorKind::BadSize(excerpt(value));
    let side = |part: &[u8]| number(part).ok_or_else(bad);
    let (width, height) = match value.iter().position(|&byte| byte == b':') {
        Some(colon) => (side(&value[..colon])?, side(&value[colon + 1..])?),
        None => {
            let only = side(value)?;
            (only, only)
        }
    };
    BoardSize::new(width as usize, height as usize).map_err(|_| bad())
}

/// Reads a whole number without a sign.
pub(super) fn number(value: &[u8]) -> Option<u32> {
    let digits = value.trim_ascii();
    let text = std::str::from_utf8(digits).ok()?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Reads the value of `PL`, in the forms of all versions of the format.
pub(super) fn color(value: &[u8]) -> Option<Color> {
    match value.trim_ascii().to_ascii_lowercase().as_slice() {
        b"b" | b"black" => Some(Color::Black),
        b"w" | b"white" => Some(Color::White),
        _ => None,
    }
}

/// Decodes the text properties of one game.
#[derive(Debug)]
pub(super) struct Header {
    charset: Charset,
    has_warned: bool,
}

impl Header {
    /// Chooses the character set: UTF-8 if a byte-order mark says so, else what `CA` names, else UTF-8.
    pub(super) fn new(root: &Node<'_>, has_mark: bool, notes: &mut Notes) -> Self {
        let stated = root.first_value("CA");
        let known = stated.and_then(|value| Charset::from_label(value.bytes));
        let charset = known.filter(|_| !has_mark).unwrap_or(Charset::UTF_8);
        if let Some(Value { bytes, byte }) = stated
            && known != Some(charset)
        {
            notes.warn(byte, DiagnosticKind::Charset, || {
                let reason =
                    if has_mark { "contradicts the byte-order mark" } else { "is not a known character set" };
                format!("`CA[{}]` {reason}: the text is read as UTF-8", excerpt(bytes))
            });
        }
        Self { charset, has_warned: false }
    }

    pub(super) fn charset_name(&self) -> &'static str {
        self.charset.name()
    }

    /// The texts of a property.
    pub(super) fn texts(
        &mut self,
        node: &Node<'_>,
        property: &Property<'_>,
        notes: &mut Notes,
    ) -> Vec<String> {
        let kind = TextKind::of(&property.name);
        node.values(property).iter().map(|&value| self.text(value, kind, notes)).collect()
    }

    fn text(&mut self, Value { bytes, byte }: Value<'_>, kind: TextKind, notes: &mut Notes) -> String {
        let (text, is_valid) = self.charset.decode(bytes);
        if !is_valid && !self.has_warned {
            self.has_warned = true;
            notes.warn(byte, DiagnosticKind::Undecodable, || {
                let name = self.charset_name();
                format!(
                    "`{}` is not valid {name}: bad bytes are replaced; CA[] should name the character set",
                    excerpt(bytes)
                )
            });
        }
        unescape(&text, kind)
    }
}

/// Warns of text that other parts of the record cannot be derived from.
pub(super) fn check_values(info: &GameInfo, game_byte: usize, notes: &mut Notes) {
    let mut bad = |name: &str, text: &str, expected: &str| {
        notes.warn(game_byte, DiagnosticKind::BadValue, || {
            format!("`{name}[{}]` is kept as text only: {expected} is expected", excerpt(text.as_bytes()))
        });
    };
    let stated = |name| info.get(name).filter(|text| !text.trim().is_empty());
    if let Some(text) = stated("KM")
        && text.trim().parse::<jigo_engine::Komi>().is_err()
    {
        bad("KM", text, "a number of whole or half points");
    }
    if let Some(text) = stated("HA")
        && number(text.as_bytes()).is_none()
    {
        bad("HA", text, "a whole number");
    }
    let Some(text) = stated("RE") else { return };
    let Ok(result) = text.parse::<GameResult>();
    match result {
        GameResult::Other(_) => bad("RE", text, "a result such as B+3.5, W+R or 0"),
        GameResult::Win { by: WinBy::HalfPoints(0), .. } => {
            notes.warn(game_byte, DiagnosticKind::EmptyWin, || format!("`RE[{text}]` is a win by no points"));
        }
        _ => {}
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
