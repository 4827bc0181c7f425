//! Which thread plays what, and putting back into order what threads finish.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard},
};

use super::{
    DatasetError,
    columns::{Column, GroupEncoder},
    shard::{Shard, batch_count, batch_games},
};

/// A row group in work.
pub(super) struct Group {
    pub(super) shard: Arc<Shard>,
    /// Its place in the shard.
    pub(super) index: u64,
    pub(super) games: Range<u64>,
    /// Takes in the games, batch by batch, with the plies of each batch.
    pub(super) encoder: InOrder<Option<GroupEncoder>, (Vec<Column>, Range<u64>, u64)>,
}

impl Group {
    pub(super) fn batch_count(&self) -> u64 {
        batch_count(&self.games)
    }
}

/// Games for one thread to play: a batch of a row group.
pub(super) struct Claim {
    pub(super) group: Arc<Group>,
    /// The batch's place in the group.
    pub(super) batch: u64,
    pub(super) games: Range<u64>,
}

/// What a thread gets that asks for games.
pub(super) enum Answer {
    Play(Claim),
    /// Too much is in work: nothing before something else is finished.
    Wait,
    /// All games are claimed.
    Done,
}

/// Shares out the games of some shards.
///
/// A row group is encoded by one thread at a time. So more row groups are in work than there are threads, as long as there are enough, and advance
/// together.
pub(super) struct Claims {
    /// The shards that are not begun, next one last.
    shards: Vec<u64>,
    /// The shard begun last and its next row group.
    current: Option<(Arc<Shard>, u64)>,
    /// Row groups with batches that are not claimed, and the next of these.
    open: Vec<(Arc<Group>, u64)>,
    /// Row groups that are begun and not written yet: bounds memory.
    groups: usize,
    most_groups: usize,
    /// Batches that are claimed and not encoded yet: bounds memory.
    batches: usize,
    most_batches: usize,
}

/// Batches in work for each thread. Few are: but while one game is long, many others end.
const BATCHES_PER_THREAD: usize = 8;

impl Claims {
    pub(super) fn new(shards: &[u64], threads: usize) -> Self {
        Self {
            shards: shards.iter().rev().copied().collect(),
            current: None,
            open: Vec::new(),
            groups: 0,
            most_groups: threads + 1,
            batches: 0,
            most_batches: threads * BATCHES_PER_THREAD,
        }
    }

    /// Claims games; `begin` begins a shard if need be.
    pub(super) fn claim(
        &mut self,
        begin: impl FnOnce(u64) -> Result<Shard, DatasetError>,
    ) -> Result<Answer, DatasetError> {
        let has_new = self.current.is_some() || !self.shards.is_empty();
        if self.batches < self.most_batches {
            if has_new && self.groups < self.most_groups {
                self.begin_group(begin)?;
            }
            let left = |&(ref group, next): &(Arc<Group>, u64)| group.batch_count() - next;
            let fullest = self.open.iter().enumerate().max_by_key(|(_, open)| left(open));
            if let Some((place, _)) = fullest {
                return Ok(Answer::Play(self.claim_in(place)));
            }
        }
        Ok(if has_new || !self.open.is_empty() { Answer::Wait } else { Answer::Done })
    }

    /// The next batch of an open row group.
    fn claim_in(&mut self, place: usize) -> Claim {
        let (group, next) = &mut self.open[place];
        let (group, batch) = (group.clone(), *next);
        *next += 1;
        if *next == group.batch_count() {
            self.open.swap_remove(place);
        }
        self.batches += 1;
        let games = batch_games(&group.games, batch);
        Claim { group, batch, games }
    }

    fn begin_group(
        &mut self,
        begin: impl FnOnce(u64) -> Result<Shard, DatasetError>,
    ) -> Result<(), DatasetError> {
        let (shard, index) = match self.current.take() {
            Some(current) => current,
            None => (Arc::new(begin(self.shards.pop().expect("a shard that is not begun"))?), 0),
        };
        self.current = (index + 1 < shard.group_count()).then(|| (shard.clone(), index + 1));
        let (games, encoder) = (shard.group_games(index), InOrder::new(Some(shard.encoder())));
        self.open.push((Arc::new(Group { shard, index, games, encoder }), 0));
        self.groups += 1;
        Ok(())
    }

    /// A batch is encoded.
    pub(super) fn batch_done(&mut self) {
        self.batches -= 1;
    }

    /// A row group is in its shard's file.
    pub(super) fn group_done(&mut self) {
        self.groups -= 1;
    }
}

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
    use crate::{
        Run,
        dataset::{
            DatasetSpec, Provenance,
            manifest::{Layout, Manifest},
            write::Target,
        },
    };

    /// A run and a folder for its shards.
    fn spec(games: u64, shard_games: u64) -> (tempfile::TempDir, DatasetSpec) {
        let run = Run::new("3", "tromp-taylor", "eye-safe").unwrap();
        let provenance = Provenance { version: "1".to_owned(), commit: "unknown".to_owned() };
        let spec = DatasetSpec { shard_games, ..DatasetSpec::new(run, games, provenance) };
        (tempfile::tempdir().unwrap(), spec)
    }

    fn target<'a>(dir: &tempfile::TempDir, spec: &'a DatasetSpec) -> Target<'a> {
        let layout = Layout::new(dir.path());
        layout.create().unwrap();
        Target { layout, manifest: Manifest::new(spec), spec }
    }

    /// Whenever the threads must wait, the oldest batch is encoded.
    #[test]
    fn every_game_is_claimed_once_and_little_is_in_work() {
        let (dir, spec) = spec(400_000, 150_000);
        let target = target(&dir, &spec);
        let mut claims = Claims::new(&[0, 1, 2], 2);
        let mut in_work: Vec<Claim> = Vec::new();
        let mut claimed = vec![0_u8; 400_000];
        let mut encoded = BTreeMap::new();
        let mut waits = 0;
        loop {
            match claims.claim(|shard| Shard::create(&target, shard)).unwrap() {
                Answer::Play(claim) => {
                    claim.games.clone().for_each(|game| claimed[game as usize] += 1);
                    in_work.push(claim);
                    assert!(in_work.len() <= 2 * BATCHES_PER_THREAD);
                    assert!(claims.groups <= 3);
                }
                Answer::Done if in_work.is_empty() => break,
                Answer::Wait | Answer::Done => {
                    waits += 1;
                    let claim = in_work.remove(0);
                    claims.batch_done();
                    let batches = encoded.entry((claim.group.shard.index, claim.group.index)).or_insert(0);
                    *batches += 1;
                    if *batches == claim.group.batch_count() {
                        claims.group_done();
                    }
                }
            }
        }
        assert!(claimed.iter().all(|&times| times == 1));
        assert!(waits > 300, "{waits}");
        assert_eq!((claims.groups, claims.batches), (0, 0));
    }

    /// Row groups advance together, as many as are in work.
    #[test]
    fn row_groups_advance_together() {
        let (dir, spec) = spec(6 * 1024, 3 * 1024);
        let target = target(&dir, &spec);
        let mut claims = Claims::new(&[0, 1], 2);
        let mut shard = || match claims.claim(|shard| Shard::create(&target, shard)).unwrap() {
            Answer::Play(claim) => Some(claim.group.shard.index),
            Answer::Wait | Answer::Done => None,
        };
        let mut shards: Vec<Option<u64>> = (0..7).map(|_| shard()).collect();
        assert_eq!((shards[0], shards[6]), (Some(0), None));
        shards[..4].sort_unstable();
        assert_eq!(shards[..4], [Some(0), Some(0), Some(1), Some(1)]);
    }

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
