//! Whole games between players who hold certified statuses: agreement, dispute, end.

use jigo_engine::{
    Board, BoardSize, Color, Point, RuleSet, Rules, Suicide,
    life::{Proof, Status, StatusSolver},
    protocol::{Conduct, EndRule, GameEnd, GameEvent, Phase, Protocol},
    rules::Preset,
};
use jigo_selfplay::{
    Policy, Stream,
    sgf::{from_protocol, to_protocol},
    whole_game::{Agreement, CertifiedPlayer, Settlement, play_whole_game},
};

/// A limit with which a search proves nothing.
const NOTHING: usize = 0;

fn judge(rules: Rules, limit: usize) -> StatusSolver {
    StatusSolver::with_limit(rules.suicide, rules.ko, limit)
}

/// Plays to the end with these limits of Black's and White's searches.
fn play(game: &mut Protocol, policy: &str, limits: [usize; 2], seed: u64) -> Settlement {
    let rules = *game.conduct().rules;
    let policy: Policy = policy.parse().unwrap();
    let [mut black, mut white] =
        [0, 1].map(|color| CertifiedPlayer::new(policy.player(), judge(rules, limits[color])));
    let streams = [0, 1].map(|color| Stream::new(seed, color));
    let cap = 6 * game.game().board().size().point_count() as u32;
    play_whole_game(game, [&mut black, &mut white], streams, cap).unwrap()
}

fn count(game: &Protocol, is: fn(&GameEvent) -> bool) -> usize {
    game.record().iter().filter(|(_, event)| is(event)).count()
}

#[test]
fn certified_dead_stones_are_removed() {
    let size = BoardSize::square(7).unwrap();
    for name in RuleSet::all() {
        let conduct = Conduct::new(name, size);
        let (mut removed, mut finished) = (0, 0);
        for seed in 0..30 {
            let mut game = Protocol::new(size, conduct).unwrap();
            let settlement = play(&mut game, "settled:k=3", [StatusSolver::DEFAULT_LIMIT; 2], seed);
            assert_eq!(settlement.disputes, 0, "equal judges agree: {name} {seed}");
            let Some(agreement) = settlement.agreement else { continue };
            assert_eq!(agreement, Agreement::Same);
            finished += 1;
            let chains =
                judge(*conduct.rules, StatusSolver::DEFAULT_LIMIT).chains(&game.game().board().position());
            let mut certified: Vec<Point> = Vec::new();
            for chain in chains.iter().filter(|chain| chain.status == Status::Dead) {
                certified.extend(&chain.stones);
            }
            let dead: Vec<Point> = game.dead().collect();
            assert!(dead.iter().all(|point| certified.contains(point)), "{name} {seed}");
            // Marks of whole territories, and stones in eyes of sekis, may leave some standing.
            let has_seki = chains.iter().any(|chain| chain.status == Status::Seki);
            if conduct.ending != EndRule::Marking && !has_seki {
                assert_eq!(dead.len(), certified.len(), "{name} {seed}\n{:#}", game.game().board());
            }
            removed += dead.len();
        }
        println!("{name}: {finished} of 30 games finished, {removed} dead stones removed");
        assert!(finished >= 25 && removed >= 30, "{name}: {finished} games, {removed} stones");
    }
}

/// A white group with an eye of four points in a square, surrounded by a black group that lives: dead, but not unconditionally, so that it takes a
/// search to know.
const SQUARE_FOUR: &str = ". . O X .\n. . O X X\nO O O X .\nX X X X X\n. X . X X";

/// Stopped in the position of a diagram, Black to move or to propose.
fn stopped(diagram: &str, conduct: impl Fn(BoardSize) -> Conduct) -> Protocol {
    let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
    let stones =
        Color::BOTH.into_iter().flat_map(|color| board.stones(color).map(move |point| (point, color)));
    let conduct = conduct(board.size());
    let mut game = Protocol::from_position(board.size(), conduct, stones, Color::Black).unwrap();
    for color in Color::BOTH {
        game.apply(color, GameEvent::Pass).unwrap();
    }
    assert_eq!(*game.phase(), Phase::Stopped);
    game
}

#[test]
fn the_constructed_disputes_are_some() {
    let diagrams = [SQUARE_FOUR, TWO_POINTS];
    for (name, diagram) in RuleSet::all().flat_map(|name| diagrams.map(|diagram| (name, diagram))) {
        let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
        let rules = Conduct::new(name, board.size()).rules;
        let white = |limit| judge(*rules, limit).chains(&board.position()).pop().unwrap();
        let (known, unknown) = (white(StatusSolver::DEFAULT_LIMIT), white(NOTHING));
        assert_eq!((known.color, known.status, known.proof), (Color::White, Status::Dead, Proof::Search));
        assert_eq!(unknown.status, Status::Unknown);
    }
}

