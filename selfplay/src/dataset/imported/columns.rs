//! What a record says beyond its moves as columns, and columns as imported games.

use std::iter;

use jigo_engine::{BoardSize, Color, Komi, Move};

use super::{
    super::{
        columns::{Column, Row, Values},
        game, schema,
    },
    GameSource, ImportedGame, end_of,
};
use crate::{
    GameRecord,
    sgf::{Diagnostic, DiagnosticKind, Event, Record, Setup, SgfGame},
};

/// A column with at most one value for each game: how it follows from the game.
pub(super) enum Field {
    Text(fn(&ImportedGame) -> &str),
    /// A property as it is written, null where the record has none.
    Property(&'static str),
    Name(fn(&ImportedGame) -> Option<&'static str>),
    Place(fn(&ImportedGame) -> u64),
    Side(fn(BoardSize) -> usize),
    Komi(fn(&SgfGame) -> Option<Komi>),
    Count(fn(&SgfGame) -> Option<u32>),
    HalfPoints(fn(&ImportedGame) -> Option<i32>),
}

/// The first of the columns after those of every dataset.
pub(super) const FIELDS: [(&str, Field); 21] = [
    ("source_file", Field::Text(|game| &game.source.file)),
    ("source_byte", Field::Place(|game| game.source.byte)),
    ("source_place", Field::Place(|game| game.source.place)),
    ("width", Field::Side(BoardSize::width)),
    ("height", Field::Side(BoardSize::height)),
    ("black", Field::Property("PB")),
    ("black_rank", Field::Property("BR")),
    ("white", Field::Property("PW")),
    ("white_rank", Field::Property("WR")),
    ("date", Field::Property("DT")),
    ("event", Field::Property("EV")),
    ("round", Field::Property("RO")),
    ("place", Field::Property("PC")),
    ("rules", Field::Property("RU")),
    ("result", Field::Property("RE")),
    ("komi", Field::Komi(SgfGame::komi)),
    ("handicap", Field::Count(SgfGame::handicap)),
    ("winner", Field::Name(ImportedGame::winner)),
    ("half_points", Field::HalfPoints(ImportedGame::half_points)),
    ("checked_rules", Field::Text(|game| &game.checked_rules)),
    ("first_player", Field::Text(|game| game.record.game.first_to_play().name())),
];

impl Field {
    /// The type in the schema, before and after the name.
    const fn parquet_type(&self) -> [&'static str; 2] {
        match self {
            Self::Text(_) => ["REQUIRED BYTE_ARRAY", "(STRING)"],
            Self::Property(_) | Self::Name(_) => ["OPTIONAL BYTE_ARRAY", "(STRING)"],
            Self::Place(_) => ["REQUIRED INT64", "(INTEGER(64,false))"],
            Self::Side(_) => ["REQUIRED INT32", "(INTEGER(8,false))"],
            Self::Komi(_) => ["OPTIONAL DOUBLE", ""],
            Self::Count(_) => ["OPTIONAL INT32", "(INTEGER(32,false))"],
            Self::HalfPoints(_) => ["OPTIONAL INT32", ""],
        }
    }

    fn column(&self, games: &[ImportedGame]) -> Column {
        let games = games.iter();
        match *self {
            Self::Text(text) => Column::required(Values::texts(games.map(text))),
            Self::Property(name) => {
                optional(games.map(|game| game.record.game.info.get(name)), Values::texts)
            }
            Self::Name(name) => optional(games.map(name), Values::texts),
            Self::Place(place) => {
                Column::required(Values::Int64(games.map(|game| place(game).cast_signed()).collect()))
            }
            Self::Side(side) => {
                Column::required(Values::numbers(games.map(|game| side(game.record.game.size) as u32)))
            }
            Self::Komi(komi) => {
                optional(games.map(|game| Some(komi(&game.record.game)?.to_f64())), Values::Double)
            }
            Self::Count(count) => optional(games.map(|game| count(&game.record.game)), Values::numbers),
            Self::HalfPoints(points) => optional(games.map(points), Values::Int32),
        }
    }

    /// The value in a table of text, empty where there is none.
    pub(super) fn text(&self, game: &ImportedGame) -> String {
        let text = match *self {
            Self::Text(text) => Some(text(game).to_owned()),
            Self::Property(name) => game.record.game.info.get(name).map(str::to_owned),
            Self::Name(name) => name(game).map(str::to_owned),
            Self::Place(place) => Some(place(game).to_string()),
            Self::Side(side) => Some(side(game.record.game.size).to_string()),
            Self::Komi(komi) => komi(&game.record.game).map(|komi| komi.to_string()),
            Self::Count(count) => count(&game.record.game).map(|count| count.to_string()),
            Self::HalfPoints(points) => points(game).map(|points| points.to_string()),
        };
        text.unwrap_or_default()
    }
}

fn optional<T>(values: impl Iterator<Item = Option<T>>, column: impl FnOnce(Vec<T>) -> Values) -> Column {
    let values: Vec<Option<T>> = values.collect();
    let present: Vec<bool> = values.iter().map(Option::is_some).collect();
    Column::optional(column(values.into_iter().flatten().collect()), present)
}

/// The properties that have a column of their own, in the order of the columns.
fn own_properties() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().filter_map(|(_, field)| match field {
        Field::Property(name) => Some(*name),
        _ => None,
    })
}

/// What an edit does to a point, or after it, in the order of [`Edit::content`].
const CONTENTS: [&str; 5] = ["empty", "black", "white", "black to play", "white to play"];

/// The schema of the columns after those of every dataset.
pub(super) fn schema() -> String {
    const COUNT: &str = "(INTEGER(16,false))";
    let fields = FIELDS.each_ref().map(|(name, field)| {
        let [before, after] = field.parquet_type();
        format!("{before} {name} {after};")
    });
    let out_of_turn = schema::list("out_of_turn", &format!("REQUIRED INT32 element {COUNT};"));
    let setup = format!(
        "REQUIRED GROUP element {{ REQUIRED INT32 edit {COUNT}; REQUIRED INT32 ply {COUNT}; \
         REQUIRED INT32 point {COUNT}; REQUIRED BYTE_ARRAY content (STRING); }}"
    );
    let property = "REQUIRED GROUP element { REQUIRED BYTE_ARRAY name (STRING); \
                    REQUIRED BYTE_ARRAY value (STRING); }";
    let (setup, properties) = (schema::list("setup", &setup), schema::list("properties", property));
    let warnings = schema::list("warnings", "REQUIRED BYTE_ARRAY element (STRING);");
    format!(
        "{} {out_of_turn} {setup} {properties} OPTIONAL BYTE_ARRAY application (STRING); {warnings} \
         REQUIRED INT32 warnings_left_out (INTEGER(32,false));",
        fields.concat()
    )
}

/// The columns of these games in the order of the [schema].
pub(super) fn columns(games: &[ImportedGame]) -> Vec<Column> {
    let mut columns: Vec<Column> = FIELDS.iter().map(|(_, field)| field.column(games)).collect();
    let out_of_turn: Vec<Vec<u32>> = games.iter().map(|game| out_of_turn(&game.record.game)).collect();
    columns.push(Column::list(
        out_of_turn.iter().map(Vec::len),
        Values::numbers(out_of_turn.iter().flatten().copied()),
    ));
    let edits: Vec<Vec<Edit>> = games.iter().map(|game| edits(&game.record.game)).collect();
    let counts =
        |count: fn(&Edit) -> u16| Values::numbers(edits.iter().flatten().map(|edit| u32::from(count(edit))));
    let contents = Values::texts(edits.iter().flatten().map(|edit| CONTENTS[edit.content]));
    columns.extend(Column::lists(
        edits.iter().map(Vec::len),
        [counts(|edit| edit.edit), counts(|edit| edit.ply), counts(|edit| edit.point), contents],
    ));
    let properties: Vec<Vec<(&str, &str)>> = games.iter().map(|game| properties(&game.record.game)).collect();
    let all = || properties.iter().flatten();
    columns.extend(Column::lists(
        properties.iter().map(Vec::len),
        [Values::texts(all().map(|(name, _)| name)), Values::texts(all().map(|(_, value)| value))],
    ));
    let warnings =
        games.iter().flat_map(|game| game.record.warnings.iter().map(|warning| warning.kind.name()));
    columns.extend([
        optional(games.iter().map(|game| game.record.application.as_deref()), Values::texts),
        Column::list(games.iter().map(|game| game.record.warnings.len()), Values::texts(warnings)),
        Column::required(Values::numbers(games.iter().map(|game| game.record.warnings_left_out as u32))),
    ]);
    columns
}

/// The properties that have no column of their own, or more than one value.
fn properties(game: &SgfGame) -> Vec<(&str, &str)> {
    let is_told = |name: &str, values: &[String]| {
        values.len() == 1 && own_properties().any(|property| property == name)
    };
    let others = game.info.iter().filter(|(name, values)| !is_told(name, values));
    others.flat_map(|(name, values)| values.iter().map(move |value| (name, value.as_str()))).collect()
}

/// The plies whose player played the one before too.
fn out_of_turn(game: &SgfGame) -> Vec<u32> {
    let colors = || game.moves().map(|(color, _)| color);
    let pairs = iter::zip(colors(), colors().skip(1)).zip(1..);
    pairs.filter(|((before, color), _)| before == color).map(|(_, ply)| ply).collect()
}

/// One line of an edit: a point that is given a content, or who is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edit {
    /// 0 for the position before the first move; then from 1.
    edit: u16,
    /// Plies before it.
    ply: u16,
    /// The code of the point; that of a pass where it says who is to play.
    point: u16,
    /// The index in [`CONTENTS`].
    content: usize,
}

