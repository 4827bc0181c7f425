//! The front page: what all cells say, a question at a time. Each has a paragraph on what its numbers mean and do not mean, a picture of all
//! cells, and their table.

mod across;
mod komi;
mod life;
mod results;
mod superko;

use super::{Group, Titled};
use crate::report::{
    data_table::DataTable,
    naming::{Naming, size_name},
    summary::CellSummary,
};

/// The cells of a study and what tells them apart.
#[derive(Clone, Copy)]
struct Cells<'a> {
    all: &'a [CellSummary],
    naming: &'a Naming,
}

/// One group for each question; nothing without cells.
pub(super) fn groups(cells: &[CellSummary], naming: &Naming) -> Vec<Group> {
    let cells = Cells { all: cells, naming };
    if cells.all.is_empty() {
        return Vec::new();
    }
    vec![komi::group(cells), results::group(cells), superko::group(cells), life::group(cells)]
}

impl Cells<'_> {
    /// What a cell is beside its board: the values of what varies.
    fn variant(&self, cell: &CellSummary) -> Vec<String> {
        let varying = self.naming.axes().into_iter().filter(|axis| axis.varies());
        varying.map(|axis| axis.of(&cell.config)).collect()
    }

    /// A row for each cell: its size and variant, then these numbers.
    fn table<'h>(
        &self,
        headings: impl IntoIterator<Item = &'h str>,
        numbers: impl Fn(&CellSummary) -> Vec<String>,
    ) -> Titled {
        let varying = self.naming.axes().into_iter().filter(|axis| axis.varies()).map(|axis| axis.name);
        let words: Vec<&str> = std::iter::once("size").chain(varying).collect();
        let mut table = DataTable::new(words.len(), words.iter().copied().chain(headings));
        for cell in self.all {
            let words = std::iter::once(size_name(&cell.config)).chain(self.variant(cell));
            table.push(words.chain(numbers(cell)));
        }
        Titled::new("All cells", table)
    }
}
