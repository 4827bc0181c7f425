//! What a search is told, and what it tells.

use crate::{Komi, Move, Point, Suicide, batch::Placement, board::Among};

/// How a tree grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchOptions {
    /// What is maximised.
    pub reward: Reward,
    /// The komi at which wins are counted.
    pub komi: Komi,
    /// Whether to count [whose area](super::Tree::owners) each point is at the ends of playouts.
    pub owners: bool,
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
    /// To win at the komi of the search.
    Win,
    /// That this point is the player's own area at the end, whatever the rest of the board.
    Own(Point),
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
    /// The sum of Black's margins at their ends, before komi.
    pub margins: i64,
    /// How many of them Black and White won at the komi of the search.
    pub wins: [u32; 2],
}

impl MoveStats {
    /// Returns what is known of a move that no playout tried.
    #[must_use]
    pub const fn untried(mv: Move) -> Self {
        Self { mv, visits: 0, sum: 0, margins: 0, wins: [0; 2] }
    }
}
