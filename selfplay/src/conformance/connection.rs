//! The conversation with a program whose replies may be wrong in any way.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::{CheckError, CheckSpec};
use crate::{
    Progress,
    gtp::{GtpClient, GtpFailure},
};

/// Commands that are sent before their replies are read. Their text and the replies fit into the buffers between two processes.
const BATCH: usize = 64;
/// How long the next line of a reply may take from a program that was found not to end its replies.
const GRACE: Duration = Duration::from_millis(20);
/// Lines that no command asked for, after which a program is killed.
const MAX_UNASKED: usize = 10_000;
/// What became of a program that did not stop writing.
const ENDLESS: &str = "it wrote without end, and was killed";
/// The longest reply that is kept.
const MAX_BYTES: usize = 1 << 20;

/// What came in answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The lines of a reply, without the empty one at its end.
    Text(String),
    /// Nothing: the program ended, in this way. It is started again for the next command.
    Ended(String),
    /// Nothing in the time that was allowed. The program was killed.
    TimedOut(Duration),
}

impl Reply {
    /// Returns whether the command succeeded and the text of the reply; `None` where it is no reply of GTP to a command with this number.
    pub(super) fn parse(&self, id: Option<&str>) -> Option<(bool, &str)> {
        let Self::Text(text) = self else { return None };
        let (success, rest) = match text.split_at_checked(1)? {
            ("=", rest) => (true, rest),
            ("?", rest) => (false, rest),
            _ => return None,
        };
        let rest = rest.strip_prefix(id.unwrap_or_default())?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| (success, rest.trim()))
    }

    /// Returns the reply as messages show it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.trim_end().replace('\n', " / "),
            Self::Ended(end) => format!("nothing: the program ended ({end})"),
            Self::TimedOut(limit) => format!("nothing in {} s", limit.as_secs_f64()),
        }
    }
}

/// A way in which a program's output is no sequence of replies, whatever was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Disorder {
    /// A reply without the empty line at its end.
    NoEmptyLine,
    /// Lines that no command asked for.
    Unasked,
}

/// A program under test. It is started again whenever it has ended.
pub(super) struct Connection<'a> {
    spec: &'a CheckSpec,
    progress: &'a Progress,
    client: Option<GtpClient>,
    /// The first line of the next reply, which was read with the one before.
    ahead: Option<String>,
    /// How many commands are sent at a time: one to programs that lose those that come early.
    pub(super) batch: usize,
    /// Every disorder with the first command at which it was seen, and the output there.
    pub(super) disorders: BTreeMap<Disorder, (String, String)>,
}

impl<'a> Connection<'a> {
    pub(super) fn new(spec: &'a CheckSpec, progress: &'a Progress) -> Self {
        let (client, ahead, disorders) = (None, None, BTreeMap::new());
        Self { spec, progress, client, ahead, batch: BATCH, disorders }
    }

    /// Ends the program, so that the next command is the first of a new one.
    pub(super) fn restart(&mut self) {
        self.client = None;
        self.ahead = None;
    }

    /// Sends commands, which are lines without their ends, and returns their replies: fewer when one of them did not come, which is then the last.
    pub(super) fn ask_all(&mut self, commands: &[String]) -> Result<Vec<Reply>, CheckError> {
        let mut replies = Vec::with_capacity(commands.len());
        for batch in commands.chunks(self.batch) {
            let text: String = batch.iter().map(|command| format!("{command}\n")).collect();
            if let Some(lost) = self.send(text.as_bytes())? {
                replies.push(lost);
                return Ok(replies);
            }
            for command in batch {
                let reply = self.reply(command)?;
                let is_lost = !matches!(reply, Reply::Text(_));
                replies.push(reply);
                if is_lost {
                    return Ok(replies);
                }
            }
        }
        Ok(replies)
    }

    /// Sends one command and returns the reply.
    pub(super) fn ask(&mut self, command: &str) -> Result<Reply, CheckError> {
        self.ask_bytes(format!("{command}\n").as_bytes())
    }

    /// Sends bytes in which there is one command, and returns the reply.
    pub(super) fn ask_bytes(&mut self, bytes: &[u8]) -> Result<Reply, CheckError> {
        match self.send(bytes)? {
            Some(lost) => Ok(lost),
            None => self.reply(String::from_utf8_lossy(bytes).trim()),
        }
    }

    /// Returns whether the program ends its output in the time of an answer, and ends it.
    pub(super) fn has_ended(&mut self) -> Result<bool, CheckError> {
        let limit = self.spec.time_limit;
        let deadline = (Instant::now() + limit, limit);
        while let Some(client) = &self.client {
            match client.next_line(deadline, self.progress) {
                Ok(_) => {}
                Err(failure) => return self.lost(failure).map(|reply| matches!(reply, Reply::Ended(_))),
            }
        }
        Ok(true)
    }

