//! Files with proofs of small boards: text in the format of `docs/solve.md`, which ends with its digest.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::Path,
};

use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};
use jigo_engine::solve::{Lines, Proof, ReadProofError};
use jigo_selfplay::files::AtomicFile;
use sha2::{Digest, Sha256};

/// Why a file holds no proofs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text is not what the format demands.
    #[error(transparent)]
    Read(#[from] ReadProofError),
    /// There is no proof before the digest.
    #[error("the file holds no proof")]
    Empty,
    /// The last line is missing, or the text before it was changed.
    #[error(
        "the last line is not the SHA-256 digest of the text before it: the file is damaged or incomplete"
    )]
    Digest,
}

/// How the last line begins.
const DIGEST: &str = "sha256 ";

/// The first bytes of a compressed file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Finds out whether proofs can be written to a file, which is left as it is.
///
/// # Errors
/// What the operating system says.
pub fn check_target(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    AtomicFile::create(path).map(drop)
}

/// Writes proofs one after the other to a file, whole or not at all; compressed when its name ends with `.gz`.
///
/// # Errors
/// What the operating system says.
pub fn write_proofs<'p>(path: &Path, proofs: impl IntoIterator<Item = &'p Proof>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    {
        let plain = BufWriter::new(&mut file);
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut packed = GzEncoder::new(plain, Compression::default());
            write_text(&mut packed, proofs)?;
            packed.finish()?.flush()?;
        } else {
            let mut plain = plain;
            write_text(&mut plain, proofs)?;
            plain.flush()?;
        }
    }
    file.persist(path)
}

fn write_text<'p>(out: &mut impl Write, proofs: impl IntoIterator<Item = &'p Proof>) -> io::Result<()> {
    let mut hashed = Hashed { inner: out, hasher: Sha256::new() };
    for proof in proofs {
        proof.write(&mut hashed)?;
    }
    let digest = hex(&hashed.hasher);
    writeln!(hashed.inner, "{DIGEST}{digest}")
}

/// Reads the proofs of a file, plain or compressed. They are not checked, but the digest is.
///
/// # Errors
/// [`ProofFileError`].
pub fn read_proofs(path: &Path) -> Result<Vec<Proof>, ProofFileError> {
    let mut file = BufReader::new(File::open(path)?);
    let is_packed = file.fill_buf()?.starts_with(&GZIP);
    if is_packed { read_text(BufReader::new(MultiGzDecoder::new(file))) } else { read_text(file) }
}

fn read_text(input: impl BufRead) -> Result<Vec<Proof>, ProofFileError> {
    let mut body = Body { input, line: Vec::new(), place: 0, hasher: Sha256::new(), digest: None };
    let mut lines = Lines::new(BufReader::new(&mut body));
    let mut proofs = Vec::new();
    while let Some(proof) = Proof::read(&mut lines)? {
        proofs.push(proof);
    }
    if body.digest.is_none_or(|digest| digest != hex(&body.hasher)) {
        return Err(ProofFileError::Digest);
    }
    if proofs.is_empty() { Err(ProofFileError::Empty) } else { Ok(proofs) }
}

/// The text before the last line, whose digest is computed as it is read.
struct Body<R> {
    input: R,
    line: Vec<u8>,
    place: usize,
    hasher: Sha256,
    /// What the last line says.
    digest: Option<String>,
}

impl<R: BufRead> Read for Body<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        /// Longer than any line of a proof.
        const MAX_LINE: u64 = 2000;
        if self.place == self.line.len() {
            self.line.clear();
            self.place = 0;
            if self.digest.is_none() {
                (&mut self.input).take(MAX_LINE).read_until(b'\n', &mut self.line)?;
            }
            if let Some(digest) = self.line.strip_prefix(DIGEST.as_bytes()) {
                // Nothing may follow.
                let digest = String::from_utf8_lossy(digest).trim_end().to_owned();
                self.digest = Some(if self.input.fill_buf()?.is_empty() { digest } else { String::new() });
                self.line.clear();
            }
            self.hasher.update(&self.line);
        }
        let count = (self.line.len() - self.place).min(bytes.len());
        bytes[..count].copy_from_slice(&self.line[self.place..self.place + count]);
        self.place += count;
        Ok(count)
    }
}

/// A writer that also computes the digest.
struct Hashed<W> {
    inner: W,
    hasher: Sha256,
}

impl<W: Write> Write for Hashed<&mut W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn hex(hasher: &Sha256) -> String {
    hasher.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
