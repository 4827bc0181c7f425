//! Whole games of random events under every rule set: no panic, no inconsistent state, and the record gives the identical game. Taxes in whole games.

use std::collections::BTreeSet;

use jigo_engine::{
    Board, BoardSize, Color, Counting, IllegalMove, Point, Rules, Suicide,
    protocol::{
        ClaimedStatus, Conduct, ContinuationLimits, Count, EndRule, GameEnd, GameEvent, KoChoice, Phase,
        Protocol,
    },
    rules::{Preset, RuleSet},
    zobrist::mix64,
};

/// Events over all games.
const EVENTS: u64 = 1_000_000;

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = mix64(self.0.wrapping_add(1));
        (self.0 % bound as u64) as usize
    }
}

/// Every way to conduct a game on this board.
fn conducts(size: BoardSize) -> Vec<Conduct> {
    let presets = Preset::ALL.map(|preset| Conduct::new(preset, size));
    let makrai = [Preset::MakraiArea, Preset::MakraiTerritory].map(|preset| Conduct::new(preset, size));
    // Short supplies and few continuations, so that the limits are met.
    let tight = makrai.map(|conduct| {
        let limits = ContinuationLimits {
            stone_supply: 3,
            continuations: 2,
            claims: 1,
            verifications: 1,
            ..ContinuationLimits::new(size)
        };
        Conduct { ending: EndRule::Continuations(limits), ..conduct }
    });
    presets.into_iter().chain(tight).chain(Rules::lattice().map(|rules| Conduct::new(rules, size))).collect()
}

fn random_point(size: BoardSize, numbers: &mut Numbers) -> Point {
    Point::from_index(numbers.below(size.point_count()), size).unwrap()
}

/// An event, legal or not; moves are frequent while the game is short, later passes.
fn random_event(game: &Protocol, numbers: &mut Numbers) -> GameEvent {
    let size = game.game().board().size();
    let point = random_point(size, numbers);
    let is_late = game.game().ply_count() as usize > 2 * size.point_count();
    match numbers.below(40) {
        0 => GameEvent::HandOver,
        1 => GameEvent::Challenge(point),
        2 => GameEvent::Demand(KoChoice::Basic),
        3 => GameEvent::Demand(KoChoice::Modified),
        4 | 5 => GameEvent::Mark(point),
        6 => GameEvent::MarkSeki(point),
        7 | 8 => GameEvent::Propose,
        9 => GameEvent::Accept,
        10 | 11 => GameEvent::Reject,
        12 => GameEvent::Claim(point, ClaimedStatus::Dead),
        13 => GameEvent::Claim(point, ClaimedStatus::Alive),
        14 => GameEvent::PlaceHandicap((0..2).map(|_| random_point(size, numbers)).collect()),
        15 if numbers.below(20) == 0 => GameEvent::Resign,
        15 if numbers.below(10) == 0 => GameEvent::OfferDraw,
        15 if numbers.below(2) == 0 => GameEvent::AcceptDraw,
        15 => GameEvent::ModifyKo,
        16 => GameEvent::Pass,
        _ if is_late && numbers.below(3) > 0 => GameEvent::Pass,
        _ => GameEvent::Play(point),
    }
}

/// What must hold in every state.
fn check_state(game: &Protocol) {
    let board = game.game().board();
    let points = board.size().point_count();
    let stones = Color::BOTH.map(|color| board.stone_count(color));
    assert_eq!(stones[0] + stones[1] + board.empty_points().count(), points);
    // A counted game has a result, and no other has.
    assert_eq!(game.result().is_some(), *game.phase() == Phase::Finished(GameEnd::Counted));
    let Some(count) = game.count() else { return };
    let Count { score, territory, dame, seki, dead, .. } = &count;
    // Every point is a stone left standing, or it is in one of the lists.
    let listed: BTreeSet<Point> = territory.iter().chain([dame, seki]).flatten().copied().collect();
    let position = board.position();
    let stones = position.colored_stones().map(|(point, _)| point);
    let standing: Vec<Point> = stones.filter(|point| !dead.contains(point)).collect();
    assert!(standing.iter().all(|point| !listed.contains(point)));
    assert_eq!(standing.len() + listed.len(), points);
    let numbers = [territory[0].len(), territory[1].len(), dame.len(), seki.len()];
    assert_eq!(listed.len(), numbers.iter().sum::<usize>());
    let [black, white] = score.surrounded;
    assert_eq!(numbers, [black, white, score.dame, score.seki].map(|number| number as usize));
    assert_eq!(count.result(), 2 * score.margin() - game.conduct().komi.half_points());
}

