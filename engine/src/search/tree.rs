//! The nodes of a tree, how the next leaf is chosen, and how results are taken in.

use std::sync::Arc;

use super::state::State;
use crate::{
    BoardSize, Color, Counting, Game, Ko, Komi, Move, Position, Suicide,
    batch::{FinishedGame, Placement},
    bitboard::Bitboard,
    board::Among,
    game::Repetition,
    geometry::Geometry,
    simd::{Job, with_fast_bits},
};

/// How a tree grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchOptions {
    /// What is maximised.
    pub reward: Reward,
    /// Which points the tree considers.
    pub among: Among,
    /// Whether it considers suicide, where the rules allow it.
    pub suicide: Suicide,
    /// How many playouts of a move weigh as much as all playouts in which its player made it later (RAVE); none where the latter are not counted.
    pub rave: Option<f32>,
    /// How much a move is preferred that was tried seldom.
    pub exploration: f32,
    /// How often a move must have been tried before the position after it becomes a node.
    pub expansion: u32,
    /// How many playouts, with the mean result of the position before, every move begins with.
    pub prior: u32,
    /// Playouts of one search.
    pub playouts: u32,
    /// How many playouts are under way at the same time.
    pub leaves: u32,
}

/// What a player wants. Rewards of single playouts lie between minus the points of the board and as many, but for margins of the first stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reward {
    /// As many points as possible, near the margin to be expected: a first stage of the search finds it.
    Margin,
    /// To win at this komi.
    Win(Komi),
}

/// Moves in a chunk: what vector instructions take at once.
const LANES: usize = 16;

/// What is known of the moves on 16 neighbouring bits of a bitboard, in a node. Sums are Black's.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Chunk {
    visits: [i32; LANES],
    sums: [i32; LANES],
    rave_visits: [i32; LANES],
    rave_sums: [i32; LANES],
    /// The node after each move; 0 where there is none.
    children: [u32; LANES],
}

/// A position with statistics of its moves.
struct Node<const W: usize> {
    state: State<W>,
    /// The moves, the pass included.
    moves: Bitboard<W>,
    visits: i32,
    /// The reward when the player to move passes and that ends the game.
    end: Option<i32>,
}

/// The moves from the root to one after which there is no node, with the nodes in which they are made, and how the game ended after them.
#[derive(Clone, Default)]
struct Line<const W: usize> {
    steps: Vec<(u32, u16)>,
    result: Option<(i32, [Bitboard<W>; 2])>,
}

/// What a search needs next.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are playouts")]
pub enum Next {
    /// A playout from this position, whose end is handed over with the number of the leaf.
    Playout {
        /// Which of the playouts that are under way at the same time.
        leaf: usize,
        /// Where it begins.
        start: Placement,
        /// Its number in the search, from 0.
        playout: u32,
    },
    /// The ends of the playouts under way.
    Wait,
    /// Nothing: all playouts have ended, or there is no choice.
    Done,
}

/// What a search found out about a move of the position it was for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveStats {
    /// The move.
    pub mv: Move,
    /// Playouts in which the search tried it.
    pub visits: u32,
    /// The sum of their [rewards](Reward), from Black's view.
    pub sum: i32,
}

/// A search tree.
pub struct Tree<const W: usize> {
    geometry: Arc<Geometry<W>>,
    counting: Counting,
    ko: Ko,
    options: SearchOptions,
    nodes: Vec<Node<W>>,
    chunks: Vec<Chunk>,
    /// Chunks of a node.
    width: usize,
    /// The playouts under way: all must have ended before the next begin. The first `open` of `wave` have begun.
    lines: Vec<Line<W>>,
    wave: usize,
    open: usize,
    /// Playouts that have not begun.
    rest: usize,
    scores: Vec<[f32; LANES]>,
    /// The margin around which rewards are counted, once it is known.
    center: Option<i32>,
}

impl<const W: usize> Tree<W> {
    /// Returns an empty tree for games of this size and these rules.
    #[must_use]
    pub fn new(size: BoardSize, counting: Counting, ko: Ko, options: SearchOptions) -> Self {
        let geometry = Arc::new(Geometry::new(size));
        let width = chunk_count(size);
        Self {
            geometry,
            counting,
            ko,
            options,
            nodes: Vec::new(),
            chunks: Vec::new(),
            width,
            lines: vec![Line::default(); options.leaves.max(1) as usize],
            wave: 0,
            open: 0,
            rest: 0,
            scores: vec![[0.0; LANES]; width],
            center: None,
        }
    }

