//! Games as columns, and columns as games.

use std::{ops::Range, sync::Mutex};

use jigo_engine::{BoardSize, Color, Move, game::Repetition, score::AreaCount};
use parquet::data_type::ByteArray;

use super::{
    MovesColumn,
    claims::lock,
    columns::{Column, Row, Values},
    schema,
    searches::{self, Searches},
};
use crate::{End, GameRecord, Ownership, SuperkoEvent};

/// Takes in the games of a range in any order and gives them out as columns in the order of the games.
///
/// All counts fit 16 bits, because the ply cap does.
pub(super) struct Columns {
    stored: schema::Columns,
    games: Range<u64>,
    /// How many games are there.
    arrived: u64,
    /// The codes of all games in the order in which they came.
    codes: Vec<u16>,
    /// Where those of each game begin.
    starts: Vec<usize>,
    pub(super) plies: Vec<i32>,
    passes: Vec<i32>,
    capped: Vec<bool>,
    margin: Vec<i32>,
    area: [Vec<i32>; schema::AREA_COUNTS.len()],
    /// Refused, repeated, forbidden.
    events: [Events; 3],
    cycle: Vec<bool>,
    forced_passes: Vec<i32>,
    /// Of all games, or empty.
    ownership: Vec<Option<Ownership>>,
    searches: Option<Searches>,
}

impl Columns {
    /// Columns for these games. Where moves are stored, there is room for those of games on boards of so many points.
    pub(super) fn new(point_count: usize, stored: schema::Columns, games: Range<u64>) -> Self {
        let rows = (games.end - games.start) as usize;
        let code_count = if stored.moves == MovesColumn::None { 0 } else { point_count };
        Self {
            stored,
            games,
            arrived: 0,
            // Few boards have games that are longer on average.
            codes: Vec::with_capacity(rows * code_count * 3 / 2),
            starts: vec![0; rows],
            plies: vec![0; rows],
            passes: vec![0; rows],
            capped: vec![false; rows],
            margin: vec![0; rows],
            area: std::array::from_fn(|_| vec![0; rows]),
            events: Default::default(),
            cycle: vec![false; rows],
            forced_passes: vec![0; rows],
            ownership: vec![None; if stored.ownership { rows } else { 0 }],
            searches: stored.search.map(|_| Searches::new(point_count, rows)),
        }
    }

    /// Whether all games are there.
    fn is_full(&self) -> bool {
        self.arrived == self.games.end - self.games.start
    }

    /// Takes in one of the games, which must not be there yet, played on a board of this size, with its ownership where that is stored.
    pub(super) fn put(&mut self, size: BoardSize, record: &GameRecord, ownership: Option<Ownership>) {
        let row = (record.game_index - self.games.start) as usize;
        self.arrived += 1;
        if self.stored.moves != MovesColumn::None {
            self.starts[row] = self.codes.len();
            self.codes.extend(record.codes(size));
        }
        self.plies[row] = record.plies as i32;
        self.passes[row] = record.passes as i32;
        self.capped[row] = record.is_capped();
        self.cycle[row] = record.end == End::Cycle;
        self.forced_passes[row] = record.forced_passes as i32;
        self.margin[row] = record.margin();
        let area = Color::BOTH.map(|color| record.area.of(color));
        let [stones, prisoners] = [record.area.stones, record.prisoners];
        let counts =
            [area[0], area[1], record.area.neutral, stones[0], stones[1], prisoners[0], prisoners[1]];
        for (column, count) in self.area.iter_mut().zip(counts) {
            column[row] = count as i32;
        }
        if let Some(of_game) = self.ownership.get_mut(row) {
            *of_game = ownership;
        }
        if let Some(searches) = &mut self.searches {
            searches.put(row, record);
        }
        let lists = [&record.refused, &record.repeated, &record.forbidden];
        for (events, list) in self.events.iter_mut().zip(lists) {
            events.0.extend(list.iter().map(|event| (row, *event)));
        }
    }

