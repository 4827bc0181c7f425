//! Playing and encoding the games of a dataset at the same time.

use std::{
    cell::RefCell,
    sync::{
        Arc, Condvar, Mutex, OnceLock,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use rayon::prelude::*;

use super::{
    Dataset, DatasetError, DatasetSpec, ShardEntry,
    claims::{Batch, Claim, Claims, Group, lock},
    columns::{ColumnChunk, append_group},
    error::At as _,
    game::Columns,
    read::Shards as _,
    shard::{Shard, ShardFile},
};
use crate::{Backend, Needs, Progress, run::play_each};

/// How often a thread that waits looks whether the run was stopped.
const WAIT_TIMEOUT: Duration = Duration::from_millis(20);

/// Shards that may wait until they are flushed to the disk.
const WHOLE_SHARDS: usize = 1;

/// A shard that has all its games, and its file.
type Whole = (Arc<Shard>, ShardFile);

/// The shards of a dataset that a call writes.
///
/// Every thread plays, game upon game without a pause, and encodes a batch whenever it has played the last game of it; if another thread is at
/// the same row group, that one does so. Where games are long, threads share batches. A thread waits only when it has no games in play, or for the
/// disk: so whatever the others wait for goes on. One more thread flushes whole shards to the disk and moves them into place.
pub(super) struct Work<'a> {
    backend: Backend,
    dataset: &'a Dataset,
    progress: &'a Progress,
    claims: Mutex<Claims<'a>>,
    /// Something is finished that threads wait for.
    finished: Condvar,
    /// Why the work ends early.
    failure: OnceLock<DatasetError>,
}

/// Whether a thread that asks for games waits until there are some.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Yes,
    No,
}