    /// Returns how many bytes a tree takes at most for a search with these options.
    #[must_use]
    pub fn max_bytes(size: BoardSize, options: &SearchOptions) -> usize {
        let nodes = (options.playouts / options.expansion.max(1)) as usize + 1;
        nodes * (size_of::<Node<W>>() + chunk_count(size) * size_of::<Chunk>())
    }

    /// The bit that stands for a pass: the unused one after the last row.
    fn pass_bit(&self) -> usize {
        self.geometry.stride() * self.geometry.size.height() - 1
    }

    /// Starts again, with the position of a game.
    pub fn begin(&mut self, game: &Game<W>) {
        self.center = None;
        self.add_root(game);
        if game.is_out_of_stones() {
            self.nodes[0].moves = Bitboard::single(self.pass_bit());
        }
        self.rest = if self.nodes[0].moves.is_single() { 0 } else { self.options.playouts as usize };
        (self.wave, self.open) = (0, 0);
    }

    /// Chooses where the next playout begins. `game` is the one that the search [began](Self::begin) with; `draw` gives a number below its argument where
    /// several moves are equally good.
    pub fn select(&mut self, game: &Game<W>, draw: impl FnMut(u32) -> u32) -> Next {
        with_fast_bits(Select { tree: self, game, draw })
    }

    /// Takes in how a playout in a batch ended.
    pub fn finish(&mut self, leaf: usize, end: &FinishedGame<'_>) {
        with_fast_bits(Finish { tree: self, leaf, end });
    }

    /// Takes in how a playout on a board ended, and its moves.
    pub fn finish_on_board(&mut self, leaf: usize, end: &Game<W>, moves: &[Move]) {
        let stones = Color::BOTH.map(|color| end.board().stone_set(color));
        let mut first = [Bitboard::EMPTY; 2];
        let mut mover = if moves.len().is_multiple_of(2) { end.to_play() } else { end.to_play().opponent() };
        for mv in moves {
            if let Move::Play(point) = *mv {
                let bit = self.geometry.bit(point);
                if !(first[0] | first[1]).contains(bit) {
                    first[mover.index()].insert(bit);
                }
            }
            mover = mover.opponent();
        }
        let reward = self.reward(stones, Color::BOTH.map(|color| end.prisoners(color)));
        self.take(leaf, reward, first);
    }

    /// Returns what is known of the moves of the root.
    pub fn moves(&self) -> impl Iterator<Item = MoveStats> {
        let pass = self.pass_bit();
        self.nodes[0].moves.iter().map(move |bit| {
            let chunk = &self.chunks[bit / LANES];
            MoveStats {
                mv: if bit == pass { Move::Pass } else { Move::Play(self.geometry.point(bit)) },
                visits: chunk.visits[bit % LANES] as u32,
                sum: chunk.sums[bit % LANES],
            }
        })
    }

    /// Returns the move that was tried most; of several, the one with the best mean, and of these the first.
    #[must_use]
    pub fn choice(&self) -> Move {
        let sign = self.nodes[0].state.to_play.sign();
        let key = |stats: &MoveStats| (stats.visits, sign * stats.sum);
        let better = |one, other| if key(&other) > key(&one) { other } else { one };
        self.moves().reduce(better).map_or(Move::Pass, |best| best.mv)
    }

    /// Returns what the moves would repeat that superko alone keeps from being considered in the position of the root, which is that of the game.
    pub fn rejected_by_superko(&self, game: &Game<W>) -> Vec<Repetition> {
        let SearchOptions { among, suicide, .. } = self.options;
        let Node { state, moves, .. } = &self.nodes[0];
        let rejected = state.candidates(&self.geometry, among, suicide).without(*moves);
        self.geometry.points_of(rejected).filter_map(|point| game.superko_violation(point)).collect()
    }

    fn points(&self) -> i32 {
        self.geometry.size.point_count() as i32
    }

