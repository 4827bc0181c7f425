//! Games compared with the engine's.

use jigo_engine::{BoardSize, Color, Game, Move, Point, Rules};
use jigo_selfplay::{
    Policy, RunConfig,
    gtp::{Gtp, GtpOptions},
};

use super::{Draws, ask, engine, fail, state};

/// The legal points as the engine has them, for the player to move.
fn legal(game: &Game) -> Vec<Point> {
    game.board().size().points().filter(|&point| game.check_point(point).is_ok()).collect()
}

fn names(points: &[Point], size: BoardSize) -> String {
    points.iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>().join(" ")
}

/// Random games, out of turn now and then and on after two passes, are those of `Game`; taken back, they are what they were, superko and all.
#[test]
fn games_are_those_of_the_engine_and_undo_is_exact() {
    let mut draws = Draws(7);
    let mut superko = 0;
    for round in 0..120 {
        let size: BoardSize = draws.one_of(&["2x1", "2", "3x2", "3", "4", "5"]).parse().unwrap();
        let all: Vec<Rules> = Rules::lattice().collect();
        let rules = draws.one_of(&all);
        let mut gtp = engine(&size.to_string(), &rules.to_string());
        let mut game: Game = Game::new(size, rules);
        let mut states = Vec::new();
        for _ in 0..60 {
            let color = if draws.below(12) == 0 { game.to_play().opponent() } else { game.to_play() };
            states.push(state(&mut gtp));
            game.set_to_play(color);
            let points = legal(&game);
            assert_eq!(ask(&mut gtp, &format!("all_legal {color}")), names(&points, size), "round {round}");
            superko += game.board().legal_points().count() - points.len();
            let forbidden = size.points().find(|point| !points.contains(point));
            if let Some(point) = forbidden {
                let error = fail(&mut gtp, &format!("play {color} {}", point.to_gtp(size)));
                let reason = game.check_point(point).unwrap_err();
                assert_eq!(error, format!("illegal move: {reason}"));
            }
            let mv = match points.len() {
                count if count > 0 && draws.below(10) > 0 => Move::Play(draws.one_of(&points)),
                _ => Move::Pass,
            };
            ask(&mut gtp, &format!("play {color} {}", mv.to_gtp(size)));
            match mv {
                Move::Play(point) => drop(game.play_unchecked(point)),
                Move::Pass => game.pass(),
            }
            for color in Color::BOTH {
                let captures = ask(&mut gtp, &format!("captures {color}"));
                assert_eq!(captures, game.prisoners(color.opponent()).to_string());
            }
        }
        while let Some(before) = states.pop() {
            ask(&mut gtp, "undo");
            assert_eq!(state(&mut gtp), before, "round {round}, ply {}", states.len());
        }
        assert!(fail(&mut gtp, "undo").starts_with("cannot undo"));
    }
    assert!(superko > 100, "{superko}");
}

#[test]
fn genmove_plays_the_games_of_the_seed() {
    for (size, rules, policy) in [
        ("5", "tromp-taylor", "uniform"),
        ("9", "chinese", "eye-safe"),
        ("7", "aga", "guarded:k=2"),
        ("6", "tromp-taylor", "settled:k=3"),
        ("13x9", "japanese", "eye-safe"),
        ("4", "chinese", "uct:playouts=40"),
    ] {
        let (size, policy): (BoardSize, Policy) = (size.parse().unwrap(), policy.parse().unwrap());
        let spec = RunConfig::new(size, rules.parse::<jigo_engine::RuleSet>().unwrap(), policy).seed(5);
        let options = GtpOptions { size, rules: spec.config.rules, policy, seed: 5, ..GtpOptions::default() };
        let mut gtp = Gtp::new(&options);
        for game_index in 0..3 {
            let record = spec.game(game_index);
            ask(&mut gtp, "clear_board");
            for (ply, mv) in record.moves.iter().enumerate() {
                let color = Color::BOTH[ply % 2];
                assert_eq!(ask(&mut gtp, &format!("reg_genmove {color}")), mv.to_gtp(size));
                assert_eq!(ask(&mut gtp, &format!("genmove {color}")), mv.to_gtp(size), "{size}, ply {ply}");
            }
        }
    }
}

#[test]
fn free_handicap_is_what_is_answered() {
    for (policy, size, fewest) in [("uniform", "3", 8), ("eye-safe", "3", 3), ("uniform", "3x1", 2)] {
        let (policy, size): (Policy, BoardSize) = (policy.parse().unwrap(), size.parse().unwrap());
        let asked = size.point_count() - 1;
        let mut least = asked;
        for seed in 0..200 {
            let mut gtp = Gtp::new(&GtpOptions { size, policy, seed, ..GtpOptions::default() });
            let answer = ask(&mut gtp, &format!("place_free_handicap {asked}"));
            let mut placed: Vec<Point> =
                answer.split(' ').map(|name| Point::from_gtp(name, size).unwrap()).collect();
            placed.sort_by_key(|point| point.index(size));
            assert_eq!(ask(&mut gtp, "list_stones black"), names(&placed, size));
            least = least.min(placed.len());
        }
        assert!(least >= fewest, "{size} {policy}: {least}");
    }
}
