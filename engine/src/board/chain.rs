//! Chains and their liberties.

use super::{Board, MoveOutcome};
use crate::{Color, Point, bitboard::Bitboard, simd::are_squares};

/// The empty points beside a chain (or beside an empty point), each counted as often as it touches it. Three sums in one word, so that
/// gaining a liberty, losing one, and joining are one addition each: from the lowest bit, how many there are (11 bits), the sum of their bits
/// (21), and the sum of the squares of these (32).
///
/// The largest board fits: its points touch in 1200 places, and its bits are below 675.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Liberties(u64);

impl Liberties {
    pub(super) const NONE: Self = Self(0);

    /// One point, once. Meaningless for bits outside the board.
    #[inline(always)]
    pub(super) const fn single(bit: usize) -> Self {
        let bit = bit as u64;
        Self(bit.wrapping_mul((bit << 32).wrapping_add(1 << 11)).wrapping_add(1))
    }

    #[inline(always)]
    pub(super) fn gain(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    #[inline(always)]
    pub(super) fn lose(&mut self, other: Self) {
        self.0 = self.0.wrapping_sub(other.0);
    }

    /// The same if `condition` holds, else none, without a branch.
    #[inline(always)]
    pub(super) fn only_if(self, condition: bool) -> Self {
        Self(self.0 & u64::from(condition).wrapping_neg())
    }

    #[inline(always)]
    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether there are no two different points: only then is their number times the sum of squares the square of the sum (Cauchy's
    /// inequality).
    #[inline(always)]
    pub(super) fn is_at_most_one(self) -> bool {
        let (number, sum, squares) = (self.0 & 0x7ff, u64::from(self.0 as u32 >> 11), self.0 >> 32);
        number * squares == sum * sum
    }

    /// Which of the four [have at most one point](Self::is_at_most_one): all bits of their [lanes](Lanes).
    #[inline(always)]
    pub(super) fn are_at_most_one(four: [Self; 4]) -> u64 {
        are_squares(four.map(|liberties| liberties.0))
    }

    /// How often points touch.
    #[inline(always)]
    pub(super) fn count(self) -> u64 {
        self.0 & 0x7ff
    }
}

/// What is on a point, and which entry of the board's tables tells about it: for a stone that of its chain, the bit of one of the chain's
/// stones; for an empty point its own bit. In 16 bits: the two lowest tell the colour, the others are the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(u16);

impl Link {
    #[inline(always)]
    pub(super) const fn empty(bit: usize) -> Self {
        Self((bit as u16) << 2)
    }

    #[inline(always)]
    pub(super) const fn stone(root: usize, color: Color) -> Self {
        Self((root as u16) << 2 | 1 << color as u16)
    }

    #[inline(always)]
    pub(super) fn is_of(self, color: Color) -> bool {
        self.0 & 1 << color as u16 != 0
    }

    #[inline(always)]
    pub(super) fn root(self) -> usize {
        usize::from(self.0 >> 2)
    }
}

/// Four links in one word, 16 bits each.
#[derive(Clone, Copy)]
pub(super) struct Lanes(u64);

/// Some of four lanes, by the lowest bit of each.
#[derive(Clone, Copy)]
pub(super) struct LaneSet(u64);

impl LaneSet {
    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Lanes {
    const ONES: u64 = 0x0001_0001_0001_0001;

    #[inline(always)]
    pub(super) fn new(links: [Link; 4]) -> Self {
        let [a, b, c, d] = links.map(|link| u64::from(link.0));
        Self(a | b << 16 | c << 32 | d << 48)
    }

    /// The stones of `color` in those lanes whose lowest bits are set in `lanes`.
    #[inline(always)]
    pub(super) fn stones_in(self, color: Color, lanes: u64) -> LaneSet {
        LaneSet(self.0 >> color as u32 & Self::ONES & lanes)
    }

    /// The stones of `color` whose chain is not this one.
    #[inline(always)]
    pub(super) fn others(self, color: Color, link: Link) -> LaneSet {
        self.stones_in(color, self.differing(link))
    }

    /// The lowest bit of each lane: whether it is not this link. Other bits mean nothing.
    #[inline(always)]
    fn differing(self, link: Link) -> u64 {
        // Links leave the highest bit of a lane free: a carry sets it unless all others are equal.
        let differences = self.0 ^ u64::from(link.0).wrapping_mul(Self::ONES);
        differences.wrapping_add(Self::ONES * 0x7fff) >> 15
    }

    /// Takes a lane out of `some`, and all that are equal to it.
    #[inline(always)]
    pub(super) fn pop(self, some: &mut LaneSet) -> Option<Link> {
        if some.is_empty() {
            return None;
        }
        let link = Link((self.0 >> some.0.trailing_zeros()) as u16);
        some.0 &= self.differing(link);
        Some(link)
    }
}

impl<const W: usize> Board<W> {
    /// Number of liberties of the chain on `point`; `None` on an empty point. Cost: a few operations on bitboards.
    #[must_use]
    pub fn liberty_count(&self, point: Point) -> Option<usize> {
        self.stone(point)?;
        Some(self.liberty_set(self.geometry.bit(point)).count() as usize)
    }

    /// The stones of the chains with one, two and three liberties, as [`stone_bits`](Self::stone_bits). Cost: a flood fill of each chain.
    #[must_use]
    pub fn bits_by_liberties(&self) -> [[u64; W]; 3] {
        let mut sets = [Bitboard::EMPTY; 3];
        for chain in self.stones.into_iter().flat_map(|stones| self.geometry.parts(stones)) {
            let liberties = self.geometry.adjacent(chain) & self.empty();
            if let Some(set) = sets.get_mut((liberties.count() as usize).wrapping_sub(1)) {
                *set |= chain;
            }
        }
        sets.map(|set| self.geometry.bits_of(set))
    }

    /// The stones of the chain on `point`, in row-major order; nothing on an empty point.
    pub fn chain_stones(&self, point: Point) -> impl Iterator<Item = Point> {
        let stones = match self.stone(point) {
            Some(_) => self.chain_set(self.geometry.bit(point)),
            None => Bitboard::EMPTY,
        };
        self.points_of(stones)
    }

    /// The liberties of the chain on `point`, in row-major order; nothing on an empty point.
    pub fn chain_liberties(&self, point: Point) -> impl Iterator<Item = Point> {
        let liberties = match self.stone(point) {
            Some(_) => self.liberty_set(self.geometry.bit(point)),
            None => Bitboard::EMPTY,
        };
        self.points_of(liberties)
    }

    /// The stones of the chain that has one on `bit`. There must be one.
    #[inline]
    pub(super) fn chain_set(&self, bit: usize) -> Bitboard<W> {
        self.chains[self.links[bit].root()]
    }

    /// The liberties of that chain.
    #[inline]
    pub(super) fn liberty_set(&self, bit: usize) -> Bitboard<W> {
        self.geometry.adjacent(self.chain_set(bit)) & self.empty()
    }

    /// What is known of the liberties of that chain.
    #[inline(always)]
    pub(super) fn liberties_of(&self, bit: usize) -> Liberties {
        self.liberties[self.links[bit].root()]
    }

    /// The stones of all chains that have one of `stones`.
    #[inline(always)]
    fn chains_with(&self, stones: Bitboard<W>) -> Bitboard<W> {
        stones.iter().fold(Bitboard::EMPTY, |chains, stone| chains | self.chain_set(stone))
    }

    /// Number of chains of this colour.
    #[must_use]
    pub fn chain_count(&self, color: Color) -> usize {
        self.chain_sets(color).count()
    }

    /// The stones of each chain of this colour, in row-major order, the chains ordered by their first stone.
    pub fn chains_of(&self, color: Color) -> impl Iterator<Item = Vec<Point>> {
        self.chain_sets(color).map(|stones| self.points_of(stones).collect())
    }

    /// The stone sets of this colour's chains, ordered by their first stone.
    pub(crate) fn chain_sets(&self, color: Color) -> impl Iterator<Item = Bitboard<W>> {
        let mut rest = self.stones[color.index()];
        std::iter::from_fn(move || {
            let stones = (!rest.is_empty()).then(|| self.chain_set(rest.first()))?;
            rest = rest.without(stones);
            Some(stones)
        })
    }

    /// The opposing stones that a move of `color` on the empty point `bit` removes: all chains whose only liberty it is.
    #[inline(always)]
    pub(crate) fn captured_by(&self, color: Color, bit: usize) -> Bitboard<W> {
        self.chains_with(*self.geometry.neighbours(bit) & self.atari[color.opponent().index()])
    }

    /// The own stones that a move of `color` on the empty point `bit` removes, the new one included, if it captures nothing: empty when
    /// the move leaves a liberty.
    #[inline(always)]
    pub(crate) fn given_up_by(&self, color: Color, bit: usize) -> Bitboard<W> {
        let (own, neighbours) = (color.index(), *self.geometry.neighbours(bit));
        if neighbours.intersects(self.empty() | self.stones[own].without(self.atari[own])) {
            return Bitboard::EMPTY;
        }
        self.chains_with(neighbours & self.stones[own]) | Bitboard::single(bit)
    }

    /// What a move of the player to move on the empty `point` would remove. Asks neither whether it is legal nor changes anything.
    #[must_use]
    pub fn outcome(&self, point: Point) -> MoveOutcome {
        let bit = self.geometry.bit(point);
        let captured = self.captured_by(self.to_play, bit).count() as u16;
        let given_up = if captured > 0 { 0 } else { self.given_up_by(self.to_play, bit).count() as u16 };
        MoveOutcome { captured, given_up }
    }

    /// Number of stones in the chain that a move of the player to move on the empty `point` would leave in atari, the new stone included;
    /// `None` when the move captures, is a suicide, or leaves two or more liberties.
    #[must_use]
    pub fn self_atari_size(&self, point: Point) -> Option<usize> {
        let bit = self.geometry.bit(point);
        let (own, opponent) = (self.to_play.index(), self.to_play.opponent().index());
        let neighbours = *self.geometry.neighbours(bit);
        let chain = self.chains_with(neighbours & self.stones[own]) | Bitboard::single(bit);
        let mut liberties = self.geometry.adjacent(chain) & self.empty();
        liberties.remove(bit);
        let in_atari = liberties.is_single() && !neighbours.intersects(self.atari[opponent]);
        in_atari.then(|| chain.count() as usize)
    }
}
