//! The goals of searches: what one player tries to reach and the other prevents.

use super::{
    local_board::{Chain, LocalBoard, Points, Stones},
    states::State,
};
use crate::Color;

/// A question about the chain on a point: can the *attacker* reach the goal although the *defender* does everything to prevent it?
///
/// One of the two is content if nothing more happens, and only this player may pass. What the other one could gain after a pass of his
/// own he gains without it, since the first may pass as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::life) struct Goal {
    pub(in crate::life) kind: GoalKind,
    /// The colour of the chain.
    pub(in crate::life) color: Color,
    /// A point of the chain.
    pub(in crate::life) point: usize,
}

/// What the attacker tries to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::life) enum GoalKind {
    /// The opponent's chain is captured.
    Capture,
    /// The opponent's chain is captured, and in the end more stakes than hostages are.
    Exchange(Exchange),
    /// The attacker's own chain is unconditionally alive.
    Life,
}

/// The stones that count when a chain is captured. `docs/status.md` defines them under seki by loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::life) struct Exchange {
    /// Stones of the chain's owner, the chain among them.
    pub(super) stakes: Points,
    /// Stones of the attacker.
    pub(super) hostages: Points,
}

/// The value of a state for a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::life) enum Value {
    /// The attacker reaches the goal.
    Proven,
    /// The defender prevents it.
    Disproven,
}

impl Goal {
    pub(super) fn attacker(&self) -> Color {
        match self.kind {
            GoalKind::Capture | GoalKind::Exchange(_) => self.color.opponent(),
            GoalKind::Life => self.color,
        }
    }

    /// Returns who is content if nothing more happens once these stones are gone, and so may pass.
    pub(super) fn passer(&self, gone: Points) -> Color {
        match self.kind {
            GoalKind::Exchange(exchange) if self.is_captured(gone) && exchange.balance(gone) < 0 => {
                self.attacker()
            }
            _ => self.attacker().opponent(),
        }
    }

    /// Returns which of the counted stones are gone: those that were before, and those that are not among `stones`.
    pub(super) fn gone(&self, before: Points, stones: Stones) -> Points {
        match self.kind {
            GoalKind::Exchange(Exchange { stakes, hostages }) => {
                let (own, other) = (self.color.index(), self.color.opponent().index());
                before | stakes & !stones[own] | hostages & !stones[other]
            }
            GoalKind::Capture | GoalKind::Life => 0,
        }
    }

    /// Returns the chain in question, or the empty set where it is gone, as [`LocalBoard::chain`] does.
    pub(super) fn chain(&self, board: &LocalBoard, stones: Stones, known: Chain) -> Chain {
        board.chain(stones, self.color, self.point, known)
    }

    fn is_captured(&self, gone: Points) -> bool {
        gone >> self.point & 1 != 0
    }

    /// Returns the value of a state where it needs no search.
    pub(super) fn evaluate(&self, board: &LocalBoard, state: &State) -> Option<Value> {
        self.assess(board, state, Chain::default()).ok()
    }

    /// Returns the value of a state where it needs no search, or else an estimate of how many moves the attacker needs. `known` is the chain in
    /// question in the state before, or an empty one.
    pub(super) fn assess(&self, board: &LocalBoard, state: &State, known: Chain) -> Result<Value, u8> {
        let chain = self.chain(board, state.stones, known);
        let liberties = chain.near & board.empty(state.stones);
        let is_in_atari = liberties.is_power_of_two() && !board.is_anchored(self.color, chain.stones);
        let is_safe = || self.is_safe(board, state, chain, liberties);
        let value = match self.kind {
            GoalKind::Exchange(exchange) => self.evaluate_exchange(exchange, board, state, is_safe),
            GoalKind::Capture if chain.stones == 0 || is_in_atari && state.to_move != self.color => {
                Some(Value::Proven)
            }
            GoalKind::Capture => is_safe().then_some(Value::Disproven),
            GoalKind::Life if chain.stones == 0 => Some(Value::Disproven),
            GoalKind::Life => is_safe().then_some(Value::Proven),
        };
        value.ok_or_else(|| match self.kind {
            GoalKind::Capture | GoalKind::Exchange(_) => liberties.count_ones().max(1) as u8,
            GoalKind::Life => 1,
        })
    }

    /// Returns whether the chain can be seen to be safe: it is unconditionally alive, or one move connects it to safe stones outside, or
    /// either of two moves does if the opponent is to move.
    fn is_safe(&self, board: &LocalBoard, state: &State, chain: Chain, liberties: Points) -> bool {
        let connections = liberties & board.beside_safe[self.color.index()];
        let needed = if state.to_move == self.color { 1 } else { 2 };
        connections.count_ones() >= needed || board.is_unconditionally_alive(state.stones, self.color, chain)
    }

    fn evaluate_exchange(
        &self,
        exchange: Exchange,
        board: &LocalBoard,
        state: &State,
        is_safe: impl Fn() -> bool,
    ) -> Option<Value> {
        let State { stones, gone, .. } = *state;
        let is_captured = self.is_captured(gone);
        if !is_captured && is_safe() {
            return Some(Value::Disproven);
        }
        // How many of the stones still there may be captured.
        let at_risk = |color: Color, counted: Points| {
            let counted = counted & !gone;
            let chains = board.chains(stones, color).filter(|chain| chain.stones & counted != 0);
            let at_risk = chains.filter(|&chain| !board.is_unconditionally_alive(stones, color, chain));
            at_risk.fold(0, |sum, chain| sum + (chain.stones & counted).count_ones() as i32)
        };
        let balance = exchange.balance(gone);
        if is_captured && balance < 0 && balance + at_risk(self.attacker(), exchange.hostages) < 0 {
            return Some(Value::Proven);
        }
        (balance >= at_risk(self.color, exchange.stakes)).then_some(Value::Disproven)
    }
}

impl Exchange {
    /// Returns how many more hostages than stakes are gone.
    fn balance(self, gone: Points) -> i32 {
        let count = |counted: Points| (gone & counted).count_ones() as i32;
        count(self.hostages) - count(self.stakes)
    }
}
