//! Checks a strategy without searching: that every reply of the opponent is answered, that play ends, and that superko forbids none of the moves.
//!
//! Of the solver it shares the board alone. What is alive it asks [`Position::unconditional_life`].

use std::sync::atomic::{AtomicBool, Ordering};

use super::{
    Claim, Problem,
    repetition::{Return, repetitions},
    settled::Settled,
    small_board::{NO_POINT, Points, SmallBoard, State, Stones, WordBoard, bits},
    strategy::{Reply, StateCode, Strategy},
};
use crate::{Color, Position, Suicide, bitboard::Bitboard, for_width, zobrist::MixMap};

/// What the check of a proof has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// States of the prover that can come up; those that are mirror images count once. In a proof with the history of the game, those of both players,
    /// mirror images included.
    pub states: u64,
    /// The most plies until she has won, or needs only to take off what is dead.
    pub plies: u32,
    /// Whether it is shown that none of her stones brings back an earlier board, so that the margin holds under simple ko and every superko rule. If
    /// not, it holds under simple ko or, in a proof with the history of the game, under its rules.
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
    /// A stone that must not bring back a board may do so.
    #[error("a stone can bring back a board that stood before, after which the proof does not hold")]
    Repetition,
    /// A state is said to follow in which the margin is already sure.
    #[error("play goes on where the margin is already sure")]
    PlayAfterWin,
}

/// Checks that the prover secures her margin by a strategy. Returns also her stones that bring back an earlier board. What it says is void if it was told
/// to stop.
pub(super) fn check_strategy(
    problem: &Problem,
    claim: Claim,
    strategy: &Strategy,
    stop: &AtomicBool,
) -> Result<(Verdict, Vec<Return>), Flaw> {
    for_width!(problem.board.size, W => Checker::<W>::new(problem, claim, strategy).check(stop))
}

/// What is a player's in any case: [`Settled`] on the open points and walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Safe {
    pub(super) alive: Points,
    pub(super) points: Points,
    inner: Points,
}

/// The bit that says that a state can come up: no point has it, because it separates rows.
const IS_REACHED: Points = 1 << 63;

pub(super) struct Checker<'a, const W: usize> {
    pub(super) claim: Claim,
    pub(super) board: &'a SmallBoard,
    pub(super) start: State,
    /// The whole board, on which the stones of the open points are set anew for each question.
    position: Position<W>,
    pub(super) strategy: &'a Strategy,
    /// By slot of the strategy, the points on which a stone of the prover was captured on any way to the state, and [`IS_REACHED`] if it can come up.
    captured: Vec<Points>,
    /// The boards that a stone of the prover may bring back, with the lowest rank of such a state.
    pub(super) returned: MixMap<u64, u8>,
    verdict: Verdict,
}

impl<'a, const W: usize> Checker<'a, W> {
    fn new(problem: &'a Problem, claim: Claim, strategy: &'a Strategy) -> Self {
        let Problem { board, start, position } = problem;
        Self {
            claim,
            board,
            start: *start,
            position: position.with_width(),
            strategy,
            captured: vec![0; strategy.slot_count()],
            returned: MixMap::default(),
            verdict: Verdict { states: 0, plies: 0, holds_under_superko: true },
        }
    }

    fn check(mut self, stop: &AtomicBool) -> Result<(Verdict, Vec<Return>), Flaw> {
        let start = self.start;
        let is_provers = start.to_play == self.claim.prover;
        if is_provers {
            self.expect(StateCode::new(self.board, &start).0, 0, u8::MAX)?;
        } else {
            let safe = self.safe_sets(start.stones);
            self.answer(&start, &safe, 0, u8::MAX, false)?;
        }
        let first = self.reached().map(|(.., reply)| reply.rank).max().unwrap_or(0);
        self.verdict.plies = u32::from(first) + u32::from(!is_provers);
        for rank in (0..=first).rev() {
            for slot in 0..self.strategy.slot_count() {
                if self.is_reached(slot)
                    && !stop.load(Ordering::Relaxed)
                    && let Some((code, reply)) = self.strategy.slot(slot)
                    && reply.rank == rank
                {
                    self.verdict.states += 1;
                    self.follow(code, reply, self.captured[slot] & !IS_REACHED)?;
                }
            }
        }
        let repetitions = if self.verdict.holds_under_superko { repetitions(&mut self) } else { Vec::new() };
        self.verdict.holds_under_superko &= repetitions.is_empty();
        Ok((self.verdict, repetitions))
    }

    fn is_reached(&self, slot: usize) -> bool {
        self.captured[slot] & IS_REACHED != 0
    }

    /// Iterates over the states that can come up.
    pub(super) fn reached(&self) -> impl Iterator<Item = (StateCode, Reply)> {
        let slots = (0..self.strategy.slot_count()).filter(|&slot| self.is_reached(slot));
        slots.filter_map(|slot| self.strategy.slot(slot))
    }

