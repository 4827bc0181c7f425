//! Which thread plays what, and putting back into order what threads finish.

use std::{
    collections::BTreeMap,
    iter::Peekable,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard},
};

use super::{
    DatasetError,
    columns::{Column, GroupEncoder},
    game::SharedColumns,
    shard::{Shard, piece, piece_count},
};

/// A row group in work.
pub(super) struct Group {
    pub(super) shard: Arc<Shard>,
    /// Its place in the shard.
    pub(super) index: u64,
    games: Range<u64>,
    /// Takes in the columns of each batch, with the numbers of its games and plies.
    pub(super) encoder: InOrder<GroupEncoder, (Vec<Column>, u64, u64)>,
}

impl Group {
    fn new(shard: Arc<Shard>, index: u64) -> Self {
        let (games, encoder) = (shard.group_games(index), InOrder::new(shard.encoder()));
        Self { shard, index, games, encoder }
    }

    /// Returns the number of batches.
    pub(super) fn batch_count(&self) -> u64 {
        piece_count(&self.games, self.shard.columns.batch_games())
    }
}

/// Games that are encoded together.
pub(super) struct Batch {
    pub(super) group: Arc<Group>,
    /// Its place in the group.
    pub(super) index: u64,
    pub(super) games: Range<u64>,
    pub(super) columns: SharedColumns,
}

/// Games for one thread to play.
pub(super) struct Claim {
    pub(super) batch: Arc<Batch>,
    pub(super) games: Range<u64>,
}

/// Shares out the games of some shards.
///
/// A row group is encoded by one thread at a time. So more row groups are in work than there are threads, as long as there are enough, and advance
/// together.
pub(super) struct Claims<'a> {
    /// The row groups that have not begun, as shard and place: an iterator, because a list would grow with the number of games.
    groups: Peekable<Box<dyn Iterator<Item = (u64, u64)> + Send + 'a>>,
    /// The shard begun last.
    shard: Option<Arc<Shard>>,
    /// Row groups with batches that are not claimed, and the next of these.
    open: Vec<(Arc<Group>, u64)>,
    /// The batch begun last, and its games that are not claimed.
    begun: Option<Claim>,
    /// How many games of a batch a thread claims at once.
    share: u64,
    /// Row groups that are begun and not written yet: bounds memory.
    in_work: usize,
    most_in_work: usize,
    /// Batches that are begun and not encoded yet: bounds memory.
    batches: usize,
    most_batches: usize,
}

/// Batches in work for each thread. Few are: but while one game is long, many others end.
const BATCHES_PER_THREAD: usize = 8;

impl<'a> Claims<'a> {
    /// Shares out these row groups, given by their shards and places in order, so many games at a time.
    pub(super) fn new(
        groups: impl Iterator<Item = (u64, u64)> + Send + 'a,
        threads: usize,
        share: u64,
    ) -> Self {
        let groups: Box<dyn Iterator<Item = (u64, u64)> + Send + 'a> = Box::new(groups);
        Self {
            groups: groups.peekable(),
            shard: None,
            open: Vec::new(),
            begun: None,
            share,
            in_work: 0,
            most_in_work: threads + 1,
            batches: 0,
            most_batches: threads * BATCHES_PER_THREAD,
        }
    }

    /// Claims games of the batch begun last, or else of the next; `begin` begins a shard if need be. Returns `None` when too much is in work, and when
    /// all games are [claimed](Self::is_done).
    pub(super) fn claim(
        &mut self,
        begin: impl FnOnce(u64) -> Result<Shard, DatasetError>,
    ) -> Result<Option<Claim>, DatasetError> {
        if self.begun.as_ref().is_none_or(|rest| rest.games.is_empty()) {
            self.begun = self.next_batch(begin)?;
        }
        Ok(self.begun.as_mut().map(|rest| {
            let games = piece(&rest.games, self.share, 0);
            rest.games.start = games.end;
            Claim { batch: rest.batch.clone(), games }
        }))
    }

    /// Begins a batch of the row group of which most is left.
    fn next_batch(
        &mut self,
        begin: impl FnOnce(u64) -> Result<Shard, DatasetError>,
    ) -> Result<Option<Claim>, DatasetError> {
        if self.batches < self.most_batches {
            if self.in_work < self.most_in_work
                && let Some((shard, index)) = self.groups.next()
            {
                if index == 0 {
                    self.shard = Some(Arc::new(begin(shard)?));
                }
                let shard = self.shard.clone().expect("the shard that its first row group began");
                self.open.push((Arc::new(Group::new(shard, index)), 0));
                self.in_work += 1;
            }
            let left = |(group, next): &(Arc<Group>, u64)| group.batch_count() - next;
            if let Some(place) = (0..self.open.len()).max_by_key(|&place| left(&self.open[place])) {
                let (group, next) = &mut self.open[place];
                let (group, index) = (group.clone(), *next);
                *next += 1;
                if *next == group.batch_count() {
                    self.open.swap_remove(place);
                }
                self.batches += 1;
                let games = piece(&group.games, group.shard.columns.batch_games(), index);
                let columns = SharedColumns::new(group.shard.new_columns(games.clone()));
                let batch = Batch { group, index, games: games.clone(), columns };
                return Ok(Some(Claim { batch: Arc::new(batch), games }));
            }
        }
        Ok(None)
    }

