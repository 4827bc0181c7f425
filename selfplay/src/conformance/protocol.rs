//! Checks of the protocol: lines, numbers, comments, arguments, errors.

use super::{
    Abilities, Check, CheckError, Fault,
    checker::Checker,
    connection::{Disorder, Reply},
};

/// The commands that every engine has by the specification.
const REQUIRED: [&str; 11] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
];
/// Commands that the checks use where an engine has them.
const OPTIONAL: [&str; 4] = ["undo", "list_stones", "final_score", "final_status_list"];
/// A command that nobody has.
const UNKNOWN: &str = "jigo-no-such-command";
/// The length of lines that are longer than engines expect, and still fit into a pipe that nobody reads.
const LONG_LINE: usize = 20_000;

/// Lines that mean `name`, and what is wrong with programs that do not see it.
const NAME_LINES: [(&str, &str); 13] = [
    ("  name", "does not pass over blanks around a command"),
    ("name  ", "does not pass over blanks around a command"),
    ("\tname", "does not pass over tabs around a command"),
    ("\t name\t", "does not pass over tabs around a command"),
    ("\nname", "does not pass over empty lines"),
    ("\n\n  \n\t\nname", "does not pass over empty lines"),
    ("# comment\nname", "does not pass over comments"),
    ("name # comment", "does not pass over comments"),
    ("name#comment", "does not pass over comments"),
    ("  # 1 version\nname", "does not pass over comments"),
    ("name\r", "does not pass over carriage returns"),
    ("\r\nname\r", "does not pass over carriage returns"),
    ("na\x01me\x7f", "does not pass over control characters"),
];
/// Commands that must fail, and what is wrong if they do not.
const WRONG_ARGUMENTS: [(&str, &str); 14] = [
    ("play red C3", "accepts a colour that is none"),
    ("play blackk C3", "accepts a colour that is none"),
    ("play x C3", "accepts a colour that is none"),
    ("play 1 C3", "accepts a colour that is none"),
    ("genmove red", "accepts a colour that is none"),
    ("play", "accepts a command without its arguments"),
    ("play black", "accepts a command without its arguments"),
    ("boardsize", "accepts a command without its arguments"),
    ("komi", "accepts a command without its arguments"),
    ("boardsize nine", "accepts a board size that is none"),
    ("boardsize 1000", "accepts a board size that is none"),
    ("boardsize 0", "accepts a board size that is none"),
    ("boardsize -9", "accepts a board size that is none"),
    ("komi much", "accepts a komi that is no number"),
];
/// Ways to write a colour and a vertex.
const SPELLINGS: [&str; 8] = ["black C3", "b c3", "B C3", "BLACK c3", "w c3", "W C3", "White c3", "WHITE C3"];

