//! The counts of a study from a file: what is accepted can be merged, compared and shown.

use jigo_analysis::{
    RunConfig, RunStats, Study,
    report::{
        NamedRun, Program, ReportFolder, ReportMeta, add_report, differences_table, read_study, study_json,
        summary_json, summary_table,
    },
};
use jigo_engine::{BoardSize, Komi, Rules};
use jigo_selfplay::{Policy, Progress};

use crate::harness::Target;

const TOKENS: &[&str] = &[
    "null",
    "[]",
    "{}",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "-",
    "0,",
    "true",
    "\"study\":",
    "[[0,0]]",
    "18446744073709551615",
    "4294967295",
];

fn meta() -> ReportMeta {
    let name = |text: &str| text.to_owned();
    ReportMeta {
        command_line: name("jigo study"),
        program: Program { version: name("0"), commit: name("0") },
        komi: jigo_engine::rules::KomiChoice::Fixed(Komi::from_half_points(1)),
    }
}

/// A study of small boards; of several rule sets, with comparisons.
fn study(rules: &[Rules], games: u64) -> Vec<u8> {
    let size = BoardSize::new(3, 2).unwrap();
    let setting = |&rules| RunConfig::new(size, rules, Policy::EYE_SAFE).seed(1).config;
    let settings: Vec<RunConfig> = rules.iter().map(setting).collect();
    study_json(&Study::play(&settings, 1, 0..games, &Progress::new()).unwrap(), &meta())
}

/// Replaces the digest of a study by the one that fits, so that what the digest would refuse is read, too.
fn forged(bytes: &[u8]) -> Vec<u8> {
    let find = |what: &[u8]| Some(bytes.windows(what.len()).position(|part| part == what)? + what.len());
    let (Some(digest), Some(study)) = (find(b"\"blake3\":\""), find(b"\"study\":")) else {
        return bytes.to_vec();
    };
    let mut forged = bytes.to_vec();
    let end = bytes.trim_ascii_end().len().saturating_sub(1);
    if study < end && digest + 64 <= study {
        let hex = blake3::hash(bytes[study..end].trim_ascii()).to_hex();
        forged[digest..digest + 64].copy_from_slice(hex.as_bytes());
    }
    forged
}

#[test]
fn report() {
    let rules: Vec<Rules> = Rules::lattice().take(2).collect();
    let made = vec![study(&rules[..1], 150), study(&rules[1..], 3), study(&rules, 20)];
    let target = Target { name: "report", made: made.clone(), tokens: TOKENS, memory: 64 << 20 };
    let other = read_study(&made[0]).unwrap();
    target.run(|bytes, _| {
        let saved = match read_study(bytes).or_else(|_| read_study(&forged(bytes))) {
            Ok(saved) => saved,
            Err(error) => return assert!(!error.to_string().is_empty()),
        };
        let meta = meta();
        assert!(
            !summary_json(&saved.study, &meta).is_empty()
                && !summary_table(&saved.study, meta.komi).is_empty()
        );
        let run = |name, saved| NamedRun { name, saved };
        std::hint::black_box(differences_table([run("one", &saved), run("other", &other)], &meta));
        let mut folder = ReportFolder::open(&Target::folder("report").join("out"), "study", true).unwrap();
        add_report(&mut folder, "", &saved.study, &meta).unwrap();
        folder.publish().unwrap();
        let mut merged = other.study.clone();
        if merged.merge(saved.study).is_ok() {
            let games: u64 = merged.runs.iter().map(RunStats::games).sum();
            assert_eq!(games, merged.games());
        }
    });
}
