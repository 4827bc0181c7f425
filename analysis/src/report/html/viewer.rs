//! Example games to step through.

use jigo_engine::{
    BoardSize, Color, Komi, Point, Position,
    life::{ChainStatus, Status},
};
use jigo_selfplay::sgf::{self, SgfGame};
use serde::Serialize;

use super::parts::{DataTable, Group};
use crate::{
    RunConfig,
    report::{
        board::{Layout, STONE, WIDTH, draw_board, draw_dots},
        chart::{Caption, Svg},
        examples::{Choice, Event, Example, chosen},
        format::cells,
        summary::RunSummary,
    },
    study::Occurrence,
};

/// The one script of a page. It is plain, loads nothing, and does nothing but show and save what the page holds.
pub(in crate::report) const SCRIPT: &str =
    concat!(include_str!("../../../templates/viewer.js"), include_str!("../../../templates/save.js"));
/// The name by which the page's policy allows [`SCRIPT`]: its SHA-256 digest in Base64 with padding.
///
/// # Source
/// W3C, *Content Security Policy Level 3*, `hash-source`.
pub(in crate::report) const SCRIPT_SOURCE: &str = "sha256-rumBMHySKTrIoexJFLCIcBz7kbmqFUGy5EC3OaQRgtY=";

/// Games to step through. The page draws the final position of the first; the script draws all others.
pub(crate) struct Viewer {
    pub(crate) id: String,
    /// Says which games these are.
    pub(crate) intro: &'static str,
    /// The games by what they show: a heading, and their names.
    pub(crate) choices: Vec<(String, Vec<String>)>,
    /// Written into the page without escaping, like the SVG of a figure.
    pub(crate) svg: String,
    pub(crate) caption: String,
    pub(crate) legend: String,
    pub(crate) sgf: String,
    /// The games for the script, [escaped](embedded).
    pub(crate) data: String,
    pub(crate) table: DataTable,
}

/// The data that the script reads. Points are row-major indices.
#[derive(Serialize)]
struct Data {
    size: [usize; 2],
    /// Where the first point is drawn, and how far from it the next.
    at: (f64, f64),
    cell: f64,
    /// The radius of a stone in cells.
    stone: f64,
    games: Vec<GameData>,
}

#[derive(Serialize)]
struct GameData {
    /// The points of Black's handicap stones; nothing without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    start: Vec<usize>,
    /// Who played each ply, as `BW`; empty where Black begins and the colours alternate.
    #[serde(skip_serializing_if = "String::is_empty")]
    colors: String,
    plies: Vec<Vec<i32>>,
    events: Vec<Event>,
    /// The signs on the final stones.
    signs: Vec<(char, Vec<usize>)>,
    legend: String,
    /// The ply that is shown first.
    focus: u32,
    sgf: String,
}

/// A game to step through.
pub(super) struct ShownGame {
    pub(super) start: Vec<Point>,
    pub(super) colors: Vec<Color>,
    /// As in [`Example::steps`].
    pub(super) steps: Vec<Vec<i32>>,
    /// The events to see, in order; the last is the end.
    pub(super) events: Vec<Event>,
    /// The final stones of each status that has a sign.
    pub(super) signs: Vec<(Status, Vec<Point>)>,
    /// After how many plies the position stands that is shown first.
    pub(super) focus: u32,
    pub(super) position: Position,
    pub(super) sgf: String,
}

impl Viewer {
    /// Shows games, at least one, under the names of `choices`, and lists them in a table.
    pub(super) fn new(
        id: &str,
        intro: &'static str,
        size: BoardSize,
        games: Vec<ShownGame>,
        choices: Vec<(String, Vec<String>)>,
        table: DataTable,
    ) -> Self {
        let layout = Layout::new(size);
        let svg = picture(id, "Example game", size, &games[0]);
        let caption = games[0].events.last().map_or_else(String::new, |end| end.text.clone());
        let games: Vec<GameData> = games.into_iter().map(|game| game.data(size)).collect();
        let (legend, sgf) = (games[0].legend.clone(), games[0].sgf.clone());
        let data = Data {
            size: [size.width(), size.height()],
            at: layout.at(0.0, 0.0),
            cell: layout.cell,
            stone: STONE,
            games,
        };
        let data = embedded(&serde_json::to_string(&data).expect("games can be written as JSON"));
        Self { id: id.to_owned(), intro, choices, svg, caption, legend, sgf, data, table }
    }
}

