//! A whole game: a position with its history, from the first move to the end.

mod handicap;
mod history;
mod undo;

pub use handicap::{
    HandicapStart, InvalidHandicap, NoSuchHandicap, StarOrder, fixed_handicap, max_fixed_handicap,
};
pub use history::Repetition;

pub(crate) use history::{History, Recurrence};

use crate::{
    Board, BoardSize, Color, IllegalMove, Ko, Move, Point, Rules, Suicide,
    batch::Placement,
    bitboard::Bitboard,
    board::{Among, Candidate, Changes, MoveOutcome, NoLiberty},
};

/// A game under a rule set: moves, superko, prisoners, and the end by two passes.
///
/// Superko is exact: a position counts as repeated only when its stones equal those of an earlier one, never on the word of a hash.
///
/// ```
/// use jigo_engine::{BoardSize, Game, IllegalMove, Move, Point, Rules};
/// let size = BoardSize::new(2, 1).unwrap();
/// let mut game: Game = Game::new(size, Rules::TROMP_TAYLOR);
/// let (left, right) = (Move::Play(Point::new(0, 0)), Move::Play(Point::new(1, 0)));
/// game.play(left).unwrap();
/// game.play(right).unwrap(); // captures
/// assert_eq!(game.play(left), Err(IllegalMove::Ko));
/// game.play(Move::Pass).unwrap();
/// game.play(Move::Pass).unwrap();
/// assert!(game.is_over());
/// assert_eq!(game.board().area().margin(), -2);
/// ```
#[derive(Clone, Debug)]
pub struct Game<const W: usize = 11> {
    rules: Rules,
    board: Board<W>,
    history: History<W>,
    tally: Tally<W>,
    /// By how many stones a player may have lost more than the opponent, where stones are finite.
    stone_supply: Option<u32>,
    /// How the game began.
    handicap: HandicapStart,
    /// What the last plies that were played with [`play_recorded`](Self::play_recorded) changed on the board, and the number and the tally before
    /// each of them.
    changes: Changes<W>,
    recorded: Vec<(u32, Tally<W>)>,
}

/// What a game counts.
#[derive(Clone, Copy, Debug)]
struct Tally<const W: usize> {
    recurrence: Recurrence<W>,
    prisoners: [u32; 2],
    placed: [u32; 2],
    consecutive_passes: u32,
    /// Handicap stones that Black still puts.
    handicap_left: u32,
    /// Whether the whole state of the game was there before, where that ends a game.
    has_cycled: bool,
}

impl<const W: usize> Tally<W> {
    const START: Self = Self {
        recurrence: Recurrence::START,
        prisoners: [0; 2],
        placed: [0; 2],
        consecutive_passes: 0,
        handicap_left: 0,
        has_cycled: false,
    };
}

/// What a ply did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Stones removed.
    pub outcome: MoveOutcome,
    /// The earlier position that this move recreated, which only simple ko (and, with the other player to move, situational superko)
    /// allows.
    pub repetition: Option<Repetition>,
}

impl<const W: usize> Game<W> {
    /// A game from the empty board, which counts as seen.
    ///
    /// # Panics
    /// When `W` words are too few for the size. The default width fits every size.
    #[must_use]
    pub fn new(size: BoardSize, rules: Rules) -> Self {
        Self::with_hash_bits(size, rules, u64::BITS)
    }

