//! The text of proofs: lines, and the head that proofs of both kinds share.

use std::io::{self, BufRead, Write};

use super::{
    Claim, Problem,
    small_board::{NO_POINT, SmallBoard, Stones},
};
use crate::{Board, BoardSize, Color, Ko, Move, Point, Rules, Suicide, rules::Tax};

/// Why text is not a proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadProofError {
    /// The text cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not what the format demands.
    #[error("line {line}: expected {expected}")]
    Line {
        /// The number of the line, from 1.
        line: u64,
        /// What should stand there.
        expected: &'static str,
    },
}

/// The first line of a proof.
const TITLE: &str = "jigo proof 1";

/// What a proof is about, and how many states follow.
pub(super) struct Head {
    pub(super) problem: Problem,
    /// The rules under which it holds, if it counts on the history of the game.
    pub(super) rules: Option<Rules>,
    pub(super) claim: Claim,
    pub(super) states: u64,
}

impl Head {
    pub(super) fn write(
        out: &mut impl Write,
        problem: &Problem,
        rules: Option<Rules>,
        claim: Claim,
        states: usize,
    ) -> io::Result<()> {
        let Problem { board, start, position } = problem;
        let size = board.size;
        let stones = size.points().map(|point| sign(position.stone(point))).collect::<String>();
        let open = size.points().map(|point| if board.open.contains(&point) { '?' } else { '.' });
        writeln!(out, "{TITLE}\nboard {size}\nsuicide {}", board.suicide.name())?;
        if let Some(Rules { ko, tax, .. }) = rules {
            let tax = if tax == Tax::None { String::new() } else { format!(" {tax}") };
            writeln!(out, "history {ko}{tax}")?;
        }
        writeln!(out, "position {stones}\nopen {}", open.collect::<String>())?;
        writeln!(out, "to-play {}\nko {}", start.to_play, ko_name(board, start.ban))?;
        writeln!(out, "claim {} {}\nstates {states}", claim.prover, claim.margin)
    }

    /// Reads the head of the next proof; nothing at the end of the text.
    pub(super) fn read(input: &mut Lines<impl BufRead>) -> Result<Option<Self>, ReadProofError> {
        match input.next()? {
            Some(TITLE) => {}
            None => return Ok(None),
            Some(_) => {
                return Err(
                    input.expected("`jigo proof 1`, the first line of what `jigo solve --proof` writes")
                );
            }
        }
        let size = input.field("board", "`board` and a size", |text| text.parse::<BoardSize>().ok())?;
        let suicide = input.field("suicide", "`suicide suicide` or `suicide no-suicide`", |text| {
            Suicide::ALL.into_iter().find(|suicide| suicide.name() == text)
        })?;
        let expected = "`position` and a character for each point, X, O or .; or `history`, a ko rule and possibly a tax";
        let (rules, stones) = input.line(expected, |line| match line.split_once(' ')? {
            ("history", names) => Some((Some(history_rules(names, suicide)?), None)),
            ("position", text) => Some((None, Some(stones(text, size.points())?))),
            _ => None,
        })?;
        let expected = "`position` and a character for each point: X, O or .";
        let stones = match stones {
            Some(stones) => stones,
            None => input.field("position", expected, |text| self::stones(text, size.points()))?,
        };
        let open = input.field("open", "`open` and a character for each point: ? or .", |text| {
            (text.len() == size.point_count()).then(|| text.to_owned())
        })?;
        let to_play = input.field("to-play", "`to-play Black` or `to-play White`", color)?;
        let ko = input.field("ko", "`ko -` or `ko` and a point", |text| point_or_none(text, size))?;
        let expected = "`claim`, a player, and a margin that is not certain beforehand";
        let claim = input.field("claim", expected, |text| {
            let (prover, margin) = text.split_once(' ')?;
            let claim = Claim { prover: color(prover)?, margin: margin.parse().ok()? };
            claim.is_worth_proving(size).then_some(claim)
        })?;
        let states = input.field("states", "`states` and their number", |text| text.parse::<u64>().ok())?;
        let expected = "a legal position of at most 25 open points, marked in the line before";
        let problem = problem(size, suicide, &stones, to_play, ko).ok_or_else(|| input.expected(expected))?;
        let marked = size.points().zip(open.chars()).filter(|&(_, sign)| sign == '?').map(|(point, _)| point);
        if !marked.eq(problem.board.open.iter().copied()) {
            return Err(input.expected(expected));
        }
        if rules.is_some() && problem.board.open.len() < size.point_count() {
            return Err(input.expected("a position of which all points are open, because the history counts"));
        }
        Ok(Some(Self { problem, rules, claim, states }))
    }
}