    /// The reward of a final position.
    #[inline(always)]
    fn reward(&self, stones: [Bitboard<W>; 2], prisoners: [u32; 2]) -> i32 {
        let area = Position::from_sets(&self.geometry, stones).area();
        let margin = area.margin_by(self.counting, prisoners);
        match (self.options.reward, self.center) {
            (Reward::Margin, None) => margin,
            (Reward::Margin, Some(center)) => {
                let reach = (self.points() * REACH_PERCENT / 100).max(1);
                (margin - center).clamp(-reach, reach) * self.points() / reach
            }
            (Reward::Win(komi), _) => komi.apply(margin).signum() * self.points(),
        }
    }

    /// Adds the node of a position, to which `steps` lead, and in which `mean` is the reward to be expected.
    #[inline(always)]
    fn add_node(&mut self, game: &Game<W>, steps: &[(u32, u16)], state: State<W>, mean: i32) {
        let SearchOptions { among, suicide, prior, .. } = self.options;
        let geometry = Arc::clone(&self.geometry);
        let candidates = state.candidates(&geometry, among, suicide);
        let line = steps.iter().map(|&(node, _)| &self.nodes[node as usize].state);
        let mut moves = state.without_superko(&geometry, self.ko, game, line.chain([&state]), candidates);
        moves.insert(self.pass_bit());
        let end = state.passed.then(|| self.reward(state.stones, state.prisoners()));
        self.nodes.push(Node { state, moves, visits: 0, end });
        let prior = prior as i32;
        let fresh = Chunk {
            visits: [0; LANES],
            sums: [0; LANES],
            rave_visits: [prior; LANES],
            rave_sums: [prior * mean; LANES],
            children: [0; LANES],
        };
        self.chunks.extend(std::iter::repeat_n(fresh, self.width));
        let node = self.nodes.last().expect("a node");
        let captures = node.state.captures(&geometry) & node.moves;
        let edge = geometry.edge & node.moves;
        let gain = node.state.to_play.sign() * self.points();
        let chunks = &mut self.chunks[(self.nodes.len() - 1) * self.width..];
        for (set, Shape { playouts, gain_percent }) in [(captures, CAPTURE), (edge, EDGE)] {
            for bit in set.iter() {
                let (chunk, lane) = (&mut chunks[bit / LANES], bit % LANES);
                chunk.rave_visits[lane] += playouts;
                chunk.rave_sums[lane] += playouts * (mean + gain_percent * gain / 100);
            }
        }
    }

    #[inline(always)]
    fn next(&mut self, game: &Game<W>, mut draw: impl FnMut(u32) -> u32) -> Next {
        loop {
            if self.open == self.wave {
                if self.open > 0 {
                    return Next::Wait;
                }
                if self.rest == 0 {
                    return Next::Done;
                }
                if self.options.reward == Reward::Margin
                    && self.center.is_none()
                    && self.begun() >= self.first_stage()
                {
                    self.center(game);
                }
                let rest_of_stage = match (self.options.reward, self.center) {
                    (Reward::Margin, None) => (self.first_stage() - self.begun()) as usize,
                    _ => self.rest,
                };
                self.wave = self.lines.len().min(rest_of_stage).min(self.rest);
            }
            let playout = self.begun();
            let leaf = self.open;
            self.open += 1;
            self.rest -= 1;
            if let Some(start) = self.descend(leaf, game, &mut draw) {
                return Next::Playout { leaf, start, playout };
            }
        }
    }

    /// Returns the number of playouts that have begun.
    fn begun(&self) -> u32 {
        self.options.playouts - self.rest as u32
    }

    /// Returns the number of playouts before margins are compared with their mean.
    fn first_stage(&self) -> u32 {
        (self.options.playouts / 8).max(16)
    }

    /// Begins the tree again, with rewards around the mean margin so far.
    fn center(&mut self, game: &Game<W>) {
        let (visits, sum) = self.moves().fold((0, 0), |(visits, sum), stats| {
            (visits + i64::from(stats.visits), sum + i64::from(stats.sum))
        });
        self.center = Some((sum / visits) as i32);
        self.add_root(game);
    }

    /// Leaves the root alone in the tree, with the position of the game.
    fn add_root(&mut self, game: &Game<W>) {
        self.nodes.clear();
        self.chunks.clear();
        self.add_node(game, &[], State::new(game), 0);
    }

