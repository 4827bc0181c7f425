//! Games to columns.

use std::{ops::Range, sync::Arc};

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Int16Array, ListArray, StructArray, UInt16Array, UInt64Array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::ArrowError;
use jigo_engine::{BoardSize, Color};

use super::{MovesColumn, schema};
use crate::{GameRecord, SuperkoEvent};

/// Takes in the games of a range in any order and gives them out as columns in the order of the games.
///
/// All counts fit 16 bits, because the ply cap does.
pub(super) struct Columns {
    moves_column: MovesColumn,
    games: Range<u64>,
    /// How many games are there.
    arrived: u64,
    all_plies: u64,
    /// The codes of all games in the order in which they came.
    codes: Vec<u16>,
    /// Where those of each game begin.
    starts: Vec<usize>,
    plies: Vec<u16>,
    passes: Vec<u16>,
    capped: Vec<bool>,
    margin: Vec<i16>,
    area: [Vec<u16>; schema::AREA_COUNTS.len()],
    refused: Events,
    repeated: Events,
    forbidden: Events,
}

impl Columns {
    /// Columns for these games. Where moves are stored, there is room for those of games on boards of so many points.
    pub(super) fn new(point_count: usize, moves_column: MovesColumn, games: Range<u64>) -> Self {
        let rows = (games.end - games.start) as usize;
        Self {
            moves_column,
            games,
            arrived: 0,
            all_plies: 0,
            // Few boards have games that are longer on average.
            codes: Vec::with_capacity(if moves_column == MovesColumn::None {
                0
            } else {
                rows * point_count * 3 / 2
            }),
            starts: vec![0; rows],
            plies: vec![0; rows],
            passes: vec![0; rows],
            capped: vec![false; rows],
            margin: vec![0; rows],
            area: std::array::from_fn(|_| vec![0; rows]),
            refused: Events::default(),
            repeated: Events::default(),
            forbidden: Events::default(),
        }
    }

    /// The games that belong here.
    pub(super) fn games(&self) -> &Range<u64> {
        &self.games
    }

    /// Whether all games are there.
    pub(super) fn is_full(&self) -> bool {
        self.arrived == self.games.end - self.games.start
    }

    /// Plies of the games that are there.
    pub(super) fn all_plies(&self) -> u64 {
        self.all_plies
    }

    /// Takes in one of the games, which must not be there yet, played on a board of this size.
    pub(super) fn put(&mut self, size: BoardSize, record: &GameRecord) {
        let row = (record.game_index - self.games.start) as usize;
        self.arrived += 1;
        self.all_plies += u64::from(record.ply_count());
        if self.moves_column != MovesColumn::None {
            self.starts[row] = self.codes.len();
            self.codes.extend(record.codes(size));
        }
        self.plies[row] = record.ply_count() as u16;
        self.passes[row] = record.passes as u16;
        self.capped[row] = record.is_capped();
        self.margin[row] = record.margin() as i16;
        let area = Color::BOTH.map(|color| record.area.of(color));
        let [stones, prisoners] = [record.area.stones, record.prisoners];
        let counts =
            [area[0], area[1], record.area.neutral, stones[0], stones[1], prisoners[0], prisoners[1]];
        for (column, count) in self.area.iter_mut().zip(counts) {
            column[row] = count as u16;
        }
        self.refused.put(row, &record.refused);
        self.repeated.put(row, &record.repeated);
        self.forbidden.put(row, &record.forbidden);
    }

    /// The columns in the order of the [schema](schema::schema). All games must be there.
    pub(super) fn finish(self, count_forbidden: bool) -> Result<Vec<ArrayRef>, ArrowError> {
        debug_assert!(self.is_full());
        let rows = self.plies.len();
        let mut columns: Vec<ArrayRef> = vec![Arc::new(UInt64Array::from_iter_values(self.games.clone()))];
        match self.moves_column {
            MovesColumn::List => {
                let codes = Arc::new(UInt16Array::from(self.ordered_codes()));
                let offsets = OffsetBuffer::from_lengths(self.lengths());
                columns.push(Arc::new(ListArray::try_new(schema::moves_element(), offsets, codes, None)?));
            }
            MovesColumn::Binary => {
                let bytes: Vec<u8> =
                    self.ordered_codes().iter().flat_map(|code| code.to_le_bytes()).collect();
                let lengths = self.lengths().map(|length| length * size_of::<u16>());
                let offsets = OffsetBuffer::from_lengths(lengths);
                columns.push(Arc::new(BinaryArray::try_new(offsets, bytes.into(), None)?));
            }
            MovesColumn::None => {}
        }
        columns.push(Arc::new(UInt16Array::from(self.plies)));
        columns.push(Arc::new(UInt16Array::from(self.passes)));
        columns.push(Arc::new(BooleanArray::from(self.capped)));
        columns.push(Arc::new(Int16Array::from(self.margin)));
        columns.extend(self.area.map(|counts| Arc::new(UInt16Array::from(counts)) as ArrayRef));
        let events = [self.refused, self.repeated, self.forbidden];
        for (events, _) in events.into_iter().zip(schema::event_columns(count_forbidden)) {
            columns.push(Arc::new(events.finish(rows)?));
        }
        Ok(columns)
    }

    /// Codes in each game, which are as many as there are plies.
    fn lengths(&self) -> impl Iterator<Item = usize> {
        self.plies.iter().map(|&plies| usize::from(plies))
    }

    /// The codes in the order of the games.
    fn ordered_codes(&self) -> Vec<u16> {
        let mut codes = Vec::with_capacity(self.codes.len());
        for (&start, length) in self.starts.iter().zip(self.lengths()) {
            codes.extend_from_slice(&self.codes[start..start + length]);
        }
        codes
    }
}

/// A column of lists of events.
#[derive(Default)]
struct Events {
    /// The events, each with its row; those of one row in order.
    events: Vec<(usize, SuperkoEvent)>,
}

impl Events {
    fn put(&mut self, row: usize, events: &[SuperkoEvent]) {
        self.events.extend(events.iter().map(|event| (row, *event)));
    }

    fn finish(mut self, rows: usize) -> Result<ListArray, ArrowError> {
        self.events.sort_by_key(|&(row, _)| row);
        let mut lengths = vec![0; rows];
        let mut columns: [Vec<u16>; schema::EVENT_COUNTS.len()] = Default::default();
        let mut same_player: Vec<bool> = Vec::with_capacity(self.events.len());
        for (row, SuperkoEvent { ply, repetition }) in self.events {
            lengths[row] += 1;
            let [black, white] = repetition.cycle_removed;
            let counts =
                [ply, repetition.earlier_ply, repetition.cycle_plies, repetition.cycle_passes, black, white];
            for (column, count) in columns.iter_mut().zip(counts) {
                column.push(count as u16);
            }
            same_player.push(repetition.same_player);
        }
        let mut columns = columns.map(|counts| Arc::new(UInt16Array::from(counts)) as ArrayRef).to_vec();
        columns.push(Arc::new(BooleanArray::from(same_player)));
        let events = StructArray::try_new(schema::event_fields(), columns, None)?;
        ListArray::try_new(
            schema::event_element(),
            OffsetBuffer::from_lengths(lengths),
            Arc::new(events),
            None,
        )
    }
}
