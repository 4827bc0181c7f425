//! Measures which code an input reaches, if the tests are built by `scripts/fuzz.sh`; in any other build nothing is measured.
//!
//! The compiler adds a counter of one byte to each edge between basic blocks. An input reaches new code if it takes an edge that no input took before, or
//! takes one a number of times that lies in a new range: 1, 2, 3, 4–7, 8–15, 16–31, 32–127, 128–255. libFuzzer uses the same ranges.
#![allow(unsafe_code, reason = "the compiler passes its counters as pointers")]

use std::{
    ptr, slice,
    sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, Ordering},
};

/// The first counter, and the end of the counters.
static COUNTERS: [AtomicPtr<AtomicU8>; 2] = [const { AtomicPtr::new(ptr::null_mut()) }; 2];

/// Receives the counters before `main` runs. Every crate calls this with the same pointers, because the linker puts all counters into one section.
#[cfg(jigo_coverage)]
// SAFETY: no other function has this name; the instrumentation calls it with two pointers.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut AtomicU8, end: *mut AtomicU8) {
    COUNTERS[0].store(start, Ordering::Relaxed);
    COUNTERS[1].store(end, Ordering::Relaxed);
}

fn counters() -> &'static [AtomicU8] {
    let [start, end] = COUNTERS.each_ref().map(|pointer| pointer.load(Ordering::Relaxed));
    if start.is_null() {
        return &[];
    }
    // SAFETY: the pointers delimit one section of the program, which lives as long as the process. The instrumented code increments counters without
    // atomic instructions, so a count may be lost while other threads run, but every value is a valid byte.
    unsafe { slice::from_raw_parts(start, end.offset_from_unsigned(start)) }
}

/// What all inputs together have reached.
pub(crate) struct Coverage {
    /// For each edge, one bit for each range of counts that some input had there.
    ranges: Vec<u8>,
    /// How many edges were taken.
    pub(crate) edges: usize,
}

impl Coverage {
    pub(crate) fn new() -> Self {
        Self { ranges: vec![0; counters().len()], edges: 0 }
    }

    /// Whether the tests were built with counters.
    pub(crate) fn is_measured(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// Sets the counters to zero before an input is read.
    pub(crate) fn begin(&self) {
        take_counts(|_, _| {});
    }

    /// Adds what was reached since [`Self::begin`] and returns whether any of it is new.
    pub(crate) fn end(&mut self) -> bool {
        let mut is_new = false;
        take_counts(|edge, count| {
            let range = 1 << ([1, 2, 3, 4, 8, 16, 32, 128].partition_point(|&least| least <= count) - 1);
            self.edges += usize::from(self.ranges[edge] == 0);
            is_new |= self.ranges[edge] & range == 0;
            self.ranges[edge] |= range;
        });
        is_new
    }
}

/// Calls `job` with the number of each edge that was taken and its count, and sets the counters to zero.
fn take_counts(mut job: impl FnMut(usize, u8)) {
    let all = counters();
    let mut take = |edge: usize| {
        let count = all[edge].load(Ordering::Relaxed);
        if count != 0 {
            all[edge].store(0, Ordering::Relaxed);
            job(edge, count);
        }
    };
    // SAFETY: any eight bytes are a valid number.
    let (head, words, _) = unsafe { all.align_to::<AtomicU64>() };
    let mut edge = head.len();
    (0..edge).for_each(&mut take);
    for word in words {
        // Nearly all words are zero.
        if word.load(Ordering::Relaxed) != 0 {
            (edge..edge + 8).for_each(&mut take);
        }
        edge += 8;
    }
    (edge..all.len()).for_each(take);
}
