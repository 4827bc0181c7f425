//! A theorem as a test: where an eye-safe playout ends and no move was withheld by ko, every chain is unconditionally alive.
//!
//! Proof sketch. When neither side has a candidate, no empty point has an empty neighbour. An empty point beside both colours would be playable
//! for one of them. So every empty point is surrounded by one colour, whose chains there all have a second liberty; each such point is a region
//! vital to all its chains, every chain has two, and that is Benson's condition.

use jigo_engine::{Board, Color, Move, Rules};
use jigo_selfplay::{AnyPosition, GameRecord, Policy, Progress, RunConfig, Sink, policy::PlayoutPolicy};

#[derive(Debug)]
struct Finals {
    rules: Rules,
    games: u64,
    /// Both sides without any candidate, also when superko and the ko ban are lifted.
    settled: u64,
    withheld: u64,
}

/// Whether the player to move has a point that only a ko rule can keep it from playing.
fn has_move<const W: usize>(board: &Board<W>) -> bool {
    let policy = PlayoutPolicy::EYE_SAFE;
    board
        .candidates(policy.among())
        .iter()
        .any(|point| board.is_legal(point) && !policy.rejects(board, point))
}

impl Sink for Finals {
    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        if record.is_capped() {
            return;
        }
        self.games += 1;
        assert!(record.moves.ends_with(&[Move::Pass, Move::Pass]));
        let position = position.to_position();
        let stones = position.colored_stones();
        let mut board: Board = Board::new(position.size(), self.rules.suicide);
        board.set_position(stones, Color::Black).unwrap();
        let withheld = Color::BOTH.into_iter().any(|color| {
            board.set_to_play(color);
            has_move(&board)
        });
        if withheld {
            self.withheld += 1;
            return;
        }
        self.settled += 1;
        for counts in board.position().life_counts(board.suicide()) {
            assert_eq!(counts.alive_stones, counts.stones, "{record:?}\n{board}");
            assert_eq!(counts.alive_chains, counts.chains);
        }
        assert_eq!(record.area.neutral, 0);
        // With no neutral point the margin has the parity of the number of points.
        assert_eq!((record.margin() - board.size().point_count() as i32) % 2, 0);
    }

    fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.settled += other.settled;
        self.withheld += other.withheld;
    }
}

#[test]
fn settled_finals_are_unconditionally_alive() {
    for (size, games) in
        [("2x2", 2000), ("3x4", 5000), ("5", 20_000), ("9", 10_000), ("7x13", 5000), ("19", 1000)]
    {
        for rules in ["tromp-taylor", "new-zealand", "chinese"] {
            let spec = RunConfig::new(
                size.parse().unwrap(),
                rules.parse::<jigo_engine::RuleSet>().unwrap(),
                Policy::EYE_SAFE,
            )
            .seed(7);
            let new = || Finals { rules: *spec.config.rules, games: 0, settled: 0, withheld: 0 };
            let finals = spec.play(0..games, new, &Progress::new()).unwrap();
            println!("{size} {rules}: {finals:?}");
            assert_eq!(finals.settled + finals.withheld, finals.games);
            assert!(finals.settled * 4 > games, "{size} {rules}: {finals:?}");
        }
    }
}