    /// Returns whether all games are claimed.
    pub(super) fn is_done(&mut self) -> bool {
        let is_begun = self.begun.as_ref().is_some_and(|rest| !rest.games.is_empty());
        self.groups.peek().is_none() && self.open.is_empty() && !is_begun
    }

    /// A batch is encoded.
    pub(super) fn batch_done(&mut self) {
        self.batches -= 1;
    }

    /// A row group is in its shard's file.
    pub(super) fn group_done(&mut self) {
        self.in_work -= 1;
    }
}

/// Holds items until it is their turn. Whoever hands one in works off all that are due, also those that others hand in meanwhile; so nobody waits
/// and no thread is kept for it.
pub(super) struct InOrder<W, T>(Mutex<State<W, T>>);

struct State<W, T> {
    /// What takes in the items; `None` while a thread has it, after the last item, and after a failure.
    worker: Option<W>,
    /// The place whose turn it is.
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<W, T> InOrder<W, T> {
    /// No items yet; the first place is 0.
    pub(super) fn new(worker: W) -> Self {
        Self(Mutex::new(State { worker: Some(worker), next: 0, waiting: BTreeMap::new() }))
    }

    /// Hands in the item of a place; `work` gets the worker and each item that is due, with its place, and gives the worker back for the next item.
    /// After a failure of it, items are taken and nothing happens.
    pub(super) fn put<E>(
        &self,
        place: u64,
        item: T,
        mut work: impl FnMut(W, u64, T) -> Result<Option<W>, E>,
    ) -> Result<(), E> {
        let mut state = lock(&self.0);
        state.waiting.insert(place, item);
        while let Some(worker) = state.worker.take() {
            let place = state.next;
            let Some(item) = state.waiting.remove(&place) else {
                state.worker = Some(worker);
                break;
            };
            drop(state);
            let worker = work(worker, place, item)?;
            state = lock(&self.0);
            state.worker = worker;
            state.next += 1;
        }
        Ok(())
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
            Dataset, DatasetSpec, Provenance,
            manifest::{Layout, Manifest},
            schema,
        },
    };

    const BATCH: u64 = schema::Columns::GIVEN.batch_games();

    /// A dataset without shards, in a folder of its own.
    fn dataset(games: u64, shard_games: u64) -> (tempfile::TempDir, Dataset) {
        let run = Run::new("3", "tromp-taylor", "eye-safe").unwrap();
        let provenance = Provenance { version: "1".to_owned(), commit: "unknown".to_owned() };
        let spec = DatasetSpec { shard_games, ..DatasetSpec::new(run, games, provenance) };
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        layout.create().unwrap();
        (dir, Dataset { layout, manifest: Manifest::new(&spec), spec })
    }

    /// Whenever the threads must wait, the oldest batch is encoded.
    #[test]
    fn every_game_is_claimed_once_and_little_is_in_work() {
        for share in [BATCH, 300, 1] {
            claim_all(share);
        }
    }

    fn claim_all(share: u64) {
        let (_dir, dataset) = dataset(400_000, 150_000);
        let groups = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)];
        let mut claims = Claims::new(groups.into_iter(), 2, share);
        let mut in_work: Vec<Arc<Batch>> = Vec::new();
        let mut claimed = vec![0_u8; 400_000];
        let mut encoded = BTreeMap::new();
        let mut waits = 0;
        loop {
            match claims.claim(|shard| Shard::create(&dataset, shard)).unwrap() {
                Some(Claim { batch, games }) => {
                    games.clone().for_each(|game| claimed[game as usize] += 1);
                    assert!(batch.games.contains(&games.start) && games.end <= batch.games.end);
                    if games.start == batch.games.start {
                        in_work.push(batch);
                    }
                    assert!(in_work.len() <= 2 * BATCHES_PER_THREAD);
                    assert!(claims.in_work <= 3);
                }
                None if in_work.is_empty() => break,
                None => {
                    waits += 1;
                    let group = in_work.remove(0).group.clone();
                    claims.batch_done();
                    let batches = encoded.entry((group.shard.index, group.index)).or_insert(0);
                    *batches += 1;
                    if *batches == group.batch_count() {
                        claims.group_done();
                    }
                }
            }
        }
        assert!(claims.is_done() && claimed.iter().all(|&times| times == 1));
        assert!(waits > 300, "{waits}");
        assert_eq!((claims.in_work, claims.batches), (0, 0));
    }

    /// Row groups advance together, as many as are in work.
    #[test]
    fn row_groups_advance_together() {
        let (_dir, dataset) = dataset(6 * 1024, 3 * 1024);
        let mut claims = Claims::new([(0, 0), (1, 0)].into_iter(), 2, BATCH);
        let mut shard = || {
            let claim = claims.claim(|shard| Shard::create(&dataset, shard)).unwrap();
            claim.map(|claim| claim.batch.group.shard.index)
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
                        let work = |(), place, item| {
                            lock(&seen).push((place, item));
                            Ok::<_, Infallible>(Some(()))
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
