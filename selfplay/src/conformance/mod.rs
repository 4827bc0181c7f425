//! Tests of a program that speaks GTP against jigo's rules.
//!
//! [`check_engine`] asks the program about legality, captures, ko, superko, suicide, passes, undo, counting, dead stones, and the protocol itself,
//! and compares every reply with what the rules demand. What it gets wrong comes with the shortest commands found that show it. `docs/check.md`
//! describes the checks.
//!
//! | file | holds |
//! | --- | --- |
//! | `connection` | commands and replies, of whatever form |
//! | `script` | commands about a game, and the reply that each of them must have |
//! | `checker` | running scripts, counting, and shortening those that fail |
//! | `protocol` | checks of the protocol |
//! | `rules` | which ko and suicide rules the program has; sizes, passes, undo |
//! | `games` | random games and trees of moves |
//! | `ends` | results, dead stones, and the program's own moves |

mod checker;
mod connection;
mod ends;
mod games;
mod protocol;
mod rules;
mod script;

use std::{collections::BTreeSet, time::Duration};

use jigo_engine::{BoardSize, RuleSet, Rules};

use checker::Checker;
use connection::Reply;

use crate::{Progress, gtp::GtpClientError};

/// What is tested, and how much.
#[derive(Clone, Debug)]
pub struct CheckSpec {
    /// The command line of the program.
    pub program: String,
    /// The largest board of random games: a square of 5×5 to 25×25.
    pub size: BoardSize,
    /// The rules that the program should play by.
    pub rules: RuleSet,
    /// Positions of random games.
    pub positions: u64,
    /// The seed of these games.
    pub seed: u64,
    /// The time in which the program must answer each command.
    pub time_limit: Duration,
}

impl CheckSpec {
    /// Returns 5,000 positions on boards up to 9×9, with seed 1 and 10 seconds for each answer.
    #[must_use]
    pub fn new(program: &str, rules: impl Into<RuleSet>) -> Self {
        let size = BoardSize::square(9).expect("a usual board");
        let (program, rules) = (program.to_owned(), rules.into());
        Self { program, size, rules, positions: 5_000, seed: 1, time_limit: Duration::from_secs(10) }
    }

    /// Checks that GTP has the board, and that it is large enough.
    ///
    /// # Errors
    /// [`CheckError::Size`].
    pub fn check(&self) -> Result<(), CheckError> {
        let is_fit = self.size.is_square() && self.size.width() >= 5;
        if is_fit { Ok(()) } else { Err(CheckError::Size(self.size)) }
    }
}

/// A part of what is tested: a row of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// Lines, numbers, comments, errors.
    Protocol,
    /// Board sizes, and that a new game knows nothing of the last one.
    Boards,
    /// Moves that are legal or illegal for other reasons than those below.
    Legality,
    /// The stones on the board after moves.
    Captures,
    /// Immediate recaptures.
    Ko,
    /// Longer repetitions.
    Superko,
    /// Moves that take the own last liberty.
    Suicide,
    /// Passes, and moves after them.
    Passes,
    /// Moves taken back.
    Undo,
    /// All moves to a depth, with undo.
    Perft,
    /// Results of finished games.
    Score,
    /// Dead and living stones at the end of games.
    Status,
    /// The program's own moves.
    Genmove,
}

jigo_engine::names! {
    /// All, in the order of the results.
    Check {
        Protocol = "protocol",
        Boards = "boards",
        Legality = "legality",
        Captures = "captures",
        Ko = "ko",
        Superko = "superko",
        Suicide = "suicide",
        Passes = "passes",
        Undo = "undo",
        Perft = "perft",
        Score = "score",
        Status = "status",
        Genmove = "genmove",
    }
}

/// The results of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRow {
    /// Which.
    pub check: Check,
    /// Replies that were compared.
    pub cases: u64,
    /// Replies among them that are wrong. What follows a wrong reply in the same game is not compared.
    pub wrong: u64,
    /// Replies that are not among these because they are right by another rule, by which the program plays throughout. The note names it.
    pub explained: u64,
    /// What else there is to say: by which other rule the program plays, or why nothing was compared.
    pub note: Option<String>,
}

