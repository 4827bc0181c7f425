//! Search players in games that begin in every way there is, and what they need.

use std::collections::BTreeSet;

use crate::kept::Games;
use jigo_engine::{
    BoardSize, Color, Game, Komi, Move, Point,
    protocol::{Conduct, GameEvent, Protocol},
    rules::Preset,
};
use jigo_selfplay::{
    Decision, Player as _, Policy, Progress, Run, Stream,
    gtp::{Gtp, GtpOptions},
    matches::{Adjudication, MatchSpec, play_match},
    search::{Uct, UctPlayer},
};

fn uct(text: &str) -> Uct {
    let Ok(Policy::Uct(uct)) = text.parse() else { panic!("a search player") };
    uct
}

/// Single moves are those of a run, from a position too.
#[test]
fn players_move_as_in_a_run() {
    let run = Run::new("4x3", "tromp-taylor", "uct:playouts=9,opening=3").unwrap();
    let player = || UctPlayer::new(uct(&run.config.policy.to_string()));
    let mut start = Game::new(run.config.size, *run.config.rules);
    for (plies, games) in [(0, 20), (1, 20), (4, 5)] {
        while start.ply_count() < plies {
            let point = start.legal_points().next().unwrap();
            start.play(Move::Play(point)).unwrap();
        }
        let from = run.start_at(&start);
        let expected: Games = from.play(0..games, Games::default, &Progress::new()).unwrap();
        let found: Games = from.play_with(player, 0..games, Games::default, &Progress::new()).unwrap();
        let moves =
            |games: &Games| games.0.values().map(|(record, _)| record.moves.clone()).collect::<Vec<_>>();
        assert_eq!(moves(&found), moves(&expected), "{plies}");
        let first: BTreeSet<_> =
            expected.0.values().map(|(record, _)| record.moves[0].code(run.config.size)).collect();
        assert!(plies > 2 || first.len() > 4, "{first:?}");
    }
}

/// The moves of a game give its record without the searches, and illegal ones give none.
#[test]
fn games_are_replayed_from_their_moves() {
    let mut rejected = 0;
    for (rules, policy) in [
        ("tromp-taylor", "uct:playouts=12"),
        ("area+situational-superko", "uct:playouts=5,opening=4,suicide=rules"),
        ("area+simple-ko", "uct:playouts=9"),
    ] {
        let config = Run::new("3x4", rules, policy).unwrap().config.with_handicap(2).unwrap();
        let run = jigo_selfplay::RunConfig { count_forbidden: true, ..config }.seed(3);
        for record in run.games(0..500) {
            rejected += record.refused.len();
            let found = run.replay(record.game_index, &record.moves).unwrap();
            assert!(found.searches.iter().all(Option::is_none));
            let searches = record.searches.clone();
            assert_eq!(jigo_selfplay::GameRecord { searches, ..found }, record);
            let again = [record.moves.as_slice(), &record.moves[..1]].concat();
            assert!(run.replay(record.game_index, &again).is_err());
        }
    }
    assert!(rejected > 5, "{rejected}");
}

#[test]
fn every_handicap_stone_is_put() {
    for handicap in [4, 9, 15] {
        let run = Run::new("5", "chinese", "uct:playouts=20").unwrap();
        let config = run.config.with_handicap(handicap).unwrap();
        for record in config.seed(1).games(0..20) {
            let stones = record.moves.iter().take(handicap as usize);
            assert!(stones.clone().all(|&mv| mv != Move::Pass), "{handicap}: {stones:?}");
        }
    }
}

