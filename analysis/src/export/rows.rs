//! Encodes one position of a game, the move played in it and how the game ended.

use std::mem;

use jigo_engine::{
    AnyGame, BoardSize, Color, Counting, IllegalMove, Ko, Komi, Move, Rules, Suicide, rules::Tax,
};
use jigo_selfplay::{GameRecord, RunConfig, SearchRecord};

/// Numbers that describe a position beside its planes.
pub(super) const GLOBAL_INPUTS: usize = 19;
/// Numbers that describe what followed.
pub(super) const GLOBAL_TARGETS: usize = 64;
/// Plies that a position knows of.
const HISTORY: usize = 5;

/// A row of all arrays. Its channels are described in `docs/dataset.md`.
pub(super) struct Row {
    pub(super) planes: Vec<u8>,
    pub(super) global_inputs: [f32; GLOBAL_INPUTS],
    pub(super) global_targets: [f32; GLOBAL_TARGETS],
    /// The stone on each point: 1 black, -1 white.
    pub(super) stones: Vec<i8>,
    /// Whose each point is in the end: 1 Black's, -1 White's.
    pub(super) ownership: Vec<i8>,
    /// Black's points minus White's after komi; 0 for a draw by a cycle, NaN for a game that was not over.
    pub(super) result: f32,
    pub(super) mv: Move,
    pub(super) next_move: Option<Move>,
    pub(super) game_index: u64,
    pub(super) ply: u16,
    pub(super) margin: i16,
    pub(super) to_play: Color,
    /// Absent where the run's policy does not search.
    pub(super) search: Option<SearchTargets>,
}

impl Row {
    /// Returns a value that is positive for Black as the player to move sees it.
    pub(super) fn own(&self, for_black: i8) -> i8 {
        if self.to_play == Color::Black { for_black } else { -for_black }
    }
}

/// Returns 1 for Black, -1 for White and 0 for neither.
fn sign(color: Option<Color>) -> i8 {
    color.map_or(0, |color| if color == Color::Black { 1 } else { -1 })
}

/// Returns a bit of a set of points.
fn bit(set: &[u64], index: usize) -> u64 {
    set[index / 64] >> (index % 64) & 1
}

/// What the search in a position found.
pub(super) struct SearchTargets {
    /// Each move's share of the visits, by its code; 0 for all where nothing was searched.
    pub(super) policy: Vec<f32>,
    /// Black's mean margin before komi; NaN where nothing was searched.
    pub(super) margin: f32,
}

impl SearchTargets {
    fn new(search: Option<&SearchRecord>, size: BoardSize) -> Self {
        let Some(search) = search else {
            return Self { policy: vec![0.0; size.point_count() + 1], margin: f32::NAN };
        };
        let share = |&visits: &u32| (f64::from(visits) / f64::from(search.playouts())) as f32;
        Self { policy: search.visits.iter().map(share).collect(), margin: search.margin }
    }
}

/// Returns the rows of the game at these plies, in ascending order. An error names the number of the move, from 1.
pub(super) fn rows(
    config: &RunConfig,
    record: &GameRecord,
    plies: &[u32],
    komi: Komi,
    game: &mut AnyGame,
) -> Result<Vec<Row>, (usize, IllegalMove)> {
    let (mut rows, mut played) = (Vec::with_capacity(plies.len()), 0);
    let mut play_to = |game: &mut AnyGame, end| {
        let moves = &record.moves[mem::replace(&mut played, end)..end];
        game.play_all(moves).map_err(|(number, reason)| (end - moves.len() + number, reason))
    };
    game.clear();
    for &ply in plies {
        play_to(game, ply as usize)?;
        rows.push(row(config, record, ply as usize, komi, game));
    }
    play_to(game, record.moves.len())?;
    if !record.is_finished() {
        return Ok(rows);
    }
    let owners: Vec<i8> = game.position().owners().into_iter().map(sign).collect();
    for row in &mut rows {
        row.ownership.copy_from_slice(&owners);
    }
    Ok(rows)
}

