//! The built-in policies: how moves are chosen, at random or by search.

use std::{fmt, str::FromStr};

use jigo_engine::{
    Board, BoardSize, Game, Point,
    board::{Among, Candidate, Candidates},
    protocol::{GameEvent, Protocol},
};

use crate::{
    Decision, Player, PlayerError,
    search::{TreeTooLarge, Uct, UctPlayer},
    stream::Stream,
};

/// How the moves of a run are chosen.
///
/// Written as the policy that it is: see [`PlayoutPolicy`] and [`Uct`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Policy {
    /// At random.
    Playout(PlayoutPolicy),
    /// By search.
    Uct(Uct),
}

impl Policy {
    /// Lists the forms in which policies are written, for help and messages.
    pub const SYNTAX: &str =
        "uniform, eye-safe[:suicide=rules], guarded[:k=K], settled[:k=K], uct:playouts=N[,OPTION=VALUE]";
    /// The names with which the text of a policy begins.
    pub const NAMES: [&str; 5] = ["uniform", "eye-safe", "guarded", "settled", "uct"];
    /// The standard light playout.
    pub const EYE_SAFE: Self = Self::Playout(PlayoutPolicy::EYE_SAFE);
    /// Every legal move.
    pub const UNIFORM: Self = Self::Playout(PlayoutPolicy::Uniform);

    /// Returns the policy that chooses at random: this one, or that of the playouts of a search.
    #[must_use]
    pub const fn playout(self) -> PlayoutPolicy {
        match self {
            Self::Playout(policy) => policy,
            Self::Uct(uct) => uct.playout,
        }
    }

    /// Returns whether games take so long that each is worth being shared out and kept by itself.
    #[must_use]
    pub const fn has_long_games(self) -> bool {
        matches!(self, Self::Uct(_))
    }

    /// Checks that the policy can play on a board of this size.
    ///
    /// # Errors
    /// [`TreeTooLarge`] where a search takes too much memory.
    pub fn check(self, size: BoardSize) -> Result<(), TreeTooLarge> {
        match self {
            Self::Playout(_) => Ok(()),
            Self::Uct(uct) => uct.check(size),
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::EYE_SAFE
    }
}

impl From<PlayoutPolicy> for Policy {
    fn from(policy: PlayoutPolicy) -> Self {
        Self::Playout(policy)
    }
}

impl From<Uct> for Policy {
    fn from(uct: Uct) -> Self {
        Self::Uct(uct)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Playout(policy) => policy.fmt(f),
            Self::Uct(uct) => uct.fmt(f),
        }
    }
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        match text.split_once(':') {
            Some(("uct", _)) => text.parse().map(Self::Uct),
            _ => text.parse().map(Self::Playout),
        }
    }
}

impl Policy {
    /// Returns what plays single games by this policy.
    #[must_use]
    pub fn player(self) -> Box<dyn Player> {
        match self {
            Self::Playout(policy) => Box::new(policy),
            Self::Uct(uct) => Box::new(UctPlayer::new(uct)),
        }
    }
}

/// A policy that chooses at random: which points it considers, and which of these it rejects when sampled.
///
/// At each turn a policy samples one of the candidates uniformly and plays it unless the rules or the policy reject it; a rejected point leaves the candidates
/// of this ply, and another is sampled. With no candidates left the policy passes. So the choice is uniform among the moves that are not rejected.
/// `docs/playouts.md` specifies it down to the single random number.
///
/// Written `uniform`, `eye-safe`, `eye-safe:suicide=rules`, `guarded:k=3`, `guarded:k=3,suicide=rules`, `settled:k=3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlayoutPolicy {
    /// Every legal move; passes only when nothing else is legal.
    Uniform,
    /// Every legal move that does not fill an [eye-like](Board::is_eye_like) point: the standard light playout.
    EyeSafe {
        /// Whether suicide is played.
        suicide: PolicySuicide,
    },
    /// As eye-safe, and never puts `stones` or more own stones into atari without capturing. Leaves sekis and dead stones on the board.
    Guarded {
        /// The smallest chain that is not put into atari; at least 1.
        stones: u16,
        /// Whether suicide is played.
        suicide: PolicySuicide,
    },
    /// As guarded, and never fills its own [unconditional territory](Board::fills_own_territory), so dead stones remain there, as in human games.
    Settled {
        /// The smallest chain that is not put into atari; at least 1.
        stones: u16,
        /// Whether suicide is played.
        suicide: PolicySuicide,
    },
}

