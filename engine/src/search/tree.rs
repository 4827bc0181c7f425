//! A tree: how the next leaf is chosen, and how results are taken in.

use std::sync::Arc;

use super::{
    ends::Ends,
    node::{CAPTURE, Chunk, EDGE, LANES, Line, Node, Shape, Step, max_chunk_count},
    options::{MoveStats, Next, Reward, SearchOptions},
    scores::{Highest, places_with},
    state::State,
};
use crate::{
    BoardSize, Color, Counting, Game, Ko, Move, Position,
    batch::{FinishedGame, Placement},
    bitboard::Bitboard,
    game::Repetition,
    geometry::Geometry,
    simd::{Job, with_fast_bits},
};

/// A search tree.
pub struct Tree<const W: usize> {
    geometry: Arc<Geometry<W>>,
    counting: Counting,
    ko: Ko,
    options: SearchOptions,
    nodes: Vec<Node<W>>,
    chunks: Vec<Chunk>,
    /// The playouts under way: all must have ended before the next begin. The first `open` of `wave` have begun.
    lines: Vec<Line<W>>,
    wave: usize,
    open: usize,
    /// Playouts of this search, and those of them that have not begun.
    playouts: u32,
    rest: usize,
    /// What is not considered at the root.
    forbidden: Bitboard<W>,
    scores: Vec<[f32; LANES]>,
    /// The margin around which rewards are counted, once it is known.
    center: Option<i32>,
    ends: Ends,
}

impl<const W: usize> Tree<W> {
    /// Returns an empty tree for games of this size and these rules.
    #[must_use]
    pub fn new(size: BoardSize, counting: Counting, ko: Ko, options: SearchOptions) -> Self {
        let geometry = Arc::new(Geometry::new(size));
        Self {
            geometry,
            counting,
            ko,
            options,
            nodes: Vec::new(),
            chunks: Vec::new(),
            lines: vec![Line::default(); options.leaves.max(1) as usize],
            wave: 0,
            open: 0,
            playouts: 0,
            rest: 0,
            forbidden: Bitboard::EMPTY,
            scores: vec![[f32::NEG_INFINITY; LANES]; max_chunk_count(size)],
            center: None,
            ends: Ends::new(size, options.komi, options.owners),
        }
    }

    /// Returns how many bytes a tree takes at most for a search with these options: before a position becomes a node, as many playouts begin at it as
    /// the expansion says.
    #[must_use]
    pub fn max_bytes(size: BoardSize, options: &SearchOptions) -> usize {
        let nodes = (options.playouts / options.expansion.max(1)) as usize + 1;
        nodes * Self::node_bytes(size)
    }

    /// Returns with how many playouts a tree certainly takes no more than so many bytes, and its sums do not overflow. The options' own number does not
    /// matter.
    #[must_use]
    pub fn max_playouts(size: BoardSize, options: &SearchOptions, bytes: usize) -> u32 {
        let nodes = (bytes / Self::node_bytes(size)).saturating_sub(1);
        let by_bytes = u32::try_from(nodes).unwrap_or(u32::MAX).saturating_mul(options.expansion.max(1));
        // A sum begins with that of the prior and of the shapes, twice at most, and has the losses of the leaves under way.
        let beginning = 2 * (options.prior + CAPTURE.playouts as u32 + EDGE.playouts as u32) + options.leaves;
        let by_sums = i32::MAX as u32 / size.point_count() as u32;
        by_bytes.min(by_sums.saturating_sub(beginning))
    }

    fn node_bytes(size: BoardSize) -> usize {
        size_of::<Node<W>>() + max_chunk_count(size) * size_of::<Chunk>()
    }

    /// The bit that stands for a pass: the unused one after the last row.
    fn pass_bit(&self) -> usize {
        self.geometry.stride() * self.geometry.size.height() - 1
    }

