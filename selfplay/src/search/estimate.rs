//! Estimates by playouts: whose area each point of a position becomes, and which chains are lost that nothing proves to be alive or dead.

use std::{collections::VecDeque, ops::RangeInclusive};

use jigo_engine::{
    AnyPosition, BoardSize, Color, Counting, Game, Komi, Point, Rules, for_width,
    life::{ChainStatus, Status},
    search::{Reward, SearchOptions},
};

use super::{
    Uct,
    lanes::{Search, Searches, search_all},
};

/// The search for an estimate, which is made twice: with Black and with White to move first.
const SEARCH: Uct = Uct { leaves: 16, ..Uct::new(4_000) };

/// The seed of all estimates.
const SEED: u64 = 1;

/// Chains that are lost in a share of the playouts between these bounds get a search of their own, for nothing but that chain.
const DOUBTFUL: RangeInclusive<f64> = 0.3..=0.7;

/// Whose area each point of a position was at the ends of playouts.
#[derive(Clone, Debug, PartialEq)]
pub struct Ownership {
    size: BoardSize,
    playouts: u64,
    /// The playouts in which each point, in row-major order, was the area of Black and of White.
    owners: [Vec<u64>; 2],
}

impl Ownership {
    /// Searches from a position with Black and with White to move first. Both players want what `reward` says.
    fn search(position: AnyPosition<'_>, rules: Rules, reward: Reward) -> Self {
        let size = position.size();
        let rules = Rules { counting: Counting::Area, ..rules };
        let options = SearchOptions { reward, owners: true, ..SEARCH.options(rules, Komi::ZERO) };
        let backend = SEARCH.backend(size, rules);
        let stones = size.points().filter_map(|point| Some((point, position.stone(point)?)));
        let points = || vec![0; size.point_count()];
        let mut found = Self { size, playouts: 0, owners: [points(), points()] };
        for_width!(size, W => {
            let begin = |color: Color| {
                let mut game = Game::<W>::new(size, rules);
                game.set_position(stones.clone(), color).expect("no chain of a position lacks liberties");
                let mut search = Search::new(size, rules, options);
                search.begin(&game, &[], SEED);
                (search, game)
            };
            let waiting = Color::BOTH.map(begin).into();
            search_all(backend, size, rules, &SEARCH, &mut Queue { waiting, slots: [None, None], found: &mut found });
        });
        found
    }

    /// Returns the share of the playouts, from 0 to 1, in which a point was this player's area at the end. What is missing to 1 was the opponent's or
    /// neutral.
    #[must_use]
    pub fn share(&self, point: Point, color: Color) -> f64 {
        self.owners[color.index()][point.index(self.size)] as f64 / self.playouts as f64
    }

    /// The share of the playouts in which the stones were the opponent's area at the end.
    fn lost(&self, chain: &ChainStatus) -> f64 {
        let shares = chain.stones.iter().map(|&stone| self.share(stone, chain.color.opponent()));
        shares.sum::<f64>() / chain.stones.len() as f64
    }
}

/// Searches one after the other, as far as they do not fit side by side.
struct Queue<'a, const W: usize> {
    waiting: VecDeque<(Search<W>, Game<W>)>,
    slots: [Option<(Search<W>, Game<W>)>; 2],
    found: &'a mut Ownership,
}

impl<const W: usize> Searches<W> for Queue<'_, W> {
    fn search(&mut self, slot: usize) -> Option<(&mut Search<W>, &Game<W>)> {
        let slot = self.slots.get_mut(slot)?;
        if slot.is_none() {
            *slot = self.waiting.pop_front();
        }
        slot.as_mut().map(|(search, game)| (search, &*game))
    }

    fn go_on(&mut self, slot: usize) {
        let (mut search, _) = self.slots[slot].take().expect("a search");
        self.found.playouts += search.tree.moves().map(|stats| u64::from(stats.visits)).sum::<u64>();
        let owners = search.tree.owners().expect("the options ask for them");
        for (sums, counts) in self.found.owners.iter_mut().zip(owners) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}

/// What playouts say about the end of a position, beside what is proved.
///
/// An estimate is no proof: on games that people played to the end it finds the stones that they agreed to be dead on about 19 of 20 boards (`docs/status.md`).
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Whose area each point becomes.
    pub ownership: Ownership,
    /// The chains that the estimate is for, with what is proved, in the order given.
    pub chains: Vec<ChainStatus>,
    /// For each chain the share of the playouts, from 0 to 1 with four decimals, in which its stones are lost; none for chains that are proved to be alive, in
    /// seki or dead.
    pub lost: Vec<Option<f64>>,
}

impl Estimate {
    /// Estimates what becomes of these chains, which are those of the position with what is proved of them under the same rules.
    ///
    /// Searches from the position with each player to move first. A chain in doubt gets a search in which one player wants to keep it and the other to capture
    /// it. Area is counted whatever the rules say. Byte-equal on every machine. Cost: a tenth of a second on 19×19, and as much again for each chain in doubt.
    #[must_use]
    pub fn new(position: AnyPosition<'_>, rules: Rules, chains: Vec<ChainStatus>) -> Self {
        let ownership = Ownership::search(position, rules, Reward::Margin);
        let lost = |chain: &ChainStatus| {
            let share = || match ownership.lost(chain) {
                doubtful if DOUBTFUL.contains(&doubtful) => {
                    Ownership::search(position, rules, Reward::Own(chain.stones[0])).lost(chain)
                }
                lost => lost,
            };
            (!chain.status.is_settled()).then(|| (share() * 1e4).round() / 1e4)
        };
        let lost = chains.iter().map(lost).collect();
        Self { ownership, chains, lost }
    }

    /// Returns the chains with an estimate, and the share of the playouts in which each is lost.
    pub fn estimated(&self) -> impl Iterator<Item = (&ChainStatus, f64)> {
        self.chains.iter().zip(&self.lost).filter_map(|(chain, lost)| Some((chain, (*lost)?)))
    }

    /// Chains that are lost in a larger share of the playouts are taken to be dead. It is less than a half because playouts often fail to capture a stone that
    /// no player would try to save.
    pub const DEAD: f64 = 0.45;

    /// Returns the first stone of each chain with an estimate, and the share of the playouts in which the chain is lost.
    #[must_use]
    pub fn lost_by_stone(&self) -> Vec<(Point, f64)> {
        self.estimated().map(|(chain, lost)| (chain.stones[0], lost)).collect()
    }

    /// Returns the chains as if the estimates were proved: [dead](Self::DEAD) or alive.
    #[must_use]
    pub fn assumed(&self) -> Vec<ChainStatus> {
        let status = |(chain, lost): (&ChainStatus, &Option<f64>)| match lost {
            None => chain.clone(),
            Some(lost) => {
                let status = if *lost > Self::DEAD { Status::Dead } else { Status::Alive };
                ChainStatus { status, ..chain.clone() }
            }
        };
        self.chains.iter().zip(&self.lost).map(status).collect()
    }
}
