//! Whole games between two players: play, stop, agreement on dead stones or dispute, end.
//!
//! Both play until the game stops. Each then [claims](Claims) which chains are dead and, where the rule set marks them, which are in seki. A
//! [`CertifiedPlayer`] plays by a policy and claims what its search proves, and nothing else.
//!
//! - If both claim the same, the player to move proposes it and the other accepts.
//! - Otherwise the other rejects, and play goes on as the [rule set](EndRule) says: as before, with a stone for each pass, or as a continuation.
//!   A certified player that claims a chain of the opponent, who does not know it to be dead, plays the line that captures it while its search has one;
//!   all other moves are the policy's, until the next stop.
//! - When that puts no stone on the board, or the move limit leaves no ply, they settle on what both claim, and all else is alive. Where four passes end
//!   the game, they have passed four times then, and it is counted with all stones alive.
//!
//! ```
//! use jigo_engine::{life::StatusSolver, protocol::{Conduct, Protocol}, rules::Preset, BoardSize};
//! use jigo_selfplay::{Policy, Stream, whole_game::{CertifiedPlayer, play_whole_game}};
//! let size = BoardSize::square(7)?;
//! let conduct = Conduct::new(Preset::Japanese, size);
//! let solver = StatusSolver::new(conduct.rules.suicide, conduct.rules.ko);
//! let policy: Policy = "settled:k=3".parse()?;
//! let player = || CertifiedPlayer::new(policy.player(), solver.clone());
//! let mut game = Protocol::new(size, conduct)?;
//! let streams = [0, 1].map(|color| Stream::new(1, color));
//! let settlement = play_whole_game(&mut game, [&mut player(), &mut player()], streams, 200)?;
//! println!("{settlement:?}: {} dead stones, {:?}", game.dead().count(), game.result());
//! # assert_eq!(settlement.disputes, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use jigo_engine::{
    Color, Game, Komi, Move, Point,
    life::{LineEnd, Question, StatusSolver},
    protocol::{EndRule, GameEvent, KoChoice, Phase, Protocol},
};

use crate::{Decision, Player, PlayerError, Stream, player::Claims, policy::is_legal};

/// How a whole game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// On what they agreed; `None` where they did not: in a game that was stopped at the move limit, or ended by four passes, a cycle or a resignation.
    pub agreement: Option<Agreement>,
    /// How often a proposal was rejected.
    pub disputes: u32,
}

/// On what players agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// Both claimed the same.
    Same,
    /// They did not, and play could not show who was right: dead is what both claimed.
    Common,
}

/// Plays the game on to its end, or until it has so many plies. The streams are those of Black and White.
///
/// # Errors
/// [`PlayerError`] when a player has no answer or chooses a move that the rule set forbids.
///
/// # Panics
/// Where the rule set wants all handicap stones at once and they are not placed yet.
pub fn play_whole_game(
    game: &mut Protocol,
    players: [&mut dyn Player; 2],
    streams: [Stream; 2],
    ply_cap: u32,
) -> Result<Settlement, PlayerError> {
    let mut table = Table { game, players, streams, ply_cap };
    for player in &mut table.players {
        player.begin(table.game.game(), table.game.conduct().komi)?;
    }
    let mut settlement = Settlement::default();
    if *table.game.phase() != Phase::Stopped {
        table.play_to_stop()?;
    }
    let mut may_dispute = true;
    while *table.game.phase() == Phase::Stopped {
        let [black, white] = &mut table.players;
        let claims = [black.claims(table.game.game())?, white.claims(table.game.game())?];
        let proposer = table.game.to_play();
        let [own, other] = [proposer, proposer.opponent()]
            .map(|color| proposal(&claims[color.index()], table.game, proposer));
        if own == other {
            table.settle(own);
            settlement.agreement = Some(Agreement::Same);
        } else if may_dispute && table.has_plies_left() {
            settlement.disputes += 1;
            table.dispute(&claims, own, other);
            if matches!(table.game.phase(), Phase::Finished(_)) {
                // No continuation is left: the rules settle on what both marked.
                settlement.agreement = Some(Agreement::Common);
            }
            may_dispute = table.play_to_stop()?;
        } else {
            table.settle(proposal(&claims[0].common(&claims[1]), table.game, proposer));
            settlement.agreement = Some(Agreement::Common);
        }
    }
    Ok(settlement)
}

/// Two players and their game.
struct Table<'g, 'p> {
    game: &'g mut Protocol,
    /// Black, White.
    players: [&'p mut dyn Player; 2],
    streams: [Stream; 2],
    ply_cap: u32,
}

impl Table<'_, '_> {
    fn apply(&mut self, by: Color, event: GameEvent) {
        self.game.apply(by, event).expect("an event that the rules allow");
    }

    fn has_plies_left(&self) -> bool {
        self.game.game().ply_count() < self.ply_cap
    }

    /// Plays a move that a player chose, and tells the other.
    fn play(&mut self, by: Color, event: GameEvent, mv: Move) -> Result<(), PlayerError> {
        self.game.apply(by, event).map_err(PlayerError::new)?;
        self.players[by.opponent().index()].note(self.game.game(), by, mv)
    }

