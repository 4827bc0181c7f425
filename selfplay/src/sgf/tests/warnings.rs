//! Every doubt that is reported.

use super::*;
use DiagnosticKind as Kind;

/// Checks that a file gives just this warning, at this byte and move.
#[track_caller]
fn check(text: &str, kind: Kind, byte: usize, move_number: Option<usize>) {
    let record = read(text);
    let found: Vec<_> = record.warnings.iter().map(|w| (w.kind, w.byte, w.move_number)).collect();
    assert_eq!(found, [(kind, byte, move_number)], "{:?}", record.warnings);
}

#[test]
fn doubtful_moves() {
    check("(;SZ[9];B[aa];B[bb];W[cc])", Kind::SameColor, 14, Some(2));
    check("(;SZ[9];W[aa])", Kind::WhiteFirst, 8, Some(1));
    check("(;SZ[9]PL[W];B[aa])", Kind::NotToPlay, 13, Some(1));
    check("(;SZ[9];B[aa];PL[B];W[bb])", Kind::NotToPlay, 20, Some(2));
    check("(;SZ[9];B[aa]W[bb])", Kind::MovesInNode, 13, Some(2));
    check("(;SZ[9];AB[cc]W[bb])", Kind::SetupAndMove, 8, Some(1));
    assert_eq!(kinds(&read("(;SZ[9];B[aa][bb])")), [Kind::MovesInNode, Kind::SameColor]);
}

#[test]
fn doubtful_setup() {
    check("(;SZ[9]HA[3]AB[aa][bb];W[cc])", Kind::Handicap, 0, None);
    check("(;SZ[9]HA[2];B[cc])", Kind::Handicap, 0, None);
    check("(;SZ[9]HA[0]AB[aa];W[cc])", Kind::Handicap, 0, None);
    check("(;SZ[9]AB[aa:bb][ab];W[cc])", Kind::RepeatedPoint, 16, None);
    check("(;SZ[9]AB[];B[cc])", Kind::BadValue, 9, None);
    check("(;SZ[9]PL[X])", Kind::BadValue, 9, None);
    for text in ["(;HA[0];B[aa])", "(;HA[1];B[aa])", "(;HA[2]AB[aa][bb];W[cc])", "(;AB[aa];W[bb])"] {
        assert_eq!(read(text).warnings, [], "{text}");
    }
}

#[test]
fn doubtful_text() {
    check("(;PB[a]PB[b])", Kind::Repeated, 7, None);
    check("(;PB[a][b])", Kind::Repeated, 2, None);
    check("(;AP[a]AP[b])", Kind::Repeated, 7, None);
    check("(;PL[B]PL[W])", Kind::Repeated, 9, None);
    check("(;KM[6.5];KM[7.5])", Kind::Repeated, 10, None);
    check("(;KM[3.75])", Kind::BadValue, 0, None);
    check("(;HA[two])", Kind::BadValue, 0, None);
    check("(;RE[who knows])", Kind::BadValue, 0, None);
    check("(;RE[W+0.0])", Kind::EmptyWin, 0, None);
    check("(;FF[5])", Kind::BadValue, 4, None);
    assert_eq!(read("(;PB[a]PB[b])").game.info.get("PB"), Some("a"));
    assert_eq!(read("(;KM[]HA[]RE[]PB[])").warnings, []);
}

#[test]
fn doubtful_characters() {
    check("(;CA[klingon]PB[a])", Kind::Charset, 4, None);
    check("\u{feff}(;CA[GBK]PB[\u{674e}])", Kind::Charset, 7, None);
    let record = read_bytes(b"(;PB[\xff]PW[\xfe];B[aa])");
    assert_eq!(kinds(&record), [Kind::Undecodable], "once per game");
    assert_eq!(record.game.info.get("PB"), Some("\u{fffd}"));
}

#[test]
fn stray_bytes() {
    check("see: (;B[aa])", Kind::StrayText, 0, None);
    check("(;B[aa])) ;W[bb])", Kind::StrayText, 8, Some(1));
    check("(;B[aa]C[x [y] and so on];W[bb])", Kind::StrayText, 15, Some(1));
    check("(;B[aa]C[a] W wins];W[bb])", Kind::StrayText, 12, Some(1));
    check("(;note[x]B[aa])", Kind::StrayText, 2, Some(1));
    check("(;B[aa];W[bb](]))", Kind::StrayText, 14, Some(2));
    check("(;B[aa](W[bb]))", Kind::MissingNode, 8, Some(2));
    check("(;B[aa](;W[bb])(;W[cc]))", Kind::Variations, 0, None);
}

#[test]
fn the_list_is_limited() {
    let record = read(&format!("(;SZ[9]{})", ";B[aa]".repeat(500)));
    assert_eq!((record.warnings.len(), record.warnings_left_out), (100, 399));
}
