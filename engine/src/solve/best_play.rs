//! What the search with the history of the game finds: the margin, the moves that keep it, a line of best play, and proofs.

use std::rc::Rc;

use super::{
    Claim, Problem,
    exact::HistorySearch,
    game_graph::GameGraph,
    history::ConditionalProof,
    proof::{Body, Proof},
    small_board::{NO_POINT, State, WordBoard},
};
use crate::{
    Color, Move, Rules,
    count::{CountError, Report},
    zobrist::MixMap,
};

/// The result of best play, as far as a search has come.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The least and the greatest margin that are possible: Black's area minus White's, before komi. They are the same unless the search was stopped.
    pub bounds: (i32, i32),
    /// A line of best play by both, to the second pass; under simple ko possibly to the stone that recreates an earlier position. Empty if the search
    /// was stopped.
    pub line: Vec<Move>,
    /// Proofs, not checked yet, of the least and of the greatest margin. None where they were known beforehand.
    pub proofs: [Option<Proof>; 2],
    /// States looked at.
    pub nodes: u64,
}

impl Solution {
    /// Returns Black's margin when both play best, if it was found.
    #[must_use]
    pub fn margin(&self) -> Option<i32> {
        (self.bounds.0 == self.bounds.1).then_some(self.bounds.0)
    }
}

impl Problem {
    /// Finds Black's margin by area when both players play best. Of the rules, ko and tax matter; suicide is the problem's. `bounds` are the least and
    /// the greatest margin that are possible, never more than the number of points: a group that pays a tax has three points.
    ///
    /// Under a superko rule the result is exact with the full history. Under simple ko the stone that recreates an earlier position with the same
    /// player to move ends the game as a draw, margin 0.
    ///
    /// The tables take about `memory` bytes; when they are full, results of little work are replaced. A step of progress is one state. The search ends
    /// when it is told to stop, or when lines of 1000 plies do not settle the result, with what it has found by then.
    /// Cost: grows exponentially. On one core of a virtual machine (AMD EPYC) 2×5, 3×3 and 1×9 take a tenth of a second, 3×4 half a second and 4×4
    /// less than a minute; under a tax 2×5 takes a second and a half.
    ///
    /// # Errors
    /// [`CountError::TooLarge`] where only a part of the board is open, because a move elsewhere makes boards different.
    ///
    /// # Examples
    /// ```
    /// use jigo_engine::{Board, BoardSize, Ko, Rules, Suicide, solve::Problem};
    /// use std::ops::ControlFlow;
    /// let board: Board = Board::new(BoardSize::square(2)?, Suicide::Forbidden);
    /// let problem = Problem::from_board(&board)?;
    /// let rules = |ko| Rules { ko, ..Rules::TROMP_TAYLOR };
    /// let value = |ko| problem.best_play(rules(ko), (-4, 4), 1 << 20, &mut |_| ControlFlow::Continue(()));
    /// assert_eq!(value(Ko::PositionalSuperko)?.margin(), Some(1));
    /// assert_eq!(value(Ko::Simple)?.margin(), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_play(
        &self,
        rules: Rules,
        bounds: (i32, i32),
        memory: usize,
        report: Report<'_>,
    ) -> Result<Solution, CountError> {
        let mut search = self.history_search(rules, memory, report)?;
        let (bounds, wins) = search.narrow(bounds);
        let line = if bounds.0 == bounds.1 { search.line(bounds.0).unwrap_or_default() } else { Vec::new() };
        let Rules { ko, tax, .. } = rules;
        let rules = Rules { ko, tax, suicide: self.suicide(), ..Rules::TROMP_TAYLOR };
        let proofs = Color::BOTH.map(|winner| {
            let margin = if winner == Color::Black { bounds.0 } else { bounds.1 };
            let graph = search.written(wins[winner.index()].as_ref()?, winner, margin, rules);
            let claim = Claim { prover: winner, margin: winner.sign() * margin };
            Some(Proof::new(self.clone(), claim, Body::Graph(graph)))
        });
        Ok(Solution { bounds, line, proofs, nodes: search.pace.steps })
    }

    /// Finds the moves that begin best play, as [`best_play`](Self::best_play) understands it: all after which the margin is this one, which must be
    /// that of best play.
    ///
    /// # Errors
    /// [`CountError::TooLarge`] where only a part of the board is open, or when lines of 1000 plies do not settle the result; [`CountError::Stopped`].
    pub fn best_moves(
        &self,
        rules: Rules,
        margin: i32,
        memory: usize,
        report: Report<'_>,
    ) -> Result<Vec<Move>, CountError> {
        self.history_search(rules, memory, report)?.best_moves(margin)
    }

    fn history_search<'a>(
        &'a self,
        rules: Rules,
        memory: usize,
        report: Report<'a>,
    ) -> Result<HistorySearch<'a>, CountError> {
        let board = &self.board;
        if board.open.len() < board.size.point_count() {
            let limit =
                "best play with the history of the game is found where all points of a board are open";
            return Err(CountError::TooLarge { size: board.size, limit });
        }
        Ok(HistorySearch::new(self, rules, memory, report))
    }
}

