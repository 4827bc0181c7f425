//! Games to columns.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Int16Array, ListArray, RecordBatch, StructArray, UInt16Array,
    UInt64Array,
};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, SchemaRef};
use jigo_engine::{BoardSize, Color};

use super::{MovesColumn, schema};
use crate::{GameRecord, SuperkoEvent};

/// Takes in games one by one and gives them out as the columns of a shard.
///
/// All counts fit 16 bits, because the ply cap does.
pub(super) struct Columns {
    size: BoardSize,
    moves_column: MovesColumn,
    game_index: Vec<u64>,
    moves: Lists,
    codes: Vec<u16>,
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
    pub(super) fn new(size: BoardSize, moves_column: MovesColumn) -> Self {
        Self {
            size,
            moves_column,
            game_index: Vec::new(),
            moves: Lists::default(),
            codes: Vec::new(),
            plies: Vec::new(),
            passes: Vec::new(),
            capped: Vec::new(),
            margin: Vec::new(),
            area: Default::default(),
            refused: Events::default(),
            repeated: Events::default(),
            forbidden: Events::default(),
        }
    }

    pub(super) fn push(&mut self, record: &GameRecord) {
        self.game_index.push(record.game_index);
        if self.moves_column != MovesColumn::None {
            self.codes.extend(record.codes(self.size));
            self.moves.end(self.codes.len());
        }
        self.plies.push(record.ply_count() as u16);
        self.passes.push(record.passes as u16);
        self.capped.push(record.is_capped());
        self.margin.push(record.margin() as i16);
        let area = Color::BOTH.map(|color| record.area.of(color));
        let [stones, prisoners] = [record.area.stones, record.prisoners];
        let counts =
            [area[0], area[1], record.area.neutral, stones[0], stones[1], prisoners[0], prisoners[1]];
        for (column, count) in self.area.iter_mut().zip(counts) {
            column.push(count as u16);
        }
        self.refused.push(&record.refused);
        self.repeated.push(&record.repeated);
        self.forbidden.push(&record.forbidden);
    }

    /// The columns of this schema.
    pub(super) fn finish(self, schema: SchemaRef) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(UInt64Array::from(self.game_index))];
        match self.moves_column {
            MovesColumn::List => {
                let codes = Arc::new(UInt16Array::from(self.codes));
                let offsets = self.moves.offsets(1);
                columns.push(Arc::new(ListArray::try_new(schema::moves_element(), offsets, codes, None)?));
            }
            MovesColumn::Binary => {
                let bytes: Vec<u8> = self.codes.iter().flat_map(|code| code.to_le_bytes()).collect();
                columns.push(Arc::new(BinaryArray::try_new(self.moves.offsets(2), bytes.into(), None)?));
            }
            MovesColumn::None => {}
        }
        columns.push(Arc::new(UInt16Array::from(self.plies)));
        columns.push(Arc::new(UInt16Array::from(self.passes)));
        columns.push(Arc::new(BooleanArray::from(self.capped)));
        columns.push(Arc::new(Int16Array::from(self.margin)));
        columns.extend(self.area.map(|counts| Arc::new(UInt16Array::from(counts)) as ArrayRef));
        for events in [self.refused, self.repeated, self.forbidden] {
            // The last column is there only if the schema has it.
            if columns.len() < schema.fields().len() {
                columns.push(Arc::new(events.finish()?));
            }
        }
        RecordBatch::try_new(schema, columns)
    }
}

/// Where the lists of a list column end.
#[derive(Default)]
struct Lists {
    ends: Vec<usize>,
}

impl Lists {
    fn end(&mut self, end: usize) {
        self.ends.push(end);
    }

    /// The offsets of lists whose elements take `width` values each.
    fn offsets(self, width: usize) -> OffsetBuffer<i32> {
        let ends = self.ends.into_iter().map(|end| (end * width) as i32);
        OffsetBuffer::new([0].into_iter().chain(ends).collect::<ScalarBuffer<i32>>())
    }
}

/// A column of lists of events.
#[derive(Default)]
struct Events {
    lists: Lists,
    counts: [Vec<u16>; schema::EVENT_COUNTS.len()],
    same_player: Vec<bool>,
}

impl Events {
    fn push(&mut self, events: &[SuperkoEvent]) {
        for SuperkoEvent { ply, repetition } in events {
            let [black, white] = repetition.cycle_removed;
            let counts =
                [*ply, repetition.earlier_ply, repetition.cycle_plies, repetition.cycle_passes, black, white];
            for (column, count) in self.counts.iter_mut().zip(counts) {
                column.push(count as u16);
            }
            self.same_player.push(repetition.same_player);
        }
        self.lists.end(self.same_player.len());
    }

    fn finish(self) -> Result<ListArray, ArrowError> {
        let mut columns = self.counts.map(|counts| Arc::new(UInt16Array::from(counts)) as ArrayRef).to_vec();
        columns.push(Arc::new(BooleanArray::from(self.same_player)));
        let events = StructArray::try_new(schema::event_fields(), columns, None)?;
        ListArray::try_new(schema::event_element(), self.lists.offsets(1), Arc::new(events), None)
    }
}