/// Reads the rules under which a proof with the history of the game holds: a ko rule, and a tax if there is one.
fn history_rules(names: &str, suicide: Suicide) -> Option<Rules> {
    let (ko, tax) = names.split_once(' ').unwrap_or((names, Tax::None.name()));
    let ko = Ko::ALL.into_iter().find(|rule| rule.name() == ko)?;
    let tax = Tax::ALL.into_iter().find(|rule| rule.name() == tax)?;
    Some(Rules { ko, suicide, tax, ..Rules::TROMP_TAYLOR })
}

fn sign(stone: Option<Color>) -> char {
    match stone {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    }
}

/// Returns the signs of the stones on open points.
pub(super) fn signs(board: &SmallBoard, stones: Stones) -> impl Iterator<Item = char> {
    board.open.iter().map(move |&point| sign(board.stone(stones, point)))
}

/// Returns the name of a point that simple ko forbids.
pub(super) fn ko_name(board: &SmallBoard, ban: u8) -> String {
    if ban == NO_POINT { "-".to_owned() } else { board.point(ban).to_gtp(board.size) }
}

pub(super) fn color(name: &str) -> Option<Color> {
    Color::BOTH.into_iter().find(|color| color.to_string() == name)
}

fn point_or_none(text: &str, size: BoardSize) -> Option<Option<Point>> {
    if text == "-" { Some(None) } else { Point::from_gtp(text, size).ok().map(Some) }
}

/// Reads the stones on points in this order.
fn stones(text: &str, points: impl Iterator<Item = Point>) -> Option<Vec<(Point, Color)>> {
    let mut points = points;
    let mut stones = Vec::new();
    for sign in text.chars() {
        let point = points.next()?;
        match sign {
            'X' => stones.push((point, Color::Black)),
            'O' => stones.push((point, Color::White)),
            '.' => {}
            _ => return None,
        }
    }
    points.next().is_none().then_some(stones)
}

/// Reads the stones on open points.
pub(super) fn open_stones(text: &str, board: &SmallBoard) -> Option<Stones> {
    let stones = stones(text, board.open.iter().copied())?;
    Some(Color::BOTH.map(|of| {
        let own = stones.iter().filter(|(_, color)| *color == of);
        own.fold(0, |set, &(point, _)| set | 1 << board.bit(point))
    }))
}

/// Reads an open point that simple ko forbids, or that it forbids none.
pub(super) fn open_ko(text: &str, board: &SmallBoard) -> Option<u8> {
    match point_or_none(text, board.size)? {
        None => Some(NO_POINT),
        Some(point) => board.open.contains(&point).then(|| board.bit(point)),
    }
}

/// Reads a move on an open point, or a pass.
pub(super) fn open_move(text: &str, board: &SmallBoard) -> Option<u8> {
    match Move::from_gtp(text, board.size).ok()? {
        Move::Pass => Some(NO_POINT),
        Move::Play(point) => board.open.contains(&point).then(|| board.bit(point)),
    }
}

/// Returns the name of a move.
pub(super) fn move_name(board: &SmallBoard, bit: u8) -> String {
    let mv = if bit == NO_POINT { Move::Pass } else { Move::Play(board.point(bit)) };
    mv.to_gtp(board.size)
}

fn problem(
    size: BoardSize,
    suicide: Suicide,
    stones: &[(Point, Color)],
    to_play: Color,
    ko: Option<Point>,
) -> Option<Problem> {
    let mut board: Board = Board::new(size, suicide);
    board.set_position(stones.iter().copied(), to_play).ok()?;
    Problem::new(&board.position(), to_play, ko, suicide).ok()
}

/// The lines of a text with proofs, one after the other.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    number: u64,
    line: String,
}

impl<R: BufRead> Lines<R> {
    /// The longest line: a board of 25×25 points and a word.
    const MAX_LENGTH: u64 = 1000;

    /// Begins to read.
    pub const fn new(input: R) -> Self {
        Self { input, number: 0, line: String::new() }
    }

    /// Returns the next line without its end; nothing at the end of the text.
    fn next(&mut self) -> io::Result<Option<&str>> {
        self.line.clear();
        self.number += 1;
        let length = io::Read::take(&mut self.input, Self::MAX_LENGTH).read_line(&mut self.line)?;
        Ok((length > 0).then(|| self.line.trim_end_matches(['\n', '\r'])))
    }

    pub(super) fn expected(&self, expected: &'static str) -> ReadProofError {
        ReadProofError::Line { line: self.number, expected }
    }

    /// Reads and parses a line.
    pub(super) fn line<T>(
        &mut self,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ReadProofError> {
        let value = self.next()?.and_then(parse);
        value.ok_or_else(|| self.expected(expected))
    }

    /// Reads a line that begins with a name, and parses the rest.
    fn field<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ReadProofError> {
        self.line(expected, |line| parse(line.strip_prefix(name)?.strip_prefix(' ')?))
    }
}