    /// Plays the prover's move in a state that can come up, where stones of hers were `captured` before.
    fn follow(&mut self, code: StateCode, reply: Reply, captured: Points) -> Result<(), Flaw> {
        let Reply { place, rank } = reply;
        let state = code.state(self.board, self.claim.prover);
        let safe = self.safe_sets(state.stones);
        let open = self.board.empty(state.stones) & !safe[0].points & !safe[1].points;
        let mv = self.board.bit_of_place(place);
        if mv != NO_POINT && (open >> mv & 1 == 0 || state.ban == mv) {
            return Err(Flaw::IllegalMove);
        }
        let after = self.after(&state, reply).ok_or(Flaw::IllegalMove)?;
        let next = self.safe_sets(after.stones);
        match mv {
            NO_POINT if self.margin(state.stones, safe.map(|safe| safe.points)) < self.claim.margin => {
                return Err(Flaw::EarlyPass);
            }
            NO_POINT => self.require_cleaning(&safe[0], state.stones, captured),
            // Only where a stone was captured can a stone bring back what was there before, and none is captured that is alive.
            _ if captured >> mv & 1 != 0 && next[0].alive >> mv & 1 == 0 => {
                // Ranks fall.
                self.returned.insert(StateCode::board(self.board, &after), rank);
                // By suicide where everything is decided the opponent can make boards equal that are not so here.
                let others = self.board.settled[self.claim.prover.opponent().index()];
                if self.board.suicide == Suicide::Allowed && (safe[1].points != 0 || others > 0) {
                    self.verdict.holds_under_superko = false;
                }
            }
            _ => {}
        }
        self.answer(&after, &next, captured, rank, self.is_won(&safe[0]))
    }

    /// Requires an answer to all that the opponent can do, unless the prover has won. `captured` is where stones of hers were captured before.
    ///
    /// She has won where her safe points give her the margin, and then takes off what is dead in them. The boards after her stones there are new: so are
    /// they among themselves, because each joins her alive stones or takes off all that is dead in a region. On an earlier board with the opponent to
    /// move she would have won already, because what is safe depends on her stones alone. So she would before his last stone on one with her to move,
    /// unless it captured some of hers. That is the case in which she had won before her last move (`was_won`), and it is looked at more closely.
    fn answer(
        &mut self,
        state: &State,
        safe: &[Safe; 2],
        captured: Points,
        rank: u8,
        was_won: bool,
    ) -> Result<(), Flaw> {
        if self.is_won(&safe[0]) {
            if was_won {
                self.require_cleaning(&safe[0], state.stones, captured);
            }
            return Ok(());
        }
        let replies = self.replies(*state, safe).map(|(after, taken)| {
            let (code, symmetry) = StateCode::new(self.board, &after);
            self.strategy.prefetch(code);
            (code, self.board.image(captured | taken, symmetry))
        });
        let replies: Vec<(StateCode, Points)> = replies.collect();
        replies.into_iter().try_for_each(|(code, captured)| self.expect(code, captured, rank))
    }

    /// Requires a reply in a state with a rank below this one, and notes the state.
    fn expect(&mut self, code: StateCode, captured: Points, below: u8) -> Result<(), Flaw> {
        let slot = self.strategy.find(code).ok_or(Flaw::NoReply)?;
        if self.strategy.slot(slot).is_some_and(|(_, reply)| reply.rank >= below) {
            return Err(Flaw::NoEnd);
        }
        self.captured[slot] |= IS_REACHED | captured;
        Ok(())
    }

    /// Returns the states after all replies of the opponent, and what they capture.
    pub(super) fn replies(
        &self,
        state: State,
        safe: &[Safe; 2],
    ) -> impl Iterator<Item = (State, Points)> + use<'a, W> {
        let board = self.board;
        let decided = safe[0].points | safe[1].points;
        let empty = board.empty(state.stones);
        // A pass that can be nothing else lets her end the game, if she has her margin as the board is.
        let has_no_idle_move = empty & decided == 0 && board.settled == [0; 2];
        let ends = has_no_idle_move && self.margin(state.stones, [0; 2]) >= self.claim.margin;
        let pass = (!state.is_after_pass && !ends).then(|| (board.pass(&state, false), 0));
        let points = bits(empty & !decided).filter(move |&bit| bit != state.ban);
        points.filter_map(move |bit| board.play(&state, bit)).chain(pass)
    }

    /// Returns the state after the prover's reply; nothing if it is illegal, or suicide.
    pub(super) fn after(&self, state: &State, reply: Reply) -> Option<State> {
        let bit = self.board.bit_of_place(reply.place);
        if bit == NO_POINT {
            return Some(self.board.pass(state, true));
        }
        let (after, _) = self.board.play(state, bit)?;
        (after.stones[self.claim.prover.index()] >> bit & 1 != 0).then_some(after)
    }

    /// Returns whether the prover's safe points give her the margin.
    pub(super) fn is_won(&self, safe: &Safe) -> bool {
        self.board.secured(safe.points, self.claim.prover) >= self.claim.margin
    }

    /// Notes whether it is shown that the prover can take off what is dead between her alive stones without bringing back an earlier board.
    ///
    /// She can if she first plays where she never had a stone, beside her alive stones and without filling an eye: no earlier board has this stone. She
    /// also can if none of her alive stones was ever captured, and she never had a stone where none of them is beside. Where nothing but eyes of one
    /// point is left, nothing need be taken off.
    fn require_cleaning(&mut self, safe: &Safe, stones: Stones, captured: Points) {
        let [own, other] =
            [self.claim.prover, self.claim.prover.opponent()].map(|color| stones[color.index()]);
        let regions = || self.board.parts(safe.points & !safe.alive);
        let is_eye = |region: Points| region.is_power_of_two();
        let fresh = self.board.empty(stones) & safe.points & self.board.adjacent(safe.alive) & !captured;
        let has_fresh = regions().any(|region| region & fresh != 0 && !is_eye(region));
        let is_steady = safe.alive & captured == 0 && safe.inner & (captured | own) == 0;
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
    pub(super) fn safe_sets(&mut self, stones: Stones) -> [Safe; 2] {
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