/// Plays until the game is finished or long; returns the number of events that were legal.
fn random_game(conduct: Conduct, size: BoardSize, numbers: &mut Numbers) -> (Protocol, u64) {
    let mut game = Protocol::new(size, conduct).unwrap();
    let mut legal = 0;
    for _ in 0..40 * size.point_count() {
        if matches!(game.phase(), Phase::Finished(_)) {
            break;
        }
        let event = random_event(&game, numbers);
        let by = Color::BOTH[numbers.below(2)];
        let by = if numbers.below(4) == 0 { by } else { game.to_play() };
        let checked = game.check(by, &event);
        let plies = (game.game().ply_count(), game.record().len());
        let applied = game.apply(by, event.clone());
        assert_eq!(checked, applied, "{event:?}");
        if applied.is_ok() {
            legal += 1;
            check_state(&game);
        } else {
            assert_eq!(
                (game.game().ply_count(), game.record().len()),
                plies,
                "a refused event changes nothing"
            );
        }
    }
    (game, legal)
}

#[test]
fn a_million_random_events() {
    let mut numbers = Numbers(2026);
    let (mut events, mut finished) = (0, [0; 4]);
    let sizes = [(2, 2), (3, 2), (3, 3), (5, 5), (4, 7), (9, 9), (1, 4)];
    'all: loop {
        for (width, height) in sizes {
            let size = BoardSize::new(width, height).unwrap();
            for conduct in conducts(size) {
                let handicap = if numbers.below(4) == 0 { 2 } else { 0 };
                let conduct = conduct.with_handicap(handicap);
                if Protocol::new(size, conduct).is_err() {
                    continue;
                }
                let (game, legal) = random_game(conduct, size, &mut numbers);
                events += legal;
                match game.phase() {
                    Phase::Finished(GameEnd::Counted) => finished[0] += 1,
                    Phase::Finished(GameEnd::Resigned(_)) => finished[1] += 1,
                    Phase::Finished(GameEnd::Repeated) => finished[2] += 1,
                    Phase::Finished(GameEnd::Agreed) => finished[3] += 1,
                    _ => {}
                }
                replays(&game);
                if events >= EVENTS {
                    break 'all;
                }
            }
        }
    }
    println!("{events} events; finished by count, resignation, repetition, agreed draw: {finished:?}");
    assert!(finished.iter().all(|&games| games > 100), "{finished:?}");
}

/// The record of a game, through its text, gives the identical game.
fn replays(game: &Protocol) {
    let size = game.game().board().size();
    let mut again = Protocol::new(size, game.conduct()).unwrap();
    for (by, event) in game.record() {
        let read = GameEvent::from_text(&event.to_text(size), size).unwrap();
        assert_eq!(&read, event);
        again.apply(*by, read).unwrap();
    }
    assert_eq!(again.record(), game.record());
    assert_eq!(again.phase(), game.phase());
    assert_eq!(again.result(), game.result());
    assert_eq!(again.game().board().position(), game.game().board().position());
    for color in Color::BOTH {
        assert_eq!(again.prisoners(color), game.prisoners(color));
    }
}