    /// Sends bytes. Returns what there is instead of replies where the program does not take them.
    fn send(&mut self, bytes: &[u8]) -> Result<Option<Reply>, CheckError> {
        if self.progress.is_stopped() {
            return Err(CheckError::Stopped);
        }
        if self.client.is_none() {
            self.client = Some(GtpClient::start(&self.spec.program)?);
        }
        let Some(client) = &mut self.client else { unreachable!("it was started") };
        let mut unasked = self.ahead.take().into_iter().collect::<Vec<_>>();
        let sent = loop {
            match client.waiting_line() {
                Ok(Some(_)) if unasked.len() == MAX_UNASKED => {
                    self.restart();
                    return Ok(Some(Reply::Ended(ENDLESS.to_owned())));
                }
                Ok(Some(line)) => unasked.push(line),
                Ok(None) => break client.send(bytes),
                Err(failure) => break Err(failure),
            }
        };
        unasked.retain(|line| !line.trim().is_empty());
        if !unasked.is_empty() {
            let command = String::from_utf8_lossy(bytes).lines().next().unwrap_or_default().to_owned();
            self.disorders.entry(Disorder::Unasked).or_insert((command, unasked.join(" / ")));
        }
        sent.err().map(|failure| self.lost(failure)).transpose()
    }

    /// Reads a reply: lines to an empty one, or to the beginning of the next reply.
    fn reply(&mut self, command: &str) -> Result<Reply, CheckError> {
        let limit = self.spec.time_limit;
        let deadline = (Instant::now() + limit, limit);
        let mut text: Option<String> = self.ahead.take();
        loop {
            let is_sloppy = text.is_some() && self.disorders.contains_key(&Disorder::NoEmptyLine);
            let until = if is_sloppy { (Instant::now() + GRACE, GRACE) } else { deadline };
            let Some(client) = &self.client else { return Ok(Reply::Ended(String::new())) };
            match (client.next_line(until, self.progress), &mut text) {
                (Ok(line), None) if line.trim().is_empty() => {}
                (Ok(line), None) => text = Some(line),
                (Ok(line), Some(text)) if line.trim().is_empty() => return Ok(Reply::Text(text.clone())),
                (Ok(line), Some(text)) if is_beginning(&line) => {
                    self.ahead = Some(line);
                    return Ok(self.without_end(command, text.clone()));
                }
                (Ok(line), Some(text)) if text.len() + line.len() < MAX_BYTES => text.extend(["\n", &line]),
                (Err(GtpFailure::TimedOut(_)), Some(text)) if text.len() < MAX_BYTES / 2 => {
                    return Ok(self.without_end(command, text.clone()));
                }
                (Ok(_), Some(_)) => return self.lost(GtpFailure::Ended(ENDLESS.to_owned())),
                (Err(failure), _) => return self.lost(failure),
            }
        }
    }

    /// Notes that a reply was not ended, and returns it.
    fn without_end(&mut self, command: &str, text: String) -> Reply {
        let seen = (command.to_owned(), text.replace('\n', " / "));
        self.disorders.entry(Disorder::NoEmptyLine).or_insert(seen);
        Reply::Text(text)
    }

    /// Ends the program after a failure, and returns what there is instead of a reply.
    fn lost(&mut self, failure: GtpFailure) -> Result<Reply, CheckError> {
        self.restart();
        match failure {
            _ if self.progress.is_stopped() => Err(CheckError::Stopped),
            GtpFailure::TimedOut(_) => Ok(Reply::TimedOut(self.spec.time_limit)),
            GtpFailure::Ended(end) => Ok(Reply::Ended(end)),
            _ => Err(CheckError::Stopped),
        }
    }
}

/// Returns whether a line begins a reply.
fn is_beginning(line: &str) -> bool {
    let rest =
        line.strip_prefix(['=', '?']).map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_have_a_sign_and_the_number_of_their_command() {
        let parse = |text: &str, id| {
            let reply = Reply::Text(text.to_owned());
            reply.parse(id).map(|(success, text)| (success, text.to_owned()))
        };
        assert_eq!(parse("= a b", None), Some((true, "a b".to_owned())));
        assert_eq!(parse("?7 no", Some("7")), Some((false, "no".to_owned())));
        assert_eq!(parse("=", None), Some((true, String::new())));
        for (text, id) in [("a", None), ("=7", None), ("= a", Some("7")), ("=71 a", Some("7")), ("=a", None)]
        {
            assert_eq!(parse(text, id), None, "{text}");
        }
    }

    #[test]
    fn beginnings_of_replies() {
        assert!(["=", "= ", "?12 no", "= B+3"].into_iter().all(is_beginning));
        assert!(!["", "==", "a = b", "=x"].into_iter().any(is_beginning));
    }
}
