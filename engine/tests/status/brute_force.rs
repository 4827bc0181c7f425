//! The definitions of `docs/status.md` on all positions of a tiny board at once: no search, no theorem, nothing local.
//!
//! Tables over all positions are filled until nothing changes. Moves come from the naive reference.

use std::collections::HashMap;

use jigo_engine::{
    BoardSize, Color, Ko, Move, Point, Rules, Status, Suicide,
    reference::{Colouring, ReferenceGame, connected, neighbours, reaches},
};

/// All legal positions of a board and the moves between them.
pub(super) struct BruteForce {
    pub(super) size: BoardSize,
    pub(super) positions: Vec<Colouring>,
    /// For each position and mover the positions after one move, without any ban.
    next: Vec<[Vec<usize>; 2]>,
}

/// A truth for each position, with each player to move.
type Table = Vec<[bool; 2]>;

/// The fate of the stone on one point in every position.
struct Fates {
    captured: Table,
    saved: Table,
}

impl BruteForce {
    pub(super) fn new(size: BoardSize, suicide: Suicide) -> Self {
        let all = (0..3_usize.pow(size.point_count() as u32)).map(|code| colouring(size, code));
        let positions: Vec<Colouring> = all.filter(|colouring| is_legal(size, colouring)).collect();
        let index: HashMap<&Colouring, usize> = positions.iter().zip(0..).collect();
        let rules = Rules { ko: Ko::Simple, suicide, ..Rules::TROMP_TAYLOR };
        let after = |colouring: &Colouring, mover| {
            let game = ReferenceGame::from_position(size, rules, colouring.clone(), mover);
            let moves = game.legal_points().into_iter().map(|point| {
                let mut next = game.clone();
                next.play(Move::Play(point)).unwrap();
                index[next.colouring()]
            });
            moves.collect()
        };
        let next =
            positions.iter().map(|colouring| Color::BOTH.map(|mover| after(colouring, mover))).collect();
        Self { size, positions, next }
    }

    /// The status of the stone on every point of every position.
    pub(super) fn statuses(&self, ko: Ko) -> Vec<Vec<Option<Status>>> {
        let mut statuses = vec![vec![None; self.size.point_count()]; self.positions.len()];
        // Whether the owner makes the stone on this point unconditionally alive, moving next.
        let mut can_live = vec![vec![false; self.size.point_count()]; self.positions.len()];
        for point in self.size.points().map(|point| point.index(self.size)) {
            for owner in Color::BOTH {
                let Fates { captured, saved } = self.fates(point, owner, ko);
                let lives = self.can_live(point, owner);
                let attacker = owner.opponent();
                for (number, position) in self.positions.iter().enumerate() {
                    if position[point] != Some(owner) {
                        continue;
                    }
                    let fate = |first: Color| (captured[number][first.index()], saved[number][first.index()]);
                    statuses[number][point] = Some(match (fate(attacker), fate(owner)) {
                        ((false, true), _) => Status::Alive,
                        ((true, false), (true, false)) => Status::Dead,
                        ((true, false), (false, true)) => Status::Unsettled,
                        ((true, true), _) | (_, (true, true)) => panic!("captured and saved"),
                        _ => Status::Ko,
                    });
                    can_live[number][point] = lives[number][owner.index()];
                }
            }
        }
        for (number, position) in self.positions.iter().enumerate() {
            let is_stuck =
                |point: usize| statuses[number][point] == Some(Status::Alive) && !can_live[number][point];
            let in_seki: Vec<usize> = (0..position.len())
                .filter(|&point| is_stuck(point))
                .filter(|&point| self.opponents_beside(position, point).into_iter().any(is_stuck))
                .collect();
            for point in in_seki {
                statuses[number][point] = Some(Status::Seki);
            }
        }
        statuses
    }

    /// The opponent's stones that touch the chain on a point or share a liberty with it.
    fn opponents_beside(&self, position: &Colouring, point: usize) -> Vec<usize> {
        let owner = position[point].unwrap();
        let near = |points: &[Point]| -> Vec<Point> {
            points.iter().flat_map(|&point| neighbours(self.size, point)).collect()
        };
        let stone = |point: &Point| position[point.index(self.size)];
        let chain = connected(self.size, position, self.size.points().nth(point).unwrap());
        let touching = near(&chain);
        let liberties: Vec<Point> = touching.iter().copied().filter(|point| stone(point).is_none()).collect();
        let beside = touching.into_iter().chain(near(&liberties));
        beside
            .filter(|point| stone(point) == Some(owner.opponent()))
            .map(|point| point.index(self.size))
            .collect()
    }

    fn table(&self, is_true: impl Fn(usize) -> bool) -> Table {
        (0..self.positions.len()).map(|number| [is_true(number); 2]).collect()
    }

    /// Repeats a step over all positions until it changes nothing.
    fn until_stable(&self, mut step: impl FnMut(usize) -> bool) {
        loop {
            let mut changed = false;
            for number in 0..self.positions.len() {
                changed |= step(number);
            }
            if !changed {
                return;
            }
        }
    }

