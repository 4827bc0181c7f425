//! Rules in KataGo's notation.

use jigo_engine::{
    Counting, Ko, Komi, Rules, Suicide,
    rules::{HandicapBonus, InvalidKataGoRules, KataGoRules, Preset, Tax, UnknownRules},
};

fn parse(text: &str) -> KataGoRules {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Every rule set that KataGo and jigo both have.
fn all() -> impl Iterator<Item = KataGoRules> {
    let taxes = [Tax::None, Tax::Seki, Tax::All];
    let bonuses = [HandicapBonus::None, HandicapBonus::PerStone, HandicapBonus::PerStoneButFirst];
    let komis = [None, Some(Komi::from_half_points(13)), Some(Komi::from_points(-3))];
    let lattice = Rules::lattice().filter(|rules| rules.handicap == Rules::TROMP_TAYLOR.handicap);
    lattice.flat_map(move |rules| {
        taxes.into_iter().flat_map(move |tax| {
            bonuses.into_iter().flat_map(move |handicap_bonus| {
                komis.into_iter().flat_map(move |komi| {
                    let rules = Rules { tax, handicap_bonus, ..rules };
                    [false, true].map(|friendly_pass_ok| KataGoRules { rules, friendly_pass_ok, komi })
                })
            })
        })
    })
}

#[test]
fn strings_and_json_round_trip() {
    let mut count = 0;
    for rules in all() {
        let (string, json) = (rules.to_string(), rules.to_json());
        assert_eq!(parse(&string), rules, "{string}");
        assert_eq!(parse(&json), rules, "{json}");
        assert_eq!(string.parse(), Ok(rules.rules));
        assert_eq!(json.parse(), Ok(rules.rules));
        count += 1;
    }
    assert_eq!(count, 12 * 3 * 3 * 3 * 2);
}

/// The names and their JSON are those of KataGo's documentation of `kata-set-rules`.
#[test]
fn names_mean_what_katago_means() {
    for (name, ko, scoring, suicide, tax, bonus) in [
        ("tromp-taylor", "POSITIONAL", "AREA", true, "NONE", "0"),
        ("chinese", "SIMPLE", "AREA", false, "NONE", "N"),
        ("chinese-ogs", "POSITIONAL", "AREA", false, "NONE", "N"),
        ("chinese-kgs", "POSITIONAL", "AREA", false, "NONE", "N"),
        ("japanese", "SIMPLE", "TERRITORY", false, "SEKI", "0"),
        ("korean", "SIMPLE", "TERRITORY", false, "SEKI", "0"),
        ("stone-scoring", "SIMPLE", "AREA", false, "ALL", "0"),
        ("aga", "SITUATIONAL", "AREA", false, "NONE", "N-1"),
        ("bga", "SITUATIONAL", "AREA", false, "NONE", "N-1"),
        ("new-zealand", "SITUATIONAL", "AREA", true, "NONE", "0"),
        ("ancient-territory", "SIMPLE", "TERRITORY", false, "ALL", "0"),
        ("New Zealand", "SITUATIONAL", "AREA", true, "NONE", "0"),
    ] {
        let json = serde_json::json!({
            "hasButton": false, "ko": ko, "scoring": scoring, "suicide": suicide, "tax": tax,
            "whiteHandicapBonus": bonus, "friendlyPassOk": parse(name).friendly_pass_ok,
        });
        let written: serde_json::Value = serde_json::from_str(&parse(name).to_json()).unwrap();
        assert_eq!(written, json, "{name}");
        assert_eq!(name.parse(), Ok(parse(name).rules));
    }
    for preset in [Preset::TrompTaylor, Preset::NewZealand, Preset::Aga, Preset::Chinese, Preset::Japanese] {
        assert_eq!(parse(preset.name()).rules, preset.rules());
    }
}

#[test]
fn strings_of_katago() {
    let katago = parse("koPOSITIONALscoreAREAtaxNONEsui1");
    assert_eq!(katago, KataGoRules::from(Rules::TROMP_TAYLOR));
    let all = parse(" koSITUATIONAL scoringTERRITORY taxALL sui0 button0 whbN-1 fpok1 komi-6.5");
    assert_eq!(all.komi, Some(Komi::from_half_points(-13)));
    assert_eq!(all.to_string(), "koSITUATIONALscoreTERRITORYtaxALLsui0whbN-1fpok1komi-6.5");
    let (rules, expected) = (all.rules, (Counting::Territory, Ko::SituationalSuperko, Suicide::Forbidden));
    assert_eq!((rules.counting, rules.ko, rules.suicide), expected);
    // Territory has the seki tax unless another one is named, as in KataGo.
    assert_eq!(parse("koSIMPLEscoreTERRITORY").rules.tax, Tax::Seki);
    assert_eq!(parse("taxNONEscoreTERRITORY").rules.tax, Tax::None);
    assert_eq!(parse(r#"{"scoring":"TERRITORY"}"#).rules.tax, Tax::Seki);
    assert_eq!(parse(r#"{"score":"territory","tax":"NONE"}"#).rules.tax, Tax::None);
}

#[test]
fn json_of_katago() {
    let json = r#"{"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":true,"tax":"NONE","whiteHandicapBonus":"N-1","friendlyPassOk":true}"#;
    let rules = parse(json);
    assert_eq!(rules.rules.handicap_bonus, HandicapBonus::PerStoneButFirst);
    assert_eq!(
        rules.to_json(),
        r#"{"friendlyPassOk":true,"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":true,"tax":"NONE","whiteHandicapBonus":"N-1"}"#
    );
    assert_eq!(parse(r#"{"komi":7}"#).komi, Some(Komi::from_points(7)));
}

#[test]
fn one_field_changes() {
    let rules = parse("chinese");
    let changed = rules.with("ko", "positional").unwrap().with("suicide", "true").unwrap();
    assert_eq!(changed, parse("koPOSITIONALscoreAREAtaxNONEsui1whbNfpok1"));
    // The tax stays as it was.
    assert_eq!(rules.with("scoring", "TERRITORY").unwrap().rules.tax, Tax::None);
    assert_eq!(rules.with("hasButton", "false"), Ok(rules));
    assert_eq!(rules.with("hasButton", "true"), Err(InvalidKataGoRules::Button));
    assert!(rules.with("colour", "blue").is_err());
}

#[test]
fn what_jigo_does_not_have_is_said() {
    let error = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
    for button in ["aga-button", "koSIMPLEbutton1", r#"{"hasButton":true}"#] {
        assert!(error(button).contains("hasButton false"), "{button}");
    }
    assert!(error("koSPIGHTscoreAREA").contains("`koSPIGHTscoreAREA` is not a rule set"));
    assert!(error("scoreAREAkoSPIGHT").contains("cannot read `koSPIGHT`"));
    assert!(
        error(r#"{"ko":"SPIGHT"}"#).contains("`SPIGHT` is not a value of ko: write SIMPLE, POSITIONAL or")
    );
    assert!(error(r#"{"suicide":1}"#).contains("`1` is not a value of suicide"));
    for unknown in [r#"{"color":1}"#, r#"{"ko":"SIMPLE","color":"NONE"}"#] {
        assert!(error(unknown).contains("`color` is not a field"), "{unknown}");
    }
    assert!(error("koSIMPLEcolorNONEsui1").contains("cannot read `colorNONEsui1`"));
    assert!(error(r#"{"ko":"#).contains("not a JSON object"));
    assert!(error("koSIMPLEkomi7.25").contains("`7.25` is not a value of komi"));
    assert!(matches!("".parse::<Rules>(), Err(UnknownRules::Name(_))));
    assert!(matches!("koreen".parse::<Rules>(), Err(UnknownRules::Name(_))));
    for text in ["ko", "komi", "sui2", "koSIMPLE!", "{", "{}x", "é", "koSIMPLEé"] {
        assert!(text.parse::<KataGoRules>().is_err(), "{text}");
    }
}
