//! Every reason for which a game is refused.

use super::*;

/// The error of the only game of a file.
fn error(bytes: &[u8]) -> SgfError {
    let mut games = read_collection(bytes);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_err()
}

#[track_caller]
fn check(text: &str, byte: usize, move_number: Option<usize>, kind: SgfErrorKind) {
    assert_eq!(error(text.as_bytes()), SgfError { byte, move_number, kind });
}

#[test]
fn files_without_a_game() {
    for text in ["", "\n", "hello", "(", "()", "(B[aa])", "\u{feff}"] {
        check(text, 0, None, SgfErrorKind::NoGame);
    }
    assert_eq!(error(b"\xff\xfe(\0;\0").kind, SgfErrorKind::Utf16);
    assert_eq!(error(b"\xfe\xff\0(\0;").kind, SgfErrorKind::Utf16);
}

#[test]
fn files_cut_short() {
    check("(;B[aa]", 7, None, SgfErrorKind::Truncated);
    check("(;", 2, None, SgfErrorKind::Truncated);
    check("(;B[aa](;W[bb])", 15, Some(2), SgfErrorKind::Truncated);
    check("(;B[aa];W[b", 9, Some(1), SgfErrorKind::UnclosedValue);
    check("(;C[text\\])", 3, None, SgfErrorKind::UnclosedValue);
    check("(;B[aa](;W[bb])(;W[cc]C[)", 23, Some(2), SgfErrorKind::UnclosedValue);
}

#[test]
fn faults_of_structure() {
    check("(;B[aa](;W[bb]);B[cc])", 15, Some(2), SgfErrorKind::NodeAfterVariation);
    check("(;B[aa](;W[bb])B[cc])", 15, Some(2), SgfErrorKind::NodeAfterVariation);
    check("(;B[aa];W)", 8, Some(1), SgfErrorKind::MissingValue("W".into()));
    check("(;AB;W[aa])", 2, None, SgfErrorKind::MissingValue("AB".into()));
    check("(;B[aa];w[bb])", 8, Some(1), SgfErrorKind::LowercaseName("w".into()));
}

#[test]
fn faults_of_points() {
    let size = "9".parse().unwrap();
    let off = |point: &str| SgfErrorKind::OffBoard { point: point.into(), size };
    check("(;SZ[9];B[aa];W[jj])", 15, Some(2), off("jj"));
    check("(;SZ[9]AB[aa:aj])", 9, None, off("aj"));
    check("(;SZ[9];B[AA])", 9, Some(1), off("AA"));
    check("(;SZ[9];B[c3])", 9, Some(1), SgfErrorKind::BadPoint("c3".into()));
    check("(;SZ[9];B[pass])", 9, Some(1), SgfErrorKind::BadPoint("pass".into()));
    check("(;SZ[9];B[aa]W[bbb])", 14, Some(2), SgfErrorKind::BadPoint("bbb".into()));
    check("(;SZ[9]AB[aa]AW[bb][aa])", 19, None, SgfErrorKind::SetupTwice("aa".into()));
    check("(;SZ[9];B[cc];AE[aa:bb]AW[ab])", 25, Some(1), SgfErrorKind::SetupTwice("ab".into()));
}

#[test]
fn faults_of_the_root() {
    for text in ["0", "26", "", "x", "19x19", "9:0"] {
        check(&format!("(;SZ[{text}])"), 4, None, SgfErrorKind::BadSize(text.into()));
    }
    check("(;SZ[9]SZ[13])", 9, None, SgfErrorKind::BadSize("13".into()));
    check("(;SZ[9];B[aa]SZ[13])", 15, Some(1), SgfErrorKind::BadSize("13".into()));
    check("(;GM[2])", 4, None, SgfErrorKind::NotGo("2".into()));
    check("(;GM[Go])", 4, None, SgfErrorKind::NotGo("Go".into()));
}

#[test]
fn limits() {
    let small = Limits { bytes: 60, games: 2, nodes: 3, values: 5, depth: 3, setup_points: 4 };
    let refused = |text: &str| match read_games(text.as_bytes(), small).next().unwrap().unwrap_err().kind {
        SgfErrorKind::TooLarge { what, limit } => (what, limit),
        kind => panic!("{kind}"),
    };
    assert_eq!(refused(&" ".repeat(61)), ("bytes", 60));
    assert_eq!(refused("(;;;;)"), ("nodes in one game", 3));
    assert_eq!(refused("(;C[][]GC[][][][])"), ("values in one node", 5));
    assert_eq!(refused("(;(;(;(;))))"), ("levels of variations", 3));
    assert_eq!(refused("(;(;)(;(;(;))))"), ("levels of variations", 3));
    assert_eq!(refused("(;AB[aa:bb];AE[cc])"), ("points set up in one game", 4));
    assert!(read_games(b"(;(;AB[aa:bb](;)))", small).next().unwrap().is_ok());
    let games: Vec<_> = read_games(b"(;)(;C[][]GC[][][][])(;)(;)", small).collect();
    assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false]);
    let error = games[2].as_ref().unwrap_err();
    assert_eq!(
        (error.byte, &error.kind),
        (21, &SgfErrorKind::TooLarge { what: "games in one file", limit: 2 })
    );
}

#[test]
fn a_bad_game_does_not_stop_the_others() {
    let file = b"(;SZ[9];B[zz](;W[aa])(;W[]))(;SZ[9];B[aa])(;GM[3])(;GM[1];B[bb]";
    let games = read_collection(file);
    assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, false, false]);
}

#[test]
fn a_game_that_is_not_closed_does_not_swallow_the_next() {
    let file = "(;FF[4];B[aa]\n(;FF[4];B[bb](;W[cc])(;W[dd]\n(;GM[1];B[zz]\n(;GM[1];B[ee])";
    let games = read_collection(file.as_bytes());
    let errors: Vec<_> = games[..3].iter().map(|game| game.clone().unwrap_err()).collect();
    assert_eq!(errors[0].kind, SgfErrorKind::NextGame);
    assert_eq!(errors[0].byte, 14);
    assert_eq!(errors[1].kind, SgfErrorKind::NextGame);
    assert!(matches!(errors[2].kind, SgfErrorKind::OffBoard { .. }));
    assert_eq!(moves(games[3].as_ref().unwrap()), "Bee");
    assert_eq!(games.len(), 4);
}
