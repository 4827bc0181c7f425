//! The help of all commands: groups, examples, and hints for spellings of earlier versions.

use std::{ffi::OsString, fmt::Write as _};

use clap::{
    Command,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::output::wrapped;

/// The commands by what they are for, as the help lists them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Measure", &["study", "compare", "merge", "analyze", "bench"]),
    ("Data", &["play", "verify", "export", "import"]),
    ("Exact results", &["score", "status", "count", "perft", "solve"]),
    ("Play", &["match", "gtp", "check"]),
    ("Shell", &["completions", "man"]),
];

/// Examples of the command as a whole.
const FIRST_EXAMPLES: &[(&str, &str)] = &[
    ("jigo study -s 9", "fair komi, superko and length of random games on 9x9"),
    ("jigo play -n 100k -o games", "a dataset of 100,000 games"),
    ("jigo score game.sgf --all-rules", "the last position of a record under every rule set"),
];

const AFTER_HELP: &str = "\
`jigo COMMAND --help` describes the options of a command.
Exit status: 0 success, 1 failure or problems found, 2 wrong arguments, 130 interrupted.";

/// Examples of each command, with what they show. A test runs them all in this order in one folder, which has games, positions and reports.
const EXAMPLES: [(&str, &[(&str, &str)]); 18] = [
    (
        "study",
        &[
            ("jigo study -s 9 -r tromp-taylor,japanese -n 20k", "what the rules change, game by game"),
            ("jigo study -s 7 -p uct:playouts=10,100 -n 200", "fair komi as both players search more"),
            ("jigo study --seki-census 3", "every seki of a tiny board"),
        ],
    ),
    (
        "compare",
        &[
            ("jigo compare before after", "every statistic of `after` minus that of `before`"),
            ("jigo compare before after --json -o change", "the same for programs"),
        ],
    ),
    (
        "merge",
        &[
            ("jigo study -s 9 -n 20k --shard 0/2 -o part0", "the first half, on one machine"),
            ("jigo study -s 9 -n 20k --shard 1/2 -o part1", "the other half, on another machine"),
            ("jigo merge part0 part1 -o whole", "the report of all games"),
        ],
    ),
    (
        "analyze",
        &[
            ("jigo analyze records", "results, komi and repeated positions of real games"),
            ("jigo analyze records --status search -o proved", "with proofs of life, death and seki"),
            ("jigo analyze games -o dataset", "a dataset of `jigo play`"),
        ],
    ),
    (
        "bench",
        &[
            ("jigo bench -s 9 -j 1 --backend board,best", "one game at a time, and many"),
            ("jigo bench -s 5 -p uct:playouts=100 --backend best", "playouts per second of a search"),
            ("jigo bench -s 9 --repetitions 1 --json > bench.json", "every backend, for programs"),
        ],
    ),
    (
        "play",
        &[
            ("jigo play -s 9 -n 100k -o games", "100,000 random games on 9x9"),
            ("jigo play -s 5 -p uct:playouts=100 -n 1k -o searched", "games by search, with its visits"),
            ("jigo play -n 100k --shard 1/4 -o cluster", "one part of four, on any machine"),
        ],
    ),
    (
        "verify",
        &[
            ("jigo verify games", "checks the digests of all files"),
            ("jigo verify --replay games", "also replays every move"),
        ],
    ),
    (
        "export",
        &[
            ("jigo export games --to sgf --limit 100 -o sgf", "the first 100 games as game records"),
            ("jigo export games --to csv --margin -3..3 -o csv", "a row for each close game"),
            ("jigo export games --to npz --positions-per-game 4 -o npz", "arrays for NumPy and PyTorch"),
        ],
    ),
    (
        "import",
        &[
            ("jigo import records -o imported", "SGF files as Parquet"),
            ("jigo import records game.sgf -o both", "folders, archives and files together"),
        ],
    ),
    (
        "score",
        &[
            ("jigo score game.sgf --all-rules", "the last position under every rule set"),
            ("jigo score position.txt -r japanese --dead C3", "with a dead stone on C3"),
            ("jigo score game.sgf --dead estimated", "playouts decide what nothing proves"),
        ],
    ),
    (
        "status",
        &[
            ("jigo status position.txt", "which groups are alive, dead or in seki"),
            ("jigo status position.txt --prove C3", "the proof for the group on C3"),
            ("jigo status game.sgf --move 2 --estimate", "with estimates for the rest"),
        ],
    ),
    (
        "count",
        &[
            ("jigo count --legal 5", "the legal positions on 5x5"),
            ("jigo count --games 1x4", "the games of Go on 1x4"),
        ],
    ),
    (
        "perft",
        &[
            ("jigo perft 3 -s 5", "the moves after 1, 2 and 3 plies"),
            ("jigo perft 2 --diagram position.txt -r japanese", "from a position"),
        ],
    ),
    (
        "solve",
        &[
            ("jigo solve 3x5 --proof 3x5.gz", "best play, with a proof for `jigo verify`"),
            ("jigo solve 2x2 -r tromp-taylor,chinese", "with superko and without"),
            ("jigo solve 2x3 --ko-sensitive", "positions whose value depends on the ko rule"),
            ("jigo solve 4x5 --limit 2GB,3s", "what is proved within 2 GB and 3 seconds"),
        ],
    ),
    (
        "match",
        &[
            (
                "jigo match uct:playouts=200 uct:playouts=100 -s 5 --komi 25 -o doubled",
                "a match of two searches",
            ),
            ("jigo match \"jigo gtp\" eye-safe uniform -s 5 -n 4 -o tournament", "everyone meets everyone"),
            (
                "jigo match uct:playouts=100 eye-safe -s 5 --sprt 0,100 -n 200 -o sprt",
                "stops as soon as a sequential test decides",
            ),
        ],
    ),
    (
        "gtp",
        &[
            ("jigo gtp -s 9 -p uct:playouts=1000", "an engine for Sabaki and other GUIs"),
            ("jigo gtp -r japanese --komi 6.5", "a referee"),
        ],
    ),
    (
        "check",
        &[
            ("jigo check \"jigo gtp\"", "what a program gets wrong, with the commands that show it"),
            ("jigo check \"jigo gtp -r chinese\" -r chinese -s 7", "by other rules, on smaller boards"),
        ],
    ),
    ("man", &[("jigo man -o man", "the manual pages of all commands")]),
];

