//! The number of games.

use super::{
    CountError, Pace, Report,
    positions::{PositionGraph, Situation, symmetries},
};
use crate::{
    BoardSize, Color, Ko, Rules,
    rules::Supply,
    zobrist::{MixMap, mix64},
};

/// Number of different games from the empty board to two consecutive passes: sequences of plies, so that games which reach the same
/// positions in another order are different.
///
/// The empty start counts as seen, passes are always legal and never a repetition. Counting, komi and handicap play no role.
///
/// Between two stones there is no pass or one, and the colours of the stones tell which. Under positional superko games are therefore the
/// paths in the graph of positions that visit no position twice, under situational superko the same with the player to move. How
/// many ways a path can go on depends only on its end and on the unvisited positions that can still be reached: a table remembers these
/// numbers under just that key, in full. Under simple ko the situations must not have a cycle.
///
/// A step of progress is one such end and set. Cost on one core of 2.6 GHz: a second for 1×4 and half a minute for 2×2 (386,356,909,593
/// games) under positional superko, with 100 MB for the table; larger boards are out of reach. Both are checked by
/// `cargo test --release -p jigo-engine count`.
///
/// # Errors
/// - [`CountError::TooLarge`] above 12 points, or when a superko rule has more than 128 positions (situations) to remember;
/// - [`CountError::InfinitelyMany`] under simple ko when a position can recur;
/// - [`CountError::Overflow`] and [`CountError::Stopped`].
///
/// # Source
/// John Tromp and Gunnar Farnebäck, *Combinatorics of Go* (2016), section on the number of games.
///
/// # Examples
/// ```
/// use jigo_engine::{BoardSize, Rules, count::game_count};
/// use std::ops::ControlFlow;
/// let size = BoardSize::new(3, 1).unwrap();
/// assert_eq!(game_count(size, Rules::TROMP_TAYLOR, &mut |_| ControlFlow::Continue(())), Ok(907));
/// ```
pub fn game_count(size: BoardSize, rules: Rules, report: Report<'_>) -> Result<u128, CountError> {
    if rules.supply == Supply::Finite {
        return Err(CountError::FiniteStones);
    }
    let mut pace = Pace::new(report);
    let graph = PositionGraph::new(size, rules.suicide, &mut pace)?;
    match rules.ko {
        Ko::Simple => {
            let start = Situation { position: 0, to_play: Color::Black, passed: false, ko: None };
            SimpleKoGames { graph: &graph, table: MixMap::default() }.count(start, &mut pace)
        }
        Ko::PositionalSuperko | Ko::SituationalSuperko => {
            let nodes = nodes(&graph, rules.ko);
            if nodes.len() > u128::BITS as usize {
                let limit = "the visited positions are kept as a set of 128 bits, one for each position \
                             (each position and player to move under situational superko)";
                return Err(CountError::TooLarge { size, limit });
            }
            let unvisited = (u128::MAX >> (u128::BITS as usize - nodes.len())) & !1;
            Paths::new(&graph, rules.ko, nodes, pace).count(0, unvisited)
        }
    }
}

/// A position, or a position with the player to move, that may be visited once.
struct Node {
    /// Where the player to move may go.
    direct: u128,
    /// Where the opponent may go if the player to move passes.
    after_pass: u128,
    /// What the pass visits: the position with the opponent to move.
    passing: u128,
}

/// The nodes; the first is the start. Distinct stones lead to distinct positions, so that sets describe the moves.
fn nodes(graph: &PositionGraph, ko: Ko) -> Vec<Node> {
    let with_player = ko == Ko::SituationalSuperko;
    let single =
        |position, to_play| 1_u128.checked_shl(node_number(ko, position, to_play) as u32).unwrap_or(0);
    let targets = |position: u32, color: Color| {
        let edges = graph.edges(position, color).iter();
        edges.fold(0, |set, edge| set | single(edge.to, color.opponent()))
    };
    let node = |position: u32, to_play: Color| Node {
        direct: targets(position, to_play),
        after_pass: targets(position, to_play.opponent()),
        passing: if with_player { single(position, to_play.opponent()) } else { 0 },
    };
    let players: &[Color] = if with_player { &Color::BOTH } else { &Color::BOTH[..1] };
    let positions = 0..graph.positions.len() as u32;
    positions.flat_map(|position| players.iter().map(move |&to_play| node(position, to_play))).collect()
}

/// How often a path goes on from a node through a set.
#[derive(Clone, Copy, Default)]
struct Entry {
    reachable: u128,
    count: u128,
    /// One more than the node; 0 where nothing is stored.
    node: u16,
}

struct Paths<'a> {
    nodes: Vec<Node>,
    /// The symmetries of the graph; the first is the identity.
    symmetries: Vec<Permutation>,
    table: Vec<Entry>,
    pace: Pace<'a>,
}

impl<'a> Paths<'a> {
    const TABLE_LENGTH: usize = 1 << 21;
    /// Up to so many reachable nodes it is faster to count than to look up.
    const SMALL: u32 = 9;

    fn new(graph: &PositionGraph, ko: Ko, nodes: Vec<Node>, pace: Pace<'a>) -> Self {
        let permutation = |(positions, image_of_black): (Vec<u32>, Color)| {
            let image_of_players = [image_of_black, image_of_black.opponent()];
            let mut images = vec![0; nodes.len()];
            for (position, &image) in positions.iter().enumerate() {
                for (color, to_play) in Color::BOTH.into_iter().zip(image_of_players) {
                    images[node_number(ko, position as u32, color)] = node_number(ko, image, to_play) as u8;
                }
            }
            Permutation::new(images)
        };
        let symmetries = symmetries(graph).into_iter().map(permutation).collect();
        Self { symmetries, table: vec![Entry::default(); Self::TABLE_LENGTH], nodes, pace }
    }

