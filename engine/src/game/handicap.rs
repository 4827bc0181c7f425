//! Handicap stones: where they go, and how a game begins with them.

use crate::{
    BoardSize, Color, Game, Move, Point,
    rules::{Handicap, Preset, RuleSet},
};

/// Which star points the stones of a fixed handicap take. The orders differ only for three stones: which corner stays empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StarOrder {
    /// The third stone goes to the lower right.
    ///
    /// # Source
    /// The traditional rules as published by the Czech Go Association.
    Traditional,
    /// The third stone goes to the upper left.
    ///
    /// # Source
    /// Gunnar Farnebäck, *Specification of the Go Text Protocol, version 2*, `fixed_handicap`.
    Gtp,
}

/// A number of handicap stones for which the board has no star points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidHandicap {
    /// The board has no star points.
    #[error("a {0} board has no fixed handicap points: both sides must be 7 or more")]
    NoStars(BoardSize),
    /// Fewer than two stones, or more than the board has points for.
    #[error("{stones} is not a fixed handicap for a {size} board: it takes 2 to {max} stones")]
    Stones {
        /// The number asked for.
        stones: u32,
        /// The board.
        size: BoardSize,
        /// The most stones.
        max: u32,
    },
}

/// The most stones of a fixed handicap; 0 where the board has no star points.
///
/// Nine where both sides are odd and 9 or more, four on other boards with sides of 7 or more.
#[must_use]
pub const fn max_fixed_handicap(size: BoardSize) -> u32 {
    let (width, height) = (size.width(), size.height());
    let least = if width < height { width } else { height };
    match least {
        0..7 => 0,
        9.. if width % 2 == 1 && height % 2 == 1 => 9,
        _ => 4,
    }
}

/// The star points of a fixed handicap, in the order in which the stones are put, as Black sees the board.
///
/// Upper right, lower left, lower right, upper left; with five, seven and nine the centre; from six on the left and right sides, from
/// eight on the upper and lower sides. Stars are on the fourth line from 13 lines on, else on the third.
///
/// ```
/// use jigo_engine::{game::{fixed_handicap, StarOrder}, BoardSize};
/// let size = BoardSize::square(19).unwrap();
/// let points = fixed_handicap(size, 3, StarOrder::Gtp)?;
/// assert_eq!(points.map(|point| point.to_gtp(size)).collect::<Vec<_>>(), ["Q16", "D4", "D16"]);
/// # Ok::<(), jigo_engine::game::InvalidHandicap>(())
/// ```
///
/// # Errors
/// [`InvalidHandicap`] when the board has not so many star points, or for fewer than two stones.
pub fn fixed_handicap(
    size: BoardSize,
    stones: u32,
    order: StarOrder,
) -> Result<impl Iterator<Item = Point>, InvalidHandicap> {
    let max = max_fixed_handicap(size);
    if max == 0 {
        return Err(InvalidHandicap::NoStars(size));
    }
    if !(2..=max).contains(&stones) {
        return Err(InvalidHandicap::Stones { stones, size, max });
    }
    // Low, middle and high line of columns and rows.
    let lines = |side: usize| {
        let edge = if side >= 13 { 3 } else { 2 };
        [edge, side / 2, side - 1 - edge]
    };
    let (columns, rows) = (lines(size.width()), lines(size.height()));
    let corners = match order {
        StarOrder::Traditional => [(2, 0), (0, 2), (2, 2), (0, 0)],
        StarOrder::Gtp => [(2, 0), (0, 2), (0, 0), (2, 2)],
    };
    let sides = [(0, 1), (2, 1), (1, 0), (1, 2)];
    let has_centre = stones > 4 && stones % 2 == 1;
    let around = stones - u32::from(has_centre);
    let places = corners.into_iter().chain(sides).take(around as usize).chain(has_centre.then_some((1, 1)));
    Ok(places.map(move |(column, row)| Point::new(columns[column] as u8, rows[row] as u8)))
}

/// How a game with a handicap begins. An even game has the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandicapStart {
    /// The handicap: stones on the board, moves in a row, and classes beyond for which Black has prisoners.
    pub stones: u32,
    /// Black stones on star points; White is to move then.
    pub points: Vec<Point>,
    /// How many moves in a row Black begins with.
    pub free: u32,
    /// White stones that Black receives as prisoners.
    pub prisoners: u32,
}

/// A handicap that a board or a rule set does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchHandicap {
    /// One stone, which Black has in every game.
    #[error(
        "a handicap of 1 stone is the first move, which Black has in an even game: give 0, or 2 and more"
    )]
    One,
    /// Too many stones.
    #[error("a handicap of {stones} stones: {size} has {most} at most under these rules")]
    Stones {
        /// Stones asked for.
        stones: u32,
        /// The most there are.
        most: u32,
        /// The board.
        size: BoardSize,
    },
}

