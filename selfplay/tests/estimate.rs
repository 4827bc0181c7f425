//! Estimates of final positions: what is proved stays, and the dead stones that people agreed on are found.

use crate::shared::{labelled, rows};
use jigo_engine::{
    AnyPosition, Board, BoardSize, Color, Game, Ko, Point, Position, Rules, Suicide,
    life::{ChainStatus, Status, StatusSolver},
};
use jigo_selfplay::search::Estimate;
use serde_json::Value;

const RULES: Rules = Rules { ko: Ko::Simple, suicide: Suicide::Forbidden, ..Rules::TROMP_TAYLOR };

fn estimate(position: &Position) -> Estimate {
    let chains = StatusSolver::new(RULES.suicide, RULES.ko).chains(position);
    Estimate::new(AnyPosition::new(position), RULES, chains)
}

/// The stones that players remove who take the estimate for the truth.
fn dead(position: &Position, estimate: &Estimate) -> Vec<Point> {
    let chains = estimate.assumed();
    let mut dead: Vec<Point> = position.taken_off(&chains).flat_map(|chain| chain.stones.clone()).collect();
    dead.sort();
    dead
}

#[test]
fn what_is_proved_is_not_estimated() {
    // White's stones in the corner are dead, and so are Black's in White's eyes.
    let diagram = ". O . X X X O . .
                   X O X X X O O . X
                   O O X X X O . O O
                   X X X X X O O O .
                   . X . X X O . O O
                   X X X X O O O O O
                   X X . X O . . . .
                   . X X X O O O O O
                   . X . X O . X . .";
    let board: Board = Board::from_diagram(diagram, RULES.suicide).unwrap();
    let position = board.position();
    let estimate = estimate(&position);
    assert!(estimate.chains.iter().any(|chain| chain.status == Status::Dead), "{position:#}");
    for ((chain, lost), assumed) in estimate.chains.iter().zip(&estimate.lost).zip(estimate.assumed()) {
        let is_proved = chain.status.is_settled();
        assert_eq!(lost.is_none(), is_proved, "{position:#}");
        if is_proved {
            assert_eq!(*chain, assumed);
        } else {
            assert!(matches!(assumed.status, Status::Alive | Status::Dead));
        }
    }
    for point in position.size().points() {
        let shares = Color::BOTH.map(|color| estimate.ownership.share(point, color));
        assert!(
            shares.iter().all(|share| (0.0..=1.0).contains(share)) && shares[0] + shares[1] <= 1.0 + 1e-9
        );
    }
    assert_eq!(estimate.lost, self::estimate(&position).lost);
}

/// A chain that is captured whatever it does is lost in nearly all playouts, and one that cannot be captured in hardly any. Nothing else is proved here.
#[test]
fn clear_cases_are_clear() {
    let diagram = ". . . . . . . . .
                   . O O O O O . . .
                   . O X X . O . . .
                   . . O O O . . . .
                   . . . . . . . . .
                   . . . X X X . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .";
    let board: Board = Board::from_diagram(diagram, RULES.suicide).unwrap();
    let position = board.position();
    let unknown = |chain: ChainStatus| ChainStatus { status: Status::Unknown, ..chain };
    let chains = StatusSolver::new(RULES.suicide, RULES.ko).chains(&position).into_iter().map(unknown);
    let estimate = Estimate::new(AnyPosition::new(&position), RULES, chains.collect());
    let lost = |name: &str| {
        let stone = Point::from_gtp(name, position.size()).unwrap();
        let (_, lost) = estimate.estimated().find(|(chain, _)| chain.stones.contains(&stone)).unwrap();
        lost
    };
    assert!(lost("C7") > 0.9 && lost("D4") < 0.3 && lost("D8") < 0.1, "{:?}", estimate.lost);
}

/// The aim is 19 of 20 boards.
#[test]
fn finds_the_dead_stones_that_people_agreed_on() {
    let Some(records) = labelled("ogs_score_estimator.jsonl") else { return };
    let (mut same, mut others) = (0, Vec::new());
    for record in &records {
        let rows = rows(&record["rows"]);
        let size = BoardSize::new(rows[0].len(), rows.len()).unwrap();
        let mut game: Game = Game::new(size, RULES);
        let stones = size.points().filter_map(|point| {
            let sign = rows[usize::from(point.y)].as_bytes()[usize::from(point.x)];
            let color = match sign {
                b'X' => Color::Black,
                b'O' => Color::White,
                _ => return None,
            };
            Some((point, color))
        });
        game.set_position(stones, Color::Black).unwrap();
        let position = game.board().position();
        let coordinate = |value: &Value| value.as_u64().unwrap() as u8;
        let labels = record["expected"]["dead"].as_array().unwrap();
        let mut expected: Vec<Point> =
            labels.iter().map(|point| Point::new(coordinate(&point[0]), coordinate(&point[1]))).collect();
        expected.sort();
        match dead(&position, &estimate(&position)) == expected {
            true => same += 1,
            false => others.push(record["id"].as_str().unwrap()),
        }
    }
    println!("{same} of {} boards; the others are {others:?}", records.len());
    assert!(100 * same >= 95 * records.len(), "{same} of {}: {others:?}", records.len());
}
