//! Results as `RE` states them.

use std::{convert::Infallible, fmt, str::FromStr};

use jigo_engine::Color;

/// What a record says about the result of its game. Nothing here is checked against the moves.
///
/// ```
/// use jigo_engine::Color;
/// use jigo_selfplay::sgf::{GameResult, WinBy};
/// let result: GameResult = "W+3.5".parse().unwrap();
/// assert_eq!(result, GameResult::Win { winner: Color::White, by: WinBy::HalfPoints(7) });
/// assert_eq!(result.to_string(), "W+3.5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// One player won.
    Win {
        /// Who won.
        winner: Color,
        /// How.
        by: WinBy,
    },
    /// Jigo: `0`, `Draw` or `Jigo`.
    Draw,
    /// No result or suspended play: `Void`.
    Void,
    /// Said to be unknown: `?`.
    Unknown,
    /// Anything else, as written.
    Other(String),
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinBy {
    /// By this many half points.
    HalfPoints(u32),
    /// By resignation: `R`.
    Resignation,
    /// On time: `T`.
    Time,
    /// By forfeit: `F`.
    Forfeit,
    /// Without a reason: `B+`, or `B+N` as one server writes it.
    Unstated,
}

impl FromStr for GameResult {
    type Err = Infallible;

    /// Reads the value of `RE`, in capitals or small letters. Never fails: see [`Other`](Self::Other).
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let trimmed = text.trim();
        let is_any = |names: &[&str]| names.iter().any(|name| trimmed.eq_ignore_ascii_case(name));
        Ok(if let Some((winner, by)) = parse_win(trimmed) {
            Self::Win { winner, by }
        } else if is_any(&["0", "draw", "jigo"]) {
            Self::Draw
        } else if is_any(&["void", "no result"]) {
            Self::Void
        } else if trimmed == "?" {
            Self::Unknown
        } else {
            Self::Other(text.to_owned())
        })
    }
}

fn parse_win(text: &str) -> Option<(Color, WinBy)> {
    let (winner, how) = text.split_once('+')?;
    let winner = match winner.trim_end() {
        "B" | "b" => Color::Black,
        "W" | "w" => Color::White,
        _ => return None,
    };
    let by = match how.trim_start().to_ascii_lowercase().as_str() {
        "" | "n" => WinBy::Unstated,
        "r" | "resign" => WinBy::Resignation,
        "t" | "time" => WinBy::Time,
        "f" | "forfeit" => WinBy::Forfeit,
        score => WinBy::HalfPoints(parse_half_points(score)?),
    };
    Some((winner, by))
}

/// A whole or half number of points without a sign, not above 1000.
fn parse_half_points(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let half = match fraction.trim_end_matches('0') {
        "" => 0,
        "5" => 1,
        _ => return None,
    };
    if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let points: u32 = whole.parse().ok()?;
    (points <= 1000).then_some(2 * points + half)
}

impl fmt::Display for GameResult {
    /// The value of `RE` in the form that FF\[4\] demands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner: Color::Black, by } => write!(f, "B+{by}"),
            Self::Win { winner: Color::White, by } => write!(f, "W+{by}"),
            Self::Draw => f.write_str("0"),
            Self::Void => f.write_str("Void"),
            Self::Unknown => f.write_str("?"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for WinBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HalfPoints(half_points) if half_points % 2 == 0 => write!(f, "{}", half_points / 2),
            Self::HalfPoints(half_points) => write!(f, "{}.5", half_points / 2),
            Self::Resignation => f.write_str("R"),
            Self::Time => f.write_str("T"),
            Self::Forfeit => f.write_str("F"),
            Self::Unstated => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> GameResult {
        let Ok(result) = text.parse();
        result
    }

    #[test]
    fn every_form_is_recognised() {
        let win = |winner, by| GameResult::Win { winner, by };
        let cases = [
            ("B+R", win(Color::Black, WinBy::Resignation)),
            ("w+Resign", win(Color::White, WinBy::Resignation)),
            ("W+T", win(Color::White, WinBy::Time)),
            ("B+Time", win(Color::Black, WinBy::Time)),
            ("B+F", win(Color::Black, WinBy::Forfeit)),
            ("W+Forfeit", win(Color::White, WinBy::Forfeit)),
            ("B+", win(Color::Black, WinBy::Unstated)),
            ("W+N", win(Color::White, WinBy::Unstated)),
            ("W+0.5", win(Color::White, WinBy::HalfPoints(1))),
            (" B+64.0 ", win(Color::Black, WinBy::HalfPoints(128))),
            ("B+3.", win(Color::Black, WinBy::HalfPoints(6))),
            ("0", GameResult::Draw),
            ("draw", GameResult::Draw),
            ("Jigo", GameResult::Draw),
            ("Void", GameResult::Void),
            ("?", GameResult::Unknown),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn the_rest_is_kept_as_written() {
        for text in
            ["", "B", "+", "R", "B+0.25", "W+-1", "B+1e9", "B+99999999999", "X+R", "黑中盘胜", "B+1/2"]
        {
            assert_eq!(parse(text), GameResult::Other(text.to_owned()));
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in ["B+R", "W+T", "B+F", "W+", "B+0.5", "W+12", "0", "Void", "?", "odd"] {
            assert_eq!(parse(text).to_string(), text);
        }
    }
}