/// All edits of a game, point by point.
fn edits(game: &SgfGame) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut push = |edit, ply, setup: &Setup| {
        let line = |point: Move, content| Edit { edit, ply, point: point.code(game.size), content };
        let content = |color: Option<Color>| color.map_or(0, |color| 1 + color.index());
        edits.extend(setup.points().map(|(point, color)| line(Move::Play(point), content(color))));
        edits.extend(setup.to_play.map(|color| line(Move::Pass, 3 + color.index())));
    };
    push(0, 0, &game.setup);
    let (mut edit, mut ply) = (0, 0);
    for event in &game.events {
        match event {
            Event::Play { .. } => ply += 1,
            Event::Setup(setup) => {
                edit += 1;
                push(edit, ply, setup);
            }
        }
    }
    edits
}

impl Edit {
    /// Adds the line to what is set up, unless its point is not on the board.
    fn apply(self, setup: &mut Setup, size: BoardSize) -> Result<(), String> {
        match (Move::from_code(self.point, size), self.content) {
            (Some(Move::Play(point)), content @ 0..=2) => {
                setup.put(point, content.checked_sub(1).map(|index| Color::BOTH[index]));
            }
            (Some(Move::Pass), content @ 3..=4) => setup.to_play = Some(Color::BOTH[content - 3]),
            _ => {
                return Err(format!("edit {}: {} is no such point on a {size} board", self.edit, self.point));
            }
        }
        Ok(())
    }
}

