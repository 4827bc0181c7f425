//! Nodes to a game, with warnings about what is doubtful.

use jigo_engine::{BoardSize, Color};

use super::{
    Event, Limits, Record, Setup, SgfGame,
    diagnose::{Diagnostic, DiagnosticKind, SgfError, SgfErrorKind, excerpt},
    game::{is_game_info, is_reserved},
    tree::{Fault, Node, Property, Value},
    value::{self, Header, check_values},
};

/// Assembles one game from the nodes of its main line.
#[derive(Debug)]
pub(super) struct Builder {
    byte: usize,
    game: SgfGame,
    event_bytes: Vec<usize>,
    application: Option<String>,
    header: Header,
    setup: SetupReader,
    pub(super) notes: Notes,
    /// Whose turn it is, where that is known.
    to_play: Option<Color>,
}

/// Where a node stands in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Root,
    Inside,
}

impl Builder {
    /// Begins a game with its root. `byte` is where the game starts; `has_mark` says that the file starts
    /// with a UTF-8 mark.
    pub(super) fn new(
        byte: usize,
        root: &Node<'_>,
        limits: Limits,
        has_mark: bool,
        mut notes: Notes,
    ) -> Result<Self, SgfError> {
        let header = Header::new(root, has_mark, &mut notes);
        let check = |result: Result<BoardSize, Fault>| result.map_err(|fault| notes.error(fault));
        let size = check(check_is_go(root).and_then(|()| size_of(root)))?;
        let mut builder = Self {
            byte,
            game: SgfGame::new(size),
            event_bytes: Vec::new(),
            application: None,
            header,
            setup: SetupReader::new(size, limits.setup_points),
            notes,
            to_play: None,
        };
        builder.check_format(root);
        builder.read_node(root, Place::Root)?;
        Ok(builder)
    }

    /// Adds a node of the main line behind the root.
    pub(super) fn add(&mut self, node: &Node<'_>) -> Result<(), SgfError> {
        self.read_node(node, Place::Inside)
    }

    /// Reports bytes in a node, or behind the last one, that belong to no property.
    pub(super) fn check_strays(&mut self, node: &Node<'_>) {
        for stray in &node.strays {
            self.notes.warn(stray.start, DiagnosticKind::StrayText, || {
                let length = stray.len();
                format!("{length} bytes belong to no property and are skipped; `]` in text is written `\\]`")
            });
        }
        if let Some(byte) = node.assumed {
            self.notes
                .warn(byte, DiagnosticKind::MissingNode, || "a `;` is missing before this property".into());
        }
    }

    /// The finished game, from whose tree so many variations were left out.
    pub(super) fn finish(mut self, variation_count: usize) -> Record {
        self.notes.move_count = 0;
        if variation_count > 0 {
            self.notes.warn(self.byte, DiagnosticKind::Variations, || {
                format!("only the main line is read: variations left out: {variation_count}")
            });
        }
        check_values(&self.game.info, self.byte, &mut self.notes);
        self.check_handicap();
        Record {
            byte: self.byte,
            game: self.game,
            application: self.application,
            charset: self.header.charset_name(),
            variation_count,
            warnings: self.notes.warnings,
            warnings_left_out: self.notes.left_out,
            event_bytes: self.event_bytes,
        }
    }

    /// Takes over what a node says, in the order that the standard gives to mixed nodes: setup first, then
    /// the move.
    fn read_node(&mut self, node: &Node<'_>, place: Place) -> Result<(), SgfError> {
        let setup = self.setup.read(node, &mut self.notes).map_err(|fault| self.notes.error(fault))?;
        let has_setup = setup.is_some();
        if let Some((setup, byte)) = setup {
            self.set_up(setup, byte);
        }
        let mut has_move = false;
        for property in &node.properties {
            match &*property.name {
                "B" => self.play(Color::Black, node, property, &mut has_move)?,
                "W" => self.play(Color::White, node, property, &mut has_move)?,
                _ => self.read_other(node, property, place).map_err(|fault| self.notes.error(fault))?,
            }
        }
        if has_setup && has_move {
            let byte = node.properties.first().map_or(self.byte, |property| property.byte);
            self.notes.warn(byte, DiagnosticKind::SetupAndMove, || {
                "setup and move in one node: the stones are set up first".into()
            });
        }
        self.check_strays(node);
        Ok(())
    }

    fn read_other(&mut self, node: &Node<'_>, property: &Property<'_>, place: Place) -> Result<(), Fault> {
        match &*property.name {
            "SZ" => self.check_size(node, property)?,
            "GM" => check_is_go(node)?,
            "AP" if place == Place::Root => self.read_application(node, property),
            name if is_reserved(name) => {}
            name if place == Place::Root || is_game_info(name) => self.read_text(node, property),
            _ => {}
        }
        Ok(())
    }

    fn read_application(&mut self, node: &Node<'_>, property: &Property<'_>) {
        let texts = self.header.texts(node, property, &mut self.notes);
        if self.application.is_some() || texts.len() > 1 {
            self.notes.warn_repeated(property.byte, "AP");
        }
        let first = texts.into_iter().next();
        self.application = self.application.take().or(first);
    }

    fn read_text(&mut self, node: &Node<'_>, property: &Property<'_>) {
        let name = &*property.name;
        let texts = self.header.texts(node, property, &mut self.notes);
        let is_stated = !self.game.info.values(name).is_empty();
        if is_stated || (texts.len() > 1 && is_game_info(name)) {
            self.notes.warn_repeated(property.byte, name);
        }
        if !is_stated {
            self.game.info.put(name, texts);
        }
    }

