//! A proof, and how it is written.

use std::{
    io::{self, BufRead, Write},
    sync::{OnceLock, atomic::AtomicBool},
};

use super::{
    Claim, Problem,
    check::{Checker, Flaw, Verdict},
    repetition::Return,
    small_board::{NO_POINT, State},
    strategy::{Reply, StateCode, Strategy},
};
use crate::{Board, BoardSize, Color, Move, Point, Suicide, for_width};

/// A strategy for a claim about a problem.
#[derive(Clone, Debug)]
pub struct Proof {
    pub(super) problem: Problem,
    pub(super) claim: Claim,
    pub(super) strategy: Strategy,
    /// What the check has found, once it was made.
    verdict: OnceLock<Result<Verdict, Flaw>>,
}

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

impl Proof {
    pub(super) const fn new(problem: Problem, claim: Claim, strategy: Strategy) -> Self {
        Self { problem, claim, strategy, verdict: OnceLock::new() }
    }

    /// Checks a new proof, and returns also the prover's stones that bring back an earlier board. What it says is void if it was told to stop.
    pub(super) fn checked(self, stop: &AtomicBool) -> Result<(Self, Verdict, Vec<Return>), Flaw> {
        let (verdict, repetitions) = self.find_repetitions(stop)?;
        Ok((Self { verdict: Ok(verdict).into(), ..self }, verdict, repetitions))
    }

    /// Returns the position that the proof is about.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns what is proved.
    #[must_use]
    pub const fn claim(&self) -> Claim {
        self.claim
    }

    /// Returns the number of states for which there is a reply; mirror images count once.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.strategy.len()
    }

    /// Returns the prover's first move, where she is to play.
    #[must_use]
    pub fn first_move(&self) -> Option<Move> {
        let Problem { board, start, .. } = &self.problem;
        if start.to_play != self.claim.prover {
            return None;
        }
        let (code, symmetry) = StateCode::new(board, start);
        // The move for the image, turned back.
        let bit = board.origin(self.strategy.get(code)?.place, symmetry);
        Some(if bit == NO_POINT { Move::Pass } else { Move::Play(board.point(bit)) })
    }

    /// Checks the proof without a search, once: later calls return the same.
    ///
    /// Cost: about two microseconds for each state on one core of a virtual machine (AMD EPYC).
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<Verdict, Flaw> {
        let check = || self.find_repetitions(&AtomicBool::new(false));
        *self.verdict.get_or_init(|| check().map(|(verdict, _)| verdict))
    }

    fn find_repetitions(&self, stop: &AtomicBool) -> Result<(Verdict, Vec<Return>), Flaw> {
        for_width!(self.problem.board.size, W => Checker::<W>::new(self).check(stop))
    }

    /// Writes the proof as text, in the format of `docs/solve.md`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Problem { board, start, position } = &self.problem;
        let size = board.size;
        let stones = size.points().map(|point| sign(position.stone(point))).collect::<String>();
        let open = size.points().map(|point| if board.open.contains(&point) { '?' } else { '.' });
        let name_or_none =
            |ban: u8| if ban == NO_POINT { "-".to_owned() } else { board.point(ban).to_gtp(size) };
        let ko = name_or_none(start.ban);
        writeln!(out, "{TITLE}\nboard {size}\nsuicide {}", board.suicide.name())?;
        writeln!(out, "position {stones}\nopen {}", open.collect::<String>())?;
        writeln!(out, "to-play {}\nko {ko}", start.to_play)?;
        writeln!(out, "claim {} {}\nstates {}", self.claim.prover, self.claim.margin, self.strategy.len())?;
        let mut codes: Vec<StateCode> = self.strategy.iter().map(|(code, _)| code).collect();
        codes.sort_unstable();
        let mut line = String::new();
        for code in codes {
            let Reply { place, rank } = self.strategy.get(code).expect("a state of the strategy");
            let state = code.state(board, self.claim.prover);
            line.clear();
            line.extend(board.open.iter().map(|&point| sign(board.stone(&state, point))));
            let mv = board.open.get(usize::from(place)).map_or(Move::Pass, |&point| Move::Play(point));
            writeln!(out, "{line} {} {} {rank}", name_or_none(state.ban), mv.to_gtp(size))?;
        }
        Ok(())
    }

    /// Reads the next proof of a text; nothing at its end. What it says is not checked.
    ///
    /// # Errors
    /// [`ReadProofError`], with the line.
    pub fn read(input: &mut Lines<impl BufRead>) -> Result<Option<Self>, ReadProofError> {
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
        let expected = "`position` and a character for each point: X, O or .";
        let stones = input.field("position", expected, |text| stones(text, size.points()))?;
        let open = input.field("open", "`open` and a character for each point: ? or .", |text| {
            (text.len() == size.point_count()).then(|| text.to_owned())
        })?;
        let to_play = input.field("to-play", "`to-play Black` or `to-play White`", color)?;
        let ko = input.field("ko", "`ko -` or `ko` and a point", |text| point_or_none(text, size))?;
        let claim = input.field(
            "claim",
            "`claim`, a player, and a margin that is not certain beforehand",
            |text| {
                let (prover, margin) = text.split_once(' ')?;
                let claim = Claim { prover: color(prover)?, margin: margin.parse().ok()? };
                claim.is_worth_proving(size).then_some(claim)
            },
        )?;
        let count = input.field("states", "`states` and their number", |text| text.parse::<u64>().ok())?;
        let expected = "a legal position of at most 25 open points, marked in the line before";
        let problem = problem(size, suicide, &stones, to_play, ko).ok_or_else(|| input.expected(expected))?;
        let marked = size.points().zip(open.chars()).filter(|&(_, sign)| sign == '?').map(|(point, _)| point);
        if !marked.eq(problem.board.open.iter().copied()) {
            return Err(input.expected(expected));
        }
        let mut strategy = Strategy::new();
        for _ in 0..count {
            let line = input.next()?;
            let entry = line.and_then(|line| entry(line, &problem, claim.prover));
            let (code, reply) = entry
                .ok_or_else(|| input.expected("a state: stones, ko, move and rank, separated by spaces"))?;
            if strategy.get(code).is_some() {
                return Err(input.expected("a state that is not yet in the proof"));
            }
            if strategy.is_full() {
                strategy.grow();
            }
            strategy.note(code, reply);
        }
        Ok(Some(Self::new(problem, claim, strategy)))
    }
}

