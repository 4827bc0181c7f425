//! At most 25 points of a board as machine words: all that a search of millions of positions a second needs.
//!
//! Sets are of points of the smallest rectangle that holds the open points and the walls around them. The point in column *x* of its row *y* is
//! bit *y* · (width + 1) + *x*: one unused bit separates rows, so that a neighbour is a shift.

pub(super) use crate::word_set::{Points, Stones, WordBoard, bits};
use crate::{BoardSize, Color, Move, Point, Suicide, Symmetry, zobrist::mix64};

/// No point, where one is meant by its bit.
pub(super) const NO_POINT: u8 = 64;

/// The place of no open point.
pub(super) const NO_PLACE: u8 = 31;

/// The most symmetries that a board has.
const SYMMETRIES: usize = 8;

/// What stays the same during play: the points on which it takes place, which are the whole board or what unconditionally alive chains enclose.
///
/// The *walls* are the stones of these chains that are beside an open point. They count as stones of their colour in all that follows, but are
/// never captured.
#[derive(Clone, Debug)]
pub(super) struct SmallBoard {
    /// The size of the whole board.
    pub(super) size: BoardSize,
    pub(super) suicide: Suicide,
    /// The open points and the walls.
    pub(super) all: Points,
    /// The walls of Black and White.
    pub(super) walls: Stones,
    /// The points of each player that are neither open nor walls.
    pub(super) settled: [i32; 2],
    /// The open points in row-major order.
    pub(super) open: Vec<Point>,
    /// By symmetry and bit, the place of a point's image among the open points; at last [`NO_PLACE`].
    places: Vec<[u8; 65]>,
    /// By symmetry, what each byte of a set adds to the [`number`](Self::number) of its image.
    digits: Vec<[[u64; 256]; size_of::<Points>()]>,
    /// The stones that each byte of such a number stands for.
    stones: Box<[[Stones; 256]; Self::NUMBER_BYTES]>,
    corner: Point,
    stride: u32,
    near: [Points; 64],
    /// The squares of twice the distances from the centre.
    eccentricities: [i32; 64],
    /// The symmetries under which open points and walls stay what they are, the rest of 8 filled up with the first.
    symmetries: [Symmetry; SYMMETRIES],
    symmetry_count: usize,
    /// The keys of a stone of each colour, and of a ko ban, for every symmetry.
    keys: Box<[[[u64; SYMMETRIES]; 3]; 64]>,
}

/// A situation of play: all on which the rest of the game depends but the history.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) stones: Stones,
    pub(super) to_play: Color,
    /// The point on which simple ko forbids the player to move, or [`NO_POINT`].
    pub(super) ban: u8,
    /// Whether the prover has just passed: another pass ends the game.
    pub(super) is_after_pass: bool,
    /// The hash of the stones in every symmetry.
    hashes: [u64; SYMMETRIES],
}

impl WordBoard for SmallBoard {
    #[inline(always)]
    fn adjacent(&self, set: Points) -> Points {
        beside(set, self.stride) & self.all
    }
}

impl SmallBoard {
    /// The most points of a board.
    pub(super) const MAX_POINTS: usize = 25;

    /// The open points that share a byte of a number, and the bytes.
    const BYTE_POINTS: usize = 5;
    pub(super) const NUMBER_BYTES: usize = Self::MAX_POINTS.div_ceil(Self::BYTE_POINTS);

