//! The moves of a proof.

use super::{End, Search, State, Stones, Terrain};
use crate::Color;

/// Whether a move may be shown after these.
pub(in crate::life::local) type Allowed<'a> = &'a dyn Fn(&[Option<usize>], usize) -> bool;

/// Not known.
const FAR: u32 = u32::MAX;

impl Search<'_> {
    /// A line that a search has proved to end so: the winner takes the shortest way, the other player the longest. `None` if nothing
    /// of the kind is proved. Passes are `None`. Where the other player may choose, he makes moves that are `allowed` after those before.
    pub(in crate::life::local) fn moves(
        &self,
        stones: Stones,
        first: Color,
        end: End,
        allowed: Allowed<'_>,
    ) -> Option<Vec<Option<usize>>> {
        let root = self.index.get(&State { stones, to_move: first, ban: None, gone: 0 })?;
        let mut number = *root as usize;
        let plies = self.plies_to(end, number);
        let mut moves = Vec::new();
        while plies[number] > 0 {
            if plies[number] == FAR {
                return None;
            }
            let children = self.nodes[number].children.as_ref()?.iter().map(|&child| child as usize);
            let next = if self.wins(number, end) {
                children.min_by_key(|&child| plies[child])
            } else {
                let is_allowed = |&child: &usize| {
                    self.move_between(number, child).is_none_or(|point| allowed(&moves, point))
                };
                // The first of the longest: a pass comes last.
                children.filter(is_allowed).min_by_key(|&child| u32::MAX - plies[child])
            }?;
            moves.push(self.move_between(number, next));
            number = next;
        }
        Some(moves)
    }

    /// Whether the player to move is the one who wants this end.
    fn wins(&self, number: usize, end: End) -> bool {
        (self.nodes[number].to_move == self.quest.hunter()) == (end == End::Reached)
    }

    /// In how many plies the end comes from each state, as far as is needed for the state `root`.
    fn plies_to(&self, end: End, root: usize) -> Vec<u32> {
        let mut plies: Vec<u32> =
            (0..self.nodes.len()).map(|number| if self.is_end(number, end) { 0 } else { FAR }).collect();
        for ply in 1.. {
            let mut found = Vec::new();
            for number in (0..plies.len()).filter(|&number| plies[number] == FAR) {
                let Some(children) = &self.nodes[number].children else { continue };
                let mut known = children.iter().map(|&child| plies[child as usize] != FAR);
                let comes =
                    if self.wins(number, end) { known.any(|known| known) } else { known.all(|known| known) };
                if comes {
                    found.push(number);
                }
            }
            if plies[root] != FAR || found.is_empty() {
                break;
            }
            found.into_iter().for_each(|number| plies[number] = ply);
        }
        plies
    }

    /// Whether it ends here: as is plain to see, or because the hunter has no move.
    fn is_end(&self, number: usize, end: End) -> bool {
        let node = &self.nodes[number];
        match &node.children {
            Some(children) => children.is_empty() && end == End::Prevented,
            None => self.quest.end(self.terrain, node.stones, node.to_move, node.gone) == Some(end),
        }
    }

    fn move_between(&self, number: usize, next: usize) -> Option<usize> {
        let (node, after) = (&self.nodes[number], self.nodes[next].stones);
        let leads_there = |&point: &usize| {
            self.terrain.play(node.stones, node.to_move, point).is_some_and(|play| play.stones == after)
        };
        Terrain::points(self.terrain.empty(node.stones)).find(leads_there)
    }
}
