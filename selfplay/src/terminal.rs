//! Text from files and programs, made fit for terminals.
//!
//! A terminal obeys control characters where it should show them: text with an escape sequence could move the cursor, change colours, or hide
//! and forge what stands around it. Here such characters are written as `\u{1b}`. Text without them stays as it is.

use std::{borrow::Cow, fmt::Write as _};

/// Returns whether a terminal obeys the character instead of showing it: control characters (C0, DEL and C1), those that change the direction
/// of writing (`Bidi_Control` of Unicode), and the separators of lines and paragraphs.
#[must_use]
pub const fn is_obeyed(character: char) -> bool {
    matches!(
        character,
        '\0'..='\x1f'
            | '\x7f'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// Returns a text of one line in a form that terminals show: line breaks and tabs are escaped too.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    replace(text, is_obeyed, |shown, character| shown.extend(character.escape_default()))
}

/// Returns a text in a form that terminals show. Its line breaks and tabs stay.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    let is_escaped = |character| is_obeyed(character) && !matches!(character, '\n' | '\t');
    replace(text, is_escaped, |shown, character| shown.extend(character.escape_default()))
}

/// Returns JSON in a form that terminals show and that has the same value: outside strings there are no such characters but line breaks.
#[must_use]
pub fn printable_json(json: &str) -> Cow<'_, str> {
    let is_escaped = |character| is_obeyed(character) && !matches!(character, '\n' | '\t');
    replace(json, is_escaped, |shown, character| {
        // None of them needs more than four digits.
        let _ = write!(shown, "\\u{:04x}", u32::from(character));
    })
}

fn replace(
    text: &str,
    is_escaped: impl Fn(char) -> bool,
    escape: impl Fn(&mut String, char),
) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_escaped(character) { escape(&mut shown, character) } else { shown.push(character) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_terminals_obey_is_escaped() {
        let text = "a\u{1b}[31m\r\n\tb\u{7f}\u{9b}\u{202e}\u{2066}\u{200f}\u{2028}名人 é \\";
        let escaped = "\\u{7f}\\u{9b}\\u{202e}\\u{2066}\\u{200f}\\u{2028}名人 é \\";
        assert_eq!(printable(text), format!("a\\u{{1b}}[31m\\r\\n\\tb{escaped}"));
        assert_eq!(printable_lines(text), format!("a\\u{{1b}}[31m\\r\n\tb{escaped}"));
        for shown in [printable(text), printable_lines(text)] {
            assert_eq!(printable_lines(&shown), shown);
        }
        assert!(matches!(printable("名人 é \u{ad}\u{300}"), Cow::Borrowed(_)));
    }

    #[test]
    fn every_control_character_is_obeyed() {
        let controls = (0..=0x10_ffff).filter_map(char::from_u32).filter(|character| character.is_control());
        assert!(controls.clone().count() == 65 && controls.clone().all(is_obeyed));
    }

    #[test]
    fn json_keeps_its_value() {
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        let value = serde_json::json!({ all.clone(): [all, 1] });
        let text = format!("{value:#}\n");
        let shown = printable_json(&text);
        assert!(!shown.contains(|character| is_obeyed(character) && character != '\n'));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
