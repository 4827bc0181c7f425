//! What a player secures on a small board, with proofs.
//!
//! # The game that is solved
//!
//! A [`Claim`] says that a player, the *prover*, secures a margin. It is proved in a game in which both players obey simple ko, and in which she loses if
//! play never ends. She then has a strategy that looks at nothing but the stones, the player to move and the ko, along which a rank falls with every
//! ply.
//!
//! The strategy also secures the margin under a superko rule, if none of her stones can bring back a board that stood before: superko forbids all that
//! simple ko forbids, so her opponent can do nothing that she has no answer to; her own moves are legal; and play ends. A check of the proof finds out
//! whether that is so.
//!
//! # What makes the search small
//!
//! - **Safe points.** Unconditionally alive chains, and regions between them in which the opponent has no room for two eyes, are a player's in any case.
//!   The prover has won when they give her the margin, and has lost when her opponent's leave her too little. She takes off what is dead in hers before
//!   the end: each of her stones there is beside an alive one and stays, so that it ends after finitely many plies.
//! - **Moves on safe points** of either side change nothing outside. The opponent's are as good as passes, and the prover makes none.
//! - **Passes.** Hers needs the margin on the board, with safe points counted for those whose they are. A pass of her opponent after it ends the game; any
//!   other of his passes is nothing but a change of turns.
//! - **Suicide** is never hers. Her safe points are safe although he may commit it.
//!
//! The search asks whether she wins within *n* plies, for growing *n*, depth first, with a table that states share with their mirror images. What it
//! says of *n* plies does not depend on the way to a state, so that nothing in the table can be wrong but by equal hashes; the check of the proof, which
//! shares only the board with the search, excludes these.
//!
//! # Sources
//! Erik van der Werf, Jaap van den Herik and Jos Uiterwijk, *Solving Go on small boards*, ICGA Journal 26 (2003); Erik van der Werf and Mark Winands,
//! *Solving Go for rectangular boards*, ICGA Journal 32 (2009).

mod check;
mod prover;
mod small_board;
mod strategy;
mod table;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use self::{
    check::Checker,
    prover::{MAX_DEPTH, Prover},
    small_board::SmallBoard,
    strategy::Strategy,
    table::Table,
};
use crate::{BoardSize, Color, Suicide};

/// The most points of a board on which claims are proved.
pub const MAX_POINTS: usize = SmallBoard::MAX_POINTS;

/// That a player secures a margin by area from the empty board, where Black plays first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The board, of at most [`MAX_POINTS`] points.
    pub size: BoardSize,
    /// Whether her opponent may commit suicide. What is proved with suicide also holds without.
    pub suicide: Suicide,
    /// The player.
    pub prover: Color,
    /// Her area minus her opponent's, at least.
    pub margin: i32,
}

/// What a proof may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The bytes of the table; rounded down to a power of two.
    pub table_bytes: usize,
    /// Threads that search together. With more than one, the strategy and the states looked at vary from run to run.
    pub threads: usize,
    /// The plies to look ahead, at most 200.
    pub plies: u8,
}

/// Half a gibibyte, one thread, and as many plies as there are.
impl Default for Effort {
    fn default() -> Self {
        Self { table_bytes: 1 << 29, threads: 1, plies: MAX_DEPTH }
    }
}

/// A strategy for a claim.
#[derive(Clone, Debug)]
pub struct Proof {
    claim: Claim,
    strategy: Strategy,
    searched: u64,
}

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

impl Claim {
    /// Searches for a proof, as far as `effort` goes and until `stop` is set. Nothing means that there is none within these plies, or that the search was
    /// stopped; it does not refute the claim.
    ///
    /// Cost: grows exponentially with the board. On one core of a virtual machine (AMD EPYC) 3×5 and 4×4 take less than a second, 3×6 eight and 4×5
    /// about a minute; on two, two thirds of that.
    ///
    /// # Panics
    /// When the board has more than [`MAX_POINTS`] points.
    ///
    /// # Examples
    /// ```
    /// use jigo_engine::{BoardSize, Color, Suicide, solve::{Claim, Effort}};
    /// use std::sync::atomic::AtomicBool;
    /// let size = BoardSize::new(2, 5)?;
    /// let claim = Claim { size, suicide: Suicide::Allowed, prover: Color::Black, margin: 10 };
    /// let effort = Effort { table_bytes: 1 << 20, ..Effort::default() };
    /// let proof = claim.prove(effort, &AtomicBool::new(false)).expect("all of 2×5 is Black's");
    /// assert!(proof.check().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn prove(self, effort: Effort, stop: &AtomicBool) -> Option<Proof> {
        let board = SmallBoard::new(self.size, self.suicide);
        let table = Table::new(effort.table_bytes);
        let start = board.start([0; 2], Color::Black);
        // She makes the last move.
        let first = if start.to_play == self.prover { 1 } else { 2 };
        // Whoever has an answer ends the search of the others, at each depth anew.
        let (is_found, is_done) = (AtomicBool::new(false), AtomicBool::new(false));
        let provers = (0..effort.threads.max(1)).map(|_| Prover::new(&board, self, &table, [stop, &is_done]));
        let mut provers: Vec<Prover<'_>> = provers.collect();
        for depth in (first..=effort.plies.min(MAX_DEPTH)).step_by(2) {
            is_done.store(false, Ordering::Relaxed);
            thread::scope(|scope| {
                for prover in &mut provers {
                    scope.spawn(|| {
                        let is_won = prover.wins_within(&start, depth);
                        if !prover.is_stopped() {
                            is_found.fetch_or(is_won, Ordering::Relaxed);
                            is_done.store(true, Ordering::Relaxed);
                        }
                    });
                }
            });
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if is_found.load(Ordering::Relaxed) {
                is_done.store(false, Ordering::Relaxed);
                let strategy = strategy::strategy(&mut provers[0], &start, depth)?;
                let searched = provers.iter().map(|prover| prover.states).sum();
                return Some(Proof { claim: self, strategy, searched });
            }
        }
        None
    }
}

