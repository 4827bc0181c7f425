//! The example games of pages.

use jigo_engine::{Color, IllegalMove, Move, Point};
use serde_json::Value;

use super::{page::page_of, *};
use crate::report::{
    examples::{Example, Kind, MAX_IN_PAGE, MAX_IN_RUN, chosen},
    html::SCRIPT,
};

/// The data of each viewer.
fn viewers(page: &str) -> Vec<Value> {
    let data = page.split("<script type=\"application/json\">").skip(1);
    data.map(|rest| serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap()).collect()
}

/// Studies that show every kind of example.
fn shown() -> Vec<Study> {
    let one = |side, rules: &str, policy: &str, games| {
        let mut study = Study::default();
        study.add(cell(side, rules.parse().unwrap(), policy.parse().unwrap(), games)).unwrap();
        study
    };
    vec![
        guarded_study(),
        one(5, "situational-superko", "guarded:k=3", 1500),
        one(4, "tromp-taylor", "uniform", 300),
        one(3, "new-zealand", "uniform", 200),
        one(9, "simple-ko", "uniform", 10),
        small_study(400),
    ]
}

fn examples(cell: &RunStats) -> Vec<Example<'_>> {
    let found: Vec<Example<'_>> = chosen(cell, MAX_IN_RUN)
        .into_iter()
        .map(|choice| Example::new(choice, &cell.config).expect("what was counted is found again"))
        .collect();
    assert!(found.len() <= MAX_IN_RUN);
    found
}