    /// Where `hunter` reaches a set of positions in finitely many plies, both players free of any ban.
    fn reach(&self, hunter: Color, goal: &Table, lost: &Table) -> Table {
        let (own, other) = (hunter.index(), hunter.opponent().index());
        let mut reached = goal.clone();
        self.until_stable(|number| {
            if lost[number][0] {
                return false;
            }
            let next = &self.next[number];
            let before = reached[number];
            reached[number][own] |=
                reached[number][other] || next[own].iter().any(|&next| reached[next][other]);
            reached[number][other] |=
                reached[number][own] && next[other].iter().all(|&next| reached[next][own]);
            reached[number] != before
        });
        reached
    }

    fn fates(&self, point: usize, owner: Color, ko: Ko) -> Fates {
        let gone = self.table(|number| self.positions[number][point] != Some(owner));
        let nowhere = self.table(|_| false);
        let captured = self.reach(owner.opponent(), &gone, &nowhere);
        let saved = match ko {
            Ko::Simple => self.saved_under_simple_ko(owner, &gone),
            Ko::PositionalSuperko | Ko::SituationalSuperko => self.saved_by_finitely_many_moves(owner, &gone),
        };
        Fates { captured, saved }
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
    fn saved_by_finitely_many_moves(&self, owner: Color, gone: &Table) -> Table {
        let (own, other) = (owner.index(), owner.opponent().index());
        let mut saved = self.table(|_| false);
        loop {
            let mut holds: Table = gone.iter().map(|gone| gone.map(|gone| !gone)).collect();
            self.until_stable(|number| {
                let before = holds[number];
                let next = &self.next[number];
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

    /// Where the owner reaches a position in which the opponent, even moving alone, cannot capture.
    fn can_live(&self, point: usize, owner: Color) -> Table {
        let other = owner.opponent().index();
        let gone = self.table(|number| self.positions[number][point] != Some(owner));
        let mut capturable = gone.clone();
        self.until_stable(|number| {
            let before = capturable[number];
            let any = self.next[number][other].iter().any(|&next| capturable[next][0]);
            capturable[number] = [before[0] || any; 2];
            capturable[number] != before
        });
        let alive = self.table(|number| !capturable[number][0]);
        self.reach(owner, &alive, &gone)
    }

    /// Whether a stone survives under superko by the definition itself: its owner may not bring back any position seen since the question was
    /// asked, the opponent may do whatever he likes. `None` beyond a number of histories.
    pub(super) fn survives_by_history(
        &self,
        number: usize,
        point: usize,
        first: Color,
        limit: usize,
    ) -> Option<bool> {
        let owner = self.positions[number][point].unwrap();
        assert!(self.positions.len() <= 64, "histories are words");
        // States: position, mover, positions seen.
        let start = (number, first, 1_u64 << number);
        let mut index = HashMap::from([(start, 0)]);
        let mut states = vec![start];
        let mut after: Vec<Vec<usize>> = Vec::new();
        while after.len() < states.len() {
            let (number, mover, seen) = states[after.len()];
            let mut successors = Vec::new();
            if self.positions[number][point] == Some(owner) {
                let moves = self.next[number][mover.index()].iter().copied();
                let allowed = moves.filter(|&next| mover != owner || seen >> next & 1 == 0);
                for next in allowed.chain([number]) {
                    let state = (next, mover.opponent(), seen | 1 << next);
                    let fresh = index.len();
                    let entry = *index.entry(state).or_insert(fresh);
                    if entry == states.len() {
                        states.push(state);
                    }
                    successors.push(entry);
                }
            }
            after.push(successors);
            if states.len() > limit {
                return None;
            }
        }
        let mut lost: Vec<bool> =
            states.iter().map(|&(number, ..)| self.positions[number][point] != Some(owner)).collect();
        loop {
            let mut changed = false;
            for state in (0..states.len()).rev().filter(|&state| !after[state].is_empty()) {
                let mut each = after[state].iter().map(|&next| lost[next]);
                let is_lost =
                    if states[state].1 == owner { each.all(|lost| lost) } else { each.any(|lost| lost) };
                changed |= is_lost && !lost[state];
                lost[state] |= is_lost;
            }
            if !changed {
                return Some(!lost[0]);
            }
        }
    }

    /// Whether the stone on a point survives by the tables.
    pub(super) fn survives_by_tables(&self, point: usize, owner: Color) -> Table {
        let gone = self.table(|number| self.positions[number][point] != Some(owner));
        self.saved_by_finitely_many_moves(owner, &gone)
    }
}

fn colouring(size: BoardSize, code: usize) -> Colouring {
    let mut rest = code;
    let stones = (0..size.point_count()).map(|_| {
        let stone = [None, Some(Color::Black), Some(Color::White)][rest % 3];
        rest /= 3;
        stone
    });
    stones.collect()
}

fn is_legal(size: BoardSize, colouring: &Colouring) -> bool {
    size.points().all(|point| colouring[point.index(size)].is_none() || reaches(size, colouring, point, None))
}
