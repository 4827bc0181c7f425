//! Counts for programs.

use jigo_engine::{Komi, Point, protocol::Protocol};
use jigo_selfplay::fingerprint::conduct_fingerprint;
use serde_json::{Map, Value, json};

use super::{Count, End, steps::Step, whole};

/// All that is known, as JSON.
pub(super) fn of(end: &End, counts: &[Count], steps: Option<&[Step]>) -> String {
    let size = end.position.size();
    let names = |points: &[Point]| points.iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>();
    let value = json!({
        "size": size.to_string(),
        "dead": names(&end.dead),
        "dame": names(&end.dame()),
        "prisoners": end.prisoners,
        "counts": counts.iter().map(count).collect::<Vec<_>>(),
        "game": end.whole.as_ref().map(|game| whole_game(game, steps)),
    });
    format!("{value:#}\n")
}

fn count(count: &Count) -> Value {
    let parts =
        count.parts.iter().map(|(name, points)| ((*name).to_owned(), json!(points.map(Komi::to_f64))));
    json!({
        "name": count.name,
        "rules": count.rules,
        "rules_fingerprint": count.fingerprint,
        "komi": count.komi.to_f64(),
        "points": parts.collect::<Map<_, _>>(),
        "total": count.totals().map(Komi::to_f64),
        "result": count.result(),
    })
}

/// The game as it was played, whatever rules the position is counted by.
fn whole_game(game: &Protocol, steps: Option<&[Step]>) -> Value {
    let conduct = game.conduct();
    let mut value = json!({
        "conduct": conduct.to_string(),
        "rules_fingerprint": conduct_fingerprint(&conduct),
        "phase": game.phase().name(),
        "ended": whole::ended(game),
        "explanation": whole::explanation(game),
        "result": whole::result(game),
    });
    if let Some(steps) = steps {
        value["events"] = steps.iter().map(step).collect();
    }
    value
}

fn step(Step { number, color, event, phase }: &Step) -> Value {
    json!({ "number": number, "player": color.to_string(), "event": event, "phase": phase })
}
