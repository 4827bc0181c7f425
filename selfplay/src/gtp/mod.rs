//! The Go Text Protocol, version 2, on both sides.
//!
//! [`Gtp`] answers as an engine: with jigo's rules and a [`Player`], a policy unless another is given. It takes lines and gives replies, without any input or
//! output; [`serve`] connects it with streams. `docs/gtp.md` describes the commands. [`GtpClient`] runs another program and asks it, and
//! [`GtpPlayer`] makes a player of that.
//!
//! ```
//! use jigo_selfplay::gtp::{Gtp, GtpOptions};
//! let mut gtp = Gtp::new(&GtpOptions::default());
//! assert_eq!(gtp.answer("7 boardsize 5").unwrap().to_string(), "=7 \n\n");
//! gtp.answer("play black C3");
//! assert_eq!(gtp.answer("final_score").unwrap().to_string(), "= B+25\n\n");
//! assert_eq!(gtp.answer("# nothing to do"), None);
//! ```
//!
//! # Source
//! Gunnar Farnebäck, *Specification of the Go Text Protocol, version 2, draft 2* (2002).

mod analysis;
mod client;
mod clock;
mod commands;
mod program;
mod serve;
mod session;
mod setup;
mod whole;

use std::fmt;

use jigo_engine::{BoardSize, RuleSet, Rules, rules::KomiChoice};

use crate::{Player, Policy, terminal::printable_lines};
pub use client::{GtpClient, GtpClientError, GtpFailure, GtpPlayer};
use clock::Clock;
pub use program::kill_programs;
use serve::Console;
pub use serve::serve;
use session::{GtpError, Mover, Session};

/// The state in which a conversation starts. The controller may change all but policy and seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GtpOptions {
    /// The board.
    pub size: BoardSize,
    /// The rules.
    pub rules: RuleSet,
    /// The komi until the controller sets another.
    pub komi: KomiChoice,
    /// How moves are chosen, unless another [player](Gtp::with_player) is given.
    pub policy: Policy,
    /// The seed of the random numbers.
    pub seed: u64,
    /// A player that searches resigns when its chosen moves of two turns in a row have won less than so many percent of their playouts, from the ply on
    /// whose number is a fourth of the points; it never resigns where this is none.
    pub resign_percent: Option<u32>,
}

/// Tromp–Taylor rules with their komi on 19×19, the standard light policy, seed 1.
impl Default for GtpOptions {
    fn default() -> Self {
        let size = BoardSize::square(19).expect("a usual board");
        let rules = Rules::TROMP_TAYLOR.into();
        Self { size, rules, komi: KomiChoice::Rules, policy: Policy::EYE_SAFE, seed: 1, resign_percent: None }
    }
}

/// One end of a conversation: the engine.
pub struct Gtp {
    session: Session,
    mover: Mover,
    /// The clocks, where time is limited.
    clock: Option<Clock>,
    /// Whether the controller has ended the conversation.
    pub has_quit: bool,
}

/// The reply to a command. As text it ends with the empty line that the protocol demands, and what terminals obey is escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The number that the command had.
    pub id: Option<u32>,
    /// The answer or the error message: lines without empty ones among them.
    pub result: Result<String, String>,
}

impl Gtp {
    /// Returns an engine with an empty board that plays by the policy.
    #[must_use]
    pub fn new(options: &GtpOptions) -> Self {
        Self::with_player(options, options.policy.player())
    }

    /// Returns an engine with an empty board that plays by this player.
    #[must_use]
    pub fn with_player(options: &GtpOptions, player: Box<dyn Player>) -> Self {
        let mover = Mover::new(player, options.seed, options.resign_percent);
        Self { session: Session::new(options), mover, clock: None, has_quit: false }
    }

    /// Returns the reply to a line; `None` for lines without a command, which get none.
    ///
    /// The line is read as the specification demands: control characters are removed, tabs are blanks, `#` begins a comment. Never panics, whatever
    /// the line. A command that fails changes nothing. Replies are whole: an analysis, which goes on until the next line, ends at once and shows nothing;
    /// use [`serve`] for it.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        self.answer_to(line, &mut ())
    }

    /// As [`answer`](Self::answer); commands that take time show the first part of their reply themselves.
    fn answer_to(&mut self, line: &str, console: &mut dyn Console) -> Option<Reply> {
        let text = line.split('#').next().unwrap_or("").replace('\t', " ");
        let text: String = text.chars().filter(|char| !char.is_ascii_control()).collect();
        let mut words = text.split(' ').filter(|word| !word.is_empty()).peekable();
        let id = command_number(words.peek()?);
        if id.is_some() {
            words.next();
        }
        let command = words.next().unwrap_or_default();
        let arguments: Vec<&str> = words.collect();
        console.begin(id);
        let result = commands::run(self, command, &arguments, console);
        Some(Reply { id, result: result.map_err(|error| error.to_string()) })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let id = self.id.map_or(String::new(), |id| id.to_string());
        write!(f, "{sign}{id} {}\n\n", printable_lines(text.trim_end()))
    }
}

/// A number of at most 31 bits, of digits alone.
fn command_number(word: &str) -> Option<u32> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|&id| is_number && id <= i32::MAX as u32)
}
