//! Static safety: shows without reading ahead that all stones of one colour are safe, their owner moving second, or estimates how far
//! they are from it.
//!
//! *Links.* Two chains with two common liberties are as good as one: where the opponent takes one of the two points, the owner takes the
//! other. So is a chain with two liberties beside safe stones outside. No point serves two links. Until a link is played the chain has two
//! liberties there, so nothing has to be answered elsewhere. An eye space with points of links counts as an eye if all its points are
//! beside the group, so that what is left of it is an eye whatever the links bring, and if one of them stays free of the owner's stones.
//!
//! *Eyes.* Every group needs two eyes in closed spaces, by their [values](super::eyes).
//!
//! # Source
//! Links: Martin Müller, *Playing it safe: recognizing secure territories in computer Go by using static rules and search*, Game
//! Programming Workshop in Japan (1997).

use super::{
    eyes::{EyeSpace, EyeSum, EyeTable, EyeValue},
    local_board::{LocalBoard, Points, Space, Stones, WordBoard},
};
use crate::Color;

/// What static rules say about the stones of one colour: `Ok` with the points that the proof uses if all are safe, or else `Err` with an
/// estimate of how far they are from it, which orders moves.
pub(super) type Assessment = Result<Points, u32>;

/// Chains that are as good as one.
#[derive(Clone, Copy, Debug)]
struct Group {
    stones: Points,
    near: Points,
    /// Whether the group is connected to safe stones outside.
    is_anchored: bool,
}

/// Assesses the stones of one colour. Keeps the eye values from one position to the next.
pub(super) struct StaticSafety<'a> {
    board: &'a LocalBoard,
    owner: Color,
    eyes: EyeTable,
    groups: Vec<Group>,
    /// For each link its two points, of which the owner gets one.
    links: Vec<Points>,
    spaces: Vec<Space>,
    /// The values to one group of the spaces beside it, with their points.
    values: Vec<(EyeValue, Points)>,
}

impl<'a> StaticSafety<'a> {
    pub(super) fn new(board: &'a LocalBoard, owner: Color) -> Self {
        let eyes = EyeTable::default();
        let (groups, links, spaces, values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { board, owner, eyes, groups, links, spaces, values }
    }

    /// Assesses a position, first without links and then with all that can be made.
    pub(super) fn assess(&mut self, stones: Stones) -> Assessment {
        self.find_groups(stones);
        self.spaces.clear();
        self.spaces.extend(self.board.spaces(stones, self.owner));
        let apart = self.assess_groups(stones);
        apart.or_else(|distance| {
            self.link(stones);
            self.assess_groups(stones).map_err(|linked| distance + linked)
        })
    }

    fn find_groups(&mut self, stones: Stones) {
        let (board, owner) = (self.board, self.owner);
        let to_group = |chain| Group {
            stones: chain,
            near: board.adjacent(chain),
            is_anchored: board.is_anchored(owner, chain),
        };
        self.groups.clear();
        self.groups.extend(board.parts(stones[owner.index()]).map(to_group));
        self.links.clear();
    }

    fn assess_groups(&mut self, stones: Stones) -> Assessment {
        let beside = self.groups.iter().fold(0, |all, group| all | group.near);
        let others = stones[self.owner.opponent().index()];
        let distance = |points: Points| 2 * (points & !beside).count_ones() + (points & others).count_ones();
        let mut distance: u32 = self.spaces.iter().map(|space| distance(space.points)).sum();
        let mut used = self.links.iter().fold(0, |all, link| all | link);
        let mut is_safe = true;
        for place in 0..self.groups.len() {
            let group = self.groups[place];
            if group.is_anchored {
                continue;
            }
            let (value, points) = self.eyes_of(stones, group);
            distance += 8 + 24 * (2 - value.second) - 8 * (value.first - value.second);
            is_safe &= value.second == 2;
            used |= points;
        }
        if is_safe { Ok(used) } else { Err(distance) }
    }

    /// Returns the eyes of a group, and the points of as many spaces as two eyes need, or of all.
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

    /// Returns the value of a space to a group beside it.
    fn value(&mut self, stones: Stones, group: Group, space: Space) -> EyeValue {
        let points = space.points;
        let linked = self.links.iter().fold(0, |all, link| all | link & points);
        let others = stones[self.owner.opponent().index()] & points;
        let is_alone = space.around & !group.stones == 0;
        if is_alone && linked == 0 && points.count_ones() <= LocalBoard::MAX_EYE_POINTS {
            let space = EyeSpace { points, others, near: group.near & points };
            return self.board.eye_value(space, &mut self.eyes);
        }
        let must_touch = if linked == 0 { self.board.must_touch(points, others) } else { points };
        let stays_open = points & !linked != 0 || self.links.iter().any(|link| link & !points == 0);
        let eyes = u32::from(must_touch & !group.near == 0 && stays_open);
        EyeValue { second: eyes, first: eyes }
    }

    /// Makes all links that are possible.
    fn link(&mut self, stones: Stones) {
        let mut free = self.board.empty(stones);
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

    /// Returns two free points that link a group, and the earlier group that they link it to, or `None` for safe stones outside.
    fn next_link(&self, free: Points) -> Option<(Points, usize, Option<usize>)> {
        let outside = self.board.beside_safe[self.owner.index()];
        (0..self.groups.len()).rev().find_map(|one| {
            let Group { near, is_anchored, .. } = self.groups[one];
            let to_outside = first_two(near & free & outside).filter(|_| !is_anchored);
            to_outside.map(|link| (link, one, None)).or_else(|| {
                (0..one).find_map(|other| {
                    let needs_no_link = is_anchored && self.groups[other].is_anchored;
                    let link = first_two(near & self.groups[other].near & free).filter(|_| !needs_no_link)?;
                    Some((link, one, Some(other)))
                })
            })
        })
    }
}

/// Returns the first two points of a set, if it has two.
fn first_two(set: Points) -> Option<Points> {
    let rest = set & set.wrapping_sub(1);
    (rest != 0).then(|| set & set.wrapping_neg() | rest & rest.wrapping_neg())
}
