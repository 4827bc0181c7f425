//! The plies with which games begin before the players are asked.

use std::{fs, path::Path};

use jigo_engine::{BoardSize, Game, Move, Point, Rules};

use super::MatchError;
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
    /// Reads a file of openings: one on each line, moves as GTP writes them, Black first; empty lines and what follows a `#` do not count.
    ///
    /// # Errors
    /// When the file cannot be read, holds no opening, or one with a move that is not legal, or that ends the game: the message names the line.
    pub fn read(path: &Path, size: BoardSize, rules: Rules) -> Result<Self, MatchError> {
        let unreadable = |source| MatchError::UnreadableOpenings { path: path.to_owned(), source };
        let text = fs::read_to_string(path).map_err(unreadable)?;
        let invalid = |line: usize, reason: String| MatchError::InvalidOpening {
            path: path.to_owned(),
            line: line + 1,
            reason,
        };
        let mut all = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let moves = line.split('#').next().unwrap_or_default();
            if !moves.trim().is_empty() {
                all.push(parse(moves, size, rules).map_err(|reason| invalid(number, reason))?);
            }
        }
        if all.is_empty() {
            return Err(invalid(0, "no opening in this file".to_owned()));
        }
        Ok(Self::Listed(all))
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

fn parse(text: &str, size: BoardSize, rules: Rules) -> Result<Vec<Move>, String> {
    let mut game: Game = Game::new(size, rules);
    let mut moves = Vec::new();
    for name in text.split_whitespace() {
        let mv = if name.eq_ignore_ascii_case("pass") {
            Move::Pass
        } else {
            Move::Play(Point::from_gtp(name, size).map_err(|error| error.to_string())?)
        };
        game.play(mv).map_err(|rule| format!("{} cannot play {name}: {rule}", game.to_play()))?;
        moves.push(mv);
    }
    if game.is_over() { Err("the opening ends the game".to_owned()) } else { Ok(moves) }
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

    #[test]
    fn files_are_read_and_checked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            Openings::read(&path, size(), Rules::TROMP_TAYLOR)
        };
        let openings = read("# two\nC3 c4\n\npass D4 # far\n").unwrap();
        let game = |index| openings.of_game(index, size(), Rules::TROMP_TAYLOR, 1);
        assert_eq!((game(0).len(), game(1), game(2)[0], game(4)), (2, game(0), Move::Pass, game(0)));
        for (text, reason) in [
            ("", "no opening"),
            ("C3 C3", "line 1: White cannot play C3"),
            ("\nZ9", "line 2: `Z9` is not a point"),
            ("pass pass", "ends the game"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
