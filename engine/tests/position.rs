//! Counting and unconditional life as functions of the stones, against the naive reference.

use jigo_engine::{
    AnyPosition, Board, BoardSize, Color, Move, Point, Position, Rules, Suicide,
    reference::{Colouring, ReferenceGame},
    score::AreaTally,
    zobrist::mix64,
};

use crate::definitions::life::unconditional_life;

const SUICIDES: [Suicide; 2] = [Suicide::Forbidden, Suicide::Allowed];

fn position<const W: usize>(size: BoardSize, colouring: &Colouring) -> Position<W> {
    let mut position = Position::new(size);
    size.points().zip(colouring).for_each(|(point, &stone)| position.set_stone(point, stone));
    position
}

fn compare<const W: usize>(position: &Position<W>) {
    let size = position.size();
    let colouring: Colouring = size.points().map(|point| position.stone(point)).collect();
    let reference = ReferenceGame::from_position(size, Rules::TROMP_TAYLOR, colouring.clone(), Color::Black);
    let area = position.area();
    assert_eq!(Color::BOTH.map(|color| area.of(color)), reference.area(), "\n{position}");
    assert_eq!(area.of(Color::Black) + area.of(Color::White) + area.neutral, size.point_count() as u32);
    for (color, expected) in Color::BOTH.into_iter().zip(reference.area()) {
        let owned = position.ownership().filter(|&(_, owner)| owner == Some(color)).count();
        assert_eq!(owned as u32, expected, "\n{position}");
    }
    for suicide in SUICIDES {
        let lives = position.unconditional_lives(suicide);
        let counts = position.life_counts(suicide);
        for (color, life) in Color::BOTH.into_iter().zip(lives) {
            assert_eq!(position.unconditional_life(color, suicide), life);
            let (own, opponent) = (counts[color.index()], counts[color.opponent().index()]);
            assert_eq!(own.stones as usize, position.stone_count(color));
            assert_eq!(own.chains as usize, position.chain_count(color));
            let expected = unconditional_life(size, &colouring, color, suicide);
            let mut stones: Vec<Point> = expected.chains.iter().flatten().copied().collect();
            stones.sort_by_key(|point| point.index(size));
            assert!(life.stones().eq(stones.iter().copied()), "{color} {suicide:?}\n{position}");
            assert!(
                life.territory().eq(expected.territory.iter().copied()),
                "{color} {suicide:?}\n{position}"
            );
            let is_dead = |point: &&Point| position.stone(**point) == Some(color.opponent());
            assert_eq!(opponent.dead_stones as usize, expected.territory.iter().filter(is_dead).count());
            assert_eq!(own.territory as usize, expected.territory.len());
            assert_eq!(own.alive_stones as usize, stones.len());
            assert_eq!(own.alive_chains as usize, expected.chains.len());
        }
    }
}

/// Also colourings with chains that have no liberty.
#[test]
fn every_colouring_of_tiny_boards() {
    for (width, height) in [(1, 1), (2, 1), (1, 3), (5, 1), (2, 2), (3, 2), (2, 3), (3, 3)] {
        let size = BoardSize::new(width, height).unwrap();
        for code in 0..3_usize.pow(size.point_count() as u32) {
            let sign = |index| code / 3_usize.pow(index as u32) % 3;
            let colouring: Colouring = (0..size.point_count())
                .map(|index| [None, Some(Color::Black), Some(Color::White)][sign(index)])
                .collect();
            compare(&position::<1>(size, &colouring));
        }
    }
}

/// Boards that fill their words to the last bit and boards that need the most words.
#[test]
fn random_games_on_all_widths() {
    let (mut draws, mut seen) = (1, 0);
    for (width, height) in [(7, 8), (9, 9), (3, 16), (13, 9), (1, 25), (25, 2), (19, 19), (25, 25)] {
        let size = BoardSize::new(width, height).unwrap();
        jigo_engine::for_width!(size, W => {
            let mut board = Board::<W>::new(size, Suicide::Forbidden);
            // A few positions of each game: with eyes kept, as the naive check is slow on large boards.
            for ply in 0..2 * size.point_count() {
                let mover = board.to_play();
                let moves: Vec<Point> = board.legal_points().filter(|&point| !board.is_eye_like(point, mover)).collect();
                draws = mix64(draws);
                let mv = match moves.len() {
                    0 => Move::Pass,
                    count => Move::Play(moves[(draws >> 33) as usize % count]),
                };
                board.play(mv).unwrap();
                if (ply + 1) % size.point_count().div_ceil(4) == 0 {
                    compare(&board.position());
                    seen += compare_own_territory(&board);
                }
            }
        });
    }
    assert!(seen > 200, "{seen}");
}

/// Returns how many empty points are the mover's territory.
fn compare_own_territory<const W: usize>(board: &Board<W>) -> usize {
    let life = board.unconditional_life(board.to_play());
    let own: Vec<Point> = life.territory().filter(|&point| board.stone(point).is_none()).collect();
    let filled = board.empty_points().filter(|&point| board.fills_own_territory(point));
    assert!(filled.eq(own.iter().copied()), "\n{board}");
    own.len()
}

#[test]
fn patterns_of_stones() {
    let mut draws = 7;
    for (width, height) in [(9, 9), (9, 13), (6, 21)] {
        let size = BoardSize::new(width, height).unwrap();
        for density in 1..8 {
            let mut stone = || {
                draws = mix64(draws);
                let color = if draws >> 63 == 0 { Color::Black } else { Color::White };
                (draws % 8 < density).then_some(color)
            };
            for _ in 0..20 {
                compare(&position::<11>(size, &(0..size.point_count()).map(|_| stone()).collect()));
            }
        }
    }
}

#[test]
fn a_tally_counts_every_position() {
    let size = BoardSize::new(5, 3).unwrap();
    let mut tally = AreaTally::new(size);
    let mut expected = [vec![0; 15], vec![0; 15]];
    let mut draws = 1;
    let mut positions = 0;
    while !tally.is_full() {
        draws = mix64(draws);
        let rows = [0, 5, 10].map(|shift| (draws >> shift) as u32 & 31);
        let others = [15, 20, 25].map(|shift| (draws >> shift) as u32 & 31);
        let mut position: Position<1> = Position::new(size);
        position.set_rows(Color::Black, rows);
        position.set_rows(Color::White, std::array::from_fn::<_, 3, _>(|row| others[row] & !rows[row]));
        tally.add(AnyPosition::new(&position));
        positions += 1;
        for (point, owner) in position.ownership() {
            if let Some(owner) = owner {
                expected[owner.index()][point.index(size)] += 1;
            }
        }
    }
    assert_eq!(positions, AreaTally::CAPACITY);
    for (color, expected) in Color::BOTH.into_iter().zip(expected) {
        let mut totals = vec![0; 15];
        tally.add_to(color, &mut totals);
        assert_eq!(totals, expected);
    }
    tally.clear();
    assert!(!tally.is_full());
}
