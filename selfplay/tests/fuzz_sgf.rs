//! A short fuzz of the SGF reader on mutated game records: whatever the bytes, reading ends with games or errors, never with a panic, and what
//! was read survives being written and read again.
//!
//! Runs for `JIGO_FUZZ_SECONDS` (default 2). A failure prints the bytes as a string literal; put them into the corpus below.

use std::time::{Duration, Instant};

use jigo_engine::mix64;
use jigo_selfplay::sgf::{read_collection, write};

/// Records that reach every part of the reader.
const CORPUS: &[&[u8]] = &[
    b"(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[5.5]RU[Japanese]PB[a]PW[b]RE[B+3.5];B[ee];W[cc];B[];W[tt])",
    b"(;FF[3]SZ[19]HA[2]AddBlack[dp][pd];White[dd](;Black[qq];W[aa])(;B[ab]))",
    b"(;FF[4]GM[1]SZ[9:13]AB[aa:cc][ee]AW[dd]PL[W];W[ie];AE[aa]AB[ii];B[ih])",
    b"\xef\xbb\xbf(;GM[1]SZ[5]C[a \\] bracket \\\\ and\\\na line];B[aa]C[\xc3\xa9])(;GM[1]SZ[3];B[bb])",
    b"(;CA[GBK]PB[\xc8\xfd\x5d\x5c]SZ[19];B[pd])",
    b"junk before (;GM[2];B[aa])(;GM[1]SZ[0];B[aa])(;SZ[19];B[zz];W[a])",
    b"(;GM[1]SZ[19]KM[375]RE[W+R]HA[0]RU[Chinese]AP[x:1]AP[x:1];B[pd];B[dp];W[pp]",
];

/// Pieces that matter to the reader.
const TOKENS: &[&[u8]] = &[
    b"(",
    b")",
    b";",
    b"[",
    b"]",
    b"\\",
    b":",
    b"(;",
    b"B[aa]",
    b"AB[aa:ss]",
    b"SZ[25]",
    b"SZ[1:25]",
    b"CA[Big5]",
    b"PL[X]",
    b"RE[",
    b"\xff",
    b"\0",
    b"\n",
    b"KM[-",
    b"HA[99]",
    b"AE[bb]",
];

struct Mutator(u64);

impl Mutator {
    fn below(&mut self, bound: usize) -> usize {
        self.0 += 1;
        (mix64(self.0) % bound.max(1) as u64) as usize
    }

    fn mutated(&mut self) -> Vec<u8> {
        let mut bytes = CORPUS[self.below(CORPUS.len())].to_vec();
        for _ in 0..=self.below(8) {
            let at = self.below(bytes.len() + 1);
            match self.below(6) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, self.below(256) as u8),
                2 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                3 if at < bytes.len() => drop(bytes.remove(at)),
                4 => {
                    let other = CORPUS[self.below(CORPUS.len())];
                    let (start, length) = (self.below(other.len()), self.below(40));
                    bytes.splice(at..at, other[start..].iter().copied().take(length));
                }
                _ => {
                    let token = TOKENS[self.below(TOKENS.len())];
                    bytes.splice(at..at, token.iter().copied());
                }
            }
        }
        bytes
    }
}

fn check(bytes: &[u8]) {
    for record in read_collection(bytes).games.iter().flatten() {
        let text = write(&record.game);
        let again = read_collection(text.as_bytes());
        let [Ok(second)] = &again.games[..] else { panic!("what was written cannot be read: {text}") };
        assert_eq!(second.game, record.game, "{text}");
    }
}

#[test]
fn mutated_records_never_panic() {
    let seconds = std::env::var("JIGO_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut mutator = Mutator(seconds << 32);
    let mut cases = 0_u64;
    CORPUS.iter().for_each(|bytes| check(bytes));
    while Instant::now() < end {
        for _ in 0..200 {
            let bytes = mutator.mutated();
            if let Err(panic) = std::panic::catch_unwind(|| check(&bytes)) {
                eprintln!("input: b\"{}\"", bytes.escape_ascii());
                std::panic::resume_unwind(panic);
            }
            cases += 1;
        }
    }
    println!("{cases} cases");
    assert!(cases >= 200);
}