impl ShownGame {
    fn data(self, size: BoardSize) -> GameData {
        let indices = |points: &[Point]| points.iter().map(|point| point.index(size)).collect();
        let alternate = (0..).zip(&self.colors).all(|(ply, &color)| color == Color::BOTH[ply % 2]);
        let letter = |color: &Color| if *color == Color::Black { 'B' } else { 'W' };
        GameData {
            start: indices(&self.start),
            colors: if alternate { String::new() } else { self.colors.iter().map(letter).collect() },
            plies: self.steps,
            events: self.events,
            legend: legend(&self.signs),
            signs: self.signs.iter().map(|(status, points)| (status.sign(), indices(points))).collect(),
            focus: self.focus,
            sgf: self.sgf,
        }
    }
}

/// What the example games of a run are.
const INTRO: &str =
    "The first games of their kind, by number in the run. Crossed points are rejected by superko;";

/// Shows at most `limit` games of the run, if it has any to show.
pub(super) fn for_run(id: &str, run: &RunSummary<'_>, limit: usize) -> Option<Group> {
    let setting = &run.config;
    let chosen = chosen(run.run, limit).into_iter();
    let examples = chosen.filter_map(|choice| Example::new(choice, setting));
    let games = examples.map(|example| (example.choice, shown_game(&example, setting, run.komi))).collect();
    let viewer = Viewer::of_examples(&format!("{id}-games"), [INTRO, "run"], setting.size, games)?;
    Some(Group { viewers: vec![viewer], ..Group::new("Example games") })
}

