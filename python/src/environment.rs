//! Many games side by side, for reinforcement learning.

use std::{collections::VecDeque, iter, mem, num::NonZero, process, sync::Mutex, thread};

use jigo_engine::{
    BoardSize, Color, Game, Komi, Move, Position, RuleSet, for_width,
    simd::{Job, with_fast_bits},
};
use jigo_selfplay::{RunConfig, stream::game_seed};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::ThreadPool;

use crate::{
    arguments::{IllegalMove, Points, Size, Text, invalid, name, number, number_or, whole_numbers},
    background,
};

/// The most positions that an observation may have.
const MAX_HISTORY: u64 = 16;

/// Games in lockstep: one move in each per step. :class:`VectorEnv`
/// wraps it.
///
/// All arrays of a step are new, and are not changed by later steps.
#[pyclass(name = "Lockstep", module = "jigo._native")]
pub(crate) struct PyLockstep {
    games: Box<dyn Games>,
    settings: Settings,
    /// How many threads play, the one that calls among them.
    threads: usize,
    /// The other threads, and the process that they belong to: they do not
    /// survive a fork.
    helpers: Option<(u32, ThreadPool)>,
}

/// Observations of shape (games, planes, height, width), and 1 for
/// legal moves, of shape (games, moves).
type Observed<'py> = (Bound<'py, PyArray4<u8>>, Bound<'py, PyArray2<u8>>);

/// Which games have ended, what was observed at their end, and Black's
/// margins there.
type Ended<'py> = (Bound<'py, PyArray1<bool>>, Bound<'py, PyArray4<u8>>, Bound<'py, PyArray1<i32>>);

/// What is observed after a step, the rewards of those who moved, which
/// games are over, which others have reached the move limit, and what
/// is known of these if there are any.
type Stepped<'py> = (
    Observed<'py>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Option<Ended<'py>>,
);

#[pymethods]
impl PyLockstep {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "one class calls it")]
    #[pyo3(signature = (num_envs, size, rules, komi, seed, history, max_plies, threads))]
    fn new(
        num_envs: &Bound<'_, PyAny>,
        size: Size,
        rules: Text<RuleSet>,
        komi: Option<Points>,
        seed: &Bound<'_, PyAny>,
        history: &Bound<'_, PyAny>,
        max_plies: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (size, rules) = (size.0, rules.0);
        let count = number("num_envs", num_envs, 1..=1 << 24)? as usize;
        let seed = number("seed", seed, 0..=u64::MAX)?;
        let default = RunConfig::default_ply_cap(size).into();
        let max_plies = number_or("max_plies", max_plies, default, 1..=u32::MAX.into())?;
        let settings = Settings {
            size,
            komi: komi.map_or_else(|| rules.komi(size), |komi| komi.0),
            history: number("history", history, 1..=MAX_HISTORY)? as usize,
            max_plies: max_plies as u32,
        };
        let games = for_width!(size, W => {
            // Copies share the tables of the board's geometry.
            let game = Game::<W>::new(size, *rules);
            let lane = |index| Lane::new(game.clone(), random(seed, index));
            Box::new(Lanes { settings, lanes: (0..count).map(lane).collect() }) as Box<dyn Games>
        });
        let threads = match background::threads(threads)? {
            0 => thread::available_parallelism().map_or(1, NonZero::get),
            threads => threads,
        };
        Ok(Self { games, settings, threads, helpers: None })
    }

    /// The shape of the observation of one game: planes, height and width.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let Settings { size, .. } = self.settings;
        (self.settings.planes(), size.height(), size.width())
    }

    /// The komi.
    #[getter]
    fn komi(&self) -> f64 {
        self.settings.komi.to_f64()
    }

    /// The player to move in each game: int8, 1 for Black and -1 for White.
    #[getter]
    fn to_play<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_vec(py, self.games.to_play())
    }

    /// Begins all games anew. A seed begins the random numbers of
    /// :meth:`sample` anew.
    #[pyo3(signature = (seed = None))]
    fn reset<'py>(&mut self, py: Python<'py>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Observed<'py>> {
        let seed = seed.map(|seed| number("seed", seed, 0..=u64::MAX)).transpose()?;
        let Output { observations, legal, .. } =
            self.run(py, |games, output, _| games.restart(seed, output))?;
        self.observed(py, observations, legal)
    }

    /// Plays a legal move in each game, by its number. Games that end are
    /// begun anew.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let actions = self.actions(actions)?;
        let (mut illegal, mut last) = (None, None);
        let Output { observations, legal, rewards, over, stopped, margins } =
            self.run(py, |games, output, helpers| {
                illegal = games.illegal(&actions);
                if illegal.is_none() {
                    games.step(&actions, output, helpers);
                    last = games.begin_again(output);
                }
            })?;
        if let Some(text) = illegal {
            return Err(IllegalMove::new_err(text));
        }
        let ended = |last: Vec<u8>| {
            let which = over.iter().zip(&stopped).map(|(over, stopped)| over | stopped);
            let which = PyArray1::from_iter(py, which);
            PyResult::Ok((which, self.observations(py, last)?, PyArray1::from_vec(py, margins)))
        };
        let ended = last.map(ended).transpose()?;
        let observed = self.observed(py, observations, legal)?;
        let [over, stopped] = [over, stopped].map(|games| PyArray1::from_vec(py, games));
        Ok((observed, PyArray1::from_vec(py, rewards), over, stopped, ended))
    }

    /// Returns a random legal move of each game: all points equally likely,
    /// the pass only where no point is legal.
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.games.sample())
    }
}