    /// Takes the points of a board that nobody has settled: of each point says `owner_of` whose it is in any case. Nothing if there are too many, or if
    /// they are too far apart.
    pub(super) fn new(
        size: BoardSize,
        suicide: Suicide,
        owner_of: impl Fn(Point) -> Option<Color>,
    ) -> Option<Self> {
        let open: Vec<Point> = size.points().filter(|&point| owner_of(point).is_none()).collect();
        if open.len() > Self::MAX_POINTS {
            return None;
        }
        let is_inside =
            |point: &Point| open.iter().any(|open| point.x.abs_diff(open.x) + point.y.abs_diff(open.y) <= 1);
        let inside: Vec<Point> = size.points().filter(is_inside).collect();
        let range = |side: fn(&Point) -> u8| {
            let sides = || inside.iter().map(side);
            sides().min().unwrap_or(0)..=sides().max().unwrap_or(0)
        };
        let (columns, rows) = (range(|point| point.x), range(|point| point.y));
        let (corner, stride) = (Point::new(*columns.start(), *rows.start()), columns.len() as u32 + 1);
        if stride as usize * rows.len() > 64 {
            return None;
        }
        let bit = |point: Point| u32::from(point.y - corner.y) * stride + u32::from(point.x - corner.x);
        let mut walls = [0; 2];
        let mut settled = [0; 2];
        for point in size.points() {
            let Some(color) = owner_of(point) else { continue };
            if inside.contains(&point) {
                walls[color.index()] |= 1 << bit(point);
            } else {
                settled[color.index()] += 1;
            }
        }
        let all = inside.iter().fold(0, |all, &point| all | 1 << bit(point));
        let near =
            std::array::from_fn(|bit| if all >> bit & 1 == 0 { 0 } else { beside(1 << bit, stride) & all });
        let eccentricities = std::array::from_fn(|bit| {
            let twice = |at: u32, side: usize| (2 * at as i32 + 1 - side as i32).pow(2);
            twice(bit as u32 % stride, columns.len()) + twice(bit as u32 / stride, rows.len())
        });
        let keeps = |symmetry: &Symmetry| {
            size.points().all(|point| owner_of(symmetry.apply(point, size)) == owner_of(point))
        };
        let own: Vec<Symmetry> = Symmetry::for_size(size).filter(keeps).collect();
        let symmetries = std::array::from_fn(|index| *own.get(index).unwrap_or(&own[0]));
        let mut keys = Box::new([[[0; SYMMETRIES]; 3]; 64]);
        let mut places = vec![[NO_PLACE; 65]; own.len()];
        let mut digits = vec![[[0; 256]; size_of::<Points>()]; own.len()];
        let mut stones = Box::new([[[0; 2]; 256]; Self::NUMBER_BYTES]);
        for (place, &point) in open.iter().enumerate() {
            let (at, weight) = (place / Self::BYTE_POINTS, 3_usize.pow((place % Self::BYTE_POINTS) as u32));
            for (byte, [black, white]) in stones[at].iter_mut().enumerate() {
                match byte / weight % 3 {
                    1 => *black |= 1 << bit(point),
                    2 => *white |= 1 << bit(point),
                    _ => {}
                }
            }
            for ((symmetry, places), digits) in own.iter().zip(&mut places).zip(&mut digits) {
                let origin = bit(symmetry.inverse().apply(point, size)) as usize;
                places[origin] = place as u8;
                let has_origin = |byte: &usize| byte >> (origin % 8) & 1 != 0;
                for byte in (0..256).filter(has_origin) {
                    digits[origin / 8][byte] += (weight as u64) << (8 * at);
                }
            }
            for (kind, keys) in (0..).zip(&mut keys[bit(point) as usize]) {
                for (key, symmetry) in keys.iter_mut().zip(symmetries) {
                    *key = mix64(3 * u64::from(bit(symmetry.apply(point, size))) + kind);
                }
            }
        }
        Some(Self {
            size,
            suicide,
            all,
            walls,
            settled,
            open,
            places,
            digits,
            stones,
            corner,
            stride,
            near,
            eccentricities,
            symmetries,
            symmetry_count: own.len(),
            keys,
        })
    }

    /// Returns a state with these stones on open points.
    pub(super) fn state(&self, stones: Stones, to_play: Color) -> State {
        // Other than zero, so that no state looks like an empty entry of a table.
        let mut hashes = [mix64(0); SYMMETRIES];
        for (kind, stones) in stones.into_iter().enumerate() {
            bits(stones).for_each(|bit| self.toggle(&mut hashes, bit, kind));
        }
        let stones = [stones[0] | self.walls[0], stones[1] | self.walls[1]];
        State { stones, to_play, ban: NO_POINT, is_after_pass: false, hashes }
    }

    fn toggle(&self, hashes: &mut [u64; SYMMETRIES], bit: u8, kind: usize) {
        hashes.iter_mut().zip(&self.keys[usize::from(bit)][kind]).for_each(|(hash, key)| *hash ^= key);
    }