/// Whether a policy plays suicide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PolicySuicide {
    /// Never, even where the rules allow it: the standard light playout.
    #[default]
    Never,
    /// Where the rules allow it.
    AsTheRulesSay,
}

/// Text that names no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownPolicy {
    /// No policy has this form.
    #[error("`{0}` is not a policy. Known: {known}, with K from 1 to 625", known = Policy::SYNTAX)]
    Form(String),
    /// The policy has no such option, or has it twice. The text is that of the policy; the reason says what to write.
    #[error("`{0}`: {1}")]
    Option(String, String),
}

impl PlayoutPolicy {
    /// The standard light playout.
    pub const EYE_SAFE: Self = Self::EyeSafe { suicide: PolicySuicide::Never };
    /// The chain size from which `guarded` and `settled` without `k` reject self-atari.
    const DEFAULT_GUARDED_STONES: u16 = 2;

    /// Returns which points are considered.
    #[inline]
    #[must_use]
    pub const fn among(self) -> Among {
        match self {
            Self::Uniform => Among::Empty,
            Self::EyeSafe { .. } | Self::Guarded { .. } | Self::Settled { .. } => Among::NotEyeLike,
        }
    }

    /// Returns the points from which the policy samples. The rules or the policy may still reject a sampled point.
    #[inline(always)]
    #[must_use]
    pub fn candidates<const W: usize>(self, board: &Board<W>) -> Candidates<W> {
        board.candidates(self.among())
    }

    /// Returns the policy that plays suicide or not; `uniform` always does.
    #[must_use]
    pub const fn with_suicide(self, suicide: PolicySuicide) -> Self {
        match self {
            Self::Uniform => Self::Uniform,
            Self::EyeSafe { .. } => Self::EyeSafe { suicide },
            Self::Guarded { stones, .. } => Self::Guarded { stones, suicide },
            Self::Settled { stones, .. } => Self::Settled { stones, suicide },
        }
    }

    /// Returns whether suicide is played where the rules allow it.
    #[inline]
    #[must_use]
    pub const fn suicide(self) -> PolicySuicide {
        match self {
            Self::Uniform => PolicySuicide::AsTheRulesSay,
            Self::EyeSafe { suicide } | Self::Guarded { suicide, .. } | Self::Settled { suicide, .. } => {
                suicide
            }
        }
    }

    /// Returns whether the policy rejects the candidate `point`, be it legal or not.
    #[inline]
    #[must_use]
    pub fn rejects<const W: usize>(self, board: &Board<W>, point: Point) -> bool {
        self.suicide() == PolicySuicide::Never && board.is_suicide(point)
            || self.rejects_self_atari(board, board.candidate(point))
    }

    /// Returns whether the policy rejects a candidate that it does not reject as a suicide.
    #[inline(always)]
    pub(crate) fn rejects_self_atari<const W: usize>(self, board: &Board<W>, candidate: Candidate) -> bool {
        match self {
            Self::Uniform | Self::EyeSafe { .. } => false,
            Self::Guarded { stones, .. } => is_self_atari(board, candidate.point(), stones),
            Self::Settled { stones, .. } => {
                let point = candidate.point();
                is_self_atari(board, point, stones) || board.fills_own_territory(point)
            }
        }
    }

    /// Returns the point of the policy's next move in `game`, `None` for a pass. It must not be rejected by the rules, superko included; whether the game
    /// is over does not matter.
    #[must_use]
    pub fn sample<const W: usize>(self, game: &Game<W>, stream: &mut Stream) -> Option<Point> {
        self.sample_if(game, stream, |point| game.check_point(point).is_ok())
    }

