//! The search for proofs of one claim, or of both players' best margins.

use std::{
    sync::{
        RwLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use super::{
    Claim, Effort, Problem, Progress, Proof,
    check::{Verdict, check_strategy},
    extraction::{Avoided, Extraction, Shared, TooLarge},
    proof::Body,
    prover::{MAX_DEPTH, Outcome, Prover},
    repetition::Return,
    small_board::State,
    strategy::{StateCode, Strategy},
    table::Table,
};
use crate::{Color, Move};

/// What is proved of Black's margin.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Black's area minus White's, at least.
    pub least: i32,
    /// Black's area minus White's, at most.
    pub most: i32,
    /// Proofs of both, by the player who secures the bound; none where no proof was found, so that all that is known is how many points there are.
    pub proofs: [Option<Proof>; 2],
}

impl Problem {
    /// Searches for a proof of a claim, as far as `effort` goes and until `progress` is stopped. Nothing means that there is none within these plies,
    /// that the search was stopped, or that the margin is not between minus and plus the number of points; it does not refute the claim.
    ///
    /// Cost: grows exponentially with the board; see `docs/solve.md`. On one core of a virtual machine (AMD EPYC) 3×5 takes a tenth of a second and 4×5
    /// seven seconds.
    ///
    /// # Examples
    /// ```
    /// use jigo_engine::{Board, BoardSize, Color, Suicide};
    /// use jigo_engine::solve::{Claim, Effort, Problem, Progress};
    /// let board: Board = Board::new(BoardSize::new(2, 5)?, Suicide::Allowed);
    /// let claim = Claim { prover: Color::Black, margin: 10 };
    /// let problem = Problem::from_board(&board)?;
    /// let proof = problem.prove(claim, Effort::default(), &Progress::new()).expect("all of 2×5 is Black's");
    /// assert!(proof.check()?.holds_under_superko);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn prove(&self, claim: Claim, effort: Effort, progress: &Progress) -> Option<Proof> {
        let mut table = Table::new(FIRST_TABLE_BYTES.min(effort.memory / 3));
        let mut attempt = Attempt::new(self, claim, effort);
        if !claim.is_worth_proving(self.size()) {
            return None;
        }
        loop {
            match attempt.deepen(&mut table, u64::MAX, progress) {
                Outcome::Won => return attempt.proof(&table, 0, progress),
                Outcome::Open => {}
                Outcome::Lost => return None,
            }
        }
    }

    /// Searches for the greatest margins that both players secure, as far as `effort` goes and until `progress` says that it is enough. Where the bounds
    /// meet, they are the value of the position.
    ///
    /// Claims of both players take turns: of each the best, the next better margin and the one halfway. The one by which the first player would settle
    /// the value may cost eight times as much as the others, and the next better margins twice, because without them there is none. Proofs are
    /// made at the end, of the best claims that were won.
    #[must_use]
    pub fn bounds(&self, effort: Effort, progress: &Progress) -> Bounds {
        let mut bounds = Bounds::unknown(self);
        let mut table = Table::new(FIRST_TABLE_BYTES.min(effort.memory / 3));
        let mut attempts: Vec<Attempt<'_>> = Vec::new();
        // States looked at, by role.
        let mut spent = [0_u64; 2 * ROLES];
        loop {
            progress.bounds[0].store(bounds.least, Ordering::Relaxed);
            progress.bounds[1].store(bounds.most, Ordering::Relaxed);
            let player = self.to_play();
            let hope = Claim { prover: player, margin: bounds.best_margin(player) };
            let cost = |&(claim, role): &(Claim, usize)| match role % ROLES {
                _ if claim == hope => spent[role] / 8,
                NEXT => spent[role] / 2,
                _ => spent[role],
            };
            // Where there is no proof of a claim, there is none of a greater margin.
            let is_open = |&(claim, _): &(Claim, usize)| {
                let is_less = |other: Claim| other.prover == claim.prover && other.margin <= claim.margin;
                attempts.iter().all(|attempt| !is_less(attempt.claim) || attempt.may_go_on())
            };
            let next = bounds.open_claims().into_iter().filter(is_open).min_by_key(cost);
            let Some((claim, role)) = next.filter(|_| !progress.is_enough()) else { break };
            let known = attempts.iter().position(|attempt| attempt.claim == claim);
            let place = known.unwrap_or_else(|| {
                attempts.push(Attempt::new(self, claim, effort));
                attempts.len() - 1
            });
            let attempt = &mut attempts[place];
            let before = attempt.states;
            // So that no claim takes much more than its turn, a search of one depth is continued later if it takes too long.
            let outcome = attempt.deepen(&mut table, TURN * spent[role].max(FIRST_TURN), progress);
            spent[role] += attempt.states - before;
            if outcome == Outcome::Won {
                bounds.improve(claim);
            }
        }
        let unknown = Bounds::unknown(self);
        for prover in Color::BOTH {
            let claim = Claim { prover, margin: bounds.secured_margin(prover) };
            let attempt = attempts.iter().find(|attempt| attempt.claim == claim);
            let held = bounds.proofs.iter().flatten().map(Proof::state_count).sum();
            let proof = attempt.and_then(|attempt| attempt.proof(&table, held, progress));
            if proof.is_none() && !progress.is_stopped() {
                // What cannot be proved is not claimed.
                match prover {
                    Color::Black => bounds.least = unknown.least,
                    Color::White => bounds.most = unknown.most,
                }
            }
            bounds.proofs[prover.index()] = proof;
        }
        bounds
    }

    /// Returns the moves with which play can begin, a pass among them; of mirror images one.
    #[must_use]
    pub fn first_moves(&self) -> Vec<Move> {
        let mut seen = Vec::new();
        let points = self.board.open.iter().filter(|&&point| {
            let after = self.after(Move::Play(point)).map(|after| StateCode::new(&self.board, &after).0);
            let is_new = after.is_some_and(|code| !seen.contains(&code));
            seen.extend(after);
            is_new
        });
        points.copied().map(Move::Play).collect::<Vec<_>>().into_iter().chain([Move::Pass]).collect()
    }

    /// Returns whether a first move keeps the value of the position, as far as `effort` goes and until `progress` says that it is enough; nothing if
    /// that was not found out. It is found for simple ko, in the game of the [module](super).
    #[must_use]
    pub fn keeps_value(&self, mv: Move, value: i32, effort: Effort, progress: &Progress) -> Option<bool> {
        let player = self.to_play();
        let margin = player.sign() * value;
        let mut start = self.after(mv)?;
        if mv == Move::Pass && player.sign() * self.board.margin(self.start.stones, [0; 2]) < margin {
            return Some(false);
        }
        let with_pass = Self { start, ..self.clone() };
        start.is_after_pass = false;
        let problem = Self { start, ..self.clone() };
        let mut attempts = [
            Attempt::new(&with_pass, Claim { prover: player, margin }, effort),
            Attempt::new(&problem, Claim { prover: player.opponent(), margin: 1 - margin }, effort),
        ];
        let mut table = Table::new(FIRST_TABLE_BYTES.min(effort.memory / 3));
        loop {
            let open = attempts.iter_mut().filter(|attempt| attempt.is_open());
            let attempt = open.min_by_key(|attempt| attempt.states).filter(|_| !progress.is_enough())?;
            let turn = TURN * attempt.states.max(FIRST_TURN);
            if attempt.deepen(&mut table, turn, progress) == Outcome::Won {
                return Some(attempt.claim.prover == player);
            }
        }
    }

    /// Returns the state after a move of the player to move; nothing if it is illegal.
    fn after(&self, mv: Move) -> Option<State> {
        match mv {
            Move::Pass => Some(self.board.pass(&self.start, true)),
            Move::Play(point) => {
                let bit = self.board.bit(point);
                let is_empty = self.board.empty(self.start.stones) >> bit & 1 != 0;
                let played = (is_empty && self.start.ban != bit).then(|| self.board.play(&self.start, bit));
                played.flatten().map(|(after, _)| after)
            }
        }
    }
}

