//! Matches between policies that hold certified statuses.

use std::{fs, path::Path, time::Duration};

use jigo_engine::{
    BoardSize, Color, Komi,
    life::{Status, StatusSolver},
    protocol::{GameEnd, GameEvent, Phase, Protocol},
    rules::Preset,
};
use jigo_selfplay::{
    Progress,
    matches::{
        Adjudication, DeadStones, MatchEnding, MatchError, MatchResult, MatchSpec, Openings, play_match,
    },
    sgf::{read_collection, to_protocol},
};

fn spec(rules: &str, policies: [&str; 2], limits: [usize; 2], games: u64) -> MatchSpec {
    let size = BoardSize::square(7).unwrap();
    MatchSpec {
        players: policies.map(|policy| format!("policy:{policy}").parse().unwrap()),
        size,
        rules: rules.parse().unwrap(),
        komi: Komi::from_half_points(13),
        handicap: 0,
        games,
        seed: 3,
        ply_cap: 400,
        time_limit: Duration::from_secs(20),
        clock: None,
        time_margin: Duration::ZERO,
        stop_rule: None,
        openings: Openings::Random(3),
        adjudication: Adjudication::Certified { limits },
        threads: 1,
    }
}

fn play(dir: &Path, spec: &MatchSpec) -> Vec<MatchResult> {
    play_match(dir, spec, &Progress::new()).unwrap()
}

/// The games on the disk, replayed event by event.
fn games(dir: &Path) -> Vec<Protocol> {
    let bytes = fs::read(dir.join("games.sgf")).unwrap();
    let games = read_collection(&bytes);
    games.into_iter().map(|record| to_protocol(&record.unwrap().game).unwrap()).collect()
}

#[test]
fn certified_dead_stones_are_removed_and_counted() {
    for rules in ["japanese", "czech", "chinese", "makrai-territory"] {
        let folder = tempfile::tempdir().unwrap();
        let spec = spec(rules, ["settled:k=3", "guarded:k=3"], [StatusSolver::DEFAULT_LIMIT; 2], 40);
        let results = play(folder.path(), &spec);
        let (mut removed, mut details) = (0, 0);
        for (result, game) in results.iter().zip(games(folder.path())) {
            assert_eq!(
                (result.ending, result.dead),
                (MatchEnding::TwoPasses, DeadStones::Agreed),
                "{result:?}"
            );
            assert_eq!(result.half_points, Some(game.result().unwrap().result()));
            let dead: Vec<_> = game.dead().collect();
            let chains =
                StatusSolver::new(spec.rules.suicide, spec.rules.ko).chains(&game.game().board().position());
            // Stones in eyes of sekis may be left standing.
            let has_seki = chains.iter().any(|chain| chain.status == Status::Seki);
            for chain in chains.iter().filter(|chain| chain.status == Status::Dead) {
                assert!(has_seki || dead.contains(&chain.stones[0]), "{rules} game {}", result.game);
            }
            removed += dead.len();
            details += usize::from(result.detail.contains("removed"));
        }
        println!("{rules}: {removed} stones in {details} of {} games", results.len());
        assert!(results.len() == 40 && details >= 10 && removed >= 30, "{removed} {details}");
    }
}

#[test]
fn who_knows_less_is_shown_and_the_match_is_repeatable() {
    let (mut disputes, mut proposals) = (0, 0);
    for rules in ["japanese", "czech", "tromp-taylor", "brainking", "makrai-area", "makrai-territory"] {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let spec = spec(rules, ["settled:k=1"; 2], [StatusSolver::DEFAULT_LIMIT, 0], 60);
        let [results, again] = folders.each_ref().map(|folder| play(folder.path(), &spec));
        assert_eq!(results, again);
        for name in ["games.sgf", "games.jsonl", "games.parquet"] {
            let [one, other] = folders.each_ref().map(|folder| fs::read(folder.path().join(name)).unwrap());
            assert!(one == other, "{name}");
        }
        // Legal event by event, with the plies that the result states.
        for (result, game) in results.iter().zip(games(folders[0].path())) {
            // By marking a rejected proposal is a turn.
            let rejected =
                game.record().iter().filter(|(_, event)| *event == GameEvent::Reject).count() as u32;
            let turns = if rules == "brainking" { rejected } else { 0 };
            assert_eq!(result.plies, game.game().ply_count() + turns);
            proposals += turns;
            disputes += usize::from(result.detail.contains("dispute"));
        }
    }
    println!("{disputes} games with a dispute");
    assert!(disputes >= 5 && proposals >= 2, "{disputes} {proposals}");
}

