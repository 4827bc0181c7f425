//! The search that asks whether a player can force a margin within some plies.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{
    Claim,
    small_board::{NO_POINT, Points, SmallBoard, State, bits},
    table::{LOST, NO_MOVE, Table},
};
use crate::{Color, Suicide};

/// The code of a pass among moves, where a stone has its bit.
pub(super) const PASS: u8 = NO_POINT;

/// What the opponent may do to the prover's chains: also suicide where it is forbidden, so that a region gives life whatever stones are in it, and she
/// need not play there again.
const PROVERS_LIFE: Suicide = Suicide::Allowed;
/// The prover commits no suicide.
const OPPONENTS_LIFE: Suicide = Suicide::Forbidden;

/// How a state is decided without looking ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Static {
    Won,
    /// At no depth.
    Lost,
}

/// A depth-first search of limited depth, which one thread runs. Threads that share a table help each other.
pub(super) struct Prover<'a> {
    pub(super) board: &'a SmallBoard,
    pub(super) claim: Claim,
    table: &'a Table,
    /// Either of them ends the search.
    stop: [&'a AtomicBool; 2],
    /// States looked at.
    pub(super) states: u64,
    /// How often a move decided, by player and bit, weighted by depth.
    history: [[u32; 64]; 2],
    /// The last two moves that decided after so many plies.
    killers: Box<[[u8; 2]; MAX_DEPTH as usize + 1]>,
}

/// The most plies that are looked ahead.
pub(super) const MAX_DEPTH: u8 = 200;

/// A move with the worth of trying it early.
type Candidate = (i32, u8);

/// The most moves in a state: all points and a pass.
const MAX_MOVES: usize = SmallBoard::MAX_POINTS + 1;

impl<'a> Prover<'a> {
    pub(super) fn new(
        board: &'a SmallBoard,
        claim: Claim,
        table: &'a Table,
        stop: [&'a AtomicBool; 2],
    ) -> Self {
        let killers = Box::new([[NO_MOVE; 2]; MAX_DEPTH as usize + 1]);
        Self { board, claim, table, stop, states: 0, history: [[0; 64]; 2], killers }
    }

    /// Returns whether the search was told to stop.
    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.iter().any(|stop| stop.load(Ordering::Relaxed))
    }

    /// Returns whether the prover wins from a state within so many plies. What it says is void once the search was told to stop.
    pub(super) fn wins_within(&mut self, state: &State, depth: u8) -> bool {
        // What decided in shallower searches still counts, but less.
        self.history.iter_mut().flatten().for_each(|count| *count /= 2);
        self.search(state, self.board.key(state), depth, 0, [0; 2])
    }

    /// Returns a move by which the prover wins within so many plies, and within how many she then does; nothing if there is none.
    pub(super) fn winning_move(&mut self, state: &State, depth: u8) -> Option<(u8, u8)> {
        let known = self.table.get(self.board.key(state));
        let depth = known.map_or(depth, |known| known.won.min(depth));
        let best = known.map_or(NO_MOVE, |known| known.best);
        let safe = self.safe_sets(state);
        let mut moves = [(0, NO_MOVE); MAX_MOVES];
        let count = self.candidates(state, safe, best, 0, &mut moves);
        let moves = &mut moves[..count];
        moves.sort_unstable_by_key(|&(worth, _)| -worth);
        let wins = |&(_, mv): &Candidate| {
            let after = self.after(state, mv)?;
            self.search(&after, self.board.key(&after), depth - 1, 1, safe).then_some((mv, depth))
        };
        moves.iter().find_map(wins)
    }

    /// Returns the points that are the prover's and her opponent's in any case.
    pub(super) fn safe_sets(&self, state: &State) -> [Points; 2] {
        let [own, other] =
            [self.claim.prover, self.claim.prover.opponent()].map(|color| state.stones[color.index()]);
        [self.board.safe_points(own, other, PROVERS_LIFE), self.board.safe_points(other, own, OPPONENTS_LIFE)]
    }