impl Bounds {
    /// Returns what is known of a position without a search.
    #[must_use]
    pub fn unknown(problem: &Problem) -> Self {
        let points = problem.size().point_count() as i32;
        Self { least: -points, most: points, proofs: [None, None] }
    }

    /// Returns what a proof says.
    #[must_use]
    pub fn proved(proof: Proof) -> Self {
        let (mut bounds, claim) = (Self::unknown(proof.problem()), proof.claim());
        bounds.improve(claim);
        bounds.proofs[claim.prover.index()] = Some(proof);
        bounds
    }

    /// Returns the value, if it is proved.
    #[must_use]
    pub fn value(&self) -> Option<i32> {
        (self.least == self.most).then_some(self.least)
    }

    /// Returns the margin that a player is known to secure.
    const fn secured_margin(&self, player: Color) -> i32 {
        match player {
            Color::Black => self.least,
            Color::White => -self.most,
        }
    }

    /// Returns the greatest margin that a player may secure, as far as is known: it would settle the value.
    const fn best_margin(&self, player: Color) -> i32 {
        -self.secured_margin(player.opponent())
    }

    /// Returns what may still be claimed, with the number of its role: of each player the best, halfway, and the next better margin.
    fn open_claims(&self) -> Vec<(Claim, usize)> {
        let mut claims: Vec<(Claim, usize)> = Vec::new();
        for prover in Color::BOTH {
            let (secured, best) = (self.secured_margin(prover), self.best_margin(prover));
            // Halfway, but at most 0 as long as that is not secured.
            let middle = if secured < 0 { best.min(0) } else { (secured + best).div_euclid(2) };
            for (role, margin) in [best, middle, secured + 1].into_iter().enumerate() {
                let claim = Claim { prover, margin };
                if margin > secured && margin <= best && claims.iter().all(|&(other, _)| other != claim) {
                    claims.push((claim, ROLES * prover.index() + role));
                }
            }
        }
        claims
    }

