//! Captures that cost at least as many stones as they gain.

use std::collections::HashMap;

use jigo_engine::{Color, Point};

use super::tables::{Table, Tables};

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
        let account = self.account(captured);
        if let Some(is_held) = account.settled() {
            known.insert(captured, tables.table(|_| is_held));
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
        let held = if account.is_even() {
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

    /// How far the owner is ahead once these chains are captured.
    fn account(&self, captured: Captured) -> Account {
        let mut account = Account { is_captured: false, balance: 0, stakes_left: 0, hostages_left: 0 };
        for (bit, (color, chain)) in (0..).zip(self.chains()) {
            let (is_gone, count) = (captured >> bit & 1 != 0, chain.len() as i32);
            match (is_gone, color == self.owner) {
                (true, true) => account.balance -= count,
                (true, false) => account.balance += count,
                (false, true) => account.stakes_left += count,
                (false, false) => account.hostages_left += count,
            }
            account.is_captured |= is_gone && color == self.owner && chain.contains(&self.point);
        }
        account
    }
}

/// What has been given and taken, in stones.
struct Account {
    /// Whether the chain asked about is captured.
    is_captured: bool,
    /// Hostages captured, less stakes captured.
    balance: i32,
    stakes_left: i32,
    hostages_left: i32,
}

impl Account {
    /// Whether the owner may be content if nothing more is captured.
    fn is_even(&self) -> bool {
        !self.is_captured || self.balance >= 0
    }

    /// Whether he holds whatever is captured from now on, or whatever is not, if it is one of both.
    fn settled(&self) -> Option<bool> {
        if self.balance >= self.stakes_left {
            return Some(true);
        }
        (self.is_captured && self.balance + self.hostages_left < 0).then_some(false)
    }
}
