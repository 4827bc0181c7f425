//! Proofs of a bound under one ko rule, with the history of the game.
//!
//! A proof is a graph of states without cycles, the start at its end. Where the prover is to play it says what she plays; where her opponent is, it names
//! the states after his moves. No state is named after a move that ends the game, that leaves her with safe points which suffice (see
//! [`exact`](super::exact)), or that a superko rule forbids because it brings back a board.
//!
//! # How it is checked
//! Many games lead to the same state. In each of them
//! - stones that must not bring back a board do not: no state from which such a stone can be reached has the board that it makes. Under superko these are
//!   the prover's; where a repetition is a draw and she needs more, they are all stones;
//! - stones of her opponent that are not answered do: wherever there is such a stone, the board that it makes stood on every way from the start.
//!
//! One pass over the states finds that out for 64 boards at a time. Of the solver the check shares the board alone; what is alive it asks
//! [`Position::unconditional_life`].

use std::io::{self, BufRead, Write};

use super::{
    Claim, Flaw, Problem, Verdict,
    small_board::{NO_POINT, Points, SmallBoard, State, Stones, WordBoard, bits},
    text::{Lines, ReadProofError, color, ko_name, move_name, open_ko, open_move, open_stones, signs},
};
use crate::{
    Color, Ko, Position, Rules, Suicide, for_width, rules::Tax, score::ScoringContext, zobrist::MixMap,
};

/// The games that can come up when the prover plays as a proof says.
#[derive(Clone, Debug)]
pub(super) struct GameGraph {
    /// The rules under which the proof holds.
    pub(super) rules: Rules,
    /// Each after those to which it leads; the last one is the start. None, if nothing need be played.
    nodes: Vec<Node>,
    /// The numbers of the states that follow, of one after the other.
    next: Vec<u32>,
}

/// A state, and what is said of it.
#[derive(Clone, Debug)]
struct Node {
    situation: Situation,
    /// The prover's move where she is to play.
    mv: u8,
    /// How many of the numbers belong to this state and those before it.
    next_end: u32,
}

/// All that the rest of the game depends on but the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Situation {
    stones: Stones,
    to_play: Color,
    ban: u8,
    is_after_pass: bool,
}

impl From<&State> for Situation {
    fn from(state: &State) -> Self {
        let State { stones, to_play, ban, is_after_pass, .. } = *state;
        Self { stones, to_play, ban, is_after_pass }
    }
}

impl Situation {
    fn state(self, board: &SmallBoard) -> State {
        let Self { stones, to_play, ban, is_after_pass } = self;
        let mut state = board.state(stones, to_play);
        (state.ban, state.is_after_pass) = (ban, is_after_pass);
        state
    }
}

impl GameGraph {
    pub(super) const fn new(rules: Rules) -> Self {
        Self { rules, nodes: Vec::new(), next: Vec::new() }
    }

    /// Adds a state and returns its number. `mv` is the prover's move where she is to play, and `next` are numbers of states.
    pub(super) fn add(&mut self, situation: Situation, mv: u8, next: &[u32]) -> u32 {
        self.next.extend(next);
        self.nodes.push(Node { situation, mv, next_end: self.next.len() as u32 });
        self.nodes.len() as u32 - 1
    }

    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the move at the start, if a player must move there.
    pub(super) fn first_move(&self) -> Option<u8> {
        self.nodes.last().map(|node| node.mv)
    }

    /// Checks that the graph proves a claim about a problem.
    pub(super) fn check(&self, problem: &Problem, claim: Claim) -> Result<Verdict, Flaw> {
        for_width!(problem.board.size, W => Checker::<W>::new(self, problem, claim).check())
    }

    fn next(&self, number: usize) -> &[u32] {
        let begin = number.checked_sub(1).map_or(0, |before| self.nodes[before].next_end);
        &self.next[begin as usize..self.nodes[number].next_end as usize]
    }

