//! Checks a strategy without searching: that every reply of the opponent is answered, that play ends, and that superko forbids none of the moves.
//!
//! Of the solver it shares the board alone. What is alive it asks [`Position::unconditional_life`].

use std::collections::BTreeSet;

use super::{
    Claim, Problem, Proof,
    settled::Settled,
    small_board::{NO_POINT, Points, SmallBoard, State, Stones, bits},
    strategy::{Reply, StateCode, Strategy},
};
use crate::{Color, Move, Position, Suicide, bitboard::Bitboard, zobrist::MixMap};

/// What the check of a proof has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// States of the prover that can come up; those that are mirror images count once.
    pub states: u64,
    /// The most plies until she has won, or needs only to take off what is dead.
    pub plies: u8,
    /// Whether it is shown that none of her stones brings back an earlier board, so that the margin holds under every superko rule. It holds
    /// under simple ko in any case.
    pub holds_under_superko: bool,
}

/// What is wrong with a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The opponent can reach a state without a reply.
    #[error("a state that can come up has no reply")]
    NoReply,
    /// A rank does not fall.
    #[error("ranks do not fall from each state to the next, so that play may never end")]
    NoEnd,
    /// A move that the rules forbid, suicide, or a move on a point that is somebody's in any case.
    #[error("a reply is not a move that the prover may make")]
    IllegalMove,
    /// A pass before the margin is reached.
    #[error("a reply is a pass with too small a margin")]
    EarlyPass,
}

/// What is a player's in any case: [`Settled`] on the open points and walls.
#[derive(Clone, Copy, Debug)]
struct Safe {
    alive: Points,
    points: Points,
    inner: Points,
}

/// What is known of the ways that lead to a state.
#[derive(Clone, Debug, Default)]
struct Ways {
    /// The points on which a stone of the prover was captured on any of them.
    captured: Points,
    /// The [returns](Checker::returns) whose boards stood on any of them, perhaps as mirror images: with what stood.
    seen: BTreeSet<(usize, Stones)>,
}

/// A stone of the prover where one of hers was captured before: it may bring back a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Return {
    pub(super) state: StateCode,
    /// The stones after it: see [`StateCode::board`].
    pub(super) board: u64,
}

pub(super) struct Checker<'a, const W: usize> {
    claim: Claim,
    board: &'a SmallBoard,
    start: State,
    strategy: &'a Strategy,
    /// The whole board, on which the stones of the open points are set anew for each question.
    position: Position<W>,
    /// By rank, the states of the prover that can come up.
    open: Vec<MixMap<StateCode, Ways>>,
    /// What the first pass finds, with ranks.
    returns: Vec<(Return, u8)>,
    /// The returns that bring back each board, and those from each state: for the second pass.
    by_board: MixMap<u64, Vec<usize>>,
    by_state: MixMap<StateCode, usize>,
    /// Those whose boards have stood before, as the second pass finds.
    repetitions: Vec<Return>,
    verdict: Verdict,
}

impl<'a, const W: usize> Checker<'a, W> {
    pub(super) fn new(proof: &'a Proof) -> Self {
        let Proof { problem: Problem { board, start, position }, claim, strategy, .. } = proof;
        Self {
            claim: *claim,
            board,
            start: *start,
            strategy,
            position: position.with_width(),
            open: (0..=usize::from(u8::MAX)).map(|_| MixMap::default()).collect(),
            returns: Vec::new(),
            by_board: MixMap::default(),
            by_state: MixMap::default(),
            repetitions: Vec::new(),
            verdict: Verdict { states: 0, plies: 0, holds_under_superko: true },
        }
    }

    /// Checks that the prover secures her margin from the start.
    ///
    /// The first pass checks all but superko, and notes the stones that may bring back a board. The second finds out whether such a board can have stood
    /// before, and returns those stones.
    pub(super) fn check(mut self) -> Result<(Verdict, Vec<Return>), Flaw> {
        self.pass_through()?;
        let returns = std::mem::take(&mut self.returns);
        if self.verdict.holds_under_superko && !returns.is_empty() {
            for (number, (found, _)) in returns.iter().enumerate() {
                self.by_board.entry(found.board).or_default().push(number);
                self.by_state.insert(found.state, number);
            }
            self.returns = returns;
            self.pass_through()?;
        }
        Ok((self.verdict, self.repetitions))
    }

