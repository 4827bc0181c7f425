//! Proofs that Black reaches a margin, or does not, with the whole history of the game.

use super::{
    CountError, MixMap, Pace,
    facts::{Facts, Slots},
    positions::{Edge, PositionGraph, Situation},
    safety::SafetyTable,
};
use crate::{Board, Color, Ko, Move};

/// Outcome of a search: the player who can reach the goal or prevent it, if that was found within the depth.
pub(super) enum Verdict {
    Won(Color, Facts),
    Open,
}

/// What is known about one situation after some histories.
#[derive(Default)]
struct Known {
    proofs: Vec<Proof>,
    /// The ply that proved something last: tried first.
    best: Option<Move>,
    /// The goal and depth of the last search without result. Only saves work: a deeper search looks again.
    open: Option<(i32, u32)>,
}

struct Proof {
    winner: Color,
    goal: i32,
    facts: Facts,
}

/// A depth-first search over lines of play with all visited positions at hand, and a table of proofs.
///
/// The table would be wrong if it forgot history: the same situation has different values after different games. Each proof therefore
/// carries the [`Facts`] it needs, and is used only where they hold.
pub(super) struct Search<'a> {
    pub(super) graph: PositionGraph,
    ko: Ko,
    point_count: i32,
    safety: SafetyTable,
    visited: Slots,
    table: MixMap<Situation, Known>,
    stored_words: usize,
    /// Twice the distance of each point from the centre, squared.
    eccentricity: Vec<i32>,
    board: Board<1>,
    pub(super) pace: Pace<'a>,
}

impl<'a> Search<'a> {
    /// The longest line of play followed.
    const MAX_DEPTH: u32 = 1024;
    /// Proofs kept per situation, the oldest replaced first.
    const PROOFS_PER_SITUATION: usize = 8;
    /// When the table's facts take more words than this (512 MiB), it starts anew.
    const MAX_STORED_WORDS: usize = 1 << 26;

    /// `board` gives size and suicide rule.
    pub(super) fn new(board: Board<1>, ko: Ko, mut pace: Pace<'a>) -> Result<Self, CountError> {
        let size = board.size();
        let graph = PositionGraph::new(size, board.suicide(), &mut pace)?;
        let slots_per_position = if ko == Ko::PositionalSuperko { 1 } else { 2 };
        let distance = |at: u8, side: usize| (2 * i32::from(at) + 1 - side as i32).pow(2);
        Ok(Self {
            ko,
            point_count: size.point_count() as i32,
            safety: SafetyTable::new(board.clone(), &graph, slots_per_position),
            visited: Slots::new(slots_per_position * graph.positions.len()),
            table: MixMap::default(),
            stored_words: 0,
            eccentricity: size
                .points()
                .map(|point| distance(point.x, size.width()) + distance(point.y, size.height()))
                .collect(),
            graph,
            board,
            pace,
        })
    }

    /// Marks a situation as visited.
    pub(super) fn visit(&mut self, at: Situation) {
        self.visited.insert(self.slot(at));
    }

    /// The number under which history knows a situation.
    fn slot(&self, at: Situation) -> usize {
        match self.ko {
            Ko::PositionalSuperko => at.position as usize,
            Ko::SituationalSuperko | Ko::Simple => 2 * at.position as usize + at.to_play.index(),
        }
    }

    pub(super) fn point_count(&self) -> i32 {
        self.point_count
    }

    /// Finds out whether Black reaches a margin of at least `goal`.
    ///
    /// # Errors
    /// [`CountError::TooLarge`] when lines of [`MAX_DEPTH`](Self::MAX_DEPTH) plies do not settle it, [`CountError::Stopped`].
    pub(super) fn decide(&mut self, at: Situation, goal: i32) -> Result<Color, CountError> {
        for depth in self.depths() {
            if let Verdict::Won(winner, _) = self.prove(at, goal, depth)? {
                return Ok(winner);
            }
        }
        Err(self.too_deep())
    }

    /// Depths to search one after the other. The short ones keep the search from straying where a short proof exists. Beyond twice the number
    /// of points proofs mostly rest on superko, and depth is no help: a few steps lead to the greatest.
    fn depths(&self) -> impl Iterator<Item = u32> + use<> {
        let short = 2 * self.point_count as u32;
        let long = std::iter::successors(Some(Self::MAX_DEPTH / 16), |depth| Some(depth * 4));
        (1..=short).chain(long.take_while(|&depth| depth <= Self::MAX_DEPTH))
    }