/// With every stone that was removed counted as a prisoner, area and territory differ by the stones placed, whatever the players agreed on.
#[test]
fn area_and_territory_differ_by_the_moves() {
    let mut numbers = Numbers(7);
    let size = BoardSize::square(5).unwrap();
    let mut compared = 0;
    for _ in 0..2000 {
        let rules = Rules { counting: Counting::Territory, ..Rules::TROMP_TAYLOR };
        let (game, _) = random_game(Conduct::new(rules, size), size, &mut numbers);
        let Some(score) = game.result() else { continue };
        if game.dead().next().is_some() {
            continue;
        }
        let placed = Color::BOTH.map(|color| game.game().placed(color) as i32);
        assert_eq!(game.game().board().area().margin() - score.score.margin(), placed[0] - placed[1]);
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn a_group_tax_counts_in_whole_games() {
    let diagram = [". . X O ."; 5].join("\n");
    let board: Board = Board::from_diagram(&diagram, Suicide::Forbidden).unwrap();
    let passes = || vec![(Color::Black, GameEvent::Pass), (Color::White, GameEvent::Pass)];
    let agreement = || vec![(Color::Black, GameEvent::Propose), (Color::White, GameEvent::Accept)];
    // Ten and five points of territory, five stones each, and two points of tax on each of the two groups.
    for (rules, end, expected) in [
        ("area+group-tax", passes(), [2 * 13, 2 * 8]),
        ("territory+simple-ko+group-tax", agreement(), [2 * 8, 2 * 3]),
    ] {
        let stones =
            Color::BOTH.into_iter().flat_map(|color| board.stones(color).map(move |stone| (stone, color)));
        let conduct = Conduct::new(rules.parse::<RuleSet>().unwrap(), board.size());
        let mut game = Protocol::from_position(board.size(), conduct, stones, Color::Black).unwrap();
        for (color, event) in passes().into_iter().chain(end) {
            game.apply(color, event).unwrap();
        }
        let score = game.result().unwrap();
        assert_eq!((score.half_points, score.score.taxed_groups), (expected, [1, 1]), "{rules}");
    }
}

/// A stone or a chain of two that is captured at once: by Makrai's rules both are given up, and with the same end but no suicide neither.
#[test]
fn stones_are_given_up_only_where_suicide_is_allowed() {
    for (diagram, stones) in [(". X .\nX X .\n. . .", 1), (". O X\nX X X\n. . .", 2)] {
        let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
        let event = GameEvent::from_text("play A3", board.size()).unwrap();
        for suicide in [Suicide::Allowed, Suicide::Forbidden] {
            let makrai = Conduct::new(Preset::MakraiArea, board.size());
            let conduct = Conduct { rules: Rules { suicide, ..*makrai.rules }.into(), ..makrai };
            let all = Color::BOTH
                .into_iter()
                .flat_map(|color| board.stones(color).map(move |stone| (stone, color)));
            let mut game = Protocol::from_position(board.size(), conduct, all, Color::White).unwrap();
            let played = game.apply(Color::White, event.clone());
            match suicide {
                Suicide::Allowed => assert_eq!((played, game.prisoners(Color::White)), (Ok(()), stones)),
                Suicide::Forbidden => assert_eq!(played, Err(IllegalMove::Suicide.into())),
            }
        }
    }
}

/// Proposals that are always rejected end the game, under every rule set, with what both have marked.
#[test]
fn rejections_do_not_go_on_for_ever() {
    let size = BoardSize::square(5).unwrap();
    for preset in Preset::ALL {
        let mut game = Protocol::new(size, Conduct::new(preset, size)).unwrap();
        let mut rejections = 0;
        for _ in 0..1000 {
            let by = game.to_play();
            let event = match game.phase() {
                Phase::Finished(_) => break,
                Phase::Stopped => GameEvent::Propose,
                Phase::Proposed(proposer) => {
                    rejections += 1;
                    game.apply(proposer.opponent(), GameEvent::Reject).unwrap();
                    continue;
                }
                Phase::Resumed(_) => GameEvent::HandOver,
                _ => GameEvent::Pass,
            };
            game.apply(by, event).unwrap();
        }
        assert_eq!(game.phase(), &Phase::Finished(GameEnd::Counted), "{preset}");
        assert_eq!(rejections, EndRule::MAX_REJECTIONS, "{preset}");
    }
}
