//! Writes games as a table: the columns of the dataset, but events as their number.

use csv::{Writer, WriterBuilder};
use jigo_engine::Color;
use jigo_selfplay::{End, GameRecord, SuperkoEvent};
use serde::Serialize;

use super::{
    ExportError, ExportedFile,
    folder::{Folder, NewFile},
    work::Output,
};
use crate::cells::Cells;

/// The columns of a game; the number of events of each list comes last.
const GAME_COLUMNS: &str = "game_index,plies,passes,capped,margin,black_area,white_area,neutral,black_stones,\
                            white_stones,black_prisoners,white_prisoners,refused,repeated";
/// The columns of an event. `list` is the dataset's column that holds it.
const EVENT_COLUMNS: &str = "game_index,list,ply,earlier_ply,cycle_plies,cycle_passes,black_removed,\
                             white_removed,same_player";

/// What the tables say of games.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) count_forbidden: bool,
    /// Whether stones are finite.
    pub(super) supply: bool,
    /// Whether there is a table of events.
    pub(super) events: bool,
    /// How text from records is written.
    pub(super) cells: Cells,
}

/// Rows of a table as text.
pub(super) struct Rows {
    writer: Writer<Vec<u8>>,
    count: u64,
}

impl Rows {
    fn new() -> Self {
        let writer = WriterBuilder::new().has_headers(false).buffer_capacity(512).from_writer(Vec::new());
        Self { writer, count: 0 }
    }

    fn add(&mut self, row: impl Serialize) {
        self.writer.serialize(row).expect("numbers and text can be written as CSV");
        self.count += 1;
    }
}

impl Columns {
    /// Creates the table of games, with these columns after those of every dataset, and if it is asked for that of events.
    pub(super) fn tables(self, folder: &Folder, further: &[&str]) -> Result<Tables, ExportError> {
        let create = |name, columns: &str| {
            let mut file = folder.create(name)?;
            file.write(format!("{columns}\n").as_bytes(), 0).map(|()| file)
        };
        let forbidden = self.count_forbidden.then_some("forbidden");
        let supply = self.supply.then_some("cycle,forced_passes");
        let columns = [&[GAME_COLUMNS], forbidden.as_slice(), supply.as_slice(), further].concat().join(",");
        let mut tables = vec![create("games.csv", &columns)?];
        if self.events {
            tables.push(create("events.csv", EVENT_COLUMNS)?);
        }
        Ok(Tables(tables))
    }

    /// Returns the lists of events that the dataset has, with their names.
    fn lists(self, game: &GameRecord) -> impl Iterator<Item = (&'static str, &[SuperkoEvent])> {
        let lists =
            [("refused", &game.refused), ("repeated", &game.repeated), ("forbidden", &game.forbidden)];
        let count = if self.count_forbidden { 3 } else { 2 };
        lists.into_iter().take(count).map(|(name, events)| (name, events.as_slice()))
    }

    /// Returns the rows of a game in both tables; `further` follows the columns of every dataset.
    pub(super) fn rows(self, game: &GameRecord, further: impl IntoIterator<Item = String>) -> [Rows; 2] {
        let [mut games, mut events] = [Rows::new(), Rows::new()];
        let area = &game.area;
        games.add((
            (game.game_index, game.plies, game.passes, game.is_capped(), game.margin()),
            Color::BOTH.map(|color| area.of(color)),
            (area.neutral, area.stones, game.prisoners),
            self.lists(game).map(|(_, events)| events.len()).collect::<Vec<_>>(),
            self.supply
                .then_some((game.end == End::Cycle, game.forced_passes))
                .into_iter()
                .collect::<Vec<_>>(),
            further.into_iter().map(|text| self.cells.cell(&text).into_owned()).collect::<Vec<_>>(),
        ));
        if self.events {
            for (name, list) in self.lists(game) {
                for SuperkoEvent { ply, repetition: cycle } in list {
                    let plies = [*ply, cycle.earlier_ply, cycle.cycle_plies, cycle.cycle_passes];
                    events.add((game.game_index, name, plies, cycle.cycle_removed, cycle.same_player));
                }
            }
        }
        [games, events]
    }
}

/// The table of games and perhaps that of events.
pub(super) struct Tables(Vec<NewFile>);

impl Output<[Rows; 2]> for Tables {
    fn write(&mut self, pieces: [Rows; 2]) -> Result<(), ExportError> {
        self.0.iter_mut().zip(pieces).try_for_each(|(file, Rows { writer, count })| {
            file.write(&writer.into_inner().expect("writing to memory cannot fail"), count)
        })
    }

    fn finish(self) -> Result<Vec<ExportedFile>, ExportError> {
        self.0.into_iter().map(NewFile::finish).collect()
    }
}
