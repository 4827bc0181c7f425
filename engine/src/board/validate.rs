//! A check of everything that [`play`](super::Board::play) keeps up to date.

use std::collections::BTreeSet;

use super::{Board, chain::Chains, surroundings::Surroundings};
use crate::Color;

impl<const W: usize> Board<W> {
    /// Recomputes chains, liberties and hash from the stones alone and compares. For tests and for hunting faults: slow.
    ///
    /// # Errors
    /// A sentence that names the first difference.
    pub fn validate(&self) -> Result<(), String> {
        let geometry = &*self.geometry;
        if self.stones[0].intersects(self.stones[1]) {
            return Err("a point has two stones".to_owned());
        }
        if !(self.stones[0] | self.stones[1]).without(geometry.on_board).is_empty() {
            return Err("a stone stands beside the board".to_owned());
        }
        let mut hash = 0;
        let mut names = BTreeSet::new();
        for color in Color::BOTH {
            let stones = self.stones[color.index()];
            for part in geometry.parts(stones) {
                let liberties = geometry.adjacent(part) & self.empty();
                let at = geometry.point(part.first()).to_gtp(self.size());
                if liberties.is_empty() {
                    return Err(format!("the chain at {at} has no liberty"));
                }
                let name = self.chain_of[part.first()];
                if !names.insert(name) {
                    return Err(format!("the name of the chain at {at} is not its own"));
                }
                let chain = &self.chains[name];
                if !chain.is_of(color) {
                    return Err(format!("the colour of the chain at {at} is wrong"));
                }
                if u32::from(chain.stone_count) != part.count() || self.chain_set(part.first()) != part {
                    return Err(format!("the stones of the chain at {at} are wrong"));
                }
                if chain.liberties != liberties || u32::from(chain.liberty_count) != liberties.count() {
                    return Err(format!("the liberties of the chain at {at} are wrong"));
                }
                for bit in part.iter() {
                    if self.chain_of[bit] != name {
                        return Err(format!("a stone of the chain at {at} has another name"));
                    }
                    hash ^= geometry.key(color, bit);
                }
            }
        }
        self.validate_surroundings()?;
        if hash != self.hash {
            return Err("the hash is wrong".to_owned());
        }
        if self.ko.is_some_and(|ko| !self.empty().contains(usize::from(ko))) {
            return Err("the ko ban is not on an empty point".to_owned());
        }
        Ok(())
    }

    /// The same for what is known of single points.
    fn validate_surroundings(&self) -> Result<(), String> {
        let mut around = Surroundings::at_start(self.size());
        for color in Color::BOTH {
            for bit in self.stones[color.index()].iter() {
                around.place(bit, color, self.geometry.stride());
            }
        }
        for point in self.size().points() {
            let (bit, at) = (self.geometry.bit(point), point.to_gtp(self.size()));
            if around.get(bit) != self.around.get(bit) {
                return Err(format!("what is around {at} is wrong"));
            }
            let is_empty = self.empty().contains(bit);
            if is_empty != (self.chain_of[bit] == Chains::<W>::EMPTY) {
                return Err(format!("there is a chain on {at} without a stone, or the reverse"));
            }
            for color in Color::BOTH {
                let is_eye_like = around.get(bit).is_eye_like(color);
                if self.open[color.index()].contains(bit) != (is_empty && !is_eye_like) {
                    return Err(format!("whether {at} is eye-like is wrong"));
                }
            }
        }
        Ok(())
    }
}
