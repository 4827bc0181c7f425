//! Single bits that turn over, as on bad disks and wires: each one is found and its file is named.

use std::fs;

use super::{Draws, Scratch, files, play_little, rounds, run, said, succeed};

/// Flips bits in all files of a folder, one at a time, and lets `jigo verify` look.
fn flip(folder: &str) {
    let sound = files(folder);
    // Files weigh the same, so that small ones are hit as often as large ones.
    let names: Vec<&String> = sound.keys().collect();
    let mut draws = Draws(4);
    for _ in 0..rounds() {
        let name = names[draws.below(names.len())];
        let path = format!("{folder}/{name}");
        let mut bytes = sound[name].clone();
        let place = draws.below(bytes.len());
        bytes[place] ^= 1 << draws.below(8);
        fs::write(&path, bytes).unwrap();
        let output = run(&["verify", folder]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "byte {place} of {name}: {text}");
        assert!(text.contains(name.as_str()) && !text.contains("panicked"), "byte {place} of {name}: {text}");
        fs::write(&path, &sound[name]).unwrap();
    }
    succeed(&["verify", folder]);
    println!("{} flips in {} files, all found", rounds(), names.len());
}

#[test]
fn in_a_dataset() {
    for moves in ["list", "none"] {
        let scratch = Scratch::new();
        let data = scratch.path("data");
        succeed(&[&play_little(&data)[..], &["--moves", moves]].concat());
        flip(&data);
    }
}

#[test]
fn in_exports() {
    let scratch = Scratch::new();
    let data = scratch.path("data");
    succeed(&play_little(&data));
    for (format, more) in [("csv", "--events"), ("sgf", "--games-per-file=70"), ("npz", "--rows-per-file=90")]
    {
        let out = scratch.path(format);
        succeed(&["export", &data, "--to", format, more, "--out", &out]);
        flip(&out);
    }
}
