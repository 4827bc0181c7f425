//! Inputs made of others by small changes.

use jigo_engine::zobrist::mix64;

/// Numbers at the edges of types and beyond.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "25",
    "26",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "4294967296",
    "-9223372036854775808",
    "18446744073709551615",
    "99999999999999999999",
    "0.5",
    "1e308",
];

/// The longest input that is made: longer ones find little more, slowly.
const LONGEST: usize = 1 << 16;

/// A sequence of draws.
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix64(seed))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (mix64(self.0) % bound.max(1) as u64) as usize
    }

    fn one_of<'a, T: ?Sized>(&mut self, values: &[&'a T]) -> &'a T {
        values[self.below(values.len())]
    }
}

/// One input of the corpus after a few changes.
pub(crate) fn mutated(corpus: &[Vec<u8>], tokens: &[&str], draws: &mut Draws) -> Vec<u8> {
    let mut bytes = corpus[draws.below(corpus.len())].clone();
    for _ in 0..=draws.below(8) {
        change(&mut bytes, corpus, tokens, draws);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn change(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], tokens: &[&str], draws: &mut Draws) {
    let at = draws.below(bytes.len() + 1);
    let end = at + draws.below(40.min(bytes.len() + 1 - at));
    match draws.below(10) {
        0 if draws.below(4) == 0 => bytes.truncate(at),
        1 => bytes.insert(at, draws.below(256) as u8),
        2 if at < bytes.len() => bytes[at] ^= 1 << draws.below(8),
        3 => drop(bytes.drain(at..end)),
        4 => {
            let other = &corpus[draws.below(corpus.len())];
            let (start, length) = (draws.below(other.len()), draws.below(200));
            bytes.splice(at..at, other.iter().copied().skip(start).take(length));
        }
        5 => {
            let part = bytes[at..end].to_vec();
            let times = 1 << draws.below(8);
            bytes.splice(at..at, part.repeat(times));
        }
        6 => change_number(bytes, at, draws),
        7 if at + 4 <= bytes.len() => {
            let number = [0, 1, i32::MAX as u32, u32::MAX, 1 << draws.below(32)][draws.below(5)];
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        8 if at < bytes.len() => bytes[at] = draws.below(256) as u8,
        _ if !tokens.is_empty() => {
            let token = draws.one_of(tokens);
            let end = if draws.below(2) == 0 { at } else { (at + token.len()).min(bytes.len()) };
            bytes.splice(at..end, token.bytes());
        }
        _ => {}
    }
}

/// Puts another number in place of the first one behind a place.
fn change_number(bytes: &mut Vec<u8>, at: usize, draws: &mut Draws) {
    let Some(first) = bytes[at..].iter().position(u8::is_ascii_digit).map(|offset| at + offset) else {
        return;
    };
    let digits = bytes[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.splice(first..first + digits, draws.one_of(NUMBERS).bytes());
}
