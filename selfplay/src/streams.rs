//! The random streams of many games side by side.

use jigo_engine::batch::MAX_LANES;

use crate::stream::Stream;

/// The [`Stream`]s of the games of a batch, one in each lane: the same draws, but all lanes move on at once.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Streams {
    /// The generators' states.
    state: [[u32; MAX_LANES]; 4],
    /// The next draws.
    draws: [u16; MAX_LANES],
    /// The upper halves of the last outputs.
    high: [u16; MAX_LANES],
    /// All ones where the next draw is such an upper half, else zero.
    is_high: [u16; MAX_LANES],
}

impl Streams {
    /// Streams that must be [started](Self::start).
    pub(crate) fn new() -> Self {
        Self {
            state: [[0; MAX_LANES]; 4],
            draws: [0; MAX_LANES],
            high: [0; MAX_LANES],
            is_high: [0; MAX_LANES],
        }
    }

    /// Begins the stream of a game.
    pub(crate) fn start(&mut self, lane: usize, run_seed: u64, game_index: u64) {
        let mut state = Stream::initial_state(run_seed, game_index);
        let output = next(&mut state);
        for (words, word) in self.state.iter_mut().zip(state) {
            words[lane] = word;
        }
        self.draws[lane] = output as u16;
        self.high[lane] = (output >> 16) as u16;
        self.is_high[lane] = 0;
    }

    /// The next draw of each lane.
    #[inline(always)]
    pub(crate) fn draws(&self) -> &[u16; MAX_LANES] {
        &self.draws
    }

    /// Moves on in the lanes whose element is all ones; in the others it is zero.
    ///
    /// Chooses by masks and works on a copy, so that compilers make vectors of the loop.
    #[inline(always)]
    pub(crate) fn advance(&mut self, used: &[u16]) {
        let Self { state: [mut a, mut b, mut c, mut d], mut draws, mut high, mut is_high } = *self;
        for (lane, &used) in used.iter().enumerate().take(MAX_LANES) {
            let steps = used & is_high[lane];
            let wide_steps = i32::from(steps as i16) as u32;
            let mut state = [a[lane], b[lane], c[lane], d[lane]];
            let output = next(&mut state);
            a[lane] ^= (a[lane] ^ state[0]) & wide_steps;
            b[lane] ^= (b[lane] ^ state[1]) & wide_steps;
            c[lane] ^= (c[lane] ^ state[2]) & wide_steps;
            d[lane] ^= (d[lane] ^ state[3]) & wide_steps;
            let following = high[lane] ^ (high[lane] ^ output as u16) & is_high[lane];
            draws[lane] ^= (draws[lane] ^ following) & used;
            high[lane] ^= (high[lane] ^ (output >> 16) as u16) & steps;
            is_high[lane] ^= used;
        }
        *self = Self { state: [a, b, c, d], draws, high, is_high };
    }
}

/// One step of xoshiro128++: the same as the generator of [`Stream`], word by word, so that many can be made at once.
///
/// # Source
/// David Blackman and Sebastiano Vigna, *xoshiro128plusplus.c* (2019, public domain).
#[inline(always)]
fn next(state: &mut [u32; 4]) -> u32 {
    let output = state[0].wrapping_add(state[3]).rotate_left(7).wrapping_add(state[0]);
    let shifted = state[1] << 9;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = state[3].rotate_left(11);
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes move on at different times; each sees the draws of its game.
    #[test]
    fn lanes_draw_what_their_games_draw() {
        let mut streams = Streams::new();
        let mut alone: Vec<Stream> = (0..MAX_LANES).map(|lane| Stream::new(7, lane as u64)).collect();
        (0..MAX_LANES).for_each(|lane| streams.start(lane, 7, lane as u64));
        let mut expected: Vec<u16> = alone.iter_mut().map(Stream::draw).collect();
        for step in 0..200_u32 {
            assert_eq!(streams.draws()[..], expected);
            let is_used = |lane: usize| !(step.wrapping_mul(2_654_435_761) >> (lane % 29)).is_multiple_of(3);
            let used: Vec<u16> =
                (0..MAX_LANES).map(|lane| if is_used(lane) { u16::MAX } else { 0 }).collect();
            streams.advance(&used);
            for lane in (0..MAX_LANES).filter(|&lane| is_used(lane)) {
                expected[lane] = alone[lane].draw();
            }
        }
    }

    /// A lane that is started again forgets the game it had.
    #[test]
    fn a_lane_can_be_started_again() {
        let mut streams = Streams::new();
        streams.start(3, 1, 2);
        streams.advance(&[u16::MAX; MAX_LANES]);
        streams.start(3, 1, 5);
        let mut alone = Stream::new(1, 5);
        for _ in 0..9 {
            assert_eq!(streams.draws()[3], alone.draw());
            streams.advance(&[u16::MAX; MAX_LANES]);
        }
    }
}
