//! Tables over positions, filled until nothing changes: what each player can bring about.

use std::collections::HashMap;

use jigo_engine::{
    BoardSize, Color, Ko, Move, Point, Rules, Suicide,
    reference::{Colouring, ReferenceGame, connected, neighbours},
};

/// A truth value for each position, with Black and with White to move.
pub(super) type Table = Vec<[bool; 2]>;

/// Positions and the moves between them. Ko forbids none of these.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) size: BoardSize,
    pub(super) positions: Vec<Colouring>,
    /// For each position and mover (Black, White) the positions after one move.
    pub(super) next: Vec<[Vec<usize>; 2]>,
}

impl Tables {
    /// Lists the positions that arise from `starts`, which come first, by moves on the points of `part`. Returns `None` when there are more
    /// than `limit`.
    pub(super) fn new(
        size: BoardSize,
        suicide: Suicide,
        starts: Vec<Colouring>,
        part: &[Point],
        limit: usize,
    ) -> Option<Self> {
        let rules = Rules { ko: Ko::Simple, suicide, ..Rules::TROMP_TAYLOR };
        let play = |colouring: &Colouring, mover: Color, point: Point| {
            let mut game = ReferenceGame::from_position(size, rules, colouring.clone(), mover);
            game.play(Move::Play(point)).ok()?;
            Some(game.colouring().clone())
        };
        Self::by_moves(size, starts, part, limit, play)
    }

    /// Lists the positions that `play` leads to, which returns `None` for an illegal move.
    pub(super) fn by_moves(
        size: BoardSize,
        starts: Vec<Colouring>,
        part: &[Point],
        limit: usize,
        play: impl Fn(&Colouring, Color, Point) -> Option<Colouring>,
    ) -> Option<Self> {
        let mut index: HashMap<Colouring, usize> = starts.iter().cloned().zip(0..).collect();
        let mut positions = starts;
        let mut next: Vec<[Vec<usize>; 2]> = Vec::new();
        while next.len() < positions.len() {
            let mut after = [Vec::new(), Vec::new()];
            for mover in Color::BOTH {
                for &point in part {
                    let Some(played) = play(&positions[next.len()], mover, point) else { continue };
                    let number = *index.entry(played.clone()).or_insert(positions.len());
                    if number == positions.len() {
                        positions.push(played);
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

    /// The points of the chain on a point, in row-major order.
    pub(super) fn chain(&self, number: usize, point: Point) -> Vec<Point> {
        let mut chain = connected(self.size, &self.positions[number], point);
        chain.sort_by_key(|point| point.index(self.size));
        chain
    }

    pub(super) fn stone(&self, number: usize, point: Point) -> Option<Color> {
        self.positions[number][point.index(self.size)]
    }

    /// A stone of each chain of the opponent that touches the chain on a point or shares a liberty with it.
    pub(super) fn opponents_beside(&self, number: usize, point: Point) -> Vec<Point> {
        let opponent = self.stone(number, point).map(Color::opponent);
        let near = |points: &[Point]| -> Vec<Point> {
            points.iter().flat_map(|&point| neighbours(self.size, point)).collect()
        };
        let touching = near(&self.chain(number, point));
        let is_empty = |point: &Point| self.stone(number, *point).is_none();
        let liberties: Vec<Point> = touching.iter().copied().filter(is_empty).collect();
        let mut found: Vec<Point> = Vec::new();
        for other in touching.into_iter().chain(near(&liberties)) {
            if self.stone(number, other) == opponent
                && !self.chain(number, other).iter().any(|point| found.contains(point))
            {
                found.push(other);
            }
        }
        found
    }

    pub(super) fn table(&self, is_true: impl Fn(usize) -> bool) -> Table {
        (0..self.positions.len()).map(|number| [is_true(number); 2]).collect()
    }

    /// Where the stone is captured.
    fn gone(&self, point: Point, owner: Color) -> Table {
        self.table(|number| self.stone(number, point) != Some(owner))
    }

    /// Where the opponent brings about the removal of the owner's stone on a point.
    pub(super) fn captured(&self, point: Point, owner: Color) -> Table {
        self.reach(owner.opponent(), &self.gone(point, owner), &self.table(|_| false))
    }

    /// Where the owner prevents the removal of his stone on a point for ever.
    pub(super) fn saved(&self, point: Point, owner: Color, ko: Ko) -> Table {
        let gone = self.gone(point, owner);
        match ko {
            Ko::Simple => self.saved_under_simple_ko(owner, &gone),
            Ko::PositionalSuperko | Ko::SituationalSuperko => {
                self.prevent_finitely(owner, &gone, &self.table(|_| false))
            }
        }
    }

    /// Where the owner reaches a position in which the opponent, even moving alone, cannot capture his stone on a point.
    pub(super) fn can_live(&self, point: Point, owner: Color) -> Table {
        let gone = self.gone(point, owner);
        let mut capturable = gone.clone();
        Self::until_stable(&self.open(&gone, &gone), |number| {
            let before = capturable[number];
            let mut after = self.next[number][owner.opponent().index()].iter();
            capturable[number] = [before[0] || after.any(|&next| capturable[next][0]); 2];
            capturable[number] != before
        });
        let alive = self.table(|number| !capturable[number][0]);
        self.reach(owner, &alive, &gone)
    }

    /// The positions in which a question is open, whoever is to move.
    fn open(&self, won: &Table, lost: &Table) -> Vec<usize> {
        let is_open = |&number: &usize| won[number] == [false; 2] && lost[number] == [false; 2];
        (0..self.positions.len()).filter(is_open).collect()
    }

    /// Repeats a step over these positions until it changes nothing.
    fn until_stable(positions: &[usize], mut step: impl FnMut(usize) -> bool) {
        loop {
            let mut changed = false;
            for &number in positions.iter().rev() {
                changed |= step(number);
            }
            if !changed {
                return;
            }
        }
    }

    /// Where `attacker` reaches a goal in finitely many plies and is never lost before, both players free of any ban.
    ///
    /// Where one of both holds for a player to move, it is known for the other player too which.
    pub(super) fn reach(&self, attacker: Color, goal: &Table, lost: &Table) -> Table {
        let (own, other) = (attacker.index(), attacker.opponent().index());
        let mut reached = goal.clone();
        Self::until_stable(&self.open(goal, lost), |number| {
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
        Self::until_stable(&self.open(gone, gone), |number| {
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

    /// Where the owner is never `lost` before he has `won`. The opponent is free of bans; the owner plays only finitely many stones.
    ///
    /// Where one of both holds for a player to move, it is known for the other player too which.
    pub(super) fn prevent_finitely(&self, owner: Color, lost: &Table, won: &Table) -> Table {
        let (own, other) = (owner.index(), owner.opponent().index());
        let open = self.open(won, lost);
        let mut prevented = won.clone();
        loop {
            let mut holds: Table = lost.iter().map(|lost| lost.map(|lost| !lost)).collect();
            Self::until_stable(&open, |number| {
                let (next, before) = (&self.next[number], holds[number]);
                holds[number][other] &=
                    holds[number][own] && next[other].iter().all(|&next| holds[next][own]);
                holds[number][own] &=
                    holds[number][other] || next[own].iter().any(|&next| prevented[next][other]);
                holds[number] != before
            });
            if holds == prevented {
                return prevented;
            }
            prevented = holds;
        }
    }
}