    fn set_up(&mut self, setup: Setup, byte: usize) {
        if self.game.events.is_empty() {
            self.game.setup.extend(&setup);
            self.to_play = self.game.setup.to_play;
        } else {
            self.to_play = setup.to_play;
            self.game.events.push(Event::Setup(Box::new(setup)));
            self.event_bytes.push(byte);
        }
    }

    fn play(
        &mut self,
        color: Color,
        node: &Node<'_>,
        property: &Property<'_>,
        has_move: &mut bool,
    ) -> Result<(), SgfError> {
        for &Value { bytes, byte } in node.values(property) {
            self.notes.move_count += 1;
            let mv = value::play(bytes, self.game.size).map_err(|kind| self.notes.error((byte, kind)))?;
            if *has_move {
                self.notes.warn(property.byte, DiagnosticKind::MovesInNode, || {
                    "several moves in one node: played in the order written".into()
                });
            }
            *has_move = true;
            self.check_turn(color, property.byte);
            self.game.play(color, mv);
            self.event_bytes.push(property.byte);
            self.to_play = Some(!color);
        }
        Ok(())
    }

    fn check_turn(&mut self, color: Color, byte: usize) {
        if self.to_play == Some(!color) {
            let is_after_move = matches!(self.game.events.last(), Some(Event::Play { .. }));
            let (kind, reason) = if is_after_move {
                (DiagnosticKind::SameColor, "made the move before too")
            } else {
                (DiagnosticKind::NotToPlay, "was not to play")
            };
            self.notes.warn(byte, kind, || format!("{color} plays but {reason}"));
        }
        let is_opening = self.game.events.is_empty() && self.game.setup.is_empty();
        if is_opening && color == Color::White {
            self.notes
                .warn(byte, DiagnosticKind::WhiteFirst, || "White plays first on an empty board".into());
        }
    }

    fn check_format(&mut self, root: &Node<'_>) {
        let Some(Value { bytes, byte }) = root.first_value("FF") else { return };
        if !matches!(value::number(bytes), Some(1..=4)) {
            self.notes.warn(byte, DiagnosticKind::BadValue, || {
                format!("`FF[{}]` is read as FF[4]: 1 to 4 is expected", excerpt(bytes))
            });
        }
    }

    /// A second `SZ` must agree with the first, or no point of the record could be trusted.
    fn check_size(&mut self, node: &Node<'_>, property: &Property<'_>) -> Result<(), Fault> {
        for &Value { bytes, byte } in node.values(property) {
            if value::board_size(bytes).ok() != Some(self.game.size) {
                return Err((byte, SgfErrorKind::BadSize(excerpt(bytes))));
            }
        }
        Ok(())
    }

    fn check_handicap(&mut self) {
        let Some(handicap) = self.game.handicap() else { return };
        let black = self.game.setup.points_with(Some(Color::Black)).count();
        let is_agreed = handicap as usize == black || (handicap < 2 && black == 0);
        if !is_agreed {
            self.notes.warn(self.byte, DiagnosticKind::Handicap, || {
                format!("`HA[{handicap}]` but {black} black stones set up: the stones are used")
            });
        }
    }
}

fn check_is_go(node: &Node<'_>) -> Result<(), Fault> {
    for property in node.properties.iter().filter(|property| property.name == "GM") {
        for &Value { bytes, byte } in node.values(property) {
            if value::number(bytes) != Some(1) {
                return Err((byte, SgfErrorKind::NotGo(excerpt(bytes))));
            }
        }
    }
    Ok(())
}

/// The size that the root states; 19×19 when it states none, as the format demands.
fn size_of(root: &Node<'_>) -> Result<BoardSize, Fault> {
    let Value { bytes, byte } = root.first_value("SZ").unwrap_or(Value { bytes: b"19", byte: 0 });
    value::board_size(bytes).map_err(|kind| (byte, kind))
}

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

/// The warnings of one game, and where in it the reader stands.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) warnings: Vec<Diagnostic>,
    /// How many warnings came after the list was full.
    pub(super) left_out: usize,
    /// Number of the last move; 0 before the first.
    pub(super) move_count: usize,
}

impl Notes {
    /// The most warnings kept for one game, so that a hostile file cannot fill the memory with them.
    const MOST: usize = 100;

    /// Adds a warning. `text` is only called when there is room.
    pub(super) fn warn(&mut self, byte: usize, kind: DiagnosticKind, text: impl FnOnce() -> String) {
        if self.warnings.len() == Self::MOST {
            self.left_out += 1;
            return;
        }
        let move_number = self.move_number();
        self.warnings.push(Diagnostic { byte, move_number, kind, text: text() });
    }

    /// Warns that a property is there again.
    pub(super) fn warn_repeated(&mut self, byte: usize, name: &str) {
        self.warn(byte, DiagnosticKind::Repeated, || {
            format!("`{}` is stated more than once: the first is used", excerpt(name.as_bytes()))
        });
    }

    /// An error at this byte, with the number of the last move.
    pub(super) fn error(&self, (byte, kind): Fault) -> SgfError {
        SgfError { byte, move_number: self.move_number(), kind }
    }

    fn move_number(&self) -> Option<usize> {
        Some(self.move_count).filter(|&count| count > 0)
    }
}
