//! Whole games through SGF text and back: the identical game, and nothing doubtful is accepted.

use jigo_engine::{
    AnyGame, BoardSize, Color, Komi, Point, Rules,
    protocol::{ClaimedStatus, Conduct, EndRule, GameEvent, KoChoice, Phase, Protocol},
    rules::Preset,
    zobrist::mix64,
};
use jigo_selfplay::{
    fingerprint::{conduct_fingerprint, rules_fingerprint},
    sgf::{
        DiagnosticKind, SgfGame, WholeGameError, from_protocol, read_collection, replay, replay_in, rules_of,
        to_protocol, write,
    },
};

fn read(text: &str) -> SgfGame {
    let mut collection = read_collection(text.as_bytes());
    let record = collection.remove(0).unwrap();
    // Free handicap stones are moves of Black in a row.
    let is_handicap = |kind| matches!(kind, DiagnosticKind::SameColor | DiagnosticKind::Handicap);
    assert!(record.warnings.iter().all(|warning| is_handicap(warning.kind)), "{:?}\n{text}", record.warnings);
    record.game
}

/// Plays legal events at random.
fn random_game(size: BoardSize, conduct: Conduct, seed: u64) -> Option<Protocol> {
    let mut game = Protocol::new(size, conduct).ok()?;
    let mut seed = mix64(seed);
    for _ in 0..30 * size.point_count() {
        seed = mix64(seed);
        let point = Point::from_index(seed as usize % size.point_count(), size)?;
        let event = match seed >> 32 & 31 {
            0 => GameEvent::HandOver,
            1 => GameEvent::Challenge(point),
            2 => GameEvent::Demand(KoChoice::Modified),
            3 | 4 => GameEvent::Mark(point),
            5 => GameEvent::Propose,
            6 => GameEvent::Accept,
            7 => GameEvent::Reject,
            8 => GameEvent::Claim(point, ClaimedStatus::Dead),
            9 => GameEvent::PlaceHandicap(vec![point, Point::new(0, 0)]),
            10..13 => GameEvent::Pass,
            _ => GameEvent::Play(point),
        };
        let by = if seed >> 40 & 3 == 0 { game.to_play().opponent() } else { game.to_play() };
        // What is refused changes nothing.
        let _ = game.apply(by, event);
        if matches!(game.phase(), Phase::Finished(_)) {
            break;
        }
    }
    Some(game)
}

/// Whole games of all kinds.
fn random_games() -> impl Iterator<Item = Protocol> {
    let sizes = [(3, 3), (2, 3), (5, 5), (9, 9)];
    sizes.into_iter().flat_map(|(width, height)| {
        let size = BoardSize::new(width, height).unwrap();
        let presets = Preset::ALL.map(|preset| Conduct::new(preset, size));
        let all = presets.into_iter().chain(Rules::lattice().map(move |rules| Conduct::new(rules, size)));
        let seeded = all.flat_map(|conduct| (0..12).map(move |seed| (conduct, seed)));
        seeded.filter_map(move |(conduct, seed)| {
            let handicap = if seed % 3 == 0 { 2 } else { 0 };
            random_game(size, conduct.with_handicap(handicap), seed)
        })
    })
}

#[test]
fn whole_games_round_trip() {
    let (mut games, mut with_events) = (0, 0);
    for game in random_games() {
        let sgf = from_protocol(&game);
        let again = read(&write(&sgf));
        assert_eq!(again, sgf);
        let replayed = to_protocol(&again).unwrap_or_else(|error| panic!("{error}\n{}", write(&sgf)));
        assert_eq!(replayed.record(), game.record());
        assert_eq!((replayed.phase(), replayed.result()), (game.phase(), game.result()));
        games += 1;
        with_events += usize::from(!again.info.values("JE").is_empty());
    }
    println!("{games} games, {with_events} with events that SGF does not have");
    assert!(games > 1000 && with_events > 500);
}

/// Whoever reads the main line alone gets the same last position and the same stones removed.
#[test]
fn main_lines_are_games_of_their_own() {
    let (mut makrai, mut given_up) = (0, 0);
    // While a claim is verified, the last position is that of the verification.
    for game in random_games().filter(|game| *game.phase() != Phase::Verifying) {
        let text = write(&from_protocol(&game));
        let record = read_collection(text.as_bytes()).remove(0).unwrap();
        let mut replayed = AnyGame::new(record.game.size, *rules_of(&record.game));
        let replay = replay_in(&mut replayed, &record).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        assert_eq!(replayed.position().to_position(), game.game().board().position(), "{text}");
        let is_makrai = matches!(game.conduct().ending, EndRule::Continuations(_));
        let of = |color| if is_makrai { game.prisoners(color) } else { game.game().prisoners(color) };
        assert_eq!(replay.prisoners, Color::BOTH.map(of), "{text}");
        let single = replay.repetitions.iter().filter(|event| event.repetition.cycle_plies == 1);
        makrai += usize::from(is_makrai);
        given_up += single.count();
    }
    println!("{makrai} games by Makrai's rules, {given_up} single stones given up");
    assert!(makrai > 50 && given_up > 50);
}

