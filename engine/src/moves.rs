//! What a player may do in a turn.

use crate::{BoardSize, Point};

/// One ply: a stone on a point, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Put a stone on this point.
    Play(Point),
    /// Put no stone.
    Pass,
}

impl Move {
    /// The point played on; `None` for a pass.
    #[must_use]
    pub const fn point(self) -> Option<Point> {
        match self {
            Self::Play(point) => Some(point),
            Self::Pass => None,
        }
    }

    /// The number that stands for this move in datasets: the row-major index of the point, or the number of
    /// points for a pass.
    #[must_use]
    pub const fn code(self, size: BoardSize) -> u16 {
        match self {
            Self::Play(point) => point.index(size) as u16,
            Self::Pass => size.point_count() as u16,
        }
    }

    /// The move with this [`code`](Self::code); `None` when there is no such move.
    #[must_use]
    pub const fn from_code(code: u16, size: BoardSize) -> Option<Self> {
        match Point::from_index(code as usize, size) {
            Some(point) => Some(Self::Play(point)),
            None if code as usize == size.point_count() => Some(Self::Pass),
            None => None,
        }
    }

    /// GTP's name: the [point's](Point::to_gtp) or `pass`.
    #[must_use]
    pub fn to_gtp(self, size: BoardSize) -> String {
        match self {
            Self::Play(point) => point.to_gtp(size),
            Self::Pass => "pass".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        let size = BoardSize::new(3, 4).unwrap();
        for code in 0..=12 {
            assert_eq!(Move::from_code(code, size).unwrap().code(size), code);
        }
        assert_eq!(Move::from_code(12, size), Some(Move::Pass));
        assert_eq!(Move::from_code(13, size), None);
    }
}
