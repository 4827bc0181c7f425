//! Exact numbers: counts of games, and the results of best play.

use std::fs;

use super::{expect_error, jigo, stdout};

#[test]
fn sekis_of_a_tiny_board() {
    let text = stdout(&jigo(&["study", "--seki-census", "3", "--rules", "simple-ko"]));
    assert!(
        text.contains("52 of 12,675 legal positions contain a seki, 6 up to symmetry and colour"),
        "{text}"
    );
    assert!(text.contains("\n. O O   . O O\nO . X   O . X\nO X .   X X .\n(8)     (8)\n"), "{text}");
    let both = ["study", "--seki-census", "3", "--rules", "simple-ko,tromp-taylor", "--json"];
    let value: serde_json::Value = serde_json::from_str(&stdout(&jigo(&both))).unwrap();
    let with_seki: Vec<u64> =
        value.as_array().unwrap().iter().map(|census| census["with_seki"].as_u64().unwrap()).collect();
    assert_eq!(with_seki, [52, 28]);
    let forms = value[0]["forms"].as_array().unwrap();
    assert_eq!(forms.iter().map(|form| form["positions"].as_u64().unwrap()).sum::<u64>(), 52);
}

#[test]
fn exact_numbers_from_the_command_line() {
    assert!(stdout(&jigo(&["count", "--legal", "5"])).contains("414,295,148,741"));
    assert!(stdout(&jigo(&["count", "--games", "1x3"])).contains("907"));
    assert!(stdout(&jigo(&["count", "--moves", "2x2"])).contains("184"));
    assert!(stdout(&jigo(&["solve", "1x3"])).contains("Black +3"));
    let simple = stdout(&jigo(&["solve", "2", "--rules", "tromp-taylor,chinese"]));
    assert!(simple.contains("Black +1") && simple.contains("Black +0"), "{simple}");
    assert!(stdout(&jigo(&["perft", "2", "--size", "2"])).contains("21"));
}

/// The numbers after each first move add up to the number of the table, and each is what a count after that move gives.
#[test]
fn perft_divides_by_first_move() {
    let folder = tempfile::tempdir().unwrap();
    let diagram = folder.path().join("diagram");
    // White's stone is in atari. The corner is suicide for Black.
    fs::write(&diagram, ".O.\nOX.\n.O.\n").unwrap();
    let diagram = diagram.to_str().unwrap();
    for rules in ["tromp-taylor", "chinese"] {
        for depth in ["1", "3"] {
            let arguments = ["perft", depth, "--diagram", diagram, "--rules", rules];
            let output = stdout(&jigo(&[&arguments[..], &["--divide"]].concat()));
            let lines: Vec<_> = output.lines().map(|line| line.split_once(": ").unwrap()).collect();
            let (&(total, sum), moves) = lines.split_last().unwrap();
            assert_eq!(total, "total");
            let names: Vec<_> = moves.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, ["C3", "C2", "C1", "pass"], "{output}");
            let numbers = moves.iter().map(|(_, number)| number.parse::<u64>().unwrap());
            assert_eq!(numbers.sum::<u64>().to_string(), sum);
            let json = |more: &[&str]| -> serde_json::Value {
                let output = stdout(&jigo(&[&arguments[..], &["--json"], more].concat()));
                serde_json::from_str(&output).unwrap()
            };
            let (plain, divided) = (json(&[]), json(&["--divide"]));
            assert_eq!(plain["depths"], divided["depths"]);
            assert!(plain.get("divide").is_none());
            let last = plain["depths"].as_array().unwrap().last().unwrap();
            assert_eq!(last["plies"].to_string(), sum);
            let expected = moves.iter().map(|(name, number)| ((*name).to_owned(), number.parse().unwrap()));
            let expected: serde_json::Map<_, serde_json::Value> = expected.collect();
            assert_eq!(divided["divide"], serde_json::Value::Object(expected));
        }
    }
}

