//! A check of everything that [`play`](super::Board::play) keeps up to date.

use super::{
    Board,
    chain::{Liberties, Link},
    eye::Spoils,
};
use crate::{Color, bitboard::Bitboard, table::Table};

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
        let mut chains = Table::<_, W>::filled(Bitboard::EMPTY);
        for color in Color::BOTH {
            let stones = self.stones[color.index()];
            for part in geometry.parts(stones) {
                let liberties = geometry.adjacent(part) & self.empty();
                let at = geometry.point(part.first()).to_gtp(self.size());
                if liberties.is_empty() {
                    return Err(format!("the chain at {at} has no liberty"));
                }
                let root = self.links[part.first()].root();
                if !part.contains(root) {
                    return Err(format!("the entry of the chain at {at} is not its own"));
                }
                chains[root] = part;
                if self.liberties[root] != self.touching(part) {
                    return Err(format!("the liberties of the chain at {at} are wrong"));
                }
                let in_atari = self.atari[color.index()] & part;
                if in_atari != part.only_if(liberties.is_single()) {
                    return Err(format!("whether the chain at {at} is in atari is wrong"));
                }
                for bit in part.iter() {
                    if self.links[bit] != Link::stone(root, color) {
                        return Err(format!("a stone of the chain at {at} has another entry"));
                    }
                    hash ^= geometry.key(color, bit);
                }
            }
        }
        if (0..64 * W).any(|bit| self.chains[bit] != chains[bit]) {
            return Err("the stones of a chain are wrong".to_owned());
        }
        self.validate_points()?;
        if hash != self.hash {
            return Err("the hash is wrong".to_owned());
        }
        if self.ko.is_some_and(|ko| !self.empty().contains(usize::from(ko))) {
            return Err("the ko ban is not on an empty point".to_owned());
        }
        Ok(())
    }

    /// The same for what is known of single points.
    fn validate_points(&self) -> Result<(), String> {
        let geometry = &*self.geometry;
        for color in Color::BOTH {
            if !self.atari[color.index()].without(self.stones[color.index()]).is_empty() {
                return Err("a point without a stone is in atari".to_owned());
            }
            let spoils = Spoils::of(self.stones[color.index()], geometry);
            if !self.spoils[color.index()].agree(&spoils, geometry.on_board) {
                return Err(format!("where {color} prevents eye-like points is wrong"));
            }
        }
        for point in self.size().points() {
            let (bit, at) = (self.geometry.bit(point), point.to_gtp(self.size()));
            if !self.empty().contains(bit) {
                continue;
            }
            if self.links[bit] != Link::empty(bit) {
                return Err(format!("{at} is not known to be empty"));
            }
            if self.liberties[bit] != self.touching(Bitboard::single(bit)) {
                return Err(format!("the empty points beside {at} are wrong"));
            }
        }
        Ok(())
    }

    /// The empty points beside each of these, added up.
    fn touching(&self, points: Bitboard<W>) -> Liberties {
        let mut liberties = Liberties::NONE;
        for bit in points.iter() {
            let empty = *self.geometry.neighbours(bit) & self.empty();
            empty.iter().for_each(|near| liberties.gain(Liberties::single(near)));
        }
        liberties
    }
}
