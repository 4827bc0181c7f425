//! Records made up so that no two are counted together.

use super::*;

#[test]
fn groups_beyond_the_limit_are_counted_together_in_any_order() {
    let most = RecordStudy::MAX_GROUPS;
    let game = |komi: usize| format!("(;SZ[2]KM[{komi}];B[aa])");
    let mut komis: Vec<usize> = (1..=most + 50).flat_map(|komi| [komi, komi + 7]).collect();
    let text = |komis: &[usize]| komis.iter().map(|&komi| game(komi)).collect::<String>();
    let upwards = study_of(&[("a.sgf", &text(&komis))]);
    komis.reverse();
    let (one, other) = komis.split_at(komis.len() / 3);
    let mut parts = study_of(&[("a.sgf", &text(one))]);
    parts.merge(study_of(&[("a.sgf", &text(other))]));
    for study in [&upwards, &parts] {
        assert_eq!(study.games(), 2 * (most as u64 + 50));
        assert_eq!(study.groups.len(), most + 1);
        let further = study.groups.iter().find(|(key, _)| key.is_further()).unwrap().1;
        // Komi 10,001 to 10,050 from the first of each two, 10,001 to 10,057 from the second.
        assert_eq!(further.games, 50 + 57);
    }
    let plies = |study: &RecordStudy| {
        study.groups.iter().map(|(key, measures)| (key.clone(), measures.plies.clone())).collect::<Vec<_>>()
    };
    assert_eq!(plies(&upwards), plies(&parts));
}