fn numbers(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

/// The stones after all steps, put and taken as the script does.
fn last_of(data: &Value, game: &Value) -> Vec<Option<Color>> {
    let points = data["size"].as_array().unwrap().iter().map(|side| side.as_u64().unwrap()).product::<u64>();
    let mut stones = vec![None; points as usize];
    for (ply, step) in game["plies"].as_array().unwrap().iter().enumerate() {
        let step = numbers(step);
        if step[0] >= 0 {
            assert_eq!(stones[step[0] as usize], None, "a stone on a stone");
            stones[step[0] as usize] = Some([Color::Black, Color::White][ply % 2]);
        }
        for &removed in &step[1..] {
            assert!(stones[removed as usize].take().is_some(), "no stone to remove");
        }
    }
    stones
}

#[test]
fn steps_lead_to_the_final_positions() {
    let (mut games, mut signs) = (0, 0);
    for study in shown() {
        let viewers = viewers(&page_of(&study, &meta()));
        let with_games: Vec<&RunStats> =
            study.runs.iter().filter(|cell| !examples(cell).is_empty()).collect();
        assert_eq!(viewers.len(), with_games.len());
        for (data, cell) in viewers.iter().zip(with_games) {
            let size = cell.config.size;
            let examples = examples(cell);
            assert_eq!(data["games"].as_array().unwrap().len(), examples.len());
            for (game, example) in data["games"].as_array().unwrap().iter().zip(&examples) {
                let expected: Vec<_> = size.points().map(|point| example.position.stone(point)).collect();
                assert_eq!(last_of(data, game), expected);
                assert_eq!(game["plies"].as_array().unwrap().len(), example.record.moves.len());
                for sign in game["signs"].as_array().unwrap() {
                    for stone in numbers(&sign[1]) {
                        let point = Point::from_index(stone as usize, size).unwrap();
                        let chain =
                            example.chains.iter().find(|chain| chain.stones.contains(&point)).unwrap();
                        assert_eq!(sign[0], chain.status.sign().to_string());
                        signs += 1;
                    }
                }
                games += 1;
            }
        }
    }
    assert!(games > 40 && signs > 40, "{games} games, {signs} signs");
}

/// The record in the page is the game, by the reader of records.
#[test]
fn records_are_the_games() {
    for study in shown() {
        for (cell, data) in study.runs.iter().zip(viewers(&page_of(&study, &meta()))) {
            for (game, example) in data["games"].as_array().unwrap().iter().zip(examples(cell)) {
                let text = game["sgf"].as_str().unwrap();
                let read = jigo_selfplay::sgf::read_collection(text.as_bytes());
                let record = read[0].as_ref().unwrap();
                assert!(record.warnings.is_empty(), "{:?}", record.warnings);
                assert!(record.game.moves().map(|(_, mv)| mv).eq(example.record.moves.iter().copied()));
                assert_eq!(record.game.komi(), Some(meta().komi.at(cell.config.rules, cell.config.size)));
                assert_eq!(jigo_selfplay::sgf::rules_of(&record.game), cell.config.rules);
                record.game.check_rules_fingerprint().unwrap();
            }
        }
    }
}

/// Crossed points are rejected by the engine because of the position that the caption names.
#[test]
fn crossed_points_are_rejected() {
    let (mut refused, mut several) = (0, 0);
    for study in shown() {
        for cell in &study.runs {
            for example in examples(cell) {
                let is_shown = |event: &&crate::report::examples::Event| {
                    event.ply == example.focus && !event.rejected.is_empty()
                };
                let has_refusal = example.events.iter().find(is_shown).is_some();
                assert!(
                    has_refusal || !matches!(example.choice.kind, Kind::Rejected(_)),
                    "{:?}",
                    example.choice
                );
                let mut game: jigo_engine::Game =
                    jigo_engine::Game::new(cell.config.size, *cell.config.rules);
                for (ply, &mv) in (0..).zip(&example.record.moves) {
                    for event in example.events.iter().filter(|event| event.ply == ply) {
                        several += usize::from(event.rejected.len() > 1);
                        for &index in &event.rejected {
                            let point = Point::from_index(index, cell.config.size).unwrap();
                            let Err(IllegalMove::Superko { earlier_ply }) = game.check(Move::Play(point))
                            else {
                                panic!("{point:?} is not rejected");
                            };
                            let named = if earlier_ply == 0 {
                                "the empty board".to_owned()
                            } else {
                                format!("after ply {earlier_ply}")
                            };
                            assert!(event.text.contains(&named), "{}", event.text);
                            refused += 1;
                        }
                    }
                    game.play(mv).unwrap();
                }
            }
        }
    }
    assert!(refused > 20, "{refused} ({several} with several points)");
}

#[test]
fn captions_say_what_is_seen() {
    let texts: Vec<String> = shown()
        .iter()
        .flat_map(|study| viewers(&page_of(study, &meta())))
        .map(|data| data.to_string())
        .collect();
    for said in [
        "Superko rejects",
        "would bring back the position after ply",
        "brings back the position after ply",
        "This position would come back after ply",
        "This position comes back after ply",
        "both players lose",
        "Black loses",
        "The end, by two passes after",
        "The game was stopped at the move limit",
        "Every stone is unconditionally alive.",
        "Kind of seki: ",
        "= seki",
        "- dead",
        "with the other player to move",
    ] {
        assert!(texts.iter().any(|text| text.contains(said)), "{said}");
    }
}

#[test]
fn pages_are_bounded() {
    let mut wide = Study::default();
    for rules in Rules::lattice() {
        for policy in ["uniform", "eye-safe:suicide=rules", "guarded:k=3,suicide=rules"] {
            wide.add(cell(3, rules.into(), policy.parse().unwrap(), 40)).unwrap();
        }
    }
    assert!(wide.runs.len() > MAX_IN_PAGE);
    for study in shown().into_iter().chain([wide]) {
        let viewers = viewers(&page_of(&study, &meta()));
        let games = viewers.iter().map(|data| data["games"].as_array().unwrap().len());
        assert!(games.clone().all(|games| games <= MAX_IN_RUN) && games.sum::<usize>() <= MAX_IN_PAGE);
    }
}

/// Files from before there were examples, and files whose examples are not what they say.
#[test]
fn examples_that_are_none_are_not_shown() {
    let study = guarded_study();
    let original: Value = serde_json::from_slice(&study_json(&study, &meta())).unwrap();
    let read = |value: &Value| read_study(&reading::forged(value)).map(|saved| saved.study);
    let mut older = original.clone();
    let finished = &mut older["study"]["cells"][0]["finished"];
    assert!(finished["status"].as_object_mut().unwrap().remove("examples").is_some());
    finished.as_object_mut().unwrap().remove("examples");
    assert!(viewers(&page_of(&read(&older).unwrap(), &meta())).is_empty());
    let dead = "/study/cells/0/finished/status/examples/dead";
    for (path, wrong) in [
        ("/0/0", serde_json::json!(24)),
        ("/0/1/index", u64::MAX.into()),
        ("/0/1/source", "seed 07".into()),
        ("/0/1/source", "</script><script>alert(1)</script>".into()),
        ("/0/0", 0.into()),
    ] {
        let mut value = original.clone();
        *value.pointer_mut(&format!("{dead}{path}")).unwrap() = wrong;
        if let Ok(study) = read(&value) {
            let page = page_of(&study, &meta());
            assert!(!page.contains("dead chain of 24 stones") && !page.contains("alert(1)"), "{path}");
        }
    }
}

#[test]
fn the_script_does_nothing_but_show() {
    assert!(SCRIPT.lines().count() <= 180);
    let reaches_out = [
        "fetch",
        "XMLHttp",
        "import",
        "eval",
        "Function",
        "innerHTML",
        "http",
        "WebSocket",
        "localStorage",
        "cookie",
    ];
    for word in reaches_out {
        assert!(!SCRIPT.contains(word), "{word}");
    }
    // It could end the element that it stands in.
    assert!(!SCRIPT.contains("</"));
}
