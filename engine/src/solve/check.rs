//! Checks a strategy without searching: that every reply of the opponent is answered, that play ends, and that superko forbids none of the moves.
//!
//! Of the solver it shares the board alone. What is alive it asks [`Position::unconditional_life`].

use std::collections::BTreeSet;

use super::{
    Claim, Flaw, Verdict,
    small_board::{NO_POINT, Points, SmallBoard, State, Stones, bits},
    strategy::{Reply, StateCode, Strategy},
};
use crate::{Color, Move, Position, Suicide, zobrist::MixMap};

/// What is a player's in any case.
#[derive(Clone, Copy, Debug, Default)]
struct Safe {
    /// Her unconditionally alive stones.
    alive: Points,
    /// These, and the regions between them in which the opponent has no room for two eyes.
    points: Points,
    /// The points of these regions that are not beside an alive stone.
    inner: Points,
}

/// What is known of the ways that lead to a state.
#[derive(Clone, Debug, Default)]
struct Ways {
    /// The points on which a stone of the prover was captured on any of them.
    captured: Points,
    /// The [returns](Checker::returns) whose boards stood on any of them.
    seen: BTreeSet<usize>,
}

/// A stone of the prover where one of hers was captured before: it may bring back a board.
struct Return {
    state: StateCode,
    rank: u8,
    board: u64,
}

pub(super) struct Checker<'a> {
    claim: Claim,
    board: SmallBoard,
    strategy: &'a Strategy,
    position: Position<1>,
    /// By rank, the states of the prover that can come up.
    open: Vec<MixMap<StateCode, Ways>>,
    /// What the first pass finds.
    returns: Vec<Return>,
    /// The returns that bring back each board, and those from each state: for the second pass.
    by_board: MixMap<u64, Vec<usize>>,
    by_state: MixMap<StateCode, usize>,
    verdict: Verdict,
}

impl<'a> Checker<'a> {
    pub(super) fn new(claim: Claim, strategy: &'a Strategy) -> Self {
        Self {
            claim,
            board: SmallBoard::new(claim.size, claim.suicide),
            strategy,
            position: Position::new(claim.size),
            open: (0..=usize::from(u8::MAX)).map(|_| MixMap::default()).collect(),
            returns: Vec::new(),
            by_board: MixMap::default(),
            by_state: MixMap::default(),
            verdict: Verdict { states: 0, plies: 0, holds_under_superko: true },
        }
    }

    /// Checks that the prover secures her margin from the empty board.
    ///
    /// The first pass checks all but superko, and notes the stones that may bring back a board. The second finds out whether such a board can have stood
    /// before.
    pub(super) fn check(mut self) -> Result<Verdict, Flaw> {
        self.pass_through()?;
        let returns = std::mem::take(&mut self.returns);
        if self.verdict.holds_under_superko && !returns.is_empty() {
            for (number, found) in returns.iter().enumerate() {
                self.by_board.entry(found.board).or_default().push(number);
                self.by_state.insert(found.state, number);
            }
            self.returns = returns;
            self.pass_through()?;
        }
        Ok(self.verdict)
    }

