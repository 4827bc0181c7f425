//! The statuses of chains by their definitions alone: tables over all positions that can arise, filled until nothing changes.

use std::collections::HashMap;

use super::{Colouring, ReferenceGame, connected, neighbours};
use crate::{BoardSize, Color, Ko, Move, Point, Rules, Status, Suicide};

/// All positions to which moves in a part of a board lead, and the moves between them. Ko forbids none of them here.
///
/// Where the stones around the part cannot be captured, moves elsewhere are passes, and what is found holds on the whole board. The
/// definitions are in `docs/status.md`.
#[derive(Clone, Debug)]
pub struct ReferenceStatus {
    size: BoardSize,
    /// The first one is that which is asked about.
    positions: Vec<Colouring>,
    /// For each position and mover (Black, White) the positions after one move.
    next: Vec<[Vec<usize>; 2]>,
}

/// A truth for each position, with Black and with White to move.
type Table = Vec<[bool; 2]>;

impl ReferenceStatus {
    /// All positions that arise from `start` by moves on the points of `part`; `None` where they are more than `limit`.
    #[must_use]
    pub fn new(
        size: BoardSize,
        suicide: Suicide,
        start: Colouring,
        part: &[Point],
        limit: usize,
    ) -> Option<Self> {
        let rules = Rules { ko: Ko::Simple, suicide, ..Rules::TROMP_TAYLOR };
        let mut index = HashMap::from([(start.clone(), 0)]);
        let mut positions = vec![start];
        let mut next: Vec<[Vec<usize>; 2]> = Vec::new();
        while next.len() < positions.len() {
            let mut after = [Vec::new(), Vec::new()];
            for mover in Color::BOTH {
                let game = ReferenceGame::from_position(size, rules, positions[next.len()].clone(), mover);
                for &point in part {
                    let mut played = game.clone();
                    if played.play(Move::Play(point)).is_err() {
                        continue;
                    }
                    let number = *index.entry(played.colouring().clone()).or_insert(positions.len());
                    if number == positions.len() {
                        positions.push(played.colouring().clone());
                    }
                    after[mover.index()].push(number);
                }
            }
            next.push(after);
            if positions.len() > limit {
                return None;
            }
        }
        Some(Self { size, positions, next })
    }

    /// Number of positions.
    #[must_use]
    pub fn position_count(&self) -> usize {
        self.positions.len()
    }

    /// The status of the chain on `point` in the first position.
    ///
    /// # Panics
    /// When there is no stone.
    #[must_use]
    pub fn status(&self, point: Point, ko: Ko) -> Status {
        let status = self.status_but_seki(point, ko);
        let is_stuck = |point| self.status_but_seki(point, ko) == Status::Alive && !self.can_live(point);
        if status == Status::Alive
            && !self.can_live(point)
            && self.opponents_beside(point).into_iter().any(is_stuck)
        {
            return Status::Seki;
        }
        status
    }

    fn owner(&self, point: Point) -> Color {
        self.positions[0][point.index(self.size)].expect("a stone is asked about")
    }

    fn status_but_seki(&self, point: Point, ko: Ko) -> Status {
        let owner = self.owner(point);
        let gone = self.gone(point, owner);
        let captured = self.reach(owner.opponent(), &gone, &self.table(|_| false))[0];
        let saved = match ko {
            Ko::Simple => self.saved_under_simple_ko(owner, &gone)[0],
            Ko::PositionalSuperko | Ko::SituationalSuperko => {
                self.saved_by_finitely_many_stones(owner, &gone)[0]
            }
        };
        let fate = |first: Color| (captured[first.index()], saved[first.index()]);
        match (fate(owner.opponent()), fate(owner)) {
            ((false, true), _) => Status::Alive,
            ((true, false), (true, false)) => Status::Dead,
            ((true, false), (false, true)) => Status::Unsettled,
            _ => Status::Ko,
        }
    }

    /// A stone of each chain of the opponent that touches the chain on a point or shares a liberty with it.
    fn opponents_beside(&self, point: Point) -> Vec<Point> {
        let (position, owner) = (&self.positions[0], self.owner(point));
        let stone = |point: &Point| position[point.index(self.size)];
        let near = |points: &[Point]| -> Vec<Point> {
            points.iter().flat_map(|&point| neighbours(self.size, point)).collect()
        };
        let touching = near(&connected(self.size, position, point));
        let liberties: Vec<Point> = touching.iter().copied().filter(|point| stone(point).is_none()).collect();
        let mut found: Vec<Point> = Vec::new();
        for other in touching.into_iter().chain(near(&liberties)) {
            let chain = connected(self.size, position, other);
            if stone(&other) == Some(owner.opponent()) && !chain.iter().any(|point| found.contains(point)) {
                found.push(other);
            }
        }
        found
    }

