//! The main line of a game tree, node by node.

use std::{borrow::Cow, ops::Range};

use super::{
    Limits,
    diagnose::{SgfErrorKind, excerpt},
    lex::{Lexer, Token},
    text::{LeadBytes, charset},
};

/// One node as written. The same value is refilled from node to node.
#[derive(Debug, Default)]
pub(super) struct Node<'a> {
    /// The name of each property, its offset, and which of the values are its own; in the order written.
    properties: Vec<(Cow<'a, str>, usize, Range<usize>)>,
    values: Vec<Value<'a>>,
    /// Where bytes stand that belong to no property.
    pub(super) strays: Vec<Range<usize>>,
    /// Where a property stands without a node, if one does.
    pub(super) assumed: Option<usize>,
}

/// A name and its values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'n, 'a> {
    /// Without small letters.
    pub(super) name: &'n str,
    /// Offset of the name.
    pub(super) byte: usize,
    /// At least one.
    pub(super) values: &'n [Value<'a>],
}

/// What stands between two brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    pub(super) bytes: &'a [u8],
    /// Offset of the bracket.
    pub(super) byte: usize,
}

impl<'a> Node<'a> {
    /// Returns its properties in the order written.
    pub(super) fn properties(&self) -> impl Iterator<Item = Property<'_, 'a>> {
        self.properties.iter().map(|(name, byte, range)| {
            let values = &self.values[range.clone()];
            Property { name, byte: *byte, values }
        })
    }

    /// Returns the first value of the property with this name.
    pub(super) fn first_value(&self, name: &str) -> Option<Value<'a>> {
        self.properties().find(|property| property.name == name).map(|property| property.values[0])
    }

    fn clear(&mut self) {
        self.properties.clear();
        self.values.clear();
        self.strays.clear();
        self.assumed = None;
    }

    fn add_stray(&mut self, range: Range<usize>) {
        match self.strays.last_mut() {
            Some(last) if self.properties.last().is_none_or(|&(_, byte, _)| byte < last.start) => {
                last.end = range.end;
            }
            _ => self.strays.push(range),
        }
    }
}

/// Walks one game tree without recursion: nesting costs no memory.
pub(super) struct Tree<'l, 'a> {
    lexer: &'l mut Lexer<'a>,
    limits: Limits,
    /// Whether a byte-order mark says that the file is UTF-8, whatever `CA` says.
    has_mark: bool,
    depth: usize,
    node_count: usize,
}

/// A reason and its place in the file.
pub(super) type Fault = (usize, SgfErrorKind);

impl<'l, 'a> Tree<'l, 'a> {
    /// Returns a tree of which the lexer is about to read the first `(`.
    pub(super) fn new(lexer: &'l mut Lexer<'a>, limits: Limits, has_mark: bool) -> Self {
        lexer.lead_bytes = LeadBytes::None;
        lexer.next();
        Self { lexer, limits, has_mark, depth: 1, node_count: 0 }
    }

    /// Reads the next node of the main line into `node`; `false` when the line has ended.
    pub(super) fn next_node(&mut self, node: &mut Node<'a>) -> Result<bool, Fault> {
        node.clear();
        let mut has_begun = false;
        loop {
            let token = self.lexer.next();
            let byte = self.lexer.start();
            match token {
                Token::Open | Token::Node | Token::Close if has_begun => {
                    self.lexer.unread();
                    return Ok(true);
                }
                Token::Open => self.descend()?,
                Token::Close => {
                    self.depth -= 1;
                    return Ok(false);
                }
                Token::Node => {
                    self.count_node(byte)?;
                    has_begun = true;
                }
                Token::Name(name) => {
                    if !has_begun {
                        self.count_node(byte)?;
                        has_begun = true;
                        node.assumed = Some(byte);
                    }
                    self.property(node, name, byte)?;
                }
                Token::Value(_) | Token::Stray(_) => node.add_stray(byte..self.lexer.position()),
                Token::Unclosed | Token::End => return Err(self.end_fault(token)),
            }
        }
    }

