//! Proofs on open boards, compared with exact searches of the whole board.

use super::{
    parts::Borders,
    solver::Chain,
    zones::{Claim, Proved, Zone, ZoneSearch, ZoneSolver},
};
use crate::{
    Board, BoardSize, Color, Ko, Move, Point, Position, Suicide,
    bitboard::Bitboard,
    life::{ChainStatus, LineEnd, Proof, Question, Status, StatusSolver},
    zobrist::mix64,
};

/// No borders: the whole board is one part.
fn no_borders<const W: usize>(position: &Position<W>) -> Borders<W> {
    Borders { stones: [Bitboard::EMPTY; 2], open: position.geometry().on_board }
}

/// Solves all chains by search alone, the whole board being one part.
fn search_whole_board(solver: &mut StatusSolver, position: &Position<1>) -> Vec<ChainStatus> {
    let mut chains = Chain::all(position);
    solver.solve_parts(position, &no_borders(position), 3_000, &mut chains);
    chains.into_iter().map(|chain| chain.solved).collect()
}

/// Chains with a status: how many were not proved, and how many were.
#[derive(Debug, Default)]
struct Found {
    alive: [u32; 2],
    dead: [u32; 2],
}

impl Found {
    fn compare(&mut self, position: &Position<1>, suicide: Suicide, solved: &[ChainStatus]) {
        let zones = ZoneSolver { position: position.clone(), alive: [Bitboard::EMPTY; 2], suicide };
        let mut search = ZoneSearch::new(&zones);
        for limit in StatusSolver::limits(StatusSolver::DEFAULT_LIMIT) {
            search.search([true; 2], limit);
        }
        for color in Color::BOTH {
            let claimed = |status| {
                let proved = search.proved.iter().map(Proved::status).filter(|&(_, claim)| claim == status);
                proved.fold(Bitboard::EMPTY, |all, (stones, _)| all | stones)
            };
            let is_open = |chain: &&ChainStatus| chain.color == color && chain.proof != Proof::Benson;
            for chain in solved.iter().filter(is_open) {
                let bit = position.geometry().bit(chain.stones[0]);
                let claims = [(Status::Alive, &mut self.alive), (Status::Dead, &mut self.dead)];
                for (claim, counts) in claims {
                    let is_claimed = claimed(claim).contains(bit);
                    assert!(
                        !is_claimed || [claim, Status::Unknown].contains(&chain.status),
                        "{claim} {suicide:?} {color} {:?} is {}\n{position:#}",
                        chain.stones[0],
                        chain.status
                    );
                    counts[usize::from(is_claimed)] += u32::from(chain.status == claim);
                }
            }
        }
    }
}

#[test]
fn proofs_agree_with_whole_boards() {
    let mut found = Found::default();
    for suicide in [Suicide::Allowed, Suicide::Forbidden] {
        for (width, height, games) in [(3, 3, 100), (4, 3, 40), (5, 3, 20), (4, 4, 8), (5, 4, 3)] {
            let size = BoardSize::new(width, height).unwrap();
            let points: Vec<Point> = size.points().collect();
            let mut solver = StatusSolver::with_limit(suicide, Ko::Simple, 3_000);
            for game in 0..games {
                let mut board: Board<1> = Board::new(size, suicide);
                for ply in 0..2 * points.len() as u64 {
                    let chosen = mix64(game << 32 | ply) as usize % points.len();
                    // Eyes are kept, so that something may live.
                    let keeps_eyes = !board.is_eye_like(points[chosen], board.to_play());
                    if !keeps_eyes || board.play(Move::Play(points[chosen])).is_err() {
                        board.play(Move::Pass).unwrap();
                    }
                    if ply % 3 == 2 {
                        let position = board.position();
                        found.compare(&position, suicide, &search_whole_board(&mut solver, &position));
                    }
                }
            }
        }
    }
    println!("{found:?}");
    assert!(found.alive[1] > 400 && found.dead[1] > 100);
}

