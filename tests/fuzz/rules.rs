//! Rules by name, by values and as KataGo writes them, and the other words of the command line: what is read is written so that it reads the same.

use std::{fmt::Display, str::FromStr};

use jigo_engine::{BoardSize, Komi, Move, Point, Rules, rules::KataGoRules};
use jigo_selfplay::{Policy, dataset::Part};

use crate::harness::Target;

const TOKENS: &[&str] = &[
    "+",
    ":",
    ",",
    "=",
    "{",
    "}",
    "\"",
    "\"ko\":\"SIMPLE\"",
    "\"scoring\":\"AREA\"",
    "\"tax\":\"SEKI\"",
    "\"suicide\":true",
    "\"whiteHandicapBonus\":\"N-1\"",
    "\"hasButton\":true",
    "koPOSITIONAL",
    "scoreTERRITORY",
    "taxALL",
    "sui1",
    "button1",
    "friendlyPassOk1",
    "japanese",
    "tromp-taylor",
    "aga",
    "guarded",
    "settled:k=",
    "eye-safe:suicide=rules",
    "x",
    "9x13",
    "7.5",
    "-0.5",
    "1/4",
    "\u{e9}",
];

#[test]
fn rules() {
    let target = Target { name: "rules", made: Vec::new(), tokens: TOKENS, memory: 16 << 20 };
    target.run(|bytes, _| {
        let text = String::from_utf8_lossy(bytes);
        for line in text.lines().chain([&*text]) {
            round_trip::<Rules>(line);
            round_trip::<BoardSize>(line);
            round_trip::<Komi>(line);
            round_trip::<Policy>(line);
            round_trip::<Part>(line);
            if let Ok(rules) = line.parse::<Rules>() {
                assert_eq!(rules.canonical().parse(), Ok(rules), "{line}");
            }
            if let Ok(rules) = line.parse::<KataGoRules>() {
                // KataGo has no word for fixed handicaps: its texts, not the rules, are what must stay.
                let again = |text: &str| text.parse::<KataGoRules>().unwrap();
                assert_eq!(again(&rules.to_string()).to_string(), rules.to_string(), "{line}");
                assert_eq!(again(&rules.to_json()).to_json(), rules.to_json(), "{line}");
            }
            let size = BoardSize::new(25, 2).unwrap();
            if let Ok(point) = Point::from_gtp(line, size) {
                assert_eq!(Point::from_gtp(&Move::Play(point).to_gtp(size), size), Ok(point), "{line}");
            }
        }
    });
}

/// Fails unless text that can be read means the same when it is written and read again.
fn round_trip<T: FromStr<Err: Display> + Display + PartialEq>(line: &str) {
    match line.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            assert!(
                written.parse::<T>().is_ok_and(|again| again == value),
                "`{line}` is written `{written}`"
            );
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