/// The first line of a proof.
const TITLE: &str = "jigo proof 1";

fn sign(stone: Option<Color>) -> char {
    match stone {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    }
}

fn color(name: &str) -> Option<Color> {
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

/// Reads a line with a state and the prover's reply.
fn entry(line: &str, problem: &Problem, prover: Color) -> Option<(StateCode, Reply)> {
    let board = &problem.board;
    let mut fields = line.split(' ');
    let stones = stones(fields.next()?, board.open.iter().copied())?;
    let ko = point_or_none(fields.next()?, board.size)?;
    let mv = Move::from_gtp(fields.next()?, board.size).ok()?;
    let rank = fields.next()?.parse().ok()?;
    if fields.next().is_some() || ko.is_some_and(|ko| !board.open.contains(&ko)) {
        return None;
    }
    let set = |of: Color| {
        stones
            .iter()
            .filter(|(_, color)| *color == of)
            .fold(0, |set, &(point, _)| set | 1 << board.bit(point))
    };
    let mut state: State = board.state(Color::BOTH.map(set), prover);
    state.ban = ko.map_or(NO_POINT, |ko| board.bit(ko));
    let (code, symmetry) = StateCode::new(board, &state);
    let bit = match mv {
        Move::Pass => NO_POINT,
        Move::Play(point) => board.open.contains(&point).then(|| board.bit(point))?,
    };
    Some((code, Reply { place: board.place(bit, symmetry), rank }))
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

    fn expected(&self, expected: &'static str) -> ReadProofError {
        ReadProofError::Line { line: self.number, expected }
    }

    /// Reads a line that begins with a name, and parses the rest.
    fn field<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ReadProofError> {
        let line = self.next()?;
        let value = line.and_then(|line| parse(line.strip_prefix(name)?.strip_prefix(' ')?));
        value.ok_or_else(|| self.expected(expected))
    }
}
