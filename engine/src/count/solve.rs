//! The result of best play on tiny boards.

use std::rc::Rc;

use super::{
    CountError, Pace, Report,
    positions::{Edge, PositionGraph, Situation},
};
use crate::{Board, BoardSize, Color, Ko, Move, Suicide, bitboard::Bitboard, zobrist::MixMap};

/// The result of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Black's area minus White's, before komi.
    pub margin: i32,
    /// A line of best play by both, to the second pass; under simple ko possibly to the stone that recreates an earlier position.
    pub line: Vec<Move>,
    /// Situations looked at.
    pub nodes: u64,
}

/// Finds Black's margin by area when both players play best from `start`, whose player to move, ko ban and suicide rule apply. History
/// begins there; two consecutive passes end the game.
///
/// Under a superko rule the result is exact with full history. Under simple ko longer cycles are possible: the stone that recreates an
/// earlier position with the same player to move ends the game as a draw, margin 0.
///
/// Asks whether Black reaches a margin, by halving the interval of integers, with a depth-first search of growing depth. Unconditionally
/// alive stones bound the result; proofs are remembered with the part of the history they depend on. A step of progress is one situation.
/// Cost: grows exponentially. On one core of 2.6 GHz boards up to 6 points take milliseconds and 3×3 a second or two; 2×4, 1×7 and 1×8
/// take about a second. `cargo test --release -p jigo-engine --test solve -- --nocapture` prints values, nodes, times and lines.
/// Memory: up to 512 MiB for the table of proofs.
///
/// # Errors
/// [`CountError::TooLarge`] above 12 points, or when lines of 1024 plies do not settle the result; [`CountError::StoppedBetween`].
///
/// # Source
/// For values of tiny boards John Tromp and Gunnar Farnebäck, *Combinatorics of Go* (2016); for the dependence of a table's entries on
/// history Akihiro Kishimoto and Martin Müller, *A general solution to the graph history interaction problem* (2004).
///
/// # Examples
/// ```
/// use jigo_engine::{Board, BoardSize, Ko, Suicide, count::solve};
/// use std::ops::ControlFlow;
/// let start: Board = Board::new(BoardSize::square(2).unwrap(), Suicide::Forbidden);
/// let mut go_on = |_| ControlFlow::Continue(());
/// assert_eq!(solve(&start, Ko::PositionalSuperko, &mut go_on).unwrap().margin, 1);
/// assert_eq!(solve(&start, Ko::Simple, &mut go_on).unwrap().margin, 0);
/// ```
pub fn solve<const W: usize>(start: &Board<W>, ko: Ko, report: Report<'_>) -> Result<Solution, CountError> {
    let limit = "the solver lists all positions, which is done up to 12 points; best play is found in reasonable time up to about 9";
    if start.size().point_count() > super::positions::MAX_POINTS {
        return Err(CountError::TooLarge { size: start.size(), limit });
    }
    let points = start.size().point_count() as i32;
    let search = Search::new(start.size(), start.suicide(), ko, Pace::new(report));
    let mut search = search.map_err(|error| stopped_between(error, -points, points))?;
    let mut board = search.graph.board.clone();
    let stones = start.position();
    board
        .set_position(stones.colored_stones(), start.to_play())
        .expect("a board never holds a chain without liberties");
    let at = Situation {
        position: search.graph.index[&board.colouring()],
        to_play: start.to_play(),
        passed: false,
        ko: start.ko_point(),
    };
    search.visited.insert(search.slot(at));
    let margin = margin(&mut search, at)?;
    let nodes = search.pace.steps;
    let line = line(&mut search, at, margin).map_err(|error| stopped_between(error, margin, margin))?;
    Ok(Solution { margin, line, nodes })
}

fn margin(search: &mut Search<'_>, at: Situation) -> Result<i32, CountError> {
    let points = search.point_count;
    let (mut reached, mut out_of_reach) = (-points, points + 1);
    while reached + 1 < out_of_reach {
        let goal = (reached + out_of_reach).div_euclid(2);
        let winner = search.decide(at, goal);
        match winner.map_err(|error| stopped_between(error, reached, out_of_reach - 1))? {
            Color::Black => reached = goal,
            Color::White => out_of_reach = goal,
        }
    }
    Ok(reached)
}

