//! Commands that make no sense, and streams of any bytes.

use std::io;

use jigo_selfplay::gtp::serve;

use super::{Draws, ask, engine, state};

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

#[test]
fn garbage_is_answered_and_failures_change_nothing() {
    let mut draws = Draws(1);
    let mut gtp = engine("5", "tromp-taylor");
    let commands: Vec<String> = ask(&mut gtp, "list_commands").lines().map(str::to_owned).collect();
    let (mut failed, mut compared) = (0, 0);
    for number in 0..100_000 {
        if gtp.has_quit || number % 500 == 0 {
            gtp = engine(
                draws.one_of(&["1", "2", "5", "4x3", "9"]),
                draws.one_of(&["tromp-taylor", "japanese"]),
            );
            if draws.below(2) == 0 {
                let rules = draws.one_of(&["tromp-taylor", "czech", "brainking", "hups", "makrai-territory"]);
                ask(&mut gtp, &format!("jigo-begin {rules}"));
            }
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
    assert!(failed < 95_000, "{failed} failed");
}

fn conversation(input: &[u8]) -> String {
    let input = io::Cursor::new(input.to_vec());
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