    /// Goes down the tree, adds a node where a move has been tried often enough, and returns the position to be played out. Where the game is over, takes
    /// in its result.
    #[inline(always)]
    fn descend(
        &mut self,
        leaf: usize,
        game: &Game<W>,
        draw: &mut impl FnMut(u32) -> u32,
    ) -> Option<Placement> {
        let mut steps = std::mem::take(&mut self.lines[leaf].steps);
        steps.clear();
        let (pass, loss) = (self.pass_bit(), self.loss());
        let mut at = 0;
        let found = loop {
            let bit = self.best(at, draw);
            steps.push((at as u32, bit as u16));
            let (visits, sum, child) = self.note_visit(at, bit, loss);
            if bit == pass
                && let Some(end) = self.nodes[at].end
            {
                break Err(end);
            }
            if child != 0 {
                at = child as usize;
                continue;
            }
            let state = &self.nodes[at].state;
            let next = if bit == pass { state.after_pass() } else { state.after(&self.geometry, bit) };
            if (visits as u32) < self.options.expansion {
                break Ok(next.placement(&self.geometry));
            }
            let child = self.nodes.len();
            self.add_node(game, &steps, next, sum / visits);
            self.chunks[at * self.width + bit / LANES].children[bit % LANES] = child as u32;
            at = child;
        };
        self.lines[leaf].steps = steps;
        match found {
            Ok(start) => Some(start),
            Err(end) => {
                self.take(leaf, end, [Bitboard::EMPTY; 2]);
                None
            }
        }
    }

    /// While other playouts are under way, each counts as lost by so many points.
    #[inline(always)]
    fn loss(&self) -> i32 {
        if self.lines.len() > 1 { self.points() } else { 0 }
    }

    /// Counts a visit of a move, as lost by `loss` points, and returns its visits and the sum of its rewards before, and the node after it.
    #[inline(always)]
    fn note_visit(&mut self, at: usize, bit: usize, loss: i32) -> (i32, i32, u32) {
        let sign = self.nodes[at].state.to_play.sign();
        self.nodes[at].visits += 1;
        let (chunk, lane) = (&mut self.chunks[at * self.width + bit / LANES], bit % LANES);
        let before = (chunk.visits[lane], chunk.sums[lane], chunk.children[lane]);
        chunk.visits[lane] += 1;
        chunk.sums[lane] -= sign * loss;
        before
    }

    /// The move with the highest score of a node; one of the highest, if there are several.
    #[inline(always)]
    fn best(&mut self, at: usize, draw: &mut impl FnMut(u32) -> u32) -> usize {
        let node = &self.nodes[at];
        let sign = node.state.to_play.sign() as f32;
        let bias = self.options.rave.map_or(0.0, |equivalence| 1.0 / equivalence);
        let exploration = self.options.exploration * self.geometry.size.point_count() as f32;
        let log = binary_log(node.visits as u32 + 1);
        let chunks = &self.chunks[at * self.width..][..self.width];
        let mut best = [f32::NEG_INFINITY; LANES];
        let words = node.moves.words();
        for (index, (chunk, scores)) in chunks.iter().zip(&mut self.scores).enumerate() {
            let moves = (words[index / 4] >> (index % 4 * LANES)) as u32 & 0xffff;
            for lane in 0..LANES {
                let visits = chunk.visits[lane] as f32;
                let (rave_visits, rave_sum) = (chunk.rave_visits[lane] as f32, chunk.rave_sums[lane] as f32);
                let weight = 1.0 + bias * rave_visits;
                let mean = (weight * chunk.sums[lane] as f32 + rave_sum) / (weight * visits + rave_visits);
                let score = sign * mean + exploration * (log / (visits + 1.0)).sqrt();
                let score = if moves >> lane & 1 != 0 { score } else { f32::NEG_INFINITY };
                scores[lane] = score;
                best[lane] = if score > best[lane] { score } else { best[lane] };
            }
        }
        let best = best.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let mut equal = Bitboard::<W>::EMPTY;
        for (index, scores) in self.scores.iter().enumerate() {
            if scores.iter().fold(false, |any, &score| any | (score == best)) {
                for (lane, &score) in scores.iter().enumerate() {
                    if score == best {
                        equal.insert(index * LANES + lane);
                    }
                }
            }
        }
        if equal.is_single() { equal.first() } else { equal.nth(draw(equal.count())) }
    }

