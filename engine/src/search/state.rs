//! A position in the tree of a search: the stones, whose turn it is, and what superko must know of the past.

use crate::{
    Color, Game, Ko, Suicide,
    batch::Placement,
    bitboard::Bitboard,
    board::{Among, Spoils},
    game::Recurrence,
    geometry::Geometry,
};

/// A position of a tree. Small, and made from the one before by a few flood fills: nothing is replayed or taken back.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<const W: usize> {
    pub(super) stones: [Bitboard<W>; 2],
    pub(super) to_play: Color,
    /// Whether the last ply was a pass.
    pub(super) passed: bool,
    /// The point that simple ko forbids.
    ko: Option<u16>,
    hash: u64,
    /// Stones of each colour put on the board since the game began.
    placed: [u32; 2],
    ply: u32,
    recurrence: Recurrence<W>,
}

impl<const W: usize> State<W> {
    /// The position of a game.
    pub(super) fn new(game: &Game<W>) -> Self {
        let board = game.board();
        Self {
            stones: Color::BOTH.map(|color| board.stone_set(color)),
            to_play: board.to_play(),
            passed: game.consecutive_passes() > 0,
            ko: board.ko_bit(),
            hash: board.hash(),
            placed: Color::BOTH.map(|color| game.placed(color)),
            ply: game.ply_count(),
            recurrence: *game.recurrence(),
        }
    }

    #[inline(always)]
    fn empty(&self, geometry: &Geometry<W>) -> Bitboard<W> {
        geometry.on_board.without(self.stones[0] | self.stones[1])
    }

    /// What a batch or a board must know to play on from here.
    #[inline(always)]
    pub(super) fn placement(&self, geometry: &Geometry<W>) -> Placement {
        Placement {
            size: geometry.size,
            stones: [geometry.rows_of(self.stones[0]), geometry.rows_of(self.stones[1])],
            to_play: self.to_play,
            ko: self.ko.map(|ko| geometry.point(ko.into())),
            passed: self.passed,
            placed: self.placed,
        }
    }

    /// Stones of each colour that were removed from the board.
    pub(super) fn prisoners(&self) -> [u32; 2] {
        [0, 1].map(|color| self.placed[color] - self.stones[color].count())
    }

    /// The position after a pass.
    #[inline]
    pub(super) fn after_pass(&self) -> Self {
        Self { to_play: self.to_play.opponent(), passed: true, ko: None, ply: self.ply + 1, ..*self }
    }

    /// The position after a stone on an empty point where the board allows one.
    #[inline(always)]
    pub(super) fn after(&self, geometry: &Geometry<W>, bit: usize) -> Self {
        let (own, opponent) = (self.to_play.index(), self.to_play.opponent().index());
        let mut next =
            Self { to_play: self.to_play.opponent(), passed: false, ko: None, ply: self.ply + 1, ..*self };
        next.stones[own].insert(bit);
        next.placed[own] += 1;
        next.hash ^= geometry.key(self.to_play, bit);
        next.recurrence.place(self.to_play, bit, next.ply);
        let neighbours = *geometry.neighbours(bit);
        let empty = next.empty(geometry);
        let captured = without_liberties(geometry, neighbours, next.stones[opponent], empty);
        if !captured.is_empty() {
            next.remove(geometry, self.to_play.opponent(), captured);
            let is_alone = !neighbours.intersects(self.stones[own]);
            if is_alone && captured.is_single() && neighbours.without(next.stones[opponent]) == captured {
                next.ko = Some(captured.first() as u16);
            }
        } else if !neighbours.intersects(empty) {
            let given_up = without_liberties(geometry, Bitboard::single(bit), next.stones[own], empty);
            if !given_up.is_empty() {
                next.remove(geometry, self.to_play, given_up);
            }
        }
        next
    }

    /// Removes the stones that the last move captures or gives up.
    fn remove(&mut self, geometry: &Geometry<W>, loser: Color, removed: Bitboard<W>) {
        self.stones[loser.index()] ^= removed;
        self.hash = removed.iter().fold(self.hash, |hash, bit| hash ^ geometry.key(loser, bit));
        self.recurrence.remove(self.to_play.opponent(), loser, removed, self.ply);
    }

