//! What players do in a whole game.

use crate::{BoardSize, Color, Point};

/// Something that a player does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Puts a stone on a point.
    Play(Point),
    /// Passes.
    Pass,
    /// Passes and hands over a stone as prisoner.
    HandOver,
    /// Passes to challenge a ko: prepares the capture by a stone on this point.
    Challenge(Point),
    /// Puts all handicap stones at once.
    PlaceHandicap(Vec<Point>),
    /// Demands that the stopped game be continued.
    Demand(KoChoice),
    /// Marks stones at a point: as dead, or to be emptied.
    Mark(Point),
    /// Marks the chain at a point as being in seki.
    MarkSeki(Point),
    /// Proposes to end the game with the own marks.
    Propose,
    /// Accepts the opponent's proposal.
    Accept,
    /// Rejects the opponent's proposal.
    Reject,
    /// Claims what the chain at a point is, which play on a copy of the position then verifies.
    Claim(Point, ClaimedStatus),
    /// Gives up the game.
    Resign,
}

/// The ko rules of a continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KoChoice {
    /// As before.
    Basic,
    /// Modified: a ko may be challenged.
    Modified,
}

/// What is claimed of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimedStatus {
    /// It can be captured.
    Dead,
    /// It cannot.
    Alive,
}

/// Text that is no event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an event. Known: play C3, pass, hand-over, challenge C3, handicap C3 D4 ..., demand [modified], mark C3, mark-seki C3, \
     propose, accept, reject, claim dead|alive C3, resign"
)]
pub struct UnknownEvent(String);

impl Event {
    /// The event in words, with GTP's names of points: `play C3`, `claim dead A1`.
    #[must_use]
    pub fn to_text(&self, size: BoardSize) -> String {
        let detail = match self {
            Self::Demand(KoChoice::Modified) => " modified",
            Self::Claim(_, ClaimedStatus::Dead) => " dead",
            Self::Claim(_, ClaimedStatus::Alive) => " alive",
            _ => "",
        };
        let points = match self {
            Self::Play(point)
            | Self::Challenge(point)
            | Self::Mark(point)
            | Self::MarkSeki(point)
            | Self::Claim(point, _) => std::slice::from_ref(point),
            Self::PlaceHandicap(points) => points,
            _ => &[],
        };
        let names = points.iter().map(|point| format!(" {}", point.to_gtp(size)));
        std::iter::once(format!("{}{detail}", self.word())).chain(names).collect()
    }

    /// The first word of the [text](Self::to_text).
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Play(_) => "play",
            Self::Pass => "pass",
            Self::HandOver => "hand-over",
            Self::Challenge(_) => "challenge",
            Self::PlaceHandicap(_) => "handicap",
            Self::Demand(_) => "demand",
            Self::Mark(_) => "mark",
            Self::MarkSeki(_) => "mark-seki",
            Self::Propose => "propose",
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Claim(..) => "claim",
            Self::Resign => "resign",
        }
    }

    /// Reads [text](Self::to_text).
    ///
    /// # Errors
    /// Text that is no event on a board of this size.
    pub fn from_text(text: &str, size: BoardSize) -> Result<Self, UnknownEvent> {
        let unknown = || UnknownEvent(text.to_owned());
        let point = |name: &str| Point::from_gtp(name, size).map_err(|_| unknown());
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(match words[..] {
            ["play", name] => Self::Play(point(name)?),
            ["pass"] => Self::Pass,
            ["hand-over"] => Self::HandOver,
            ["challenge", name] => Self::Challenge(point(name)?),
            ["handicap", ref names @ ..] => {
                Self::PlaceHandicap(names.iter().map(|name| point(name)).collect::<Result<_, _>>()?)
            }
            ["demand"] => Self::Demand(KoChoice::Basic),
            ["demand", "modified"] => Self::Demand(KoChoice::Modified),
            ["mark", name] => Self::Mark(point(name)?),
            ["mark-seki", name] => Self::MarkSeki(point(name)?),
            ["propose"] => Self::Propose,
            ["accept"] => Self::Accept,
            ["reject"] => Self::Reject,
            ["claim", "dead", name] => Self::Claim(point(name)?, ClaimedStatus::Dead),
            ["claim", "alive", name] => Self::Claim(point(name)?, ClaimedStatus::Alive),
            ["resign"] => Self::Resign,
            _ => return Err(unknown()),
        })
    }
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Black puts handicap stones: so many more moves in a row, or all at once.
    Handicap {
        /// Stones to be put.
        left: u32,
    },
    /// The players alternate.
    Playing,
    /// Both have passed: marks, proposals, demands and claims are made.
    Stopped,
    /// The opponent of this player decides on a proposal.
    Proposed(Color),
    /// Play goes on to prove what is dead; this player began.
    Resumed(Color),
    /// Play goes on from a stop, under these ko rules.
    Continued(KoChoice),
    /// Play on a copy of the stopped position that decides a claim.
    Verifying,
    /// The game has ended.
    Finished(Ended),
}

impl Phase {
    /// The phase in a word or two.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Handicap { .. } => "handicap",
            Self::Playing => "playing",
            Self::Stopped => "stopped",
            Self::Proposed(_) => "proposed",
            Self::Resumed(_) => "resumption",
            Self::Continued(_) => "continuation",
            Self::Verifying => "verification",
            Self::Finished(_) => "finished",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// Its [result](super::Protocol::result) is counted.
    Counted,
    /// This player resigned.
    Resigned(Color),
    /// A true cycle: a draw.
    Repeated,
}
