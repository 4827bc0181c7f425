//! Safety search: can the defender, moving second, keep every stone that he has and will have?
//!
//! A proof names the points that it uses. To it, an attacker's move elsewhere is a pass, so only moves on these points need an answer. The
//! search first proves safety against a pass, which says where the attacker has to be answered; the answers may add more points.
//!
//! A proof uses the points Z if it holds whatever other stones the attacker has outside Z. For this, every chain that is not connected to
//! safe stones needs two liberties in Z whenever the attacker is to move, so that no stone outside helps to capture it. Captures by the
//! defender need nothing more: a captured chain has no empty point beside it where another stone could stand.
//!
//! # Source
//! The idea of relevance zones: Chung-Chin Shih, Ti-Rong Wu, Ting Han Wei, I-Chen Wu, *A novel approach to solving goal-achieving problems
//! for board games*, AAAI (2022).

use std::rc::Rc;

use super::{
    line::{LocalMove, MoveFilter},
    local_board::{LocalBoard, Points, Stones, WordBoard},
    static_safety::{Assessment, StaticSafety},
};
use crate::{Color, zobrist::MixMap};

/// Answers that are tried to a pass: the best one, then two as long as there are visits left.
const PASS_ANSWERS: [usize; 2] = [1, 2];
/// Answers that are tried to a move of the attacker.
const MAX_ANSWERS: usize = 8;
/// Stones that the defender plays in a line.
const MAX_STONES: u32 = 6;

/// A search for proofs that no stone of the defender is lost.
pub(in crate::life) struct SafetySearch<'a> {
    board: &'a LocalBoard,
    defender: Color,
    visits_left: usize,
    /// Answers that are tried to a pass.
    pass_answers: usize,
    /// The results with the attacker to move: `Ok` with the points that a proof uses, or `Err` with the most stones of the defender that were
    /// tried and do not suffice for a proof.
    results: MixMap<Stones, Result<Points, u32>>,
    /// The defender's moves, the most promising first.
    moves: MixMap<Stones, Rc<[Move]>>,
    static_safety: StaticSafety<'a>,
}

/// A move of the defender.
#[derive(Clone, Copy, Debug)]
struct Move {
    point: usize,
    after: Stones,
    assessment: Assessment,
}

/// A move of the attacker, the answer that loses no stone if it needs one, and the stones after both.
pub(in crate::life) struct Reply {
    pub(in crate::life) attack: usize,
    pub(in crate::life) answer: LocalMove,
    after: Stones,
}

impl<'a> SafetySearch<'a> {
    pub(in crate::life) fn new(board: &'a LocalBoard, defender: Color) -> Self {
        let (results, moves) = (MixMap::default(), MixMap::default());
        let static_safety = StaticSafety::new(board, defender);
        Self { board, defender, visits_left: 0, pass_answers: 1, results, moves, static_safety }
    }

    /// Returns the points that a proof without reading ahead uses, if there is one.
    pub(in crate::life) fn static_proof(&mut self, stones: Stones) -> Option<Points> {
        self.static_safety.assess(stones).ok()
    }

    /// Searches for a proof with the attacker to move. Returns the points that it uses, if so many visits find one, and the visits made.
    pub(in crate::life) fn proof(&mut self, stones: Stones, visits: usize) -> (Option<Points>, usize) {
        self.visits_left = visits;
        let assessment = self.static_safety.assess(stones);
        let proof = PASS_ANSWERS.into_iter().find_map(|pass_answers| {
            self.pass_answers = pass_answers;
            self.results.retain(|_, result| result.is_ok());
            (0..=MAX_STONES).find_map(|depth| self.prove(stones, assessment, depth))
        });
        (proof, visits - self.visits_left)
    }

    /// Returns a line of play, the attacker first: allowed moves that need an answer, as long as there are any, and the answers.
    pub(in crate::life) fn line(
        &mut self,
        mut stones: Stones,
        visits: usize,
        allowed: MoveFilter<'_>,
    ) -> Option<Vec<LocalMove>> {
        let mut line = Vec::new();
        loop {
            let replies = self.replies(stones, visits, &line, allowed)?;
            let Some(reply) = replies.into_iter().find(|reply| reply.answer.is_some()) else {
                return Some(line);
            };
            line.extend([Some(reply.attack), reply.answer]);
            stones = reply.after;
        }
    }