/// One thing that the program gets wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The check that found it.
    pub check: Check,
    /// What it does, as in "accepts the immediate recapture of a ko".
    pub what: String,
    /// How often that was seen.
    pub count: u64,
    /// The shortest commands found that show it. Control characters are written as escapes.
    pub commands: Vec<String>,
    /// The reply that the last of them must have.
    pub expected: String,
    /// The reply that it had.
    pub answered: String,
    /// Whether a new process of the program did the same with these commands alone.
    pub is_repeatable: bool,
}

/// What a program gets right and wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// What it calls itself, and its version; empty where it does not say.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The rules by which it was found to play: those that were asked for, except for what the notes say.
    pub rules: Rules,
    /// The checks, in their order.
    pub rows: Vec<CheckRow>,
    /// What is wrong, in the order of the checks.
    pub faults: Vec<Fault>,
    /// Where the program plays by other rules than those that were asked for, in the same form: what these rules demand, and what it does.
    pub differences: Vec<Fault>,
}

impl CheckReport {
    /// Returns whether there is something wrong that no other rule explains.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.rows.iter().any(|row| row.wrong > 0)
    }
}

/// Why a program could not be tested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// It cannot be started.
    #[error(transparent)]
    NotStarted(#[from] GtpClientError),
    /// A board for which GTP has no size, or that is too small for the positions of the checks.
    #[error("engines are checked on square boards from 5x5, not on {0}: choose another size")]
    Size(BoardSize),
    /// It said nothing that can be understood.
    #[error(
        "`{program}` does not speak GTP: to `{command}` it answered {answered}. Check the command line and the program's options"
    )]
    NoGtp {
        /// The command line.
        program: String,
        /// What was asked.
        command: String,
        /// What came instead of a reply.
        answered: String,
    },
    /// It does not have the board.
    #[error("`{program}` has no {size} board: choose another size")]
    NoBoard {
        /// The command line.
        program: String,
        /// The board.
        size: BoardSize,
    },
    /// Stopped by [`Progress::stop`].
    #[error("stopped on request")]
    Stopped,
}

/// Tests a program. `progress` counts the positions of random games as plies.
///
/// The results depend on the spec and the program alone. The program is started several times, and what it does wrong never ends the test.
///
/// # Errors
/// [`CheckError`]: when the board is not fit, the program cannot be started, does not speak GTP or has no such board, or `progress` was stopped.
pub fn check_engine(spec: &CheckSpec, progress: &Progress) -> Result<CheckReport, CheckError> {
    spec.check()?;
    let mut checker = Checker::new(spec, progress);
    protocol::check_lines(&mut checker)?;
    rules::check_boards(&mut checker)?;
    protocol::check_arguments(&mut checker)?;
    rules::find_rules(&mut checker)?;
    rules::check_passes_and_undo(&mut checker)?;
    games::check_games(&mut checker, progress)?;
    games::check_perft(&mut checker)?;
    ends::check_scores(&mut checker)?;
    ends::check_statuses(&mut checker)?;
    ends::check_moves(&mut checker)?;
    protocol::check_quit(&mut checker)?;
    Ok(checker.into_report())
}

/// What the program was found to have.
#[derive(Clone, Debug)]
struct Abilities {
    name: String,
    version: String,
    /// The reply to `name`, which shows whether replies still belong to their commands.
    sentinel: Reply,
    /// The commands that it says it knows.
    commands: BTreeSet<String>,
    /// The sides of the smallest board that it has, from 2×2, and of the smallest from 5×5.
    smallest: usize,
    small: usize,
}

impl Default for Abilities {
    fn default() -> Self {
        let (name, version, commands) = (String::new(), String::new(), BTreeSet::new());
        Self { name, version, sentinel: Reply::Text(String::new()), commands, smallest: 0, small: 0 }
    }
}

impl Abilities {
    fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }
}
