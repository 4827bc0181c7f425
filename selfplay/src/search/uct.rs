//! The text form and the options of search players.

use std::{fmt, str::FromStr};

use jigo_engine::{
    BoardSize, Game, Komi, Move, Rules, Suicide, for_width,
    search::{Reward, SearchOptions, Tree},
};

use crate::{
    Backend, RunConfig, Stream, lockstep,
    policy::{PlayoutPolicy, PolicySuicide, UnknownPolicy, check_names, count},
};

/// A search player: how many playouts it has for each move, and how they are used.
///
/// Written `uct:playouts=1000`, with any of the [options](Self::OPTIONS) after it, separated by commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uct {
    /// Playouts for each move.
    pub playouts: u32,
    /// What it wants.
    pub reward: UctReward,
    /// How playouts choose their moves.
    pub playout: PlayoutPolicy,
    /// How many playouts of a move weigh as much as those in which its player made it later; none for plain UCT.
    pub rave: Option<u32>,
    /// The weight of exploration, in thousandths.
    pub exploration: u32,
    /// How often a move is tried before the position after it becomes a node of the tree.
    pub expand: u32,
    /// With how many playouts of average result a move begins.
    pub prior: u32,
    /// How many playouts are under way at the same time.
    pub leaves: u32,
    /// How many plies at the beginning of a game are played at random.
    pub opening: u32,
}

/// What a search player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UctReward {
    /// As many points as possible, whatever the komi.
    Margin,
    /// To win, at this komi or else at that of the game.
    Win(Option<Komi>),
}

impl Uct {
    /// The most playouts for each move.
    pub const MAX_PLAYOUTS: u32 = 1_000_000;

    /// The most playouts under way at the same time.
    pub const MAX_LEAVES: u32 = 32;

    /// The most bytes that the tree of a game may take: 2 GiB. Trees of games that a thread plays at once take no more together.
    pub const MAX_TREE_BYTES: u64 = 2 << 30;

    /// Lists the options, for help and messages.
    pub const OPTIONS: &str = "playouts=N, reward=margin|win, komi=POINTS, playout=POLICY, suicide=never|rules, rave=N|off, exploration=X, expand=N, prior=N, leaves=N, opening=N";

    /// Returns the player with so many playouts for each move and the default options.
    #[must_use]
    pub const fn new(playouts: u32) -> Self {
        Self {
            playouts,
            reward: UctReward::Margin,
            playout: PlayoutPolicy::Guarded { stones: 2, suicide: PolicySuicide::Never },
            rave: Some(10_000),
            exploration: 500,
            expand: 4,
            prior: 8,
            leaves: 1,
            opening: 0,
        }
    }

    /// Returns how many bytes the tree of a game takes at most on a board of this size.
    #[must_use]
    pub fn tree_bytes(&self, size: BoardSize) -> u64 {
        let options = self.options(Rules::TROMP_TAYLOR, Komi::ZERO);
        for_width!(size, W => Tree::<W>::max_bytes(size, &options) as u64)
    }

    /// Checks that the tree of a game fits in memory on a board of this size.
    ///
    /// # Errors
    /// [`TreeTooLarge`] where it takes more than [`MAX_TREE_BYTES`](Self::MAX_TREE_BYTES).
    pub fn check(&self, size: BoardSize) -> Result<(), TreeTooLarge> {
        let bytes = self.tree_bytes(size);
        if bytes > Self::MAX_TREE_BYTES { Err(TreeTooLarge { uct: *self, size, bytes }) } else { Ok(()) }
    }

    /// Returns the next move of a game whose [opening](Self::opening) is not over, none where it is. All legal points but the forbidden ones are equally
    /// likely.
    pub(super) fn opening_move<const W: usize>(
        &self,
        game: &Game<W>,
        forbidden: &[Move],
        stream: &mut Stream,
    ) -> Option<Move> {
        (game.ply_count() < self.opening).then(|| {
            let moves = game.legal_points().map(Move::Play);
            let legal: Vec<Move> = moves.filter(|mv| !forbidden.contains(mv)).collect();
            match legal.len() {
                0 => Move::Pass,
                count => legal[stream.below(count as u32) as usize],
            }
        })
    }

    /// Returns the fastest backend for the playouts of a search.
    pub(super) fn backend(self, size: BoardSize, rules: Rules) -> Backend {
        Backend::best(&RunConfig::new(size, rules, self.into()).seed(0))
    }

    /// Returns the options of the tree, for a game with this komi.
    pub(super) fn options(&self, rules: Rules, komi: Komi) -> SearchOptions {
        let plays_suicide = self.playout.suicide() == PolicySuicide::AsTheRulesSay;
        SearchOptions {
            reward: match self.reward {
                UctReward::Margin => Reward::Margin,
                UctReward::Win(_) => Reward::Win,
            },
            komi: match self.reward {
                UctReward::Win(Some(own)) => own,
                _ => komi,
            },
            owners: false,
            among: self.playout.among(),
            suicide: if plays_suicide { rules.suicide } else { Suicide::Forbidden },
            rave: self.rave.map(|rave| rave as f32),
            exploration: self.exploration as f32 / 1000.0,
            expansion: self.expand,
            prior: self.prior,
            playouts: self.playouts,
            leaves: self.leaves,
        }
    }
}

