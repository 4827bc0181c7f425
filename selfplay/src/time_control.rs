//! The clocks of a match: what a player has for its moves, and when its flag falls.

use std::{fmt, str::FromStr, time::Duration};

/// The time that each player has in a game, written in seconds as `300`, `300+2` or `300+30/5`.
///
/// ```
/// use jigo_selfplay::time_control::{Overtime, TimeControl};
/// let control: TimeControl = "300+30/5".parse()?;
/// assert_eq!(control.overtime, Overtime::Periods { seconds: 30, moves: 5 });
/// assert_eq!(control.to_string(), "300+30/5");
/// # Ok::<(), jigo_selfplay::time_control::InvalidTimeControl>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// Seconds of the main time.
    pub main: u32,
    /// What a player gets beside it.
    pub overtime: Overtime,
}

/// What a player gets beside the main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overtime {
    /// Nothing.
    None,
    /// So much after every move (Fischer).
    Increment(Duration),
    /// After the main time, periods of so many seconds in each of which so many moves must be played (Canadian byo-yomi).
    Periods {
        /// The length of a period in seconds.
        seconds: u32,
        /// The moves that must be played in each.
        moves: u32,
    },
}

/// Text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a time control: write seconds as in 300 (for the whole game), 300+2 (and 2 more for every move) or 300+30/5 (then 30 for every 5 moves)"
)]
pub struct InvalidTimeControl(String);

impl FromStr for TimeControl {
    type Err = InvalidTimeControl;

    fn from_str(text: &str) -> Result<Self, InvalidTimeControl> {
        Self::parse(text).ok_or_else(|| InvalidTimeControl(text.to_owned()))
    }
}

impl TimeControl {
    /// The longest time of each kind, in seconds: a day.
    const MAX_SECONDS: u32 = 86_400;

    fn parse(text: &str) -> Option<Self> {
        let seconds = |text: &str| text.parse().ok().filter(|&seconds: &u32| seconds <= Self::MAX_SECONDS);
        let (main, rest) = text.split_once('+').map_or((text, None), |(main, rest)| (main, Some(rest)));
        let overtime = match rest.map(|rest| rest.split_once('/').ok_or(rest)) {
            None => Overtime::None,
            Some(Ok((period, moves))) => {
                let moves = moves.parse().ok().filter(|moves| (1..=1000).contains(moves))?;
                Overtime::Periods { seconds: seconds(period).filter(|&seconds| seconds > 0)?, moves }
            }
            Some(Err(increment)) => {
                let allowed = 0.001..=f64::from(Self::MAX_SECONDS);
                let increment = increment.parse().ok().filter(|seconds| allowed.contains(seconds))?;
                Overtime::Increment(Duration::from_millis((1000.0 * increment).round() as u64))
            }
        };
        let main = seconds(main)?;
        let has_time = main > 0 || matches!(overtime, Overtime::Periods { .. });
        has_time.then_some(Self { main, overtime })
    }

    /// Returns the arguments of GTP's `time_settings`, which knows no increments: they are left out.
    pub(crate) fn gtp_settings(self) -> String {
        match self.overtime {
            Overtime::Periods { seconds, moves } => format!("{} {seconds} {moves}", self.main),
            Overtime::None | Overtime::Increment(_) => format!("{} 0 0", self.main),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.main)?;
        match self.overtime {
            Overtime::None => Ok(()),
            Overtime::Increment(increment) => write!(f, "+{}", increment.as_secs_f64()),
            Overtime::Periods { seconds, moves } => write!(f, "+{seconds}/{moves}"),
        }
    }
}

/// What a player has left when it is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// The time on the clock.
    pub time: Duration,
    /// How many moves must be played in it; 0 for the main time.
    pub moves: u32,
    /// After how much time without a move the game is lost: overtime that follows, and what the referee tolerates, included.
    pub limit: Duration,
}

/// The clock of one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    overtime: Overtime,
    /// How much longer than allowed a move may take without loss.
    margin: Duration,
    left: Duration,
    /// Moves to be played in the period; 0 in the main time.
    moves: u32,
    /// The time of all moves.
    used: Duration,
}

impl Clock {
    /// Returns the clock at the beginning of a game.
    pub(crate) fn new(TimeControl { main, overtime }: TimeControl, margin: Duration) -> Self {
        let left = Duration::from_secs(main.into());
        let mut clock = Self { overtime, margin, left, moves: 0, used: Duration::ZERO };
        if left.is_zero() {
            clock.begin_period();
        }
        clock
    }

    /// Returns what is left before a move.
    pub(crate) fn left(&self) -> TimeLeft {
        let overtime = match self.overtime {
            Overtime::Periods { seconds, .. } if self.moves == 0 => Duration::from_secs(seconds.into()),
            _ => Duration::ZERO,
        };
        TimeLeft { time: self.left, moves: self.moves, limit: self.left + overtime + self.margin }
    }

    /// Returns the time of all moves so far.
    pub(crate) fn used(&self) -> Duration {
        self.used
    }

    /// Takes the time of a move. Returns `false` when the flag has fallen.
    #[must_use]
    pub(crate) fn spend(&mut self, time: Duration) -> bool {
        self.used += time;
        if time > self.left().limit {
            return false;
        }
        // What goes beyond the main time belongs to the first period.
        let over = time.saturating_sub(self.left);
        let is_in_main_time = self.moves == 0;
        self.left = self.left.saturating_sub(time);
        if is_in_main_time && self.left.is_zero() {
            self.begin_period();
            self.left = self.left.saturating_sub(over);
        }
        if self.moves > 0 {
            self.moves -= 1;
            if self.moves == 0 {
                self.begin_period();
            }
        }
        if let Overtime::Increment(increment) = self.overtime {
            self.left += increment;
        }
        true
    }

    /// Goes on to the next period, where there are periods.
    fn begin_period(&mut self) {
        if let Overtime::Periods { seconds, moves } = self.overtime {
            (self.left, self.moves) = (Duration::from_secs(seconds.into()), moves);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["300", "300+2", "1+0.1", "0+30/5", "300+30/5"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in [
            "", "0", "0+1", "-1", "1.5", "60+0", "60+", "60+5/0", "60+0/5", "60+5/x", "86401", "5:00",
            "60+nan",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    /// Plays moves of these milliseconds, and returns what is left after each: milliseconds, and moves of the period.
    fn play(control: &str, times: &[u64]) -> Vec<Option<(u128, u32)>> {
        let mut clock = Clock::new(control.parse().unwrap(), Duration::from_millis(100));
        let spend = |time: &u64| {
            let has_time = clock.spend(Duration::from_millis(*time));
            has_time.then(|| (clock.left().time.as_millis(), clock.left().moves))
        };
        times.iter().map(spend).collect()
    }

    #[test]
    fn clocks_run_and_flags_fall() {
        assert_eq!(play("2", &[1500, 600, 101]), [Some((500, 0)), Some((0, 0)), None]);
        assert_eq!(play("2+1", &[1500, 600, 1600]), [Some((1500, 0)), Some((1900, 0)), Some((1300, 0))]);
        let periods =
            [Some((1000, 0)), Some((9000, 1)), Some((10_000, 2)), Some((100, 1)), Some((10_000, 2))];
        assert_eq!(play("2+10/2", &[1000, 2000, 9050, 9900, 150]), periods);
        assert_eq!(play("0+10/1", &[9999, 10_100, 10_101]), [Some((10_000, 1)), Some((10_000, 1)), None]);
        assert_eq!(play("2+10/2", &[12_101]), [None]);
    }
}