/// Adds to an error of a search that was stopped what was known then.
fn stopped_between(error: CountError, least: i32, most: i32) -> CountError {
    match error {
        CountError::Stopped => CountError::StoppedBetween { least, most },
        other => other,
    }
}

/// Follows plies that keep the margin, which the search knows already or finds again.
fn line(search: &mut Search<'_>, mut at: Situation, margin: i32) -> Result<Vec<Move>, CountError> {
    let mut line = Vec::new();
    loop {
        // Black must still reach the margin, White must still keep Black below the next.
        let goal = if at.to_play == Color::Black { margin } else { margin + 1 };
        let (mv, next) = search.winning_move(at, goal)?;
        line.push(mv);
        match next {
            Some(next) => at = next,
            None => return Ok(line),
        }
    }
}

/// Outcome of a search: the player who can reach the goal or prevent it, if that was found within the depth.
enum Verdict {
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
struct Search<'a> {
    graph: PositionGraph,
    ko: Ko,
    point_count: i32,
    safety: SafetyTable,
    visited: Slots,
    table: MixMap<Situation, Known>,
    stored_words: usize,
    /// Twice the distance of each point from the centre, squared.
    eccentricity: Vec<i32>,
    pace: Pace<'a>,
}

impl<'a> Search<'a> {
    /// The longest line of play followed.
    const MAX_DEPTH: u32 = 1024;
    /// Proofs kept per situation, the oldest replaced first.
    const PROOFS_PER_SITUATION: usize = 8;
    /// When the table's facts take more words than this (512 MiB), it starts anew.
    const MAX_STORED_WORDS: usize = 1 << 26;

    fn new(size: BoardSize, suicide: Suicide, ko: Ko, mut pace: Pace<'a>) -> Result<Self, CountError> {
        let graph = PositionGraph::new(size, suicide, &mut pace)?;
        let slots_per_position = if ko == Ko::PositionalSuperko { 1 } else { 2 };
        let distance = |at: u8, side: usize| (2 * i32::from(at) + 1 - side as i32).pow(2);
        Ok(Self {
            ko,
            point_count: size.point_count() as i32,
            safety: SafetyTable::new(&graph, slots_per_position),
            visited: Slots::new(slots_per_position * graph.positions.len()),
            table: MixMap::default(),
            stored_words: 0,
            eccentricity: size
                .points()
                .map(|point| distance(point.x, size.width()) + distance(point.y, size.height()))
                .collect(),
            graph,
            pace,
        })
    }

    /// The number under which history knows a situation.
    fn slot(&self, at: Situation) -> usize {
        match self.ko {
            Ko::PositionalSuperko => at.position as usize,
            Ko::SituationalSuperko | Ko::Simple => 2 * at.position as usize + at.to_play.index(),
        }
    }

    /// Finds out whether Black reaches a margin of at least `goal`.
    ///
    /// # Errors
    /// [`CountError::TooLarge`] when lines of [`MAX_DEPTH`](Self::MAX_DEPTH) plies do not settle it, [`CountError::Stopped`].
    fn decide(&mut self, at: Situation, goal: i32) -> Result<Color, CountError> {
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
        CountError::TooLarge { size: self.graph.board.size(), limit }
    }

    fn no_facts(&self) -> Facts {
        let none = Slots::new(64 * self.visited.word_count());
        Facts { needs: none.clone(), avoids: none }
    }

