//! Real games to step through: those with the shortest and longest cycles, with sekis and with the largest dead chains.

use std::collections::BTreeMap;

use jigo_engine::{
    AnyPosition, BoardSize, Color, Game, Position,
    life::{Status, StatusSolver},
};
use jigo_selfplay::sgf::{self, Limits};

use super::{
    Group,
    viewer::{ShownGame, Viewer, signs},
};
use crate::{
    records::{ExampleRecord, RecordExamples},
    report::examples::{
        Choice, Event, Kind, MAX_IN_PAGE, choices, first_of_each, life_text, repetition_events, step,
    },
    study::{CycleExamples, ShapeKind},
};

const INTRO: &str = "The most remarkable of all games, by file and place in it;";

/// Shows the games, those of each board size together, the sizes with most games first.
pub(super) fn games(examples: &RecordExamples) -> Option<Group> {
    let rejected = CycleExamples::default();
    let all = choices(&rejected, &examples.repeated, &examples.life);
    let mut by_size: BTreeMap<BoardSize, Vec<(Choice<'_>, ShownGame)>> = BTreeMap::new();
    for choice in first_of_each(all, MAX_IN_PAGE) {
        let name = (choice.game.source.clone(), choice.game.index);
        let shown = examples.records.get(&name).and_then(|record| shown_game(&choice, record));
        if let Some((size, game)) = shown {
            by_size.entry(size).or_default().push((choice, game));
        }
    }
    let mut by_size: Vec<_> = by_size.into_iter().collect();
    by_size.sort_by_key(|(_, games)| std::cmp::Reverse(games.len()));
    let viewers = by_size.into_iter().filter_map(|(size, games)| {
        Viewer::of_examples(&format!("games-{size}"), [INTRO, "file"], size, games)
    });
    let viewers: Vec<Viewer> = viewers.collect();
    (!viewers.is_empty()).then(|| Group { viewers, ..Group::new("Games to look at") })
}

/// Plays a record again; nothing if it does not have what it is chosen for, as may be with a damaged file of counts.
fn shown_game(choice: &Choice<'_>, record: &ExampleRecord) -> Option<(BoardSize, ShownGame)> {
    let found = sgf::read_games(record.sgf.as_bytes(), Limits::default()).next()?.ok()?;
    let (size, rules) = (found.game.size, sgf::rules_of(&found.game));
    let replay = sgf::replay(&found, *rules).ok()?;
    let mut game: Game = Game::new(size, *rules);
    let start: Vec<_> = found.game.setup.points_with(Some(Color::Black)).collect();
    if !start.is_empty() {
        let stones = start.iter().map(|&point| (point, Color::Black));
        game.set_position(stones, Color::White).ok()?;
    }
    let (mut colors, mut steps) = (Vec::new(), Vec::new());
    for (color, mv) in found.game.moves() {
        game.set_to_play(color);
        steps.push(step(&mut game, mv)?);
        colors.push(color);
    }
    let mut position: Position = Position::new(size);
    position.set_from(game.board());
    let mut solver = StatusSolver::new(rules.suicide, rules.ko);
    let status = solver.final_status(AnyPosition::new(&position), record.is_searched);
    let (chains, sekis) = status.open.map_or_else(Default::default, |open| (open.chains, open.sekis));
    let end = steps.len() as u32;
    let mut events = Vec::new();
    let focus = match choice.kind {
        Kind::Rejected(_) | Kind::Repeated(_) => {
            let subject = choice.subject(&replay.repetitions)?;
            events.extend(repetition_events(&subject));
            subject.ply + 1
        }
        Kind::Seki(kind) => sekis.iter().any(|seki| kind == ShapeKind::Seki(seki.kind)).then_some(end)?,
        Kind::Dead => chains.iter().any(|chain| chain.status == Status::Dead).then_some(end)?,
    };
    events.sort_by_key(|event| event.ply);
    let result = found.game.info.get("RE").map(|result| format!(", recorded result {result}"));
    let result = result.unwrap_or_default();
    let text = format!("The end of the record{result}. {}", life_text(&position, &chains));
    events.push(Event { ply: end, rejected: Vec::new(), text });
    let signs = signs(&chains);
    let sgf = record.sgf.clone();
    Some((size, ShownGame { start, colors, steps, events, signs, focus, position, sgf }))
}