    /// Decides a state with these safe points.
    #[inline(always)]
    pub(super) fn decide(&self, safe: [Points; 2]) -> Option<Static> {
        let points = self.board.all.count_ones() as i32;
        let [own, other] = safe.map(|set| 2 * set.count_ones() as i32 - points);
        if own >= self.claim.margin {
            Some(Static::Won)
        } else {
            (-other < self.claim.margin).then_some(Static::Lost)
        }
    }

    /// Iterates over the states after the opponent's moves.
    pub(super) fn replies(&self, state: &State, safe: [Points; 2]) -> impl Iterator<Item = State> {
        let mut moves = [(0, NO_MOVE); MAX_MOVES];
        let count = self.candidates(state, safe, NO_MOVE, 0, &mut moves);
        moves.into_iter().take(count).filter_map(|(_, mv)| self.after(state, mv))
    }

    /// Searches a state. `safe` are points that are known to be the prover's and her opponent's in any case.
    fn search(&mut self, state: &State, key: u64, depth: u8, ply: usize, mut safe: [Points; 2]) -> bool {
        self.states += 1;
        let mut best = NO_MOVE;
        if let Some(known) = self.table.get(key) {
            if known.won <= depth {
                return true;
            }
            if known.open >= depth {
                return false;
            }
            best = known.best;
        }
        if self.is_stopped() {
            return false;
        }
        let is_provers = state.to_play == self.claim.prover;
        self.update_safe(state, &mut safe);
        match self.decide(safe) {
            Some(Static::Won) => {
                self.table.put(key, 0, true, NO_MOVE, 1);
                return true;
            }
            Some(Static::Lost) => {
                self.table.put(key, LOST, false, NO_MOVE, 1);
                return false;
            }
            None if depth == 0 => return false,
            None => {}
        }
        let before = self.states;
        let mut moves = [(0, NO_MOVE); MAX_MOVES];
        let count = self.candidates(state, safe, best, ply, &mut moves);
        let moves = &mut moves[..count];
        if depth >= 3
            && let Some(decisive) = self.look_ahead(state, depth, moves)
        {
            self.table.put(key, depth, is_provers, decisive, 1);
            return is_provers;
        }
        let mut is_stuck = true;
        for place in 0..moves.len() {
            let next = (place..moves.len()).max_by_key(|&other| moves[other].0).expect("there are moves");
            moves.swap(place, next);
            let (worth, mv) = moves[place];
            let Some(after) = (worth > ILLEGAL).then(|| self.after(state, mv)).flatten() else { continue };
            is_stuck = false;
            let is_won = self.search(&after, self.board.key(&after), depth - 1, ply + 1, safe);
            if self.is_stopped() {
                return false;
            }
            if is_won == is_provers {
                self.remember(state.to_play, mv, depth, ply);
                self.table.put(key, depth, is_won, mv, self.states - before);
                return is_won;
            }
        }
        // A prover without a move has lost. An opponent without one after her pass passes as well, which ends the game.
        let (depth, is_won) = match (is_stuck, is_provers) {
            (true, true) => (LOST, false),
            (true, false) => (1, true),
            (false, _) => (depth, !is_provers),
        };
        self.table.put(key, depth, is_won, NO_MOVE, self.states - before);
        is_won
    }

    /// Finds the points that have become safe by the last move: those of the player who made it.
    #[inline(always)]
    fn update_safe(&self, state: &State, safe: &mut [Points; 2]) {
        let player = state.to_play.opponent();
        let (own, other) = (state.stones[player.index()], state.stones[state.to_play.index()]);
        let (place, suicide) =
            if player == self.claim.prover { (0, PROVERS_LIFE) } else { (1, OPPONENTS_LIFE) };
        safe[place] = self.board.safe_points(own, other, suicide);
    }

