//! Whole games between players who hold certified statuses: play, stop, agreement on dead stones or dispute, end.
//!
//! Both play by a policy until the game stops. Each then claims what his judge proves: which chains are dead and, where the rule set marks them,
//! which are in seki. What is not proved is claimed by nobody.
//!
//! - Where both claim the same, the player to move proposes it and the other accepts.
//! - Otherwise the other rejects, and play goes on as the [rule set](EndRule) has it: as before, with a stone for each pass, or as a continuation.
//!   Whoever claims a chain of the opponent that the other does not know to be dead plays the line that captures it, while his judge has one; in all
//!   else both play by their policies, until the next stop.
//! - When that puts no stone on the board, or the ply cap leaves no ply, no more will come out: they settle on what both claim, and all else is
//!   alive.
//!
//! ```
//! use jigo_engine::{life::StatusSolver, protocol::{Conduct, Protocol}, rules::Preset, BoardSize};
//! use jigo_selfplay::{Stream, whole_game::{CertifiedPlayer, play_whole_game}};
//! let size = BoardSize::square(7)?;
//! let conduct = Conduct::of_preset(Preset::Japanese, size);
//! let judge = StatusSolver::new(conduct.rules.suicide, conduct.rules.ko);
//! let player = |stream| CertifiedPlayer::new("settled:k=3".parse().unwrap(), judge.clone(), Stream::new(1, stream));
//! let mut game = Protocol::new(size, conduct)?;
//! let settlement = play_whole_game(&mut game, [&mut player(0), &mut player(1)], 200);
//! println!("{settlement:?}: {} dead stones, {:?}", game.dead().count(), game.result());
//! # assert_eq!(settlement.disputes, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claims;
mod player;

pub use player::CertifiedPlayer;

use claims::Claims;
use jigo_engine::{
    Color,
    protocol::{EndRule, GameEvent, KoChoice, Phase, Protocol},
};

/// How a game between certified players ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// On what they agreed; `None` where the game did not come so far: cut off by the ply cap, or ended by a cycle.
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

/// Plays from where the game stands to its end, or until it has so many plies. A function of the game, the players and the cap.
///
/// # Panics
/// Where the rule set wants all handicap stones at once and they are not placed yet.
pub fn play_whole_game(game: &mut Protocol, players: [&mut CertifiedPlayer; 2], ply_cap: u32) -> Settlement {
    let mut table = Table { game, players, ply_cap };
    let mut settlement = Settlement::default();
    if *table.game.phase() != Phase::Stopped {
        table.play_to_stop();
    }
    let mut may_dispute = true;
    while *table.game.phase() == Phase::Stopped {
        let claims = table.claims();
        let proposer = table.game.to_play();
        let [own, other] =
            [proposer, proposer.opponent()].map(|color| claims[color.index()].proposal(table.game, proposer));
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
            may_dispute = table.play_to_stop();
        } else {
            table.settle(claims[0].common(&claims[1]).proposal(table.game, proposer));
            settlement.agreement = Some(Agreement::Common);
        }
    }
    settlement
}

/// Two players and their game.
struct Table<'a> {
    game: &'a mut Protocol,
    /// Black, White.
    players: [&'a mut CertifiedPlayer; 2],
    ply_cap: u32,
}

impl Table<'_> {
    fn apply(&mut self, by: Color, event: GameEvent) {
        self.game.apply(by, event).expect("an event that the rules allow");
    }

    fn has_plies_left(&self) -> bool {
        self.game.game().ply_count() < self.ply_cap
    }

    /// What Black and White claim in this position.
    fn claims(&mut self) -> [Claims; 2] {
        let position = self.game.game().board().position();
        self.players.each_mut().map(|player| player.claims(&position))
    }

    /// Plays until the game stops, ends, or has as many plies as it may; returns whether a stone was put.
    ///
    /// Where players may play on from a stop and four passes end the game, they do not pass a fourth time: they can still agree.
    fn play_to_stop(&mut self) -> bool {
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
            match self.players[by.index()].choose(self.game) {
                Some(point) => {
                    self.apply(by, GameEvent::Play(point));
                    (passes, puts_stones) = (0, true);
                }
                None if is_stopped && passes == 1 => break,
                None => {
                    let costs_stone = matches!(self.game.phase(), Phase::Resumed(_));
                    self.apply(by, if costs_stone { GameEvent::HandOver } else { GameEvent::Pass });
                    passes += 1;
                }
            }
        }
        puts_stones
    }

    /// The player to move proposes, the other accepts.
    fn settle(&mut self, proposal: Vec<GameEvent>) {
        let by = self.game.to_play();
        for event in proposal {
            self.apply(by, event);
        }
        self.apply(by, GameEvent::Propose);
        self.apply(by.opponent(), GameEvent::Accept);
    }

    /// The player to move proposes, the other marks what he claims, where he may, rejects, and play can go on.
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
            let (own, other) = (&claims[color.index()], &claims[color.opponent().index()]);
            self.players[color.index()].contest(own, other);
        }
    }
}
