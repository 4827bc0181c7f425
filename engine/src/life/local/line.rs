//! Lines of play that show what becomes of a chain.

use super::{
    Part, Stones, Terrain,
    quest::{End, Quest},
    search::{Allowed, Search},
};
use crate::{
    Color, Suicide,
    life::{LineEnd, Question},
};

/// A line in a part: who plays, and on which of its points; `None` for a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartLine {
    pub(crate) moves: Vec<(Color, Option<usize>)>,
    pub(crate) end: LineEnd,
    pub(crate) visits: usize,
}

impl Part {
    /// The line that answers a question about the chain on a point, if a search finds the answer within so many visits.
    pub(crate) fn line(
        &self,
        at: usize,
        question: Question,
        first: Color,
        suicide: Suicide,
        limit: usize,
    ) -> Option<PartLine> {
        let (form, numbers) = self.canonical();
        let (terrain, stones) = form.game(suicide);
        let (owner, point) = (self.points[at].stone?, numbers[at]);
        // The form may have exchanged the colours.
        let is_swapped = stones[owner.index()] >> point & 1 == 0;
        let in_form = |color: Color| if is_swapped { color.opponent() } else { color };
        let quest = Quest { goal: question.goal(), owner: in_form(owner), point };
        let line = line(Search::new(&terrain, quest), stones, in_form(first), limit, &|_, _| true)?;
        let in_part = |number: usize| numbers.iter().position(|&other| other == number);
        let moves = line.moves.into_iter().map(|(color, mv)| (in_form(color), mv.and_then(in_part)));
        Some(PartLine { moves: moves.collect(), ..line })
    }
}

/// The line in the terrain that this search finds. Who does not get what he wants makes moves that are `allowed`.
pub(super) fn line(
    mut search: Search<'_>,
    mut stones: Stones,
    first: Color,
    limit: usize,
    allowed: Allowed<'_>,
) -> Option<PartLine> {
    let (terrain, quest) = (search.terrain(), search.quest());
    let (end, visits) = search.end(stones, first, limit);
    let end = end?;
    let mut moves = Vec::new();
    let mut mover = first;
    let mut play = |stones: &mut Stones, mover: &mut Color, mv: Option<usize>| {
        if let Some(point) = mv {
            *stones = terrain.play(*stones, *mover, point).expect("a legal move").stones;
        }
        moves.push((*mover, mv));
        *mover = mover.opponent();
    };
    for mv in search.moves(stones, first, end, allowed)? {
        play(&mut stones, &mut mover, mv);
    }
    for mv in plain_to_see(terrain, stones, quest, mover) {
        play(&mut stones, &mut mover, mv);
    }
    let end = if stones[quest.owner.index()] >> quest.point & 1 == 0 {
        LineEnd::Captured
    } else if quest.end(terrain, stones, mover, 0).is_some() {
        LineEnd::Alive
    } else {
        LineEnd::NoMove
    };
    Some(PartLine { moves, end, visits })
}

/// The moves that a search need not look at: the capture of a chain in atari, and the last connection to unconditionally alive stones.
fn plain_to_see(terrain: &Terrain, stones: Stones, quest: Quest, to_move: Color) -> Vec<Option<usize>> {
    let owner = quest.owner;
    let chain = terrain.connected(stones[owner.index()], 1 << quest.point);
    let liberties = terrain.adjacent(chain) & terrain.empty(stones);
    let end = quest.end(terrain, stones, to_move, 0);
    if chain == 0 || end.is_none() || terrain.is_anchored(owner, chain) {
        return Vec::new();
    }
    if end == Some(End::Reached) && quest.hunter() != owner {
        return vec![Some(liberties.trailing_zeros() as usize)];
    }
    if terrain.are_unconditionally_alive(stones, owner, chain) {
        return Vec::new();
    }
    let mut connections: Vec<usize> = Terrain::points(liberties & terrain.beside[owner.index()]).collect();
    if to_move == owner {
        return vec![Some(connections[0])];
    }
    // The opponent takes one of two, if he may.
    let is_legal = |&point: &usize| terrain.play(stones, to_move, point).is_some();
    let block = connections.iter().position(is_legal).map(|place| connections.remove(place));
    vec![block, Some(connections[0])]
}