    /// Returns the replies to all moves of the attacker that are allowed after the line `before`. Returns `None` if the visits do not suffice.
    pub(in crate::life) fn replies(
        &mut self,
        stones: Stones,
        visits: usize,
        before: &[LocalMove],
        allowed: MoveFilter<'_>,
    ) -> Option<Vec<Reply>> {
        let (board, attacker) = (self.board, self.defender.opponent());
        let mut replies = Vec::new();
        for (attack, attacked) in board.moves(stones, attacker).filter(|&(point, _)| allowed(before, point)) {
            self.visits_left = visits;
            let (_, answer) = (1..=MAX_STONES).find_map(|depth| self.answer(attacked.stones, depth))?;
            let after = answer.map_or(attacked.stones, |mv| mv.after);
            replies.push(Reply { attack, answer: answer.map(|mv| mv.point), after });
        }
        Some(replies)
    }

    /// Returns the points of a proof with the attacker to move, in which the defender plays at most `depth` stones.
    fn prove(&mut self, stones: Stones, assessment: Assessment, depth: u32) -> Option<Points> {
        match self.results.get(&stones) {
            Some(&Ok(points)) => return Some(points),
            Some(&Err(searched)) if searched >= depth => return None,
            _ => {}
        }
        if self.visits_left == 0 {
            return None;
        }
        self.visits_left -= 1;
        let points = assessment.ok().or_else(|| self.prove_by_play(stones, depth));
        if points.is_some() || self.visits_left > 0 {
            self.results.insert(stones, points.ok_or(depth));
        }
        points
    }

    fn prove_by_play(&mut self, stones: Stones, depth: u32) -> Option<Points> {
        if depth == 0 || self.is_in_atari(stones) {
            return None;
        }
        // The proof against a pass says where the attacker has to be answered.
        let moves = self.moves(stones);
        moves.iter().take(self.pass_answers).find_map(|&mv| {
            let used = self.prove_after(mv, depth)?;
            self.prove_answers(stones, used, depth)
        })
    }

    /// Returns the points of a proof that answers the attacker on all points that it uses, given those of a proof against a pass.
    fn prove_answers(&mut self, stones: Stones, used: Points, depth: u32) -> Option<Points> {
        let mut used = self.with_liberties(stones, used);
        let mut answered: Points = 0;
        loop {
            let open = used & self.board.empty(stones) & !answered;
            if open == 0 {
                return Some(used);
            }
            let point = open.trailing_zeros() as usize;
            answered |= 1 << point;
            let Some(after) = self.board.play(stones, self.defender.opponent(), point) else { continue };
            if after.stones[self.defender.index()] != stones[self.defender.index()] {
                return None;
            }
            used |= self.answer(after.stones, depth)?.0;
        }
    }

    /// Returns the points of a proof with the defender to move, and his answer if he needs one.
    fn answer(&mut self, stones: Stones, depth: u32) -> Option<(Points, Option<Move>)> {
        if let Some(points) = self.static_proof(stones) {
            return Some((points, None));
        }
        let moves = self.moves(stones);
        moves.iter().take(MAX_ANSWERS).find_map(|&mv| Some((self.prove_after(mv, depth)?, Some(mv))))
    }

    fn prove_after(&mut self, Move { point, after, assessment }: Move, depth: u32) -> Option<Points> {
        self.prove(after, assessment, depth - 1).map(|points| points | 1 << point)
    }

    /// Returns the defender's moves that lose no stone, the most promising first.
    fn moves(&mut self, stones: Stones) -> Rc<[Move]> {
        if let Some(moves) = self.moves.get(&stones) {
            return Rc::clone(moves);
        }
        let own = self.defender.index();
        let mut moves: Vec<Move> = Vec::new();
        for (point, played) in self.board.moves(stones, self.defender) {
            let after = played.stones;
            if after[own] & stones[own] == stones[own] && after[own] != stones[own] {
                moves.push(Move { point, after, assessment: self.static_safety.assess(after) });
            }
        }
        moves.sort_by_key(|mv| mv.assessment.err().unwrap_or(0));
        let moves: Rc<[Move]> = moves.into();
        self.moves.insert(stones, Rc::clone(&moves));
        moves
    }

    /// Returns the defender's chains that are not connected to safe stones outside.
    fn unanchored(&self, stones: Stones) -> impl Iterator<Item = Points> {
        let chains = self.board.parts(stones[self.defender.index()]);
        chains.filter(|&chain| !self.board.is_anchored(self.defender, chain))
    }

    fn is_in_atari(&self, stones: Stones) -> bool {
        let empty = self.board.empty(stones);
        self.unanchored(stones).any(|chain| (self.board.adjacent(chain) & empty).count_ones() < 2)
    }

    /// Returns the points with as many liberties more as give every chain two of them.
    fn with_liberties(&self, stones: Stones, points: Points) -> Points {
        let empty = self.board.empty(stones);
        self.unanchored(stones).fold(points, |mut points, chain| {
            let liberties = self.board.adjacent(chain) & empty;
            while (liberties & points).count_ones() < 2 {
                let more = liberties & !points;
                points |= more & more.wrapping_neg();
            }
            points
        })
    }
}