impl PyLockstep {
    fn actions(&self, actions: &Bound<'_, PyAny>) -> PyResult<Vec<u16>> {
        let count = self.games.count();
        let what = format!("actions are whole numbers of shape ({count},)");
        let array = whole_numbers(&what, actions, |shape| shape == [count])?;
        let array: PyReadonlyArray1<'_, i64> = array.extract()?;
        let most = self.settings.size.point_count() as i64;
        let code = |&action: &i64| {
            let wrong = || invalid(format!("{action} is not the number of a move: these are 0 to {most}"));
            if (0..=most).contains(&action) { Ok(action as u16) } else { Err(wrong()) }
        };
        array.as_array().iter().map(code).collect()
    }

    /// Works while other Python code runs, with threads that help. It is
    /// over too soon to be interrupted.
    fn run(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Games, &mut Output, Option<&ThreadPool>) + Send,
    ) -> PyResult<Output> {
        let process = process::id();
        if self.threads > 1 && self.helpers.as_ref().is_none_or(|(owner, _)| *owner != process) {
            let helpers = background::pool(self.threads - 1)?;
            // There is nothing to be ended: the threads stayed in the other process.
            mem::forget(self.helpers.replace((process, helpers)));
        }
        let mut output = Output::new(self.games.count(), &self.settings);
        let (games, helpers) = (&mut *self.games, self.helpers.as_ref().map(|(_, helpers)| helpers));
        py.detach(|| work(games, &mut output, helpers));
        Ok(output)
    }

    fn observations<'py>(
        &self,
        py: Python<'py>,
        observations: Vec<u8>,
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let (planes, height, width) = self.shape();
        PyArray1::from_vec(py, observations).reshape([self.games.count(), planes, height, width])
    }

    fn observed<'py>(
        &self,
        py: Python<'py>,
        observations: Vec<u8>,
        legal: Vec<u8>,
    ) -> PyResult<Observed<'py>> {
        let legal = PyArray1::from_vec(py, legal).reshape([self.games.count(), self.settings.moves()])?;
        Ok((self.observations(py, observations)?, legal))
    }
}

/// What does not change between games.
#[derive(Clone, Copy)]
struct Settings {
    size: BoardSize,
    komi: Komi,
    /// The positions that an observation has.
    history: usize,
    max_plies: u32,
}

