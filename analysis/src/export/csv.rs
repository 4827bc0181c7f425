//! Writes games as a table: the columns of the dataset, but events as their number.

use csv::WriterBuilder;
use jigo_engine::Color;
use jigo_selfplay::{GameRecord, SuperkoEvent};

use super::{
    EventRows, ExportError, ExportedFile,
    folder::{Folder, NewFile},
    work::{Exporter, PieceMaker},
};

/// The columns of a game; the number of events of each list comes last.
const GAME_COLUMNS: &str = "game_index,plies,passes,capped,margin,black_area,white_area,neutral,black_stones,\
                            white_stones,black_prisoners,white_prisoners,refused,repeated";
/// The columns of an event. `list` is the dataset's column that holds it.
const EVENT_COLUMNS: &str = "game_index,list,ply,earlier_ply,cycle_plies,cycle_passes,black_removed,\
                             white_removed,same_player";

/// Writes the table of games and, if it is asked for, that of events.
pub(super) struct Tables {
    columns: Columns,
    games: Table,
    events: Option<Table>,
}

struct Table {
    file: NewFile,
    rows: u64,
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

impl Table {
    fn create<'a>(
        folder: &Folder,
        name: &str,
        columns: impl Iterator<Item = &'a str>,
    ) -> Result<Self, ExportError> {
        let mut table = Self { file: folder.create(name)?, rows: 0 };
        let mut header = Rows::default();
        header.add(columns);
        table.file.write(&header.text)?;
        Ok(table)
    }

    fn write(&mut self, rows: &Rows) -> Result<(), ExportError> {
        self.rows += rows.count;
        self.file.write(&rows.text)
    }
}

impl Tables {
    /// Creates tables of games that were recorded so, with these columns after those of every dataset.
    pub(super) fn new(
        folder: &Folder,
        count_forbidden: bool,
        events: EventRows,
        further: &[&str],
    ) -> Result<Self, ExportError> {
        let forbidden = count_forbidden.then_some("forbidden");
        let columns = GAME_COLUMNS.split(',').chain(forbidden).chain(further.iter().copied());
        let games = Table::create(folder, "games.csv", columns)?;
        let events_table = match events {
            EventRows::Count => None,
            EventRows::Each => Some(Table::create(folder, "events.csv", EVENT_COLUMNS.split(','))?),
        };
        Ok(Self { columns: Columns { count_forbidden, events }, games, events: events_table })
    }

    /// Writes a game; `further` follows the columns of every dataset.
    pub(super) fn write_game(&mut self, game: &GameRecord, further: Vec<String>) -> Result<(), ExportError> {
        self.write(self.columns.rows(game, further))
    }
}

/// What the tables say of games.
#[derive(Clone, Copy)]
struct Columns {
    count_forbidden: bool,
    events: EventRows,
}

impl Columns {
    /// Returns the lists of events that the dataset has, with their names.
    fn lists(self, game: &GameRecord) -> impl Iterator<Item = (&'static str, &[SuperkoEvent])> {
        let lists =
            [("refused", &game.refused), ("repeated", &game.repeated), ("forbidden", &game.forbidden)];
        let count = if self.count_forbidden { 3 } else { 2 };
        lists.into_iter().take(count).map(|(name, events)| (name, events.as_slice()))
    }

    /// Returns the rows of a game in both tables; `further` follows the columns of every dataset.
    fn rows(self, game: &GameRecord, further: Vec<String>) -> (Rows, Rows) {
        let (mut games, mut events) = (Rows::default(), Rows::default());
        let area = &game.area;
        let [black, white] = Color::BOTH.map(|color| area.of(color));
        let mut fields = vec![
            game.game_index.to_string(),
            game.plies.to_string(),
            game.passes.to_string(),
            game.is_capped().to_string(),
            game.margin().to_string(),
        ];
        let counts = [black, white, area.neutral].into_iter().chain(area.stones).chain(game.prisoners);
        let event_counts = self.lists(game).map(|(_, events)| events.len() as u32);
        fields.extend(counts.chain(event_counts).map(|count| count.to_string()));
        fields.extend(further);
        games.add(&fields);
        if self.events == EventRows::Each {
            for (name, list) in self.lists(game) {
                list.iter().for_each(|event| events.add(event_fields(game.game_index, name, event)));
            }
        }
        (games, events)
    }
}

fn event_fields(game_index: u64, list: &str, event: &SuperkoEvent) -> [String; 9] {
    let SuperkoEvent { ply, repetition: cycle } = event;
    let [black, white] = cycle.cycle_removed;
    [
        game_index.to_string(),
        list.to_owned(),
        ply.to_string(),
        cycle.earlier_ply.to_string(),
        cycle.cycle_plies.to_string(),
        cycle.cycle_passes.to_string(),
        black.to_string(),
        white.to_string(),
        cycle.same_player.to_string(),
    ]
}

impl<'a> Exporter<'a> for Tables {
    /// The rows of both tables.
    type Piece = (Rows, Rows);

    fn batch_games(&self) -> usize {
        4096
    }

    fn piece_maker(&self) -> PieceMaker<'a, Self::Piece> {
        let columns = self.columns;
        Box::new(move |game| Ok(columns.rows(game, Vec::new())))
    }

    fn write(&mut self, (games, events): Self::Piece) -> Result<(), ExportError> {
        self.games.write(&games)?;
        self.events.as_mut().map_or(Ok(()), |table| table.write(&events))
    }

    fn finish(self) -> Result<Vec<ExportedFile>, ExportError> {
        let tables = [Some(self.games), self.events].into_iter().flatten();
        tables.map(|Table { file, rows }| file.finish(rows)).collect()
    }
}