    fn pass_through(&mut self) -> Result<(), Flaw> {
        let start = self.start;
        if start.to_play == self.claim.prover {
            self.expect(&start, &Ways::default(), u8::MAX)?;
        } else {
            let mut ways = Ways::default();
            self.see(&start, u8::MAX, &mut ways);
            self.answer(&start, &ways, u8::MAX, false)?;
        }
        let first =
            (0..).zip(&self.open).filter(|(_, states)| !states.is_empty()).map(|(rank, _)| rank).max();
        self.verdict.plies = first.unwrap_or(0) + u8::from(start.to_play != self.claim.prover);
        self.verdict.states = 0;
        for rank in (0..self.open.len()).rev() {
            for (code, ways) in std::mem::take(&mut self.open[rank]) {
                self.verdict.states += 1;
                self.follow(code, ways)?;
            }
        }
        Ok(())
    }

    /// Plays the prover's move in a state.
    fn follow(&mut self, code: StateCode, mut ways: Ways) -> Result<(), Flaw> {
        let Reply { mv, rank } = self.strategy[&code];
        let state = code.state(self.board, self.claim.prover);
        let safe = self.safe_sets(state.stones);
        let was_won = self.is_won(&safe[0]);
        self.see(&state, rank, &mut ways);
        let after = match mv {
            Move::Pass => {
                if self.margin(state.stones, [safe[0].points, safe[1].points]) < self.claim.margin {
                    return Err(Flaw::EarlyPass);
                }
                self.require_cleaning(&safe[0], state.stones, &ways);
                self.board.pass(&state, true)
            }
            Move::Play(point) => {
                if !self.board.open.contains(&point) {
                    return Err(Flaw::IllegalMove);
                }
                let bit = self.board.bit(point);
                let open = self.board.empty(state.stones) & !safe[0].points & !safe[1].points;
                let is_free = open >> bit & 1 != 0 && bit != state.ban;
                let played = is_free.then(|| self.board.play(&state, bit)).flatten();
                let (after, _) = played.ok_or(Flaw::IllegalMove)?;
                if after.stones[self.claim.prover.index()] >> bit & 1 == 0 {
                    return Err(Flaw::IllegalMove);
                }
                // Only where a stone was captured can a stone bring back what was there before.
                if ways.captured >> bit & 1 != 0 {
                    let board = StateCode::board(self.board, &after);
                    let found = Return { state: code, board };
                    match self.by_state.get(&code) {
                        Some(&number) if ways.seen.contains(&(number, after.stones)) => {
                            self.verdict.holds_under_superko = false;
                            self.repetitions.push(found);
                        }
                        Some(_) => {}
                        None => self.returns.push((found, rank)),
                    }
                    // By suicide where everything is decided the opponent can make boards equal that are not so here.
                    let others = self.board.settled[self.claim.prover.opponent().index()];
                    if self.board.suicide == Suicide::Allowed && (safe[1].points != 0 || others > 0) {
                        self.verdict.holds_under_superko = false;
                    }
                }
                self.see(&after, rank, &mut ways);
                after
            }
        };
        self.answer(&after, &ways, rank, was_won)
    }

    /// Notes that the board of a state has stood, for the returns of lower ranks.
    fn see(&self, state: &State, rank: u8, ways: &mut Ways) {
        if self.by_board.is_empty() {
            return;
        }
        let returns = self.by_board.get(&StateCode::board(self.board, state)).into_iter().flatten();
        let later = returns.copied().filter(|&number| self.returns[number].1 < rank);
        ways.seen.extend(later.map(|number| (number, state.stones)));
    }

    /// Requires an answer to all that the opponent can do, unless the prover has won.
    ///
    /// She has won where her safe points give her the margin, and then takes off what is dead in them. The boards after her stones there are new: so are
    /// they among themselves, because each joins her alive stones or takes off all that is dead in a region. On an earlier board with the opponent to
    /// move she would have won already, because what is safe depends on her stones alone. So she would before his last stone on one with her to move,
    /// unless it captured some of hers. That is the case in which she had won before her last move (`was_won`), and it is looked at more closely.
    fn answer(&mut self, state: &State, ways: &Ways, rank: u8, was_won: bool) -> Result<(), Flaw> {
        let safe = self.safe_sets(state.stones);
        if self.is_won(&safe[0]) {
            if was_won {
                self.require_cleaning(&safe[0], state.stones, ways);
            }
            return Ok(());
        }
        let mut points = self.board.empty(state.stones) & !safe[0].points & !safe[1].points;
        if state.ban != NO_POINT {
            points &= !(1 << state.ban);
        }
        for bit in bits(points) {
            let Some((after, taken)) = self.board.play(state, bit) else { continue };
            self.expect(&after, &Ways { captured: ways.captured | taken, seen: ways.seen.clone() }, rank)?;
        }
        // A pass that can be nothing else lets her end the game, if she has her margin as the board is.
        let idle = self.board.empty(state.stones) & (safe[0].points | safe[1].points);
        let has_no_idle_move = idle == 0 && self.board.settled == [0; 2];
        let ends = has_no_idle_move && self.margin(state.stones, [0; 2]) >= self.claim.margin;
        if !state.is_after_pass && !ends {
            self.expect(&self.board.pass(state, false), ways, rank)?;
        }
        Ok(())
    }