impl Viewer {
    /// Shows games with the reasons for which they were chosen, if there are any. The words say which games these are, and what they come from.
    pub(super) fn of_examples(
        id: &str,
        [intro, source]: [&'static str; 2],
        size: BoardSize,
        examples: Vec<(Choice<'_>, ShownGame)>,
    ) -> Option<Self> {
        let headings = ["shown for", "which is", source, "game", "plies", "shown at ply"];
        let mut table = DataTable::new(3, headings);
        for (choice, ShownGame { steps, focus, .. }) in &examples {
            let Occurrence { source, index, .. } = choice.game;
            table.push(cells![choice.kind.heading(), choice.feature(), source, index, steps.len(), focus]);
        }
        let (chosen, games): (Vec<Choice<'_>>, Vec<ShownGame>) = examples.into_iter().unzip();
        (!games.is_empty()).then(|| Self::new(id, intro, size, games, choices(&chosen), table))
    }
}

/// Names the games of each kind, with their runs or files if there are several.
fn choices(chosen: &[Choice<'_>]) -> Vec<(String, Vec<String>)> {
    let name = |choice: &Choice<'_>| {
        let Occurrence { source, index, .. } = choice.game;
        let is_one_source = chosen.iter().all(|other| other.game.source == *source);
        let source = if is_one_source { String::new() } else { format!("{source}, ") };
        format!("{}, {source}game {index}", choice.feature())
    };
    let same_kind = |one: &Choice<'_>, next: &Choice<'_>| one.kind == next.kind;
    let of_kind = |games: &[Choice<'_>]| (games[0].kind.heading(), games.iter().map(name).collect());
    chosen.chunk_by(same_kind).map(of_kind).collect()
}

pub(super) fn shown_game(example: &Example<'_>, setting: &RunConfig, komi: Komi) -> ShownGame {
    let start = setting.start();
    let moves = &example.record.moves;
    ShownGame {
        start: start.points.clone(),
        colors: start.turns(moves).map(|(color, _)| color).collect(),
        steps: example.steps.clone(),
        events: example.events.clone(),
        signs: signs(&example.chains),
        focus: example.focus,
        position: example.position.clone(),
        sgf: record(example, setting, komi),
    }
}

/// The stones of each status that has a sign.
pub(super) fn signs(chains: &[ChainStatus]) -> Vec<(Status, Vec<Point>)> {
    let of_status = |status: Status| {
        let chains = chains.iter().filter(move |chain| chain.status == status);
        (status, chains.flat_map(|chain| chain.stones.iter().copied()).collect::<Vec<_>>())
    };
    let signed = Status::ALL.into_iter().filter(|status| !status.sign().is_whitespace());
    signed.map(of_status).filter(|(_, stones)| !stones.is_empty()).collect()
}

fn legend(signs: &[(Status, Vec<Point>)]) -> String {
    if signs.is_empty() {
        return String::new();
    }
    let words: Vec<String> = signs.iter().map(|(status, _)| format!("{} {status}", status.sign())).collect();
    format!("{}; stones without a sign are alive.", words.join(", "))
}

/// The game as SGF, at the komi of the report.
fn record(example: &Example<'_>, setting: &RunConfig, komi: Komi) -> String {
    let mut game = SgfGame::new(setting.size);
    game.set_rule_set(setting.rules);
    game.set_komi(komi);
    let occurrence = example.choice.game;
    let title = format!("jigo study, {}, game {}", occurrence.source, occurrence.index);
    game.info.set("GN", &title).expect("GN holds text");
    Color::BOTH.into_iter().for_each(|color| game.set_player(color, &setting.policy.to_string()));
    game.play_from_start(&setting.start(), &example.record.moves);
    sgf::write(&game)
}

/// The final position with the statuses of its stones.
pub(super) fn picture(id: &str, title: &str, size: BoardSize, game: &ShownGame) -> String {
    let layout = &Layout::new(size);
    let caption = Caption {
        id: &format!("{id}-board"),
        title,
        description: "The board of the game that is shown; the text below it says what is seen.",
    };
    let mut svg = Svg::new(caption, WIDTH, layout.height());
    draw_board(&mut svg, layout);
    draw_dots(&mut svg, layout);
    svg.group("pieces");
    let at = |point: Point| layout.at(point.x.into(), point.y.into());
    let color = |point| match game.position.stone(point) {
        Some(Color::White) => "white",
        _ => "black",
    };
    for stone in Color::BOTH.into_iter().flat_map(|color| game.position.stones(color)) {
        svg.circle(&format!("stone {}", color(stone)), at(stone), STONE * layout.cell);
    }
    for (status, stones) in &game.signs {
        for &stone in stones {
            let (x, y) = at(stone);
            let (class, place) = (format!("sign on-{}", color(stone)), (x, y + 0.19 * layout.cell));
            svg.sized_text(&class, place, 0.55 * layout.cell, &status.sign().to_string());
        }
    }
    svg.end_group();
    svg.finish()
}

/// JSON that cannot end the element it stands in, nor be taken for markup. Such characters stand in strings only.
fn embedded(json: &str) -> String {
    json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    use sha2::{Digest as _, Sha256};

    use super::*;

    /// As policies of real pages name the empty script, and the digest of `abc` from NIST's examples.
    #[test]
    fn the_script_has_the_name_that_browsers_know() {
        let source = |script: &str| format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(script)));
        assert_eq!(source(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert_eq!(source("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
        assert_eq!(source(SCRIPT), SCRIPT_SOURCE);
    }

    #[test]
    fn json_stays_in_its_element_and_means_the_same() {
        let hostile = ["</script><script>alert(1)</script>", "<!--<script>", "]]>&lt;", "\\u003c\"'\u{2028}"];
        let text = embedded(&serde_json::to_string(&hostile).unwrap());
        assert!(!text.contains(['<', '>', '&']));
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), hostile);
    }
}
