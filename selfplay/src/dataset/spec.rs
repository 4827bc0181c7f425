//! What a dataset shall hold.

use std::{fmt, ops::Range, str::FromStr};

use jigo_engine::{AnyPosition, names};

use super::{DatasetError, schema};
use crate::{GameRecord, Ownership, Run, RunConfig};

/// Everything that determines the bytes of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetSpec {
    /// The games, apart from their number.
    pub run: Run,
    /// How many: the dataset holds the games 0 to `games - 1` of the run.
    pub games: u64,
    /// Games in each shard but the last, which may hold fewer.
    pub shard_games: u64,
    /// How the moves are stored.
    pub moves: MovesColumn,
    /// Whether it is stored whose area each point was at the end.
    pub ownership: bool,
    /// The program that plays the games.
    pub provenance: Provenance,
}

/// How a dataset stores the moves of its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MovesColumn {
    /// A list of [codes](jigo_engine::Move::code): what every Parquet reader understands.
    #[default]
    List,
    /// The codes as little-endian 16-bit numbers in one binary value: faster to write.
    Binary,
    /// Not at all: the games are played again when they are read.
    None,
}

/// Which program wrote a dataset: two programs do not mix their games in one dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The version of jigo.
    pub version: String,
    /// The commit it was built from, or a word saying that this is not known.
    pub commit: String,
}

/// One of several writers that share a dataset's work: those shards whose index, modulo `count`, is `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    index: u64,
    count: u64,
}

/// Text or numbers that name no part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a part of a run: write I/N with I from 0 to N-1, as in 0/4, 1/4, 2/4, 3/4")]
pub struct InvalidPart(String);

/// Text that names no way of storing moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no way of storing moves. Known: list, binary, none")]
pub struct UnknownMovesColumn(String);

impl DatasetSpec {
    /// Games in a shard unless something else is asked for.
    pub const DEFAULT_SHARD_GAMES: u64 = 65_536;
    /// The most shards a dataset may have, so that the names of the files sort in the order of the games.
    pub const MAX_SHARDS: u64 = 1_000_000;

    /// A dataset of so many games, with the defaults for everything else.
    #[must_use]
    pub fn new(run: Run, games: u64, provenance: Provenance) -> Self {
        Self {
            run,
            games,
            shard_games: Self::DEFAULT_SHARD_GAMES,
            moves: MovesColumn::List,
            ownership: false,
            provenance,
        }
    }

    /// What the dataset stores of the last position of a game beside its record.
    pub(super) fn ownership(&self, record: &GameRecord, position: AnyPosition<'_>) -> Option<Ownership> {
        schema::Columns::of(self).ownership_of(record, position)
    }

    /// Number of shards.
    #[must_use]
    pub const fn shard_count(&self) -> u64 {
        self.games.div_ceil(self.shard_games)
    }

    /// The game indices of a shard.
    #[must_use]
    pub fn shard_range(&self, shard: u64) -> Range<u64> {
        let start = shard.saturating_mul(self.shard_games).min(self.games);
        start..start.saturating_add(self.shard_games).min(self.games)
    }

    /// Number of games in a shard.
    #[must_use]
    pub fn games_in_shard(&self, shard: u64) -> u64 {
        let range = self.shard_range(shard);
        range.end - range.start
    }

    /// Checks the limits of the format and of the policy.
    ///
    /// # Errors
    /// [`DatasetError::InvalidSpec`] naming the value and its limits.
    pub fn validate(&self) -> Result<(), DatasetError> {
        let invalid = |reason: String| Err(DatasetError::InvalidSpec(reason));
        let RunConfig { size, policy, ply_cap, .. } = self.run.config;
        policy.check(size).map_err(|error| DatasetError::InvalidSpec(error.to_string()))?;
        if !(1..=RunConfig::MAX_PLY_CAP).contains(&ply_cap) {
            return invalid(format!(
                "the ply cap is {ply_cap}; it must be from 1 to {}",
                RunConfig::MAX_PLY_CAP
            ));
        }
        if self.games == 0 {
            return invalid("no games are asked for; ask for at least 1".to_owned());
        }
        if self.shard_games == 0 {
            return invalid("the shards hold no games; they must hold at least 1".to_owned());
        }
        if self.shard_count() > Self::MAX_SHARDS {
            let least = self.games.div_ceil(Self::MAX_SHARDS);
            return invalid(format!(
                "{} games in shards of {} make {} shards, but a dataset has at most {}; put at least {least} games in a shard",
                self.games,
                self.shard_games,
                self.shard_count(),
                Self::MAX_SHARDS
            ));
        }
        Ok(())
    }
}