    /// As [`new`](Self::new), but the history compares only so many bits of hashes. The games are the same whatever the
    /// number: a hash only says where to compare. For tests of just that.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn with_hash_bits(size: BoardSize, rules: Rules, hash_bits: u32) -> Self {
        let mut game = Self {
            rules,
            board: Board::new(size, rules.suicide),
            history: History::with_hash_bits(hash_bits),
            tally: Tally::START,
            stone_supply: rules.stone_supply(size),
            handicap: HandicapStart::default(),
            changes: Changes::default(),
            recorded: Vec::new(),
        };
        game.begin();
        game
    }

    /// Starts again from the empty board, or with the [handicap](Self::with_handicap) of the game. Cheaper than a new game: keeps its memory.
    pub fn clear(&mut self) {
        if self.handicap.points.is_empty() {
            self.board.clear();
        } else {
            self.board
                .set_position(self.handicap.stones(), Color::White)
                .expect("star points have liberties");
        }
        self.begin();
        self.tally.placed[Color::Black.index()] = self.handicap.points.len() as u32;
        self.tally.handicap_left = self.handicap.free;
    }

    /// Starts again from a position with this player to move. History begins there: only that position counts as seen.
    ///
    /// # Errors
    /// A chain without liberties. The game is then back at the empty board.
    pub fn set_position(
        &mut self,
        stones: impl IntoIterator<Item = (Point, Color)>,
        to_play: Color,
    ) -> Result<(), NoLiberty> {
        self.handicap = HandicapStart::default();
        let result = self.board.set_position(stones, to_play);
        self.begin();
        self.tally.placed = Color::BOTH.map(|color| self.board.stone_count(color) as u32);
        result
    }

    /// Starts again from a placement of the same size. History begins there.
    ///
    /// # Panics
    /// When the size is another one.
    pub fn place(&mut self, placement: &Placement) {
        assert_eq!(placement.size, self.board.size(), "a placement on a board of its size");
        let stones = Color::BOTH.into_iter().flat_map(|color| {
            let rows = &placement.stones[color.index()];
            let has_stone = move |point: &Point| rows[usize::from(point.y)] >> point.x & 1 == 1;
            placement.size.points().filter(has_stone).map(move |point| (point, color))
        });
        self.set_position(stones, placement.to_play).expect("a game holds no chain without liberties");
        self.board.set_ko(placement.ko);
        self.tally.placed = placement.placed;
        self.tally.prisoners =
            Color::BOTH.map(|color| placement.placed[color.index()] - self.board.stone_count(color) as u32);
        self.tally.consecutive_passes = u32::from(placement.passed);
    }

    fn begin(&mut self) {
        self.tally = Tally::START;
        self.changes.clear();
        self.recorded.clear();
        self.history.begin(&self.board);
    }

    /// Returns the same game, with its history, on a board with bitboards of `V` words. Its plies cannot be taken back.
    ///
    /// Cost: plays the game again.
    ///
    /// # Panics
    /// When `V` words are too few for the size.
    #[must_use]
    pub fn with_width<const V: usize>(&self) -> Game<V> {
        let mut game = Game::with_hash_bits(self.board.size(), self.rules, self.history.hash_bits());
        let start = self.board.position().with_sets(self.history.first_stones(&self.board));
        let first = self.history.first_to_play();
        game.set_position(start.colored_stones(), first).expect("a position that was played from");
        for (color, bit) in self.history.plies() {
            game.set_to_play(color);
            match bit {
                None => game.pass(),
                Some(bit) => {
                    game.play_unchecked(self.board.geometry().point(bit));
                }
            }
        }
        game.handicap = self.handicap.clone();
        game.tally.handicap_left = self.tally.handicap_left;
        game.set_to_play(self.to_play());
        if self.board.ko_point().is_none() {
            game.board.set_ko(None);
        }
        game
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The position.
    #[must_use]
    pub fn board(&self) -> &Board<W> {
        &self.board
    }

    /// The player to move.
    #[must_use]
    pub fn to_play(&self) -> Color {
        self.board.to_play()
    }

    pub(crate) fn history(&self) -> &History<W> {
        &self.history
    }

    pub(crate) fn recurrence(&self) -> &Recurrence<W> {
        &self.tally.recurrence
    }

    /// Gives the move to `color`, out of turn if need be (handicap, records with moves missing). Lifts the ko ban if that changes who
    /// moves.
    pub fn set_to_play(&mut self, color: Color) {
        self.board.set_to_play(color);
    }

    /// Number of plies since the start or the position that was set up.
    #[must_use]
    pub fn ply_count(&self) -> u32 {
        self.history.ply_count()
    }

    /// Stones of this colour that were removed from the board, by capture or suicide.
    #[must_use]
    pub fn prisoners(&self, color: Color) -> u32 {
        self.tally.prisoners[color.index()]
    }

    /// Stones of this colour that were put on the board, set-up stones included.
    #[must_use]
    pub fn placed(&self, color: Color) -> u32 {
        self.tally.placed[color.index()]
    }

    /// How many passes the last plies were.
    #[must_use]
    pub fn consecutive_passes(&self) -> u32 {
        self.tally.consecutive_passes
    }

    /// How many more handicap stones Black puts, one move after the other.
    #[must_use]
    pub fn handicap_left(&self) -> u32 {
        self.tally.handicap_left
    }

    /// Whether the game has ended: the last two plies were passes, or it [has cycled](Self::has_cycled).
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.tally.consecutive_passes >= 2 || self.tally.has_cycled
    }

    /// Whether the last ply led to a state that was there before, which is a draw where stones are [finite](crate::rules::Supply::Finite). Else false.
    #[must_use]
    pub fn has_cycled(&self) -> bool {
        self.tally.has_cycled
    }

    /// Whether the player to move has run out of stones and must pass.
    #[inline(always)]
    #[must_use]
    pub fn is_out_of_stones(&self) -> bool {
        let lost = |color| self.prisoners(color);
        let more = || lost(self.to_play()).saturating_sub(lost(self.to_play().opponent()));
        self.stone_supply.is_some_and(|supply| more() > supply)
    }

    /// Plays `mv` for the player to move.
    ///
    /// Cost: that of [`Board::play`], and a scan of the history's hashes for a suicide, or for some moves on points that once had a stone of
    /// the mover's colour.
    ///
    /// # Errors
    /// The first [`IllegalMove`] that applies, in the order `GameOver`, `OutOfStones`, then as [`Board::check`], then `Superko`. The game is
    /// unchanged on error.
    pub fn play(&mut self, mv: Move) -> Result<Played, IllegalMove> {
        self.play_inlined(mv)
    }

    /// As [`play`](Self::play), for loops that are compiled [for this processor](crate::simd::with_fast_bits).
    #[inline(always)]
    pub(crate) fn play_inlined(&mut self, mv: Move) -> Result<Played, IllegalMove> {
        self.check(mv)?;
        Ok(match mv {
            Move::Play(point) => self.play_unchecked(point),
            Move::Pass => {
                self.pass();
                Played::default()
            }
        })
    }

    /// Whether the player to move may [play](Self::play) `mv`.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    #[inline(always)]
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        let Move::Play(point) = mv else { return Ok(()) };
        self.check_point(point)
    }

    /// Whether the player to move may put a stone on `point`, even if the game is over: records and referees play on after two passes.
    ///
    /// # Errors
    /// As [`play`](Self::play), but never `GameOver`.
    #[inline(always)]
    pub fn check_point(&self, point: Point) -> Result<(), IllegalMove> {
        if let Some(supply) = self.stone_supply.filter(|_| self.is_out_of_stones()) {
            return Err(IllegalMove::OutOfStones(supply));
        }
        self.check_on_board(point)?;
        match self.superko_violation(point) {
            Some(repetition) => Err(IllegalMove::Superko { earlier_ply: repetition.earlier_ply }),
            None => Ok(()),
        }
    }

    /// Whether the player to move may put a stone on `point` for all that the position tells: superko and the supply of stones are not looked at.
    ///
    /// # Errors
    /// As [`Board::check`]. But where stones are finite and suicide is allowed, even a single stone may be given up.
    #[inline(always)]
    pub fn check_on_board(&self, point: Point) -> Result<(), IllegalMove> {
        match self.board.check(point) {
            Err(IllegalMove::Suicide) if self.rules.gives_up_single_stones() => Ok(()),
            checked => checked,
        }
    }

    /// The plies, the last first, after which everything was as it is now: the stones, the player to move, the ko ban, and how many more stones Black had
    /// lost than White. Cost: a scan of the history's hashes.
    pub fn same_states(&self) -> impl Iterator<Item = u32> {
        self.history.same_states(&self.board)
    }

    /// The points where the player to move may put a stone, in row-major order; none when the game is over.
    pub fn legal_points(&self) -> impl Iterator<Item = Point> {
        self.board.points_of(self.legal_set())
    }

    /// The points where the player to move may put a stone, as bits in row-major order: point *n* is bit *n* mod 64 of word *n* / 64.
    ///
    /// ```
    /// use jigo_engine::{BoardSize, Game, Move, Point, Rules};
    /// let mut game: Game = Game::new(BoardSize::new(3, 2).unwrap(), Rules::TROMP_TAYLOR);
    /// game.play(Move::Play(Point::new(1, 0)))?;
    /// assert_eq!(game.legal_bits()[0], 0b111_101);
    /// # Ok::<(), jigo_engine::IllegalMove>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn legal_bits(&self) -> [u64; W] {
        self.board.geometry().bits_of(self.legal_set())
    }

    /// Asks for the memory that these moves, each in a game of its own, will need. Worth it before playing in many games in turn that together are larger
    /// than the processor's caches. Nothing but speed depends on it.
    #[inline(always)]
    pub fn prefetch<'g>(moves: impl Iterator<Item = (&'g Self, Point)> + Clone) {
        for (game, point) in moves.clone() {
            game.board.prefetch(game.board.geometry().bit(point));
        }
        for (game, point) in moves {
            let (board, bit) = (&game.board, game.board.geometry().bit(point));
            board.prefetch_chains(bit);
            game.history.prefetch(board.hash() ^ board.geometry().key(board.to_play(), bit));
        }
    }

    /// The points where only ko forbids a stone of the player to move, simple ko or superko, as [`legal_bits`](Self::legal_bits).
    #[must_use]
    pub fn ko_bits(&self) -> [u64; W] {
        let forbidden = if self.is_out_of_stones() {
            Bitboard::EMPTY
        } else {
            let simple: Bitboard<W> =
                self.board.ko_point().map(|point| self.board.geometry().bit(point)).into_iter().collect();
            simple | self.superko_set(self.allowed_by_board())
        };
        self.board.geometry().bits_of(forbidden)
    }

    #[inline(always)]
    fn legal_set(&self) -> Bitboard<W> {
        if self.is_over() || self.is_out_of_stones() {
            return Bitboard::EMPTY;
        }
        let allowed = self.allowed_by_board();
        allowed.without(self.superko_set(allowed))
    }

    /// The points where [the position alone](Self::check_on_board) allows a stone.
    #[inline(always)]
    fn allowed_by_board(&self) -> Bitboard<W> {
        let candidates = if self.rules.gives_up_single_stones() {
            self.board.candidates(Among::Empty)
        } else {
            self.board.legal_candidates(Among::Empty)
        };
        candidates.into_set()
    }

    /// Those of the points that the board allows where superko forbids a stone.
    #[inline(always)]
    fn superko_set(&self, allowed: Bitboard<W>) -> Bitboard<W> {
        let mut forbidden = Bitboard::EMPTY;
        if self.rules.ko.is_superko() {
            let same_player_only = self.rules.ko == Ko::SituationalSuperko;
            for bit in (allowed & self.may_repeat()).iter() {
                if self.history.find(&self.board, bit, same_player_only).is_some() {
                    forbidden.insert(bit);
                }
            }
        }
        forbidden
    }

    /// The points where a legal stone may recreate an earlier position: those of [`Recurrence::is_possible`], and suicides. Cost: a few operations on
    /// bitboards.
    #[inline(always)]
    fn may_repeat(&self) -> Bitboard<W> {
        let color = self.to_play();
        let recurrence = &self.tally.recurrence;
        let mut possible = recurrence.emptied()[color.index()].only_if(!recurrence.has_fresh(color));
        if recurrence.has_fresh(color.opponent()) {
            possible &= self.board.captures();
        }
        possible | self.board.suicides().only_if(self.rules.suicide == Suicide::Allowed)
    }

    /// The earlier position because of which the superko rule forbids a move that the [board](Board::check) allows; `None` when it does
    /// not, and always under simple ko.
    #[inline(always)]
    #[must_use]
    pub fn superko_violation(&self, point: Point) -> Option<Repetition> {
        self.superko_violation_at(self.board.candidate(point))
    }

    /// As [`superko_violation`](Self::superko_violation), for a point picked from the candidates.
    #[inline(always)]
    #[must_use]
    pub fn superko_violation_at(&self, candidate: Candidate) -> Option<Repetition> {
        match self.rules.ko {
            Ko::Simple => None,
            Ko::PositionalSuperko => self.find(candidate, false),
            Ko::SituationalSuperko => self.find(candidate, true),
        }
    }

    /// The last earlier position, whoever was to move, that a move on `point` by the player to move would recreate. The
    /// [board](Board::check) must allow the move.
    #[inline(always)]
    #[must_use]
    pub fn repetition(&self, point: Point) -> Option<Repetition> {
        self.find(self.board.candidate(point), false)
    }

    #[inline(always)]
    fn find(&self, candidate: Candidate, same_player_only: bool) -> Option<Repetition> {
        let bit = candidate.bit();
        let color = self.to_play();
        let captures = || !self.board.captured_by(color, bit).is_empty();
        if self.tally.recurrence.is_possible(color, bit, captures)
            || self.rules.suicide == Suicide::Allowed && self.board.is_suicide(candidate.point())
        {
            return self.history.find(&self.board, bit, same_player_only);
        }
        None
    }

    /// Plays on `point` without checking that it is legal; for points known to be. Otherwise the state becomes meaningless, and it may
    /// panic.
    #[inline(always)]
    pub fn play_unchecked(&mut self, point: Point) -> Played {
        self.play_candidate(self.board.candidate(point))
    }

    /// As [`play_unchecked`](Self::play_unchecked), on a point picked from the candidates, which is faster.
    #[inline(always)]
    pub fn play_candidate(&mut self, candidate: Candidate) -> Played {
        let color = self.to_play();
        let repetition = self.allowed_repetition(candidate);
        let outcome = self.board.play_candidate(candidate);
        self.note_stone(color, candidate.bit(), outcome);
        Played { outcome, repetition }
    }

    /// The repetition that a legal move makes.
    #[inline(always)]
    fn allowed_repetition(&self, candidate: Candidate) -> Option<Repetition> {
        match self.rules.ko {
            Ko::PositionalSuperko => None,
            Ko::Simple | Ko::SituationalSuperko => self.find(candidate, false),
        }
    }

    /// Notes a stone that was just put on the board.
    #[inline(always)]
    fn note_stone(&mut self, color: Color, bit: usize, outcome: MoveOutcome) {
        self.tally.placed[color.index()] += 1;
        self.tally.consecutive_passes = 0;
        self.history.push_stone(&self.board, bit);
        self.tally.recurrence.place(color, bit, self.history.ply_count());
        if outcome != MoveOutcome::default() {
            self.note_removal(color, outcome);
        }
        if self.tally.handicap_left > 0 {
            self.note_handicap_stone(color);
        }
        self.note_cycle();
    }

    #[inline(always)]
    fn note_cycle(&mut self) {
        if self.stone_supply.is_some() {
            // Two passes lead back as well, but they end the game with a count.
            let has_cycled = self.tally.consecutive_passes < 2 && self.same_states().next().is_some();
            self.tally.has_cycled = has_cycled;
        }
    }

    #[cold]
    fn note_handicap_stone(&mut self, color: Color) {
        self.tally.handicap_left -= 1;
        if self.tally.handicap_left > 0 {
            self.board.set_to_play(color);
        }
    }

    fn note_removal(&mut self, mover: Color, outcome: MoveOutcome) {
        let loser = if outcome.captured > 0 { mover.opponent() } else { mover };
        let stones = self.board.last_removed();
        self.tally.prisoners[loser.index()] += u32::from(outcome.captured + outcome.given_up);
        self.tally.recurrence.remove(mover, loser, stones, self.history.ply_count());
        self.history.remove(loser, stones);
    }

    /// Passes, whether the game is over or not.
    #[inline(always)]
    pub fn pass(&mut self) {
        self.board.pass();
        self.note_pass();
    }

    #[inline(always)]
    fn note_pass(&mut self) {
        self.tally.consecutive_passes += 1;
        self.tally.handicap_left = 0;
        self.history.push_pass(&self.board);
        self.note_cycle();
    }
}
