//! What is kept of a finished game, and recording games whose moves are given.

use std::fmt;

pub use jigo_engine::batch::SuperkoEvent;
use jigo_engine::{
    BoardSize, Color, Counting, Game, IllegalMove, Move, Rules,
    batch::Needs,
    game::{HandicapStart, Repetition},
    score::AreaCount,
    search::Tree,
    zobrist::mix64,
};

use crate::{AnyPosition, Sink};

/// One finished game of a run.
///
/// Of a game that [starts at a position](crate::Run::start_at), plies, moves and passes are those after the start; prisoners, and the plies of superko
/// events, count from the beginning of the game that led there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRecord {
    /// Position in the run, from 0.
    pub game_index: u64,
    /// Number of plies, passes included.
    pub plies: u32,
    /// The first ply; absent in a game without plies, and perhaps where a run needs [the end](crate::Needs::End) only.
    pub first_move: Option<Move>,
    /// All plies in order, Black first. May be empty where a run does [not need them](crate::Needs).
    pub moves: Vec<Move>,
    /// Why the game ended.
    pub end: End,
    /// Passes among the plies.
    pub passes: u32,
    /// Passes of players who [had run out of stones](Game::is_out_of_stones). None where stones are unlimited.
    pub forced_passes: u32,
    /// The final position counted as area.
    pub area: AreaCount,
    /// Stones removed during the game (Black, White), by capture or suicide.
    pub prisoners: [u32; 2],
    /// Moves that the policy sampled, or that a search would have considered, and that the superko rule rejected though simple ko allows them, in order. Empty under simple ko; may be empty where a run does not
    /// need them.
    pub refused: Vec<SuperkoEvent>,
    /// Moves played that recreated an earlier position. Empty under positional superko; may be empty where a run does not
    /// need them.
    pub repeated: Vec<SuperkoEvent>,
    /// Every candidate that superko forbade, at every ply, sampled or not: only where the run asks for it.
    pub forbidden: Vec<SuperkoEvent>,
    /// Whose area each point was at the end of a finished game: only in games read from a dataset that stores it.
    pub ownership: Option<Ownership>,
    /// What the search for each ply found, and nothing for random plies of the opening and where the player could only pass. Empty unless the run's policy searches.
    pub searches: Vec<Option<SearchRecord>>,
}

/// Whose area each point of a position is, all stones taken to be alive: the points that [`AreaCount`] counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ownership(Box<[u8]>);

impl Ownership {
    /// Returns the ownership of a position.
    #[must_use]
    pub fn new(position: AnyPosition<'_>) -> Self {
        let plane_bytes = Self::byte_count(position.size()) / 2;
        let mut bytes = vec![0; 2 * plane_bytes];
        for (index, owner) in position.owners().into_iter().enumerate() {
            if let Some(owner) = owner {
                bytes[owner.index() * plane_bytes + index / 8] |= 0x80 >> (index % 8);
            }
        }
        Self(bytes.into())
    }

    /// Returns the ownership that [`as_bytes`](Self::as_bytes) gave for a board of this size; nothing if no position gives these bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], size: BoardSize) -> Option<Self> {
        if bytes.len() != Self::byte_count(size) {
            return None;
        }
        let (black, white) = bytes.split_at(bytes.len() / 2);
        let no_point = (1_u8 << (black.len() * 8 - size.point_count())) - 1;
        let is_outside =
            [black, white].iter().any(|plane| plane.last().is_some_and(|last| last & no_point != 0));
        let is_disputed = black.iter().zip(white).any(|(black, white)| black & white != 0);
        (!is_outside && !is_disputed).then(|| Self(bytes.into()))
    }

    /// Returns a bit for each point in row-major order, the first in the highest bit of a byte: first whether it is Black's, then, from a new byte on,
    /// whether it is White's.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns how many points are Black's and White's.
    #[must_use]
    pub fn area(&self) -> [u32; 2] {
        let (black, white) = self.0.split_at(self.0.len() / 2);
        [black, white].map(|plane| plane.iter().map(|byte| byte.count_ones()).sum())
    }

    fn byte_count(size: BoardSize) -> usize {
        2 * size.point_count().div_ceil(8)
    }
}

