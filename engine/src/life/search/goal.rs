//! The goals of searches: what one player tries to reach and the other prevents.

use super::{
    local_board::{LocalBoard, Points, Stones, WordBoard},
    states::State,
};
use crate::Color;

/// A question about the chain on a point: can the *attacker* reach the goal although the *defender* does everything to prevent it?
///
/// One of the two is content if nothing more happens, and only this player may pass. What the other one could gain after a pass of his
/// own he gains without it, since the first may pass as well.
#[derive(Clone, Copy, Debug)]
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

    fn chain(&self, board: &LocalBoard, stones: Stones) -> Points {
        board.connected(1 << self.point, stones[self.color.index()])
    }

    fn is_captured(&self, gone: Points) -> bool {
        gone >> self.point & 1 != 0
    }

    /// Returns the value of a state where it needs no search.
    pub(super) fn evaluate(&self, board: &LocalBoard, state: &State) -> Option<Value> {
        let State { stones, to_move, .. } = *state;
        let (if_safe, if_captured) = match self.kind {
            GoalKind::Exchange(exchange) => {
                return self.evaluate_exchange(exchange, board, state);
            }
            GoalKind::Capture => (Value::Disproven, Value::Proven),
            GoalKind::Life => (Value::Proven, Value::Disproven),
        };
        let own = stones[self.color.index()];
        if own >> self.point & 1 == 0 {
            return Some(if_captured);
        }
        let chain = self.chain(board, stones);
        let liberties = board.adjacent(chain) & board.empty(stones);
        let is_in_atari = liberties.is_power_of_two() && !board.is_anchored(self.color, chain);
        if self.kind == GoalKind::Capture && to_move != self.color && is_in_atari {
            return Some(if_captured);
        }
        self.is_safe(board, state, chain).then_some(if_safe)
    }

    /// Returns whether the chain can be seen to be safe: it is unconditionally alive, or one move connects it to safe stones outside, or
    /// either of two moves does if the opponent is to move.
    fn is_safe(&self, board: &LocalBoard, state: &State, chain: Points) -> bool {
        let State { stones, to_move, .. } = *state;
        let color = self.color;
        let connections = board.adjacent(chain) & board.empty(stones) & board.beside_safe[color.index()];
        let needed = if to_move == color { 1 } else { 2 };
        connections.count_ones() >= needed || board.are_unconditionally_alive(stones, color, chain)
    }

    fn evaluate_exchange(&self, exchange: Exchange, board: &LocalBoard, state: &State) -> Option<Value> {
        let State { stones, gone, .. } = *state;
        let is_captured = self.is_captured(gone);
        if !is_captured && self.is_safe(board, state, self.chain(board, stones)) {
            return Some(Value::Disproven);
        }
        // How many of the stones still there may be captured.
        let at_risk = |color: Color, counted: Points| {
            let counted = counted & !gone;
            let chains = board.parts(stones[color.index()]).filter(|chain| chain & counted != 0);
            let at_risk = chains.filter(|&chain| !board.are_unconditionally_alive(stones, color, chain));
            at_risk.fold(0, |sum, chain| sum + (chain & counted).count_ones() as i32)
        };
        let balance = exchange.balance(gone);
        if is_captured && balance < 0 && balance + at_risk(self.attacker(), exchange.hostages) < 0 {
            return Some(Value::Proven);
        }
        (balance >= at_risk(self.color, exchange.stakes)).then_some(Value::Disproven)
    }

    /// Estimates how many moves the attacker needs.
    pub(super) fn distance(&self, board: &LocalBoard, stones: Stones) -> u8 {
        match self.kind {
            GoalKind::Capture | GoalKind::Exchange(_) => {
                (board.adjacent(self.chain(board, stones)) & board.empty(stones)).count_ones().max(1) as u8
            }
            GoalKind::Life => 1,
        }
    }
}

impl Exchange {
    /// Returns how many more hostages than stakes are gone.
    fn balance(self, gone: Points) -> i32 {
        let count = |counted: Points| (gone & counted).count_ones() as i32;
        count(self.hostages) - count(self.stakes)
    }
}
