//! The search that asks whether a player can force a margin within some plies.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{
    Claim, Progress,
    small_board::{NO_POINT, Points, SmallBoard, State, WordBoard, bits},
    table::Table,
};
use crate::{Color, Suicide, zobrist::mix64};

/// The code of a pass among moves, where a stone has its bit.
pub(super) const PASS: u8 = NO_POINT;

/// What the opponent may do to the prover's chains: also suicide where it is forbidden, so that a region gives life whatever stones are in it, and she
/// need not play there again.
const PROVERS_LIFE: Suicide = Suicide::Allowed;
/// The prover commits no suicide.
const OPPONENTS_LIFE: Suicide = Suicide::Forbidden;

/// What a search says of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The prover wins within the depth.
    Won,
    /// She does not win within the depth.
    Open,
    /// She does not win at any depth: her opponent can settle too many points.
    Lost,
}

/// A depth-first search of limited depth, which one thread runs. Threads that share a table help each other.
pub(super) struct Prover<'a> {
    pub(super) board: &'a SmallBoard,
    pub(super) claim: Claim,
    /// Distinguishes what the table says of this claim from what it says of others.
    claim_key: u64,
    table: &'a Table,
    /// How much earlier this thread tries each point than others do, so that threads do not look at the same states.
    preferences: [i8; 64],
    progress: &'a Progress,
    /// Either of them ends the search.
    stop: [&'a AtomicBool; 2],
    /// The states after which the search ends.
    max_states: u64,
    /// States looked at.
    pub(super) states: u64,
}

/// States after which others are told how many there are.
const REPORT_INTERVAL: u64 = 1 << 16;

/// The most plies that are looked ahead.
pub(super) const MAX_DEPTH: u8 = 200;

/// A move with the worth of trying it early.
type Candidate = (i32, u8);

/// The most moves in a state: all points and a pass.
const MAX_MOVES: usize = SmallBoard::MAX_POINTS + 1;
const NO_MOVES: [Candidate; MAX_MOVES] = [(0, PASS); MAX_MOVES];

