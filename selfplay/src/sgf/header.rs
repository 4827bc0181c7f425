//! The text of a game: which character set it is in, and what it says.

use super::{
    GameInfo, GameResult, WinBy,
    charset::Charset,
    diagnose::{DiagnosticKind, excerpt},
    notes::Notes,
    text::{TextKind, unescape},
    tree::{Node, Property, Value},
    value,
};

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
        && value::number(text.as_bytes()).is_none()
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