impl Settings {
    /// Planes of an observation: of each position the stones of the player
    /// to move and those of the opponent; and one that is filled if Black
    /// is to play.
    const fn planes(&self) -> usize {
        2 * self.history + 1
    }

    /// The numbers of moves: points and the pass.
    const fn moves(&self) -> usize {
        self.size.point_count() + 1
    }

    const fn observation_len(&self) -> usize {
        self.planes() * self.size.point_count()
    }
}

/// The arrays of a step, a part of each for each game.
struct Output {
    observations: Vec<u8>,
    legal: Vec<u8>,
    rewards: Vec<f32>,
    over: Vec<bool>,
    stopped: Vec<bool>,
    /// Of games that are over or stopped.
    margins: Vec<i32>,
}

impl Output {
    fn new(count: usize, settings: &Settings) -> Self {
        Self {
            observations: vec![0; count * settings.observation_len()],
            legal: vec![0; count * settings.moves()],
            rewards: vec![0.0; count],
            over: vec![false; count],
            stopped: vec![false; count],
            margins: vec![0; count],
        }
    }

    /// The observation of each game and its legal moves.
    fn seen(&mut self, settings: &Settings) -> impl Iterator<Item = (&mut [u8], &mut [u8])> {
        let observations = self.observations.chunks_mut(settings.observation_len());
        observations.zip(self.legal.chunks_mut(settings.moves()))
    }
}

/// Games on boards of one width, which is hidden.
trait Games: Send + Sync {
    fn count(&self) -> usize;
    fn restart(&mut self, seed: Option<u64>, output: &mut Output);
    /// Says which of these moves is illegal; nothing if none is.
    fn illegal(&self, actions: &[u16]) -> Option<String>;
    /// Plays legal moves.
    fn step(&mut self, actions: &[u16], output: &mut Output, helpers: Option<&ThreadPool>);
    /// Begins the games anew that are over or stopped. Returns what was
    /// observed at their ends; nothing if there are none.
    fn begin_again(&mut self, output: &mut Output) -> Option<Vec<u8>>;
    fn sample(&mut self) -> Vec<i64>;
    fn to_play(&self) -> Vec<i8>;
}

struct Lanes<const W: usize> {
    settings: Settings,
    lanes: Vec<Lane<W>>,
}

/// Games that a thread takes at once. Small boards fit into the
/// second-level cache of a core together.
const SHARE: usize = 32;

impl<const W: usize> Games for Lanes<W> {
    fn count(&self) -> usize {
        self.lanes.len()
    }

    fn restart(&mut self, seed: Option<u64>, output: &mut Output) {
        let Self { settings, lanes } = self;
        for (index, (lane, (observation, legal))) in lanes.iter_mut().zip(output.seen(settings)).enumerate() {
            if let Some(seed) = seed {
                lane.random = random(seed, index);
            }
            lane.restart();
            lane.observe(settings, observation, legal);
        }
    }

    fn illegal(&self, actions: &[u16]) -> Option<String> {
        let size = self.settings.size;
        let (lane, action) =
            self.lanes.iter().zip(actions).find(|(lane, action)| !lane.is_legal(**action))?;
        let mv = Move::from_code(*action, size).expect("the number of a move");
        let reason = lane.game.check(mv).err().map_or_else(String::new, |rule| format!(": {rule}"));
        Some(format!("{} may not play {}{reason}", name(lane.game.to_play()), mv.to_gtp(size)))
    }

