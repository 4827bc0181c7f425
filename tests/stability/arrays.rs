//! The arrays of `.npz` files.

use std::{collections::BTreeMap, fs::File, io::Read as _, path::Path};

/// The members of an archive but the text about it, unpacked: header and numbers of each array.
pub(crate) fn arrays(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut archive = zip::ZipArchive::new(file).expect("an archive");
    let mut arrays = BTreeMap::new();
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        let name = member.name().expect("a name").into_owned();
        if name.ends_with(".npy") {
            arrays.insert(name, bytes);
        }
    }
    arrays
}
