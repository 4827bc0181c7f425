//! Playing records by the rules.

use jigo_engine::{IllegalMove, rules::Preset};

use super::*;
use ReplayFaultKind as Kind;

/// Plays a record by the rules that it names.
fn play(text: &str) -> Result<Replay, ReplayFault> {
    let record = read(text);
    replay(&record, *rules_of(&record.game))
}

#[track_caller]
fn check_illegal(text: &str, byte: usize, move_number: usize, rule: IllegalMove) {
    let fault = play(text).unwrap_err();
    assert_eq!((fault.byte, fault.move_number), (byte, Some(move_number)), "{fault}");
    assert!(matches!(fault.kind, Kind::Illegal { rule: found, .. } if found == rule), "{fault}");
}

/// A ko on 5×5 that Black has just taken at `cb`; White's stone was at `bb`.
const KO: &str = ";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[ee];W[bb];B[cb]";

#[test]
fn a_plain_game() {
    let replay = play("(;SZ[5];B[ba];W[aa];B[ab];W[cc];B[];W[])").unwrap();
    assert_eq!((replay.plies, replay.passes, replay.plies_after_end), (6, 2, 0));
    assert_eq!(replay.prisoners, [0, 1]);
    assert_eq!((replay.area.stones, replay.area.surrounded, replay.area.neutral), ([2, 1], [1, 0], 21));
    assert_eq!((replay.edits, replay.repetitions.len()), (0, 0));
}

#[test]
fn occupied_points() {
    check_illegal("(;SZ[5];B[cc];W[cc])", 14, 2, IllegalMove::Occupied);
    check_illegal("(;SZ[5]AB[cc];W[cc])", 14, 1, IllegalMove::Occupied);
    check_illegal("(;SZ[5];B[cc];AE[cc]AW[dd];W[dd])", 27, 2, IllegalMove::Occupied);
}

#[test]
fn suicide_is_forbidden_unless_the_rules_allow_it() {
    let corner = ";B[ba];W[ee];B[ab];W[aa]";
    check_illegal(&format!("(;SZ[5]{corner})"), 26, 4, IllegalMove::Suicide);
    let two = "AB[ca][bb][ab]AW[aa];W[ba])";
    check_illegal(&format!("(;SZ[5]{two}"), 28, 1, IllegalMove::Suicide);
    let allowed = play(&format!("(;SZ[5]RU[NZ]{two}")).unwrap();
    assert_eq!((allowed.prisoners, allowed.area.stones), ([0, 2], [3, 0]));
}

#[test]
fn a_ko_may_be_retaken_later_only() {
    let game = |rest: &str| format!("(;SZ[5]{KO}{rest})");
    check_illegal(&game(";W[bb]"), 62, 10, IllegalMove::Ko);
    let threat = play(&game(";W[ea];B[ae];W[bb]")).unwrap();
    assert_eq!((threat.prisoners, threat.repetitions.len()), ([1, 1], 0));
    let cycle = play(&game(";W[];B[];W[bb]")).unwrap();
    assert_eq!(cycle.repetitions.len(), 1);
    let event = cycle.repetitions[0];
    assert_eq!((event.ply, event.repetition.earlier_ply, event.repetition.cycle_plies), (11, 8, 4));
    assert_eq!((event.repetition.cycle_passes, event.repetition.cycle_removed), (2, [1, 1]));
    let by_superko = play(&format!("(;SZ[5]RU[AGA]{KO};W[];B[];W[bb])")).unwrap_err();
    assert_eq!(by_superko.kind.name(), "forbidden by superko");
    assert_eq!(by_superko.move_number, Some(12));
}

#[test]
fn play_may_go_on_after_two_passes() {
    let replay = play("(;SZ[5];B[cc];W[];B[];W[];B[];W[dd];B[aa])").unwrap();
    assert_eq!((replay.plies, replay.passes, replay.plies_after_end), (7, 4, 3));
    assert_eq!(replay.area.stones, [2, 1]);
    check_illegal("(;SZ[5];B[cc];W[];B[];W[cc])", 22, 4, IllegalMove::Occupied);
}

#[test]
fn moves_out_of_turn_are_played_as_written() {
    let replay = play("(;SZ[5];W[ca];W[cb];B[ab];B[bb];B[])").unwrap();
    assert_eq!(replay.area.stones, [2, 2]);
    // White may fill a ko that Black, moving twice, was about to take.
    let ko = play(&format!("(;SZ[5]{KO};B[ea];W[bb])")).unwrap();
    assert_eq!(ko.prisoners, [1, 1]);
}

#[test]
fn handicap_and_setup() {
    let replay = play("(;SZ[9]HA[2]AB[cc][gg];W[ee];B[ce])").unwrap();
    assert_eq!((replay.area.stones, replay.plies), ([3, 1], 2));
    let missing = play("(;SZ[9]HA[2];W[ee])").unwrap();
    assert_eq!(missing.area.stones, [0, 1], "no stone is invented");
    let strangled = play("(;SZ[5]AB[aa]AW[ab][ba];B[cc])").unwrap_err();
    assert_eq!((strangled.byte, strangled.move_number), (0, None));
    assert_eq!(strangled.to_string(), "byte 0: the chain at `aa` is set up without a liberty");
}

#[test]
fn edits_between_the_moves() {
    let replay = play("(;SZ[5];B[ba];W[aa];B[ab];AE[ba]AW[cc];W[aa];B[dd])").unwrap();
    assert_eq!((replay.edits, replay.prisoners), (1, [0, 1]));
    assert_eq!(replay.area.stones, [2, 2]);
    // The stones of the ko are set anew, so that nothing is known of the capture.
    let ko = format!("(;SZ[5]{KO};AE[ee];W[bb];B[cb])");
    check_illegal(&ko, 75, 11, IllegalMove::Ko);
    let turn = play("(;SZ[5];B[aa];PL[B];B[bb])").unwrap();
    assert_eq!((turn.edits, turn.area.stones), (1, [2, 0]));
    let strangled = play("(;SZ[5];B[aa];AW[ab][ba];B[cc])").unwrap_err();
    assert_eq!((strangled.byte, strangled.move_number), (14, Some(1)));
    assert_eq!(strangled.kind, Kind::NoLiberty(jigo_engine::Point::new(0, 0)));
}

#[test]
fn a_turn_change_alone_keeps_the_history() {
    let cycle = play(&format!("(;SZ[5]{KO};PL[B];B[];W[bb])")).unwrap();
    assert_eq!((cycle.repetitions.len(), cycle.edits), (1, 1));
}

#[test]
fn rules_by_name() {
    let rules = |name: &str| rules_of(&read(&format!("(;RU[{name}])")).game);
    for preset in Preset::ALL {
        assert_eq!(rules(preset.name()), preset.into());
    }
    assert_eq!(rules("Tromp Taylor"), Preset::TrompTaylor.into());
    assert_eq!(rules(" Chinese "), Preset::Chinese.into());
    assert_eq!(rules("NZ"), Preset::NewZealand.into());
    assert_eq!(rules("GOE").suicide, jigo_engine::Suicide::Allowed);
    assert_eq!(rules("whatever"), Preset::Japanese.into());
    assert_eq!(rules_of(&read("(;B[aa])").game), Preset::Japanese.into());
}
