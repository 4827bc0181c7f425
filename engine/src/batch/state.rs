//! The games of a batch between two steps: one vector for each row of the board and each set of points.

use std::ops::{Index, IndexMut};

use super::start::{Origin, Placement, Start};
use crate::{
    BoardSize, Color,
    simd::{Bits as _, Lanes as _, Mask as _, Vector, WideOf},
};

/// How many rows a board has, known when compiling or not.
///
/// Loops over a number of rows that is known are unrolled: worth it for the sizes that are played most.
pub(super) trait Rows: Copy {
    /// Number of rows.
    fn count(self) -> usize;
}

/// A number of rows known when compiling.
#[derive(Clone, Copy)]
pub(super) struct Fixed<const ROWS: usize>;

impl<const ROWS: usize> Rows for Fixed<ROWS> {
    #[inline(always)]
    fn count(self) -> usize {
        ROWS
    }
}

/// Any number of rows.
#[derive(Clone, Copy)]
pub(super) struct Any(pub(super) usize);

impl Rows for Any {
    #[inline(always)]
    fn count(self) -> usize {
        self.0
    }
}

/// Rows of the largest board, one above and one below, and one more. Sixteen fields of 28 vectors side by side begin four vectors or more apart
/// within their pages; of 27, some had the same row at the same place in different pages, which processors take for the same address at first.
const PADDED: usize = BoardSize::MAX_SIDE + 3;

/// For how many steps the empty points are remembered where repetitions are found.
pub(super) const WINDOW: usize = 32;
// So that places before the first wrap to the last ones.
const _: () = assert!(WINDOW.is_power_of_two());

/// A set of points in every game: row *r* of the board is element *r* + 1; elements 0 and *rows* + 1 lie outside.
#[derive(Clone, Copy)]
pub(super) struct Field<V>([V; PADDED]);

impl<V: Copy> Field<V> {
    /// The same value in every row.
    pub(super) fn splat(value: V) -> Self {
        Self([value; PADDED])
    }

    /// The value that the function gives for each row.
    pub(super) fn from_fn(value: impl FnMut(usize) -> V) -> Self {
        Self(std::array::from_fn(value))
    }
}

impl<V> Index<usize> for Field<V> {
    type Output = V;

    #[inline(always)]
    fn index(&self, row: usize) -> &V {
        &self.0[row]
    }
}

impl<V> IndexMut<usize> for Field<V> {
    #[inline(always)]
    fn index_mut(&mut self, row: usize) -> &mut V {
        &mut self.0[row]
    }
}

/// What a step does. Steps are compiled for the options of the usual games, so that what a batch does not need costs nothing there.
#[derive(Clone, Copy)]
pub(super) struct StepOptions {
    /// Whether points that are eye-like for the mover are no candidates.
    pub(super) spares_eyes: bool,
    /// Whether suicides of two or more stones are played.
    pub(super) plays_suicide: bool,
    /// Whether self-atari is rejected.
    pub(super) guards: bool,
    /// Whether repetitions are found. Needs the moves.
    pub(super) finds_repeats: bool,
    /// Whether it is noted who first put a stone on each point.
    pub(super) notes_first: bool,
}

/// The positions of the games, relative to the player to move, and what a step leaves for the next.
///
/// The fields lie side by side: see [`Field`].
#[repr(C)]
pub(super) struct Batch<V: Vector, R> {
    // Constants.
    /// In each row, the points on the edge of the board.
    pub(super) edge: Field<V>,
    /// The number of each element.
    pub(super) number: Field<V::Number>,

    // The games. Outside the board all is `own`, so that nothing there is empty.
    pub(super) own: Field<V>,
    pub(super) opponent: Field<V>,
    /// The points where a stone of Black, of White was ever removed. What a step removes is noted in the next. Only where repetitions are found.
    pub(super) emptied: [Field<V>; 2],

    // Where a flood of a stalled game stands.
    /// Stones that reach an empty point other than the pick, and some points without stones.
    pub(super) reached: Field<V>,
    /// Own stones connected to the pick. Only where self-atari is guarded against.
    pub(super) connected: Field<V>,

    // Filled by one pass of a step for the next.
    pub(super) candidates: Field<V>,
    /// The number of candidates up to the end of each row, or of each group of rows.
    pub(super) candidates_to: Field<V::Number>,
    /// The empty points. Only where no repetitions are found.
    pub(super) empty: Field<V>,
    /// The pick as a set of points. After the step, the points that the next step may not pick: the pick, or the point that simple ko forbids.
    pub(super) pick: Field<V>,
    /// The points beside the pick.
    pub(super) near_pick: Field<V>,
    /// The stones whose right neighbour, and whose neighbour below, has the same colour. Those of the last row may be among the latter.
    pub(super) joined_right: Field<V>,
    pub(super) joined_below: Field<V>,

