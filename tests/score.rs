//! `jigo score`: positions and records as a user hands them in.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use jigo_engine::{
    BoardSize, Color,
    protocol::{Conduct, GameEvent, Protocol},
    rules::Preset,
};
use jigo_selfplay::{
    fingerprint::{conduct_fingerprint, rules_fingerprint},
    sgf,
};

const DIAGRAM: &str = ". X O .\nX X O O\nO X O .\n. X O .\n";

/// Three kos: the seventh capture gives the same state as the first.
const CYCLE: &str = "(;SZ[12:3]JC[area+simple-ko+suicide+free-handicap; end=continuations:36,10,on,10,3; komi=0; handicap=0]\
    AB[ba][fa][ja][ab][eb][gb][ib][bc][fc][jc]AW[ca][ga][ka][bb][db][hb][jb][lb][cc][gc][kc]PL[B]\
    ;B[cb];W[fb];B[kb];W[bb];B[gb];W[jb];B[cb])";

/// What the command says to a file on standard input.
fn score(input: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.args(["score", "-"]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that ends at once, because of its arguments, does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn results(input: &str, arguments: &[&str]) -> Vec<String> {
    let output = stdout(&score(input, &[arguments, &["--json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&output).unwrap();
    let counts = json["counts"].as_array().unwrap().iter();
    counts
        .map(|count| format!("{} {}", count["name"].as_str().unwrap(), count["result"].as_str().unwrap()))
        .collect()
}

#[test]
fn a_diagram_is_counted_with_the_dead_named() {
    assert_eq!(results(DIAGRAM, &[]), ["tromp-taylor W+3"]);
    assert_eq!(results(DIAGRAM, &["--dead", "A2"]), ["tromp-taylor 0"]);
    assert_eq!(results(DIAGRAM, &["--dead", "A2", "--rules", "czech"]), ["czech W+4.5"]);
    assert_eq!(results(DIAGRAM, &["--dead", "A2", "--rules", "hups", "--prisoners", "0,2"]), ["hups B+3"]);
    assert_eq!(
        results(DIAGRAM, &["--rules", "chinese", "--handicap", "3", "--komi", "0.5"]),
        ["chinese W+6.5"]
    );
}

/// A stone in a seki that a search proves dead.
#[test]
fn dead_stones_are_found_on_request() {
    let count = |dead| {
        let seki = "O O . X\nX O X .\n. O X X\n";
        results(seki, &["--rules", "area+simple-ko+no-suicide", "--dead", dead]).remove(0)
    };
    assert!(count("unconditional").ends_with(" B+2"));
    assert!(count("certified").ends_with(" W+1"));
    assert_eq!(count("certified"), count("A2"));
}

#[test]
fn the_sheet_lays_the_count_out() {
    let sheet = stdout(&score(DIAGRAM, &["--dead", "A2", "--rules", "czech"]));
    let lines: Vec<&str> = sheet.lines().skip(6).collect();
    let expected = [
        "czech              Black   White",
        "territory              3       3",
        "prisoners              1       0",
        "komi                   0     5.5",
        "total                  4     8.5",
        "result: W+4.5",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn all_rules_are_a_table_of_every_name() {
    let all = results(DIAGRAM, &["--dead", "A2", "--all-rules", "--komi", "0"]);
    let names = Preset::ALL.map(Preset::name);
    assert_eq!(all.len(), names.len());
    for (line, name) in all.iter().zip(&names) {
        let rules: jigo_engine::RuleSet = name.parse().unwrap();
        let expected = if rules.counting == jigo_engine::Counting::Area { "0" } else { "B+1" };
        assert_eq!(*line, format!("{name} {expected}"));
    }
    let table = stdout(&score(DIAGRAM, &["--all-rules"]));
    assert!(names.iter().all(|name| table.contains(name)), "{table}");
}

/// Makrai counts points as enclosed that the stones of others do not touch; a dead stone of one's own does.
#[test]
fn makrai_counts_by_its_own_protocol() {
    assert_eq!(results(DIAGRAM, &["--rules", "makrai-area", "--dead", "A2"]), ["makrai-area 0"]);
    let territory = ["--rules", "makrai-territory", "--dead", "A2", "--prisoners", "0,2", "--komi", "0.5"];
    assert_eq!(results(DIAGRAM, &territory), ["makrai-territory B+2.5"]);
    let output = stdout(&score(DIAGRAM, &["--rules", "makrai-territory", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&output).unwrap();
    let size = BoardSize::square(4).unwrap();
    let conduct = Conduct::new(Preset::MakraiTerritory, size);
    assert_eq!(json["counts"][0]["rules"], conduct.canonical_rules());
    assert_eq!(json["counts"][0]["rules_fingerprint"], conduct_fingerprint(&conduct));
}

#[test]
fn counts_state_the_fingerprint_of_their_rules() {
    let output = stdout(&score(DIAGRAM, &["--all-rules", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(json["game"], serde_json::Value::Null);
    for count in json["counts"].as_array().unwrap() {
        let rules = count["rules"].as_str().unwrap();
        let expected = rules.parse().map_or_else(
            |_| conduct_fingerprint(&format!("{rules}; komi=0; handicap=0").parse().unwrap()),
            rules_fingerprint,
        );
        assert_eq!(count["rules_fingerprint"], expected, "{rules}");
    }
}

#[test]
fn a_record_states_rules_komi_and_prisoners() {
    let record = "(;SZ[5]KM[6.5]RU[Korean];B[ba];W[da];B[bb];W[db];B[bc];W[dc];B[bd];W[dd];B[be];W[de])";
    let output = score(record, &[]);
    assert!(stdout(&output).contains("result: W+6.5"));
    let dame = String::from_utf8(output.stderr).unwrap();
    assert!(dame.contains("C5 C4 C3 C2 C1"), "{dame}");
}

/// A whole game's record states which stones the players agreed to be dead.
#[test]
fn a_whole_game_is_counted_as_it_was_agreed() {
    let size = BoardSize::square(4).unwrap();
    let mut game = Protocol::new(size, Conduct::new(Preset::Hups, size)).unwrap();
    let moves = ["B4", "C4", "A3", "C3", "B3", "D3", "B2", "A2", "B1", "C2", "pass", "C1", "pass", "pass"];
    for name in moves {
        let text = if name == "pass" { name.to_owned() } else { format!("play {name}") };
        game.apply(game.to_play(), GameEvent::from_text(&text, size).unwrap()).unwrap();
    }
    game.apply(Color::Black, GameEvent::from_text("mark A2", size).unwrap()).unwrap();
    game.apply(Color::Black, GameEvent::Propose).unwrap();
    game.apply(Color::White, GameEvent::Accept).unwrap();
    assert_eq!(game.winner(), Some(Color::Black));
    assert_eq!(results(&sgf::write(&sgf::from_protocol(&game)), &[]), ["hups B+1"]);
}

const CZECH: &str = include_str!("../docs/examples/czech.sgf");
const BRAINKING: &str = include_str!("../docs/examples/brainking.sgf");
const MAKRAI: &str = include_str!("../docs/examples/makrai-territory.sgf");

fn json(input: &str, arguments: &[&str]) -> serde_json::Value {
    let output = stdout(&score(input, &[arguments, &["--json"]].concat()));
    serde_json::from_str(&output).unwrap()
}

/// The examples of the documentation are what the library would write of them, and their counts the protocols'.
#[test]
fn the_examples_have_the_results_of_their_protocols() {
    let cases = [
        (
            CZECH,
            "czech",
            "B+0.5",
            "agreement",
            "the players agreed on the dead stones, after 1 resumption",
            [
                ("territory", [7.0, 5.0]),
                ("prisoners", [1.0, 0.0]),
                ("handed over", [4.0, 1.0]),
                ("komi", [0.0, 5.5]),
            ],
        ),
        (
            BRAINKING,
            "brainking",
            "B+6.5",
            "marking",
            "the opponent accepted the marked stones, after 1 rejected proposal",
            [
                ("territory", [10.0, 5.0]),
                ("own stones lost", [0.0, -2.0]),
                ("komi", [-0.5, 0.0]),
                ("", [0.0, 0.0]),
            ],
        ),
        (
            MAKRAI,
            "makrai-territory",
            "B+6.5",
            "agreement",
            "the players agreed on the dead stones, after 1 continuation and 1 verified claim",
            [("territory", [10.0, 5.0]), ("prisoners", [2.0, 0.0]), ("komi", [0.0, 0.5]), ("", [0.0, 0.0])],
        ),
    ];
    for (text, name, result, ended, explanation, parts) in cases {
        let json = json(text, &[]);
        let (count, game) = (&json["counts"][0], &json["game"]);
        assert_eq!((&count["name"], &count["result"]), (&name.into(), &result.into()));
        assert_eq!((&game["result"], &game["ended"]), (&result.into(), &ended.into()));
        assert_eq!(game["explanation"], explanation);
        let stated = parts.into_iter().filter(|(part, _)| !part.is_empty());
        let stated: serde_json::Map<_, _> =
            stated.map(|(part, points)| (part.to_owned(), serde_json::json!(points))).collect();
        assert_eq!(count["points"], serde_json::Value::Object(stated), "{name}");
        let record = sgf::read_collection(text.as_bytes()).remove(0).unwrap();
        let again = sgf::from_protocol(&sgf::to_protocol(&record.game).unwrap());
        assert_eq!(record.game.info.get("RE"), again.info.get("RE"));
        assert_eq!(game["rules_fingerprint"], again.rules_fingerprint().unwrap());
        assert_eq!(record.game.rules_fingerprint(), again.rules_fingerprint());
        let sheet = stdout(&score(text, &[]));
        assert!(
            sheet.ends_with(&format!("result: {result}\nthe game: {explanation} ({result})\n")),
            "{sheet}"
        );
    }
}

#[test]
fn events_are_listed_with_the_phase_after_each() {
    let list = stdout(&score(CZECH, &["--events"]));
    let lines: Vec<&str> = list.lines().skip(13).take(7).collect();
    let expected = [
        "  14  White pass       → stopped",
        "  15  Black mark A3    → stopped",
        "  16  Black propose    → proposed by Black",
        "  17  White reject     → resumption, begun by Black",
        "  18  Black play B3    → resumption, begun by Black",
        "  19  White hand-over  → resumption, begun by Black",
        "  20  Black play A4    → resumption, begun by Black",
    ];
    assert_eq!(lines, expected);
    let json = json(MAKRAI, &["--events"]);
    let events = json["game"]["events"].as_array().unwrap();
    let claim = events.iter().find(|event| event["event"] == "claim dead A3").unwrap();
    assert_eq!((&claim["player"], &claim["phase"]), (&"Black".into(), &"verification".into()));
    assert_eq!(events.last().unwrap()["phase"], "finished: counted");
    // Of a broken game, what came before.
    let broken = score(&CZECH.replace("14 W reject", "14 B reject"), &["--events"]);
    let list = String::from_utf8(broken.stdout).unwrap();
    assert!(list.ends_with("  16  Black propose  → proposed by Black\n"), "{list}");
}

/// The page of rules shows an example as it is, and what the command says of it.
#[test]
fn the_documentation_shows_the_example_and_its_events() {
    let page = include_str!("../docs/rules.md");
    assert!(page.contains(&format!("```\n{CZECH}```\n")));
    let output = stdout(&score(CZECH, &["--events"]));
    let shown: Vec<&str> = output.lines().skip(13).take(14).collect();
    assert!(page.contains(&shown.join("\n")));
    assert!(page.contains(&stdout(&score(CZECH, &[])).lines().skip(7).collect::<Vec<_>>().join("\n")));
    assert!(page.contains(&rules_fingerprint(jigo_engine::Rules::TROMP_TAYLOR)));
}

#[test]
fn a_whole_game_is_counted_as_a_position_on_request() {
    // Without the marks nothing is dead, and stones that were handed over are prisoners like others.
    assert_eq!(results(CZECH, &["--rules", "czech"]), ["czech B+0.5"]);
    assert_eq!(results(CZECH, &["--komi", "7"]), ["czech W+1"]);
    // The stones agreed to be dead stay so, unless others are named: by area rules one point each.
    assert_eq!(results(MAKRAI, &["--rules", "chinese", "--komi", "0"]), ["chinese B+5"]);
    assert_eq!(results(MAKRAI, &["--rules", "chinese", "--komi", "0", "--dead", "C3"]), ["chinese W+8"]);
    let json = json(MAKRAI, &["--all-rules"]);
    assert_eq!(json["game"]["result"], "B+6.5");
    assert_eq!(json["counts"].as_array().unwrap().len(), Preset::ALL.len());
}

/// One point of a chain of four.
const POINT_TO_EMPTY: &str = "(;SZ[4:3]AB[aa][ba][ab][bb]AW[cc][dc]PL[B]\
    JC[tromp-taylor; end=passes; komi=0; handicap=0]JE[2 B mark A3][2 B propose][2 W accept];B[];W[])";

/// Dia. 21 B of the traditional rules: two sekis, which the players marked.
const SEKI: &str = "(;SZ[5:4]AB[ba][ab][bb][dc][ec][dd]AW[da][db][eb][ac][bc][cc][cd]PL[B]\
    JC[czech; end=pass-stones; komi=5.5; handicap=0]\
    JE[2 B mark-seki B3][2 B mark-seki D4][2 B propose][2 W accept];B[];W[])";

#[test]
fn area_rules_empty_points_and_others_take_off_chains() {
    let agreed = &json(POINT_TO_EMPTY, &[])["counts"][0];
    assert_eq!((&agreed["result"], &agreed["dead"]), (&"B+2".into(), &serde_json::json!(["A3"])));
    let diagram = "..XO.\nOOXO.\n..XO.\n";
    let counts = json(diagram, &["--all-rules", "--dead", "A2"])["counts"].clone();
    for count in counts.as_array().unwrap() {
        let empties_points =
            count["rules"].as_str().unwrap().starts_with("area") && count["name"] != "makrai-area";
        let dead = if empties_points { serde_json::json!(["A2"]) } else { serde_json::json!(["A2", "B2"]) };
        assert_eq!(count["dead"], dead, "{count}");
        assert_eq!(count["dame"] == serde_json::json!([]), !empties_points, "{count}");
    }
    let hups = score(diagram, &["--rules", "hups", "--dead", "A2"]);
    assert!(stdout(&hups).ends_with("result: B+5\n") && hups.stderr.is_empty());
}

/// Players often stop before the dame are filled. Groups that are proved to be alive are not in seki for that.
#[test]
fn open_dame_make_no_seki_where_statuses_are_known() {
    let diagram = ".XX.OO.\nXXX.OOO\n.XX.OO.\nXXX.OOO\n.XX.OO.\nXXX.OOO\n.XX.OOO\n";
    let count = |dead| {
        let count =
            json(diagram, &["--rules", "japanese", "--komi", "0", "--dead", dead])["counts"][0].clone();
        (count["result"].clone(), count["alternative"]["result"].clone())
    };
    assert_eq!(count("certified"), ("0".into(), "B+1".into()));
    assert_eq!(count("estimated"), ("B+1".into(), "0".into()));
}

#[test]
fn a_whole_game_has_one_count_with_the_sekis_that_the_players_marked() {
    for arguments in [&[][..], &["--rules", "czech"]] {
        let count = json(SEKI, arguments)["counts"][0].clone();
        assert_eq!((&count["name"], &count["result"]), (&"czech".into(), &"W+6.5".into()));
        let alternative = &count["alternative"];
        assert_eq!((&alternative["seki"], &alternative["result"]), (&"dame".into(), &"W+5.5".into()));
        assert_eq!(alternative["not_counted"], serde_json::json!(["E1", "A1", "B1"]));
        let text = stdout(&score(SEKI, arguments));
        let line = "in atari in seki: W+5.5; E1 A1 B1 do not count then\n";
        assert!(text.contains(line), "{text}");
    }
}

/// The dame at C1 puts the groups beside it in seki.
#[test]
fn an_open_dame_that_voids_territory_is_named() {
    let open = "..XO.\n..XO.\n.X.O.\n";
    let text = stdout(&score(open, &["--rules", "czech"]));
    let line = "groups beside dame (C1) or in atari are taken to be in seki; with no seki: W+3.5; A3 B3 A2 B2 A1 E3 E2 E1 count then\n";
    assert!(text.ends_with(line), "{text}");
    let filled = stdout(&score(&open.replace(".X.O.", ".XXO."), &["--rules", "czech"]));
    assert!(filled.ends_with("result: W+3.5\n"), "{filled}");
}

/// Pictures 14 to 16 of the counting guide: 6 points and 2 prisoners against 5 and 2, with three neutral points until they are filled.
#[test]
fn the_worked_count_of_the_counting_guide() {
    let open = "O . X . O . .\n. O X . O X .\nX . X . O . X\n";
    let filled = "O . X X O . .\n. O X O O X .\nX . X X O . X\n";
    for (diagram, dame) in [(open, serde_json::json!(["D3", "D2", "D1"])), (filled, serde_json::json!([]))] {
        let count = &json(diagram, &["--rules", "hups", "--dead", "A3,B2,F2,G1"])["counts"][0];
        assert_eq!((&count["result"], &count["total"]), (&"W+1".into(), &serde_json::json!([7.0, 8.0])));
        assert_eq!(count["points"]["territory"], serde_json::json!([5.0, 6.0]));
        assert_eq!(count["dame"], dame);
    }
}

const BRAINKING_PAGE: &str = "
    . . . . . . . X O . . . .
    X X X X X X X X O O O O O
    O O O O O O O O X X X X X
    . . . . . . . O X . . . .
    . O O O O O O O X O O O O
    O O O O O O O O X . . . .
    O O O O O O O O X O O O .
    O O O O O O O O X . . . .
    O O O O O O O O X . . X X
    O O O O O O O O X X X X X
    O O O O O O O O O O O O O
    . . . . . . X . . . . . .
    . . . . . . . . O O O O O";

/// The totals of the example on BrainKing's page, in a position with its numbers: 29 − 3 − 1 − 4.5 against 33 − 2 − 7.
#[test]
fn brainking_counts_the_totals_of_its_page() {
    let arguments = ["--rules", "brainking", "--dead", "G2,K9", "--prisoners", "3,2"];
    let count = &json(BRAINKING_PAGE, &arguments)["counts"][0];
    assert_eq!(count["total"], serde_json::json!([20.5, 24.0]));
    let parts = serde_json::json!({ "territory": [29.0, 33.0], "own stones lost": [-4.0, -9.0], "komi": [-4.5, 0.0] });
    assert_eq!(count["points"], parts);
}

#[test]
fn a_proposal_is_counted_before_it_is_accepted() {
    let proposed = POINT_TO_EMPTY.replace("[2 W accept]", "");
    let text = stdout(&score(&proposed, &[]));
    let end = "result: B+2\nthe game: not finished: proposed by Black, B+2 if the opponent accepts\n";
    assert!(text.ends_with(end), "{text}");
}

/// White hands over five stones for each handicap stone beyond nine.
#[test]
fn prisoners_of_a_handicap_count() {
    let prisoners = |input: &str, arguments: &[&str]| {
        json(input, arguments)["counts"][0]["points"]["prisoners"][0].as_f64().unwrap()
    };
    let empty = ".........\n".repeat(9);
    assert_eq!(prisoners(&empty, &["--rules", "czech", "--handicap", "12"]), 15.0);
    assert_eq!(prisoners(&empty, &["--rules", "japanese", "--handicap", "12"]), 0.0);
    let record = "(;SZ[9]HA[10]AB[gc][cg][gg][cc][ee][ce][ge][ec][eg]PL[W]\
        JC[czech; end=pass-stones; komi=0.5; handicap=10];W[];B[])";
    assert_eq!(prisoners(record, &[]), 5.0);
}

#[test]
fn whole_games_without_a_count_have_a_result_or_none() {
    let resigned = CZECH.replace("[22 B propose][22 W accept]", "[22 W resign]");
    let json_of = |text: &str| {
        let json = json(text, &[]);
        (
            json["counts"].as_array().unwrap().len(),
            json["game"]["result"].clone(),
            json["game"]["ended"].clone(),
        )
    };
    assert_eq!(json_of(&resigned), (0, "B+R".into(), "resignation".into()));
    assert!(stdout(&score(&resigned, &[])).ends_with("the game: White resigned, after 1 resumption (B+R)\n"));
    let told = String::from_utf8(score(&resigned, &[]).stderr).unwrap();
    assert!(told.contains("the record states the result B+0.5, but its events give B+R"), "{told}");
    // Not finished: the position is counted with all its stones.
    let open = CZECH.replace("[22 B propose][22 W accept]", "");
    assert_eq!(json_of(&open), (1, serde_json::Value::Null, serde_json::Value::Null));
    assert!(stdout(&score(&open, &[])).ends_with("the game: not finished: stopped\n"));
    assert_eq!(json_of(CYCLE), (0, "0".into(), "cycle".into()));
    assert!(stdout(&score(CYCLE, &[])).ends_with("the game: a true cycle: a draw (0)\n"));
}

/// Black's wall on the third column of a 5×5 board, White's on the fourth, and a white stone in Black's corner, which is dead.
const LOST_STONE: &str = "SZ[5]KM[0]AB[ca][cb][cc][cd][ce][bb][bd]AW[da][db][dc][dd][de][eb][ed][aa]PL[B]";

/// Records of real games seldom say which stones are dead.
#[test]
fn proved_dead_stones_of_a_record_are_removed() {
    let record = |result: &str| format!("(;{LOST_STONE}RU[chinese]RE[{result}];B[];W[])");
    let count = |result: &str| json(&record(result), &[]);
    for (stated, expected, dead) in [("B+5", "B+5", vec!["A5"]), ("B+R", "B+5", vec!["A5"])] {
        let value = count(stated);
        assert_eq!(value["counts"][0]["result"], expected, "{value:#}");
        assert_eq!((&value["stated"], &value["counts"][0]["dead"]), (&stated.into(), &dead.into()));
    }
    let all_alive = score(&record("B+5"), &["--dead", ""]);
    assert!(!all_alive.status.success());
    let value = count("W+6");
    assert_eq!(value["counts"][0]["result"], "B+5");
    let output = score(&record("W+6"), &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the record states the result W+6, but this position counts B+5"), "{said}");
}

/// A game that stops early has no result yet.
#[test]
fn undecided_chains_give_a_range() {
    let record = |result: &str| format!("(;SZ[9]KM[0]RU[chinese]{result};B[ee];W[cc];B[];W[])");
    let value = json(&record("RE[B+0.5]"), &[]);
    let sheet = &value["counts"][0];
    assert!(sheet["result"].is_null(), "{sheet:#}");
    assert_eq!((&sheet["range"], &sheet["undecided"]), (&["W+81", "B+81"].into(), &["E5", "C7"].into()));
    let output = score(&record("RE[B+0.5]"), &[]);
    assert!(stdout(&output).contains("result: W+81 to B+81\n2 chains are not proved"), "{}", stdout(&output));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("which lies in this range") && !said.contains("dame"), "{said}");
    let output = score(&record("RE[B+0.5]").replace("KM[0]", "KM[650]"), &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("the komi of 650 is more than the board has points") && said.contains("outside"),
        "{said}"
    );
    // Where all stones alive give the stated result, they are what the players counted.
    assert_eq!(json(&record("RE[0]"), &[])["counts"][0]["result"], "0");
}

/// Two walls, and behind each a stone of the other player that nothing proves to be dead.
const WALLS: &str =
    "...XO....\n...XO....\n...XO.X..\n...XO....\n.O.XO....\n...XO....\n...XO....\n...XO....\n...XO....\n";

#[test]
fn playouts_decide_on_request_what_nothing_proves() {
    let rules = ["--rules", "chinese", "--komi", "0"];
    let sheet = |dead: &str| json(WALLS, &[&rules[..], &["--dead", dead]].concat())["counts"][0].take();
    let (proved, estimated) = (sheet("certified"), sheet("estimated"));
    assert_eq!((&proved["dead"], &proved["result"]), (&serde_json::json!([]), &"0".into()));
    assert_eq!((&estimated["dead"], &estimated["result"]), (&serde_json::json!(["G7", "B5"]), &"W+9".into()));
    let lost = |name: &str| {
        let chains = estimated["estimated"].as_array().unwrap();
        chains.iter().find(|chain| chain["chain"] == name).unwrap()["lost"].as_f64().unwrap()
    };
    assert!(lost("B5") > 0.5 && lost("D9") < 0.3, "{estimated:#}");
    let text = stdout(&score(WALLS, &[&rules[..], &["--dead", "estimated"]].concat()));
    assert!(text.contains("4 chains are estimated by playouts, not proved"), "{text}");
    assert!(text.contains("  dead: G7 ") && text.ends_with("  alive, but often lost: none\n"), "{text}");
}

#[test]
fn wrong_input_gets_one_clear_error() {
    let other = rules_fingerprint(Preset::Aga.rules());
    let changed = format!("(;SZ[9]RU[chinese]JF[{other}];B[aa])");
    let changed_whole = CZECH.replace("JF[", "JF[0");
    let refused = CZECH.replace("14 W reject", "14 B reject");
    let cases: [(&str, &[&str], &str); 12] = [
        (&changed, &[], "the rules' meaning changed"),
        (&changed_whole, &[], "the rules' meaning changed"),
        (&refused, &["--events"], "event 17, Black `reject`: turns: White is to move or to decide"),
        ("(;SZ[9];B[aa])", &["--events"], "no `JC`"),
        ("garbage", &[], "neither SGF nor a diagram"),
        ("(;SZ[9];B[aa];B[aa])", &[], "occupied"),
        ("(;SZ[9];B[aa])", &["--game", "2"], "no game 2"),
        (DIAGRAM, &["--game", "7"], "is a diagram, which has no games: leave out --game"),
        (DIAGRAM, &["--dead", "A1"], "no stone on A1"),
        (DIAGRAM, &["--dead", "Z1"], "Z1"),
        (DIAGRAM, &["--prisoners", "3"], "write 3,2"),
        (DIAGRAM, &["--rules", "chineese"], "tromp-taylor"),
    ];
    for (input, arguments, expected) in cases {
        let output = score(input, arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(expected), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}
