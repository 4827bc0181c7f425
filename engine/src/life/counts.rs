//! Unconditional life in numbers.

use crate::{Color, Position, Suicide};

/// One colour's stones and what is unconditional about them, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LifeCounts {
    /// Stones on the board.
    pub stones: u32,
    /// Stones of unconditionally alive chains.
    pub alive_stones: u32,
    /// Stones inside the opponent's unconditional territory.
    pub dead_stones: u32,
    /// Chains on the board.
    pub chains: u32,
    /// Unconditionally alive chains.
    pub alive_chains: u32,
    /// Points, empty or under opposing stones, of unconditional territory.
    pub territory: u32,
}

impl<const W: usize> Position<W> {
    /// The numbers of the [unconditional life](Self::unconditional_life) of Black and White: for many positions, as less is copied about.
    #[must_use]
    #[inline]
    pub fn life_counts(&self, suicide: Suicide) -> [LifeCounts; 2] {
        let Some(sides) = self.all_alive() else { return self.counts_by_definition(suicide) };
        Color::BOTH.map(|color| {
            let (stones, all) = (self.stone_count(color) as u32, &sides[color.index()]);
            LifeCounts {
                stones,
                alive_stones: stones,
                dead_stones: 0,
                chains: all.chain_count,
                alive_chains: all.chain_count,
                territory: all.eyes.count(),
            }
        })
    }

    fn counts_by_definition(&self, suicide: Suicide) -> [LifeCounts; 2] {
        let life = Color::BOTH.map(|color| self.life_by_definition(color, suicide));
        Color::BOTH.map(|color| {
            let (own, opponent) = (&life[color.index()], &life[color.opponent().index()]);
            LifeCounts {
                stones: self.stone_count(color) as u32,
                alive_stones: own.stone_count(),
                dead_stones: opponent.dead_stone_count(),
                chains: own.all_chain_count(),
                alive_chains: own.chain_count(),
                territory: own.territory_count(),
            }
        })
    }
}
