//! How a game of a match ended, and what can go wrong with a match.

use std::{
    io,
    path::{Path, PathBuf},
};

use jigo_engine::{Color, names};
use serde::{Deserialize, Serialize};

use super::{Contestant, FORMAT_VERSION};
use crate::{PlayerError, dataset::Difference, files::FolderInUse, gtp::GtpClientError};

/// One game of a match, without its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Position in the match, from 0.
    pub game: u64,
    /// Who had Black.
    pub black: Contestant,
    /// Who won; nobody in case of jigo.
    pub winner: Option<Contestant>,
    /// How the game ended.
    pub ending: MatchEnding,
    /// Black's result after komi in half points, where the game was counted.
    pub half_points: Option<i32>,
    /// What was said about dead stones.
    pub dead: DeadStones,
    /// Number of plies, passes and opening included.
    pub plies: u32,
    /// What happened in words; empty where the rest says it all.
    pub detail: String,
    /// The milliseconds that the first and the second player took, where they had clocks.
    #[serde(default, skip_serializing_if = "have_no_clock")]
    pub time_ms: [Option<u64>; 2],
}

fn have_no_clock(times: &[Option<u64>; 2]) -> bool {
    times.iter().all(Option::is_none)
}

/// How a game of a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchEnding {
    /// Two passes in succession; counted.
    TwoPasses,
    /// A true cycle, which ends games by Makrai's rules as a draw.
    Cycle,
    /// The move limit; counted with all stones alive, though it was not over.
    PlyCap,
    /// The loser resigned.
    Resignation,
    /// The loser played a move that the rules forbid.
    IllegalMove,
    /// The loser's program ended, or the player failed.
    Crash,
    /// The loser's program gave no answer in time.
    Timeout,
    /// The loser's program gave an invalid answer.
    Garbage,
    /// The loser's program refused a command, such as a legal move of the opponent.
    Refused,
}

names! {
    /// All endings.
    MatchEnding {
        TwoPasses = "two-passes",
        Cycle = "cycle",
        PlyCap = "ply-cap",
        Resignation = "resignation",
        IllegalMove = "illegal-move",
        Crash = "crash",
        Timeout = "timeout",
        Garbage = "garbage",
        Refused = "refused",
    }
}

impl MatchEnding {
    /// Returns whether the game was lost by a fault and not by play.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::TwoPasses | Self::Cycle | Self::PlyCap | Self::Resignation)
    }
}

/// What the players said about dead stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadStones {
    /// Nobody was asked: all stones counted as alive.
    NotAsked,
    /// Both players named the same ones; these were removed.
    Agreed,
    /// The players did not agree, and playing on could not show who was right; what both named was removed.
    Common,
    /// The players did not agree, or one had no answer: all stones counted as alive.
    Disputed,
}

names! {
    /// All that can be said.
    DeadStones {
        NotAsked = "not-asked",
        Agreed = "agreed",
        Common = "common",
        Disputed = "disputed",
    }
}

impl MatchResult {
    /// Returns a game that nobody has won yet.
    pub(super) const fn new(game: u64) -> Self {
        Self {
            game,
            black: Contestant::black_in(game),
            winner: None,
            ending: MatchEnding::PlyCap,
            half_points: None,
            dead: DeadStones::NotAsked,
            plies: 0,
            detail: String::new(),
            time_ms: [None; 2],
        }
    }

    /// Records Black's result after komi in half points, and who won by it.
    pub(super) fn count(&mut self, half_points: i32) {
        self.half_points = Some(half_points);
        self.winner = match half_points {
            0 => None,
            1.. => Some(self.black),
            _ => Some(self.black.opponent()),
        };
    }

    /// Returns who had this colour.
    #[must_use]
    pub const fn contestant(&self, color: Color) -> Contestant {
        match color {
            Color::Black => self.black,
            Color::White => self.black.opponent(),
        }
    }

    /// Returns the winner's colour.
    #[must_use]
    pub fn winning_color(&self) -> Option<Color> {
        let winner = self.winner?;
        Color::BOTH.into_iter().find(|&color| self.contestant(color) == winner)
    }
}

/// Why a match cannot be played. What goes wrong with a player during a game is no error: it loses the game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// A value that does not go with the others.
    #[error("{0}")]
    InvalidSpec(String),
    /// A file of openings that cannot be read, or one of its lines or games; the text names the file.
    #[error("{0}")]
    InvalidOpenings(String),
    /// A program that cannot be started, or does not play games of this size.
    #[error(transparent)]
    Engine(#[from] GtpClientError),
    /// A player of one's own that cannot play games of this match.
    #[error("a player cannot play this match: {0}")]
    Player(PlayerError),
    /// The operating system refused something.
    #[error("cannot {action} {}: {source}. Finished games are kept; run the same command again to go on", path.display())]
    Io {
        /// What was to be done with the file.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The directory holds something else.
    #[error("{} is not empty and not a match of jigo; choose a new or empty directory", .0.display())]
    NotAMatch(PathBuf),
    /// The directory holds another match; all arguments that differ are listed.
    #[error(
        "{} holds another match: {}. Use the same arguments to go on with that match, or choose another directory",
        .0.display(),
        .1.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
    )]
    OtherMatch(PathBuf, Vec<Difference>),
    /// The directory holds a match of another format version.
    #[error(
        "{} holds a match of format version {version}; this jigo goes on with version {FORMAT_VERSION}: use the jigo that began it, or choose another directory",
        dir.display()
    )]
    OtherVersion {
        /// The directory.
        dir: PathBuf,
        /// The version that it states.
        version: String,
    },
    /// More games are finished than are wanted.
    #[error("{} holds {finished} finished games: ask for at least as many, not {wanted}, or choose another directory", dir.display())]
    FewerGames {
        /// The directory.
        dir: PathBuf,
        /// How many games are finished.
        finished: u64,
        /// How many were asked for.
        wanted: u64,
    },
    /// The directory is written to by another process.
    #[error(transparent)]
    InUse(#[from] FolderInUse),
    /// A file of the match is not as jigo wrote it, for this reason.
    #[error("{}: {}. Restore the file from a copy, or play the match in a new directory", .0.display(), .1)]
    Damaged(PathBuf, String),
}

impl MatchError {
    /// Returns what makes an error of an error of the operating system.
    pub(super) fn io(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_in_files() {
        for ending in MatchEnding::ALL {
            assert_eq!(serde_json::to_value(ending).unwrap(), ending.name());
        }
        for dead in DeadStones::ALL {
            assert_eq!(serde_json::to_value(dead).unwrap(), dead.name());
        }
        for contestant in Contestant::ALL {
            assert_eq!(serde_json::to_value(contestant).unwrap(), contestant.name());
        }
    }

    #[test]
    fn winners_have_the_colour_that_they_played() {
        let result = MatchResult {
            game: 1,
            black: Contestant::Second,
            winner: Some(Contestant::First),
            ending: MatchEnding::Resignation,
            half_points: None,
            dead: DeadStones::NotAsked,
            plies: 7,
            detail: String::new(),
            time_ms: [None, Some(9)],
        };
        assert_eq!(result.winning_color(), Some(Color::White));
        let text = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<MatchResult>(&text).unwrap(), result);
    }
}
