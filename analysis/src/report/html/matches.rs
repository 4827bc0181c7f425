//! The pages about a match and about several.

use askama::Template;
use jigo_engine::{Color, Game, Point, Position, life::Status};
use jigo_selfplay::{
    matches::{Contestant, MatchEnding, MatchResult, MatchSpec},
    sgf::{self, Event as SgfEvent, Limits, SgfGame},
};

use super::{
    MADE,
    parts::{DataTable, Fact, Figure, Group, per_cent},
    results::length_figure,
    viewer::{ShownGame, Viewer},
};
use crate::{
    Histogram,
    report::{
        ReportMeta,
        chart::{Dot, Dots, Stack, Stacks},
        examples::{Event, step},
        format::{cells, fixed, group, minus_signs, or_dash, quantity},
        matches::{PlayedMatch, Tally, time_text},
        tournament::{RATINGS_METHOD, Tournament, match_folder},
    },
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
    contents: Vec<(String, String)>,
    /// Board, rules, komi and games.
    eyebrow: String,
    headline: String,
    lead: Vec<String>,
    facts: Vec<Fact>,
    figures: Vec<Figure>,
    score: DataTable,
    groups: Vec<Group>,
    /// The folders of single matches, and what they are called.
    links: Vec<(String, String)>,
    /// Says in markup which files have more.
    files: &'static str,
}

/// Returns the parts that a page lists.
fn contents(score: &str, groups: &[Group], has_links: bool) -> Vec<(String, String)> {
    let groups = groups.iter().map(|group| (group.id(), group.heading.to_owned()));
    let links = has_links.then(|| ("matches".to_owned(), "Matches".to_owned()));
    let score = std::iter::once(("score".to_owned(), score.to_owned()));
    score.chain(groups).chain(links).chain([MADE.map(str::to_owned).into()]).collect()
}

/// Names a player as people do, who do not write that a policy is one.
fn name(player: &str) -> String {
    player.strip_prefix("policy:").unwrap_or(player).to_owned()
}

/// Writes how a game ended in words.
fn ending_text(ending: MatchEnding) -> String {
    ending.to_string().replace('-', " ")
}

/// Returns the page about a match: the score, what it says about strength, how games ended, faults, and the games to step through. `records` is what
/// `games.sgf` holds.
///
/// Up to 200 games are shown: those that were lost by a fault, at most 50, and the first others. Games that went on after a dispute about dead stones are
/// not among them.
#[must_use]
pub fn match_page(played: &PlayedMatch, records: &[u8], meta: &ReportMeta) -> String {
    let players @ [first, second] = &Contestant::ALL.map(|contestant| name(&played.player(contestant)));
    let mut groups: Vec<Group> = strength(played).into_iter().collect();
    groups.push(endings(played));
    groups.extend(games(played, records));
    let page = Page {
        meta,
        title: format!("{first} – {second}"),
        contents: contents("Score", &groups, false),
        eyebrow: played.heading(),
        headline: headline(played, players),
        lead: vec![format!("First player: {first}. Second player: {second}.")],
        facts: facts(played),
        figures: figures(played, players),
        score: score(played),
        groups,
        links: Vec::new(),
        files: "All results are in <code>match.json</code>, the games in <code>games.sgf</code>, and as columns in <code>games.parquet</code>.",
    };
    super::render(&page)
}

/// Returns the page about several matches, each of which has a page of its own in its folder.
#[must_use]
pub fn tournament_page(tournament: &Tournament, meta: &ReportMeta) -> String {
    let (headings, rows) = tournament.cross_table();
    let mut table = DataTable::new(2, headings);
    for mut row in rows {
        row[1] = name(&row[1]);
        table.push(row);
    }
    let note = format!(
        "A draw is half a point. Elo: {RATINGS_METHOD}. The last columns are the points against each other player, by rank."
    );
    let links = tournament.matches.iter().map(|(players, played)| {
        let [first, second] = players.map(|player| name(&tournament.players[player]));
        (match_folder(*players), format!("{first} – {second}: {}", minus_signs(&played.score().to_string())))
    });
    let page = Page {
        meta,
        title: quantity(tournament.players.len(), "player"),
        contents: contents("Standings", &[], true),
        eyebrow: tournament.heading(),
        headline: leader(tournament),
        lead: Vec::new(),
        facts: Vec::new(),
        figures: vec![ratings(tournament)],
        score: table.titled("Standings", note),
        links: links.collect(),
        groups: Vec::new(),
        files: "The standings are in <code>tournament.json</code>. Each match has its results and its games in its folder.",
    };
    super::render(&page)
}

/// Says who is the strongest player of a tournament, as far as the games show it.
fn leader(tournament: &Tournament) -> String {
    let (ratings, name) = (tournament.ratings(), |player: usize| name(&tournament.players[player]));
    match ratings.ranking()[..] {
        [best, next, ..] if ratings.superiority(best, next) > SURE => {
            format!("{} is the strongest player.", name(best))
        }
        [best, next, ..] => {
            format!("{} leads, but may not be stronger than {}.", name(best), name(next))
        }
        _ => "Nobody has met.".to_owned(),
    }
}

/// The likelihood of superiority from which on a player is said to be the stronger one: that of an interval of 95 % that begins at 0.
const SURE: f64 = 0.975;

fn ratings(tournament: &Tournament) -> Figure {
    let ratings = tournament.ratings();
    let dots =
        ratings.ranking().into_iter().map(|player| (name(&tournament.players[player]), ratings.elo(player)));
    let dots: Vec<Dot> = dots.collect();
    let chart = Dots { x_label: "Elo relative to the mean", row_label: "", dots: &dots };
    let text = "From the strongest player on, with 95 % interval.";
    Figure::new("ratings", "Elo of the players", text, &chart, DataTable::default())
}

