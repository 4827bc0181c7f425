//! Finds the statuses of chains by exhaustive tables over positions, following the definitions in `docs/status.md` word by word.
//!
//! Several test crates include this folder by its path; each uses a part of it.
#![allow(dead_code)]

mod exchange;
pub(crate) mod life;
mod tables;
mod zone;

use std::collections::HashMap;

use jigo_engine::{
    BoardSize, Color, Ko, Point, Suicide,
    life::Status,
    reference::{Colouring, reaches},
};

use exchange::Exchange;
use tables::{Table, Tables};

/// All positions that moves in a region of the board lead to, and the moves between them. Ko forbids none of these moves.
///
/// Where the stones around the region cannot be captured, a move elsewhere is a pass in it, so the statuses hold on the whole board.
#[derive(Clone, Debug)]
pub(crate) struct ReferenceStatus {
    tables: Tables,
}

impl ReferenceStatus {
    /// Lists the positions that arise from `start`, which comes first, by moves on the points of `part`. Returns `None` when there are
    /// more than `limit`.
    pub(crate) fn new(
        size: BoardSize,
        suicide: Suicide,
        start: Colouring,
        part: &[Point],
        limit: usize,
    ) -> Option<Self> {
        let tables = Tables::new(size, suicide, vec![start], part, limit)?;
        Some(Self { tables })
    }

    /// Lists all legal positions of a board, which has to be tiny: 3×3 has 12,675.
    pub(crate) fn of_board(size: BoardSize, suicide: Suicide) -> Self {
        let points: Vec<Point> = size.points().collect();
        let all = 3_usize.checked_pow(points.len() as u32).expect("a tiny board");
        let is_legal = |colouring: &Colouring| {
            let has_liberty = |point: &Point| {
                colouring[point.index(size)].is_none() || reaches(size, colouring, *point, None)
            };
            points.iter().all(has_liberty)
        };
        let positions = (0..all).map(|code| colouring(points.len(), code)).filter(is_legal).collect();
        let tables = Tables::new(size, suicide, positions, &points, usize::MAX).expect("there is no limit");
        Self { tables }
    }

    /// Returns the number of positions.
    pub(crate) fn position_count(&self) -> usize {
        self.tables.positions.len()
    }

    /// Returns the positions.
    pub(crate) fn positions(&self) -> &[Colouring] {
        &self.tables.positions
    }

    /// Returns the indices of the positions one move of `mover` later.
    pub(crate) fn next(&self, position: usize, mover: Color) -> &[usize] {
        &self.tables.next[position][mover.index()]
    }

    /// Returns for each position whether the stone of `owner` on a point is saved, with Black and with White to move.
    pub(crate) fn saved(&self, point: Point, owner: Color, ko: Ko) -> Vec<[bool; 2]> {
        self.tables.saved(point, owner, ko)
    }

    /// Returns for each position whether the stone of `owner` on a point is captured, with Black and with White to move.
    pub(crate) fn captured(&self, point: Point, owner: Color) -> Vec<[bool; 2]> {
        self.tables.captured(point, owner)
    }

    /// Returns the status of the chain on `point`, where there must be a stone, in the first position.
    pub(crate) fn status(&self, point: Point, ko: Ko) -> Status {
        let mut survey = Survey::new(&self.tables, ko);
        let held = survey.held(0);
        survey.status(0, point, &held).expect("a stone is asked about")
    }

    /// Returns for each position the status of the stone on each point, in row-major order.
    pub(crate) fn statuses(&self, ko: Ko) -> Vec<Vec<Option<Status>>> {
        let mut survey = Survey::new(&self.tables, ko);
        let of_position = |number| {
            let held = survey.held(number);
            let points = self.tables.size.points();
            points.map(|point| survey.status(number, point, &held)).collect()
        };
        (0..self.position_count()).map(of_position).collect()
    }
}

/// Returns the colouring whose digits in base three are those of `code`.
fn colouring(points: usize, code: usize) -> Colouring {
    let mut rest = code;
    let stones = (0..points).map(|_| {
        let stone = [None, Some(Color::Black), Some(Color::White)][rest % 3];
        rest /= 3;
        stone
    });
    stones.collect()
}

/// What the tables say about the stone of one colour on a point.
struct Fates {
    captured: Table,
    saved: Table,
    can_live: Table,
}

/// Computes statuses and keeps the tables that they needed.
struct Survey<'a> {
    tables: &'a Tables,
    ko: Ko,
    fates: HashMap<(Point, Color), Fates>,
    exchanges: HashMap<Exchange, Table>,
}

