//! Columns to imported games.

use arrow_array::{Array, RecordBatch, StructArray, cast::AsArray, types};
use jigo_engine::{BoardSize, Color};

use super::{
    super::{MovesColumn, decode::Rows},
    GameSource, ImportedGame, columns,
    game::end_of,
    lists::Edit,
};
use crate::{
    GameRecord,
    sgf::{Diagnostic, DiagnosticKind, Event, Record, SgfGame},
};

/// The rows of a batch, whose columns have been checked against the schema.
pub(super) struct ImportedRows<'a>(pub(super) &'a RecordBatch);

impl ImportedRows<'_> {
    /// The game in row `row` of the batch.
    ///
    /// # Errors
    /// What is wrong with the row.
    pub(super) fn game(&self, row: usize) -> Result<ImportedGame, String> {
        let size = self.size(row)?;
        let rows = Rows { batch: self.0, size, moves: MovesColumn::List, count_forbidden: false };
        let played = rows.game(row)?;
        let played = GameRecord { end: end_of(&played.moves), ..played };
        let source = GameSource {
            file: self.text("source_file", row).unwrap_or_default().to_owned(),
            byte: self.number("source_byte", row),
            place: self.number("source_place", row),
        };
        let mut record = Record::new(source.byte as usize, self.record(size, &played, row)?);
        record.application = self.text("application", row).map(str::to_owned);
        record.warnings = self.warnings(record.byte, row)?;
        let left_out = self.column("warnings_left_out").as_primitive::<types::UInt32Type>();
        record.warnings_left_out = left_out.value(row) as usize;
        let checked_rules = self.text("checked_rules", row).unwrap_or_default().to_owned();
        Ok(ImportedGame { record, played, checked_rules, source })
    }

    fn column(&self, name: &str) -> &dyn Array {
        self.0.column_by_name(name).expect("the schema was checked")
    }

    /// The text of a column, if it is not null.
    fn text(&self, name: &str, row: usize) -> Option<&str> {
        let column = self.column(name).as_string::<i32>();
        column.is_valid(row).then(|| column.value(row))
    }

    fn number(&self, name: &str, row: usize) -> u64 {
        self.column(name).as_primitive::<types::UInt64Type>().value(row)
    }

    fn size(&self, row: usize) -> Result<BoardSize, String> {
        let side = |name| self.column(name).as_primitive::<types::UInt8Type>().value(row).into();
        BoardSize::new(side("width"), side("height")).map_err(|error| error.to_string())
    }

    /// What the record of the game says.
    fn record(&self, size: BoardSize, played: &GameRecord, row: usize) -> Result<SgfGame, String> {
        let mut game = SgfGame::new(size);
        for (column, property) in columns::TEXTS {
            if let Some(text) = self.text(column, row) {
                game.info.put(property, vec![text.to_owned()]);
            }
        }
        for (name, values) in self.properties(row) {
            game.info.put(&name, values);
        }
        let edits = self.edits(row)?;
        let (start, later) = edits.split_at(edits.partition_point(|edit| edit.edit == 0));
        for edit in start {
            edit.apply(&mut game.setup, size)?;
        }
        game.events = self.events(played, later, size, row)?;
        Ok(game)
    }

    /// The moves with the edits between them.
    fn events(
        &self,
        played: &GameRecord,
        edits: &[Edit],
        size: BoardSize,
        row: usize,
    ) -> Result<Vec<Event>, String> {
        let mut color = match self.text("first_player", row) {
            Some("black") => Color::Black,
            Some("white") => Color::White,
            _ => return Err("first_player is neither black nor white".to_owned()),
        };
        let out_of_turn = self.column("out_of_turn").as_list::<i32>().value(row);
        let out_of_turn = out_of_turn.as_primitive::<types::UInt16Type>().values();
        let mut edits = edits.chunk_by(|one, other| one.edit == other.edit).peekable();
        let mut events = Vec::with_capacity(played.moves.len());
        for (ply, &mv) in played.moves.iter().enumerate() {
            while let Some(lines) = edits.next_if(|lines| usize::from(lines[0].ply) <= ply) {
                events.push(edit_event(lines, size)?);
            }
            if ply > 0 && !out_of_turn.contains(&(ply as u16)) {
                color = color.opponent();
            }
            events.push(Event::Play { color, mv });
        }
        for lines in edits {
            events.push(edit_event(lines, size)?);
        }
        Ok(events)
    }

    fn edits(&self, row: usize) -> Result<Vec<Edit>, String> {
        let list = self.column("setup").as_list::<i32>().value(row);
        let fields = list.as_struct();
        let count =
            |column: usize, index| fields.column(column).as_primitive::<types::UInt16Type>().value(index);
        let content = fields.column(3).as_string::<i32>();
        let edit = |index| Edit::new([0, 1, 2].map(|column| count(column, index)), content.value(index));
        (0..fields.len()).map(edit).collect()
    }

    /// The names with all values of each.
    fn properties(&self, row: usize) -> Vec<(String, Vec<String>)> {
        let list = self.column("properties").as_list::<i32>().value(row);
        let fields: &StructArray = list.as_struct();
        let [names, values] = [0, 1].map(|column| fields.column(column).as_string::<i32>());
        let mut properties: Vec<(String, Vec<String>)> = Vec::new();
        for index in 0..fields.len() {
            let (name, value) = (names.value(index), values.value(index).to_owned());
            match properties.last_mut().filter(|(last, _)| last == name) {
                Some((_, values)) => values.push(value),
                None => properties.push((name.to_owned(), vec![value])),
            }
        }
        properties
    }

    fn warnings(&self, byte: usize, row: usize) -> Result<Vec<Diagnostic>, String> {
        let names = self.column("warnings").as_list::<i32>().value(row);
        let names = names.as_string::<i32>();
        let warning = |index| {
            let name = names.value(index);
            let kind = DiagnosticKind::from_name(name).ok_or_else(|| format!("`{name}` is no warning"))?;
            Ok(Diagnostic { byte, move_number: None, kind, text: String::new() })
        };
        (0..names.len()).map(warning).collect()
    }
}

fn edit_event(lines: &[Edit], size: BoardSize) -> Result<Event, String> {
    let mut setup = Box::default();
    lines.iter().try_for_each(|line| line.apply(&mut setup, size))?;
    Ok(Event::Setup(setup))
}
