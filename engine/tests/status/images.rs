//! Images of a position and limits of the search: rotations, reflections and exchanged colours change no status, and a higher limit loses none.

use crate::shared::{labelled, rows};
use jigo_engine::{
    Board, BoardSize, Color, Ko, Move, Point, Position, Suicide, Symmetry,
    life::{Proof, Status, StatusSolver},
    zobrist::mix64,
};

/// A chain: its colour and its first stone in the position that is turned.
type Statuses = Vec<((Color, Point), (Status, Proof))>;

/// The statuses that are found in an image, of the chains as they stand in the position itself.
fn statuses_in_image(position: &Position, symmetry: Symmetry, swaps: bool, limit: usize) -> Statuses {
    let size = position.size();
    let in_image = |color: Color| if swaps { color.opponent() } else { color };
    let mut image: Position = Position::new(symmetry.image_size(size));
    for (point, color) in position.colored_stones() {
        image.set_stone(symmetry.apply(point, size), Some(in_image(color)));
    }
    let chains = StatusSolver::with_limit(Suicide::Forbidden, Ko::Simple, limit).chains(&image);
    let statuses = chains.into_iter().map(|chain| {
        let back = symmetry.inverse();
        let stones = chain.stones.iter().map(|&stone| back.apply(stone, image.size()));
        let first = stones.min_by_key(|point| point.index(size)).expect("a stone");
        ((in_image(chain.color), first), (chain.status, chain.proof))
    });
    let mut statuses: Statuses = statuses.collect();
    statuses.sort_by_key(|&((color, point), _)| (color.index(), point.index(size)));
    statuses
}

/// Compares all images of a position, and the statuses by growing limits. Returns how many chains are unknown at the highest.
fn check(position: &Position, limits: &[usize]) -> usize {
    let mut last: Option<Statuses> = None;
    for &limit in limits {
        let statuses = statuses_in_image(position, Symmetry::ALL[0], false, limit);
        for symmetry in Symmetry::ALL {
            for swaps in [false, true] {
                let others = statuses_in_image(position, symmetry, swaps, limit);
                assert_eq!(others, statuses, "{symmetry:?}, exchanged: {swaps}, limit {limit}\n{position:#}");
            }
        }
        for (before, now) in last.iter().flatten().zip(&statuses) {
            let [(chain, (status, _)), (_, (now, _))] = [before, now];
            assert!(
                status == now || *status == Status::Unknown,
                "{chain:?} {now}, limit {limit}\n{position:#}"
            );
        }
        last = Some(statuses);
    }
    last.iter().flatten().filter(|(_, (status, _))| *status == Status::Unknown).count()
}

/// Positions of games in which eyes are kept, symmetric ones among them.
#[test]
fn images_and_limits_agree() {
    let (mut positions, mut unknown) = (0, 0);
    for (width, height, games) in [(4, 4, 20), (7, 5, 12), (7, 7, 12), (9, 9, 4)] {
        let size = BoardSize::new(width, height).unwrap();
        let points: Vec<Point> = size.points().collect();
        for game in 0..games {
            let mut board: Board = Board::new(size, Suicide::Forbidden);
            for ply in 0..3 * points.len() as u64 / 2 {
                let chosen = points[mix64(game << 32 | ply) as usize % points.len()];
                // Every other game is symmetric as long as captures allow.
                let place = if game % 2 == 0 && ply % 2 == 1 {
                    Symmetry::ALL[3]
                        .apply(points[mix64(game << 32 | (ply - 1)) as usize % points.len()], size)
                } else {
                    chosen
                };
                if board.is_eye_like(place, board.to_play()) || board.play(Move::Play(place)).is_err() {
                    board.play(Move::Pass).unwrap();
                }
            }
            unknown += check(&board.position(), &[0, 10, 77, 1_000]);
            positions += 1;
        }
    }
    println!("{positions} positions, {unknown} chains unknown");
    assert!(unknown > 20, "positions that are solved whole say little");
}

/// Small boards of the labelled collections, which are absent from the repository.
#[test]
fn images_and_limits_agree_on_labelled_boards() {
    for file in ["ogs_score_estimator.jsonl", "katago_boardarea.jsonl"] {
        let Some(records) = labelled(file) else { return };
        let boards = records.iter().map(|record| rows(&record["rows"]).join("\n"));
        let boards: Vec<String> = boards.filter(|board| board.lines().count() <= 9).collect();
        let unknown = boards.iter().map(|board| {
            let board: Board = Board::from_diagram(board, Suicide::Forbidden).unwrap();
            check(&board.position(), &[200, 1_000])
        });
        println!("{file}: {} boards, {} chains unknown", boards.len(), unknown.sum::<usize>());
        assert!(!boards.is_empty());
    }
}