/// A search whose tree takes too much memory on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{uct}` on {size} takes up to {} MiB for the tree of a game; the limit is {} MiB: choose fewer playouts or a larger expand=N",
    bytes.div_ceil(1 << 20),
    Uct::MAX_TREE_BYTES >> 20
)]
pub struct TreeTooLarge {
    uct: Uct,
    size: BoardSize,
    bytes: u64,
}

impl FromStr for Uct {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let wrong = |reason: String| UnknownPolicy::Option(text.to_owned(), reason);
        let Some(options) = text.strip_prefix("uct:") else {
            return Err(UnknownPolicy::Form(text.to_owned()));
        };
        let names = options.split(',').map(|option| option.split_once('=').map_or(option, |(name, _)| name));
        check_names(text, names)?;
        let (mut uct, mut komi) = (Self::new(0), None);
        for option in options.split(',') {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let number = |min: u32, max: u32| {
                let number = if value == "0" { Some(0) } else { count(value) };
                let number = number.and_then(|number| u32::try_from(number).ok());
                let fits = number.filter(|number| (min..=max).contains(number));
                fits.ok_or_else(|| wrong(format!("{name} is a number from {min} to {max}")))
            };
            match (name, value) {
                ("playouts", _) => uct.playouts = number(1, Self::MAX_PLAYOUTS)?,
                ("reward", "margin") => uct.reward = UctReward::Margin,
                ("reward", "win") => uct.reward = UctReward::Win(None),
                ("komi", _) => {
                    let points = value.parse().map_err(|_| wrong("komi is a number of points".to_owned()))?;
                    komi = Some(points);
                }
                ("playout", _) => {
                    let policy = value.parse().ok().filter(|&policy| lockstep::choice(policy).is_some());
                    uct.playout = policy
                        .ok_or_else(|| wrong("playout is uniform, eye-safe or guarded[:k=K]".to_owned()))?;
                }
                ("suicide", "rules") => uct.playout = uct.playout.with_suicide(PolicySuicide::AsTheRulesSay),
                ("suicide", "never") => uct.playout = uct.playout.with_suicide(PolicySuicide::Never),
                ("rave", "off") => uct.rave = None,
                ("rave", _) => uct.rave = Some(number(1, 1_000_000)?),
                ("exploration", _) => {
                    let exploration = value.parse::<f64>().ok().filter(|value| (0.0..=10.0).contains(value));
                    let exploration = exploration
                        .ok_or_else(|| wrong("exploration is a number from 0 to 10".to_owned()))?;
                    uct.exploration = (exploration * 1000.0).round() as u32;
                }
                ("expand", _) => uct.expand = number(1, 1000)?,
                ("prior", _) => uct.prior = number(1, 1000)?,
                ("leaves", _) => uct.leaves = number(1, Self::MAX_LEAVES)?,
                ("opening", _) => uct.opening = number(0, 8)?,
                _ => {
                    return Err(wrong(format!("`{option}` is no option. Known: {}", Self::OPTIONS)));
                }
            }
        }
        uct.reward = match (uct.reward, komi) {
            (UctReward::Margin, Some(_)) => return Err(wrong("komi needs reward=win".to_owned())),
            (UctReward::Win(_), komi) => UctReward::Win(komi),
            (reward, None) => reward,
        };
        if uct.playouts == 0 { Err(wrong("playouts is missing".to_owned())) } else { Ok(uct) }
    }
}

impl fmt::Display for Uct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Self::new(self.playouts);
        let mut text = format!("uct:playouts={}", self.playouts);
        let mut option = |is_default: bool, name: &str, value: &dyn fmt::Display| {
            if !is_default {
                text += &format!(",{name}={value}");
            }
        };
        if let UctReward::Win(komi) = self.reward {
            option(false, "reward", &"win");
            if let Some(komi) = komi {
                option(false, "komi", &komi);
            }
        }
        option(self.playout == default.playout, "playout", &self.playout);
        match self.rave {
            None => option(false, "rave", &"off"),
            Some(rave) => option(Some(rave) == default.rave, "rave", &rave),
        }
        let exploration = f64::from(self.exploration) / 1000.0;
        option(self.exploration == default.exploration, "exploration", &exploration);
        option(self.expand == default.expand, "expand", &self.expand);
        option(self.prior == default.prior, "prior", &self.prior);
        option(self.leaves == default.leaves, "leaves", &self.leaves);
        option(self.opening == default.opening, "opening", &self.opening);
        f.pad(&text)
    }
}
