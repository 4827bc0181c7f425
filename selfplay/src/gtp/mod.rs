//! The Go Text Protocol, version 2: jigo's rules and policies for referees, GUIs and other programs.
//!
//! [`Gtp`] takes lines and gives replies, without any input or output; [`serve`] connects it with streams. The commands are described in
//! `docs/gtp.md`.
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

mod arguments;
mod commands;
mod error;
mod line;
mod serve;
mod session;

use std::fmt;

use jigo_engine::{BoardSize, Komi, Rules};

use crate::policy::Policy;
use arguments::Arguments;
use error::GtpError;
use line::Request;
pub use serve::serve;
use session::Session;

/// What a conversation starts with. The controller may change all but policy and seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GtpOptions {
    /// The board.
    pub size: BoardSize,
    /// The rules.
    pub rules: Rules,
    /// The komi.
    pub komi: Komi,
    /// How moves are chosen.
    pub policy: Policy,
    /// The seed of the draws.
    pub seed: u64,
}

/// Tromp–Taylor rules on 19×19 without komi, the standard light policy, seed 1.
impl Default for GtpOptions {
    fn default() -> Self {
        let size = BoardSize::square(19).expect("a usual board");
        Self { size, rules: Rules::TROMP_TAYLOR, komi: Komi::ZERO, policy: Policy::EYE_SAFE, seed: 1 }
    }
}

/// One end of a conversation: the engine.
#[derive(Clone, Debug)]
pub struct Gtp {
    session: Session,
}

/// The reply to a command. As text it ends with the empty line that the protocol demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The number that the command had.
    pub id: Option<u32>,
    /// The answer or the error message: lines without empty ones among them.
    pub result: Result<String, String>,
}

impl Gtp {
    /// An engine with an empty board.
    #[must_use]
    pub fn new(options: &GtpOptions) -> Self {
        Self { session: Session::new(options) }
    }

    /// The reply to a line; `None` for lines without a command, which get none.
    ///
    /// Never panics, whatever the line. A command that fails changes nothing.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        let Request { id, command, arguments } = Request::read(line)?;
        let result = commands::run(&mut self.session, &command, &arguments);
        Some(Reply { id, result: result.map_err(|error| error.to_string()) })
    }

    /// Whether the controller has ended the conversation.
    #[must_use]
    pub fn has_quit(&self) -> bool {
        self.session.has_quit
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let id = self.id.map_or(String::new(), |id| id.to_string());
        write!(f, "{sign}{id} {}\n\n", text.trim_end())
    }
}
