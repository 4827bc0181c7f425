//! Why an event is refused.

use crate::{Color, IllegalMove};

/// The rule against an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
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
    /// The player has run out of stones.
    #[error(
        "stone supply: more than {0} stones more than the opponent are lost; only a regular pass is left"
    )]
    OutOfStones(u32),
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
