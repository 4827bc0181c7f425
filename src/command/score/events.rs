//! How a whole game went and ended, in words.

use jigo_engine::{
    Color,
    protocol::{EndRule, GameEnd, GameEvent, KoChoice, Phase, Protocol},
};
use jigo_selfplay::{
    fingerprint::conduct_fingerprint,
    sgf::{self, GameResult},
};
use serde_json::{Value, json};

use crate::output::quantity;

/// Says how a game ended: in a word for programs, unless it is not finished, and in a sentence.
pub(super) fn explanation(game: &Protocol) -> (Option<&'static str>, String) {
    let conduct = game.conduct();
    let (word, how) = match (game.phase(), game.record().last(), conduct.ending) {
        (Phase::Finished(GameEnd::Resigned(color)), ..) => ("resignation", format!("{color} resigned")),
        (Phase::Finished(GameEnd::Repeated), ..) => ("cycle", "a true cycle: a draw".to_owned()),
        (Phase::Finished(GameEnd::Agreed), ..) => ("draw", "the players agreed on a draw".to_owned()),
        (Phase::Finished(GameEnd::Counted), last, end_rule) => {
            let (word, how) = match (last, end_rule) {
                (Some((_, GameEvent::Pass)), _) => {
                    ("four-passes", "four consecutive passes: scored with all stones alive")
                }
                (Some((_, GameEvent::Reject)), EndRule::Continuations(limits))
                    if limits.continuations as usize <= demands(game) =>
                {
                    (
                        "no-continuation-left",
                        "no agreement and no continuation left: the stones that both had marked are dead",
                    )
                }
                (Some((_, GameEvent::Reject)), _) => (
                    "no-agreement",
                    "too many proposals were rejected with no stone between them: the stones that both had marked are dead",
                ),
                (_, EndRule::Marking) => ("marking", "the opponent accepted the marked stones"),
                (_, EndRule::Passes) => ("agreement", "the players agreed on the points to empty"),
                _ => ("agreement", "the players agreed on the dead stones"),
            };
            (word, how.to_owned())
        }
        (phase, ..) => {
            let if_accepted = game.count().map(|count| {
                let result = GameResult::from_half_points(count.result());
                format!(", {result} if the opponent accepts")
            });
            let how = format!("not finished: {}{}", phase_text(phase), if_accepted.unwrap_or_default());
            return (None, how);
        }
    };
    let detours = detours(game);
    (Some(word), if detours.is_empty() { how } else { format!("{how}, after {}", detours.join(" and ")) })
}

fn demands(game: &Protocol) -> usize {
    game.record().iter().filter(|(_, event)| matches!(event, GameEvent::Demand(_))).count()
}

/// Lists what happened between the first stop and the end.
fn detours(game: &Protocol) -> Vec<String> {
    let count = |is: fn(&GameEvent) -> bool| game.record().iter().filter(|(_, event)| is(event)).count();
    let rejections = match game.conduct().ending {
        EndRule::PassStones => "resumption",
        _ => "rejected proposal",
    };
    let all = [
        (count(|event| *event == GameEvent::Reject), rejections),
        (count(|event| matches!(event, GameEvent::Demand(_))), "continuation"),
        (count(|event| matches!(event, GameEvent::Claim(..))), "verified claim"),
    ];
    all.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| quantity(count, what)).collect()
}

/// Returns the game as it was played, whatever rules the position is counted by.
pub(super) fn game_json(game: &Protocol, steps: Option<&Vec<Step>>) -> Value {
    let conduct = game.conduct();
    let (ended, explanation) = explanation(game);
    let mut value = json!({
        "conduct": conduct.to_string(),
        "rules_fingerprint": conduct_fingerprint(&conduct),
        "phase": game.phase().name(),
        "ended": ended,
        "explanation": explanation,
        "result": sgf::result_of(game).map(|result| result.to_string()),
    });
    if let Some(steps) = steps {
        let step = |(number, Step { color, event, phase }): (usize, &Step)| json!({ "number": number, "player": color.to_string(), "event": event, "phase": phase });
        value["events"] = (1..).zip(steps).map(step).collect();
    }
    value
}

/// An event of a whole game, in words as in `JE`, and the phase after it.
pub(super) struct Step {
    color: Color,
    event: String,
    phase: String,
}

impl Step {
    pub(super) fn last_of(game: &Protocol) -> Option<Self> {
        let &(color, ref event) = game.record().last()?;
        let event = event.to_text(game.game().board().size());
        Some(Self { color, event, phase: phase_text(game.phase()) })
    }
}

/// Returns a line for each step.
pub(super) fn event_list(steps: &[Step]) -> String {
    let width = steps.iter().map(|step| step.event.len()).max().unwrap_or(0);
    let line = |(number, Step { color, event, phase }): (usize, &Step)| {
        format!("{number:>4}  {:<5} {event:<width$}  → {phase}\n", color.to_string())
    };
    (1..).zip(steps).map(line).collect()
}

/// Describes a phase.
fn phase_text(phase: &Phase) -> String {
    let name = phase.name();
    match phase {
        Phase::Handicap { left } => format!("{name}, {left} to be placed"),
        Phase::Proposed(color) => format!("{name} by {color}"),
        Phase::Resumed(color) => format!("{name}, begun by {color}"),
        Phase::Continued(KoChoice::Modified) => format!("{name}, kos may be challenged"),
        Phase::Finished(GameEnd::Counted) => format!("{name}: counted"),
        Phase::Finished(GameEnd::Resigned(color)) => format!("{name}: {color} resigned"),
        Phase::Finished(GameEnd::Repeated) => format!("{name}: a draw by a true cycle"),
        Phase::Finished(GameEnd::Agreed) => format!("{name}: a draw by agreement"),
        Phase::Playing | Phase::Stopped | Phase::Continued(KoChoice::Basic) | Phase::Verifying => {
            name.to_owned()
        }
    }
}
