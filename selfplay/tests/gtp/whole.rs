//! Whole games by the commands of events.

use jigo_engine::{protocol::GameEvent, rules::RuleSet};

use super::{Draws, ask, engine, fail, state};

/// Random events, legal or not: an error changes nothing, `jigo-check` foretells it, undo takes every event back, and records are read back.
#[test]
fn events_are_those_of_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf").to_str().unwrap().to_owned();
    let mut draws = Draws(11);
    let texts: Vec<String> = GameEvent::FORMS
        .iter()
        .map(|form| {
            form.replace("C3 D4 ...", "B2 C3").replace("dead|alive", "dead").replace(" [modified]", "")
        })
        .collect();
    for name in RuleSet::all() {
        let mut gtp = engine("4", "tromp-taylor");
        ask(&mut gtp, &format!("jigo-begin {name}"));
        let (mut states, mut failed) = (Vec::new(), 0);
        for _ in 0..150 {
            let color = ["black", "white"][draws.below(2)];
            let text = match draws.below(3) {
                0 => "pass",
                1 => "play C3",
                _ => &texts[draws.below(texts.len() - 1)],
            };
            let text = text.replace("C3", draws.one_of(&["A1", "A2", "B2", "C3", "D4", "C2"]));
            let before = (ask(&mut gtp, "jigo-phase"), ask(&mut gtp, "jigo-events"));
            let foretold = ask(&mut gtp, &format!("jigo-check {color} {text}"));
            let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
            let command = match word {
                "play" => format!("play {color} {rest}"),
                "pass" => format!("play {color} pass"),
                // Handicap stones are always Black's.
                "handicap" => format!("jigo-handicap {rest}"),
                _ => format!("jigo-{word} {color} {rest}"),
            };
            if foretold == "1" && word != "handicap" {
                states.push(before);
                ask(&mut gtp, &command);
            } else {
                let error = fail(&mut gtp, &command);
                if word != "handicap" {
                    assert_eq!(error.replace("illegal move: ", "0 "), foretold, "{name}: {command}");
                }
                failed += 1;
                assert_eq!((ask(&mut gtp, "jigo-phase"), ask(&mut gtp, "jigo-events")), before);
            }
        }
        assert!(states.len() > 3 && failed > 3, "{name}: {} events, {failed} errors", states.len());
        let asked = ["jigo-phase", "jigo-events", "jigo-conduct", "showboard", "all_legal b", "get_komi"];
        let told = asked.map(|command| ask(&mut gtp, command));
        ask(&mut gtp, &format!("printsgf {path}"));
        let mut other = engine("9", "japanese");
        ask(&mut other, &format!("loadsgf {path}"));
        assert_eq!(asked.map(|command| ask(&mut other, command)), told, "{name}");
        while let Some(before) = states.pop() {
            ask(&mut gtp, "undo");
            assert_eq!((ask(&mut gtp, "jigo-phase"), ask(&mut gtp, "jigo-events")), before, "{name}");
        }
        assert!(fail(&mut gtp, "undo").starts_with("cannot undo"));
    }
}

#[test]
fn a_whole_game_leaves_the_session_as_it_was() {
    let mut gtp = engine("9", "aga");
    let before = state(&mut gtp);
    ask(&mut gtp, "jigo-begin makrai-territory");
    assert_eq!(ask(&mut gtp, "get_komi"), "0");
    for command in ["komi 3", "kata-set-rules japanese", "fixed_handicap 2", "jigo-begin hups"] {
        assert_eq!(fail(&mut gtp, command), "a whole game is being played: send clear_board first");
    }
    ask(&mut gtp, "clear_board");
    assert_eq!(state(&mut gtp), before);
    for command in ["jigo-phase", "jigo-propose b", "jigo-check b pass"] {
        assert_eq!(fail(&mut gtp, command), "no whole game is being played: send jigo-begin first");
    }
}

#[test]
fn handicap_and_komi_of_the_session_apply() {
    for (rules, phase) in
        [("czech", "playing white"), ("brainking", "playing white"), ("aga", "playing white")]
    {
        let mut gtp = engine("9", rules);
        ask(&mut gtp, "komi 2.5");
        ask(&mut gtp, "fixed_handicap 3");
        let stones = ask(&mut gtp, "list_stones b");
        ask(&mut gtp, &format!("jigo-begin {rules}"));
        assert!(ask(&mut gtp, "jigo-conduct").ends_with("komi=2.5; handicap=3"), "{rules}");
        assert_eq!((ask(&mut gtp, "list_stones b"), ask(&mut gtp, "jigo-phase")), (stones, phase.to_owned()));
    }
}

#[test]
fn generated_moves_follow_the_protocol() {
    for name in RuleSet::all() {
        let mut gtp = engine("4", "tromp-taylor");
        ask(&mut gtp, &format!("jigo-begin {name}"));
        let mut plies = 0;
        while ask(&mut gtp, "jigo-phase").starts_with("playing") && plies < 400 {
            let color = if ask(&mut gtp, "jigo-phase").ends_with("black") { "b" } else { "w" };
            ask(&mut gtp, &format!("genmove {color}"));
            plies += 1;
        }
        let phase = ask(&mut gtp, "jigo-phase");
        if phase.starts_with("finished") {
            assert_eq!(phase, "finished draw", "{name}");
            continue;
        }
        let color = phase.strip_prefix("stopped ").unwrap_or_else(|| panic!("{name}: {phase}"));
        if ask(&mut gtp, &format!("jigo-check {color} pass")) != "1" {
            let error = fail(&mut gtp, &format!("genmove {color}"));
            assert!(error.contains("jigo-propose"), "{name}: {error}");
        }
    }
}

#[test]
fn a_generated_pass_hands_over_a_stone_where_passes_cost_one() {
    let mut gtp = engine("1", "tromp-taylor");
    for command in ["jigo-begin czech", "play b pass", "play w pass", "jigo-propose b", "jigo-reject w"] {
        ask(&mut gtp, command);
    }
    assert_eq!(
        fail(&mut gtp, "play b pass"),
        "illegal move: resumption: who passes hands over a stone as prisoner"
    );
    assert_eq!(ask(&mut gtp, "genmove b"), "pass");
    assert!(ask(&mut gtp, "jigo-events").ends_with("black hand-over"));
}

#[test]
fn rules_with_fixed_handicap_refuse_other_stones() {
    for rules in ["czech", "japanese"] {
        let error = fail(&mut engine("9", rules), "set_free_handicap A1 B2");
        assert_eq!(error, "bad vertex list: these rules fix the handicap stones: send fixed_handicap");
    }
    ask(&mut engine("9", "brainking"), "set_free_handicap A1 B2");
}
