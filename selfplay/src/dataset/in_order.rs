//! Items that come out of order and are worked off in order.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

/// Holds items until it is their turn. Whoever hands one in works off all that are due, also those that others hand in meanwhile; so nobody waits
/// and no thread is kept for it.
pub(super) struct InOrder<W, T> {
    state: Mutex<State<W, T>>,
}

struct State<W, T> {
    /// What works off the items; `None` while a thread has it, and after a failure.
    worker: Option<W>,
    /// The place whose turn it is.
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<W, T> InOrder<W, T> {
    /// No items yet; the first place is 0.
    pub(super) fn new(worker: W) -> Self {
        Self { state: Mutex::new(State { worker: Some(worker), next: 0, waiting: BTreeMap::new() }) }
    }

    /// Hands in the item of a place; `work` gets each item that is due, with its place. After a failure of it, items are taken and nothing
    /// happens.
    pub(super) fn put<E>(
        &self,
        place: u64,
        item: T,
        mut work: impl FnMut(&mut W, u64, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut state = lock(&self.state);
        state.waiting.insert(place, item);
        while let Some((mut worker, item)) = state.take_due() {
            let place = state.next;
            drop(state);
            work(&mut worker, place, item)?;
            state = lock(&self.state);
            state.worker = Some(worker);
            state.next += 1;
        }
        Ok(())
    }
}

impl<W, T> State<W, T> {
    /// The worker and the item whose turn it is, if both are there.
    fn take_due(&mut self) -> Option<(W, T)> {
        self.worker.as_ref()?;
        let item = self.waiting.remove(&self.next)?;
        self.worker.take().map(|worker| (worker, item))
    }
}

/// Locks, also after a panic of another thread: that one ends the run.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        sync::atomic::{AtomicU64, Ordering},
        thread,
    };

    use super::*;

    #[test]
    fn every_item_has_its_turn() {
        const ITEMS: u64 = 10_000;
        let seen = Mutex::new(Vec::new());
        let queue = InOrder::new(());
        let next = AtomicU64::new(0);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    loop {
                        // Pairs the wrong way round.
                        let place = next.fetch_add(1, Ordering::Relaxed) ^ 1;
                        if place >= ITEMS {
                            break;
                        }
                        let work = |(): &mut (), place, item| {
                            lock(&seen).push((place, item));
                            Ok::<(), Infallible>(())
                        };
                        queue.put(place, place, work).unwrap();
                    }
                });
            }
        });
        assert!(lock(&seen).iter().copied().eq((0..ITEMS).map(|place| (place, place))));
    }

    #[test]
    fn nothing_happens_after_a_failure() {
        let queue = InOrder::new(());
        assert_eq!(queue.put(0, 0, |_, _, _| Err("broken")), Err("broken"));
        assert_eq!(queue.put(1, 1, |_, _, _| Err("worked on")), Ok(()));
    }
}
