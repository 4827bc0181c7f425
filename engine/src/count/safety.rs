//! Points that a player keeps whatever happens, as bounds for the solver.

use std::rc::Rc;

use super::{MixMap, facts::Slots, positions::PositionGraph};
use crate::{Board, Color, bitboard::Bitboard};

/// What one player is sure of in a position.
#[derive(Clone, Debug)]
pub(super) struct Safety {
    /// Number of points: unconditionally alive stones, and the regions they enclose all of whose points are next to them.
    pub(super) point_count: u32,
    /// The positions in which these stones stand, as slots of both players: see [`SafetyTable`].
    pub(super) with_stones: Rc<Slots>,
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
pub(super) struct SafetyTable {
    board: Board<1>,
    slots_per_position: usize,
    entries: Vec<Option<[Option<Safety>; 2]>>,
    with_stones: MixMap<(Color, Bitboard<1>), Rc<Slots>>,
}

impl SafetyTable {
    /// `board` gives size and suicide rule. Position `p` has the slots from `p * slots_per_position` on.
    pub(super) fn new(board: Board<1>, graph: &PositionGraph, slots_per_position: usize) -> Self {
        let entries = vec![None; graph.positions.len()];
        Self { board, slots_per_position, entries, with_stones: MixMap::default() }
    }

    /// What `color` is sure of; `None` without unconditionally alive stones.
    pub(super) fn of(&mut self, graph: &PositionGraph, position: u32, color: Color) -> Option<Safety> {
        let position = position as usize;
        if self.entries[position].is_none() {
            self.entries[position] = Some(Color::BOTH.map(|color| self.find(graph, position, color)));
        }
        self.entries[position].as_ref()?[color.index()].clone()
    }

    fn find(&mut self, graph: &PositionGraph, position: usize, color: Color) -> Option<Safety> {
        let [black, white] = graph.positions[position].stones;
        let board = &mut self.board;
        let stones = [(Color::Black, black), (Color::White, white)].map(|(color, set)| {
            let points: Vec<_> = board.points_of(set).collect();
            points.into_iter().map(move |point| (point, color))
        });
        board.set_position(stones.into_iter().flatten(), color).ok()?;
        let life = board.unconditional_life(color);
        let alive = board.set_of(life.stones());
        if alive.is_empty() {
            return None;
        }
        let geometry = board.geometry();
        let beside = geometry.adjacent(alive);
        let regions = geometry.parts(board.set_of(life.territory()));
        let kept = regions.filter(|region| region.without(beside).is_empty());
        let point_count = alive.count() + kept.map(|region| region.count()).sum::<u32>();
        Some(Safety { point_count, with_stones: self.with_stones(graph, color, alive) })
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
