//! Games of a match as SGF and as a Parquet file, and SGF as games of a match. See `docs/match.md`.

use std::{collections::BTreeSet, io, path::Path};

use jigo_engine::{Color, Game, Move, Point};

use super::{
    Adjudication, DeadStones, MatchEnding, MatchError, MatchResult, MatchSpec, Played,
    folder::{COLUMNS, Folder},
    referee::{half_points, margin},
};
use crate::{
    End, GameRecord,
    dataset::{Column, GamesFile, ProblemKind, Values, io_error},
    files::{AtomicFile, file_digest},
    fingerprint::rules_fingerprint,
    record::Recorder,
    sgf::{self, Event, GameResult, SgfGame, WinBy},
    time_control::{Overtime, TimeLeft},
};

/// Returns a game of these moves.
pub(super) fn plain(spec: &MatchSpec, moves: &[Move]) -> SgfGame {
    let mut game = SgfGame::new(spec.size);
    game.set_rule_set(spec.rules);
    game.set_komi(spec.komi);
    game.play_from_start(&spec.start(), moves);
    game
}

/// Returns the game as text, with players and result; a function of the game alone.
pub(super) fn text(spec: &MatchSpec, Played { result, game, times }: &mut Played) -> String {
    game.set_result(&stated(result));
    for color in Color::BOTH {
        let player = &spec.players[result.contestant(color).index()];
        game.set_player(color, &player.to_string());
    }
    let main = spec.clock.map(|control| ("TM", control.main.to_string()));
    let overtime = spec.clock.and_then(|control| match control.overtime {
        Overtime::None => None,
        Overtime::Increment(increment) => Some(("OT", format!("{} fischer", increment.as_secs_f64()))),
        Overtime::Periods { seconds, moves } => Some(("OT", format!("{moves}/{seconds} Canadian"))),
    });
    let always = [("GN", format!("game {}", result.game)), ("GC", comment(result))];
    for (name, text) in always.into_iter().chain(main).chain(overtime) {
        // All are names of text properties.
        let _ = game.info.set(name, &text);
    }
    sgf::write_annotated(game, times)
}

/// Returns what is left on a player's clock after a move, as properties of the move.
pub(super) fn time_left(color: Color, left: TimeLeft) -> String {
    let letter = sgf::letter(color);
    let moves = if left.moves > 0 { format!("O{letter}[{}]", left.moves) } else { String::new() };
    format!("{letter}L[{:.3}]{moves}", left.time.as_secs_f64())
}

/// Returns a game of a match that was written as [`text`] does.
pub(super) fn read(text: &[u8]) -> Result<SgfGame, String> {
    match &mut sgf::read_collection(text)[..] {
        [Ok(record)] => Ok(record.game.clone()),
        [Err(error)] => Err(error.to_string()),
        games => Err(format!("{} games are there", games.len())),
    }
}

/// Returns the moves of a game of a match. A proposal that was rejected in its player's turn is a pass, and handicap stones that Black put at once are
/// moves in a row.
pub(super) fn moves(spec: &MatchSpec, game: &SgfGame) -> Result<Vec<Move>, String> {
    moves_in_turn(game, &spec.first_position(), spec.has_proposals_in_turn())
}

/// Checks that a result is the one that the record of its game states, and that the moves and the dead stones of the record give.
pub(super) fn check_result(spec: &MatchSpec, result: &MatchResult, record: &SgfGame) -> Result<(), String> {
    let (found, expected) = (record.result().unwrap_or(GameResult::Unknown), stated(result));
    if found != expected {
        return Err(format!("its record states the result {found}, not {expected}"));
    }
    let moves = moves(spec, record)?;
    let half_points = if matches!(spec.adjudication, Adjudication::Certified { .. }) {
        let game = sgf::to_protocol(record).map_err(|error| error.to_string())?;
        if game.conduct() != spec.conduct() {
            return Err("it was played by other rules than the match".to_owned());
        }
        half_points(&game)
    } else {
        let mut game = spec.first_position();
        for (number, mv) in (1..).zip(moves) {
            game.play(mv).map_err(|rule| format!("move {number} is illegal: {rule}"))?;
        }
        if result.ending == MatchEnding::Resignation && result.winning_color() == Some(game.to_play()) {
            return Err("the player to move resigned, and is said to have won".to_owned());
        }
        let dead = record.dead().map_err(|error| error.to_string())?.unwrap_or_default();
        spec.komi.apply(margin(&game, &dead))
    };
    if result.half_points.is_none() {
        // Nobody wins by a cycle, and somebody by everything else that is not counted.
        let is_right = (result.ending == MatchEnding::Cycle) == result.winner.is_none();
        return if is_right { Ok(()) } else { Err(format!("{expected} is no result of {}", result.ending)) };
    }
    let mut counted = result.clone();
    counted.count(half_points);
    if counted == *result {
        Ok(())
    } else {
        Err(format!("its last position gives the result {}, not {expected}", stated(&counted)))
    }
}