/// Returns the row of the current position, without what is known at the end only.
fn row(config: &RunConfig, record: &GameRecord, ply: usize, komi: Komi, game: &AnyGame) -> Row {
    let (before, to_play) = (&record.moves[..ply], game.to_play());
    let [black, white] = Color::BOTH.map(|color| game.stone_bits(color));
    let stone = |index: usize| (bit(&black, index) as i8) - (bit(&white, index) as i8);
    let search = record.searches.get(ply).map(Option::as_ref);
    Row {
        planes: planes(game, before),
        global_inputs: global_inputs(game.rules(), before, to_play, komi),
        global_targets: global_targets(config, record, ply, to_play, komi),
        stones: (0..game.size().point_count()).map(stone).collect(),
        ownership: vec![0; game.size().point_count()],
        result: config.result(record, komi).map_or(f32::NAN, |half_points| half_points as f32 / 2.0),
        mv: record.moves[ply],
        next_move: record.moves.get(ply + 1).copied(),
        game_index: record.game_index,
        ply: ply as u16,
        margin: record.margin() as i16,
        to_play,
        search: search.map(|search| SearchTargets::new(search, game.size())),
    }
}

/// Returns the moves before, last first: as many as a position knows of.
fn last_moves(before: &[Move]) -> impl Iterator<Item = Move> {
    before.iter().rev().take(HISTORY).copied()
}

fn global_inputs(rules: Rules, before: &[Move], to_play: Color, komi: Komi) -> [f32; GLOBAL_INPUTS] {
    let mut inputs = [0.0; GLOBAL_INPUTS];
    for (input, mv) in inputs.iter_mut().zip(last_moves(before)) {
        *input = f32::from(mv == Move::Pass);
    }
    inputs[5] = own_komi(to_play, komi) / 20.0;
    [inputs[6], inputs[7]] = match rules.ko {
        Ko::Simple => [0.0, 0.0],
        Ko::PositionalSuperko => [1.0, 0.5],
        Ko::SituationalSuperko => [1.0, -0.5],
    };
    inputs[8] = f32::from(rules.suicide == Suicide::Allowed);
    inputs[9] = f32::from(rules.counting == Counting::Territory);
    inputs[10] = f32::from(rules.tax != Tax::None);
    inputs[11] = f32::from(rules.tax == Tax::All);
    // A pass would end the game.
    inputs[14] = f32::from(before.last() == Some(&Move::Pass));
    inputs
}

fn global_targets(
    config: &RunConfig,
    record: &GameRecord,
    ply: usize,
    to_play: Color,
    komi: Komi,
) -> [f32; GLOBAL_TARGETS] {
    let mut targets = [0.0; GLOBAL_TARGETS];
    if let Some(black) = config.result(record, komi) {
        let own = if to_play == Color::Black { black } else { -black };
        [targets[0], targets[1]] = match own {
            1.. => [1.0, 0.0],
            0 => [0.5, 0.5],
            _ => [0.0, 1.0],
        };
        if record.is_finished() {
            [targets[3], targets[20]] = [own as f32 / 2.0; 2];
            targets[27] = 1.0;
        }
    }
    // Weights of the row, the move and the next move; then of the moves before.
    [targets[25], targets[26]] = [1.0; 2];
    targets[28] = f32::from(ply + 1 < record.moves.len());
    targets[36..36 + HISTORY].fill(1.0);
    targets[47] = own_komi(to_play, komi);
    targets[48] = f32::from(config.rules.counting == Counting::Area);
    targets[51] = ply as f32;
    targets[52] = f32::from(record.is_capped());
    targets
}

/// Returns what komi gives to the player to move.
fn own_komi(to_play: Color, komi: Komi) -> f32 {
    let points = komi.to_f64() as f32;
    if to_play == Color::White { points } else { -points }
}

/// Planes of a position; those that are not named here are empty.
pub(super) const PLANES: usize = 22;
const ON_BOARD: usize = 0;
const OWN: usize = 1;
const OPPONENT: usize = 2;
/// The planes of chains with one, two and three liberties.
const LIBERTIES: [usize; 3] = [3, 4, 5];
const FORBIDDEN: usize = 6;
/// The plane of the last move; the moves before it follow.
const LAST_MOVE: usize = 9;

