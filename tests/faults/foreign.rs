//! Files of others in the folders of jigo, and folders of others.

use std::fs;

use super::{Scratch, exists, files, play_little, refuse, run, said, succeed};

#[test]
fn folders_of_others_are_refused_and_left_alone() {
    let scratch = Scratch::new();
    let [data, photos] = ["data", "photos"].map(|name| scratch.path(name));
    succeed(&play_little(&data));
    fs::create_dir(&photos).unwrap();
    fs::write(format!("{photos}/photo.jpg"), "a photo").unwrap();
    let before = files(&photos);
    refuse(
        &play_little(&photos),
        &["not empty and not a jigo dataset", "photo.jpg", "choose a new or empty directory"],
    );
    refuse(
        &["export", &data, "--to", "csv", "--out", &photos],
        &["not empty and not an export", "photo.jpg"],
    );
    refuse(&["verify", &photos], &["is not a jigo dataset"]);
    assert_eq!(files(&photos), before);
    // A report may lie beside other files.
    succeed(&["study", "--size", "3", "--games", "500", "--out", &photos]);
    assert_eq!(files(&photos)["photo.jpg"], before["photo.jpg"]);
}

#[test]
fn files_of_others_in_a_dataset_are_named_and_left_alone() {
    let scratch = Scratch::new();
    let data = scratch.path("data");
    succeed(&play_little(&data));
    for name in ["data/notes.txt", "data/shard-000099.parquet", "digests/.hidden"] {
        let path = format!("{data}/{name}");
        fs::write(&path, "mine").unwrap();
        let output = run(&["verify", &data]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            said(&output).contains(&format!("{name}: does not belong there; move it away")),
            "{}",
            said(&output)
        );
        fs::remove_file(format!("{data}/data/shard-000001.parquet")).unwrap();
        succeed(&play_little(&data));
        assert!(exists(&path));
        fs::remove_file(&path).unwrap();
        succeed(&["verify", &data]);
    }
}

/// A link in the place of a file is replaced, never written through.
#[test]
fn links_lead_nowhere() {
    let scratch = Scratch::new();
    let [data, csv, report, mine] = ["data", "csv", "report", "mine"].map(|name| scratch.path(name));
    fs::write(&mine, "mine").unwrap();
    let plant = |path: String| {
        _ = fs::remove_file(&path);
        std::os::unix::fs::symlink(&mine, path).unwrap();
    };
    succeed(&play_little(&data));
    for name in ["data/shard-000001.parquet", "digests/shard-000002.json"] {
        plant(format!("{data}/{name}"));
        succeed(&play_little(&data));
    }
    succeed(&["verify", &data]);
    let export = ["export", &data, "--to", "csv", "--out", &csv];
    succeed(&export);
    plant(format!("{csv}/games.csv"));
    succeed(&export);
    succeed(&["verify", &csv]);
    let study = ["study", "--size", "3", "--games", "500", "--out", &report];
    succeed(&study);
    plant(format!("{report}/report.html"));
    plant(format!("{report}/report.json"));
    succeed(&study);
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
}