impl Part {
    /// The whole run.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Part `index` of `count`.
    ///
    /// # Errors
    /// [`InvalidPart`] unless `index < count`.
    pub fn new(index: u64, count: u64) -> Result<Self, InvalidPart> {
        if index < count { Ok(Self { index, count }) } else { Err(InvalidPart(format!("{index}/{count}"))) }
    }

    /// This part of the games `0..games` where they need not lie in shards: contiguous, and all parts equally large to within one game.
    #[must_use]
    pub const fn games(self, games: u64) -> Range<u64> {
        Range { start: self.bound(games, self.index), end: self.bound(games, self.index + 1) }
    }

    const fn bound(self, games: u64, index: u64) -> u64 {
        (games as u128 * index as u128 / self.count as u128) as u64
    }

    /// Whether this part plays the shard.
    #[must_use]
    pub const fn contains(self, shard: u64) -> bool {
        shard % self.count == self.index
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Part {
    type Err = InvalidPart;

    fn from_str(text: &str) -> Result<Self, InvalidPart> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.trim().parse::<u64>().ok()?, count.trim().parse::<u64>().ok()?))
        });
        let (index, count) = numbers.ok_or_else(|| InvalidPart(text.to_owned()))?;
        Self::new(index, count)
    }
}

names! {
    /// All ways to store moves.
    MovesColumn { List = "list", Binary = "binary", None = "none" }
}

impl FromStr for MovesColumn {
    type Err = UnknownMovesColumn;

    fn from_str(text: &str) -> Result<Self, UnknownMovesColumn> {
        Self::from_name(text).ok_or_else(|| UnknownMovesColumn(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> DatasetSpec {
        let run = Run::new("9", "tromp-taylor", "eye-safe").unwrap();
        let provenance = Provenance { version: "1".to_owned(), commit: "unknown".to_owned() };
        DatasetSpec::new(run, 100, provenance)
    }

    #[test]
    fn shards_cover_all_games_once() {
        let spec = DatasetSpec { shard_games: 30, ..spec() };
        let ranges: Vec<_> = (0..spec.shard_count()).map(|shard| spec.shard_range(shard)).collect();
        assert_eq!(ranges, [0..30, 30..60, 60..90, 90..100]);
        assert!(spec.shard_range(4).is_empty());
        assert_eq!([0, 3, 4].map(|shard| spec.games_in_shard(shard)), [30, 10, 0]);
    }

    #[test]
    fn limits_are_named() {
        let long = spec().run.ply_cap(65_536);
        for (spec, text) in [
            (DatasetSpec { run: long, ..spec() }, "65535"),
            (DatasetSpec { games: 0, ..spec() }, "at least 1"),
            (DatasetSpec { shard_games: 0, ..spec() }, "at least 1"),
            (DatasetSpec { games: 3_000_000, shard_games: 2, ..spec() }, "at least 3 games"),
        ] {
            let error = spec.validate().unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
        assert!(spec().validate().is_ok());
    }

    #[test]
    fn parts_and_columns_round_trip() {
        let part: Part = "2/3".parse().unwrap();
        assert_eq!(part.to_string(), "2/3");
        assert_eq!((0..7).filter(|&shard| part.contains(shard)).collect::<Vec<_>>(), [2, 5]);
        for text in ["", "1", "3/3", "0/0", "-1/2", "a/b"] {
            assert!(text.parse::<Part>().unwrap_err().to_string().contains(&format!("`{text}`")));
        }
        for column in MovesColumn::ALL {
            assert_eq!(column.to_string().parse(), Ok(column));
        }
        assert!("lists".parse::<MovesColumn>().is_err());
    }
}
