//! Best play on a small board: what each player secures, with proofs, and the value under one ko rule with the history of the game.
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
//! - **Passes.** Hers needs the margin on the board, with safe points counted for those whose they are. A pass of her opponent after it ends the game. So
//!   does hers after his pass, if she has the margin as the board is and he had no move on a safe point that is as good as a pass. Any other of his
//!   passes is nothing but a change of turns.
//! - **Suicide** is never hers. Her safe points are safe although he may commit it.
//!
//! The search asks whether she wins within *n* plies, for growing *n*, depth first, with a table that states share with their mirror images. What it
//! says of *n* plies does not depend on the way to a state, so that nothing in the table can be wrong but by equal hashes; the check of the proof, which
//! shares only the board with the search, excludes these.
//!
//! # Sources
//! Erik van der Werf, Jaap van den Herik and Jos Uiterwijk, *Solving Go on small boards*, ICGA Journal 26 (2003); Erik van der Werf and Mark Winands,
//! *Solving Go for rectangular boards*, ICGA Journal 32 (2009).

mod best_play;
mod bounds;
mod check;
mod exact;
mod extraction;
mod game_graph;
mod history;
mod ko_sensitivity;
mod proof;
mod prover;
mod repetition;
mod settled;
mod small_board;
mod strategy;
mod table;
mod text;
mod value;
mod values;

use std::{
    fmt,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU64, Ordering},
    },
};

pub use self::{
    best_play::Solution,
    bounds::Bounds,
    check::{Flaw, Verdict},
    ko_sensitivity::{KoSensitive, KoSensitivity},
    proof::Proof,
    text::{Lines, ReadProofError},
    value::{Value, solved_rules},
    values::{Evidence, KnownValue},
};
use self::{
    settled::Settled,
    small_board::{NO_POINT, SmallBoard, State},
};
use crate::{Board, BoardSize, Color, Point, Position, Suicide};

/// A position to be solved: which points are open, what stands on them, and who is to play. History begins here.
///
/// On boards of at most [`MAX_POINTS`](Self::MAX_POINTS) points all points are open. On larger ones those are that are not settled: unconditionally alive
/// chains, and regions between them in which the opponent has no room for two eyes, belong to a player in any case.
#[derive(Clone, Debug)]
pub struct Problem {
    board: SmallBoard,
    start: State,
    position: Position,
}

/// More points are open than can be solved, or they are too far apart for the words of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{open} points of the position are open, too many or too far apart: at most {most} can be solved, close together and enclosed by unconditionally alive chains",
    most = Problem::MAX_POINTS
)]
pub struct TooLarge {
    /// The points that are not unconditionally settled.
    pub open: usize,
}

/// That a player secures a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The player.
    pub prover: Color,
    /// Her area minus her opponent's on the whole board, at least.
    pub margin: i32,
}

/// As a bound of Black's margin: `at least +4` or `at most +12`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prover {
            Color::Black => write!(f, "at least {:+}", self.margin),
            Color::White => write!(f, "at most {:+}", -self.margin),
        }
    }
}

impl Claim {
    /// Returns whether the claim says more than how many points there are. Less can be false where play never ends, because suicide goes on and on.
    const fn is_worth_proving(self, size: BoardSize) -> bool {
        let points = size.point_count() as i32;
        -points < self.margin && self.margin <= points
    }
}

/// What a search may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The bytes that the table of results and the proofs may take. The table begins small and grows to a third of it at most.
    pub memory: usize,
    /// Threads that search together. With more than one, the strategy and the states looked at vary from run to run.
    pub threads: usize,
    /// The plies to look ahead, at most 200; without a number three for each open point, but at least 30.
    pub plies: Option<u8>,
}

/// One gibibyte, one thread, and three plies for each open point.
impl Default for Effort {
    fn default() -> Self {
        Self { memory: 1 << 30, threads: 1, plies: None }
    }
}

