//! The statuses of the chains of a local game.

use super::{
    Points, Stones, Terrain,
    graph::{Bans, Graph, TooLarge},
    quest::{End, Goal, Quest},
    search::Search,
    seki,
};
use crate::{Color, Ko, life::Status};

/// Visits of a search before all states are listed: most questions are answered by then.
const FIRST_VISITS: usize = 1_000;
/// How many limits may be spent on a part of 16 points or fewer; on larger ones less, as each visit costs more.
const LIMITS: usize = 16;

/// States that may still be looked at.
pub(super) struct Budget {
    /// For one question.
    limit: usize,
    /// For all.
    left: usize,
}

impl Budget {
    fn new(limit: usize, points: usize) -> Self {
        Self { limit, left: LIMITS * limit * 16 / points.max(16) }
    }

    /// For the next step of a question, at most `most`.
    fn visits(&self, most: usize) -> usize {
        most.min(self.limit).min(self.left)
    }

    fn spend(&mut self, visits: usize) {
        self.left -= visits.min(self.left);
    }
}

/// What becomes of a chain once somebody has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Saved,
    Ko,
    Captured,
}

/// A chain and what is known about it.
pub(super) struct Judged {
    pub(super) color: Color,
    pub(super) stones: Points,
    pub(super) status: Status,
}

/// The status of every chain, with a point of each.
pub(super) fn statuses(terrain: &Terrain, stones: Stones, ko: Ko, limit: usize) -> Vec<(Points, Status)> {
    let chains = Color::BOTH.into_iter().flat_map(|color| {
        terrain.parts(stones[color.index()]).map(move |chain| (color, chain)).collect::<Vec<_>>()
    });
    let mut budget = Budget::new(limit, terrain.near.len());
    let mut judged: Vec<Judged> = chains
        .map(|(color, chain)| Judged {
            color,
            stones: chain,
            status: status(terrain, stones, color, chain, ko, &mut budget).unwrap_or(Status::Unknown),
        })
        .collect();
    seki::find(terrain, stones, &mut budget, &mut judged);
    judged.into_iter().map(|chain| (chain.stones, chain.status)).collect()
}

/// The status without regard to seki.
fn status(
    terrain: &Terrain,
    stones: Stones,
    color: Color,
    chain: Points,
    ko: Ko,
    budget: &mut Budget,
) -> Result<Status, TooLarge> {
    let point = chain.trailing_zeros() as usize;
    if terrain.are_unconditionally_alive(stones, color, chain) {
        return Ok(Status::Alive);
    }
    let quest = Quest { goal: Goal::Capture, owner: color, point };
    let fates = fates(terrain, stones, quest, ko, budget)?;
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
    budget: &mut Budget,
) -> Result<[Fate; 2], TooLarge> {
    let mut search = Search::new(terrain, quest);
    let mut searched = |most, budget: &mut Budget| {
        let ends = [quest.hunter(), quest.owner].map(|first| {
            let (end, visits) = search.end(stones, first, budget.visits(most));
            budget.spend(visits);
            end
        });
        let [Some(attacked), Some(defended)] = ends else { return None };
        Some([attacked, defended].map(|end| match end {
            End::Reached => Fate::Captured,
            End::Prevented => Fate::Saved,
        }))
    };
    if let Some(fates) = searched(FIRST_VISITS, budget) {
        return Ok(fates);
    }
    let players = [quest.owner, quest.hunter()];
    let Ok(graph) = graph(terrain, quest, Bans::None, stones, &players, budget) else {
        return searched(usize::MAX, budget).ok_or(TooLarge);
    };
    let reached = graph.reached();
    let in_graph = |graph: &Graph, holds: &[bool]| {
        [quest.hunter(), quest.owner].map(|first| holds[graph.state(stones, first)])
    };
    let captured = in_graph(&graph, &reached);
    let saved = match ko {
        Ko::Simple if !graph.has_ko() => captured.map(|captured| !captured),
        Ko::Simple => {
            let graph = self::graph(terrain, quest, Bans::OnOpponent, stones, &players, budget)?;
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

/// Whether the hunter reaches his goal when this player moves first, both playing any ko at once. Of the other player only finitely many stones
/// are asked where the goal may slip away again.
pub(super) fn is_reached(
    terrain: &Terrain,
    stones: Stones,
    quest: Quest,
    first: Color,
    budget: &mut Budget,
) -> Result<bool, TooLarge> {
    let mut search = Search::new(terrain, quest);
    let mut searched = |most, budget: &mut Budget| {
        let (end, visits) = search.end(stones, first, budget.visits(most));
        budget.spend(visits);
        end.map(|end| end == End::Reached)
    };
    if let Some(is_reached) = searched(FIRST_VISITS, budget) {
        return Ok(is_reached);
    }
    match graph(terrain, quest, Bans::None, stones, &[first], budget) {
        // The first state is that of the position.
        Ok(graph) => Ok(match quest.goal {
            Goal::Capture | Goal::Life => graph.reached()[0],
            Goal::Profit(_) => !graph.prevented_finitely(&graph.ended())[0],
        }),
        Err(TooLarge) => searched(usize::MAX, budget).ok_or(TooLarge),
    }
}

/// All states from the position with each of these players to move.
fn graph(
    terrain: &Terrain,
    quest: Quest,
    bans: Bans,
    stones: Stones,
    first: &[Color],
    budget: &mut Budget,
) -> Result<Graph, TooLarge> {
    let limit = budget.visits(usize::MAX);
    let graph = Graph::new(terrain, quest, bans, stones, first, limit);
    budget.spend(graph.as_ref().map_or(limit, Graph::len));
    graph
}