#[test]
fn a_dispute_is_played_out_by_the_rule_sets_resumption() {
    for name in RuleSet::all() {
        for seed in 0..10 {
            let mut game = stopped(SQUARE_FOUR, |size| Conduct::new(name, size));
            let settlement = play(&mut game, "settled:k=3", [StatusSolver::DEFAULT_LIMIT, NOTHING], seed);
            let record = game.record();
            assert!(settlement.disputes >= 1, "{name} {seed}");
            assert_eq!(settlement.agreement, Some(Agreement::Same), "{name} {seed}: {record:?}");
            assert_eq!(count(&game, |event| *event == GameEvent::Reject), settlement.disputes as usize);
            assert_eq!(count(&game, |event| *event == GameEvent::Accept), 1);
            // Black had to show it, and did: what is left of White is dead to both.
            assert!(count(&game, |event| matches!(event, GameEvent::Play(_))) > 0);
            let left = game.game().board().stone_count(Color::White);
            assert_eq!(game.dead().count(), left, "{name} {seed}\n{:#}", game.game().board());
            let hand_overs = count(&game, |event| *event == GameEvent::HandOver);
            let demands = count(&game, |event| matches!(event, GameEvent::Demand(_)));
            assert_eq!(hand_overs > 0, name == Preset::Czech.into());
            assert_eq!(demands > 0, name.supply == jigo_engine::rules::Supply::Finite);
        }
    }
}

#[test]
fn without_a_dispute_nothing_is_played() {
    for (limits, dead) in [([StatusSolver::DEFAULT_LIMIT; 2], 5), ([NOTHING; 2], 0)] {
        let mut game =
            stopped(SQUARE_FOUR, |size| Conduct::new("japanese".parse::<RuleSet>().unwrap(), size));
        let settlement = play(&mut game, "settled:k=3", limits, 1);
        assert_eq!(settlement, Settlement { agreement: Some(Agreement::Same), disputes: 0 });
        assert_eq!(count(&game, |event| matches!(event, GameEvent::Play(_))), 0);
        assert_eq!(game.dead().count(), dead);
    }
}

/// A dead group with an eye of two points, in which neither side plays who puts no stone into atari.
const TWO_POINTS: &str = ". O X .\n. O X X\nO O X .\nX X X X\n. X . X";

#[test]
fn what_play_does_not_show_is_alive() {
    for name in RuleSet::all() {
        // White alone knows that its chain is dead, and Black makes no try.
        let mut game = stopped(TWO_POINTS, |size| Conduct::new(name, size));
        let settlement = play(&mut game, "settled:k=1", [NOTHING, StatusSolver::DEFAULT_LIMIT], 1);
        let stones = count(&game, |event| matches!(event, GameEvent::Play(_)));
        // By passes, the third and the fourth end the game.
        let agreement = (game.conduct().ending != EndRule::Passes).then_some(Agreement::Common);
        assert_eq!((settlement.agreement, settlement.disputes), (agreement, 1), "{name}");
        assert!(matches!(game.phase(), Phase::Finished(GameEnd::Counted)), "{name}");
        assert_eq!((stones, game.dead().count()), (0, 0), "{name}");
        // When Black knows, Black shows it.
        let mut game = stopped(TWO_POINTS, |size| Conduct::new(name, size));
        let settlement = play(&mut game, "settled:k=1", [StatusSolver::DEFAULT_LIMIT, NOTHING], 1);
        assert_eq!((settlement.agreement, settlement.disputes), (Some(Agreement::Same), 1), "{name}");
        assert_eq!(game.dead().count(), game.game().board().stone_count(Color::White), "{name}");
    }
}

#[test]
fn without_plies_left_nobody_disputes() {
    let mut game = stopped(SQUARE_FOUR, |size| Conduct::new("japanese".parse::<RuleSet>().unwrap(), size));
    let judge = |limit| judge(*game.conduct().rules, limit);
    let player = |limit| CertifiedPlayer::new(Policy::EYE_SAFE.player(), judge(limit));
    let (mut black, mut white) = (player(StatusSolver::DEFAULT_LIMIT), player(NOTHING));
    let cap = game.game().ply_count();
    let settlement =
        play_whole_game(&mut game, [&mut black, &mut white], [0, 1].map(|color| Stream::new(1, color)), cap);
    let settlement = settlement.unwrap();
    assert_eq!(settlement, Settlement { agreement: Some(Agreement::Common), disputes: 0 });
    assert_eq!((game.dead().count(), game.game().ply_count()), (0, cap));
}

#[test]
fn games_are_functions_of_the_seed_and_survive_as_text() {
    let size = BoardSize::square(7).unwrap();
    let mut disputes = 0;
    for name in ["tromp-taylor", "japanese", "czech", "brainking", "makrai-territory"] {
        for seed in 0..100 {
            let play = || {
                let mut game =
                    Protocol::new(size, Conduct::new(name.parse::<RuleSet>().unwrap(), size)).unwrap();
                let settlement = play(&mut game, "settled:k=1", [StatusSolver::DEFAULT_LIMIT, NOTHING], seed);
                (game, settlement)
            };
            let ((game, settlement), (again, same)) = (play(), play());
            assert_eq!((game.record(), settlement), (again.record(), same));
            let read = to_protocol(&from_protocol(&game)).unwrap();
            assert_eq!((read.record(), read.result()), (game.record(), game.result()));
            disputes += settlement.disputes;
        }
    }
    println!("{disputes} disputes");
    assert!(disputes >= 20, "{disputes}");
}