    /// Starts again, with the position of a game. Does not consider the moves that are `forbidden` there, nor a pass before the last handicap stone, nor
    /// anything else than a pass where the player has run out of stones.
    pub fn begin(&mut self, game: &Game<W>, forbidden: &[Move]) {
        let pass = self.pass_bit();
        let bit = |mv: &Move| mv.point().map_or(pass, |point| self.geometry.bit(point));
        let mut bits = Bitboard::EMPTY;
        forbidden.iter().for_each(|mv| bits.insert(bit(mv)));
        if game.handicap_left() > 0 {
            bits.insert(pass);
        }
        if game.is_out_of_stones() {
            bits |= self.geometry.on_board;
        }
        (self.forbidden, self.center) = (bits, None);
        self.add_root(game);
        (self.playouts, self.rest) = (0, 0);
        (self.wave, self.open) = (0, 0);
        self.extend(self.options.playouts);
    }

    /// Gives this search so many more playouts, also after it has ended. The first stage gets longer with them unless it is over. Where there is no choice,
    /// nothing changes. There must be no more in all than [`max_playouts`](Self::max_playouts) says.
    pub fn extend(&mut self, playouts: u32) {
        if self.nodes[0].moves.count() > 1 {
            self.playouts += playouts;
            self.rest += playouts as usize;
        }
    }