/// A continuation in which the best move of the game is forbidden: the ko is locked. As in the engine's test of the source.
#[test]
fn whole_games_decide_what_is_legal() {
    let rows = [
        "...........",
        ".......OOOO",
        "OO...OOOXXX",
        ".OO..OXXX.X",
        "OXOOOOX.OXO",
        "XXOOOXXOOOO",
        ".XO.OXO.OOO",
    ];
    let size = BoardSize::new(11, 7).unwrap();
    let stones = rows.iter().zip(0..).flat_map(|(row, y)| {
        let stone = move |(x, stone)| match stone {
            'X' => Some((Point::new(x, y), Color::Black)),
            'O' => Some((Point::new(x, y), Color::White)),
            _ => None,
        };
        (0..).zip(row.chars()).filter_map(stone)
    });
    let conduct = Conduct::new(Preset::MakraiArea, size);
    let mut game = Protocol::from_position(size, conduct, stones, Color::Black).unwrap();
    for text in [
        "play A4",
        "pass",
        "pass",
        "demand modified",
        "play A3",
        "play H1",
        "play K4",
        "play A4",
        "play G1",
        "play K3",
        "challenge A3",
        "challenge H1",
        "challenge K4",
        "play H1",
        "play K4",
        "pass",
        "play A3",
        "play K3",
        "play G1",
    ] {
        game.apply(game.to_play(), GameEvent::from_text(text, size).unwrap()).unwrap();
    }
    let locked = Move::from_gtp("A4", size).unwrap();
    let mut player = UctPlayer::new(uct("uct:playouts=200"));
    player.begin(game.game(), Komi::ZERO).unwrap();
    let mut would_be_locked = 0;
    for seed in 0..20 {
        let chosen = player.choose(game.game(), &mut Stream::new(seed, 0)).unwrap();
        would_be_locked += usize::from(chosen == locked.into());
        let chosen = player.choose_by_protocol(&game, &mut Stream::new(seed, 0)).unwrap();
        let Decision::Move(mv) = chosen else { panic!("it resigned") };
        let event = mv.point().map_or(GameEvent::Pass, GameEvent::Play);
        assert_eq!(game.check(game.to_play(), &event), Ok(()), "{seed}: {}", mv.to_gtp(size));
    }
    assert!(would_be_locked > 0, "the forbidden move is never the best");
}

/// A certified match ends at once where it is stopped, and keeps the games that are finished.
#[test]
fn a_certified_match_can_be_stopped() {
    let player = || "policy:uct:playouts=20000".parse().unwrap();
    let spec = MatchSpec {
        adjudication: Adjudication::Certified { limits: [100; 2] },
        ..MatchSpec::new([player(), player()], BoardSize::square(9).unwrap(), Preset::Chinese)
    };
    let (folder, progress) = (tempfile::tempdir().unwrap(), Progress::new());
    let played = std::thread::scope(|scope| {
        let playing = scope.spawn(|| play_match(folder.path(), &spec, &progress));
        std::thread::sleep(std::time::Duration::from_millis(300));
        progress.stop();
        playing.join().expect("no panic")
    });
    assert!(played.unwrap().len() < 20);
}

#[test]
fn trees_that_are_too_large_are_refused_before_play() {
    let (small, large) = ("uct:playouts=1000000", "uct:playouts=1000000,expand=1");
    assert!(Run::new("19", "chinese", small).is_ok() && Run::new("5", "chinese", large).is_ok());
    let error = Run::new("19", "chinese", large).unwrap_err().to_string();
    for part in [large, " on 19x19 ", "the limit is 2048 MiB: choose fewer playouts or a larger expand=N"] {
        assert!(error.contains(part), "{error}");
    }
    let players = ["policy:eye-safe".parse().unwrap(), format!("policy:{large}").parse().unwrap()];
    let spec = MatchSpec::new(players, BoardSize::square(19).unwrap(), Preset::Chinese);
    let folder = tempfile::tempdir().unwrap();
    let refused = play_match(folder.path(), &spec, &Progress::new()).unwrap_err();
    assert_eq!(refused.to_string(), error);
    assert!(folder.path().read_dir().unwrap().next().is_none(), "a match was begun");
    let policy = large.parse().unwrap();
    let mut gtp =
        Gtp::new(&GtpOptions { size: BoardSize::square(2).unwrap(), policy, ..GtpOptions::default() });
    gtp.answer("boardsize 19").unwrap().result.unwrap();
    let refused = gtp.answer("genmove black").unwrap().result.unwrap_err();
    assert_eq!(refused, format!("the player failed: {error}"));
}

/// The table of memory in `docs/playouts.md`.
#[test]
fn memory_is_as_documented() {
    let page = include_str!("../../docs/playouts.md");
    let row = |size: &str| {
        let bytes = |playouts| Uct::new(playouts).tree_bytes(size.parse().unwrap());
        let trees = [1000, 10_000, 100_000, 1_000_000]
            .map(|playouts| format!("{:.1} MB", bytes(playouts) as f64 / 1e6));
        format!("| {size}×{size} | {} | {} |\n", bytes(1), trees.join(" | "))
    };
    let table = ["5", "9", "13", "19"].map(row).concat();
    assert!(page.contains(&table), "{table}");
}