    fn step(&mut self, actions: &[u16], output: &mut Output, helpers: Option<&ThreadPool>) {
        let Self { settings, lanes } = self;
        let Output { observations, legal, rewards, over, stopped, margins } = output;
        let observations = observations.chunks_mut(SHARE * settings.observation_len());
        let seen = observations.zip(legal.chunks_mut(SHARE * settings.moves()));
        let ends = over.chunks_mut(SHARE).zip(stopped.chunks_mut(SHARE));
        let ends = ends.zip(rewards.chunks_mut(SHARE).zip(margins.chunks_mut(SHARE)));
        let lanes = lanes.chunks_mut(SHARE).zip(actions.chunks(SHARE));
        share(helpers, lanes.zip(seen).zip(ends), |(((lanes, actions), (observations, legal)), ends)| {
            let ((over, stopped), (rewards, margins)) = ends;
            with_fast_bits(Step {
                settings,
                lanes,
                actions,
                observations,
                legal,
                over,
                stopped,
                rewards,
                margins,
            });
        });
    }

    fn begin_again(&mut self, output: &mut Output) -> Option<Vec<u8>> {
        let Self { settings, lanes } = self;
        let len = settings.observation_len();
        let ended: Vec<usize> =
            (0..lanes.len()).filter(|&index| output.over[index] || output.stopped[index]).collect();
        let mut last = (!ended.is_empty()).then(|| vec![0; output.observations.len()])?;
        for index in ended {
            let observation = &mut output.observations[index * len..][..len];
            last[index * len..][..len].copy_from_slice(observation);
            observation.fill(0);
            let legal = &mut output.legal[index * settings.moves()..][..settings.moves()];
            lanes[index].restart();
            lanes[index].observe(settings, observation, legal);
        }
        Some(last)
    }

    fn sample(&mut self) -> Vec<i64> {
        self.lanes.iter_mut().map(|lane| lane.sample(&self.settings)).collect()
    }

    fn to_play(&self) -> Vec<i8> {
        self.lanes.iter().map(|lane| lane.game.to_play().sign() as i8).collect()
    }
}

/// Works on parts, on the threads of a pool and on the one that calls.
/// That one begins at once and takes parts from the front, while the
/// others take them from the end: from one step to the next most parts
/// stay with a thread, and in its cache.
fn share<T: Send>(
    helpers: Option<&ThreadPool>,
    parts: impl DoubleEndedIterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let parts = Mutex::new(parts);
    let parts = || parts.lock().expect("taking a part does not panic");
    let help = || iter::from_fn(|| parts().next_back()).for_each(&work);
    let lead = || iter::from_fn(|| parts().next()).for_each(&work);
    match helpers {
        Some(pool) => pool.in_place_scope(|scope| {
            (0..pool.current_num_threads()).for_each(|_| scope.spawn(|_| help()));
            lead();
        }),
        None => lead(),
    }
}

/// A step of some games, and where it writes.
struct Step<'a, const W: usize> {
    settings: &'a Settings,
    lanes: &'a mut [Lane<W>],
    actions: &'a [u16],
    observations: &'a mut [u8],
    legal: &'a mut [u8],
    over: &'a mut [bool],
    stopped: &'a mut [bool],
    rewards: &'a mut [f32],
    margins: &'a mut [i32],
}

impl<const W: usize> Job for Step<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let settings = self.settings;
        let point = |action: u16| Move::from_code(action, settings.size).and_then(Move::point);
        let moves = self.lanes.iter().zip(self.actions);
        Game::prefetch(moves.filter_map(|(lane, action)| Some((&lane.game, point(*action)?))));
        let observations = self.observations.chunks_mut(settings.observation_len());
        let seen = observations.zip(self.legal.chunks_mut(settings.moves()));
        for (index, ((lane, action), (observation, legal))) in
            self.lanes.iter_mut().zip(self.actions).zip(seen).enumerate()
        {
            let player = lane.game.to_play();
            lane.play(settings, *action);
            let over = lane.game.is_over();
            let stopped = !over && lane.game.ply_count() >= settings.max_plies;
            if over || stopped {
                let margin = lane.game.score(&[], 0).margin();
                if over && !lane.game.has_cycled() {
                    self.rewards[index] = (settings.komi.apply(margin) * player.sign()).signum() as f32;
                }
                (self.over[index], self.stopped[index], self.margins[index]) = (over, stopped, margin);
            }
            lane.observe(settings, observation, legal);
        }
    }
}

