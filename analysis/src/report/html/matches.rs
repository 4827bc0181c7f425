//! The pages about a match and about several.

use askama::Template;
use jigo_engine::{Game, Point, Position, life::Status};
use jigo_selfplay::{
    matches::{Contestant, MatchEnding, MatchResult, MatchSpec},
    sgf::{self, Event as SgfEvent, Limits, SgfGame},
};

use super::{
    parts::{DataTable, Group, per_cent},
    viewer::{self, ShownGame, Viewer},
};
use crate::report::{
    ReportMeta,
    examples::{Event, step},
    format::{cells, group, join_units, or_dash, quantity},
    matches::{PlayedMatch, Tally, time_text},
    tournament::{RATINGS_METHOD, Tournament, match_folder},
};

/// The most games that a page shows, and the most of them that were lost by a fault: they bound its size.
const MAX_GAMES: usize = 200;
const MAX_FAULTS: usize = 50;
/// The most plies of the games that a page shows together.
const MAX_PLIES: usize = 200_000;

#[derive(Template)]
#[template(path = "match.html")]
struct Page<'a> {
    meta: &'a ReportMeta,
    title: String,
    lead: String,
    /// The folders of single matches, and what they are called.
    links: Vec<(String, String)>,
    groups: Vec<Group>,
    has_games: bool,
    /// Says in markup which files have more.
    files: &'static str,
}

/// Returns the page about a match: the score, what it says about strength, how games ended, faults, and the games to step through. `records` is what
/// `games.sgf` holds.
///
/// Up to 200 games are shown: those that were lost by a fault, at most 50, and the first others. Games that went on after a dispute about dead stones are
/// not among them.
#[must_use]
pub fn match_page(played: &PlayedMatch, records: &[u8], meta: &ReportMeta) -> String {
    let [first, second] = Contestant::ALL.map(|contestant| played.player(contestant));
    let mut groups = vec![score(played), endings(played)];
    groups.extend(games(played, records));
    let page = Page {
        meta,
        title: format!("{first} – {second}"),
        lead: format!("{}. First player: {first}. Second player: {second}.", played.heading()),
        links: Vec::new(),
        has_games: groups.iter().any(|group| group.viewer.is_some()),
        groups,
        files: "All results are in <code>match.json</code>, the games in <code>games.sgf</code>, and as columns in <code>games.parquet</code>.",
    };
    render(&page)
}

/// Returns the page about several matches, each of which has a page of its own in its folder.
#[must_use]
pub fn tournament_page(tournament: &Tournament, meta: &ReportMeta) -> String {
    let (headings, rows) = tournament.cross_table();
    let mut table = DataTable::new(2, headings);
    rows.into_iter().for_each(|row| table.push(row));
    let note = format!(
        "A draw is half a point. Elo: {RATINGS_METHOD}. The last columns are the points against each other player, by rank."
    );
    let cross = Group { tables: vec![table.titled("", note)], ..Group::new("Standings") };
    let links = tournament.matches.iter().map(|(players, played)| {
        let [first, second] = players.map(|player| tournament.players[player].as_str());
        (match_folder(*players), format!("{first} – {second}: {}", played.score()))
    });
    let page = Page {
        meta,
        title: quantity(tournament.players.len(), "player"),
        lead: format!("{}.", tournament.heading()),
        links: links.collect(),
        has_games: false,
        groups: vec![cross],
        files: "The standings are in <code>tournament.json</code>. Each match has its results and its games in its folder.",
    };
    render(&page)
}

fn render(page: &Page<'_>) -> String {
    join_units(&page.render().expect("a page is rendered in memory from values that can be shown"))
}

fn score(played: &PlayedMatch) -> Group {
    let headings = ["", "player", "wins", "%", "95 % interval", "as Black", "as White", "time"];
    let mut table = DataTable::new(2, headings);
    let tallies = played.tallies();
    for Tally { contestant, wins, wins_as, time_ms, .. } in &tallies {
        let interval = wins.interval();
        let [black, white] = wins_as.map(|wins| format!("{}/{}", group(wins.count()), group(wins.trials())));
        table.push(cells![
            contestant.name(),
            played.player(*contestant),
            group(wins.count()),
            per_cent(wins.estimate()),
            format!("{} to {}", per_cent(Some(interval.lower)), per_cent(Some(interval.upper))),
            black,
            white,
            or_dash(time_ms.map(time_text)),
        ]);
    }
    let mut strength = DataTable::new(2, ["strength", "value"]);
    for (name, value) in played.strength() {
        strength.push(cells![name, value]);
    }
    let mut shown = Group::new("Score");
    shown.tables = vec![table.titled("", "Shares of all games that were not stopped at the move limit.")];
    if !strength.rows.is_empty() {
        shown
            .tables
            .push(strength.titled("", "From pairs of games with the same opening and exchanged colours."));
    }
    shown
}

