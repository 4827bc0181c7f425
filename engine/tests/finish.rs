//! Scores under taxes against KataGo's own, where its labelled positions are present.

use crate::shared::{labelled, rows};
use jigo_engine::{
    Board, Color, Counting, Game, Ko, Komi, Move, Point, Position, Rules, Suicide, rules::Tax, score::Score,
};
use serde_json::Value;

/// Rules and komi as a record states them.
fn rules_and_komi(record: &Value) -> (Rules, Komi) {
    let text = record["rules"].as_str().unwrap().to_ascii_lowercase();
    let rules = Rules {
        counting: if text.contains("territory") { Counting::Territory } else { Counting::Area },
        ko: Ko::PositionalSuperko,
        suicide: Suicide::Forbidden,
        tax: match () {
            () if text.contains("tax seki") => Tax::Seki,
            () if text.contains("tax all") => Tax::All,
            () => Tax::None,
        },
        ..Rules::TROMP_TAYLOR
    };
    let komi = text.split_once("komi ").unwrap().1;
    let komi = komi.split(',').next().unwrap().parse().unwrap();
    (rules, komi)
}

fn color(text: &str) -> Color {
    if text == "b" { Color::Black } else { Color::White }
}

fn point(value: &Value) -> Point {
    Point::new(value[0].as_u64().unwrap() as u8, value[1].as_u64().unwrap() as u8)
}

/// The game of a record, played to where it is scored.
fn game(record: &Value, rules: Rules) -> Game {
    let position: Position = Board::from_diagram(&rows(&record["rows"]).join("\n"), rules.suicide)
        .map(|board: Board| board.position())
        .unwrap();
    let mut game = Game::new(position.size(), rules);
    let stones = position.colored_stones();
    game.set_position(stones, color(record["to_move"].as_str().unwrap())).unwrap();
    for mv in record["moves_after_setup"].as_array().into_iter().flatten() {
        game.set_to_play(color(mv[0].as_str().unwrap()));
        let mv = if mv[1].is_null() { Move::Pass } else { Move::Play(point(&mv[1])) };
        game.play(mv).unwrap();
    }
    game
}

/// Black's result in half points when only what cannot be saved is taken off, as KataGo scores a game that ends here.
fn result(game: &Game, komi: Komi) -> i32 {
    let board = game.board();
    let score: Score = game.score(&board.position().unconditionally_dead(board.suicide()), 0);
    score.result(komi)
}

#[test]
fn agrees_with_katago() {
    let Some(records) = labelled("katago_rules_scores.jsonl") else { return };
    let mut compared = 0;
    for record in &records {
        let id = record["id"].as_str().unwrap();
        // Played with the button, which jigo does not have, and which the half points show.
        if id.starts_with("Area scoring with button/tax-seki") {
            continue;
        }
        let (rules, komi) = rules_and_komi(record);
        let game = game(record, rules);
        let expected = -2.0 * record["expected"]["white_minus_black"].as_f64().unwrap();
        assert_eq!(f64::from(result(&game, komi)), expected, "{id} {rules:?}\n{}", game.board());
        compared += 1;
    }
    assert_eq!((compared, records.len()), (93, 102));
}