/// Says who is the stronger player of a match, as far as the games show it.
fn headline(played: &PlayedMatch, [first, second]: &[String; 2]) -> String {
    match played.score().pairs().superiority() {
        Some(likelihood) if likelihood > SURE => format!("{first} is stronger than {second}."),
        Some(likelihood) if likelihood < 1.0 - SURE => format!("{second} is stronger than {first}."),
        Some(_) => format!("The games do not show whether {first} or {second} is stronger."),
        None => "No two games with the same opening have finished.".to_owned(),
    }
}

fn facts(played: &PlayedMatch) -> Vec<Fact> {
    let score = played.score();
    let pairs = score.pairs();
    let mut facts =
        vec![Fact::new(&score.to_string(), "wins, draws and losses of the first player", "#score")];
    if let (Some(elo), Some(superiority)) = (pairs.elo(), pairs.superiority()) {
        let [elo, interval] = elo.texts();
        let meaning = format!("Elo of the first player above the second, 95 %: {interval}");
        facts.push(Fact::new(&elo, &meaning, "#strength"));
        let meaning = "likelihood of superiority of the first player";
        facts.push(Fact::new(&format!("{} %", fixed(100.0 * superiority, 1)), meaning, "#strength"));
    }
    if let Some(plies) = lengths(played).spread() {
        facts.push(Fact::new(&fixed(plies.mean, 0), "plies in a game, on average", "#how-games-ended"));
    }
    let faults = played.results.iter().filter(|result| result.ending.is_fault()).count();
    if faults > 0 {
        let meaning = "lost by a fault, as by an illegal move or a crash";
        facts.push(Fact::new(&quantity(faults, "game"), meaning, "#how-games-ended"));
    }
    facts
}

fn lengths(played: &PlayedMatch) -> Histogram {
    played.results.iter().map(|result| result.plies as i32).collect()
}

/// Draws who won with which colour, and how long the games were; nothing without games.
fn figures(played: &PlayedMatch, players: &[String; 2]) -> Vec<Figure> {
    let finished = || played.results.iter().filter(|result| result.ending != MatchEnding::PlyCap);
    let stack = |name: String, is_in: &dyn Fn(&MatchResult) -> bool| -> Option<Stack> {
        let games: Vec<_> = finished().filter(|result| is_in(result)).collect();
        let share = |winner: Option<Color>| {
            let wins = games.iter().filter(|result| result.winning_color() == winner).count();
            100.0 * wins as f64 / games.len() as f64
        };
        (!games.is_empty()).then(|| (name, [Some(Color::Black), None, Some(Color::White)].map(share)))
    };
    let of_black = Contestant::ALL.into_iter().zip(players).filter_map(|(contestant, player)| {
        stack(format!("{} player, {player}, has Black", contestant.name()), &|result| {
            result.black == contestant
        })
    });
    let stacks: Vec<Stack> = stack("all games".to_owned(), &|_| true).into_iter().chain(of_black).collect();
    if stacks.is_empty() {
        return Vec::new();
    }
    let chart =
        Stacks { x_label: "% of games", parts: ["Black wins", "jigo", "White wins"], stacks: &stacks };
    let text =
        "Of all games that were not stopped at the move limit. The line in the middle is an even game.";
    let wins = Figure::new("wins", "Who wins with which colour", text, &chart, DataTable::default());
    vec![wins, length_figure("lengths", "Plies of all games, passes included.", &lengths(played))]
}

fn score(played: &PlayedMatch) -> DataTable {
    let headings = ["", "player", "wins", "%", "95 % interval", "as Black", "as White", "time"];
    let mut table = DataTable::new(2, headings);
    let tallies = played.tallies();
    for Tally { contestant, wins, wins_as, time_ms, .. } in &tallies {
        let interval = wins.interval();
        let [black, white] = wins_as.map(|wins| format!("{}/{}", group(wins.count()), group(wins.trials())));
        table.push(cells![
            contestant.name(),
            name(&played.player(*contestant)),
            group(wins.count()),
            per_cent(wins.estimate()),
            format!("{} to {}", per_cent(Some(interval.lower)), per_cent(Some(interval.upper))),
            black,
            white,
            or_dash(time_ms.map(time_text)),
        ]);
    }
    table.titled("Score", "Shares of all games that were not stopped at the move limit.")
}

fn strength(played: &PlayedMatch) -> Option<Group> {
    let mut table = DataTable::new(2, ["what", "value"]);
    for (name, value) in played.strength() {
        table.push([name.to_owned(), minus_signs(&value)]);
    }
    let text = "From pairs of games with the same opening and exchanged colours.".to_owned();
    (!table.rows.is_empty()).then(|| Group { text, tables: vec![table], ..Group::new("Strength") })
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
            table.push(cells![ending_text(ending), first, second, nobody]);
        }
    }
    let mut faults = DataTable::new(3, ["lost by", "ending", "what happened", "game"]);
    for result in played.results.iter().filter(|result| result.ending.is_fault()).take(MAX_GAMES) {
        let loser = result.winner.map(|winner| winner.opponent().name());
        faults.push(cells![or_dash(loser), ending_text(result.ending), result.detail, result.game]);
    }
    let mut shown = Group::new("How games ended");
    shown.text =
        "A game that was stopped at the move limit is counted with all stones alive, but for nobody."
            .to_owned();
    shown.tables = vec![table];
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
    Some(Group { viewers: vec![viewer], ..Group::new("Games") })
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
