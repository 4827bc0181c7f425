//! A deliberately naive game: vectors and flood fill, no state that could go stale.
//!
//! Everything else is measured against it. Tests and `jigo verify` play the same moves here and on the fast board and compare.

use crate::{BoardSize, Color, Ko, Move, Point, Rules, Suicide, game::HandicapStart, rules::Supply};

/// A colouring: one entry per point in row-major order.
pub type Colouring = Vec<Option<Color>>;

/// A whole game, replayed from its definition at every question.
#[derive(Clone, Debug)]
pub struct ReferenceGame {
    size: BoardSize,
    rules: Rules,
    colouring: Colouring,
    to_play: Color,
    /// Every earlier situation, the present one included: the colouring and the player to move.
    seen: Vec<(Colouring, Color)>,
    /// The rest of the state in each of these: the stones lost, and the points that simple ko forbids.
    beside: Vec<([u32; 2], Vec<Point>)>,
    passes: u32,
    /// Handicap stones that Black still puts, one after the other.
    handicap_left: u32,
    /// Stones removed so far (Black, White).
    pub prisoners: [u32; 2],
}

/// Why the reference refuses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A stone stands there.
    Occupied,
    /// The position from before the opponent's last move would come back.
    Ko,
    /// No liberty would be left.
    Suicide,
    /// The player has run out of stones.
    OutOfStones,
    /// An earlier position would come back.
    Superko,
    /// Two passes have been played.
    GameOver,
}

impl ReferenceGame {
    /// A game from the empty board.
    #[must_use]
    pub fn new(size: BoardSize, rules: Rules) -> Self {
        Self::from_position(size, rules, vec![None; size.point_count()], Color::Black)
    }

    /// A game that starts from a position.
    #[must_use]
    pub fn from_position(size: BoardSize, rules: Rules, colouring: Colouring, to_play: Color) -> Self {
        let seen = vec![(colouring.clone(), to_play)];
        let beside = vec![([0; 2], Vec::new())];
        Self { size, rules, colouring, to_play, seen, beside, passes: 0, handicap_left: 0, prisoners: [0; 2] }
    }

    /// A game that begins with a handicap, as [`Game::with_handicap`](crate::Game::with_handicap).
    #[must_use]
    pub fn with_handicap(size: BoardSize, rules: Rules, handicap: &HandicapStart) -> Self {
        let mut colouring = vec![None; size.point_count()];
        handicap.stones().for_each(|(point, color)| colouring[point.index(size)] = Some(color));
        let to_play = if handicap.points.is_empty() { Color::Black } else { Color::White };
        Self { handicap_left: handicap.free, ..Self::from_position(size, rules, colouring, to_play) }
    }

    /// The stones, in row-major order.
    #[must_use]
    pub fn colouring(&self) -> &Colouring {
        &self.colouring
    }