    /// Writes each state, what the prover plays there, and the numbers of the states that follow.
    pub(super) fn write(&self, out: &mut impl Write, board: &SmallBoard, prover: Color) -> io::Result<()> {
        for (number, Node { situation, mv, .. }) in self.nodes.iter().enumerate() {
            let Situation { stones, to_play, ban, is_after_pass } = *situation;
            let stones: String = signs(board, stones).collect();
            let passed = if is_after_pass { "pass" } else { "-" };
            let mv = if to_play == prover { move_name(board, *mv) } else { "-".to_owned() };
            write!(out, "{stones} {to_play} {} {passed} {mv}", ko_name(board, ban))?;
            for next in self.next(number) {
                write!(out, " {next}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Reads so many states. What they say is not checked.
    pub(super) fn read(
        input: &mut Lines<impl BufRead>,
        board: &SmallBoard,
        prover: Color,
        rules: Rules,
        states: u64,
    ) -> Result<Self, ReadProofError> {
        let mut graph = Self::new(rules);
        for _ in 0..states {
            let expected = "a state: stones, player, ko, `pass` or -, move or -, and numbers of states before it, separated by spaces";
            let (situation, mv, next) = input.line(expected, |line| graph.entry(line, board, prover))?;
            graph.add(situation, mv, &next);
        }
        Ok(graph)
    }

    fn entry(&self, line: &str, board: &SmallBoard, prover: Color) -> Option<(Situation, u8, Vec<u32>)> {
        let mut fields = line.split(' ');
        let stones = open_stones(fields.next()?, board)?;
        let to_play = color(fields.next()?)?;
        let ban = open_ko(fields.next()?, board)?;
        let is_after_pass = match fields.next()? {
            "pass" => true,
            "-" => false,
            _ => return None,
        };
        let mv = match fields.next()? {
            "-" if to_play != prover => NO_POINT,
            name if to_play == prover => open_move(name, board)?,
            _ => return None,
        };
        let is_known = |number: &u32| (*number as usize) < self.nodes.len();
        let next = fields.map(|field| field.parse().ok().filter(is_known)).collect::<Option<_>>()?;
        Some((Situation { stones, to_play, ban, is_after_pass }, mv, next))
    }
}

/// That a move makes a board, and that it stood before or did not.
struct Constraint {
    node: u32,
    /// The number of the board.
    board: u32,
    must_be_new: bool,
}

/// What a move leads to.
enum After {
    /// The end of the game, or enough safe points.
    Won,
    /// One of the states that the proof names.
    Named,
    /// A board that must have stood before: superko forbids the move, or it ends the game as a draw.
    Repeated,
}

struct Checker<'a, const W: usize> {
    graph: &'a GameGraph,
    claim: Claim,
    board: &'a SmallBoard,
    start: Situation,
    /// The whole board, on which stones are set anew for each question.
    position: Position<W>,
    /// The prover's chains that are alive at the start.
    start_alive: Points,
    /// The boards of the states, with their numbers, as the ko rule distinguishes them.
    numbers: MixMap<u64, u32>,
    constraints: Vec<Constraint>,
}

impl<'a, const W: usize> Checker<'a, W> {
    fn new(graph: &'a GameGraph, problem: &'a Problem, claim: Claim) -> Self {
        let mut checker = Self {
            graph,
            claim,
            board: &problem.board,
            start: Situation { is_after_pass: false, ..(&problem.start).into() },
            position: problem.position.with_width(),
            start_alive: 0,
            numbers: MixMap::default(),
            constraints: Vec::new(),
        };
        checker.start_alive = checker.safe_points(problem.start.stones).0;
        for node in &graph.nodes {
            let code = checker.code(&node.situation);
            let count = checker.numbers.len() as u32;
            checker.numbers.entry(code).or_insert(count);
        }
        checker
    }

    fn check(mut self) -> Result<Verdict, Flaw> {
        let nodes = &self.graph.nodes;
        let verdict =
            |states: usize, plies| Verdict { states: states as u64, plies, holds_under_superko: false };
        let start = self.start;
        let Some(last) = nodes.last() else {
            let (alive, safe) = self.safe_points(start.stones);
            let is_won = alive != 0 && self.suffices(safe, &start);
            return is_won.then_some(verdict(0, 0)).ok_or(Flaw::NoReply);
        };
        if last.situation != start {
            return Err(Flaw::NoReply);
        }
        let mut plies: Vec<u32> = Vec::with_capacity(nodes.len());
        for number in 0..nodes.len() {
            self.check_node(number)?;
            let next = self.graph.next(number).iter().map(|&next| plies[next as usize]);
            plies.push(1 + next.max().unwrap_or(0));
        }
        self.check_boards()?;
        Ok(verdict(nodes.len(), plies.pop().unwrap_or(0)))
    }

    /// Checks that all moves from a state lead to what the proof says, and notes which boards must be new or not.
    fn check_node(&mut self, number: usize) -> Result<(), Flaw> {
        let Node { situation, mv, .. } = self.graph.nodes[number].clone();
        let state = situation.state(self.board);
        let is_start = number + 1 == self.graph.nodes.len();
        // Play does not go on where a player has won: her safe points would not be safe then under superko.
        if self.is_won(&situation) {
            return Err(Flaw::PlayAfterWin);
        }
        let mut used = 0;
        if state.to_play == self.claim.prover {
            used += usize::from(matches!(self.after(&state, mv, number)?, After::Named));
        } else {
            let mut points = self.board.empty(state.stones);
            if state.ban != NO_POINT {
                points &= !(1 << state.ban);
            }
            if is_start {
                points = self.board.first_images(&state, points);
            }
            for bit in bits(points).chain([NO_POINT]) {
                match self.after(&state, bit, number) {
                    Ok(After::Named) => used += 1,
                    // Other moves need no reply, and forbidden suicide is none.
                    Ok(_) | Err(Flaw::IllegalMove) => {}
                    Err(flaw) => return Err(flaw),
                }
            }
        }
        // No other states may be named.
        if used == self.graph.next(number).len() { Ok(()) } else { Err(Flaw::IllegalMove) }
    }

    /// Plays a move and says what comes after it.
    fn after(&mut self, state: &State, mv: u8, number: usize) -> Result<After, Flaw> {
        let is_provers = state.to_play == self.claim.prover;
        if mv == NO_POINT && state.is_after_pass {
            let flaw = if is_provers { Flaw::EarlyPass } else { Flaw::NoReply };
            return if self.final_margin(state) >= self.claim.margin { Ok(After::Won) } else { Err(flaw) };
        }
        let after = if mv == NO_POINT {
            self.board.pass(state, true)
        } else {
            let is_open = self.board.empty(state.stones) >> mv & 1 != 0 && state.ban != mv;
            is_open.then(|| self.board.play(state, mv)).flatten().ok_or(Flaw::IllegalMove)?.0
        };
        let after = Situation::from(&after);
        let draw_suffices = self.claim.margin <= 0;
        let (must_be_new, repetition_wins) = match self.graph.rules.ko {
            Ko::Simple => (!draw_suffices, draw_suffices),
            Ko::PositionalSuperko | Ko::SituationalSuperko => (is_provers, !is_provers),
        };
        let board = self.numbers.get(&self.code(&after)).copied();
        let node = number as u32;
        if let Some(board) = board.filter(|_| mv != NO_POINT && must_be_new) {
            self.constraints.push(Constraint { node, board, must_be_new });
        }
        let is_named = |&next: &u32| self.graph.nodes[next as usize].situation == after;
        if self.graph.next(number).iter().any(is_named) {
            return Ok(After::Named);
        }
        if self.is_won(&after) {
            return Ok(After::Won);
        }
        if let Some(board) = board.filter(|_| mv != NO_POINT && repetition_wins) {
            self.constraints.push(Constraint { node, board, must_be_new: false });
            return Ok(After::Repeated);
        }
        Err(Flaw::NoReply)
    }

    /// Checks which boards stood before and which did not.
    fn check_boards(&mut self) -> Result<(), Flaw> {
        let nodes = &self.graph.nodes;
        let boards: Vec<u32> = nodes.iter().map(|node| self.numbers[&self.code(&node.situation)]).collect();
        self.constraints.sort_unstable_by_key(|constraint| (constraint.board / 64, constraint.node));
        // Of 64 boards, those that stones make which can be reached from a state and must be new, and those that must have stood before it.
        let mut made = vec![0_u64; nodes.len()];
        let mut needed = vec![0_u64; nodes.len()];
        for group in self.constraints.chunk_by(|one, other| one.board / 64 == other.board / 64) {
            let first = group[0].node as usize;
            let mut left = group;
            for number in first..nodes.len() {
                let (mut all_made, mut all_needed) = (0, 0);
                // Of states before the first one nothing is required, and what is noted there is of other boards.
                for &next in self.graph.next(number).iter().filter(|&&next| next as usize >= first) {
                    all_made |= made[next as usize];
                    all_needed |= needed[next as usize];
                }
                while let [constraint, rest @ ..] = left
                    && constraint.node as usize == number
                {
                    let bit = 1 << (constraint.board % 64);
                    *(if constraint.must_be_new { &mut all_made } else { &mut all_needed }) |= bit;
                    left = rest;
                }
                if boards[number] / 64 == group[0].board / 64 {
                    let own = 1 << (boards[number] % 64);
                    if all_made & own != 0 {
                        return Err(Flaw::Repetition);
                    }
                    all_needed &= !own;
                }
                (made[number], needed[number]) = (all_made, all_needed);
            }
            if needed.last().is_some_and(|&needed| needed != 0) {
                return Err(Flaw::NoReply);
            }
        }
        Ok(())
    }

    /// Returns a number for the board that the ko rule distinguishes from all others.
    fn code(&self, situation: &Situation) -> u64 {
        let counts_player = self.graph.rules.ko != Ko::PositionalSuperko;
        let player = if counts_player { situation.to_play.index() as u64 } else { 0 };
        self.board.number(situation.stones, 0) << 1 | player
    }

    /// Returns whether the prover's safe points suffice, thanks to chains that were not alive at the start.
    fn is_won(&mut self, situation: &Situation) -> bool {
        let (alive, safe) = self.safe_points(situation.stones);
        alive & !self.start_alive != 0 && self.suffices(safe, situation)
    }

    fn suffices(&mut self, safe: Points, situation: &Situation) -> bool {
        let Claim { prover, margin } = self.claim;
        if self.graph.rules.tax != Tax::None {
            return false;
        }
        let mut sure = self.board.secured(safe, prover);
        if situation.is_after_pass && situation.to_play != prover {
            sure = sure.min(self.final_margin(&situation.state(self.board)));
        }
        if self.graph.rules.ko == Ko::Simple && safe != self.board.all {
            sure = sure.min(0);
        }
        sure >= margin
    }

    /// Returns the prover's alive chains, and these with the regions between them all of whose points are beside one of them, as her stones alone say.
    fn safe_points(&mut self, stones: Stones) -> (Points, Points) {
        let prover = self.claim.prover;
        let mut alone = [0; 2];
        alone[prover.index()] = stones[prover.index()];
        self.set(alone);
        let geometry = self.position.geometry();
        let life = self.position.unconditional_life(prover, Suicide::Allowed).stones;
        let is_alive = |&bit: &u8| life.contains(geometry.bit(self.board.point(bit)));
        let alive = bits(self.board.all).filter(is_alive).fold(0, |set, bit| set | 1 << bit);
        let beside = self.board.adjacent(alive);
        let regions = self.board.parts(self.board.all & !alive).filter(|region| region & !beside == 0);
        (alive, regions.fold(alive, |safe, region| safe | region))
    }

    /// Returns the prover's margin if the game ends here.
    fn final_margin(&mut self, state: &State) -> i32 {
        self.set(state.stones);
        self.claim.prover.sign() * self.position.score(self.graph.rules, &ScoringContext::default()).margin()
    }

    fn set(&mut self, stones: Stones) {
        for &point in &self.board.open {
            self.position.set_stone(point, self.board.stone(stones, point));
        }
    }
}