/// What the reply to a probe must be.
#[derive(Clone, Copy)]
enum Want<'a> {
    Success,
    Failure,
    /// Success with this text.
    Text(&'a str),
    /// Success with these vertices, in capitals or small letters.
    Vertices(&'a str),
    /// Success or failure, with the number of the command.
    Numbered(&'a str, bool),
}

impl Want<'_> {
    fn accepts(self, reply: &Reply) -> bool {
        match self {
            Self::Success => reply.parse(None).is_some_and(|(success, _)| success),
            Self::Failure => reply.parse(None).is_some_and(|(success, _)| !success),
            Self::Text(text) => reply.parse(None) == Some((true, text)),
            Self::Vertices(names) => {
                reply.parse(None).is_some_and(|(success, text)| success && text.eq_ignore_ascii_case(names))
            }
            Self::Numbered(id, wanted) => reply.parse(Some(id)).is_some_and(|(success, _)| success == wanted),
        }
    }

    fn shown(self) -> String {
        match self {
            Self::Success => "=".to_owned(),
            Self::Failure => "?".to_owned(),
            Self::Text(text) | Self::Vertices(text) => format!("= {text}").trim_end().to_owned(),
            Self::Numbered(id, true) => format!("={id}"),
            Self::Numbered(id, false) => format!("?{id}"),
        }
    }
}

/// Finds out what the program has, and checks how it reads lines.
pub(super) fn check_lines(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    begin(checker)?;
    find_batch(checker)?;
    find_commands(checker)?;
    check_numbers_and_blanks(checker)?;
    check_long_lines(checker)
}

/// Asks for name and version. A program that replies to nothing is no engine.
fn begin(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let mut replies = Vec::new();
    for command in ["name", "version", "protocol_version"] {
        let reply = checker.connection.ask(command)?;
        if matches!(reply, Reply::TimedOut(_) | Reply::Ended(_)) {
            let (program, answered) = (checker.spec.program.clone(), reply.shown());
            return Err(CheckError::NoGtp { program, command: command.to_owned(), answered });
        }
        replies.push(reply);
    }
    if replies.iter().all(|reply| reply.parse(None).is_none()) {
        let (program, answered) = (checker.spec.program.clone(), format!("`{}`", replies[0].shown()));
        return Err(CheckError::NoGtp { program, command: "name".to_owned(), answered });
    }
    let text = |reply: &Reply| reply.parse(None).map_or_else(String::new, |(_, text)| text.to_owned());
    checker.abilities = Abilities {
        name: text(&replies[0]),
        version: text(&replies[1]),
        sentinel: replies[0].clone(),
        ..Abilities::default()
    };
    probe(checker, "does not tell its name", &[], "name", Want::Success)?;
    probe(checker, "does not tell its version", &[], "version", Want::Success)?;
    probe(checker, "does not speak version 2 of the protocol", &[], "protocol_version", Want::Text("2"))?;
    Ok(())
}

/// Finds out whether commands may be sent before their replies are read. The protocol does not demand it.
fn find_batch(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let version = checker.connection.ask("protocol_version")?;
    let commands: Vec<String> =
        ["name", "protocol_version"].into_iter().cycle().take(40).map(str::to_owned).collect();
    let replies = checker.connection.ask_all(&commands)?;
    let wanted = [&checker.abilities.sentinel, &version];
    let is_right = replies.len() == commands.len()
        && replies.iter().zip(wanted.into_iter().cycle()).all(|(reply, wanted)| reply == wanted);
    if !is_right {
        checker.connection.batch = 1;
        checker.connection.restart();
    }
    Ok(())
}

/// Compares `list_commands` with `known_command`.
fn find_commands(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let reply = checker.connection.ask("list_commands")?;
    let listed: Vec<String> = match reply.parse(None) {
        Some((true, text)) => text.lines().map(|line| line.trim().to_owned()).collect(),
        _ => Vec::new(),
    };
    probe(checker, "does not list its commands", &[], "list_commands", Want::Success)?;
    for name in REQUIRED {
        if !listed.is_empty() && !listed.iter().any(|listed| listed == name) {
            let kind = (Check::Protocol, format!("does not list the command {name}, which every engine has"));
            let answered = format!("{} others", listed.len());
            let fault = Fault::new(&kind, vec!["list_commands".to_owned()], name.to_owned(), answered, true);
            checker.record(kind, fault);
        }
    }
    for name in &listed {
        let what = "does not know a command that it lists";
        probe(checker, what, &[], &format!("known_command {name}"), Want::Text("true"))?;
    }
    let what = "claims to know a command that it does not list";
    let unlisted =
        OPTIONAL.into_iter().filter(|name| !listed.is_empty() && !listed.iter().any(|listed| listed == name));
    for name in unlisted.chain([UNKNOWN]) {
        probe(checker, what, &[], &format!("known_command {name}"), Want::Text("false"))?;
    }
    for name in OPTIONAL.into_iter().filter(|_| listed.is_empty()) {
        let known = checker.connection.ask(&format!("known_command {name}"))?;
        if known.parse(None) == Some((true, "true")) {
            checker.abilities.commands.insert(name.to_owned());
        }
    }
    checker.abilities.commands.extend(listed);
    Ok(())
}

fn check_numbers_and_blanks(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    for (id, command, success) in [
        ("17", "name", true),
        ("0", "name", true),
        ("2147483647", "name", true),
        ("20", "list_commands", true),
        ("18", UNKNOWN, false),
    ] {
        let what = if success {
            "does not repeat the number of a command"
        } else {
            "does not repeat the number of a command that fails"
        };
        probe(checker, what, &[], &format!("{id} {command}"), Want::Numbered(id, success))?;
    }
    probe(checker, "accepts a command that it does not have", &[], UNKNOWN, Want::Failure)?;
    let name = checker.abilities.name.clone();
    let same = Want::Text(&name);
    for (line, what) in NAME_LINES {
        probe(checker, what, &[], line, same)?;
    }
    let what = "does not repeat the number of a command before a tab";
    probe(checker, what, &[], "7\tname", Want::Numbered("7", true))?;
    Ok(())
}

fn check_long_lines(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let name = checker.abilities.name.clone();
    let same = Want::Text(&name);
    let long = "x".repeat(LONG_LINE);
    probe(checker, "does not pass over a long comment", &[], &format!("name # {long}"), same)?;
    for line in [long, format!("{UNKNOWN} {}", "x ".repeat(LONG_LINE / 2))] {
        probe(checker, "does not refuse a long line", &[], &line, Want::Failure)?;
    }
    probe(checker, "does not refuse characters that are not ASCII", &[], "jigo-é名", Want::Failure)?;
    probe_bytes(checker, "does not refuse bytes that are no text", &[], b"jigo-\xff\xfe\xe9", Want::Failure)?;
    Ok(())
}

/// Checks what commands do with right and wrong arguments, and that those which fail change nothing.
pub(super) fn check_arguments(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let start = start(checker);
    let start: Vec<&str> = start.iter().map(String::as_str).collect();
    for spelling in SPELLINGS {
        let line = format!("play {spelling}");
        let what = "does not take colours and vertices in capitals and small letters alike";
        if probe(checker, what, &start, &line, Want::Success)? {
            let after = [&start[..], &[line.as_str()]].concat();
            let what = "does not put a stone where it accepts one";
            probe(checker, what, &after, "play black C3", Want::Failure)?;
        }
    }
    for line in ["play black pass", "play white PASS", "play b Pass"] {
        let what = "does not take passes in capitals and small letters alike";
        probe(checker, what, &start, line, Want::Success)?;
    }
    let after = [&start[..], &["play black A1"]].concat();
    probe(checker, "refuses two moves of one colour in a row", &after, "play black C3", Want::Success)?;
    let what = "does not pass over blanks and tabs between words";
    probe(checker, what, &start, "play\tblack   C3", Want::Success)?;
    for vertex in bad_vertices(checker.spec.size.width()) {
        let what = "accepts a vertex that is not on the board";
        probe(checker, what, &start, &format!("play black {vertex}"), Want::Failure)?;
    }
    for (line, what) in WRONG_ARGUMENTS {
        probe(checker, what, &start, line, Want::Failure)?;
    }
    check_state(checker)
}

/// Returns vertices that are not on a board of this side.
fn bad_vertices(side: usize) -> Vec<String> {
    let mut bad = ["I3", "i3", "A0", "Z99", "3C", "C", "3", "C-1", "@3"].map(str::to_owned).to_vec();
    bad.push(format!("A{}", side + 1));
    if let Some(column) = "ABCDEFGHJKLMNOPQRSTUVWXYZ".chars().nth(side) {
        bad.push(format!("{column}1"));
    }
    bad
}

/// Checks that commands that fail change nothing.
fn check_state(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let mut setup = start(checker);
    setup.push("play black C3".to_owned());
    let failing =
        [UNKNOWN, "play white I5", "play red D4", "play white C3", "boardsize 1000", "komi much", "play"];
    setup.extend(failing.map(str::to_owned));
    let setup: Vec<&str> = setup.iter().map(String::as_str).collect();
    probe(checker, "loses stones by commands that fail", &setup, "play white C3", Want::Failure)?;
    probe(
        checker,
        "refuses a legal move after commands that failed",
        &setup,
        "play white D3",
        Want::Success,
    )?;
    let stones = [("list_stones black", "C3"), ("list_stones white", "")];
    let has_list = checker.abilities.has("list_stones");
    for (line, names) in stones.into_iter().filter(|_| has_list) {
        probe(checker, "has other stones after commands that failed", &setup, line, Want::Vertices(names))?;
    }
    Ok(())
}

/// Checks that the program ends when it is told to.
pub(super) fn check_quit(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let reply = checker.connection.ask("quit")?;
    let has_replied = Want::Success.accepts(&reply);
    let judge = |checker: &mut Checker<'_>, is_right: bool, what: &str, wanted: &str, answered: String| {
        let kind = (Check::Protocol, what.to_owned());
        if is_right {
            checker.row(kind.0).cases += 1;
        } else {
            let fault = Fault::new(&kind, vec!["quit".to_owned()], wanted.to_owned(), answered, true);
            checker.record(kind, fault);
        }
    };
    judge(checker, has_replied, "does not reply to quit", "=", reply.shown());
    let has_ended = !matches!(reply, Reply::Text(_)) || checker.connection.has_ended()?;
    judge(
        checker,
        has_ended,
        "does not end after quit",
        "the end of the program",
        "the program goes on".to_owned(),
    );
    Ok(())
}

