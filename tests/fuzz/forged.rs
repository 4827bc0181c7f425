//! A shard that is replaced again and again, with digests that are made to fit.

use std::{fs, path::Path};

use crate::harness::Kept;

const SHARD: &str = "data/shard-000000.parquet";

/// A folder of one shard.
pub(crate) struct Forged {
    shard: Kept,
    manifest: Kept,
    side_file: Kept,
    /// The texts of the manifest and of the side file.
    texts: [String; 2],
    /// The shard as it was written.
    pub(crate) sound: Vec<u8>,
}

impl Forged {
    /// Takes a folder that was written.
    pub(crate) fn new(dir: &Path) -> Self {
        let sound = fs::read(dir.join(SHARD)).unwrap();
        let files = ["manifest.json", "digests/shard-000000.json"].map(|name| dir.join(name));
        let texts = files.each_ref().map(|path| fs::read_to_string(path).unwrap());
        let [manifest, side_file] = files.map(Kept::new);
        Self { shard: Kept::new(dir.join(SHARD)), manifest, side_file, texts, sound }
    }

    /// Puts these bytes in the place of the shard.
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        let words =
            |bytes: &[u8]| [format!("\"bytes\": {},", bytes.len()), blake3::hash(bytes).to_hex().to_string()];
        let ([length, digest], [new_length, new_digest]) = (words(&self.sound), words(bytes));
        let texts = self
            .texts
            .each_ref()
            .map(|text| text.replace(&length, &new_length).replace(&digest, &new_digest));
        self.manifest.put(texts[0].as_bytes());
        self.side_file.put(texts[1].as_bytes());
        self.shard.put(bytes);
    }
}