    fn too_deep(&self) -> CountError {
        let limit =
            "lines of 1024 plies do not settle the result, and longer ones would exhaust the call stack";
        CountError::TooLarge { size: self.board.size(), limit }
    }

    fn no_facts(&self) -> Facts {
        Facts::none(self.visited.word_count() * 64)
    }

    /// The winner when the game ends with this margin.
    fn judge(margin: i32, goal: i32) -> Color {
        if margin >= goal { Color::Black } else { Color::White }
    }

    fn prove(&mut self, at: Situation, goal: i32, depth: u32) -> Result<Verdict, CountError> {
        self.pace.step()?;
        if let Some(verdict) = self.bound(at, goal).or_else(|| self.look_up(at, goal)) {
            return Ok(verdict);
        }
        let known = self.table.entry(at).or_default();
        if depth == 0 || known.open.is_some_and(|(open, reached)| open == goal && reached >= depth) {
            return Ok(Verdict::Open);
        }
        let best = known.best;
        let mut refuted = Some(self.no_facts());
        for mv in self.ordered_moves(at, goal, best) {
            match self.try_move(at, mv, goal, depth)? {
                Verdict::Won(winner, facts) if winner == at.to_play => {
                    self.store(at, goal, winner, &facts, Some(mv.0));
                    return Ok(Verdict::Won(winner, facts));
                }
                Verdict::Won(_, facts) => {
                    if let Some(all) = &mut refuted {
                        all.unite(&facts);
                    }
                }
                Verdict::Open => refuted = None,
            }
        }
        match refuted {
            Some(mut facts) => {
                let winner = at.to_play.opponent();
                facts.settle(self.slot(at));
                self.store(at, goal, winner, &facts, None);
                Ok(Verdict::Won(winner, facts))
            }
            None => {
                self.table.entry(at).or_default().open = Some((goal, depth));
                Ok(Verdict::Open)
            }
        }
    }

    /// Plays one ply and proves what follows. The facts are those of the situation before the ply. A refused ply counts as lost for the mover,
    /// as long as the position stays visited.
    fn try_move(
        &mut self,
        at: Situation,
        (_, edge): (Move, Option<Edge>),
        goal: i32,
        depth: u32,
    ) -> Result<Verdict, CountError> {
        let opponent = at.to_play.opponent();
        let (next, is_stone) = match edge {
            Some(edge) => (self.after(at, &edge), true),
            None if at.passed => {
                let margin = i32::from(self.graph.margins[at.position as usize]);
                return Ok(Verdict::Won(Self::judge(margin, goal), self.no_facts()));
            }
            None => (Situation { to_play: opponent, passed: true, ko: None, ..at }, false),
        };
        let slot = self.slot(next);
        let draw = Self::judge(0, goal);
        if is_stone && self.visited.contains(slot) {
            let winner = if self.ko == Ko::Simple { draw } else { opponent };
            let mut facts = self.no_facts();
            facts.needs.insert(slot);
            facts.settle(self.slot(at));
            return Ok(Verdict::Won(winner, facts));
        }
        let is_new = self.visited.insert(slot);
        let verdict = self.prove(next, goal, depth - 1);
        if is_new {
            self.visited.remove(slot);
        }
        let Verdict::Won(winner, mut facts) = verdict? else { return Ok(Verdict::Open) };
        facts.settle(slot);
        let must_be_new = match self.ko {
            Ko::Simple => winner != draw,
            Ko::PositionalSuperko | Ko::SituationalSuperko => winner == at.to_play,
        };
        if is_stone && must_be_new {
            facts.avoids.insert(slot);
        }
        facts.settle(self.slot(at));
        Ok(Verdict::Won(winner, facts))
    }

    fn after(&self, at: Situation, edge: &Edge) -> Situation {
        let ko = if self.ko == Ko::Simple { edge.ko } else { None };
        Situation { position: edge.to, to_play: at.to_play.opponent(), passed: false, ko }
    }

