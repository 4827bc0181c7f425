//! The setup properties of one node: `AB`, `AW`, `AE` and `PL`.

use jigo_engine::{BoardSize, Color};

use super::{
    Setup,
    diagnose::{DiagnosticKind, SgfErrorKind, excerpt},
    notes::Notes,
    tree::{Fault, Node, Property, Value},
    value,
};

/// Reads the setup properties of nodes and counts the points they list.
#[derive(Debug)]
pub(super) struct SetupReader {
    size: BoardSize,
    limit: usize,
    point_count: usize,
}

impl SetupReader {
    /// A reader for one game on a board of this size, which may list this many points.
    pub(super) const fn new(size: BoardSize, limit: usize) -> Self {
        Self { size, limit, point_count: 0 }
    }

    /// All that a node sets up, with the offset of its first setup property; `None` when it sets up nothing.
    pub(super) fn read(
        &mut self,
        node: &Node<'_>,
        notes: &mut Notes,
    ) -> Result<Option<(Setup, usize)>, Fault> {
        let mut setup = Setup::default();
        let mut first = None;
        for property in &node.properties {
            match &*property.name {
                "AB" => self.read_points(Some(Color::Black), node, property, &mut setup, notes)?,
                "AW" => self.read_points(Some(Color::White), node, property, &mut setup, notes)?,
                "AE" => self.read_points(None, node, property, &mut setup, notes)?,
                "PL" => read_player(node, property, &mut setup, notes),
                _ => continue,
            }
            first = first.or(Some(property.byte));
        }
        Ok(first.filter(|_| !setup.is_empty()).map(|byte| (setup, byte)))
    }

    fn read_points(
        &mut self,
        content: Option<Color>,
        node: &Node<'_>,
        property: &Property<'_>,
        setup: &mut Setup,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        for &Value { bytes, byte } in node.values(property) {
            if bytes.trim_ascii().is_empty() {
                let name = &property.name;
                notes.warn(byte, DiagnosticKind::BadValue, || format!("`{name}[]` names no point: skipped"));
                continue;
            }
            for point in value::points(bytes, self.size).map_err(|kind| (byte, kind))? {
                self.count_point().map_err(|kind| (byte, kind))?;
                let name = || point.to_sgf();
                match setup.put(point, content) {
                    Some(before) if before != content => {
                        return Err((byte, SgfErrorKind::SetupTwice(name())));
                    }
                    Some(_) => notes.warn(byte, DiagnosticKind::RepeatedPoint, || {
                        format!("`{}` is listed twice in one node", name())
                    }),
                    None => {}
                }
            }
        }
        Ok(())
    }

    fn count_point(&mut self) -> Result<(), SgfErrorKind> {
        self.point_count += 1;
        let limit = self.limit;
        if self.point_count > limit {
            return Err(SgfErrorKind::TooLarge { what: "points set up in one game", limit });
        }
        Ok(())
    }
}

fn read_player(node: &Node<'_>, property: &Property<'_>, setup: &mut Setup, notes: &mut Notes) {
    for &Value { bytes, byte } in node.values(property) {
        match (setup.to_play, value::color(bytes)) {
            (_, None) => notes.warn(byte, DiagnosticKind::BadValue, || {
                format!("`PL[{}]` is skipped: B or W is expected", excerpt(bytes))
            }),
            (None, color) => setup.to_play = color,
            (Some(_), Some(_)) => notes.warn_repeated(byte, "PL"),
        }
    }
}