    /// Plays until the game stops, ends, or has as many plies as it may; returns whether a stone was put.
    ///
    /// Where players may play on from a stop, two more passes end the game with all stones alive.
    fn play_to_stop(&mut self) -> Result<bool, PlayerError> {
        let (mut passes, mut puts_stones) = (0, false);
        while self.has_plies_left() {
            let is_stopped = match self.game.phase() {
                Phase::Finished(_) => break,
                Phase::Stopped => true,
                _ => false,
            };
            if is_stopped && passes >= 2 {
                break;
            }
            let by = self.game.to_play();
            let decision =
                self.players[by.index()].choose_by_protocol(self.game, &mut self.streams[by.index()])?;
            match decision {
                Decision::Resign => self.apply(by, GameEvent::Resign),
                Decision::Move(mv @ Move::Play(point)) => {
                    self.play(by, GameEvent::Play(point), mv)?;
                    (passes, puts_stones) = (0, true);
                }
                Decision::Move(Move::Pass) => {
                    let costs_stone = matches!(self.game.phase(), Phase::Resumed(_));
                    let event = if costs_stone { GameEvent::HandOver } else { GameEvent::Pass };
                    self.play(by, event, Move::Pass)?;
                    passes += 1;
                }
            }
        }
        Ok(puts_stones)
    }

    /// Lets the player to move propose and the other accept.
    fn settle(&mut self, proposal: Vec<GameEvent>) {
        let by = self.game.to_play();
        for event in proposal {
            self.apply(by, event);
        }
        self.apply(by, GameEvent::Propose);
        self.apply(by.opponent(), GameEvent::Accept);
    }

    /// Lets the player to move propose, and the other mark its claims where the rule set has marks, and reject; then play can go on.
    fn dispute(&mut self, claims: &[Claims; 2], proposal: Vec<GameEvent>, marks: Vec<GameEvent>) {
        let by = self.game.to_play();
        for event in proposal {
            self.apply(by, event);
        }
        for event in marks {
            if self.game.check(by.opponent(), &event).is_ok() {
                self.apply(by.opponent(), event);
            }
        }
        self.apply(by, GameEvent::Propose);
        self.apply(by.opponent(), GameEvent::Reject);
        let is_stopped = *self.game.phase() == Phase::Stopped;
        if is_stopped && matches!(self.game.conduct().ending, EndRule::Continuations(_)) {
            self.apply(by.opponent(), GameEvent::Demand(KoChoice::Basic));
        }
        for color in Color::BOTH {
            let (own, other) = (&claims[color.index()].dead, &claims[color.opponent().index()].dead);
            let contested: Vec<_> = own.iter().filter(|chain| !other.contains(chain)).cloned().collect();
            self.players[color.index()].contest(&contested);
        }
    }
}

/// Returns the marks that state these claims in a stopped game, as far as the rule set has marks for them: where all stones in a territory are
/// marked at once, only territories in which all of them are dead.
fn proposal(claims: &Claims, game: &Protocol, by: Color) -> Vec<GameEvent> {
    let is_dead = |point: Point| claims.dead.iter().any(|chain| chain.contains(&point));
    let dead = claims.dead.iter().flatten().map(|&point| GameEvent::Mark(point));
    let seki = claims.seki.iter().map(|chain| GameEvent::MarkSeki(chain[0]));
    let mut marked = game.clone();
    let stands = |event: &GameEvent| {
        let mut next = marked.clone();
        let stands = next.apply(by, event.clone()).is_ok() && next.marked(by).all(is_dead);
        if stands {
            marked = next;
        }
        stands
    };
    dead.chain(seki).filter(stands).collect()
}

/// Plays by a policy, claims the statuses that a search proves, and captures what it claims.
pub struct CertifiedPlayer {
    player: Box<dyn Player>,
    solver: StatusSolver,
    /// A stone of each chain that this player alone claimed to be dead at the last stop.
    contested: Vec<Point>,
}

impl CertifiedPlayer {
    /// Returns a player that plays like this one until the first stop, with a solver whose rules should be those of the game.
    #[must_use]
    pub fn new(player: Box<dyn Player>, solver: StatusSolver) -> Self {
        Self { player, solver, contested: Vec::new() }
    }

    /// Returns the next move of a line that captures a contested chain of the opponent.
    fn capture(&mut self, game: &Game) -> Option<Point> {
        let (by, board) = (game.to_play(), game.board());
        let is_left = |point: &&Point| board.stone(**point) == Some(by.opponent());
        let mut left = self.contested.iter().filter(is_left).peekable();
        left.peek()?;
        let position = board.position();
        let report = self.solver.solve(&position);
        left.find_map(|&point| {
            let line = report.line(point, Question::Capture, by)?;
            match (line.end, line.moves.first()) {
                (LineEnd::Captured, Some((_, Move::Play(next)))) => Some(*next),
                _ => None,
            }
        })
    }
}

impl Player for CertifiedPlayer {
    fn begin(&mut self, game: &Game, komi: Komi) -> Result<(), PlayerError> {
        self.contested.clear();
        self.player.begin(game, komi)
    }

    fn choose(&mut self, game: &Game, stream: &mut Stream) -> Result<Decision, PlayerError> {
        match self.capture(game).filter(|&point| game.check_point(point).is_ok()) {
            None => self.player.choose(game, stream),
            proof => Ok(proof.into()),
        }
    }

    fn choose_by_protocol(
        &mut self,
        protocol: &Protocol,
        stream: &mut Stream,
    ) -> Result<Decision, PlayerError> {
        match self.capture(protocol.game()).filter(|&point| is_legal(protocol, point)) {
            None => self.player.choose_by_protocol(protocol, stream),
            proof => Ok(proof.into()),
        }
    }

    fn claims(&mut self, game: &Game) -> Result<Claims, PlayerError> {
        let position = game.board().position();
        Ok(Claims::from_statuses(&position, &self.solver.chains(&position)))
    }

    fn contest(&mut self, chains: &[Vec<Point>]) {
        self.contested = chains.iter().map(|chain| chain[0]).collect();
    }
}