/// Returns the moves of a game from this start, in the turns of the players; what else the game has is an error.
pub(super) fn plain_moves(game: &SgfGame, start: &Game) -> Result<Vec<Move>, String> {
    moves_in_turn(game, start, false)
}

/// The same; where rejected proposals take a turn, which is a pass after two others, free handicap stones are put at once as well.
fn moves_in_turn(game: &SgfGame, start: &Game, has_proposals: bool) -> Result<Vec<Move>, String> {
    let size = start.board().size();
    if game.size != size {
        return Err(format!("its board is {}, that of the match {size}", game.size));
    }
    let handicap = start.handicap();
    let is_black = |(point, content): (Point, _)| (content == Some(Color::Black)).then_some(point);
    let set_up: Option<BTreeSet<Point>> = game.setup.points().map(is_black).collect();
    let given = handicap.points.iter().copied().collect();
    let mut moves: Vec<Move> = match set_up {
        Some(set_up) if set_up == given => Vec::new(),
        Some(set_up) if has_proposals && handicap.free > 0 => set_up.into_iter().map(Move::Play).collect(),
        _ if given.is_empty() => {
            return Err("AB, AW or AE changes the board before the first move".to_owned());
        }
        _ => return Err("its stones are not those of the handicap".to_owned()),
    };
    let mut colors = vec![Color::Black; moves.len()];
    for event in &game.events {
        let number = moves.len() + 1;
        let Event::Play { color, mv } = event else {
            return Err(format!("the position is changed before move {number}"));
        };
        if has_proposals && moves.ends_with(&[Move::Pass; 2]) && colors.last() == Some(color) {
            moves.push(Move::Pass);
            colors.push(color.opponent());
        }
        moves.push(*mv);
        colors.push(*color);
    }
    let turns = handicap.turns(&moves).zip(colors);
    let wrong = (1..).zip(turns).find(|(_, ((to_play, _), color))| to_play != color);
    match wrong {
        Some((number, (_, color))) => Err(format!("move {number} is {color}'s, out of turn")),
        None => Ok(moves),
    }
}

fn stated(result: &MatchResult) -> GameResult {
    let Some(winner) = result.winning_color() else { return GameResult::Draw };
    let by = match (result.ending, result.half_points) {
        (_, Some(half_points)) => WinBy::HalfPoints(half_points.unsigned_abs()),
        (MatchEnding::Resignation, None) => WinBy::Resignation,
        (MatchEnding::Timeout, None) => WinBy::Time,
        (_, None) => WinBy::Forfeit,
    };
    GameResult::Win { winner, by }
}

/// Says how the game ended.
fn comment(result: &MatchResult) -> String {
    let ending = match result.ending {
        MatchEnding::PlyCap => "ply-cap: not over, counted without removing dead stones".to_owned(),
        ending => ending.to_string(),
    };
    let dead = match result.dead {
        DeadStones::NotAsked => "",
        DeadStones::Agreed => "; dead stones agreed",
        DeadStones::Common => "; dead stones disputed, removed what both named",
        DeadStones::Disputed => "; dead stones disputed, counted without removing them",
    };
    let separator = if result.detail.is_empty() { "" } else { ": " };
    format!("{ending}{dead}{separator}{}", result.detail)
}

/// Writes the finished games as a Parquet file, in place of those written before: the columns of a dataset, and after them those of a match. The bytes
/// are a function of the arguments and the games.
pub(super) fn write(dir: &Path, spec: &MatchSpec, folder: &Folder) -> Result<(), MatchError> {
    let path = &dir.join(COLUMNS);
    let cannot_write = MatchError::io("write", path);
    let file = AtomicFile::create(path).map_err(cannot_write)?;
    write_columns(file, path, spec, folder)?.persist(path).map_err(cannot_write)
}

