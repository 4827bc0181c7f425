//! A whole game step by step.

use std::fmt::Write as _;

use jigo_engine::{
    Color,
    protocol::{GameEnd, KoChoice, Phase, Protocol},
};

/// An event and what it led to.
pub(super) struct Step {
    /// From 1.
    pub(super) number: usize,
    pub(super) color: Color,
    /// As in `JE`.
    pub(super) event: String,
    /// The phase after it.
    pub(super) phase: String,
}

impl Step {
    /// The last step of a game.
    pub(super) fn last_of(game: &Protocol) -> Option<Self> {
        let (color, event) = game.record().last()?;
        Some(Self {
            number: game.record().len(),
            color: *color,
            event: event.to_text(game.game().board().size()),
            phase: in_words(game.phase()),
        })
    }
}

/// A phase with all that there is to say about it.
pub(super) fn in_words(phase: &Phase) -> String {
    let name = phase.name();
    match phase {
        Phase::Handicap { left } => format!("{name}, {left} to be put"),
        Phase::Proposed(color) => format!("{name} by {color}"),
        Phase::Resumed(color) => format!("{name}, begun by {color}"),
        Phase::Continued(KoChoice::Modified) => format!("{name}, kos may be challenged"),
        Phase::Finished(GameEnd::Counted) => format!("{name}: counted"),
        Phase::Finished(GameEnd::Resigned(color)) => format!("{name}: {color} resigned"),
        Phase::Finished(GameEnd::Repeated) => format!("{name}: a draw by a true cycle"),
        Phase::Playing | Phase::Stopped | Phase::Continued(KoChoice::Basic) | Phase::Verifying => {
            name.to_owned()
        }
    }
}

/// A line for each step.
pub(super) fn as_list(steps: &[Step]) -> String {
    let mut list = String::new();
    let width = steps.iter().map(|step| step.event.len()).max().unwrap_or(0);
    for Step { number, color, event, phase } in steps {
        let color = color.to_string();
        let _ = writeln!(list, "{number:>4}  {color:<5} {event:<width$}  → {phase}");
    }
    list
}