    /// Samples candidates until one is legal, by this definition, and not rejected by the policy.
    pub(crate) fn sample_if<const W: usize>(
        self,
        game: &Game<W>,
        stream: &mut Stream,
        is_legal: impl Fn(Point) -> bool,
    ) -> Option<Point> {
        let mut candidates = self.candidates(game.board());
        for count in (1..=candidates.count()).rev() {
            let point = candidates.take(stream.below(count)).point();
            if is_legal(point) && !self.rejects(game.board(), point) {
                return Some(point);
            }
        }
        None
    }
}

/// Returns whether a stone on `point` leaves a chain of so many stones or more in atari, and captures nothing.
fn is_self_atari<const W: usize>(board: &Board<W>, point: Point, stones: u16) -> bool {
    board.self_atari_size(point).is_some_and(|size| size >= usize::from(stones))
}

impl Player for PlayoutPolicy {
    fn choose(&mut self, game: &Game, stream: &mut Stream) -> Result<Decision, PlayerError> {
        Ok(self.sample(game, stream).into())
    }

    fn choose_by_protocol(
        &mut self,
        protocol: &Protocol,
        stream: &mut Stream,
    ) -> Result<Decision, PlayerError> {
        Ok(self.sample_if(protocol.game(), stream, |point| is_legal(protocol, point)).into())
    }
}

/// Returns whether the protocol lets the player to move put a stone on `point`.
pub(crate) fn is_legal(protocol: &Protocol, point: Point) -> bool {
    protocol.check(protocol.to_play(), &GameEvent::Play(point)).is_ok()
}

impl fmt::Display for PlayoutPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let option = |separator, suicide: &PolicySuicide| match suicide {
            PolicySuicide::Never => String::new(),
            PolicySuicide::AsTheRulesSay => format!("{separator}suicide=rules"),
        };
        f.pad(&match self {
            Self::Uniform => "uniform".to_owned(),
            Self::EyeSafe { suicide } => format!("eye-safe{}", option(':', suicide)),
            Self::Guarded { stones, suicide } => format!("guarded:k={stones}{}", option(',', suicide)),
            Self::Settled { stones, suicide } => format!("settled:k={stones}{}", option(',', suicide)),
        })
    }
}

impl FromStr for PlayoutPolicy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let unknown = || UnknownPolicy::Form(text.to_owned());
        let (name, options) =
            text.split_once(':').map_or((text, None), |(name, options)| (name, Some(options)));
        let mut suicide = PolicySuicide::Never;
        let mut stones = None;
        let all = options.iter().flat_map(|options| options.split(','));
        let list: Vec<_> = all.map(|option| option.split_once('=').unwrap_or(("k", option))).collect();
        check_names(text, list.iter().map(|(name, _)| *name))?;
        for option in list {
            match option {
                ("suicide", "never") => suicide = PolicySuicide::Never,
                ("suicide", "rules") => suicide = PolicySuicide::AsTheRulesSay,
                ("k", number) => stones = Some(number.parse::<u16>().map_err(|_| unknown())?),
                _ => return Err(unknown()),
            }
        }
        let size = stones.unwrap_or(Self::DEFAULT_GUARDED_STONES);
        match (name, stones, options) {
            ("uniform", None, None) => Ok(Self::Uniform),
            ("eye-safe", None, _) => Ok(Self::EyeSafe { suicide }),
            ("guarded", None | Some(1..=625), _) => Ok(Self::Guarded { stones: size, suicide }),
            ("settled", None | Some(1..=625), _) => Ok(Self::Settled { stones: size, suicide }),
            _ => Err(unknown()),
        }
    }
}

/// Makes sure that no option of a policy stands there twice.
pub(crate) fn check_names<'a>(
    policy: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), UnknownPolicy> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            let reason = format!("{name} stands there twice: write it once");
            return Err(UnknownPolicy::Option(policy.to_owned(), reason));
        }
        seen.push(name);
    }
    Ok(())
}

