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

mod client;
mod commands;
mod session;
mod setup;

use std::{
    fmt,
    io::{self, BufRead, Write},
};

use jigo_engine::{BoardSize, Komi, Rules};

use crate::{Player, Policy};
pub use client::{GtpClient, GtpClientError, GtpPlayer};
use session::{Engine, GtpError};

/// The state in which a conversation starts. The controller may change all but policy and seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GtpOptions {
    /// The board.
    pub size: BoardSize,
    /// The rules.
    pub rules: Rules,
    /// The komi.
    pub komi: Komi,
    /// How moves are chosen, unless another [player](Gtp::with_player) is given.
    pub policy: Policy,
    /// The seed of the random numbers.
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
pub struct Gtp {
    engine: Engine,
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
    /// Returns an engine with an empty board that plays by the policy.
    #[must_use]
    pub fn new(options: &GtpOptions) -> Self {
        Self::with_player(options, Box::new(options.policy))
    }

    /// Returns an engine with an empty board that plays by this player.
    #[must_use]
    pub fn with_player(options: &GtpOptions, player: Box<dyn Player>) -> Self {
        Self { engine: Engine::new(options, player) }
    }

    /// Returns the reply to a line; `None` for lines without a command, which get none.
    ///
    /// Never panics, whatever the line. A command that fails changes nothing.
    pub fn answer(&mut self, line: &str) -> Option<Reply> {
        let Request { id, command, arguments } = Request::read(line)?;
        let result = commands::run(&mut self.engine, &command, &arguments);
        Some(Reply { id, result: result.map_err(|error| error.to_string()) })
    }

    /// Returns whether the controller has ended the conversation.
    #[must_use]
    pub fn has_quit(&self) -> bool {
        self.engine.has_quit
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

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    /// The number before the command, to be repeated in the reply.
    id: Option<u32>,
    /// The command; empty when the line has a number only.
    command: String,
    arguments: Vec<String>,
}

impl Request {
    /// Reads a line as the specification demands: control characters are removed, tabs are blanks, `#` begins a comment. `None` when
    /// nothing is left.
    fn read(line: &str) -> Option<Self> {
        let text = line.split('#').next().unwrap_or("");
        let text: String = text
            .chars()
            .map(|char| if char == '\t' { ' ' } else { char })
            .filter(|char| !char.is_ascii_control())
            .collect();
        let mut words = text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).peekable();
        let id = command_number(words.peek()?);
        if id.is_some() {
            words.next();
        }
        let command = words.next().unwrap_or_default();
        Some(Self { id, command, arguments: words.collect() })
    }
}

/// A number of at most 31 bits, of digits alone.
fn command_number(word: &str) -> Option<u32> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|&id| is_number && id <= i32::MAX as u32)
}

/// The longest line that is read. A longer one gets an error.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Answers line by line, until the controller quits or the input ends. Every reply is flushed.
///
/// Bytes that are not UTF-8 are read as unknown characters.
///
/// # Errors
/// Those of the streams. A controller that stops listening is one of kind [`BrokenPipe`](io::ErrorKind::BrokenPipe).
pub fn serve(gtp: &mut Gtp, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while !gtp.has_quit() {
        let reply = match read_line(&mut input, &mut line)? {
            Line::End => break,
            Line::Whole => gtp.answer(&String::from_utf8_lossy(&line)),
            Line::TooLong => {
                Some(Reply { id: None, result: Err(GtpError::LineTooLong(MAX_LINE_BYTES).to_string()) })
            }
        };
        if let Some(reply) = reply {
            output.write_all(reply.to_string().as_bytes())?;
            output.flush()?;
        }
    }
    Ok(())
}

enum Line {
    /// The input has ended.
    End,
    Whole,
    /// All of the line was read, but not kept.
    TooLong,
}

/// Reads a line, without its end. The last line need not have one.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let mut length = 0;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let (is_last, used) =
            (end.is_some() || available.is_empty(), part.len() + usize::from(end.is_some()));
        length += part.len();
        if length <= MAX_LINE_BYTES {
            line.extend_from_slice(part);
        }
        input.consume(used);
        if is_last {
            return Ok(match length {
                0 if end.is_none() => Line::End,
                0..=MAX_LINE_BYTES => Line::Whole,
                _ => Line::TooLong,
            });
        }
    }
}
