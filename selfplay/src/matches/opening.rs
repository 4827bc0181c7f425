//! The plies with which games begin before the players are asked.

use std::path::Path;

use jigo_engine::{BoardSize, Game, Move, Point, Rules};

use super::{MatchError, opening_file};
use crate::Stream;

/// How the games of a match begin. Both games of a pair begin alike, with colours exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// On the empty board.
    Empty,
    /// With so many plies drawn uniformly among the legal points, different ones for every pair.
    Random(u32),
    /// With these in turn, one for each pair, from the start again when there are more pairs.
    Listed(Vec<Vec<Move>>),
}

impl Openings {
    /// Reads a file of openings, either as text or as SGF, which begins with a parenthesis.
    ///
    /// Text has one opening on each line, moves as GTP writes them, Black first; empty lines and what follows a `#` do not count. In SGF the main
    /// line of every game is an opening; rules, komi, results and variations are passed over.
    ///
    /// # Errors
    /// When the file cannot be read, holds no opening, or one with a move that is not legal, or that ends the game; in SGF also one of another
    /// size, with stones set up, or without moves. The message names the line or the game, and the move.
    pub fn read(path: &Path, size: BoardSize, rules: Rules) -> Result<Self, MatchError> {
        opening_file::read(path, size, rules).map(Self::Listed)
    }

    /// The opening of a game.
    #[must_use]
    pub fn of_game(&self, game_index: u64, size: BoardSize, rules: Rules, seed: u64) -> Vec<Move> {
        let pair = game_index / 2;
        match self {
            Self::Empty => Vec::new(),
            Self::Random(plies) => random(*plies, size, rules, &mut Stream::new(seed, opening_stream(pair))),
            Self::Listed(all) => all[(pair % all.len() as u64) as usize].clone(),
        }
    }
}

/// The number of a pair's stream. Streams 4i and 4i + 1 are those of Black and White in game i, so that 4i + 2 is free.
const fn opening_stream(pair: u64) -> u64 {
    8 * pair + 2
}

/// Draws plies until there are enough, or no point is legal.
fn random(plies: u32, size: BoardSize, rules: Rules, stream: &mut Stream) -> Vec<Move> {
    let mut game: Game = Game::new(size, rules);
    let mut moves = Vec::new();
    for _ in 0..plies {
        let points: Vec<Point> = game.legal_points().collect();
        if points.is_empty() {
            break;
        }
        let point = points[stream.below(points.len() as u32) as usize];
        game.play_unchecked(point);
        moves.push(Move::Play(point));
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size() -> BoardSize {
        BoardSize::square(5).unwrap()
    }

    #[test]
    fn the_games_of_a_pair_share_their_opening() {
        let opening = |game| Openings::Random(4).of_game(game, size(), Rules::TROMP_TAYLOR, 3);
        assert_eq!(opening(0).len(), 4);
        for pair in 0..20 {
            assert_eq!(opening(2 * pair), opening(2 * pair + 1));
            assert_ne!(opening(2 * pair), opening(2 * pair + 2));
        }
    }
}
