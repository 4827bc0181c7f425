//! The Parquet library at arm's length: it may panic on a file that was made to deceive.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::Once,
};

/// The library panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp;

impl GaveUp {
    /// What is wrong with the shard.
    pub(super) const REASON: &str = "cannot be read: the Parquet library gave up on it";
}

thread_local! {
    /// Whether this thread is in [`guarded`].
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs code of the Parquet library; a panic in it is an error, and is not shown.
pub(super) fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, GaveUp> {
    silence();
    let before = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(before);
    result.map_err(|_| GaveUp)
}

/// Makes panics of guarded threads silent; all others are shown as before.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let show = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                show(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(guarded(|| -> u8 { panic!("not shown") }), Err(GaveUp));
        assert!(!IS_GUARDED.get());
    }
}