/// Returns the commands that begin a game on the largest board.
fn start(checker: &Checker<'_>) -> Vec<String> {
    vec![format!("boardsize {}", checker.spec.size.width()), "clear_board".to_owned()]
}

fn probe(
    checker: &mut Checker<'_>,
    what: &str,
    setup: &[&str],
    line: &str,
    want: Want<'_>,
) -> Result<bool, CheckError> {
    probe_bytes(checker, what, setup, line.as_bytes(), want)
}

/// Sends some commands and a line, and compares the reply to the line. The program must also be in step afterwards: the next reply is that to the
/// next command.
fn probe_bytes(
    checker: &mut Checker<'_>,
    what: &str,
    setup: &[&str],
    line: &[u8],
    want: Want<'_>,
) -> Result<bool, CheckError> {
    if checker.is_hopeless() {
        return Ok(false);
    }
    if checker.starts_anew {
        checker.connection.restart();
    }
    let mut commands: Vec<String> = setup.iter().map(|&command| command.to_owned()).collect();
    checker.connection.ask_all(&commands)?;
    let reply = checker.connection.ask_bytes(&[line, b"\n"].concat())?;
    let is_right = want.accepts(&reply);
    commands.push(String::from_utf8_lossy(line).into_owned());
    let wrong = |commands, reply: &Reply| {
        let kind = (Check::Protocol, what.to_owned());
        (kind.clone(), Fault::new(&kind, commands, want.shown(), reply.shown(), true))
    };
    if !matches!(reply, Reply::Text(_)) {
        checker.note_silence(&reply);
        let (kind, fault) = wrong(commands, &reply);
        checker.record(kind, fault);
        return Ok(false);
    }
    let was_known = checker.connection.disorders.contains_key(&Disorder::Unasked);
    let next = checker.connection.ask("name")?;
    let unasked = if was_known { None } else { checker.connection.disorders.remove(&Disorder::Unasked) };
    let is_in_step = next == checker.abilities.sentinel && unasked.is_none();
    if !is_in_step {
        checker.connection.restart();
    }
    if !is_right {
        let (kind, fault) = wrong(commands, &reply);
        checker.record(kind, fault);
    } else if !is_in_step {
        let what = match line.len() {
            LONG_LINE.. => "takes a long line for several commands",
            _ => "does not give one reply for one command",
        };
        let kind = (Check::Protocol, what.to_owned());
        commands.push("name".to_owned());
        let wanted = checker.abilities.sentinel.shown();
        let answered = unasked.map_or_else(|| next.shown(), |(_, output)| output);
        checker.record(kind.clone(), Fault::new(&kind, commands, wanted, answered, true));
    } else {
        checker.row(Check::Protocol).cases += 1;
    }
    Ok(is_right && is_in_step)
}