/// What the search for one ply found.
///
/// A search for the highest margin begins anew after its first playouts, which are not counted here: see `docs/playouts.md`.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRecord {
    /// Number of playouts that tried each move, by its [code](Move::code): the points in row-major order, then the pass. At least one is not 0.
    pub visits: Vec<u32>,
    /// Mean of Black's margins at the ends of these playouts, in points before komi: by the counting of the rules, with all stones alive.
    pub margin: f32,
}

impl SearchRecord {
    /// Returns what a search has found, or nothing if it has made no playouts.
    pub(crate) fn new<const W: usize>(tree: &Tree<W>, size: BoardSize) -> Option<Self> {
        let (mut visits, mut margins) = (vec![0; size.point_count() + 1], 0);
        for stats in tree.moves() {
            visits[usize::from(stats.mv.code(size))] = stats.visits;
            margins += stats.margins;
        }
        let mut search = Self { visits, margin: 0.0 };
        search.margin = (margins as f64 / f64::from(search.playouts())) as f32;
        (search.playouts() > 0).then_some(search)
    }

    /// Returns the number of playouts.
    #[must_use]
    pub fn playouts(&self) -> u32 {
        self.visits.iter().sum()
    }

    /// Returns the share of the playouts that tried the move chosen, which is the one that most of them tried.
    #[must_use]
    pub fn share(&self) -> f32 {
        let most = self.visits.iter().copied().max().unwrap_or_default();
        (f64::from(most) / f64::from(self.playouts())) as f32
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum End {
    /// Two consecutive passes.
    TwoPasses,
    /// The run's move limit: the game was not over. Its numbers must not be mixed with those of games that were.
    #[default]
    PlyCap,
    /// The whole state of the game came back, where that is a draw: [`Game::has_cycled`]. There is no count.
    Cycle,
    /// One player lost before the game was over, by resignation for instance. The same holds; no game of a policy ends like this.
    BrokenOff,
}

impl End {
    /// Returns how a game ended that is not played on.
    pub(crate) fn of<const W: usize>(game: &Game<W>) -> Self {
        match game.is_over() {
            false => Self::PlyCap,
            true if game.has_cycled() => Self::Cycle,
            true => Self::TwoPasses,
        }
    }
}

impl GameRecord {
    /// Returns the number of plies, passes included.
    #[must_use]
    pub fn ply_count(&self) -> u32 {
        self.plies
    }

    /// Returns Black's area minus White's before komi.
    #[must_use]
    pub fn margin(&self) -> i32 {
        self.area.margin()
    }

    /// Returns Black's points minus White's before komi, under either counting; all stones of the final position are taken to be alive.
    #[must_use]
    pub fn margin_by(&self, counting: Counting) -> i32 {
        self.area.margin_by(counting, self.prisoners)
    }

    /// Returns whether the game was stopped at the move limit.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.end == End::PlyCap
    }

    /// Returns whether the game ended by two passes, so that it has a count: not at the move limit, by a cycle or by resignation.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.end == End::TwoPasses
    }

    /// Returns the moves as [codes](Move::code).
    pub fn codes(&self, size: BoardSize) -> impl Iterator<Item = u16> {
        self.moves.iter().map(move |mv| mv.code(size))
    }
}

/// Plays given moves under the rules and keeps the record: for games that do not follow from a seed, and to check those that do.
pub(crate) struct Recorder<const W: usize = 11> {
    game: Game<W>,
    record: GameRecord,
}

impl<const W: usize> Recorder<W> {
    /// Returns a recorder for games of this size by these rules.
    pub(crate) fn new(size: BoardSize, rules: Rules) -> Self {
        Self { game: Game::new(size, rules), record: GameRecord::default() }
    }

    /// Returns a recorder for games that begin with this handicap.
    pub(crate) fn with_handicap(size: BoardSize, rules: Rules, handicap: &HandicapStart) -> Self {
        Self { game: Game::with_handicap(size, rules, handicap), record: GameRecord::default() }
    }

    /// Begins a game from the start.
    pub(crate) fn begin(&mut self, game_index: u64) {
        self.game.clear();
        self.record = GameRecord { game_index, ..GameRecord::default() };
    }

