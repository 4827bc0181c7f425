//! A game's conduct in words, for records.

use std::{fmt, str::FromStr};

use super::{Challenges, Conduct, EndRule, Limits, Resumption};
use crate::{Komi, Rules};

/// Text that is no conduct of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` does not say how a game is conducted: expected `RULES; end=END; komi=POINTS; handicap=STONES` with END one of passes, agreement, \
     pass-stones, marking, or `continuations:S,N,on|off,C,V` (stones, continuations, challenges, claims, verifications)"
)]
pub struct UnknownConduct(String);

/// `RULES; end=END; komi=POINTS; handicap=STONES`, the rules in their canonical form.
///
/// ```
/// use jigo_engine::{BoardSize, Counting, protocol::Conduct};
/// let conduct = Conduct::makrai(Counting::Area, BoardSize::square(19)?);
/// let text = "area+simple-ko+suicide+free-handicap; end=continuations:180,10,on,10,3; komi=0; handicap=0";
/// assert_eq!(conduct.to_string(), text);
/// assert_eq!(text.parse(), Ok(conduct));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Conduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; komi={}; handicap={}", self.canonical_rules(), self.komi, self.handicap)
    }
}

/// As after `end=` in a [`Conduct`].
impl fmt::Display for EndRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passes => f.write_str("passes"),
            Self::Agreement(Resumption::Free) => f.write_str("agreement"),
            Self::Agreement(Resumption::PassStones) => f.write_str("pass-stones"),
            Self::Marking => f.write_str("marking"),
            Self::Continuations(Limits {
                stone_supply,
                continuations,
                challenges,
                claims,
                verifications,
            }) => {
                let challenges = match challenges {
                    Challenges::OnRequest => "on",
                    Challenges::Off => "off",
                };
                write!(
                    f,
                    "continuations:{stone_supply},{continuations},{challenges},{claims},{verifications}"
                )
            }
        }
    }
}

impl Conduct {
    /// The rules of a whole game in full, `RULES; end=END`: all that decides it but komi and handicap, which are agreed for each game.
    #[must_use]
    pub fn canonical_rules(&self) -> String {
        format!("{}; end={}", self.rules.canonical(), self.ending)
    }
}

impl FromStr for Conduct {
    type Err = UnknownConduct;

    fn from_str(text: &str) -> Result<Self, UnknownConduct> {
        parse(text).ok_or_else(|| UnknownConduct(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Conduct> {
    let parts: Vec<&str> = text.split(';').map(str::trim).collect();
    let [rules, ending, komi, handicap] = parts[..] else { return None };
    let rules: Rules = rules.parse().ok()?;
    let ending = match ending.strip_prefix("end=")? {
        "passes" => EndRule::Passes,
        "agreement" => EndRule::Agreement(Resumption::Free),
        "pass-stones" => EndRule::Agreement(Resumption::PassStones),
        "marking" => EndRule::Marking,
        other => EndRule::Continuations(limits(other.strip_prefix("continuations:")?)?),
    };
    let komi: Komi = komi.strip_prefix("komi=")?.parse().ok()?;
    let handicap = handicap.strip_prefix("handicap=")?.parse().ok()?;
    Some(Conduct { rules, ending, komi, handicap })
}

fn limits(text: &str) -> Option<Limits> {
    let parts: Vec<&str> = text.split(',').collect();
    let [stones, continuations, challenges, claims, verifications] = parts[..] else { return None };
    let number = |text: &str| text.parse().ok();
    Some(Limits {
        stone_supply: number(stones)?,
        continuations: number(continuations)?,
        challenges: match challenges {
            "on" => Challenges::OnRequest,
            "off" => Challenges::Off,
            _ => return None,
        },
        claims: number(claims)?,
        verifications: number(verifications)?,
    })
}
