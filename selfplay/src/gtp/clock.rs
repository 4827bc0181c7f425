//! The time of a game: what the controller sets and tells, and how much of it a move may take.

use std::time::{Duration, Instant};

use jigo_engine::Color;

/// A main time, after which so many moves must be made in each period of overtime. In seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeSettings {
    pub(super) main: f64,
    pub(super) period: f64,
    pub(super) moves: u32,
}

impl TimeSettings {
    /// Returns whether these are the protocol's ways to say that time is not limited.
    pub(super) fn is_unlimited(&self) -> bool {
        let &Self { main, period, moves } = self;
        if period > 0.0 { moves == 0 } else { main == 0.0 }
    }

    fn has_overtime(&self) -> bool {
        self.period > 0.0 && self.moves > 0
    }
}

/// What a player has left: in overtime for so many moves, otherwise for the rest of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeLeft {
    pub(super) seconds: f64,
    pub(super) moves: u32,
}

/// The clocks of both players in a game whose time is limited.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    settings: TimeSettings,
    left: [TimeLeft; 2],
}

/// The part of its share that a move takes at most. The rest is for sending it, and for playouts that began in time.
const USED_SHARE: f64 = 0.9;

impl Clock {
    /// Returns the clocks at the beginning of a game.
    pub(super) fn new(settings: TimeSettings) -> Self {
        let main = TimeLeft { seconds: settings.main, moves: 0 };
        let mut clock = Self { settings, left: [main; 2] };
        for color in Color::BOTH {
            clock.spend(color, 0.0);
        }
        clock
    }

    pub(super) fn restart(&mut self) {
        *self = Self::new(self.settings);
    }

    /// Sets what a player has left.
    pub(super) fn set(&mut self, color: Color, left: TimeLeft) {
        self.left[color.index()] = left;
    }

    /// Takes the seconds of a move from a player, who goes on to overtime, or to its next period, if that is due.
    pub(super) fn spend(&mut self, color: Color, seconds: f64) {
        let left = &mut self.left[color.index()];
        left.seconds -= seconds;
        let is_over = if left.moves > 0 {
            left.moves -= 1;
            left.moves == 0
        } else {
            left.seconds <= 0.0 && self.settings.has_overtime()
        };
        if is_over {
            *left = TimeLeft { seconds: self.settings.period, moves: self.settings.moves };
        }
    }

    /// Returns when a move that is begun now has taken its share: in overtime the time divided by the moves, otherwise by the moves that the player is
    /// still expected to make. A game is taken to have three plies for every four points, and always at least one for every four before its end.
    pub(super) fn deadline(&self, color: Color, points: usize, plies: usize) -> Option<Instant> {
        let TimeLeft { seconds, moves } = self.left[color.index()];
        let share = if moves > 0 {
            seconds / f64::from(moves)
        } else {
            let plies_left = (points * 3 / 4).saturating_sub(plies).max(points / 4);
            let share = seconds / (plies_left / 2 + 1) as f64;
            if self.settings.has_overtime() {
                share.max(self.settings.period / f64::from(self.settings.moves))
            } else {
                share
            }
        };
        let share = Duration::try_from_secs_f64((share * USED_SHARE).max(0.0)).ok()?;
        Instant::now().checked_add(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(clock: &Clock, plies: usize) -> f64 {
        let now = Instant::now();
        let deadline = clock.deadline(Color::Black, 361, plies).expect("a deadline");
        deadline.saturating_duration_since(now).as_secs_f64() / USED_SHARE
    }

    #[track_caller]
    fn assert_share(clock: &Clock, plies: usize, expected: f64) {
        let share = share(clock, plies);
        assert!((share - expected).abs() < 0.1, "{share}");
    }

    #[test]
    fn settings_without_a_limit() {
        let is_unlimited = |main, period, moves| TimeSettings { main, period, moves }.is_unlimited();
        assert!(is_unlimited(0.0, 0.0, 0) && is_unlimited(0.0, 0.0, 5) && is_unlimited(60.0, 10.0, 0));
        assert!(!is_unlimited(60.0, 0.0, 0) && !is_unlimited(0.0, 10.0, 1));
    }

    #[test]
    fn main_time_is_divided_by_the_moves_to_come() {
        let mut clock = Clock::new(TimeSettings { main: 1360.0, period: 0.0, moves: 0 });
        assert_share(&clock, 0, 10.0);
        assert_share(&clock, 72, 13.6);
        assert_share(&clock, 500, 1360.0 / 46.0);
        clock.spend(Color::Black, 400.0);
        assert_share(&clock, 72, 9.6);
        clock.spend(Color::Black, 2000.0);
        assert_share(&clock, 70, 0.0);
        clock.restart();
        assert_share(&clock, 0, 10.0);
    }

    #[test]
    fn overtime_has_periods() {
        let mut clock = Clock::new(TimeSettings { main: 20.0, period: 30.0, moves: 5 });
        // A move may take the rest of the main time and its share of the overtime.
        assert_share(&clock, 0, 6.0);
        clock.spend(Color::Black, 21.0);
        assert_share(&clock, 2, 6.0);
        clock.spend(Color::Black, 10.0);
        assert_share(&clock, 4, 5.0);
        for _ in 0..4 {
            clock.spend(Color::Black, 1.0);
        }
        assert_share(&clock, 12, 6.0);
        clock.set(Color::Black, TimeLeft { seconds: 9.0, moves: 1 });
        assert_share(&clock, 14, 9.0);
        // White's clock is its own.
        clock.spend(Color::White, 1e9);
        assert_share(&clock, 14, 9.0);
    }

    #[test]
    fn overtime_alone_begins_at_once() {
        assert_share(&Clock::new(TimeSettings { main: 0.0, period: 8.0, moves: 1 }), 0, 8.0);
    }

    #[test]
    fn no_time_and_endless_time() {
        let mut clock = Clock::new(TimeSettings { main: 9.0, period: 0.0, moves: 3 });
        clock.set(Color::Black, TimeLeft { seconds: -5.0, moves: 0 });
        assert_share(&clock, 0, 0.0);
        clock.set(Color::Black, TimeLeft { seconds: 1e300, moves: 1 });
        assert_eq!(clock.deadline(Color::Black, 361, 0), None);
    }
}
