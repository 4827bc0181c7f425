//! The statuses of the chains of a local game.

use super::{
    Points, Stones, Terrain,
    graph::{Bans, Graph, TooLarge},
    quest::{End, Goal, Quest},
    search::Search,
};
use crate::{Color, Ko, life::Status};

/// Visits of a search before all states are listed: most questions are answered by then.
const FIRST_VISITS: usize = 1_000;

/// What becomes of a chain once somebody has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Saved,
    Ko,
    Captured,
}

/// A chain and what is known about it.
struct Judged {
    color: Color,
    stones: Points,
    status: Status,
    /// Whether its owner can make it unconditionally alive if he moves next, if that is known; only for chains that may be in seki.
    can_live: Option<bool>,
}

/// The status of every chain, with a point of each.
pub(super) fn statuses(terrain: &Terrain, stones: Stones, ko: Ko, limit: usize) -> Vec<(Points, Status)> {
    let chains = Color::BOTH.into_iter().flat_map(|color| {
        terrain.parts(stones[color.index()]).map(move |chain| (color, chain)).collect::<Vec<_>>()
    });
    let mut judged: Vec<Judged> = chains
        .map(|(color, chain)| Judged {
            color,
            stones: chain,
            status: status(terrain, stones, color, chain, ko, limit).unwrap_or(Status::Unknown),
            can_live: Some(true),
        })
        .collect();
    find_seki(terrain, stones, limit, &mut judged);
    judged.into_iter().map(|chain| (chain.stones, chain.status)).collect()
}

/// The status without regard to seki.
fn status(
    terrain: &Terrain,
    stones: Stones,
    color: Color,
    chain: Points,
    ko: Ko,
    limit: usize,
) -> Result<Status, TooLarge> {
    let point = chain.trailing_zeros() as usize;
    if terrain.is_unconditionally_alive(stones, color, point) {
        return Ok(Status::Alive);
    }
    let quest = Quest { goal: Goal::Capture, owner: color, point };
    let fates = fates(terrain, stones, quest, ko, limit)?;
    Ok(match fates {
        [Fate::Saved, _] => Status::Alive,
        [Fate::Captured, Fate::Captured] => Status::Dead,
        [Fate::Captured, Fate::Saved] => Status::Unsettled,
        _ => Status::Ko,
    })
}

/// What becomes of the chain if its opponent moves next, and if its owner does.
fn fates(
    terrain: &Terrain,
    stones: Stones,
    quest: Quest,
    ko: Ko,
    limit: usize,
) -> Result<[Fate; 2], TooLarge> {
    let mut search = Search::new(terrain, quest);
    let mut search_all = |visits| {
        let ends = [quest.hunter(), quest.owner].map(|first| search.end(stones, first, visits));
        let [Some(attacked), Some(defended)] = ends else { return None };
        Some([attacked, defended].map(|end| match end {
            End::Reached => Fate::Captured,
            End::Prevented => Fate::Saved,
        }))
    };
    if let Some(fates) = search_all(FIRST_VISITS) {
        return Ok(fates);
    }
    let graph = match Graph::new(terrain, quest, Bans::None, stones, quest.owner, limit) {
        Ok(graph) => graph,
        Err(TooLarge) => return search_all(limit).ok_or(TooLarge),
    };
    let reached = graph.reached();
    let in_graph = |graph: &Graph, holds: &[bool]| {
        [quest.hunter(), quest.owner]
            .map(|first| graph.state(stones, first).is_some_and(|state| holds[state]))
    };
    let captured = in_graph(&graph, &reached);
    let saved = match ko {
        Ko::Simple if !graph.has_ko() => captured.map(|captured| !captured),
        Ko::Simple => {
            let graph = Graph::new(terrain, quest, Bans::OnOpponent, stones, quest.owner, limit)?;
            in_graph(&graph, &graph.reached()).map(|captured| !captured)
        }
        Ko::PositionalSuperko | Ko::SituationalSuperko => {
            in_graph(&graph, &graph.prevented_finitely(&reached))
        }
    };
    Ok([0, 1].map(|first| match (captured[first], saved[first]) {
        (true, _) => Fate::Captured,
        (false, true) => Fate::Saved,
        (false, false) => Fate::Ko,
    }))
}

/// Tells seki from life: a chain is in seki when it cannot be made unconditionally alive and a chain of the opponent beside it, alive as
/// well, cannot either.
fn find_seki(terrain: &Terrain, stones: Stones, limit: usize, chains: &mut [Judged]) {
    let empty = terrain.empty(stones);
    let around = |chain: &Judged| {
        let near = terrain.adjacent(chain.stones);
        near | terrain.adjacent(near & empty)
    };
    let are_beside =
        |one: &Judged, other: &Judged| one.color != other.color && around(one) & other.stones != 0;
    let is_alive = |chain: &Judged| chain.status == Status::Alive;
    let candidates: Vec<usize> = (0..chains.len())
        .filter(|&one| {
            is_alive(&chains[one])
                && chains.iter().any(|other| is_alive(other) && are_beside(&chains[one], other))
        })
        .collect();
    for &number in &candidates {
        let Judged { color, stones: chain, .. } = chains[number];
        let quest = Quest { goal: Goal::Life, owner: color, point: chain.trailing_zeros() as usize };
        chains[number].can_live = can_live(terrain, stones, quest, limit).ok();
    }
    // Beside the chain there may be an opponent's chain that is alive and cannot be made unconditionally so.
    let is_opposed_by = |one: &Judged, can_live: &[Option<bool>]| {
        let mut others = chains.iter().filter(|other| is_alive(other) && are_beside(one, other));
        others.any(|other| can_live.contains(&other.can_live))
    };
    let found = candidates.into_iter().map(|number| {
        let chain = &chains[number];
        let status = match chain.can_live {
            Some(true) => Status::Alive,
            Some(false) if is_opposed_by(chain, &[Some(false)]) => Status::Seki,
            _ if is_opposed_by(chain, &[Some(false), None]) => Status::Unknown,
            _ => Status::Alive,
        };
        (number, status)
    });
    for (number, status) in found.collect::<Vec<_>>() {
        chains[number].status = status;
    }
}

/// Whether the owner, moving next, reaches unconditional life.
fn can_live(terrain: &Terrain, stones: Stones, quest: Quest, limit: usize) -> Result<bool, TooLarge> {
    let mut search = Search::new(terrain, quest);
    if let Some(end) = search.end(stones, quest.owner, FIRST_VISITS) {
        return Ok(end == End::Reached);
    }
    match Graph::new(terrain, quest, Bans::None, stones, quest.owner, limit) {
        // The first state is that of the position.
        Ok(graph) => Ok(graph.reached()[0]),
        Err(TooLarge) => {
            search.end(stones, quest.owner, limit).map(|end| end == End::Reached).ok_or(TooLarge)
        }
    }
}
