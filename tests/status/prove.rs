//! `--prove`: why a chain has its status.

use serde_json::{Value, json};

use super::{CORNER, KO, SEKI, output, status, stdout};

/// The answer of a line and its first ply.
fn shown(line: &Value) -> [&str; 4] {
    let [first, question, answer] = ["first", "question", "answer"].map(|name| line[name].as_str().unwrap());
    [first, question, answer, line["plies"][0].as_str().unwrap_or("none")]
}

#[test]
fn lines_show_why_a_search_proves_a_status() {
    let json = status(CORNER, &["--prove", "a3"]);
    let lines = json["reasons"]["lines"].as_array().unwrap();
    assert_eq!(shown(&lines[0]), ["White", "capture", "captured", "White B4"]);
    assert_eq!(shown(&lines[1]), ["Black", "capture", "saved", "Black B4"]);
    let text = stdout(&output(CORNER, &["-", "--prove", "A3"]));
    let reasons = text.split_once("\nBlack D4 A3 B3 C3 D3: unsettled, proof: search\n").unwrap().1;
    assert!(reasons.starts_with("Only these points matter:\n  A4 B4 C4 "), "{reasons}");
    assert!(reasons.contains("White (the opponent) first: captured, "), "{reasons}");
    assert!(reasons.contains(" states visited\n  1 White B4, 2 Black "), "{reasons}");
    assert!(reasons.contains("Black's chain is captured.\n"), "{reasons}");
    let saved = " states visited\n  1 Black B4\n   A B C D E F G\n 4 . X . X O . O 4\n";
    assert!(reasons.contains(saved), "{reasons}");
    assert!(reasons.ends_with("Black's chain is unconditionally alive.\n"), "{reasons}");
    // Who is in seki cannot get eyes.
    let json = status(SEKI, &["--prove", "A3"]);
    let lines = json["reasons"]["lines"].as_array().unwrap();
    assert_eq!(shown(&lines[0])[..3], ["Black", "capture", "saved"]);
    assert_eq!(shown(&lines[1])[..3], ["White", "life", "not made unconditionally alive"]);
    // Where no single line decides, this is said.
    let json = status(KO, &["--prove", "D3"]);
    let lines = json["reasons"]["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["plies"].is_null() && line["answer"].is_null()), "{json}");
    assert!(stdout(&output(KO, &["-", "--prove", "D3"])).contains("first: no single line decides."));
}

#[test]
fn unconditional_life_is_explained_by_regions_and_walls() {
    let eyes = ". X . O X .\nX X X X X .\n";
    let alive = status(eyes, &["--prove", "B2"]);
    assert_eq!(alive["reasons"]["vital_regions"], json!([["A2"], ["C2", "D2"], ["F2", "F1"]]));
    let dead = status(eyes, &["--prove", "D2"]);
    assert_eq!(dead["reasons"]["enclosing_chains"], json!([["B2", "E2", "A1", "B1", "C1", "D1", "E1"]]));
    let text = stdout(&output(eyes, &["-", "--prove", "B2"]));
    assert!(
        text.ends_with("even if Black always passes. Regions vital to it:\n  A2\n  C2 D2\n  F2 F1\n"),
        "{text}"
    );
    let text = stdout(&output("", &["X . . . .\n. . . . O\n. . . . .\n", "--limit", "10", "--prove", "A3"]));
    assert!(text.ends_with("unknown, proof: none\nNothing is proved. A higher limit may help.\n"), "{text}");
}

/// A group that needs no reading ahead, on a board that is open otherwise.
const STATIC: &str = ". X . X . . . . .\nX X X . . . . . .\n. . . . . . . . .\nX X X X . . . . .\n. X . X . . . . .\nX . X X . . . . .\n\
                      . . . . O . . . .\n. . . . . . . . .\n";

#[test]
fn zones_show_why_groups_hold_on_open_boards() {
    let text = stdout(&output(STATIC, &["-", "--prove", "D8"]));
    let reasons = text.split_once("\nBlack D8: alive, proof: static\n").unwrap().1;
    let start = "Proved without search, from eyes and connections.\nBlack keeps these chains, whatever White plays:\n";
    assert!(reasons.starts_with(start), "{reasons}");
    assert!(reasons.ends_with("After this, no move of White needs an answer.\n"), "{reasons}");
    let json = status(STATIC, &["--prove", "D8"]);
    let zone = &json["reasons"]["zone"];
    assert_eq!((&zone["owner"], &zone["claim"]), (&json!("Black"), &json!("holds")), "{zone}");
    // Every answer is to another point of the zone, and the line begins with a move that needs one.
    let answers = zone["answers"].as_array().unwrap();
    let points = zone["points"].as_array().unwrap();
    assert!(answers.iter().all(|answer| answer[0] != answer[1] && points.contains(&answer[0])), "{zone}");
    let first = zone["plies"][0].as_str().unwrap();
    assert!(answers.iter().any(|answer| first == format!("White {}", answer[0].as_str().unwrap())), "{zone}");
}