    fn table(&self, is_true: impl Fn(usize) -> bool) -> Table {
        (0..self.positions.len()).map(|number| [is_true(number); 2]).collect()
    }

    /// Where the stone is captured.
    fn gone(&self, point: Point, owner: Color) -> Table {
        self.table(|number| self.positions[number][point.index(self.size)] != Some(owner))
    }

    /// Repeats a step over all positions until it changes nothing.
    fn until_stable(&self, mut step: impl FnMut(usize) -> bool) {
        loop {
            let mut changed = false;
            for number in (0..self.positions.len()).rev() {
                changed |= step(number);
            }
            if !changed {
                return;
            }
        }
    }

    /// Where `hunter` reaches a goal in finitely many plies, both players free of any ban.
    fn reach(&self, hunter: Color, goal: &Table, lost: &Table) -> Table {
        let (own, other) = (hunter.index(), hunter.opponent().index());
        let mut reached = goal.clone();
        self.until_stable(|number| {
            if lost[number][0] {
                return false;
            }
            let (next, before) = (&self.next[number], reached[number]);
            reached[number][own] |=
                reached[number][other] || next[own].iter().any(|&next| reached[next][other]);
            reached[number][other] |=
                reached[number][own] && next[other].iter().all(|&next| reached[next][own]);
            reached[number] != before
        });
        reached
    }

    /// The opponent is free of bans; the owner may not bring the position before the opponent's last move back.
    fn saved_under_simple_ko(&self, owner: Color, gone: &Table) -> Table {
        let (own, other) = (owner.index(), owner.opponent().index());
        let mut lost = gone.clone();
        // For each position and each move of the opponent from there: whether the owner is lost after it.
        let mut lost_after: Vec<Vec<bool>> = (0..self.positions.len())
            .map(|number| self.next[number][other].iter().map(|&next| gone[next][own]).collect())
            .collect();
        self.until_stable(|number| {
            let mut changed = false;
            for (slot, &next) in (0..).zip(&self.next[number][other]) {
                let is_lost = lost[next][other]
                    && self.next[next][own].iter().all(|&answer| answer == number || lost[answer][other]);
                changed |= is_lost && !lost_after[number][slot];
                lost_after[number][slot] |= is_lost;
            }
            let before = lost[number];
            lost[number][other] |= lost[number][own] || lost_after[number].contains(&true);
            lost[number][own] |=
                lost[number][other] && self.next[number][own].iter().all(|&next| lost[next][other]);
            changed || lost[number] != before
        });
        lost.into_iter().map(|lost| lost.map(|lost| !lost)).collect()
    }

    /// The opponent is free of bans; the owner plays only finitely many stones.
    fn saved_by_finitely_many_stones(&self, owner: Color, gone: &Table) -> Table {
        let (own, other) = (owner.index(), owner.opponent().index());
        let mut saved = self.table(|_| false);
        loop {
            let mut holds: Table = gone.iter().map(|gone| gone.map(|gone| !gone)).collect();
            self.until_stable(|number| {
                let (next, before) = (&self.next[number], holds[number]);
                holds[number][other] &=
                    holds[number][own] && next[other].iter().all(|&next| holds[next][own]);
                holds[number][own] &=
                    holds[number][other] || next[own].iter().any(|&next| saved[next][other]);
                holds[number] != before
            });
            if holds == saved {
                return saved;
            }
            saved = holds;
        }
    }

    /// Whether the owner, moving next, reaches a position in which the opponent, even moving alone, cannot capture.
    fn can_live(&self, point: Point) -> bool {
        let owner = self.owner(point);
        let gone = self.gone(point, owner);
        let mut capturable = gone.clone();
        self.until_stable(|number| {
            let before = capturable[number];
            let mut after = self.next[number][owner.opponent().index()].iter();
            capturable[number] = [before[0] || after.any(|&next| capturable[next][0]); 2];
            capturable[number] != before
        });
        let alive = self.table(|number| !capturable[number][0]);
        self.reach(owner, &alive, &gone)[0][owner.index()]
    }
}
