//! Text from files, programs and arguments never makes a terminal do anything: whatever the command prints, also into a pipe, has no control
//! characters but line breaks and tabs, and none that changes the direction of writing.
#![cfg(unix)]

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use jigo_selfplay::sealed::seal;
use serde_json::Value;
use tempfile::TempDir;

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

/// Sets the title of a window, changes the colour, clears the screen (with a control character of two bytes), goes back to the start of the line, and
/// changes the direction of writing.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[31mA\u{9b}2J\u{7f}\r\u{202e}\u{2066}B";

/// The same, so that it can stand in SGF.
const HOSTILE_SGF: &str = "\u{1b}\\]0;x\u{7}\u{1b}[31mA\u{9b}2J\u{7f}\r\u{202e}\u{2066}B";

fn is_hostile(character: char) -> bool {
    let is_kept = matches!(character, '\n' | '\t');
    !is_kept
        && (character.is_control()
            || matches!(character, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// A folder to work in.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the command and returns all that it prints, on standard output first, after a look at every character.
    #[track_caller]
    fn run_with<A: AsRef<OsStr>>(&self, arguments: &[A], input: &str) -> String {
        let arguments: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        let mut command = Command::new(JIGO);
        command.args(&arguments).current_dir(self.folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Also where errors would be coloured; the diagram of `jigo status` has colours of its own then.
        if arguments[0] != "status" {
            command.env("CLICOLOR_FORCE", "1");
        }
        let mut child = command.spawn().expect("the command starts");
        // A command that does not read its input may have ended before.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let mut printed = String::new();
        for bytes in [output.stdout, output.stderr] {
            let text = String::from_utf8(bytes).expect("the output is UTF-8");
            assert!(!text.contains(is_hostile), "{arguments:?}: {text:?}");
            assert!(!text.contains("panicked"), "{arguments:?}: {text}");
            printed += &text;
        }
        printed
    }

    #[track_caller]
    fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> String {
        self.run_with(arguments, "")
    }

    /// Runs a command that is written with blanks between words and must succeed.
    #[track_caller]
    fn make(&self, words: &str) {
        let words: Vec<&str> = words.split(' ').collect();
        let output = Command::new(JIGO).args(&words).current_dir(self.folder.path()).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs commands with each of these texts in the file, one after the other, and returns how many shown texts had an escape.
    #[track_caller]
    fn run_on_each(&self, file: &str, texts: impl IntoIterator<Item = Vec<u8>>, commands: &[&str]) -> usize {
        let path = self.path(file);
        let sound = fs::read(&path).unwrap();
        let mut escaped = 0;
        for text in texts {
            fs::write(&path, text).unwrap();
            for words in commands {
                let words: Vec<&str> = words.split(' ').collect();
                escaped += usize::from(self.run(&words).contains("\\u{1b}"));
            }
        }
        fs::write(&path, sound).unwrap();
        escaped
    }
}

/// Returns JSON texts in which one string after the other, and one name after the other, is hostile. Of elements of a list only the first is changed.
/// A digest of the whole text is made to fit.
fn hostile_json(text: &str) -> Vec<Vec<u8>> {
    let sound: Value = serde_json::from_str(text).expect("JSON");
    let mut pointers = Vec::new();
    list_pointers(&sound, String::new(), &mut pointers);
    let mut texts = Vec::new();
    for pointer in pointers {
        for change in 0..3 {
            let mut value = sound.clone();
            match (value.pointer_mut(&pointer).unwrap(), change) {
                (Value::Object(members), 0) => _ = members.insert(HOSTILE.to_owned(), Value::Null),
                (Value::String(text), 0) => *text = HOSTILE.to_owned(),
                (Value::String(text), 1) => *text += HOSTILE,
                // Where a number, a list or an object is expected, text is.
                (other, 2) => *other = HOSTILE.into(),
                _ => continue,
            }
            texts.push(resealed(value, text).into_bytes());
        }
    }
    texts
}

fn list_pointers(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                list_pointers(member, format!("{pointer}/{name}"), pointers);
            }
        }
        Value::Array(elements) => {
            if let Some(first) = elements.first() {
                list_pointers(first, format!("{pointer}/0"), pointers);
            }
        }
        _ => {}
    }
    pointers.push(pointer);
}

/// Returns the text of a value with the digest that fits, if the text before had one.
fn resealed(mut value: Value, before: &str) -> String {
    let is_sealed = jigo_selfplay::sealed::is_sealed(before.as_bytes());
    match value.as_object_mut() {
        Some(members) if is_sealed => {
            members.remove("blake3");
            seal(&value.to_string())
        }
        _ => format!("{value:#}\n"),
    }
}

#[test]
fn arguments_are_escaped_in_errors() {
    const COMMANDS: &str = "study play match analyze import merge compare verify export perft count solve gtp bench score status completions man";
    const OPTIONS: &str = "size rules policy komi games seed shard threads handicap to margin result plies superko status sample capped game dead \
                           prisoners prove limit move openings adjudicate time-limit ply-cap legal moves backend needs";
    let place = Place::new();
    let escaped = "\\u{1b}]0;x\\u{7}\\u{1b}[31mA\\u{9b}2J\\u{7f}\\r\\u{202e}\\u{2066}B";
    assert!(place.run(&[HOSTILE]).contains(escaped));
    assert!(place.run(&["help", HOSTILE]).contains(escaped));
    for command in COMMANDS.split_whitespace() {
        if !["gtp", "man"].contains(&command) {
            assert!(place.run(&[command, &format!("--{HOSTILE}")]).contains(escaped), "{command}");
        }
        // Some commands miss an option first.
        let printed = place.run(&[command, "--", HOSTILE, HOSTILE]);
        assert!(printed.contains("error: "), "{command}: {printed}");
        for option in OPTIONS.split_whitespace() {
            let printed = place.run(&[command, &format!("--{option}={HOSTILE}")]);
            assert!(printed.contains("error: "), "{command} {option}: {printed}");
        }
    }
    // What follows an error is whole.
    let printed = place.run(&["study", "--size", HOSTILE]);
    assert!(
        printed.starts_with(&format!("error: invalid value '{escaped}' for '--size <SIZES>'")),
        "{printed}"
    );
    assert!(printed.ends_with("For more information, try '--help'.\n"), "{printed}");
}

#[test]
fn names_of_files_are_escaped() {
    let place = Place::new();
    let name = |what: &str| format!("{HOSTILE}-{what}");
    let [dataset, export, study, games, sgf, report] =
        ["dataset", "export", "study", "match", "game.sgf", "report"].map(name);
    let mut escaped = Vec::new();
    let mut run = |words: &[&str]| escaped.push((words[0].to_owned(), place.run(words)));
    run(&["play", "--size", "3", "--games", "9", "--out", &dataset]);
    run(&["verify", &dataset]);
    run(&["verify", "--json", &dataset, "--threads", "1", "--replay"]);
    run(&["analyze", &dataset, "--out", &report]);
    run(&["export", &dataset, "--to", "csv", "--out", &export]);
    run(&["verify", &export, "--replay"]);
    run(&["study", "--size", "3", "--games", "20", "--out", &study]);
    run(&["study", "--size", "3", "--games", "20", "--json", "--out", &study]);
    run(&["merge", &study, &study, "--out", &report]);
    run(&["compare", &study, &study, "--out", &report]);
    run(&["compare", &study, &study, "--json", "--out", &report]);
    let players = ["policy:uniform", "policy:uniform"];
    run(&[&["match", "--size", "3", "--games", "2", "--out", &games], &players[..]].concat());
    run(&["analyze", &games, "--out", &report]);
    run(&["man", "--out", &report]);
    fs::write(place.path(&sgf), "(;SZ[3];B[zz])").unwrap();
    for command in ["score", "status", "merge", "verify", "analyze"] {
        run(&[command, &sgf]);
    }
    run(&["import", &sgf, "--out", &name("import")]);
    run(&["perft", "2", "--diagram", &sgf]);
    run(&[&["match", "--openings", &sgf, "--out", &name("other")], &players[..]].concat());
    // JSON and the statement that all is well name no file.
    let is_shown = escaped.iter().filter(|(_, printed)| printed.contains("\\u{1b}")).count();
    assert!(is_shown >= 18, "{is_shown}: {escaped:?}");
}

#[test]
fn records_are_escaped() {
    let place = Place::new();
    let h = HOSTILE_SGF;
    let root = |properties: &str| format!("(;FF[4]GM[1]SZ[3]{properties};B[aa];W[bb]C[{h}];B[];W[])");
    let names = "PB PW RE RU KM HA DT EV GN AP CA FF SZ GM JC JE JR C N TM OT PL AB AW AE ST XX".split(' ');
    let mut records: Vec<String> = names.map(|name| root(&format!("{name}[{h}]"))).collect();
    records.extend([
        root(&format!("RU[chinese]KM[{h}7.5]RE[B+{h}]")),
        root(&format!("{h}[x]")),
        root(&format!("KM[0]{h}")),
        format!("{h}(;SZ[3];B[{h}])"),
        format!("(;SZ[3];B[a{h}];W[bb])"),
        format!("(;SZ[3];b{h}[aa])"),
        format!("(;SZ[{h}];B[aa])"),
        format!("(;SZ[3];B[aa];B[aa]{h})"),
        format!("X O {h}\n. . .\n"),
        HOSTILE.to_owned(),
    ]);
    fs::create_dir(place.path("all")).unwrap();
    let mut escaped = 0;
    for (number, record) in records.iter().enumerate() {
        let file = format!("all/{HOSTILE}{number}.sgf");
        fs::write(place.path(&file), record).unwrap();
        for arguments in [
            &["analyze", &file, "--out", "report"][..],
            &["analyze", "--json", &file, "--out", "report"],
            &["score", &file],
            &["score", "--json", &file],
            &["score", "--events", "--game", "1", &file],
            &["status", &file],
            &["perft", "1", "--diagram", &file],
            &["import", &file, "--out", "import"],
            &["verify", "import", "--replay"],
            &["analyze", "import", "--out", "report"],
            &["export", "import", "--to", "csv", "--out", "csv"],
            &["match", "--openings", &file, "policy:uniform", "policy:uniform", "--out", "m"],
        ] {
            escaped += usize::from(place.run(arguments).contains("\\u{1b}"));
        }
        _ = place.run_with(&["score", "-"], record);
    }
    assert!(escaped > records.len(), "{escaped}");
    let all = place.run(&["analyze", "all", "--out", "report"]);
    assert!(all.contains("\\u{202e}"), "the directions of names are escaped: {all}");
    assert!(place.run(&["status", "X O .\n. . .\n. . ."]).contains("\n 3 X"), "lines stay lines");
}

#[test]
fn answers_of_gtp_are_escaped() {
    let place = Place::new();
    fs::write(place.path("game.sgf"), format!("(;SZ[3]KM[{HOSTILE_SGF}];B[a{HOSTILE_SGF}])")).unwrap();
    fs::write(place.path("sound.sgf"), format!("(;SZ[3]PB[{HOSTILE_SGF}]C[{HOSTILE_SGF}];B[aa])")).unwrap();
    let h = HOSTILE;
    let commands = format!(
        "{h}\n1 play {h} A1\n2 play black {h}\n3 komi {h}\n4 loadsgf {h}\n5 loadsgf game.sgf\n6 boardsize {h}\n7 known_command {h}\n\
         8 kata-set-rules {h}\n9 kata-set-rule ko {h}\n10 jigo-begin {h}\n11 jigo-check black {h}\n12 set_free_handicap {h}\n\
         13 loadsgf sound.sgf\n14 printsgf\n15 printsgf /{h}/x\n16 showboard\n17 final_status_list {h}\n18 fixed_handicap {h}\n"
    );
    let answers = place.run_with(&["gtp"], &commands);
    assert!(answers.contains("\\u{9b}") && answers.contains("\\u{202e}"), "{answers}");
    for (number, answer) in (1..=18).zip(answers.split("\n\n").skip(1)) {
        assert!(answer[1..].starts_with(&number.to_string()), "{number}: {answer}");
    }
}

#[test]
fn manifests_and_metadata_of_datasets_are_escaped() {
    let place = Place::new();
    place.make("play --size 3 --games 9 --out dataset");
    fs::write(place.path("game.sgf"), "(;SZ[3]PB[x];B[aa];W[bb])").unwrap();
    place.make("import game.sgf --out import");
    place.make("export dataset --to csv --out export");
    let resume = "play --size 3 --games 9 --out dataset";
    let csv = "export dataset --to csv --out other";
    let imported = "export import --to csv --out other";
    for (file, commands) in [
        ("dataset/manifest.json", &["verify dataset", "analyze dataset --out report", csv, resume][..]),
        ("dataset/digests/shard-000000.json", &["verify dataset --json", csv, resume]),
        (
            "import/manifest.json",
            &["verify import", "verify import --json", "analyze import --out report", imported],
        ),
        (
            "export/export.json",
            &["verify export", "verify export --json", "export dataset --to csv --out export"],
        ),
    ] {
        let texts = hostile_json(&fs::read_to_string(place.path(file)).unwrap());
        assert!(texts.len() > 10, "{file}");
        assert!(place.run_on_each(file, texts, commands) > 0, "{file}");
    }
    for (dataset, commands) in [
        ("dataset", &["verify dataset", "analyze dataset --out report"][..]),
        ("import", &["verify import --json", "analyze import --out report"]),
    ] {
        let file = format!("{dataset}/data/shard-000000.parquet");
        let sound = fs::read(place.path(&file)).unwrap();
        let manifest = fs::read_to_string(place.path(format!("{dataset}/manifest.json"))).unwrap();
        let digest = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
        assert!(manifest.contains(&digest(&sound)));
        for text in hostile_metadata(&sound) {
            let forged = manifest.replace(&digest(&sound), &digest(&text));
            fs::write(place.path(format!("{dataset}/manifest.json")), forged).unwrap();
            place.run_on_each(&file, [text], commands);
        }
        fs::write(place.path(format!("{dataset}/manifest.json")), manifest).unwrap();
        assert!(place.run(&["verify", dataset]).starts_with("ok: "));
    }
}

/// Returns Parquet files in which one text of the metadata after the other is hostile. All lengths stay.
fn hostile_metadata(sound: &[u8]) -> Vec<Vec<u8>> {
    const HEAD: &[u8] = "\u{1b}[31m".as_bytes();
    let length = u32::from_le_bytes(sound[sound.len() - 8..][..4].try_into().unwrap()) as usize;
    let start = sound.len() - 8 - length;
    let is_text = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.{\"".contains(byte);
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for text in sound[start..].split(|byte| !is_text(byte)).filter(|text| text.len() >= HEAD.len()) {
        if seen.insert(text) {
            let mut file = sound.to_vec();
            for place in start..sound.len() - text.len() {
                if file[place..].starts_with(text) {
                    file[place..][..HEAD.len()].copy_from_slice(HEAD);
                }
            }
            files.push(file);
        }
    }
    assert!(files.len() > 20, "{}", files.len());
    files
}

#[test]
fn reports_are_escaped() {
    let place = Place::new();
    place.make("study --size 3 --games 20 --out one");
    place.make("study --size 3 --games 20 --seed 2 --out two");
    let text = fs::read_to_string(place.path("one/report.json")).unwrap();
    let commands = [
        "merge one two --out merged",
        "compare one two --out compared",
        "compare two one --json --out compared",
    ];
    assert!(place.run_on_each("one/report.json", hostile_json(&text), &commands) > 10);
}

#[test]
fn matches_are_escaped() {
    let place = Place::new();
    let policies = "match policy:uniform policy:eye-safe --size 3 --games 2 --out match";
    place.make(policies);
    let commands = [policies, "analyze match --out report"];
    let text = fs::read_to_string(place.path("match/manifest.json")).unwrap();
    assert!(place.run_on_each("match/manifest.json", hostile_json(&text), &commands) > 0);
    let rows = fs::read_to_string(place.path("match/games.jsonl")).unwrap();
    let (first, second) = rows.split_once('\n').unwrap();
    let one_line = |json: Vec<u8>| {
        let value: Value = serde_json::from_slice(&json).unwrap();
        format!("{value}\n{second}").into_bytes()
    };
    let texts: Vec<Vec<u8>> = hostile_json(first).into_iter().map(one_line).collect();
    place.run_on_each("match/games.jsonl", texts, &commands);
}

#[test]
fn programs_that_play_are_escaped() {
    let place = Place::new();
    let h = HOSTILE.replace('\u{1b}', "\\033").replace('\u{7}', "\\007").replace('\r', "\\r");
    // Different answers, an error, a line that is no answer, an end, a message on standard error.
    for (number, script) in [
        format!("while read l; do printf '= {h}\\n\\n'; done"),
        format!("while read l; do printf '? {h}\\n\\n'; done"),
        format!("while read l; do printf '{h}\\n\\n'; done"),
        format!("printf '{h}\\n' >&2; exit 3"),
        format!(
            "while read l; do case $l in *genmove*) printf '= {h}\\n\\n';; *) printf '= \\n\\n';; esac; done"
        ),
    ]
    .iter()
    .enumerate()
    {
        fs::write(place.path("engine"), script).unwrap();
        for json in [&["--json"][..], &[]] {
            let folder = format!("match{number}");
            let player = format!("sh engine '{HOSTILE}'");
            let arguments =
                ["match", &player, "policy:uniform", "--size", "3", "--games", "2", "--out", &folder];
            let printed = place.run(&[&arguments, json].concat());
            assert!(printed.contains("u001b") || printed.contains("\\u{1b}"), "{printed}");
        }
    }
    let printed = place.run(&["match", HOSTILE, "policy:uniform", "--out", "none"]);
    assert!(printed.contains("\\u{1b}"), "{printed}");
}