    /// Takes in the result of a leaf, and passes on those of all leaves under way when it is the last one.
    #[inline(always)]
    fn take(&mut self, leaf: usize, reward: i32, first: [Bitboard<W>; 2]) {
        self.lines[leaf].result = Some((reward, first));
        if self.open == self.wave && self.lines[..self.open].iter().all(|line| line.result.is_some()) {
            (0..self.open).for_each(|leaf| self.back_up(leaf));
            self.open = 0;
            self.wave = 0;
        }
    }

    #[inline(always)]
    fn back_up(&mut self, leaf: usize) {
        let (pass, loss) = (self.pass_bit(), self.loss());
        let (reward, mut first) = self.lines[leaf].result.take().expect("a leaf with its result");
        for &(at, bit) in self.lines[leaf].steps.iter().rev() {
            let (at, bit) = (at as usize, usize::from(bit));
            let node = &self.nodes[at];
            let mover = node.state.to_play;
            let chunks = &mut self.chunks[at * self.width..][..self.width];
            chunks[bit / LANES].sums[bit % LANES] += reward + mover.sign() * loss;
            if self.options.rave.is_none() {
                continue;
            }
            if bit != pass {
                first[mover.index()].insert(bit);
                first[mover.opponent().index()].remove(bit);
            }
            let made = first[mover.index()] & node.moves;
            let words = made.words();
            for (index, chunk) in chunks.iter_mut().enumerate() {
                let made = (words[index / 4] >> (index % 4 * LANES)) as u32 & 0xffff;
                if made == 0 {
                    continue;
                }
                for lane in 0..LANES {
                    let is_made = (made >> lane & 1) as i32;
                    chunk.rave_visits[lane] += is_made;
                    chunk.rave_sums[lane] += reward & -is_made;
                }
            }
        }
    }
}

/// With how many playouts a move begins because of its shape, and by how much their mean reward differs from that of other moves, in percent of the points of
/// the board.
#[derive(Clone, Copy)]
struct Shape {
    playouts: i32,
    gain_percent: i32,
}

/// Moves that capture.
const CAPTURE: Shape = Shape { playouts: 30, gain_percent: 100 };

/// Moves on the edge of the board.
const EDGE: Shape = Shape { playouts: 10, gain_percent: -40 };

/// How far from the mean margin more points still count, in percent of the points of the board.
const REACH_PERCENT: i32 = 15;

/// The chunks of a node: those of a row and its unused bit, row by row.
fn chunk_count(size: BoardSize) -> usize {
    ((size.width() + 1) * size.height()).div_ceil(LANES)
}

/// The binary logarithm, exact at powers of two and linear in between: the same on every processor.
#[inline(always)]
fn binary_log(number: u32) -> f32 {
    let whole = number.ilog2();
    whole as f32 + (number - (1 << whole)) as f32 / (1_u32 << whole) as f32
}

struct Select<'a, D, const W: usize> {
    tree: &'a mut Tree<W>,
    game: &'a Game<W>,
    draw: D,
}

impl<D: FnMut(u32) -> u32, const W: usize> Job for Select<'_, D, W> {
    type Output = Next;

    const HAS_LONG_BITBOARDS: bool = true;

    #[inline(always)]
    fn run(self) -> Next {
        self.tree.next(self.game, self.draw)
    }
}

struct Finish<'a, const W: usize> {
    tree: &'a mut Tree<W>,
    leaf: usize,
    end: &'a FinishedGame<'a>,
}

impl<const W: usize> Job for Finish<'_, W> {
    type Output = ();

    const HAS_LONG_BITBOARDS: bool = true;

    #[inline(always)]
    fn run(self) {
        let Self { tree, leaf, end } = self;
        let sets = |rows: [&[u32]; 2]| rows.map(|rows| tree.geometry.set_of_rows(rows.iter().copied()));
        let stones = sets(end.stones);
        let first = sets(end.first_stones);
        let prisoners = Color::BOTH.map(|color| end.placed(color) - stones[color.index()].count());
        let reward = tree.reward(stones, prisoners);
        tree.take(leaf, reward, first);
    }
}
