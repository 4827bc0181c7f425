//! Games as a table: the columns of the dataset, but events as their number.

use std::{borrow::Cow, fmt::Write as _};

use jigo_engine::Color;
use jigo_selfplay::{GameRecord, SuperkoEvent};

use super::{
    EventRows, ExportError, ExportedFile,
    folder::{Folder, NewFile},
    work::Exporter,
};

/// The columns of a game; then the number of events of each list.
const GAME_COLUMNS: &str = "game_index,plies,passes,capped,margin,black_area,white_area,neutral,black_stones,\
                            white_stones,black_prisoners,white_prisoners,refused,repeated";
/// The columns of an event. `list` is the dataset's column that holds it.
const EVENT_COLUMNS: &str = "game_index,list,ply,earlier_ply,cycle_plies,cycle_passes,black_removed,\
                             white_removed,same_player";

/// Writes the table of games and, if it is asked for, that of events.
pub(super) struct Tables {
    count_forbidden: bool,
    games: Table,
    events: Option<Table>,
}

struct Table {
    file: NewFile,
    rows: u64,
}

impl Table {
    fn write(&mut self, lines: &str, rows: u64) -> Result<(), ExportError> {
        self.rows += rows;
        self.file.write(lines.as_bytes())
    }
}

impl Tables {
    /// Tables of games that were recorded so, with these columns behind those of every dataset.
    pub(super) fn new(
        folder: &Folder,
        count_forbidden: bool,
        events: EventRows,
        further: &[&str],
    ) -> Result<Self, ExportError> {
        let begin = |name, columns: String| {
            let mut file = folder.create(name)?;
            file.write(columns.as_bytes())?;
            Ok::<_, ExportError>(Table { file, rows: 0 })
        };
        let forbidden = if count_forbidden { ",forbidden" } else { "" };
        let further: String = further.iter().flat_map(|name| [",", name]).collect();
        let games = begin("games.csv", format!("{GAME_COLUMNS}{forbidden}{further}\n"))?;
        let events = match events {
            EventRows::Count => None,
            EventRows::Each => Some(begin("events.csv", format!("{EVENT_COLUMNS}\n"))?),
        };
        Ok(Self { count_forbidden, games, events })
    }

    /// The lists of events that the dataset has, with their names.
    fn lists<'a>(&self, game: &'a GameRecord) -> impl Iterator<Item = (&'static str, &'a [SuperkoEvent])> {
        let lists =
            [("refused", &game.refused), ("repeated", &game.repeated), ("forbidden", &game.forbidden)];
        let count = if self.count_forbidden { 3 } else { 2 };
        lists.into_iter().take(count).map(|(name, events)| (name, events.as_slice()))
    }

    /// The lines of a game in both tables; behind its numbers, these fields follow.
    pub(super) fn lines(&self, game: &GameRecord, further: &[String]) -> (String, String) {
        let events = if self.events.is_some() { self.event_lines(game) } else { String::new() };
        (self.game_line(game, further), events)
    }

    fn game_line(&self, game: &GameRecord, further: &[String]) -> String {
        let mut line = format!(
            "{},{},{},{},{}",
            game.game_index,
            game.plies,
            game.passes,
            game.is_capped(),
            game.margin()
        );
        let area = &game.area;
        let [black, white] = Color::BOTH.map(|color| area.of(color));
        let counts = [black, white, area.neutral].into_iter().chain(area.stones).chain(game.prisoners);
        let events = self.lists(game).map(|(_, events)| events.len() as u32);
        for count in counts.chain(events) {
            // Writing to a string cannot fail.
            let _ = write!(line, ",{count}");
        }
        further.iter().for_each(|field| {
            let _ = write!(line, ",{}", quoted(field));
        });
        line.push('\n');
        line
    }

    fn event_lines(&self, game: &GameRecord) -> String {
        let mut lines = String::new();
        for (name, events) in self.lists(game) {
            for SuperkoEvent { ply, repetition: cycle } in events {
                let [black, white] = cycle.cycle_removed;
                let _ = writeln!(
                    lines,
                    "{},{name},{ply},{},{},{},{black},{white},{}",
                    game.game_index,
                    cycle.earlier_ply,
                    cycle.cycle_plies,
                    cycle.cycle_passes,
                    cycle.same_player
                );
            }
        }
        lines
    }
}

/// A field as a line of the table has it.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains(['"', ',', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

impl Exporter for Tables {
    /// The lines of both tables.
    type Piece = (String, String);
    type Worker = ();

    fn batch_games(&self) -> usize {
        4096
    }

    fn worker(&self) {}

    fn piece(&self, (): &mut (), game: &GameRecord) -> Result<Self::Piece, ExportError> {
        Ok(self.lines(game, &[]))
    }

    fn write(&mut self, (game, events): Self::Piece) -> Result<(), ExportError> {
        self.games.write(&game, 1)?;
        let rows = events.bytes().filter(|&byte| byte == b'\n').count() as u64;
        self.events.as_mut().map_or(Ok(()), |table| table.write(&events, rows))
    }

    fn finish(self) -> Result<Vec<ExportedFile>, ExportError> {
        let tables = [Some(self.games), self.events].into_iter().flatten();
        tables.map(|Table { file, rows }| file.finish(rows)).collect()
    }
}
