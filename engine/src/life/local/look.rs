//! A look at a local game: are all stones of one colour safe without reading ahead, their owner moving second? And if not, how far are they from it?
//!
//! *Links*: two chains with two liberties in common are as good as one, as where the opponent takes one of the two the owner takes the other; so is a
//! chain with two liberties beside unconditionally alive stones outside. No point serves two links. An eye in which points of links lie must have all its points beside
//! the chain, so that it stays one whatever the links bring, and one point that no stone of the owner will take.
//!
//! # Source
//! Links: Martin Müller, *Playing it safe: recognizing secure territories in computer Go by using static rules and search*, Game Programming Workshop in
//! Japan (1997). Eyes: see [`eyes`](super::eyes).

use super::{
    Points, Stones, Terrain,
    eyes::{EyeSpace, EyeTable, EyeValue},
};
use crate::{Color, Suicide};

/// What is seen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Look {
    /// All are safe, which rests on these points.
    Safe(Points),
    /// Not all are seen to be safe. The smaller the number the nearer they are: a guess that orders moves.
    Distance(u32),
}

/// Chains that are as good as one.
#[derive(Clone, Copy)]
struct Group {
    stones: Points,
    near: Points,
    /// Whether it is connected to living stones outside.
    is_anchored: bool,
}

/// The chains of one colour, linked or not.
struct Groups {
    groups: Vec<Group>,
    /// For each link the two points of which the owner gets one.
    links: Vec<Points>,
}

/// A maximal connected set of points without stones of the owner, all around which are his.
struct Space {
    points: Points,
    around: Points,
}

impl Terrain {
    /// What there is to see of the stones of `color`.
    pub(super) fn look(&self, stones: Stones, color: Color, table: &mut EyeTable) -> Look {
        let mut groups = Groups::new(self, stones, color);
        let spaces = self.spaces(stones, color);
        let apart = self.assess(stones, color, &groups, &spaces, table);
        let Look::Distance(distance) = apart else { return apart };
        groups.link(self, stones, color);
        match self.assess(stones, color, &groups, &spaces, table) {
            Look::Distance(linked) => Look::Distance(distance + linked),
            safe => safe,
        }
    }

    /// The spaces that do not go on outside.
    fn spaces(&self, stones: Stones, color: Color) -> Vec<Space> {
        let (own, other) = (stones[color.index()], color.opponent().index());
        let is_closed = |points: &Points| points & self.beside[other] == 0;
        let to_space = |points| Space { points, around: self.adjacent(points) & own };
        self.parts(self.all & !own).filter(is_closed).map(to_space).collect()
    }

    fn assess(
        &self,
        stones: Stones,
        color: Color,
        groups: &Groups,
        spaces: &[Space],
        table: &mut EyeTable,
    ) -> Look {
        let beside = groups.groups.iter().fold(0, |all, group| all | group.near);
        let others = stones[color.opponent().index()];
        let mut distance: u32 = spaces
            .iter()
            .map(|space| 2 * (space.points & !beside).count_ones() + (space.points & others).count_ones())
            .sum();
        let mut rests_on = groups.links.iter().fold(0, |all, link| all | link);
        let mut is_safe = true;
        for group in groups.groups.iter().filter(|group| !group.is_anchored) {
            let values = spaces.iter().filter(|space| space.around & group.stones != 0).map(|space| {
                let value = self.value(stones, color, group, space, &groups.links, table);
                (value, space.points)
            });
            let (value, points) = enough(values);
            distance += 8 + 24 * (2 - value.second) - 8 * (value.first - value.second);
            is_safe &= value.second == 2;
            rests_on |= points;
        }
        if is_safe { Look::Safe(rests_on) } else { Look::Distance(distance) }
    }

    /// What a space is worth to a group beside it.
    fn value(
        &self,
        stones: Stones,
        color: Color,
        group: &Group,
        space: &Space,
        links: &[Points],
        table: &mut EyeTable,
    ) -> EyeValue {
        let points = space.points;
        let linked = links.iter().fold(0, |all, link| all | link & points);
        let others = stones[color.opponent().index()] & points;
        let is_alone = space.around & !group.stones == 0;
        if is_alone && linked == 0 && points.count_ones() <= Self::MOST_EYE_POINTS {
            return self.eye_value(EyeSpace { points, others, near: group.near & points }, table);
        }
        let must_touch = match self.suicide {
            Suicide::Forbidden if linked == 0 => points & !others,
            _ => points,
        };
        let stays_open = points & !linked != 0 || links.iter().any(|link| link & !points == 0);
        let eyes = u32::from(must_touch & !group.near == 0 && stays_open);
        EyeValue { second: eyes, first: eyes }
    }
}

/// The value of all spaces, and the points of as many as it takes.
fn enough(values: impl Iterator<Item = (EyeValue, Points)>) -> (EyeValue, Points) {
    let mut values: Vec<(EyeValue, Points)> = values.filter(|(value, _)| value.first > 0).collect();
    values.sort_by_key(|(value, points)| (std::cmp::Reverse(value.second), points.count_ones()));
    let sum = |count: usize| EyeValue::sum(values[..count].iter().map(|&(value, _)| value));
    let count = (0..values.len()).find(|&count| sum(count).second == 2).unwrap_or(values.len());
    (sum(count), values[..count].iter().fold(0, |all, (_, points)| all | points))
}

impl Groups {
    /// The chains.
    fn new(terrain: &Terrain, stones: Stones, color: Color) -> Self {
        let chains = terrain.parts(stones[color.index()]);
        let groups = chains.map(|chain| Group {
            stones: chain,
            near: terrain.adjacent(chain),
            is_anchored: terrain.is_anchored(color, chain),
        });
        Self { groups: groups.collect(), links: Vec::new() }
    }

    /// Links what can be linked.
    fn link(&mut self, terrain: &Terrain, stones: Stones, color: Color) {
        let mut free = terrain.empty(stones);
        while let Some((link, one, other)) = self.next_link(free, terrain.beside[color.index()]) {
            free &= !link;
            self.links.push(link);
            match other {
                None => self.groups[one].is_anchored = true,
                Some(other) => {
                    let Group { stones, near, is_anchored } = self.groups.swap_remove(one);
                    let group = &mut self.groups[other];
                    group.stones |= stones;
                    group.near |= near;
                    group.is_anchored |= is_anchored;
                }
            }
        }
    }

    /// Two free points that link a group to an earlier one, or to what lives outside.
    fn next_link(&self, free: Points, outside: Points) -> Option<(Points, usize, Option<usize>)> {
        (0..self.groups.len()).rev().find_map(|one| {
            let Group { near, is_anchored, .. } = self.groups[one];
            let to_outside = two_of(near & free & outside).filter(|_| !is_anchored);
            to_outside.map(|link| (link, one, None)).or_else(|| {
                (0..one).find_map(|other| {
                    let needs_no_link = is_anchored && self.groups[other].is_anchored;
                    let link = two_of(near & self.groups[other].near & free).filter(|_| !needs_no_link)?;
                    Some((link, one, Some(other)))
                })
            })
        })
    }
}

/// The first two points of a set that has two.
fn two_of(set: Points) -> Option<Points> {
    let rest = set & set.wrapping_sub(1);
    (rest != 0).then(|| set & set.wrapping_neg() | rest & rest.wrapping_neg())
}