fn write_columns<W: io::Write + Send>(
    file: W,
    path: &Path,
    spec: &MatchSpec,
    folder: &Folder,
) -> Result<W, MatchError> {
    let cannot_write = MatchError::io("write", path);
    let fail = |error| cannot_write(io_error(error));
    // So that the file says what it is without the others.
    let metadata = vec![
        ("jigo.match", serde_json::Value::from(folder.arguments.clone()).to_string()),
        ("jigo.rules", spec.rules.canonical()),
        ("jigo.rules_fingerprint", rules_fingerprint(*spec.rules)),
    ];
    let fields = format!("{FIELDS}{}", if spec.clock.is_some() { TIMES } else { "" });
    let mut output = GamesFile::new(file, &fields, metadata).map_err(fail)?;
    let mut recorder: Recorder = Recorder::with_handicap(spec.size, *spec.rules, &spec.start());
    let mut games = folder.games()?;
    loop {
        let (mut results, mut records) = (Vec::new(), Vec::new());
        for game in games.by_ref().take(GamesFile::<AtomicFile>::BATCH) {
            let (result, game) = game?;
            let moves = moves(spec, &game).map_err(|reason| folder.damaged(result, &reason))?;
            let record = record(&mut recorder, spec, result, &moves);
            records.push(record.map_err(|reason| folder.damaged(result, &reason))?);
            results.push(result);
        }
        if records.is_empty() {
            break;
        }
        output
            .write(records.iter().map(|record| (spec.size, record)), columns(spec, &results))
            .map_err(fail)?;
    }
    output.finish().map_err(fail)
}

/// Compares `games.parquet` with what [`write`] would write now, and returns what is wrong with it.
pub(super) fn check_columns(
    dir: &Path,
    spec: &MatchSpec,
    folder: &Folder,
) -> Result<Option<ProblemKind>, MatchError> {
    let path = &dir.join(COLUMNS);
    let hasher = write_columns(blake3::Hasher::new(), path, spec, folder)?;
    match file_digest(path) {
        // It is written when the command ends, and the command of a match that goes on may have been killed.
        Err(error) if error.kind() == io::ErrorKind::NotFound && folder.game_count() < spec.games => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(ProblemKind::Missing)),
        Err(error) => Err(MatchError::io("read", path)(error)),
        Ok((_, found)) => {
            let expected = hasher.finalize().to_hex().to_string();
            Ok((found != expected).then_some(ProblemKind::Digest { found, expected }))
        }
    }
}

/// The record of a game; an error where the moves are not those of the result.
fn record(
    recorder: &mut Recorder,
    spec: &MatchSpec,
    result: &MatchResult,
    moves: &[Move],
) -> Result<GameRecord, String> {
    recorder.begin(result.game);
    let goes_on = matches!(spec.adjudication, Adjudication::Certified { .. });
    for (number, &mv) in (1..).zip(moves) {
        let played = if goes_on { recorder.play_on(mv) } else { recorder.play(mv) };
        played.map_err(|rule| format!("move {number} is illegal: {rule}"))?;
    }
    let end = match result.ending {
        MatchEnding::TwoPasses => End::TwoPasses,
        MatchEnding::Cycle => End::Cycle,
        MatchEnding::PlyCap => End::PlyCap,
        _ => End::BrokenOff,
    };
    let is_over = recorder.game().is_over();
    // Where play may go on after two passes, the move limit may come after them.
    let is_so = is_over == matches!(end, End::TwoPasses | End::Cycle) || is_over && goes_on;
    if moves.len() != result.plies as usize || !is_so {
        return Err(format!(
            "its moves are not those of a game of {} plies that ended by {}",
            result.plies, result.ending
        ));
    }
    Ok(recorder.finish(end))
}

/// The columns of every match in order. Only one may be null.
const FIELDS: &str = "REQUIRED BYTE_ARRAY black (STRING); REQUIRED BYTE_ARRAY white (STRING); \
    REQUIRED BYTE_ARRAY winner (STRING); REQUIRED BYTE_ARRAY ending (STRING); \
    OPTIONAL INT32 half_points; REQUIRED BYTE_ARRAY dead (STRING);";
/// The columns of matches with clocks.
const TIMES: &str = "OPTIONAL INT64 black_ms; OPTIONAL INT64 white_ms;";

fn columns(spec: &MatchSpec, results: &[&MatchResult]) -> Vec<Column> {
    let text = |name: fn(&MatchResult) -> &'static str| {
        Column::required(Values::texts(results.iter().map(|result| name(result))))
    };
    let half_points = results.iter().filter_map(|result| result.half_points).collect();
    let is_counted = results.iter().map(|result| result.half_points.is_some());
    let time = |color| {
        let time = |result: &&MatchResult| result.time_ms[result.contestant(color).index()];
        let present = results.iter().map(|result| time(result).is_some());
        let values = results.iter().filter_map(time).map(|time| time as i64);
        Column::optional(Values::Int64(values.collect()), present)
    };
    let times = spec.clock.iter().flat_map(|_| Color::BOTH.map(time));
    let columns = [
        text(|result| result.contestant(Color::Black).name()),
        text(|result| result.contestant(Color::White).name()),
        text(|result| result.winning_color().map_or("none", Color::name)),
        text(|result| result.ending.name()),
        Column::optional(Values::Int32(half_points), is_counted),
        text(|result| result.dead.name()),
    ];
    columns.into_iter().chain(times).collect()
}
