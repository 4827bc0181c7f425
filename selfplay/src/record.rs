//! What is kept of a finished playout.

pub use jigo_engine::batch::SuperkoEvent;
use jigo_engine::{BoardSize, Counting, Move, score::AreaCount};

/// One finished game of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The final position counted as area.
    pub area: AreaCount,
    /// Stones removed during the game (Black, White), by capture or suicide.
    pub prisoners: [u32; 2],
    /// Draws that simple ko allows and the superko rule refused, in order. Empty under simple ko; may be empty where a run
    /// does not need them.
    pub refused: Vec<SuperkoEvent>,
    /// Moves played that recreated an earlier position. Empty under positional superko; may be empty where a run does not
    /// need them.
    pub repeated: Vec<SuperkoEvent>,
    /// Every candidate that superko forbade, at every ply, whether drawn or not: only where the run asks for it.
    pub forbidden: Vec<SuperkoEvent>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Two consecutive passes.
    TwoPasses,
    /// The run's limit on plies: the game was not over. Its numbers must not be mixed with those of games that were.
    PlyCap,
    /// One player lost before the game was over, by resignation for instance. The same holds; no playout ends like this.
    BrokenOff,
}

impl GameRecord {
    /// A record with no plies; to be filled by a playout.
    pub(crate) fn empty() -> Self {
        let area = AreaCount { stones: [0; 2], surrounded: [0; 2], neutral: 0 };
        Self {
            game_index: 0,
            plies: 0,
            first_move: None,
            moves: Vec::new(),
            end: End::PlyCap,
            passes: 0,
            area,
            prisoners: [0; 2],
            refused: Vec::new(),
            repeated: Vec::new(),
            forbidden: Vec::new(),
        }
    }

    /// Number of plies, passes included.
    #[must_use]
    pub fn ply_count(&self) -> u32 {
        self.plies
    }

    /// Black's area minus White's before komi.
    #[must_use]
    pub fn margin(&self) -> i32 {
        self.area.margin()
    }

    /// Black's points minus White's before komi, under either counting; all stones of the final position are taken to be alive.
    #[must_use]
    pub fn margin_by(&self, counting: Counting) -> i32 {
        match counting {
            Counting::Area => self.margin(),
            Counting::Territory => {
                let points = |own: usize| (self.area.surrounded[own] + self.prisoners[1 - own]) as i32;
                points(0) - points(1)
            }
        }
    }

    /// Whether the game was cut off by the ply cap.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.end == End::PlyCap
    }

    /// The moves as [codes](Move::code).
    pub fn codes(&self, size: BoardSize) -> impl Iterator<Item = u16> {
        self.moves.iter().map(move |mv| mv.code(size))
    }
}
