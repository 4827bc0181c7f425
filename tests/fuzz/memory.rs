//! How much memory is in use, and the most that was.
#![allow(unsafe_code, reason = "an allocator is unsafe to implement")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    ptr,
    sync::atomic::{AtomicUsize, Ordering},
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes in use.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// The most bytes that were in use since the last [`peak_of`] began.
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// Beyond this nothing is given out, so that a reader without bounds takes down this process and not the machine.
const MOST: usize = 3 << 30;

/// Runs a job; returns also the most bytes that all threads had in use beyond those from before.
pub(crate) fn peak_of<T>(job: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = job();
    (result, PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

/// The system's allocator, counted.
struct Counting;

// SAFETY: every call goes to the system's allocator with the arguments given, or fails as an allocator may.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller's promises are the system's demands.
        let pointer = if live > MOST { ptr::null_mut() } else { unsafe { System.alloc(layout) } };
        if pointer.is_null() {
            LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the pointer came from `alloc`, that is, from the system.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[test]
fn the_most_in_use_is_counted() {
    let _turn = crate::harness::turn();
    let ((), peak) = peak_of(|| drop(std::hint::black_box(vec![1_u8; 50_000_000])));
    // The threads of the test runner take and free a little meanwhile.
    assert!((49_900_000..51_000_000).contains(&peak), "{peak}");
}
