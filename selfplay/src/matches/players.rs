//! Who plays a match.

use std::{fmt, str::FromStr, sync::Arc};

use jigo_engine::{Color, names};
use serde::{Deserialize, Serialize};

use super::MatchSpec;
use crate::{Player, Policy, Progress, gtp::GtpPlayer, policy::UnknownPolicy, search::SearchPools};

/// A player of a match: a policy, the command line of a program that speaks GTP, or a player of one's own.
///
/// Text that begins with the name of a policy and has no blanks is that policy, with or without `policy:` before it; all other text is a command line.
#[derive(Clone)]
pub enum PlayerSpec {
    /// A built-in policy.
    Policy(Policy),
    /// The command line of a GTP program.
    Program(String),
    /// Any other player; text never names one.
    Custom {
        /// Identifies the player in files.
        name: String,
        /// Makes the player, once for each of the games that are played at the same time.
        new_player: Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>,
    },
}

impl PlayerSpec {
    /// Returns a player of one's own. `new_player` makes it for each game that is played at the same time; the name identifies it in files, so that another player does not continue
    /// the match.
    pub fn custom<P: Player + 'static>(
        name: &str,
        new_player: impl Fn() -> P + Send + Sync + 'static,
    ) -> Self {
        Self::Custom { name: name.to_owned(), new_player: Arc::new(move || Box::new(new_player())) }
    }

    /// Returns whether it is a program that speaks GTP.
    #[must_use]
    pub const fn is_program(&self) -> bool {
        matches!(self, Self::Program(_))
    }

    /// Returns the policy, if it is one.
    pub(super) const fn policy(&self) -> Option<Policy> {
        match self {
            Self::Policy(policy) => Some(*policy),
            Self::Program(_) | Self::Custom { .. } => None,
        }
    }

    /// Returns the player itself, for a match with the time limit and the clock of this one.
    pub(super) fn player<'a>(
        &self,
        spec: &MatchSpec,
        pools: &SearchPools,
        progress: &'a Progress,
    ) -> Box<dyn Player + 'a> {
        match self {
            Self::Policy(policy) => pools.player(*policy),
            Self::Program(line) => {
                Box::new(GtpPlayer::new(line, spec.time_limit, progress).with_clock(spec.clock))
            }
            Self::Custom { new_player, .. } => new_player(),
        }
    }
}

/// Players are compared by their text.
impl PartialEq for PlayerSpec {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for PlayerSpec {}

impl fmt::Debug for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PlayerSpec {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let name = text.split(':').next();
        let is_policy = || Policy::SYNTAX.split(", ").any(|form| form.split(['[', ':']).next() == name);
        match text.strip_prefix("policy:") {
            Some(policy) => policy.parse().map(Self::Policy),
            None if is_policy() => text.parse().map(Self::Policy),
            None => Ok(Self::Program(text.to_owned())),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(policy) => write!(f, "policy:{policy}"),
            Self::Program(line) => f.pad(line),
            Self::Custom { name, .. } => write!(f, "custom:{name}"),
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

names! {
    /// Both.
    Contestant {
        First = "first",
        Second = "second",
    }
}

impl Contestant {
    /// Returns who has Black in a game.
    #[must_use]
    pub const fn black_in(game_index: u64) -> Self {
        if game_index.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// Returns who has this colour in a game.
    #[must_use]
    pub const fn of_color(color: Color, game_index: u64) -> Self {
        match color {
            Color::Black => Self::black_in(game_index),
            Color::White => Self::black_in(game_index).opponent(),
        }
    }

    /// Returns the position in arrays that hold one value per player: first 0, second 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the other one.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
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

    #[test]
    fn the_names_of_policies_are_policies() {
        for text in ["eye-safe", "guarded:k=3", "uct:playouts=10"] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), format!("policy:{text}"));
        }
        for text in ["uct", "uniform:k=3", "guarded:k=x"] {
            assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
        }
        for text in ["./uniform", "eye-safely", "uct --mode gtp", "gnugo"] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
    }
}