    /// Passes over what follows the main line and returns how many variations there are.
    pub(super) fn skip_variations(&mut self) -> Result<usize, Fault> {
        let mut lowest = self.depth;
        let mut count = 0;
        let mut is_leaf = false;
        while self.depth > 0 {
            let token = self.lexer.next();
            match token {
                Token::Open => {
                    self.descend()?;
                    is_leaf = true;
                }
                Token::Close => {
                    count += usize::from(is_leaf);
                    is_leaf = false;
                    self.depth -= 1;
                    lowest = lowest.min(self.depth);
                }
                Token::Node | Token::Name(_) if self.depth == lowest => {
                    return Err((self.lexer.start(), SgfErrorKind::NodeAfterVariation));
                }
                Token::Unclosed | Token::End => return Err(self.end_fault(token)),
                Token::Node | Token::Name(_) | Token::Value(_) | Token::Stray(_) => {}
            }
        }
        Ok(count)
    }

    /// Moves past the tree, or to where another game starts, whatever is wrong in between.
    pub(super) fn abandon(&mut self) {
        while self.depth > 0 {
            // Every call reads at least one token, or leaves the tree.
            _ = self.skip_variations();
        }
    }

    fn descend(&mut self) -> Result<(), Fault> {
        let byte = self.lexer.start();
        if self.lexer.is_at_header() {
            self.lexer.unread();
            self.depth = 0;
            return Err((byte, SgfErrorKind::NextGame));
        }
        self.depth += 1;
        check_limit(byte, self.depth, self.limits.depth, "levels of variations")
    }

    fn count_node(&mut self, byte: usize) -> Result<(), Fault> {
        self.node_count += 1;
        check_limit(byte, self.node_count, self.limits.nodes, "nodes in one game")
    }

    fn end_fault(&mut self, token: Token<'_>) -> Fault {
        self.depth = 0;
        let is_value = token == Token::Unclosed;
        let kind = if is_value { SgfErrorKind::UnclosedValue } else { SgfErrorKind::Truncated };
        (self.lexer.start(), kind)
    }

    /// Reads the values after a name and adds both to the node.
    fn property(&mut self, node: &mut Node<'a>, written: &'a [u8], byte: usize) -> Result<(), Fault> {
        let name = without_small_letters(written);
        let first = node.values.len();
        let mut end = self.lexer.position();
        let next = loop {
            match self.lexer.next() {
                Token::Value(bytes) => {
                    let byte = self.lexer.start();
                    node.values.push(Value { bytes, byte });
                    check_limit(byte, node.values.len(), self.limits.values, "values in one node")?;
                }
                token @ Token::Unclosed => return Err(self.end_fault(token)),
                token => break token,
            }
            end = self.lexer.position();
        };
        self.lexer.unread();
        let values = first..node.values.len();
        if values.is_empty() || !name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            refuse_loss(written, &name, values.is_empty().then_some(next)).map_err(|kind| (byte, kind))?;
            node.values.truncate(first);
            node.add_stray(byte..end);
            return Ok(());
        }
        if name == "CA" && self.node_count == 1 && !self.has_mark {
            let charset = charset(node.values[first].bytes);
            self.lexer.lead_bytes = charset.map(LeadBytes::new).unwrap_or_default();
        }
        node.properties.push((name, byte, values));
        Ok(())
    }
}

/// Refuses more than `limit` of something.
pub(super) fn check_limit(byte: usize, found: usize, limit: usize, what: &'static str) -> Result<(), Fault> {
    if found > limit { Err((byte, SgfErrorKind::TooLarge { what, limit })) } else { Ok(()) }
}

/// Names of FF\[3\] may be spelled out, as in `AddBlack`: only their capital letters count.
fn without_small_letters(written: &[u8]) -> Cow<'_, str> {
    let mut name = String::from_utf8_lossy(written);
    if written.iter().any(u8::is_ascii_lowercase) {
        name.to_mut().retain(|letter| !letter.is_ascii_lowercase());
    }
    name
}

/// A word that is no property is skipped as stray text, except where that might lose a move or a stone.
///
/// `next` is the token after the word when that is not a value.
fn refuse_loss(written: &[u8], name: &str, next: Option<Token<'_>>) -> Result<(), SgfErrorKind> {
    let changes_game = |name: &[u8]| matches!(name, b"B" | b"W" | b"AB" | b"AW" | b"AE");
    match next {
        Some(Token::Node | Token::Open | Token::Close) if changes_game(name.as_bytes()) => {
            Err(SgfErrorKind::MissingValue(name.to_owned()))
        }
        None if changes_game(&written.to_ascii_uppercase()) => {
            Err(SgfErrorKind::LowercaseName(excerpt(written)))
        }
        _ => Ok(()),
    }
}