    fn pass_through(&mut self) -> Result<(), Flaw> {
        let start = self.board.start([0; 2], Color::Black);
        if start.to_play == self.claim.prover {
            self.expect(&start, &Ways::default(), u8::MAX)?;
        } else {
            self.answer(&start, &Ways::default(), u8::MAX, false)?;
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
        let state = code.state(&self.board, self.claim.prover);
        let safe = self.safe_sets(state.stones);
        let was_won = self.is_won(&safe[0]);
        self.see(code, rank, &mut ways);
        let after = match mv {
            Move::Pass => {
                if self.margin(state.stones, &safe) < self.claim.margin {
                    return Err(Flaw::EarlyPass);
                }
                self.require_cleaning(&safe[0], state.stones, &ways);
                self.board.pass(&state, true)
            }
            Move::Play(point) => {
                if !self.claim.size.contains(point) {
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
                let after_code = StateCode::new(&self.board, &after).0;
                // Only where a stone was captured can a stone bring back what was there before.
                if ways.captured >> bit & 1 != 0 {
                    match self.by_state.get(&code) {
                        Some(number) if ways.seen.contains(number) => {
                            self.verdict.holds_under_superko = false
                        }
                        Some(_) => {}
                        None => self.returns.push(Return { state: code, rank, board: after_code.board() }),
                    }
                    // By suicide where everything is decided the opponent can make boards equal that are not so here.
                    if self.claim.suicide == Suicide::Allowed && safe[1].points != 0 {
                        self.verdict.holds_under_superko = false;
                    }
                }
                self.see(after_code, rank, &mut ways);
                after
            }
        };
        self.answer(&after, &ways, rank, was_won)
    }

    /// Notes that the board of a state has stood, for the returns of lower ranks.
    fn see(&self, code: StateCode, rank: u8, ways: &mut Ways) {
        let returns = self.by_board.get(&code.board()).into_iter().flatten();
        ways.seen.extend(returns.copied().filter(|&number| self.returns[number].rank < rank));
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
        if !state.is_after_pass {
            self.expect(&self.board.pass(state, false), ways, rank)?;
        }
        Ok(())
    }

    /// Returns whether the prover's safe points give her the margin.
    fn is_won(&self, safe: &Safe) -> bool {
        2 * safe.points.count_ones() as i32 - self.board.all.count_ones() as i32 >= self.claim.margin
    }

    /// Requires a reply in a state with a rank below this one, and notes the state.
    fn expect(&mut self, state: &State, ways: &Ways, below: u8) -> Result<(), Flaw> {
        let (code, symmetry) = StateCode::new(&self.board, state);
        let reply = self.strategy.get(&code).ok_or(Flaw::NoReply)?;
        if reply.rank >= below {
            return Err(Flaw::NoEnd);
        }
        let noted = self.open[usize::from(reply.rank)].entry(code).or_default();
        noted.captured |= self.board.image(ways.captured, symmetry);
        let lower = ways.seen.iter().copied().filter(|&number| self.returns[number].rank <= reply.rank);
        noted.seen.extend(lower);
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

    /// Returns the prover's area minus her opponent's, if the points that are somebody's in any case are counted so.
    fn margin(&self, stones: Stones, safe: &[Safe; 2]) -> i32 {
        match self.claim.prover {
            Color::Black => self.board.margin(stones, [safe[0].points, safe[1].points]),
            Color::White => -self.board.margin(stones, [safe[1].points, safe[0].points]),
        }
    }

    /// Returns what is the prover's and her opponent's in any case. She must be safe although he may empty a region by suicide; she commits none.
    fn safe_sets(&mut self, stones: Stones) -> [Safe; 2] {
        for (color, stones) in Color::BOTH.into_iter().zip(stones) {
            let rows = (0..self.claim.size.height()).map(|row| self.board.row(stones, row));
            self.position.set_rows(color, rows);
        }
        let prover = self.claim.prover;
        [(prover, Suicide::Allowed), (prover.opponent(), Suicide::Forbidden)].map(|(color, suicide)| {
            let life = self.position.unconditional_life(color, suicide);
            let alive = life.stones().fold(0, |set: Points, point| set | 1 << self.board.bit(point));
            if alive == 0 {
                return Safe::default();
            }
            let beside = self.board.adjacent(alive);
            let mut safe = Safe { alive, points: alive, inner: 0 };
            for region in self.board.parts(self.board.all & !alive) {
                let inner = region & !beside;
                let is_pair = inner.count_ones() == 2 && self.board.parts(inner).count() == 1;
                if inner.count_ones() <= 1 || is_pair {
                    safe.points |= region;
                    safe.inner |= inner;
                }
            }
            safe
        })
    }
}
