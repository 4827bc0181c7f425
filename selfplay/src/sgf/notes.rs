//! Warnings collected while one game is read.

use super::{
    diagnose::{Diagnostic, DiagnosticKind, SgfError, excerpt},
    tree::Fault,
};

/// The warnings of one game, and where in it the reader stands.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) warnings: Vec<Diagnostic>,
    /// How many warnings came after the list was full.
    pub(super) left_out: usize,
    /// Number of the last move; 0 before the first.
    pub(super) move_count: usize,
}

impl Notes {
    /// The most warnings kept for one game, so that a hostile file cannot fill the memory with them.
    const MOST: usize = 100;

    /// Adds a warning. `text` is only called when there is room.
    pub(super) fn warn(&mut self, byte: usize, kind: DiagnosticKind, text: impl FnOnce() -> String) {
        if self.warnings.len() == Self::MOST {
            self.left_out += 1;
            return;
        }
        let move_number = self.move_number();
        self.warnings.push(Diagnostic { byte, move_number, kind, text: text() });
    }

    /// Warns that a property is there again.
    pub(super) fn warn_repeated(&mut self, byte: usize, name: &str) {
        self.warn(byte, DiagnosticKind::Repeated, || {
            format!("`{}` is stated more than once: the first is used", excerpt(name.as_bytes()))
        });
    }

    /// An error at this byte, with the number of the last move.
    pub(super) fn error(&self, (byte, kind): Fault) -> SgfError {
        SgfError { byte, move_number: self.move_number(), kind }
    }

    fn move_number(&self) -> Option<usize> {
        Some(self.move_count).filter(|&count| count > 0)
    }
}