    fn improve(&mut self, claim: Claim) {
        match claim.prover {
            Color::Black => self.least = self.least.max(claim.margin),
            Color::White => self.most = self.most.min(-claim.margin),
        }
    }
}

/// The table's size at first.
const FIRST_TABLE_BYTES: usize = 1 << 22;

/// The claims of a player that take turns.
const ROLES: usize = 3;

/// The role of the next better margin.
const NEXT: usize = 2;

/// Plies by which each search is deeper than the one before. With 2, 4×5 took 1.4 times as many states; with 6 it was not proved in five times the time.
const DEPTH_STEP: u8 = 4;

/// How many states a turn may look at, for each that the claim's role cost before; with less, searches are begun again more often.
const TURN: u64 = 8;

/// What a role costs at least, where turns are reckoned.
const FIRST_TURN: u64 = 1_000;

/// A search for a proof of a claim, of growing depth.
struct Attempt<'a> {
    problem: &'a Problem,
    claim: Claim,
    effort: Effort,
    /// The depth of the next search.
    depth: u8,
    states: u64,
    outcome: Outcome,
}

impl<'a> Attempt<'a> {
    fn new(problem: &'a Problem, claim: Claim, effort: Effort) -> Self {
        // She makes the last move.
        let depth = if problem.start.to_play == claim.prover { 1 } else { 2 };
        Self { problem, claim, effort, depth, states: 0, outcome: Outcome::Open }
    }

    /// Returns whether a deeper search may find a proof.
    fn is_open(&self) -> bool {
        let default = (3 * self.problem.board.open.len() as u8).max(30);
        self.outcome == Outcome::Open && self.depth <= self.effort.plies.unwrap_or(default).min(MAX_DEPTH)
    }

    /// Returns whether a proof was found, or a deeper search may find one.
    fn may_go_on(&self) -> bool {
        self.outcome == Outcome::Won || self.is_open()
    }

