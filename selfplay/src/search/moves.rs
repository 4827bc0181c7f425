//! Players that search for one move at a time. Those of a [`SearchPools`] share batches.

use std::{
    collections::VecDeque,
    num::NonZero,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{Sender, channel},
    },
    thread,
    time::Instant,
};

use jigo_engine::{
    BoardSize, Game, Komi, Move, batch, for_width,
    protocol::{GameEvent, Protocol},
    search::MoveStats,
    simd::Simd,
};

use super::{
    Uct,
    lanes::{Search, Searches, next_seed, search_all, slot_count},
    watched::{self, Limits, Watcher},
};
use crate::{Decision, Player, PlayerError, Policy, Stream, policy::is_legal};

/// Plays by search.
#[derive(Clone)]
pub struct UctPlayer {
    uct: Uct,
    komi: Komi,
    pool: Option<Arc<Pool>>,
}

impl UctPlayer {
    /// Returns a player that has not begun a game.
    #[must_use]
    pub const fn new(uct: Uct) -> Self {
        Self { uct, komi: Komi::ZERO, pool: None }
    }

    /// Returns how it searches.
    #[must_use]
    pub const fn uct(&self) -> &Uct {
        &self.uct
    }

    /// Returns the moves that the player may not make now in a whole game.
    pub(crate) fn forbidden(protocol: &Protocol) -> Vec<Move> {
        let is_forbidden = |mv: &Move| match *mv {
            Move::Play(point) => !is_legal(protocol, point),
            Move::Pass => ![GameEvent::Pass, GameEvent::HandOver]
                .iter()
                .any(|event| protocol.check(protocol.to_play(), event).is_ok()),
        };
        let moves = protocol.game().board().size().points().map(Move::Play).chain([Move::Pass]);
        moves.filter(is_forbidden).collect()
    }

    /// Chooses a move that is none of the forbidden ones as [`choose`](Player::choose) does, while `watcher` follows, and returns what the search has found
    /// out about it; without visits if the move is one of the [opening](Uct::opening).
    ///
    /// With a deadline, what is chosen depends on the speed of the machine: the search begins with a thousand playouts at most, and goes on until the
    /// deadline or until it has made the playouts of the policy. It makes some tens of playouts in any case.
    pub fn search(
        &mut self,
        game: &Game,
        forbidden: &[Move],
        stream: &mut Stream,
        deadline: Option<Instant>,
        watcher: &mut dyn Watcher,
    ) -> MoveStats {
        if let Some(mv) = self.uct.opening_move(game, forbidden, stream) {
            return MoveStats::untried(mv);
        }
        let limits = Limits { playouts: self.uct.playouts, deadline };
        let first = if deadline.is_some() { FIRST_PLAYOUTS } else { Uct::MAX_PLAYOUTS };
        let uct = Uct { playouts: self.uct.playouts.min(first), ..self.uct };
        watched::search(&uct, game, forbidden, self.komi, next_seed(stream), limits, watcher)
    }

    /// Searches for the sake of what `watcher` sees, until it has seen enough or the tree has no more room. Several playouts are under way at the same time.
    pub fn analyze(&self, game: &Game, stream: &mut Stream, watcher: &mut dyn Watcher) {
        let limits = Limits { playouts: u32::MAX, deadline: None };
        let uct = Uct { playouts: FIRST_PLAYOUTS, leaves: ANALYSIS_LEAVES, ..self.uct };
        watched::search(&uct, game, &[], self.komi, next_seed(stream), limits, watcher);
    }

    fn decide(
        &mut self,
        game: &Game,
        forbidden: Vec<Move>,
        stream: &mut Stream,
    ) -> Result<Decision, PlayerError> {
        let Some(pool) = self.pool.clone() else {
            return Ok(self.search(game, &forbidden, stream, None, &mut ()).mv.into());
        };
        if let Some(mv) = self.uct.opening_move(game, &forbidden, stream) {
            return Ok(mv.into());
        }
        let (reply, choice) = channel();
        let seed = next_seed(stream);
        pool.add(Request { game: game.clone(), forbidden, komi: self.komi, seed, reply });
        choice.recv().map(Decision::Move).map_err(|_| PlayerError::new("the search was stopped"))
    }
}

/// Playouts with which a search begins whose length is not known.
const FIRST_PLAYOUTS: u32 = 1000;

/// How many playouts of an analysis are under way at the same time.
const ANALYSIS_LEAVES: u32 = 16;

impl Player for UctPlayer {
    fn begin(&mut self, game: &Game, komi: Komi) -> Result<(), PlayerError> {
        self.komi = komi;
        self.uct.check(game.board().size()).map_err(PlayerError::new)
    }

    fn choose(&mut self, game: &Game, stream: &mut Stream) -> Result<Decision, PlayerError> {
        self.decide(game, Vec::new(), stream)
    }

    fn choose_by_protocol(
        &mut self,
        protocol: &Protocol,
        stream: &mut Stream,
    ) -> Result<Decision, PlayerError> {
        self.decide(protocol.game(), Self::forbidden(protocol), stream)
    }

    fn searcher(&mut self) -> Option<&mut UctPlayer> {
        Some(self)
    }
}

/// A search that a player waits for.
struct Request {
    game: Game,
    forbidden: Vec<Move>,
    komi: Komi,
    seed: u64,
    reply: Sender<Move>,
}

