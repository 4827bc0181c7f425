//! Who plays a match.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Policy, UnknownPolicy};

/// A player of a match: a playout policy, written `policy:NAME`, or the command line of a program that speaks GTP.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlayerSpec {
    /// A built-in policy.
    Policy(Policy),
    /// The command line of a GTP program.
    Program(String),
}

impl FromStr for PlayerSpec {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        match text.strip_prefix("policy:") {
            Some(policy) => policy.parse().map(Self::Policy),
            None => Ok(Self::Program(text.to_owned())),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(policy) => write!(f, "policy:{policy}"),
            Self::Program(line) => f.pad(line),
        }
    }
}

/// One of the two players of a match, whatever its colour in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contestant {
    /// Has Black in games 0, 2, 4, …
    First,
    /// Has Black in games 1, 3, 5, …
    Second,
}

impl Contestant {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Who has Black in a game.
    #[must_use]
    pub const fn black_in(game_index: u64) -> Self {
        if game_index.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// The position in arrays that hold one value per player: first 0, second 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The name in files: `first`, `second`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["policy:eye-safe", "policy:guarded:k=3", "gnugo --mode gtp --level 1"] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        assert!("policy:strong".parse::<PlayerSpec>().is_err());
    }
}
