//! Text: character sets, escapes, line breaks and white space.

use std::{iter::Peekable, str::Chars};

use encoding_rs::{BIG5, Encoding, GB18030, GBK, SHIFT_JIS};

use super::game::is_game_info;

/// How a property treats line breaks in its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// One line: a break counts as a space.
    Simple,
    /// Several lines.
    Formatted,
}

impl TextKind {
    /// Returns the kind that FF\[4\] gives to a property. Unknown properties keep their lines.
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "AP" | "N" => Self::Simple,
            "GC" | "TC" | "TM" => Self::Formatted,
            _ if is_game_info(name) => Self::Simple,
            _ => Self::Formatted,
        }
    }
}

/// Returns the text that a decoded value stands for: without escapes, and normalised as by [`normalise`].
pub(super) fn unescape(value: &str, kind: TextKind) -> String {
    if !value.bytes().any(|byte| matches!(byte, b'\\' | b'\t'..=b'\r')) {
        return value.to_owned();
    }
    let mut text = String::with_capacity(value.len());
    let mut rest = value.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '\\' {
            push_normal(&mut text, character, &mut rest, kind);
            continue;
        }
        // A break after a backslash only wraps the line in the file.
        match rest.next() {
            Some(wrap @ ('\n' | '\r')) => skip_second_half(wrap, &mut rest),
            Some(escaped) => push_normal(&mut text, escaped, &mut rest, kind),
            None => {}
        }
    }
    text
}

/// Returns `text` as a reader would give it back: one sort of line break or none, and no white space but breaks and spaces.
pub(super) fn normalise(text: &str, kind: TextKind) -> String {
    unescape(&escape(text), kind)
}

/// Returns the value that stands for `text` in a file.
pub(super) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

fn push_normal(text: &mut String, character: char, rest: &mut Peekable<Chars<'_>>, kind: TextKind) {
    match character {
        '\n' | '\r' => {
            skip_second_half(character, rest);
            text.push(if kind == TextKind::Simple { ' ' } else { '\n' });
        }
        '\t' | '\x0B' | '\x0C' => text.push(' '),
        _ => text.push(character),
    }
}

/// A break may be written as two characters, CR LF or LF CR.
fn skip_second_half(first: char, rest: &mut Peekable<Chars<'_>>) {
    rest.next_if(|&second| matches!((first, second), ('\n', '\r') | ('\r', '\n')));
}

/// How a character set marks characters of two bytes whose second byte may look like `]` or `\`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LeadBytes {
    /// No such characters: ASCII bytes always stand for themselves.
    #[default]
    None,
    /// GBK, GB 18030 and Big5.
    Chinese,
    /// Shift JIS.
    Japanese,
}

impl LeadBytes {
    /// Returns how a character set marks such characters.
    pub(super) fn new(charset: Charset) -> Self {
        if [GBK, GB18030, BIG5].contains(&charset) {
            Self::Chinese
        } else if charset == SHIFT_JIS {
            Self::Japanese
        } else {
            Self::None
        }
    }

    /// Returns whether `first` and `second` are one character.
    pub(super) const fn has_pair(self, first: u8, second: Option<&u8>) -> bool {
        let is_lead = match self {
            Self::None => false,
            Self::Chinese => matches!(first, 0x81..=0xFE),
            Self::Japanese => matches!(first, 0x81..=0x9F | 0xE0..=0xFC),
        };
        is_lead && matches!(second, Some(0x40..))
    }
}

/// The character set of one game's text.
pub(super) type Charset = &'static Encoding;

/// Returns the character set with this name, in any of its usual spellings; `None` for unknown ones and for those that do not contain ASCII as it is.
pub(super) fn charset(label: &[u8]) -> Option<Charset> {
    Encoding::for_label_no_replacement(label.trim_ascii()).filter(|charset| charset.is_ascii_compatible())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_breaks_follow_the_standard() {
        let value = "a\\]b\\\\c\\:d\\\r\ne\r\nf\n\rg\rh\n\ni\tj\\";
        assert_eq!(unescape(value, TextKind::Formatted), "a]b\\c:de\nf\ng\nh\n\ni j");
        assert_eq!(unescape(value, TextKind::Simple), "a]b\\c:de f g h  i j");
    }

    #[test]
    fn what_is_escaped_reads_back() {
        for text in ["", "plain", "]", "\\", "\\]\\\\", "[[]]", "1\n2", "名人 \\n", "\\\n]"] {
            assert_eq!(unescape(&escape(text), TextKind::Formatted), text);
            assert_eq!(normalise(text, TextKind::Formatted), text);
        }
    }

    #[test]
    fn known_properties_have_their_kind() {
        assert_eq!(TextKind::from_name("PB"), TextKind::Simple);
        assert_eq!(TextKind::from_name("WT"), TextKind::Simple);
        assert_eq!(TextKind::from_name("GC"), TextKind::Formatted);
        assert_eq!(TextKind::from_name("XX"), TextKind::Formatted);
    }

    #[test]
    fn common_labels_are_known() {
        for label in
            ["UTF-8", "utf8", "gb2312", "GBK", "GB18030", "Big5", "Shift_JIS", "EUC-KR", "ISO-8859-1"]
        {
            assert!(charset(label.as_bytes()).is_some(), "{label}");
        }
        for label in ["", "klingon", "UTF-16", "UTF-16LE"] {
            assert!(charset(label.as_bytes()).is_none(), "{label}");
        }
    }

    #[test]
    fn pairs_end_where_the_character_ends() {
        assert!(LeadBytes::Chinese.has_pair(0x8D, Some(&b']')));
        assert!(!LeadBytes::Chinese.has_pair(0x8D, None));
        assert!(!LeadBytes::Japanese.has_pair(0xB1, Some(&b']')), "half-width katakana take one byte");
        assert!(!LeadBytes::None.has_pair(0x8D, Some(&b']')));
    }
}
