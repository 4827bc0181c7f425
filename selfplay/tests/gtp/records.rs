//! Records that commands read and write.

use std::fs;

use jigo_selfplay::{fingerprint::rules_fingerprint, gtp::Gtp};

use super::{ask, engine, fail, state};

#[test]
fn records_are_written_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let path = path.to_str().unwrap();
    let mut gtp = engine("9x7", "aga");
    ask(&mut gtp, "komi -3.5");
    ask(&mut gtp, "fixed_handicap 3");
    for _ in 0..30 {
        ask(&mut gtp, "genmove w");
        ask(&mut gtp, "genmove b");
    }
    ask(&mut gtp, &format!("printsgf {path}"));
    let written = fs::read_to_string(path).unwrap();
    assert_eq!(ask(&mut gtp, "printsgf"), written);
    assert!(written.contains("HA[3]") && written.contains("RU[aga]"), "{written}");
    let fingerprint = rules_fingerprint("aga".parse().unwrap());
    assert!(written.contains(&format!("JF[{fingerprint}]")), "{written}");
    let mut other = engine("19", "aga");
    ask(&mut other, &format!("loadsgf {path}"));
    let without_draws = |gtp: &mut Gtp| state(gtp)[..8].to_vec();
    assert_eq!(without_draws(&mut other), without_draws(&mut gtp));
    assert_eq!(ask(&mut other, "printsgf"), written);
    ask(&mut other, &format!("loadsgf {path} 11"));
    (0..50).for_each(|_| drop(ask(&mut gtp, "undo")));
    assert_eq!(without_draws(&mut other), without_draws(&mut gtp));
    ask(&mut other, &format!("loadsgf {path} 1"));
    assert!(fail(&mut other, "undo").starts_with("cannot undo"));

    let before = state(&mut other);
    fs::write(path, "(;SZ[5];B[aa];W[aa])").unwrap();
    let error = fail(&mut other, &format!("loadsgf {path}"));
    assert_eq!(error, "cannot load file: move 2, White A5: the point is occupied");
    fs::write(path, "no game").unwrap();
    assert!(fail(&mut other, &format!("loadsgf {path}")).starts_with("cannot load file: "));
    assert!(fail(&mut other, "loadsgf /nowhere/at.sgf").starts_with("cannot load file: /nowhere/at.sgf: "));
    assert!(fail(&mut other, "printsgf /nowhere/at.sgf").starts_with("cannot write file: /nowhere/at.sgf: "));
    assert_eq!(state(&mut other), before);

    fs::write(path, "(;SZ[5]KM[0.5]AB[ba][ab]AW[aa];AW[ee]PL[B];B[ed];W[dd];AE[ed];B[de])").unwrap_or(());
    assert!(fail(&mut other, &format!("loadsgf {path}")).contains("set up without a liberty"));
    fs::write(path, "(;SZ[5]KM[0.5]AB[ba];W[aa];B[ab];AW[ee]PL[B];B[de];W[cc];B[ed])").unwrap();
    ask(&mut other, &format!("loadsgf {path}"));
    assert_eq!(ask(&mut other, "captures black"), "2");
    assert_eq!((ask(&mut other, "get_komi"), ask(&mut other, "list_stones w")), ("0.5".into(), "C3".into()));
}

/// They enter the totals of `jigo-score`.
#[test]
fn prisoners_before_the_game_are_those_that_a_record_states() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let conduct = "brainking; end=marking; komi=5.5; handicap=0";
    fs::write(&path, format!("(;SZ[5]JC[{conduct}][0,5];B[bb];W[dd])")).unwrap();
    let mut gtp = engine("5", "tromp-taylor");
    ask(&mut gtp, &format!("loadsgf {}", path.to_str().unwrap()));
    assert_eq!(ask(&mut gtp, "captures black"), "5");
    let score: serde_json::Value = serde_json::from_str(&ask(&mut gtp, "jigo-score")).unwrap();
    // Each player pays for the own stones lost, and Black pays the komi.
    assert_eq!((&score["margin"], &score["total"]), (&5.into(), &serde_json::json!([-5.5, -5.0])));
}