/// One of the games.
struct Lane<const W: usize> {
    /// The legal points as bits in row-major order.
    legal: [u64; W],
    random: Xoshiro256PlusPlus,
    game: Game<W>,
    /// The positions before the current one that an observation has, the
    /// newest first.
    before: VecDeque<Position<W>>,
}

/// Returns the random numbers of a game.
fn random(seed: u64, index: usize) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(game_seed(seed, index as u64))
}

impl<const W: usize> Lane<W> {
    fn new(game: Game<W>, random: Xoshiro256PlusPlus) -> Self {
        Self { legal: game.legal_bits(), game, before: VecDeque::new(), random }
    }

    fn restart(&mut self) {
        self.game.clear();
        self.before.clear();
    }

    #[inline(always)]
    fn play(&mut self, settings: &Settings, action: u16) {
        if settings.history > 1 {
            self.before.truncate(settings.history - 2);
            self.before.push_front(self.game.board().position());
        }
        match Move::from_code(action, settings.size).expect("the number of a move") {
            Move::Play(point) => drop(self.game.play_unchecked(point)),
            Move::Pass => self.game.pass(),
        }
    }

    /// Writes what the player to move sees to a part of an array that is
    /// all zeros, and which moves are legal.
    #[inline(always)]
    fn observe(&mut self, settings: &Settings, observation: &mut [u8], legal: &mut [u8]) {
        let player = self.game.to_play();
        let mut planes = observation.chunks_mut(settings.size.point_count());
        let mut write = |bits: [u64; W]| spread(&bits, planes.next().expect("a plane"));
        let colors = [player, player.opponent()];
        colors.iter().for_each(|&color| write(self.game.board().stone_bits(color)));
        for position in &self.before {
            colors.iter().for_each(|&color| write(position.stone_bits(color)));
        }
        planes.last().expect("a plane").fill(u8::from(player == Color::Black));
        let (pass, points) = legal.split_last_mut().expect("the pass");
        *pass = u8::from(!self.game.is_over());
        self.legal = self.game.legal_bits();
        spread(&self.legal, points);
    }

    /// Whether the move with this number is legal.
    fn is_legal(&self, action: u16) -> bool {
        let index = usize::from(action);
        let is_pass = index == self.game.board().size().point_count();
        if is_pass { !self.game.is_over() } else { self.legal[index / 64] >> (index % 64) & 1 == 1 }
    }

    fn sample(&mut self, settings: &Settings) -> i64 {
        let count: u32 = self.legal.iter().map(|word| word.count_ones()).sum();
        let mut rank = ((u128::from(self.random.next_u64()) * u128::from(count)) >> 64) as u32;
        for (index, &word) in self.legal.iter().enumerate() {
            let of_word = word.count_ones();
            if rank < of_word {
                let after = (0..rank).fold(word, |word, _| word & (word - 1));
                return 64 * index as i64 + i64::from(after.trailing_zeros());
            }
            rank -= of_word;
        }
        settings.size.point_count() as i64
    }
}

/// Writes bits to a plane, a byte for each.
#[inline(always)]
fn spread(bits: &[u64], plane: &mut [u8]) {
    for (&word, bytes) in bits.iter().zip(plane.chunks_mut(64)) {
        let mut rest = word;
        for bytes in bytes.chunks_mut(8) {
            let spread = &SPREAD[rest as usize % 256];
            match <&mut [u8; 8]>::try_from(&mut *bytes) {
                Ok(bytes) => *bytes = *spread,
                Err(_) => bytes.copy_from_slice(&spread[..bytes.len()]),
            }
            rest >>= 8;
        }
    }
}

/// A byte for each bit of a byte, that of the lowest first.
static SPREAD: [[u8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        spread[at / 8][at % 8] = ((at / 8) >> (at % 8) & 1) as u8;
        at += 1;
    }
    spread
};
