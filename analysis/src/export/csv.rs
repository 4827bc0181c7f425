//! Writes games as a table: the columns of the dataset, but events as their number.

use csv::WriterBuilder;
use jigo_engine::Color;
use jigo_selfplay::{GameRecord, SuperkoEvent};

use super::{
    EventRows, ExportError, ExportedFile,
    folder::{Folder, NewFile},
    work::Output,
};

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
    pub(super) events: EventRows,
}

/// Rows of a table as text.
#[derive(Default)]
pub(super) struct Rows {
    text: Vec<u8>,
    count: u64,
}

impl Rows {
    fn add<T: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = T>) {
        let mut writer = WriterBuilder::new().buffer_capacity(512).from_writer(&mut self.text);
        writer
            .write_record(fields)
            .and_then(|()| Ok(writer.flush()?))
            .expect("writing to memory cannot fail");
        self.count += 1;
    }
}

impl Columns {
    /// Creates the table of games, with these columns after those of every dataset, and if it is asked for that of events.
    pub(super) fn tables(self, folder: &Folder, further: &[&str]) -> Result<Tables, ExportError> {
        let create = |name, columns: &mut dyn Iterator<Item = &str>| {
            let (mut file, mut header) = (folder.create(name)?, Rows::default());
            header.add(columns);
            file.write(&header.text).map(|()| (file, 0))
        };
        let forbidden = self.count_forbidden.then_some("forbidden");
        let mut columns = GAME_COLUMNS.split(',').chain(forbidden).chain(further.iter().copied());
        let mut tables = vec![create("games.csv", &mut columns)?];
        if self.events == EventRows::Each {
            tables.push(create("events.csv", &mut EVENT_COLUMNS.split(','))?);
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
        let [mut games, mut events] = [Rows::default(), Rows::default()];
        let area = &game.area;
        let mut fields = vec![
            game.game_index.to_string(),
            game.plies.to_string(),
            game.passes.to_string(),
            game.is_capped().to_string(),
            game.margin().to_string(),
        ];
        let areas = Color::BOTH.map(|color| area.of(color));
        let counts = areas.into_iter().chain([area.neutral]).chain(area.stones).chain(game.prisoners);
        let event_counts = self.lists(game).map(|(_, events)| events.len() as u32);
        fields.extend(counts.chain(event_counts).map(|count| count.to_string()));
        fields.extend(further);
        games.add(&fields);
        if self.events == EventRows::Each {
            for (name, list) in self.lists(game) {
                list.iter().for_each(|event| events.add(event_fields(game.game_index, name, event)));
            }
        }
        [games, events]
    }
}

fn event_fields(game_index: u64, list: &str, event: &SuperkoEvent) -> [String; 9] {
    let SuperkoEvent { ply, repetition: cycle } = event;
    let [black, white] = cycle.cycle_removed;
    let [ply, earlier_ply, cycle_plies, cycle_passes, black, white] =
        [*ply, cycle.earlier_ply, cycle.cycle_plies, cycle.cycle_passes, black, white]
            .map(|number| number.to_string());
    let same_player = cycle.same_player.to_string();
    let (game_index, list) = (game_index.to_string(), list.to_owned());
    [game_index, list, ply, earlier_ply, cycle_plies, cycle_passes, black, white, same_player]
}

/// The table of games and perhaps that of events, each with the number of its rows.
pub(super) struct Tables(Vec<(NewFile, u64)>);

impl Output<[Rows; 2]> for Tables {
    fn write(&mut self, pieces: [Rows; 2]) -> Result<(), ExportError> {
        for ((file, rows), piece) in self.0.iter_mut().zip(pieces) {
            *rows += piece.count;
            file.write(&piece.text)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<ExportedFile>, ExportError> {
        self.0.into_iter().map(|(file, rows)| file.finish(rows)).collect()
    }
}
