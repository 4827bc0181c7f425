//! A check of everything that [`play`](super::Board::play) keeps up to date.

use super::Board;
use crate::{Color, bitboard::Bitboard};

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
        for color in Color::BOTH {
            let stones = self.stones[color.index()];
            for part in geometry.parts(stones) {
                let liberties = geometry.adjacent(part) & self.empty();
                let at = geometry.point(part.first()).to_gtp(self.size());
                if liberties.is_empty() {
                    return Err(format!("the chain at {at} has no liberty"));
                }
                for bit in part.iter() {
                    let chain = self.chain(bit);
                    if chain.stones != part {
                        return Err(format!("the stones of the chain at {at} are wrong"));
                    }
                    if chain.liberties != liberties {
                        return Err(format!("the liberties of the chain at {at} are wrong"));
                    }
                    hash ^= geometry.key(color, bit);
                }
            }
        }
        if hash != self.hash {
            return Err("the hash is wrong".to_owned());
        }
        if self.ko != Bitboard::EMPTY && !(self.ko.is_single() && self.ko.intersects(self.empty())) {
            return Err("the ko ban is not one empty point".to_owned());
        }
        Ok(())
    }
}
