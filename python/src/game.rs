//! One game with its history.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicBool, Ordering},
};

use jigo_engine::{
    BoardSize, Color, Game, IllegalMove as Illegal, Move, Point, Position, RuleSet, board::NoLiberty,
    game::HandicapStart, search::MoveStats,
};
use jigo_selfplay::{
    Player as _, RunConfig, Stream,
    search::{Findings, Uct, UctPlayer, Watcher},
    sgf::{self, Event, SgfGame},
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::{
    arguments::{
        IllegalMove, InvalidRecord, MAX_HANDICAP, Player, Points, Size, Text, invalid, mv, name, number,
        number_or, points, sides,
    },
    background,
    board::{PyBoard, PyScore, by_point},
};

/// A game under exact rules, with every kind of superko.
///
/// A move is a name such as "C4" or "pass"; or a number, points in
/// row-major order from the top left and then the pass; or a pair
/// (column, row) from the top left.
///
/// Args:
///     size: Points on a side, a pair (width, height), or text such as
///         "9x13"; up to 25.
///     rules: A rule set such as "chinese", or values joined with +.
///     handicap: Handicap stones: 0, or 2 and more. They are where the
///         rule set puts them.
#[pyclass(name = "Game", module = "jigo")]
pub(crate) struct PyGame {
    game: Game,
    rules: RuleSet,
    /// The stones at the start, and who began.
    start: (Position, Color),
    /// The moves since, and who made them.
    moves: Vec<(Color, Move)>,
}

impl PyGame {
    fn begun(game: Game, rules: RuleSet) -> Self {
        let start = (game.board().position(), game.to_play());
        Self { game, rules, start, moves: Vec::new() }
    }

    /// Plays the moves of a game of these runs again.
    pub(crate) fn replay(config: &RunConfig, moves: &[Move]) -> PyResult<Self> {
        let game = Game::with_handicap(config.size, *config.rules, &config.start());
        let mut game = Self::begun(game, config.rules);
        moves.iter().try_for_each(|&mv| game.play_move(mv))?;
        Ok(game)
    }

    fn size(&self) -> BoardSize {
        self.game.board().size()
    }

    fn play_move(&mut self, mv: Move) -> PyResult<()> {
        let color = self.game.to_play();
        self.game.play_recorded(mv).map_err(|rule| self.illegal(mv, rule))?;
        self.moves.push((color, mv));
        Ok(())
    }

    fn illegal(&self, mv: Move, rule: Illegal) -> PyErr {
        let color = name(self.game.to_play());
        IllegalMove::new_err(format!("{color} may not play {}: {rule}", mv.to_gtp(self.size())))
    }

    /// Plays what a record says, whoever's turn it is, also after two
    /// passes.
    fn play_event(&mut self, event: &Event) -> Result<(), String> {
        match event {
            Event::Play { color, mv } => {
                self.game.set_to_play(*color);
                if let Move::Play(point) = mv {
                    self.game.check_point(*point).map_err(|rule| {
                        format!("{} plays {}: {rule}", name(*color), mv.to_gtp(self.size()))
                    })?;
                }
                self.game.play_recorded_unchecked(*mv);
                self.moves.push((*color, *mv));
            }
            Event::Setup(_) => {
                return Err("stones are set up between moves, which a game cannot have".to_owned());
            }
        }
        Ok(())
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (size = Size::nineteen(), rules = Text::tromp_taylor(), *, handicap = None),
           text_signature = "(size=19, rules='tromp-taylor', *, handicap=0)")]
    fn new(size: Size, rules: Text<RuleSet>, handicap: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let stones = number_or("handicap", handicap, 0, 0..=MAX_HANDICAP)? as u32;
        let start = rules.0.handicap(size.0, stones).map_err(invalid)?;
        Ok(Self::begun(Game::with_handicap(size.0, *rules.0, &start), rules.0))
    }

    /// Begins a game at a position, which counts as the first of its
    /// history.
    #[staticmethod]
    #[pyo3(signature = (board, to_play = Player(Color::Black), rules = Text::tromp_taylor()),
           text_signature = "(board, to_play='black', rules='tromp-taylor')")]
    fn from_board(board: &PyBoard, to_play: Player, rules: Text<RuleSet>) -> PyResult<Self> {
        let mut game: Game = Game::new(board.position().size(), *rules.0);
        game.set_position(board.position().colored_stones(), to_play.0).map_err(invalid)?;
        Ok(Self::begun(game, rules.0))
    }

    /// Reads the main line of a game record.
    ///
    /// Args:
    ///     record: SGF, as text or bytes.
    ///     rules: The rules that moves are checked against; those that the
    ///         record names unless they are given.
    ///     index: Which game of a collection, from 0.
    ///
    /// Raises:
    ///     InvalidRecord: The record cannot be read, or a move is illegal.
    #[staticmethod]
    #[pyo3(signature = (record, rules = None, *, index = 0))]
    fn from_sgf(record: &Bound<'_, PyAny>, rules: Option<Text<RuleSet>>, index: usize) -> PyResult<Self> {
        let bytes = match record.extract::<String>() {
            Ok(text) => text.into_bytes(),
            Err(_) => record.extract::<Vec<u8>>()?,
        };
        let mut records = sgf::read_collection(&bytes);
        let count = records.len();
        if index >= count {
            return Err(InvalidRecord::new_err(format!("game {index} is asked for, but there are {count}")));
        }
        let sgf = records.swap_remove(index).map_err(|error| InvalidRecord::new_err(error.to_string()))?.game;
        let rules = rules.map_or_else(|| sgf::rules_of(&sgf), |rules| rules.0);
        let at_fault = |error: String| InvalidRecord::new_err(error);
        let game = begin(&sgf, rules).map_err(|error| at_fault(error.to_string()))?;
        let mut game = Self::begun(game, rules);
        for (number, event) in sgf.events.iter().enumerate() {
            game.play_event(event).map_err(|reason| at_fault(format!("move {}: {reason}", number + 1)))?;
        }
        Ok(game)
    }

    /// Returns the game as SGF.
    #[pyo3(signature = (*, komi = None))]
    fn to_sgf(&self, komi: Option<Points>) -> String {
        let mut sgf = SgfGame::new(self.size());
        sgf.set_rule_set(self.rules);
        if let Some(komi) = komi {
            sgf.set_komi(komi.0);
        }
        if self.game.handicap().stones > 0 {
            sgf.set_handicap(self.game.handicap().stones);
        }
        let (position, to_play) = &self.start;
        for (point, color) in position.colored_stones() {
            sgf.setup.put(point, Some(color));
        }
        sgf.setup.to_play = (!sgf.setup.is_empty()).then_some(*to_play);
        for &(color, mv) in &self.moves {
            sgf.play(color, mv);
        }
        sgf::write(&sgf)
    }

    /// Plays a move.
    ///
    /// Raises:
    ///     IllegalMove: The rules forbid it. The game is unchanged.
    ///     InvalidArgument: It is not the name or number of a move.
    fn play(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        self.play_move(mv(r#move, self.size())?)
    }

    /// Takes back the last move and returns its name; None if no move is
    /// left.
    fn undo(&mut self) -> Option<String> {
        let mv = self.game.undo()?;
        self.moves.pop();
        Some(mv.to_gtp(self.size()))
    }

    /// Returns whether a move is legal.
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.game.check(mv(r#move, self.size())?).is_ok())
    }

    /// Which moves are legal, by their numbers: a bool array with an
    /// element for each point in row-major order and, last, one for the
    /// pass.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let size = self.size();
        let mut mask = vec![false; size.point_count() + 1];
        mask[size.point_count()] = !self.game.is_over();
        for point in self.game.legal_points() {
            mask[point.index(size)] = true;
        }
        PyArray1::from_vec(py, mask)
    }

    /// The names of all legal moves, the pass last.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        let pass = (!self.game.is_over()).then_some(Move::Pass);
        let moves = self.game.legal_points().map(Move::Play).chain(pass);
        moves.map(|mv| mv.to_gtp(self.size())).collect()
    }

    /// The current position.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard::new(self.game.board().position())
    }

    /// The stones: an int8 array of shape (height, width), 1 for Black, -1
    /// for White, 0 for an empty point. Row 0 is the top.
    #[getter]
    fn stones<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        let size = self.size();
        let stone = |point| crate::board::sign(self.game.board().stone(point));
        by_point(py, size, size.points().map(stone))
    }

    /// The width and the height of the board.
    #[getter(size)]
    fn board_size(&self) -> (usize, usize) {
        sides(self.size())
    }

    /// The rule set.
    #[getter]
    fn rules(&self) -> String {
        self.rules.to_string()
    }

    /// Who is to play: "black" or "white".
    #[getter]
    fn to_play(&self) -> String {
        name(self.game.to_play())
    }

    /// Whether the game is over: by two passes, or by a cycle where stones
    /// are finite.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// The names of the moves since the start.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(|(_, mv)| mv.to_gtp(self.size())).collect()
    }

    /// Stones that were removed from the board, by capture or suicide:
    /// (Black's, White's).
    #[getter]
    fn prisoners(&self) -> (u32, u32) {
        Color::BOTH.map(|color| self.game.prisoners(color)).into()
    }

    /// Counts the position as the end of the game by its rules, with
    /// prisoners.
    ///
    /// Args:
    ///     dead: Dead stones, every one of them, named as moves. All others
    ///         are alive.
    #[pyo3(signature = (*, dead = None), text_signature = "($self, *, dead=())")]
    fn score(&self, dead: Option<&Bound<'_, PyAny>>) -> PyResult<PyScore> {
        let dead = points(dead, self.size())?;
        Ok(PyScore::new(self.game.score(&dead, self.game.handicap().stones)))
    }

    /// Searches for the best move by playouts (Monte-Carlo tree search).
    ///
    /// Args:
    ///     playouts: How many; or the text of a search, such as
    ///         "uct:playouts=1000,reward=win".
    ///     komi: Points added to White's score, for searches that want to
    ///         win.
    ///     seed: The same seed gives the same search.
    ///
    /// Raises:
    ///     InvalidArgument: The game is over, or a value is not one of
    ///         these.
    #[pyo3(signature = (playouts = None, *, komi = Points::ZERO, seed = None), text_signature = "($self, playouts=1000, *, komi=0, seed=1)")]
    fn search(
        &self,
        py: Python<'_>,
        playouts: Option<&Bound<'_, PyAny>>,
        komi: Points,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySearch> {
        let uct = match playouts {
            None => Uct::new(1000),
            Some(text) if text.is_instance_of::<pyo3::types::PyString>() => text.extract::<Text<Uct>>()?.0,
            Some(count) => Uct::new(number("playouts", count, 1..=Uct::MAX_PLAYOUTS.into())? as u32),
        };
        uct.check(self.size()).map_err(invalid)?;
        if self.game.is_over() {
            return Err(invalid("the game is over: there is no move to search for"));
        }
        let seed = number_or("seed", seed, 1, 0..=u64::MAX)?;
        let is_stopped = AtomicBool::new(false);
        let search = || {
            let mut found = Found::new(&is_stopped);
            let mut player = UctPlayer::new(uct);
            let mut stream = Stream::new(seed, 0);
            player.begin(&self.game, komi.0).expect("a tree that fits");
            let choice = player.search(&self.game, &[], &mut stream, None, &mut found).mv;
            (choice, found.moves, found.line, found.owners)
        };
        let stop = || is_stopped.store(true, Ordering::Relaxed);
        let (choice, moves, line, owners) = background::run(py, 1, stop, search)?;
        Ok(PySearch::new(py, self.size(), choice, &moves, &line, &owners))
    }

    /// Returns an independent copy.
    fn copy(&self) -> Self {
        let Self { game, rules, start, moves } = self;
        Self { game: game.clone(), rules: *rules, start: start.clone(), moves: moves.clone() }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __repr__(&self) -> String {
        let mut text = format!("{:#}", self.game.board());
        let state = if self.is_over() { "over".to_owned() } else { format!("{} to play", self.to_play()) };
        _ = write!(text, "moves: {}, {state}, {}", self.moves.len(), self.rules);
        text
    }
}

/// Begins the game of a record: with its handicap if the rules have it
/// and the record's stones are where they put them, else with these
/// stones.
fn begin(sgf: &SgfGame, rules: RuleSet) -> Result<Game, NoLiberty> {
    let stones: Vec<(Point, Color)> =
        sgf.setup.points().filter_map(|(point, color)| Some((point, color?))).collect();
    let handicap = rules.handicap(sgf.size, sgf.handicap().unwrap_or_default()).ok();
    let is_there = |start: &HandicapStart| {
        start.stones().count() == stones.len() && start.stones().all(|stone| stones.contains(&stone))
    };
    if let Some(start) = handicap.filter(is_there) {
        return Ok(Game::with_handicap(sgf.size, *rules, &start));
    }
    let mut game: Game = Game::new(sgf.size, *rules);
    game.set_position(stones, sgf.first_to_play())?;
    Ok(game)
}

/// What a search found.
#[pyclass(name = "Search", module = "jigo", frozen, get_all)]
pub(crate) struct PySearch {
    /// The name of the move with most visits.
    r#move: String,
    /// The line of play that was tried most, from that move on.
    line: Vec<String>,
    /// How often each move was tried, by its number: uint32 of the points
    /// in row-major order and the pass.
    visits: Py<PyArray1<u32>>,
    /// Black's mean margin in points before komi after each move, by its
    /// number: float32; NaN for moves that were not tried.
    margins: Py<PyArray1<f32>>,
    /// Black's share of wins at the komi after each move, a jigo being half
    /// a win: float32; NaN for moves that were not tried.
    wins: Py<PyArray1<f32>>,
    /// Whose area each point was at the ends of playouts: float32 of shape
    /// (height, width), from 1 for always Black's to -1 for always White's.
    ownership: Py<PyArray2<f32>>,
}

/// Takes what a search has found in the end.
struct Found<'a> {
    is_stopped: &'a AtomicBool,
    moves: Vec<MoveStats>,
    line: Vec<Move>,
    owners: [Vec<u64>; 2],
}