/// Bytes of one plane.
pub(super) const fn plane_bytes(size: BoardSize) -> usize {
    size.point_count().div_ceil(8)
}

/// Encodes the position of a game that came from these moves, as the player to move sees it.
fn planes(game: &AnyGame, before: &[Move]) -> Vec<u8> {
    let (size, to_play) = (game.size(), game.to_play());
    let bytes = plane_bytes(size);
    let mut planes = vec![0; PLANES * bytes];
    // Bits by row-major index, the first one the highest of a byte, each plane filled up to whole bytes.
    planes[ON_BOARD * bytes..][..bytes].fill(u8::MAX);
    planes[ON_BOARD * bytes..][bytes - 1] <<= 8 * bytes - size.point_count();
    let mut set = |plane: usize, points: &[u64]| {
        let points = points.iter().flat_map(|word| word.to_le_bytes());
        let plane = &mut planes[plane * bytes..][..bytes];
        plane.iter_mut().zip(points).for_each(|(byte, points)| *byte = points.reverse_bits());
    };
    set(OWN, &game.stone_bits(to_play));
    set(OPPONENT, &game.stone_bits(to_play.opponent()));
    for (plane, stones) in LIBERTIES.into_iter().zip(game.bits_by_liberties()) {
        set(plane, &stones);
    }
    set(FORBIDDEN, &game.ko_bits());
    for (age, mv) in last_moves(before).enumerate() {
        if let Some(point) = mv.point() {
            let index = point.index(size);
            planes[(LAST_MOVE + age) * bytes + index / 8] |= 0x80 >> (index % 8);
        }
    }
    planes
}

#[cfg(test)]
mod tests {
    use jigo_engine::Point;
    use jigo_selfplay::{End, Policy};

    use super::*;

    /// Returns the rows at all plies of a game with these moves on a board of 3x2.
    fn rows_of(moves: &[Move]) -> Result<Vec<Row>, (usize, IllegalMove)> {
        let size = BoardSize::new(3, 2).unwrap();
        let playout = RunConfig::new(size, Rules::TROMP_TAYLOR, Policy::EYE_SAFE).seed(1);
        let record = GameRecord { moves: moves.to_vec(), end: End::TwoPasses, ..playout.game(0) };
        let plies: Vec<u32> = (0..moves.len() as u32).collect();
        rows(&playout.config, &record, &plies, Komi::ZERO, &mut AnyGame::new(size, Rules::TROMP_TAYLOR))
    }

    #[test]
    fn illegal_moves_are_named_by_number() {
        let [corner, centre] = [0, 1].map(|x| Move::Play(Point::new(x, 0)));
        let fault = |moves: &[Move]| rows_of(moves).map(drop);
        assert_eq!(fault(&[corner, centre]), Ok(()));
        assert_eq!(fault(&[corner, corner]), Err((2, IllegalMove::Occupied)));
        assert_eq!(fault(&[corner, Move::Pass, Move::Pass, centre]), Err((4, IllegalMove::GameOver)));
        let outside = Move::Play(Point::new(0, 2));
        assert!(matches!(fault(&[outside]), Err((1, IllegalMove::OffBoard(_)))));
    }

    #[test]
    fn stones_and_ownership_are_those_of_black() {
        let rows = rows_of(&[Move::Play(Point::new(1, 0)), Move::Pass, Move::Pass]).unwrap();
        assert_eq!(rows.iter().map(|row| row.stones[1]).collect::<Vec<_>>(), [0, 1, 1]);
        assert!(rows.iter().all(|row| row.ownership[0] == 1));
        assert_eq!(rows.iter().map(|row| row.own(1)).collect::<Vec<_>>(), [1, -1, 1]);
        assert!(rows[2].global_inputs[14] == 1.0 && rows[1].global_inputs[14] == 0.0);
    }
}
