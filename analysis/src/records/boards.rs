//! What is counted over all games on boards of one size, whatever their rules: openings, and results by year and komi.

use std::collections::BTreeMap;

use jigo_engine::{BoardSize, Color, Komi};
use jigo_selfplay::sgf::{Event, GameResult, SgfGame};
use serde::{Deserialize, Serialize};

use super::measures::{is_even, plausible_komi};
use crate::stats::{Merge, Shares, merge_fields};

/// Openings and results of the games on boards of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardMeasures {
    /// The board.
    #[serde(with = "crate::study::text")]
    pub size: BoardSize,
    /// Number of games.
    pub games: u64,
    /// Games that began on the empty board. The openings are those of these games.
    pub openings: u64,
    /// How many stones were placed on each point, in row-major order, in the [first plies](Self::opening_plies) of these games.
    pub opening_stones: Vec<u64>,
    /// Results of the games without handicap, by year and komi.
    #[serde(with = "crate::study::pairs")]
    pub even_games: BTreeMap<YearAndKomi, Shares>,
}

merge_fields!(BoardMeasures: games, openings, opening_stones, even_games; not size);

/// When a game was played, and its komi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct YearAndKomi {
    /// The year with which `DT` begins, if it begins with four digits.
    pub year: Option<u16>,
    /// The [plausible komi](plausible_komi), in half points.
    pub komi_half_points: Option<i32>,
}

impl BoardMeasures {
    /// Returns the counts of no games.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        Self {
            size,
            games: 0,
            openings: 0,
            opening_stones: vec![0; size.point_count()],
            even_games: BTreeMap::new(),
        }
    }

    /// Returns how many plies of a game are its opening: 20 on a board of 19×19, and in the same proportion to the points on others; at least 1.
    #[must_use]
    pub fn opening_plies(size: BoardSize) -> usize {
        (size.point_count() / 18).max(1)
    }

    /// Counts a game.
    pub(super) fn add(&mut self, game: &SgfGame) {
        self.games += 1;
        if game.setup.points().next().is_none() {
            self.openings += 1;
            for event in game.events.iter().take(Self::opening_plies(game.size)) {
                let Event::Play { mv, .. } = event else { break };
                if let Some(point) = mv.point() {
                    self.opening_stones[point.index(game.size)] += 1;
                }
            }
        }
        if is_even(game)
            && let Some(result) = shares(game)
        {
            let komi_half_points = plausible_komi(game).map(Komi::half_points);
            let key = YearAndKomi { year: year(game), komi_half_points };
            self.even_games.entry(key).or_default().merge(&result);
        }
    }

    /// Returns the results of even games by a part of their key; games without it are left out.
    pub(crate) fn even_games_by<K: Ord>(
        &self,
        key: impl Fn(&YearAndKomi) -> Option<K>,
    ) -> BTreeMap<K, Shares> {
        let mut all = BTreeMap::new();
        for (found, results) in &self.even_games {
            if let Some(key) = key(found) {
                all.entry(key).or_insert_with(Shares::default).merge(results);
            }
        }
        all
    }
}

/// Returns the year of a game: the four digits with which `DT` begins.
fn year(game: &SgfGame) -> Option<u16> {
    let date = game.info.get("DT")?.trim();
    let is_year = date.bytes().take_while(u8::is_ascii_digit).count() == 4;
    is_year.then(|| date[..4].parse().ok())?.filter(|&year| year > 0)
}

/// Returns the result of a game that has a winner or is drawn.
fn shares(game: &SgfGame) -> Option<Shares> {
    match game.result()? {
        GameResult::Win { winner: Color::Black, .. } => Some(Shares { black: 1, ..Shares::default() }),
        GameResult::Win { winner: Color::White, .. } => Some(Shares { white: 1, ..Shares::default() }),
        GameResult::Draw => Some(Shares { jigo: 1, ..Shares::default() }),
        _ => None,
    }
}

/// Stores the measurements of all boards as a list.
pub(super) mod list {
    use std::collections::BTreeMap;

    use jigo_engine::BoardSize;
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    use super::BoardMeasures;

    pub(crate) fn serialize<S: Serializer>(
        boards: &BTreeMap<BoardSize, BoardMeasures>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(boards.values())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<BoardSize, BoardMeasures>, D::Error> {
        let boards = Vec::<BoardMeasures>::deserialize(deserializer)?;
        if boards.iter().any(|board| board.opening_stones.len() != board.size.point_count()) {
            return Err(D::Error::custom("a board has other points than its openings"));
        }
        Ok(boards.into_iter().map(|board| (board.size, board)).collect())
    }
}
