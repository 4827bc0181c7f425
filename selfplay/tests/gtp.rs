//! The Go Text Protocol: dialogues, garbage, and games compared with the engine's.

use std::{fs, io};

use jigo_engine::{BoardSize, Color, Game, Move, Point, Rules, mix64};
use jigo_selfplay::{
    PlayoutSpec, Policy,
    gtp::{Gtp, GtpOptions, serve},
    rules_fingerprint,
};

/// Dialogues: lines that begin with `>` are sent, what follows is answered. A line `> !` begins a new one on 5×5 under Tromp–Taylor rules.
const DIALOGUES: &str = "tests/data/gtp.txt";

fn engine(size: &str, rules: &str) -> Gtp {
    let (size, rules) = (size.parse().unwrap(), rules.parse().unwrap());
    Gtp::new(&GtpOptions { size, rules, ..GtpOptions::default() })
}

/// The answer to a command that must succeed.
#[track_caller]
fn ask(gtp: &mut Gtp, command: &str) -> String {
    let reply = gtp.answer(command).unwrap_or_else(|| panic!("{command}: no reply"));
    reply.result.unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// The error of a command that must fail.
#[track_caller]
fn fail(gtp: &mut Gtp, command: &str) -> String {
    gtp.answer(command).unwrap().result.expect_err(command)
}

/// After an intended change of replies, run `JIGO_BLESS=1 cargo test --release -p jigo-selfplay --test gtp dialogues` and read the
/// difference.
#[test]
fn dialogues() {
    let expected = fs::read_to_string(DIALOGUES).unwrap();
    let mut gtp = engine("5", "tromp-taylor");
    let mut found = String::new();
    for sent in expected.lines().filter_map(|line| line.strip_prefix("> ")) {
        found += &format!("> {sent}\n");
        if sent.starts_with('!') {
            gtp = engine("5", "tromp-taylor");
        } else if let Some(reply) = gtp.answer(sent) {
            found += &reply.to_string();
        }
    }
    if std::env::var_os("JIGO_BLESS").is_some() {
        fs::write(DIALOGUES, &found).unwrap();
    }
    for (number, (found, expected)) in (1..).zip(found.lines().zip(expected.lines())) {
        assert_eq!(found, expected, "{DIALOGUES}:{number}");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}

/// A generator for tests.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = mix64(self.0);
        (self.0 >> 16) as usize % bound
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

const WORDS: [&str; 40] = [
    "b",
    "w",
    "BLACK",
    "white",
    "A1",
    "C3",
    "e5",
    "pass",
    "PASS",
    "I5",
    "Z25",
    "resign",
    "2",
    "3",
    "9",
    "0",
    "-1",
    "25",
    "26",
    "7.5",
    "1e9",
    "99999999999999999999",
    "alive",
    "dead",
    "seki",
    "chinese",
    "japanese",
    "aga-button",
    "koSIMPLE",
    "{\"ko\":\"SIMPLE\"}",
    "{",
    "}",
    "ko",
    "SIMPLE",
    "suicide",
    "false",
    "é",
    "\u{fffd}",
    "#",
    "\t",
];

/// A line of garbage, or of words in an order that makes sense to nobody.
fn garbage(draws: &mut Draws, commands: &[String]) -> String {
    if draws.below(4) == 0 {
        let bytes: Vec<u8> = (0..draws.below(60)).map(|_| draws.below(256) as u8).collect();
        return String::from_utf8_lossy(&bytes).replace('\n', " ");
    }
    let command = &commands[draws.below(commands.len())];
    let mut line =
        if draws.below(8) == 0 { format!("{} {command}", draws.below(1 << 33)) } else { command.clone() };
    // These would read and write files.
    if !["loadsgf", "printsgf"].contains(&command.as_str()) {
        for _ in 0..draws.below(4) {
            line = format!("{line} {}", draws.one_of(&WORDS));
        }
    }
    line
}

/// Everything that commands tell about a game; the score, which takes time on open boards, after every tenth move only.
fn state(gtp: &mut Gtp) -> Vec<String> {
    let commands = ["query_boardsize", "showboard", "move_history", "kata-get-rules", "get_komi"];
    let mut all: Vec<String> = commands.iter().map(|command| ask(gtp, command)).collect();
    if all[2].lines().count().is_multiple_of(10) {
        all.push(ask(gtp, "jigo-score"));
    }
    all.extend(["all_legal b", "all_legal w", "reg_genmove b"].map(|command| ask(gtp, command)));
    all
}

#[test]
fn garbage_is_answered_and_failures_change_nothing() {
    let mut draws = Draws(1);
    let mut gtp = engine("5", "tromp-taylor");
    let commands: Vec<String> = ask(&mut gtp, "list_commands").lines().map(str::to_owned).collect();
    let (mut failed, mut compared) = (0, 0);
    for number in 0..100_000 {
        if gtp.has_quit() || number % 500 == 0 {
            gtp = engine(
                draws.one_of(&["1", "2", "5", "4x3", "9"]),
                draws.one_of(&["tromp-taylor", "japanese"]),
            );
        }
        let line = garbage(&mut draws, &commands);
        let before = (number % 10 == 0).then(|| state(&mut gtp));
        let Some(reply) = gtp.answer(&line) else { continue };
        let text = reply.to_string();
        assert!(text.starts_with(['=', '?']) && text.ends_with("\n\n"), "{line:?}: {text:?}");
        assert!(!text[..text.len() - 2].contains("\n\n"), "{line:?}: {text:?}");
        if reply.result.is_err() {
            failed += 1;
            if let Some(before) = before {
                assert_eq!(state(&mut gtp), before, "{line:?}");
                compared += 1;
            }
        }
    }
    assert!(failed > 30_000 && compared > 3_000, "{failed} failed, {compared} compared");
    assert!(failed < 90_000, "{failed} failed");
}

/// The legal points as the engine has them, for the player to move.
fn legal(game: &Game) -> Vec<Point> {
    game.board().size().points().filter(|&point| game.check_point(point).is_ok()).collect()
}

fn names(points: &[Point], size: BoardSize) -> String {
    points.iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>().join(" ")
}

/// Random games, out of turn now and then and on after two passes, are those of `Game`; taken back, they are what they were, superko and all.
#[test]
fn games_are_those_of_the_engine_and_undo_is_exact() {
    let mut draws = Draws(7);
    let mut superko = 0;
    for round in 0..120 {
        let size: BoardSize = draws.one_of(&["2x1", "2", "3x2", "3", "4", "5"]).parse().unwrap();
        let all: Vec<Rules> = Rules::lattice().collect();
        let rules = draws.one_of(&all);
        let mut gtp = engine(&size.to_string(), &rules.to_string());
        let mut game: Game = Game::new(size, rules);
        let mut states = Vec::new();
        for _ in 0..60 {
            let color = if draws.below(12) == 0 { game.to_play().opponent() } else { game.to_play() };
            states.push(state(&mut gtp));
            game.set_to_play(color);
            let points = legal(&game);
            assert_eq!(ask(&mut gtp, &format!("all_legal {color}")), names(&points, size), "round {round}");
            superko += game.board().legal_points().count() - points.len();
            let forbidden = size.points().find(|point| !points.contains(point));
            if let Some(point) = forbidden {
                let error = fail(&mut gtp, &format!("play {color} {}", point.to_gtp(size)));
                let reason = game.check_point(point).unwrap_err();
                assert_eq!(error, format!("illegal move: {reason}"));
            }
            let mv = match points.len() {
                count if count > 0 && draws.below(10) > 0 => Move::Play(draws.one_of(&points)),
                _ => Move::Pass,
            };
            ask(&mut gtp, &format!("play {color} {}", mv.to_gtp(size)));
            match mv {
                Move::Play(point) => drop(game.play_unchecked(point)),
                Move::Pass => game.pass(),
            }
            for color in Color::BOTH {
                let captures = ask(&mut gtp, &format!("captures {color}"));
                assert_eq!(captures, game.prisoners(color.opponent()).to_string());
            }
        }
        while let Some(before) = states.pop() {
            ask(&mut gtp, "undo");
            assert_eq!(state(&mut gtp), before, "round {round}, ply {}", states.len());
        }
        assert!(fail(&mut gtp, "undo").starts_with("cannot undo"));
    }
    assert!(superko > 100, "{superko}");
}

#[test]
fn genmove_plays_the_games_of_the_seed() {
    for (size, rules, policy) in [
        ("5", "tromp-taylor", "uniform"),
        ("9", "chinese", "eye-safe"),
        ("7", "aga", "guarded:k=2"),
        ("6", "tromp-taylor", "settled:k=3"),
        ("13x9", "japanese", "eye-safe"),
    ] {
        let (size, policy): (BoardSize, Policy) = (size.parse().unwrap(), policy.parse().unwrap());
        let spec = PlayoutSpec::new(size, rules.parse().unwrap(), policy, 5);
        let options = GtpOptions { size, rules: spec.rules, policy, seed: 5, ..GtpOptions::default() };
        let mut gtp = Gtp::new(&options);
        for game_index in 0..3 {
            let record = spec.play(game_index);
            ask(&mut gtp, "clear_board");
            for (ply, mv) in record.moves.iter().enumerate() {
                let color = Color::BOTH[ply % 2];
                assert_eq!(ask(&mut gtp, &format!("reg_genmove {color}")), mv.to_gtp(size));
                assert_eq!(ask(&mut gtp, &format!("genmove {color}")), mv.to_gtp(size), "{size}, ply {ply}");
            }
        }
    }
}

#[test]
fn free_handicap_is_what_is_answered() {
    for (policy, size, fewest) in [("uniform", "3", 8), ("eye-safe", "3", 3), ("uniform", "3x1", 2)] {
        let (policy, size): (Policy, BoardSize) = (policy.parse().unwrap(), size.parse().unwrap());
        let asked = size.point_count() - 1;
        let mut least = asked;
        for seed in 0..200 {
            let mut gtp = Gtp::new(&GtpOptions { size, policy, seed, ..GtpOptions::default() });
            let answer = ask(&mut gtp, &format!("place_free_handicap {asked}"));
            let mut placed: Vec<Point> =
                answer.split(' ').map(|name| Point::from_gtp(name, size).unwrap()).collect();
            placed.sort_by_key(|point| point.index(size));
            assert_eq!(ask(&mut gtp, "list_stones black"), names(&placed, size));
            least = least.min(placed.len());
        }
        assert!(least >= fewest, "{size} {policy}: {least}");
    }
}

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

fn conversation(input: &[u8]) -> String {
    let mut output = Vec::new();
    serve(&mut engine("9", "tromp-taylor"), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn streams_of_any_bytes() {
    assert_eq!(conversation(b""), "");
    assert_eq!(conversation(b"\n\r\n  \t\n# comment\n"), "");
    assert_eq!(conversation(b"1\tname # who\r\n2 na\x07me"), "=1 jigo\n\n=2 jigo\n\n");
    assert_eq!(conversation(b"quit\nname\n"), "= \n\n");
    assert_eq!(
        conversation(b"\xff\xfe\nplay b \xc3\n"),
        "? unknown command\n\n? syntax error: `\u{fffd}` is not a point of a 9x9 board (points are written as in C4, without the letter I)\n\n"
    );
    let mut long = b"play ".repeat(1 << 19);
    long.extend(b"\nname\n");
    let expected = "? syntax error: the line is longer than 1048576 bytes\n\n= jigo\n\n";
    assert_eq!(conversation(&long), expected);
    // The longest line that is read.
    let mut longest = vec![b'x'; 1 << 20];
    assert_eq!(conversation(&longest), "? unknown command\n\n");
    longest.push(b'x');
    assert!(conversation(&longest).contains("longer than"));
}

/// Counts what is written between flushes, and stops listening after a while.
struct Listener {
    unflushed: usize,
    replies_left: usize,
}

impl io::Write for Listener {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert_eq!(self.unflushed, 0, "a reply was not flushed");
        self.unflushed = bytes.len();
        self.replies_left =
            self.replies_left.checked_sub(1).ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unflushed = 0;
        Ok(())
    }
}

#[test]
fn every_reply_is_flushed_and_a_closed_pipe_reported() {
    let mut gtp = engine("9", "tromp-taylor");
    let mut listener = Listener { unflushed: 0, replies_left: 2 };
    let result = serve(&mut gtp, &b"name\nversion\nname\nname\n"[..], &mut listener);
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(listener.replies_left, 0);
}