    /// Lists the moves worth trying, and returns how many there are.
    ///
    /// Moves on points that are somebody's in any case are left out: see the [module](super). The prover may leave out any of her moves, and does not
    /// fill eyes of a single chain.
    fn candidates(
        &self,
        state: &State,
        safe: [Points; 2],
        best: u8,
        ply: usize,
        moves: &mut [Candidate; MAX_MOVES],
    ) -> usize {
        let own = state.stones[state.to_play.index()];
        let is_provers = state.to_play == self.claim.prover;
        let mut points = self.board.empty(state.stones) & !safe[0] & !safe[1];
        if state.ban != NO_POINT {
            points &= !(1 << state.ban);
        }
        let mut count = 0;
        for bit in bits(points) {
            let near = self.board.near(bit);
            let is_own_eye =
                || near & !own == 0 && near & !self.board.connected(near & near.wrapping_neg(), own) == 0;
            if is_provers && is_own_eye() {
                continue;
            }
            let worth = match bit {
                bit if bit == best => BEST,
                bit if self.killers[ply][0] == bit => BEST / 2,
                bit if self.killers[ply][1] == bit => BEST / 4,
                bit => {
                    self.history[state.to_play.index()][usize::from(bit)] as i32 / 32
                        - 8 * self.board.eccentricity(bit)
                }
            };
            moves[count] = (worth, bit);
            count += 1;
        }
        let may_pass = if is_provers { self.may_pass(state, safe) } else { !state.is_after_pass };
        if may_pass {
            moves[count] = (if best == PASS { BEST } else { LAST }, PASS);
            count += 1;
        }
        count
    }

    /// Returns whether the prover may pass: if the game ended now, with all points counted for those whose they are in any case, she would have her margin.
    fn may_pass(&self, state: &State, safe: [Points; 2]) -> bool {
        let Claim { prover, margin, .. } = self.claim;
        let [own, other] = safe;
        let (by_color, sign) = match prover {
            Color::Black => ([own, other], 1),
            Color::White => ([other, own], -1),
        };
        sign * self.board.margin(state.stones, by_color) >= margin
    }

    /// Looks at what is known of the states after all moves, returns one that decides, and puts back those that are known not to.
    fn look_ahead(&self, state: &State, depth: u8, moves: &mut [Candidate]) -> Option<u8> {
        let is_provers = state.to_play == self.claim.prover;
        for (worth, mv) in moves.iter_mut().filter(|(_, mv)| *mv != PASS) {
            let Some((after, captured)) = self.board.play(state, *mv) else {
                *worth = ILLEGAL;
                continue;
            };
            *worth += 50 * captured.count_ones() as i32;
            let Some(known) = self.table.get(self.board.key(&after)) else { continue };
            let (is_won, is_open) = (known.won < depth, known.open >= depth - 1);
            let decides = if is_provers { is_won } else { is_open };
            if decides {
                return Some(*mv);
            }
            if is_won || is_open {
                *worth -= BEST / 8;
            }
        }
        None
    }

    /// Returns the state after a move; nothing if it is suicide that is forbidden, or the prover's, who has no use for any.
    pub(super) fn after(&self, state: &State, mv: u8) -> Option<State> {
        let is_provers = state.to_play == self.claim.prover;
        if mv == PASS {
            return Some(self.board.pass(state, is_provers));
        }
        let after = self.board.play(state, mv)?.0;
        let is_suicide = after.stones[state.to_play.index()] >> mv & 1 == 0;
        (!is_provers || !is_suicide).then_some(after)
    }

    fn remember(&mut self, player: Color, mv: u8, depth: u8, ply: usize) {
        if mv == PASS {
            return;
        }
        let count = &mut self.history[player.index()][usize::from(mv)];
        *count = (*count + u32::from(depth) * u32::from(depth)).min(1 << 24);
        let [first, second] = &mut self.killers[ply];
        if *first != mv {
            (*second, *first) = (*first, mv);
        }
    }
}

/// The worth of the move that decided last, of a pass, and of a move that is illegal.
const BEST: i32 = 1 << 26;
const LAST: i32 = -100_000;
const ILLEGAL: i32 = i32::MIN;