    /// Returns how many playouts the search has, those included that have not begun; 0 where there is no choice.
    #[must_use]
    pub const fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Returns how many playouts the moves of the root have had; those of the first stage do not count once it is over.
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.nodes[0].visits as u32
    }

    /// Returns whether no playout is under way.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.open == 0
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
        let margin = self.margin(stones, Color::BOTH.map(|color| end.prisoners(color)));
        self.take(leaf, margin, stones, first);
    }

    /// Returns what is known of the moves of the root.
    pub fn moves(&self) -> impl Iterator<Item = MoveStats> {
        self.nodes[0].moves.iter().enumerate().map(move |(place, bit)| {
            let (chunk, ends) = (&self.chunks[place / LANES], self.ends.of(place));
            MoveStats {
                mv: self.move_of(bit),
                visits: chunk.visits[place % LANES] as u32,
                sum: chunk.sums[place % LANES],
                margins: ends.margins,
                wins: ends.wins,
            }
        })
    }

    /// Returns the move that was tried most; of several, the one with the best mean, and of these the first.
    #[must_use]
    pub fn choice(&self) -> Move {
        self.move_of(self.most_tried(0).1)
    }

    /// Returns the line that begins with this move of the root and goes on with the moves that were tried most.
    #[must_use]
    pub fn line(&self, first: Move) -> Vec<Move> {
        let mut line = vec![first];
        let Some(mut place) = self.moves().position(|stats| stats.mv == first) else { return line };
        let mut at = 0;
        loop {
            at = self.chunks[self.nodes[at].chunks()][place / LANES].children[place % LANES] as usize;
            if at == 0 || self.nodes[at].visits == 0 {
                return line;
            }
            let (next, bit) = self.most_tried(at);
            line.push(self.move_of(bit));
            place = next;
        }
    }

    /// Returns in how many playouts each point, in row-major order, was at the end the area of Black and of White; none unless the options
    /// [ask](SearchOptions::owners) for it.
    pub fn owners(&mut self) -> Option<&[Vec<u64>; 2]> {
        self.ends.owners()
    }

    fn move_of(&self, bit: usize) -> Move {
        if bit == self.pass_bit() { Move::Pass } else { Move::Play(self.geometry.point(bit)) }
    }

    /// The place and the bit of the move of a node that was tried most; of several, of the one with the best mean, and of these of the first.
    fn most_tried(&self, at: usize) -> (usize, usize) {
        let node = &self.nodes[at];
        let chunks = &self.chunks[node.chunks()];
        let sign = node.state.to_play.sign();
        let key = |place: usize| {
            let (chunk, lane) = (&chunks[place / LANES], place % LANES);
            (chunk.visits[lane], sign * chunk.sums[lane])
        };
        let better =
            |one: (usize, usize), other: (usize, usize)| if key(other.0) > key(one.0) { other } else { one };
        node.moves.iter().enumerate().reduce(better).unwrap_or((0, self.pass_bit()))
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

    /// The margin of a final position.
    #[inline(always)]
    fn margin(&self, stones: [Bitboard<W>; 2], prisoners: [u32; 2]) -> i32 {
        Position::from_sets(&self.geometry, stones).area().margin_by(self.counting, prisoners)
    }

    /// The reward of a margin.
    #[inline(always)]
    fn reward(&self, margin: i32, stones: [Bitboard<W>; 2]) -> i32 {
        match (self.options.reward, self.center) {
            (Reward::Margin, None) => margin,
            (Reward::Margin, Some(center)) => {
                let reach = (self.points() * REACH_PERCENT / 100).max(1);
                (margin - center).clamp(-reach, reach) * self.points() / reach
            }
            (Reward::Win, _) => self.options.komi.apply(margin).signum() * self.points(),
            (Reward::Own(point), _) => {
                let [black, white] = Position::from_sets(&self.geometry, stones).owned();
                let bit = self.geometry.bit(point);
                (i32::from(black.contains(bit)) - i32::from(white.contains(bit))) * self.points()
            }
        }
    }

    /// Adds the node of a position, to which `steps` lead, and in which `mean` is the reward to be expected. Does not consider the `forbidden` moves.
    #[inline(always)]
    fn add_node(
        &mut self,
        game: &Game<W>,
        steps: &[Step],
        state: State<W>,
        mean: i32,
        forbidden: Bitboard<W>,
    ) {
        let SearchOptions { among, suicide, prior, .. } = self.options;
        let geometry = &*self.geometry;
        let candidates = state.candidates(geometry, among, suicide);
        let line = steps.iter().map(|step| &self.nodes[step.node as usize].state);
        let mut moves = state.without_superko(geometry, self.ko, game, line.chain([&state]), candidates);
        moves.insert(self.pass_bit());
        moves = moves.without(forbidden);
        let end = state.passed.then(|| self.margin(state.stones, state.prisoners()));
        let node = Node { state, moves, start: self.chunks.len() as u32, visits: 0, end };
        let prior = prior as i32;
        let fresh = Chunk {
            visits: [0; LANES],
            sums: [0; LANES],
            rave_visits: [prior; LANES],
            rave_sums: [prior * mean; LANES],
            children: [0; LANES],
        };
        self.chunks.extend(std::iter::repeat_n(fresh, node.chunks().len()));
        let captures = node.state.captures(geometry);
        let gain = node.state.to_play.sign() * self.points();
        let chunks = &mut self.chunks[node.chunks()];
        for (set, Shape { playouts, gain_percent }) in [(captures, CAPTURE), (geometry.edge, EDGE)] {
            for place in set.packed(moves).iter() {
                let (chunk, lane) = (&mut chunks[place / LANES], place % LANES);
                chunk.rave_visits[lane] += playouts;
                chunk.rave_sums[lane] += playouts * (mean + gain_percent * gain / 100);
            }
        }
        self.nodes.push(node);
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
        self.playouts - self.rest as u32
    }

    /// Returns the number of playouts before margins are compared with their mean.
    fn first_stage(&self) -> u32 {
        (self.playouts / 8).max(16)
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
        self.ends.clear();
        self.add_node(game, &[], State::new(game), 0, self.forbidden);
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
            let place = self.best(at, draw);
            let bit = self.nodes[at].moves.nth(place as u32);
            steps.push(Step { node: at as u32, bit: bit as u16, place: place as u16 });
            let (visits, sum, child) = self.note_visit(at, place, loss);
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
            self.add_node(game, &steps, next, sum / visits, Bitboard::EMPTY);
            self.chunks[self.nodes[at].start as usize + place / LANES].children[place % LANES] = child as u32;
            at = child;
        };
        self.lines[leaf].steps = steps;
        match found {
            Ok(start) => Some(start),
            Err(end) => {
                let last = self.lines[leaf].steps.last().expect("a pass");
                let stones = self.nodes[last.node as usize].state.stones;
                self.take(leaf, end, stones, [Bitboard::EMPTY; 2]);
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
    fn note_visit(&mut self, at: usize, place: usize, loss: i32) -> (i32, i32, u32) {
        let node = &mut self.nodes[at];
        let sign = node.state.to_play.sign();
        node.visits += 1;
        let (chunk, lane) = (&mut self.chunks[node.start as usize + place / LANES], place % LANES);
        let before = (chunk.visits[lane], chunk.sums[lane], chunk.children[lane]);
        chunk.visits[lane] += 1;
        chunk.sums[lane] -= sign * loss;
        before
    }

    /// The place of the move with the highest score of a node; of one of them, if there are several.
    #[inline(always)]
    fn best(&mut self, at: usize, draw: &mut impl FnMut(u32) -> u32) -> usize {
        let node = &self.nodes[at];
        let considered = node.considered(self.pass_bit());
        let sign = node.state.to_play.sign() as f32;
        let bias = self.options.rave.map_or(0.0, |equivalence| 1.0 / equivalence);
        let exploration = self.options.exploration * (self.points() as f32).sqrt();
        let log = binary_log(node.visits as u32 + 1);
        let chunks = &self.chunks[node.chunks()];
        let scores = &mut self.scores[..chunks.len()];
        let mut highest = Highest::new();
        for (index, (chunk, scores)) in chunks.iter().zip(&mut *scores).enumerate() {
            for (lane, to) in scores.iter_mut().enumerate() {
                let place = (index * LANES + lane) as u32;
                let visits = chunk.visits[lane] as f32;
                let (rave_visits, rave_sum) = (chunk.rave_visits[lane] as f32, chunk.rave_sums[lane] as f32);
                let weight = 1.0 + bias * rave_visits;
                let mean = (weight * chunk.sums[lane] as f32 + rave_sum) / (weight * visits + rave_visits);
                let score = sign * mean + exploration * (log / (visits + 1.0)).sqrt();
                *to = if place < considered { score } else { f32::NEG_INFINITY };
                highest.take(lane, place, *to);
            }
        }
        let (highest, only) = highest.result();
        only.unwrap_or_else(|| {
            let equal = places_with::<W>(highest, scores);
            equal.nth(draw(equal.count()))
        })
    }

    /// Takes in the end of a leaf, and passes on those of all leaves under way when it is the last one.
    #[inline(always)]
    fn take(&mut self, leaf: usize, margin: i32, stones: [Bitboard<W>; 2], first: [Bitboard<W>; 2]) {
        self.ends.add(self.lines[leaf].steps[0].place.into(), margin);
        self.ends.add_owners(&self.geometry, stones);
        self.lines[leaf].result = Some((self.reward(margin, stones), first));
        if self.open == self.wave && self.lines[..self.open].iter().all(|line| line.result.is_some()) {
            // A closure would be compiled without the processor's vectors.
            for leaf in 0..self.open {
                self.back_up(leaf);
            }
            self.open = 0;
            self.wave = 0;
        }
    }

    #[inline(always)]
    fn back_up(&mut self, leaf: usize) {
        let (pass, loss) = (self.pass_bit(), self.loss());
        let (reward, mut first) = self.lines[leaf].result.take().expect("a leaf with its result");
        for step in self.lines[leaf].steps.iter().rev() {
            let (bit, place) = (usize::from(step.bit), usize::from(step.place));
            let node = &self.nodes[step.node as usize];
            let mover = node.state.to_play;
            let chunks = &mut self.chunks[node.chunks()];
            chunks[place / LANES].sums[place % LANES] += reward + mover.sign() * loss;
            if self.options.rave.is_none() {
                continue;
            }
            if bit != pass {
                first[mover.index()].insert(bit);
                first[mover.opponent().index()].remove(bit);
            }
            let made = first[mover.index()].packed(node.moves);
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

/// How far from the mean margin more points still count, in percent of the points of the board.
const REACH_PERCENT: i32 = 15;

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
        let set = |rows: &[u32]| tree.geometry.set_of_rows(rows.iter().copied());
        let stones = [set(end.stones[0]), set(end.stones[1])];
        let first = [set(end.first_stones[0]), set(end.first_stones[1])];
        let prisoners = Color::BOTH.map(|color| end.placed(color) - stones[color.index()].count());
        tree.take(leaf, tree.margin(stones, prisoners), stones, first);
    }
}