/// How far a search is, for others to see while it goes on; and a way to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    is_enough: AtomicBool,
    is_stopped: AtomicBool,
    unproved: Mutex<Vec<Claim>>,
    states: AtomicU64,
    plies: AtomicU8,
    bounds: [AtomicI32; 2],
}

impl Progress {
    /// Begins at zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the search soon; what was found by then is still proved.
    pub fn finish(&self) {
        self.is_enough.store(true, Ordering::Relaxed);
    }

    /// Ends everything soon, without proofs.
    pub fn stop(&self) {
        self.finish();
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Returns whether the search is to end.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.is_enough.load(Ordering::Relaxed)
    }

    /// Returns whether everything is to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Returns the claims that were won, but whose proofs take more than the memory allowed.
    #[must_use]
    pub fn unproved(&self) -> Vec<Claim> {
        self.unproved.lock().expect("no thread panics").clone()
    }

    /// Returns the states looked at.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// Returns the plies that are being looked ahead.
    #[must_use]
    pub fn plies(&self) -> u8 {
        self.plies.load(Ordering::Relaxed)
    }

    /// Returns the bounds of Black's margin that are proved.
    #[must_use]
    pub fn bounds(&self) -> (i32, i32) {
        let [least, most] = &self.bounds;
        (least.load(Ordering::Relaxed), most.load(Ordering::Relaxed))
    }
}

impl Problem {
    /// The most open points.
    pub const MAX_POINTS: usize = SmallBoard::MAX_POINTS;

    /// Takes a position, the player to move, and the point on which simple ko forbids a stone.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn new(
        position: &Position,
        to_play: Color,
        ko: Option<Point>,
        suicide: Suicide,
    ) -> Result<Self, TooLarge> {
        if position.size().point_count() <= Self::MAX_POINTS {
            return Self::with_owners(position, to_play, ko, suicide, |_| None);
        }
        Self::with_settled_points(position, to_play, ko, suicide)
    }

    fn with_settled_points(
        position: &Position,
        to_play: Color,
        ko: Option<Point>,
        suicide: Suicide,
    ) -> Result<Self, TooLarge> {
        let settled = Color::BOTH.map(|color| Settled::new(position, color, Suicide::Allowed));
        Self::with_owners(position, to_play, ko, suicide, |point| {
            let bit = position.geometry().bit(point);
            Color::BOTH.into_iter().find(|color| {
                let own = &settled[color.index()];
                // Her stones there might have to be played anew, which superko could forbid: then only what is alive is settled.
                let is_steady = (own.inner & position.stone_set(*color)).is_empty();
                (if is_steady { own.points } else { own.alive }).contains(bit)
            })
        })
    }

    /// Takes the points that nobody owns.
    fn with_owners(
        position: &Position,
        to_play: Color,
        ko: Option<Point>,
        suicide: Suicide,
        owner: impl Fn(Point) -> Option<Color>,
    ) -> Result<Self, TooLarge> {
        let size = position.size();
        let owners: Vec<Option<Color>> = size.points().map(&owner).collect();
        let too_large = || TooLarge { open: owners.iter().filter(|owner| owner.is_none()).count() };
        let board =
            SmallBoard::new(size, suicide, |point| owners[point.index(size)]).ok_or_else(too_large)?;
        let stones = Color::BOTH.map(|color| {
            let stones = position.stones(color).filter(|point| owners[point.index(size)].is_none());
            stones.fold(0, |set, point| set | 1 << board.bit(point))
        });
        let mut start = board.state(stones, to_play);
        let ko = ko.filter(|point| owners[point.index(size)].is_none());
        start.ban = ko.map_or(NO_POINT, |point| board.bit(point));
        Ok(Self { board, start, position: position.clone() })
    }

    /// Takes the position of a board, with its player to move, ko and rule for suicide.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn from_board<const W: usize>(board: &Board<W>) -> Result<Self, TooLarge> {
        Self::new(&board.position().with_width(), board.to_play(), board.ko_point(), board.suicide())
    }

    /// Returns the position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the player to move.
    #[must_use]
    pub const fn to_play(&self) -> Color {
        self.start.to_play
    }

    /// Returns the board's size.
    #[must_use]
    pub const fn size(&self) -> BoardSize {
        self.board.size
    }

    /// Returns whether suicide is allowed. What is proved with suicide also holds without.
    #[must_use]
    pub const fn suicide(&self) -> Suicide {
        self.board.suicide
    }

    /// Returns the points that are open, in row-major order.
    #[must_use]
    pub fn open_points(&self) -> &[Point] {
        &self.board.open
    }
}