impl Proof {
    /// Returns what is proved.
    #[must_use]
    pub const fn claim(&self) -> Claim {
        self.claim
    }

    /// Returns the states that the search looked at.
    #[must_use]
    pub const fn searched(&self) -> u64 {
        self.searched
    }

    /// Checks the proof without a search.
    ///
    /// Cost: about a microsecond for each state and reply.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<Verdict, Flaw> {
        Checker::new(self.claim, &self.strategy).check()
    }
}

#[cfg(test)]
mod tests {
    use super::{strategy::StateCode, *};
    use crate::{Move, Point};

    fn claim((width, height): (usize, usize), prover: Color, margin: i32, suicide: Suicide) -> Claim {
        Claim { size: BoardSize::new(width, height).unwrap(), suicide, prover, margin }
    }

    fn prove(claim: Claim, threads: usize) -> Option<Proof> {
        claim.prove(Effort { table_bytes: 1 << 24, threads, plies: 25 }, &AtomicBool::new(false))
    }

    /// Values as published: see [`Claim`]'s module. On 3×4 and 4×4 they are those of Black's side alone.
    #[test]
    fn published_values_are_proved_and_the_proofs_hold() {
        let values = [
            ((1, 3), 3),
            ((1, 4), 4),
            ((2, 4), 8),
            ((2, 5), 10),
            ((5, 2), 10),
            ((3, 3), 9),
            ((2, 6), 12),
            ((3, 4), 4),
            ((3, 5), 15),
            ((2, 7), 14),
            ((4, 4), 1),
        ];
        for (sides, margin) in values {
            for suicide in [Suicide::Forbidden, Suicide::Allowed] {
                let proof = prove(claim(sides, Color::Black, margin, suicide), 1).expect("a proof");
                let verdict = proof.check();
                assert!(
                    verdict.is_ok_and(|found| found.holds_under_superko),
                    "{sides:?} {suicide:?}: {verdict:?}"
                );
            }
        }
    }

    #[test]
    fn threads_share_a_search() {
        let proof = prove(claim((3, 5), Color::Black, 15, Suicide::Allowed), 2).expect("a proof");
        assert_eq!(proof.check().unwrap().plies, 17);
    }

    /// No side can prove more than the value under superko.
    #[test]
    fn more_than_the_value_is_not_proved() {
        for (sides, value) in
            [((1, 2), 0), ((1, 3), 3), ((2, 2), 1), ((2, 3), 0), ((1, 5), 0), ((1, 6), 1), ((1, 7), 2)]
        {
            let points = (sides.0 * sides.1) as i32;
            for suicide in [Suicide::Forbidden, Suicide::Allowed] {
                for margin in value + 1..=points {
                    assert!(
                        prove(claim(sides, Color::Black, margin, suicide), 1).is_none(),
                        "{sides:?} {margin}"
                    );
                }
                for margin in 1 - value..=points {
                    assert!(
                        prove(claim(sides, Color::White, margin, suicide), 1).is_none(),
                        "{sides:?} {margin}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_search_can_be_stopped() {
        let claim = claim((5, 5), Color::Black, 25, Suicide::Forbidden);
        assert!(
            claim
                .prove(Effort { table_bytes: 1 << 20, ..Effort::default() }, &AtomicBool::new(true))
                .is_none()
        );
    }

    /// Whatever is changed in a proof is found, where the state can still come up.
    #[test]
    fn damaged_proofs_are_refused() {
        let proof = prove(claim((2, 4), Color::Black, 8, Suicide::Allowed), 1).unwrap();
        let codes: Vec<StateCode> = proof.strategy.keys().copied().collect();
        let damaged = |damage: &dyn Fn(&mut Strategy)| {
            let mut damaged = proof.clone();
            damage(&mut damaged.strategy);
            damaged.check()
        };
        let mut flaws = Vec::new();
        for &code in &codes {
            let size = proof.claim.size;
            let at = |x, y| Move::Play(Point::new(x, y));
            assert_eq!(damaged(&|strategy| _ = strategy.remove(&code)), Err(Flaw::NoReply));
            flaws.extend(damaged(&|strategy| strategy.get_mut(&code).unwrap().rank = 0).err());
            flaws.extend(damaged(&|strategy| strategy.get_mut(&code).unwrap().mv = Move::Pass).err());
            for mv in [at(9, 9), at(size.width() as u8, 0), at(0, 200)] {
                let flaw = damaged(&|strategy| strategy.get_mut(&code).unwrap().mv = mv);
                assert_eq!(flaw, Err(Flaw::IllegalMove));
            }
        }
        for flaw in [Flaw::NoEnd, Flaw::EarlyPass] {
            assert!(flaws.contains(&flaw), "{flaw:?} in {flaws:?}");
        }
    }
}
