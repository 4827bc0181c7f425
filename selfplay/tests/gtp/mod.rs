//! The Go Text Protocol.

mod analysis;
mod games;
mod garbage;
mod records;
mod whole;

use std::{env, fs, path::Path};

use jigo_engine::zobrist::mix64;
use jigo_selfplay::gtp::{Gtp, GtpOptions};

/// Dialogues: lines that begin with `>` are sent, what follows is answered. A line `> !` begins a new one on 5×5 under Tromp–Taylor rules.
const DIALOGUES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/gtp.txt");
/// Dialogues of the same form that the documentation shows, each on a board and by rules that it sets. Files that they load are beside them.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples");

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

/// After an intended change of replies, run `JIGO_BLESS=1 cargo test --release -p jigo-selfplay dialogues` and read the
/// difference.
#[test]
fn dialogues() {
    replay(DIALOGUES.as_ref());
}

/// As [`dialogues`]; the whole games of `docs/gtp.md`.
#[test]
fn examples_of_whole_games() {
    let files = fs::read_dir(EXAMPLES).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "gtp")).collect();
    assert!(files.len() >= 6, "{files:?}");
    // No other test of this process has paths that depend on the folder.
    env::set_current_dir(EXAMPLES).unwrap();
    files.iter().for_each(|path| replay(path));
}

fn replay(path: &Path) {
    let expected = fs::read_to_string(path).unwrap();
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
    if env::var_os("JIGO_BLESS").is_some() {
        fs::write(path, &found).unwrap();
        return;
    }
    for (number, (found, expected)) in (1..).zip(found.lines().zip(expected.lines())) {
        assert_eq!(found, expected, "{}:{number}", path.display());
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

/// Everything that commands tell about a game; the score, which takes time on open boards, after every tenth move only.
fn state(gtp: &mut Gtp) -> Vec<String> {
    let commands = ["query_boardsize", "showboard", "move_history", "kata-get-rules", "get_komi"];
    let mut all: Vec<String> = commands.iter().map(|command| ask(gtp, command)).collect();
    if all[2].lines().count().is_multiple_of(10) {
        all.push(ask(gtp, "jigo-score"));
    }
    all.extend(["all_legal b", "all_legal w"].map(|command| ask(gtp, command)));
    // In a whole game it may be an error.
    all.push(gtp.answer("reg_genmove b").unwrap().to_string());
    all
}
