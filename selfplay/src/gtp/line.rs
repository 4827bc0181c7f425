//! Lines to requests.

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The number before the command, to be repeated in the reply.
    pub(super) id: Option<u32>,
    /// The command; empty when the line has a number only.
    pub(super) command: String,
    pub(super) arguments: Vec<String>,
}

impl Request {
    /// Reads a line as the specification demands: control characters are removed, tabs are blanks, `#` begins a comment. `None` when
    /// nothing is left.
    pub(super) fn read(line: &str) -> Option<Self> {
        let text = line.split('#').next().unwrap_or("");
        let text: String = text
            .chars()
            .map(|char| if char == '\t' { ' ' } else { char })
            .filter(|char| !char.is_ascii_control())
            .collect();
        let mut words = text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).peekable();
        let id = id(words.peek()?);
        if id.is_some() {
            words.next();
        }
        let command = words.next().unwrap_or_default();
        Some(Self { id, command, arguments: words.collect() })
    }
}

/// A number of at most 31 bits, of digits alone.
fn id(word: &str) -> Option<u32> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|&id| is_number && id <= i32::MAX as u32)
}
