//! What players do in a whole game, and why an event is rejected.

use crate::{BoardSize, Color, IllegalMove, Point};

/// Something that a player does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GameEvent {
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
    /// Asks for the modified ko rules in a continuation that was demanded without them, before its first ply.
    ///
    /// Makrai's rules let either player ask when the game is continued, and do not say until when.
    ModifyKo,
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
    /// Offers a draw, until the opponent's next ply or the next stop.
    OfferDraw,
    /// Accepts the opponent's offer of a draw.
    AcceptDraw,
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
#[error("`{0}` is not an event. Known: {known}", known = GameEvent::FORMS.join(", "))]
pub struct UnknownEvent(String);

impl GameEvent {
    /// How each event is written, its word first.
    pub const FORMS: &[&str] = &[
        "play C3",
        "pass",
        "hand-over",
        "challenge C3",
        "handicap C3 D4 ...",
        "demand [modified]",
        "modify-ko",
        "mark C3",
        "mark-seki C3",
        "propose",
        "accept",
        "reject",
        "claim dead|alive C3",
        "offer-draw",
        "accept-draw",
        "resign",
    ];

    /// The event in words, with GTP's names of points: `play C3`, `claim dead A1`.
    #[must_use]
    pub fn to_text(&self, size: BoardSize) -> String {
        let name = |point: &Point| format!(" {}", point.to_gtp(size));
        let detail = match self {
            Self::Play(point) | Self::Challenge(point) | Self::Mark(point) | Self::MarkSeki(point) => {
                name(point)
            }
            Self::PlaceHandicap(points) => points.iter().map(name).collect(),
            Self::Demand(KoChoice::Modified) => " modified".to_owned(),
            Self::Claim(point, ClaimedStatus::Dead) => format!(" dead{}", name(point)),
            Self::Claim(point, ClaimedStatus::Alive) => format!(" alive{}", name(point)),
            _ => String::new(),
        };
        format!("{}{detail}", self.word())
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
            Self::ModifyKo => "modify-ko",
            Self::Mark(_) => "mark",
            Self::MarkSeki(_) => "mark-seki",
            Self::Propose => "propose",
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Claim(..) => "claim",
            Self::OfferDraw => "offer-draw",
            Self::AcceptDraw => "accept-draw",
            Self::Resign => "resign",
        }
    }

    /// Whether it is a turn: a stone or some kind of pass.
    pub(super) const fn is_ply(&self) -> bool {
        matches!(self, Self::Play(_) | Self::Pass | Self::HandOver | Self::Challenge(_))
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
            ["modify-ko"] => Self::ModifyKo,
            ["mark", name] => Self::Mark(point(name)?),
            ["mark-seki", name] => Self::MarkSeki(point(name)?),
            ["propose"] => Self::Propose,
            ["accept"] => Self::Accept,
            ["reject"] => Self::Reject,
            ["claim", "dead", name] => Self::Claim(point(name)?, ClaimedStatus::Dead),
            ["claim", "alive", name] => Self::Claim(point(name)?, ClaimedStatus::Alive),
            ["offer-draw"] => Self::OfferDraw,
            ["accept-draw"] => Self::AcceptDraw,
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
    Finished(GameEnd),
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
pub enum GameEnd {
    /// Its [result](super::Protocol::result) is counted.
    Counted,
    /// This player resigned.
    Resigned(Color),
    /// A true cycle: a draw.
    Repeated,
    /// The players agreed on a draw.
    Agreed,
}

/// The rule against an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalEvent {
    /// The other player is to move or to decide.
    #[error("turns: {0} is to move or to decide")]
    NotYourTurn(Color),
    /// This rule set has no such event.
    #[error("{rule}: there is no `{event}`")]
    NoSuchEvent {
        /// The event's word.
        event: &'static str,
        /// What governs the end of the game.
        rule: &'static str,
    },
    /// The event belongs to another phase of the game.
    #[error("phases: no `{event}` in the phase `{phase}`")]
    WrongPhase {
        /// The event's word.
        event: &'static str,
        /// The phase.
        phase: &'static str,
    },
    /// The move is illegal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A pass where stones are still to be put.
    #[error("handicap: the stones are put before anybody passes")]
    HandicapFirst,
    /// The wrong number of handicap stones, a point twice, or one beside the board.
    #[error("handicap: {0} different points of the board are to be named")]
    HandicapPoints(u32),
    /// A plain pass where each pass costs a stone.
    #[error("resumption: who passes hands over a stone as prisoner")]
    PassCostsStone,
    /// There is no stone at the point.
    #[error("marking: there is no stone")]
    NoStone,
    /// The stone is marked already.
    #[error("marking: these stones are marked already")]
    AlreadyMarked,
    /// Points in seki count like others.
    #[error("seki: points in seki count like all others under these rules")]
    SekiCounts,
    /// A stone in an eye of a chain in seki.
    #[error("seki: a stone in an eye of a group in seki had to be captured before the end; it stays")]
    StoneInSekiEye,
    /// No more continuations.
    #[error("continuations: the limit of {0} is reached")]
    NoContinuationsLeft(u32),
    /// No more claims.
    #[error("claims: the limit of {0} is reached")]
    NoClaimsLeft(u32),
    /// No more verifications.
    #[error("verifications: the limit of {0} for this claim is reached")]
    NoVerificationsLeft(u32),
    /// Challenges are switched off or were not requested.
    #[error("challenges: the ko rules of this game or continuation are not modified")]
    NoChallenges,
    /// The ko rules of the continuation are modified already, or its first ply was made.
    #[error("modified ko: ask before the first ply of a continuation that has the basic ko rules")]
    TooLateToModify,
    /// The player's or the opponent's offer of a draw is open.
    #[error("draw: an offer is open until the opponent's next ply")]
    AlreadyOffered,
    /// The opponent offers no draw.
    #[error("draw: the opponent has not offered one since your last ply")]
    NoOffer,
    /// No ko capture by shape.
    #[error("challenge: a stone there would take no ko")]
    NoKoCapture,
    /// The opponent has not captured in this ko.
    #[error("challenge: the opponent has not captured in this ko during the continuation")]
    NotARecapture,
    /// The capture is prepared already.
    #[error("challenge: this capture is prepared already")]
    AlreadyPrepared,
    /// The basic ko rule forbids the capture.
    #[error("challenge: simple ko forbids this capture now")]
    CaptureForbidden,
    /// The ko is locked.
    #[error("lock: this ko may not be retaken or challenged until a regular pass")]
    Locked,
}