impl<'a> Survey<'a> {
    fn new(tables: &'a Tables, ko: Ko) -> Self {
        Self { tables, ko, fates: HashMap::new(), exchanges: HashMap::new() }
    }

    /// Returns the status of the stone on a point, if there is one, given the chains of the position that are in seki by loss.
    fn status(&mut self, number: usize, point: Point, held: &[Vec<Point>]) -> Option<Status> {
        self.tables.stone(number, point)?;
        let status = self.status_but_seki(number, point);
        let tables = self.tables;
        let is_held = |point| held.contains(&tables.chain(number, point));
        let is_seki = match status {
            Status::Alive => {
                let mut others = tables.opponents_beside(number, point).into_iter();
                self.is_stuck(number, point)
                    && others.any(|other| self.is_stuck(number, other) || is_held(other))
            }
            _ => is_held(point),
        };
        Some(if is_seki { Status::Seki } else { status })
    }

    fn fates(&mut self, number: usize, point: Point) -> (Color, &Fates) {
        let owner = self.tables.stone(number, point).expect("a stone is asked about");
        let (tables, ko) = (self.tables, self.ko);
        let fates = self.fates.entry((point, owner)).or_insert_with(|| Fates {
            captured: tables.captured(point, owner),
            saved: tables.saved(point, owner, ko),
            can_live: tables.can_live(point, owner),
        });
        (owner, fates)
    }

    fn status_but_seki(&mut self, number: usize, point: Point) -> Status {
        let (owner, Fates { captured, saved, .. }) = self.fates(number, point);
        let fate = |first: Color| (captured[number][first.index()], saved[number][first.index()]);
        match (fate(owner.opponent()), fate(owner)) {
            ((true, true), _) | (_, (true, true)) => unreachable!("captured and saved"),
            ((false, true), _) => Status::Alive,
            ((true, false), (true, false)) => Status::Dead,
            ((true, false), (false, true)) => Status::Unsettled,
            _ => Status::Ko,
        }
    }

    fn can_live(&mut self, number: usize, point: Point) -> bool {
        let (owner, fates) = self.fates(number, point);
        fates.can_live[number][owner.index()]
    }

    /// Returns whether the chain is saved and cannot be made unconditionally alive.
    fn is_stuck(&mut self, number: usize, point: Point) -> bool {
        self.status_but_seki(number, point) == Status::Alive && !self.can_live(number, point)
    }

    /// Returns the chains of a position that are in seki by loss. Those found may be hostages for others.
    fn held(&mut self, number: usize) -> Vec<Vec<Point>> {
        let tables = self.tables;
        let stones = tables.size.points().filter(|&point| tables.stone(number, point).is_some());
        let mut open: Vec<Vec<Point>> = stones.map(|point| tables.chain(number, point)).collect();
        open.sort_by_key(|chain| (chain[0].y, chain[0].x));
        open.dedup();
        open.retain(|chain| {
            self.status_but_seki(number, chain[0]) != Status::Alive && !self.can_live(number, chain[0])
        });
        let mut held = Vec::new();
        loop {
            let (found, left) = open.into_iter().partition(|chain| self.is_held(number, chain, &held));
            open = left;
            let found: Vec<Vec<Point>> = found;
            if found.is_empty() {
                return held;
            }
            held.extend(found);
        }
    }

    /// Returns whether capturing a chain costs the opponent at least as many stones as it gains.
    fn is_held(&mut self, number: usize, chain: &[Point], held: &[Vec<Point>]) -> bool {
        let (tables, point) = (self.tables, chain[0]);
        let owner = tables.stone(number, point).expect("a chain is asked about");
        let chains = |stones: Vec<Point>| {
            let mut chains: Vec<Vec<Point>> =
                stones.into_iter().map(|stone| tables.chain(number, stone)).collect();
            chains.sort_by_key(|chain| (chain[0].y, chain[0].x));
            chains.dedup();
            chains
        };
        let beside = tables.opponents_beside(number, point);
        let stakes =
            chains(beside.iter().flat_map(|&other| tables.opponents_beside(number, other)).collect());
        let mut hostages = chains(beside);
        hostages.retain(|other| held.contains(other) || self.is_stuck(number, other[0]));
        if hostages.iter().map(Vec::len).sum::<usize>() < chain.len() {
            return false;
        }
        let exchange = Exchange { owner, point, stakes, hostages };
        let table = self.exchanges.entry(exchange).or_insert_with_key(|exchange| exchange.held(tables));
        table[number][owner.opponent().index()]
    }
}
