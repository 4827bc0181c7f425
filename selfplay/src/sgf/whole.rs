//! Whole games by a rule set's protocol, as SGF.
//!
//! The main line has what SGF has: setup stones, moves, passes. Two private properties of the root have the rest. `JC` says how the game is conducted
//! ([`Conduct`]) and the prisoners at its beginning; each value of `JE` is an event that is no plain move or pass: the number of moves of the main
//! line before it, the player, and the [event in words](GameEvent::to_text). A pass that hands over a stone or challenges a ko is a pass of the main
//! line, and `JE` says what it is. Play that verifies a claim is not part of the game, so it stands in `JE` only. `JF` has the
//! [fingerprint](super::SgfGame::rules_fingerprint) of the rules.

use jigo_engine::{
    Color, Move, Point,
    board::NoLiberty,
    game::NoSuchHandicap,
    protocol::{Conduct, GameEvent, IllegalEvent, Phase, Protocol},
};

use super::{
    ChangedRules, GameResult, SgfGame, WinBy,
    replay::{FINGERPRINT, rules_of},
    write::letter,
};
use crate::fingerprint::conduct_fingerprint;

/// The property that says how a game is conducted.
pub(crate) const CONDUCT: &str = "JC";
/// The property of events that SGF does not have.
const EVENTS: &str = "JE";

