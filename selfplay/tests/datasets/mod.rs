//! What the tests of datasets share.

#![allow(dead_code, reason = "each test program uses a part")]

use std::{collections::BTreeMap, fs, path::Path};

use jigo_selfplay::{
    Progress, Run,
    dataset::{
        DatasetError, DatasetSpec, Part, Provenance, ReplayMode, VerifyReport, WriteStatus, WriteSummary,
        verify, write_dataset,
    },
};

/// A run of 5 shards that takes milliseconds.
pub(crate) fn spec(size: &str, rules: &str, policy: &str) -> DatasetSpec {
    let run = Run::new(size, rules, policy).unwrap().seed(20_261_121);
    let provenance = Provenance { version: "0.0.0".to_owned(), commit: "none".to_owned() };
    DatasetSpec { shard_games: 64, ..DatasetSpec::new(run, 300, provenance) }
}

/// The same games, with every forbidden candidate counted if wanted.
pub(crate) fn with_forbidden(spec: DatasetSpec, count_forbidden: bool) -> DatasetSpec {
    let run = if count_forbidden { spec.run.count_forbidden() } else { spec.run };
    DatasetSpec { run, ..spec }
}

pub(crate) fn small() -> DatasetSpec {
    spec("5", "tromp-taylor", "eye-safe")
}

pub(crate) fn write(dir: &Path, spec: &DatasetSpec) -> Result<WriteSummary, DatasetError> {
    write_dataset(dir, spec, Part::WHOLE, &Progress::new())
}

/// Writes a whole dataset.
pub(crate) fn complete(dir: &Path, spec: &DatasetSpec) {
    assert_eq!(write(dir, spec).unwrap().status, WriteStatus::Complete);
}

pub(crate) fn check(dir: &Path, replay: ReplayMode) -> VerifyReport {
    verify(dir, replay, &Progress::new()).unwrap()
}

/// All files below a directory by their paths, folders included (as empty files with a `/` at the end).
pub(crate) fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(dir, "", &mut found);
    found
}

fn collect(dir: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{name}/"), found);
            found.insert(format!("{name}/"), Vec::new());
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

/// Makes a digest and a length agree with what the shard has become, as only somebody who wants to deceive would.
pub(crate) fn forge_digest(dir: &Path, shard: u64, old_bytes: &[u8]) {
    let new = fs::read(dir.join(format!("data/shard-{shard:06}.parquet"))).unwrap();
    let hex = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
    for file in [format!("digests/shard-{shard:06}.json"), "manifest.json".to_owned()] {
        let path = dir.join(file);
        let text = fs::read_to_string(&path).unwrap();
        let length = |bytes: &[u8]| format!("\"bytes\": {},", bytes.len());
        // The length stands right before the digest, so this replaces the one of this shard only.
        let entry =
            |bytes: &[u8], indent: &str| format!("{}\n{indent}\"blake3\": \"{}\"", length(bytes), hex(bytes));
        let text = text.replace(&entry(old_bytes, "  "), &entry(&new, "  "));
        let text = text.replace(&entry(old_bytes, "      "), &entry(&new, "      "));
        fs::write(&path, text).unwrap();
    }
}

/// SplitMix64: enough randomness to choose where to damage a file.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (jigo_engine::zobrist::mix64(self.0) % bound as u64) as usize
    }
}