/// Spellings of earlier versions: the command, or nothing where it is any, what its arguments contain, and the spelling of today.
const OLD_SPELLINGS: [(&str, &str, &str); 6] = [
    ("match", "--first", "name the players without options: `jigo match PLAYER PLAYER`"),
    ("match", "--second", "name the players without options: `jigo match PLAYER PLAYER`"),
    ("report", "--compare", "`jigo report --compare A B` is now `jigo compare A B`"),
    ("bench", "--json", "`--json` prints JSON; write `--out FILE` for a file"),
    ("", "--policy", "separate policies by commas, as in `--policy eye-safe,settled:k=3`"),
    ("", "-p", "separate policies by commas, as in `-p eye-safe,settled:k=3`"),
];

/// The arguments that have more values than those that completions suggest.
const SUGGESTED: [&str; 3] = ["size", "rules", "policy"];

/// The most columns of a help.
pub(super) const MAX_COLUMNS: usize = 100;

/// Returns the command with everything that its help shows on a terminal of so many columns.
pub(super) fn complete(command: Command, columns: usize) -> Command {
    let columns = columns.min(MAX_COLUMNS);
    let after = format!("{}\n\n{AFTER_HELP}", example_lines(FIRST_EXAMPLES, columns));
    with_groups(command, columns).after_help(after).mut_subcommands(|command| {
        let examples = EXAMPLES.iter().find(|(name, _)| *name == command.get_name());
        let command = match examples {
            Some((_, examples)) => command.after_help(example_lines(examples, columns)),
            None => command,
        };
        command.mut_args(|argument| {
            let is_closed = !SUGGESTED.contains(&argument.get_id().as_str());
            // A negative number is a wrong value with a message of its own, not an unknown option.
            let takes_values = argument.get_action().takes_values();
            argument.hide_possible_values(!is_closed).allow_negative_numbers(takes_values)
        })
    })
}

/// Returns the command with the help that lists all commands.
fn with_groups(command: Command, columns: usize) -> Command {
    let header = *command.get_styles().get_header();
    let name_style = *command.get_styles().get_literal();
    let width = command.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or_default();
    let mut help = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        let _ = writeln!(help, "\n{header}{title}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            // What does not fit beside the name stands below it.
            let about = wrapped(&format!("  {name:<width$}  {about}"), columns);
            let about = &about[2 + width..];
            let _ = writeln!(help, "  {name_style}{name:<width$}{name_style:#}{about}");
        }
    }
    let _ = write!(help, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(help)
}

/// Returns the examples as the help shows them: what they show stands beside them, or below where there is no room.
fn example_lines(examples: &[(&str, &str)], columns: usize) -> String {
    /// The longest example that has its explanation beside it.
    const MAX_WIDTH: usize = 58;
    let lengths = examples.iter().map(|(example, _)| example.len()).filter(|&length| length <= MAX_WIDTH);
    let width = lengths.max().unwrap_or_default();
    let longest = examples.iter().map(|(_, explanation)| explanation.len()).max().unwrap_or_default();
    let has_room = "  ".len() + width + "  ".len() + longest <= columns;
    let mut text = "Examples:".to_owned();
    for (example, explanation) in examples {
        let _ = match example.len() <= MAX_WIDTH && has_room {
            true => write!(text, "\n  {example:<width$}  {explanation}"),
            false => write!(text, "\n  {example}\n      {explanation}"),
        };
    }
    text
}

/// Takes from an error what does not help, and adds how an argument of an earlier version is written today.
pub(super) fn improve(error: &mut clap::Error, arguments: impl Iterator<Item = OsString>) {
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    // What is unknown is hardly ever meant as a value that begins with a hyphen.
    if error.kind() == ErrorKind::UnknownArgument {
        error.remove(ContextKind::Suggested);
    }
    let is_unknown = matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand);
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    // Another unknown option has nothing to do with the old spelling.
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    if SUGGESTED.iter().any(|name| unknown.starts_with(&format!("--{name} "))) {
        error.remove(ContextKind::ValidValue);
    }
    let is_meant = |argument: &str| unknown == argument || !unknown.starts_with('-');
    let hint = OLD_SPELLINGS.iter().find(|(command, argument, _)| {
        is_unknown && has(argument) && is_meant(argument) && (command.is_empty() || has(command))
    });
    if let Some((_, _, hint)) = hint {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(*hint)]));
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::command::Cli;

    #[test]
    fn every_command_is_in_one_group_and_has_examples() {
        let mut named: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        named.sort_unstable();
        let command = complete(Cli::command(), MAX_COLUMNS);
        let mut commands: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        commands.sort_unstable();
        assert_eq!(named, commands);
        for command in command.get_subcommands() {
            // How completions are loaded stands in their description.
            let has_examples = command.get_after_help().is_some() || command.get_name() == "completions";
            assert!(has_examples, "{}", command.get_name());
        }
    }
}