impl<'a> Found<'a> {
    fn new(is_stopped: &'a AtomicBool) -> Self {
        Self { is_stopped, moves: Vec::new(), line: Vec::new(), owners: Default::default() }
    }
}

impl Watcher for Found<'_> {
    fn goes_on(&mut self, _: &mut dyn Findings) -> bool {
        !self.is_stopped.load(Ordering::Relaxed)
    }

    fn end(&mut self, search: &mut dyn Findings) {
        self.moves = search.moves();
        self.owners = search.owners();
        let most = self.moves.iter().max_by_key(|stats| stats.visits);
        self.line = most.map(|stats| search.line(stats.mv)).unwrap_or_default();
    }
}

impl PySearch {
    fn new(
        py: Python<'_>,
        size: BoardSize,
        choice: Move,
        moves: &[MoveStats],
        line: &[Move],
        owners: &[Vec<u64>; 2],
    ) -> Self {
        let codes = size.point_count() + 1;
        let (mut visits, mut margins, mut wins) =
            (vec![0; codes], vec![f32::NAN; codes], vec![f32::NAN; codes]);
        for stats in moves.iter().filter(|stats| stats.visits > 0) {
            let (code, count) = (usize::from(stats.mv.code(size)), f64::from(stats.visits));
            visits[code] = stats.visits;
            margins[code] = (stats.margins as f64 / count) as f32;
            let balance = f64::from(stats.wins[0]) - f64::from(stats.wins[1]);
            wins[code] = (0.5 + balance / count / 2.0) as f32;
        }
        let playouts = moves.iter().map(|stats| u64::from(stats.visits)).sum::<u64>().max(1) as f64;
        let [black, white] = owners;
        let shares = black.iter().zip(white);
        let shares = shares.map(|(&black, &white)| ((black as f64 - white as f64) / playouts) as f32);
        let shares: Vec<f32> = shares.chain(std::iter::repeat(0.0)).take(size.point_count()).collect();
        Self {
            r#move: choice.to_gtp(size),
            line: line.iter().map(|mv| mv.to_gtp(size)).collect(),
            visits: PyArray1::from_vec(py, visits).unbind(),
            margins: PyArray1::from_vec(py, margins).unbind(),
            wins: PyArray1::from_vec(py, wins).unbind(),
            ownership: by_point(py, size, shares).unbind(),
        }
    }
}

#[pymethods]
impl PySearch {
    fn __repr__(&self) -> String {
        format!("Search(move='{}', line={:?})", self.r#move, self.line)
    }
}
