//! The conversation over streams. A thread reads the lines, so that a command which goes on until the next line sees it come.

use std::{
    io::{self, BufRead as _, BufReader, Read, Write},
    mem,
    sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel},
    thread,
};

use super::{Gtp, Reply, session::GtpError};

/// The longest line that is read. A longer one gets an error.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Answers line by line, until the controller quits or the input ends. Every reply is flushed, and so is every line of an analysis. Bytes that are not
/// UTF-8 are read as unknown characters.
///
/// A thread reads the input, up to three lines ahead. It ends with the input, or with the first line that nobody takes.
///
/// # Errors
/// Those of the streams. A controller that stops listening is one of kind [`BrokenPipe`](io::ErrorKind::BrokenPipe).
pub fn serve(gtp: &mut Gtp, input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let (sender, receiver) = sync_channel(1);
    thread::Builder::new().spawn(move || send_lines(input, &sender))?;
    let lines = Lines { receiver, next: None };
    let mut streams = Streams { lines, output, id: None, has_begun: false, result: Ok(()) };
    while !gtp.has_quit
        && let Some(line) = streams.lines.next()
    {
        let reply = match line? {
            Some(line) => gtp.answer_to(&line, &mut streams),
            None => Some(Reply { id: None, result: Err(GtpError::LineTooLong(MAX_LINE_BYTES).to_string()) }),
        };
        streams.end(reply)?;
    }
    Ok(())
}

/// A line, `None` for one that is too long, or why there are no more.
type Line = io::Result<Option<String>>;

fn send_lines(input: impl Read, lines: &SyncSender<Line>) {
    let mut input = BufReader::new(input);
    while let Some(line) = read_line(&mut input).transpose() {
        let is_last = line.is_err();
        if lines.send(line).is_err() || is_last {
            break;
        }
    }
}

/// Reads a line; none at the end of the input.
fn read_line(input: &mut BufReader<impl Read>) -> io::Result<Option<Option<String>>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || line.len() as u64 <= MAX_LINE_BYTES {
        return Ok(Some(Some(String::from_utf8_lossy(&line).into_owned())));
    }
    input.skip_until(b'\n')?;
    Ok(Some(None))
}

/// The lines that the controller sends.
struct Lines {
    receiver: Receiver<Line>,
    /// One that has come, and was not taken yet.
    next: Option<Line>,
}

impl Lines {
    /// Waits for the next line; none at the end.
    fn next(&mut self) -> Option<Line> {
        self.next.take().or_else(|| self.receiver.recv().ok())
    }

    /// Returns whether a line has come, or the end.
    fn has_come(&mut self) -> bool {
        if self.next.is_none() {
            match self.receiver.try_recv() {
                Ok(line) => self.next = Some(line),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return true,
            }
        }
        self.next.is_some()
    }
}

/// The controller as a command sees it that takes its time.
pub(super) trait Console {
    /// Begins the reply to a command with this number.
    fn begin(&mut self, id: Option<u32>);

    /// Shows that the command succeeds, before the reply has a line.
    fn open(&mut self);

    /// Shows a line of a reply that is a success, before its end.
    fn show(&mut self, line: &str);

    /// Returns whether the controller wants something else: it has sent another line, or has gone.
    fn is_interrupted(&mut self) -> bool;
}

/// A controller that takes whole replies only.
impl Console for () {
    fn begin(&mut self, _: Option<u32>) {}

    fn open(&mut self) {}

    fn show(&mut self, _: &str) {}

    fn is_interrupted(&mut self) -> bool {
        true
    }
}

struct Streams<W> {
    lines: Lines,
    output: W,
    id: Option<u32>,
    /// Whether a part of the reply has been written.
    has_begun: bool,
    result: io::Result<()>,
}

impl<W: Write> Streams<W> {
    fn write(&mut self, text: &str) {
        if self.result.is_ok() {
            self.result = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
        }
    }

    /// Writes what is missing of a reply.
    fn end(&mut self, reply: Option<Reply>) -> io::Result<()> {
        if let Some(reply) = reply {
            let text = reply.to_string();
            let shown = if self.has_begun { text.find('\n').map_or(0, |end| end + 1) } else { 0 };
            self.write(&text[shown..]);
        }
        self.has_begun = false;
        mem::replace(&mut self.result, Ok(()))
    }
}

impl<W: Write> Console for Streams<W> {
    fn begin(&mut self, id: Option<u32>) {
        self.id = id;
    }

    fn open(&mut self) {
        if !self.has_begun {
            self.has_begun = true;
            let id = self.id.map_or(String::new(), |id| id.to_string());
            self.write(&format!("={id} \n"));
        }
    }

    fn show(&mut self, line: &str) {
        self.open();
        self.write(&format!("{line}\n"));
    }

    fn is_interrupted(&mut self) -> bool {
        self.result.is_err() || self.lines.has_come()
    }
}