/// Why a record is no whole game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WholeGameError {
    /// Nothing says how the game was conducted.
    #[error("`JC` is missing: it says by which rules a whole game is conducted")]
    NoConduct,
    /// A value of `JC` or `JE` cannot be read.
    #[error("`{property}`: {reason}")]
    Value {
        /// The name of the property.
        property: &'static str,
        /// What is wrong with the value.
        reason: String,
    },
    /// Other rules than those whose fingerprint is stated.
    #[error(transparent)]
    Rules(#[from] ChangedRules),
    /// The handicap does not exist.
    #[error(transparent)]
    Handicap(#[from] NoSuchHandicap),
    /// Stones set up without a liberty.
    #[error(transparent)]
    NoLiberty(#[from] NoLiberty),
    /// An event that the rules refuse.
    #[error("event {number}, {color} `{event}`: {refusal}")]
    Refused {
        /// The number of the event, from 1.
        number: usize,
        /// Who.
        color: Color,
        /// What.
        event: String,
        /// The rule against it.
        refusal: IllegalEvent,
    },
    /// The main line has other moves or stones than the events.
    #[error("the main line and `JE` contradict each other after move {0}")]
    Contradiction(usize),
}

/// Returns a whole game as SGF.
///
/// ```
/// use jigo_engine::{protocol::{GameEvent, Conduct, Protocol}, rules::Preset, BoardSize, Color};
/// use jigo_selfplay::sgf::{from_protocol, to_protocol, write};
/// let size = BoardSize::square(9)?;
/// let mut game = Protocol::new(size, Conduct::new(Preset::Czech, size).with_handicap(2))?;
/// for (color, text) in [(Color::White, "play E5"), (Color::Black, "pass"), (Color::White, "pass"), (Color::Black, "propose")] {
///     game.apply(color, GameEvent::from_text(text, size)?)?;
/// }
/// let sgf = from_protocol(&game);
/// println!("{}", write(&sgf));
/// assert_eq!(to_protocol(&sgf)?.record(), game.record());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn from_protocol(game: &Protocol) -> SgfGame {
    let size = game.game().board().size();
    let conduct = game.conduct();
    let (position, prisoners, to_play) = game.start();
    let mut sgf = SgfGame::new(size);
    for color in Color::BOTH {
        for point in position.stones(color) {
            sgf.setup.put(point, Some(color));
        }
    }
    sgf.setup.to_play = (to_play == Color::White || !sgf.setup.is_empty()).then_some(to_play);
    sgf.set_rules(&conduct.rules.to_string());
    sgf.info.put(FINGERPRINT, vec![conduct_fingerprint(&conduct)]);
    sgf.set_komi(conduct.komi);
    if conduct.handicap >= 2 {
        sgf.set_handicap(conduct.handicap);
    }
    let [black, white] = prisoners;
    sgf.info.put(CONDUCT, vec![conduct.to_string(), format!("{black},{white}")]);
    let mut again = start(&sgf, conduct, Some(prisoners)).expect("the start of a game");
    let mut events = Vec::new();
    for (color, event) in game.record() {
        let is_hidden = *again.phase() == Phase::Verifying;
        if is_hidden || !matches!(event, GameEvent::Play(_) | GameEvent::Pass) {
            events.push(format!("{} {} {}", sgf.moves().count(), letter(*color), event.to_text(size)));
        }
        match event {
            GameEvent::Play(point) if !is_hidden => sgf.play(*color, Move::Play(*point)),
            GameEvent::Pass | GameEvent::HandOver | GameEvent::Challenge(_) if !is_hidden => {
                sgf.play(*color, Move::Pass);
            }
            GameEvent::PlaceHandicap(points) => {
                sgf.setup.to_play = Some(color.opponent());
                for &point in points {
                    sgf.setup.put(point, Some(*color));
                }
            }
            _ => {}
        }
        again.apply(*color, event.clone()).expect("an event of the record");
    }
    if !events.is_empty() {
        sgf.info.put(EVENTS, events);
    }
    if let Some(result) = result_of(game) {
        sgf.set_result(&result);
    }
    sgf
}

/// Returns the result of a finished game as `RE` states it.
#[must_use]
pub fn result_of(game: &Protocol) -> Option<GameResult> {
    if !matches!(game.phase(), Phase::Finished(_)) {
        return None;
    }
    Some(match (game.winner(), game.result()) {
        (_, Some(score)) => GameResult::from_half_points(score.result()),
        (Some(winner), None) => GameResult::Win { winner, by: WinBy::Resignation },
        (None, None) => GameResult::Draw,
    })
}

/// Returns the whole game of a record.
///
/// Strict: every event must be legal, and the main line must have exactly the moves and stones that the events give.
///
/// # Errors
/// The first [`WholeGameError`].
pub fn to_protocol(sgf: &SgfGame) -> Result<Protocol, WholeGameError> {
    watch_protocol(sgf, |_| ())
}

/// The same; `watch` sees the game after every event, the last one of its [record](Protocol::record).
///
/// # Errors
/// The first [`WholeGameError`]. All events before it were seen.
pub fn watch_protocol(sgf: &SgfGame, mut watch: impl FnMut(&Protocol)) -> Result<Protocol, WholeGameError> {
    let values = sgf.info.values(CONDUCT);
    let conduct = values.first().ok_or(WholeGameError::NoConduct)?;
    let mut conduct: Conduct = conduct.parse().map_err(|error| bad_value(CONDUCT, error))?;
    let stated = rules_of(sgf);
    if sgf.rules().is_some() && *stated == *conduct.rules && stated.preset().is_some() {
        // `JC` has the rules in full, and `RU` their name.
        conduct.rules = stated;
    }
    sgf.check_rules_fingerprint()?;
    let mut game = start(sgf, conduct, prisoners_before(sgf)?)?;
    let mut plies = sgf.moves().enumerate().peekable();
    let mut apply = |game: &mut Protocol, color: Color, event: GameEvent| {
        let number = game.record().len() + 1;
        let text = event.to_text(sgf.size);
        let refused = |refusal| WholeGameError::Refused { number, color, event: text, refusal };
        game.apply(color, event).map_err(refused)?;
        watch(game);
        Ok::<(), WholeGameError>(())
    };
    for value in sgf.info.values(EVENTS) {
        let (before, color, event) = event_of(value, sgf)?;
        while let Some((_, (by, mv))) = plies.next_if(|&(index, _)| index < before) {
            apply(&mut game, by, plain(mv))?;
        }
        let is_ply = matches!(event, GameEvent::HandOver | GameEvent::Challenge(_));
        if is_ply && *game.phase() != Phase::Verifying {
            plies.next();
        }
        apply(&mut game, color, event)?;
    }
    for (_, (by, mv)) in plies {
        apply(&mut game, by, plain(mv))?;
    }
    let expected = from_protocol(&game);
    let same = sgf.events.iter().zip(&expected.events).take_while(|(one, other)| one == other).count();
    if same < expected.events.len().max(sgf.events.len()) {
        return Err(WholeGameError::Contradiction(same));
    }
    if !expected.setup.points().eq(sgf.setup.points()) {
        return Err(WholeGameError::Contradiction(0));
    }
    Ok(game)
}

fn plain(mv: Move) -> GameEvent {
    mv.point().map_or(GameEvent::Pass, GameEvent::Play)
}

/// Returns the game at its beginning: with the stones set up, unless they are those of the handicap.
fn start(sgf: &SgfGame, conduct: Conduct, prisoners: Option<[u32; 2]>) -> Result<Protocol, WholeGameError> {
    let stones: Vec<(Point, Color)> =
        sgf.setup.points().filter_map(|(point, stone)| Some((point, stone?))).collect();
    let game = if conduct.handicap >= 2 || stones.is_empty() {
        Protocol::new(sgf.size, conduct)?
    } else {
        Protocol::from_position(sgf.size, conduct, stones, sgf.first_to_play())?
    };
    Ok(match prisoners {
        Some(prisoners) => game.with_prisoners(prisoners),
        None => game,
    })
}

fn bad_value(property: &'static str, reason: impl ToString) -> WholeGameError {
    WholeGameError::Value { property, reason: reason.to_string() }
}

/// Returns the numbers of prisoners at the beginning that the record states.
///
/// # Errors
/// Text in place of the numbers.
fn prisoners_before(sgf: &SgfGame) -> Result<Option<[u32; 2]>, WholeGameError> {
    sgf.info.values(CONDUCT).get(1).map(|text| prisoners_of(text)).transpose()
}

fn prisoners_of(text: &str) -> Result<[u32; 2], WholeGameError> {
    let numbers =
        text.split_once(',').and_then(|(black, white)| Some([black.parse().ok()?, white.parse().ok()?]));
    let reason = || format!("`{text}` is not the number of black and white prisoners, as in `3,2`");
    numbers.ok_or_else(|| bad_value(CONDUCT, reason()))
}

fn event_of(value: &str, sgf: &SgfGame) -> Result<(usize, Color, GameEvent), WholeGameError> {
    let parts = || {
        let (number, rest) = value.split_once(' ')?;
        let (name, text) = rest.split_once(' ')?;
        let color = Color::BOTH.into_iter().find(|&color| name.chars().eq([letter(color)]))?;
        Some((number.parse().ok()?, color, text))
    };
    let form = || format!("`{value}` is not a number of moves, `B` or `W`, and an event");
    let (number, color, text) = parts().ok_or_else(|| bad_value(EVENTS, form()))?;
    let event = GameEvent::from_text(text, sgf.size).map_err(|error| bad_value(EVENTS, error))?;
    Ok((number, color, event))
}