    /// The points where the first stone since the start was Black's, and where it was White's. Only where that is noted.
    pub(super) first: [Field<V>; 2],

    /// The empty points before this step and the last ones. Only where repetitions are found.
    pub(super) recent_empty: [Field<V>; WINDOW],

    // More constants.
    pub(super) isa: V::Isa,
    pub(super) rows: R,
    pub(super) size: BoardSize,
    pub(super) ply_cap: WideOf<V>,
    /// The points of a row.
    pub(super) board: V,

    // More about the games.
    /// The lanes that have a game. The others have a full board and never move.
    pub(super) playing: V::Mask,
    /// The games in which Black is to move.
    pub(super) black: V::Mask,
    /// The games that did not move in the last step: what was no candidate then is none now.
    pub(super) same_ply: V::Mask,
    /// The games whose last ply was a pass.
    pub(super) passed: V::Mask,
    /// The games that two passes ended in the last step.
    pub(super) over: V::Mask,
    pub(super) plies: WideOf<V>,
    /// Passes of Black and White.
    pub(super) passes: [WideOf<V>; 2],
    /// The [signatures](super::log::Log) of the positions. Only where repetitions are found.
    pub(super) signature: V,
    /// The games in which Black, White lost stones since the last [fresh](crate::game::Recurrence) stone of that colour. Only where repetitions are
    /// found.
    pub(super) lost_since_fresh: [V::Mask; 2],
    /// The last stone played in each game: the element of its row, and its bit, which is zero if the stone is not fresh. Only where repetitions are
    /// found.
    pub(super) last_row: V::Number,
    pub(super) last_bit: V,
    /// The place of this step in `recent_empty`.
    pub(super) place: usize,
    /// The games in which the last step removed stones of Black, of White. Only where repetitions are found.
    pub(super) removed: [V::Mask; 2],

    // The pick of each game. Kept where it is not decided yet.
    /// The games whose pick is not decided yet.
    pub(super) stalled: V::Mask,
    /// The element of the pick's row; 0 where there is none.
    pub(super) pick_row: V::Number,
    /// The pick as a bit in its row.
    pub(super) pick_bit: V,
}

impl<V: Vector, R: Rows> Batch<V, R> {
    /// No games yet.
    pub(super) fn new(isa: V::Isa, rows: R, size: BoardSize, ply_cap: u16) -> Self {
        assert!((2..=V::LONGEST_ROW).contains(&size.width()));
        assert!(size.height() >= 2 && rows.count() == size.height());
        let zero = V::splat(isa, 0);
        let no_number = V::Number::splat(isa, 0);
        let no_count = WideOf::<V>::splat(isa, 0);
        let board = V::splat(isa, (1 << size.width()) - 1);
        let sides = V::splat(isa, 1 | 1 << (size.width() - 1));
        let nowhere = Field::splat(zero);
        let none = V::Mask::from_bits(isa, 0);
        Self {
            isa,
            rows,
            size,
            ply_cap: WideOf::<V>::splat(isa, ply_cap.into()),
            board,
            edge: Field::from_fn(|row| if row == 1 || row == size.height() { board } else { sides }),
            number: Field::from_fn(|row| V::Number::splat(isa, row as u32)),
            own: Field::splat(board),
            opponent: nowhere,
            playing: none,
            same_ply: none,
            black: none,
            passed: none,
            over: none,
            plies: no_count,
            passes: [no_count; 2],
            stalled: none,
            pick_row: no_number,
            pick_bit: zero,
            reached: nowhere,
            connected: nowhere,
            candidates: nowhere,
            candidates_to: Field::splat(no_number),
            empty: nowhere,
            recent_empty: [nowhere; WINDOW],
            place: 0,
            pick: nowhere,
            near_pick: nowhere,
            joined_right: nowhere,
            joined_below: nowhere,
            emptied: [nowhere; 2],
            first: [nowhere; 2],
            signature: zero,
            lost_since_fresh: [none; 2],
            last_row: no_number,
            last_bit: zero,
            removed: [none; 2],
        }
    }

    /// Number of rows, with the promise that they fit.
    #[inline(always)]
    pub(super) fn row_count(&self) -> usize {
        let rows = self.rows.count();
        assert!((2..=BoardSize::MAX_SIDE).contains(&rows));
        rows
    }

    /// The empty points before this step, whose [place](Self::empty_place) is `now`. Loops find the place once.
    #[inline(always)]
    pub(super) fn empty(&self, options: StepOptions, now: usize) -> &Field<V> {
        if options.finds_repeats { &self.recent_empty[now] } else { &self.empty }
    }

