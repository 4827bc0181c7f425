//! Columns to games.

use arrow_array::{Array, RecordBatch, cast::AsArray, types};
use jigo_engine::{BoardSize, Color, Move, game::Repetition, score::AreaCount};

use super::{MovesColumn, schema};
use crate::{End, GameRecord, SuperkoEvent};

/// The games of some rows of a shard, whose columns have been checked against the [schema](schema::schema).
pub(super) struct Rows<'a> {
    pub(super) batch: &'a RecordBatch,
    pub(super) size: BoardSize,
    pub(super) moves: MovesColumn,
    pub(super) count_forbidden: bool,
}

impl Rows<'_> {
    /// The game in row `row` of the batch; without moves where the dataset does not store them.
    ///
    /// # Errors
    /// What is wrong with the row.
    pub(super) fn game(&self, row: usize) -> Result<GameRecord, String> {
        let plies = self.count("plies", row);
        let moves = self.moves(row)?;
        let mut record = GameRecord {
            game_index: self.column("game_index").as_primitive::<types::UInt64Type>().value(row),
            plies,
            first_move: moves.first().copied(),
            moves,
            end: if self.column("capped").as_boolean().value(row) { End::PlyCap } else { End::TwoPasses },
            passes: self.count("passes", row),
            area: self.area(row)?,
            prisoners: [self.count("black_prisoners", row), self.count("white_prisoners", row)],
            ..GameRecord::empty()
        };
        let lists = [&mut record.refused, &mut record.repeated, &mut record.forbidden];
        for (name, list) in schema::event_columns(self.count_forbidden).iter().zip(lists) {
            *list = self.events(name, row);
        }
        if self.moves != MovesColumn::None && record.moves.len() != plies as usize {
            return Err(format!("plies is {plies}, but there are {} moves", record.moves.len()));
        }
        let margin = i32::from(self.column("margin").as_primitive::<types::Int16Type>().value(row));
        if record.margin() != margin {
            return Err(format!("margin is {margin}, but the areas make it {}", record.margin()));
        }
        Ok(record)
    }

    fn column(&self, name: &str) -> &dyn Array {
        self.batch.column_by_name(name).expect("the schema was checked")
    }

    fn count(&self, name: &str, row: usize) -> u32 {
        u32::from(self.column(name).as_primitive::<types::UInt16Type>().value(row))
    }

    fn moves(&self, row: usize) -> Result<Vec<Move>, String> {
        let codes: Vec<u16> = match self.moves {
            MovesColumn::None => return Ok(Vec::new()),
            MovesColumn::List => {
                let codes = self.column("moves").as_list::<i32>().value(row);
                codes.as_primitive::<types::UInt16Type>().values().to_vec()
            }
            MovesColumn::Binary => {
                let bytes = self.column("moves").as_binary::<i32>().value(row);
                let (pairs, rest) = bytes.as_chunks::<2>();
                if !rest.is_empty() {
                    return Err(format!("moves has {} bytes, an odd number", bytes.len()));
                }
                pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect()
            }
        };
        let parse = |(ply, code)| {
            let invalid = || format!("ply {ply}: {code} is no move on a {} board", self.size);
            Move::from_code(code, self.size).ok_or_else(invalid)
        };
        codes.into_iter().enumerate().map(parse).collect()
    }

    fn area(&self, row: usize) -> Result<AreaCount, String> {
        let area = ["black_area", "white_area"].map(|name| self.count(name, row));
        let stones = ["black_stones", "white_stones"].map(|name| self.count(name, row));
        let mut surrounded = [0; 2];
        for side in Color::BOTH.map(Color::index) {
            let fewer = || format!("an area of {} with {} stones", area[side], stones[side]);
            surrounded[side] = area[side].checked_sub(stones[side]).ok_or_else(fewer)?;
        }
        Ok(AreaCount { stones, surrounded, neutral: self.count("neutral", row) })
    }

    fn events(&self, name: &str, row: usize) -> Vec<SuperkoEvent> {
        let list = self.column(name).as_list::<i32>().value(row);
        let columns = list.as_struct().columns();
        let count = |column: usize, index| {
            u32::from(columns[column].as_primitive::<types::UInt16Type>().value(index))
        };
        let same_player = columns[schema::EVENT_COUNTS.len()].as_boolean();
        let event = |index| {
            let repetition = Repetition {
                earlier_ply: count(1, index),
                cycle_plies: count(2, index),
                cycle_passes: count(3, index),
                cycle_removed: [count(4, index), count(5, index)],
                same_player: same_player.value(index),
            };
            SuperkoEvent { ply: count(0, index), repetition }
        };
        (0..list.len()).map(event).collect()
    }
}
