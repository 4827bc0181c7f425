//! The fast board against the naive reference, move by move, on random games over many sizes and all rule combinations.

use jigo_engine::{
    BoardSize, Color, Counting, Game, IllegalMove, Move, Rules,
    game::Repetition,
    reference::{Colouring, ReferenceGame, Refusal},
    rules::Supply,
    score::ScoringContext,
    zobrist::mix64,
};

/// A tiny generator for tests: mix64 of a counter.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 += 1;
        (mix64(self.0) % bound as u64) as usize
    }
}

/// What a batch of games has exercised, so that a test that compares nothing fails.
#[derive(Default, Debug)]
struct Seen {
    games: u32,
    plies: u64,
    captures: u64,
    suicides: u64,
    ko_refusals: u64,
    superko_refusals: u64,
    repetitions: u64,
    single_suicides: u64,
    forced_passes: u64,
    cycles: u64,
}

/// What the reference game was like after each ply.
#[derive(Default)]
struct Past(Vec<(Colouring, Color, [u32; 2], bool)>);

impl Past {
    fn push(&mut self, game: &ReferenceGame, was_pass: bool) {
        self.0.push((game.colouring().clone(), game.to_play(), game.prisoners, was_pass));
    }

    /// The repetition by the last ply, a stone.
    fn repetition(&self) -> Option<Repetition> {
        let (now, earlier) = self.0.split_last()?;
        let ply = earlier.iter().rposition(|then| then.0 == now.0)?;
        Some(Repetition {
            earlier_ply: ply as u32,
            cycle_plies: (earlier.len() - ply) as u32,
            cycle_passes: earlier[ply + 1..].iter().filter(|entry| entry.3).count() as u32,
            cycle_removed: [0, 1].map(|side| now.2[side] - earlier[ply].2[side]),
            same_player: earlier[ply].1 == now.1,
        })
    }
}

/// Plays one random game on both boards; every ply compares the legal set, and the state after the move.
fn compare_one_game(size: BoardSize, rules: Rules, hash_bits: u32, draws: &mut Draws, seen: &mut Seen) {
    let mut fast: Game = Game::with_hash_bits(size, rules, hash_bits);
    let mut naive = ReferenceGame::new(size, rules);
    let mut past = Past::default();
    past.push(&naive, false);
    let cap = 4 * size.point_count() + 4;
    for _ in 0..cap {
        if naive.is_over() {
            break;
        }
        for point in size.points() {
            let (expected, found) = (naive.check(Move::Play(point)), fast.check(Move::Play(point)));
            assert_eq!(expected.is_ok(), found.is_ok(), "{point:?} {expected:?} {found:?}\n{}", fast.board());
            seen.ko_refusals += u64::from(expected == Err(Refusal::Ko));
            seen.superko_refusals += u64::from(expected == Err(Refusal::Superko));
            assert_eq!(
                expected == Err(Refusal::OutOfStones),
                matches!(found, Err(IllegalMove::OutOfStones(_)))
            );
        }
        let legal = naive.legal_points();
        assert!(fast.legal_points().eq(legal.iter().copied()));
        // Passes are rare enough that games get long, and frequent enough to meet repetitions after a pass.
        let mv = match legal.len() {
            0 => Move::Pass,
            _ if draws.below(24) == 0 => Move::Pass,
            count => Move::Play(legal[draws.below(count)]),
        };
        let before = naive.prisoners;
        let mover = naive.to_play();
        naive.play(mv).unwrap();
        let played = fast.play(mv).unwrap();
        past.push(&naive, mv == Move::Pass);
        assert_eq!(played.repetition, mv.point().and_then(|_| past.repetition()), "{}", fast.board());
        seen.captures += u64::from(played.outcome.captured > 0);
        seen.suicides += u64::from(played.outcome.given_up > 0);
        seen.single_suicides += u64::from(played.outcome.given_up == 1);
        seen.cycles += u64::from(fast.has_cycled());
        seen.forced_passes += u64::from(fast.is_out_of_stones());
        seen.repetitions += u64::from(played.repetition.is_some());
        assert_eq!(
            naive.prisoners[mover.index()] - before[mover.index()],
            u32::from(played.outcome.given_up)
        );
        compare_state(&fast, &naive);
        seen.plies += 1;
    }
    seen.games += 1;
}

