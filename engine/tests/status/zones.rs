//! Proofs in zones of open boards: by all positions of small zones, and by their lines of play.

use jigo_engine::{
    Board, BoardSize, Color, Ko, Move, Point, Position, Suicide,
    life::{ChainStatus, LineEnd, Proof, Question, Status, StatusReport, StatusSolver, ZoneClaim, ZoneProof},
    reference::Colouring,
    zobrist::mix64,
};

use super::SUICIDES;
use crate::definitions::ReferenceStatus;

/// Points of a zone whose positions are listed, at most.
const MAX_POINTS: usize = 8;

/// Whether a proof shows the status of a chain of the position.
fn shows(proof: &ZoneProof, chain: &ChainStatus) -> bool {
    match &proof.claim {
        ZoneClaim::Safe { .. } => chain.status == Status::Alive && proof.chains.contains(&chain.stones),
        ZoneClaim::Captures(captured) => chain.status == Status::Dead && *captured == chain.stones,
    }
}

/// Whether what a proof claims about the stones on these points is so, by all positions of its zone.
fn is_so(position: &Position, proof: &ZoneProof, suicide: Suicide, ko: Ko) -> bool {
    let size = position.size();
    let board: Colouring = size.points().map(|point| position.stone(point)).collect();
    let reference = ReferenceStatus::in_zone(size, suicide, &board, proof, 20_000).expect("a small zone");
    let first = proof.owner.opponent();
    match &proof.claim {
        ZoneClaim::Safe { .. } => {
            proof.chains.iter().all(|chain| reference.saved(chain[0], proof.owner, ko)[0][first.index()])
        }
        ZoneClaim::Captures(captured) => reference.captured(captured[0], first)[0][first.index()],
    }
}

/// Plays the line of a proof. The owner's stones stay, and the chain that is to be captured is gone in the end.
fn play(position: &Position, proof: &ZoneProof, suicide: Suicide) {
    let position = position.after_plies(proof.moves.iter().copied(), suicide).expect("legal moves");
    let stands = |chain: &[Point], color| chain.iter().all(|&point| position.stone(point) == Some(color));
    match &proof.claim {
        ZoneClaim::Safe { .. } => {
            assert!(proof.chains.iter().all(|chain| stands(chain, proof.owner)), "{position:#}{proof:?}");
        }
        ZoneClaim::Captures(captured) => {
            assert!(!stands(captured, proof.owner.opponent()), "{position:#}{proof:?}");
        }
    }
}

/// Whoever moves first, a line ends with the capture of the chain.
fn is_captured(position: &Position, report: &StatusReport, point: Point, suicide: Suicide) {
    for first in Color::BOTH {
        let line = report.line(point, Question::Capture, first).expect("a line");
        let end = position.after_plies(line.moves.iter().copied(), suicide).expect("legal moves");
        let is_gone = end.stone(point).is_none();
        assert!(line.end == LineEnd::Captured && is_gone, "{first} first\n{position:#}{line:?}");
    }
}

/// What was looked at.
#[derive(Debug, Default)]
struct Counts {
    /// Groups that hold, with answers or without, and chains that are captured.
    proofs: [u32; 3],
    /// Those whose positions were listed.
    listed: [u32; 3],
    /// Groups that would not hold without one of the points.
    needed: u32,
}

impl Counts {
    fn check(&mut self, position: &Position, suicide: Suicide) {
        let report = StatusSolver::with_limit(suicide, Ko::Simple, 2_000).solve(position);
        let mut seen: Vec<ZoneProof> = Vec::new();
        for chain in report.chains() {
            if seen.iter().any(|proof| shows(proof, chain)) {
                continue;
            }
            let Some(proof) = report.zone_proof(chain.stones[0]) else { continue };
            play(position, &proof, suicide);
            if let ZoneClaim::Captures(captured) = &proof.claim {
                is_captured(position, &report, captured[0], suicide);
            }
            let kind = match &proof.claim {
                ZoneClaim::Safe { answers } if answers.is_empty() => 0,
                ZoneClaim::Safe { .. } => 1,
                ZoneClaim::Captures(_) => 2,
            };
            self.proofs[kind] += 1;
            if proof.points.len() <= MAX_POINTS {
                self.listed[kind] += 1;
                for ko in [Ko::Simple, Ko::PositionalSuperko] {
                    assert!(
                        is_so(position, &proof, suicide, ko),
                        "{suicide:?} {ko:?}\n{position:#}{proof:?}"
                    );
                }
                if kind < 2 {
                    let fewer = ZoneProof { points: proof.points[1..].to_vec(), ..proof.clone() };
                    self.needed += u32::from(!is_so(position, &fewer, suicide, Ko::Simple));
                }
            }
            seen.push(proof);
        }
    }
}

/// Games in which eyes are kept, on a board on which hardly anything is unconditional before the end.
#[test]
fn proofs_in_zones() {
    let size = BoardSize::square(7).unwrap();
    let points: Vec<Point> = size.points().collect();
    let mut counts = Counts::default();
    for suicide in SUICIDES {
        for game in 0..40 {
            let mut board: Board = Board::new(size, suicide);
            for ply in 0..90_u64 {
                let point = points[mix64(game << 32 | ply) as usize % points.len()];
                let keeps_eyes = !board.is_eye_like(point, board.to_play());
                if !keeps_eyes || board.play(Move::Play(point)).is_err() {
                    board.play(Move::Pass).unwrap();
                }
                if ply % 15 == 14 {
                    counts.check(&board.position(), suicide);
                }
            }
        }
    }
    println!("{counts:?}");
    let enough = counts.listed.iter().zip([3, 50, 10]).all(|(&count, least)| count >= least);
    assert!(enough && counts.needed > 50, "{counts:?}");
}

/// Two black groups in open space that need no reading ahead.
#[test]
fn static_proofs_in_zones() {
    let diagram = ". X . X . . . . .
                   X X X . . . . . .
                   . . . . . . . . .
                   X X X X . . . . .
                   . X . X . . . . .
                   X . X X . . . . .
                   . . . . O . . . .
                   . . . . . . . . .";
    let position = Board::from_diagram(diagram, Suicide::Allowed).unwrap().position();
    let report = StatusSolver::with_limit(Suicide::Allowed, Ko::PositionalSuperko, 20_000).solve(&position);
    let mut checked = 0;
    for chain in report.chains().filter(|chain| chain.proof == Proof::Static) {
        let proof = report.zone_proof(chain.stones[0]).expect("a proof in a zone");
        assert!(shows(&proof, chain) && is_so(&position, &proof, Suicide::Allowed, Ko::PositionalSuperko));
        checked += 1;
    }
    assert!(checked > 0);
}