/// By marking Black puts the stones at once, else one after the other; on the small board the policy would pass before all are there.
#[test]
fn handicaps_follow_the_protocol() {
    for (size, rules, handicap, opening) in [
        ("7", "tromp-taylor", 4, 2),
        ("7", "chinese", 3, 5),
        ("7", "brainking", 4, 2),
        ("7", "brainking", 2, 3),
        ("9", "czech", 11, 3),
        ("7", "japanese", 3, 0),
        ("7", "makrai-area", 3, 1),
        ("3", "tromp-taylor", 7, 0),
        ("3", "brainking", 7, 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let spec = spec(rules, ["settled:k=3", "eye-safe"], [StatusSolver::DEFAULT_LIMIT, 0], 6);
        let size = size.parse().unwrap();
        let spec = MatchSpec { size, handicap, openings: Openings::Random(opening), ..spec };
        let results = play(folder.path(), &spec);
        let games = games(folder.path());
        for (result, game) in results.iter().zip(&games) {
            assert_eq!(game.conduct().handicap, handicap);
            let expected = game.result().map(|count| count.result());
            assert!(
                result.half_points == expected || result.ending == MatchEnding::PlyCap,
                "{rules}: {result:?}"
            );
            let put: Vec<_> = game.record().iter().take_while(|(color, _)| *color == Color::Black).collect();
            let events = match rules {
                "czech" | "japanese" => 0,
                "brainking" => 1,
                _ => handicap as usize,
            };
            assert_eq!(put.len(), events, "{rules}");
        }
        // An opening begins with Black's stones; those that are put at once may be more than it has.
        if opening > 0 && (rules != "brainking" || opening >= handicap) {
            assert_eq!(games[0].record()[..1], games[1].record()[..1], "{rules}");
        }
        assert_eq!(play(folder.path(), &spec), results);
    }
}

/// Under rules that end by passes, players who neither agree nor put a stone pass four times.
#[test]
fn without_agreement_four_passes_end_the_game_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec("tromp-taylor", ["settled:k=1"; 2], [StatusSolver::DEFAULT_LIMIT, 0], 100);
    let mut disputed = 0;
    for (result, game) in play(folder.path(), &spec).iter().zip(games(folder.path())) {
        let is_disputed = result.dead == DeadStones::Disputed;
        assert!(is_disputed || result.dead == DeadStones::Agreed, "{result:?}");
        let passes = game.record().iter().rev().filter(|(_, event)| *event != GameEvent::Reject);
        let passes = passes.filter(|(_, event)| !matches!(event, GameEvent::Mark(_) | GameEvent::Propose));
        let passes = passes.take_while(|(_, event)| *event == GameEvent::Pass).count();
        assert_eq!((passes == 4, result.detail.contains("four passes")), (is_disputed, is_disputed));
        if is_disputed {
            assert_eq!((result.ending, game.dead().count()), (MatchEnding::TwoPasses, 0));
            let area = game.game().board().area().margin();
            assert_eq!(result.half_points, Some(spec.komi.apply(area)));
            disputed += 1;
        }
    }
    assert!(disputed > 0);
}

/// Uniform play passes only when it must, so that games on tiny boards go round in a cycle.
#[test]
fn a_true_cycle_is_a_draw() {
    let folder = tempfile::tempdir().unwrap();
    let spec = MatchSpec {
        size: BoardSize::new(3, 2).unwrap(),
        openings: Openings::Empty,
        ..spec("makrai-area", ["uniform"; 2], [StatusSolver::DEFAULT_LIMIT; 2], 20)
    };
    let results = play(folder.path(), &spec);
    for (result, game) in results.iter().zip(games(folder.path())) {
        assert_eq!(*game.phase(), Phase::Finished(GameEnd::Repeated));
        assert_eq!((result.ending, result.winner, result.half_points), (MatchEnding::Cycle, None, None));
    }
    assert_eq!(results.len(), 20);
}

#[test]
fn games_that_the_cap_cuts_off_are_recorded() {
    let mut endings = [0; 2];
    for ply_cap in 60..80 {
        let folder = tempfile::tempdir().unwrap();
        let limits = [StatusSolver::DEFAULT_LIMIT, 0];
        let spec = MatchSpec { ply_cap, ..spec("czech", ["settled:k=1"; 2], limits, 20) };
        for result in play(folder.path(), &spec) {
            let is_cut_off = result.ending == MatchEnding::PlyCap;
            assert_eq!(is_cut_off, result.dead == DeadStones::NotAsked, "{result:?}");
            assert!(result.plies == ply_cap || !is_cut_off && result.plies < ply_cap, "{result:?}");
            endings[usize::from(is_cut_off)] += 1;
        }
    }
    assert!(endings.iter().all(|&games| games > 20), "{endings:?}");
}

#[test]
fn what_cannot_hold_statuses_or_be_recorded_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |spec: &MatchSpec| match play_match(folder.path(), spec, &Progress::new()) {
        Err(MatchError::InvalidSpec(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let good = spec("hups", ["eye-safe"; 2], [StatusSolver::DEFAULT_LIMIT; 2], 1);
    let program =
        MatchSpec { players: ["policy:eye-safe", "gnugo"].map(|name| name.parse().unwrap()), ..good.clone() };
    assert!(refused(&program).contains("--adjudicate engines"));
    let makrai = Preset::MakraiArea.into();
    let alive = MatchSpec { rules: makrai, adjudication: Adjudication::AllAlive, ..good.clone() };
    assert!(refused(&alive).contains("--adjudicate certified"));
    assert_eq!(play(folder.path(), &good).len(), 1);
}

#[test]
fn the_text_of_an_adjudication_round_trips() {
    let limits = StatusSolver::DEFAULT_LIMIT;
    for (text, expected) in [
        ("as-it-stands", Adjudication::AllAlive),
        ("engines", Adjudication::Engines),
        ("certified", Adjudication::Certified { limits: [limits; 2] }),
        ("certified:9,10", Adjudication::Certified { limits: [9, 10] }),
    ] {
        assert_eq!(text.parse(), Ok(expected));
        assert_eq!(expected.to_string(), text);
    }
    assert_eq!("certified:7".parse(), Ok(Adjudication::Certified { limits: [7, 7] }));
    for text in ["", "certified:", "certified:1,", "certified:1,2,3", "certified:many"] {
        assert!(text.parse::<Adjudication>().is_err(), "{text}");
    }
}
