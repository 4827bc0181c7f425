//! Positions and games for code that is not generic in the width of bitboards: the width is chosen at run time, inside this crate.

use std::any::Any;

use crate::{
    BoardSize, Color, Game, IllegalMove, Move, Point, Position, Rules, for_width,
    game::HandicapStart,
    score::AreaCount,
    simd::{Job, with_fast_bits},
};

/// A reference to a position of any width.
///
/// ```
/// use jigo_engine::{AnyPosition, BoardSize, Color, Point, Position};
/// let mut position: Position = Position::new(BoardSize::new(4, 2).unwrap());
/// position.set_rows(Color::Black, [0b0010]);
/// assert_eq!(AnyPosition::new(&position).stone(Point::new(1, 0)), Some(Color::Black));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AnyPosition<'a> {
    size: BoardSize,
    words: usize,
    position: &'a dyn Any,
}

/// Runs an expression with the position in its own width.
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        $crate::for_width!(@words $any.words(), W => {
            let $position: &$crate::Position<W> = $any.downcast();
            $body
        })
    };
}

pub(crate) use with_position;

impl<'a> AnyPosition<'a> {
    /// Refers to a position of the default width, or of one that [`for_width!`] picks.
    ///
    /// # Panics
    /// When `W` is neither.
    #[must_use]
    pub fn new<const W: usize>(position: &'a Position<W>) -> Self {
        assert_eq!(for_width!(@words W, V => V), W, "a width that `for_width!` picks");
        Self { size: position.size(), words: W, position }
    }

    pub(crate) fn words(self) -> usize {
        self.words
    }

    pub(crate) fn downcast<const W: usize>(self) -> &'a Position<W> {
        self.position.downcast_ref().expect("a position of so many words")
    }

    /// Returns the board's size.
    #[must_use]
    pub fn size(self) -> BoardSize {
        self.size
    }

    /// Returns the stone on `point`, if there is one. May panic when the point is not on the board.
    #[must_use]
    pub fn stone(self, point: Point) -> Option<Color> {
        with_position!(self, position => position.stone(point))
    }

    /// Returns whose area each point is, in row-major order; `None` for neutral points.
    #[must_use]
    pub fn owners(self) -> Vec<Option<Color>> {
        with_position!(self, position => position.ownership().map(|(_, owner)| owner).collect())
    }

    /// Returns the area of both sides and the neutral points.
    #[must_use]
    pub fn area(self) -> AreaCount {
        with_position!(self, position => position.area())
    }

    /// Calls `with` with the position after these stones are removed.
    ///
    /// # Panics
    /// When a point is not on the board.
    pub fn without<T>(self, stones: &[Point], with: impl FnOnce(AnyPosition<'_>) -> T) -> T {
        if stones.is_empty() {
            return with(self);
        }
        with_position!(self, position => with(AnyPosition::new(&position.without(stones))))
    }

    /// Returns a copy in bitboards that fit every size.
    #[must_use]
    pub fn to_position(self) -> Position {
        with_position!(self, position => position.with_width())
    }
}

/// A [`Game`] in the narrowest bitboards for its size. Every call chooses the width, which costs some nanoseconds.
#[derive(Debug)]
pub struct AnyGame {
    size: BoardSize,
    /// A `Game<W>`, and memory for its position.
    game: Box<dyn Any + Send>,
}

/// Runs an expression with the game in its own width.
macro_rules! with_game {
    ($any:expr, $game:ident => $body:expr) => {
        for_width!($any.size, W => {
            let ($game, _) = $any.game.downcast_ref::<(Game<W>, Position<W>)>().expect("the narrowest game");
            $body
        })
    };
}

/// The bits of a narrow board in as many words as any board needs.
fn widened<const W: usize>(bits: [u64; W]) -> [u64; AnyGame::WORDS] {
    let mut wide = [0; AnyGame::WORDS];
    wide[..W].copy_from_slice(&bits);
    wide
}

impl AnyGame {
    /// Words with a bit for each point of any board.
    pub const WORDS: usize = 11;

    /// Starts a game on the empty board.
    #[must_use]
    pub fn new(size: BoardSize, rules: Rules) -> Self {
        let game = for_width!(size, W => {
            let game = Game::<W>::new(size, rules);
            let position = game.board().position();
            Box::new((game, position)) as Box<dyn Any + Send>
        });
        Self { size, game }
    }

