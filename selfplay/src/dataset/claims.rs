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
    fn create(shard: Arc<Shard>, index: u64) -> Result<Self, DatasetError> {
        let games = shard.group_games(index);
        let encoder = InOrder::new(Some(shard.encoder()));
        Ok(Self { shard, index, games, encoder })
    }

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
/// Each thread has a row group of its own as long as there are enough, because a row group is encoded by one thread at a time; then it helps with
/// those of others.
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

    /// Games for a thread whose row group is `own`; this is changed when a new one is begun for it, in a shard begun by `begin` if need be.
    pub(super) fn claim(
        &mut self,
        own: &mut Option<Arc<Group>>,
        begin: impl FnOnce(u64) -> Result<Shard, DatasetError>,
    ) -> Result<Answer, DatasetError> {
        if self.batches >= self.most_batches {
            return Ok(if self.is_done() { Answer::Done } else { Answer::Wait });
        }
        let is_own = |(group, _): &(Arc<Group>, u64)| own.as_ref().is_some_and(|own| Arc::ptr_eq(own, group));
        let place = match self.open.iter().position(is_own) {
            Some(place) => place,
            None if self.has_new() && self.groups < self.most_groups => {
                let group = self.begin_group(begin)?;
                *own = Some(group.clone());
                self.open.push((group, 0));
                self.open.len() - 1
            }
            None => {
                let left = |&(ref group, next): &(Arc<Group>, u64)| group.batch_count() - next;
                let fullest = self.open.iter().enumerate().max_by_key(|(_, open)| left(open));
                match fullest {
                    Some((place, _)) => place,
                    None if self.has_new() => return Ok(Answer::Wait),
                    None => return Ok(Answer::Done),
                }
            }
        };
        Ok(Answer::Play(self.claim_in(place)))
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
    ) -> Result<Arc<Group>, DatasetError> {
        let (shard, index) = match self.current.take() {
            Some(current) => current,
            None => (Arc::new(begin(self.shards.pop().expect("a shard that is not begun"))?), 0),
        };
        let group = Arc::new(Group::create(shard.clone(), index)?);
        self.current = (index + 1 < shard.group_count()).then_some((shard, index + 1));
        self.groups += 1;
        Ok(group)
    }

    /// Whether there is a row group that is not begun.
    fn has_new(&self) -> bool {
        self.current.is_some() || !self.shards.is_empty()
    }

    /// Whether all games are claimed.
    fn is_done(&self) -> bool {
        self.open.is_empty() && !self.has_new()
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
        },
    };

    /// A folder for shards and what to write into it.
    fn dataset(games: u64, shard_games: u64) -> (tempfile::TempDir, Layout, Manifest, DatasetSpec) {
        let run = Run::new("3", "tromp-taylor", "eye-safe").unwrap();
        let provenance = Provenance { version: "1".to_owned(), commit: "unknown".to_owned() };
        let spec = DatasetSpec { shard_games, ..DatasetSpec::new(run, games, provenance) };
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        layout.create().unwrap();
        (dir, layout, Manifest::new(&spec), spec)
    }

    /// Two threads take turns; whenever both must wait, the oldest batch is encoded.
    #[test]
    fn every_game_is_claimed_once_and_little_is_in_work() {
        let (_dir, layout, manifest, spec) = dataset(400_000, 150_000);
        let mut claims = Claims::new(&[0, 1, 2], 2);
        let mut own = [None, None];
        let mut in_work: Vec<Claim> = Vec::new();
        let mut claimed = vec![0_u8; 400_000];
        let mut encoded = BTreeMap::new();
        let (mut turn, mut waits) = (0, 0);
        loop {
            turn = 1 - turn;
            let begin = |shard| Shard::create(&layout, &manifest, &spec, shard);
            match claims.claim(&mut own[turn], begin).unwrap() {
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

    /// A thread keeps to its own row group, and helps with another's when there is nothing new.
    #[test]
    fn threads_keep_apart_while_they_can() {
        let (_dir, layout, manifest, spec) = dataset(6 * 1024, 3 * 1024);
        let mut claims = Claims::new(&[0, 1], 2);
        let mut own = [None, None];
        let mut shard_of = |thread: usize| {
            let begin = |shard| Shard::create(&layout, &manifest, &spec, shard);
            match claims.claim(&mut own[thread], begin).unwrap() {
                Answer::Play(claim) => Some(claim.group.shard.index),
                Answer::Wait | Answer::Done => None,
            }
        };
        let shards = [0, 1, 0, 1, 0, 0, 0].map(&mut shard_of);
        assert_eq!(shards, [Some(0), Some(1), Some(0), Some(1), Some(0), Some(1), None]);
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