/// Prisoners that White hands over for each class beyond nine stones.
///
/// # Source
/// The traditional rules as published by the Czech Go Association.
const PRISONERS_PER_CLASS: u32 = 5;

impl RuleSet {
    /// Returns how games with so many handicap stones begin: on the star points where the handicap is [fixed](Handicap::Fixed), else with as many moves
    /// of Black. Under the traditional Czech rules White hands over five prisoners for every stone beyond nine.
    ///
    /// # Errors
    /// [`NoSuchHandicap`] for one stone, for more than the board has star points, and when no point would be left for White.
    pub fn handicap(self, size: BoardSize, stones: u32) -> Result<HandicapStart, NoSuchHandicap> {
        const MAX_STARS: u32 = 9;
        let too_many = |most| NoSuchHandicap::Stones { stones, most, size };
        match (stones, self.handicap) {
            (0, _) => Ok(HandicapStart::default()),
            (1, _) => Err(NoSuchHandicap::One),
            (_, Handicap::Free) => {
                let most = size.point_count() as u32 - 1;
                if stones > most {
                    Err(too_many(most))
                } else {
                    Ok(HandicapStart { stones, free: stones, ..HandicapStart::default() })
                }
            }
            (_, Handicap::Fixed) => {
                let most = max_fixed_handicap(size);
                let has_prisoners = self.preset() == Some(Preset::Czech) && most == MAX_STARS;
                let beyond = if has_prisoners { stones.saturating_sub(MAX_STARS) } else { 0 };
                let points = fixed_handicap(size, stones - beyond, self.handicap_order());
                let points = points.map_err(|_| too_many(most))?.collect();
                let prisoners = beyond.saturating_mul(PRISONERS_PER_CLASS);
                Ok(HandicapStart { stones, points, free: 0, prisoners })
            }
        }
    }
}

impl<const W: usize> Game<W> {
    /// Returns a game that begins with a handicap, as it does again after [`clear`](Self::clear). The stones on star points belong to its first position;
    /// those that Black puts are moves, between which White's are left out. A pass ends them.
    ///
    /// Prisoners are none of these rules' counts: see [`HandicapStart::prisoners`].
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn with_handicap(size: BoardSize, rules: crate::Rules, handicap: &HandicapStart) -> Self {
        let mut game = Self::new(size, rules);
        game.handicap = handicap.clone();
        game.clear();
        game
    }

    /// Returns how the game began; as an even game where a [position](Self::set_position) was set up.
    #[must_use]
    pub fn handicap(&self) -> &HandicapStart {
        &self.handicap
    }
}