    /// Number of games that go on from `node`, just visited, if only the nodes of `open` may be visited any more; ending here is one.
    fn count(&mut self, node: usize, open: u128) -> Result<u128, CountError> {
        let reachable = self.reachable(node, open);
        if reachable.count_ones() <= Self::SMALL {
            return Ok(self.count_small(node, reachable));
        }
        self.pace.step()?;
        let (least_node, least_set) = self.least_image(node, reachable);
        let slot = slot(least_node, least_set);
        let entry = self.table[slot];
        if entry.node == u16::from(least_node) + 1 && entry.reachable == least_set {
            return Ok(entry.count);
        }
        let Node { direct, after_pass, passing } = self.nodes[node];
        let mut count = 1_u128;
        for (targets, open) in [(direct, reachable), (after_pass, reachable & !passing)] {
            for target in bits(targets & open) {
                let rest = self.count(target, open & !(1 << target))?;
                count = count.checked_add(rest).ok_or(CountError::Overflow)?;
            }
        }
        self.table[slot] = Entry { reachable: least_set, count, node: u16::from(least_node) + 1 };
        Ok(count)
    }

    /// As [`count`](Self::count), without the table. For so few open nodes that nothing can overflow.
    fn count_small(&self, node: usize, open: u128) -> u128 {
        let Node { direct, after_pass, passing } = self.nodes[node];
        let through = |targets, open| {
            bits(targets & open).map(|target| self.count_small(target, open & !(1 << target))).sum::<u128>()
        };
        1 + through(direct, open) + through(after_pass, open & !passing)
    }

    /// The least among the images of a node and a set under all symmetries: equal for all that have equally many continuations for this
    /// reason.
    fn least_image(&self, node: usize, set: u128) -> (u8, u128) {
        let images = self.symmetries.iter().map(|symmetry| (symmetry.images[node], symmetry));
        let least = images.clone().map(|(image, _)| image).min().unwrap_or_default();
        let sets = images.filter(|&(image, _)| image == least).map(|(_, symmetry)| symmetry.image(set));
        (least, sets.min().unwrap_or_default())
    }

    /// The nodes of `open` to which a path leads from `node` through `open`.
    fn reachable(&self, node: usize, open: u128) -> u128 {
        let near = |node: usize| self.nodes[node].direct | self.nodes[node].after_pass;
        let mut reached = near(node) & open;
        let mut fresh = reached;
        while fresh != 0 {
            let next = bits(fresh).fold(0, |next, node| next | near(node));
            fresh = next & open & !reached;
            reached |= fresh;
        }
        reached
    }
}

/// A permutation of the nodes, applied to sets byte by byte.
struct Permutation {
    images: Vec<u8>,
    /// The image of each value of each byte of a set.
    of_bytes: Vec<[u128; 256]>,
}

impl Permutation {
    fn new(images: Vec<u8>) -> Self {
        let of_bytes = images.chunks(8).map(|eight| {
            let mut table = [0; 256];
            for (value, image) in table.iter_mut().enumerate() {
                let set = eight.iter().enumerate().filter(|(bit, _)| value >> bit & 1 != 0);
                *image = set.fold(0, |image, (_, &to)| image | 1_u128 << to);
            }
            table
        });
        Self { of_bytes: of_bytes.collect(), images }
    }

    fn image(&self, set: u128) -> u128 {
        let bytes = set.to_le_bytes();
        self.of_bytes.iter().zip(bytes).fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }
}

fn node_number(ko: Ko, position: u32, to_play: Color) -> usize {
    match ko {
        Ko::SituationalSuperko => 2 * position as usize + to_play.index(),
        Ko::PositionalSuperko | Ko::Simple => position as usize,
    }
}

fn slot(node: u8, reachable: u128) -> usize {
    let hash = mix64(reachable as u64 ^ ((reachable >> 64) as u64).rotate_left(29) ^ u64::from(node) << 56);
    hash as usize % Paths::TABLE_LENGTH
}

/// The numbers of the set bits, in ascending order.
fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

struct SimpleKoGames<'a> {
    graph: &'a PositionGraph,
    /// The number of continuations; `None` while they are being counted.
    table: MixMap<Situation, Option<u128>>,
}

impl SimpleKoGames<'_> {
    fn count(&mut self, at: Situation, pace: &mut Pace<'_>) -> Result<u128, CountError> {
        match self.table.get(&at) {
            Some(Some(count)) => return Ok(*count),
            Some(None) => return Err(CountError::InfinitelyMany),
            None => self.table.insert(at, None),
        };
        pace.step()?;
        let to_play = at.to_play.opponent();
        let mut count = match at.passed {
            true => 1,
            false => self.count(Situation { to_play, passed: true, ko: None, ..at }, pace)?,
        };
        let graph = self.graph;
        for edge in graph.edges(at.position, at.to_play).iter().filter(|edge| at.ko != Some(edge.point)) {
            let next = Situation { position: edge.to, to_play, passed: false, ko: edge.ko };
            count = count.checked_add(self.count(next, pace)?).ok_or(CountError::Overflow)?;
        }
        self.table.insert(at, Some(count));
        Ok(count)
    }
}
