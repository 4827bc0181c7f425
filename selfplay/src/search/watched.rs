//! The search for one move, followed while it goes on.

use std::time::Instant;

use jigo_engine::{
    Game, Komi, Move, for_width,
    search::{MoveStats, SearchOptions, Tree},
};

use super::{
    Uct,
    lanes::{Search, Searches, search_all},
};

/// What a search has found out so far.
pub trait Findings {
    /// Returns what is known of each move.
    fn moves(&self) -> Vec<MoveStats>;

    /// Returns the line that begins with this move and goes on with the moves that were tried most.
    fn line(&self, first: Move) -> Vec<Move>;

    /// Returns in how many playouts each point, in row-major order, was at the end the area of Black and of White.
    fn owners(&mut self) -> [Vec<u64>; 2];
}

impl<const W: usize> Findings for Tree<W> {
    fn moves(&self) -> Vec<MoveStats> {
        self.moves().collect()
    }

    fn line(&self, first: Move) -> Vec<Move> {
        self.line(first)
    }

    fn owners(&mut self) -> [Vec<u64>; 2] {
        self.owners().cloned().expect("they are counted")
    }
}

/// Follows a search. The watcher `()` lets it run to its end.
pub trait Watcher {
    /// Returns whether the search goes on; asked whenever no playout is under way, which is up to 100,000 times a second.
    fn goes_on(&mut self, search: &mut dyn Findings) -> bool;

    /// Takes what the search has found out in the end.
    fn end(&mut self, search: &mut dyn Findings);
}

impl Watcher for () {
    fn goes_on(&mut self, _: &mut dyn Findings) -> bool {
        true
    }

    fn end(&mut self, _: &mut dyn Findings) {}
}

/// How long a search may go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Playouts, unless the tree would then take more than [`Uct::MAX_TREE_BYTES`].
    pub(crate) playouts: u32,
    /// A moment at which the search ends, once it has made [`MIN_VISITS`].
    pub(crate) deadline: Option<Instant>,
}

/// Visits after which a search may be ended by its deadline.
const MIN_VISITS: u32 = 50;

/// By how many playouts a search is extended at a time.
const STEP: u32 = 64;

/// Searches for a move, first with the playouts of `uct`, then with more up to the limits, and returns what was found out about the move.
pub(crate) fn search(
    uct: &Uct,
    game: &Game,
    forbidden: &[Move],
    komi: Komi,
    seed: u64,
    limits: Limits,
    watcher: &mut dyn Watcher,
) -> MoveStats {
    let (size, rules) = (game.board().size(), game.rules());
    let backend = uct.backend(size, rules);
    let options = SearchOptions { owners: true, ..uct.options(rules, komi) };
    for_width!(size, W => {
        let game = game.with_width::<W>();
        let mut search = Search::new(size, rules, options);
        search.begin(&game, forbidden, seed);
        let max_playouts = limits.playouts.min(Tree::<W>::max_playouts(size, &options, Uct::MAX_TREE_BYTES as usize));
        let mut watched = Watched { search, game, max_playouts, deadline: limits.deadline, watcher, is_over: false };
        search_all(backend, size, rules, uct, &mut watched);
        let Watched { search: Search { mut tree, .. }, watcher, .. } = watched;
        watcher.end(&mut tree);
        let choice = tree.choice();
        tree.moves().find(|stats| stats.mv == choice).unwrap_or(MoveStats::untried(choice))
    })
}

/// A single search, in the first slot.
struct Watched<'a, const W: usize> {
    search: Search<W>,
    game: Game<W>,
    max_playouts: u32,
    deadline: Option<Instant>,
    watcher: &'a mut dyn Watcher,
    is_over: bool,
}

impl<const W: usize> Watched<'_, W> {
    fn must_end(&mut self) -> bool {
        let tree = &mut self.search.tree;
        let is_late =
            self.deadline.is_some_and(|deadline| tree.visits() >= MIN_VISITS && Instant::now() >= deadline);
        is_late || !self.watcher.goes_on(tree)
    }
}

impl<const W: usize> Searches<W> for Watched<'_, W> {
    fn search(&mut self, slot: usize) -> Option<(&mut Search<W>, &Game<W>)> {
        if slot > 0 {
            return None;
        }
        self.is_over |= self.search.tree.is_idle() && self.must_end();
        (!self.is_over).then_some((&mut self.search, &self.game))
    }

    fn go_on(&mut self, _: usize) {
        let tree = &mut self.search.tree;
        let before = tree.playouts();
        tree.extend(STEP.min(self.max_playouts.saturating_sub(before)));
        self.is_over = tree.playouts() == before;
    }
}
