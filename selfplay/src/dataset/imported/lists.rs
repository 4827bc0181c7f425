//! The columns of imported games that are lists: what a record says that is more than a text.

use std::{iter, sync::Arc};

use arrow_array::{ArrayRef, ListArray, StringArray, StructArray, UInt16Array};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use jigo_engine::{BoardSize, Color, Move, Point};

use super::super::schema;
use crate::sgf::{Event, Setup, SgfGame};

/// What an edit does to a point, or after it, in the order of [`content`].
const CONTENTS: [&str; 5] = ["empty", "black", "white", "black to play", "white to play"];

/// One line of an edit: a point that is given a content, or who is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// 0 for the position before the first move; then from 1.
    pub(super) edit: u16,
    /// Plies before it.
    pub(super) ply: u16,
    /// The code of the point; that of a pass where it says who is to play.
    pub(super) point: u16,
    /// The index in [`CONTENTS`].
    content: usize,
}

/// The fields of a list's element.
pub(super) fn edit_fields() -> Fields {
    let counts = ["edit", "ply", "point"].map(|name| Field::new(name, DataType::UInt16, false));
    counts.into_iter().chain([Field::new("content", DataType::Utf8, false)]).collect()
}

/// The same of a property.
pub(super) fn property_fields() -> Fields {
    ["name", "value"].map(|name| Field::new(name, DataType::Utf8, false)).into_iter().collect()
}

/// The type of a list of these values.
pub(super) fn list_of(element: DataType) -> DataType {
    DataType::List(Arc::new(Field::new(schema::ELEMENT, element, false)))
}

/// A column of lists of these lengths, whose values follow one another.
pub(super) fn list(lengths: Vec<usize>, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let field = Arc::new(Field::new(schema::ELEMENT, values.data_type().clone(), false));
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(field, offsets, values, None)?))
}

/// A column of all these lists.
pub(super) fn counts(lists: Vec<Vec<u16>>) -> Result<ArrayRef, ArrowError> {
    let lengths = lists.iter().map(Vec::len).collect();
    list(lengths, Arc::new(UInt16Array::from(lists.concat())))
}

/// A column of lists of texts.
pub(super) fn texts(lists: Vec<Vec<&str>>) -> Result<ArrayRef, ArrowError> {
    let lengths = lists.iter().map(Vec::len).collect();
    list(lengths, Arc::new(StringArray::from_iter_values(lists.into_iter().flatten())))
}

/// A column of lists of names and values.
pub(super) fn properties(lists: Vec<Vec<(&str, &str)>>) -> Result<ArrayRef, ArrowError> {
    let lengths = lists.iter().map(Vec::len).collect();
    let texts = |text: fn(&(&str, &str)) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(lists.iter().flatten().map(text)))
    };
    let columns = vec![texts(|(name, _)| (*name).to_owned()), texts(|(_, value)| (*value).to_owned())];
    list(lengths, Arc::new(StructArray::try_new(property_fields(), columns, None)?))
}

/// A column of lists of edits.
pub(super) fn edits(lists: Vec<Vec<Edit>>) -> Result<ArrayRef, ArrowError> {
    let lengths = lists.iter().map(Vec::len).collect();
    let counts = |count: fn(&Edit) -> u16| -> ArrayRef {
        Arc::new(UInt16Array::from_iter_values(lists.iter().flatten().map(count)))
    };
    let contents = lists.iter().flatten().map(|edit| CONTENTS[edit.content]);
    let columns = vec![
        counts(|edit| edit.edit),
        counts(|edit| edit.ply),
        counts(|edit| edit.point),
        Arc::new(StringArray::from_iter_values(contents)) as ArrayRef,
    ];
    list(lengths, Arc::new(StructArray::try_new(edit_fields(), columns, None)?))
}

/// All edits of a game, point by point.
pub(super) fn edits_of(game: &SgfGame) -> Vec<Edit> {
    let mut edits = Vec::new();
    push(&mut edits, 0, 0, &game.setup, game.size);
    let (mut edit, mut ply) = (0, 0);
    for event in &game.events {
        match event {
            Event::Play { .. } => ply += 1,
            Event::Setup(setup) => {
                edit += 1;
                push(&mut edits, edit, ply, setup, game.size);
            }
        }
    }
    edits
}

fn push(edits: &mut Vec<Edit>, edit: u16, ply: u16, setup: &Setup, size: BoardSize) {
    let line = |point: Move, content| Edit { edit, ply, point: point.code(size), content };
    let content = |color: Option<Color>| color.map_or(0, |color| 1 + color.index());
    edits.extend(setup.points().map(|(point, color)| line(Move::Play(point), content(color))));
    edits.extend(setup.to_play.map(|color| line(Move::Pass, 3 + color.index())));
}

impl Edit {
    /// An edit as it is stored.
    ///
    /// # Errors
    /// A content that there is not.
    pub(super) fn new([edit, ply, point]: [u16; 3], content: &str) -> Result<Self, String> {
        let known = CONTENTS.iter().position(|name| *name == content);
        let content = known.ok_or_else(|| format!("`{content}` is no content of a point"))?;
        Ok(Self { edit, ply, point, content })
    }

    /// Adds the line to what is set up.
    ///
    /// # Errors
    /// A point that is not on the board.
    pub(super) fn apply(self, setup: &mut Setup, size: BoardSize) -> Result<(), String> {
        let color = |index: usize| Color::BOTH[index];
        match (Move::from_code(self.point, size), self.content) {
            (Some(Move::Play(point)), 0) => put(setup, point, None),
            (Some(Move::Play(point)), content @ 1..=2) => put(setup, point, Some(color(content - 1))),
            (Some(Move::Pass), content @ 3..=4) => setup.to_play = Some(color(content - 3)),
            _ => {
                return Err(format!("edit {}: {} is no such point on a {size} board", self.edit, self.point));
            }
        }
        Ok(())
    }
}

fn put(setup: &mut Setup, point: Point, content: Option<Color>) {
    setup.put(point, content);
}

/// The plies whose player played the one before too.
pub(super) fn out_of_turn(game: &SgfGame) -> Vec<u16> {
    let colors = || game.moves().map(|(color, _)| color);
    let pairs = iter::zip(colors(), colors().skip(1)).zip(1..);
    pairs.filter(|((before, color), _)| before == color).map(|(_, ply)| ply).collect()
}