/// Decodes the game in a row, or says what is wrong with it.
pub(super) fn decode(mut row: Row<'_>) -> Result<ImportedGame, String> {
    let mut further = row.clone();
    further.skip(schema::GAME_COLUMNS);
    let file = further.text()?.to_owned();
    let source = GameSource { file, byte: further.number_64(), place: further.number_64() };
    let (width, height) = (further.number::<u8>()?, further.number::<u8>()?);
    let size = BoardSize::new(width.into(), height.into()).map_err(|error| error.to_string())?;
    let played = game::decode(&mut row, size, schema::Columns::GIVEN)?;
    let played = GameRecord { end: end_of(&played.moves), ..played };

    let row = &mut further;
    let mut game = SgfGame::new(size);
    for property in own_properties() {
        if let Some(text) = row.optional_text()? {
            game.info.put(property, vec![text.to_owned()]);
        }
    }
    // Komi, handicap, winner and half points, which the properties say too.
    row.skip(4);
    let checked_rules = row.text()?.to_owned();
    let name = row.text()?;
    let first = Color::BOTH.into_iter().find(|color| color.name() == name);
    let first = first.ok_or("first_player is neither black nor white")?;
    let out_of_turn: Vec<u16> = row.numbers()?;
    let edits = decode_edits(row)?;
    let (start, later) = edits.split_at(edits.partition_point(|edit| edit.edit == 0));
    start.iter().try_for_each(|edit| edit.apply(&mut game.setup, size))?;
    game.events = events(&played.moves, first, &out_of_turn, later, size)?;
    let (names, values) = (row.texts()?, row.texts()?);
    if names.len() != values.len() {
        return Err("properties without values".to_owned());
    }
    let properties: Vec<(&str, &str)> = iter::zip(names, values).collect();
    for values in properties.chunk_by(|(name, _), (other, _)| name == other) {
        game.info.put(values[0].0, values.iter().map(|&(_, value)| value.to_owned()).collect());
    }

    let mut record = Record::new(source.byte as usize, game);
    record.application = row.optional_text()?.map(str::to_owned);
    let warning = |name: &str| {
        let kind = DiagnosticKind::from_name(name).ok_or_else(|| format!("`{name}` is no warning"))?;
        Ok(Diagnostic { byte: record.byte, move_number: None, kind, text: String::new() })
    };
    record.warnings = row.texts()?.into_iter().map(warning).collect::<Result<_, String>>()?;
    record.warnings_left_out = row.number::<i32>()?.cast_unsigned() as usize;
    Ok(ImportedGame { record, played, checked_rules, source })
}