    /// The plies that simple ko and suicide rule allow, the most promising first; superko is left to [`try_move`](Self::try_move).
    fn ordered_moves(&self, at: Situation, goal: i32, best: Option<Move>) -> Vec<(Move, Option<Edge>)> {
        let margin_for = |position: u32| at.to_play.sign() * i32::from(self.graph.margins[position as usize]);
        let size = self.board.size();
        let edges = self.graph.edges(at.position, at.to_play).iter();
        let stones = edges.filter(|edge| at.ko != Some(edge.point)).map(|edge| {
            let worth = 20 * i32::from(edge.captured) + 2 * margin_for(edge.to)
                - self.eccentricity[edge.point.index(size)];
            (worth, Move::Play(edge.point), Some(*edge))
        });
        let ends_well =
            at.passed && Self::judge(i32::from(self.graph.margins[at.position as usize]), goal) == at.to_play;
        let pass = (if ends_well { i32::MAX } else { i32::MIN }, Move::Pass, None);
        let mut moves: Vec<_> = stones.chain([pass]).collect();
        moves.sort_by_key(|&(worth, mv, _)| std::cmp::Reverse((Some(mv) == best && !ends_well, worth)));
        moves.into_iter().map(|(_, mv, edge)| (mv, edge)).collect()
    }

    /// Decides a situation by what the players are sure of.
    fn bound(&mut self, at: Situation, goal: i32) -> Option<Verdict> {
        for color in Color::BOTH {
            let Some(safety) = self.safety.of(&self.graph, at.position, color) else { continue };
            let mut sure = 2 * safety.point_count as i32 - self.point_count;
            // The opponent's second pass would end the game as the position stands.
            if at.passed && at.to_play != color {
                sure = sure.min(color.sign() * i32::from(self.graph.margins[at.position as usize]));
            }
            // The opponent can repeat positions on the rest of the board.
            if self.ko == Ko::Simple && sure < self.point_count {
                sure = sure.min(0);
            }
            if Self::judge(color.sign() * sure, goal) != color {
                continue;
            }
            let mut facts = self.no_facts();
            facts.avoids.unite(&safety.with_stones);
            for to_play in Color::BOTH {
                facts.avoids.remove(self.slot(Situation { to_play, ..at }));
            }
            if facts.avoids.is_disjoint(&self.visited) {
                return Some(Verdict::Won(color, facts));
            }
        }
        None
    }

    fn look_up(&self, at: Situation, goal: i32) -> Option<Verdict> {
        let slot = self.slot(at);
        let settles = |proof: &&Proof| match proof.winner {
            Color::Black => proof.goal >= goal,
            Color::White => proof.goal <= goal,
        };
        let proofs = &self.table.get(&at)?.proofs;
        let proof =
            proofs.iter().filter(settles).find(|proof| proof.facts.hold_after(&self.visited, slot))?;
        Some(Verdict::Won(proof.winner, proof.facts.clone()))
    }

    fn store(&mut self, at: Situation, goal: i32, winner: Color, facts: &Facts, best: Option<Move>) {
        let words = facts.needs.word_count() + facts.avoids.word_count();
        if self.stored_words > Self::MAX_STORED_WORDS {
            self.table.clear();
            self.stored_words = 0;
        }
        let known = self.table.entry(at).or_default();
        known.best = best.or(known.best);
        if known.proofs.len() == Self::PROOFS_PER_SITUATION {
            known.proofs.remove(0);
        } else {
            self.stored_words += words;
        }
        known.proofs.push(Proof { winner, goal, facts: facts.clone() });
    }

    /// A ply by which the player to move wins, and the situation after it, then marked as visited; `None` when the game is over there.
    /// The player to move must be winning.
    pub(super) fn winning_move(
        &mut self,
        at: Situation,
        goal: i32,
    ) -> Result<(Move, Option<Situation>), CountError> {
        for depth in self.depths() {
            let best = self.table.get(&at).and_then(|known| known.best);
            for (mv, edge) in self.ordered_moves(at, goal, best) {
                let verdict = self.try_move(at, (mv, edge), goal, depth)?;
                if !matches!(verdict, Verdict::Won(winner, _) if winner == at.to_play) {
                    continue;
                }
                let next = match edge {
                    Some(edge) => self.after(at, &edge),
                    None if at.passed => return Ok((mv, None)),
                    None => Situation { to_play: at.to_play.opponent(), passed: true, ko: None, ..at },
                };
                let is_draw = edge.is_some() && self.visited.contains(self.slot(next));
                self.visited.insert(self.slot(next));
                return Ok((mv, (!is_draw).then_some(next)));
            }
        }
        Err(self.too_deep())
    }
}