    /// Returns whether the prover's safe points give her the margin.
    fn is_won(&self, safe: &Safe) -> bool {
        self.board.secured(safe.points, self.claim.prover) >= self.claim.margin
    }

    /// Requires a reply in a state with a rank below this one, and notes the state.
    fn expect(&mut self, state: &State, ways: &Ways, below: u8) -> Result<(), Flaw> {
        let (code, symmetry) = StateCode::new(self.board, state);
        let reply = self.strategy.get(&code).ok_or(Flaw::NoReply)?;
        if reply.rank >= below {
            return Err(Flaw::NoEnd);
        }
        let noted = self.open[usize::from(reply.rank)].entry(code).or_default();
        noted.captured |= self.board.image(ways.captured, symmetry);
        let lower = ways.seen.iter().filter(|(number, _)| self.returns[*number].1 <= reply.rank);
        let image = |stones: &Stones| stones.map(|set| self.board.image(set, symmetry));
        noted.seen.extend(lower.map(|(number, stones)| (*number, image(stones))));
        Ok(())
    }

    /// Notes whether it is shown that the prover can take off what is dead between her alive stones without bringing back an earlier board.
    ///
    /// She can if she first plays where she never had a stone, beside her alive stones and without filling an eye: no earlier board has this stone. She
    /// also can if none of her alive stones was ever captured, and she never had a stone where none of them is beside. Where nothing but eyes of one
    /// point is left, nothing need be taken off.
    fn require_cleaning(&mut self, safe: &Safe, stones: Stones, ways: &Ways) {
        let [own, other] =
            [self.claim.prover, self.claim.prover.opponent()].map(|color| stones[color.index()]);
        let regions = || self.board.parts(safe.points & !safe.alive);
        let is_eye = |region: Points| region.is_power_of_two();
        let fresh = self.board.empty(stones) & safe.points & self.board.adjacent(safe.alive) & !ways.captured;
        let has_fresh = regions().any(|region| region & fresh != 0 && !is_eye(region));
        let is_steady = safe.alive & ways.captured == 0 && safe.inner & (ways.captured | own) == 0;
        let is_clean = other & safe.points == 0 && regions().all(is_eye);
        self.verdict.holds_under_superko &= has_fresh || is_steady || is_clean;
    }

    /// Returns the prover's area minus her opponent's, if these points are hers and his in any case.
    fn margin(&self, stones: Stones, [own, other]: [Points; 2]) -> i32 {
        match self.claim.prover {
            Color::Black => self.board.margin(stones, [own, other]),
            Color::White => -self.board.margin(stones, [other, own]),
        }
    }

    /// Returns what is the prover's and her opponent's in any case. She must be safe although he may empty a region by suicide; she commits none.
    fn safe_sets(&mut self, stones: Stones) -> [Safe; 2] {
        for &point in &self.board.open {
            let bit = 1 << self.board.bit(point);
            let stone = Color::BOTH.into_iter().find(|color| stones[color.index()] & bit != 0);
            self.position.set_stone(point, stone);
        }
        let prover = self.claim.prover;
        [(prover, Suicide::Allowed), (prover.opponent(), Suicide::Forbidden)].map(|(color, suicide)| {
            let settled = Settled::new(&self.position, color, suicide);
            let geometry = self.position.geometry();
            let on_small_board = |set: Bitboard<W>| {
                let is_in_set = |bit: &u8| set.contains(geometry.bit(self.board.point(*bit)));
                bits(self.board.all).filter(is_in_set).fold(0, |set: Points, bit| set | 1 << bit)
            };
            Safe {
                alive: on_small_board(settled.alive),
                points: on_small_board(settled.points),
                inner: on_small_board(settled.inner),
            }
        })
    }
}
