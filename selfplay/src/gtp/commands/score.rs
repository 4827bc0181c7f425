//! Commands about the result, and what is proven of the stones.

use jigo_engine::{Color, Point};

use super::{Arguments, GtpError, Session};
use crate::{
    gtp::arguments::vertices,
    sgf::{GameResult, WinBy},
};

/// What is proven of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Cannot be captured even if its owner only passes.
    Alive,
    /// Cannot be saved.
    Dead,
    Undecided,
}

/// Every chain with its colour and status, Black's first, each by its first stone.
fn chains(session: &Session) -> Vec<(Color, Status, Vec<Point>)> {
    let board = session.game().board();
    let dead = board.unconditionally_dead();
    let mut all = Vec::new();
    for color in Color::BOTH {
        let alive: Vec<Point> = board.unconditional_life(color).stones().collect();
        for stones in board.chains_of(color) {
            let status = match stones[0] {
                stone if alive.contains(&stone) => Status::Alive,
                stone if dead.contains(&stone) => Status::Dead,
                _ => Status::Undecided,
            };
            all.push((color, status, stones));
        }
    }
    all
}

pub(super) fn final_score(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let half_points = session.score().result(session.komi);
    let winner = if half_points > 0 { Color::Black } else { Color::White };
    let result = match half_points {
        0 => GameResult::Draw,
        _ => GameResult::Win { winner, by: WinBy::HalfPoints(half_points.unsigned_abs()) },
    };
    Ok(result.to_string())
}

/// Only what is proven dead is dead, and no chain is proven to be in seki.
pub(super) fn final_status_list(
    session: &mut Session,
    arguments: &Arguments<'_>,
) -> Result<String, GtpError> {
    let [asked] = arguments.exactly()?;
    let is_asked = |status| match asked {
        "alive" => Ok(status != Status::Dead),
        "dead" => Ok(status == Status::Dead),
        "seki" => Ok(false),
        _ => Err(arguments.usage_error()),
    };
    is_asked(Status::Alive)?;
    let mut lines = Vec::new();
    for (_, status, stones) in chains(session) {
        if is_asked(status)? {
            lines.push(vertices(stones, session.size()));
        }
    }
    Ok(lines.join("\n"))
}

pub(super) fn jigo_status(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let line = |(color, status, stones): (Color, Status, Vec<Point>)| {
        let status = match status {
            Status::Alive => "alive",
            Status::Dead => "dead",
            Status::Undecided => "undecided",
        };
        let color = color.to_string().to_lowercase();
        format!("{color} {status} {}", vertices(stones, session.size()))
    };
    let lines: Vec<String> = chains(session).into_iter().map(line).collect();
    Ok(lines.join("\n"))
}

/// What the final score consists of, as JSON; pairs are of Black and White.
pub(super) fn jigo_score(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let score = session.score();
    let json = serde_json::json!({
        "stones": score.stones,
        "surrounded": score.surrounded,
        "prisoners": score.prisoners,
        "taxed_groups": score.taxed_groups,
        "handicap_bonus": score.handicap_bonus,
        "neutral": score.neutral,
        "margin": score.margin(),
        "komi": session.komi.to_f64(),
    });
    Ok(json.to_string())
}
