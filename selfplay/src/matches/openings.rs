//! The plies with which games begin before the players are asked, and files of them.

use std::{io, path::Path};

use jigo_engine::{BoardSize, Game, Move, Point};

use super::{MatchError, record};
use crate::{
    Stream,
    files::{MAX_TEXT_BYTES, read_named},
    sgf::{Limits, Record, SgfError, read_games},
};

/// How the games of a match begin. Both games of a pair begin alike, with colours exchanged. In games with a handicap the opening begins with the
/// stones that Black puts, or follows those on star points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// At the start of the game.
    Empty,
    /// With so many plies, sampled uniformly among the legal points, different ones for every pair.
    Random(u32),
    /// With these in turn, one for each pair, from the start again when there are more pairs.
    Listed(Vec<Vec<Move>>),
}

impl Openings {
    /// Reads a file of openings, either as text or as SGF, which begins with a parenthesis.
    ///
    /// Text has one opening on each line, moves as GTP writes them, in the turns of a game from this start; empty lines and what follows a `#` are
    /// ignored. In SGF the main line of every game is an opening; rules, komi, results and variations are ignored.
    ///
    /// # Errors
    /// When the file cannot be read, holds no opening, or one with a move that is not legal, with a pass among the handicap stones, or that ends the game;
    /// in SGF also one of another size, with other stones set up than those of the start, or without moves. The message names the line or the game, and
    /// the move.
    pub fn read(path: &Path, start: &Game) -> Result<Self, MatchError> {
        let file = path.display();
        let unreadable = |error: io::Error| {
            let advice = "Name a file of text or SGF, or random:K";
            MatchError::InvalidOpenings(format!("cannot read the openings in {file}: {error}. {advice}"))
        };
        let bytes = read_named(path, MAX_TEXT_BYTES).map_err(unreadable)?;
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        // No line of moves begins with a parenthesis.
        let (unit, advice, openings) = if text.trim_ascii_start().starts_with(b"(") {
            let advice = "The main line of each game is an opening: legal moves in turn from the start";
            ("game", advice, read_sgf(&bytes, start))
        } else {
            let text = std::str::from_utf8(&bytes).map_err(|_| {
                unreadable(io::Error::new(io::ErrorKind::InvalidData, "it is no text in utf-8"))
            })?;
            (
                "line",
                "Write one opening on each line, as in `C3 D4 pass`",
                read_text(text, start.board().size()),
            )
        };
        let all = openings.into_iter().map(|(number, moves)| {
            let moves = moves.and_then(|moves| check(&moves, start).map(|()| moves));
            let invalid =
                |reason| MatchError::InvalidOpenings(format!("{file}, {unit} {number}: {reason}. {advice}"));
            moves.map_err(invalid)
        });
        all.collect::<Result<_, _>>().map(Self::Listed)
    }

    /// Returns the opening of a game.
    #[must_use]
    pub fn moves(&self, game_index: u64, start: &Game, seed: u64) -> Vec<Move> {
        let pair = game_index / 2;
        match self {
            Self::Empty => Vec::new(),
            // Streams 4i and 4i + 1 are those of Black and White in game i, so that 4i + 2 is free.
            Self::Random(plies) => random(*plies, start, &mut Stream::new(seed, 8 * pair + 2)),
            Self::Listed(all) => all[(pair % all.len() as u64) as usize].clone(),
        }
    }
}

/// Samples plies until there are enough, or no point is legal.
fn random(plies: u32, start: &Game, stream: &mut Stream) -> Vec<Move> {
    let mut game = start.clone();
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

/// An opening, or why there is none, and its line or game from 1.
type Numbered = (usize, Result<Vec<Move>, String>);

/// Reads an opening from each line.
fn read_text(text: &str, size: BoardSize) -> Vec<Numbered> {
    let read = |name: &str| Move::from_gtp(name, size).map_err(|error| error.to_string());
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.split('#').next().unwrap_or("")));
    let lines = lines.filter(|(_, moves)| !moves.trim().is_empty());
    let all: Vec<_> =
        lines.map(|(number, moves)| (number, moves.split_whitespace().map(read).collect())).collect();
    if all.is_empty() { vec![(1, Err("no opening in this file".to_owned()))] } else { all }
}

/// Reads an opening from each game.
fn read_sgf(bytes: &[u8], start: &Game) -> Vec<Numbered> {
    let moves = |game: Result<Record, SgfError>| {
        let moves = record::plain_moves(&game.map_err(|error| error.to_string())?.game, start)?;
        if moves.is_empty() { Err("no moves".to_owned()) } else { Ok(moves) }
    };
    (1..).zip(read_games(bytes, Limits::default()).map(moves)).collect()
}