/// Values, proofs, limits and positions of `jigo solve`, and what `jigo verify` says of the proofs.
#[test]
fn solved_boards_come_with_proofs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let json = |arguments: &[&str]| -> serde_json::Value {
        let value: serde_json::Value =
            serde_json::from_str(&stdout(&jigo(&[&["solve", "--json"], arguments].concat()))).unwrap();
        value[0].clone()
    };
    for name in ["proof", "proof.gz"] {
        let proof = path(name);
        let value = json(&["3x4", "--proof", &proof, "--komi", "3.5"]);
        assert_eq!((&value["margin"], &value["every_ko_rule"]), (&4.into(), &false.into()));
        let said = stdout(&jigo(&["verify", &proof]));
        assert!(said.contains("Black at least +4 under every ko rule"), "{said}");
        assert!(said.contains("Black at most +4 under positional-superko"), "{said}");
        let mut bytes = fs::read(&proof).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&proof, bytes).unwrap();
        expect_error(&["verify", &proof], 1, &[&proof]);
    }
    let value = json(&["3x5", "--all-moves", "--to-play", "white", "-j", "2"]);
    assert_eq!((&value["margin"], &value["first_moves"]), (&(-15).into(), &["B4", "B3"][..].into()));
    // All that is open is two columns between alive groups.
    let position = path("position");
    fs::write(&position, ". X . . O .\nX X . . O O\n. X . . O .\nX X . . O O\nX X . . O O\n").unwrap();
    let value = json(&["--position", &position]);
    assert_eq!((&value["margin"], &value["every_ko_rule"]), (&0.into(), &true.into()));
    let value = json(&["5", "--limit", "0.5s,50MB"]);
    assert!(value["margin"].is_null() && value["seconds"].as_f64().unwrap() < 20.0, "{value}");
    let value = json(&["2", "--ko-sensitive", "-r", "chinese"]);
    let found = value["sensitive"].as_array().unwrap();
    // On the empty board superko gives Black a point.
    assert!(found[0]["position"].as_str().unwrap().chars().all(|sign| ". \n".contains(sign)), "{value}");
    let margins =
        ["simple-ko", "positional-superko", "situational-superko"].map(|ko| found[0]["margins"][ko].as_i64());
    assert_eq!(margins, [Some(0), Some(1), Some(1)]);
    // A ko is all that is open.
    fs::write(&position, ". X X X O O .\nX X X X O O O\n. X X O . O .\nX X X X O O O\nX X X X O O O\n")
        .unwrap();
    for (to_play, margin) in [("black", 7), ("white", 3)] {
        for rules in ["tromp-taylor", "chinese"] {
            let value = json(&["--position", &position, "--to-play", to_play, "-r", rules]);
            assert_eq!(
                (&value["margin"], &value["every_ko_rule"]),
                (&margin.into(), &true.into()),
                "{value}"
            );
        }
    }
    // Black has just taken it, so that White cannot take it back.
    let stones = "AB[ba:da][ab:db][bc:cc][ad:de]AW[ea:fa][eb:gb][dc][fc][ed:ge]";
    fs::write(&position, format!("(;FF[4]GM[1]SZ[7:5]{stones}PL[B];B[ec])")).unwrap();
    let value = json(&["--position", &position]);
    assert_eq!((&value["margin"], &value["to_play"]), (&7.into(), &"White".into()), "{value}");
    for path in [folder.path().to_str().unwrap(), &path("no folder/proof")] {
        let started = std::time::Instant::now();
        expect_error(&["solve", "5", "--proof", path], 1, &[path]);
        assert!(started.elapsed().as_secs() < 5);
    }
    // Black is worth two points less, because one group lives.
    let taxed = ["1x4", "-r", "area+positional-superko+suicide+group-tax"];
    assert_eq!((&json(&taxed)["margin"], &json(&["1x4"])["margin"]), (&2.into(), &4.into()));
    expect_error(&[&["solve"], &taxed[..], &["--at-least", "2"]].concat(), 2, &["tax"]);
    let proof = path("taxed");
    json(&[&taxed[..], &["--proof", &proof]].concat());
    let said = stdout(&jigo(&["verify", &proof]));
    assert!(said.contains("Black at least +2 under positional-superko and group-tax"), "{said}");
    let value = json(&["3x5", "--at-least", "15", "--limit", "200kB"]);
    assert_eq!((&value["unproved"][0]["margin"], &value["least_margin"]), (&15.into(), &(-15).into()));
    expect_error(&["solve", "5", "--limit", "8"], 2, &["8GB", "10min"]);
    expect_error(&["solve"], 2, &["SIZE"]);
    expect_error(&["solve", "3", "--position", &position], 2, &["--position"]);
    let missing = path("missing");
    let hard = ["solve", "5", "--at-least", "25", "--limit", "0.2s", "--proof", &missing];
    expect_error(&hard, 1, &["nothing is proved"]);
    assert!(!folder.path().join("missing").exists());
}
