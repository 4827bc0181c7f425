//! Bytes to tokens.

use super::text::LeadBytes;

/// The smallest parts of an SGF file. White space separates them and is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// The name of a property: a letter, then letters, digits and `_`.
    Name(&'a [u8]),
    /// What stands between `[` and `]`, escapes included.
    Value(&'a [u8]),
    /// Bytes that are none of the others.
    Stray(&'a [u8]),
    /// `[` without `]`, up to the end of the file.
    Unclosed,
    /// The end of the file.
    End,
}

/// Cuts bytes into [`Token`]s, each in time proportional to its length.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    start: usize,
    /// How characters of two bytes are recognised in values.
    pub(super) lead_bytes: LeadBytes,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, start: 0, lead_bytes: LeadBytes::None }
    }

    /// Returns the offset of the token returned last.
    pub(super) const fn start(&self) -> usize {
        self.start
    }

    /// Returns the offset of the first byte not yet read.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// Passes over this many bytes, or what is left.
    pub(super) fn advance(&mut self, length: usize) {
        self.at = self.bytes.len().min(self.at + length);
    }

    /// Makes the token returned last the next one again.
    pub(super) const fn unread(&mut self) {
        self.at = self.start;
    }

    /// Returns the next token.
    pub(super) fn next(&mut self) -> Token<'a> {
        self.at += count_while(self.rest(), is_space);
        self.start = self.at;
        let Some(&first) = self.rest().first() else { return Token::End };
        match first {
            b'(' => self.single(Token::Open),
            b')' => self.single(Token::Close),
            b';' => self.single(Token::Node),
            b'[' => self.value(),
            _ if first.is_ascii_alphabetic() => Token::Name(self.take_while(is_name)),
            _ => Token::Stray(self.take_while(is_stray)),
        }
    }

    /// Moves to the next `(` that is followed by `;`, or to the end when there is none. Returns the bytes passed over, and whether a game follows.
    pub(super) fn skip_to_game(&mut self) -> (&'a [u8], bool) {
        let rest = self.rest();
        let mut at = 0;
        let found = loop {
            at += count_while(&rest[at..], |byte| byte != b'(');
            if at >= rest.len() {
                break false;
            }
            let spaces = count_while(&rest[at + 1..], is_space);
            if rest.get(at + 1 + spaces) == Some(&b';') {
                break true;
            }
            at += 1 + spaces;
        };
        self.start = self.at;
        self.at += at;
        (&rest[..at], found)
    }

    /// Returns whether the header of a game follows: a node whose first property is `FF` or `GM`.
    pub(super) fn is_at_header(&self) -> bool {
        let mut ahead = self.clone();
        ahead.next() == Token::Node && matches!(ahead.next(), Token::Name(b"FF" | b"GM"))
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// Takes at least one byte, and those after it that satisfy `keep`.
    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = 1 + count_while(&rest[1..], keep);
        self.at += length;
        &rest[..length]
    }

    fn value(&mut self) -> Token<'a> {
        let content = &self.rest()[1..];
        let mut length = 0;
        while let Some(&byte) = content.get(length) {
            match byte {
                b']' => {
                    self.at += length + 2;
                    return Token::Value(&content[..length]);
                }
                b'\\' => length += 2,
                _ if self.lead_bytes.has_pair(byte, content.get(length + 1)) => length += 2,
                _ => length += 1,
            }
        }
        self.at = self.bytes.len();
        Token::Unclosed
    }
}

/// Returns whether a byte is white space, or the filling that some programs leave at the end of files.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ' | 0 | 0x1A)
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn is_stray(byte: u8) -> bool {
    !(is_space(byte) || byte.is_ascii_alphabetic() || matches!(byte, b'(' | b')' | b';' | b'['))
}

fn count_while(bytes: &[u8], keep: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !keep(byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &[u8], lead_bytes: LeadBytes) -> Vec<Token<'_>> {
        let mut lexer = Lexer { lead_bytes, ..Lexer::new(text) };
        let tokens = std::iter::from_fn(|| Some(lexer.next()).filter(|&token| token != Token::End));
        tokens.collect()
    }

    #[test]
    fn values_end_at_the_first_bracket_not_escaped() {
        use Token::{Close, Name, Node, Open, Stray, Unclosed, Value};
        let found = tokens(b" ( ;C[a[\\]\\\\]B\n[]) ]]x", LeadBytes::None);
        let expected = [
            Open,
            Node,
            Name(b"C"),
            Value(b"a[\\]\\\\"),
            Name(b"B"),
            Value(b""),
            Close,
            Stray(b"]]"),
            Name(b"x"),
        ];
        assert_eq!(found, expected);
        assert_eq!(tokens(b"[ab\\]", LeadBytes::None), [Unclosed]);
        assert_eq!(tokens(b"[ab\\", LeadBytes::None), [Unclosed]);
    }

    #[test]
    fn second_bytes_of_characters_are_no_brackets() {
        let text = b"[\x8d\x5d\x8f\x5c]";
        assert_eq!(tokens(text, LeadBytes::Chinese), [Token::Value(&text[1..5])]);
        assert_eq!(tokens(text, LeadBytes::None)[0], Token::Value(b"\x8d"));
    }

    #[test]
    fn games_are_found_behind_anything() {
        let mut lexer = Lexer::new(b"(see below) (\n;B[aa])(");
        assert_eq!(lexer.skip_to_game(), (&b"(see below) "[..], true));
        assert_eq!(lexer.next(), Token::Open);
        assert!(!lexer.skip_to_game().1);
        assert_eq!(lexer.next(), Token::End);
    }
}