/// A proof that a goal is reached or not; nothing where safe points show it at the start.
type Win = Option<Rc<ConditionalProof>>;

impl HistorySearch<'_> {
    /// Narrows the bounds of Black's margin until they meet or the search is stopped, and returns also how each player secures hers.
    fn narrow(&mut self, bounds: (i32, i32)) -> ((i32, i32), [Option<Win>; 2]) {
        let (mut least, mut most) = bounds;
        let mut wins = [None, None];
        while least < most {
            self.goal = (least + most + 1).div_euclid(2);
            let start = self.start;
            let safe = Color::BOTH.into_iter().find(|&color| self.is_safe(&start, color));
            let (winner, win) = match safe {
                Some(winner) => (winner, None),
                None => match self.prove(&start) {
                    Ok(proof) => (proof.winner, Some(proof)),
                    Err(_) => break,
                },
            };
            match winner {
                Color::Black => least = self.goal,
                Color::White => most = self.goal - 1,
            }
            wins[winner.index()] = Some(win);
        }
        ((least, most), wins)
    }

    /// Writes down how a player secures the margin, which is that of best play.
    fn written(&mut self, win: &Win, winner: Color, margin: i32, rules: Rules) -> GameGraph {
        let start = self.start;
        self.goal = self.goal_of(winner, margin);
        self.rewind();
        let mut graph = GameGraph::new(rules);
        if let Some(win) = win {
            self.write(&start, win, &mut MixMap::default(), &mut graph);
        }
        graph
    }

    /// Writes down the last state of the history after those that follow, and returns its number. `written` are the numbers of states by the addresses of
    /// their proofs.
    fn write(
        &mut self,
        state: &State,
        proof: &Rc<ConditionalProof>,
        written: &mut MixMap<u64, u32>,
        out: &mut GameGraph,
    ) -> u32 {
        let address = Rc::as_ptr(proof) as u64;
        if let Some(&number) = written.get(&address) {
            return number;
        }
        let moves = if proof.winner == state.to_play {
            self.after(state, proof.mv).map(|after| (proof.mv, after)).into_iter().collect()
        } else {
            self.moves(state)
        };
        let mut next = Vec::new();
        for (_, after) in moves {
            let key = self.key(&after);
            let part = proof.parts.iter().find(|part| part.key == key);
            if let Some(part) = part.filter(|_| self.decided(&after).is_none()) {
                self.push(self.visit(&after));
                next.push(self.write(&after, part, written, out));
                self.pop();
            }
        }
        let number = out.add(state.into(), proof.mv, &next);
        written.insert(address, number);
        number
    }

    /// Finds all moves from the start that keep this margin, which must be that of best play.
    pub(super) fn best_moves(&mut self, margin: i32) -> Result<Vec<Move>, CountError> {
        let start = self.start;
        self.goal = self.goal_of(start.to_play, margin);
        let mut best: Vec<Move> = Vec::new();
        for (mv, state) in self.moves(&start) {
            let visit = self.visit(&state);
            let winner = match self.outcome(&start, mv, &state, &visit) {
                Some(outcome) => outcome.winner,
                None => {
                    self.push(visit);
                    let proof = self.prove(&state);
                    self.pop();
                    proof?.winner
                }
            };
            if winner == start.to_play {
                for symmetry in self.board.own_symmetries(&start) {
                    let image = self.board.move_image(mv, symmetry);
                    if !best.contains(&image) {
                        best.push(image);
                    }
                }
            }
        }
        Ok(best)
    }

    /// Returns a line of best play from the start, whose margin this is.
    ///
    /// Whoever is to play keeps the margin. Once her safe points suffice for that, she plays as [`exact`](super::exact) says.
    fn line(&mut self, margin: i32) -> Result<Vec<Move>, CountError> {
        let mut line = Vec::new();
        let mut state = self.start;
        loop {
            self.goal = self.goal_of(state.to_play, margin);
            let is_safe = self.is_safe(&state, state.to_play);
            let mv = if is_safe { self.safe_move(&state) } else { self.prove(&state)?.mv };
            line.push(self.board.move_image(mv, 0));
            let after = self.after(&state, mv).expect("proofs hold legal moves");
            let is_end =
                if mv == NO_POINT { state.is_after_pass } else { self.has_stood(&self.visit(&after)) };
            if is_end {
                return Ok(line);
            }
            self.push(self.visit(&after));
            state = after;
        }
    }

    /// The goal that the player to move must win to keep the margin: Black must still reach it, White must still keep Black below the next.
    fn goal_of(&self, to_play: Color, margin: i32) -> i32 {
        if to_play == Color::Black { margin } else { margin + 1 }
    }

    /// Returns the move of a player whose safe points give her the goal.
    fn safe_move(&self, state: &State) -> u8 {
        let other = state.stones[state.to_play.opponent().index()];
        let (alive, safe) = self.board.steadily_safe_points(state.stones, state.to_play);
        let unclean = self.board.parts(safe & !alive).find(|region| region & other != 0);
        unclean.map_or(NO_POINT, |region| (region & self.board.empty(state.stones)).trailing_zeros() as u8)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::{
        super::{Flaw, Lines},
        *,
    };
    use crate::{Board, BoardSize, Game, Ko, Point, Suicide, rules::Tax, zobrist::mix64};

    /// One player finds each move with the search, which must know the whole game; the other plays at random. The margin is kept, and each move is legal.
    #[test]
    fn margins_are_kept_against_random_play() {
        let mut random = 1;
        let mut below = |count: usize| {
            random = mix64(random);
            random as usize % count
        };
        let sizes = [(7, 1), (2, 3), (2, 4), (3, 3)].map(|size| (size, Tax::None));
        let taxed = [((5, 1), Tax::All), ((2, 2), Tax::All), ((4, 1), Tax::Seki)];
        for ((width, height), tax) in sizes.into_iter().chain(taxed) {
            let size = BoardSize::new(width, height).unwrap();
            for (ko, suicide) in [Ko::PositionalSuperko, Ko::SituationalSuperko, Ko::Simple]
                .into_iter()
                .flat_map(|ko| [Suicide::Forbidden, Suicide::Allowed].map(|suicide| (ko, suicide)))
            {
                let rules = Rules { ko, suicide, tax, ..Rules::TROMP_TAYLOR };
                let problem = Problem::from_board(&Board::<1>::new(size, suicide)).expect("few points");
                let board = &problem.board;
                let points = size.point_count() as i32;
                let mut go_on = |_| ControlFlow::Continue(());
                let mut search = HistorySearch::new(&problem, rules, 1 << 22, &mut go_on);
                let ((margin, _), _) = search.narrow((-points, points));
                for solver in Color::BOTH.into_iter().flat_map(|color| [color; 40]) {
                    let mut game: Game<1> = Game::new(size, rules);
                    let mut state = problem.start;
                    let is_kept = |result: i32| solver.sign() * result >= solver.sign() * margin;
                    loop {
                        let mover = state.to_play;
                        search.goal = search.goal_of(mover, margin);
                        let legal: Vec<Point> = game.legal_points().collect();
                        let mv = if mover != solver {
                            // Now and then a pass, so that games end.
                            legal.get(below(legal.len() + 1)).map_or(NO_POINT, |&point| board.bit(point))
                        } else if search.is_safe(&state, mover) {
                            search.safe_move(&state)
                        } else {
                            let proof = search.prove(&state).unwrap();
                            assert_eq!(proof.winner, mover, "{rules}\n{}", game.board());
                            proof.mv
                        };
                        let played = game.play(board.move_image(mv, 0)).expect("a legal move");
                        if played.repetition.is_some_and(|repetition| repetition.same_player) {
                            assert!(is_kept(0), "{rules}\n{}", game.board());
                            break;
                        }
                        if game.is_over() {
                            let result = game.score(&[], 0).margin();
                            assert!(is_kept(result), "{rules}\n{}", game.board());
                            break;
                        }
                        state = search.after(&state, mv).unwrap();
                        search.push(search.visit(&state));
                    }
                    search.rewind();
                }
            }
        }
    }

    /// Proofs hold, also when they were written and read. Where a line is changed, a proof that is accepted does not claim more.
    #[test]
    fn proofs_hold_and_damaged_ones_are_refused() {
        let mut flaws = Vec::new();
        let sizes = [(5, 1), (7, 1), (2, 2), (2, 3), (3, 3)].map(|size| (size, Tax::None));
        for ((width, height), tax) in sizes.into_iter().chain([((4, 1), Tax::All), ((2, 2), Tax::Seki)]) {
            let size = BoardSize::new(width, height).unwrap();
            for (ko, suicide) in Ko::ALL.into_iter().flat_map(|ko| Suicide::ALL.map(|suicide| (ko, suicide)))
            {
                let rules = Rules { ko, suicide, tax, ..Rules::TROMP_TAYLOR };
                let problem = Problem::from_board(&Board::<1>::new(size, suicide)).expect("few points");
                let points = size.point_count() as i32;
                let solution =
                    problem.best_play(rules, (-points, points), 1 << 22, &mut |_| ControlFlow::Continue(()));
                for proof in solution.unwrap().proofs.into_iter().flatten() {
                    let verdict = proof.check();
                    assert!(verdict.is_ok(), "{rules} {}: {verdict:?}", proof.claim());
                    let mut text = Vec::new();
                    proof.write(&mut text).unwrap();
                    let text = String::from_utf8(text).unwrap();
                    let read = |text: &str| Proof::read(&mut Lines::new(text.as_bytes())).ok().flatten();
                    assert_eq!(read(&text).expect("a proof").check(), verdict);
                    let Claim { prover, margin } = proof.claim();
                    let claim = |margin: i32| format!("claim {prover} {margin}\n");
                    let more = read(&text.replace(&claim(margin), &claim(margin + 1)));
                    assert!(more.is_none_or(|proof| proof.check().is_err()), "{rules} {}", proof.claim());
                    // The ko rule is another one.
                    for other in Ko::ALL {
                        let changed = text.replace(&format!("history {ko}"), &format!("history {other}"));
                        flaws.extend(read(&changed).expect("a proof").check().err());
                    }
                    // Each of some states leads nowhere, passes, plays elsewhere, or has no stones.
                    let lines: Vec<&str> = text.lines().collect();
                    for at in (10..lines.len()).step_by(1 + lines.len() / 40) {
                        let fields: Vec<&str> = lines[at].split(' ').collect();
                        let stones = ".".repeat(size.point_count());
                        for (place, field) in [(0, stones.as_str()), (4, "pass"), (4, "A1"), (4, "B1")] {
                            let mut changed = fields.clone();
                            changed[place] = field;
                            let line = changed.join(" ");
                            let short = fields[..5].join(" ");
                            for line in [line, short] {
                                let mut lines: Vec<&str> = lines.clone();
                                lines[at] = &line;
                                let damaged = read(&(lines.join("\n") + "\n"));
                                flaws.extend(damaged.and_then(|proof| proof.check().err()));
                            }
                        }
                    }
                }
            }
        }
        for flaw in [Flaw::NoReply, Flaw::IllegalMove, Flaw::EarlyPass, Flaw::Repetition] {
            assert!(flaws.contains(&flaw), "{flaw:?}");
        }
    }

    /// Black has won 1×3 after her first stone.
    #[test]
    fn play_after_a_win_is_refused() {
        let size = BoardSize::new(3, 1).unwrap();
        let problem = Problem::from_board(&Board::<1>::new(size, Suicide::Allowed)).unwrap();
        let rules = Rules::TROMP_TAYLOR;
        let claim = Claim { prover: Color::Black, margin: 3 };
        let centre = problem.board.bit(Point::new(1, 0));
        let (after, _) = problem.board.play(&problem.start, centre).unwrap();
        let check = |graph| Proof::new(problem.clone(), claim, Body::Graph(graph)).check();
        let mut graph = GameGraph::new(rules);
        graph.add((&problem.start).into(), centre, &[]);
        assert_eq!(check(graph).map(|verdict| verdict.states), Ok(1));
        let mut graph = GameGraph::new(rules);
        let after = graph.add((&after).into(), NO_POINT, &[]);
        graph.add((&problem.start).into(), centre, &[after]);
        assert_eq!(check(graph), Err(Flaw::PlayAfterWin));
    }
}
