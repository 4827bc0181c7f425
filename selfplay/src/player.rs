//! The seam for players: whatever chooses moves in a run, in a match or for GTP.

use jigo_engine::{
    BoardSize, Color, Game, Komi, Move, Point, Position, life::ChainStatus, life::Status, protocol::Protocol,
};

use crate::{Stream, gtp::GtpClientError, search::UctPlayer, time_control::TimeLeft};

/// Chooses moves.
///
/// The [policies](crate::Policy), [GTP programs](crate::gtp::GtpPlayer) and the [certified player](crate::whole_game::CertifiedPlayer) are players, and so is
/// every closure from a game and a stream to a move. [`Run::play_with`](crate::Run::play_with), [`matches`](mod@crate::matches) and [`gtp`](crate::gtp) take any of them.
///
/// Only [`choose`](Self::choose) must be written. A player that takes its random numbers from the stream alone, and forgets the last game in
/// [`begin`](Self::begin), plays the same games on any number of threads.
///
/// ```
/// use jigo_engine::{Game, Move};
/// use jigo_selfplay::{Decision, Player, PlayerError, Progress, Run, Signature, Stream};
///
/// /// Plays on the first legal point.
/// struct First;
///
/// impl Player for First {
///     fn choose(&mut self, game: &Game, _: &mut Stream) -> Result<Decision, PlayerError> {
///         Ok(game.legal_points().next().map_or(Move::Pass, Move::Play).into())
///     }
/// }
///
/// let run = Run::new("5", "tromp-taylor", "eye-safe")?;
/// let games: Signature = run.play_with(|| First, 0..2, Signature::default, &Progress::new())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Player {
    /// Chooses a move for the player to move in `game`, and takes it for played. An illegal move ends a run with an error, and loses a game of a match.
    ///
    /// The game may be over already where a referee lets players go on after two passes.
    ///
    /// # Errors
    /// [`PlayerError`] when the player has no answer.
    fn choose(&mut self, game: &Game, stream: &mut Stream) -> Result<Decision, PlayerError>;

    /// Prepares for a game that begins with this position, history and komi. What the player remembers of other games must not influence this one.
    ///
    /// # Errors
    /// [`PlayerError`] when it cannot play this game.
    fn begin(&mut self, _game: &Game, _komi: Komi) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Takes note of a move that this player did not choose: the opponent's, or one of the opening. `game` is the game after it.
    ///
    /// # Errors
    /// [`PlayerError`] when the player does not accept the move.
    fn note(&mut self, _game: &Game, _color: Color, _mv: Move) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Takes note of the time that the player has left for the move that it is asked for next. By default it does not matter.
    ///
    /// # Errors
    /// [`PlayerError`] when the player cannot go on.
    fn time_left(&mut self, _color: Color, _left: TimeLeft) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Returns the chains that the player calls dead or in seki in a stopped game; by default none.
    ///
    /// # Errors
    /// [`PlayerError`] when the player has no answer.
    fn claims(&mut self, _game: &Game) -> Result<Claims, PlayerError> {
        Ok(Claims::default())
    }

    /// Takes note of the chains that it called dead and the opponent did not, before play goes on from a stop.
    fn contest(&mut self, _chains: &[Vec<Point>]) {}

    /// Chooses a move where a whole [`Protocol`] decides what is legal: some rule sets have ko rules of their own for play after a dispute. By default it
    /// chooses as in the game itself.
    ///
    /// # Errors
    /// As [`choose`](Self::choose).
    fn choose_by_protocol(
        &mut self,
        protocol: &Protocol,
        stream: &mut Stream,
    ) -> Result<Decision, PlayerError> {
        self.choose(protocol.game(), stream)
    }

    /// Returns the search that chooses this player's moves, if one does: it can be given a deadline, and be watched.
    fn searcher(&mut self) -> Option<&mut UctPlayer> {
        None
    }
}

/// Every closure that returns a move is a player.
impl<F: FnMut(&Game, &mut Stream) -> Move> Player for F {
    fn choose(&mut self, game: &Game, stream: &mut Stream) -> Result<Decision, PlayerError> {
        Ok(self(game, stream).into())
    }
}

/// What a player does when it is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Plays a stone or passes.
    Move(Move),
    /// Gives the game up.
    Resign,
}

impl From<Move> for Decision {
    fn from(mv: Move) -> Self {
        Self::Move(mv)
    }
}

impl From<Option<Point>> for Decision {
    /// Plays on the point, or passes where there is none.
    fn from(point: Option<Point>) -> Self {
        Self::Move(point.map_or(Move::Pass, Move::Play))
    }
}

/// Why a player has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// A program that speaks GTP.
    #[error(transparent)]
    Program(#[from] GtpClientError),
    /// A program answered `genmove` with something else than a move.
    #[error("answered `{0}` when asked for a move")]
    NotAMove(String),
    /// Any other player; the text says why.
    #[error("{0}")]
    Failed(String),
}

impl PlayerError {
    /// Creates the error of a player that cannot go on for this reason.
    #[must_use]
    pub fn new(reason: impl ToString) -> Self {
        Self::Failed(reason.to_string())
    }
}

/// Returns GTP's name of a move that may be off the board.
pub(crate) fn vertex(mv: Move, size: BoardSize) -> String {
    match mv {
        Move::Play(point) if !size.contains(point) => format!("{point:?}"),
        mv => mv.to_gtp(size),
    }
}

/// The chains that a player calls dead or in seki in a stopped game, each by all of its stones. All others it calls alive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Dead chains, to be removed.
    pub dead: Vec<Vec<Point>>,
    /// Chains in seki.
    pub seki: Vec<Vec<Point>>,
}

impl Claims {
    /// Returns what these statuses prove, in their order.
    #[must_use]
    pub fn from_statuses(position: &Position, chains: &[ChainStatus]) -> Self {
        let seki = chains.iter().filter(|chain| chain.status == Status::Seki);
        Self {
            dead: position.taken_off(chains).map(|chain| chain.stones.clone()).collect(),
            seki: seki.map(|chain| chain.stones.clone()).collect(),
        }
    }

    /// Returns the claims that both players make about the same position.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        let both = |own: &[Vec<Point>], other: &[Vec<Point>]| {
            own.iter().filter(|chain| other.contains(chain)).cloned().collect()
        };
        Self { dead: both(&self.dead, &other.dead), seki: both(&self.seki, &other.seki) }
    }
}
