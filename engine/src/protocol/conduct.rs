//! What decides how a whole game goes, beside the moves.

use std::{fmt, str::FromStr};

use super::GameEvent;
use crate::{
    BoardSize, Counting, Komi, Point,
    rules::{Preset, RuleSet, Rules, Supply},
    score::MarkUnit,
};

/// Everything that decides a whole game: the [rule set](RuleSet), how it ends, and what was agreed before it.
///
/// ```
/// use jigo_engine::{protocol::{Conduct, EndRule}, rules::Preset, BoardSize};
/// let size = BoardSize::square(13).unwrap();
/// let conduct = Conduct::new(Preset::BrainKing, size);
/// assert_eq!(conduct.ending, EndRule::Marking);
/// assert_eq!(conduct.komi.to_string(), "4.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conduct {
    /// What is legal and what is counted, and by which name.
    pub rules: RuleSet,
    /// What happens when both have passed.
    pub ending: EndRule,
    /// Points added to White's.
    pub komi: Komi,
    /// Handicap stones, 0 or 2 and more; a handicap of 1 is no stone.
    pub handicap: u32,
}

/// What happens when both have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndRule {
    /// The players may agree on points to empty; four consecutive passes end the game in the current position.
    ///
    /// # Source
    /// John Tromp and Bill Taylor, *The logical rules of Go*, commentary.
    Passes,
    /// The players agree on dead stones, or play on as before the passes.
    Agreement,
    /// The players agree on dead stones, or play on. In that play every pass hands over a stone as prisoner, and the opponent of the player who
    /// begins it plays last.
    ///
    /// # Source
    /// The traditional rules as published in Czech.
    PassStones,
    /// The player to move marks dead stones; the opponent accepts, or play goes on.
    ///
    /// # Source
    /// The rules of the game site BrainKing.
    Marking,
    /// Players may demand continuations and claim what chains are.
    ///
    /// # Source
    /// Gábor Makrai's rules 1.5.
    Continuations(ContinuationLimits),
}

impl EndRule {
    /// Returns the end of games on this board that the rule set's source describes; where there is no name, by agreement on dead stones for territory, on
    /// points to empty for area.
    #[must_use]
    pub fn new(rules: RuleSet, size: BoardSize) -> Self {
        match (rules.preset(), rules.counting) {
            (Some(Preset::Czech), _) => Self::PassStones,
            (Some(Preset::BrainKing), _) => Self::Marking,
            (Some(Preset::MakraiArea | Preset::MakraiTerritory), _) => {
                Self::Continuations(ContinuationLimits::new(size))
            }
            (_, Counting::Area) => Self::Passes,
            (_, Counting::Territory) => Self::Agreement,
        }
    }

    /// Whether two ends are the same apart from the settings of a tournament.
    fn is_same_kind(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// How many consecutive passes stop the game for the players to agree or to prove what is dead.
    pub(super) const STOPPING_PASSES: u32 = 2;

    /// How many proposals may be rejected in a row with no stone between them; the last of these rejections ends the game.
    pub const MAX_REJECTIONS: usize = 10;

    /// The rule in a word or two.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Passes => "end by passes",
            Self::Agreement | Self::PassStones => "end by agreement",
            Self::Marking => "end by marking",
            Self::Continuations(_) => "end after continuations",
        }
    }

    /// Which stones are marked when a player names one.
    #[must_use]
    pub const fn marks(&self) -> MarkUnit {
        match self {
            Self::Passes => MarkUnit::Point,
            Self::Agreement | Self::PassStones | Self::Continuations(_) => MarkUnit::Chain,
            Self::Marking => MarkUnit::Territory,
        }
    }

    /// Returns the events by which Black puts the stones of a free handicap on these points: at once where the game ends by marking, else one after the
    /// other.
    #[must_use]
    pub fn handicap_events(self, points: impl IntoIterator<Item = Point>) -> Vec<GameEvent> {
        let points = Vec::from_iter(points);
        match self {
            Self::Marking if !points.is_empty() => vec![GameEvent::PlaceHandicap(points)],
            _ => points.into_iter().map(GameEvent::Play).collect(),
        }
    }

    /// How many consecutive passes end the game without any agreement; `None` where the players agree on what is dead, or prove it.
    pub(super) const fn final_passes(self) -> Option<u32> {
        match self {
            Self::Passes => Some(4),
            _ => None,
        }
    }
}

/// The settings of a tournament under [`EndRule::Continuations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContinuationLimits {
    /// By how many stones a player may have lost more than the opponent; a player who has lost more has run out of stones.
    pub stone_supply: u32,
    /// How many continuations may be demanded, by both together.
    pub continuations: u32,
    /// Whether a ko may be challenged in continuations, on request of either player. Tournament rules may switch it off.
    pub challenges: bool,
    /// How many chains may be claimed, by both together. Only territory has claims.
    pub claims: u32,
    /// How many verifications each claim may have.
    pub verifications: u32,
}