impl HandicapStart {
    /// Returns the stones on the board at the beginning.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> {
        self.points.iter().map(|&point| (point, Color::Black))
    }

    /// Returns the moves of a game with the players who made them: after handicap stones on star points White begins, and handicap stones that Black
    /// puts are moves in a row.
    pub fn turns<'a>(&self, moves: &'a [Move]) -> impl Iterator<Item = (Color, Move)> + use<'a> {
        let mut left = self.free;
        let mut next = if self.points.is_empty() { Color::Black } else { Color::White };
        moves.iter().map(move |&mv| {
            let color = next;
            left = if mv == Move::Pass { 0 } else { left.saturating_sub(1) };
            if left == 0 {
                next = color.opponent();
            }
            (color, mv)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyGame, Move, Rules, reference::ReferenceGame, zobrist::mix64};

    /// Random games on the board and by the reference, before and after `clear`, with every kind of handicap.
    #[test]
    fn games_with_handicap_are_those_of_the_reference() {
        let mut games = 0;
        for (size, stones) in [("9", 2), ("9", 9), ("7x9", 3), ("4x1", 2), ("3", 4), ("2", 3)] {
            let size: BoardSize = size.parse().unwrap();
            for rules in RuleSet::all() {
                let Ok(handicap) = rules.handicap(size, stones) else { continue };
                let mut game = AnyGame::with_handicap(size, *rules, &handicap);
                for seed in 0..4 {
                    game.clear();
                    let mut reference = ReferenceGame::with_handicap(size, *rules, &handicap);
                    let mut state = seed;
                    for _ in 0..2 * size.point_count() {
                        assert_eq!(game.to_play(), reference.to_play());
                        let legal: Vec<Point> =
                            size.points().filter(|&point| game.check_point(point).is_ok()).collect();
                        if reference.is_over() {
                            break;
                        }
                        assert_eq!(legal, reference.legal_points(), "{size} {rules}");
                        state = mix64(state + 1);
                        let mv = match legal.len() as u64 {
                            0 => Move::Pass,
                            _ if state >> 60 == 0 => Move::Pass,
                            count => Move::Play(legal[(state % count) as usize]),
                        };
                        game.play(mv).unwrap();
                        reference.play(mv).unwrap();
                    }
                    games += 1;
                }
            }
        }
        assert!(games > 150, "{games}");
    }

    #[test]
    fn black_moves_until_the_stones_are_put_and_a_pass_ends_them() {
        let size: BoardSize = "5".parse().unwrap();
        let handicap = RuleSet::from(Rules::TROMP_TAYLOR).handicap(size, 3).unwrap();
        let mut game: Game = Game::with_handicap(size, Rules::TROMP_TAYLOR, &handicap);
        let turns = |game: &mut Game, names: &[&str]| {
            let turn = |name: &&str| {
                game.play(Move::from_gtp(name, size).unwrap()).unwrap();
                game.to_play()
            };
            names.iter().map(turn).collect::<Vec<_>>()
        };
        use Color::{Black, White};
        assert_eq!(turns(&mut game, &["A1", "B2", "C3", "D4"]), [Black, Black, White, Black]);
        game.clear();
        assert_eq!(turns(&mut game, &["A1", "pass", "C3"]), [Black, White, Black]);
        game.clear();
        game.play_recorded(Move::Play(Point::new(0, 0))).unwrap();
        game.play_recorded(Move::Pass).unwrap();
        game.undo();
        assert_eq!(turns(&mut game, &["B2"]), [Black]);
    }

    #[test]
    fn handicaps_that_there_are() {
        let handicap = |rules: &str, size: &str, stones| {
            rules.parse::<RuleSet>().unwrap().handicap(size.parse().unwrap(), stones)
        };
        assert_eq!(handicap("japanese", "9", 1), Err(NoSuchHandicap::One));
        for (rules, size, most) in
            [("japanese", "19", 9), ("japanese", "8", 4), ("czech", "7x8", 4), ("chinese", "2x3", 5)]
        {
            let error = handicap(rules, size, most + 1).unwrap_err();
            let size: BoardSize = size.parse().unwrap();
            assert_eq!(error, NoSuchHandicap::Stones { stones: most + 1, most, size });
            let found = handicap(rules, &size.to_string(), most).unwrap();
            assert_eq!(found.points.len() as u32 + found.free, most);
        }
        let czech = handicap("czech", "13", 12).unwrap();
        assert_eq!((czech.points.len(), czech.free, czech.prisoners), (9, 0, 15));
    }

    fn names(size: &str, stones: u32, order: StarOrder) -> Result<String, InvalidHandicap> {
        let size = size.parse().unwrap();
        let points = fixed_handicap(size, stones, order)?.map(|point| point.to_gtp(size));
        Ok(points.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn stars_of_the_large_board() {
        for (stones, expected) in [
            (2, "Q16 D4"),
            (3, "Q16 D4 Q4"),
            (4, "Q16 D4 Q4 D16"),
            (5, "Q16 D4 Q4 D16 K10"),
            (6, "Q16 D4 Q4 D16 D10 Q10"),
            (7, "Q16 D4 Q4 D16 D10 Q10 K10"),
            (8, "Q16 D4 Q4 D16 D10 Q10 K16 K4"),
            (9, "Q16 D4 Q4 D16 D10 Q10 K16 K4 K10"),
        ] {
            assert_eq!(names("19", stones, StarOrder::Traditional).unwrap(), expected);
        }
        assert_eq!(names("19", 3, StarOrder::Gtp).unwrap(), "Q16 D4 D16");
        assert_eq!(names("9", 5, StarOrder::Gtp).unwrap(), "G7 C3 C7 G3 E5");
        assert_eq!(names("9x13", 4, StarOrder::Gtp).unwrap(), "G10 C4 C10 G4");
    }

    #[test]
    fn every_board_has_its_maximum() {
        for (size, max) in [
            ("1", 0),
            ("6", 0),
            ("6x19", 0),
            ("7", 4),
            ("7x19", 4),
            ("8", 4),
            ("9", 9),
            ("9x10", 4),
            ("25", 9),
        ] {
            assert_eq!(max_fixed_handicap(size.parse().unwrap()), max, "{size}");
            for stones in 0..=11 {
                let points = names(size, stones, StarOrder::Gtp);
                assert_eq!(points.is_ok(), (2..=max).contains(&stones), "{size} {stones}");
                let Ok(points) = points else { continue };
                let distinct: std::collections::BTreeSet<&str> = points.split(' ').collect();
                assert_eq!(distinct.len(), stones as usize, "{points}");
            }
        }
        let error = names("8", 5, StarOrder::Gtp).unwrap_err().to_string();
        assert_eq!(error, "5 is not a fixed handicap for a 8x8 board: it takes 2 to 4 stones");
    }
}
