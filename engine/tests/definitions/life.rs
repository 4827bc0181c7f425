//! Unconditional life by its definition, word by word.
//!
//! Several test crates include this file by its path; each uses a part of it.
#![allow(dead_code)]

use jigo_engine::{
    BoardSize, Color, Point, Suicide,
    reference::{Colouring, connected, neighbours},
};

/// The result that [`Position::unconditional_life`](jigo_engine::Position::unconditional_life) must find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReferenceLife {
    /// The unconditionally alive chains, each as its points in row-major order.
    pub(crate) chains: Vec<Vec<Point>>,
    /// The unconditional territory, in row-major order.
    pub(crate) territory: Vec<Point>,
}

/// Returns the unconditional life of `owner`, following the definition word by word.
///
/// Cost: chains × regions × points², repeated at most once for each chain.
pub(crate) fn unconditional_life(
    size: BoardSize,
    colouring: &Colouring,
    owner: Color,
    suicide: Suicide,
) -> ReferenceLife {
    // Only the owner's stones and the rest, so that a region is what is connected.
    let walls: Colouring = colouring.iter().map(|&stone| stone.filter(|&stone| stone == owner)).collect();
    let (mut chains, regions): (Vec<_>, Vec<_>) = parts(size, &walls)
        .into_iter()
        .partition(|part| part.iter().any(|point| walls[point.index(size)] == Some(owner)));
    let touches = |chain: &[Point], point: &Point| neighbours(size, *point).any(|near| chain.contains(&near));
    let is_enclosed = |region: &[Point], chains: &[Vec<Point>]| {
        let mut near = region.iter().flat_map(|&point| neighbours(size, point));
        !chains.is_empty()
            && near.all(|near| region.contains(&near) || chains.iter().any(|chain| chain.contains(&near)))
    };
    let is_vital = |region: &[Point], chain: &[Point]| {
        let counts = |point: &&Point| suicide == Suicide::Allowed || colouring[point.index(size)].is_none();
        region.iter().any(|point| touches(chain, point))
            && region.iter().filter(counts).all(|point| touches(chain, point))
    };
    loop {
        let enclosed: Vec<_> = regions.iter().filter(|region| is_enclosed(region, &chains)).collect();
        let vital = |chain: &[Point]| enclosed.iter().filter(|region| is_vital(region, chain)).count();
        let alive: Vec<_> = chains.iter().filter(|chain| vital(chain) >= 2).cloned().collect();
        if alive.len() == chains.len() {
            let is_outside = |point: &&Point| !chains.iter().any(|chain| touches(chain, point));
            let is_territory = |region: &&&Vec<Point>| region.iter().filter(is_outside).count() <= 1;
            let mut territory: Vec<Point> =
                enclosed.iter().filter(is_territory).flat_map(|region| region.iter().copied()).collect();
            territory.sort_by_key(|point| point.index(size));
            return ReferenceLife { chains, territory };
        }
        chains = alive;
    }
}

/// Returns the connected parts of one colour or of empty points, ordered by their first points in row-major order.
fn parts(size: BoardSize, colouring: &Colouring) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    for point in size.points() {
        if !parts.iter().any(|part| part.contains(&point)) {
            let mut part = connected(size, colouring, point);
            part.sort_by_key(|point| point.index(size));
            parts.push(part);
        }
    }
    parts
}