    /// Returns a hash of the stones as they stand, which images do not share.
    #[inline(always)]
    pub(super) fn stones_key(&self, state: &State) -> u64 {
        state.hashes[0]
    }

    pub(super) fn bit(&self, point: Point) -> u8 {
        (u32::from(point.y - self.corner.y) * self.stride + u32::from(point.x - self.corner.x)) as u8
    }

    pub(super) fn point(&self, bit: u8) -> Point {
        let (bit, stride) = (u32::from(bit), self.stride);
        Point::new(self.corner.x + (bit % stride) as u8, self.corner.y + (bit / stride) as u8)
    }

    /// Returns the symmetries of the open points and walls.
    pub(super) fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries[..self.symmetry_count]
    }

    /// Returns a number for the stones on open points, turned by the symmetry with this number: five points take a byte, in which a stone of Black
    /// counts 1, 3, 9, 27 or 81, and one of White twice as much.
    #[inline(always)]
    pub(super) fn number(&self, stones: Stones, symmetry: usize) -> u64 {
        let [black, white] = stones.map(|set| {
            let bytes = self.digits[symmetry].iter().zip(set.to_le_bytes());
            bytes.fold(0, |number, (digits, byte)| number + digits[usize::from(byte)])
        });
        black + 2 * white
    }

    /// Returns the stones on open points for which a number stands.
    #[inline(always)]
    pub(super) fn stones(&self, number: u64) -> Stones {
        let bytes = self.stones.iter().zip(number.to_le_bytes());
        let add = |[black, white]: Stones, stones: Stones| [black | stones[0], white | stones[1]];
        bytes.fold([0; 2], |stones, (of_byte, byte)| add(stones, of_byte[usize::from(byte)]))
    }

    /// Returns the image under the symmetry with this number of a set that contains all walls of a player or none.
    pub(super) fn image(&self, set: Points, symmetry: usize) -> Points {
        self.stones(self.number([set, 0], symmetry))[0] | set & (self.walls[0] | self.walls[1])
    }

    /// Returns the place among the open points of an image of this one, or [`NO_PLACE`] for [`NO_POINT`].
    #[inline(always)]
    pub(super) fn place(&self, bit: u8, symmetry: usize) -> u8 {
        self.places[symmetry][usize::from(bit)]
    }

    /// Returns the open point whose image has this place, or [`NO_POINT`] for [`NO_PLACE`].
    pub(super) fn origin(&self, place: u8, symmetry: usize) -> u8 {
        let mut bits = self.open.iter().map(|&point| self.bit(point));
        bits.find(|&bit| self.place(bit, symmetry) == place).unwrap_or(NO_POINT)
    }

    /// Returns the open point in this place, or [`NO_POINT`] for [`NO_PLACE`].
    #[inline(always)]
    pub(super) fn bit_of_place(&self, place: u8) -> u8 {
        self.open.get(usize::from(place)).map_or(NO_POINT, |&point| self.bit(point))
    }

    /// Returns the square of twice the distance from the centre.
    #[inline(always)]
    pub(super) fn eccentricity(&self, bit: u8) -> i32 {
        self.eccentricities[usize::from(bit)]
    }

    /// Returns the image of a move, which is a bit or 64 for a pass, under the symmetry with this number.
    pub(super) fn move_image(&self, mv: u8, symmetry: usize) -> Move {
        if mv == NO_POINT {
            return Move::Pass;
        }
        Move::Play(self.symmetries[symmetry].apply(self.point(mv), self.size))
    }

    /// Returns the stone on an open point.
    pub(super) fn stone(&self, stones: Stones, point: Point) -> Option<Color> {
        let bit = self.bit(point);
        Color::BOTH.into_iter().find(|color| stones[color.index()] >> bit & 1 != 0)
    }

    /// Iterates over the numbers of the symmetries that leave a state as it is.
    pub(super) fn own_symmetries(&self, state: &State) -> impl Iterator<Item = usize> {
        let State { stones, ban, .. } = *state;
        (0..self.symmetry_count).filter(move |&number| {
            (ban == NO_POINT || number == 0) && stones.iter().all(|&set| self.image(set, number) == set)
        })
    }

    /// Returns those of a set of points that symmetries of a state do not map to earlier ones.
    pub(super) fn first_images(&self, state: &State, points: Points) -> Points {
        let is_first =
            |bit: &u8| self.own_symmetries(state).all(|symmetry| self.image(1 << bit, symmetry) >= 1 << bit);
        bits(points).filter(is_first).fold(0, |set, bit| set | 1 << bit)
    }

    #[inline(always)]
    pub(super) fn near(&self, bit: u8) -> Points {
        self.near[usize::from(bit)]
    }

    #[inline(always)]
    pub(super) fn empty(&self, stones: Stones) -> Points {
        self.all & !(stones[0] | stones[1])
    }

    /// Plays a stone of the player to move on an empty point, which simple ko must not forbid. Returns the state after it and the stones captured; nothing
    /// for suicide that is forbidden, and for that of a single stone, which changes nothing.
    #[inline(always)]
    pub(super) fn play(&self, state: &State, bit: u8) -> Option<(State, Points)> {
        let (own, other) = (state.to_play.index(), state.to_play.opponent().index());
        let near = self.near(bit);
        let mut stones = state.stones;
        stones[own] |= 1 << bit;
        let mut empty = self.empty(stones);
        let (mut captured, mut opposing) = (0, near & stones[other]);
        while opposing != 0 {
            let chain = self.connected(opposing & opposing.wrapping_neg(), stones[other]);
            opposing &= !chain;
            if self.adjacent(chain) & empty == 0 && chain & self.walls[other] == 0 {
                captured |= chain;
            }
        }
        stones[other] &= !captured;
        empty |= captured;
        let (mut ban, mut suicide) = (NO_POINT, 0);
        if near & empty == 0 {
            let chain = self.connected(1 << bit, stones[own]);
            if self.adjacent(chain) & empty == 0 && chain & self.walls[own] == 0 {
                if self.suicide == Suicide::Forbidden || chain.is_power_of_two() {
                    return None;
                }
                stones[own] &= !chain;
                suicide = chain;
            }
        } else if captured.is_power_of_two() && near & stones[own] == 0 && near & empty == captured {
            ban = captured.trailing_zeros() as u8;
        }
        let mut hashes = state.hashes;
        self.toggle(&mut hashes, bit, own);
        bits(suicide).for_each(|bit| self.toggle(&mut hashes, bit, own));
        bits(captured).for_each(|bit| self.toggle(&mut hashes, bit, other));
        let to_play = state.to_play.opponent();
        Some((State { stones, to_play, ban, is_after_pass: false, hashes }, captured))
    }

    /// Returns the state after a pass; `by_prover` says whether the prover made it.
    #[inline(always)]
    pub(super) fn pass(&self, state: &State, by_prover: bool) -> State {
        State { to_play: state.to_play.opponent(), ban: NO_POINT, is_after_pass: by_prover, ..*state }
    }

    /// Returns a hash that states share with their images, and with nothing else but by chance.
    #[inline(always)]
    pub(super) fn key(&self, state: &State) -> u64 {
        let mut hashes = state.hashes;
        if state.ban != NO_POINT {
            self.toggle(&mut hashes, state.ban, 2);
        }
        let least = hashes.into_iter().fold(u64::MAX, u64::min);
        least ^ PLAYER_KEYS[state.to_play.index()] ^ if state.is_after_pass { PASS_KEY } else { 0 }
    }

    /// Returns points that are a player's whatever the opponent does, even if she answers none of his moves: her unconditionally alive chains, and the
    /// regions between them in which the opponent has no room for two eyes.
    ///
    /// These are regions whose points that are not beside an alive chain are none, one, or two that are neighbours: an eye of the opponent is such a
    /// point, or both. `suicide` says what the opponent may do.
    pub(super) fn safe_points(&self, stones: Stones, color: Color, suicide: Suicide) -> Points {
        let alive = self.alive_chains(stones, color, suicide);
        if alive == 0 {
            return 0;
        }
        let beside = self.adjacent(alive);
        let opposing_walls = self.walls[color.opponent().index()];
        let has_no_room = |region: Points| {
            let inner = region & !beside;
            match inner.count_ones() {
                0 | 1 => true,
                2 => self.adjacent(inner & inner.wrapping_neg()) & inner != 0,
                _ => false,
            }
        };
        self.parts(self.all & !alive)
            .filter(|&region| region & opposing_walls == 0 && has_no_room(region))
            .fold(alive, |safe, region| safe | region)
    }

    /// Returns a player's alive chains, and these with the regions between them that have no point that is not beside one of them; both as her stones
    /// alone say, whatever the opponent has and does, suicide included.
    pub(super) fn steadily_safe_points(&self, stones: Stones, color: Color) -> (Points, Points) {
        let mut alone = [0; 2];
        alone[color.index()] = stones[color.index()];
        let alive = self.alive_chains(alone, color, Suicide::Allowed);
        let beside = self.adjacent(alive);
        let regions = self.parts(self.all & !alive).filter(|&region| region & !beside == 0);
        (alive, regions.fold(alive, |safe, region| safe | region))
    }

    /// Returns the unconditionally alive stones of a player, as [`Position::unconditional_life`](crate::Position::unconditional_life) does more slowly.
    ///
    /// # Source
    /// David B. Benson, *Life in the game of Go*, Information Sciences 10 (1976).
    fn alive_chains(&self, stones: Stones, color: Color, suicide: Suicide) -> Points {
        /// More chains or regions than this have no room on a small board to be alive.
        const MAX_PARTS: usize = 16;
        let (own, empty) = (stones[color.index()], self.empty(stones));
        let [walls, opposing_walls] = [color, color.opponent()].map(|color| self.walls[color.index()]);
        let (mut regions, mut region_count) = ([0; MAX_PARTS], 0);
        for region in self.parts(self.all & !own) {
            if region_count == MAX_PARTS {
                return walls;
            }
            regions[region_count] = region;
            region_count += 1;
        }
        if region_count < 2 && walls == 0 {
            return 0;
        }
        let (mut chains, mut liberties, mut chain_count) = ([0; MAX_PARTS], [0; MAX_PARTS], 0);
        for chain in self.parts(own) {
            if chain_count == MAX_PARTS {
                return walls;
            }
            (chains[chain_count], liberties[chain_count]) = (chain, self.adjacent(chain));
            chain_count += 1;
        }
        let (regions, liberties) = (&regions[..region_count], &liberties[..chain_count]);
        let (mut alive, mut healthy) = ((1_u32 << chain_count) - 1, 0_u32);
        for (number, region) in regions.iter().enumerate() {
            healthy |= u32::from(region & opposing_walls == 0) << number;
        }
        loop {
            let before = alive;
            let is_open =
                |&(chain, _): &(usize, &Points)| before >> chain & 1 != 0 && chains[chain] & walls == 0;
            for (chain, &liberties) in liberties.iter().enumerate().filter(is_open) {
                // All empty points of a vital region are liberties of the chain; by suicide the opponent can empty the others too.
                let is_vital = |&(number, region): &(usize, &Points)| {
                    let points = match suicide {
                        Suicide::Forbidden => region & empty,
                        Suicide::Allowed => *region,
                    };
                    healthy >> number & 1 != 0 && points & !liberties == 0
                };
                if regions.iter().enumerate().filter(is_vital).take(2).count() < 2 {
                    alive &= !(1 << chain);
                    for (number, _) in
                        regions.iter().enumerate().filter(|(_, region)| *region & liberties != 0)
                    {
                        healthy &= !(1 << number);
                    }
                }
            }
            if alive == before {
                break;
            }
        }
        (0..chain_count)
            .filter(|chain| alive >> chain & 1 != 0)
            .fold(0, |stones, chain| stones | chains[chain])
    }

    /// Returns Black's area minus White's on the whole board, when these points are Black's and White's in any case, and all other stones stay.
    pub(super) fn margin(&self, stones: Stones, safe: Stones) -> i32 {
        let sides = [0, 1].map(|side| (stones[side] | safe[side]) & !safe[1 - side]);
        let empty = self.all & !sides[0] & !sides[1];
        let reached = sides.map(|side| self.connected(self.adjacent(side), empty));
        let area = |side: usize| (sides[side] | reached[side] & !reached[1 - side]).count_ones() as i32;
        area(0) - area(1) + self.settled[0] - self.settled[1]
    }

    /// Returns the margin that a player has in any case, whose safe points these are: all others may become the opponent's.
    pub(super) fn secured(&self, safe: Points, color: Color) -> i32 {
        2 * (safe.count_ones() as i32 + self.settled[color.index()]) - self.size.point_count() as i32
    }
}

