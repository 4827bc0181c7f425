//! Counting and unconditional life in final positions of playouts, against the naive reference.

use crate::definitions::life::unconditional_life;
use jigo_engine::{
    BoardSize, Color, Point, Position, Rules, Suicide,
    reference::{Colouring, ReferenceGame},
};
use jigo_selfplay::{GameRecord, RunConfig};

/// How many positions were of which sort, so that a test cannot pass for want of them.
#[derive(Debug, Default)]
struct Seen {
    capped: u32,
    /// Everything on the board is alive.
    all_alive: u32,
    /// Something is, but not everything.
    partly_alive: u32,
    with_dead: u32,
    with_dame: u32,
}

fn compare(record: &GameRecord, position: &Position, rules: Rules, seen: &mut Seen) {
    let size = position.size();
    let colouring: Colouring = size.points().map(|point| position.stone(point)).collect();
    let naive = ReferenceGame::from_position(size, rules, colouring.clone(), Color::Black);
    assert_eq!(record.area, position.area());
    assert_eq!(Color::BOTH.map(|color| record.area.of(color)), naive.area(), "\n{position}");
    let counts = position.life_counts(rules.suicide);
    for color in Color::BOTH {
        let expected = unconditional_life(size, &colouring, color, rules.suicide);
        let (own, opponent) = (counts[color.index()], counts[color.opponent().index()]);
        let is_dead = |point: &&Point| position.stone(**point) == Some(color.opponent());
        assert_eq!(own.stones as usize, position.stone_count(color));
        assert_eq!(own.chains as usize, position.chain_count(color));
        assert_eq!(own.alive_chains as usize, expected.chains.len(), "{color}\n{position}");
        assert_eq!(own.alive_stones as usize, expected.chains.iter().map(Vec::len).sum::<usize>());
        assert_eq!(own.territory as usize, expected.territory.len(), "{color}\n{position}");
        assert_eq!(opponent.dead_stones as usize, expected.territory.iter().filter(is_dead).count());
        let life = position.unconditional_life(color, rules.suicide);
        assert!(life.territory().eq(expected.territory.iter().copied()), "{color}\n{position}");
    }
    let [black, white] = counts;
    let alive = black.alive_stones + white.alive_stones;
    seen.capped += u32::from(record.is_capped());
    seen.all_alive += u32::from(alive == black.stones + white.stones);
    seen.partly_alive += u32::from(alive > 0 && alive < black.stones + white.stones);
    seen.with_dead += u32::from(black.dead_stones + white.dead_stones > 0);
    seen.with_dame += u32::from(record.area.neutral > 0);
}

fn play(size: &str, policy: &str, suicide: Suicide, ply_cap: Option<u32>, games: u64, seen: &mut Seen) {
    let size: BoardSize = size.parse().unwrap();
    let rules = Rules { suicide, ..Rules::TROMP_TAYLOR };
    let spec = RunConfig::new(size, rules, policy.parse().unwrap()).seed(20_261_121);
    let spec = spec.ply_cap(ply_cap.unwrap_or(spec.config.ply_cap));
    for (record, position) in spec.finished_games(0..games) {
        compare(&record, &position, rules, seen);
    }
}

#[test]
fn finals_of_all_policies_agree_with_the_reference() {
    for suicide in [Suicide::Forbidden, Suicide::Allowed] {
        let mut seen = Seen::default();
        for policy in ["eye-safe", "uniform", "guarded:k=2", "settled:k=3"] {
            for (size, games) in
                [("2x2", 100), ("3x5", 400), ("5", 400), ("9", 300), ("9x13", 60), ("13", 50), ("19", 6)]
            {
                play(size, policy, suicide, None, games, &mut seen);
            }
            // Cut off in the middle: open space, dead stones, dame.
            for plies in [20, 60, 75, 85, 95] {
                play("9", policy, suicide, Some(plies), 100, &mut seen);
                play("13x9", policy, suicide, Some(plies + plies / 3), 20, &mut seen);
            }
        }
        println!("{suicide:?}: {seen:?}");
        let least = seen.all_alive.min(seen.partly_alive).min(seen.with_dead).min(seen.with_dame);
        assert!(least.min(seen.capped) > 50, "{seen:?}");
    }
}
