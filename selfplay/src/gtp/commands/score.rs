//! Commands about the result, and what is proven of the stones.

use jigo_engine::{
    Color,
    life::{ChainStatus, Status},
};

use super::{Arguments, GtpError, Session};
use crate::{
    gtp::arguments::vertices,
    sgf::{GameResult, WinBy},
};

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

/// Only what is proved dead or in seki is so; all else is taken to be alive, as are dead chains that are not taken off.
pub(super) fn final_status_list(
    session: &mut Session,
    arguments: &Arguments<'_>,
) -> Result<String, GtpError> {
    let [asked] = arguments.exactly()?;
    // Whether the chain is in seki, and whether it is taken off.
    let meant = match asked {
        "alive" => (false, false),
        "dead" => (false, true),
        "seki" => (true, false),
        _ => return Err(arguments.usage_error()),
    };
    let size = session.size();
    let chains = session.chains();
    let dead = session.taken_off(&chains);
    let is_asked =
        |chain: &ChainStatus| (chain.status == Status::Seki, dead.contains(&chain.stones[0])) == meant;
    let chains = chains.into_iter().filter(is_asked);
    let lines: Vec<String> = chains.map(|chain| vertices(chain.stones, size)).collect();
    Ok(lines.join("\n"))
}

/// Every chain with its colour, its status, and how that is proved.
pub(super) fn jigo_status(session: &mut Session, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let size = session.size();
    let line = |ChainStatus { color, stones, status, proof }| {
        let color = color.to_string().to_lowercase();
        format!("{color} {status} {proof} {}", vertices(stones, size))
    };
    let lines: Vec<String> = session.chains().into_iter().map(line).collect();
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
