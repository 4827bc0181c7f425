//! Players of one's own in runs, matches and for GTP, and runs from a position.

use std::{sync::Arc, sync::Mutex};

use crate::kept::Games;
use jigo_engine::{Color, Game, Komi, Move, Point};
use jigo_selfplay::{
    Backend, Decision, End, GameRecord, Player, PlayerError, Progress, Run, RunError, Signature, Stream,
    gtp::{Gtp, GtpOptions},
    matches::{Contestant, MatchEnding, MatchError, MatchResult, MatchSpec, PlayerSpec, play_match},
    policy::PlayoutPolicy,
};

/// Returns a game of the run after so many plies, which is not over then.
fn position(run: &Run, plies: usize) -> Game {
    let mut game = Game::new(run.config.size, *run.config.rules);
    let record = run.games(0..1000).find(|record| record.moves.len() > plies + 1).expect("a longer game");
    for &mv in record.moves.iter().take(plies) {
        game.play(mv).unwrap();
    }
    game
}

#[test]
fn games_from_a_position_are_the_same_on_every_backend() {
    let mut old_repetitions = 0;
    for (size, rules, policy, plies) in [
        ("9", "tromp-taylor", "eye-safe", 40),
        ("3", "tromp-taylor", "uniform", 20),
        ("2", "new-zealand", "uniform", 8),
        ("3x4", "situational-superko", "eye-safe:suicide=rules", 20),
        ("4x3", "chinese", "guarded:k=2", 12),
        ("9x13", "chinese", "settled:k=3", 60),
    ] {
        let run = Run::new(size, rules, policy).unwrap();
        let start = position(&run, plies);
        let from = run.start_at(&start);
        let expected: Games = from.play_on(Backend::Board, 0..200, Games::default, &Progress::new()).unwrap();
        assert_eq!(expected.0.len(), 200);
        for backend in Backend::available().filter(|backend| backend.can_play(&run)) {
            let found: Games = from.play_on(backend, 0..200, Games::default, &Progress::new()).unwrap();
            assert_eq!(found, expected, "{size} {policy} {backend}");
        }
        assert!(from.games(0..200).eq(expected.0.values().map(|(record, _)| record.clone())));
        for (index, (record, last)) in &expected.0 {
            let mut game = start.clone();
            let played = run.config.policy.playout().play_out(
                &mut game,
                &mut Stream::new(run.seed, *index),
                run.config.ply_cap,
            );
            assert_eq!(GameRecord { game_index: *index, ..played }, *record);
            assert_eq!(game.board().position().to_string(), *last);
            let mut again = start.clone();
            assert!(record.moves.iter().all(|&mv| again.play(mv).is_ok()));
            let is_old =
                |event: &&jigo_selfplay::SuperkoEvent| event.repetition.earlier_ply < start.ply_count();
            old_repetitions += record.refused.iter().filter(is_old).count();
        }
    }
    assert!(old_repetitions > 20, "{old_repetitions} repetitions of positions before the start");
}

#[test]
fn runs_by_a_player_are_the_same_on_any_number_of_threads() {
    let run = Run::new("5", "tromp-taylor", "eye-safe").unwrap().seed(3);
    let expected: Signature = run.play(0..300, Signature::default, &Progress::new()).unwrap();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| {
            run.play_with(|| PlayoutPolicy::EYE_SAFE, 0..300, Signature::default, &Progress::new())
        });
        assert_eq!(found.unwrap(), expected);
    }
    // A closure from a position; the same games as the policy plays there.
    let from = run.start_at(&position(&run, 7));
    let player = || {
        |game: &Game, stream: &mut Stream| {
            PlayoutPolicy::EYE_SAFE.sample(game, stream).map_or(Move::Pass, Move::Play)
        }
    };
    let closure: Signature = from.play_with(player, 0..300, Signature::default, &Progress::new()).unwrap();
    let policy: Signature = from.play(0..300, Signature::default, &Progress::new()).unwrap();
    assert_eq!(closure, policy);
}

#[test]
fn failing_players_end_a_run() {
    let run = Run::new("5", "tromp-taylor", "eye-safe").unwrap();
    let play = |run: &Run, mv: fn(&Game) -> Move| {
        run.play_with(
            || move |game: &Game, _: &mut Stream| mv(game),
            0..100,
            Games::default,
            &Progress::new(),
        )
    };
    for point in [Point::new(2, 2), Point::new(7, 0)] {
        let mv = if point.to_sgf() == "cc" {
            |_: &Game| Move::Play(Point::new(2, 2))
        } else {
            |_: &Game| Move::Play(Point::new(7, 0))
        };
        let error = play(&run, mv).unwrap_err();
        assert!(matches!(error, RunError::IllegalMove { .. }), "{error}");
    }
    let counted = run.count_forbidden();
    assert!(matches!(play(&counted, |_| Move::Pass), Err(RunError::CountsForbidden)));
    let stopped = Progress::new();
    stopped.stop();
    let error = run.play_with(|| PlayoutPolicy::Uniform, 0..100, Games::default, &stopped).unwrap_err();
    assert!(matches!(error, RunError::Stopped(_)));
    let error = run.play_with(|| Moody(1), 0..100, Games::default, &Progress::new()).unwrap_err();
    assert!(error.to_string().ends_with("tired"), "{error}");
    let resigned = run.play_with(|| Moody(9), 0..3, Games::default, &Progress::new()).unwrap();
    assert!(resigned.0.values().all(|(record, _)| record.end == End::BrokenOff && record.plies == 9));
}

