//! Where the games of a batch start: on the empty board, or where another game stands.

use std::{fmt, sync::Arc};

use crate::{
    BoardSize, Color, Game, Point, Position,
    game::{History, Repetition},
    simd::MAX_LANES,
};

/// The stones of Black and White, row by row: bit *c* of row *r* is the point in column *c* of row *r*.
pub(crate) type BoardRows = [[u32; BoardSize::MAX_SIDE]; 2];

/// Where the game in a lane starts.
#[derive(Clone, Debug, Default)]
#[expect(clippy::large_enum_variant, reason = "searches start each playout at a position of its own")]
pub enum Start {
    /// On the empty board, with Black to move.
    #[default]
    EmptyBoard,
    /// At a position without history, by simple ko.
    Position(Placement),
    /// Where another game stands.
    Game(Arc<Origin>),
}

/// Where the games in all lanes started.
pub(super) type Starts = [Start; MAX_LANES];

impl Start {
    /// The position; none for the empty board.
    #[inline]
    pub(super) fn placement(&self) -> Option<&Placement> {
        match self {
            Self::EmptyBoard => None,
            Self::Position(placement) => Some(placement),
            Self::Game(origin) => Some(&origin.placement),
        }
    }

    /// The game that is played on, with its history.
    #[inline]
    pub(super) fn origin(&self) -> Option<&Origin> {
        match self {
            Self::EmptyBoard | Self::Position(_) => None,
            Self::Game(origin) => Some(origin),
        }
    }
}

/// A position in which a game starts, with what the last move says about the next: all that simple ko needs to know of the past.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub(crate) size: BoardSize,
    pub(crate) stones: BoardRows,
    pub(crate) to_play: Color,
    pub(crate) ko: Option<Point>,
    /// Whether the last ply was a pass.
    pub(crate) passed: bool,
    /// Stones of each colour put on the board so far, set-up stones included.
    pub(crate) placed: [u32; 2],
}

/// A position with the history of its game, from which any number of lanes can play on.
///
/// Superko and repetitions take the whole history into account. Plies are counted from here: the ply cap, the moves and the passes of a
/// [`FinishedGame`](super::FinishedGame) are those after the start. [Events](super::SuperkoEvent) name plies as [`Game`] counts them.
///
/// ```
/// use jigo_engine::{BoardSize, Game, Move, Point, Rules, batch::{Origin, Start}};
/// let mut game: Game = Game::new(BoardSize::square(9).unwrap(), Rules::TROMP_TAYLOR);
/// game.play(Move::Play(Point::new(4, 4)))?;
/// let start = Start::Game(Origin::new(&game).into());
/// # Ok::<(), jigo_engine::IllegalMove>(())
/// ```
#[derive(Debug)]
pub struct Origin {
    pub(super) placement: Placement,
    /// The player to move by the history: the other one when the move was [given](Game::set_to_play) to `to_play` out of turn.
    pub(super) recorded_to_play: Color,
    /// The points where stones of each colour were ever removed.
    pub(super) emptied: BoardRows,
    pub(super) ply_count: u32,
    /// Absent when no ply was played.
    past: Option<Box<dyn Past>>,
}

impl Origin {
    /// Copies the position, the ko ban and the history of a game. The games that start here may have other rules.
    ///
    /// Cost: copies the history, about 16 bytes for each ply.
    ///
    /// # Panics
    /// When the game is over.
    #[must_use]
    pub fn new<const W: usize>(game: &Game<W>) -> Self {
        assert!(!game.is_over(), "a game that is over cannot go on");
        let board = game.board();
        let rows = |sets: [_; 2]| sets.map(|set| board.geometry().rows_of(set));
        let stones = rows(Color::BOTH.map(|color| board.stone_set(color)));
        let past = || Box::new(EarlierPositions { now: board.position(), history: game.history().clone() });
        Self {
            placement: Placement {
                size: board.size(),
                stones,
                to_play: board.to_play(),
                ko: board.ko_point(),
                passed: game.consecutive_passes() > 0,
                placed: Color::BOTH.map(|color| game.placed(color)),
            },
            recorded_to_play: game.history().to_play(),
            emptied: rows(game.recurrence().emptied()),
            ply_count: game.ply_count(),
            past: (game.ply_count() > 0).then(|| past() as Box<dyn Past>),
        }
    }

    /// The last position before the start that equals the one a `candidate` leads to, and the last of them with the same player to move.
    pub(super) fn repetitions(&self, candidate: &NextPosition<'_>) -> [Option<Repetition>; 2] {
        self.past.as_ref().map_or([None; 2], |past| past.repetitions(candidate))
    }
}

/// The position that a move in a lane would lead to.
pub(super) struct NextPosition<'a> {
    pub(super) stones: &'a BoardRows,
    /// The player who moves.
    pub(super) mover: Color,
    /// Stones of each colour that the move removes.
    pub(super) removed: [u32; 2],
}

/// The positions that a game went through, whatever the width of its bitboards.
trait Past: fmt::Debug + Send + Sync {
    /// As [`Origin::repetitions`].
    fn repetitions(&self, candidate: &NextPosition<'_>) -> [Option<Repetition>; 2];
}

/// A position and the history that led to it.
#[derive(Debug)]
struct EarlierPositions<const W: usize> {
    now: Position<W>,
    history: History<W>,
}

impl<const W: usize> Past for EarlierPositions<W> {
    fn repetitions(&self, candidate: &NextPosition<'_>) -> [Option<Repetition>; 2] {
        let stones = candidate.stones.map(|rows| self.now.geometry().set_of_rows(rows));
        let find = |same_player| {
            self.history.find_stones(&self.now, stones, candidate.mover, candidate.removed, same_player)
        };
        let any = find(false);
        [any, any.and_then(|any| if any.same_player { Some(any) } else { find(true) })]
    }
}
