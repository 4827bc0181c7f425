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
    probe(checker, "does not speak version 2 of the protocol", &[], "protocol_version", Want::Text("2"))
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
    for line in ["  name", "name  ", "\tname", "\t name\t"] {
        probe(checker, "does not pass over blanks and tabs around a command", &[], line, same)?;
    }
    for line in ["\nname", "\n\n  \n\t\nname"] {
        probe(checker, "does not pass over empty lines", &[], line, same)?;
    }
    for line in ["# comment\nname", "name # comment", "name#comment", "  # 1 version\nname"] {
        probe(checker, "does not pass over comments", &[], line, same)?;
    }
    for line in ["name\r", "\r\nname\r"] {
        probe(checker, "does not pass over carriage returns", &[], line, same)?;
    }
    probe(checker, "does not pass over control characters", &[], "na\x01me\x7f", same)?;
    probe(
        checker,
        "does not repeat the number of a command after a tab",
        &[],
        "7\tname",
        Want::Numbered("7", true),
    )
}

fn check_long_lines(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let name = checker.abilities.name.clone();
    let same = Want::Text(&name);
    let long = "x".repeat(LONG_LINE);
    probe(checker, "does not pass over a long comment", &[], &format!("name # {long}"), same)?;
    probe(checker, "does not refuse a long line", &[], &long, Want::Failure)?;
    probe(
        checker,
        "does not refuse a long line",
        &[],
        &format!("{UNKNOWN} {}", "x ".repeat(LONG_LINE / 2)),
        Want::Failure,
    )?;
    probe(checker, "does not refuse characters that are not ASCII", &[], "jigo-é名", Want::Failure)?;
    probe_bytes(checker, "does not refuse bytes that are no text", &[], b"jigo-\xff\xfe\xe9", Want::Failure)
}

/// Checks what commands do with right and wrong arguments, and that those which fail change nothing.
pub(super) fn check_arguments(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let start = start(checker);
    let start: Vec<&str> = start.iter().map(String::as_str).collect();
    for (color, vertex) in [
        ("black", "C3"),
        ("b", "c3"),
        ("B", "C3"),
        ("BLACK", "c3"),
        ("Black", "C3"),
        ("w", "c3"),
        ("W", "C3"),
        ("White", "c3"),
        ("WHITE", "C3"),
        ("white", "C3"),
    ] {
        let line = format!("play {color} {vertex}");
        let what = "does not take colours and vertices in capitals and small letters alike";
        probe(checker, what, &start, &line, Want::Success)?;
        let after: Vec<&str> = start.iter().copied().chain([line.as_str()]).collect();
        probe(checker, "does not put a stone where it accepts one", &after, "play black C3", Want::Failure)?;
    }
    for line in ["play black pass", "play white PASS", "play b Pass"] {
        probe(
            checker,
            "does not take passes in capitals and small letters alike",
            &start,
            line,
            Want::Success,
        )?;
    }
    let after: Vec<&str> = start.iter().copied().chain(["play black A1"]).collect();
    probe(checker, "refuses two moves of one colour in a row", &after, "play black C3", Want::Success)?;
    probe(
        checker,
        "does not pass over blanks and tabs between words",
        &start,
        "play\tblack   C3",
        Want::Success,
    )?;
    let what = "accepts a vertex that is not on the board";
    for vertex in bad_vertices(checker.spec.size.width()) {
        probe(checker, what, &start, &format!("play black {vertex}"), Want::Failure)?;
    }
    for color in ["red", "blackk", "x", "1"] {
        probe(checker, "accepts a colour that is none", &start, &format!("play {color} C3"), Want::Failure)?;
    }
    for line in ["play", "play black", "boardsize", "komi", "genmove red"] {
        probe(checker, "accepts a command without its arguments", &start, line, Want::Failure)?;
    }
    for line in ["boardsize nine", "boardsize 1000", "boardsize 0", "boardsize -9", "komi much"] {
        probe(checker, "accepts a size or komi that is none", &start, line, Want::Failure)?;
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
    for line in
        [UNKNOWN, "play white I5", "play red D4", "play white C3", "boardsize 1000", "komi much", "play"]
    {
        setup.push(line.to_owned());
    }
    let setup: Vec<&str> = setup.iter().map(String::as_str).collect();
    probe(checker, "loses stones by commands that fail", &setup, "play white C3", Want::Failure)?;
    probe(
        checker,
        "plays on a board that commands which failed have changed",
        &setup,
        "play white D3",
        Want::Success,
    )?;
    if checker.abilities.has("list_stones") {
        for (color, text) in [("black", "C3"), ("white", "")] {
            let command = format!("list_stones {color}");
            probe(
                checker,
                "has other stones after commands that fail",
                &setup,
                &command,
                Want::Vertices(text),
            )?;
        }
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
) -> Result<(), CheckError> {
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
) -> Result<(), CheckError> {
    if checker.is_hopeless() {
        return Ok(());
    }
    if checker.starts_anew {
        checker.connection.restart();
    }
    let mut commands: Vec<String> = setup.iter().map(|&command| command.to_owned()).collect();
    checker.connection.ask_all(&commands)?;
    let reply = checker.connection.ask_bytes(&[line, b"\n"].concat())?;
    let is_right = want.accepts(&reply);
    commands.push(String::from_utf8_lossy(line).into_owned());
    if matches!(reply, Reply::Text(_)) {
        let was_known = checker.connection.disorders.contains_key(&Disorder::Unasked);
        let next = checker.connection.ask("name")?;
        let unasked = if was_known { None } else { checker.connection.disorders.remove(&Disorder::Unasked) };
        if next != checker.abilities.sentinel || unasked.is_some() {
            let what = if line.len() < LONG_LINE {
                "does not give one reply for one command"
            } else {
                "takes a long line for several commands"
            };
            let kind = (Check::Protocol, what.to_owned());
            commands.push("name".to_owned());
            let (wanted, next) = (
                checker.abilities.sentinel.shown(),
                unasked.map_or_else(|| next.shown(), |(_, output)| output),
            );
            checker.record(kind.clone(), Fault::new(&kind, commands, wanted, next, true));
            checker.connection.restart();
            return Ok(());
        }
    } else {
        checker.note_silence(&reply);
    }
    if is_right {
        checker.row(Check::Protocol).cases += 1;
    } else {
        let kind = (Check::Protocol, what.to_owned());
        checker.record(kind.clone(), Fault::new(&kind, commands, want.shown(), reply.shown(), true));
    }
    Ok(())
}