/// Passes, and after so many plies resigns if their number is odd and above two, or fails.
struct Moody(u32);

impl Player for Moody {
    fn choose(&mut self, game: &Game, stream: &mut Stream) -> Result<Decision, PlayerError> {
        match game.ply_count() {
            plies if plies == self.0 && plies > 2 => Ok(Decision::Resign),
            plies if plies == self.0 => Err(PlayerError::new("tired")),
            _ => PlayoutPolicy::Uniform.choose(game, stream),
        }
    }
}

fn play_game(first: PlayerSpec) -> Result<Vec<MatchResult>, MatchError> {
    let folder = tempfile::tempdir().unwrap();
    let spec = MatchSpec::new(
        [first, "policy:eye-safe".parse().unwrap()],
        "5".parse().unwrap(),
        jigo_engine::rules::Preset::Chinese,
    );
    play_match(folder.path(), &MatchSpec { games: 4, ..spec }, &Progress::new())
}

#[test]
fn players_of_ones_own_play_matches() {
    let by_policy = play_game("policy:uniform".parse().unwrap()).unwrap();
    assert_eq!(play_game(PlayerSpec::custom("uniform", || PlayoutPolicy::Uniform)).unwrap(), by_policy);
    let lost = |plies| play_game(PlayerSpec::custom("moody", move || Moody(plies))).unwrap();
    let resigned = lost(10);
    assert_eq!(
        (resigned[0].ending, resigned[0].winner),
        (MatchEnding::Resignation, Some(Contestant::Second))
    );
    let failed = lost(2);
    assert_eq!((failed[0].ending, failed[0].detail.as_str()), (MatchEnding::Crash, "Black failed: tired"));
    let off_board =
        PlayerSpec::custom("off board", || |_: &Game, _: &mut Stream| Move::Play(Point::new(8, 8)));
    assert!(play_game(off_board).unwrap().iter().all(|result| result.ending == MatchEnding::IllegalMove));
}

#[test]
fn another_player_does_not_continue_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str| {
        let players =
            [PlayerSpec::custom(name, || PlayoutPolicy::Uniform), "policy:uniform".parse().unwrap()];
        let spec = MatchSpec::new(players, "3".parse().unwrap(), jigo_engine::rules::Preset::Chinese);
        play_match(folder.path(), &spec, &Progress::new())
    };
    let results = play("one").unwrap();
    assert_eq!(play("one").unwrap(), results);
    assert!(matches!(play("other"), Err(MatchError::OtherMatch { .. })));
}

/// Notes what it is told, and passes.
struct Listener(Arc<Mutex<Vec<String>>>);

impl Player for Listener {
    fn begin(&mut self, game: &Game, komi: Komi) -> Result<(), PlayerError> {
        self.0.lock().unwrap().push(format!("begin {} {komi}", game.board().size()));
        Ok(())
    }

    fn note(&mut self, game: &Game, color: Color, mv: Move) -> Result<(), PlayerError> {
        let text = format!("{} {color} {}", game.ply_count(), mv.to_gtp(game.board().size()));
        self.0.lock().unwrap().push(text);
        Ok(())
    }

    fn choose(&mut self, _: &Game, _: &mut Stream) -> Result<Decision, PlayerError> {
        Ok(Move::Pass.into())
    }
}

#[test]
fn gtp_tells_the_player_what_happens() {
    let told = Arc::default();
    let mut gtp = Gtp::with_player(&GtpOptions::default(), Box::new(Listener(Arc::clone(&told))));
    let mut expect = |command: &str, expected: &[&str]| {
        assert!(gtp.answer(command).unwrap().result.is_ok(), "{command}");
        assert_eq!(std::mem::take(&mut *told.lock().unwrap()), expected, "{command}");
    };
    expect("boardsize 5", &[]);
    expect("komi 2.5", &[]);
    expect("play b C3", &[]);
    expect("genmove w", &["begin 5x5 2.5", "1 Black C3"]);
    expect("play b D4", &[]);
    expect("genmove w", &["3 Black D4"]);
    expect("undo", &[]);
    expect("reg_genmove w", &["begin 5x5 2.5", "1 Black C3", "2 White pass", "3 Black D4"]);
    expect("genmove w", &["begin 5x5 2.5", "1 Black C3", "2 White pass", "3 Black D4"]);
    expect("clear_board", &[]);
    expect("genmove b", &["begin 5x5 2.5"]);
}