/// Plays an opening under the rules.
fn check(moves: &[Move], start: &Game) -> Result<(), String> {
    let size = start.board().size();
    let mut game = start.clone();
    for (number, &mv) in (1..).zip(moves) {
        let mover = game.to_play();
        game.play(mv)
            .map_err(|rule| format!("move {number}: {mover} cannot play {}: {rule}", mv.to_gtp(size)))?;
        if mv == Move::Pass && number <= start.handicap().free {
            return Err(format!("move {number}: a pass among the handicap stones"));
        }
    }
    if game.is_over() { Err("the opening ends the game".to_owned()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jigo_engine::{RuleSet, Rules};

    use super::*;

    fn size() -> BoardSize {
        BoardSize::square(5).unwrap()
    }

    fn even() -> Game {
        Game::new(size(), Rules::TROMP_TAYLOR)
    }

    #[test]
    fn the_games_of_a_pair_share_their_opening() {
        let opening = |game| Openings::Random(4).moves(game, &even(), 3);
        assert_eq!(opening(0).len(), 4);
        for pair in 0..20 {
            assert_eq!(opening(2 * pair), opening(2 * pair + 1));
            assert_ne!(opening(2 * pair), opening(2 * pair + 2));
        }
    }

    /// Returns the openings of a file with these bytes for even games, or why there are none.
    fn read_bytes(bytes: &[u8]) -> Result<Vec<String>, String> {
        read_from(&even(), bytes)
    }

    fn read_from(start: &Game, bytes: &[u8]) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings");
        fs::write(&path, bytes).unwrap();
        let size = start.board().size();
        let names = |moves: &Vec<Move>| moves.iter().map(|mv| mv.to_gtp(size)).collect::<Vec<_>>().join(" ");
        match Openings::read(&path, start) {
            Ok(Openings::Listed(all)) => Ok(all.iter().map(names).collect()),
            Ok(other) => panic!("{other:?}"),
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(path.to_str().unwrap()), "{message}");
                Err(message)
            }
        }
    }

    #[track_caller]
    fn refused(text: &str, reason: &str) {
        let message = read_bytes(text.as_bytes()).unwrap_err();
        assert!(message.contains(reason), "{message}");
    }

    #[test]
    fn text_has_an_opening_on_each_line() {
        let read = read_bytes(b"# two\nC3 c4\n\npass D4 # far\n");
        assert_eq!(read.unwrap(), ["C3 C4", "pass D4"]);
        refused("", "no opening");
        refused("C3 C3", "line 1: move 2: White cannot play C3");
        refused("\nZ9", "line 2: `Z9` is not a point");
        refused("pass pass", "ends the game");
        assert!(read_bytes(b"C3 \xFF").unwrap_err().contains("utf-8"));
    }

    #[test]
    fn sgf_has_an_opening_in_each_game() {
        let text = "\u{feff}\n(;SZ[5]KM[7.5]RU[Chinese]RE[B+R];B[cc](;W[cb];B[])(;W[aa]))\n(;SZ[5]B[aa])";
        assert_eq!(read_bytes(text.as_bytes()).unwrap(), ["C3 C4 pass", "A5"]);
    }

    #[test]
    fn sgf_openings_are_checked() {
        let good = "(;SZ[5];B[cc])";
        let second =
            |game: &str, reason: &str| refused(&format!("{good}{game}"), &format!("game 2: {reason}"));
        second("(;SZ[5];B[cc];W[cc])", "move 2: White cannot play C3: the point is occupied");
        second("(;SZ[5];B[zz])", "byte 23, move 1: `zz` is not on the 5x5 board");
        second("(;B[cc])", "its board is 19x19, that of the match 5x5");
        second("(;SZ[5]AB[aa];W[cc])", "AB, AW or AE changes the board");
        second("(;SZ[5];B[cc];AE[cc])", "the position is changed before move 2");
        second("(;SZ[5];W[cc])", "move 1 is White's, out of turn");
        second("(;SZ[5];B[cc];B[dd])", "move 2 is Black's, out of turn");
        second("(;SZ[5])", "no moves");
        second("(;SZ[5];B[];W[])", "the opening ends the game");
        second("(;SZ[5];B[cc]", "byte ");
        refused("(nothing", "game 1: ");
    }

    #[test]
    fn openings_of_games_with_handicap() {
        let start = |rules: &str, size: &str, stones| {
            let (rules, size): (RuleSet, BoardSize) = (rules.parse().unwrap(), size.parse().unwrap());
            Game::with_handicap(size, *rules, &rules.handicap(size, stones).unwrap())
        };
        let free = start("tromp-taylor", "5", 2);
        assert_eq!(read_from(&free, b"C3 D4 B2\nC3").unwrap(), ["C3 D4 B2", "C3"]);
        assert_eq!(read_from(&free, b"(;SZ[5]HA[2];B[cc];B[dd];W[aa])").unwrap(), ["C3 D2 A5"]);
        assert!(
            read_from(&free, b"C3 pass").unwrap_err().contains("move 2: a pass among the handicap stones")
        );
        let fixed = start("japanese", "7", 2);
        assert_eq!(read_from(&fixed, b"D4 C4").unwrap(), ["D4 C4"]);
        assert!(read_from(&fixed, b"E5").unwrap_err().contains("White cannot play E5"));
        assert_eq!(read_from(&fixed, b"(;SZ[7]HA[2]AB[ec][ce];W[dd];B[cd])").unwrap(), ["D4 C4"]);
        for (game, reason) in [
            ("(;SZ[7];W[dd])", "its stones are not those of the handicap"),
            ("(;SZ[7]AB[ec][cc];W[dd])", "its stones are not those of the handicap"),
            ("(;SZ[7]AB[ec][ce];B[dd])", "move 1 is Black's, out of turn"),
        ] {
            assert!(read_from(&fixed, game.as_bytes()).unwrap_err().contains(reason), "{game}");
        }
    }
}