impl ContinuationLimits {
    /// The [supply](Rules::stone_supply) of this board; ten continuations and claims, three verifications.
    #[must_use]
    pub const fn new(size: BoardSize) -> Self {
        let stone_supply = Preset::MakraiArea.rules().stone_supply(size).expect("a finite supply");
        Self { stone_supply, continuations: 10, challenges: true, claims: 10, verifications: 3 }
    }
}

impl Conduct {
    /// Returns an even game under these rules: a [`Preset`], a [`RuleSet`] or [`Rules`]. Komi and end are those that the rule set's source names; rules
    /// without a name have no komi and end by agreement on dead stones for territory, on points to empty for area.
    #[must_use]
    pub fn new(rules: impl Into<RuleSet>, size: BoardSize) -> Self {
        let rules: RuleSet = rules.into();
        Self { rules, ending: EndRule::new(rules, size), komi: rules.komi(size), handicap: 0 }
    }

    /// The same with so many handicap stones.
    #[must_use]
    pub const fn with_handicap(mut self, stones: u32) -> Self {
        self.handicap = stones;
        self
    }

    /// The same with this komi.
    #[must_use]
    pub const fn with_komi(mut self, komi: Komi) -> Self {
        self.komi = komi;
        self
    }

    /// Whether the game counts for ratings: BrainKing's handicap games do not.
    #[must_use]
    pub const fn is_rated(&self) -> bool {
        !matches!(self.ending, EndRule::Marking) || self.handicap == 0
    }
}

/// Text that is no conduct of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` does not say how a game is conducted: expected `RULES; end=END; komi=POINTS; handicap=STONES` with END one of passes, agreement, \
     pass-stones, marking, or `continuations:S,N,on|off,C,V` (stones, continuations, challenges, claims, verifications)"
)]
pub struct UnknownConduct(String);

/// `RULES; end=END; komi=POINTS; handicap=STONES`, the rules in their canonical form. Read back, the rule set is the first preset that has these rules and
/// this end.
///
/// ```
/// use jigo_engine::{BoardSize, protocol::Conduct, rules::Preset};
/// let conduct = Conduct::new(Preset::MakraiArea, BoardSize::square(19)?);
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
            Self::Agreement => f.write_str("agreement"),
            Self::PassStones => f.write_str("pass-stones"),
            Self::Marking => f.write_str("marking"),
            Self::Continuations(limits) => {
                let ContinuationLimits { stone_supply, continuations, challenges, claims, verifications } =
                    limits;
                let challenges = if *challenges { "on" } else { "off" };
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
        let stated = match self.ending {
            // They say how many stones there are.
            EndRule::Continuations(_) => Rules { supply: Supply::Unlimited, ..*self.rules },
            _ => *self.rules,
        };
        format!("{}; end={}", stated.canonical(), self.ending)
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
    let stated: RuleSet = rules.parse().ok()?;
    let ending = match ending.strip_prefix("end=")? {
        "passes" => EndRule::Passes,
        "agreement" => EndRule::Agreement,
        "pass-stones" => EndRule::PassStones,
        "marking" => EndRule::Marking,
        other => EndRule::Continuations(limits(other.strip_prefix("continuations:")?)?),
    };
    let komi: Komi = komi.strip_prefix("komi=")?.parse().ok()?;
    let handicap = handicap.strip_prefix("handicap=")?.parse().ok()?;
    let rules = match Preset::from_name(rules) {
        Some(_) => stated,
        None => by_end(*stated, ending)?,
    };
    Some(Conduct { rules, ending, komi, handicap })
}

/// Returns the rules by the name of the preset that ends games in this way, else without a name.
fn by_end(mut rules: Rules, ending: EndRule) -> Option<RuleSet> {
    if matches!(ending, EndRule::Continuations(_)) {
        rules.supply = Supply::Finite;
    }
    // Sizes differ in the settings of a tournament alone.
    let size = BoardSize::square(1).ok()?;
    let mut presets = RuleSet::all().filter(|set| **set == rules);
    let named = presets.find(|&set| EndRule::new(set, size).is_same_kind(ending));
    Some(named.unwrap_or_else(|| RuleSet::named(rules, "")))
}

fn limits(text: &str) -> Option<ContinuationLimits> {
    let parts: Vec<&str> = text.split(',').collect();
    let [stones, continuations, challenges, claims, verifications] = parts[..] else { return None };
    let number = |text: &str| text.parse().ok();
    Some(ContinuationLimits {
        stone_supply: number(stones)?,
        continuations: number(continuations)?,
        challenges: match challenges {
            "on" => true,
            "off" => false,
            _ => return None,
        },
        claims: number(claims)?,
        verifications: number(verifications)?,
    })
}