/// Single stones are given up by Makrai's rules alone.
#[test]
fn other_rules_forbid_what_only_a_protocol_allows() {
    let record =
        |rules: &str| format!("(;FF[4]GM[1]CA[UTF-8]SZ[5]RU[{rules}];B[ba];W[ee];B[ab];W[aa];B[];W[];B[cc])");
    let play = |text: String, rules: Option<Rules>| {
        let record = read_collection(text.as_bytes()).remove(0).unwrap();
        replay(&record, rules.unwrap_or_else(|| *rules_of(&record.game)))
    };
    let makrai = play(record("makrai-territory"), None).unwrap();
    assert_eq!((makrai.prisoners, makrai.plies, makrai.passes, makrai.plies_after_end), ([0, 1], 7, 2, 1));
    let event = makrai.repetitions[0];
    assert_eq!((event.ply, event.repetition.earlier_ply, event.repetition.cycle_removed), (3, 3, [0, 1]));
    for fault in [play(record("nz"), None), play(record("makrai-territory"), Some(Rules::TROMP_TAYLOR))] {
        assert_eq!(fault.unwrap_err().kind.name(), "forbidden suicide");
    }
}

const GAME: &str = "(;FF[4]GM[1]CA[UTF-8]SZ[3]KM[5.5]RU[czech]\
    JC[territory+simple-ko+no-suicide+fixed-handicap; end=pass-stones; komi=5.5; handicap=0][0,0]\
    JE[3 B propose][3 W reject][3 W hand-over][4 B hand-over][5 B propose][5 W accept]\
    ;B[bb];W[];B[];W[];B[])";

#[test]
fn an_agreed_draw_is_read_back() {
    let size = BoardSize::square(9).unwrap();
    let mut game = Protocol::new(size, Conduct::new(Preset::BrainKing, size)).unwrap();
    for (by, text) in [(Color::Black, "play C3"), (Color::White, "offer-draw"), (Color::Black, "accept-draw")]
    {
        game.apply(by, GameEvent::from_text(text, size).unwrap()).unwrap();
    }
    let text = write(&from_protocol(&game));
    assert!(text.contains("RE[0]") && text.contains("JE[1 W offer-draw][1 B accept-draw]"), "{text}");
    assert_eq!(to_protocol(&read(&text)).unwrap().phase(), game.phase());
}

#[test]
fn what_contradicts_the_rules_or_itself_is_refused() {
    let error = |text: &str| to_protocol(&read(text)).map(|_| ()).unwrap_err();
    assert_eq!(error("(;FF[4]GM[1]CA[UTF-8]SZ[3];B[bb])"), WholeGameError::NoConduct);
    assert!(matches!(
        error(&GAME.replace("end=pass-stones", "end=never")),
        WholeGameError::Value { property: "JC", .. }
    ));
    assert!(matches!(error(&GAME.replace("[0,0]", "[some]")), WholeGameError::Value { property: "JC", .. }));
    assert!(matches!(
        error(&GAME.replace("3 B propose", "3 X propose")),
        WholeGameError::Value { property: "JE", .. }
    ));
    assert!(matches!(
        error(&GAME.replace("3 B propose", "3 B suggest")),
        WholeGameError::Value { property: "JE", .. }
    ));
    let refused = error(&GAME.replace("5 W accept", "5 B accept"));
    assert_eq!(refused.to_string(), "event 9, Black `accept`: turns: White is to move or to decide");
    // The fingerprint of other rules, and that of these.
    let stated =
        |fingerprint: &str| GAME.replace("JE[3 B propose]", &format!("JF[{fingerprint}]JE[3 B propose]"));
    let size = BoardSize::square(3).unwrap();
    let [czech, plain] = [to_protocol(&read(GAME)).unwrap().conduct(), Conduct::new(Preset::Czech, size)];
    assert_ne!(czech.rules, plain.rules, "the record's rules have no seki tax");
    assert!(matches!(error(&stated(&conduct_fingerprint(&plain))), WholeGameError::Rules(_)));
    assert!(matches!(error(&stated(&rules_fingerprint(*czech.rules))), WholeGameError::Rules(_)));
    assert!(to_protocol(&read(&stated(&conduct_fingerprint(&czech.with_komi(Komi::ZERO))))).is_ok());
    // A stone where the events have a pass, or nothing.
    for (text, changed) in [(";W[];B[])", ";W[aa];B[])"), (";W[];B[])", ";W[])")] {
        let error = error(&GAME.replace(text, changed));
        assert!(matches!(error, WholeGameError::Contradiction(_)), "{error}");
    }
    assert!(to_protocol(&read(GAME)).is_ok());
}