    /// The columns in the order of the [schema](schema::schema). All games must be there.
    pub(super) fn finish(self) -> Vec<Column> {
        debug_assert!(self.is_full());
        let rows = self.plies.len();
        let numbers = |numbers| Column::required(Values::Int32(numbers));
        let indices = self.games.clone().map(u64::cast_signed).collect();
        let mut columns = vec![Column::required(Values::Int64(indices))];
        columns.extend(self.moves());
        columns.extend([self.plies, self.passes].map(numbers));
        columns.push(Column::required(Values::Boolean(self.capped)));
        columns.push(numbers(self.margin));
        columns.extend(self.area.map(numbers));
        let events = self.events.into_iter().zip(self.stored.events());
        columns.extend(events.flat_map(|(events, _)| events.finish(rows)));
        if self.stored.supply {
            columns.extend([Column::required(Values::Boolean(self.cycle)), numbers(self.forced_passes)]);
        }
        if self.stored.ownership {
            let present: Vec<bool> = self.ownership.iter().map(Option::is_some).collect();
            let bytes = self.ownership.iter().flatten().map(|ownership| ownership.as_bytes().to_vec().into());
            columns.push(Column::optional(Values::Bytes(bytes.collect()), present));
        }
        columns.extend(self.searches.into_iter().flat_map(Searches::finish));
        columns
    }

    /// The column of moves, where there is one, in the order of the games.
    fn moves(&self) -> Option<Column> {
        let lengths = || self.plies.iter().map(|&plies| plies as usize);
        let games =
            self.starts.iter().zip(lengths()).map(|(&start, length)| &self.codes[start..start + length]);
        match self.stored.moves {
            MovesColumn::List => {
                let mut codes = Vec::with_capacity(self.codes.len());
                games.for_each(|game| codes.extend(game.iter().copied().map(i32::from)));
                Some(Column::list(lengths(), Values::Int32(codes)))
            }
            MovesColumn::Binary => {
                let bytes = |codes: &[u16]| {
                    ByteArray::from(codes.iter().flat_map(|code| code.to_le_bytes()).collect::<Vec<u8>>())
                };
                Some(Column::required(Values::Bytes(games.map(bytes).collect())))
            }
            MovesColumn::None => None,
        }
    }
}

/// Columns that several threads fill.
pub(super) struct SharedColumns(Mutex<Option<Columns>>);

impl SharedColumns {
    pub(super) fn new(columns: Columns) -> Self {
        Self(Mutex::new(Some(columns)))
    }

    /// Takes in one of the games, and returns the columns if it was the last that was missing.
    pub(super) fn put(
        &self,
        size: BoardSize,
        record: &GameRecord,
        ownership: Option<Ownership>,
    ) -> Option<Columns> {
        let mut columns = lock(&self.0);
        columns.as_mut().expect("a game that is missing").put(size, record, ownership);
        columns.take_if(|columns| columns.is_full())
    }

    /// Whether games are missing.
    pub(super) fn is_open(&self) -> bool {
        lock(&self.0).is_some()
    }
}

/// A column of lists of events: all events, each with its row; those of one row in order.
#[derive(Default)]
struct Events(Vec<(usize, SuperkoEvent)>);

impl Events {
    fn finish(mut self, rows: usize) -> [Column; schema::EVENT_COUNTS.len() + 1] {
        self.0.sort_by_key(|&(row, _)| row);
        let mut lengths = vec![0; rows];
        let mut columns: [Vec<i32>; schema::EVENT_COUNTS.len()] = Default::default();
        let mut same_player: Vec<bool> = Vec::with_capacity(self.0.len());
        for (row, SuperkoEvent { ply, repetition }) in self.0 {
            lengths[row] += 1;
            let [black, white] = repetition.cycle_removed;
            let counts =
                [ply, repetition.earlier_ply, repetition.cycle_plies, repetition.cycle_passes, black, white];
            for (column, count) in columns.iter_mut().zip(counts) {
                column.push(count as i32);
            }
            same_player.push(repetition.same_player);
        }
        let [ply, earlier, plies, passes, black, white] = columns.map(Values::Int32);
        Column::lists(lengths, [ply, earlier, plies, passes, black, white, Values::Boolean(same_player)])
    }
}

