//! What a program writes, read by threads so that nobody waits longer than wanted.

use std::{
    collections::VecDeque,
    io::{self, BufRead as _, BufReader, Read},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The longest line that is kept whole; longer ones come in pieces.
const LONGEST_LINE: u64 = 16 << 10;
/// Lines read ahead of whoever asks: a program that never stops writing is not read without bounds.
const LINES_AHEAD: usize = 1 << 10;
/// How many lines on standard error are remembered, and how much of each.
const LAST_LINES: usize = 5;
const LAST_CHARS: usize = 200;

/// Reads lines, without line ends and control characters, into a channel that closes at the end.
pub(super) fn lines(source: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::sync_channel(LINES_AHEAD);
    thread::spawn(move || {
        let mut source = BufReader::new(source);
        while let Ok(Some(line)) = next_line(&mut source) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// The last lines of a stream that is read to its end by a thread.
#[derive(Debug)]
pub(super) struct LastLines {
    lines: Arc<Mutex<VecDeque<String>>>,
    reader: JoinHandle<()>,
}

impl LastLines {
    pub(super) fn of(source: impl Read + Send + 'static) -> Self {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let shared = Arc::clone(&lines);
        let reader = thread::spawn(move || {
            let mut source = BufReader::new(source);
            while let Ok(Some(line)) = next_line(&mut source) {
                if line.trim().is_empty() {
                    continue;
                }
                let mut lines = shared.lock().unwrap_or_else(PoisonError::into_inner);
                if lines.len() == LAST_LINES {
                    lines.pop_front();
                }
                lines.push_back(shortened(&line));
            }
        });
        Self { lines, reader }
    }

    /// The lines once the stream has ended, or as they are when it does not within `patience`.
    pub(super) fn take(&self, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        while !self.reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// The beginning of a line, for messages.
pub(super) fn shortened(line: &str) -> String {
    let mut chars = line.chars();
    let short: String = chars.by_ref().take(LAST_CHARS).collect();
    if chars.next().is_none() { short } else { short + "…" }
}

fn next_line(source: &mut impl io::BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes).replace('\t', " ");
    Ok(Some(text.chars().filter(|char| !char.is_control()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_clean_and_the_last_ones_are_kept() {
        let text: String = (0..9).map(|line| format!("line\t{line}\r\n\n")).collect();
        let read: Vec<_> = lines(io::Cursor::new(text.clone())).iter().collect();
        assert_eq!((read.len(), read[0].as_str(), read[1].as_str()), (18, "line 0", ""));
        let last = LastLines::of(io::Cursor::new(text)).take(Duration::from_secs(9));
        assert_eq!(last, ["line 4", "line 5", "line 6", "line 7", "line 8"]);
    }

    #[test]
    fn endless_lines_come_in_pieces() {
        let first = lines(io::repeat(b'x')).recv().unwrap();
        assert_eq!(first.len() as u64, LONGEST_LINE);
        assert_eq!(shortened(&first).chars().count(), LAST_CHARS + 1);
    }
}