#[cfg(test)]
mod tests {
    use super::{
        proof::Body,
        small_board::NO_PLACE,
        strategy::{Reply, StateCode, Strategy},
        *,
    };

    fn problem((width, height): (usize, usize), suicide: Suicide) -> Problem {
        let board: Board = Board::new(BoardSize::new(width, height).unwrap(), suicide);
        Problem::from_board(&board).unwrap()
    }

    fn prove(
        sides: (usize, usize),
        prover: Color,
        margin: i32,
        suicide: Suicide,
        threads: usize,
    ) -> Option<Proof> {
        let effort = Effort { memory: 1 << 29, threads, plies: Some(29) };
        problem(sides, suicide).prove(Claim { prover, margin }, effort, &Progress::new())
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
            ((2, 8), 16),
            ((3, 6), 18),
            ((4, 5), 20),
        ];
        for (sides, margin) in values {
            for suicide in [Suicide::Forbidden, Suicide::Allowed] {
                let proof = prove(sides, Color::Black, margin, suicide, 1).expect("a proof");
                let verdict = proof.check();
                assert!(
                    verdict.is_ok_and(|found| found.holds_under_superko),
                    "{sides:?} {suicide:?}: {verdict:?}"
                );
            }
        }
    }

    /// White's best bounds are found as well.
    #[test]
    fn bounds_meet_where_superko_does_not_matter() {
        let solve = |sides| {
            problem(sides, Suicide::Allowed)
                .bounds(Effort { plies: Some(20), ..Effort::default() }, &Progress::new())
        };
        for (sides, value) in
            [((1, 1), 0), ((1, 2), 0), ((1, 3), 3), ((1, 4), 4), ((2, 4), 8), ((3, 3), 9), ((2, 5), 10)]
        {
            let bounds = solve(sides);
            assert_eq!((bounds.least, bounds.most), (value, value), "{sides:?}");
            for proof in bounds.proofs.iter().flatten() {
                assert!(proof.check().is_ok_and(|verdict| verdict.holds_under_superko));
            }
        }
    }

    /// The same position, with all points open and with those alone that are not settled.
    #[test]
    fn settled_points_need_not_be_open() {
        let diagrams = [
            ". X . O .\nX X . O O\n. X . O .\nX X . O O\nX X . O O",
            ". X . . .\nX X . . .\n. X . . .\nX X X X X\n. X . X .",
            ". X . . O\nX X . O .\n. X . . O\nX X X X X\n. X . X .",
            ". O . . .\nO O . . X\n. O . X .\nO O O O O\n. O . O .",
        ];
        for diagram in diagrams {
            for to_play in Color::BOTH {
                let board: Board = Board::from_diagram(diagram, Suicide::Allowed).unwrap();
                let position: Position = board.position();
                let whole = Problem::new(&position, to_play, None, Suicide::Allowed).unwrap();
                let part = Problem::with_settled_points(&position, to_play, None, Suicide::Allowed).unwrap();
                assert!(part.open_points().len() <= 15, "{diagram}");
                let effort = Effort { plies: Some(40), ..Effort::default() };
                let [whole, part] = [whole, part].map(|problem| problem.bounds(effort, &Progress::new()));
                assert_eq!((whole.least, whole.most), (part.least, part.most), "{diagram}\n{to_play}");
                assert_eq!(part.value(), Some(part.least), "{diagram}\n{to_play}");
                for proof in part.proofs.iter().flatten() {
                    assert!(proof.check().is_ok(), "{diagram}\n{to_play}");
                }
            }
        }
    }

    #[test]
    fn proofs_are_read_as_they_were_written() {
        let enclosed = ". X . . O .\nX X . . O O\n. X . . O .\nX X . . O O\nX X . . O O";
        for diagram in [enclosed, ". . .\n. O .\n. . .\n. . X", ". . . . .\n. . . . ."] {
            for to_play in Color::BOTH {
                let board: Board = Board::from_diagram(diagram, Suicide::Allowed).unwrap();
                let problem = Problem::new(&board.position(), to_play, None, Suicide::Allowed).unwrap();
                let bounds =
                    problem.bounds(Effort { plies: Some(20), ..Effort::default() }, &Progress::new());
                assert_ne!(bounds.proofs.iter().flatten().count(), 0, "{diagram}\n{to_play}");
                for proof in bounds.proofs.iter().flatten() {
                    let mut text = Vec::new();
                    proof.write(&mut text).unwrap();
                    let mut lines = Lines::new(&text[..]);
                    let read = Proof::read(&mut lines).unwrap().unwrap();
                    assert_eq!((read.claim(), read.check()), (proof.claim(), proof.check()));
                    assert!(read.check().is_ok() && Proof::read(&mut lines).unwrap().is_none());
                    for length in (0..text.len()).step_by(1 + text.len() / 100) {
                        let mut lines = Lines::new(&text[..length]);
                        let read = Proof::read(&mut lines);
                        // All that can be left out is nothing, or the end of the last line.
                        assert!(
                            matches!(read, Ok(None) if length == 0)
                                || read.is_err()
                                || length + 3 > text.len()
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn threads_share_a_search() {
        let proof = prove((3, 5), Color::Black, 15, Suicide::Allowed, 2).expect("a proof");
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
                    assert!(prove(sides, Color::Black, margin, suicide, 1).is_none(), "{sides:?} {margin}");
                }
                for margin in 1 - value..=points {
                    assert!(prove(sides, Color::White, margin, suicide, 1).is_none(), "{sides:?} {margin}");
                }
            }
        }
    }

    #[test]
    fn a_search_can_be_stopped() {
        let progress = Progress::new();
        progress.stop();
        let bounds = problem((5, 5), Suicide::Forbidden).bounds(Effort::default(), &progress);
        assert_eq!((bounds.least, bounds.most), (-25, 25));
    }

    /// Whatever is changed in a proof is found, where the state can still come up.
    #[test]
    fn damaged_proofs_are_refused() {
        let proof = prove((2, 4), Color::Black, 8, Suicide::Allowed, 1).unwrap();
        let problem = &proof.problem;
        let Body::Strategy(strategy) = &proof.body else { unreachable!("a proof of a bound") };
        let damaged = |code: StateCode, reply: Option<Reply>| {
            let changed = Strategy::new();
            for (other, original) in strategy.iter() {
                let reply = if other == code { reply } else { Some(original) };
                reply.into_iter().for_each(|reply| changed.note(other, reply));
            }
            Proof::new(problem.clone(), proof.claim, Body::Strategy(changed)).check()
        };
        let mut flaws = Vec::new();
        for (code, reply) in strategy.iter() {
            assert_eq!(damaged(code, None), Err(Flaw::NoReply));
            flaws.extend(damaged(code, Some(Reply { rank: 0, ..reply })).err());
            flaws.extend(damaged(code, Some(Reply { place: NO_PLACE, ..reply })).err());
            let state = code.state(&problem.board, Color::Black);
            let has_stone = |&place: &u8| {
                let point = problem.board.open[usize::from(place)];
                problem.board.stone(state.stones, point).is_some()
            };
            for place in (0..problem.board.open.len() as u8).filter(has_stone) {
                assert_eq!(damaged(code, Some(Reply { place, ..reply })), Err(Flaw::IllegalMove));
            }
        }
        for flaw in [Flaw::NoEnd, Flaw::EarlyPass] {
            assert!(flaws.contains(&flaw), "{flaw:?} in {flaws:?}");
        }
    }
}