/// Searches for the move of this request, and side by side with it for those of others with the same board and rules.
fn answer(
    uct: &Uct,
    request: Request,
    others: &mut dyn FnMut() -> Option<Request>,
    is_stopped: &dyn Fn() -> bool,
) {
    let (size, rules) = (request.game.board().size(), request.game.rules());
    let backend = uct.backend(size, rules);
    for_width!(size, W => {
        let slots = slot_count(backend, size, uct);
        let mut moves = Moves::<W> { uct, slots: (0..slots).map(|_| None).collect(), others, is_stopped };
        moves.slots[0] = Some(moves.begin(request));
        search_all(backend, size, rules, uct, &mut moves);
    });
}

/// Searches for single moves.
struct Moves<'a, const W: usize> {
    uct: &'a Uct,
    slots: Vec<Option<Slot<W>>>,
    others: &'a mut dyn FnMut() -> Option<Request>,
    is_stopped: &'a dyn Fn() -> bool,
}

struct Slot<const W: usize> {
    search: Search<W>,
    game: Game<W>,
    reply: Sender<Move>,
}

impl<const W: usize> Moves<'_, W> {
    fn begin(&self, Request { game, forbidden, komi, seed, reply }: Request) -> Slot<W> {
        let mut search = Search::new(game.board().size(), game.rules(), self.uct.options(game.rules(), komi));
        let game = game.with_width();
        search.begin(&game, &forbidden, seed);
        Slot { search, game, reply }
    }
}

impl<const W: usize> Searches<W> for Moves<'_, W> {
    fn search(&mut self, slot: usize) -> Option<(&mut Search<W>, &Game<W>)> {
        if self.slots.get(slot)?.is_none() {
            let request = (self.others)()?;
            self.slots[slot] = Some(self.begin(request));
        }
        self.slots[slot].as_mut().map(|slot| (&mut slot.search, &slot.game))
    }

    fn go_on(&mut self, slot: usize) {
        let Slot { search, reply, .. } = self.slots[slot].take().expect("a search");
        // Nobody waits any more where play was stopped.
        _ = reply.send(search.tree.choice());
    }

    fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }
}

/// The searches of one policy, in all games that are played at once.
struct Pool {
    uct: Uct,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    requests: VecDeque<Request>,
    is_closed: bool,
}

impl Pool {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, request: Request) {
        let mut waiting = self.waiting();
        // Without an answer the player says that it was stopped.
        if !waiting.is_closed {
            waiting.requests.push_back(request);
            self.changed.notify_one();
        }
    }

    fn close(&self) {
        let mut waiting = self.waiting();
        waiting.is_closed = true;
        waiting.requests.clear();
        self.changed.notify_all();
    }

    /// Searches until the pool is closed or play is stopped.
    fn work(&self, is_stopped: &dyn Fn() -> bool) {
        loop {
            let idle = |waiting: &mut Waiting| waiting.requests.is_empty() && !waiting.is_closed;
            let waiting = self.changed.wait_while(self.waiting(), idle);
            let first = waiting.unwrap_or_else(PoisonError::into_inner).requests.pop_front();
            let Some(first) = first else { return };
            answer(&self.uct, first, &mut || self.waiting().requests.pop_front(), is_stopped);
            if is_stopped() {
                return self.close();
            }
        }
    }
}

/// The search players of games that are played at once, with the same board and rules: their playouts share batches.
#[derive(Default)]
pub(crate) struct SearchPools(Vec<Arc<Pool>>);

impl SearchPools {
    pub(crate) fn new(policies: impl IntoIterator<Item = Policy>) -> Self {
        let mut pools = Self::default();
        for policy in policies {
            if let Policy::Uct(uct) = policy
                && pools.of(&uct).is_none()
            {
                let (waiting, changed) = (Mutex::default(), Condvar::new());
                pools.0.push(Arc::new(Pool { uct, waiting, changed }));
            }
        }
        pools
    }

    fn of(&self, uct: &Uct) -> Option<&Arc<Pool>> {
        self.0.iter().find(|pool| pool.uct == *uct)
    }

    /// Returns a player with this policy, which plays while [`run`](Self::run) does.
    pub(crate) fn player(&self, policy: Policy) -> Box<dyn Player> {
        match policy {
            Policy::Uct(uct) => Box::new(UctPlayer { pool: self.of(&uct).cloned(), ..UctPlayer::new(uct) }),
            Policy::Playout(_) => policy.player(),
        }
    }

    /// Returns how many games on this board a thread should play at once, so that the batches are full.
    pub(crate) fn games_at_once(&self, size: BoardSize) -> usize {
        if self.0.is_empty() { 1 } else { self.0.len() * batch::lane_numbers(Simd::best(), size).count() }
    }

    /// Searches while `play` runs, for each policy on so many threads, but no more than there are processors: fewer threads have fuller batches.
    pub(crate) fn run<T>(
        &self,
        threads: usize,
        is_stopped: &(dyn Fn() -> bool + Sync),
        play: impl FnOnce() -> T,
    ) -> T {
        let threads = threads.min(thread::available_parallelism().map_or(1, NonZero::get));
        thread::scope(|scope| {
            for pool in &self.0 {
                for _ in 0..threads {
                    scope.spawn(|| pool.work(is_stopped));
                }
            }
            let _closing = Closing(self);
            play()
        })
    }
}

/// Ends the work of the pools when it is dropped.
struct Closing<'a>(&'a SearchPools);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.0.iter().for_each(|pool| pool.close());
    }
}