fn endings(played: &PlayedMatch) -> Group {
    let mut table =
        DataTable::new(1, ["ending", "lost by the first player", "lost by the second", "drawn or nobody's"]);
    for ending in MatchEnding::ALL {
        let count = |winner: Option<Contestant>| {
            let is_it = |result: &&MatchResult| result.ending == ending && result.winner == winner;
            played.results.iter().filter(is_it).count()
        };
        let counts = [Some(Contestant::Second), Some(Contestant::First), None].map(count);
        if counts.iter().any(|&count| count > 0) {
            let [first, second, nobody] = counts.map(group);
            table.push(cells![ending, first, second, nobody]);
        }
    }
    let mut faults = DataTable::new(3, ["lost by", "ending", "what happened", "game"]);
    for result in played.results.iter().filter(|result| result.ending.is_fault()).take(MAX_GAMES) {
        let loser = result.winner.map(|winner| winner.opponent().name());
        faults.push(cells![or_dash(loser), result.ending, result.detail, result.game]);
    }
    let mut shown = Group::new("How games ended");
    shown.tables = vec![table.titled(
        "",
        "A game that was stopped at the move limit is counted with all stones alive, but for nobody.",
    )];
    if !faults.rows.is_empty() {
        shown.tables.push(faults.titled("Faults", ""));
    }
    shown
}

/// What the games of a match are.
const INTRO: &str =
    "Games by their number in the match. A minus sign marks a stone that was removed as dead;";

fn games(played: &PlayedMatch, records: &[u8]) -> Option<Group> {
    let is_fault = |index: &usize| played.results[*index].ending.is_fault();
    let indices = || 0..played.results.len();
    let faults: Vec<usize> = indices().filter(is_fault).take(MAX_FAULTS).collect();
    let others = indices().filter(|index| !is_fault(index)).take(MAX_GAMES - faults.len());
    let mut wanted: Vec<usize> = faults.iter().copied().chain(others).collect();
    wanted.sort_unstable();
    let mut plies = 0;
    let mut shown = Vec::new();
    let end = wanted.last().map_or(0, |last| last + 1);
    for (index, record) in sgf::read_games(records, Limits::default()).take(end).enumerate() {
        if wanted.binary_search(&index).is_err() {
            continue;
        }
        let game =
            record.ok().and_then(|record| shown_game(&played.spec, &played.results[index], &record.game));
        let Some(game) = game else { continue };
        plies += game.steps.len();
        if plies > MAX_PLIES {
            break;
        }
        shown.push((index, game));
    }
    // Faults first, as the choices list them.
    shown.sort_by_key(|(index, _)| !is_fault(index));
    let mut table = DataTable::new(4, ["Black", "winner", "ending", "result", "game", "plies"]);
    let mut choices: Vec<(String, Vec<String>)> = Vec::new();
    for (index, _) in &shown {
        let result = &played.results[*index];
        let winner = result.winning_color();
        let points = result.half_points.map(|half_points| f64::from(half_points.abs()) / 2.0);
        table.push(cells![
            result.black.name(),
            or_dash(result.winner.map(Contestant::name)),
            result.ending,
            or_dash(points),
            result.game,
            result.plies,
        ]);
        let heading = if is_fault(index) { "Lost by a fault" } else { "Games" };
        if choices.last().is_none_or(|(last, _)| last != heading) {
            choices.push((heading.to_owned(), Vec::new()));
        }
        let black = result.black.name();
        let won = winner.map_or_else(|| "nobody won".to_owned(), |color| format!("{color} won"));
        let name = format!("game {}: {black} has Black, {won}, {}", result.game, result.ending);
        choices.last_mut().expect("just added").1.push(name);
    }
    let shown: Vec<ShownGame> = shown.into_iter().map(|(_, game)| game).collect();
    let viewer = (!shown.is_empty())
        .then(|| Viewer::new("match-games", INTRO, played.spec.size, shown, choices, table))?;
    Some(Group { viewer: Some(viewer), ..Group::new("Games") })
}

/// Plays a recorded game again; nothing where its moves do not follow one another by the rules, as after a dispute about dead stones.
fn shown_game(spec: &MatchSpec, result: &MatchResult, record: &SgfGame) -> Option<ShownGame> {
    let start = spec.start();
    let mut game: Game = Game::with_handicap(spec.size, *spec.rules, &start);
    let (mut colors, mut steps) = (Vec::new(), Vec::new());
    for event in &record.events {
        let SgfEvent::Play { color, mv } = *event else { return None };
        if game.to_play() != color {
            return None;
        }
        steps.push(step(&mut game, mv)?);
        colors.push(color);
    }
    let mut position: Position = Position::new(spec.size);
    position.set_from(game.board());
    let dead: Vec<Point> = record.dead().ok().flatten().unwrap_or_default().into_iter().collect();
    let text = end_text(result, record);
    let focus = steps.len() as u32;
    Some(ShownGame {
        start: start.points.clone(),
        colors,
        events: vec![Event { ply: focus, rejected: Vec::new(), text }],
        steps,
        signs: if dead.is_empty() { Vec::new() } else { vec![(Status::Dead, dead)] },
        focus,
        position,
        sgf: sgf::write(record),
    })
}

/// Says how a game ended.
fn end_text(result: &MatchResult, record: &SgfGame) -> String {
    let outcome = record.result().map(|result| result.to_string()).unwrap_or_default();
    let detail = if result.detail.is_empty() { String::new() } else { format!(" {}.", result.detail) };
    format!("The end, {}: {outcome}.{detail}", result.ending)
}