    /// Makes a searcher for one of the threads, which either of `stop` ends.
    fn prover<'s>(
        &'s self,
        table: &'s Table,
        thread: usize,
        progress: &'s Progress,
        stop: [&'s AtomicBool; 2],
        max_states: u64,
    ) -> Prover<'s> {
        Prover::new(&self.problem.board, self.claim, table, thread as u64, progress, stop, max_states)
    }

    /// Searches some plies deeper than before, but looks at no more states than this: then the next call goes on. When the search is stopped or has
    /// reached its depth, the claim counts as lost.
    fn deepen(&mut self, table: &mut Table, max_states: u64, progress: &Progress) -> Outcome {
        if !self.is_open() || progress.is_enough() {
            return Outcome::Lost;
        }
        // A search looks at several times as many states as the one before. While a table is doubled there are two.
        let is_small = |table: &Table| table.is_full() || (table.len() as u64) < 4 * self.states;
        while is_small(table) && 6 * table.bytes() <= self.effort.memory {
            *table = table.doubled();
        }
        progress.plies.store(self.depth, Ordering::Relaxed);
        let results = race(self.effort.threads, |thread, is_done| {
            let stop = [is_done, &progress.is_enough];
            let mut prover = self.prover(table, thread, progress, stop, max_states);
            let outcome = prover.decide_within(&self.problem.start, self.depth);
            let answer = (!prover.is_stopped()).then_some(outcome);
            prover.report();
            (answer, prover.states)
        });
        self.states += results.iter().map(|(_, states)| states).sum::<u64>();
        match results.into_iter().find_map(|(answer, _)| answer) {
            Some(Outcome::Open) => self.depth += DEPTH_STEP,
            Some(outcome) => self.outcome = outcome,
            None => {}
        }
        self.outcome
    }

    /// Makes the proof of a claim that is won, and checks it. Nothing if the search is stopped before, or if the proof and others that are `held`, so
    /// many states in all, take too much memory.
    ///
    /// Where a stone of the prover can bring back an earlier board, she wins by another move, if there is one that is fast enough.
    fn proof(&self, table: &Table, held: usize, progress: &Progress) -> Option<Proof> {
        /// How often to look for other moves.
        const MAX_REPAIRS: usize = 20;
        /// Plies that she may take longer then.
        const MAX_DELAY: u8 = 6;
        let free = self.effort.memory.saturating_sub(table.bytes());
        let mut avoided = Avoided::default();
        let mut found: Option<(Strategy, Verdict)> = None;
        for _ in 0..=MAX_REPAIRS {
            let held = held + found.as_ref().map_or(0, |(strategy, _)| strategy.len());
            let max_states =
                free.saturating_sub(held * Strategy::STATE_BYTES) / Strategy::GROWING_STATE_BYTES;
            let shared = || Shared {
                avoided: &avoided,
                earlier: found.as_ref().map(|(strategy, _)| strategy),
                strategy: RwLock::new(Strategy::new()),
                threads: self.effort.threads,
                max_states,
            };
            let max_delay = if found.is_some() { MAX_DELAY } else { 0 };
            let made = (0..=max_delay)
                .step_by(2)
                .find_map(|delay| self.strategy(self.depth + delay, table, shared(), progress).transpose());
            let strategy = match made {
                Some(Ok(strategy)) => strategy,
                Some(Err(TooLarge)) if found.is_none() => {
                    progress.unproved.lock().expect("no thread panics").push(self.claim);
                    break;
                }
                _ => break,
            };
            let (verdict, returns) =
                check_strategy(self.problem, self.claim, &strategy, &progress.is_stopped).ok()?;
            if progress.is_stopped() {
                return None;
            }
            found = Some((strategy, verdict));
            if verdict.holds_under_superko || returns.is_empty() {
                break;
            }
            for Return { state, board } in returns {
                avoided.entry(state).or_default().push(board);
            }
        }
        let (strategy, verdict) = found?;
        Some(Proof::new(self.problem.clone(), self.claim, Body::Strategy(strategy)).checked(verdict))
    }

    /// Makes a strategy by which the prover wins within so many plies; nothing if there is none without the moves to be avoided, or if the search is
    /// stopped.
    fn strategy(
        &self,
        depth: u8,
        table: &Table,
        shared: Shared<'_>,
        progress: &Progress,
    ) -> Result<Option<Strategy>, TooLarge> {
        let results = race(shared.threads, |thread, is_done| {
            let prover = self.prover(table, thread, progress, [is_done, &progress.is_stopped], u64::MAX);
            Extraction::new(prover, &shared, thread).run(&self.problem.start, depth)
        });
        let is_complete = results.into_iter().flatten().next().unwrap_or(Ok(false))?;
        Ok(is_complete.then(|| shared.into_strategy()))
    }
}

/// Runs work in threads, which get their numbers, and returns what each has found. Whoever ends first tells the others that it is done.
fn race<T: Send>(threads: usize, work: impl Fn(usize, &AtomicBool) -> T + Sync) -> Vec<T> {
    let is_done = AtomicBool::new(false);
    let run = |thread: usize| {
        let found = work(thread, &is_done);
        is_done.store(true, Ordering::Relaxed);
        found
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || run(thread))).collect();
        let first = run(0);
        let joined = others.into_iter().map(|thread| thread.join().expect("a search does not panic"));
        std::iter::once(first).chain(joined).collect()
    })
}
