use jigo_selfplay::sealed::seal;
use serde_json::{Value, json};

use super::*;

fn written() -> Value {
    serde_json::from_slice(&study_json(&small_study(150), &meta())).unwrap()
}

/// A file with these contents and the digest that fits.
pub(super) fn forged(value: &Value) -> Vec<u8> {
    let mut value = value.clone();
    value.as_object_mut().unwrap().remove("blake3");
    seal(&value.to_string()).into_bytes()
}

fn error_of(value: &Value) -> String {
    read_study(&forged(value)).unwrap_err().to_string()
}

#[test]
fn what_was_written_is_read_again() {
    let study = small_study(150);
    assert!(read_study(&study_json(&study, &meta())).unwrap().study == study);
    assert!(read_study(&study_json(&Study::default(), &meta())).unwrap().study == Study::default());
}

#[test]
fn a_study_that_was_read_goes_on_counting() {
    let whole = cell(5, Rules::TROMP_TAYLOR.into(), Policy::EYE_SAFE, 40);
    let part = |first, end| {
        let mut study = Study::default();
        study.add(RunStats::play(&whole.config.seed(7), first..end, &Progress::new()).unwrap()).unwrap();
        read_study(&study_json(&study, &meta())).unwrap().study
    };
    let mut merged = part(15, 40);
    merged.merge(part(0, 15)).unwrap();
    let bytes = |study: &Study| study_json(study, &meta());
    assert!(bytes(&merged) == bytes(&Study { runs: vec![whole], ..Study::default() }));
}