impl<'a> Work<'a> {
    /// Writes the shards on the threads of the current rayon pool, until the progress is stopped.
    ///
    /// Returns the shards that are in place, which stay, and the first failure: [`Stopped`](DatasetError::Stopped) if stopping was noticed, which it
    /// need not be. Nothing is left of other shards.
    pub(super) fn run(
        backend: Backend,
        dataset: &'a Dataset,
        progress: &'a Progress,
        shards: &'a [u64],
    ) -> (Vec<ShardEntry>, Option<DatasetError>) {
        let (threads, columns) = (rayon::current_num_threads(), dataset.columns());
        let groups = shards.iter().flat_map(|&shard| {
            let groups = Shard::groups(dataset.columns(), &dataset.spec.shard_range(shard));
            groups.map(move |group| (shard, group))
        });
        let share = if dataset.spec.run.config.policy.has_long_games() { 1 } else { columns.batch_games() };
        let claims = Mutex::new(Claims::new(groups, threads, share));
        let (finished, failure) = (Condvar::new(), OnceLock::new());
        let work = Self { backend, dataset, progress, claims, finished, failure };
        let (sender, receiver) = sync_channel(WHOLE_SHARDS);
        let written = thread::scope(|scope| {
            let placing = scope.spawn(|| work.put_into_place(receiver));
            (0..threads).into_par_iter().with_max_len(1).for_each(|_| {
                let _guard = StopOnPanic(&work);
                work.play_and_encode(&sender);
            });
            // Ends the other thread.
            drop(sender);
            placing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        (written, work.failure.into_inner())
    }

    /// The work of one of the threads that play.
    fn play_and_encode(&self, whole: &SyncSender<Whole>) {
        let spec @ DatasetSpec { run, .. } = &self.dataset.spec;
        // The batches whose games are being played.
        let in_play = RefCell::new(Vec::<Arc<Batch>>::new());
        let begin = |Claim { batch, games }: Claim| {
            let mut in_play = in_play.borrow_mut();
            in_play.retain(|other| !Arc::ptr_eq(other, &batch) && other.columns.is_open());
            in_play.push(batch);
            games
        };
        let mut games = 0..0;
        loop {
            let mut next_game = || {
                if games.is_empty() && !self.is_stopped() {
                    games = begin(self.claim(Wait::No)?);
                }
                games.next().filter(|_| !self.is_stopped())
            };
            let is_stopped = || self.is_stopped();
            play_each(
                self.backend,
                run,
                None,
                Needs::All,
                &mut next_game,
                &is_stopped,
                &mut |record, position| {
                    let ownership = spec.ownership(record, position);
                    let in_play = in_play.borrow();
                    let belongs = |batch: &&Arc<Batch>| batch.games.contains(&record.game_index);
                    let batch = in_play.iter().find(belongs).expect("a batch that the game belongs to");
                    let full = batch.columns.put(run.config.size, record, ownership);
                    if let Some(columns) = full.filter(|_| !self.is_stopped()) {
                        self.encode(batch, columns, whole).unwrap_or_else(|error| self.fail(error));
                    }
                },
            );
            let Some(claim) = self.claim(Wait::Yes) else { break };
            games = begin(claim);
        }
    }

    /// The next games for a thread; none when the run is stopped or all are claimed, or when it does not wait for them.
    fn claim(&self, wait: Wait) -> Option<Claim> {
        let mut claims = lock(&self.claims);
        while !self.is_stopped() {
            match claims.claim(|shard| Shard::create(self.dataset, shard)) {
                Ok(None) if wait == Wait::Yes && !claims.is_done() => {
                    let waited = self.finished.wait_timeout(claims, WAIT_TIMEOUT);
                    claims = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
                }
                Ok(claim) => return claim,
                Err(error) => self.fail(error),
            }
        }
        None
    }

    /// Encodes a batch in its turn, and whatever else of its row group is due then.
    fn encode(
        &self,
        Batch { group, index, games, .. }: &Batch,
        columns: Columns,
        whole: &SyncSender<Whole>,
    ) -> Result<(), DatasetError> {
        let (games, path) = (games.end - games.start, &group.shard.path);
        let plies = columns.plies.iter().map(|&plies| plies as u64).sum();
        let columns = columns.finish();
        group.encoder.put(*index, (columns, games, plies), |mut encoder, batch, (columns, games, plies)| {
            self.go_on()?;
            encoder.write(&columns).at("write", path)?;
            self.progress.add(games, plies);
            self.finished(Claims::batch_done);
            if batch + 1 < group.batch_count() {
                return Ok(Some(encoder));
            }
            self.write(group, encoder.finish().at("write", path)?, whole)?;
            Ok(None)
        })
    }

    /// Writes a row group in its turn, and whatever else of its shard is due then.
    fn write(
        &self,
        group: &Group,
        columns: Vec<ColumnChunk>,
        whole: &SyncSender<Whole>,
    ) -> Result<(), DatasetError> {
        let shard = &group.shard;
        shard.file.put(group.index, columns, |mut file, index, columns| {
            self.go_on()?;
            append_group(&mut file, columns).at("write", &shard.path)?;
            self.finished(Claims::group_done);
            if !shard.is_last(index) {
                return Ok(Some(file));
            }
            // Nobody receives only if that thread panicked, which ends the run.
            whole.send((shard.clone(), file)).map_err(|_| DatasetError::Stopped)?;
            Ok(None)
        })
    }

    /// Moves shards that are whole into place, until there are no more.
    fn put_into_place(&self, whole: Receiver<Whole>) -> Vec<ShardEntry> {
        let _guard = StopOnPanic(self);
        let mut written = Vec::new();
        for (shard, file) in whole {
            match shard.persist(self.dataset, file, || self.go_on()) {
                Ok(entry) => written.push(entry),
                Err(error) => self.fail(error),
            }
        }
        written
    }

    /// Tells those who wait that something is finished.
    fn finished(&self, tell: fn(&mut Claims<'a>)) {
        tell(&mut lock(&self.claims));
        self.finished.notify_all();
    }

    fn go_on(&self) -> Result<(), DatasetError> {
        if self.is_stopped() { Err(DatasetError::Stopped) } else { Ok(()) }
    }

    fn is_stopped(&self) -> bool {
        self.progress.is_stopped() || self.failure.get().is_some()
    }

    /// Ends the work because of an error.
    fn fail(&self, error: DatasetError) {
        _ = self.failure.set(error);
    }
}

/// Ends the run when its thread panics: others may wait for what that one had in play.
struct StopOnPanic<'w, 'a>(&'w Work<'a>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail(DatasetError::Stopped);
        }
    }
}