    /// Begins a game that goes on from this one.
    pub(crate) fn begin_at(&mut self, game_index: u64, start: &Game<W>) {
        self.game.clone_from(start);
        self.record = GameRecord { game_index, ..GameRecord::default() };
    }

    /// Returns the game so far.
    pub(crate) fn game(&self) -> &Game<W> {
        &self.game
    }

    /// Returns the number of plies played.
    pub(crate) fn ply_count(&self) -> u32 {
        self.record.plies
    }

    /// Notes what the moves would have repeated that superko rejects for the next ply: all that it forbids, if those are counted.
    pub(crate) fn reject(&mut self, rejected: &[Repetition], counts_forbidden: bool) {
        let ply = self.game.ply_count();
        let events = rejected.iter().map(|&repetition| SuperkoEvent { ply, repetition });
        if counts_forbidden {
            self.record.forbidden.extend(events.clone());
        }
        self.record.refused.extend(events);
    }

    /// Notes what the search for the next ply found.
    pub(crate) fn note_search(&mut self, search: Option<SearchRecord>) {
        self.record.searches.push(search);
    }

    /// Plays the next ply; an illegal one changes nothing.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if self.game.is_over() {
            return Err(IllegalMove::GameOver);
        }
        self.play_on(mv)
    }

    /// Plays the next ply, after two passes as well, for games that go on from a stop.
    pub(crate) fn play_on(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let ply = self.game.ply_count();
        match mv {
            Move::Play(point) => {
                self.game.check_point(point)?;
                let repetition = self.game.play_unchecked(point).repetition;
                self.record.repeated.extend(repetition.map(|repetition| SuperkoEvent { ply, repetition }));
            }
            Move::Pass => {
                self.record.passes += 1;
                self.record.forced_passes += u32::from(self.game.is_out_of_stones());
                self.game.pass();
            }
        }
        self.record.moves.push(mv);
        self.record.plies += 1;
        Ok(())
    }

    /// Returns the record of the game, which ended like this. Rejected moves do not follow from the moves played: those that were not [noted](Self::reject)
    /// are missing.
    pub(crate) fn finish(&mut self, end: End) -> GameRecord {
        let record = std::mem::take(&mut self.record);
        GameRecord {
            first_move: record.moves.first().copied(),
            end,
            area: self.game.board().area(),
            prisoners: Color::BOTH.map(|color| self.game.prisoners(color)),
            ..record
        }
    }
}

/// A hash of games, their moves and ends. Equal games give equal signatures, in whatever order and on however many threads they are played;
/// different games almost certainly different ones.
///
/// Quoted with every speed, so that a faster but different game cannot pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signature(u64);

impl Signature {
    /// Returns the signature of one game on a board of this size.
    #[must_use]
    pub fn from_record(record: &GameRecord, size: BoardSize) -> Self {
        let start = mix64(record.game_index) ^ u64::from(record.is_capped());
        Self(record.codes(size).fold(start, |hash, code| mix64(hash ^ u64::from(code))))
    }
}

impl Sink for Signature {
    const NEEDS: Needs = Needs::Moves;

    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        self.merge(Self::from_record(record, position.size()));
    }

    fn merge(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::{Board, Suicide};

    use super::*;

    #[test]
    fn ownership_is_bits_of_both_colours() {
        // The first row is Black's, the last is White's, the point between them reaches both.
        let board: Board = Board::from_diagram("XX.\nX..\n.OO", Suicide::Forbidden).unwrap();
        let position = board.position();
        let ownership = Ownership::new(AnyPosition::new(&position));
        let area = position.area();
        assert_eq!(ownership.area(), Color::BOTH.map(|color| area.of(color)));
        assert_eq!(ownership.as_bytes(), [0b1101_0000, 0, 0b0000_0001, 0b1000_0000]);
        assert_eq!(Ownership::from_bytes(ownership.as_bytes(), board.size()), Some(ownership));
        for wrong in [&[0, 0, 0][..], &[0, 0x40, 0, 0], &[0, 0, 0, 0x01], &[0x10, 0, 0x10, 0]] {
            assert_eq!(Ownership::from_bytes(wrong, board.size()), None, "{wrong:?}");
        }
    }
}
