//! A conversation over streams.

use std::io::{self, BufRead, Write};

use super::{Gtp, GtpError, Reply};

/// The longest line that is read. A longer one gets an error.
const MAX_LINE: usize = 1 << 20;

/// Answers line by line, until the controller quits or the input ends. Every reply is flushed.
///
/// Bytes that are not UTF-8 are taken as unknown characters.
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
                Some(Reply { id: None, result: Err(GtpError::LineTooLong(MAX_LINE).to_string()) })
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
        if length <= MAX_LINE {
            line.extend_from_slice(part);
        }
        input.consume(used);
        if is_last {
            return Ok(match length {
                0 if end.is_none() => Line::End,
                0..=MAX_LINE => Line::Whole,
                _ => Line::TooLong,
            });
        }
    }
}