impl<'a> Prover<'a> {
    pub(super) fn new(
        board: &'a SmallBoard,
        claim: Claim,
        table: &'a Table,
        thread: u64,
        progress: &'a Progress,
        stop: [&'a AtomicBool; 2],
        max_states: u64,
    ) -> Self {
        // Other than the keys of stones, players and passes.
        let claim_key = mix64(3 << 32 | u64::from(claim.margin as u16) << 1 | claim.prover.index() as u64);
        let preference =
            |bit: usize| if thread == 0 { 0 } else { (mix64(thread << 8 | bit as u64) % 32) as i8 };
        let preferences = std::array::from_fn(preference);
        Self { board, claim, claim_key, table, preferences, progress, stop, max_states, states: 0 }
    }

    /// Tells others of the states of which they do not know yet.
    pub(super) fn report(&self) {
        self.progress.states.fetch_add(self.states % REPORT_INTERVAL, Ordering::Relaxed);
    }

    /// Returns whether the search was told to stop.
    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.states > self.max_states || self.stop.iter().any(|stop| stop.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn key(&self, state: &State) -> u64 {
        self.board.key(state) ^ self.claim_key
    }

    /// Searches from a state so many plies ahead. What it says is void once the search was told to stop.
    pub(super) fn decide_within(&mut self, state: &State, depth: u8) -> Outcome {
        self.search(state, self.key(state), depth, [0; 2])
    }

    /// Lists the prover's moves in a state but those that were `tried`, which has their bits, with the states after them.
    fn moves(&self, state: &State, safe: [Points; 2], tried: u128) -> Vec<(u8, State)> {
        let mut moves = NO_MOVES;
        let count = self.candidates(state, safe, &mut moves);
        let moves = &mut moves[..count];
        moves.sort_unstable_by_key(|&(worth, _)| -worth);
        let moves = moves.iter().map(|&(_, mv)| mv).filter(|mv| tried >> mv & 1 == 0);
        moves.filter_map(|mv| Some((mv, self.after(state, mv)?))).collect()
    }

    /// Returns those of the prover's moves but the `tried` ones that are known to win within so many plies, within how many they do, and the states after
    /// them.
    pub(super) fn known_wins(&self, state: &State, depth: u8, tried: u128) -> Vec<(u8, u8, State)> {
        let moves = self.moves(state, self.safe_sets(state), tried);
        moves.iter().for_each(|(_, after)| self.table.prefetch(self.key(after)));
        let wins = moves.into_iter().filter_map(|(mv, after)| {
            let won = self.table.get(self.key(&after))?.won;
            (won < depth).then_some((mv, won + 1, after))
        });
        wins.collect()
    }

    /// Searches for a move by which the prover wins within so many plies, and returns within how many she then does; nothing if there is none but those
    /// that were `tried`.
    pub(super) fn winning_move(&mut self, state: &State, depth: u8, tried: u128) -> Option<(u8, u8)> {
        let safe = self.safe_sets(state);
        let moves = self.moves(state, safe, tried);
        // The fewest plies that may do first.
        let known = self.table.get(self.key(state));
        let least = known.map_or(depth, |known| known.won.min(depth)).max(1);
        (least..=depth).step_by(2).find_map(|depth| {
            let mut is_won =
                |after: &State| self.search(after, self.key(after), depth - 1, safe) == Outcome::Won;
            let (mv, _) = moves.iter().find(|(_, after)| is_won(after))?;
            Some((*mv, depth))
        })
    }

    /// Returns the points that are the prover's and her opponent's in any case.
    pub(super) fn safe_sets(&self, state: &State) -> [Points; 2] {
        let prover = self.claim.prover;
        [(prover, PROVERS_LIFE), (prover.opponent(), OPPONENTS_LIFE)]
            .map(|(color, suicide)| self.board.safe_points(state.stones, color, suicide))
    }

    /// Decides a state with these safe points, if that can be done without looking ahead.
    #[inline(always)]
    pub(super) fn decide(&self, safe: [Points; 2]) -> Outcome {
        let Claim { prover, margin } = self.claim;
        if self.board.secured(safe[0], prover) >= margin {
            Outcome::Won
        } else if -self.board.secured(safe[1], prover.opponent()) < margin {
            Outcome::Lost
        } else {
            Outcome::Open
        }
    }

    /// Iterates over the states after the opponent's moves.
    pub(super) fn replies(&self, state: &State, safe: [Points; 2]) -> impl Iterator<Item = State> {
        let mut moves = NO_MOVES;
        let count = self.candidates(state, safe, &mut moves);
        moves.into_iter().take(count).filter_map(|(_, mv)| self.after(state, mv))
    }

    /// Searches a state. `safe` are points that are known to be the prover's and her opponent's in any case.
    fn search(&mut self, state: &State, key: u64, depth: u8, mut safe: [Points; 2]) -> Outcome {
        self.states += 1;
        if self.states.is_multiple_of(REPORT_INTERVAL) {
            self.progress.states.fetch_add(REPORT_INTERVAL, Ordering::Relaxed);
        }
        if let Some(known) = self.table.get(key) {
            if known.won <= depth {
                return Outcome::Won;
            }
            if known.open >= depth {
                return known.when_not_won();
            }
        }
        if self.is_stopped() {
            return Outcome::Open;
        }
        let is_provers = state.to_play == self.claim.prover;
        self.update_safe(state, &mut safe);
        match self.decide(safe) {
            outcome @ (Outcome::Won | Outcome::Lost) => {
                self.table.put(key, 0, outcome, 1);
                return outcome;
            }
            Outcome::Open if depth == 0 => return Outcome::Open,
            Outcome::Open => {}
        }
        let before = self.states;
        let mut moves = NO_MOVES;
        let count = self.candidates(state, safe, &mut moves);
        let moves = &mut moves[..count];
        if depth >= 3
            && let Some(outcome) = self.look_ahead(state, depth, moves)
        {
            self.table.put(key, depth, outcome, 1);
            return outcome;
        }
        let (mut is_stuck, mut are_all_lost) = (true, true);
        for place in 0..moves.len() {
            let next = (place..moves.len()).max_by_key(|&other| moves[other].0).expect("there are moves");
            moves.swap(place, next);
            let (worth, mv) = moves[place];
            let Some(after) = (worth > ILLEGAL).then(|| self.after(state, mv)).flatten() else { continue };
            is_stuck = false;
            let outcome = self.search(&after, self.key(&after), depth - 1, safe);
            if self.is_stopped() {
                return Outcome::Open;
            }
            if (outcome == Outcome::Won) == is_provers {
                self.table.put(key, depth, outcome, self.states - before);
                return outcome;
            }
            are_all_lost &= outcome == Outcome::Lost;
        }
        // A prover without a move has lost. An opponent without one after her pass passes as well, which ends the game.
        let (depth, outcome) = match (is_stuck, is_provers) {
            (true, false) => (1, Outcome::Won),
            (false, false) => (depth, Outcome::Won),
            (_, true) if are_all_lost => (depth, Outcome::Lost),
            (_, true) => (depth, Outcome::Open),
        };
        self.table.put(key, depth, outcome, self.states - before);
        outcome
    }

    /// Finds the points that have become safe by the last move: those of the player who made it.
    #[inline(always)]
    fn update_safe(&self, state: &State, safe: &mut [Points; 2]) {
        let player = state.to_play.opponent();
        let (place, suicide) =
            if player == self.claim.prover { (0, PROVERS_LIFE) } else { (1, OPPONENTS_LIFE) };
        safe[place] = self.board.safe_points(state.stones, player, suicide);
    }

    /// Lists the moves worth trying, and returns how many there are.
    ///
    /// Moves on points that are somebody's in any case are left out: see the [module](super). The prover may leave out any of her moves, and does not
    /// fill eyes of a single chain. First come points near the centre that are not beside stones of the same colour.
    fn candidates(&self, state: &State, safe: [Points; 2], moves: &mut [Candidate; MAX_MOVES]) -> usize {
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
            let worth = i32::from(self.preferences[usize::from(bit)])
                - 8 * self.board.eccentricity(bit)
                - 20 * (near & own).count_ones() as i32;
            moves[count] = (worth, bit);
            count += 1;
        }
        let may_pass = if is_provers {
            self.has_margin(state, safe)
        } else {
            !state.is_after_pass && !self.ends_after_pass(state, safe)
        };
        if may_pass {
            moves[count] = (LAST, PASS);
            count += 1;
        }
        count
    }

    /// Returns whether the prover would have her margin if the game ended now, with these points counted for those whose they are in any case.
    fn has_margin(&self, state: &State, safe: [Points; 2]) -> bool {
        let Claim { prover, margin } = self.claim;
        let [own, other] = safe;
        let (by_color, sign) = match prover {
            Color::Black => ([own, other], 1),
            Color::White => ([other, own], -1),
        };
        sign * self.board.margin(state.stones, by_color) >= margin
    }

    /// Returns whether the prover ends the game by a pass if her opponent passes: if she has her margin as the board is, and his pass can be
    /// nothing but a pass, because there is no point on which he could play instead without effect.
    fn ends_after_pass(&self, state: &State, safe: [Points; 2]) -> bool {
        let has_no_idle_move = |safe: [Points; 2]| {
            self.board.empty(state.stones) & (safe[0] | safe[1]) == 0 && self.board.settled == [0; 2]
        };
        // The points that are known to be safe need not be all.
        has_no_idle_move(safe) && self.has_margin(state, [0; 2]) && has_no_idle_move(self.safe_sets(state))
    }

    /// Looks at what is known of the states after all moves, returns the outcome if one of them decides, and puts back those that are known not to.
    fn look_ahead(&self, state: &State, depth: u8, moves: &mut [Candidate]) -> Option<Outcome> {
        let is_provers = state.to_play == self.claim.prover;
        // All entries are asked for before the first is looked at: memory is slow, but serves many at a time.
        let mut keys = [0; MAX_MOVES];
        for ((worth, mv), key) in moves.iter_mut().zip(&mut keys).filter(|((_, mv), _)| *mv != PASS) {
            match self.board.play(state, *mv) {
                None => *worth = ILLEGAL,
                Some((after, captured)) => {
                    *worth += CAPTURE * captured.count_ones() as i32;
                    *key = self.key(&after);
                    self.table.prefetch(*key);
                }
            }
        }
        for ((worth, mv), &key) in moves.iter_mut().zip(&keys) {
            if *mv == PASS || *worth == ILLEGAL {
                continue;
            }
            let Some(known) = self.table.get(key) else { continue };
            let (is_won, is_open) = (known.won < depth, known.open >= depth - 1);
            if is_provers && is_won {
                return Some(Outcome::Won);
            }
            if !is_provers && is_open {
                return Some(known.when_not_won());
            }
            if is_won || is_open {
                *worth -= KNOWN;
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
}

/// How much more a move is worth for each stone that it captures.
const CAPTURE: i32 = 20;
/// How much less a move is worth that is known not to decide.
const KNOWN: i32 = 1 << 23;
/// The worth of a pass, and of a move that is illegal.
const LAST: i32 = -100_000;
const ILLEGAL: i32 = i32::MIN;
