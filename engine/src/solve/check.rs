//! Checks a strategy without searching: that every reply of the opponent is answered, that play ends, and that superko forbids none of the moves.
//!
//! Of the solver it shares the board alone. What is alive it asks [`Position::unconditional_life`].

use super::{
    Claim, Problem, Proof,
    repetition::repetitions,
    settled::Settled,
    small_board::{Points, SmallBoard, State, Stones, bits},
    strategy::{Reply, StateCode},
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
pub(super) struct Safe {
    alive: Points,
    pub(super) points: Points,
    inner: Points,
}

/// What the strategy says of a state, and what the check has found of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted {
    pub(super) reply: Reply,
    /// The places on which a stone of the prover was captured on any way to it.
    captured: u32,
}

impl Noted {
    /// The bit of [`captured`](Self::captured) that says that the state can come up: no place has it.
    const IS_REACHED: u32 = 1 << 31;

    pub(super) const fn is_reached(&self) -> bool {
        self.captured & Self::IS_REACHED != 0
    }
}

/// A stone of the prover where one of hers was captured before: it may bring back a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Return {
    pub(super) state: StateCode,
    /// The stones after it: see [`StateCode::board`].
    pub(super) board: u64,
}

pub(super) struct Checker<'a, const W: usize> {
    pub(super) claim: Claim,
    pub(super) board: &'a SmallBoard,
    pub(super) start: State,
    /// The whole board, on which the stones of the open points are set anew for each question.
    position: Position<W>,
    pub(super) states: MixMap<StateCode, Noted>,
    /// By rank, the states of the prover that can come up and were not followed yet.
    open: Vec<Vec<StateCode>>,
    /// What may bring back a board, with ranks.
    pub(super) returns: Vec<(Return, u8)>,
    verdict: Verdict,
}

impl<'a, const W: usize> Checker<'a, W> {
    pub(super) fn new(proof: &'a Proof) -> Self {
        let Proof { problem: Problem { board, start, position }, claim, strategy, .. } = proof;
        Self {
            claim: *claim,
            board,
            start: *start,
            position: position.with_width(),
            states: strategy.iter().map(|(&code, &reply)| (code, Noted { reply, captured: 0 })).collect(),
            open: vec![Vec::new(); usize::from(u8::MAX) + 1],
            returns: Vec::new(),
            verdict: Verdict { states: 0, plies: 0, holds_under_superko: true },
        }
    }

    /// Checks that the prover secures her margin from the start. Returns also her stones that bring back an earlier board.
    pub(super) fn check(mut self) -> Result<(Verdict, Vec<Return>), Flaw> {
        let start = self.start;
        let is_provers = start.to_play == self.claim.prover;
        if is_provers {
            self.expect(&start, 0, u8::MAX)?;
        } else {
            self.answer(&start, 0, u8::MAX, false)?;
        }
        let first = self.open.iter().rposition(|states| !states.is_empty());
        self.verdict.plies = first.unwrap_or(0) as u8 + u8::from(!is_provers);
        for rank in (0..self.open.len()).rev() {
            for code in std::mem::take(&mut self.open[rank]) {
                self.verdict.states += 1;
                self.follow(code)?;
            }
        }
        let repetitions = if self.verdict.holds_under_superko { repetitions(&mut self) } else { Vec::new() };
        self.verdict.holds_under_superko &= repetitions.is_empty();
        Ok((self.verdict, repetitions))
    }

    /// Plays the prover's move in a state.
    fn follow(&mut self, code: StateCode) -> Result<(), Flaw> {
        let Noted { reply: Reply { mv, rank }, captured } = self.states[&code];
        let state = code.state(self.board, self.claim.prover);
        let captured = self.board.points(captured & !Noted::IS_REACHED);
        let safe = self.safe_sets(state.stones);
        let open = self.board.empty(state.stones) & !safe[0].points & !safe[1].points;
        if let Move::Play(point) = mv
            && !(self.board.open.contains(&point)
                && open >> self.board.bit(point) & 1 != 0
                && state.ban != self.board.bit(point))
        {
            return Err(Flaw::IllegalMove);
        }
        let after = self.after(&state, mv).ok_or(Flaw::IllegalMove)?;
        match mv {
            Move::Pass if self.margin(state.stones, safe.map(|safe| safe.points)) < self.claim.margin => {
                return Err(Flaw::EarlyPass);
            }
            Move::Pass => self.require_cleaning(&safe[0], state.stones, captured),
            // Only where a stone was captured can a stone bring back what was there before.
            Move::Play(point) if captured >> self.board.bit(point) & 1 != 0 => {
                let board = StateCode::board(self.board, &after);
                self.returns.push((Return { state: code, board }, rank));
                // By suicide where everything is decided the opponent can make boards equal that are not so here.
                let others = self.board.settled[self.claim.prover.opponent().index()];
                if self.board.suicide == Suicide::Allowed && (safe[1].points != 0 || others > 0) {
                    self.verdict.holds_under_superko = false;
                }
            }
            Move::Play(_) => {}
        }
        self.answer(&after, captured, rank, self.is_won(&safe[0]))
    }

    /// Requires an answer to all that the opponent can do, unless the prover has won. `captured` is where stones of hers were captured before.
    ///
    /// She has won where her safe points give her the margin, and then takes off what is dead in them. The boards after her stones there are new: so are
    /// they among themselves, because each joins her alive stones or takes off all that is dead in a region. On an earlier board with the opponent to
    /// move she would have won already, because what is safe depends on her stones alone. So she would before his last stone on one with her to move,
    /// unless it captured some of hers. That is the case in which she had won before her last move (`was_won`), and it is looked at more closely.
    fn answer(&mut self, state: &State, captured: Points, rank: u8, was_won: bool) -> Result<(), Flaw> {
        let safe = self.safe_sets(state.stones);
        if self.is_won(&safe[0]) {
            if was_won {
                self.require_cleaning(&safe[0], state.stones, captured);
            }
            return Ok(());
        }
        self.replies(*state, &safe).try_for_each(|(after, taken)| self.expect(&after, captured | taken, rank))
    }

    /// Requires a reply in a state with a rank below this one, and notes the state.
    fn expect(&mut self, state: &State, captured: Points, below: u8) -> Result<(), Flaw> {
        let (code, symmetry) = StateCode::new(self.board, state);
        let noted = self.states.get_mut(&code).ok_or(Flaw::NoReply)?;
        let rank = noted.reply.rank;
        if rank >= below {
            return Err(Flaw::NoEnd);
        }
        if !noted.is_reached() {
            self.open[usize::from(rank)].push(code);
        }
        noted.captured |= Noted::IS_REACHED | self.board.places(captured, symmetry);
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

    /// Returns the state after a move of the prover on an open point, or a pass; nothing if it is illegal, or suicide.
    pub(super) fn after(&self, state: &State, mv: Move) -> Option<State> {
        let Move::Play(point) = mv else { return Some(self.board.pass(state, true)) };
        let bit = self.board.bit(point);
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
