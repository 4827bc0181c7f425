//! What a player says about chains when the game has stopped.

use jigo_engine::{
    Color, Point, Position,
    life::{ChainStatus, Status},
    protocol::{GameEvent, Protocol},
};

/// Chains that a player can prove to be dead and would take off, or in seki. In a position's order of chains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claims {
    pub(super) dead: Vec<Vec<Point>>,
    seki: Vec<Vec<Point>>,
}

impl Claims {
    pub(super) fn of(position: &Position, chains: &[ChainStatus]) -> Self {
        let seki = chains.iter().filter(|chain| chain.status == Status::Seki);
        Self {
            dead: position.taken_off(chains).map(|chain| chain.stones.clone()).collect(),
            seki: seki.map(|chain| chain.stones.clone()).collect(),
        }
    }

    /// What another player claims as well about the same position.
    pub(super) fn common(&self, other: &Self) -> Self {
        let both = |own: &[Vec<Point>], other: &[Vec<Point>]| {
            own.iter().filter(|chain| other.contains(chain)).cloned().collect()
        };
        Self { dead: both(&self.dead, &other.dead), seki: both(&self.seki, &other.seki) }
    }

    /// The marks by which this player says so in a stopped game, as far as the rule set has marks for it: where all stones in a territory are
    /// marked at once, only territories in which all of them are dead.
    pub(super) fn proposal(&self, game: &Protocol, by: Color) -> Vec<GameEvent> {
        let is_dead = |point: Point| self.dead.iter().any(|chain| chain.contains(&point));
        let dead = self.dead.iter().flatten().map(|&point| GameEvent::Mark(point));
        let seki = self.seki.iter().map(|chain| GameEvent::MarkSeki(chain[0]));
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
}
