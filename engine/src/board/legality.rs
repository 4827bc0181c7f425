//! Which moves the rules allow in a position. Superko is not decided here: it needs the game's history.

use super::{Among, Board};
use crate::{BoardSize, Color, Point};

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The point is outside the board.
    #[error("the point is not on the {0} board")]
    OffBoard(BoardSize),
    /// A stone stands there.
    #[error("the point is occupied")]
    Occupied,
    /// Retakes a ko at once.
    #[error("simple ko: the move would recreate the position before the opponent's last move")]
    Ko,
    /// Takes the own last liberty without capturing.
    #[error("suicide: the move would leave its own chain without a liberty")]
    Suicide,
    /// Recreates an earlier position.
    #[error("superko: the move would recreate the position of ply {earlier_ply}")]
    Superko {
        /// After how many plies that position stood (last).
        earlier_ply: u32,
    },
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
}

impl<const W: usize> Board<W> {
    /// Whether the player to move may play on `point` under simple ko and the board's suicide rule.
    ///
    /// # Errors
    /// The first [`IllegalMove`] that applies, in the order `OffBoard`, `Occupied`, `Ko`, `Suicide`.
    #[inline(always)]
    pub fn check(&self, point: Point) -> Result<(), IllegalMove> {
        if !self.size().contains(point) {
            return Err(IllegalMove::OffBoard(self.size()));
        }
        let bit = self.geometry.bit(point);
        if self.stones[0].contains(bit) | self.stones[1].contains(bit) {
            return Err(IllegalMove::Occupied);
        }
        if self.ko == Some(bit as u16) {
            return Err(IllegalMove::Ko);
        }
        if self.is_forbidden_suicide(self.to_play, bit) {
            return Err(IllegalMove::Suicide);
        }
        Ok(())
    }

    /// Whether [`check`](Self::check) allows the point.
    #[inline(always)]
    #[must_use]
    pub fn is_legal(&self, point: Point) -> bool {
        self.check(point).is_ok()
    }

    /// Whether a stone of the player to move on the empty `point` would take the last liberty of its own chain (one stone or more) without
    /// capturing, whatever the rules say about that.
    #[inline(always)]
    #[must_use]
    pub fn is_suicide(&self, point: Point) -> bool {
        let bit = self.geometry.bit(point);
        let (own, opponent) = (self.to_play.index(), self.to_play.opponent().index());
        let support = self.stones[own].without(self.atari[own]) | self.atari[opponent];
        !self.geometry.neighbours(bit).intersects(self.empty() | support)
    }

    /// The points where the player to move may put a stone under simple ko and the board's suicide rule, in row-major order.
    pub fn legal_points(&self) -> impl Iterator<Item = Point> {
        self.points_of(self.legal_candidates(Among::Empty).into_set())
    }

    /// Whether a move of `color` on the empty point `bit` is a suicide that the board's rule forbids.
    #[inline(always)]
    pub(crate) fn is_forbidden_suicide(&self, color: Color, bit: usize) -> bool {
        !self.geometry.neighbours(bit).intersects(self.empty() | self.support(color))
    }
}
