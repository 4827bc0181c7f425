//! Turning or reflecting the board and exchanging the colours commute with play, life and both countings.

use std::collections::BTreeSet;

use jigo_engine::{
    BoardSize, Color, Counting, Game, Move, Point, Rules, score::ScoringContext, zobrist::mix64,
};

/// One of the 8 symmetries of the square, and possibly exchanged colours.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    turn: u8,
    swaps_colors: bool,
}

impl Symmetry {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).flat_map(|turn| [false, true].map(|swaps_colors| Self { turn, swaps_colors }))
    }

    fn size(self, size: BoardSize) -> BoardSize {
        if self.turn & 4 != 0 { size.transposed() } else { size }
    }

    fn point(self, point: Point, size: BoardSize) -> Point {
        let x = if self.turn & 1 != 0 { size.width() as u8 - 1 - point.x } else { point.x };
        let y = if self.turn & 2 != 0 { size.height() as u8 - 1 - point.y } else { point.y };
        if self.turn & 4 != 0 { Point::new(y, x) } else { Point::new(x, y) }
    }

    fn color(self, color: Color) -> Color {
        if self.swaps_colors { color.opponent() } else { color }
    }

    fn points(self, points: impl Iterator<Item = Point>, size: BoardSize) -> BTreeSet<Point> {
        points.map(|point| self.point(point, size)).collect()
    }
}

/// How much the games exercised.
#[derive(Debug, Default)]
struct Seen {
    alive: u32,
    territory: u32,
    superko_refused: u32,
}

fn compare(game: &Game, image: &Game, by: Symmetry, seen: &mut Seen) {
    let (board, other) = (game.board(), image.board());
    let size = board.size();
    let sign = if by.swaps_colors { -1 } else { 1 };
    assert_eq!(by.points(game.legal_points(), size), image.legal_points().collect(), "{by:?}\n{board}");
    assert_eq!(board.area().margin(), sign * other.area().margin(), "{by:?}\n{board}");
    assert_eq!(board.area().neutral, other.area().neutral);
    let dead: Vec<Point> = board.stones(Color::White).take(1).collect();
    let also_dead: Vec<Point> = by.points(dead.iter().copied(), size).into_iter().collect();
    let count = |game: &Game, dead: &[Point]| {
        let prisoners = Color::BOTH.map(|color| game.prisoners(color));
        let rules = Rules { counting: Counting::Territory, ..Rules::TROMP_TAYLOR };
        let context = ScoringContext { dead, prisoners, ..ScoringContext::default() };
        game.board().position().score(rules, &context)
    };
    let (territory, other_territory) = (count(game, &dead), count(image, &also_dead));
    assert_eq!(territory.margin(), sign * other_territory.margin(), "{by:?}\n{board}");
    assert_eq!(territory.dame, other_territory.dame);
    for color in Color::BOTH {
        let (life, other_life) = (board.unconditional_life(color), other.unconditional_life(by.color(color)));
        assert_eq!(by.points(life.stones(), size), other_life.stones().collect(), "{by:?}\n{board}");
        let territory = other_life.territory().collect();
        assert_eq!(by.points(life.territory(), size), territory, "{by:?}\n{board}");
        let counts = board.position().life_counts(board.suicide())[color.index()];
        let other_counts = other.position().life_counts(other.suicide())[by.color(color).index()];
        assert_eq!(counts, other_counts);
        assert_eq!(by.points(board.stones(color), size), other.stones(by.color(color)).collect());
        seen.alive += counts.alive_chains;
        seen.territory += counts.territory;
    }
    let refused = board.legal_points().filter(|&point| game.superko_violation(point).is_some()).count();
    seen.superko_refused += refused as u32;
}

/// A random game, and its image played along with it.
fn play_pair(size: BoardSize, rules: Rules, by: Symmetry, draws: &mut u64, seen: &mut Seen) {
    let mut game: Game = Game::new(size, rules);
    let mut image: Game = Game::new(by.size(size), rules);
    image.set_position([], by.color(Color::Black)).unwrap();
    for ply in 0..3 * size.point_count() {
        if game.is_over() {
            break;
        }
        // Filling eyes ends games in ruins; without that, much is alive in the end.
        let color = game.to_play();
        let moves: Vec<Point> =
            game.legal_points().filter(|&point| !game.board().is_eye_like(point, color)).collect();
        *draws += 1;
        let mv = match moves.len() {
            0 => Move::Pass,
            count => Move::Play(moves[(mix64(*draws) % count as u64) as usize]),
        };
        let played = game.play(mv).unwrap();
        let moved = mv.point().map_or(Move::Pass, |point| Move::Play(by.point(point, size)));
        assert_eq!(image.play(moved).unwrap().outcome, played.outcome);
        if ply % 3 == 0 || game.is_over() {
            compare(&game, &image, by, seen);
        }
    }
}

#[test]
fn symmetries_commute_with_play_life_and_counting() {
    let (mut draws, mut seen) = (0, Seen::default());
    for (width, height) in [(1, 5), (2, 2), (2, 3), (3, 3), (4, 3), (5, 5), (6, 4), (7, 7)] {
        let size = BoardSize::new(width, height).unwrap();
        for rules in Rules::lattice() {
            for by in Symmetry::all() {
                play_pair(size, rules, by, &mut draws, &mut seen);
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.alive > 10_000 && seen.territory > 10_000 && seen.superko_refused > 100, "{seen:?}");
}