fn decode_edits(row: &mut Row<'_>) -> Result<Vec<Edit>, String> {
    let [edits, plies, points]: [Vec<u16>; 3] = [row.numbers()?, row.numbers()?, row.numbers()?];
    let contents = row.texts()?;
    if [edits.len(), plies.len(), points.len()] != [contents.len(); 3] {
        return Err("edits with parts missing".to_owned());
    }
    let edit = |(index, content): (usize, &str)| {
        let known = CONTENTS.iter().position(|name| *name == content);
        let content = known.ok_or_else(|| format!("`{content}` is no content of a point"))?;
        Ok(Edit { edit: edits[index], ply: plies[index], point: points[index], content })
    };
    contents.into_iter().enumerate().map(edit).collect()
}

/// The moves with the edits between them.
fn events(
    moves: &[Move],
    mut color: Color,
    out_of_turn: &[u16],
    edits: &[Edit],
    size: BoardSize,
) -> Result<Vec<Event>, String> {
    let setup = |lines: &[Edit]| -> Result<Event, String> {
        let mut setup = Box::default();
        lines.iter().try_for_each(|line| line.apply(&mut setup, size))?;
        Ok(Event::Setup(setup))
    };
    let mut edits = edits.chunk_by(|one, other| one.edit == other.edit).peekable();
    let mut events = Vec::with_capacity(moves.len());
    for (ply, &mv) in moves.iter().enumerate() {
        while let Some(lines) = edits.next_if(|lines| usize::from(lines[0].ply) <= ply) {
            events.push(setup(lines)?);
        }
        if ply > 0 && !out_of_turn.contains(&(ply as u16)) {
            color = color.opponent();
        }
        events.push(Event::Play { color, mv });
    }
    for lines in edits {
        events.push(setup(lines)?);
    }
    Ok(events)
}
