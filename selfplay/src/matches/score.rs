//! Counting the end of a game.

use std::collections::BTreeSet;

use jigo_engine::{Color, Game, Point};

/// Black's points minus White's before komi by the [rules in full](jigo_engine::Position::score), with these stones taken to be dead.
pub(super) fn margin(game: &Game, dead: &BTreeSet<Point>) -> i32 {
    let dead: Vec<Point> = dead.iter().copied().collect();
    let prisoners = Color::BOTH.map(|color| game.prisoners(color));
    let ending = jigo_engine::score::ScoringContext { dead: &dead, prisoners, handicap_stones: 0 };
    game.board().position().score(game.rules(), &ending).margin()
}

/// Reads a list of stones, as GTP's `final_status_list` gives it, into all stones of the chains named.
pub(super) fn chains(answer: &str, game: &Game) -> Result<BTreeSet<Point>, String> {
    let board = game.board();
    let mut all = BTreeSet::new();
    for name in answer.split_whitespace() {
        let point = Point::from_gtp(name, board.size()).map_err(|error| error.to_string())?;
        if board.stone(point).is_none() {
            return Err(format!("no stone is on {name}"));
        }
        all.extend(board.chain_stones(point));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, Rules};

    use super::*;

    /// Black's wall on the third column of a 5×5 board, White's on the fourth, and a white chain of two behind Black's.
    fn game(rules: &str) -> Game {
        let rules: Rules = rules.parse().unwrap();
        let mut game = Game::new(BoardSize::square(5).unwrap(), rules);
        let column = |x, color| (0..5).map(move |y| (Point::new(x, y), color));
        let lost = [(Point::new(0, 0), Color::White), (Point::new(0, 1), Color::White)];
        let stones = column(2, Color::Black).chain(column(3, Color::White)).chain(lost);
        game.set_position(stones, Color::Black).unwrap();
        game
    }

    #[test]
    fn dead_stones_are_removed_by_chains() {
        let area = game("chinese");
        let dead = chains("A5", &area).unwrap();
        assert_eq!(dead.len(), 2);
        assert_eq!(margin(&area, &BTreeSet::new()), 5 - 12);
        assert_eq!(margin(&area, &dead), 15 - 10);
        // Ten points and two prisoners against five points.
        assert_eq!(margin(&game("japanese"), &dead), 12 - 5);
        assert_eq!(margin(&game("japanese"), &BTreeSet::new()), -5);
        // Two points for each living group.
        assert_eq!(margin(&game("group-tax"), &dead), 15 - 10);
        assert_eq!(margin(&game("group-tax"), &BTreeSet::new()), 5 - 12 - 2 + 4);
    }

    #[test]
    fn lists_must_name_stones() {
        for text in ["B5", "Z1", "A5,A4"] {
            assert!(chains(text, &game("chinese")).is_err(), "{text}");
        }
        assert!(chains("", &game("chinese")).unwrap().is_empty());
    }
}