/// Decodes the game in a row, without moves where the dataset does not store them, or says what is wrong with it.
pub(super) fn decode(
    row: &mut Row<'_>,
    size: BoardSize,
    stored: schema::Columns,
) -> Result<GameRecord, String> {
    let game_index = row.number_64();
    let moves = decode_moves(row, size, stored.moves)?;
    let plies = count(row)?;
    let mut record = GameRecord {
        game_index,
        plies,
        first_move: moves.first().copied(),
        moves,
        passes: count(row)?,
        end: if row.booleans()[0] { End::PlyCap } else { End::TwoPasses },
        ..GameRecord::default()
    };
    let margin = i32::from(row.number::<i16>()?);
    let area = [count(row)?, count(row)?];
    let neutral = count(row)?;
    let stones = [count(row)?, count(row)?];
    record.prisoners = [count(row)?, count(row)?];
    let mut surrounded = [0; 2];
    for side in Color::BOTH.map(Color::index) {
        let fewer = || format!("an area of {} with {} stones", area[side], stones[side]);
        surrounded[side] = area[side].checked_sub(stones[side]).ok_or_else(fewer)?;
    }
    record.area = AreaCount { stones, surrounded, neutral };
    let lists = [&mut record.refused, &mut record.repeated, &mut record.forbidden];
    for (_, list) in stored.events().iter().zip(lists) {
        *list = decode_events(row)?;
    }
    if stored.supply {
        match (row.booleans()[0], record.end) {
            (false, _) => {}
            (true, End::PlyCap) => return Err("both capped and cycle are true".to_owned()),
            (true, _) => record.end = End::Cycle,
        }
        record.forced_passes = count(row)?;
    }
    if stored.ownership {
        record.ownership = decode_ownership(row.optional_bytes(), size, &record)?;
    }
    if let Some(search) = stored.search {
        record.searches = searches::decode(row, size, search, &record)?;
    }
    if stored.moves != MovesColumn::None && record.moves.len() != plies as usize {
        return Err(format!("plies is {plies}, but there are {} moves", record.moves.len()));
    }
    if record.margin() != margin {
        return Err(format!("margin is {margin}, but the areas make it {}", record.margin()));
    }
    Ok(record)
}

fn count(row: &mut Row<'_>) -> Result<u32, String> {
    row.number::<u16>().map(u32::from)
}

fn decode_moves(row: &mut Row<'_>, size: BoardSize, moves_column: MovesColumn) -> Result<Vec<Move>, String> {
    let codes: Vec<u16> = match moves_column {
        MovesColumn::None => return Ok(Vec::new()),
        MovesColumn::List => row.numbers()?,
        MovesColumn::Binary => {
            let bytes = row.bytes();
            let (pairs, rest) = bytes.as_chunks::<2>();
            if !rest.is_empty() {
                return Err(format!("moves has {} bytes, an odd number", bytes.len()));
            }
            pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect()
        }
    };
    let parse = |(ply, code)| {
        let invalid = || format!("ply {ply}: {code} is no move on a {size} board");
        Move::from_code(code, size).ok_or_else(invalid)
    };
    codes.into_iter().enumerate().map(parse).collect()
}

/// Decodes whose area each point was, which is there if the game has a count, and agrees with that.
fn decode_ownership(
    bytes: Option<&[u8]>,
    size: BoardSize,
    record: &GameRecord,
) -> Result<Option<Ownership>, String> {
    match (bytes, record.is_finished()) {
        (None, false) => Ok(None),
        (None, true) => Err("ownership is null, but the game is finished".to_owned()),
        (Some(_), false) => Err("ownership is not null, but the game has no count".to_owned()),
        (Some(bytes), true) => {
            let invalid = || format!("ownership is not that of a {size} board");
            let ownership = Ownership::from_bytes(bytes, size).ok_or_else(invalid)?;
            let (found, expected) = (ownership.area(), Color::BOTH.map(|color| record.area.of(color)));
            if found != expected {
                return Err(format!("ownership has areas of {found:?}, not {expected:?}"));
            }
            Ok(Some(ownership))
        }
    }
}

fn decode_events(row: &mut Row<'_>) -> Result<Vec<SuperkoEvent>, String> {
    let mut columns: [Vec<u16>; schema::EVENT_COUNTS.len()] = Default::default();
    for column in &mut columns {
        *column = row.numbers()?;
    }
    let same_player = row.booleans();
    if columns.iter().any(|column| column.len() != same_player.len()) {
        return Err("events with parts missing".to_owned());
    }
    let event = |(index, &same_player)| {
        let [ply, earlier_ply, cycle_plies, cycle_passes, black, white] =
            [0, 1, 2, 3, 4, 5].map(|column: usize| u32::from(columns[column][index]));
        let cycle_removed = [black, white];
        let repetition = Repetition { earlier_ply, cycle_plies, cycle_passes, cycle_removed, same_player };
        SuperkoEvent { ply, repetition }
    };
    Ok(same_player.iter().enumerate().map(event).collect())
}