    /// Where in `recent_empty` the step that was so many steps ago, less than [`WINDOW`], has its empty points; 0 is this step.
    #[inline(always)]
    pub(super) fn empty_place(&self, steps_ago: usize) -> usize {
        self.place.wrapping_sub(steps_ago) % WINDOW
    }

    /// Forgets where stones were removed in these games, all of which have ended.
    #[inline(always)]
    pub(super) fn forget_emptied(&mut self, games: V::Mask) {
        let games = V::ones(self.isa, games);
        for row in 1..self.row_count() + 1 {
            self.emptied.iter_mut().for_each(|emptied| emptied[row] = emptied[row].without(games));
        }
    }

    /// Starts a game in this lane, where [nothing is noted](Self::forget_emptied) of earlier ones.
    ///
    /// # Panics
    /// When it starts on a board of another size, or where repetitions are found at a position without history.
    #[inline(always)]
    pub(super) fn start(&mut self, options: StepOptions, lane: usize, start: &Start) {
        self.clear(options, lane, 0);
        if let Some(placement) = start.placement() {
            self.load(lane, placement);
            let this = V::Mask::from_bits(self.isa, 1 << lane);
            if placement.to_play == Color::White {
                self.black = self.black.without(this);
            }
            if placement.passed {
                self.passed = self.passed.or(this);
            }
            if options.finds_repeats {
                self.load_history(lane, start.origin().expect("a start with its history"));
            }
        }
    }

    /// Puts the stones of a position into a lane, and its ko ban.
    #[inline(always)]
    fn load(&mut self, lane: usize, placement: &Placement) {
        assert_eq!(placement.size, self.size, "a game is loaded onto a board of its size");
        let [own, opponent] =
            [placement.to_play, placement.to_play.opponent()].map(|color| &placement.stones[color.index()]);
        for row in 0..self.row_count() {
            self.own[row + 1].set_lane(lane, own[row]);
            self.opponent[row + 1].set_lane(lane, opponent[row]);
        }
        if let Some(ko) = placement.ko {
            self.pick[usize::from(ko.y) + 1].set_lane(lane, 1 << ko.x);
        }
    }

    /// Loads the points where stones of a game were removed.
    #[inline(never)]
    fn load_history(&mut self, lane: usize, origin: &Origin) {
        for row in 0..self.row_count() {
            for (emptied, rows) in self.emptied.iter_mut().zip(&origin.emptied) {
                emptied[row + 1].set_lane(lane, rows[row]);
            }
        }
        let this = V::Mask::from_bits(self.isa, 1 << lane);
        self.lost_since_fresh = self.lost_since_fresh.map(|games| games.or(this));
    }

    /// Leaves this lane without a game.
    pub(super) fn idle(&mut self, options: StepOptions, lane: usize) {
        if !self.playing.has(lane) {
            return;
        }
        self.clear(options, lane, self.board.lane(lane));
        self.playing = self.playing.without(V::Mask::from_bits(self.isa, 1 << lane));
    }

    #[inline(always)]
    fn clear(&mut self, options: StepOptions, lane: usize, own: u32) {
        // One set of points after the other: row by row is slower with AVX2.
        let rows = 1..self.row_count() + 1;
        rows.clone().for_each(|row| self.own[row].set_lane(lane, own));
        rows.clone().for_each(|row| self.opponent[row].set_lane(lane, 0));
        rows.clone().for_each(|row| self.pick[row].set_lane(lane, 0));
        if options.notes_first {
            for first in &mut self.first {
                rows.clone().for_each(|row| first[row].set_lane(lane, 0));
            }
        }
        self.plies.set_lane(lane, 0);
        self.passes.iter_mut().for_each(|passes| passes.set_lane(lane, 0));
        let this = V::Mask::from_bits(self.isa, 1 << lane);
        if options.finds_repeats {
            self.last_bit.set_lane(lane, 0);
            self.lost_since_fresh = self.lost_since_fresh.map(|games| games.without(this));
            self.removed = self.removed.map(|games| games.without(this));
        }
        self.playing = self.playing.or(this);
        self.black = self.black.or(this);
        self.passed = self.passed.without(this);
        self.stalled = self.stalled.without(this);
        self.same_ply = self.same_ply.without(this);
    }

    /// The stones of one colour in one game, row by row.
    pub(super) fn stones(&self, lane: usize, color: Color) -> impl Iterator<Item = u32> {
        let mover = if self.black.has(lane) { Color::Black } else { Color::White };
        let field = if color == mover { &self.own } else { &self.opponent };
        (1..self.row_count() + 1).map(move |row| field[row].lane(lane))
    }
}