    /// The points where the player to move may put a stone, superko aside. Suicide counts as legal where `suicide` says so.
    #[inline(always)]
    pub(super) fn candidates(&self, geometry: &Geometry<W>, among: Among, suicide: Suicide) -> Bitboard<W> {
        let (own, opponent) = (self.to_play.index(), self.to_play.opponent().index());
        let empty = self.empty(geometry);
        let airy = geometry.adjacent(empty) & empty;
        let mut crowded = empty.without(airy);
        if among == Among::NotEyeLike {
            crowded &= Spoils::new(self.stones[opponent], geometry).points;
        }
        if let Some(ko) = self.ko {
            crowded.remove(ko.into());
        }
        let mut candidates = airy;
        for bit in crowded.iter() {
            let neighbours = *geometry.neighbours(bit);
            let rest = empty.without(Bitboard::single(bit));
            let lives =
                has_chain(geometry, neighbours, self.stones[own], |liberties| liberties.intersects(rest))
                    || has_chain(geometry, neighbours, self.stones[opponent], |liberties| {
                        !liberties.intersects(rest)
                    })
                    || suicide == Suicide::Allowed && neighbours.intersects(self.stones[own]);
            if lives {
                candidates.insert(bit);
            }
        }
        candidates
    }

    /// The last liberties of the opponent's chains in atari.
    #[inline(always)]
    pub(super) fn captures(&self, geometry: &Geometry<W>) -> Bitboard<W> {
        let empty = self.empty(geometry);
        let mut captures = Bitboard::EMPTY;
        for chain in geometry.parts(self.stones[self.to_play.opponent().index()]) {
            let liberties = geometry.adjacent(chain) & empty;
            captures |= liberties.only_if(liberties.is_single());
        }
        captures
    }

    /// Returns the candidates that superko allows: those that lead neither to a position of the game nor to one of the `line`, the positions of the
    /// tree from the root to this one.
    pub(super) fn without_superko<'a>(
        &self,
        geometry: &Geometry<W>,
        ko: Ko,
        game: &Game<W>,
        line: impl Iterator<Item = &'a Self> + Clone,
        candidates: Bitboard<W>,
    ) -> Bitboard<W> {
        if ko == Ko::Simple {
            return candidates;
        }
        let may_be_suicide = |bit| {
            let neighbours = *geometry.neighbours(bit);
            !neighbours.intersects(self.empty(geometry))
                && neighbours.intersects(self.stones[self.to_play.index()])
        };
        let mut allowed = candidates;
        for bit in candidates.iter() {
            // Few moves can repeat a position; of these the stones decide.
            let may_repeat = self.recurrence.is_possible(self.to_play, bit, || true) || may_be_suicide(bit);
            if may_repeat && self.after(geometry, bit).has_stood(ko, game, line.clone()) {
                allowed.remove(bit);
            }
        }
        allowed
    }

    /// Whether the stones were the same in the game or in the line, with the same player to move where that matters.
    fn has_stood<'a>(&self, ko: Ko, game: &Game<W>, mut line: impl Iterator<Item = &'a Self>) -> bool {
        let same_player_only = ko == Ko::SituationalSuperko;
        line.any(|earlier| {
            earlier.hash == self.hash
                && earlier.stones == self.stones
                && (!same_player_only || earlier.to_play == self.to_play)
        }) || game.history().has_stood(game.board(), self.hash, self.stones, self.to_play, same_player_only)
    }
}

/// The chains of `stones` that stand on a point of `near` and have no liberty.
#[inline(always)]
fn without_liberties<const W: usize>(
    geometry: &Geometry<W>,
    near: Bitboard<W>,
    stones: Bitboard<W>,
    empty: Bitboard<W>,
) -> Bitboard<W> {
    let mut rest = near & stones;
    let mut found = Bitboard::EMPTY;
    while !rest.is_empty() {
        let first = rest.lowest();
        if geometry.adjacent(first).intersects(empty) {
            // Most chains have a liberty beside the very stone that is looked at.
            rest ^= first;
            continue;
        }
        let chain = geometry.flood(first, stones);
        if !geometry.adjacent(chain).intersects(empty) {
            found |= chain;
        }
        rest = rest.without(chain);
    }
    found
}

/// Whether a chain of `stones` on a point of `near` has neighbouring points of which this holds.
#[inline(always)]
fn has_chain<const W: usize>(
    geometry: &Geometry<W>,
    near: Bitboard<W>,
    stones: Bitboard<W>,
    holds: impl Fn(Bitboard<W>) -> bool,
) -> bool {
    let mut rest = near & stones;
    while !rest.is_empty() {
        let chain = geometry.flood(rest.lowest(), stones);
        if holds(geometry.adjacent(chain)) {
            return true;
        }
        rest = rest.without(chain);
    }
    false
}
