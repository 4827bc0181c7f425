//! Files of other versions of jigo: refused with a message that says what to do.

use std::{fs, path::Path};

use jigo_selfplay::{
    Progress,
    dataset::{Dataset, DatasetSpec, Part, Provenance, write_dataset},
};

use super::{Scratch, files, play_little, refuse, run, said, succeed};

#[test]
fn a_manifest_of_another_format() {
    let scratch = Scratch::new();
    let [data, out] = ["data", "out"].map(|name| scratch.path(name));
    succeed(&play_little(&data));
    let path = format!("{data}/manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"format_version\": 3", "\"format_version\": 7")).unwrap();
    let before = files(&data);
    let words =
        ["manifest.json", "version 7", "reads jigo-dataset version 1 to 4", "use the jigo that wrote it"];
    refuse(&play_little(&data), &words);
    refuse(&["verify", &data], &words);
    refuse(&["analyze", &data, "--out", &out], &words);
    refuse(&["export", &data, "--to", "csv", "--out", &out], &words);
    assert_eq!(files(&data), before);
}

/// Copies a shard with its side file.
fn copy_shard(from: &str, to: &str) {
    for name in ["data/shard-000001.parquet", "digests/shard-000001.json"] {
        fs::copy(format!("{from}/{name}"), format!("{to}/{name}")).unwrap();
    }
}

#[test]
fn a_shard_of_another_version() {
    let scratch = Scratch::new();
    let [data, other, out] = ["data", "other", "out"].map(|name| scratch.path(name));
    succeed(&play_little(&data));
    let spec = Dataset::open(Path::new(&data)).unwrap().spec().clone();
    let provenance = Provenance { version: "9.8.7".to_owned(), ..spec.provenance.clone() };
    let newer = DatasetSpec { provenance, ..spec };
    write_dataset(Path::new(&other), &newer, Part::WHOLE, &Progress::new()).unwrap();
    succeed(&["verify", &other]);
    // Another version does not go on with it.
    refuse(
        &play_little(&other),
        &["jigo_version is \"9.8.7\" there", "Use the same arguments and the same jigo"],
    );

    copy_shard(&other, &data);
    let words = ["shard-000001.parquet", "jigo 9.8.7", "the command that wrote"];
    refuse(&["verify", &data], &words);
    refuse(&["analyze", &data, "--out", &out], &words);
    refuse(&["export", &data, "--to", "csv", "--out", &out], &words);
    // The same command puts the right one in its place.
    succeed(&play_little(&data));
    succeed(&["verify", "--replay", &data]);
}

#[test]
fn a_report_and_an_export_of_another_format() {
    let scratch = Scratch::new();
    let [data, csv, report, out] = ["data", "csv", "report", "out"].map(|name| scratch.path(name));
    succeed(&play_little(&data));
    succeed(&["export", &data, "--to", "csv", "--out", &csv]);
    let path = format!("{csv}/export.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"format_version\": 2,", "\"format_version\": 7,")).unwrap();
    let output = run(&["verify", &csv]);
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(said.contains("jigo-export version 7") && said.contains("use the jigo that wrote it"), "{said}");
    refuse(&["export", &data, "--to", "csv", "--out", &csv], &["another version of jigo", "--out"]);

    succeed(&["study", "--size", "3", "--games", "500", "--out", &report]);
    let path = format!("{report}/report.json");
    let text = fs::read_to_string(&path).unwrap();
    let (head, version) = text.split_once("\"version\":").unwrap();
    let rest = version.trim_start_matches(|digit: char| digit.is_ascii_digit());
    fs::write(&path, format!("{head}\"version\":77{rest}")).unwrap();
    refuse(&["merge", &report, "--out", &out], &["format version 77", "use the program that wrote it"]);
}