    /// The player to move.
    #[must_use]
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// Whether the last two plies were passes, or the game has cycled.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.passes >= 2 || self.has_cycled()
    }

    /// Whether stones are finite and, without two passes, everything is again as it once was: the stones, the player to move, what simple ko forbids, and the
    /// difference between both players' losses.
    #[must_use]
    pub fn has_cycled(&self) -> bool {
        let states = self.seen.iter().zip(&self.beside);
        let states = states.map(|(situation, (lost, kos))| (situation, kos, lost[0] as i32 - lost[1] as i32));
        let mut states: Vec<_> = states.collect();
        let now = states.pop();
        self.rules.supply == Supply::Finite
            && self.passes < 2
            && states.into_iter().any(|then| Some(then) == now)
    }

    /// Whether the player to move has lost more stones more than the opponent than the supply allows.
    #[must_use]
    pub fn is_out_of_stones(&self) -> bool {
        let [own, other] = [self.to_play, self.to_play.opponent()].map(|color| self.prisoners[color.index()]);
        self.rules.stone_supply(self.size).is_some_and(|supply| own > other + supply)
    }

    /// The colouring after a stone of the player to move on `point`, and the stones removed (Black, White).
    fn after(&self, point: Point) -> (Colouring, [u32; 2]) {
        let mut colouring = self.colouring.clone();
        colouring[point.index(self.size)] = Some(self.to_play);
        let mut removed = [0; 2];
        for color in [self.to_play.opponent(), self.to_play] {
            let near = neighbours(self.size, point).chain([point]);
            let chains = near.filter(|&stone| colouring[stone.index(self.size)] == Some(color));
            let strangled = chains.filter(|&stone| !reaches(self.size, &colouring, stone, None));
            for stone in
                strangled.flat_map(|stone| connected(self.size, &colouring, stone)).collect::<Vec<_>>()
            {
                removed[color.index()] += u32::from(colouring[stone.index(self.size)].take().is_some());
            }
        }
        (colouring, removed)
    }

    /// Whether the player to move may play `mv`.
    ///
    /// # Errors
    /// The first [`Refusal`] that applies, in the order `GameOver`, `OutOfStones`, `Occupied`, `Ko`, `Suicide`, `Superko`.
    pub fn check(&self, mv: Move) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::GameOver);
        }
        let Move::Play(point) = mv else { return Ok(()) };
        if self.is_out_of_stones() {
            return Err(Refusal::OutOfStones);
        }
        self.check_point(point)
    }

    fn check_point(&self, point: Point) -> Result<(), Refusal> {
        if self.colouring[point.index(self.size)].is_some() {
            return Err(Refusal::Occupied);
        }
        let (after, removed) = self.after(point);
        let given_up = removed[self.to_play.index()];
        if given_up == 0 && self.seen.len() >= 2 && self.seen[self.seen.len() - 2].0 == after {
            return Err(Refusal::Ko);
        }
        let may_be_single = self.rules.supply == Supply::Finite;
        if given_up > 0 && self.rules.suicide == Suicide::Forbidden || given_up == 1 && !may_be_single {
            return Err(Refusal::Suicide);
        }
        let repeats = match self.rules.ko {
            Ko::Simple => false,
            Ko::PositionalSuperko => self.seen.iter().any(|(colouring, _)| *colouring == after),
            Ko::SituationalSuperko => self.seen.contains(&(after, self.to_play.opponent())),
        };
        if repeats { Err(Refusal::Superko) } else { Ok(()) }
    }

    /// Plays `mv`.
    ///
    /// # Errors
    /// As [`check`](Self::check); the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), Refusal> {
        self.check(mv)?;
        match mv {
            Move::Play(point) => {
                let (after, removed) = self.after(point);
                self.colouring = after;
                for color in Color::BOTH {
                    self.prisoners[color.index()] += removed[color.index()];
                }
                self.passes = 0;
            }
            Move::Pass => self.passes += 1,
        }
        let mover = self.to_play;
        self.to_play = mover.opponent();
        self.seen.push((self.colouring.clone(), self.to_play));
        let forbids = |&point: &Point| self.check_point(point) == Err(Refusal::Ko);
        self.beside.push((self.prisoners, self.size.points().filter(forbids).collect()));
        self.handicap_left = if mv == Move::Pass { 0 } else { self.handicap_left.saturating_sub(1) };
        if self.handicap_left > 0 {
            self.to_play = mover;
        }
        Ok(())
    }

    /// The points where the player to move may put a stone.
    #[must_use]
    pub fn legal_points(&self) -> Vec<Point> {
        self.size.points().filter(|&point| self.check(Move::Play(point)).is_ok()).collect()
    }

    /// The area of Black and White: stones, and empty points that reach only the one colour.
    #[must_use]
    pub fn area(&self) -> [u32; 2] {
        Color::BOTH.map(|color| {
            let owns = |&point: &Point| match self.colouring[point.index(self.size)] {
                Some(stone) => stone == color,
                None => {
                    let reaches = |color| reaches(self.size, &self.colouring, point, Some(color));
                    reaches(color) && !reaches(color.opponent())
                }
            };
            self.size.points().filter(owns).count() as u32
        })
    }
}

/// The points next to `point`.
pub fn neighbours(size: BoardSize, point: Point) -> impl Iterator<Item = Point> {
    let Point { x, y } = point;
    let near = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    near.into_iter().map(|(x, y)| Point::new(x, y)).filter(move |&point| size.contains(point))
}

/// The points connected to `point`, itself included, through points of its own colour (or emptiness).
#[must_use]
pub fn connected(size: BoardSize, colouring: &Colouring, point: Point) -> Vec<Point> {
    let mut found = vec![point];
    let mut next = 0;
    while next < found.len() {
        for other in neighbours(size, found[next]) {
            let same = colouring[other.index(size)] == colouring[point.index(size)];
            if same && !found.contains(&other) {
                found.push(other);
            }
        }
        next += 1;
    }
    found
}

/// Whether `point` reaches the colour `goal` (`None` for empty): a path of points of its own colour leads next to such a point.
///
/// # Source
/// John Tromp and Bill Taylor, *The logical rules of Go*, rule 4.
#[must_use]
pub fn reaches(size: BoardSize, colouring: &Colouring, point: Point, goal: Option<Color>) -> bool {
    connected(size, colouring, point)
        .into_iter()
        .any(|near| neighbours(size, near).any(|other| colouring[other.index(size)] == goal))
}