    /// The winner when the game ends with this margin.
    fn winner_at(margin: i32, goal: i32) -> Color {
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
        for (mv, edge) in self.ordered_moves(at, goal, best) {
            match self.try_move(at, edge, goal, depth)? {
                Verdict::Won(winner, facts) if winner == at.to_play => {
                    self.store(at, goal, winner, &facts, Some(mv));
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

    /// Plays one ply and proves what follows. The facts are those of the situation before the ply. An illegal ply counts as lost for the mover,
    /// as long as the position stays visited.
    fn try_move(
        &mut self,
        at: Situation,
        edge: Option<Edge>,
        goal: i32,
        depth: u32,
    ) -> Result<Verdict, CountError> {
        let Some(next) = self.after(at, edge) else {
            let margin = i32::from(self.graph.margins[at.position as usize]);
            return Ok(Verdict::Won(Self::winner_at(margin, goal), self.no_facts()));
        };
        let (opponent, is_stone) = (at.to_play.opponent(), edge.is_some());
        let slot = self.slot(next);
        let draw = Self::winner_at(0, goal);
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

    /// Returns the situation after a stone, or else a pass; `None` when the game is over then.
    fn after(&self, at: Situation, edge: Option<Edge>) -> Option<Situation> {
        let to_play = at.to_play.opponent();
        match edge {
            Some(edge) => {
                let ko = edge.ko.filter(|_| self.ko == Ko::Simple);
                Some(Situation { position: edge.to, to_play, passed: false, ko })
            }
            None => (!at.passed).then_some(Situation { to_play, passed: true, ko: None, ..at }),
        }
    }

    /// The plies that simple ko and suicide rule allow, the most promising first; superko is left to [`try_move`](Self::try_move).
    fn ordered_moves(&self, at: Situation, goal: i32, best: Option<Move>) -> Vec<(Move, Option<Edge>)> {
        let margin_for = |position: u32| at.to_play.sign() * i32::from(self.graph.margins[position as usize]);
        let size = self.graph.board.size();
        let edges = self.graph.edges(at.position, at.to_play).iter();
        let stones = edges.filter(|edge| at.ko != Some(edge.point)).map(|edge| {
            let worth = 20 * i32::from(edge.captured) + 2 * margin_for(edge.to)
                - self.eccentricity[edge.point.index(size)];
            (worth, Move::Play(edge.point), Some(*edge))
        });
        let ends_well = at.passed
            && Self::winner_at(i32::from(self.graph.margins[at.position as usize]), goal) == at.to_play;
        let pass = (if ends_well { i32::MAX } else { i32::MIN }, Move::Pass, None);
        let mut moves: Vec<_> = stones.chain([pass]).collect();
        moves.sort_by_key(|&(worth, mv, _)| std::cmp::Reverse((Some(mv) == best && !ends_well, worth)));
        moves.into_iter().map(|(_, mv, edge)| (mv, edge)).collect()
    }

    /// Decides a situation by what the players are sure of.
    fn bound(&mut self, at: Situation, goal: i32) -> Option<Verdict> {
        for color in Color::BOTH {
            let Some(safety) = self.safety.get(&self.graph, at.position, color) else { continue };
            let mut sure = 2 * safety.point_count as i32 - self.point_count;
            // The opponent's second pass would end the game as the position stands.
            if at.passed && at.to_play != color {
                sure = sure.min(color.sign() * i32::from(self.graph.margins[at.position as usize]));
            }
            // The opponent can repeat positions on the rest of the board.
            if self.ko == Ko::Simple && sure < self.point_count {
                sure = sure.min(0);
            }
            if Self::winner_at(color.sign() * sure, goal) != color {
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
    fn winning_move(&mut self, at: Situation, goal: i32) -> Result<(Move, Option<Situation>), CountError> {
        for depth in self.depths() {
            let best = self.table.get(&at).and_then(|known| known.best);
            for (mv, edge) in self.ordered_moves(at, goal, best) {
                let verdict = self.try_move(at, edge, goal, depth)?;
                if !matches!(verdict, Verdict::Won(winner, _) if winner == at.to_play) {
                    continue;
                }
                let Some(next) = self.after(at, edge) else { return Ok((mv, None)) };
                let is_draw = edge.is_some() && self.visited.contains(self.slot(next));
                self.visited.insert(self.slot(next));
                return Ok((mv, (!is_draw).then_some(next)));
            }
        }
        Err(self.too_deep())
    }
}

/// A set of small numbers of a fixed range, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slots(Box<[u64]>);

impl Slots {
    /// The empty set of numbers below `range`.
    fn new(range: usize) -> Self {
        Self(vec![0; range.div_ceil(64)].into())
    }

    fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 != 0
    }

    /// Returns whether the number is new.
    fn insert(&mut self, slot: usize) -> bool {
        let is_new = !self.contains(slot);
        self.0[slot / 64] |= 1 << (slot % 64);
        is_new
    }

    fn remove(&mut self, slot: usize) {
        self.0[slot / 64] &= !(1 << (slot % 64));
    }

    fn unite(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & theirs == 0)
    }

    fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Memory taken, in words of 64 bits.
    fn word_count(&self) -> usize {
        self.0.len()
    }
}

/// The conditions under which a proof holds after another history than the one it was found in.
///
/// A proof is the winner's strategy from a situation: one ply wherever the winner is to move, all plies where the loser is. After another
/// history it still works if the loser has no ply that the proof did not see, and if no repetition bars the winner's plies.
#[derive(Clone, Debug)]
struct Facts {
    /// Must have been visited: the proof relies on moves there being illegal (or draws).
    needs: Slots,
    /// Must not have been visited: the proof relies on moves there being legal (or no draws).
    avoids: Slots,
}

impl Facts {
    fn unite(&mut self, other: &Self) {
        self.needs.unite(&other.needs);
        self.avoids.unite(&other.avoids);
    }

    /// Drops what holds after every history that leads to the situation: that it is itself part of it.
    fn settle(&mut self, slot: usize) {
        self.needs.remove(slot);
        self.avoids.remove(slot);
    }

    fn hold_after(&self, visited: &Slots, slot: usize) -> bool {
        debug_assert!(!self.avoids.contains(slot));
        self.needs.is_subset(visited) && self.avoids.is_disjoint(visited)
    }
}

/// What one player is sure of in a position.
#[derive(Clone, Debug)]
struct Safety {
    /// Number of points: unconditionally alive stones, and the regions they enclose all of whose points are next to them.
    point_count: u32,
    /// The positions in which these stones stand, as slots of both players: see [`SafetyTable`].
    with_stones: Rc<Slots>,
}

/// The safe points of every position, found when first asked for.
///
/// # Why the points are safe, superko included
///
/// Let A be the unconditionally alive stones, and R a region enclosed by A all of whose points, empty or not, are next to A. While an
/// opposing stone stands in R, the owner plays on an empty point of R, any one: it joins A. If it is the last empty point, it was
/// the last liberty of all opposing stones in R and captures them. So A with what was added grows with each of the owner's moves and never
/// loses a stone, and R never becomes opposing area for good. The owner passes when no opposing stone stands in such a region.
///
/// Every move of the owner leads to a position with more of A and R owned than ever since A stood. It can repeat an earlier position only if A
/// stood before. Hence the condition for the bound: no other position of the game so far contains A.
///
/// The opponent could still end the game by a second pass before the owner has captured; that is for the caller to check.
struct SafetyTable {
    slots_per_position: usize,
    entries: Vec<Option<[Option<Safety>; 2]>>,
    with_stones: MixMap<(Color, Bitboard<1>), Rc<Slots>>,
}

impl SafetyTable {
    /// Position `p` has the slots from `p * slots_per_position` on.
    fn new(graph: &PositionGraph, slots_per_position: usize) -> Self {
        let entries = vec![None; graph.positions.len()];
        Self { slots_per_position, entries, with_stones: MixMap::default() }
    }

    /// What `color` is sure of; `None` without unconditionally alive stones.
    fn get(&mut self, graph: &PositionGraph, position: u32, color: Color) -> Option<Safety> {
        let position = position as usize;
        if self.entries[position].is_none() {
            self.entries[position] = Some(Color::BOTH.map(|color| self.find(graph, position, color)));
        }
        self.entries[position].as_ref()?[color.index()].clone()
    }

    fn find(&mut self, graph: &PositionGraph, position: usize, color: Color) -> Option<Safety> {
        let position = graph.board.position().with_sets(graph.positions[position].stones);
        let life = position.unconditional_life(color, graph.board.suicide());
        if life.stones.is_empty() {
            return None;
        }
        let geometry = position.geometry();
        let beside = geometry.adjacent(life.stones);
        let kept = geometry.parts(life.territory).filter(|region| region.without(beside).is_empty());
        let point_count = life.stones.count() + kept.map(|region| region.count()).sum::<u32>();
        Some(Safety { point_count, with_stones: self.with_stones(graph, color, life.stones) })
    }

    fn with_stones(&mut self, graph: &PositionGraph, color: Color, alive: Bitboard<1>) -> Rc<Slots> {
        let per_position = self.slots_per_position;
        let find = || {
            let mut slots = Slots::new(per_position * graph.positions.len());
            for (position, colouring) in graph.positions.iter().enumerate() {
                if alive.without(colouring.stones[color.index()]).is_empty() {
                    let all = position * per_position..(position + 1) * per_position;
                    all.for_each(|slot| _ = slots.insert(slot));
                }
            }
            Rc::new(slots)
        };
        Rc::clone(self.with_stones.entry((color, alive)).or_insert_with(find))
    }
}