const PLAYER_KEYS: [u64; 2] = [0, mix64(1 << 32)];
const PASS_KEY: u64 = mix64(2 << 32);

#[inline(always)]
const fn beside(set: Points, stride: u32) -> Points {
    set << 1 | set >> 1 | set << stride | set >> stride
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    /// Plays random games and compares all positions with those of [`Board`], and what is alive in them with [`Position::unconditional_life`].
    #[test]
    fn play_and_life_are_those_of_the_board() {
        let mut random = 1;
        let mut below = |most: usize| {
            random = mix64(random);
            random as usize % most
        };
        let mut alive_count = 0;
        for (width, height) in
            [(1, 7), (7, 1), (2, 5), (3, 3), (3, 8), (4, 4), (4, 5), (5, 5), (25, 1), (1, 25)]
        {
            for suicide in [Suicide::Forbidden, Suicide::Allowed] {
                let size = BoardSize::new(width, height).unwrap();
                let small = SmallBoard::new(size, suicide, |_| None).expect("few points");
                for _ in 0..40 {
                    let mut board: Board = Board::new(size, suicide);
                    let mut state = small.state([0; 2], Color::Black);
                    for _ in 0..4 * size.point_count() {
                        let point = size.points().nth(below(size.point_count())).expect("a point");
                        if board.stone(point).is_some() || board.ko_point() == Some(point) {
                            continue;
                        }
                        let played = small.play(&state, small.bit(point));
                        if !board.is_legal(point) {
                            assert!(played.is_none(), "{board}");
                            continue;
                        }
                        // The suicide of a single stone changes nothing but the turn.
                        let before = state;
                        state = played.map_or_else(|| small.pass(&state, false), |(after, _)| after);
                        board.play(Move::Play(point)).expect("a legal move");
                        let position = board.position();
                        let set = |points: &mut dyn Iterator<Item = Point>| {
                            points.fold(0, |set: Points, point| set | 1 << small.bit(point))
                        };
                        let stones = Color::BOTH.map(|color| set(&mut position.stones(color)));
                        assert_eq!(state.stones, stones, "{board}");
                        if played.is_some() {
                            assert_eq!(
                                board.ko_point().map(|point| small.bit(point)).unwrap_or(NO_POINT),
                                state.ban
                            );
                        }
                        assert_ne!(small.key(&state), small.key(&before));
                        for color in Color::BOTH {
                            let life = position.unconditional_life(color, suicide);
                            let alive = set(&mut life.stones());
                            assert_eq!(small.alive_chains(stones, color, suicide), alive, "{board}");
                            let safe = small.safe_points(stones, color, suicide);
                            assert_eq!(set(&mut life.territory()) & !safe, 0, "{board}");
                            alive_count += u32::from(alive != 0);
                        }
                        assert_eq!(small.margin(stones, [0; 2]), board.area().margin());
                    }
                }
            }
        }
        assert!(alive_count > 1000, "{alive_count}");
    }

    #[test]
    fn images_have_one_key() {
        let size = BoardSize::square(4).unwrap();
        let small = SmallBoard::new(size, Suicide::Forbidden, |_| None).expect("few points");
        let set = |points: &[(u8, u8)], symmetry: Symmetry| {
            points
                .iter()
                .fold(0, |set: Points, &(x, y)| set | 1 << small.bit(symmetry.apply(Point::new(x, y), size)))
        };
        let keys = small.symmetries().iter().map(|&symmetry| {
            let stones = [set(&[(0, 1), (2, 3)], symmetry), set(&[(1, 1)], symmetry)];
            small.key(&small.state(stones, Color::White))
        });
        let keys: Vec<u64> = keys.collect();
        assert!(keys.iter().all(|&key| key == keys[0]), "{keys:?}");
        let other = small.state([set(&[(1, 1)], Symmetry::ALL[0]), 0], Color::White);
        assert_ne!(small.key(&other), keys[0]);
    }
}
