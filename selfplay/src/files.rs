//! Reading whole files in bounded memory, however hostile they are.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// The most bytes of one file of positions, games or openings: many times what people keep in one.
pub const MAX_TEXT_BYTES: u64 = 64 << 20;

/// All bytes of a reader that gives at most `most` of them.
///
/// # Errors
/// What the reader says; [`io::ErrorKind::FileTooLarge`] with the bound when there are more.
pub fn read_bounded(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let reason =
            format!("larger than {most} bytes, the most that such a file may have: name another file");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// All bytes of a file of at most `most`.
///
/// # Errors
/// As [`read_bounded`].
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_bounded(File::open(path)?, most)
}

/// Length and BLAKE3, in hexadecimal digits, of a regular file's contents.
///
/// # Errors
/// What the operating system says; [`io::ErrorKind::InvalidInput`] for what is not a regular file: a pipe would be waited for.
pub fn file_digest(path: &Path) -> io::Result<(u64, String)> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok((hasher.count(), hasher.finalize().to_hex().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_the_contents() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "four").unwrap();
        assert_eq!(file_digest(&path).unwrap(), (4, blake3::hash(b"four").to_hex().to_string()));
        assert_eq!(file_digest(dir.path()).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn more_than_the_bound_is_an_error() {
        assert_eq!(read_bounded(&b"four"[..], 4).unwrap(), b"four");
        let error = read_bounded(io::repeat(0), 1000).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("1000 bytes"), "{error}");
    }
}
