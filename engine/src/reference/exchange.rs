//! Captures that cost at least as much as they bring.

use std::collections::HashMap;

use super::tables::{Table, Tables};
use crate::{Color, Point};

/// What is given and taken when a chain is captured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Exchange {
    pub(super) owner: Color,
    /// A stone of the chain.
    pub(super) point: Point,
    /// The owner's chains that count as gained when they are captured, the chain itself among them.
    pub(super) stakes: Vec<Vec<Point>>,
    /// The opponent's chains that count as lost.
    pub(super) hostages: Vec<Vec<Point>>,
}

/// A bit for each chain that has been captured: stakes first, then hostages.
type Captured = u64;

impl Exchange {
    /// Where the owner, by playing finitely many stones, sees to it that the chain is never captured, or that in the end as many stones of
    /// the hostages are captured as of the stakes, at least.
    ///
    /// The chains stand in some position; from there on a stone that is gone is gone, whatever is played on its point later.
    pub(super) fn held(&self, tables: &Tables) -> Table {
        let mut known = HashMap::new();
        self.find_held(tables, 0, &mut known);
        known.remove(&0).expect("just found")
    }

    /// The same when some of the chains have been captured.
    fn find_held(&self, tables: &Tables, captured: Captured, known: &mut HashMap<Captured, Table>) {
        if known.contains_key(&captured) {
            return;
        }
        // What is known where more has been captured.
        let (mut won, mut lost) = (tables.table(|_| false), tables.table(|_| false));
        for number in 0..tables.positions.len() {
            let now = captured | self.gone_at(tables, number);
            if now != captured {
                self.find_held(tables, now, known);
                won[number] = known[&now][number];
                lost[number] = won[number].map(|won| !won);
            }
        }
        let held = if self.is_even(captured) {
            tables.prevent_finitely(self.owner, &lost, &won)
        } else {
            tables.reach(self.owner, &won, &lost)
        };
        known.insert(captured, held);
    }

    /// The chains, each with its colour.
    fn chains(&self) -> impl Iterator<Item = (Color, &Vec<Point>)> {
        let stakes = self.stakes.iter().map(|chain| (self.owner, chain));
        stakes.chain(self.hostages.iter().map(|chain| (self.owner.opponent(), chain)))
    }

    /// The chains that are not there in a position.
    fn gone_at(&self, tables: &Tables, number: usize) -> Captured {
        let is_gone = |(color, chain): (Color, &Vec<Point>)| tables.stone(number, chain[0]) != Some(color);
        (0..).zip(self.chains()).fold(0, |gone, (bit, chain)| gone | u64::from(is_gone(chain)) << bit)
    }

    /// Whether the owner may be content if nothing more is captured.
    fn is_even(&self, captured: Captured) -> bool {
        let (mut is_captured, mut balance) = (false, 0);
        let is_gone = |bit: &u32| captured >> bit & 1 != 0;
        for (_, (color, chain)) in (0..).zip(self.chains()).filter(|(bit, _)| is_gone(bit)) {
            is_captured |= color == self.owner && chain.contains(&self.point);
            balance += if color == self.owner { -1 } else { 1 } * chain.len() as i32;
        }
        !is_captured || balance >= 0
    }
}
