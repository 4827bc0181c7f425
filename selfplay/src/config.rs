//! What determines the games of an experiment: board, rules, policies and limits.

use jigo_engine::{
    BoardSize, Color, Counting, Komi, Move, RuleSet,
    game::{HandicapStart, NoSuchHandicap},
    rules::Handicap,
};
use serde::{Deserialize, Serialize};

use crate::{End, GameRecord, Policy, Run, fingerprint::rules_fingerprint};

/// The games of one experiment: everything that determines them apart from the seed and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "StoredConfig", into = "StoredConfig")]
pub struct RunConfig {
    /// The board.
    pub size: BoardSize,
    /// The rules.
    pub rules: RuleSet,
    /// How moves are chosen.
    pub policy: Policy,
    /// The number of plies after which an unfinished game is stopped.
    pub ply_cap: u32,
    /// Whether every candidate that superko forbids is counted at every ply, sampled or not. This makes games slower; it does not change them.
    pub count_forbidden: bool,
    /// Handicap stones; 0 in even games. [`with_handicap`](Self::with_handicap) checks that the rules have the handicap.
    pub handicap: u32,
}

impl RunConfig {
    /// Games on this board with the default move limit: three plies per point. [`Policy::check`] says whether the board is too large for the policy.
    #[must_use]
    pub fn new(size: BoardSize, rules: impl Into<RuleSet>, policy: Policy) -> Self {
        Self {
            size,
            rules: rules.into(),
            policy,
            ply_cap: Self::default_ply_cap(size),
            count_forbidden: false,
            handicap: 0,
        }
    }

    /// Returns the same games with so many handicap stones, by the [rule set's handicap](RuleSet::handicap). Stones on star points belong to the start of
    /// a game; those that Black puts are its first moves, which the policy chooses.
    ///
    /// # Errors
    /// A handicap that the board or the rules do not have.
    pub fn with_handicap(self, stones: u32) -> Result<Self, NoSuchHandicap> {
        self.rules.handicap(self.size, stones)?;
        Ok(Self { handicap: stones, ..self })
    }

    /// Returns how every game begins.
    ///
    /// # Panics
    /// When the rules or the board do not have the handicap.
    #[must_use]
    pub fn start(&self) -> HandicapStart {
        self.rules.handicap(self.size, self.handicap).expect("checked when it was set")
    }

    /// Returns whether the first ply is Black's: not after handicap stones on star points.
    #[must_use]
    pub fn black_begins(&self) -> bool {
        self.handicap == 0 || self.rules.handicap == Handicap::Free
    }

    /// Returns the moves of a game with the [players who made them](HandicapStart::turns).
    pub fn turns<'a>(&self, moves: &'a [Move]) -> impl Iterator<Item = (Color, Move)> + use<'a> {
        self.start().turns(moves)
    }

    /// Returns Black's points minus White's before komi, by the counting of the rules and with all stones alive. White's compensation for handicap stones
    /// and prisoners handed over for a handicap are included.
    #[must_use]
    pub fn margin(&self, record: &GameRecord) -> i32 {
        record.margin_by(self.rules.counting) + self.handicap_points()
    }

    /// Returns Black's result after komi, in half points: 0 for a draw by a [cycle](End::Cycle), nothing for a game that was not over.
    #[must_use]
    pub fn result(&self, record: &GameRecord, komi: Komi) -> Option<i32> {
        match record.end {
            End::TwoPasses => Some(komi.apply(self.margin(record))),
            End::Cycle => Some(0),
            End::PlyCap | End::BrokenOff => None,
        }
    }

    /// Returns what the handicap adds to Black's margin, whatever happens in the game.
    #[must_use]
    pub fn handicap_points(&self) -> i32 {
        let prisoners = match self.rules.counting {
            Counting::Area => 0,
            Counting::Territory => self.start().prisoners,
        };
        prisoners as i32 - self.rules.handicap_bonus.points(self.handicap) as i32
    }

    /// The largest move limit: the columns of datasets that count plies have 16 bits.
    pub const MAX_PLY_CAP: u32 = u16::MAX as u32;

    /// Returns three plies per point.
    #[must_use]
    pub const fn default_ply_cap(size: BoardSize) -> u32 {
        3 * size.point_count() as u32
    }

    /// Returns whether the move limit is the default.
    #[must_use]
    pub const fn has_default_ply_cap(&self) -> bool {
        self.ply_cap == Self::default_ply_cap(self.size)
    }

    /// Returns the run of these games with this seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Run {
        Run { config: self, seed }
    }
}

/// A [`RunConfig`] as text.
#[derive(Serialize, Deserialize)]
struct StoredConfig {
    size: String,
    rules: String,
    /// As [`RuleSet::stated_name`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule_set: Option<String>,
    /// Absent from files written before it was introduced.
    #[serde(default)]
    rules_fingerprint: Option<String>,
    policy: String,
    ply_cap: u32,
    #[serde(rename = "counts_candidates")]
    count_forbidden: bool,
    /// Absent from even games.
    #[serde(default, skip_serializing_if = "is_zero")]
    handicap: u32,
}

/// Whether a number need not be stored.
pub(crate) fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl From<RunConfig> for StoredConfig {
    fn from(config: RunConfig) -> Self {
        let RunConfig { size, rules, policy, ply_cap, count_forbidden, handicap } = config;
        Self {
            size: size.to_string(),
            rules: rules.canonical(),
            rule_set: rules.stated_name(),
            rules_fingerprint: Some(rules_fingerprint(*rules)),
            policy: policy.to_string(),
            ply_cap,
            count_forbidden,
            handicap,
        }
    }
}

impl TryFrom<StoredConfig> for RunConfig {
    type Error = String;

    fn try_from(stored: StoredConfig) -> Result<Self, String> {
        let Run { config, .. } =
            Run::new(&stored.size, &stored.rules, &stored.policy).map_err(|error| error.to_string())?;
        if stored.rules_fingerprint.is_some_and(|stated| stated != rules_fingerprint(*config.rules)) {
            return Err(format!(
                "the rules' meaning changed: the fingerprint is not that of `{}` in this version",
                stored.rules
            ));
        }
        let rules = RuleSet::restore(*config.rules, stored.rule_set.as_deref());
        let config =
            Self { rules, ply_cap: stored.ply_cap, count_forbidden: stored.count_forbidden, ..config };
        config.with_handicap(stored.handicap).map_err(|error| error.to_string())
    }
}