fn compare_state(fast: &Game, naive: &ReferenceGame) {
    let size = fast.board().size();
    fast.board().validate().unwrap();
    assert_eq!(fast.to_play(), naive.to_play());
    assert_eq!((fast.is_over(), fast.has_cycled()), (naive.is_over(), naive.has_cycled()));
    assert_eq!(fast.is_out_of_stones(), naive.is_out_of_stones());
    for (point, &stone) in size.points().zip(naive.colouring()) {
        assert_eq!(fast.board().stone(point), stone, "{point:?}\n{}", fast.board());
    }
    for color in Color::BOTH {
        assert_eq!(fast.prisoners(color), naive.prisoners[color.index()]);
    }
    let area = fast.board().area();
    assert_eq!([area.of(Color::Black), area.of(Color::White)], naive.area());
    // A player's stones are those placed and not removed; area − territory = moves(B) − moves(W) (Tromp–Taylor's remark on counting).
    let on_board = |color| fast.placed(color) as usize - fast.prisoners(color) as usize;
    assert!(Color::BOTH.iter().all(|&color| on_board(color) == fast.board().stone_count(color)));
    let moves = fast.placed(Color::Black) as i32 - fast.placed(Color::White) as i32;
    let prisoners = Color::BOTH.map(|color| fast.prisoners(color));
    let rules = Rules { counting: Counting::Territory, ..Rules::TROMP_TAYLOR };
    let context = ScoringContext { prisoners, ..ScoringContext::default() };
    let territory = fast.board().position().score(rules, &context);
    assert_eq!(area.margin() - territory.margin(), moves);
}

fn compare(sizes: impl IntoIterator<Item = (usize, usize)>, games: u32, hash_bits: u32) -> Seen {
    compare_by(&Rules::lattice().collect::<Vec<_>>(), sizes, games, hash_bits)
}

fn compare_by(
    all_rules: &[Rules],
    sizes: impl IntoIterator<Item = (usize, usize)>,
    games: u32,
    hash_bits: u32,
) -> Seen {
    let mut seen = Seen::default();
    let mut draws = Draws(u64::from(games) << 32 | u64::from(hash_bits));
    for (width, height) in sizes {
        for &rules in all_rules {
            for _ in 0..games {
                let size = BoardSize::new(width, height).unwrap();
                compare_one_game(size, rules, hash_bits, &mut draws, &mut seen);
            }
        }
    }
    println!("{seen:?}");
    seen
}

#[test]
fn small_boards() {
    let sizes = (1..=5).flat_map(|width| (1..=5).map(move |height| (width, height)));
    let seen = compare(sizes, 18, 64);
    assert!(seen.games >= 10_000);
    for (what, count) in [
        ("captures", seen.captures),
        ("suicides", seen.suicides),
        ("ko refusals", seen.ko_refusals),
        ("superko refusals", seen.superko_refusals),
        ("repetitions", seen.repetitions),
    ] {
        assert!(count > 1000, "too few {what}: {seen:?}");
    }
}

#[test]
fn finite_stones() {
    let finite = Rules::lattice().map(|rules| Rules { supply: Supply::Finite, ..rules });
    let sizes = (1..=4).flat_map(|width| (1..=4).map(move |height| (width, height)));
    let seen = compare_by(&finite.collect::<Vec<_>>(), sizes, 10, 64);
    for (what, count) in [
        ("suicides of single stones", seen.single_suicides),
        ("players out of stones", seen.forced_passes),
        ("cycles", seen.cycles),
    ] {
        assert!(count > 100, "too few {what}: {seen:?}");
    }
}

#[test]
fn rectangles_and_large_boards() {
    let seen = compare([(7, 2), (2, 9), (1, 12), (25, 1), (6, 7), (8, 8), (9, 5), (3, 19)], 1, 64);
    assert!(seen.captures > 0 && seen.superko_refusals > 0, "{seen:?}");
    let seen = compare([(9, 9)], 1, 64);
    assert!(seen.plies > 1000);
}

/// With a hash of no bits at all every position collides with every other, with two bits a quarter of them do. Games stay the same: a
/// collision never decides.
#[test]
fn a_weak_hash_changes_nothing() {
    for hash_bits in [0, 2, 7] {
        let seen = compare([(2, 2), (3, 2), (4, 4)], 30, hash_bits);
        assert!(seen.superko_refusals > 1000, "{seen:?}");
    }
}