/// A corner of twenty points inside a living wall.
const CORNER: &str = "? ? ? ? ? O .
? ? ? ? ? O O
? ? ? ? ? O O
? ? ? ? ? O O
O O O O O O O
O O O O O O .";

/// What a point of the corner holds.
const FILLINGS: [char; 8] = ['X', 'X', 'X', 'X', '.', '.', '.', 'O'];

/// Groups inside a living wall, against the exact search of the part in which they stand.
#[test]
fn proofs_agree_with_the_search_of_a_corner() {
    let mut found = Found::default();
    for suicide in [Suicide::Allowed, Suicide::Forbidden] {
        let mut solver = StatusSolver::with_limit(suicide, Ko::Simple, 3_000);
        for number in 0..400 {
            let mut state = number;
            let mut fill = |sign| {
                state = mix64(state);
                if sign == '?' { FILLINGS[(state >> 8) as usize % FILLINGS.len()] } else { sign }
            };
            let diagram: String = CORNER.chars().map(&mut fill).collect();
            let Ok(board) = Board::from_diagram(&diagram, suicide) else { continue };
            let position = board.position();
            found.compare(&position, suicide, &solver.chains(&position));
        }
    }
    println!("{found:?}");
    assert!(found.alive[1] > 300 && found.dead[1] > 50);
}

/// The points on which the proof of one group rests are not there for another: Black keeps all but the stone at E4.
#[test]
fn points_serve_one_proof() {
    let diagram = ". X X X . O .
                   O X X . O O O
                   X . . . X O O
                   X X X X . O O
                   O O O O O O O
                   O O O O O O .";
    for suicide in [Suicide::Allowed, Suicide::Forbidden] {
        let board: Board<1> = Board::from_diagram(diagram, suicide).unwrap();
        let position = board.position();
        let solved = StatusSolver::with_limit(suicide, Ko::Simple, 3_000).chains(&position);
        let mut found = Found::default();
        found.compare(&position, suicide, &solved);
        assert_eq!(found.alive, [0, 2]);
        assert!(solved.iter().any(|chain| chain.status == Status::Unsettled));
    }
}

/// Three black chains, those at the sides with an eye each. In the first position the links to the one in the middle share a point, the one below it: White
/// plays there, and then cuts on one side or on the other. In the second they share none.
const LINKS: [&str; 2] = [
    ". O . O O O O O O
     O O O O O O O O O
     O X X . X . X X O
     O X . X . X . X O
     O X X X O X X X O
     O O O O O O O O O",
    ". O . O O O O O O O
     O O O O O O O O O O
     O X X . X X . X X O
     O X . X . . X . X O
     O X X X O O X X X O
     O O O O O O O O O O",
];

#[test]
fn a_point_serves_one_link() {
    let statuses = [Status::Unsettled, Status::Alive];
    for (diagram, status) in LINKS.into_iter().zip(statuses) {
        for suicide in [Suicide::Allowed, Suicide::Forbidden] {
            let board: Board = Board::from_diagram(diagram, suicide).unwrap();
            let position = board.position();
            let (geometry, black) = (position.geometry(), position.stone_sets()[0]);
            let area = geometry.adjacent(black) & position.empty();
            let chains = geometry.parts(black).collect();
            let zone = Zone { owner: Color::Black, chains, anchors: Bitboard::EMPTY, area };
            let solved = StatusSolver::with_limit(suicide, Ko::Simple, 3_000).chains(&position);
            let black = solved.iter().filter(|chain| chain.color == Color::Black).map(|chain| chain.status);
            assert_eq!(black.collect::<Vec<_>>(), [status; 3], "{position:#}");
            let zones = ZoneSolver { position: position.clone(), alive: [Bitboard::EMPTY; 2], suicide };
            let how = zones.prove(zone, Claim::Safe, 3_000).ok().map(|proved| proved.proof);
            assert_eq!(how, (status == Status::Alive).then_some(Proof::Static), "{position:#}");
        }
    }
}