#[test]
fn other_files_are_refused() {
    let refused = |bytes: &[u8], reason: &str| {
        let error = read_study(bytes).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    };
    refused(b"", "not a study");
    refused(b"[]", "not a study");
    refused(b"{}", "\"format\"");
    refused(br#"{"format":"jigo-summary","version":1}"#, "\"format\"");
    refused(br#"{"format":"jigo-study","version":1}"#, "version 1");
    refused(br#"{"format":"jigo-study","version":5}"#, "version 5");
    refused(br#"{"format":"jigo-study","version":6}"#, "digest");
    refused(br#"{"format":"jigo-study","version":6"#, "not a study");
    let bytes = study_json(&small_study(10), &meta());
    for end in (0..bytes.len() - 2).step_by(997) {
        assert!(read_study(&bytes[..end]).is_err(), "cut at {end}");
    }
    assert!(read_study("[".repeat(100_000).as_bytes()).is_err());
}

/// Whatever digit or letter of a file is another, be it in its counts or beside them.
#[test]
fn every_change_of_a_character_is_noticed() {
    let bytes = study_json(&small_study(150), &meta());
    let places =
        (0..400).chain((400..bytes.len()).step_by(97)).filter(|&place| bytes[place].is_ascii_alphanumeric());
    for place in places {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(read_study(&damaged).is_err(), "{place}");
    }
}

#[test]
fn rules_that_changed_their_meaning_are_refused() {
    let mut value = written();
    let setting = &mut value["study"]["cells"][0]["setting"];
    assert_eq!(
        setting["rules_fingerprint"],
        jigo_selfplay::fingerprint::rules_fingerprint(Rules::TROMP_TAYLOR)
    );
    setting["rules_fingerprint"] =
        json!(jigo_selfplay::fingerprint::rules_fingerprint("aga".parse().unwrap()));
    assert!(error_of(&value).contains("the rules' meaning changed"), "{}", error_of(&value));
    // Files from before it was stated are read.
    value["study"]["cells"][0]["setting"].as_object_mut().unwrap().remove("rules_fingerprint");
    assert!(read_study(&forged(&value)).is_ok());
}

/// As below, for what only games with seki and dead chains have.
#[test]
fn damaged_life_and_death_does_no_harm() {
    let study = guarded_study();
    let original: Value = serde_json::from_slice(&study_json(&study, &meta())).unwrap();
    assert!(read_study(&forged(&original)).unwrap().study == study);
    let mut paths = Vec::new();
    let place = "/study/cells/0/finished/status";
    collect_numbers(original.pointer(place).unwrap(), place.to_owned(), &mut paths);
    let tried: Vec<&String> = paths.iter().step_by(3).collect();
    for path in &tried {
        for wrong in [json!(-1), json!(u64::MAX), json!(1_u64 << 40)] {
            let mut value = original.clone();
            *value.pointer_mut(path).unwrap() = wrong;
            if let Ok(SavedStudy { study, .. }) = read_study(&forged(&value)) {
                let _ = summary_json(&study, &meta());
                let _ = page::page_of(&study, &meta());
            }
        }
    }
    for (found, put, reason) in [
        ("\"status\":\"seki\"", "\"status\":\"sleepy\"", "not a status"),
        ("\"kind\":\"dead\"", "\"kind\":\"undead\"", "not a kind of shape"),
        ("/#", "/?", "not a part of a board"),
    ] {
        let text = original.to_string();
        assert!(text.contains(found), "{found}");
        let error = error_of(&serde_json::from_str(&text.replacen(found, put, 1)).unwrap());
        assert!(error.contains(reason), "{found}: {error}");
    }
}

/// Every number of a study, one after the other, is made wrong: reading must refuse it or at least survive writing a report of it.
#[test]
fn damaged_numbers_do_no_harm() {
    let original = written();
    let mut paths = Vec::new();
    collect_numbers(&original["study"]["cells"][0], "/study/cells/0".to_owned(), &mut paths);
    for path in &paths {
        for wrong in [json!(-1), json!(u64::MAX), json!(1_u64 << 40)] {
            let mut value = original.clone();
            *value.pointer_mut(path).unwrap() = wrong;
            if let Ok(SavedStudy { study, .. }) = read_study(&forged(&value)) {
                let _ = summary_table(&study, meta().komi);
                let _ = summary_json(&study, &meta());
                let _ = page::page_of(&study, &meta());
            }
        }
    }
}

#[test]
fn a_comparison_that_was_read_goes_on_counting() {
    let whole = compared_study(4, Rules::lattice().map(jigo_engine::RuleSet::from), 2000);
    let settings: Vec<RunConfig> = whole.runs.iter().map(|cell| cell.config).collect();
    let part = |first, end| {
        let study = Study::play(&settings, 7, first..end, &Progress::new()).unwrap();
        read_study(&study_json(&study, &meta())).unwrap().study
    };
    let mut merged = part(1300, 2000);
    merged.merge(part(0, 1300)).unwrap();
    assert!(study_json(&merged, &meta()) == study_json(&whole, &meta()));
    assert!(summary_json(&merged, &meta()) == summary_json(&whole, &meta()));
    assert!(merged.merge(part(0, 1)).is_err());
}

/// As for cells.
#[test]
fn damaged_comparisons_do_no_harm() {
    let sets = ["tromp-taylor", "territory", "simple-ko"].map(|name| name.parse().unwrap());
    let mut study = compared_study(2, sets, 1200);
    study.runs.clear();
    let original: Value = serde_json::from_slice(&study_json(&study, &meta())).unwrap();
    let mut paths = Vec::new();
    collect_numbers(&original["study"]["comparisons"], "/study/comparisons".to_owned(), &mut paths);
    let tried: Vec<&String> = paths.iter().step_by(5).collect();
    for path in &tried {
        for wrong in [json!(-1), json!(u64::MAX), json!(1_u64 << 40), json!(7)] {
            let mut value = original.clone();
            *value.pointer_mut(path).unwrap() = wrong;
            if let Ok(SavedStudy { study, .. }) = read_study(&forged(&value)) {
                let _ = summary_table(&study, meta().komi);
                let _ = page::page_of(&study, &meta());
            }
        }
    }
    let mut value = original;
    value["study"]["comparisons"][0]["counts"].as_array_mut().unwrap().pop();
    assert!(error_of(&value).contains("comparison 1: contrasts"), "{}", error_of(&value));
}

fn collect_numbers(value: &Value, path: String, paths: &mut Vec<String>) {
    match value {
        Value::Number(_) => paths.push(path),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| collect_numbers(item, format!("{path}/{index}"), paths));
        }
        Value::Object(fields) => {
            let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
            fields
                .iter()
                .for_each(|(name, item)| collect_numbers(item, format!("{path}/{}", escaped(name)), paths));
        }
        _ => {}
    }
}

#[test]
fn damage_is_named() {
    let changed = |path: &str, wrong: Value| {
        let mut value = written();
        *value.pointer_mut(path).unwrap() = wrong;
        error_of(&value)
    };
    let first = "/study/cells/0/finished";
    for (path, wrong, reason) in [
        ("/study/cells/0/setting/size", json!("3x3"), "another board"),
        ("/study/cells/0/setting/rules", json!("chess"), "not a rule set"),
        (&format!("{first}/games"), json!(1), "games played"),
        (&format!("{first}/ownership/black"), json!([1, 2]), "ownership"),
        (&format!("{first}/first_moves/games"), json!([]), "first moves"),
        (&format!("{first}/margins"), json!([[3, 1], [2, 1]]), "not above"),
        (&format!("{first}/groups/sums/0/0"), json!(1), "groups of games"),
        (&format!("{first}/groups/margins/0/0"), json!(-99), "groups of games"),
        (&format!("{first}/groups/margins/0/1"), json!([1]), "1 groups"),
        (&format!("{first}/status/decided_positions"), json!(9999), "final positions"),
        ("/study/cells/0/coverage", json!({"7": [[5, 2]]}), "game ranges"),
    ] {
        let error = changed(path, wrong);
        assert!(error.contains(reason), "{path}: {error}");
    }
    let mut value = written();
    value["study"]["cells"].as_array_mut().unwrap().swap(0, 1);
    assert!(error_of(&value).contains("does not come after"));
}
