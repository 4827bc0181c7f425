//! Runs: the games of a thread, played by search side by side.

use jigo_engine::{Game, IllegalMove, Move, for_width};

use super::{
    Uct,
    lanes::{Search, Searches, next_seed, search_all, slot_count},
};
use crate::{AnyPosition, Backend, End, GameRecord, Run, RunConfig, SearchRecord, Stream, record::Recorder};

/// Games that are played by search side by side.
struct SearchedGames<'a, const W: usize> {
    uct: &'a Uct,
    start: Game<W>,
    ply_cap: u32,
    counts_forbidden: bool,
    slots: Vec<Slot<W>>,
    next_game: &'a mut dyn FnMut() -> Option<u64>,
    is_stopped: &'a dyn Fn() -> bool,
    take: &'a mut dyn FnMut(&GameRecord, AnyPosition<'_>),
    /// The seed of the random numbers of a game.
    seed: u64,
}

/// A game, and where its search stands.
struct Slot<const W: usize> {
    search: Search<W>,
    recorder: Recorder<W>,
    stream: Stream,
    is_playing: bool,
}

impl<const W: usize> Slot<W> {
    fn new(run: &Run, uct: &Uct) -> Self {
        let RunConfig { size, rules, .. } = run.config;
        Self {
            search: Search::new(size, *rules, uct.options(*rules, rules.komi(size))),
            recorder: Recorder::new(size, *rules),
            stream: Stream::new(0, 0),
            is_playing: false,
        }
    }

    /// Begins the search for the next move, or returns the random one of an opening. Notes what superko rejects.
    fn begin_ply(&mut self, uct: &Uct, counts_forbidden: bool) -> Option<Move> {
        let Self { search, recorder, stream, .. } = self;
        let game = recorder.game();
        let of_opening = uct.opening_move(game, &[], stream);
        let rejected = if of_opening.is_some() {
            game.board().legal_points().filter_map(|point| game.superko_violation(point)).collect()
        } else {
            search.begin(game, &[], next_seed(stream));
            search.tree.rejected_by_superko(game)
        };
        recorder.reject(&rejected, counts_forbidden);
        of_opening
    }
}

impl<const W: usize> SearchedGames<'_, W> {
    /// Begins the next games in a slot until one has a move to be searched, or there are none.
    fn begin(&mut self, slot: usize) {
        let Slot { recorder, stream, is_playing, .. } = &mut self.slots[slot];
        *is_playing = false;
        let Some(index) = (self.next_game)() else { return };
        recorder.begin_at(index, &self.start);
        *stream = Stream::new(self.seed, index);
        *is_playing = true;
        self.search_or_end(slot);
    }

    /// Begins the search for the next move of a game, after those of its opening, or the next game if there is none.
    fn search_or_end(&mut self, slot: usize) {
        let current = &mut self.slots[slot];
        while !current.recorder.game().is_over() && current.recorder.ply_count() < self.ply_cap {
            let Some(mv) = current.begin_ply(self.uct, self.counts_forbidden) else { return };
            current.recorder.note_search(None);
            current.recorder.play(mv).expect("a legal move");
        }
        let recorder = &mut current.recorder;
        let record = recorder.finish(End::of(recorder.game()));
        (self.take)(&record, AnyPosition::new(&recorder.game().board().position()));
        self.begin(slot);
    }
}

impl<const W: usize> Searches<W> for SearchedGames<'_, W> {
    fn search(&mut self, slot: usize) -> Option<(&mut Search<W>, &Game<W>)> {
        let slot = self.slots.get_mut(slot).filter(|slot| slot.is_playing)?;
        Some((&mut slot.search, slot.recorder.game()))
    }

    fn go_on(&mut self, slot: usize) {
        let Slot { search, recorder, .. } = &mut self.slots[slot];
        recorder.note_search(SearchRecord::new(&search.tree, recorder.game().board().size()));
        recorder.play(search.tree.choice()).expect("a legal move");
        self.search_or_end(slot);
    }

    fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }
}

/// Plays the games that `next_game` names, until it names none or the run is stopped, and hands each to `take`.
pub(crate) fn play(
    backend: Backend,
    run: &Run,
    uct: &Uct,
    start: &Game,
    next_game: &mut dyn FnMut() -> Option<u64>,
    is_stopped: &dyn Fn() -> bool,
    take: &mut dyn FnMut(&GameRecord, AnyPosition<'_>),
) {
    let RunConfig { size, rules, ply_cap, count_forbidden: counts_forbidden, .. } = run.config;
    for_width!(size, W => {
        let slots = (0..slot_count(backend, size, uct)).map(|_| Slot::new(run, uct)).collect();
        let (start, seed) = (start.with_width::<W>(), run.stream_seed());
        let mut games = SearchedGames { uct, start, ply_cap, counts_forbidden, slots, next_game, is_stopped, take, seed };
        (0..games.slots.len()).for_each(|slot| games.begin(slot));
        search_all(backend, size, *rules, uct, &mut games);
    });
}

/// Returns the record of a game whose moves are known, without the searches for them.
pub(crate) fn replay(
    run: &Run,
    uct: &Uct,
    game_index: u64,
    moves: &[Move],
) -> Result<GameRecord, IllegalMove> {
    let RunConfig { size, rules, count_forbidden, .. } = run.config;
    for_width!(size, W => {
        let mut slot = Slot::<W>::new(run, uct);
        slot.recorder.begin_at(game_index, &Game::with_handicap(size, *rules, &run.config.start()));
        for &mv in moves {
            slot.begin_ply(uct, count_forbidden);
            slot.recorder.play(mv)?;
        }
        let end = End::of(slot.recorder.game());
        Ok(slot.recorder.finish(end))
    })
}