/// Twelve points between groups that are safe but not unconditionally alive, and the same between groups that are.
const FRAMES: [&str; 2] = [
    ". . . . X ? ? ? ? O . . . .
     X X X X X ? ? ? ? O O O O O
     X X X X X ? ? ? ? O O O O O
     X X X X X X X O O O O O O O",
    ". X . X X ? ? ? ? O O . O .
     X X X X X ? ? ? ? O O O O O
     X X X X X ? ? ? ? O O O O O
     X X X X X X X O O O O O O O",
];

/// A frame with a random filling, if it is a legal position.
fn filled(frame: &str, suicide: Suicide, seed: u64) -> Option<Position<1>> {
    let mut state = seed;
    let fill = |sign| {
        if sign != '?' {
            return sign;
        }
        state = mix64(state);
        ['X', 'O', '.'][(state >> 8) as usize % 3]
    };
    let diagram: String = frame.chars().map(fill).collect();
    Board::from_diagram(&diagram, suicide).ok().map(|board| board.position())
}

/// Between safe groups a chain has the status that it has between unconditionally alive ones.
#[test]
fn safe_groups_are_borders() {
    let (mut counts, mut missed) = ([0; Status::ALL.len()], 0);
    for suicide in [Suicide::Allowed, Suicide::Forbidden] {
        let mut solver = StatusSolver::with_limit(suicide, Ko::Simple, 5_000);
        for seed in 0..5_000 {
            let [Some(open), Some(closed)] = FRAMES.map(|frame| filled(frame, suicide, seed)) else {
                continue;
            };
            let expected = solver.chains(&closed);
            // As on a board that is too large to be one part.
            let report = solver.solve_open_board(open.clone(), no_borders(&open), Chain::all(&open));
            for chain in report.chains() {
                // The chains of the borders are others.
                let Some(other) = expected.iter().find(|other| other.stones == chain.stones) else {
                    continue;
                };
                if [chain.status, other.status].contains(&Status::Unknown) {
                    missed += 1;
                } else {
                    assert_eq!(chain.status, other.status, "{suicide:?} {:?}\n{open:#}", chain.stones[0]);
                    counts[chain.status as usize] += 1;
                }
            }
        }
    }
    println!("{counts:?} solved, {missed} not");
    let few = Status::ALL.into_iter().zip(counts).filter(|&(_, count)| count < 5);
    assert_eq!(few.map(|(status, _)| status).collect::<Vec<_>>(), [Status::Seki, Status::Unknown]);
}

/// Two chains with two common liberties, between groups that live by four points in a row, on a board that is too large to be one part.
#[test]
fn a_seki_between_safe_groups() {
    let diagram = "X X X X O . X O O O
                   X X X X O . X O O O
                   X X X X O X X O O O
                   X X X X X O O O O O
                   X X X X X O O O O O
                   X X X X X O O O O O
                   . . . . X O . . . .";
    let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
    let position = board.position();
    let report = StatusSolver::new(Suicide::Forbidden, Ko::Simple).solve(&position);
    let statuses: Vec<(usize, Status)> =
        report.chains().map(|chain| (chain.stones.len(), chain.status)).collect();
    assert_eq!(statuses, [(28, Status::Alive), (4, Status::Seki), (3, Status::Seki), (25, Status::Alive)]);
    // The groups are proved in zones, the chains in seki in the part between them, where an attack fails.
    for chain in report.chains() {
        let point = chain.stones[0];
        let line = report.line(point, Question::Capture, chain.color.opponent());
        if chain.status == Status::Seki {
            assert_eq!((report.zone_proof(point), report.part(point).len()), (None, 9));
            assert_eq!(line.unwrap().end, LineEnd::Alive);
        } else {
            assert!(report.zone_proof(point).unwrap().chains.contains(&chain.stones));
            assert_eq!((line, report.part(point).len()), (None, 70));
        }
    }
}