    /// Starts a game with a handicap, as [`Game::with_handicap`].
    #[must_use]
    pub fn with_handicap(size: BoardSize, rules: Rules, handicap: &HandicapStart) -> Self {
        let mut any = Self::new(size, rules);
        for_width!(size, W => *any.narrow_mut::<W>() = Game::with_handicap(size, rules, handicap));
        any
    }

    /// Returns the game itself, to change it.
    ///
    /// # Panics
    /// When `W` is not the width that [`for_width!`] picks for the size.
    pub fn narrow_mut<const W: usize>(&mut self) -> &mut Game<W> {
        &mut self.pair_mut().0
    }

    fn pair_mut<const W: usize>(&mut self) -> &mut (Game<W>, Position<W>) {
        self.game.downcast_mut().expect("the width for the size")
    }

    /// Returns the board's size.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        with_game!(self, game => game.rules())
    }

    /// Returns the player to move.
    #[must_use]
    pub fn to_play(&self) -> Color {
        with_game!(self, game => game.to_play())
    }

    /// Returns the point that simple ko forbids to the player to move, if any.
    #[must_use]
    pub fn ko_point(&self) -> Option<Point> {
        with_game!(self, game => game.board().ko_point())
    }

    /// Returns the stone on `point`, if there is one. May panic when the point is not on the board.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Color> {
        with_game!(self, game => game.board().stone(point))
    }

    /// Returns the stones of a colour, as [`Board::stone_bits`](crate::Board::stone_bits).
    #[must_use]
    pub fn stone_bits(&self, color: Color) -> [u64; Self::WORDS] {
        with_game!(self, game => widened(game.board().stone_bits(color)))
    }

    /// Returns the stones of the chains with one, two and three liberties, as [`Board::bits_by_liberties`](crate::Board::bits_by_liberties).
    #[must_use]
    pub fn bits_by_liberties(&self) -> [[u64; Self::WORDS]; 3] {
        with_game!(self, game => game.board().bits_by_liberties().map(widened))
    }

    /// Returns the points that only ko forbids, as [`Game::ko_bits`].
    #[must_use]
    pub fn ko_bits(&self) -> [u64; Self::WORDS] {
        with_game!(self, game => widened(game.ko_bits()))
    }

    /// Returns the stones of this colour that were removed, as [`Game::prisoners`].
    #[must_use]
    pub fn prisoners(&self, color: Color) -> u32 {
        with_game!(self, game => game.prisoners(color))
    }

    /// Checks a point as [`Game::check_point`].
    ///
    /// # Errors
    /// The rule that forbids a stone there.
    pub fn check_point(&self, point: Point) -> Result<(), IllegalMove> {
        with_game!(self, game => game.check_point(point))
    }

    /// Starts again from the empty board.
    pub fn clear(&mut self) {
        for_width!(self.size, W => self.narrow_mut::<W>().clear());
    }

    /// Plays a move as [`Game::play`].
    ///
    /// # Errors
    /// The rule that forbids it. The game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        for_width!(self.size, W => self.narrow_mut::<W>().play(mv).map(drop))
    }

    /// Plays moves as [`Game::play`], one after the other.
    ///
    /// # Errors
    /// The number of the first illegal move, from 1, and the rule that forbids it. The moves before it are played.
    pub fn play_all(&mut self, moves: &[Move]) -> Result<(), (usize, IllegalMove)> {
        for_width!(self.size, W => with_fast_bits(PlayAll { game: self.narrow_mut::<W>(), moves }))
    }

    /// Returns the current position.
    pub fn position(&mut self) -> AnyPosition<'_> {
        for_width!(self.size, W => {
            let (game, position) = self.pair_mut::<W>();
            position.set_from(game.board());
            AnyPosition::new(position)
        })
    }
}

/// Moves played one after the other, compiled for this processor.
struct PlayAll<'a, const W: usize> {
    game: &'a mut Game<W>,
    moves: &'a [Move],
}

impl<const W: usize> Job for PlayAll<'_, W> {
    type Output = Result<(), (usize, IllegalMove)>;

    const HAS_LONG_BITBOARDS: bool = W >= 3;

    #[inline(always)]
    fn run(self) -> Self::Output {
        for (number, &mv) in (1..).zip(self.moves) {
            self.game.play_inlined(mv).map_err(|reason| (number, reason))?;
        }
        Ok(())
    }
}
