//! What well-formed and slightly unusual files hold.

use jigo_engine::{BoardSize, Color, Komi, Point};

use super::*;

fn points(record: &Record, content: Option<Color>) -> String {
    record.game.setup.points_with(content).map(Point::to_sgf).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_plain_game() {
    let record = read(
        "(;FF[4]GM[1]SZ[9]KM[6.5]RU[Chinese]HA[0]RE[W+2.5]PB[Ann]PW[Bob]BR[3d]DT[2020-01-01]AP[x:1]\n\
         ;B[ee];W[cc]C[a \\] b];B[];W[tt])\n",
    );
    let game = &record.game;
    assert_eq!(moves(&record), "Bee Wcc B W");
    assert_eq!(game.size, BoardSize::square(9).unwrap());
    assert_eq!(game.komi(), Some(Komi::from_half_points(13)));
    assert_eq!(game.rules(), Some("Chinese"));
    assert_eq!(game.result().unwrap().to_string(), "W+2.5");
    assert_eq!((game.player(Color::Black), game.player(Color::White)), (Some("Ann"), Some("Bob")));
    assert_eq!((game.info.get("BR"), game.info.get("DT")), (Some("3d"), Some("2020-01-01")));
    assert_eq!(record.application.as_deref(), Some("x:1"));
    assert_eq!((record.byte, record.charset, record.variation_count), (0, "UTF-8", 0));
    assert_eq!(record.warnings, []);
}

#[test]
fn events_know_their_place() {
    let text = "(;SZ[9];B[ee];AW[aa]PL[B];B[cc])";
    let record = read(text);
    let places: Vec<_> = record.events().map(|(_, byte, number)| (byte, number)).collect();
    let at = |part| text.find(part).unwrap();
    assert_eq!(places, [(at("B[ee]"), 1), (at("AW"), 1), (at("B[cc]"), 2)]);
    assert_eq!(record.warnings, []);
}

#[test]
fn sizes() {
    assert_eq!(read("(;B[ss])").game.size, BoardSize::square(19).unwrap());
    assert_eq!(read("(;SZ[9:13]B[im])").game.size, BoardSize::new(9, 13).unwrap());
    assert_eq!(moves(&read("(;SZ[25];B[tt];W[])")), "Btt W");
}

#[test]
fn setup_is_compressed_edited_and_interspersed() {
    let record = read("(;SZ[9]AB[aa:bb][ee]AW[ii];AE[ab]AB[ii]PL[W];W[cc];AB[dd]AE[cc][ee];B[ff])");
    assert_eq!(points(&record, Some(Color::Black)), "aa ba bb ee ii");
    assert_eq!(points(&record, Some(Color::White)), "");
    assert_eq!(record.game.setup.to_play, Some(Color::White));
    let Event::Setup(edit) = &record.game.events[1] else { panic!("{:?}", record.game.events) };
    let contents: Vec<_> = edit.points().map(|(point, content)| (point.to_sgf(), content)).collect();
    let expected = [("cc", None), ("dd", Some(Color::Black)), ("ee", None)];
    assert_eq!(contents, expected.map(|(name, content)| (name.to_owned(), content)));
    assert_eq!(moves(&record), "Wcc Bff");
    assert_eq!(record.warnings, []);
}

#[test]
fn setup_behind_the_root_counts_for_the_handicap() {
    let record = read("(;SZ[9]HA[2]KM[0];AB[cc][gg];W[ee])");
    assert_eq!(points(&record, Some(Color::Black)), "cc gg");
    assert_eq!(record.game.handicap(), Some(2));
    assert_eq!(record.warnings, []);
}

#[test]
fn the_main_line_is_the_first_child() {
    let record = read("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd];W[ee](;B[ff])(;B[gg])))(;W[hh];B[ii]))");
    assert_eq!(moves(&record), "Baa Wbb Bcc");
    assert_eq!(record.variation_count, 3);
    assert_eq!(kinds(&record), [DiagnosticKind::Variations]);
    let nested = read("(;SZ[9](;B[aa](;W[bb])))");
    assert_eq!(moves(&nested), "Baa Wbb");
    assert_eq!(nested.warnings, []);
}

#[test]
fn long_names_of_the_third_format() {
    let record = read("(;GaMe[1]SiZe[9]AddBlack[cc]PlayerWhite[Bob]KoMi[5.5];White[ee];Black[])");
    assert_eq!(moves(&record), "Wee B");
    assert_eq!(points(&record, Some(Color::Black)), "cc");
    assert_eq!(record.game.player(Color::White), Some("Bob"));
    assert_eq!(record.game.komi(), Some(Komi::from_half_points(11)));
}

#[test]
fn text_is_unescaped_by_the_rules_of_its_property() {
    let record = read("(;PB[a\\]\\\\b\nc]C[x\\\ny\r\nz]GN[[1\\]])");
    assert_eq!(record.game.info.get("PB"), Some("a]\\b c"));
    assert_eq!(record.game.info.get("C"), Some("xy\nz"));
    assert_eq!(record.game.info.get("GN"), Some("[1]"));
}

#[test]
fn character_sets() {
    let player = |bytes: &[u8]| read_bytes(bytes).game.player(Color::Black).unwrap().to_owned();
    assert_eq!(player("(;PB[李昌鎬])".as_bytes()), "李昌鎬");
    assert_eq!(player(b"(;CA[ISO-8859-1]PB[J\xfcrgen])"), "J\u{fc}rgen");
    assert_eq!(player(b"(;CA[gb2312]PB[\xc0\xee\xb2\xfd\xb8\xe4])"), "李昌镐");
    assert_eq!(
        player(b"(;PB[\xc0\xcc\xc3\xa2\xc8\xa3]CA[EUC-KR])"),
        "이창호",
        "CA counts for all of its node"
    );
    let record = read_bytes(b"\xef\xbb\xbf(;PB[\xe6\x9d\x8e];B[aa])");
    assert_eq!((record.byte, record.warnings.len()), (3, 0));
}

#[test]
fn characters_that_end_like_brackets() {
    // The second bytes of these characters are `]` and `\`.
    let record = read_bytes(b"(;CA[GBK]PB[\x8d\x5d\x8d\x5c]SZ[9];B[aa]C[\x81\x5c];W[bb])");
    assert_eq!(moves(&record), "Baa Wbb");
    assert_eq!(record.game.player(Color::Black).unwrap().chars().count(), 2);
    let record = read_bytes(b"(;CA[Shift_JIS]PB[\x83\x5c\\]\x83\x5d]SZ[9];B[aa])");
    assert_eq!(record.game.player(Color::Black), Some("ソ]ゾ"));
    assert_eq!(record.warnings, []);
}

#[test]
fn collections() {
    let games = read_collection(b"(;SZ[9];B[aa])\r\n(;SZ[5];B[bb])\0\x1a");
    let games: Vec<_> = games.into_iter().map(Result::unwrap).collect();
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["Baa", "Bbb"]);
    assert_eq!(games.iter().map(|game| game.byte).collect::<Vec<_>>(), [0, 16]);
    assert!(games.iter().all(|game| game.warnings.is_empty()));
}

#[test]
fn game_information_counts_wherever_it_stands() {
    let record = read("(;SZ[9];KM[7];B[aa]C[not kept];W[bb]RE[B+R])");
    assert_eq!(record.game.komi(), Some(Komi::from_points(7)));
    assert_eq!(record.game.result().unwrap().to_string(), "B+R");
    assert_eq!(record.game.info.get("C"), None);
}

#[test]
fn komi_is_never_guessed() {
    let komi = |text| read(&format!("(;KM[{text}])")).game.komi();
    assert_eq!(komi("375"), Some(Komi::from_points(375)));
    assert_eq!(komi("0"), Some(Komi::ZERO));
    assert_eq!((komi(""), komi("6,5"), komi("3.75"), komi("6.5 points")), (None, None, None, None));
}

#[test]
fn blanks_are_allowed_between_all_parts() {
    let record = read(" ( ; SZ [ 9 ] AB [ aa ] \n [ bb : cc ] ; W \t [ ee ] ) ");
    assert_eq!(points(&record, Some(Color::Black)), "aa bb bc cb cc");
    assert_eq!(moves(&record), "Wee");
    assert_eq!(record.warnings, []);
}