/// Parses a positive number written as `250`, `10k`, `2.5M` or `1e6`; what is too large is the largest number.
#[must_use]
pub fn count(text: &str) -> Option<u64> {
    let (digits, zeros) = match text.strip_suffix(['k', 'K', 'm', 'M', 'g', 'G']) {
        Some(digits) if text.ends_with(['k', 'K']) => (digits, 3),
        Some(digits) if text.ends_with(['m', 'M']) => (digits, 6),
        Some(digits) => (digits, 9),
        None => match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<u32>().ok()?),
            None => (text, 0),
        },
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let shift = zeros.checked_sub(fraction.len() as u32)?;
    if whole.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Only digits are left, so that what cannot be parsed is too large.
    let number = 10_u64.saturating_pow(shift).saturating_mul(all.parse().unwrap_or(u64::MAX));
    (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "uniform",
            "eye-safe",
            "eye-safe:suicide=rules",
            "guarded:k=1",
            "guarded:k=3,suicide=rules",
            "settled:k=2",
            "settled:k=625,suicide=rules",
            "uct:playouts=1000",
            "uct:playouts=20,reward=win,komi=6.5,playout=guarded:k=3,suicide=rules,rave=off,exploration=0.25,leaves=8",
            "uct:playouts=1000000,reward=win,playout=eye-safe:suicide=rules,rave=30,expand=1,prior=2,opening=8",
        ] {
            assert_eq!(text.parse::<Policy>().unwrap().to_string(), text);
        }
        assert_eq!("uct:playouts=1.5k".parse::<Policy>(), "uct:playouts=1500".parse());
        assert_eq!("uct:playouts=9,opening=0".parse::<Policy>(), "uct:playouts=9".parse());
        assert_eq!("guarded:3".parse::<Policy>(), "guarded:k=3".parse());
        for name in ["guarded", "settled"] {
            assert_eq!(name.parse::<Policy>(), format!("{name}:k=2").parse());
        }
    }

    #[test]
    fn other_text_is_refused() {
        for text in [
            "",
            "random",
            "uniform:k=1",
            "eye-safe:k=2",
            "guarded:k=0",
            "guarded:k=x",
            "guarded:",
            "settled:k=626",
            "eye-safe:suicide=maybe",
            "uct",
        ] {
            let error = text.parse::<Policy>().unwrap_err();
            assert!(matches!(error, UnknownPolicy::Form(_)), "{text}");
        }
        for (options, reason) in [
            ("", "`` is no option"),
            ("playouts=0", "playouts is a number from 1 to 1000000"),
            ("playouts=1000001", "playouts is a number from 1 to 1000000"),
            ("leaves=2", "playouts is missing"),
            ("playouts=9,leaves=33", "leaves is a number from 1 to 32"),
            ("playouts=9,opening=9", "opening is a number from 0 to 8"),
            ("playouts=9,speed=3", "`speed=3` is no option"),
            ("playouts=9,rave=off,playouts=9", "playouts stands there twice"),
            ("playouts=9,komi=7", "komi needs reward=win"),
            ("playouts=9,reward=win,komi=x", "komi is a number of points"),
            ("playouts=9,exploration=-1", "exploration is a number from 0 to 10"),
            ("playouts=9,exploration=nan", "exploration is a number from 0 to 10"),
            ("playouts=9,playout=settled:k=3", "playout is uniform, eye-safe or guarded"),
            ("playouts=9,playout=uct:playouts=3", "playout is uniform, eye-safe or guarded"),
        ] {
            let error = format!("uct:{options}").parse::<Policy>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        for (text, name) in [
            ("guarded:k=3,k=4", "k"),
            ("guarded:3,suicide=rules,4", "k"),
            ("eye-safe:suicide=rules,suicide=rules", "suicide"),
        ] {
            let error = text.parse::<Policy>().unwrap_err().to_string();
            assert_eq!(error, format!("`{text}`: {name} stands there twice: write it once"));
        }
    }
}
