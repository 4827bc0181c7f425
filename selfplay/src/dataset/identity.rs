//! Which shard of which run a file says that it is.

use std::{fs::File, path::Path};

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use super::{guard::guarded, manifest::Manifest, schema};

/// A shard that is another one than its place says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OtherIdentity {
    /// What it says of itself.
    pub(super) found: String,
    /// What it should say.
    pub(super) expected: String,
}

/// Looks at the metadata of a shard; `None` when they cannot be read, or name this run and shard.
pub(super) fn other_identity(manifest: &Manifest, shard: u64, path: &Path) -> Option<OtherIdentity> {
    let words =
        |run: &str, shard: &str, version: &str| format!("run {run}, shard {shard}, by jigo {version}");
    let read = guarded(|| {
        let reader = SerializedFileReader::new(File::open(path).ok()?).ok()?;
        let metadata = reader.metadata().file_metadata().key_value_metadata()?;
        let value = |key| metadata.iter().find(|pair| pair.key == key)?.value.clone();
        Some([schema::KEY_RUN_FINGERPRINT, schema::KEY_SHARD, schema::KEY_RUN].map(value))
    });
    let [run, number, all] = read.ok().flatten()?;
    let (run, number) = (run?, number?);
    if run == manifest.run_fingerprint && number == shard.to_string() {
        return None;
    }
    let all: Option<Value> = all.and_then(|all| serde_json::from_str(&all).ok());
    let version =
        all.as_ref().and_then(|all| all["jigo_version"].as_str()).unwrap_or("of an unknown version");
    let expected = words(&manifest.run_fingerprint, &shard.to_string(), &manifest.run.jigo_version);
    Some(OtherIdentity { found: words(&run, &number, version), expected })
}
