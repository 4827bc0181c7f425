//! Searches that go on side by side, with their playouts in the lanes of one batch.

use jigo_engine::{
    BoardSize, Game, Ko, Komi, Move, Rules, Suicide,
    batch::{self, BatchSpec, FinishedGame, MAX_LANES, Needs, Placement, Start},
    search::{Next, SearchOptions, Tree},
};

use super::Uct;
use crate::{
    Backend, RunConfig, Stream,
    lockstep::{self, LaneGames, Lanes},
};

/// One search after the other, with the random numbers of each.
pub(super) struct Search<const W: usize> {
    pub(super) tree: Tree<W>,
    /// The seed of the playouts' random numbers.
    seed: u64,
    /// Decides between moves that are equally good.
    ties: Stream,
}

impl<const W: usize> Search<W> {
    pub(super) fn new(size: BoardSize, rules: Rules, options: SearchOptions) -> Self {
        Self { tree: Tree::new(size, rules.counting, rules.ko, options), seed: 0, ties: Stream::new(0, 0) }
    }

    /// Begins the search for the next move of a game, which is none of the forbidden ones.
    pub(super) fn begin(&mut self, game: &Game<W>, forbidden: &[Move], seed: u64) {
        self.seed = seed;
        self.ties = Stream::new(self.seed, 0);
        self.tree.begin(game, forbidden);
    }

    fn next(&mut self, game: &Game<W>) -> Next {
        let ties = &mut self.ties;
        self.tree.select(game, |count| ties.below(count))
    }
}

/// Searches that go on side by side.
pub(super) trait Searches<const W: usize> {
    /// Returns a search and the game that it is for; none where there is nothing to be searched any more.
    fn search(&mut self, slot: usize) -> Option<(&mut Search<W>, &Game<W>)>;

    /// Goes on after a search has ended.
    fn go_on(&mut self, slot: usize);

    /// Returns whether no further playouts are wanted, wherever the searches stand.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// The searches that share a batch: each has so many lanes as it has playouts under way at the same time.
struct SearchLanes<'a, S> {
    searches: &'a mut S,
    /// The slot of the search that each lane plays for.
    slots: [usize; MAX_LANES],
    /// The leaf that is played out in each lane.
    lane_leaves: [usize; MAX_LANES],
}

impl<S> SearchLanes<'_, S> {
    /// Returns the seed and the number of the stream of the next playout, and where it starts.
    fn next<const W: usize>(&mut self, lane: usize) -> Option<(u64, u64, Placement)>
    where
        S: Searches<W>,
    {
        if self.searches.is_stopped() {
            return None;
        }
        loop {
            let slot = self.slots[lane];
            let (search, game) = self.searches.search(slot)?;
            match search.next(game) {
                Next::Playout { leaf, start, playout } => {
                    self.lane_leaves[lane] = leaf;
                    return Some((search.seed, u64::from(playout) + 1, start));
                }
                Next::Wait => return None,
                Next::Done => self.searches.go_on(slot),
            }
        }
    }

    fn tree<const W: usize>(&mut self, lane: usize) -> (&mut Tree<W>, usize)
    where
        S: Searches<W>,
    {
        let (search, _) = self.searches.search(self.slots[lane]).expect("a search with a playout under way");
        (&mut search.tree, self.lane_leaves[lane])
    }
}

/// The lanes of a batch.
struct BatchLanes<'a, S, const W: usize>(SearchLanes<'a, S>);

impl<S: Searches<W>, const W: usize> LaneGames for BatchLanes<'_, S, W> {
    fn start(&mut self, lane: usize, start: &mut Start) -> Option<(u64, u64)> {
        let (seed, index, placement) = self.0.next(lane)?;
        *start = Start::Position(placement);
        Some((seed, index))
    }

    fn finish(&mut self, lane: usize, game: &FinishedGame<'_>) {
        let (tree, leaf) = self.0.tree(lane);
        tree.finish(leaf, game);
    }
}

/// Goes on with searches until nothing is left to be searched. There are so many slots as [`slot_count`] says.
pub(super) fn search_all<const W: usize>(
    backend: Backend,
    size: BoardSize,
    rules: Rules,
    uct: &Uct,
    searches: &mut impl Searches<W>,
) {
    let mut lanes = SearchLanes { searches, slots: [0; MAX_LANES], lane_leaves: [0; MAX_LANES] };
    let (leaves, ply_cap) = (uct.leaves as usize, RunConfig::default_ply_cap(size));
    match backend {
        Backend::Batch(simd) => {
            let spec = BatchSpec {
                size,
                ko: Ko::Simple,
                choice: lockstep::choice(uct.playout).expect("a policy that batches can play"),
                plays_suicide: uct.options(rules, Komi::ZERO).suicide == Suicide::Allowed,
                ply_cap: ply_cap as u16,
                needs: Needs::End,
                first_stones: uct.rave.is_some(),
            };
            for (count, lane) in batch::lane_numbers(simd, size).enumerate() {
                lanes.slots[lane] = count / leaves;
            }
            batch::play(simd, &spec, &mut [Lanes::new(&mut BatchLanes(lanes))]);
        }
        Backend::Board => {
            let mut board = Game::<W>::new(size, Rules { ko: Ko::Simple, ..rules });
            for lane in (0..leaves).cycle() {
                let Some((seed, index, start)) = lanes.next(lane) else { return };
                board.place(&start);
                let record = uct.playout.play_out(&mut board, &mut Stream::new(seed, index), ply_cap);
                let (tree, leaf) = lanes.tree(lane);
                tree.finish_on_board(leaf, &board, &record.moves);
            }
        }
    }
}

/// Returns how many searches go on side by side: as many as the batch has lanes for, and as fit in [`Uct::MAX_TREE_BYTES`].
pub(super) fn slot_count(backend: Backend, size: BoardSize, uct: &Uct) -> usize {
    let lanes = match backend {
        Backend::Board => 1,
        Backend::Batch(simd) => batch::lane_numbers(simd, size).count() / uct.leaves as usize,
    };
    lanes.min((Uct::MAX_TREE_BYTES / uct.tree_bytes(size)) as usize).max(1)
}

/// Returns the seed of a search, from the stream of its player.
pub(super) fn next_seed(stream: &mut Stream) -> u64 {
    (0..4).fold(0, |seed, part| seed | u64::from(stream.sample()) << (16 * part))
}
