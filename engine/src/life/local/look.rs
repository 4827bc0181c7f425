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
    eyes::{EyeSpace, EyeSum, EyeTable, EyeValue},
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

impl Look {
    /// The points on which it rests that all are safe, if they are.
    pub(super) fn safe(self) -> Option<Points> {
        match self {
            Self::Safe(points) => Some(points),
            Self::Distance(_) => None,
        }
    }

    /// How far they are from it.
    pub(super) fn distance(self) -> u32 {
        match self {
            Self::Safe(_) => 0,
            Self::Distance(distance) => distance,
        }
    }
}

/// Chains that are as good as one.
#[derive(Clone, Copy, Debug)]
struct Group {
    stones: Points,
    near: Points,
    /// Whether it is connected to living stones outside.
    is_anchored: bool,
}

/// A maximal connected set of points without stones of the owner, all around which are his.
#[derive(Clone, Copy, Debug)]
struct Space {
    points: Points,
    around: Points,
}

/// Looks at the stones of one colour.
pub(super) struct Looker<'a> {
    terrain: &'a Terrain,
    owner: Color,
    eyes: EyeTable,
    groups: Vec<Group>,
    /// For each link the two points of which the owner gets one.
    links: Vec<Points>,
    spaces: Vec<Space>,
    /// What the spaces beside a group are worth to it.
    values: Vec<(EyeValue, Points)>,
}

impl<'a> Looker<'a> {
    pub(super) fn new(terrain: &'a Terrain, owner: Color) -> Self {
        let eyes = EyeTable::default();
        let (groups, links, spaces, values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { terrain, owner, eyes, groups, links, spaces, values }
    }

    /// What there is to see.
    pub(super) fn look(&mut self, stones: Stones) -> Look {
        self.find_groups(stones);
        self.find_spaces(stones);
        let apart = self.assess(stones);
        let Look::Distance(distance) = apart else { return apart };
        self.link(stones);
        match self.assess(stones) {
            Look::Distance(linked) => Look::Distance(distance + linked),
            safe => safe,
        }
    }

    fn find_groups(&mut self, stones: Stones) {
        let (terrain, owner) = (self.terrain, self.owner);
        let to_group = |chain| Group {
            stones: chain,
            near: terrain.adjacent(chain),
            is_anchored: terrain.is_anchored(owner, chain),
        };
        self.groups.clear();
        self.groups.extend(terrain.parts(stones[owner.index()]).map(to_group));
        self.links.clear();
    }

    /// Finds the spaces that do not go on outside.
    fn find_spaces(&mut self, stones: Stones) {
        let terrain = self.terrain;
        let (own, other) = (stones[self.owner.index()], self.owner.opponent().index());
        let is_closed = |points: &Points| points & terrain.beside[other] == 0;
        let to_space = |points| Space { points, around: terrain.adjacent(points) & own };
        self.spaces.clear();
        self.spaces.extend(terrain.parts(terrain.all & !own).filter(is_closed).map(to_space));
    }

    fn assess(&mut self, stones: Stones) -> Look {
        let beside = self.groups.iter().fold(0, |all, group| all | group.near);
        let others = stones[self.owner.opponent().index()];
        let distance = |points: Points| 2 * (points & !beside).count_ones() + (points & others).count_ones();
        let mut distance: u32 = self.spaces.iter().map(|space| distance(space.points)).sum();
        let mut rests_on = self.links.iter().fold(0, |all, link| all | link);
        let mut is_safe = true;
        for place in 0..self.groups.len() {
            let group = self.groups[place];
            if group.is_anchored {
                continue;
            }
            let (value, points) = self.eyes_of(stones, group);
            distance += 8 + 24 * (2 - value.second) - 8 * (value.first - value.second);
            is_safe &= value.second == 2;
            rests_on |= points;
        }
        if is_safe { Look::Safe(rests_on) } else { Look::Distance(distance) }
    }

    /// The eyes of a group, and the points of as many spaces as it takes for two, or of all.
    fn eyes_of(&mut self, stones: Stones, group: Group) -> (EyeValue, Points) {
        self.values.clear();
        for place in 0..self.spaces.len() {
            let space = self.spaces[place];
            if space.around & group.stones != 0 {
                let value = self.value(stones, group, space);
                if value.first > 0 {
                    self.values.push((value, space.points));
                }
            }
        }
        self.values.sort_by_key(|(value, points)| (std::cmp::Reverse(value.second), points.count_ones()));
        let (mut eyes, mut points) = (EyeValue::default(), 0);
        let mut sum = EyeSum::default();
        for &(value, space) in &self.values {
            if eyes.second == 2 {
                break;
            }
            sum.add(value);
            (eyes, points) = (sum.value(), points | space);
        }
        (eyes, points)
    }

    /// What a space is worth to a group beside it.
    fn value(&mut self, stones: Stones, group: Group, space: Space) -> EyeValue {
        let points = space.points;
        let linked = self.links.iter().fold(0, |all, link| all | link & points);
        let others = stones[self.owner.opponent().index()] & points;
        let is_alone = space.around & !group.stones == 0;
        if is_alone && linked == 0 && points.count_ones() <= Terrain::MAX_EYE_POINTS {
            let space = EyeSpace { points, others, near: group.near & points };
            return self.terrain.eye_value(space, &mut self.eyes);
        }
        let must_touch = match self.terrain.suicide {
            Suicide::Forbidden if linked == 0 => points & !others,
            _ => points,
        };
        let stays_open = points & !linked != 0 || self.links.iter().any(|link| link & !points == 0);
        let eyes = u32::from(must_touch & !group.near == 0 && stays_open);
        EyeValue { second: eyes, first: eyes }
    }

    /// Links what can be linked.
    fn link(&mut self, stones: Stones) {
        let mut free = self.terrain.empty(stones);
        while let Some((link, one, other)) = self.next_link(free) {
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
    fn next_link(&self, free: Points) -> Option<(Points, usize, Option<usize>)> {
        let outside = self.terrain.beside[self.owner.index()];
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
