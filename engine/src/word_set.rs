//! Sets of at most 64 points, each of them one machine word: what the searches for best play and for statuses play on.

/// A set of points.
pub(crate) type Points = u64;

/// The stones of Black and of White.
pub(crate) type Stones = [Points; 2];

/// A board of at most 64 points, which knows what is beside what.
pub(crate) trait WordBoard {
    /// Returns the points beside a set, some of which may be in it.
    fn adjacent(&self, set: Points) -> Points;

    /// Returns the points of `within` that are connected to `seed`.
    #[inline(always)]
    fn connected(&self, seed: Points, within: Points) -> Points {
        let mut found = seed & within;
        let mut fresh = found;
        while fresh != 0 {
            fresh = self.adjacent(fresh) & within & !found;
            found |= fresh;
        }
        found
    }

    /// Splits a set into its connected parts.
    #[inline(always)]
    fn parts(&self, set: Points) -> impl Iterator<Item = Points> {
        let mut rest = set;
        std::iter::from_fn(move || {
            let part = self.connected(rest & rest.wrapping_neg(), rest);
            rest &= !part;
            (part != 0).then_some(part)
        })
    }
}

/// Returns the points of a set in ascending order, by the places of their bits.
#[inline(always)]
pub(crate) fn bits(set: Points) -> impl Iterator<Item = u8> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as u8;
        (rest != 0).then(|| rest &= rest - 1)?;
        Some(bit)
    })
}
